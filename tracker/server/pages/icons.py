"""The icons of pages, by name: each is a symbol of a sprite that is made from a locked package.

Knows no page. After adding a name, run `requirements/pages/make_icons.py`, which makes the sprites.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from tracker.server.pages import assets

ICONS: Final = (
    "badge-check", "bed", "book-open", "calendar-days", "chart-line", "check", "chevron-right",
    "circle-alert", "circle-help", "coins", "copy", "dices", "door-open", "ellipsis", "eye", "flag",
    "footprints", "gavel", "git-compare", "hammer", "handshake", "heart-crack", "heart-pulse", "history",
    "house", "image-up", "info", "key", "link", "lock", "log-in", "log-out", "map-pin", "medal",
    "megaphone", "menu", "notebook-pen", "pencil", "percent", "plus", "printer", "qr-code", "scale",
    "scroll-text", "search", "settings", "share-2", "shield", "shopping-cart", "skull", "star", "swords",
    "target", "trash-2", "trending-up", "triangle-alert", "trophy", "undo-2", "user", "user-plus", "users",
    "x",
)  # fmt: skip
"""The icons beside words of a page."""
CHARGES: Final = (
    "anchor", "axe", "biohazard", "bird", "bomb", "bone", "bug", "cat", "cog", "crosshair", "crown",
    "drill", "droplet", "eye", "factory", "feather", "fish", "flame", "fuel", "gem", "ghost", "hammer",
    "hand", "key", "moon", "mountain", "orbit", "paw-print", "pickaxe", "pyramid", "radiation", "rat",
    "sailboat", "shovel", "siren", "skull", "snail", "spade", "sprout", "squirrel", "star", "sun", "sword",
    "swords", "target", "tent", "tornado", "turtle", "venetian-mask", "wheat", "wind", "worm", "wrench",
    "zap",
)  # fmt: skip
"""The charges of emblems."""


def icon(name: str) -> Markup:
    """The icon in the size of the text around it. It is decorative: the text says the same."""
    assert name in ICONS, name
    return Markup('<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>').format(
        assets.address("icons.svg"), name
    )
