"""Bars: counts beside what was expected, as lines of text, as an SVG picture and as a table.

Knows counts. Knows no die and no campaign.
"""

from __future__ import annotations

from tracker.reports.escaping import for_attribute
from tracker.reports.line_charts import LIGHT, LINES_LIGHT
from tracker.reports.page import Bar, Bars, DataTable

_WIDEST = 40
"""The number of marks of the longest bar in a terminal."""
_NAME_MAX = 18
_WIDE, _ROW, _LEFT, _RIGHT, _TOP = 480, 22, 120, 430, 8


def bar_lines(bars: Bars) -> list[str]:
    """A line for each bar; '|' marks its expected end."""
    most = _most(bars)
    wide = min(_NAME_MAX, max((len(bar.name) for bar in bars.bars), default=0))
    lines = []
    for bar in bars.bars:
        marks = list("#" * round(bar.fell * _WIDEST / most))
        if bar.expected is not None:
            place = round(bar.expected * _WIDEST / most)
            marks += " " * (place + 1 - len(marks))
            marks[place] = "|"
        lines.append(f"  {bar.name[:wide]:<{wide}}  {''.join(marks).rstrip():<{_WIDEST + 1}} {bar.fell:>4}")
    return lines


def bar_table(bars: Bars) -> DataTable:
    """The same numbers as a table."""
    rows = [
        (bar.name, bar.fell) if bar.expected is None else (bar.name, bar.fell, _expected(bars, bar))
        for bar in bars.bars
    ]
    return DataTable(bars.columns, rows, caption=bars.title)


def picture(bars: Bars) -> str:
    """The same as one standalone SVG element, with its numbers in words."""
    most, chart_id = _most(bars), bars.id
    high = _TOP * 2 + _ROW * len(bars.bars)
    description = "; ".join(
        f"{bar.name}: {bar.fell}"
        + (f", {_expected(bars, bar)} {bars.columns[-1].lower()}" if bar.expected is not None else "")
        for bar in bars.bars
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" role="img"'
        f' aria-labelledby="{chart_id}-title {chart_id}-desc"'
        ' font-family="system-ui, sans-serif" font-size="12">\n'
        f'<title id="{chart_id}-title">{for_attribute(bars.title)}</title>\n'
        f'<desc id="{chart_id}-desc">{for_attribute(description)}</desc>\n'
        + "\n".join(_bar(bar, most, _TOP + _ROW * place) for place, bar in enumerate(bars.bars))
        + "\n</svg>"
    )


def _bar(bar: Bar, most: float, top: int) -> str:
    ink, line = LIGHT["ink"], LINES_LIGHT[0]
    text = f'text-anchor="end" fill="{ink}" class="f-ink"'
    name = bar.name if len(bar.name) <= _NAME_MAX else f"{bar.name[: _NAME_MAX - 1]}…"
    wide = round((_RIGHT - _LEFT) * (bar.fell / most))
    drawn = (
        f'<text x="{_LEFT - 8}" y="{top + 15}" {text}>{for_attribute(name)}</text>'
        f'<path d="M{_LEFT} {top + 3}h{wide}v16h-{wide}z" fill="{line}" class="f-line0"/>'
    )
    if bar.expected is not None:
        mark = _LEFT + round((_RIGHT - _LEFT) * (bar.expected / most))
        drawn += (
            f'<path d="M{mark} {top}v{_ROW}" fill="none" stroke="{ink}" stroke-width="2"'
            ' stroke-dasharray="3 2" class="s-ink"/>'
        )
    return f'{drawn}<text x="{_RIGHT + 40}" y="{top + 15}" {text}>{bar.fell}</text>'


def _expected(bars: Bars, bar: Bar) -> str:
    return f"{bar.expected:.{bars.decimals}f}"


def _most(bars: Bars) -> float:
    return max((max(bar.fell, bar.expected or 0) for bar in bars.bars), default=0) or 1.0
