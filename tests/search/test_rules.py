"""What a shopper's agent sees: one sentence per rule where AAP v1.3 leaves inventory search open."""

from typing import Any

import pytest

from forecourt.dealer.search import SearchAnswer, SearchIndex


def index_of(*vehicles: dict[str, Any], currencies: tuple[str, ...] = ()) -> SearchIndex:
    """Return an index over vehicles that are available and named by their place."""
    named = ({"vehicle_id": f"v{place}", "status": "available", **car} for place, car in enumerate(vehicles))
    return SearchIndex.build((vehicle, currencies) for vehicle in named)


def ids(answer: SearchAnswer) -> list[str]:
    return [vehicle["vehicle_id"] for vehicle in answer.data()["vehicles"]]


def found(index: SearchIndex, **filters: Any) -> list[str]:
    return sorted(ids(index.search({"filters": filters})))


def facet(index: SearchIndex, name: str) -> list[tuple[Any, int]]:
    return [(entry["value"], entry["count"]) for entry in index.facets({}).data().get(name, ())]


@pytest.mark.parametrize(
    ("filter_name", "field", "asked", "value"),
    [
        ("exterior_color", "exterior_color", "black", "Crystal Black Pearl"),
        ("exterior_color", "exterior_color", "gray", "GREY METALLIC"),
        ("model", "model", "3 series", "3 Series Gran Turismo"),
        ("model", "model", "crv", "CR-V"),
        ("model", "model", "CR-V", "CRV"),
        ("model", "model", "f150", "F-150 Lightning"),
        ("model", "model", "E-Class", "E Class"),
        ("model", "model", "e220d", "E 220 d"),
        ("trim", "trim", "ex-l", "EX-L w/ Navigation"),
        ("trim", "trim", "2.0", "2.0 TDI"),
        ("make", "make", "skoda", "Škoda"),
        ("make", "make", "VW", "Volkswagen"),
        ("make", "make", "volkswagen", "VW"),
        ("make", "make", "Mercedes", "Mercedes-Benz"),
        ("make", "make", "mercedes benz", "MERCEDES"),
        ("make", "make", "chevy", "Chevrolet"),
        ("make", "make", "mercedes", "Mercedes-Maybach"),
        ("fuel", "fuel", "gas", "Petrol"),
        ("fuel", "fuel", "gasoline", "premium unleaded"),
        ("fuel", "fuel", "petrol", "Benzin"),
        ("fuel", "fuel", "hybrid", "Elettrica/Benzina"),
        ("fuel", "fuel", "phev", "Plug-in Bensin"),
        ("fuel", "fuel", "electric", "BEV"),
        ("fuel", "fuel", "gas", "Essence"),
        ("transmission", "transmission", "automatic", "8-speed automatic"),
        ("transmission", "transmission", "8-speed automatic", "8 Speed Automatic"),
        ("transmission", "transmission", "automatic", "Continuously Variable Transmission (CVT)"),
        ("transmission", "transmission", "manual", "Schaltgetriebe"),
        ("transmission", "transmission", "automatic transmission", "Automatico"),
        ("driveline", "driveline", "awd", "All-Wheel Drive"),
        ("driveline", "driveline", "4wd", "4X4"),
        ("driveline", "driveline", "rwd", "posteriore"),
        ("driveline", "driveline", "front-wheel drive", "FWD"),
        ("body", "body", "crossover", "SUV"),
        ("body", "body", "suv", "EAWD Sport Utility"),
        ("body", "body", "wagon", "Kombi"),
        ("body", "body", "hatchback", "Halvkombi 5-dörrar"),
        ("body", "body", "truck", "Crew Cab"),
        ("body", "body", "convertible", "Cabriolet"),
        ("body", "body", "sport_touring", "Sport Touring"),
        ("rooftops", "rooftop", "northgate honda", "Northgate Honda"),
        ("charge_port", "charge_port", "NACS", "nacs"),
    ],
)
def test_a_filter_finds_other_wordings_of_the_same(
    filter_name: str, field: str, asked: str, value: str
) -> None:
    assert found(index_of({field: value}), **{filter_name: [asked]}) == ["v0"]


