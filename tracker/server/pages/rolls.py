"""The marks beside a roll: its witnesses, its open dispute, and what the reader may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tracker.dice import FROM_PEOPLE
from tracker.reports.people import TODAY
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import why_struck
from tracker.service.roll_witnesses import Confirmed

EXPLAINED: Final[Mapping[str, str]] = {
    "ExperienceGained": "xp",
    "ExperienceSpent": "xp",
    "LastingInjurySuffered": "injuries",
    "WentIntoRecovery": "status",
    "WentIntoConvalescence": "status",
    "FighterDied": "status",
}
"""The number that an event changes, by `explain`'s name, for events that do not name it."""


class RollMarks(NamedTuple):
    """One roll's."""

    witnesses: tuple[str, ...]
    unwitnessed: bool
    dispute: int | None
    may_dispute: bool
    may_confirm: bool


class CampaignRollMarks(NamedTuple):
    """The marks of all rolls of a campaign."""

    confirmed: Mapping[Confirmed, tuple[str, ...]]
    disputes: Mapping[str, int]
    """The open disputes, by the address of the disputed event."""
    request: PageRequest
    may_dispute: bool
    may_confirm: bool
    why_struck: Callable[[int], str]
    """The reason of a ruling, by its entry."""

    @classmethod
    def of(cls, request: PageRequest) -> CampaignRollMarks:
        """The marks for this person."""
        rows = request.boards.disputes(request.known_campaign, is_open=True)
        return cls(
            confirmed=request.boards.confirmations(request.known_campaign),
            disputes={f"{row['target_entry']}.{row['target_position']}": row["dispute"] for row in rows},
            request=request,
            may_dispute=request.caller is not None and request.may("dispute open"),
            may_confirm=request.caller is not None and request.may("log confirm"),
            why_struck=why_struck(request),
        )

    def beside(self, event: Mapping[str, Any], entry: Mapping[str, Any]) -> RollMarks:
        """The marks of `event`, a roll of that entry, as reports have them."""
        roll, caller = event["data"], self.request.caller
        key = (event["slot"], roll["number"], roll["purpose"], tuple(roll["faces"]), roll["symbol"])
        witnesses = self.confirmed.get(key, ())
        me = {caller.actor, caller.name} if caller is not None else set()
        typed, counts = roll["source"] in FROM_PEOPLE, not entry.get("struck_out")
        return RollMarks(
            witnesses=tuple(self.request.tracker.name_on(who, TODAY) for who in witnesses),
            unwitnessed=typed and not witnesses,
            dispute=self.disputes.get(event["address"]),
            may_dispute=self.may_dispute and counts and event["address"] not in self.disputes,
            may_confirm=self.may_confirm and counts and typed and me.isdisjoint({entry["actor"], *witnesses}),
        )

    def entry_dispute(self, entry: int) -> int | None:
        """The open dispute about a whole entry, or None."""
        return self.disputes.get(f"{entry}.1")
