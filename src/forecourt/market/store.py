"""The warehouse: a market as Parquet files under a manifest, and the questions that DuckDB answers over them.

    DATA_DIR/market/DE/manifest.json
                      /sightings/2026-03/<digest>.parquet     what was seen, by month
                      /adverts/<digest>.parquet               what follows from it, one row for each advert

Files never change; their names come from their content. A change writes new files first and then one new
manifest in the place of the old one, so that a reader sees either market whole and a crash loses nothing but
the import that it interrupted. Files that neither the present nor the former manifest names are removed.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from forecourt.market.errors import MarketEmpty
from forecourt.market.sighting import SCHEMA

_FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_FORMER: Final = "manifest.former.json"
_KEPT_IMPORTS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Part:
    """One Parquet file of a market: its path below the market's folder, its month if it has one, its rows."""

    path: str
    rows: int
    month: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a market consists of. `version` grows with every change; `imports` has the newest last."""

    country: str
    currency: str
    tax_basis: str
    version: int = 0
    simulated: bool = False
    updated_at: str = ""
    sightings: tuple[Part, ...] = ()
    adverts: Part | None = None
    imports: tuple[Mapping[str, Any], ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"format": _FORMAT, **asdict(self)}

    def paths(self) -> set[str]:
        """Return the files that the market consists of."""
        return {part.path for part in (*self.sightings, *([self.adverts] if self.adverts else []))}


def _manifest(content: Mapping[str, Any]) -> Manifest:
    parts = tuple(Part(**part) for part in content["sightings"])
    adverts = Part(**content["adverts"]) if content["adverts"] else None
    known = {name: value for name, value in content.items() if name != "format"}
    return Manifest(**{**known, "sightings": parts, "adverts": adverts, "imports": tuple(content["imports"])})


class Warehouse:
    """The markets below one folder. One process changes a market at a time; readers need no lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def countries(self) -> list[str]:
        """Return the markets that hold something."""
        return sorted(path.parent.name for path in self._folder.glob(f"*/{_MANIFEST}"))

    def manifest(self, country: str) -> Manifest:
        """Return what a market consists of; raises `MarketEmpty` before its first import."""
        found = self.find_manifest(country)
        if found is None:
            raise MarketEmpty(f"No listing was imported for {country} yet.")
        return found

    def find_manifest(self, country: str) -> Manifest | None:
        """Return what a market consists of; None before its first import."""
        try:
            return _manifest(json.loads((self._folder / country / _MANIFEST).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def adverts(self, country: str) -> pa.Table:
        """Return every advert of a market with its history; raises `MarketEmpty`."""
        part = self.manifest(country).adverts
        if part is None:
            raise MarketEmpty(f"No listing was imported for {country} yet.")
        return pq.read_table(self._folder / country / part.path)

    def histories(self, manifest: Manifest) -> pa.Table:
        """Return one row for each advert of a manifest: its newest state, its days and its prices."""
        with _duckdb() as connection:
            return connection.sql(_HISTORIES, params=[self._files(manifest)]).to_arrow_table()

    @contextmanager
    def changing(self, country: str) -> Iterator[Path]:
        """Hold the right to change a market, across processes; gives the market's folder."""
        folder = self._folder / country
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ".lock").open("wb") as lock_file:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
            yield folder

    def with_sightings(self, manifest: Manifest, sightings: pa.Table) -> Manifest:
        """Write the months that sightings add to and return the manifest with them; not yet published.

        A sighting of the same advert on the same day takes the place of the one before.
        """
        parts = {part.month: part for part in manifest.sightings}
        with _duckdb() as connection:
            connection.register("fresh", sightings)
            months = [row[0] for row in connection.execute(_MONTHS).fetchall()]
            for month in months:
                former = self._files(replace(manifest, sightings=(parts[month],))) if month in parts else []
                merged = connection.sql(
                    _merged(old=bool(former)), params=[month, *([former] if former else [])]
                )
                content = merged.to_arrow_table().cast(SCHEMA)
                parts[month] = self._write(manifest.country, f"sightings/{month}", content, month=month)
        return replace(manifest, sightings=tuple(parts[month] for month in sorted(parts, key=str)))

    def with_adverts(self, manifest: Manifest, adverts: pa.Table) -> Manifest:
        """Write the adverts and return the manifest with them; not yet published."""
        return replace(manifest, adverts=self._write(manifest.country, "adverts", adverts))

    def publish(self, manifest: Manifest) -> None:
        """Make a manifest the market, and remove the files that only older ones than the former name."""
        folder = self._folder / manifest.country
        former = self.find_manifest(manifest.country)
        if former is not None:
            _write_text(folder / _FORMER, json.dumps(former.as_json()))
        kept = replace(manifest, imports=manifest.imports[-_KEPT_IMPORTS:])
        _write_text(folder / _MANIFEST, json.dumps(kept.as_json(), ensure_ascii=False, indent=1))
        self._remove_others(folder, manifest.paths() | (former.paths() if former else set()))

    def _files(self, manifest: Manifest) -> list[str]:
        return [str(self._folder / manifest.country / part.path) for part in manifest.sightings]

    def _write(self, country: str, place: str, table: pa.Table, *, month: str | None = None) -> Part:
        folder = self._folder / country / place
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f".{os.getpid()}.partial"
        pq.write_table(table, partial, compression="zstd")
        name = f"{hashlib.blake2b(partial.read_bytes(), digest_size=12).hexdigest()}.parquet"
        _sync(partial)
        partial.replace(folder / name)
        _sync(folder)
        return Part(f"{place}/{name}", table.num_rows, month)

    @staticmethod
    def _remove_others(folder: Path, named: set[str]) -> None:
        for path in folder.rglob("*.parquet"):
            if path.relative_to(folder).as_posix() not in named:
                path.unlink()


@contextmanager
def _duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET threads = 2")
        yield connection


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_text(path: Path, text: str) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(text + "\n", encoding="utf-8")
    _sync(partial)
    partial.replace(path)
    _sync(path.parent)


_MONTHS: Final = "SELECT DISTINCT strftime(seen_on, '%Y-%m') AS month FROM fresh ORDER BY month"
_STATE: Final[Sequence[str]] = [
    name for name in SCHEMA.names if name not in {"site", "advert_id", "seen_on", "listed_on", "price"}
]


def _merged(*, old: bool) -> str:
    fresh = "SELECT * FROM fresh WHERE strftime(seen_on, '%Y-%m') = $1"
    if not old:
        return f"{fresh} ORDER BY site, advert_id, seen_on"
    return f"""
        WITH incoming AS ({fresh}), former AS (SELECT * FROM read_parquet($2))
        SELECT * FROM incoming
        UNION ALL
        SELECT former.* FROM former ANTI JOIN incoming USING (site, advert_id, seen_on)
        ORDER BY site, advert_id, seen_on
    """  # noqa: S608  constant text


_HISTORIES: Final = f"""
    WITH told AS (
        SELECT *, lag(price) OVER (PARTITION BY site, advert_id ORDER BY seen_on) AS price_before
        FROM read_parquet($1)
    )
    SELECT site, advert_id,
        least(min(seen_on), min(listed_on)) AS first_seen, max(seen_on) AS last_seen,
        count(*)::INTEGER AS sightings,
        arg_min(price, seen_on) AS first_price, arg_max(price, seen_on) AS price,
        (count(*) FILTER (price <> price_before))::INTEGER AS price_changes,
        list({{'on': seen_on, 'price': price}} ORDER BY seen_on)
            FILTER (price_before IS NULL OR price <> price_before) AS prices,
        {", ".join(f"arg_max({name}, seen_on) AS {name}" for name in _STATE)}
    FROM told GROUP BY site, advert_id ORDER BY site, advert_id
"""  # noqa: S608  column names of our own schema
