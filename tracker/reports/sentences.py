"""Sentences: every event as one plain line, rendered from the event alone.

Knows the words of the table. Knows no log and no book: what an event does not say is not said here
either, so the line cannot drift from the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

from tracker.campaign.events import (
    AdvancementTaken,
    AttackDiceShared,
    BionicFitted,
    BionicRuined,
    ChartRead,
    CreditsMoved,
    DecisionTaken,
    Event,
    ExperienceGained,
    ExperienceSpent,
    FateDecided,
    FighterPromoted,
    GloryChanged,
    HelpNotCounted,
    ItemMoved,
    LastingDamageSuffered,
    LastingInjurySuffered,
    LocationFound,
    MoraleTested,
    PromotionDieSpent,
    RansomSettled,
    RatingRecorded,
    ReinforcementsCalled,
    RollConfirmed,
    RollMade,
    RuleNoted,
    RulingMade,
    ShellShockTested,
    ShotFired,
    ThresholdRaised,
    VehicleDamaged,
    WarbandExplored,
)
from tracker.campaign.evolve.gangs import GangEvent
from tracker.campaign.evolve.harm import HarmEvent
from tracker.campaign.evolve.mutations import MutationEvent
from tracker.campaign.evolve.nerve import NerveEvent
from tracker.campaign.evolve.post_battle import PostBattleEvent
from tracker.campaign.evolve.vehicles import VehicleEvent
from tracker.campaign.evolve.warbands import WarbandEvent
from tracker.dice import Die
from tracker.reports.asked import command_words
from tracker.reports.campaign_words import CampaignEvent, campaign_sentence
from tracker.reports.cards import plain
from tracker.reports.dispute_words import DisputeEvent, dispute_sentence, ruling_words
from tracker.reports.fighting_words import FightingEvent, fighting_sentence
from tracker.reports.flight_words import FLIGHT_ROLLS, FlightEvent, flight_sentence
from tracker.reports.harm_words import harm_sentence
from tracker.reports.holdings_words import gang_sentence
from tracker.reports.injury_words import InjuryEvent, injury_sentence
from tracker.reports.marker_words import MarkerEvent, marker_sentence
from tracker.reports.mutation_words import MUTATION_ROLLS, mutation_sentence
from tracker.reports.names import Names
from tracker.reports.nerve_words import NERVE_ROLLS, nerve_sentence
from tracker.reports.paper import safe
from tracker.reports.post_battle_words import POST_BATTLE_ROLLS, post_battle_sentence
from tracker.reports.shooting_words import SHOOTING_ROLLS, ShootingEvent, shooting_sentence
from tracker.reports.vehicle_sentences import vehicle_sentence
from tracker.reports.warband_words import WARBAND_ROLLS, warband_sentence

__all__ = [
    "Names",
    "command_words",
    "dice_words",
    "die_words",
    "gain_words",
    "roll_words",
    "section_of",
    "sentence",
]

_ROLLS = {
    **SHOOTING_ROLLS,
    **POST_BATTLE_ROLLS,
    **WARBAND_ROLLS,
    "wound": "wound roll",
    "save": "save roll",
    "location": "Location die",
    "vehicle_damage": "Damage die",
    "handling": "Handling test",
    "control": "Control die",
    "control_direction": "direction",
    "weapon_at_random": "weapon at random",
    "crew_injury": "Lasting Injury roll of the crew",
    "lasting_damage": "Lasting Damage roll",
    "thrown_clear": "Initiative test",
    "melee_hit": "hit roll",
    "injury": "Injury die",
    "lasting_injury": "Lasting Injury roll",
    "multiple_injuries_count": "number of further Lasting Injury rolls",
    "multiple_injuries": "further Lasting Injury roll",
    "lesson_learned": "Lesson Learned roll",
    "old_battle_wound": "Old Battle Wound roll",
    **NERVE_ROLLS,
    **FLIGHT_ROLLS,
    **MUTATION_ROLLS,
    "injury_chart": "Injury Chart die",
    "bloodbath": "Bloodbath die",
    "risky_stand": "die of the RISKY ACTION to stand",
    "troop_fate": "fate roll",
    "trauma": "Trauma roll",
    "bitter_lessons": "Bitter Lessons roll",
}


def sentence(event: Event, names: Names, *, whose: bool = False) -> str:
    """One line for one event. `whose` puts the fighter before a roll, where no heading names them."""
    if isinstance(event, RollMade):
        return _roll(event, names, whose=whose)
    return _CHAPTER_OF[type(event)](event, names)


def section_of(event: Event) -> str | None:
    """The rule that the event rests on, as the book's heading; None where the event names none."""
    match event:
        case (
            RollMade()
            | RuleNoted()
            | LastingInjurySuffered()
            | ExperienceGained()
            | ChartRead()
            | FateDecided()
            | VehicleDamaged()
            | LastingDamageSuffered()
        ):
            return safe(event.section) or None
        case AttackDiceShared() | HelpNotCounted() | ShotFired():
            return safe(event.section) or None
        case CreditsMoved() | ItemMoved() | RatingRecorded():
            return safe(event.section) or None
        case ExperienceSpent() | AdvancementTaken() | FighterPromoted() | BionicFitted() | BionicRuined():
            return safe(event.section) or None
        case ThresholdRaised() | ReinforcementsCalled() | WarbandExplored() | LocationFound():
            return safe(event.section) or None
        case PromotionDieSpent() | GloryChanged() | RansomSettled() | ShellShockTested() | MoraleTested():
            return safe(event.section) or None
        case _:
            return None


