"""Nested records (JSON, XML) as flat ones: `{"price": {"value": 1}}` becomes `{"price.value": "1"}`.

Every value becomes text. A number that came typed keeps a decimal point that no reader can take for a mark of
thousands: 9.135 becomes "9.1350".
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from forecourt.tables.batches import SEVERAL

_KINDS: Final = ("type", "@type", "@name", "name", "kind", "usage", "role")
"""Members that tell the entries of one list apart: prices by `type`, address components by `@name`."""
MAX_LEAVES: Final = 2_000
MAX_DEPTH: Final = 32
"""Levels of a record that are read; nothing that is told about a vehicle lies deeper."""


def flatten(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the leaves of a record by their path; lists of the same thing are joined by `SEVERAL`."""
    flat: dict[str, str] = {}
    for path, text in _leaves("", record, MAX_DEPTH):
        if path in flat:
            flat[path] = f"{flat[path]}{SEVERAL}{text}" if flat[path] else text
        elif len(flat) < MAX_LEAVES:
            flat[path] = text
    return flat


def scalar_text(value: Any) -> str:
    """Return one value as text; None, NaN and infinities are empty."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return typed_decimal(repr(value)) if value - value == 0 else ""
    return str(value)


def typed_decimal(text: str) -> str:
    """Return a number written with a decimal point so that it can be read in one way only."""
    if "e" in text or "E" in text:
        text = f"{float(text):.6f}".rstrip("0")
    whole, _, fraction = text.partition(".")
    if not fraction.strip("0"):
        return whole
    return f"{whole}.{fraction}0" if len(fraction) == 3 else f"{whole}.{fraction}"


def _leaves(path: str, value: Any, levels: int) -> Iterable[tuple[str, str]]:
    if isinstance(value, Mapping):
        if levels:
            for key, inner in value.items():
                yield from _leaves(f"{path}.{key}" if path else str(key), inner, levels - 1)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if levels:
            yield from _list_leaves(path, value, levels - 1)
    else:
        yield path, scalar_text(value)


def _list_leaves(path: str, values: Sequence[Any], levels: int) -> Iterable[tuple[str, str]]:
    kinds = _distinct_kinds(values)
    for number, value in enumerate(values):
        yield from _leaves(f"{path}.{kinds[number]}" if kinds else path, value, levels)


def _distinct_kinds(values: Sequence[Any]) -> list[str] | None:
    """Return what each entry of a list is called, if every entry says so and no two agree."""
    if len(values) < 2 or not all(isinstance(value, Mapping) for value in values):
        return None
    for member in _KINDS:
        kinds = [value.get(member) for value in values]
        if all(isinstance(kind, str) and kind for kind in kinds) and len(set(kinds)) == len(kinds):
            return [str(kind) for kind in kinds]
    return None
