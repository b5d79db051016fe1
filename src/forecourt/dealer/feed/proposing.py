"""Propose a mapping file for a feed: what was understood, written so that a person can correct it."""

import json
from pathlib import Path

from forecourt.tables.batches import Batch
from forecourt.tables.headers import IGNORED
from forecourt.tables.layout import Layout, find_conventions, sample_of
from forecourt.tables.mapping import NOTHING_DECLARED
from forecourt.tables.opening import open_table

_LONGEST_EXAMPLE = 40


def propose_mapping(path: Path, *, home_country: str | None) -> str:
    """Return TOML that declares what was detected, with the columns that were not understood as comments.

    Raises a leaf of `tables.errors` when the file cannot be read at all; a file that is no stock list yet,
    for want of understood columns, still gets a proposal.
    """
    with open_table(path) as table:
        batch = next((batch for batch in table.batches if len(batch)), Batch((), [], []))
    layout = Layout(NOTHING_DECLARED, {})
    layout.columns(batch)
    conventions = find_conventions(layout, batch, home_country=home_country)
    found = table.detected
    lines = [
        f"# {path.name}: {', '.join(filter(None, (found.format, found.charset, found.delimiter)))}",
        *(f"# {reason}" for reason in conventions.reasons),
        f'currency = "{conventions.currency}"',
        f'mileage_unit = "{conventions.mileage_unit}"',
        *([f'decimal_mark = "{conventions.number_style.value}"'] if conventions.number_style else []),
        "",
        "[columns]",
        *_column_lines(layout),
        *_unknown_lines(layout, batch),
    ]
    return "\n".join(lines)


def _column_lines(layout: Layout) -> list[str]:
    by_role: dict[str, list[tuple[int, str]]] = {}
    for name, meaning in layout.meanings.items():
        if meaning is not None and meaning.role != IGNORED:
            by_role.setdefault(meaning.role, []).append((meaning.rank, name))
    return [
        f"{role} = {json.dumps([name for _, name in sorted(named)], ensure_ascii=False)}"
        for role, named in by_role.items()
    ]


def _unknown_lines(layout: Layout, batch: Batch) -> list[str]:
    unknown = layout.unknown_names()
    if not unknown:
        return []
    columns = dict(zip(batch.names, batch.columns, strict=True))
    examples = {name: next(iter(sample_of(columns[name])), "") for name in unknown}
    return [
        "",
        "# not understood:",
        *(
            f"# {name} (such as {json.dumps(text[:_LONGEST_EXAMPLE], ensure_ascii=False)})"
            for name, text in examples.items()
        ),
    ]
