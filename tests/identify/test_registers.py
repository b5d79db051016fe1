"""Plates looked up in registers, over real HTTP on this machine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.identify.register_server import RegisterServer, Reply, answering, register_server

from forecourt.base.errors import ForecourtError
from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.core import core_catalogue
from forecourt.contract.errors import (
    InvalidPlate,
    PlateCountryNotSupported,
    PlateNotFound,
    PlateRestricted,
    UpstreamUnavailable,
)
from forecourt.fetch.client import Limits
from forecourt.identify.plates import read_plate
from forecourt.identify.plates_lookup import PlateLookup
from forecourt.identify.registers.connected import Access, connect_registers
from forecourt.identify.registers.csv_register import read_registers
from forecourt.identify.registers.dvla import DvlaRegister
from forecourt.identify.registers.errors import RegisterFileUnusable
from forecourt.identify.registers.rdw import RdwRegister
from forecourt.identify.registers.register import Register
from forecourt.identify.registers.vegvesen import VegvesenRegister

pytestmark = pytest.mark.anyio

VEHICLES, FUELS = "m9d7-ebf2", "8ys7-d773"
CITIGO = {"country": "NL", "number": "11-ZKZ-3"}
BRIEF = Limits(max_bytes=100_000, seconds=0.2)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class HeldClock:
    """A clock that a test moves."""

    passed: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return datetime(2026, 3, 1, 12, tzinfo=UTC) + self.passed

    def monotonic(self) -> float:
        return self.passed.total_seconds()


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def samples(shared: Path) -> Mapping[str, Any]:
    text = (shared / "data" / "rdw_sample_responses.json").read_text("utf-8")
    return {name.removesuffix(".json"): rows for name, rows in json.loads(text).items()}


async def catalogue() -> Catalogue:
    return core_catalogue()


def lookup(country: str, register: Register, clock: HeldClock) -> PlateLookup:
    return PlateLookup({country: register}, catalogue=catalogue, clock=clock)


def dutch(server: RegisterServer, clock: HeldClock, **more: Any) -> PlateLookup:
    return lookup("NL", RdwRegister(server.fetch, base_url=server.url, clock=clock, **more), clock)


def values(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact["value"] for name, fact in answer["fields"].items()}


async def test_a_dutch_car_comes_with_its_fuel_and_power_from_the_second_data_set(
    samples: Mapping[str, Any], clock: HeldClock
) -> None:
    replies = {VEHICLES: answering(samples["11ZKZ3"]), FUELS: answering(samples["fuel_11ZKZ3"])}
    async with register_server(replies) as server:
        answer = await dutch(server, clock).lookup_plate(CITIGO)
    assert answer["plate"] == "11ZKZ3"
    assert answer["match"]["status"] == "matched"
    assert answer["candidates"][0]["label"].startswith("Škoda Citigo")
    assert (
        values(answer).items()
        >= {"fuel": "petrol", "power_kw": 44, "displacement_cc": 999, "seats": 4}.items()
    )
    assert "doors" not in answer["fields"], "the register's 0 means that it does not know"
    assert answer["source"] == {"name": "RDW", "retrieved_at": "2026-03-01T12:00:00Z", "licence": "CC0 1.0"}
    assert answer["register"]["first_registration"] == "2013-01-04"
    assert answer["register"]["vin_masked"] is None
    assert all(b"kenteken=11ZKZ3" in request for request in server.requests)


@pytest.mark.parametrize("name", ["11ZKZ3", "VXJ99N", "0001TJ"])
async def test_every_sample_of_the_register_is_read(
    samples: Mapping[str, Any], clock: HeldClock, name: str
) -> None:
    async with register_server({VEHICLES: answering(samples[name]), FUELS: answering([])}) as server:
        answer = await dutch(server, clock).lookup_plate({"country": "NL", "number": name})
    assert answer["match"]["status"] == "matched"
    assert answer["fields"]["make"]["raw"] == samples[name][0]["merk"]


FUEL_ROWS = [
    (["Elektriciteit"], None, "electric"),
    (["Benzine", "Elektriciteit"], "OVC-HEV", "plugin_hybrid"),
    (["Elektriciteit", "Benzine"], "NOVC-HEV", "hybrid"),
    (["Diesel", "Elektriciteit"], None, "hybrid"),
    (["Benzine", "LPG"], None, "lpg"),
    (["Diesel"], None, "diesel"),
]


@pytest.mark.parametrize(("names", "hybrid", "fuel"), FUEL_ROWS)
async def test_several_fuels_make_one_class(
    clock: HeldClock, names: list[str], hybrid: str | None, fuel: str
) -> None:
    more = {} if hybrid is None else {"klasse_hybride_elektrisch_voertuig": hybrid}
    rows = [{"brandstof_omschrijving": name, "nettomaximumvermogen": "72.00", **more} for name in names]
    vehicles = [{"voertuigsoort": "Personenauto", "merk": "TOYOTA", "handelsbenaming": "YARIS"}]
    async with register_server({VEHICLES: answering(vehicles), FUELS: answering(rows)}) as server:
        answer = await dutch(server, clock).lookup_plate(CITIGO)
    assert values(answer).items() >= {"fuel": fuel, "power_kw": 72}.items()


async def test_a_register_that_throttles_is_not_asked_again_before_its_time(
    samples: Mapping[str, Any], clock: HeldClock
) -> None:
    throttled = Reply(429, headers={"retry-after": "40"})
    async with register_server({VEHICLES: throttled, FUELS: answering([])}) as server:
        plates = dutch(server, clock)
        with pytest.raises(UpstreamUnavailable) as first:
            await plates.lookup_plate(CITIGO)
        asked = len(server.requests)
        clock.passed += timedelta(seconds=15)
        with pytest.raises(UpstreamUnavailable) as second:
            await plates.lookup_plate({"country": "NL", "number": "VXJ-99-N"})
        assert len(server.requests) == asked
        clock.passed += timedelta(seconds=25)
        server.replies[VEHICLES] = answering(samples["VXJ99N"])
        answer = await plates.lookup_plate({"country": "NL", "number": "VXJ-99-N"})
    assert (first.value.details, second.value.details) == ({"retry_after": 40}, {"retry_after": 25})
    assert values(answer)["make"] == "Opel"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(500),
        Reply(403),
        Reply(silent=True),
        Reply(body=b"<html>maintenance</html>"),
        Reply(body=b""),
        answering({"error": True}),
        answering(["no row"]),
        Reply(body=b"[]" + b" " * 200_000),
    ],
    ids=["500", "403", "slow", "html", "empty", "object", "texts", "large"],
)
async def test_whatever_goes_wrong_at_the_register_is_one_error_that_can_be_retried(
    clock: HeldClock, reply: Reply
) -> None:
    async with register_server({VEHICLES: reply, FUELS: answering([])}) as server:
        with pytest.raises(UpstreamUnavailable) as failed:
            await dutch(server, clock, limits=BRIEF).lookup_plate(CITIGO)
    assert failed.value.code == "upstream_unavailable"
    assert failed.value.retryable
    assert failed.value.details["retry_after"] >= 1


async def test_no_plate_stands_in_an_error_or_in_a_log(
    clock: HeldClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with register_server({VEHICLES: Reply(500), FUELS: Reply(500)}) as server:
        with pytest.raises(ForecourtError) as failed:
            await dutch(server, clock).lookup_plate(CITIGO)
    assert "register RDW gives no answer: status 500" in caplog.text
    assert "ZKZ" not in caplog.text + str(failed.value) + repr(failed.value.details)


async def test_strange_values_in_a_row_are_left_out(clock: HeldClock) -> None:
    row = {
        "voertuigsoort": "Personenauto", "merk": "SKODA", "handelsbenaming": "CITIGO",
        "aantal_deuren": "vijf", "datum_eerste_toelating": "20139999", "cilinderinhoud": None,
        "eerste_kleur": 7, "aantal_zitplaatsen": "1e999",
    }  # fmt: skip
    fuels = [{"brandstof_omschrijving": "Steenkool", "nettomaximumvermogen": "NaN"}]
    async with register_server({VEHICLES: answering([row]), FUELS: answering(fuels)}) as server:
        answer = await dutch(server, clock).lookup_plate(CITIGO)
    assert values(answer) == {"make": "Škoda", "model": "Citigo", "fuel": "other"}


async def test_hits_are_kept_for_a_day_and_misses_for_ten_minutes(
    samples: Mapping[str, Any], clock: HeldClock
) -> None:
    replies = {VEHICLES: answering([]), FUELS: answering([])}
    async with register_server(replies) as server:
        plates = dutch(server, clock)
        for _ in range(2):
            with pytest.raises(PlateNotFound):
                await plates.lookup_plate(CITIGO)
        assert len(server.requests) == 2
        clock.passed += timedelta(minutes=10)
        server.replies[VEHICLES] = answering(samples["11ZKZ3"])
        first = await plates.lookup_plate(CITIGO)
        clock.passed += timedelta(hours=23)
        assert await plates.lookup_plate(CITIGO) == first
        assert len(server.requests) == 4
        clock.passed += timedelta(hours=1)
        await plates.lookup_plate(CITIGO)
        assert len(server.requests) == 6


async def test_a_plate_of_the_wrong_form_reaches_no_register(clock: HeldClock) -> None:
    async with register_server({}) as server:
        with pytest.raises(InvalidPlate):
            await dutch(server, clock).lookup_plate({"country": "NL", "number": "ABCDEF"})
        assert server.requests == []


async def test_a_country_without_a_register_is_refused_with_those_that_have_one(clock: HeldClock) -> None:
    async with register_server({}) as server:
        with pytest.raises(PlateCountryNotSupported) as refused:
            await dutch(server, clock).lookup_plate({"country": "DE", "number": "B-AB 123"})
    assert refused.value.details == {"supported_plate_countries": ["NL"]}


async def test_two_vehicles_with_one_plate_are_both_candidates(clock: HeldClock) -> None:
    rows = [
        {
            "voertuigsoort": "Personenauto",
            "merk": "SKODA",
            "handelsbenaming": "CITIGO",
            "eerste_kleur": "WIT",
        },
        {"voertuigsoort": "Personenauto", "merk": "OPEL", "handelsbenaming": "CORSA", "eerste_kleur": "WIT"},
    ]
    async with register_server({VEHICLES: answering(rows), FUELS: answering([])}) as server:
        answer = await dutch(server, clock).lookup_plate(CITIGO)
    assert answer["match"]["status"] == "ambiguous"
    assert [one["label"] for one in answer["candidates"]] == ["Škoda Citigo I NF (2011–2020)", "Opel Corsa"]
    assert answer["catalogue"] is None
    assert values(answer) == {"colour": "white"}


async def test_a_motorcycle_is_no_car_of_the_catalogue(clock: HeldClock) -> None:
    row = {"voertuigsoort": "Motorfiets", "merk": "BMW", "handelsbenaming": "R 1200 GS"}
    async with register_server({VEHICLES: answering([row]), FUELS: answering([])}) as server:
        answer = await dutch(server, clock).lookup_plate(CITIGO)
    assert answer["match"]["status"] == "unmatched"
    assert [one["code"] for one in answer["warnings"]] == ["not_a_car"]


BRITISH = {
    "registrationNumber": "TE57VRN", "make": "FORD", "yearOfManufacture": 2012, "engineCapacity": 1798,
    "fuelType": "PETROL", "colour": "RED", "monthOfFirstRegistration": "2012-03", "taxStatus": "SORN",
    "motExpiryDate": "2026-09-14", "markedForExport": False,
}  # fmt: skip


async def test_the_british_register_tells_the_make_alone_and_asks_for_the_model(clock: HeldClock) -> None:
    async with register_server({"/vehicle-enquiry/v1/vehicles": answering(BRITISH)}) as server:
        register = DvlaRegister(server.fetch, key="secret", base_url=server.url, clock=clock)
        answer = await lookup("GB", register, clock).lookup_plate({"country": "GB", "number": "TE57 VRN"})
    assert answer["match"] == {"status": "unmatched", "confidence": 0.0, "level": "make", "method": "plate"}
    assert [one["code"] for one in answer["hints"]] == ["add_model"]
    assert values(answer).items() >= {"make": "Ford", "fuel": "petrol", "displacement_cc": 1798}.items()
    assert answer["register"]["status"] == "suspended"
    assert b"x-api-key: secret" in server.requests[0]
    assert json.loads(server.requests[0].partition(b"\r\n\r\n")[2]) == {"registrationNumber": "TE57VRN"}


@pytest.mark.parametrize("status", [400, 404])
async def test_a_plate_that_the_british_register_does_not_know_is_not_found(
    clock: HeldClock, status: int
) -> None:
    async with register_server({"/vehicle-enquiry": Reply(status, b'{"errors":[]}')}) as server:
        register = DvlaRegister(server.fetch, key="secret", base_url=server.url, clock=clock)
        with pytest.raises(PlateNotFound):
            await lookup("GB", register, clock).lookup_plate({"country": "GB", "number": "TE57VRN"})


NORWEGIAN = {
    "kjoretoyId": {"kjennemerke": "EL 12345", "understellsnummer": "WVWZZZAUZKW000000"},
    "forstegangsregistrering": {"registrertForstegangNorgeDato": "2017-05-20"},
    "registrering": {"registreringsstatus": {"kodeVerdi": "REGISTRERT"}},
    "periodiskKjoretoyKontroll": {"kontrollfrist": "2027-05-20"},
    "godkjenning": {
        "forstegangsGodkjenning": {"forstegangRegistrertDato": "2017-05-20"},
        "tekniskGodkjenning": {
            "tekniskeData": {
                "generelt": {"merke": [{"merke": "VOLKSWAGEN"}], "handelsbetegnelse": ["GOLF"]},
                "motorOgDrivverk": {
                    "girkassetype": {"kodeVerdi": "A"},
                    "hybridKategori": {"kodeVerdi": "LADBAR"},
                    "motor": [
                        {
                            "slagvolum": 1395,
                            "drivstoff": [
                                {"drivstoffKode": {"kodeNavn": "Bensin"}, "maksNettoEffekt": 110.0},
                                {"drivstoffKode": {"kodeNavn": "Elektrisk"}, "maksEffektPrTime": 75.0},
                            ],
                        }
                    ],
                },
                "karosseriOgLasteplan": {"antallDorer": [4], "rFarge": [{"kodeNavn": "Blå"}]},
            }
        },
    },
}


async def test_the_norwegian_register_tells_everything_and_the_vin_is_masked(clock: HeldClock) -> None:
    async with register_server({"EL12345": answering({"kjoretoydataListe": [NORWEGIAN]})}) as server:
        register = VegvesenRegister(server.fetch, key="secret", base_url=server.url, clock=clock)
        answer = await lookup("NO", register, clock).lookup_plate({"country": "NO", "number": "EL 12345"})
    wanted = {
        "model": "Golf",
        "fuel": "plugin_hybrid",
        "transmission": "automatic",
        "power_kw": 110,
        "doors": 4,
    }
    assert values(answer).items() >= wanted.items()
    assert answer["match"]["level"] == "generation"
    assert answer["register"]["vin_masked"] == "*************0000"
    assert "WVWZZZ" not in json.dumps(answer)
    assert b"svv-authorization: Apikey secret" in server.requests[0]


@pytest.mark.parametrize(
    "listed", [{"kjoretoydataListe": [{}]}, {"kjoretoydataListe": [{"godkjenning": []}]}]
)
async def test_an_empty_norwegian_entry_is_an_answer_without_facts(
    clock: HeldClock, listed: Mapping[str, Any]
) -> None:
    async with register_server({"EL12345": answering(listed)}) as server:
        register = VegvesenRegister(server.fetch, key="secret", base_url=server.url, clock=clock)
        answer = await lookup("NO", register, clock).lookup_plate({"country": "NO", "number": "EL12345"})
    assert answer["fields"] == {}
    assert answer["register"]["status"] == "unknown"


OWN = """country,plate,make,model,fuel,power_kw,first_registration,status
DE,B-AB 123,Volkswagen,Golf,petrol,110,2017-05,registered
DK,AB 12 345,Tesla,Model 3,electric,,2022-09-01,
DK,CD 12 345,,,,,,restricted
"""


async def test_a_register_of_ones_own_answers_for_any_country(tmp_path: Path, clock: HeldClock) -> None:
    file = tmp_path / "register.csv"
    file.write_text(OWN, "utf-8")
    plates = PlateLookup(read_registers(file), catalogue=catalogue, clock=clock)
    answer = await plates.lookup_plate({"country": "DE", "number": "bab123"})
    assert plates.countries == ("DE", "DK")
    assert answer["candidates"][0]["label"].startswith("Volkswagen Golf VII")
    assert answer["register"]["first_registration"] == "2017-05"
    with pytest.raises(PlateRestricted):
        await plates.lookup_plate({"country": "DK", "number": "CD12345"})
    with pytest.raises(PlateNotFound):
        await plates.lookup_plate({"country": "DK", "number": "CD12346"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("country,plate,keeper\nDE,B-AB 123,Somebody\n", "columns"),
        ("plate\nB-AB 123\n", "columns"),
        ("country,plate\nDE,nonsense\n", "Line 2"),
        ("country,plate\nXX,B-AB 123\n", "Line 2"),
        ("country,plate,status\nDE,B-AB 123,sold\n", "Line 2"),
    ],
)
async def test_a_file_that_is_no_register_is_refused_with_the_line_and_without_the_plate(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "register.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(RegisterFileUnusable) as refused:
        read_registers(file)
    assert reason in refused.value.message
    assert "nonsense" not in refused.value.message


async def test_a_register_is_connected_for_each_key_that_the_operator_gives(tmp_path: Path) -> None:
    file = tmp_path / "register.csv"
    file.write_text(OWN, "utf-8")
    async with register_server({}) as server:
        free = connect_registers(server.fetch, Access())
        keyed = connect_registers(
            server.fetch, Access(rdw=False, dvla_key="a", vegvesen_key="b", own_file=file)
        )
    assert {country: register.source.name for country, register in free.items()} == {"NL": "RDW"}
    assert {country: register.source.name for country, register in keyed.items()} == {
        "GB": "DVLA", "NO": "Statens vegvesen", "DE": "own register", "DK": "own register",
    }  # fmt: skip


MAGIC = {
    "GB": "TE20AAA TE30MUL TE40NFD TE45RST TE42THR TE53MNT",
    "NL": "TE200T TE300T TE404T TE451T TE429T TE503T",
    "DK": "TE00200 TE00300 TE00404 TE00451 TE00429 TE00503",
    "NO": "TE00200 TE00300 TE00404 TE00451 TE00429 TE00503",
    "SE": "TES200 TES300 TES404 TES451 TES429 TES503",
    "FI": "TES200 TES300 TES404 TES451 TES429 TES503",
}


@pytest.mark.parametrize("country", MAGIC)
async def test_the_plates_of_test_mode_have_the_form_of_their_country(country: str) -> None:
    assert all(read_plate(country, number).kind == "series" for number in MAGIC[country].split())
