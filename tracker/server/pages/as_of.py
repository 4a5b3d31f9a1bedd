"""The point in time of a page: after which battle, and as it was known then or as it is known today.

Knows the battles of a campaign and the commands' options for points in time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tracker.errors import BadInput
from tracker.reports.page import Row
from tracker.server.pages.page_request import PageRequest
from tracker.service.as_of import NOW, AsOf, is_count


class NoSuchMoment(BadInput):
    """'after' takes the number of a battle from 1 to {last}, and 'as' takes 'then' or 'today'."""

    last: int


class TimeChoice(NamedTuple):
    """The content of the time form at the head of a page."""

    battles: Sequence[Row]
    """All battles, in order of play."""
    after: int | None = None
    """The number of the battle; None for now."""
    as_then: bool = False
    """Whether to show what was believed when that battle ended, before later rulings."""

    @classmethod
    def of(cls, request: PageRequest) -> TimeChoice:
        """The choice in the address: '?after=3&as=then'. Raises NoSuchMoment."""
        battles, _state = request.boards.battles(request.known_campaign)
        after, how = request.query.get("after", ""), request.query.get("as", "today")
        last = len(battles)
        if how not in ("then", "today") or (after and not is_count(after)):
            raise NoSuchMoment(last=last)
        if not after or int(after) == last + 1:
            return cls(battles)
        if not 1 <= int(after) <= last:
            raise NoSuchMoment(last=last)
        closed = battles[int(after) - 1]["closed"]
        if closed is None:  # still under way: that is the present
            return cls(battles)
        return cls(battles, int(after), how == "then")

    @property
    def is_now(self) -> bool:
        """Whether it is the present."""
        return self.after is None

    @property
    def battle(self) -> Row | None:
        """The row of the battle, or None."""
        return None if self.after is None else self.battles[self.after - 1]

    @property
    def entry(self) -> int | None:
        """The entry that closed the battle, if the page shows what was known then; else None."""
        return int(self.battles[self.after - 1]["closed"]["slot"]) if self.after and self.as_then else None

    @property
    def as_of(self) -> AsOf:
        """The point for the boards."""
        if self.after is None:
            return NOW
        if self.as_then:
            return AsOf(clock="entry", value=str(self.entry))
        return AsOf(clock="battle", value=str(self.after))

    @property
    def given(self) -> Mapping[str, Any]:
        """The point as options of commands."""
        if self.after is None:
            return {}
        return {"as_of_entry": self.entry} if self.as_then else {"as_of_battle": str(self.after)}

    @property
    def query(self) -> str:
        """The query for links: '?after=3&as=then', or nothing."""
        if self.after is None:
            return ""
        return "?" + urlencode({"after": self.after, **({"as": "then"} if self.as_then else {})})
