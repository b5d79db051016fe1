"""Who knows VINs, type keys and plates in the tests of both faces."""

from collections.abc import Mapping
from pathlib import Path

from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.catalogue.importing import read_entries
from forecourt.catalogue.store import load_catalogue, save_entries
from forecourt.identify.registers.register import Register
from forecourt.operations.identity import Identity
from forecourt.operations.with_decoders import with_decoders
from forecourt.operations.without_catalogue import WITHOUT_CATALOGUE
from forecourt.storage.database import Database

GOLF_VIN = "WVWZZZAUZH8000189"
TWO_GEARBOXES = """\
make,model,generation,fuel,transmission,drive,power_kw,displacement_cc,from,to,hsn_tsn
Volkswagen,Golf,VII,petrol,manual,fwd,110,1498,2017,2020,0603/BJM
Volkswagen,Golf,VII,petrol,automatic,fwd,110,1498,2017,2020,0603/BJM
"""


def add_drivetrains(database: Database, folder: Path) -> None:
    """Add two drivetrains with one type key, as `forecourt catalogue import` does."""
    file = folder / "drivetrains.csv"
    file.write_text(TWO_GEARBOXES)
    entries = list(read_entries(file, database.read_sync(load_catalogue)).entries.values())
    database.write_sync(
        lambda connection: save_entries(connection, entries, source="test", now=SYSTEM_CLOCK.now())
    )


def knowing(database: Database, registers: Mapping[str, Register] | None = None) -> Identity:
    """Return who knows the numbers of cars on a database."""
    return with_decoders(
        WITHOUT_CATALOGUE, database, catalogue=CurrentCatalogue(database), registers=registers or {}
    )
