"""The report: one self-contained HTML page, its plots drawn here as SVG."""

from collections.abc import Iterable, Mapping
from html import escape

from benchmarks.measurement import Measurement, Row, Target

_BAR, _GAP, _NAMES, _WIDTH = 18, 6, 260, 360

_STYLE = """
:root { color-scheme: light dark; --bar: #2f6fab; --quiet: #777; --met: #1a7f37; --missed: #b42318; }
@media (prefers-color-scheme: dark) { :root { --bar: #6aa9e0; --met: #4ac26b; --missed: #ff8a7a; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #8884; }
td:first-child { white-space: nowrap; }
.figures :is(th, td) + :is(th, td) { text-align: right; font-variant-numeric: tabular-nums; }
.met { color: var(--met); } .missed { color: var(--missed); } .quiet { color: var(--quiet); }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: var(--quiet); }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; } svg rect { fill: var(--bar); }
"""


def page(date: str, *, machine: Mapping[str, object], measurements: Mapping[str, Measurement]) -> str:
    """Return the page of one run."""
    sections = "".join(_section(name, measurement) for name, measurement in measurements.items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>Forecourt benchmarks {escape(date)}</title>"
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        f"<h1>Forecourt benchmarks, {escape(date)}</h1>{_machine(machine)}{sections}</body></html>\n"
    )


def _machine(machine: Mapping[str, object]) -> str:
    return _table([], [[escape(str(key)), escape(str(value))] for key, value in machine.items()])


def _section(name: str, measurement: Measurement) -> str:
    return (
        f'<section id="{escape(name)}"><h2>{escape(measurement["title"])}</h2>'
        f"<p>{escape(measurement['question'])}</p>{_targets(measurement['targets'])}"
        f"{_rows(measurement['rows'])}{''.join(_plots(measurement['rows']))}</section>"
    )


def _targets(targets: Iterable[Target]) -> str:
    rows = [
        [escape(target["name"]), escape(target["reach"]), _number(target["reached"]), _verdict(target)]
        for target in targets
    ]
    return _table(["target", "reach", "reached", ""], rows) if rows else ""


def _verdict(target: Target) -> str:
    if "met" not in target:
        return ""
    return '<span class="met">met</span>' if target["met"] else '<span class="missed">missed</span>'


def _rows(rows: list[Row]) -> str:
    labels = _labels(rows)
    cells = [[escape(str(row["name"])), *(_number(row.get(label, "")) for label in labels)] for row in rows]
    return _table(["", *labels], cells, kind="figures")


def _labels(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(label for row in rows for label in row if label != "name"))


def _table(head: list[str], rows: list[list[str]], *, kind: str = "facts") -> str:
    header = f"<tr>{''.join(f'<th>{escape(label)}</th>' for label in head)}</tr>" if head else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="{kind}">{header}{body}</table>'


def _plots(rows: list[Row]) -> Iterable[str]:
    for label in _labels(rows):
        figures = [(str(row["name"]), row.get(label)) for row in rows]
        bars = [(name, value) for name, value in figures if isinstance(value, int | float)]
        if len(bars) > 1:
            yield f"<figure><figcaption>{escape(label)}</figcaption>{_bar_chart(bars)}</figure>"


def _bar_chart(bars: list[tuple[str, float]]) -> str:
    longest = max(value for _, value in bars) or 1
    height = len(bars) * (_BAR + _GAP)
    marks = "".join(
        _bar(position * (_BAR + _GAP), name=name, value=value, share=value / longest)
        for position, (name, value) in enumerate(bars)
    )
    return (
        f'<svg role="img" width="{_NAMES + _WIDTH + 90}" height="{height}" '
        f'viewBox="0 0 {_NAMES + _WIDTH + 90} {height}" xmlns="http://www.w3.org/2000/svg">{marks}</svg>'
    )


def _bar(top: int, *, name: str, value: float, share: float) -> str:
    width = max(1.0, share * _WIDTH)
    middle = top + _BAR - 5
    return (
        f'<text x="{_NAMES - 10}" y="{middle}" text-anchor="end">{escape(name)}</text>'
        f'<rect x="{_NAMES}" y="{top}" width="{width:.1f}" height="{_BAR}" rx="2"/>'
        f'<text x="{_NAMES + width + 6:.1f}" y="{middle}">{_number(value)}</text>'
    )


def _number(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:,}" if isinstance(value, int | float) else escape(str(value))
