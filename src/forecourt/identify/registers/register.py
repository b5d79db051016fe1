"""What every register is: a source with a licence that finds the vehicles of a plate."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, Protocol

from forecourt.identify.text import Fact

Status = Literal["registered", "exported", "scrapped", "suspended", "unknown"]

STATED: Final = 0.99
DERIVED: Final = 0.9
_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class Source:
    """Who says it, under which licence, and the words that must stand with the answer."""

    name: str
    licence: str | None
    attribution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEntry:
    """What a register keeps of one car beyond its kind; dates are YYYY-MM-DD or YYYY-MM."""

    first_registration: str | None = None
    first_registration_country: str | None = None
    status: Status = "unknown"
    vin: str | None = field(default=None, repr=False)
    type_approval: str | None = None
    variant: str | None = None
    version: str | None = None
    inspection_due: str | None = None
    colour: str | None = None
    catalogue_price_new: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the shape of the contract (4.16): a VIN shows its last four characters only."""
        entry = asdict(self)
        vin = entry.pop("vin")
        return {**entry, "vin_masked": vin and "*" * (len(vin) - _SHOWN) + vin[-_SHOWN:]}


@dataclass(frozen=True, slots=True)
class RegisteredVehicle:
    """A vehicle that carries a plate: the entry, and facts by the names of `vehicle` (make, fuel …)."""

    entry: RegisterEntry
    facts: Mapping[str, Fact]
    is_car: bool = True


class Register(Protocol):
    """Somebody who knows the plates of one country."""

    @property
    def source(self) -> Source:
        """Who it is."""
        ...

    async def find(self, number: str) -> tuple[RegisteredVehicle, ...]:
        """Return the vehicles of a plate that is written without separators; none for an unknown plate.

        Raises `UpstreamUnavailable` and, where the register keeps a vehicle to itself, `PlateRestricted`.
        """
        ...


def stated(value: Any, raw: Any = None) -> Fact | None:
    """Return a fact as the register says it; None for no value."""
    return None if value is None else Fact(value, STATED, "register", None if raw is None else str(raw))


def known(facts: Mapping[str, Fact | None]) -> dict[str, Fact]:
    """Leave out what is not known."""
    return {name: fact for name, fact in facts.items() if fact is not None}
