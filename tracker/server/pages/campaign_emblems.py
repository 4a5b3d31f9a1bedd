"""The emblems of a campaign's gangs, for a page that shows some of them.

Knows the gangs and the order in which they joined.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from markupsafe import Markup

from tracker.server.pages import emblems
from tracker.server.pages.emblems import Emblem
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import addressed, here


class CampaignEmblems:
    """Computed on first use."""

    def __init__(self, request: PageRequest) -> None:
        self._request = request

    @cached_property
    def _made(self) -> Mapping[str, Emblem]:
        request = self._request
        return request.kept(
            "emblems", lambda: emblems.of_gangs(request.boards.state_at(request.known_campaign).gangs)
        )

    def _of(self, gang: str) -> Emblem:
        return self._made.get(gang) or emblems.of_gang(gang)

    @cached_property
    def _uploaded(self) -> Mapping[str, str]:
        """The digests of uploaded pictures, which are not in the log."""
        request = self._request
        return request.tracker.emblems.of(request.campaign) if request.campaign is not None else {}

    def shown(self, gang: str, size: str = "") -> Markup:
        """The emblem, "small", "large" or in between. It is decorative: the gang's name is beside it."""
        digest = self._uploaded.get(gang)
        if digest is None:
            return self._of(gang).svg(size)
        part = "large" if size == "large" else "small"
        return Markup('<img class="emblem{}" src="{}" alt="" width="64" height="64">').format(
            size and f" {size}",
            f"{here(self._request, '/gangs/' + addressed(gang))}/emblem/{part}?v={digest}",
        )

    def colour(self, gang: str) -> str:
        """The CSS class with the gang's colour."""
        return f"gang-{self._of(gang).colour}"
