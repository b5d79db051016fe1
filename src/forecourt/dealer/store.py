"""The record of dealers and their stock in the database.

Stock is kept in versions. A version's listings are written in chunks (see `dealer/chunk.py`) while nobody
reads them; `publish_version` then makes the whole version live in one statement, so that a reader sees the
old stock or the new, never a mix, and a killed import leaves the old. The version before stays for
`rollback_stock`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.base.ids import new_id
from forecourt.dealer.errors import DealerExists, DealerUnknown, DomainTaken, NothingToRollBack
from forecourt.dealer.profile import DealerProfile, profile_content, recorded_profile
from forecourt.storage.schema import BigInt, Instant, Json, table
from forecourt.storage.upsert import insert_or_ignore

LONGEST_IMPORT = timedelta(hours=6)
"""An open version older than this was left behind by a killed import."""

DEALERS = table(
    "dealers",
    sa.Column("slug", sa.Text, primary_key=True),
    sa.Column("organization_id", sa.Text),
    sa.Column("profile", Json, nullable=False),
    sa.Column("profile_changed_at", Instant, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("live_version", sa.Text),
    sa.Column("previous_version", sa.Text),
)

DOMAINS = table(
    "dealer_domains",
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), nullable=False, index=True),
)

VERSIONS = table(
    "stock_versions",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("confirmed_at", Instant),
    sa.Column("listings", BigInt, nullable=False),
    sa.Column("amendments", Json),
)

CHUNKS = table(
    "stock_chunks",
    sa.Column(
        "version_id", sa.Text, sa.ForeignKey("stock_versions.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("number", BigInt, primary_key=True),
    sa.Column("content", sa.LargeBinary, nullable=False),
)

IMPORTS = table(
    "feed_imports",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), nullable=False),
    sa.Column("started_at", Instant, nullable=False),
    sa.Column("finished_at", Instant, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("version_id", sa.Text),
    sa.Column("rows_in", BigInt, nullable=False),
    sa.Column("accepted", BigInt, nullable=False),
    sa.Column("rejected", BigInt, nullable=False),
    sa.Column("report", Json, nullable=False),
    sa.Index(None, "slug", "finished_at"),
)


@dataclass(frozen=True, slots=True)
class Dealer:
    """A dealer as stored: the profile, who owns it, and when what its card says last changed."""

    profile: DealerProfile
    organization_id: str | None
    profile_changed_at: datetime
    created_at: datetime

    @property
    def slug(self) -> str:
        """The name in addresses."""
        return self.profile.slug


@dataclass(frozen=True, slots=True)
class StockVersion:
    """One whole stock of a dealer. `amendments` holds what later rows said about listings already written."""

    id: str
    slug: str
    confirmed_at: datetime
    listings: int
    amendments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """One attempt to bring in a feed; `outcome` is `published`, `refused` or `rolled_back`."""

    slug: str
    started_at: datetime
    finished_at: datetime
    source: str
    outcome: str
    version_id: str | None
    rows_in: int
    accepted: int
    rejected: int
    report: dict[str, Any]


def add_dealer(
    connection: Connection, profile: DealerProfile, *, now: datetime, organization_id: str | None = None
) -> None:
    """Host a new dealer; raises `DealerExists` or `DomainTaken`."""
    row = {
        "slug": profile.slug,
        "organization_id": organization_id,
        "profile": profile_content(profile),
        "profile_changed_at": now,
        "created_at": now,
    }
    if not insert_or_ignore(connection, DEALERS, [row]):
        raise DealerExists("A dealer of that name is hosted here already.", details={"slug": profile.slug})
    _claim_domains(connection, profile)


def update_dealer(connection: Connection, profile: DealerProfile, *, now: datetime) -> None:
    """Replace a dealer's profile and domains; raises `DealerUnknown` or `DomainTaken`."""
    changed = connection.execute(
        sa.update(DEALERS)
        .where(DEALERS.c.slug == profile.slug)
        .values(profile=profile_content(profile), profile_changed_at=now)
        .returning(DEALERS.c.slug)
    ).one_or_none()
    if changed is None:
        raise _unknown(profile.slug)
    connection.execute(sa.delete(DOMAINS).where(DOMAINS.c.slug == profile.slug))
    _claim_domains(connection, profile)


