"""Lasting injuries: what a fighter carries home.

Knows how a row of the table is chosen, when it counts as another, and what each kind of effect does. The rows
themselves are data. Source: Core Rulebook (2023) · Lasting Injuries.
"""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps.bionics import withstands
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.experience import gain_experience
from tracker.campaign.steps.harm import Harm, culprit, opponent
from tracker.campaign.steps.mutations import become_spawn, mutates_instead
from tracker.campaign.steps.trauma_effects import apply_trauma_effect
from tracker.dice import D3, Die
from tracker.rules import effects as fx
from tracker.rules.tables import Row, Table


def suffer_lasting_injuries(decision: Decision, harm: Harm, *, rolls: int, cause: int) -> None:
    """Make this many Lasting Injury rolls against a fighter, and apply each result."""
    for nth in range(1, rolls + 1):
        why = "Lasting Injury roll" if rolls == 1 else f"Lasting Injury roll {nth} of {rolls}"
        die = decision.tray.d66("lasting_injury", why=why, fighter=harm.target)
        row = decision.rulebook.book.lasting_injuries.read(die)
        rolled = _note_roll(decision, harm, die, row.name, cause=cause)
        if not mutates_instead(decision, harm, row, cause=rolled):
            _apply_row(decision, harm, row, die, within=None, cause=rolled)
            become_spawn(decision, harm.target, cause=rolled)


def suffer_row(decision: Decision, harm: Harm, row: Row, die: Die, *, cause: int) -> None:
    """Apply a row that was rolled elsewhere, such as at the Doc."""
    if not mutates_instead(decision, harm, row, cause=cause):
        _apply_row(decision, harm, row, die, within=None, cause=cause)
        become_spawn(decision, harm.target, cause=cause)


def suffer_crew_injury(decision: Decision, harm: Harm, *, cause: int) -> None:
    """The one Lasting Injury roll of a wrecked vehicle's crew, on the crew table."""
    die = decision.tray.d66("crew_injury", why="Lasting Injury roll of the crew", fighter=harm.target)
    table = decision.rulebook.book.table("crew_injuries")
    row = table.read(die)
    rolled = decision.roll(
        die, outcome=row.name, section="crew_injuries", rolled_by=opponent(decision, harm), cause=cause
    )
    _apply_row(decision, harm, row, die, within=None, cause=rolled, table=table, section="crew_injuries")


def _note_roll(decision: Decision, harm: Harm, die: Die, outcome: str, *, cause: int) -> int:
    return decision.roll(
        die, outcome=outcome, section="lasting_injury_table", rolled_by=opponent(decision, harm), cause=cause
    )


def _apply_row(
    decision: Decision,
    harm: Harm,
    row: Row,
    die: Die,
    *,
    within: str | None,
    cause: int,
    table: Table | None = None,
    section: str = "lasting_injury_table",
) -> None:
    fighter = decision.fighter(harm.target)
    table = table or decision.rulebook.book.lasting_injuries
    occurrence = 1 + sum(suffered.injury == row.id for suffered in fighter.injuries)
    counts_as_default = counts_as_default_row(decision, harm, row, fighter)
    if not counts_as_default and withstands(decision, harm, row, cause=cause):
        return
    fighter = decision.fighter(harm.target)
    suffered = decision.emit(
        records.LastingInjurySuffered(
            fighter=harm.target,
            by=harm.attacker,
            table=table.id,
            cell=die.cell,
            injury=row.id,
            name=row.name,
            counts_as=table.default_row if counts_as_default else None,
            occurrence=occurrence,
            within=within,
            battle=decision.battle_of(harm.target, "a lasting injury").number,
            section=decision.rulebook.section(section),
        ),
        cause=cause,
    )
    applied = table.row(table.default_row) if counts_as_default else row
    at_limit = _reduction_at_its_limit(decision, fighter, applied, occurrence)
    for effect in applied.effects:
        if at_limit is not None and isinstance(effect, fx.Reduce):
            # The injury costs nothing but Recovery: what could still be reduced is spared with the rest.
            spared = records.CharacteristicKept(
                fighter=harm.target,
                characteristic=effect.characteristic,
                value=fighter.characteristics[effect.characteristic],
                why=row.name,
                with_characteristic=at_limit if at_limit != effect.characteristic else None,
            )
            decision.emit(spared, cause=suffered)
            continue
        apply_effect(decision, harm, effect, row, occurrence=occurrence, cause=suffered)


