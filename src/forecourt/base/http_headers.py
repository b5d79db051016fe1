"""Request headers as HTTP means them (RFC 9110): repeated ones, and what a caller accepts."""

import re
from collections.abc import Iterable
from typing import Final

JSON_RANGES: Final = frozenset({"*/*", "application/*", "application/json"})

_NO_WEIGHT: Final = re.compile(r"q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


def joined_headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by name; repeated ones are joined by commas (5.2), so none hides another."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in pairs:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1").strip(" \t")
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    return headers


def accepts(header: str, ranges: frozenset[str] = JSON_RANGES) -> bool:
    """Tell whether `Accept` lets one of these media ranges through (12.5.1); an empty one lets all."""
    return not header.strip() or any(_lets_through(item, ranges) for item in header.split(","))


def _lets_through(item: str, ranges: frozenset[str]) -> bool:
    media_range, _, parameters = item.partition(";")
    refused = any(_NO_WEIGHT.fullmatch(parameter.strip()) for parameter in parameters.split(";"))
    return media_range.strip().lower() in ranges and not refused
