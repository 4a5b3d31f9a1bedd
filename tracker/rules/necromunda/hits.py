"""Resolving hits: wound, save, damage, injury dice, falls.

Knows numbers and thresholds. Knows no campaign and rolls nothing: each function answers one question of
Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from tracker.records import Record
from tracker.rules.combat_tables import Comparison, FallBand, Saves, WeaponTrait
from tracker.rules.rulebook import Rulebook

UNARMOURED_BASE_SAVE = 7


def compared(*, strength: int, toughness: int) -> Comparison:
    """Which row of the wound table holds.

    Source: Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll.
    """
    # The extremes come first: "twice" is also "greater", "half" is also "lower".
    if strength >= 2 * toughness:
        return "twice"
    if 2 * strength <= toughness:
        return "half"
    if strength > toughness:
        return "greater"
    if strength == toughness:
        return "equal"
    return "lower"


def wound_threshold(*, strength: int, toughness: int, rulebook: Rulebook) -> int:
    """Lowest D6 face that wounds, 2 to 6.

    Source: Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll.
    """
    return rulebook.book.wound_roll[compared(strength=strength, toughness=toughness)]


class SaveOption(Record):
    """One way to save: what with, the lowest face that saves, and what moved it."""

    item: Literal["armour", "field_armour", "cover"]
    target: int
    printed: int
    modifiers: tuple[tuple[str, int], ...] = ()


@lru_cache(maxsize=1024)  # plain numbers, asked for with every wound
def save_options(
    *,
    armour_save: int | None,
    field_save: int | None,
    armour_penetration: int,
    save_bonus: int,
    allowed: Saves,
) -> tuple[SaveOption, ...]:
    """Every save the fighter could make, best first; empty when none is possible. One of them may be rolled.

    `armour_penetration` is 0 or negative and worsens armour only; `save_bonus` improves armour only, and
    lends a fighter without armour a base of 7+. Field armour knows neither.
    Source: Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll.
    """
    if allowed == "none":
        return ()
    options: list[SaveOption] = []
    if allowed == "any" and (armour_save is not None or save_bonus > 0):
        printed = armour_save if armour_save is not None else UNARMOURED_BASE_SAVE
        moved: tuple[tuple[str, int], ...] = (("cover", save_bonus),) if save_bonus else ()
        moved += (("AP", armour_penetration),) if armour_penetration else ()
        target = printed - save_bonus - armour_penetration
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


def injury_dice_from_damage(*, wounds_left: int, damage: int, rulebook: Rulebook) -> int:
    """Injury dice for unsaved Damage: one on reaching 0 Wounds, one more per further point.

    Source: Core Rulebook (2023) · Resolve Hits · 3. Inflict Damage; at 0 Wounds already, G-02.
    """
    if damage <= 0 or damage < wounds_left:
        return 0
    if wounds_left > 0:
        return damage - wounds_left + 1
    return damage if rulebook.knob("damage.at_zero_wounds") == "die_per_point" else 1


class InjuryOutcome(Record):
    """What a batch of Injury dice does, all dice applied."""

    seriously_injured: bool
    flesh_wounds: int
    toughness: int
    out_of_action_dice: int

    @property
    def out_of_action(self) -> bool:
        """Whether the fighter leaves the battle, by the dice or because Toughness fell to 0."""
        return self.out_of_action_dice > 0 or self.toughness <= 0


def stack_injuries(
    symbols: Sequence[str], *, toughness: int, already_seriously_injured: bool, rulebook: Rulebook
) -> InjuryOutcome:
    """Apply every Injury die of one roll. Order within the roll does not matter.

    Each Serious Injury beyond the first becomes a Flesh Wound (knob injury_dice.further_serious_injury);
    each Flesh Wound takes 1 Toughness. Source: Core Rulebook (2023) · Resolve Hits · Injury Dice.
    """
    serious, flesh = symbols.count("serious_injury"), symbols.count("flesh_wound")
    further = serious if already_seriously_injured else max(serious - 1, 0)
    if rulebook.knob("injury_dice.further_serious_injury") == "flesh_wound":
        flesh += further
    return InjuryOutcome(
        seriously_injured=serious > 0 and not already_seriously_injured,
        flesh_wounds=flesh,
        toughness=max(toughness - flesh, 0),
        out_of_action_dice=symbols.count("out_of_action"),
    )


def lasting_injury_rolls(*, out_of_action_dice: int, rulebook: Rulebook) -> int:
    """Lasting Injury rolls for going Out of Action: one per Out of Action die, at least one (G-03).

    Source: Core Rulebook (2023) · Lasting Injuries; knob lasting_injuries.rolls.
    """
    match rulebook.knob("lasting_injuries.rolls"):
        case "none":
            return 0
        case "once":
            return 1
        case _:
            return max(1, out_of_action_dice)


def fall_hit(distance_hundredths: int, *, rulebook: Rulebook) -> FallBand | None:
    """The automatic hit for a fall of so many hundredths of an inch, or None when it is too short to hurt.

    The row is picked by the distance rounded up to a whole inch. Source: Core Rulebook (2023) · Falling.
    """
    inches = -(-distance_hundredths // 100)
    lowest = rulebook.book.lowest_fall_inches
    hurts = (
        distance_hundredths >= lowest * 100
        if rulebook.knob("falling.threshold") == "real_distance"
        else inches >= lowest
    )
    if not hurts:
        return None
    for band in rulebook.book.falls:
        if band.to_inches is None or inches <= band.to_inches:
            return band
    raise AssertionError("the last band has no end")


def trait_key(printed: str) -> str:
    """A trait as printed on a card, as the book's table names it: 'Rapid Fire (1)' is 'rapid-fire'."""
    return printed.partition("(")[0].strip().lower().replace(" ", "-")


@lru_cache(maxsize=1024)  # plain text; a weapon is asked for its traits a dozen times a shot
def trait_keys(traits: tuple[str, ...]) -> tuple[str, ...]:
    """All traits of a card, as the book's table names them."""
    return tuple(trait_key(printed) for printed in traits)


def resolving_traits(traits: Sequence[str], rulebook: Rulebook) -> tuple[WeaponTrait, ...]:
    """Those of a weapon's traits that change how its hits are resolved."""
    if not traits:
        return ()
    known = rulebook.book.traits
    return tuple([known[key] for key in trait_keys(tuple(traits)) if key in known])


def strictest_saves(*allowed: Saves) -> Saves:
    """The least generous of several rules on saves."""
    order: tuple[Saves, ...] = ("none", "field_only", "any")
    return next((saves for saves in order if saves in allowed), "any")
