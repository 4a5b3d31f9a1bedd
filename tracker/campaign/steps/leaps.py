"""Leaps, jumps down and edges: an Initiative test; a fighter who fails it falls.

Source: Core Rulebook (2023) · Terrain · Leaping Gaps; Jumping Down; Falling Hazards; Movement on Vehicles.
"""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import falls
from tracker.campaign.steps.conditions import initiative_needed
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.hits import check_fighters
from tracker.dice import Die
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.necromunda import falls as rules

_Risky: TypeAlias = records.LeapGap | records.JumpDown | records.KeepBalance


@handles(records.LeapGap)
def leap_gap(decision: Decision, command: records.LeapGap) -> None:
    """A leap over a gap; a fighter who fails falls straight down. Mighty Leap needs no test for a narrow gap.

    Source: Core Rulebook (2023) · Terrain · Leaping Gaps; Skills · Mighty Leap.
    """
    leaps = decision.rulebook.book.leaps
    harm = _who(decision, command, action="leap")
    narrow = command.gap_hundredths is not None and command.gap_hundredths <= leaps.mighty_leap_inches * 100
    if narrow and decision.has_skill_in_battle(command.fighter, "mighty_leap"):
        why = f'Mighty Leap: a gap of up to {leaps.mighty_leap_inches}" needs no test'
        decision.note_rule(command.fighter, why, section="skills")
        return
    die = decision.tray.d6("leap", why=_why(decision, command, "to leap the gap"), fighter=command.fighter)
    _try(decision, command, harm, die, outcomes=("leaps over", "falls"))


@handles(records.JumpDown)
def jump_down(decision: Decision, command: records.JumpDown) -> None:
    """A jump down; the deeper it is, the harder the test. A fighter who fails falls that far.

    Source: Core Rulebook (2023) · Terrain · Jumping Down; Skills · Catfall.
    """
    harm = _who(decision, command, action="jump")
    deep = command.height_hundredths
    if decision.has_skill_in_battle(command.fighter, "catfall"):
        deep = rules.halved(deep)
    modifiers = nonzero(("the height", rules.jump_modifier(deep, rulebook=decision.rulebook)))
    die = decision.tray.d6("jump", why=_why(decision, command, "to jump down"), fighter=command.fighter)
    _try(decision, command, harm, die, outcomes=("lands well", "falls"), modifiers=modifiers)


@handles(records.KeepBalance)
def keep_balance(decision: Decision, command: records.KeepBalance) -> None:
    """The test of a fighter who went down at an edge, or stands on a moving vehicle, not to fall.

    At an edge a natural 1 always fails. Source: Core Rulebook (2023) · Terrain · Falling Hazards.
    """
    harm = Harm(target=command.fighter, grudge_against=command.grudge_against, keeps=command.keeps)
    check_fighters(decision, harm, what="a fall")
    railing = decision.rulebook.book.leaps.railing if command.railing else 0
    die = decision.tray.d6("edge", why=_why(decision, command, "not to fall"), fighter=command.fighter)
    _try(
        decision,
        command,
        harm,
        die,
        outcomes=("stays up there", "falls"),
        modifiers=nonzero(("a railing", railing)),
        fails_on_1=not command.on_vehicle,
    )


def _who(decision: Decision, command: records.LeapGap | records.JumpDown, *, action: str) -> Harm:
    """The fighter. Refuses one whose condition forbids it."""
    harm = Harm(target=command.fighter, grudge_against=command.grudge_against, keeps=command.keeps)
    check_fighters(decision, harm, what=f"a {action}")
    now = decision.combatant(command.fighter, what=f"a {action}")
    states = (("Seriously Injured", now.seriously_injured), ("Webbed", now.webbed), ("Pinned", now.pinned))
    for condition, holds in states:
        if holds:
            name = decision.fighter(command.fighter).name
            raise records.MayNotActSo(fighter=name, condition=condition, action=action)
    return harm


def _why(decision: Decision, command: _Risky, what: str) -> str:
    return f"Initiative test {what}, needs {initiative_needed(decision, command.fighter)}+"


def _try(
    decision: Decision,
    command: _Risky,
    harm: Harm,
    die: Die,
    *,
    outcomes: tuple[str, str],
    modifiers: Modifiers = (),
    fails_on_1: bool = False,
) -> None:
    """The test, and the fall of a fighter who fails it."""
    stays, rolled = tests.take_initiative(
        decision,
        die,
        command.fighter,
        section="terrain",
        outcomes=outcomes,
        modifiers=modifiers,
        fails_on_1=fails_on_1,
    )
    if not stays:
        falls.fall(decision, harm, command.height_hundredths, save_with=command.save_with, cause=rolled)