@pytest.mark.parametrize(
    ("field", "asked", "value"),
    [
        ("model", "i3", "i30"),
        ("model", "series 3", "3 Series"),
        ("model", "3 Gran", "3 Series Gran Turismo"),
        ("model", "C", "CR-V Cabriolet"),
        ("exterior_color", "black pearl", "Black Sapphire Pearl"),
        ("trim", "0", "2.0 TDI"),
        ("make", "VW", "Volvo"),
        ("fuel", "gas", "Gasoline Hybrid"),
        ("fuel", "electric", "Electric/Gasoline"),
        ("fuel", "gas", "Natural Gas"),
        ("fuel", "phev", "Hybrid"),
        ("transmission", "manual", "8-Speed Automatic with manual mode"),
        ("transmission", "8-speed automatic", "6-Speed Automatic"),
        ("driveline", "awd", "4x4"),
        ("body", "sport", "Sport Utility"),
    ],
)
def test_a_filter_does_not_find_what_only_looks_alike(field: str, asked: str, value: str) -> None:
    assert found(index_of({field: value}), **{field: [asked]}) == []


def test_several_values_of_a_filter_are_alternatives_and_several_filters_all_hold() -> None:
    index = index_of(
        {"make": "Honda", "fuel": "Gas"},
        {"make": "Toyota", "fuel": "Gas"},
        {"make": "Toyota", "fuel": "Diesel"},
    )

    assert found(index, make=["honda", "toyota"]) == ["v0", "v1", "v2"]
    assert found(index, make=["honda", "toyota"], fuel=["petrol"]) == ["v0", "v1"]


def test_an_empty_list_is_no_constraint() -> None:
    assert found(index_of({"make": "Honda"}, {}), make=[], condition=[], rooftops=[]) == ["v0", "v1"]


def test_a_dc_fast_charge_of_false_is_no_constraint_and_true_is_one() -> None:
    index = index_of({"dc_fast_charge": True}, {"dc_fast_charge": False}, {})

    assert found(index, dc_fast_charge=False) == ["v0", "v1", "v2"]
    assert found(index, dc_fast_charge=True) == ["v0"]


@pytest.mark.parametrize(
    ("lowest", "highest"),
    [
        ("year_min", "year_max"),
        ("price_min", "price_max"),
        ("displacement_cc_min", "displacement_cc_max"),
        ("electric_range_mi_min", "electric_range_mi_max"),
    ],
)
def test_a_minimum_above_the_maximum_finds_nothing_and_says_why(lowest: str, highest: str) -> None:
    index = index_of({"year": 2020, "price": 2020, "displacement_cc": 2020, "electric_range_mi": 2020})

    answer = index.search({"filters": {lowest: 2021, highest: 2019}})

    assert answer.total == 0
    assert answer.message == f"{lowest} is greater than {highest}, so no vehicle can match."
    assert index.facets({lowest: 2021, highest: 2019}).message == answer.message


def test_bounds_are_inclusive() -> None:
    index = index_of({"year": 2019}, {"year": 2020}, {"year": 2021}, {"year": 2022})

    assert found(index, year_min=2020, year_max=2021) == ["v1", "v2"]


def test_a_bound_greater_than_any_number_is_just_never_reached() -> None:
    index = index_of({"price": 20_000}, {"mileage": 3})

    assert found(index, price_min=10**400) == []
    assert found(index, price_max=10**400) == ["v0"]
    assert index.search({"pagination": {"skip": 10**30}}).total == 2


def test_a_vehicle_that_does_not_say_never_meets_a_filter() -> None:
    index = index_of({"rooftop": None, "charge_port": None})

    assert found(index, mileage_max=10**6) == found(index, year_min=1900) == []
    assert found(index, rooftops=["north"]) == found(index, exterior_color=["black"]) == []


def test_a_price_filter_never_looks_at_list_price_or_msrp() -> None:
    index = index_of({"list_price": 20_000}, {"msrp": 20_000}, {"price": 20_000, "list_price": 90_000})

    assert found(index, price_min=0) == ["v2"]
    assert found(index, price_max=30_000) == ["v2"]


def test_a_value_that_nobody_has_finds_nothing_and_says_so() -> None:
    answer = index_of({"make": "Honda"}).search({"filters": {"make": ["Tata"]}})

    assert answer.total == 0
    assert answer.message == (
        "No vehicle in this stock matches the filter make; inventory.facets lists its values."
    )


def test_an_unknown_value_beside_a_known_one_is_mentioned() -> None:
    answer = index_of({"make": "Honda"}).search({"filters": {"make": ["Tata", "Honda"]}})

    assert answer.total == 1
    assert answer.message == "Of the 2 values of the filter make, 1 match no vehicle in this stock."


