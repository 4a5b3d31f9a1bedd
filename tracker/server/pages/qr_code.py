"""A link as a QR code: inline SVG, black on white in every theme."""

from __future__ import annotations

from typing import Final

import segno
from markupsafe import Markup

_SCALE: Final = 5
_QUIET: Final = 4
"""The empty modules around it that a phone needs."""


def svg(link: str) -> Markup:
    """The SVG, without anything that the content security policy refuses."""
    drawn = segno.make(link, error="m", micro=False)
    text = drawn.svg_inline(scale=_SCALE, border=_QUIET, dark="#000", light="#fff")
    return Markup(text)  # noqa: S704  # shapes alone; the link stands in them as squares
