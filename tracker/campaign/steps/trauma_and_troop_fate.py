"""Trauma and troop fate: the fate, after the battle, of models that went Out of Action.

A D6 for a troop, the Trauma table for an ELITE model. Scars already borne are rolled again. Source: Trench
Crusade (1.6) · Campaign · Casualties, Trauma.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import BattleUnderWay
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.lasting_injuries import apply_effect, counts_as_default_row, is_met
from tracker.campaign.steps.trauma_effects import apply_trauma_effect, earns_nothing
from tracker.dice import Die
from tracker.rules import effects as fx
from tracker.rules.tables import Row
from tracker.rules.trench_crusade import trauma as rules


@handles(records.DecideFate)
def decide_fate(decision: Decision, command: records.DecideFate) -> None:
    """Decide the fate of one model that went Out of Action in the battle under way."""
    rules.troop_fate(decision.rulebook)
    battle = decision.battle("the fate of a model")
    fighter = decision.fighter(command.fighter)
    combatant = battle.combatants.get(command.fighter)
    if combatant is None:
        raise records.FighterNotInBattle(fighter=fighter.name, battle=battle.battle)
    if not combatant.out_of_action:
        raise records.FateNotOpen(fighter=fighter.name, battle=battle.battle)
    if combatant.fate_decided:
        raise records.FateDecidedAlready(fighter=fighter.name)
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    harm = Harm(
        target=command.fighter,
        attacker=combatant.taken_out_by,
        grudge_against=command.grudge_against,
    )
    if fighter.category == rules.ELITE:
        _roll_trauma(decision, harm, command)
    else:
        _roll_for_troop(decision, harm, command)


def decide_open_fates(decision: Decision, battle: BattleUnderWay) -> None:
    """Decide every fate that the report left open, gang by gang, if the book rolls for them."""
    if not rules.fates_are_rolled(decision.rulebook):
        return
    for crew in battle.crews.values():
        for name in crew:
            combatant = battle.combatants[name]
            if combatant.out_of_action and not combatant.fate_decided:
                decide_fate(decision, records.DecideFate(fighter=name))


def _roll_for_troop(decision: Decision, harm: Harm, command: records.DecideFate) -> None:
    fighter = decision.fighter(harm.target)
    chart = rules.troop_fate(decision.rulebook)
    die = decision.tray.d6("troop_fate", why="fate of a troop Out of Action", fighter=harm.target)
    band = chart.read(die.face)
    if command.ransom is not None:
        raise records.NobodyToRansom(fighter=fighter.name, fate=band.name)
    rolled = decision.roll(die, outcome=band.name, section="troop_fate", rolled_by=fighter.gang)
    decided = _note_fate(decision, harm, fate=band.id, name=band.name, section="troop_fate", cause=rolled)
    row = band.as_row()
    for effect in band.effects:
        apply_effect(decision, harm, effect, row, occurrence=1, cause=decided)


def _roll_trauma(decision: Decision, harm: Harm, command: records.DecideFate) -> None:
    fighter = decision.fighter(harm.target)
    table = rules.trauma_table(decision.rulebook)
    row, die, rolled = _trauma_row(decision, harm)
    ransoms = any(isinstance(effect, fx.Ransom) for effect in row.effects)
    if command.ransom is not None and not ransoms:
        raise records.NobodyToRansom(fighter=fighter.name, fate=row.name)
    occurrence = 1 + sum(suffered.injury == row.id for suffered in fighter.injuries)
    as_default = counts_as_default_row(decision, harm, row, fighter)
    ransomed = command.ransom == "paid"
    decided = _note_fate(
        decision, harm, fate=row.id, name=row.name, section="lasting_injury_table", cause=rolled
    )
    suffered = decision.emit(
        records.LastingInjurySuffered(
            fighter=harm.target,
            by=harm.attacker,
            table=table.id,
            cell=die.cell,
            injury=row.id,
            name=row.name,
            counts_as=table.default_row if as_default or ransomed else None,
            occurrence=occurrence,
            within=None,
            battle=decision.battle("a trauma").number,
            section=decision.rulebook.section("lasting_injury_table"),
        ),
        cause=decided,
    )
    for effect in (table.row(table.default_row) if as_default else row).effects:
        if isinstance(effect, fx.Ransom):
            apply_trauma_effect(
                decision, harm, effect, row, occurrence=occurrence, cause=suffered, ransom=command.ransom
            )
        elif isinstance(effect, fx.Experience) and earns_nothing(decision, decision.fighter(harm.target)):
            why = "no XP, until a promotion die gives it back"
            decision.note_rule(harm.target, why, section="experience", cause=suffered)
        else:
            apply_effect(decision, harm, effect, row, occurrence=occurrence, cause=suffered)


def _trauma_row(decision: Decision, harm: Harm) -> tuple[Row, Die, int]:
    """The row that counts, its D66 and the place of that roll. Scars already borne are rolled again."""
    fighter = decision.fighter(harm.target)
    table = rules.trauma_table(decision.rulebook)
    may_roll_again, cause = True, 0
    while True:
        decision.merge_point("trauma", may_roll_again)
        die = decision.tray.d66("trauma", why="Trauma of an ELITE model Out of Action", fighter=harm.target)
        row = table.read(die)
        again = may_roll_again and any(
            is_met(decision, harm, condition, row, fighter) for condition in row.rolled_again_when
        )
        cause = decision.roll(
            die,
            outcome=f"{row.name}: rolled again" if again else row.name,
            section="lasting_injury_table",
            rolled_by=fighter.gang,
            cause=cause,
        )
        if not again:
            return row, die, cause
        may_roll_again = decision.rulebook.knob("tables.rerolls") == "until_valid"


def _note_fate(decision: Decision, harm: Harm, *, fate: str, name: str, section: str, cause: int) -> int:
    return decision.emit(
        records.FateDecided(
            fighter=harm.target, fate=fate, name=name, section=decision.rulebook.section(section)
        ),
        cause=cause,
    )