def find_dealer(connection: Connection, slug: str) -> Dealer:
    """Return the dealer of that slug; raises `DealerUnknown`."""
    row = connection.execute(sa.select(DEALERS).where(DEALERS.c.slug == slug)).one_or_none()
    if row is None:
        raise _unknown(slug)
    return _dealer(row)


def list_dealers(connection: Connection) -> list[Dealer]:
    """Return every dealer, by slug."""
    return [_dealer(row) for row in connection.execute(sa.select(DEALERS).order_by(DEALERS.c.slug))]


def _dealer(row: sa.Row[Any]) -> Dealer:
    profile = recorded_profile(row.slug, row.profile)
    return Dealer(profile, row.organization_id, row.profile_changed_at, row.created_at)


def _claim_domains(connection: Connection, profile: DealerProfile) -> None:
    rows = [{"domain": domain, "slug": profile.slug} for domain in profile.domains]
    if rows and insert_or_ignore(connection, DOMAINS, rows) != len(rows):
        raise DomainTaken(
            "One of the domains belongs to another dealer.", details={"domains": list(profile.domains)}
        )


def _unknown(slug: str) -> DealerUnknown:
    return DealerUnknown("No dealer of that name is hosted here.", details={"slug": slug})


def begin_version(connection: Connection, slug: str, *, now: datetime) -> str:
    """Open a version to write chunks into and return its id; nobody reads it before it is published.

    Raises `DealerUnknown`.
    """
    find_dealer(connection, slug)
    version_id = new_id("stock")
    connection.execute(sa.insert(VERSIONS).values(id=version_id, slug=slug, created_at=now, listings=0))
    return version_id


def add_chunk(connection: Connection, version_id: str, *, number: int, content: bytes) -> None:
    """Write one chunk of an open version."""
    connection.execute(sa.insert(CHUNKS).values(version_id=version_id, number=number, content=content))


def publish_version(
    connection: Connection, version_id: str, *, listings: int, amendments: dict[str, Any], now: datetime
) -> None:
    """Make an open version the dealer's stock and keep the one it replaces for a rollback.

    Older versions are removed, and so are versions that a killed import left open long ago.
    """
    version = connection.execute(
        sa.update(VERSIONS)
        .where(VERSIONS.c.id == version_id)
        .values(listings=listings, amendments=amendments, confirmed_at=now)
        .returning(VERSIONS.c.slug)
    ).one()
    connection.execute(
        sa.update(DEALERS)
        .where(DEALERS.c.slug == version.slug)
        .values(live_version=version_id, previous_version=DEALERS.c.live_version)
    )
    _remove_old_versions(connection, version.slug, now=now)


def discard_version(connection: Connection, version_id: str) -> None:
    """Remove a version that will not be published."""
    connection.execute(sa.delete(CHUNKS).where(CHUNKS.c.version_id == version_id))
    connection.execute(sa.delete(VERSIONS).where(VERSIONS.c.id == version_id))


def rollback_stock(connection: Connection, slug: str, *, now: datetime) -> StockVersion:
    """Make the stock before the live one live again and return it; raises `NothingToRollBack`.

    A second rollback goes forward again: the two versions change places. It stands in the history.
    """
    kept = connection.execute(
        sa.select(DEALERS.c.live_version, DEALERS.c.previous_version)
        .where(DEALERS.c.slug == slug)
        .with_for_update()
    ).one_or_none()
    if kept is None:
        raise _unknown(slug)
    if kept.previous_version is None:
        raise NothingToRollBack("There is no earlier stock to go back to.", details={"slug": slug})
    connection.execute(
        sa.update(DEALERS)
        .where(DEALERS.c.slug == slug)
        .values(live_version=kept.previous_version, previous_version=kept.live_version)
    )
    version = _version(connection, kept.previous_version)
    record = ImportRecord(slug, now, now, "rollback", "rolled_back", version.id, 0, version.listings, 0, {})
    record_import(connection, record)
    return version


