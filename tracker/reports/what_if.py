"""What if: the season under other house rules, entry by entry and card by card.

Knows what became of each slot and the states before and after. Nothing can come of it, so nobody has to
settle anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tracker.campaign.rulings.absences import Absence
from tracker.campaign.rulings.next_die import Outcome
from tracker.reports.absences import battles_missed, facts_data
from tracker.reports.cards import counted, numbers_listed
from tracker.reports.dice_words import roll_words
from tracker.reports.differences import Difference
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.names import Names
from tracker.reports.odds import chance_data, percent
from tracker.reports.preview import (
    TAKEN_AS_PLAYED,
    Followed,
    consequence_lines,
    followed_data,
    unsettled_slots,
)

NextDice: TypeAlias = Mapping[int, tuple[str, Sequence[Outcome]]]
"""For each slot that lacks dice the purpose of the first, and what it would come out as."""


def what_if_text(
    *,
    adopting: Sequence[str],
    repealing: Sequence[str],
    from_battle: int,
    followed: Sequence[Followed],
    next_dice: NextDice,
    absences: Sequence[Absence],
    changes: Sequence[Difference],
    names: Names,
    unchanged: int,
) -> str:
    """What would stand otherwise, and every entry that would go otherwise."""
    said = [
        *(f"with {sanitize(one)}" for one in adopting),
        *(f"without {sanitize(one)}" for one in repealing),
    ]
    lines = [f"What if: {', '.join(said)}, from battle {from_battle} on. Nothing is written.", ""]
    lines += consequence_lines(followed, changes, names, unchanged=unchanged, absences=absences)
    for slot, (purpose, outcomes) in next_dice.items():
        lines += ["", f"Entry {slot}, the {roll_words(purpose)} that nobody made:"]
        for one in outcomes:
            more = " (and then more dice)" if one.more_dice else ""
            lines.append(f"  {one.chance!s:>6} ({percent(one.chance)})  {sanitize(one.outcome)}{more}")
    if left_open := unsettled_slots(followed):
        lines += [
            "",
            f"Left open: {counted(len(left_open), 'entry', 'entries')} ({numbers_listed(left_open)}).",
            TAKEN_AS_PLAYED,
        ]
    return "\n".join(lines)


def what_if_json(
    *,
    adopting: Sequence[str],
    repealing: Sequence[str],
    from_battle: int,
    followed: Sequence[Followed],
    next_dice: NextDice,
    absences: Sequence[Absence],
    changes: Sequence[Difference],
    names: Names,
    unchanged: int,
) -> str:
    """The same for programs."""
    return json_text(
        "what-if",
        {
            "with": list(adopting),
            "without": list(repealing),
            "from_battle": from_battle,
            "differences": [dict(one) for one in changes],
            "battles_missed": battles_missed(absences),
            "absences": facts_data(absences),
            "unchanged": unchanged,
            "next_dice": [
                {
                    "slot": slot,
                    "purpose": purpose,
                    "outcomes": [
                        {**chance_data(one.chance), "outcome": one.outcome, "more_dice": one.more_dice}
                        for one in outcomes
                    ],
                }
                for slot, (purpose, outcomes) in next_dice.items()
            ],
            "slots": [followed_data(one, names) for one in followed],
        },
    )
