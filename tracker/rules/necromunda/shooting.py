"""Shooting: target priority, hit rolls, Firepower dice and stray shots.

Knows numbers, traits and knobs. Knows no campaign and rolls nothing: each function answers one question of
Core Rulebook (2023) · Shooting.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from tracker.records import Record
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.necromunda.weapon_traits import trait_key, trait_keys
from tracker.rules.rulebook import Rulebook

RangeBand: TypeAlias = Literal["short", "long", "beyond"]
Cover: TypeAlias = Literal["none", "partial", "full"]

BLAST, TEMPLATE, SMOKE, SIDEARM, MELEE = "blast", "template", "smoke", "sidearm", "melee"
RAPID_FIRE, SINGLE_SHOT, COMBI = "rapid-fire", "single-shot", "combi"
SCARCE, LIMITED, PLENTIFUL = "scarce", "limited", "plentiful"
UNSTABLE, UNWIELDY = "unstable", "unwieldy"

AMMO: Final = "ammo"
_HOLES: Final = {"one_hole": 1, "two_holes": 2, "three_holes": 3}
_STRAY_FACES: Final = {"1_to_3": (1, 2, 3), "6": (6,)}
UNSTABLE_HARMS_UP_TO: Final = 3
SPILL_NEEDS: Final = 4
HULL_DOWN: Final = -2
"""Against a vehicle of whose facing the attacker sees nothing: as full cover.

Source: Core Rulebook (2023) · Vehicles · Facings; Archived rules · Shooting."""
UNSEEN_TEMPLATE_NEEDS: Final = 4
MISFIRE_ON: Final = 1


def has_trait(traits: Sequence[str], trait: str) -> bool:
    """Whether this trait is among a weapon's traits as printed."""
    return bool(traits) and trait in trait_keys(tuple(traits))


def firepower_dice_allowed(traits: Sequence[str]) -> int:
    """How many Firepower dice may be rolled: X for Rapid Fire (X), else 1.

    Source: Core Rulebook (2023) · Shooting · The Firepower Dice; Weapon Traits.
    """
    for printed in traits:
        if trait_key(printed) == RAPID_FIRE:
            digits = "".join(character for character in printed if character in "0123456789")
            return max(1, int(digits or 1))
    return 1


# --- target priority -------------------------------------------------------------------------------------


class Nearer(Record):
    """An enemy nearer than the target: whether it may be skipped freely, and whether it is outside the arc.
    `harder_to_hit`: than the target, because of negative modifiers.
    """

    free: bool
    out_of_arc: bool
    harder_to_hit: bool = False


def priority_test_needed(*, closest: bool, nearer: Sequence[Nearer], rulebook: Rulebook) -> bool:
    """Whether a Cool test comes before the shot.

    `closest` is among the enemies in the vision arc; enemies out of it count where the knob
    target_priority.needs_vision_arc says so (HR-2). Every nearer enemy that counts must be free to skip
    (G-34); where the knob target_priority.easier_target says so, an enemy easier to hit than the closest may
    be chosen over everybody in between. `nearer` is in order, nearest first.
    Source: Core Rulebook (2023) · Shooting · 1. Assess Target Priority.
    """
    if rulebook.knob("target_priority.easier_target") == "any_further":
        everywhere = rulebook.knob("target_priority.needs_vision_arc") == "false"
        counted = [enemy for enemy in nearer if everywhere or not enemy.out_of_arc]
        closest_left = next((enemy for enemy in counted if not enemy.free or enemy.harder_to_hit), None)
        if closest_left is not None:
            return not closest_left.harder_to_hit
        return not closest and not counted
    if not closest:
        in_arc = [enemy for enemy in nearer if not enemy.out_of_arc]
        if not in_arc or not all(enemy.free for enemy in in_arc):
            return True
    if rulebook.knob("target_priority.needs_vision_arc") == "true":
        return False
    return any(enemy.out_of_arc and not enemy.free for enemy in nearer)


def template_skips_priority(traits: Sequence[str], rulebook: Rulebook) -> bool:
    """Whether a Template weapon may skip the first step (HR-4a: only with Smoke).

    Source: Core Rulebook (2023) · Shooting · Flame Templates.
    """
    if rulebook.knob("templates.skip_target_priority") == "always":
        return True
    return has_trait(traits, SMOKE)


# --- the hit roll ----------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)  # plain numbers, asked for with every shot
def hit_modifiers(
    *,
    cover: Cover,
    band: RangeBand,
    accuracy: int,
    engaged: bool,
    prone: bool,
    point: bool,
    traits: tuple[str, ...],
) -> Modifiers:
    """Every printed modifier to a ranged hit roll that is not 0, with its reason.

    `accuracy` is the weapon's for that range; `engaged` and `prone` describe the target.
    Source: Core Rulebook (2023) · Shooting · 4. Make the Hit Roll.
    """
    return nonzero(
        (f"{cover} cover", {"none": 0, "partial": -1, "full": -2}[cover]),
        (f"accuracy at {band} range", accuracy),
        ("target engaged", -1 if engaged else 0),
        ("target prone at long range", -1 if prone and band == "long" else 0),
        ("at a point", -2 if point and not has_trait(traits, SMOKE) else 0),
    )


