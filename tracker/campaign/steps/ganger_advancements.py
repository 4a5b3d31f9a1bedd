"""Ganger Advancements: who must roll, and what the total of two dice offers.

Source: Core Rulebook (2023) · Experience · Ganger Advancements.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps.advancement import advance, advancement_called, why_not_improved
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to
from tracker.rules.advancement_tables import Advancement


@handles(records.RollAdvancement)
def roll_advancement(decision: Decision, command: records.RollAdvancement) -> None:
    """A Ganger with enough XP rolls two dice, takes what they offer and pays the XP; repeated while enough is
    left.

    A row that offers nothing below its maximum counts as the book's other one. Source: Core Rulebook (2023) ·
    Experience · Ganger Advancements.
    """
    decision.refuse_during_battle()
    rules, fighter = decision.rulebook.book.advancement, decision.enlisted(command.fighter)
    if command.reason is None:
        advance_to(decision, fighter.gang, "advancements")
    section = decision.rulebook.section("ganger_advancements")
    if fighter.category not in rules.rolled.rollers:
        raise records.CannotAdvanceSo(
            fighter=fighter.name,
            category=fighter.category,
            what="who is no Ganger buys advancements instead",
            section=section,
        )
    if fighter.experience < rules.rolled.at:
        raise records.NotEnoughExperience(
            fighter=fighter.name,
            experience=fighter.experience,
            needed=rules.rolled.at,
            what="the roll of a Ganger",
            section=section,
        )
    again = decision.rulebook.knob("ganger_advancement.rolls") == "while_enough"
    while True:
        _roll_once(decision, command)
        if not (again and must_roll(decision, command.fighter)):
            return


def must_roll(decision: Decision, fighter: str) -> bool:
    """Whether a fighter has enough XP to have to roll."""
    rules, card = decision.rulebook.book.advancement, decision.fighter(fighter)
    enough = card.experience >= rules.rolled.at
    return enough and card.category in rules.rolled.rollers and card.standing == "enlisted"


def _roll_once(decision: Decision, command: records.RollAdvancement) -> None:
    rules, fighter = decision.rulebook.book.advancement, decision.fighter(command.fighter)
    die = decision.tray.two_d6("ganger_advancement", why="a Ganger's advancement", fighter=fighter.fighter)
    offered = rules.rolled.offers(die.total)
    open_to = tuple(option for option in offered if _possible(decision, fighter, option))
    beyond = not open_to
    if beyond:
        offered = rules.rolled.offers(rules.rolled.beyond_maximum)
        open_to = offered
    choose = tuple(advancement_called(decision, name) for name in command.choose)
    taken = _chosen(open_to, choose)
    if taken is None:
        raise records.ChoiceNeeded(
            fighter=fighter.name, rolled=die.total, options=tuple(advancement.id for advancement in open_to)
        )
    counts = f" (counts as {rules.rolled.beyond_maximum}: nothing below its maximum)" if beyond else ""
    rolled = decision.roll(
        die, outcome=f"{taken.name}{counts}", section="ganger_advancements", rolled_by=fighter.gang
    )
    as_bought = records.BuyAdvancement(
        fighter=command.fighter,
        advancement=taken.id,
        skill_set=command.skill_set,
        cannot_take=command.cannot_take,
    )
    advance(decision, as_bought, taken, price=rules.rolled.at, section="ganger_advancements", cause=rolled)


def _possible(decision: Decision, fighter: Fighter, advancement: Advancement) -> bool:
    characteristic = advancement.characteristic
    return characteristic is None or why_not_improved(decision, fighter, characteristic) is None


def _chosen(open_to: Sequence[Advancement], choose: Sequence[str]) -> Advancement | None:
    if len(open_to) == 1:
        return open_to[0]
    return next((advancement for name in choose for advancement in open_to if advancement.id == name), None)
