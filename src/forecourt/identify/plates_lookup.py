"""`lookup_plate` in the shape of the contract (4.16): the car of a plate, as a register knows it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from forecourt.base.clock import SYSTEM_CLOCK, Clock, isoformat
from forecourt.catalogue.catalogue import Catalogue
from forecourt.contract.errors import PlateCountryNotSupported, PlateNotFound
from forecourt.identify.candidates import Candidate, is_settled, match_of
from forecourt.identify.plates import Plate, read_plate
from forecourt.identify.plates_cache import PlateCache, Remembered
from forecourt.identify.registers.register import Register, RegisteredVehicle, RegisterEntry, Source
from forecourt.identify.text import Fact, Identification, identify

_MOST_CANDIDATES: Final = 5
_NARROWING: Final = ("make", "model")
_NOTHING_AGREED: Final = RegisterEntry()


class PlateLookup:
    """Looks plates up in the registers that are connected; `catalogue` hands out the current catalogue."""

    def __init__(
        self,
        registers: Mapping[str, Register],
        *,
        catalogue: Callable[[], Awaitable[Catalogue]],
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._registers = registers
        self._catalogue = catalogue
        self._cache = PlateCache(clock=clock)

    @property
    def countries(self) -> tuple[str, ...]:
        """The countries whose plates can be looked up, sorted."""
        return tuple(sorted(self._registers))

    async def lookup_plate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer `lookup_plate` for `country` and `number`.

        Raises `PlateCountryNotSupported`, `InvalidPlate` before any register is asked, `PlateNotFound`,
        `PlateRestricted` and `UpstreamUnavailable`.
        """
        country = arguments["country"]
        register = self._registers.get(country)
        if register is None:
            raise PlateCountryNotSupported(
                "No register is connected for this country; use the VIN, or HSN and TSN in Germany.",
                details={"supported_plate_countries": list(self.countries)},
            )
        plate = read_plate(country, arguments["number"])
        said = self._cache.get(country, plate.number) or self._cache.put(
            country, plate.number, await register.find(plate.number)
        )
        if not said.vehicles:
            raise PlateNotFound("The register has no such plate.")
        return _answer(await self._catalogue(), plate, said, register.source)


def _answer(catalogue: Catalogue, plate: Plate, said: Remembered, source: Source) -> dict[str, Any]:
    found = [_identified(catalogue, one, plate.country) for one in said.vehicles]
    candidates = _candidates(found)
    facts = _agreed([_facts(one, car) for one, car in zip(said.vehicles, found, strict=True)])
    return {
        "object": "plate_lookup",
        "country": plate.country,
        "plate": plate.number,
        "source": {
            "name": source.name,
            "retrieved_at": isoformat(said.retrieved_at.replace(microsecond=0)),
            "licence": source.licence,
        },
        "register": _entry([one.entry for one in said.vehicles]).as_json(),
        "fields": {name: fact.as_json() for name, fact in facts.items()},
        "match": match_of(candidates, method="plate"),
        "catalogue": candidates[0].line.ids() or None if candidates and is_settled(candidates) else None,
        "candidates": [one.as_json() for one in candidates if one.line.model is not None],
        "warnings": _warnings(plate, said.vehicles),
        "hints": _hints(candidates, facts),
        "attribution_text": source.attribution,
    }


def _identified(catalogue: Catalogue, vehicle: RegisteredVehicle, country: str) -> Identification:
    """Find a register's car in the catalogue; what is no car has no place there."""
    if not vehicle.is_car:
        return Identification(None, 0.0)
    told = {name: fact.value for name, fact in vehicle.facts.items()}
    return identify(catalogue, "", vehicle=told, country=country)


def _candidates(found: Sequence[Identification]) -> list[Candidate]:
    """Return the cars that can be meant; of several vehicles with one plate each one's best."""
    if len(found) == 1 and found[0].candidates:
        return [Candidate(*one) for one in found[0].candidates[:_MOST_CANDIDATES]]
    return [Candidate(one.line, one.confidence / len(found)) for one in found if one.line is not None]


def _facts(vehicle: RegisteredVehicle, found: Identification) -> dict[str, Fact]:
    """Return what the register says under the catalogue's names, and what its words say beside."""
    read = {name: replace(fact, source="register") for name, fact in found.facts.items()}
    facts = {**read, **vehicle.facts}
    for name in _NARROWING:
        if name in read and name in vehicle.facts:
            facts[name] = replace(read[name], raw=vehicle.facts[name].raw)
    return facts


def _agreed(several: Sequence[Mapping[str, Fact]]) -> dict[str, Fact]:
    """Return the facts on which all vehicles agree."""
    first, *others = several
    return {
        name: fact
        for name, fact in first.items()
        if all(name in other and other[name].value == fact.value for other in others)
    }


def _entry(entries: Sequence[RegisterEntry]) -> RegisterEntry:
    """Return the entry of one vehicle; of several, what is the same in all."""
    first, *others = (asdict(entry) for entry in entries)
    same = {name: value for name, value in first.items() if all(one[name] == value for one in others)}
    return replace(_NOTHING_AGREED, **same)


def _warnings(plate: Plate, vehicles: Iterable[RegisteredVehicle]) -> list[dict[str, str]]:
    found = []
    if not plate.as_written:
        found.append(_remark("plate_separators", "Separators stood where the country puts none."))
    if not all(vehicle.is_car for vehicle in vehicles):
        found.append(_remark("not_a_car", "The register calls it something other than a car or van."))
    return found


def _hints(candidates: Sequence[Candidate], facts: Mapping[str, Fact]) -> list[dict[str, str]]:
    if "model" not in facts:
        return [_remark("add_model", "The register does not say the model: add it.")]
    if len(candidates) > 1 and not is_settled(candidates):
        return [_remark("confirm_candidate", "Choose one of the candidates.")]
    if candidates and is_settled(candidates) and candidates[0].line.drivetrain is None:
        return [_remark("add_drivetrain", "Choose a drivetrain with search_vehicles.")]
    return []


def _remark(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}
