"""Save roll: the possible saves against a hit, and what they need.

Source: Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from tracker.records import Record
from tracker.rules.combat_tables import Saves, WeaponTrait
from tracker.rules.modifiers import Modifiers, nonzero

UNARMOURED_BASE_SAVE = 7


class SaveOption(Record):
    """One possible save: the armour, the lowest face that saves, and the modifiers."""

    item: Literal["armour", "field_armour", "cover"]
    target: int
    printed: int
    modifiers: Modifiers = ()


@lru_cache(maxsize=1024)  # plain numbers, asked for with every wound
def save_options(
    *,
    armour_save: int | None,
    field_save: int | None,
    armour_penetration: int,
    save_bonus: int,
    allowed: Saves,
    shield_bonus: int = 0,
) -> tuple[SaveOption, ...]:
    """Every save the fighter could make, best first; empty if none is possible. One of them may be rolled.

    `armour_penetration` (negative is worse), `save_bonus`, a shield's bonus and an AP of +1 modify armour
    only, and a bonus gives a fighter without armour a base of 7+. Field armour ignores them all. Source: Core
    Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
    """
    if allowed == "none":
        return ()
    options: list[SaveOption] = []
    bettered = save_bonus > 0 or shield_bonus > 0 or armour_penetration > 0
    if allowed == "any" and (armour_save is not None or bettered):
        printed = armour_save if armour_save is not None else UNARMOURED_BASE_SAVE
        moved = nonzero(("cover", save_bonus), ("shield", shield_bonus), ("AP", armour_penetration))
        target = printed - save_bonus - shield_bonus - armour_penetration
        if target <= 6:
            item: Literal["armour", "cover"] = "armour" if armour_save is not None else "cover"
            options.append(SaveOption(item=item, target=max(target, 2), printed=printed, modifiers=moved))
    if field_save is not None and field_save <= 6:
        options.append(SaveOption(item="field_armour", target=field_save, printed=field_save))
    return tuple(sorted(options, key=lambda option: option.target))


def save_bonus_from_cover(cover: Literal["none", "partial", "full"]) -> int:
    """+1 in partial cover, +2 in full, against Blast and Template.

    Source: Core Rulebook (2023) · Shooting · Cover.
    """
    return {"none": 0, "partial": 1, "full": 2}[cover]


def strictest_saves(*allowed: Saves) -> Saves:
    """The strictest of several rules on saves."""
    order: tuple[Saves, ...] = ("none", "field_only", "any")
    return next((saves for saves in order if saves in allowed), "any")


def saves_allowed(traits: tuple[WeaponTrait, ...], *, hit_face: int | None, wound_face: int | None) -> Saves:
    """The saves that a weapon's traits allow, by the natural faces of its hit and wound rolls.

    `wound_face` None: none was rolled.
    """
    return strictest_saves(
        *(trait.saves for trait in traits),
        *(trait.on_natural_6_to_hit.saves for trait in traits if hit_face == 6),
        *(trait.on_natural_6_to_wound.saves for trait in traits if wound_face == 6),
    )
