"""The operations on valuations: value a car, read, list and erase what was valued.

Valuing is two transactions with the engine between them (`guard.idempotency` says why in this order): the
first claims the key and passes the gates, the second keeps the verdict and settles the credit.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

import forecourt.credits.store as credits_store
import forecourt.guard.store as guard_store
from forecourt.base.clock import isoformat
from forecourt.base.errors import ForecourtError
from forecourt.base.ids import new_id
from forecourt.contract.cursors import read_cursor, write_cursor
from forecourt.contract.errors import (
    CountryNotEnabled,
    CountryNotSupported,
    PriceBasisNotSupported,
    ServiceUnavailable,
    ValuationNotFound,
)
from forecourt.contract.markets import MARKETS
from forecourt.contract.validation import invalid_member
from forecourt.credits.ledger import Spending
from forecourt.guard.idempotency import ClaimedKey, fingerprint
from forecourt.operations.call import Arguments, CallContext, Outcome
from forecourt.operations.services import Services
from forecourt.valuation import store
from forecourt.valuation.engine import Estimate, Failure, Remark, Valuer, Verdict
from forecourt.valuation.envelope import (
    NOT_KNOWN_YET,
    Envelope,
    Occasion,
    envelope,
    http_status,
    replayed,
    with_balance,
)
from forecourt.valuation.request import ValuationRequest, read_request, with_defaults
from forecourt.valuation.vehicle import identity_digest

CREDITS_PER_VALUATION: Final = 1
ENGINE_TIMEOUT_S: Final = 20
COMES_LATER_S: Final = 30
"""When to ask again for a country that has no model yet."""

_SAME_CAR_WITHIN: Final = timedelta(hours=24)
_PAGE: Final = 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """A request on its way: what it costs, under which key, and who answers it."""

    context: CallContext
    request: ValuationRequest
    claimed: ClaimedKey
    valuer: Valuer | None
    created_at: datetime

    @property
    def spending(self) -> Spending | None:
        """What is put aside for it; test mode costs nothing."""
        if self.request.mode == "test":
            return None
        principal = self.context.principal
        return Spending(
            organization_id=principal.organization_id,
            valuation_id=self.request.valuation_id,
            key_id=principal.credential.id,
            request_id=self.context.request_id,
            amount=CREDITS_PER_VALUATION,
            monthly_cap=principal.credential.monthly_cap,
        )


@dataclass(frozen=True, slots=True)
class _Accepted:
    """The order may run; the car was valued before under `same_car_id`."""

    valuer: Valuer
    same_car_id: str | None


async def valuate_car(context: CallContext, arguments: Arguments) -> Outcome:
    """Value a car, or give the answer that its key has already."""
    order = _order(context, arguments)
    accepted = await context.services.database.write(partial(_accept, order=order))
    if isinstance(accepted, _Accepted):
        # Whoever hangs up does not end what was accepted: the key waits for its verdict.
        return _outcome(await asyncio.shield(_run(order, accepted)))
    return _outcome(accepted)


async def get_valuation(context: CallContext, arguments: Arguments) -> Outcome:
    """Return a valuation by its id, or by the key of the call whose answer was lost."""
    body = (
        await context.services.database.write(
            partial(_by_key, context=context, key=arguments["idempotency_key"])
        )
        if "idempotency_key" in arguments
        else await context.services.database.read(
            partial(_by_id, context=context, valuation_id=arguments["valuation_id"])
        )
    )
    return Outcome(body, is_error=body["status"] != "completed")


async def list_valuations(context: CallContext, arguments: Arguments) -> Outcome:
    """Return a page of the organisation's valuations of this mode, newest first."""
    limit = int(arguments.get("limit", _PAGE))
    wanted = store.Wanted(
        organization_id=context.principal.organization_id,
        mode=context.principal.mode,
        status=arguments.get("status"),
        country=arguments.get("country"),
        external_reference=arguments.get("external_reference"),
        created_after=_moment(arguments.get("created_after")),
        before=read_cursor(arguments.get("cursor")),
        limit=limit + 1,
    )
    found, remaining = await context.services.database.read(
        lambda connection: (store.page(connection, wanted), _remaining(connection, context))
    )
    more = len(found) > limit
    return Outcome(
        {
            "object": "list",
            "items": [with_balance(stored.envelope, remaining) for stored in found[:limit]],
            "total": None,
            "truncated": more,
            "next_cursor": write_cursor(found[limit - 1].id) if more else None,
        }
    )


async def delete_valuation(context: CallContext, arguments: Arguments) -> Outcome:
    """Blank the car of a valuation; what it cost stays in the ledger."""
    principal = context.principal
    await context.services.database.write(
        lambda connection: store.erase_vehicle(
            connection,
            arguments["valuation_id"],
            organization_id=principal.organization_id,
            mode=principal.mode,
        )
    )
    return Outcome(None, 204)