def test_a_list_of_more_than_1000_values_is_cut_and_the_answer_says_so() -> None:
    answer = index_of({"make": "Honda"}).search({"filters": {"make": ["honda", *map(str, range(60_000))]}})

    assert answer.total == 1
    assert answer.message == "The filter make was cut to 1000 values."


@pytest.mark.parametrize("asked", ["", "--", "   "])
def test_a_value_without_a_word_finds_nothing_rather_than_everything(asked: str) -> None:
    answer = index_of({"model": "Civic", "trim": "--"}, {}).search(
        {"filters": {"model": [asked], "trim": [asked]}}
    )

    assert answer.total == 0
    assert answer.message is not None


def test_a_message_never_repeats_what_the_caller_sent() -> None:
    filters = {"make": ["jane@example.com"], "query": "jane@example.com", "vin": "1HGCR000000000000"}

    message = index_of({"make": "Honda"}).search({"filters": filters}).message

    assert message is not None
    assert "jane" not in message
    assert "1HGCR" not in message


def test_a_vin_or_stock_number_matches_whole_and_exactly() -> None:
    index = index_of({"vin": "1HGCR000000000001", "stock": "H-17"}, {"stock": "h-17"}, {"stock": "H-170"})

    assert found(index, vin="1HGCR000000000001") == ["v0"]
    assert found(index, stock="H-17") == ["v0"]
    assert found(index, stock="H-1") == []


def test_a_vehicle_without_a_type_is_a_car() -> None:
    index = index_of({}, {"vehicle_type": "motorcycle"})

    assert found(index, vehicle_type=["car"]) == ["v0"]
    assert facet(index, "vehicle_types") == [("car", 1), ("motorcycle", 1)]


@pytest.mark.parametrize("status", ["sold", "out_of_stock", None])
def test_a_vehicle_that_is_not_in_stock_never_enters(status: str | None) -> None:
    index = index_of({"status": status, "stock": "H-17"}, {"status": "pending"}, {"status": "intransit"})

    assert found(index) == ["v1", "v2"]
    assert index.find({"stock": "H-17"}) is None


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("field", ["price", "list_price", "msrp", "mileage", "year"])
def test_vehicles_that_do_not_say_come_last_in_both_directions(field: str, order: str) -> None:
    index = index_of({field: 2003}, {}, {field: 2001}, {field: 2002})

    expected = ["v2", "v3", "v0", "v1"] if order == "asc" else ["v0", "v3", "v2", "v1"]
    assert ids(index.search({"sort": {"field": field, "order": order}})) == expected


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_ties_are_ordered_by_freshness_and_then_by_vehicle_id(order: str) -> None:
    index = index_of(
        {"price": 1, "updated_at": "2026-04-01T10:00:00Z"},
        {"price": 1, "updated_at": "2026-04-01T13:00:00+02:00"},
        {"price": 1},
        {"price": 1, "updated_at": "2026-04-01T10:00:00Z"},
    )

    assert ids(index.search({"sort": {"field": "price", "order": order}})) == ["v1", "v0", "v3", "v2"]


def test_without_a_wish_the_freshest_come_first() -> None:
    index = index_of({}, {"updated_at": "2026-04-01T10:00:00Z"}, {"updated_at": "2026-04-02T10:00:00Z"})

    assert ids(index.search({})) == ["v2", "v1", "v0"]
    assert ids(index.search({"sort": {"field": "updated_at", "order": "asc"}})) == ["v1", "v2", "v0"]


def test_makes_sort_by_the_alphabet_with_their_aliases_together() -> None:
    index = index_of({"make": "VW"}, {"make": "audi"}, {"make": "Volvo"}, {"make": "Volkswagen"})

    assert ids(index.search({"sort": {"field": "make", "order": "asc"}})) == ["v1", "v3", "v0", "v2"]


def test_a_page_has_20_vehicles_unless_asked_and_never_more_than_100() -> None:
    index = index_of(*({} for _ in range(130)))

    pages = [
        index.search({"pagination": wish}) for wish in ({}, {"limit": 7}, {"limit": 100}, {"limit": 500})
    ]

    assert [(page.limit, len(page.payloads), page.total) for page in pages] == [
        (20, 20, 130),
        (7, 7, 130),
        (100, 100, 130),
        (100, 100, 130),
    ]