def _reduction_at_its_limit(decision: Decision, fighter: Fighter, row: Row, occurrence: int) -> str | None:
    """The first characteristic that a row would take below its minimum, if that spares all of them."""
    if decision.rulebook.knob("lasting_injuries.below_minimum") == "each_characteristic_alone":
        return None
    for effect in row.effects:
        if isinstance(effect, fx.Reduce) and occurrence >= effect.from_occurrence:
            limits = decision.rulebook.limits(effect.characteristic)
            after = limits.worsened(fighter.characteristics[effect.characteristic], effect.by)
            if limits.is_past_worst(after):
                return effect.characteristic
    return None


def counts_as_default_row(decision: Decision, harm: Harm, row: Row, fighter: Fighter) -> bool:
    """Whether a row counts as the table's default (Out Cold) for this fighter, by its conditions."""
    return any(is_met(decision, harm, condition, row, fighter) for condition in row.counts_as_default_when)


def is_met(decision: Decision, harm: Harm, condition: fx.Condition, row: Row, fighter: Fighter) -> bool:
    """Whether the fighter meets a condition of a row."""
    match condition:
        case fx.SufferedBefore():
            return any(suffered.injury == row.id for suffered in fighter.injuries)
        case fx.HasSkill():
            return fighter.has_skill(condition.skill)
        case fx.OfType():
            return fighter.kind.casefold() == condition.type.casefold()
        case fx.NoKnownCulprit():
            return culprit(decision, harm) is None
        case _:
            assert_never(condition)


def apply_effect(
    decision: Decision, harm: Harm, effect: fx.Effect, row: Row, *, occurrence: int, cause: int
) -> None:
    """Apply one effect of a row to the fighter."""
    fighter = decision.fighter(harm.target)
    match effect:
        case fx.Convalescence():
            if not fighter.convalescing:
                decision.emit(records.WentIntoConvalescence(fighter=harm.target), cause=cause)
        case fx.Recovery():
            # However many results cause Recovery, one battle is missed. Who fought on in Recovery, by a
            # ruling that kept the battle, is hurt anew: it is the battle after this one that is missed.
            battle = decision.battle_of(harm.target, "Recovery").number
            if fighter.recovering_since != battle:
                decision.emit(records.WentIntoRecovery(fighter=harm.target, battle=battle), cause=cause)
        case fx.Reduce():
            if occurrence >= effect.from_occurrence:
                limits = decision.rulebook.limits(effect.characteristic)
                before = fighter.characteristics[effect.characteristic]
                _change(decision, harm, effect.characteristic, limits.worsened(before, effect.by), row, cause)
        case fx.Improve():
            limits = decision.rulebook.limits(effect.characteristic)
            before = fighter.characteristics[effect.characteristic]
            _change(decision, harm, effect.characteristic, limits.improved(before, effect.by), row, cause)
        case fx.Experience():
            assert effect.dice == D3, f"no award by {effect.dice}"
            die = decision.tray.d3(effect.purpose, why=f"experience from {row.name}", fighter=harm.target)
            rolled = decision.roll(
                die,
                outcome=f"{die.face} XP",
                section="lasting_injury_table",
                rolled_by=fighter.gang,
                cause=cause,
            )
            gain_experience(
                decision,
                harm.target,
                die.face,
                reason=row.name,
                section="lasting_injury_table",
                cause=rolled,
            )
        case fx.ExperienceForAttacker():
            if occurrence == 1:  # a second roll of it kills nobody again
                _pay_attacker(decision, harm, effect.amount, row, cause=cause)
        case fx.Skill():
            decision.emit(
                records.SkillGained(fighter=harm.target, skill=effect.skill, against=None, why=row.name),
                cause=cause,
            )
        case fx.SkillAgainstCulprit():
            decision.emit(
                records.SkillGained(
                    fighter=harm.target, skill=effect.skill, against=culprit(decision, harm), why=row.name
                ),
                cause=cause,
            )
        case fx.Lingering():
            pass  # Tested for in the Wrap-up of each battle fought: steps/wrap_up.py.
        case fx.RollAgain():
            _roll_again(decision, harm, effect, row, cause=cause)
        case fx.Captured():
            decision.emit(
                records.CapturePending(fighter=harm.target, captor=culprit(decision, harm)), cause=cause
            )
        case fx.Critical():
            decision.emit(records.CriticalInjuryPending(fighter=harm.target), cause=cause)
        case fx.Death():
            if fighter.standing != "dead":
                decision.emit(records.FighterDied(fighter=harm.target, why=row.name), cause=cause)
        case (
            fx.BattleScar()
            | fx.InjuryDiceAgainst()
            | fx.BeforeBattle()
            | fx.GearLost()
            | fx.Ransom()
            | fx.RankLost()
            | fx.NoExperience()
            | fx.Retirement()
        ):
            apply_trauma_effect(decision, harm, effect, row, occurrence=occurrence, cause=cause)
        case _:
            assert_never(effect)


