"""Inventory search in process, 100,000 vehicles: our index, DuckDB, SQLite with FTS5, and Tantivy.

Every engine answers the same 200 questions once, each with a page of 20 vehicles and all 21 facets, in a
process of its own. Totals and facet counts must agree with ours, or the benchmark fails.
"""

from benchmarks.search.contest import measure

__all__ = ["measure"]
