"""Injuries: pools of D6, which of them count, armour, Bloodbath, Blood Markers.

Knows numbers and one roll at a time. Knows no campaign and rolls nothing. Source: Trench Crusade (1.6) ·
Injury Chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tracker.records import Record
from tracker.rules.combat_tables import ArmourKind
from tracker.rules.modifiers import Modifiers
from tracker.rules.rulebook import Rulebook

INJURY_POOL_DICE = 2
BLOOD_MARKERS_MAX = 6
WORST_MODIFIER = -3
ARMOUR_PIERCING = 1
"""What ARMOUR PIERCING takes off the target's total minus (1.0.2)."""
DEADLY_POOL = 3
"""Dice that a DEADLY attack totals; Bloodbath makes it one more (1.0.2)."""
BLOODBATH_MARKERS = 6
BLOODBATH_MARKERS_WHEN_DOWN = 3


class Pool(Record):
    """How many D6 are rolled and how many of them kept; `extra` D6 are always added."""

    roll: int
    keep: int
    which: Literal["highest", "lowest"]
    extra: int = 0

    def kept(self, faces: Sequence[int]) -> tuple[int, ...]:
        """The faces that count, best first for 'highest', worst first for 'lowest', extra ones last."""
        assert len(faces) == self.roll + self.extra, f"{len(faces)} faces for {self}"
        pool, extra = faces[: self.roll], faces[self.roll :]
        in_order = sorted(pool, reverse=self.which == "highest")
        return (*in_order[: self.keep], *extra)


def dice_pool(*, start: int, plus_dice: int, minus_dice: int, rulebook: Rulebook) -> Pool:
    """The dice rolled and kept for a starting pool: as many are kept as the pool began with.

    +DICE and -DICE cancel each other before anything is rolled (G-16, knob dice.mixed). Source: Trench
    Crusade (1.6) · Injury Chart.
    """
    if plus_dice and minus_dice and rulebook.knob("dice.mixed") == "any_minus_keeps_lowest":
        return Pool(roll=start + plus_dice + minus_dice, keep=start, which="lowest")
    net = plus_dice - minus_dice
    return Pool(roll=start + abs(net), keep=start, which="highest" if net >= 0 else "lowest")


def injury_pool(*, start: int, plus_dice: int, minus_dice: int, bloodbath: bool, rulebook: Rulebook) -> Pool:
    """The pool of an injury roll. Bloodbath makes the starting pool one larger (G-31), or adds a D6 apart.

    Source: Trench Crusade (1.6) · Injury Chart · Bloodbath; knob bloodbath.extra_die.
    """
    apart = bloodbath and rulebook.knob("bloodbath.extra_die") == "separate_die"
    larger = start + 1 if bloodbath and not apart else start
    pool = dice_pool(start=larger, plus_dice=plus_dice, minus_dice=minus_dice, rulebook=rulebook)
    return Pool(roll=pool.roll, keep=pool.keep, which=pool.which, extra=int(apart))


def bloodbath_cost(*, target_is_down: bool) -> int:
    """The number of the target's Blood Markers that Bloodbath costs.

    Source: Trench Crusade (1.6) · Injury Chart.
    """
    return BLOODBATH_MARKERS_WHEN_DOWN if target_is_down else BLOODBATH_MARKERS


def armour_modifiers(*, armour: ArmourKind | None, shield: bool, shield_modifier: int) -> Modifiers:
    """What armour and shield take off an injury roll; some armour does not let the shield add to it.

    Source: Trench Crusade (1.6) · Injury Chart · Modifiers.
    """
    worn: Modifiers = () if armour is None else ((armour.name, armour.modifier),)
    if shield and (armour is None or armour.adds_shield):
        worn += (("Trench Shield", shield_modifier),)
    return worn


def beyond_worst(modifier: int, *, rulebook: Rulebook) -> int:
    """The correction of flat modifiers that add up to less than the worst allowed (1.0).

    Source: Trench Crusade (1.0) · Injuries; knob injury.worst_modifier.
    """
    if rulebook.knob("injury.worst_modifier") == "none":
        return 0
    return max(0, WORST_MODIFIER - modifier)


def armour_on_card(*, printed: int, kit: Sequence[str], rulebook: Rulebook) -> ArmourKind | None:
    """The armour of a card: the better of the printed number and what the kit names.

    They are two ways to write one armour, so they never add up.
    """
    words = {item.strip().lower().replace(" ", "_") for item in kit}
    named = [
        kind
        for kind in rulebook.book.armour.values()
        if kind.modifier == printed or words & {kind.armour, f"{kind.armour}_armour"}
    ]
    return min(named, key=lambda kind: kind.modifier, default=None)


def shield_on_card(kit: Sequence[str]) -> bool:
    """Whether the kit names a Trench Shield."""
    return any(item.strip().lower().replace(" ", "_") == "trench_shield" for item in kit)


def is_tough(keywords: Sequence[str]) -> bool:
    """Whether the card has the keyword TOUGH."""
    return any(keyword.strip().lower() == "tough" for keyword in keywords)


def markers_after(*, held: int, gained: int) -> int:
    """The Blood Markers on a model after a gain: six at most, the rest is lost.

    Source: Trench Crusade (1.6) · Injury Chart · Minor Hit.
    """
    return min(held + gained, BLOOD_MARKERS_MAX)


def markers_from_down(*, already_down: bool) -> int:
    """Blood Markers that the result Down brings. Source: Trench Crusade (1.6) · Injury Chart · Down."""
    return 2 if already_down else 1
