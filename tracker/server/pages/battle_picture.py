"""Draws a battle's preview picture for links in chat programs: headline and sides.

Knows a battle as its page shows it. The caller checks who may see it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from anyascii import anyascii

from tracker.reports.escaping import for_terminal
from tracker.server.pages import emblems

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

WIDE, HIGH = 1200, 630
"""The size that chat programs expect, 1.91 to 1."""
_GROUND, _INK, _FAINT, _MARK = "#1f1b18", "#f6f1ea", "#c9c0b5", "#ff9b73"
_LEFT: Final = 72
_LINES_MAX: Final = 3
_SIDES_MAX: Final = 4
_COLOURS: Final = 64
"""The number of colours: a small file with smooth letters."""


class Side(NamedTuple):
    """One gang of the picture."""

    name: str
    colour: str
    tally: str
    won: bool


def sides(
    found: Mapping[str, Any],
    name: Callable[[str], str],
    made: Mapping[str, emblems.Emblem],
    winner: str | None,
) -> list[Side]:
    """The sides from a battle's highlights."""
    return [
        Side(
            name=name(gang["gang"]),
            colour=emblems.COLOURS[made[gang["gang"]].colour],
            tally=f"{gang['took_out']} taken out, {gang['lost']} Out of Action, {gang['experience']} XP",
            won=gang["gang"] == winner,
        )
        for gang in found["gangs"]
    ]


def picture(*, kicker: str, headline: str, gangs: Sequence[Side], emblem: bytes | None = None) -> bytes:
    """The picture as PNG; `emblem` must be re-encoded by this program."""
    from PIL import Image, ImageDraw  # slow, and needed only for shared links

    image = Image.new("RGB", (WIDE, HIGH), _GROUND)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDE, 12), fill=_MARK)
    draw.text(
        (_LEFT, 64), _cut(draw, _shown(kicker), _font(36), WIDE - 2 * _LEFT), font=_font(36), fill=_FAINT
    )
    lines, font = _fitted(draw, _shown(headline))
    for number, line in enumerate(lines):
        draw.text((_LEFT, 122 + number * (font.size + 8)), line, font=font, fill=_INK)
    shown = gangs[:_SIDES_MAX]
    wide = (WIDE - 2 * _LEFT - 24 * (len(shown) - 1)) // max(1, len(shown))
    for number, gang in enumerate(shown):
        left = _LEFT + number * (wide + 24)
        draw.rounded_rectangle((left, 420, left + wide, 562), radius=14, fill=gang.colour)
        name = f"{gang.name} won" if gang.won else gang.name
        draw.text(
            (left + 24, 440), _cut(draw, _shown(name), _font(44), wide - 48), font=_font(44), fill="#ffffff"
        )
        draw.text(
            (left + 24, 500), _cut(draw, gang.tally, _font(32), wide - 48), font=_font(32), fill="#ffffff"
        )
    if emblem is not None:
        with Image.open(io.BytesIO(emblem), formats=("WEBP",)) as borne:
            shown_emblem = borne.convert("RGBA")
        image.paste(shown_emblem, (WIDE - _LEFT - shown_emblem.width, 216), shown_emblem)
    kept = io.BytesIO()
    image.quantize(_COLOURS).save(kept, "PNG", optimize=True)
    return kept.getvalue()


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    file = resources.files("tracker.server.pages").joinpath("static", "headings.woff2").read_bytes()
    return ImageFont.truetype(io.BytesIO(file), size)


def _shown(text: str) -> str:
    """The text with other scripts in Latin letters, which the font can draw."""
    return for_terminal(anyascii(text) if any(ord(letter) > 0x24F for letter in text) else text)


def _fitted(draw: ImageDraw.ImageDraw, text: str) -> tuple[list[str], ImageFont.FreeTypeFont]:
    """The headline in the largest size that fits in three lines."""
    *larger, smallest = (96, 80, 66)
    for size in larger:
        lines = _wrapped(draw, text, _font(size))
        if len(lines) <= _LINES_MAX:
            return lines, _font(size)
    font = _font(smallest)
    lines = _wrapped(draw, text, font)
    before, rest = lines[: _LINES_MAX - 1], lines[_LINES_MAX - 1 :]
    return [*before, _cut(draw, " ".join(rest), font, WIDE - 2 * _LEFT)], font


def _wrapped(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font=font) > WIDE - 2 * _LEFT and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _cut(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, wide: int) -> str:
    if draw.textlength(text, font=font) <= wide:
        return text
    while text and draw.textlength(f"{text}...", font=font) > wide:
        text = text[:-1]
    return f"{text.rstrip()}..."
