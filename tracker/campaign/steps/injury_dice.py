"""Injury dice, and what they do together: Flesh Wounds, Serious Injury, Out of Action.

Source: Core Rulebook (2023) · Resolve Hits · 3. Inflict Damage.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import experience
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.lasting_injuries import suffer_lasting_injuries
from tracker.rules.necromunda import injury_dice


def roll_injuries(decision: Decision, harm: Harm, *, dice: int, cause: int) -> None:
    """So many Injury dice, and what they do together."""
    symbols: list[str] = []
    for nth in range(1, dice + 1):
        if nth > 2:
            decision.merge_point("injury dice", dice, tuple(sorted(symbols)))  # their order does not matter
        why = "Injury die" if dice == 1 else f"Injury die {nth} of {dice}"
        die = decision.tray.special(decision.rulebook.injury_die, "injury", why=why, fighter=harm.target)
        assert die.symbol is not None, "an Injury die always shows a symbol"
        symbols.append(die.symbol)
        outcome = die.symbol.replace("_", " ").title().replace(" Of ", " of ")
        cause = decision.roll(
            die, outcome=outcome, section="injury_dice", rolled_by=opponent(decision, harm), cause=cause
        )
    apply_injuries(decision, harm, tuple(symbols), cause=cause)


def apply_injuries(decision: Decision, harm: Harm, symbols: tuple[str, ...], *, cause: int) -> None:
    """What Injury dice with these symbols do together; who is past all bearing goes Out of Action."""
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
    """Out of Action: noted, paid for in XP, and carried home as rolls on the Lasting Injury table."""
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
