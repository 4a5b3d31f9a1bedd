"""Injury dice: how many a hit brings, what a batch of them does, and how many Lasting Injury rolls follow.

Source: Core Rulebook (2023) · Resolve Hits · 3. Inflict Damage.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.records import Record
from tracker.rules.rulebook import Rulebook


def injury_dice_from_damage(*, wounds_left: int, damage: int, rulebook: Rulebook) -> int:
    """Injury dice for unsaved Damage: one on reaching 0 Wounds, one more per further point.

    Source: Core Rulebook (2023) · Resolve Hits · 3. Inflict Damage; at 0 Wounds already, G-02.
    """
    if damage <= 0 or damage < wounds_left:
        return 0
    if wounds_left > 0:
        return damage - wounds_left + 1
    return damage if rulebook.knob("damage.at_zero_wounds") == "die_per_point" else 1


def fewer_dice(dice: int, *, by: int, damage: int | None, rulebook: Rulebook) -> tuple[int, int]:
    """How many Injury dice are rolled, and how many of them count, if a skill takes `by` of them away.

    A single die becomes two, of which the owner keeps one: printed for Damage 1, a reading for any other
    single die (knob true_grit.single_die). Source: Core Rulebook (2023) · Skills · True Grit.
    """
    if dice > 1:
        return dice - by, dice - by
    if damage != 1 and rulebook.knob("true_grit.single_die") == "not_rolled":
        return 0, 0
    return dice + by, dice


class InjuryOutcome(Record):
    """The result of a batch of Injury dice, all of them applied."""

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