def close_abandoned(connection: Connection, *, services: Services, limit: int) -> int:
    """Close valuations whose process died as failed, give their credits back, and return how many.

    A call that meets such a key closes its valuation itself; this is for those that nobody asks for again.
    """
    now = services.clock.now()
    dead = guard_store.abandoned(connection, now=now, limit=limit)
    for claim in dead:
        _close(connection, claim.claimed, claim.valuation_id, now=now)
    return len(dead)


def _order(context: CallContext, arguments: Arguments) -> _Order:
    principal = context.principal
    request = read_request(
        arguments,
        valuation_id=new_id("val" if principal.mode == "live" else "val_test"),
        organization_id=principal.organization_id,
        mode=principal.mode,
    )
    claimed = ClaimedKey(
        principal.organization_id,
        principal.mode,
        request.idempotency_key,
        fingerprint(with_defaults(arguments)),
    )
    services = context.services
    return _Order(
        context=context,
        request=request,
        claimed=claimed,
        valuer=services.live if principal.mode == "live" else services.simulated,
        created_at=services.clock.now(),
    )


def _accept(connection: Connection, *, order: _Order) -> _Accepted | Envelope:
    """Pass every gate, or return the envelope that the key has already."""
    now, request = order.created_at, order.request
    known_id = guard_store.claim(connection, order.claimed, valuation_id=request.valuation_id, now=now)
    if known_id is not None:
        stored = _finished(connection, order.claimed, known_id, now=now)
        return with_balance(replayed(stored.envelope), _remaining(connection, order.context))
    valuer = _open_market(order)
    remaining = _reserve(connection, order)
    order.context.services.limits.enter(
        connection,
        request.organization_id,
        key_id=order.context.principal.credential.id,
        mode=request.mode,
        valuation_id=request.valuation_id,
        now=now,
    )
    digest = identity_digest(request, order.context.services.secret)
    same_car_id = _valued_lately(connection, digest, order)
    _keep(connection, order, valuer, digest=digest, remaining=remaining)
    return _Accepted(valuer, same_car_id)


def _open_market(order: _Order) -> Valuer:
    """Return who values cars of the request's country on its basis; raises when nobody does."""
    country, basis = order.request.country, order.request.price_basis
    if country not in MARKETS:
        raise CountryNotSupported(
            "The service has no such market.", details={"supported_countries": list(MARKETS)}
        )
    if country not in order.context.principal.countries:
        raise CountryNotEnabled("This country is not enabled for the organisation.")
    bases = order.valuer.price_bases(country) if order.valuer else ()
    if order.valuer is None or not bases:
        raise ServiceUnavailable(
            "Live valuations of this country are not available yet. A test key gives simulated ones.",
            details={"retry_after": COMES_LATER_S},
        )
    if basis not in bases:
        raise PriceBasisNotSupported(
            "This price basis is not known in the country.", details={"supported_price_bases": list(bases)}
        )
    return order.valuer


def _reserve(connection: Connection, order: _Order) -> int:
    if order.spending is None:
        return _remaining(connection, order.context)
    return credits_store.reserve(connection, order.spending, now=order.created_at)


def _valued_lately(connection: Connection, digest: str, order: _Order) -> str | None:
    """Look for the same car in live mode; simulated answers say the same whenever they are asked."""
    request = order.request
    if request.mode == "test":
        return None
    return store.same_car_lately(
        connection,
        digest,
        organization_id=request.organization_id,
        mode=request.mode,
        since=order.created_at - _SAME_CAR_WITHIN,
    )


def _keep(connection: Connection, order: _Order, valuer: Valuer, *, digest: str, remaining: int) -> None:
    request, context = order.request, order.context
    occasion = _occasion(order, valuer, charged=0, remaining=remaining, verdict=NOT_KNOWN_YET)
    store.add(
        connection,
        store.Accepted(
            id=request.valuation_id,
            organization_id=request.organization_id,
            mode=request.mode,
            country=request.country,
            external_reference=request.external_reference,
            identity_digest=digest,
            key_id=context.principal.credential.id,
            request_id=context.request_id,
            credits_reserved=order.spending.amount if order.spending else 0,
            created_at=order.created_at,
            envelope=envelope(request, NOT_KNOWN_YET, occasion),
        ),
    )


async def _run(order: _Order, accepted: _Accepted) -> Envelope:
    """Value the accepted car and keep the verdict; raises when the engine cannot take it now."""
    database = order.context.services.database
    try:
        verdict = await _verdict(order, accepted.valuer)
    except ForecourtError:
        await database.write(partial(_withdraw, order=order))
        raise
    return await database.write(partial(_settle, order=order, accepted=accepted, verdict=verdict))


async def _verdict(order: _Order, valuer: Valuer) -> Verdict:
    try:
        async with asyncio.timeout(ENGINE_TIMEOUT_S):
            return await valuer.value(order.request)
    except TimeoutError:
        return Failure("engine_timeout", "The engine took too long.")
    except ForecourtError:
        raise
    except Exception:  # noqa: BLE001 — an engine may fail in any way; the valuation is then a failed one
        _log.exception("the engine failed", extra={"request": order.context.request_id})
        return Failure("engine_error", "The engine failed.")