def test_pages_do_not_overlap_and_leave_nothing_out() -> None:
    index = index_of(*({"price": price % 7} for price in range(45)))
    sort = {"field": "price", "order": "desc"}

    pages = [index.search({"sort": sort, "pagination": {"skip": skip}}) for skip in (0, 20, 40, 60)]

    assert [len(page.payloads) for page in pages] == [20, 20, 5, 0]
    assert len({vehicle_id for page in pages for vehicle_id in ids(page)}) == 45
    assert [page.data()["skip"] for page in pages] == [0, 20, 40, 60]


def test_spellings_of_one_value_are_one_facet_value_and_the_vehicle_keeps_its_own() -> None:
    index = index_of({"interior_color": "bLACK"}, {"interior_color": "Black"}, {"interior_color": " Black"})

    assert facet(index, "interior_colors") == [("Black", 3)]
    shown = {vehicle["interior_color"] for vehicle in index.search({}).data()["vehicles"]}
    assert shown == {"bLACK", "Black", " Black"}


@pytest.mark.parametrize(
    ("field", "name", "values", "expected"),
    [
        ("make", "makes", ["VW", "VOLKSWAGEN", "Volkswagen"], "Volkswagen"),
        ("make", "makes", ["ALFA ROMEO", "Alfa Romeo"], "Alfa Romeo"),
        ("model", "models", ["CR-V", "CRV", "CR-V"], "CR-V"),
        ("trim", "trims", ["Limited", "LIMITED", "LIMITED"], "LIMITED"),
        ("exterior_color", "exterior_colors", ["Grey", "GRAY", "Grey"], "Grey"),
        ("fuel", "fuels", ["GASOLINE", "Gas", "Petrol"], "gas"),
        ("transmission", "transmissions", ["8 Speed Automatic", "Automatic"], "automatic"),
        ("driveline", "drivelines", ["4X4", "4WD"], "4wd"),
        ("body", "bodies", ["SUV", "Sport Utility"], "suv"),
    ],
)
def test_a_facet_shows_one_value_for_all_wordings(
    field: str, name: str, values: list[str], expected: str
) -> None:
    assert facet(index_of(*({field: value} for value in values)), name) == [(expected, len(values))]


def test_facets_are_ordered_by_count_then_alphabet_and_years_newest_first() -> None:
    index = index_of(
        {"make": "Honda", "year": 2020}, {"make": "Audi", "year": 2022}, {"make": "Kia", "year": 2020},
        {"make": "Kia", "year": 2021},
    )  # fmt: skip

    assert facet(index, "makes") == [("Kia", 2), ("Audi", 1), ("Honda", 1)]
    assert facet(index, "years") == [(2022, 1), (2021, 1), (2020, 2)]


def test_dc_fast_charge_facet_values_are_words() -> None:
    index = index_of({"dc_fast_charge": True}, {"dc_fast_charge": False}, {"dc_fast_charge": True}, {})

    assert facet(index, "dc_fast_charge") == [("true", 2), ("false", 1)]


def test_the_price_range_covers_only_vehicles_with_a_price_and_is_absent_without_any() -> None:
    assert index_of({"price": 3}, {"price": 9}, {"msrp": 99}).facets({}).data()["price_range"] == {
        "min": 3,
        "max": 9,
    }
    assert "price_range" not in index_of({"msrp": 99, "list_price": 98}).facets({}).data()


def test_facets_leave_out_what_no_matching_vehicle_has() -> None:
    index = index_of({"make": "Honda", "electric_range_mi": 113.5}, {"make": "Kia", "trim": "GT"})

    assert set(index.facets({"make": ["kia"]}).data()) == {"makes", "trims", "vehicle_types", "statuses"}
    assert index.facets({}).data()["electric_range_mi_range"] == {"min": 113.5, "max": 113.5}
    assert index_of().facets({}).data() == {}


@pytest.mark.parametrize(
    "query",
    [
        "honda cr-v", "CRV honda", "2020 crv", "petrol", "suv", "all-wheel drive honda", "leather",
        "cr v ex-l", "heated seats carplay", "one owner", "tow-bar", "towbar", "H-17", "1hgcr000000000001",
        "black pearl", "v6", "northgate", "crossover awd petrol", "TRÈS bon état",
    ],
)  # fmt: skip
def test_a_query_finds_a_vehicle_by_words_of_any_field(query: str) -> None:
    index = index_of(
        {
            "make": "Honda", "model": "CR-V", "trim": "EX-L", "year": 2020, "fuel": "Gasoline",
            "body": "Sport Utility", "driveline": "AWD", "engine": "3.5L V6",
            "stock": "H-17", "vin": "1HGCR000000000001",
            "exterior_color": "Crystal Black Pearl", "interior_color": "Leather",
            "rooftop": "Northgate Honda", "notes": "Très bon état!",
            "description": "One-owner, with tow-bar.", "features": ["Heated Front Seats", "Apple CarPlay"],
        },
        {"make": "Kia", "model": "Rio"},
    )  # fmt: skip

    assert found(index, query=query) == ["v0"]