class HitNeeded(Record):
    """The lowest face that hits (2 at best: a natural 1 always misses), or an Improbable Shot."""

    face: int
    improbable: bool


@lru_cache(maxsize=256)  # plain numbers, asked for with every shot
def hit_needed(*, ballistic_skill: int, modifiers: Modifiers) -> HitNeeded:
    """The face that the hit die must show. A need of 7 or more is an Improbable Shot.

    Source: Core Rulebook (2023) · Shooting · 4. Make the Hit Roll.
    """
    face = ballistic_skill - sum(by for _, by in modifiers)
    return HitNeeded(face=max(face, 2), improbable=face > 6)


# --- Firepower dice --------------------------------------------------------------------------------------


def bullet_holes(symbols: Sequence[str], rulebook: Rulebook) -> int:
    """Bullet holes on all Firepower dice; the Ammo face shows one too (knob firepower.ammo_face).

    Source: Core Rulebook (2023) · Shooting · The Firepower Dice.
    """
    on_ammo = 1 if rulebook.knob("firepower.ammo_face") == "one_hole" else 0
    return sum(on_ammo if symbol == AMMO else _HOLES[symbol] for symbol in symbols)


def hits_scored(symbols: Sequence[str], *, traits: Sequence[str], rulebook: Rulebook) -> int:
    """Hits of one passed hit roll: the bullet holes for Rapid Fire (G-38), else 1.

    Source: Core Rulebook (2023) · Shooting · The Firepower Dice; Weapon Traits.
    """
    return bullet_holes(symbols, rulebook) if has_trait(traits, RAPID_FIRE) else 1


def holes_are_shots(traits: Sequence[str], rulebook: Rulebook) -> bool:
    """Whether each bullet hole of a Rapid Fire weapon is a shot with a hit roll of its own (G-38).

    Source: Core Rulebook (2023) · Shooting · The Firepower Dice; Weapon Traits.
    """
    return has_trait(traits, RAPID_FIRE) and rulebook.knob("rapid_fire.bullet_holes") == "shots"


AmmoTrouble: TypeAlias = Literal["none", "out_of_ammo", "jammed"]


def ammo_trouble(failed_tests: int, *, traits: Sequence[str]) -> AmmoTrouble:
    """The result of an attack's failed Ammo tests: Out of Ammo; two or more jam a Rapid Fire weapon.

    Source: Core Rulebook (2023) · Shooting · The Firepower Dice; Weapon Traits.
    """
    if failed_tests == 0:
        return "none"
    return "jammed" if failed_tests > 1 and has_trait(traits, RAPID_FIRE) else "out_of_ammo"


def spent_when_failed(traits: Sequence[str]) -> bool:
    """Whether a failed Ammo test spends the profile for the battle.

    Source: Core Rulebook (2023) · Shooting · Multiple Weapon Profiles.
    """
    return has_trait(traits, SCARCE) or has_trait(traits, LIMITED)


# --- misses ----------------------------------------------------------------------------------------------


def stray_hits_on(rulebook: Rulebook, *, vehicle: bool) -> tuple[int, ...]:
    """The faces on which a stray shot hits: 1 to 3, or 6 (HR-3); a knob may leave vehicles at 1 to 3 (G-37).

    Source: Core Rulebook (2023) · Shooting · Stray Shots.
    """
    if vehicle and rulebook.knob("stray_shots.hr3_scope") == "fighters":
        return _STRAY_FACES["1_to_3"]
    return _STRAY_FACES[rulebook.knob("stray_shots.hits_on")]


def strays_when_beyond_range(rulebook: Rulebook) -> bool:
    """Whether a shot that misses because it is beyond range may hit models within Long range (G-12).

    Source: Core Rulebook (2023) · Shooting · Stray Shots.
    """
    return rulebook.knob("stray_shots.beyond_range") == "within_long_range"


def vehicles_at_risk(rulebook: Rulebook) -> bool:
    """Whether a stray shot may hit a vehicle.

    Source: Core Rulebook (2023) · Shooting · Stray Shots; the archived rules speak of fighters only.
    """
    return rulebook.knob("stray_shots.at_risk") == "models"


def removed_off_the_table(rulebook: Rulebook) -> bool:
    """Whether a Blast marker is removed when its centre leaves the table.

    Source: Archived rules · Shooting · Blast Markers; knob blast.off_the_table.
    """
    return rulebook.knob("blast.off_the_table") == "removed"


def misfires(*, scatter: str, distance: int) -> bool:
    """Whether a scattering Blast goes wrong: Hit on the Scatter die and 1 on the D6.

    Source: Core Rulebook (2023) · Shooting · Blast Markers · Misfires.
    """
    return scatter == "hit" and distance == MISFIRE_ON
