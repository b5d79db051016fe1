"""What a column is, by its name and by what stands in it."""

import pytest

from forecourt.tables.headers import header_meaning

HOMENET = """DealerID=rooftop_code Type=condition Stock=stock VIN=vin Year=year Make=make Model=model
Body=body
Trim=trim Doors=doors ExteriorColor=exterior_color InteriorColor=interior_color
EngineCylinders=cylinders EngineDisplacement=displacement Transmission=transmission Miles=mileage
SellingPrice=price MSRP=msrp BookValue=ignored Invoice=ignored Certified=certified
DateInStock=inventory_date Description=description Options=features Internet_Price=internet_price
ImageList=photos Drivetrain=driveline Fuel_Type=fuel CityMPG=city_mpg"""
META = """vehicle_id=vehicle_id title=title url=vdp_url mileage.value=mileage mileage.unit=mileage_unit
image[0].url=photos fuel_type=fuel body_style=body state_of_vehicle=condition availability=status
sale_price=sale_price address.country=country date_first_on_lot=inventory_date
exterior_color=exterior_color dealer_phone=ignored"""
SCHEMA_ORG = """vehicleIdentificationNumber=vin brand.name=make vehicleModelDate=year
mileageFromOdometer.value=mileage mileageFromOdometer.unitCode=mileage_unit itemCondition=condition
offers.price=price offers.priceCurrency=currency offers.availability=status
vehicleTransmission=transmission vehicleEngine.fuelType=fuel vehicleInteriorColor=interior_color"""
ABROAD = """Kilometerstand=mileage Erstzulassung=first_registration Fahrgestellnummer=vin Kraftstoffart=fuel
Preis=price Marque=make Modele=model Kilometrage=mileage Carburant=fuel Prix=price Marca=make
Prezzo=price Alimentazione=fuel Cilindrata=displacement Targa=registration Precio=price
Combustible=fuel Merk=make Kenteken=registration Bouwjaar=year Miltal=mileage Drivmedel=fuel
Pris=price Merkki=make Hinta=price Przebieg=mileage Cena=price"""
GOOGLE = """id=vehicle_id store_code=rooftop_code image_link=photos additional_image_link=photos_more
link=vdp_url g:price=price g:vin=vin g:mileage=mileage vehicle_msrp=msrp
certified_pre_owned=certified dealership_name=rooftop"""
VAUTO = {
    "Stock #": "stock",
    "New/Used": "condition",
    "Series": "trim",
    "Odometer": "mileage",
    "Photo Url List": "photos",
}


def pairs(text: str) -> list[tuple[str, str]]:
    return [tuple(pair.rsplit("=", 1)) for pair in text.split()]


@pytest.mark.parametrize(
    ("name", "role"), [pair for text in (HOMENET, META, SCHEMA_ORG, ABROAD, GOOGLE) for pair in pairs(text)]
)
def test_a_known_column_is_understood(name: str, role: str) -> None:
    meaning = header_meaning(name)

    assert meaning is not None
    assert meaning.role == role


@pytest.mark.parametrize(("name", "role"), VAUTO.items())
def test_a_column_with_blanks_and_marks_is_understood(name: str, role: str) -> None:
    meaning = header_meaning(name)

    assert meaning is not None
    assert meaning.role == role


@pytest.mark.parametrize(
    "name",
    ["prices.price.dealer.value", "prices.price.export.value", "invoice_price", "whole_sale_price",
     "Händlerpreis",
     "monthly_finance_price", "price_history.price", "seller.phone", "Holdback", "Misc_Price1"],
)  # fmt: skip
def test_an_amount_that_no_shopper_pays_is_no_price(name: str) -> None:
    meaning = header_meaning(name)

    assert meaning is None or meaning.role == "ignored"


@pytest.mark.parametrize(
    ("name", "unit", "currency"),
    [
        ("mileage_km", "km", None),
        ("Miles", "mi", None),
        ("Preis EUR", None, "EUR"),
        ("Miltal", "mil", None),
        ("price_usd", None, "USD"),
    ],
)
def test_a_name_tells_the_unit_or_currency(name: str, unit: str | None, currency: str | None) -> None:
    meaning = header_meaning(name)

    assert meaning is not None
    assert (meaning.unit, meaning.currency) == (unit, currency)


@pytest.mark.parametrize("name", ["Tranmission", "Milleage", "Odometr", "Descripton", "Exterior Colr"])
def test_a_name_one_letter_off_is_understood(name: str) -> None:
    assert header_meaning(name) is not None