def live_version_id(connection: Connection, slug: str) -> str | None:
    """Return the id of the dealer's stock, None before the first import; raises `DealerUnknown`."""
    row = connection.execute(sa.select(DEALERS.c.live_version).where(DEALERS.c.slug == slug)).one_or_none()
    if row is None:
        raise _unknown(slug)
    version_id: str | None = row.live_version
    return version_id


def previous_version_id(connection: Connection, slug: str) -> str | None:
    """Return the id of the stock that a rollback would bring back, None when there is none."""
    query = sa.select(DEALERS.c.previous_version).where(DEALERS.c.slug == slug)
    version_id: str | None = connection.scalar(query)
    return version_id


def live_version(connection: Connection, slug: str) -> StockVersion | None:
    """Return the dealer's stock version, None before the first import; raises `DealerUnknown`."""
    version_id = live_version_id(connection, slug)
    if version_id is None:
        return None
    return _version(connection, version_id)


def _version(connection: Connection, version_id: str) -> StockVersion:
    row = connection.execute(sa.select(VERSIONS).where(VERSIONS.c.id == version_id)).one()
    return StockVersion(row.id, row.slug, row.confirmed_at, row.listings, row.amendments or {})


def read_chunks(connection: Connection, version_id: str) -> Iterator[bytes]:
    """Yield the chunks of a version in order, one at a time in memory."""
    numbers = connection.scalars(
        sa.select(CHUNKS.c.number).where(CHUNKS.c.version_id == version_id).order_by(CHUNKS.c.number)
    ).all()
    for number in numbers:
        this = sa.and_(CHUNKS.c.version_id == version_id, CHUNKS.c.number == number)
        yield connection.execute(sa.select(CHUNKS.c.content).where(this)).scalar_one()


def record_import(connection: Connection, record: ImportRecord) -> str:
    """Write one line of the dealer's import history and return its id."""
    import_id = new_id("import")
    columns = {name: getattr(record, name) for name in ImportRecord.__slots__}
    connection.execute(sa.insert(IMPORTS).values(id=import_id, **columns))
    return import_id


def import_history(connection: Connection, slug: str, *, limit: int = 20) -> list[ImportRecord]:
    """Return the newest imports of a dealer, newest first."""
    query = (
        sa.select(IMPORTS)
        .where(IMPORTS.c.slug == slug)
        .order_by(IMPORTS.c.finished_at.desc(), IMPORTS.c.id.desc())
        .limit(limit)
    )
    return [
        ImportRecord(**{name: getattr(row, name) for name in ImportRecord.__slots__})
        for row in connection.execute(query)
    ]


def _remove_old_versions(connection: Connection, slug: str, *, now: datetime) -> None:
    kept = connection.execute(
        sa.select(DEALERS.c.live_version, DEALERS.c.previous_version).where(DEALERS.c.slug == slug)
    ).one()
    abandoned = sa.and_(VERSIONS.c.confirmed_at.is_(None), VERSIONS.c.created_at < now - LONGEST_IMPORT)
    old = sa.select(VERSIONS.c.id).where(
        VERSIONS.c.slug == slug,
        VERSIONS.c.id.not_in([version for version in kept if version is not None]),
        sa.or_(VERSIONS.c.confirmed_at.is_not(None), abandoned),
    )
    connection.execute(sa.delete(CHUNKS).where(CHUNKS.c.version_id.in_(old)))
    connection.execute(sa.delete(VERSIONS).where(VERSIONS.c.id.in_(old)))


def slugs_by_domain(connection: Connection) -> dict[str, str]:
    """Return which dealer answers for each host name."""
    return {row.domain: row.slug for row in connection.execute(sa.select(DOMAINS))}


@dataclass(frozen=True, slots=True)
class StockSummary:
    """How many vehicles a dealer has and when the feed last confirmed them."""

    listings: int
    confirmed_at: datetime


def stock_summaries(connection: Connection) -> dict[str, StockSummary]:
    """Return the live stock of every dealer that has one, by slug."""
    query = sa.select(VERSIONS.c.slug, VERSIONS.c.listings, VERSIONS.c.confirmed_at).join(
        DEALERS, DEALERS.c.live_version == VERSIONS.c.id
    )
    return {row.slug: StockSummary(row.listings, row.confirmed_at) for row in connection.execute(query)}
