"""Save roll: one for each hit that wounds, before Wounds are lost or Injury dice rolled.

Source: Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.harm import Harm
from tracker.rules.combat_tables import Saves
from tracker.rules.necromunda import save_roll


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
            decision.note_rule(harm.target, why, section="save_roll", cause=cause)
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
