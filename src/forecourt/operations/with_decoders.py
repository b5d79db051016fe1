"""What is said of VINs, German type keys and plates: by tables, by the list of keys, by registers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.identify.hsn_tsn_lookup import TypeKeyLookup
from forecourt.identify.plates_lookup import PlateLookup
from forecourt.identify.registers.register import Register
from forecourt.identify.vin_answer import decode_vin
from forecourt.operations.identity import Identity, Lookup
from forecourt.storage.database import Database


def with_decoders(
    known: Identity,
    database: Database,
    *,
    catalogue: CurrentCatalogue,
    registers: Mapping[str, Register],
    clock: Clock = SYSTEM_CLOCK,
) -> Identity:
    """Return who knows what `known` knows, and VINs, type keys and the plates of `registers` by country."""
    keys = TypeKeyLookup(database, catalogue=catalogue.current)
    plates = PlateLookup(registers, catalogue=catalogue.current, clock=clock)
    return replace(
        known,
        decode_vin=_vin_decoder(catalogue, clock),
        decode_hsn_tsn=keys.decode_hsn_tsn,
        lookup_plate=plates.lookup_plate,
        plate_countries=plates.countries,
    )


def _vin_decoder(catalogue: CurrentCatalogue, clock: Clock) -> Lookup:
    async def decode(arguments: Mapping[str, Any]) -> dict[str, Any]:
        return decode_vin(await catalogue.current(), arguments, this_year=clock.now().year)

    return decode
