"""The skill `lead.submit`: a consented lead goes in, and the answer leaves when it is safe on disk."""

from collections.abc import Callable, Mapping
from typing import Any

from forecourt.aap.consent import refuse_without_consent
from forecourt.aap.lead_refusals import refuse_unfit
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.crash_points import crash_point
from forecourt.base.errors import ForecourtError
from forecourt.dealer.search.fields import IDENTIFIERS
from forecourt.leads.cleaning import clean_json
from forecourt.leads.contact_limit import ContactLimit
from forecourt.leads.intake import LeadDesk, Submission, replay, take_in
from forecourt.leads.sameness import key_digest
from forecourt.retail.dealership import Dealership
from forecourt.storage.database import Database

SKILL = "lead.submit"
_KEPT = (
    *IDENTIFIERS, "year", "make", "model", "trim", "condition", "status", "rooftop", "price", "list_price",
    "vdp_url",
)  # fmt: skip
"""What a lead remembers of the vehicle in stock as it was then."""


class LeadSubmit:
    """Answers `lead.submit` for every dealer hosted here.

    `on_new` is called after a lead is durable, so that deliveries start at once.
    """

    def __init__(
        self,
        database: Database,
        *,
        limit: ContactLimit | None = None,
        clock: Clock = SYSTEM_CLOCK,
        on_new: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._limit = limit
        self._clock = clock
        self._on_new = on_new
        self._desks: dict[str, tuple[object, LeadDesk]] = {}

    async def __call__(self, dealership: Dealership, request: dict[str, Any], /) -> bytes:
        """Keep a lead, or recognise one that came before, and return the encoded AAP response.

        The errors are, the first that applies: `ContactConsentRequired`, `InvalidConsent`, again
        `ContactConsentRequired` for a channel, `InvalidCondition`, `MissingRequiredField`,
        `SchemaValidationFailed`; then `IdempotencyConflict` and `RateLimited`. A request that was accepted
        before is answered as it was, even when its consent has expired since.
        """
        cleaned, key = clean_json(request), request.get("idempotency_key")
        digest = key_digest(key) if isinstance(key, str) else None
        try:
            refuse_without_consent(cleaned, now=self._clock.now())
            refuse_unfit(request)
        except ForecourtError as refused:
            return await self._answer_before(dealership.slug, cleaned, key=digest, refused=refused)
        submission = _submission(dealership, cleaned, digest)
        desk = self._desk(dealership)
        now = self._clock.now()
        answer = await self._database.write(
            lambda connection: take_in(connection, submission, desk=desk, now=now, limit=self._limit)
        )
        crash_point("before_answer")
        self._on_new()
        return answer

    async def _answer_before(
        self, dealer: str, request: Mapping[str, Any], *, key: str | None, refused: ForecourtError
    ) -> bytes:
        """Return the answer that an equal request with this key got; else raise what refused it now."""
        if key is None:
            raise refused
        try:
            kept = await self._database.read(lambda connection: replay(connection, dealer, request, key=key))
        except ForecourtError:
            raise refused from None
        if kept is None:
            raise refused
        return kept

    def _desk(self, dealership: Dealership) -> LeadDesk:
        """Return what the profile says, read once for each state of it."""
        profile = dealership.profile
        known = self._desks.get(profile.slug)
        if known is None or known[0] is not profile:
            known = profile, LeadDesk.of(profile)
            self._desks[profile.slug] = known
        return known[1]


def _submission(dealership: Dealership, request: Mapping[str, Any], key: str | None) -> Submission:
    """Find the vehicle in stock that is meant, and the rooftop that sells it: else the first."""
    wanted = request.get("vehicle_of_interest") or {}
    identifiers = {kind: wanted[kind] for kind in IDENTIFIERS if wanted.get(kind)}
    found = dealership.stock.find(identifiers) if identifiers else None
    listing = {name: found.vehicle[name] for name in _KEPT if name in found.vehicle} if found else None
    rooftops = {rooftop["name"]: rooftop for rooftop in dealership.profile.information["rooftops"]}
    named = (listing or wanted).get("rooftop")
    return Submission(request, rooftops.get(named) or next(iter(rooftops.values())), listing, key)
