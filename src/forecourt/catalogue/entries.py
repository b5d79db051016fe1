"""The four kinds of entry: make, model, generation, drivetrain.

Ids are opaque and never change: `mk_ md_ gn_ dt_` and ten letters or digits. Those of the core stand in its
data files; those of imported and learned entries follow from what the entry is (`id_of`), so that the same
file gives the same ids in every database.
"""

import hashlib
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["make", "model", "generation", "drivetrain"]
PREFIXES: Final[dict[str, Kind]] = {"mk": "make", "md": "model", "gn": "generation", "dt": "drivetrain"}
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH: Final = 10
_HP_PER_KW: Final = 1.359622


@dataclass(frozen=True, slots=True)
class Years:
    """First and last year of production, both included; None where it is not known or not over."""

    first: int | None = None
    last: int | None = None

    def near(self, year: int, *, slack: int = 1) -> bool:
        """Say whether a car first registered in a year can be from these years, `slack` years around."""
        first, last = self.first or 0, self.last or 9999
        return first - slack <= year <= last + slack

    def holds(self, year: int) -> bool:
        """Say whether a year lies in the window itself."""
        return self.near(year, slack=0)

    def as_json(self) -> dict[str, int | None]:
        """Return the shape of the contract."""
        return {"from": self.first, "to": self.last}


@dataclass(frozen=True, slots=True)
class Make:
    """A brand of cars. `kba_makers` are beginnings of the maker's names in the German list of type keys."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    kba_makers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """A model line of a make. The marks in `aliases` are explained in `catalogue/names.py`."""

    id: str
    make_id: str
    name: str
    years: Years = Years()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One generation of a model; `code` is the maker's type code, `source` where the facts are from."""

    id: str
    model_id: str
    name: str
    code: str | None = None
    years: Years = Years()
    body_types: tuple[str, ...] = ()
    facelift_of: str | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drivetrain:
    """An engine, gearbox and driven wheels in one generation; None for what is not known.

    `adverts` counts the listings that it was learned from; 0 for one that came with the catalogue.
    """

    id: str
    generation_id: str
    fuel: str | None = None
    transmission: str | None = None
    transmission_detail: str | None = None
    drive: str | None = None
    power_kw: int | None = None
    displacement_cc: int | None = None
    battery_kwh: float | None = None
    years: Years = Years()
    hsn_tsn: tuple[str, ...] = ()
    adverts: int = 0

    @property
    def power_hp(self) -> int | None:
        """Metric horsepower."""
        return None if self.power_kw is None else metric_horsepower(self.power_kw)


Entry = Make | Model | Generation | Drivetrain


def metric_horsepower(power_kw: int) -> int:
    """Return kilowatts as metric horsepower, rounded half up."""
    return int(power_kw * _HP_PER_KW + 0.5)


def kilowatts(power_hp: float) -> int:
    """Return metric horsepower as kilowatts, rounded half up."""
    return int(power_hp / _HP_PER_KW + 0.5)


def kind_of(entry_id: str) -> Kind | None:
    """Return what kind of entry an id names; None when it is no id of the catalogue."""
    return PREFIXES.get(entry_id.partition("_")[0])


def id_of(prefix: str, *what: str) -> str:
    """Return the id of an entry that is not in the core, from its parent's id and what sets it apart."""
    number = int.from_bytes(hashlib.sha256("\x1f".join(what).encode()).digest()[:8])
    return f"{prefix}_" + "".join(_LETTERS[number >> 5 * place & 31] for place in range(_LENGTH))
