"""The operations on the account, and what the service says of itself to everybody."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

import forecourt.credits.store as credits_store
from forecourt.accounts.access import ALL_SCOPES, Credential, Mode, Principal
from forecourt.base.clock import isoformat
from forecourt.contract.cursors import not_ours, read_cursor, write_cursor
from forecourt.contract.markets import MARKETS
from forecourt.credits.ledger import Balance, LedgerEntry
from forecourt.operations.call import Arguments, CallContext, Outcome
from forecourt.operations.services import Services
from forecourt.operations.valuations import CREDITS_PER_VALUATION
from forecourt.valuation import store

_PAGE: Final = 20


async def get_account(context: CallContext, arguments: Arguments) -> Outcome:
    """Return who calls, what they may do and what they have left."""
    del arguments
    principal, now = context.principal, context.services.clock.now()
    balance, usage = await context.services.database.read(
        lambda connection: (
            credits_store.balance(connection, principal.organization_id, now=now),
            _usage(connection, principal, now),
        )
    )
    return Outcome(
        {
            "object": "account",
            "organization": {"id": principal.organization_id, "name": principal.organization_name},
            "key": _key(principal.credential, principal.mode),
            "scopes": [scope for scope in ALL_SCOPES if scope in principal.scopes],
            "credits_remaining": balance.available,
            "credits": _credits(balance),
            "cost": {"valuation": CREDITS_PER_VALUATION, "lookup_plate": context.services.plate_lookup_cost},
            "limits": dict(context.services.limits.figures(principal.mode)),
            "countries": _countries(context.services, principal.countries, mode=principal.mode),
            "usage_this_month": usage,
        }
    )


async def list_ledger(context: CallContext, arguments: Arguments) -> Outcome:
    """Return a page of the organisation's ledger, newest first."""
    limit = int(arguments.get("limit", _PAGE))
    before = _number(read_cursor(arguments.get("cursor")))
    lines = await context.services.database.read(
        lambda connection: credits_store.entries(
            connection, context.principal.organization_id, before=before, limit=limit + 1
        )
    )
    more = len(lines) > limit
    return Outcome(
        {
            "object": "list",
            "items": [_line(line) for line in lines[:limit]],
            "total": None,
            "truncated": more,
            "next_cursor": write_cursor(str(lines[limit - 1].number)) if more else None,
        }
    )


async def list_countries(context: CallContext, arguments: Arguments) -> Outcome:
    """Return the markets of the service and what each has in live mode."""
    del arguments
    return Outcome({"object": "list", "items": _countries(context.services, MARKETS, mode="live")})


async def accuracy(context: CallContext, arguments: Arguments) -> Outcome:
    """Return how accurate each model is on adverts that it has not seen; nothing until one is trained."""
    del context, arguments
    return Outcome({"object": "accuracy", "items": []})


def _key(credential: Credential, mode: Mode) -> dict[str, Any]:
    expires_at = credential.expires_at
    return {
        "id": credential.id,
        "type": credential.type,
        "name": credential.name,
        "mode": mode,
        "prefix": credential.prefix,
        "last4": credential.last4,
        "expires_at": isoformat(expires_at) if expires_at else None,
    }


def _credits(balance: Balance) -> dict[str, Any]:
    expiry = balance.next_expiry
    return {
        "available": balance.available,
        "reserved": balance.reserved,
        "next_expiry": {"at": expiry[0].isoformat(), "amount": expiry[1]} if expiry else None,
        "low_balance": balance.low,
    }


def _countries(services: Services, codes: Iterable[str], *, mode: Mode) -> list[dict[str, Any]]:
    """Describe markets in the order of the service."""
    valuer = services.live if mode == "live" else services.simulated
    wanted = set(codes)
    return [
        {
            "code": market.code,
            "currency": market.currency,
            "price_bases": list(valuer.price_bases(market.code)) if valuer else [],
            "plate_lookup": market.code in services.identity_for(mode).plate_countries,
            "hsn_tsn": market.code == "DE",
        }
        for market in MARKETS.values()
        if market.code in wanted
    ]


def _usage(connection: Connection, principal: Principal, now: datetime) -> dict[str, int]:
    since = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return store.usage(connection, principal.organization_id, mode=principal.mode, since=since)


def _line(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "object": "ledger_entry",
        "number": entry.number,
        "type": entry.type,
        "amount": entry.amount,
        "balance_after": entry.balance_after,
        "created_at": isoformat(entry.created_at),
        "valuation_id": entry.valuation_id,
        "key_id": entry.key_id,
        "request_id": entry.request_id,
        "reference": entry.reference,
    }


def _number(position: str | None) -> int | None:
    if position is None:
        return None
    if not position.isdigit() or len(position) > 18:
        raise not_ours()
    return int(position)
