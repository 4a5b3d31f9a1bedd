"""Sentences: every event as one plain line, rendered from the event alone.

Knows the words of the table. Knows no log and no book: what an event does not say is not said here
either, so the line cannot drift from the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from tracker.campaign import records
from tracker.campaign.evolve.disputes import DisputeEvent
from tracker.reports.asked import command_words
from tracker.reports.dice_words import roll_sentence
from tracker.reports.dispute_words import dispute_sentence
from tracker.reports.names import Names
from tracker.reports.paper import safe

__all__ = [
    "Names",
    "command_words",
    "section_of",
    "sentence",
]


def sentence(event: records.Event, names: Names, *, whose: bool = False) -> str:
    """One line for one event. `whose` puts the fighter before a roll, where no heading names them."""
    if isinstance(event, records.RollMade):
        return roll_sentence(event, names, whose=whose)
    chapter = _CHAPTER_OF.get(type(event))
    return event.in_words(names) if chapter is None else chapter(event, names)


def section_of(event: records.Event) -> str | None:
    """The rule that the event rests on, as the book's heading; None where the event names none."""
    match event:
        case (
            records.RollMade()
            | records.RuleNoted()
            | records.LastingInjurySuffered()
            | records.ExperienceGained()
            | records.ChartRead()
            | records.FateDecided()
            | records.VehicleDamaged()
            | records.LastingDamageSuffered()
        ):
            return safe(event.section) or None
        case records.AttackDiceShared() | records.HelpNotCounted() | records.ShotFired():
            return safe(event.section) or None
        case records.CreditsMoved() | records.ItemMoved() | records.RatingRecorded():
            return safe(event.section) or None
        case (
            records.ExperienceSpent()
            | records.AdvancementTaken()
            | records.FighterPromoted()
            | records.BionicFitted()
            | records.BionicRuined()
        ):
            return safe(event.section) or None
        case (
            records.ThresholdRaised()
            | records.ReinforcementsCalled()
            | records.WarbandExplored()
            | records.LocationFound()
        ):
            return safe(event.section) or None
        case (
            records.PromotionDieSpent()
            | records.GloryChanged()
            | records.RansomSettled()
            | records.ShellShockTested()
            | records.MoraleTested()
        ):
            return safe(event.section) or None
        case _:
            return None


_CHAPTER_OF: dict[type, Callable[[Any, Names], str]] = {
    kind: chapter for events, chapter in ((DisputeEvent, dispute_sentence),) for kind in get_args(events)
} | {
    records.DecisionTaken: lambda event, names: command_words(event.command, names),
}