def _change(decision: Decision, harm: Harm, characteristic: str, after: int, row: Row, cause: int) -> None:
    """A permanent change, or a note that the number is at its limit and stays."""
    limits = decision.rulebook.limits(characteristic)
    before = decision.fighter(harm.target).characteristics[characteristic]
    worse = (after < before) == (limits.worst < limits.best)
    if not (limits.is_past_worst(after) if worse else limits.is_past_best(after)):
        decision.emit(
            records.CharacteristicChanged(
                fighter=harm.target, characteristic=characteristic, before=before, after=after, why=row.name
            ),
            cause=cause,
        )
    else:
        decision.emit(
            records.CharacteristicKept(
                fighter=harm.target, characteristic=characteristic, value=before, why=row.name
            ),
            cause=cause,
        )


def _pay_attacker(decision: Decision, harm: Harm, amount: int, row: Row, *, cause: int) -> None:
    if harm.attacker is None or not harm.attack:
        return
    attacker = decision.fighter(harm.attacker)
    if attacker.gang == decision.fighter(harm.target).gang or attacker.standing != "enlisted":
        return
    gain_experience(
        decision,
        harm.attacker,
        amount,
        reason=f"{row.name} of {decision.fighter(harm.target).name}",
        victim=harm.target,
        section="lasting_injury_table",
        cause=cause,
    )


def _roll_again(decision: Decision, harm: Harm, effect: fx.RollAgain, row: Row, *, cause: int) -> None:
    """Multiple Injuries: D3 further rolls on the table, all applied, some rows rolled again.

    A repeat that would count as Out Cold is rolled again too (G-04), until a result stands (G-07). Both are
    knobs.
    """
    assert effect.dice == D3, f"no count by {effect.dice}"
    count = decision.tray.d3(
        effect.count_purpose, why=f"number of further rolls from {row.name}", fighter=harm.target
    )
    counted = decision.roll(
        count,
        outcome=f"{count.face} further roll{'s' if count.face > 1 else ''}",
        section="lasting_injury_table",
        rolled_by=opponent(decision, harm),
        cause=cause,
    )
    for nth in range(1, count.face + 1):
        why = f"further roll {nth} of {count.face} from {row.name}"
        _roll_once_more(decision, harm, effect, row, why=why, cause=counted)


def _roll_once_more(
    decision: Decision, harm: Harm, effect: fx.RollAgain, row: Row, *, why: str, cause: int
) -> None:
    table = decision.rulebook.book.lasting_injuries
    may_roll_again = True
    while True:
        decision.merge_point("further roll", why, may_roll_again)
        die = decision.tray.d66(effect.purpose, why=why, fighter=harm.target)
        further = table.read(die)
        substituted = (
            counts_as_default_row(decision, harm, further, decision.fighter(harm.target))
            and table.default_row in effect.rerolls
            and decision.rulebook.knob("multiple_injuries.substituted_out_cold") == "reroll"
        )
        if may_roll_again and (further.id in effect.rerolls or substituted):
            cause = _note_roll(decision, harm, die, f"{further.name}: rolled again", cause=cause)
            may_roll_again = decision.rulebook.knob("tables.rerolls") == "until_valid"
            continue
        rolled = _note_roll(decision, harm, die, further.name, cause=cause)
        if further.id == row.id:
            return  # A re-roll made once may show Multiple Injuries again; it brings no rolls of its own.
        _apply_row(decision, harm, further, die, within=row.id, cause=rolled)
        return