def roll_words(purpose: str) -> str:
    """'wound' as 'wound roll'."""
    return _ROLLS.get(purpose) or f"{plain(purpose)} roll"


def die_words(die: Die) -> str:
    """A die as it lay on the table: 'wound roll 4', 'Lasting Injury roll 4-6'."""
    return f"{roll_words(die.purpose)} {plain(die.shown())}{_by_tool(die.source)}"


def dice_words(dice: tuple[Die, ...]) -> str:
    """Several dice in a row; 'none' for none."""
    return ", ".join(die_words(die) for die in dice) or "none"


def gain_words(event: ExperienceGained, names: Names) -> str:
    """Why XP was gained; the enemy is named where the reason does not do so itself."""
    reason = plain(event.reason)
    if event.victim is None or safe(names.fighters.get(event.victim, event.victim)) in reason:
        return reason
    return f"{reason} ({names.fighter(event.victim)})"


def _roll(event: RollMade, names: Names, *, whose: bool) -> str:
    # Outcomes may say first what was compared: "Strength 3 against Toughness 3: wounds".
    compared, _, outcome = plain(event.outcome).rpartition(": ")
    shown = "-".join(str(face) for face in event.faces) or plain(event.symbol or "")
    said = roll_words(event.purpose)
    if shown and shown.casefold() != outcome.casefold():
        said += f" {shown}"
    said += f", {compared}" if compared else ""
    said += "".join(f", {plain(modifier.why)} {modifier.by:+d}" for modifier in event.modifiers)
    needs = f" (needs {event.target}+)" if event.target is not None else ""
    before = f"{names.fighter(event.fighter)}: " if whose and event.fighter is not None else ""
    return f"{before}{said}{needs}{_by_tool(event.source)}: {outcome}"


def _by_tool(source: str) -> str:
    return _SOURCES.get(source, "")


_SOURCES: Final = {
    "generated": ", rolled by the tool",
    "reported": ", rolled by the tool as the report says",
    "ruling": ", set by ruling",
}


def _ruling(event: RulingMade) -> str:
    verdict = ruling_words(event.dispute, event.verdict, reverses=event.reverses)
    if event.verdict == "house_rules":
        verdict += f" {safe(event.outcome)}"
    elif event.outcome is not None:
        verdict += f" as {plain(event.outcome)}"
    if event.before is not None and event.after is not None:
        verdict += (
            f", {die_words(event.before)} -> {plain(event.after.shown())}{_by_tool(event.after.source)}"
        )
    elif (die := event.before or event.after) is not None:
        verdict += f", {die_words(die)}"
    return f"{verdict}: {safe(event.reason)}"


def _gained(event: ExperienceGained, names: Names) -> str:
    return f"{names.fighter(event.fighter)} gains {event.amount} XP: {gain_words(event, names)}"


def _not_rolled(event: RuleNoted, names: Names) -> str:
    return f"no roll for {names.fighter(event.fighter)}: {plain(event.why)}"


def _confirmed(event: RollConfirmed, _names: Names) -> str:
    return f"{safe(event.witness)} confirms {die_words(event.die)} of entry {event.target_entry}"


_CHAPTER_OF: dict[type, Callable[[Any, Names], str]] = {
    kind: chapter
    for events, chapter in (
        (CampaignEvent, campaign_sentence),
        (HarmEvent, harm_sentence),
        (InjuryEvent, injury_sentence),
        (MarkerEvent, marker_sentence),
        (FightingEvent, fighting_sentence),
        (FlightEvent, flight_sentence),
        (NerveEvent, nerve_sentence),
        (ShootingEvent, shooting_sentence),
        (MutationEvent, mutation_sentence),
        (VehicleEvent, vehicle_sentence),
        (GangEvent, gang_sentence),
        (PostBattleEvent, post_battle_sentence),
        (WarbandEvent, warband_sentence),
        (DisputeEvent, dispute_sentence),
    )
    for kind in get_args(events)
} | {
    DecisionTaken: lambda event, names: command_words(event.command, names),
    ExperienceGained: _gained,
    RuleNoted: _not_rolled,
    RulingMade: lambda event, _names: _ruling(event),
    RollConfirmed: _confirmed,
}
