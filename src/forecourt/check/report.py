"""What a check found: one finding per rule, as JSON for machines and as a table for people."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rich.table import Table
from rich.text import Text

from forecourt.aap.versions import SERVED
from forecourt.check.rule import Level, Rule


class Outcome(StrEnum):
    """How a rule fared."""

    KEPT = "kept"
    BROKEN = "broken"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule, how it fared, and the sentences that say why."""

    rule: Rule
    outcome: Outcome
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        return {
            "id": self.rule.id,
            "level": self.rule.level.value,
            "source": self.rule.source,
            "says": self.rule.says,
            "outcome": self.outcome.value,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one dealer."""

    card_url: str
    findings: tuple[Finding, ...]

    @property
    def conforms(self) -> bool:
        """Whether no MUST is broken."""
        return not any(self.broken(Level.MUST))

    def broken(self, *levels: Level) -> Iterator[Finding]:
        """Return the findings of these levels that are broken."""
        return (
            each for each in self.findings if each.outcome is Outcome.BROKEN and each.rule.level in levels
        )

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {
            "card_url": self.card_url,
            "protocol": f"AAP {SERVED.release}",
            "conforms": self.conforms,
            "counts": self.counts(),
            "findings": [finding.as_json() for finding in self.findings],
        }

    def counts(self) -> dict[str, int]:
        """Return how many rules fared how."""
        return {outcome.value: self._count(outcome) for outcome in Outcome}

    def _count(self, outcome: Outcome) -> int:
        return sum(finding.outcome is outcome for finding in self.findings)


_STYLES = {Outcome.KEPT: "green", Outcome.BROKEN: "bold red", Outcome.SKIPPED: "dim"}


def report_table(report: Report) -> Table:
    """Return the findings as a table, notes below the rule they are about."""
    table = Table(title=f"AAP {SERVED.release}: {report.card_url}", title_justify="left")
    table.add_column("Rule", no_wrap=True)
    table.add_column("Level")
    table.add_column("Outcome")
    table.add_column("What it says", overflow="fold")
    for finding in report.findings:
        table.add_row(*_row(finding))
    return table


def _row(finding: Finding) -> tuple[Text, Text, Text, Text]:
    says = Text(f"{finding.rule.says} ({finding.rule.source})")
    for note in finding.notes:
        says.append(f"\n– {note}", style=_STYLES[finding.outcome])
    outcome = Text(finding.outcome.value, style=_STYLES[finding.outcome])
    return Text(finding.rule.id), Text(finding.rule.level.value), outcome, says
