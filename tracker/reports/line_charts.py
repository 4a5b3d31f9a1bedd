"""Line charts as SVG: a few numbers over the battles, with the same numbers in words.

Knows points, scales and marks. Knows no campaign. A picture is one standalone element with a title and a
description for people who do not see it; dashes and marks distinguish its lines in grey. Its colours are
attributes, which a style sheet may change by the classes `f-ink` (fill) and `s-ink` (stroke).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count, pairwise
from operator import itemgetter

from tracker.reports.escaping import for_attribute
from tracker.reports.page import ChartLine, LineChart

LIGHT = {"paper": "#ffffff", "ink": "#1c1c1c", "faint": "#595959", "rule": "#c4c4c4"}
LINES_LIGHT = ("#1b5e9e", "#b3261e", "#2e6b2e", "#7a3e9d", "#8a5a00", "#00696b", "#9c2a6b", "#444444")
"""The colours of the lines; dashes and marks tell them apart without colour."""

WIDE, HIGH = 480, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 464, 22, 160
_TICKS_MAX = 5
_FLAT = 20
"""The smallest range of the scale, as a share: smaller differences do not fill the picture."""
_INSET = 16
_LABELS_MAX = 12
_VALUES_MAX = 8
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 3", "10 2 2 2 2 2")
_SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-4 -4h8v8h-8z",
    "M0 -5L5 4H-5z",
    "M0 -5L5 0L0 5L-5 0z",
    "M0 5L5 -4H-5z",
    "M-5 -2h3v-3h4v3h3v4h-3v3h-4v-3h-3z",
    "M-5 -5L5 5M5 -5L-5 5",
    "M-5 0H5M0 -5V5",
)


def picture(chart: LineChart) -> str:
    """The chart as one SVG element."""
    title, labels, lines, chart_id = chart.title, chart.labels, chart.lines, chart.id
    shown = [value for line in lines for value in line.values if value is not None]
    ticks = ticks_for(min(shown, default=0), max(shown, default=0))
    across = [_across(place, len(labels)) for place in range(len(labels))]
    parts = [_grid(ticks), _under(labels, across)]
    for number, line in enumerate(lines):
        points = [
            (x, _up(value, ticks)) for x, value in zip(across, line.values, strict=True) if value is not None
        ]
        parts.append(_drawn(points, number, marks=_marks(len(points), number)))
    if len(lines) == 1:
        parts.append(_numbers(lines[0], across, ticks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img"'
        f' aria-labelledby="{chart_id}-title {chart_id}-desc"'
        ' font-family="system-ui, sans-serif" font-size="11">\n'
        f'<title id="{chart_id}-title">{for_attribute(title)}</title>\n'
        f'<desc id="{chart_id}-desc">{for_attribute(in_words(labels, lines))}</desc>\n'
        + "\n".join(parts)
        + "\n</svg>"
    )


def swatch(number: int) -> str:
    """A short piece of a chart's line, for a legend."""
    return (
        '<svg viewBox="0 0 44 14" aria-hidden="true">'
        + _drawn([(2, 7), (22, 7), (42, 7)], number, marks=(1,))
        + "</svg>"
    )


def in_words(labels: Sequence[str], lines: Sequence[ChartLine]) -> str:
    """'Sump Rats: 950 (start), 970 (1)': every number if there are few, else the most telling ones."""
    words = []
    for line in lines:
        points = [
            (label, value) for label, value in zip(labels, line.values, strict=True) if value is not None
        ]
        if len(points) > _LABELS_MAX:
            low, high = min(points, key=itemgetter(1)), max(points, key=itemgetter(1))
            points = list(dict.fromkeys([points[0], low, high, points[-1]]))
        numbers = ", ".join(f"{value} ({label})" for label, value in points)
        words.append(f"{line.name}: {numbers or 'nothing yet'}")
    return "; ".join(words)


