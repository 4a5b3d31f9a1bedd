"""Experience from what a fighter's own action does to enemies.

Once per enemy and activation: whoever is first Seriously Injured and then taken Out of Action in one
activation pays only what Out of Action is worth.
Source: Core Rulebook (2023) · Experience · Gaining Experience.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Fighter, Vehicle
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm


def for_serious_injury(decision: Decision, harm: Harm, *, cause: int) -> None:
    """XP for causing an enemy one or more Serious Injuries."""
    awards = decision.rulebook.book.experience
    if not awards.serious_injury:
        return
    bonus = decision.rulebook.knob("experience.rank_bonus") == "out_of_action_and_serious_injury"
    _award(decision, harm, awards.serious_injury, with_bonus=bonus, what="Seriously Injured", cause=cause)


def for_out_of_action(decision: Decision, harm: Harm, *, cause: int) -> None:
    """XP for taking an enemy Out of Action."""
    awards = decision.rulebook.book.experience
    _award(
        decision,
        harm,
        awards.out_of_action,
        with_bonus=True,
        brute_bonus=True,
        what="Out of Action",
        cause=cause,
    )


def for_vehicle_wrecked(decision: Decision, harm: Harm, *, vehicle: Vehicle, cause: int) -> None:
    """XP for wrecking an enemy vehicle: once, whatever becomes of its crew. `harm` is the crew's."""
    if harm.attacker is None or not harm.attack:
        return
    attacker, amount = decision.fighter(harm.attacker), decision.rulebook.book.experience.vehicle_wrecked
    if attacker.gang == vehicle.gang or not amount or not learns(decision, attacker):
        return
    decision.emit(
        records.ExperienceGained(
            fighter=attacker.fighter,
            amount=amount,
            reason=f"{vehicle.name} wrecked",
            victim=vehicle.vehicle,
            activation=harm.activation,
            section=decision.rulebook.section("experience"),
        ),
        cause=cause,
    )


def learns(decision: Decision, fighter: Fighter) -> bool:
    """Whether a fighter gains XP at all: who is gone does not, nor a rank that never does.

    Hangers-on and Hired Guns are such ranks.
    Source: Core Rulebook (2023) · Gangs · Hangers-on; Hired Guns.
    """
    rules = decision.rulebook.book.advancement_rules
    return fighter.standing == "enlisted" and (rules is None or fighter.category in rules.learners)


def _award(
    decision: Decision,
    harm: Harm,
    amount: int,
    *,
    with_bonus: bool,
    brute_bonus: bool = False,
    what: str,
    cause: int,
) -> None:
    if harm.attacker is None or not harm.attack:
        return
    attacker, victim = decision.fighter(harm.attacker), decision.fighter(harm.target)
    if attacker.gang == victim.gang or not learns(decision, attacker):
        return
    awards = decision.rulebook.book.experience
    reason = f"{victim.name} {what}"
    if with_bonus and victim.category in awards.ranks_with_bonus:
        amount += awards.rank_bonus
        reason += f" ({victim.category})"
    if brute_bonus and victim.category == "brute" and _brutes_pay_more(decision):
        amount += 1
        reason += " (brute)"
    if harm.activation is not None:
        paid = decision.battle("an award").paid
        amount -= paid.get(records.payment_key(harm.activation, attacker.fighter, victim.fighter), 0)
    if amount <= 0:
        return
    decision.emit(
        records.ExperienceGained(
            fighter=attacker.fighter,
            amount=amount,
            reason=reason,
            victim=victim.fighter,
            activation=harm.activation,
            section=decision.rulebook.section("experience"),
        ),
        cause=cause,
    )


def _brutes_pay_more(decision: Decision) -> bool:
    return decision.rulebook.knob("experience.brute_out_of_action") == "1_xp"
