"""The simulated stock: plausible, repeatable, and nobody's real car."""

import re
from collections import Counter

from forecourt.demo.dealer import dealer_stock, rooftops
from forecourt.demo.stock import STOCK_SIZE, models, simulated_stock
from forecourt.demo.vin import check_digit

FEES = {"motors": 650, "electric": 495, "cycles": 349}


def test_the_stock_has_400_vehicles_on_three_rooftops():
    stock = dealer_stock()
    assert len(stock) == STOCK_SIZE == 400
    assert {vehicle.model.rooftop for vehicle in stock} == set(rooftops())


def test_the_same_seed_gives_the_same_stock_and_another_seed_another():
    assert simulated_stock(FEES, size=50) == simulated_stock(FEES, size=50)
    assert simulated_stock(FEES, size=50, seed=1) != simulated_stock(FEES, size=50, seed=2)


def test_the_first_vehicles_are_the_same_on_every_python():
    assert [vehicle.vin for vehicle in simulated_stock(FEES, size=2)] == [
        "7FADUBDX9NL000001",
        "3MWMCSMZ7TK000002",
    ]


def test_every_vin_has_the_right_form_and_check_digit_and_the_position_as_its_serial():
    for position, vehicle in enumerate(dealer_stock(), start=1):
        assert re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", vehicle.vin)
        assert vehicle.vin[8] == check_digit(vehicle.vin)
        assert vehicle.vin.endswith(f"{position:06d}")


def test_check_digits_that_others_worked_out_come_out_the_same():
    assert check_digit("1FBNE3BL5CD000154") == "5"
    assert check_digit("11111111111111111") == "1"


def test_stock_numbers_start_with_zeros_and_are_never_used_twice():
    numbers = [vehicle.stock for vehicle in dealer_stock()]
    assert len(set(numbers)) == len(numbers)
    assert all(number.startswith("0") and len(number) == 5 for number in numbers)


def test_a_price_is_the_list_price_with_the_fees_of_the_rooftop():
    for vehicle in dealer_stock():
        if vehicle.price is not None:
            assert vehicle.list_price is not None
            assert vehicle.price == vehicle.list_price + sum(rooftops()[vehicle.model.rooftop].fees.values())


def test_most_vehicles_have_a_price_some_only_a_list_price_and_a_few_none():
    kinds = Counter((vehicle.list_price is not None, vehicle.price is not None) for vehicle in dealer_stock())
    assert set(kinds) == {(True, True), (True, False), (False, False)}
    assert kinds[True, True] > 300
    assert kinds[True, False] > kinds[False, False] > 0


def test_mileage_fits_the_age_and_new_vehicles_have_hardly_any():
    for vehicle in dealer_stock():
        if vehicle.condition == "new":
            assert vehicle.year >= 2026
            assert vehicle.mileage <= 60
        else:
            assert 300 < vehicle.mileage < 20_000 * (2027 - vehicle.year)


def test_electric_vehicles_have_range_battery_and_plug_and_no_engine():
    electric = [model for model in models() if model.fuel == "bev"]
    assert {model.vehicle_type for model in electric} == {"car", "motorcycle"}
    for model in electric:
        assert model.electric_range_mi
        assert model.battery_kwh
        assert model.charge_port
        assert model.displacement_cc is None
        assert model.city_mpg is None


def test_every_photo_address_is_at_the_domain_for_examples():
    assert all(
        photo.startswith("https://example.com/") for vehicle in dealer_stock() for photo in vehicle.photos
    )
