"""Resolving: what a hit does to a fighter, from the wound roll to the lasting injury.

The order of asking for dice is the order at the table: wound, save, injury, lasting injury. Every chapter
that scores hits ends here. Source: Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps import experience
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.lasting_injuries import suffer_lasting_injuries
from tracker.dice import Die
from tracker.rules.combat_tables import Saves, WeaponTrait
from tracker.rules.necromunda import wound_roll as rules
from tracker.rules.necromunda import injury_dice, save_roll


def resolve(
    decision: Decision,
    harm: Harm,
    *,
    strength: int,
    armour_penetration: int,
    damage: int | None,
    traits: tuple[WeaponTrait, ...],
    hit_roll: int | None,
    save_bonus: int,
    save_with: records.SaveWith,
) -> None:
    """One hit, from the wound roll on. Callers learn what came of it from the state alone."""
    decision.independent(
        _resolve,
        harm,
        strength=strength,
        armour_penetration=armour_penetration,
        damage=damage,
        traits=traits,
        hit_roll=hit_roll,
        save_bonus=save_bonus,
        save_with=save_with,
    )


def _resolve(
    decision: Decision,
    harm: Harm,
    *,
    strength: int,
    armour_penetration: int,
    damage: int | None,
    traits: tuple[WeaponTrait, ...],
    hit_roll: int | None,
    save_bonus: int,
    save_with: records.SaveWith,
) -> None:
    wound, wounded, cause = _roll_to_wound(decision, harm, strength=strength, traits=traits)
    if not wounded:
        return
    on_wound = next((trait.on_wound for trait in traits if trait.on_wound != "damage"), "damage")
    if on_wound == "webbed":
        decision.emit(records.FighterWebbed(fighter=harm.target, by=harm.attacker), cause=cause)
        return
    named = [trait.trait for trait in traits]
    saved = make_save(
        decision,
        harm,
        allowed=_saves_allowed(traits, hit_roll, wound) if traits else "any",
        armour_penetration=armour_penetration,
        save_bonus=save_bonus,
        save_with=save_with,
        cause=cause,
        why_no_save=", ".join(named) or None,
    )
    if saved:
        return
    if on_wound == "injury_die":
        roll_injuries(decision, harm, dice=1, cause=cause)
        return
    if damage is None:
        why = "Damage '-' takes no Wounds, and nothing of this weapon causes an Injury roll"
        section = decision.rulebook.section("damage_dash")
        decision.emit(records.RuleNoted(fighter=harm.target, why=why, section=section), cause=cause)
        return
    if hit_roll == 6:
        damage += sum(trait.on_natural_6_to_hit.extra_damage for trait in traits)
    _inflict_damage(decision, harm, damage=damage, cause=cause)


def _roll_to_wound(
    decision: Decision, harm: Harm, *, strength: int, traits: tuple[WeaponTrait, ...]
) -> tuple[Die, bool, int]:
    toughness = decision.current_toughness(harm.target)
    by_toughness = any(trait.wound_roll == "by_toughness" for trait in traits)
    # Gas and Toxin must reach the Toughness itself; a natural 6 always does.
    target = (
        min(toughness, 6)
        if by_toughness
        else rules.wound_threshold(strength=strength, toughness=toughness, rulebook=decision.rulebook)
    )
    against = (
        f"Toughness {toughness}" if by_toughness else f"Strength {strength} against Toughness {toughness}"
    )
    die = decision.tray.d6("wound", why=f"wound roll, {against}, needs {target}+", fighter=harm.target)
    wounded = die.face >= target
    rolled = decision.roll(
        die,
        outcome=f"{against}: {'wounds' if wounded else 'no wound'}",
        section="wound_roll",
        rolled_by=opponent(decision, harm),
        target=target,
        passed=wounded,
    )
    return die, wounded, rolled


def _saves_allowed(traits: tuple[WeaponTrait, ...], hit_roll: int | None, wound: Die) -> Saves:
    return save_roll.strictest_saves(
        *(trait.saves for trait in traits),
        *(trait.on_natural_6_to_hit.saves for trait in traits if hit_roll == 6),
        *(trait.on_natural_6_to_wound.saves for trait in traits if wound.face == 6),
    )


def make_save(
    decision: Decision,
    harm: Harm,
    *,
    allowed: Saves,
    armour_penetration: int,
    save_bonus: int,
    save_with: records.SaveWith,
    cause: int,
    why_no_save: str | None,
) -> bool:
    """Whether a wound is saved; `why_no_save` is noted where nothing can save.

    Source: Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
    """
    target = decision.fighter(harm.target)
    options = save_roll.save_options(
        armour_save=target.armour.save if target.armour else None,
        field_save=target.field_armour.save if target.field_armour else None,
        armour_penetration=armour_penetration,
        save_bonus=save_bonus,
        allowed=allowed,
    )
    if save_with == "none":
        return False
    if save_with != "best":
        wanted = ("field_armour",) if save_with == "field_armour" else ("armour", "cover")
        chosen = tuple(option for option in options if option.item in wanted)
        if not chosen:
            available = tuple(option.item for option in options)
            raise records.SaveNotAvailable(fighter=target.name, asked=save_with, available=available)
        options = chosen
    if not options:
        if target.armour is not None or target.field_armour is not None or save_bonus:
            why = f"no save: {why_no_save} allows none" if allowed != "any" else "no save: AP takes it away"
            section = decision.rulebook.section("save_roll")
            decision.emit(records.RuleNoted(fighter=harm.target, why=why, section=section), cause=cause)
        return False
    save = options[0]
    worn = _worn(target, save)
    die = decision.tray.d6("save", why=f"save roll, {worn}, needs {save.target}+", fighter=harm.target)
    passed = die.face >= save.target and die.face != 1
    decision.roll(
        die,
        outcome=f"{worn}: {'saved' if passed else 'not saved'}",
        section="save_roll",
        rolled_by=target.gang,
        modifiers=as_modifiers(save.modifiers),
        target=save.target,
        passed=passed,
        cause=cause,
    )
    return passed


def _worn(fighter: Fighter, save: save_roll.SaveOption) -> str:
    worn = {"armour": fighter.armour, "field_armour": fighter.field_armour, "cover": None}[save.item]
    return worn.name if worn is not None else f"no armour, base {save_roll.UNARMOURED_BASE_SAVE}+"


def _inflict_damage(decision: Decision, harm: Harm, *, damage: int, cause: int) -> None:
    combatant = decision.combatant(harm.target, what="damage")
    lost = min(damage, combatant.wounds_left)
    if lost:
        cause = decision.emit(
            records.WoundsLost(
                fighter=harm.target,
                by=harm.attacker,
                wounds_lost=lost,
                wounds_left=combatant.wounds_left - lost,
            ),
            cause=cause,
        )
    dice = injury_dice.injury_dice_from_damage(
        wounds_left=combatant.wounds_left, damage=damage, rulebook=decision.rulebook
    )
    if dice:
        roll_injuries(decision, harm, dice=dice, cause=cause)


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
