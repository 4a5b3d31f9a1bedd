"""Harm done on the table, one line for each event."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign.events.battles import (
    FighterPinned,
    FighterWebbed,
    FighterWentOutOfAction,
    FleshWoundsSuffered,
    SeriousInjurySuffered,
    WoundsLost,
)
from tracker.campaign.events.fighting import FighterUnpinned
from tracker.campaign.evolve.harm import HarmEvent
from tracker.reports.cards import counted
from tracker.reports.names import Names, by_whom
from tracker.reports.nerve_words import WHY_OUT


def harm_sentence(event: HarmEvent, names: Names) -> str:
    """One line for one event of harm in a battle."""
    who = names.fighter(event.fighter)
    match event:
        case WoundsLost():
            lost = counted(event.wounds_lost, "Wound")
            return f"{who} loses {lost}{by_whom(event.by, names, 'to')}: {event.wounds_left} left"
        case FleshWoundsSuffered():
            wounds = "a Flesh Wound" if event.flesh_wounds == 1 else f"{event.flesh_wounds} Flesh Wounds"
            left = f"Toughness {event.toughness} until the battle ends"
            return f"{who} suffers {wounds}{by_whom(event.by, names, 'from')}: {left}"
        case SeriousInjurySuffered():
            where = " in close combat" if event.in_close_combat else ""
            return f"{who} is Seriously Injured{where}{by_whom(event.by, names)}"
        case FighterWebbed():
            return f"{who} is Webbed{by_whom(event.by, names)}"
        case FighterPinned():
            return f"{who} is Prone and Pinned"
        case FighterWentOutOfAction():
            return _out_of_action(event, names)
        case FighterUnpinned():
            if event.charged_by is None:
                return f"{who} stands up, Pinned no more"
            return f"{who} is Standing and Engaged, charged by {names.fighter(event.charged_by)}"
        case _:
            assert_never(event)


def _out_of_action(event: FighterWentOutOfAction, names: Names) -> str:
    why = ""
    if event.reason == "injury_dice" and event.out_of_action_dice > 1:
        why = f" on {event.out_of_action_dice} Injury dice"
    elif event.reason == "toughness":
        why = ", no Toughness left"
    elif event.reason == "vehicle_wrecked":
        why = ", in the wreck"
    elif event.reason == "stated":
        why = ", as stated"
    elif event.reason == "coup_de_grace":
        why = ", Coup de Grace"
    else:
        why = WHY_OUT.get(event.reason, "")
    # Some books decide after the battle what becomes of the fighter.
    rolls = counted(event.lasting_injury_rolls, "Lasting Injury roll") if event.lasting_injury_rolls else ""
    goes = "goes" if event.by is None else "is taken"
    said = f"{names.fighter(event.fighter)} {goes} Out of Action{by_whom(event.by, names)}{why}"
    return f"{said}: {rolls}" if rolls else said
