"""Harm done on the table, one line for each event."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.harm import HarmEvent
from tracker.reports.cards import counted, inches, plain
from tracker.reports.names import Names, by_whom
from tracker.reports.paper import safe

WHY_OUT = {
    "recovery_test": ", by the Recovery test",
    "succumbed": ", succumbing after the battle",
    "webbed": ", still Webbed",
}
_OUTCOMES = {
    "flesh_wound": "has a Flesh Wound",
    "serious_injury": "is Seriously Injured",
    "out_of_action": "is Out of Action",
}


def harm_sentence(event: HarmEvent, names: Names) -> str:
    """One line for one event of harm in a battle."""
    who = names.fighter(event.fighter)
    match event:
        case records.WoundsLost():
            lost = counted(event.wounds_lost, "Wound")
            return f"{who} loses {lost}{by_whom(event.by, names, 'to')}: {event.wounds_left} left"
        case records.FleshWoundsSuffered():
            wounds = "a Flesh Wound" if event.flesh_wounds == 1 else f"{event.flesh_wounds} Flesh Wounds"
            left = f"Toughness {event.toughness} until the battle ends"
            return f"{who} suffers {wounds}{by_whom(event.by, names, 'from')}: {left}"
        case records.SeriousInjurySuffered():
            where = " in close combat" if event.in_close_combat else ""
            return f"{who} is Seriously Injured{where}{by_whom(event.by, names)}"
        case records.FighterWebbed():
            return f"{who} is Webbed{by_whom(event.by, names)}"
        case records.FighterPinned():
            return f"{who} is Prone and Pinned"
        case records.FighterWentOutOfAction():
            return _out_of_action(event, names)
        case records.FighterUnpinned():
            if event.charged_by is None:
                return f"{who} stands up, Pinned no more"
            return f"{who} is Standing and Engaged, charged by {names.fighter(event.charged_by)}"
        case _:
            assert_never(event)


def hit_asked(command: records.HitCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.ResolveHit():
            return _hit(command, names)
        case records.RollInjuryDice():
            dice = counted(command.injury_dice, "Injury die", "Injury dice")
            attacker = by_whom(command.attacker, names)
            return f"{dice} for {names.fighter(command.target)}{attacker}: {plain(command.why)}"
        case records.StateOutcome():
            how = ", Coup de Grace" if command.coup_de_grace else ""
            outcome = f"{names.fighter(command.target)} {_OUTCOMES[command.outcome]}"
            return f"stated: {outcome}{by_whom(command.attacker, names)}{how}"
        case records.ResolveFall():
            return f'fall: {names.fighter(command.target)}, {inches(command.distance_hundredths)}"'
        case _:
            assert_never(command)


def _hit(command: records.ResolveHit, names: Names) -> str:
    weapon = safe(command.weapon) if command.weapon is not None else ""
    if not weapon and command.profile is not None:
        weapon = safe(command.profile.name)
    if command.profile_name:
        weapon = f"{weapon} ({safe(command.profile_name)})" if weapon else safe(command.profile_name)
    attacker = names.fighter(command.attacker) if command.attacker is not None else ""
    whose = f"{attacker}'s {weapon}" if attacker and weapon else attacker or weapon
    on = f"on {names.fighter(command.target)}"
    return f"hit: {whose} {on}" if whose else f"hit {on}"


def _out_of_action(event: records.FighterWentOutOfAction, names: Names) -> str:
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
