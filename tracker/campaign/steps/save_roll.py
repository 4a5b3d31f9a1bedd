"""Save roll: one for each hit that wounds, before Wounds are lost or Injury dice rolled.

Source: Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps import special_rules
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.special_rules import Attack
from tracker.rules import special_rules as rules
from tracker.rules.combat_tables import Saves
from tracker.rules.necromunda import save_roll
from tracker.rules.necromunda.rules_in_force import FURTHER_READINGS
from tracker.rules.special_rules import Effect


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
    attack: Attack | None = None,
) -> bool:
    """Whether a wound is saved. `why_no_save` is noted if no save is possible.

    Source: Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
    """
    target = decision.fighter(harm.target)
    allowed, shield, broken = _by_rules(decision, attack, allowed)
    options = save_roll.save_options(
        armour_save=target.armour.save if target.armour else None,
        field_save=target.field_armour.save if target.field_armour else None,
        armour_penetration=armour_penetration,
        save_bonus=save_bonus,
        allowed=allowed,
        shield_bonus=shield,
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
        if target.armour is not None or target.field_armour is not None or save_bonus or shield:
            why = "no save: AP takes it away"
            if allowed != "any":
                why = f"no save: {why_no_save} allows none" if why_no_save else "no save is allowed"
            decision.note_rule(harm.target, why, section="save_roll", cause=cause)
        return False
    # Of a field that rolls two dice both must save: the owner takes what is likelier.
    save = min(options, key=_chance_to_fail_twice) if broken else options[0]
    worn = _worn(target, save)
    dice = 2 if broken and save.item == "field_armour" else 1
    rolled = [_roll_save(decision, harm, target, save, worn, cause=cause) for _ in range(dice)]
    return all(rolled)


def _by_rules(decision: Decision, attack: Attack | None, allowed: Saves) -> tuple[Saves, int, bool]:
    """The saves allowed, what shields add, and whether shields and fields are broken.

    In older battles a die at the save was rolled once for each of these questions (ADR 29).
    """
    acted = [acts.effect for acts in special_rules.acting(decision, attack, "save")]
    allowed = _strictest(allowed, acted)
    if not decision.plays_by(FURTHER_READINGS):
        acted = [acts.effect for acts in special_rules.acting(decision, attack, "save")]
    broken = any(isinstance(effect, rules.BreaksShields) for effect in acted)
    shield = max((effect.by for effect in acted if isinstance(effect, rules.ChangesRoll)), default=0)
    return allowed, (0 if broken else shield), broken


def saves_left(decision: Decision, attack: Attack | None, allowed: Saves) -> Saves:
    """The saves that special rules leave a vehicle; nothing adds to them."""
    return _strictest(allowed, [acts.effect for acts in special_rules.acting(decision, attack, "save")])


def _strictest(allowed: Saves, acted: list[Effect]) -> Saves:
    for effect in acted:
        if isinstance(effect, rules.AllowsSaves):
            allowed = save_roll.strictest_saves(allowed, effect.saves)
    return allowed


def _chance_to_fail_twice(save: save_roll.SaveOption) -> float:
    """The chance that a save fails, if a field rolls two dice and the lower counts."""
    saves = (7 - max(save.target, 2)) / 6
    return 1 - saves * saves if save.item == "field_armour" else 1 - saves


def _roll_save(
    decision: Decision, harm: Harm, target: Fighter, save: save_roll.SaveOption, worn: str, *, cause: int
) -> bool:
    """One die of a save roll."""
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
