"""The operations on vehicles and the catalogue: whoever knows cars answers, in the shape of the contract."""

from forecourt.operations.call import Arguments, CallContext, Outcome
from forecourt.operations.identity import Identity


async def normalize_vehicle(context: CallContext, arguments: Arguments) -> Outcome:
    """Read a car from free text or loose attributes."""
    return Outcome(await _identity(context).normalize_vehicle(arguments))


async def decode_vin(context: CallContext, arguments: Arguments) -> Outcome:
    """Say what a VIN tells of its car."""
    return Outcome(await _identity(context).decode_vin(arguments))


async def decode_hsn_tsn(context: CallContext, arguments: Arguments) -> Outcome:
    """Say which cars a German type key stands for."""
    return Outcome(await _identity(context).decode_hsn_tsn(arguments))


async def lookup_plate(context: CallContext, arguments: Arguments) -> Outcome:
    """Ask a register for the car of a plate."""
    return Outcome(await _identity(context).lookup_plate(arguments))


async def search_vehicles(context: CallContext, arguments: Arguments) -> Outcome:
    """Walk the catalogue."""
    return Outcome(await _identity(context).search_vehicles(arguments))


async def catalogue_item(context: CallContext, arguments: Arguments) -> Outcome:
    """Return one entry of the catalogue."""
    return Outcome(await _identity(context).catalogue_item(arguments))


def _identity(context: CallContext) -> Identity:
    return context.services.identity_for(context.principal.mode)
