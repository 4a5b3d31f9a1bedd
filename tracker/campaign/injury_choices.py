"""Choices between Injury dice: whose owner kept one of two, as the events of an entry tell it.

Knows events. Knows no rule: which of two counts is decided in `steps/injury_dice.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tracker.campaign import records
from tracker.records import Record

KEEPS: Final = "keeps "
"""How the note begins that says which die counts."""


class InjuryChoice(Record):
    """Two Injury dice that show different things, and which of them counts."""

    fighter: str
    rolled: tuple[str, ...]
    kept: str


def injury_choices(events: Iterable[records.Event]) -> Iterator[InjuryChoice]:
    """Every choice between different Injury dice, in the order of the events."""
    rolled: list[records.RollMade] = []
    for happened in events:
        if isinstance(happened, records.RollMade) and happened.purpose == "injury":
            rolled.append(happened)
        elif isinstance(happened, records.RuleNoted) and happened.why.startswith(KEEPS):
            shown = [roll.symbol or "" for roll in rolled[-2:] if roll.fighter == happened.fighter]
            kept = happened.why.removeprefix(KEEPS).replace(" ", "_")
            if kept in shown and len(set(shown)) > 1:
                yield InjuryChoice(fighter=happened.fighter, rolled=tuple(shown), kept=kept)