def ticks_for(low: int, high: int) -> list[int]:
    """Round numbers from the lowest (or less) to the highest (or more), a few steps apart."""
    spare = max(0, abs(high) // _FLAT - (high - low))
    low, high = low - spare // 2, high + (spare + 1) // 2
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if -(-high // step) - low // step < _TICKS_MAX)
    first = low // step * step
    last = max(-(-high // step) * step, first + step)
    return list(range(first, last + 1, step))


def _across(place: int, of: int) -> int:
    first, last = _LEFT + _INSET, _RIGHT - _INSET
    return (first + last) // 2 if of == 1 else first + place * (last - first) // (of - 1)


def _up(value: int, ticks: Sequence[int]) -> int:
    return _BOTTOM - (value - ticks[0]) * (_BOTTOM - _TOP) // (ticks[-1] - ticks[0])


def _grid(ticks: Sequence[int]) -> str:
    lines = []
    for tick in ticks:
        y = _up(tick, ticks)
        lines.append(
            f'<path d="M{_LEFT} {y}H{_RIGHT}" fill="none" {_stroke("rule", LIGHT["rule"])} stroke-width="1"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end"'
            f" {_fill('faint', LIGHT['faint'])}>{tick}</text>"
        )
    return "\n".join(lines)


def _under(labels: Sequence[str], across: Sequence[int]) -> str:
    apart = -(-len(labels) // _LABELS_MAX)
    shown = [place for place in range(len(labels)) if place % apart == 0]
    last = len(labels) - 1
    if shown and last not in shown:
        shown = [place for place in shown if last - place >= apart] + [last]
    return "\n".join(
        f'<text x="{across[place]}" y="{_BOTTOM + 18}" text-anchor="middle"'
        f" {_fill('faint', LIGHT['faint'])}>{for_attribute(labels[place])}</text>"
        for place in shown
    )


def _drawn(points: Sequence[tuple[int, int]], number: int, *, marks: Collection[int]) -> str:
    colour = LINES_LIGHT[number % len(LINES_LIGHT)]
    named = f"line{number % len(LINES_LIGHT)}"
    # Colours and marks repeat together, dashes one later each time, so that sixty-four lines differ.
    dash = _DASHES[(number + number // len(_DASHES)) % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    shape = _SHAPES[number % len(_SHAPES)]
    along = "".join(f"{'M' if not place else 'L'}{x} {y}" for place, (x, y) in enumerate(points))
    line = (
        f'<path d="{along}" fill="none" {_stroke(named, colour)} stroke-width="2"{dashed}/>'
        if len(points) > 1
        else ""
    )
    return line + "".join(
        f'<path d="{shape}" transform="translate({x} {y})" fill="{colour}" stroke="{colour}"'
        f' stroke-width="1.5" class="f-{named} s-{named}"/>'
        for place, (x, y) in enumerate(points)
        if place in marks
    )


def _marks(points: int, number: int) -> set[int]:
    """The points where a line has its mark: all if there are few, else some and the last."""
    apart = -(-points // _LABELS_MAX)
    return {place for place in range(points) if (place + number) % apart == 0} | {points - 1}


def _numbers(line: ChartLine, across: Sequence[int], ticks: Sequence[int]) -> str:
    points = [(x, value) for x, value in zip(across, line.values, strict=True) if value is not None]
    if len(points) > _VALUES_MAX:
        points = [points[0], points[-1]]
    elif points:
        # No number where it is unchanged.
        points = [points[0], *(new for old, new in pairwise(points) if old[1] != new[1])]
    return "\n".join(
        f'<text x="{x}" y="{_up(value, ticks) - 9}" text-anchor="middle"'
        f" {_fill('ink', LIGHT['ink'])}>{value}</text>"
        for x, value in points
    )


def _stroke(line: str, colour: str) -> str:
    return f'stroke="{colour}" class="s-{line}"'


def _fill(line: str, colour: str) -> str:
    return f'fill="{colour}" class="f-{line}"'
