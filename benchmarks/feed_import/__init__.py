"""Feed import: a million rows to an index that answers, beside the CSV reader of the standard library."""

from benchmarks.feed_import.measuring import measure

__all__ = ["measure"]
