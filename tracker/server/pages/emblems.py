"""A gang's colour and emblem, computed from its id: the same on every page, machine and day.

Knows no campaign and no uploaded pictures.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from markupsafe import Markup

from tracker.server.pages import assets
from tracker.server.pages.icons import CHARGES

COLOURS: Final = (
    "#b3401f", "#2f6690", "#4a7326", "#7d3c98", "#8a5a00", "#0d7377", "#a61e4d", "#52606d", "#4a4ea8",
    "#7a4a2b", "#1b7a57", "#99308f",
)  # fmt: skip
"""The field colours, each with a contrast of 4.5 to white; `style.css` has them as `--gang0` and so on."""
_SHAPES: Final = (
    "M16 1 29 5v11c0 7-5 12-13 15C8 28 3 23 3 16V5z",
    "M16 1a15 15 0 1 1 0 30a15 15 0 1 1 0-30z",
    "M16 1 29 8.5v15L16 31 3 23.5v-15z",
    "M4 2h24a2 2 0 0 1 2 2v24a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z",
)
"""Outlines: a shield, a disc, a hexagon, a badge."""
_PARTS: Final = (
    "",
    "M0 0h16v32H0z",
    "M0 32 32 0v32z",
    "M0 22 16 12 32 22V32H0z",
    "M0 0h32v9H0z",
    "M0 0h16v16h16v16H16V16H0z",
    "M0 12h32v8H0z",
    "M0 0l16 16L32 0z",
)
"""The ordinaries over the field: none, half, a bend, a chevron, a chief, quarters, a bar, a pile."""


class Emblem(NamedTuple):
    """A gang's emblem."""

    colour: int
    """The index in COLOURS, and the number in the class `gang-N`."""
    shape: int
    part: int
    charge: str

    def svg(self, size: str = "") -> Markup:
        """The emblem as SVG, decorative beside the gang's name. `size` is a class of the style sheet."""
        shape, part = _SHAPES[self.shape], _PARTS[self.part]
        over = Markup('<path class="part" d="{}" clip-path="url(#emblem-{})"/>').format(part, self.shape)
        return Markup(
            '<svg class="emblem {}gang-{}" viewBox="0 0 32 32" aria-hidden="true" focusable="false">'
            '<path class="field" d="{}"/>{}<use href="{}#{}" x="8" y="7.5" width="16" height="16"/></svg>'
        ).format(
            size and f"{size} ",
            self.colour,
            shape,
            over if part else "",
            assets.address("emblems.svg"),
            self.charge,
        )


def of_gang(gang: str) -> Emblem:
    """The emblem of a gang by itself."""
    digest = hashlib.sha256(gang.encode()).digest()
    return Emblem(
        colour=digest[0] % len(COLOURS),
        shape=digest[1] % len(_SHAPES),
        part=digest[2] % len(_PARTS),
        charge=CHARGES[digest[3] % len(CHARGES)],
    )


def of_gangs(gangs: Iterable[str]) -> Mapping[str, Emblem]:
    """The emblems of a campaign's gangs, in the order of joining: a later gang takes a free colour and
    charge.
    """
    made: dict[str, Emblem] = {}
    for gang in gangs:
        own = of_gang(gang)
        taken = {emblem.colour for emblem in made.values()}
        borne = {emblem.charge for emblem in made.values()}
        if len(taken) < len(COLOURS):
            while own.colour in taken:
                own = own._replace(colour=(own.colour + 1) % len(COLOURS))
        if len(borne) < len(CHARGES):
            while own.charge in borne:
                own = own._replace(charge=CHARGES[(CHARGES.index(own.charge) + 1) % len(CHARGES)])
        made[gang] = own
    return made


def clip_paths() -> Markup:
    """The clip paths of the emblems, needed once on a page."""
    cut = Markup("").join(
        Markup('<clipPath id="emblem-{}"><path d="{}"/></clipPath>').format(number, shape)
        for number, shape in enumerate(_SHAPES)
    )
    return Markup('<svg class="unseen" aria-hidden="true" focusable="false"><defs>{}</defs></svg>').format(
        cut
    )
