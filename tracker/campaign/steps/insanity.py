"""Insanity: the activation of an insane fighter, and the Willpower test that ends it.

Source: Core Rulebook (2023) · Conditions · Insane.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import conditions
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.rules.necromunda import nerve as rules


@handles(records.ActivateInsane)
def activate_insane(decision: Decision, command: records.ActivateInsane) -> None:
    """A D6: the fighter breaks (or flees, if Broken already), is controlled by an opponent, or acts as
    normal.
    """
    now = decision.combatant(command.fighter, what="an activation")
    fighter = decision.fighter(command.fighter)
    if not now.insane:
        raise records.NotInCondition(model=fighter.name, condition="Insane", key="insane")
    controls = _opponent(decision, command)
    conditions.end(decision, command.fighter, "blind")
    numbers = decision.rulebook.book.conditions.insane
    breaks, controlled = numbers.breaks_up_to, numbers.controlled_up_to
    why = f"Insane: to {breaks} Broken, to {controlled} controlled by an opponent, else as normal"
    die = decision.tray.d6("insanity", why=why, fighter=command.fighter)
    act: records.InsaneAct = "normal"
    if die.face <= breaks:
        act = "fled" if now.broken else "broken"
    elif die.face <= controlled:
        act = "controlled"
    outcomes = {
        "broken": "breaks",
        "fled": "flees",
        "controlled": "controlled by an opponent",
        "normal": "acts as normal",
    }
    rolled = decision.roll(die, outcome=outcomes[act], section="conditions", rolled_by=fighter.gang)
    struck = decision.emit(
        records.InsanityStruck(
            fighter=command.fighter, act=act, controlled_by=controls if act == "controlled" else None
        ),
        cause=rolled,
    )
    if act == "broken":
        flight = rules.flight_of(kind="fighter", mobile=False, rulebook=decision.rulebook)
        decision.emit(records.FighterBroke(fighter=command.fighter, flight=flight), cause=struck)
    elif act == "fled":
        decision.emit(records.FighterFled(fighter=command.fighter, voluntary=False), cause=struck)


def _opponent(decision: Decision, command: records.ActivateInsane) -> str:
    """The gang that would control the fighter: the only other one, or the winner of the roll-off."""
    fighter = decision.fighter(command.fighter)
    others = [gang for gang in decision.battle("an activation").crews if gang != fighter.gang]
    if command.controlled_by is None:
        if len(others) > 1:
            raise records.WhoControls(fighter=fighter.name)
        return others[0]
    gang = decision.gang(command.controlled_by)
    if command.controlled_by not in others:
        why = f"{gang.name} is no opponent in this battle"
        raise records.NoConditionOfIt(model=fighter.name, condition="controlled", why=why)
    return command.controlled_by


@handles(records.TakeSanityTest)
def take_sanity_test(decision: Decision, command: records.TakeSanityTest) -> None:
    """A Willpower test after acting as normal; if it passes, the fighter is sane again.

    Source: Core Rulebook (2023) · Conditions · Insane; knob insanity.willpower_test.
    """
    now = decision.combatant(command.fighter, what="a Willpower test")
    fighter = decision.fighter(command.fighter)
    if not now.insane:
        raise records.NotInCondition(model=fighter.name, condition="Insane", key="insane")
    if not now.lucid and decision.rulebook.knob("insanity.willpower_test") == "on_5_and_6":
        raise records.NotLucid(fighter=fighter.name)
    target = tests.needed(decision, command.fighter, "willpower")
    die = decision.tray.two_d6("sanity", why=f"Willpower test, needs {target}+", fighter=command.fighter)
    passed, rolled = tests.take_on_two_dice(
        decision,
        die,
        command.fighter,
        "willpower",
        section="conditions",
        outcomes=("sane again", "stays insane"),
    )
    if passed:
        conditions.end(decision, command.fighter, "insane", cause=rolled)
