"""Bring a feed in: read, judge, write beside the live stock, publish in one step, remember how it went."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.errors import ForecourtError
from forecourt.dealer import store
from forecourt.dealer.chunk import Chunk
from forecourt.dealer.collector import paused_collector
from forecourt.dealer.errors import NoListings, StockWouldShrink
from forecourt.dealer.feed.reading import Reading, read_stock
from forecourt.storage.database import Database
from forecourt.tables.mapping import NOTHING_DECLARED, MappingFile
from forecourt.tables.opening import open_table

SMALLEST_SHARE: Final = 0.5
"""A file with fewer than this share of the live vehicles is refused unless the shrinking is allowed."""
FINDINGS_IN_HISTORY: Final = 200


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to; `version_id` is None after a dry run."""

    reading: Reading
    version_id: str | None
    listings_before: int

    def as_json(self, *, findings: int | None = None) -> dict[str, Any]:
        """Return the whole account as plain data."""
        return {**describe(self.reading), **self.reading.report.as_json(findings=findings)}


def describe(reading: Reading) -> dict[str, Any]:
    """Return what was found out about the file itself."""
    detected = reading.detected
    return {
        "format": detected.format,
        "charset": detected.charset,
        "delimiter": detected.delimiter,
        "header_line": detected.header_line,
        "conventions": list(reading.conventions.reasons),
        "columns": {
            name: meaning.role for name, meaning in reading.layout.meanings.items() if meaning is not None
        },
        "columns_not_understood": reading.layout.unknown_names(),
        "stated_total": detected.stated_total,
    }


@dataclass(frozen=True, slots=True)
class Terms:
    """How a feed is taken in. `keep_findings` bounds the findings that are kept per rule."""

    mapping: MappingFile = NOTHING_DECLARED
    allow_shrink: bool = False
    dry_run: bool = False
    keep_findings: int = 1_000


def _nobody(_: object) -> None:
    """Watch nothing."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on: `progress` gets the rows read so far, `each_chunk` the listings as they are taken."""

    progress: Callable[[int], None] = _nobody
    each_chunk: Callable[[Chunk], None] = _nobody


def import_feed(
    database: Database,
    slug: str,
    path: Path,
    *,
    terms: Terms = Terms(),
    source: str | None = None,
    watch: Watch = Watch(),
    clock: Clock = SYSTEM_CLOCK,
) -> Imported:
    """Make a file the stock of a dealer; raises why it cannot be, after which the stock is as it was.

    Every row is accounted for in the report. Chunks are written while nobody reads them and published in one
    transaction, so a killed import leaves the old stock. Each attempt but a dry run stands in the history
    under `source`, by default the file's name.
    """
    attempt = _Attempt(database, slug, source or path.name, clock.now(), clock)
    try:
        return _import(attempt, path, terms, watch)
    except ForecourtError as error:
        if not terms.dry_run:
            attempt.record_refusal(error)
        raise


@dataclass(slots=True)
class _Attempt:
    """One try to import, and how it is remembered."""

    database: Database
    slug: str
    source: str
    started: datetime
    clock: Clock
    version_id: str | None = None
    reading: Reading | None = None

    def record(self, outcome: str, report: dict[str, Any]) -> store.ImportRecord:
        counts = self.reading.report if self.reading is not None else None
        return store.ImportRecord(
            slug=self.slug,
            started_at=self.started,
            finished_at=self.clock.now(),
            source=self.source,
            outcome=outcome,
            version_id=self.version_id if outcome == "published" else None,
            rows_in=counts.rows_in if counts else 0,
            accepted=counts.accepted if counts else 0,
            rejected=counts.rejected_rows if counts else 0,
            report=report,
        )

    def record_refusal(self, error: ForecourtError) -> None:
        """Remove what was written and write down why; an unknown dealer has no history."""
        if self.version_id is not None:
            version_id = self.version_id
            self.database.write_sync(lambda connection: store.discard_version(connection, version_id))
        record = self.record("refused", {"code": error.code, "message": error.message})
        known = self.database.read_sync(
            lambda connection: any(dealer.slug == self.slug for dealer in store.list_dealers(connection))
        )
        if known:
            self.database.write_sync(lambda connection: store.record_import(connection, record))


def _import(attempt: _Attempt, path: Path, terms: Terms, watch: Watch) -> Imported:
    database, slug, mapping = attempt.database, attempt.slug, terms.mapping
    dealer = database.read_sync(lambda connection: store.find_dealer(connection, slug))
    live = database.read_sync(lambda connection: store.live_version(connection, slug))
    before = live.listings if live is not None else 0
    with open_table(path, charset=mapping.charset, delimiter=mapping.delimiter) as table:
        reading = attempt.reading = read_stock(
            table, dealer.profile, mapping=mapping, now=attempt.started, keep_findings=terms.keep_findings
        )
        with paused_collector():
            for number, chunk in enumerate(_watched(reading, watch)):
                if not terms.dry_run:
                    _write(attempt, number, chunk)
    _refuse_loss(reading, before, allow_shrink=terms.allow_shrink)
    if not terms.dry_run:
        _publish(attempt, reading)
    return Imported(reading, attempt.version_id, before)


def _watched(reading: Reading, watch: Watch) -> Iterator[Chunk]:
    for chunk in reading.chunks:
        watch.progress(reading.report.rows_in)
        if chunk.size:
            watch.each_chunk(chunk)
            yield chunk


def _write(attempt: _Attempt, number: int, chunk: Chunk) -> None:
    if attempt.version_id is None:
        attempt.version_id = attempt.database.write_sync(
            lambda connection: store.begin_version(connection, attempt.slug, now=attempt.started)
        )
    version_id, content = attempt.version_id, chunk.encoded()
    attempt.database.write_sync(
        lambda connection: store.add_chunk(connection, version_id, number=number, content=content)
    )


def _refuse_loss(reading: Reading, before: int, *, allow_shrink: bool) -> None:
    """Refuse a file that would empty the stock, halve it, or is one page of many."""
    accepted, stated = reading.report.accepted, reading.detected.stated_total
    if accepted == 0:
        raise NoListings(
            "No row of the file can be taken, so the stock stays as it is.",
            details=reading.report.as_json(findings=20),
        )
    if stated is not None and stated > reading.report.rows_in:
        reading.report.file_notes.append(
            f"the file says that there are {stated} vehicles and holds {reading.report.rows_in}"
        )
        if before > accepted and not allow_shrink:
            raise StockWouldShrink(
                f"The file is a part: {reading.report.rows_in} of {stated} vehicles that it speaks of."
            )
    if accepted < before * SMALLEST_SHARE and not allow_shrink:
        raise StockWouldShrink(
            f"The stock would shrink from {before} to {accepted} vehicles; allow it with --allow-shrink.",
            details={"before": before, "after": accepted},
        )


def _publish(attempt: _Attempt, reading: Reading) -> None:
    version_id = attempt.version_id
    if version_id is None:
        raise NoListings("No row of the file can be taken, so the stock stays as it is.")
    now = attempt.clock.now()
    report = {**describe(reading), **reading.report.as_json(findings=FINDINGS_IN_HISTORY)}
    record = attempt.record("published", report)

    def publish(connection: Any) -> None:
        store.publish_version(
            connection, version_id, listings=reading.report.accepted, amendments=reading.amendments(), now=now
        )
        store.record_import(connection, record)

    attempt.database.write_sync(publish)
