"""Injury dice, and what they do together: Flesh Wounds, Serious Injury, Out of Action.

Source: Core Rulebook (2023) · Resolve Hits · 3. Inflict Damage.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import experience, special_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.lasting_injuries import suffer_lasting_injuries
from tracker.campaign.steps.special_rules import Attack
from tracker.records import Record
from tracker.rules import special_rules as rules
from tracker.rules.necromunda import injury_dice


def roll_injuries(
    decision: Decision,
    harm: Harm,
    *,
    dice: int,
    cause: int,
    attack: Attack | None = None,
    damage: int | None = None,
) -> None:
    """Roll this many Injury dice and apply them together.

    `damage` is of the hit that brought the target to 0 Wounds. Without an `attack`, as for a fall, only the
    target's own skills are in effect.
    """
    attack = attack or special_rules.attack_by_nobody(decision, harm)
    if attack is None:
        symbols, cause = _roll(decision, harm, dice=dice, cause=cause)
    else:
        rolled = _roll_by_rules(decision, harm, attack, dice=dice, damage=damage, cause=cause)
        if rolled is None:
            return
        symbols, cause = rolled
        if "flesh_wound" in symbols:
            symbols = special_rules.worsened(decision, attack, symbols, cause=cause)
    apply_injuries(decision, harm, symbols, cause=cause)


class _Dice(Record):
    """Injury dice by what acts on them: how many are rolled, how many of these count, and whether they are
    Out of Action unrolled."""

    rolled: int
    kept: int
    unrolled: bool = False


def _roll_by_rules(
    decision: Decision, harm: Harm, attack: Attack, *, dice: int, damage: int | None, cause: int
) -> tuple[tuple[str, ...], int] | None:
    """The symbols of the dice that count; None where no Injury roll is made."""
    counted = _dice_by_rules(decision, attack, dice=dice, damage=damage, cause=cause)
    if not counted.rolled:
        return None
    if counted.unrolled:
        return ("out_of_action",) * counted.kept, cause
    symbols, cause = _roll(decision, harm, dice=counted.rolled, cause=cause)
    if counted.kept < counted.rolled:
        symbols = _kept(decision, harm, symbols, counted.kept)
        kept = " and ".join(symbol.replace("_", " ") for symbol in symbols)
        decision.note_rule(harm.target, f"keeps {kept}", section="skills", cause=cause)
    return symbols, cause


def _dice_by_rules(decision: Decision, attack: Attack, *, dice: int, damage: int | None, cause: int) -> _Dice:
    """How many Injury dice are rolled, and how many count, by the rules in effect."""
    counted = _Dice(rolled=dice, kept=dice)
    if special_rules.tests_nerve_instead(decision, attack, cause=cause):
        return _Dice(rolled=0, kept=0)
    for acts in special_rules.acting(decision, attack, "injury_dice", cause):
        match acts.effect:
            case rules.FewerInjuryDice(by=by):
                rolled, kept = injury_dice.fewer_dice(
                    counted.kept, by=by, damage=damage, rulebook=decision.rulebook
                )
                counted = _Dice(rolled=rolled, kept=kept)
                what = "two Injury dice, of which one counts" if kept < rolled else _fewer(by)
                special_rules.note(decision, attack, acts, what)
            case rules.OutOfActionUnrolled():
                if damage is not None:
                    special_rules.note(decision, attack, acts, "every Injury die is Out of Action, unrolled")
                    counted = _Dice(rolled=counted.kept, kept=counted.kept, unrolled=True)
            case rules.NerveTestInstead():
                pass  # it was looked at before any other
            case _:
                raise AssertionError(f"{acts.effect.kind} does not act at the Injury dice")
    return counted


def _fewer(by: int) -> str:
    """'one Injury die fewer', '2 Injury dice fewer'."""
    return "one Injury die fewer" if by == 1 else f"{by} Injury dice fewer"


def _kept(decision: Decision, harm: Harm, symbols: tuple[str, ...], kept: int) -> tuple[str, ...]:
    """The dice that the owner keeps: what they say, else those that leave the fighter in the battle."""
    now = decision.combatant(harm.target, what="an injury")
    toughness = decision.current_toughness(harm.target)

    def gravity(symbol: str) -> tuple[bool, bool, bool]:
        outcome = injury_dice.stack_injuries(
            (symbol,),
            toughness=toughness,
            already_seriously_injured=now.seriously_injured,
            rulebook=decision.rulebook,
        )
        return symbol != harm.keeps, outcome.out_of_action, symbol == "serious_injury"

    chosen = tuple(sorted(symbols, key=gravity)[:kept])
    different = tuple(dict.fromkeys(symbols))
    if kept == 1 and len(different) > 1 and harm.keeps not in symbols:
        name = decision.fighter(harm.target).name
        decision.leave_to_player(
            records.InjuryDieNotKept(target=harm.target, fighter=name, rolled=different, kept=chosen[0])
        )
    return chosen


def _roll(decision: Decision, harm: Harm, *, dice: int, cause: int) -> tuple[tuple[str, ...], int]:
    symbols: list[str] = []
    for nth in range(1, dice + 1):
        if nth > 2:
            decision.merge_point("injury dice", dice, tuple(sorted(symbols)))  # their order does not matter
        why = "Injury die" if dice == 1 else f"Injury die {nth} of {dice}"
        die = decision.tray.special(decision.rulebook.injury_die, "injury", why=why, fighter=harm.target)
        assert die.symbol is not None, "an Injury die always shows a symbol"
        symbols.append(die.symbol)
        cause = decision.roll(
            die,
            outcome=records.symbol_in_words(die.symbol),
            section="injury_dice",
            rolled_by=opponent(decision, harm),
            cause=cause,
        )
    return tuple(symbols), cause


def apply_injuries(decision: Decision, harm: Harm, symbols: tuple[str, ...], *, cause: int) -> None:
    """Apply Injury dice with these symbols together; no Toughness left means Out of Action."""
    combatant = decision.combatant(harm.target, what="an injury")
    outcome = injury_dice.stack_injuries(
        symbols,
        toughness=decision.current_toughness(harm.target),
        already_seriously_injured=combatant.seriously_injured,
        rulebook=decision.rulebook,
    )
    injured_at = cause
    if outcome.seriously_injured:
        injured_at = decision.emit(
            records.SeriousInjurySuffered(
                fighter=harm.target, by=harm.attacker, in_close_combat=harm.in_close_combat
            ),
            cause=cause,
        )
    if outcome.flesh_wounds:
        decision.emit(
            records.FleshWoundsSuffered(
                fighter=harm.target,
                by=harm.attacker,
                flesh_wounds=outcome.flesh_wounds,
                toughness=outcome.toughness,
            ),
            cause=cause,
        )
    if outcome.out_of_action:
        reason: records.OutOfActionReason = "injury_dice" if outcome.out_of_action_dice else "toughness"
        go_out_of_action(
            decision, harm, reason=reason, out_of_action_dice=outcome.out_of_action_dice, cause=cause
        )
    elif outcome.seriously_injured:
        experience.for_serious_injury(decision, harm, cause=injured_at)


def go_out_of_action(
    decision: Decision, harm: Harm, *, reason: records.OutOfActionReason, out_of_action_dice: int, cause: int
) -> None:
    """A fighter goes Out of Action: the event, the XP for it, and the Lasting Injury rolls."""
    rolls = injury_dice.lasting_injury_rolls(
        out_of_action_dice=out_of_action_dice, rulebook=decision.rulebook
    )
    gone = decision.emit(
        records.FighterWentOutOfAction(
            fighter=harm.target,
            by=harm.attacker,
            reason=reason,
            out_of_action_dice=out_of_action_dice,
            lasting_injury_rolls=rolls,
        ),
        cause=cause,
    )
    experience.for_out_of_action(decision, harm, cause=gone)
    if rolls:
        decision.after_battle_only(suffer_lasting_injuries, harm, rolls=rolls, cause=gone)
