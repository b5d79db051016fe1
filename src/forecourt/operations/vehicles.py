"""The operations on vehicles and the catalogue: whoever knows cars answers, in the shape of the contract."""

from functools import partial

import forecourt.credits.store as credits_store
from forecourt.base.ids import new_id
from forecourt.credits.ledger import Spending
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
    """Ask a register for the car of a plate; in live mode one that is found may cost credits."""
    spending = _spending(context)
    if spending is None:
        return Outcome(await _identity(context).lookup_plate(arguments))
    database, clock = context.services.database, context.services.clock
    await database.write(partial(credits_store.reserve, spending=spending, now=clock.now()))
    try:
        body = await _identity(context).lookup_plate(arguments)
    except Exception:
        await database.write(partial(credits_store.release, spending=spending, now=clock.now()))
        raise
    await database.write(partial(credits_store.capture, spending=spending, now=clock.now()))
    return Outcome(body)


async def search_vehicles(context: CallContext, arguments: Arguments) -> Outcome:
    """Walk the catalogue."""
    return Outcome(await _identity(context).search_vehicles(arguments))


async def catalogue_item(context: CallContext, arguments: Arguments) -> Outcome:
    """Return one entry of the catalogue."""
    return Outcome(await _identity(context).catalogue_item(arguments))


def _spending(context: CallContext) -> Spending | None:
    """Return what a plate costs; test mode asks no register and pays for none."""
    principal, cost = context.principal, context.services.plate_lookup_cost
    if principal.mode == "test" or cost == 0:
        return None
    return Spending(
        organization_id=principal.organization_id,
        valuation_id=new_id("plate"),
        key_id=principal.credential.id,
        request_id=context.request_id,
        amount=cost,
        monthly_cap=principal.credential.monthly_cap,
    )


def _identity(context: CallContext) -> Identity:
    return context.services.identity_for(context.principal.mode)
