"""Experience for what a fighter's own action does to enemies.

Once for each enemy and activation: an enemy who is Seriously Injured and then taken Out of Action in one
activation pays only for Out of Action. Source: Core Rulebook (2023) · Experience · Gaining Experience.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import Vehicle
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.post_battle_sequence import TOOK_PART, after_battle, note_done_once
from tracker.rules.rulebook import BookHasNo


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
    """XP for wrecking an enemy vehicle: once, whatever happens to its crew. `harm` is the crew's."""
    if harm.attacker is None or not harm.attack:
        return
    attacker, amount = decision.fighter(harm.attacker), decision.rulebook.book.experience.vehicle_wrecked
    if attacker.gang == vehicle.gang or not amount or not learns(decision, attacker):
        return
    gain_experience(
        decision,
        attacker.fighter,
        amount,
        reason=f"{vehicle.name} wrecked",
        victim=vehicle.vehicle,
        activation=harm.activation,
        cause=cause,
    )


def gain_experience(
    decision: Decision,
    fighter: str,
    amount: int,
    *,
    reason: str,
    cause: int,
    section: str = "experience",
    victim: str | None = None,
    activation: str | None = None,
) -> None:
    """Note XP that a fighter gains, whatever their rank."""
    gained = records.ExperienceGained(
        fighter=fighter,
        amount=amount,
        reason=reason,
        victim=victim,
        activation=activation,
        section=decision.rulebook.section(section),
    )
    decision.emit(gained, cause=cause)


def award(decision: Decision, fighter: str, amount: int, reason: str, *, cause: int) -> None:
    """XP for something other than hurting enemies, if the book gives any and the rank can gain it."""
    if amount and learns(decision, decision.fighter(fighter)):
        gain_experience(decision, fighter, amount, reason=reason, cause=cause)


def learns(decision: Decision, fighter: Fighter) -> bool:
    """Whether a fighter gains XP at all: not the dead and gone, nor ranks that never do.

    Hangers-on and Hired Guns are such ranks. Source: Core Rulebook (2023) · Gangs · Hangers-on; Hired Guns.
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
    gain_experience(
        decision,
        attacker.fighter,
        amount,
        reason=reason,
        victim=victim.fighter,
        activation=harm.activation,
        cause=cause,
    )


def _brutes_pay_more(decision: Decision) -> bool:
    return decision.rulebook.knob("experience.brute_out_of_action") == "1_xp"


# --- awards to several fighters -----------------------------------------------------------------------


AWARD_MOST = 100


@handles(records.AwardExperience)
def award_experience(decision: Decision, command: records.AwardExperience) -> None:
    """XP by the scenario or the arbitrator. Refuses the dead and retired."""
    decision.enlisted(command.fighter)
    _refuse_amount(command.amount)
    gain_experience(decision, command.fighter, command.amount, reason=command.reason, cause=0)


@handles(records.AwardSeveral)
def award_several(decision: Decision, command: records.AwardSeveral) -> None:
    """The same XP for each of several fighters. Refuses the dead, the gone and one named twice."""
    _refuse_amount(command.amount)
    for place, name in enumerate(command.fighters):
        fighter = decision.enlisted(name)
        if name in command.fighters[:place]:
            raise records.AwardedTwice(fighter=fighter.name)
    for name in command.fighters:
        gain_experience(decision, name, command.amount, reason=command.reason, cause=0)


@handles(records.AwardTakingPart)
def award_taking_part(decision: Decision, command: records.AwardTakingPart) -> None:
    """XP for every fighter of the crew, once for each battle: the scenario's amount, else the book's.

    The dead gain none, nor do ranks that never gain any (Hangers-on, Hired Guns).
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
    gaining = [
        fighter for fighter in there if fighter.standing == "enlisted" and fighter.category in learners
    ]
    if not gaining:
        raise records.NobodyTookPart(gang=gang.name, battle=after.battle)
    done = note_done_once(decision, command.gang, TOOK_PART, what="the XP for taking part")
    given = command.reason or ("the scenario" if command.amount is not None else "")
    reason = "took part in the battle" + (f": {given}" if given else "")
    for fighter in gaining:
        gain_experience(decision, fighter.fighter, amount, reason=reason, cause=done)


@handles(records.RollPraise)
def roll_praise(decision: Decision, command: records.RollPraise) -> None:
    """D3 XP for the best fighter of the last battle or for a painted model, if the campaign plays so.

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
        cause = note_done_once(decision, fighter.gang, "mvp", what="the XP for the best of the gang")
        what = "the best of the gang, as the opponent says"
        die = decision.tray.d3("mvp", why=what, fighter=command.fighter)
    rolled = decision.roll(
        die, outcome=f"{die.face} XP", section="experience", rolled_by=fighter.gang, cause=cause
    )
    gain_experience(decision, command.fighter, die.face, reason=what, cause=rolled)


def _refuse_amount(amount: int) -> None:
    if not 1 <= amount <= AWARD_MOST:
        raise records.NothingToAward(amount=amount)
