"""Does the description say what the fields say? The field counts; a reader of the report may want to know."""

import re
from typing import Any, Final

import numpy as np

from forecourt.dealer.chunk import Coded
from forecourt.dealer.feed.rows import Rows

_DOLLARS: Final = re.compile(r"\$\s?(\d{1,3}(?:,\d{3})+|\d{4,6})(?![\d,])")
_MILES: Final = re.compile(r"\b(\d{1,3}(?:,\d{3})+|\d{3,6})\s?(?:miles|mi\b)", re.IGNORECASE)
_LEAST: Final = 2_000
"""Smaller amounts are fees and rates, smaller distances are service intervals."""


def note_disagreements(
    rows: Rows, description: Coded | None, price: Coded | None, mileage: list[int | None]
) -> None:
    """Note the rows whose description names one price in dollars, or one mileage, that is not the field's."""
    if description is None:
        return
    texts = description.expanded()
    prices: list[Any] = [None] * len(texts) if price is None else price.expanded()
    for row in np.flatnonzero(rows.taken).tolist():
        text = texts[row]
        if text is not None and "$" in text and prices[row] is not None:
            _note_other_number(rows, row, text, _DOLLARS, prices[row].cents // 100, "text_price_differs")
        stated = mileage[row]
        if text is not None and stated and "mi" in text:
            _note_other_number(rows, row, text, _MILES, stated, "text_mileage_differs")


def _note_other_number(
    rows: Rows, row: int, text: str, pattern: re.Pattern[str], stated: int, rule: str
) -> None:
    """Note a text that names exactly one plausible number of that kind, and another than the stated one."""
    found = {int(number.replace(",", "")): number for number in pattern.findall(text)}
    plausible = [number for number in found if number >= _LEAST]
    if len(plausible) == 1 and stated not in plausible:
        rows.note_text(row, "description", found[plausible[0]], rule=rule)