@pytest.mark.parametrize("query", ["honda rio", "hond", "i3", "kia zeppelin", "!!"])
def test_a_query_needs_every_word_whole_and_says_when_nobody_has_them(query: str) -> None:
    answer = index_of({"make": "Honda"}, {"make": "Kia", "model": "Rio"}, {"model": "i30"}).search(
        {"filters": {"query": query}}
    )

    assert answer.total == 0
    assert answer.message == "No vehicle in this stock holds all the words of the query."


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_query_is_no_constraint(query: str) -> None:
    assert found(index_of({}, {}), query=query) == ["v0", "v1"]


def test_a_list_shows_no_description_and_at_most_three_photos_but_a_vehicle_everything() -> None:
    photos = [f"https://cdn.example.com/{number}.jpg" for number in range(5)]
    vehicle = {
        "stock": "H-17",
        "description": "Long text.",
        "photos": photos,
        "features": ["Sunroof"],
        "fees": [],
    }
    index = index_of(vehicle)

    [listed] = index.search({}).data()["vehicles"]
    shown = index.find({"stock": "H-17"})

    assert listed == {
        "vehicle_id": "v0", "status": "available", "stock": "H-17", "photos": photos[:3],
        "features": ["Sunroof"], "fees": [],
    }  # fmt: skip
    assert shown is not None
    assert shown.vehicle == {"vehicle_id": "v0", "status": "available", **vehicle}


def test_a_vehicle_is_found_by_vin_before_stock_before_vehicle_id() -> None:
    index = index_of({"vin": "1HGCR000000000001"}, {"stock": "H-17"}, {})

    def place(**identifiers: str) -> str | None:
        shown = index.find(identifiers)
        return None if shown is None else shown.vehicle["vehicle_id"]

    assert place(vin="1HGCR000000000001", stock="H-17", vehicle_id="v2") == "v0"
    assert place(stock="H-17", vehicle_id="v2") == "v1"
    assert place(vin="1HGCR000000000099", stock="H-17", vehicle_id="v2") == "v1"
    assert place(vin="1HGCR000000000099", stock="none", vehicle_id="v2") == "v2"
    assert place(vin="1HGCR000000000099", stock="none", vehicle_id="none") is None
    assert place(stock="") is None


def test_of_two_vehicles_with_one_stock_number_the_fresher_is_shown() -> None:
    index = index_of(
        {"stock": "H-17", "updated_at": "2026-04-01T10:00:00Z"},
        {"stock": "H-17", "updated_at": "2026-04-02T10:00:00Z"},
    )

    shown = index.find({"stock": "H-17"})

    assert shown is not None
    assert shown.vehicle["vehicle_id"] == "v1"


def test_prices_that_are_left_out_are_named_where_they_are_missing() -> None:
    index = index_of({"stock": "H-17"}, currencies=("SEK", "EUR"))
    remark = "Prices in EUR and SEK are left out: AAP v1.3 knows only whole US dollars."

    shown = index.find({"stock": "H-17"})

    assert index.search({}).message == remark
    assert shown is not None
    assert shown.message == remark
    assert index.facets({}).message is None


def test_a_price_filter_says_which_vehicles_it_cannot_judge() -> None:
    index = index_of({"price": 5}, currencies=("EUR",))

    answer = index.search({"filters": {"price_max": 1}})

    assert answer.message == "Vehicles priced only in EUR cannot match a price in US dollars."


def test_a_message_stays_within_what_aap_allows() -> None:
    index = index_of({}, currencies=tuple(f"X{number:03d}" for number in range(600)))

    message = index.search({}).message

    assert message is not None
    assert len(message) <= 2000


def test_an_empty_stock_answers_every_question() -> None:
    index = index_of()
    filters = {"make": ["vw"], "price_min": 1, "query": "vw 2020", "stock": "H-17", "dc_fast_charge": True}

    assert len(index) == 0
    for sort in ("price", "stock", "make", "updated_at"):
        assert index.search({"sort": {"field": sort, "order": "asc"}}).data()["vehicles"] == []
    assert index.search({"filters": filters}).total == 0
    assert index.find({"vin": "1HGCR000000000001"}) is None
