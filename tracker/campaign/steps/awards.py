"""Awards to several fighters at once, for taking part in a battle, and by a die of a house rule.

Knows who gains and why; each has an event of their own. What enemies are worth is `experience.py`.
Source: Core Rulebook (2023) · Experience · Gaining Experience.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.refusals import NothingToAward
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.handlers import handles
from tracker.campaign.steps.sequence import TOOK_PART, after_battle, once
from tracker.rules.rulebook import BookHasNo

AWARD_MOST = 100


@handles(records.AwardExperience)
def award_experience(decision: Decision, command: records.AwardExperience) -> None:
    """XP by the scenario or the arbitrator. Refuses the dead and retired."""
    decision.enlisted(command.fighter)
    _refuse_amount(command.amount)
    _gain(decision, command.fighter, command.amount, reason=command.reason, cause=0)


@handles(records.AwardSeveral)
def award_several(decision: Decision, command: records.AwardSeveral) -> None:
    """The same XP for each of several fighters. Refuses the dead and gone, and who is named twice."""
    _refuse_amount(command.amount)
    for place, name in enumerate(command.fighters):
        fighter = decision.enlisted(name)
        if name in command.fighters[:place]:
            raise records.AwardedTwice(fighter=fighter.name)
    for name in command.fighters:
        _gain(decision, name, command.amount, reason=command.reason, cause=0)


@handles(records.AwardTakingPart)
def award_taking_part(decision: Decision, command: records.AwardTakingPart) -> None:
    """XP for everybody of the crew, once for each battle: what the scenario gives for it, else the book's.

    The dead gain none, and no more do those whose rank never gains any (Hangers-on, Hired Guns).
    """
    after = after_battle(decision, command.gang, what="XP for taking part")
    gang, crew = decision.gang(command.gang), after.crews[command.gang]
    for name in command.without:
        if name not in crew:
            raise records.TookNoPart(fighter=decision.fighter(name).name, gang=gang.name, battle=after.battle)
    amount = decision.rulebook.book.experience.took_part if command.amount is None else command.amount
    if not amount and command.amount is None:
        raise BookHasNo(book=decision.rulebook.book.title, part="XP for taking part; say the `amount`")
    _refuse_amount(amount)
    learners = decision.rulebook.book.advancement.learners
    there = [decision.fighter(name) for name in crew if name not in command.without]
    gaining = [one for one in there if one.standing == "enlisted" and one.category in learners]
    if not gaining:
        raise records.NobodyTookPart(gang=gang.name, battle=after.battle)
    done = once(decision, command.gang, TOOK_PART, said="the XP for taking part")
    given = command.reason or ("the scenario" if command.amount is not None else "")
    reason = "took part in the battle" + (f": {given}" if given else "")
    for fighter in gaining:
        _gain(decision, fighter.fighter, amount, reason=reason, cause=done)


@handles(records.RollPraise)
def roll_praise(decision: Decision, command: records.RollPraise) -> None:
    """D3 XP for the best of a gang in its last battle, or for a model that is painted: where it is played so.

    Source: House rule (A&A) · Experience.
    """
    fighter = decision.enlisted(command.fighter)
    if command.praise == "painted":
        if decision.rulebook.knob("experience.painted") == "nothing":
            raise records.PraiseNotInForce(what="painted models", knob="experience.painted")
        decision.refuse_during_battle()
        if fighter.painted:
            raise records.PaintedBefore(fighter=fighter.name)
        cause, what = decision.emit(records.ModelPainted(fighter=command.fighter)), "a painted model"
        die = decision.tray.d3("painted", why=what, fighter=command.fighter)
    else:
        if decision.rulebook.knob("experience.mvp") == "nothing":
            raise records.PraiseNotInForce(what="the best of a gang", knob="experience.mvp")
        after = after_battle(decision, fighter.gang, what="XP for the best of a gang")
        if command.fighter not in after.crews[fighter.gang]:
            gang = decision.gang(fighter.gang).name
            raise records.TookNoPart(fighter=fighter.name, gang=gang, battle=after.battle)
        cause = once(decision, fighter.gang, "mvp", said="the XP for the best of the gang")
        what = "the best of the gang, as the opponent says"
        die = decision.tray.d3("mvp", why=what, fighter=command.fighter)
    rolled = decision.roll(
        die, outcome=f"{die.face} XP", section="experience", rolled_by=fighter.gang, cause=cause
    )
    _gain(decision, command.fighter, die.face, reason=what, cause=rolled)


def _gain(decision: Decision, name: str, amount: int, *, reason: str, cause: int) -> None:
    section = decision.rulebook.section("experience")
    decision.emit(
        records.ExperienceGained(fighter=name, amount=amount, reason=reason, section=section), cause=cause
    )


def _refuse_amount(amount: int) -> None:
    if not 1 <= amount <= AWARD_MOST:
        raise NothingToAward(amount=amount)
