"""Skills that pay outside the fighting: Fixer, Savvy Trader, Mentor, Escape Artist.

Connected stands with the post-battle actions, in `post_battle_sequence.py`.
Source: Core Rulebook (2023) · Skills · Savant; Leadership; Cunning.
"""

from __future__ import annotations

from typing import Final

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import experience, ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle, note_done_once
from tracker.rules.modifiers import Modifiers

STAGE: Final = 2
"""Since which stage of the rules these skills count by themselves (ADR 29)."""


@handles(records.EarnAsFixer)
def earn_as_fixer(decision: Decision, command: records.EarnAsFixer) -> None:
    """A Fixer earns D3 times the book's credits, once after each battle, unless Captured or in Recovery."""
    fighter = _skilled(decision, command.by, "fixer")
    after_battle(decision, fighter.gang, what="credits of a Fixer")
    _refuse_away(fighter, "fixer")
    reached = advance_to(decision, fighter.gang, "rewards", required=True)
    what = f"{fighter.name}'s credits as a Fixer"
    done = note_done_once(decision, fighter.gang, f"fixer_credits:{command.by}", what=what, cause=reached)
    die = decision.tray.d3("fixer", why="Fixer", fighter=command.by)
    earned = die.face * decision.rulebook.book.skill_actions.aftermath.fixer_times
    rolled = decision.roll(
        die, outcome=f"{earned} credits", section="skills", rolled_by=fighter.gang, cause=done
    )
    ledger.move_credits(
        decision,
        "@rewards",
        fighter.gang,
        earned,
        why=f"{fighter.name} is a Fixer",
        section="skills",
        fighter=command.by,
        cause=rolled,
    )


def of_savvy_traders(decision: Decision, after: AfterBattle) -> Modifiers:
    """The modifier of Savvy Traders who traded: once, however many they are."""
    if after.whole_book is None or after.whole_book < STAGE:
        return ()
    if not any(decision.fighter(name).has_skill("savvy_trader") for name in after.traders):
        return ()
    return (("Savvy Trader", decision.rulebook.book.skill_actions.aftermath.savvy_trader_search),)


def savvy_price(decision: Decision, gang: str, trader: str, price: int) -> int:
    """The price of one item that a Savvy Trader buys after a Trade: one item for each of their Trade
    actions.
    """
    fighter = _skilled(decision, trader, "savvy_trader")
    after = after_battle(decision, gang, what="a Savvy Trader's price")
    if trader not in after.traders:
        why = "they made no Trade action for this gang"
        raise records.CannotUseSkill(fighter=fighter.name, skill="savvy_trader", why=why)
    if not savvy_prices_left(after, trader):
        what = f"{fighter.name}'s price as a Savvy Trader"
        raise records.OncePerSequence(gang=decision.gang(gang).name, what=what)
    decision.emit(records.PostBattleDone(gang=gang, what=_savvy_price(trader)))
    return max(0, price - decision.rulebook.book.skill_actions.aftermath.savvy_trader_discount)


def savvy_prices_left(after: AfterBattle, trader: str) -> int:
    """How many items a Savvy Trader may still buy at the lower price: one for each Trade action."""
    return after.traders.count(trader) - after.done.count(_savvy_price(trader))


def _savvy_price(trader: str) -> str:
    return f"savvy_price:{trader}"


@handles(records.TakeMentorTest)
def take_mentor_test(decision: Decision, command: records.TakeMentorTest) -> None:
    """A Leadership test; passed, the friend who gained XP nearby gains one more."""
    mentor, friend = _skilled(decision, command.by, "mentor"), decision.enlisted(command.fighter)
    if command.by == command.fighter:
        raise records.ActsOnSelf(fighter=mentor.name)
    if mentor.gang != friend.gang:
        raise records.NotAFriend(fighter=mentor.name, friend=friend.name)
    if decision.state.under_way is not None:
        decision.combatant(command.by, what="a Mentor")
        decision.combatant(command.fighter, what="a friend near")
    else:
        after_battle(decision, mentor.gang, what="a Mentor's test")
        _refuse_away(mentor, "mentor")
    if not experience.learns(decision, friend):
        why = f"{friend.name} never gains XP"
        raise records.CannotUseSkill(fighter=mentor.name, skill="mentor", why=why)
    needs = tests.needed(decision, command.by, "leadership")
    why = f"Leadership test of a Mentor, needs {needs}+"
    die = decision.tray.two_d6("mentor", why=why, fighter=command.by)
    more = decision.rulebook.book.skill_actions.aftermath.mentor_experience
    outcomes = (f"{friend.name} gains {more} XP more", "no XP more")
    passed, rolled = tests.take_on_two_dice(
        decision, die, command.by, "leadership", section="skills", outcomes=outcomes
    )
    if passed:
        experience.award(decision, command.fighter, more, f"{mentor.name} is a Mentor", cause=rolled)


def of_escape_artist(decision: Decision, fighter: str) -> Modifiers:
    """The modifier of an Escape Artist on a Retreat, where a natural 1 then fails."""
    stage = decision.battle("a Retreat").whole_book
    if stage is None or stage < STAGE or not decision.fighter(fighter).has_skill("escape_artist"):
        return ()
    return (("Escape Artist", decision.rulebook.book.skill_actions.aftermath.escape_artist_retreat),)


def _skilled(decision: Decision, fighter: str, skill: str) -> Fighter:
    card = decision.enlisted(fighter)
    if not card.has_skill(skill):
        raise records.SkillNotHeld(fighter=card.name, skill=skill)
    return card


def _refuse_away(fighter: Fighter, skill: str) -> None:
    away = (
        (fighter.held_by is not None, "a captive"),
        (fighter.capture_pending, "Captured, until the escape roll says otherwise"),
        (fighter.recovering_since is not None, "in Recovery"),
    )
    for holds, why in away:
        if holds:
            raise records.CannotUseSkill(fighter=fighter.name, skill=skill, why=f"they are {why}")
