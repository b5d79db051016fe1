"""The account of a file: every row is accepted or rejected, and every finding names line, column, value and
rule.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

RULES: Final[Mapping[str, str]] = {
    # rejected: the row cannot be taken
    "cells": "the row has more cells than the header, so its values cannot be told apart",
    "no_identity": "no VIN, stock number, id, plate or page address: nothing to find the vehicle by again",
    "price_unreadable": "the price is no amount of money",
    "price_out_of_range": "the price is higher than any vehicle's",
    "number_ambiguous": "the number can be read in two ways a thousandfold apart; declare the locale",
    "mileage_unreadable": "the odometer is no distance",
    "mileage_out_of_range": "the odometer shows more than any vehicle drives",
    # left out: the row was understood, and is no vehicle to offer
    "sold": "the row says that the vehicle is sold",
    "not_for_sale": "the row says that it is not for sale (in preparation, at auction, hidden, deleted)",
    "not_a_vehicle": "no make, model, title or VIN: totals, notes and the like",
    "header_again": "the row repeats the header",
    "placeholder_row": "the row stands for no physical vehicle",
    "duplicate_vin": "an earlier row has the same VIN; the first one counts, its rooftops are kept together",
    "duplicate_id": "an earlier row has the same id",
    "vehicle_type": "a kind of vehicle that no rooftop of the profile says it sells",
    # notes: the row was taken
    "call_for_price": "the price is on request",
    "placeholder_price": "the price stands for no price",
    "price_hidden": "a flag says that the price is on request, whatever the amount",
    "sale_price_ended": "the sale price is outside its dates",
    "other_price_unreadable": "a list price or MSRP is no amount of money and was dropped",
    "zero_mileage": "an odometer of 0 on a vehicle that is not new is unknown, not 0",
    "no_reading": "the odometer is stated as unknown",
    "placeholder_mileage": "the odometer stands for no reading",
    "vin_cleaned": "blanks, hyphens or lower case were taken out of the VIN",
    "vin_corrected": "a letter O, Q or I in the VIN was read as a digit, which the check digit confirms",
    "vin_length": "the VIN does not have 17 characters and was dropped",
    "vin_characters": "the VIN has letters that no VIN has and was dropped",
    "vin_placeholder": "the VIN stands for no VIN and was dropped",
    "vin_make_differs": "the VIN belongs to another maker than the make",
    "vin_year_differs": "the model year is not the one in the VIN",
    "make_from_vin": "the make was missing and was read from the VIN",
    "make_from_title": "the make was missing and was read from the title",
    "model_from_title": "the model was missing or cut off and was read from the title",
    "year_from_vin": "the model year was missing and was read from the VIN",
    "year_from_registration": "the model year was missing; that of first registration stands in its place",
    "year_unreadable": "the model year is no year and was dropped",
    "model_missing": "the row does not say the model",
    "make_missing": "the row does not say the make",
    "condition_unknown": "the condition is no word that we know and was dropped",
    "condition_doubtful": "the condition and the odometer do not fit together; the stated condition was kept",
    "status_unknown": "the status is no word that we know; the vehicle counts as available",
    "date_ambiguous": "day and month could be exchanged, so the date was dropped",
    "rooftop_unknown": "no rooftop of the profile has that name",
    "stock_is_vin": "the stock number repeats the VIN and was dropped",
    "text_price_differs": "the description names another price; the field counts",
    "text_mileage_differs": "the description names another mileage; the field counts",
    "address_unreadable": "an address is no absolute web address and was dropped",
}
"""Every rule by its stable name."""

REJECTED: Final = frozenset(list(RULES)[:7])
LEFT_OUT: Final = frozenset(list(RULES)[7:15])
_LONGEST_VALUE: Final = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in one cell. `line` counts as `Batch.lines` does."""

    line: int
    column: str
    value: str
    rule: str

    @property
    def effect(self) -> str:
        """What it did to the row: `rejected`, `left_out`, or `note` when the row was taken."""
        return "rejected" if self.rule in REJECTED else "left_out" if self.rule in LEFT_OUT else "note"

    def as_json(self) -> dict[str, Any]:
        """Return the finding as plain data, with the meaning of its rule."""
        return {
            "line": self.line,
            "column": self.column,
            "value": self.value,
            "rule": self.rule,
            "effect": self.effect,
            "meaning": RULES[self.rule],
        }


@dataclass(slots=True)
class Report:
    """Counts of everything and the first findings of each rule. `rows_in` is always accepted + rejected."""

    keep_per_rule: int = 1_000
    rows_in: int = 0
    blank_rows: int = 0
    accepted: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    file_notes: list[str] = field(default_factory=list)
    _kept: Counter[str] = field(default_factory=Counter)

    @property
    def rejected_rows(self) -> int:
        """How many rows were rejected or left out."""
        return self.rejected.total()

    def reject(self, line: int, column: str, value: str, *, rule: str) -> None:
        """Count a row that was not taken; each such row is counted once."""
        self.rejected[rule] += 1
        self._keep(line, column, value, rule)

    def note(self, line: int, column: str, value: str, *, rule: str) -> None:
        """Count something about a row that was taken."""
        self.notes[rule] += 1
        self._keep(line, column, value, rule)

    def _keep(self, line: int, column: str, value: str, rule: str) -> None:
        if self._kept[rule] < self.keep_per_rule:
            self._kept[rule] += 1
            self.findings.append(Finding(line, column, value[:_LONGEST_VALUE], rule))

    def as_json(self, *, findings: int | None = None) -> dict[str, Any]:
        """Return the account as plain data with at most so many findings."""
        return {
            "rows_in": self.rows_in,
            "accepted": self.accepted,
            "rejected": self.rejected_rows,
            "blank_rows": self.blank_rows,
            "rejected_by_rule": dict(self.rejected),
            "notes_by_rule": dict(self.notes),
            "file_notes": self.file_notes,
            "findings": [finding.as_json() for finding in self.findings[:findings]],
        }
