"""Which registers a deployment asks: those that need no key, and those whose key the operator gave."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.fetch.client import Fetch
from forecourt.identify.registers.csv_register import read_registers
from forecourt.identify.registers.dvla import DvlaRegister
from forecourt.identify.registers.rdw import RdwRegister
from forecourt.identify.registers.register import Register
from forecourt.identify.registers.vegvesen import VegvesenRegister
from forecourt.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What the operator gives; a register of one's own goes before the public one of its country."""

    rdw: bool = True
    rdw_app_token: str = field(default="", repr=False)
    dvla_key: str = field(default="", repr=False)
    vegvesen_key: str = field(default="", repr=False)
    own_file: Path | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Read the settings `register_…`."""
        return cls(
            rdw=settings.register_rdw,
            rdw_app_token=settings.register_rdw_app_token,
            dvla_key=settings.register_dvla_key,
            vegvesen_key=settings.register_vegvesen_key,
            own_file=settings.register_file,
        )


def connect_registers(fetch: Fetch, access: Access, *, clock: Clock = SYSTEM_CLOCK) -> dict[str, Register]:
    """Return the registers that can be asked, by country; raises `RegisterFileUnusable`."""
    registers: dict[str, Register] = {}
    if access.rdw:
        registers["NL"] = RdwRegister(fetch, app_token=access.rdw_app_token, clock=clock)
    if access.dvla_key:
        registers["GB"] = DvlaRegister(fetch, key=access.dvla_key, clock=clock)
    if access.vegvesen_key:
        registers["NO"] = VegvesenRegister(fetch, key=access.vegvesen_key, clock=clock)
    if access.own_file is not None:
        registers.update(read_registers(access.own_file))
    return registers