def _withdraw(connection: Connection, *, order: _Order) -> None:
    """Undo everything that accepting did."""
    now = order.context.services.clock.now()
    if order.spending:
        credits_store.release(connection, order.spending, now=now)
    guard_store.leave(connection, order.request.valuation_id)
    store.remove(connection, order.request.valuation_id)
    guard_store.release(connection, order.claimed)


def _settle(connection: Connection, *, order: _Order, accepted: _Accepted, verdict: Verdict) -> Envelope:
    """Keep the verdict, take the credit of a completed valuation and give back that of any other."""
    now = order.context.services.clock.now()
    guard_store.finish(connection, order.claimed)
    guard_store.leave(connection, order.request.valuation_id)
    charged = CREDITS_PER_VALUATION if order.spending and isinstance(verdict, Estimate) else 0
    settle = credits_store.capture if charged else credits_store.release
    remaining = (
        settle(connection, order.spending, now=now)
        if order.spending
        else _remaining(connection, order.context)
    )
    occasion = _occasion(order, accepted.valuer, charged=charged, remaining=remaining, verdict=verdict)
    body = envelope(order.request, verdict, occasion)
    if accepted.same_car_id and isinstance(verdict, Estimate):
        body["warnings"].append(_valued_before(accepted.same_car_id).as_json())
    store.finish(connection, body, now=now)
    return body


def _occasion(order: _Order, valuer: Valuer, *, charged: int, remaining: int, verdict: Verdict) -> Occasion:
    services = order.context.services
    data_as_of = verdict.data_as_of if isinstance(verdict, Estimate) else None
    return Occasion(
        request_id=order.context.request_id,
        public_url=services.public_url,
        attribution=valuer.attribution(order.request.country, data_as_of),
        created_at=order.created_at,
        completed_at=services.clock.now(),
        credits_charged=charged,
        credits_remaining=remaining,
    )


def _valued_before(valuation_id: str) -> Remark:
    return Remark(
        "duplicate_recent_valuation",
        "The same car was valued within the last 24 hours; that valuation can be read for free.",
        {"valuation_id": valuation_id},
    )


def _by_id(connection: Connection, *, context: CallContext, valuation_id: str) -> Envelope:
    principal = context.principal
    stored = store.find(
        connection, valuation_id, organization_id=principal.organization_id, mode=principal.mode
    )
    if stored.status == store.RUNNING:
        raise ValuationNotFound("There is no such valuation for this credential.")
    return with_balance(stored.envelope, _remaining(connection, context))


def _by_key(connection: Connection, *, context: CallContext, key: str) -> Envelope:
    principal, now = context.principal, context.services.clock.now()
    known_id = guard_store.find(
        connection, organization_id=principal.organization_id, mode=principal.mode, key=key, now=now
    )
    if known_id is None:
        raise ValuationNotFound("No valuation was made under this key.")
    claimed = ClaimedKey(principal.organization_id, principal.mode, key, "")
    stored = _finished(connection, claimed, known_id, now=now)
    return with_balance(stored.envelope, _remaining(connection, context))


def _finished(
    connection: Connection, claimed: ClaimedKey, valuation_id: str, *, now: datetime
) -> store.Stored:
    """Return the valuation of a key, closed as failed when the process that ran it died."""
    scope: dict[str, Any] = {"organization_id": claimed.organization_id, "mode": claimed.mode}
    stored = store.find(connection, valuation_id, **scope)
    if stored.status != store.RUNNING:
        return stored
    _close(connection, claimed, valuation_id, now=now)
    return store.find(connection, valuation_id, **scope)


def _close(connection: Connection, claimed: ClaimedKey, valuation_id: str, *, now: datetime) -> None:
    stored = store.find(connection, valuation_id, organization_id=claimed.organization_id, mode=claimed.mode)
    if stored.credits_reserved:
        spending = Spending(
            stored.organization_id,
            stored.id,
            stored.key_id,
            stored.request_id,
            stored.credits_reserved,
            None,
        )
        credits_store.release(connection, spending, now=now)
    guard_store.finish(connection, claimed)
    guard_store.leave(connection, valuation_id)
    store.finish(connection, {**stored.envelope, "completed_at": isoformat(now)}, now=now)


def _remaining(connection: Connection, context: CallContext) -> int:
    now = context.services.clock.now()
    return credits_store.balance(connection, context.principal.organization_id, now=now).available


def _outcome(body: Envelope) -> Outcome:
    headers = {"Location": f"/v1/valuations/{body['id']}"}
    if body["replayed"]:
        headers["Idempotent-Replayed"] = "true"
    return Outcome(body, http_status(body), headers, is_error=body["status"] != "completed")


def _moment(text: str | None) -> datetime | None:
    """Read an RFC 3339 time; the format allows a few, such as leap seconds, that are no moments here."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise invalid_member("created_after", "Must be an RFC 3339 time, as 2030-01-31T09:30:00Z.") from None
