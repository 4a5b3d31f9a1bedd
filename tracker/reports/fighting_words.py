"""Close combat, one line for each event."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.reports.cards import counted, plain
from tracker.reports.names import Names
from tracker.reports.paper import safe

FightingEvent: TypeAlias = (
    records.AttackDiceShared | records.HelpNotCounted | records.FightResolved | records.FighterConsolidated
)


def fighting_sentence(event: FightingEvent, names: Names) -> str:
    """One line for one event of close combat."""
    who = names.fighter(event.fighter)
    match event:
        case records.AttackDiceShared():
            return _attack_dice(event, names)
        case records.HelpNotCounted():
            held_by = ", ".join(names.fighter(one) for one in event.held_by)
            against, busy = names.fighter(event.against), f"engaged with {held_by} too"
            if event.interference:
                return f"{who} does not interfere with {against}: {busy}"
            return f"{who} gives no assist against {against}: {busy}"
        case records.FightResolved():
            done = "Reaction attacks" if event.reaction else "close combat attacks"
            reactors = ", ".join(names.fighter(one) for one in event.may_react)
            return f"{who}: {done} done" + (f"; may react: {reactors}" if reactors else "")
        case records.FighterConsolidated():
            return f'{who} consolidates: moves up to {event.up_to_inches}"'
        case _:
            assert_never(event)


def fighting_asked(command: records.FightingCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.Fight():
            return _fight(command, names)
        case records.CoupDeGrace():
            return f"Coup de Grace: {names.fighter(command.attacker)} on {names.fighter(command.target)}"
        case records.Unpin():
            return f"{names.fighter(command.fighter)} stands up"
        case _:
            assert_never(command)


def _fight(command: records.Fight, names: Names) -> str:
    what = "reaction" if command.reaction else "charge" if command.charging else "fight"
    weapons = " and ".join(safe(one.weapon) for one in command.weapons) or "unarmed"
    targets = " and ".join(names.fighter(target.model) for target in command.targets)
    return f"{what}: {names.fighter(command.attacker)} with {weapons} on {targets}".replace(
        "with unarmed", "unarmed"
    )


def _attack_dice(event: records.AttackDiceShared, names: Names) -> str:
    dice = counted(sum(share.attack_dice for share in event.shares), "Attack dice", "Attack dice")
    added = "".join(f", {plain(one.why)} {one.by:+d}" for one in event.added)
    shares = ", ".join(f"{safe(one.weapon) or 'unarmed'} {one.attack_dice}" for one in event.shares)
    return f"{names.fighter(event.fighter)} has {dice} (Attacks {event.attacks}{added}): {shares}"
