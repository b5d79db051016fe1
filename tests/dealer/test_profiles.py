"""The TOML profile of a dealer, and the record of dealers on both databases."""

from pathlib import Path
from typing import Any

import pytest
from tests.dealer.feeds import NOW

from forecourt.dealer import store
from forecourt.dealer.errors import DealerExists, DealerUnknown, DomainTaken, ProfileInvalid
from forecourt.dealer.profile import build_profile, profile_content, read_profile, recorded_profile
from forecourt.storage.database import Database

PROFILE = """
name = "Larkfield"
domains = ["Cars.Larkfield.example.com"]
provider = { organization = "Larkfield Group", url = "https://larkfield.example.com" }

[[rooftops]]
name = "North"
address = { country = "us", city = "Portland" }
capabilities = ["sales"]

[[rooftops.schedules]]
name = "sales"
[rooftops.schedules.value]
monday = { open = "09:00", close = "18:00" }
sunday = "closed"
"""


def test_a_profile_file_becomes_a_profile(tmp_path: Path) -> None:
    path = tmp_path / "larkfield.toml"
    path.write_text(PROFILE, encoding="utf-8")

    profile = read_profile("larkfield", path)

    assert (profile.name, profile.rooftops, profile.country) == ("Larkfield", ("North",), "US")
    assert profile.domains == ("cars.larkfield.example.com",)
    assert profile.information["rooftops"][0]["schedules"][0]["value"]["sunday"] is None
    assert recorded_profile("larkfield", profile_content(profile)) == profile


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rooftops": []}, "rooftops"),
        ({"name": 7}, "name"),
        ({"colour": "red"}, "colour"),
        (
            {"rooftops": [{"name": "A", "geo": {"latitude": 91, "longitude": 0}}]},
            r"rooftops\[0\]\.geo\.latitude",
        ),
        ({"rooftops": [{"name": "A"}, {"name": "A"}]}, "twice"),
        ({"domains": ["not a host"]}, r"domains\[0\]"),
        ({"domains": "cars.example.com"}, "domains"),
        ({"provider": {"organization": "X"}}, "provider"),
        ({"provider": {"organization": "X", "url": "larkfield"}}, r"provider\.url"),
    ],
)
def test_a_wrong_profile_is_refused_with_the_name_of_the_key(change: dict[str, Any], told: str) -> None:
    content = {"name": "Larkfield", "rooftops": [{"name": "North"}]} | change

    with pytest.raises(ProfileInvalid, match=told):
        build_profile("larkfield", content)


@pytest.mark.parametrize("slug", ["", "North", "a b", "-a", "a-", "x" * 64, "a/b"])
def test_a_name_that_makes_no_address_is_refused(slug: str) -> None:
    with pytest.raises(ProfileInvalid, match="slug"):
        build_profile(slug, {"name": "Larkfield", "rooftops": [{"name": "North"}]})


def test_a_profile_that_is_no_toml_is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("name = \n", encoding="utf-8")

    with pytest.raises(ProfileInvalid, match="line 1"):
        read_profile("larkfield", path)


def add(database: Database, slug: str, *domains: str) -> None:
    profile = build_profile(slug, {"name": slug, "rooftops": [{"name": slug}], "domains": list(domains)})
    database.write_sync(lambda connection: store.add_dealer(connection, profile, now=NOW))


def test_a_dealer_is_found_by_slug_and_by_domain(database: Database) -> None:
    add(database, "north", "north.example.com")
    add(database, "south")

    found = database.read_sync(lambda connection: store.find_dealer(connection, "north"))

    assert found.profile.domains == ("north.example.com",)
    assert database.read_sync(store.slugs_by_domain) == {"north.example.com": "north"}
    assert [dealer.slug for dealer in database.read_sync(store.list_dealers)] == ["north", "south"]


def test_a_slug_and_a_domain_belong_to_one_dealer(database: Database) -> None:
    add(database, "north", "cars.example.com")

    with pytest.raises(DealerExists):
        add(database, "north")
    with pytest.raises(DomainTaken):
        add(database, "south", "cars.example.com")

    with pytest.raises(DealerUnknown):
        database.read_sync(lambda connection: store.find_dealer(connection, "south"))


def test_a_new_profile_replaces_the_old_one_with_its_domains(database: Database) -> None:
    add(database, "north", "old.example.com")
    new = build_profile("north", {"name": "New", "rooftops": [{"name": "N"}], "domains": ["new.example.com"]})

    database.write_sync(lambda connection: store.update_dealer(connection, new, now=NOW))

    assert database.read_sync(lambda connection: store.find_dealer(connection, "north")).profile == new
    assert database.read_sync(store.slugs_by_domain) == {"new.example.com": "north"}
