"""Which page stands where: its path, its template, the right that it needs, and what gives its data.

A page whose view asks for several commands needs the right of each; without `right` there is no page at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from tracker.server.pages import campaigns
from tracker.server.pages.asking import Asking
from tracker.server.pages.forms import Filled, See

View: TypeAlias = Callable[[Asking], Mapping[str, Any]]
"""What the template is given. Runs in a reading thread, all of it of one moment."""
Act: TypeAlias = Callable[[Asking, Filled], See]
"""What a form does, in a writing thread. What it refuses is said on the page again, with what was typed."""


class PageRoute(NamedTuple):
    """A page."""

    path: str
    """`{campaign}` is the campaign, every other name in braces is for the view."""
    template: str
    right: str
    """An operation of the table of rights."""
    view: View
    for_strangers: bool = False
    """Whether it says something to who is not signed in."""
    called: str = ""
    """In the campaign's navigation; empty for what is reached from another page."""


class FormRoute(NamedTuple):
    """A form that was sent: POST to `path`."""

    path: str
    right: str
    act: Act
    template: str
    view: View
    """The page that shows the form: it is shown again where the form is refused."""


HERE: Final = "/campaigns/{campaign}"

PAGES: Final = (
    PageRoute("/", "home", "campaign list", campaigns.home, for_strangers=True),
    PageRoute(HERE, "campaign", "standings show", campaigns.campaign, called="Standings"),
)

FORMS: Final[tuple[FormRoute, ...]] = ()
