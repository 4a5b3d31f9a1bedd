"""Close combat: Attack dice, assists and interference, Hit rolls, and what may follow.

Knows numbers and who is engaged with whom. Knows no campaign and rolls nothing: each function answers one
question of Core Rulebook (2023) · Close Combat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, TypeAlias

from tracker.records import Record
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.rulebook import Rulebook

FightsAs: TypeAlias = Literal["melee", "sidearm"]
EnemyNow: TypeAlias = Literal["fighting", "seriously_injured", "out_of_action", "wrecked"]

WEAPONS_AT_ONCE = 2
SIDEARM_DICE = 1
UNARMED_DAMAGE = 1
DUAL_WEAPONS_DICE = 1
CHARGING_DICE = 1
CONSOLIDATION_INCHES = 2
TURNED, CHARGED_UNSEEN = -1, -1
ASSIST, INTERFERENCE, AGAINST_VEHICLE = 1, -1, 1


# --- 2. weapons ------------------------------------------------------------------------------------------


def fights_as(traits: Sequence[str]) -> FightsAs | None:
    """How a weapon counts in close combat, or None for one that cannot be used there.

    A weapon with both traits counts as a Sidearm: one Attack dice at most (G-46).
    Source: Core Rulebook (2023) · Close Combat · 2. Choose Weapons; 3. Determine Attack Dice.
    """
    keys = {trait_key(trait) for trait in traits}
    if "sidearm" in keys:
        return "sidearm"
    return "melee" if "melee" in keys else None


def takes_both_hands(traits: Sequence[str]) -> bool:
    """Whether the weapon must be a fighter's only one in close combat.

    Source: Core Rulebook (2023) · Close Combat · 2. Choose Weapons.
    """
    return "unwieldy" in {trait_key(trait) for trait in traits}


def reaches_across(traits: Sequence[str]) -> bool:
    """Whether the weapon fights across an obstacle too wide for others.

    Source: Core Rulebook (2023) · Close Combat · Fighting Across Barricades.
    """
    return "versatile" in {trait_key(trait) for trait in traits}


# --- 3. attack dice --------------------------------------------------------------------------------------


def attack_dice(*, attacks: int, weapons: int, charging: bool) -> tuple[int, Modifiers]:
    """The number of Attack dice, and what was added to the Attacks characteristic.

    Source: Core Rulebook (2023) · Close Combat · 3. Determine Attack Dice.
    """
    added: list[tuple[str, int]] = []
    if weapons == WEAPONS_AT_ONCE:
        added.append(("two weapons", DUAL_WEAPONS_DICE))
    if charging:
        added.append(("charging", CHARGING_DICE))
    return attacks + sum(by for _, by in added), tuple(added)


def attack_splits(dice: int, weapons: Sequence[FightsAs]) -> tuple[tuple[int, ...], ...]:
    """Every way the Attack dice may be shared out: one number for each weapon, unarmed attacks last.

    As evenly as possible, but one dice at most for a Sidearm: what it cannot take goes to the Melee weapon,
    else to unarmed attacks. Two ways are given where the player chooses who gets the odd dice.
    Source: Core Rulebook (2023) · Close Combat · 3. Determine Attack Dice.
    """
    assert dice > 0, "everybody has an Attack dice at least"
    if not weapons:
        return ((dice,),)
    if len(weapons) == 1:
        (only,) = weapons
        taken = dice if only == "melee" else min(dice, SIDEARM_DICE)
        return ((taken, dice - taken),)
    first, second = weapons
    assert dice >= WEAPONS_AT_ONCE, "the second weapon brings an Attack dice of its own"
    if first == second == "melee":
        less, more = dice // 2, dice - dice // 2
        return ((more, less, 0),) if more == less else ((more, less, 0), (less, more, 0))
    if first == second:  # two Sidearms
        return ((SIDEARM_DICE, SIDEARM_DICE, dice - 2 * SIDEARM_DICE),)
    rest = dice - SIDEARM_DICE
    return ((SIDEARM_DICE, rest, 0),) if first == "sidearm" else ((rest, SIDEARM_DICE, 0),)


def shares_of_next(
    ways: Sequence[tuple[int, ...]], before: Sequence[tuple[int, ...]], *, after: int
) -> tuple[tuple[int, ...], ...]:
    """The shares that the next target may take where the dice go to several, of the weapons that take any.

    All that is left where nobody comes `after`; else one dice at least stays for each.
    """
    used = max((place + 1 for way in ways for place, dice in enumerate(way) if dice), default=0)
    found: dict[tuple[int, ...], None] = {}
    for way in ways:
        left = tuple(
            dice - sum(share[place] for share in before if place < len(share))
            for place, dice in enumerate(way[:used])
        )
        found |= dict.fromkeys(_shares_of(left, after))
    return tuple(found)


def _shares_of(left: tuple[int, ...], after: int) -> Iterator[tuple[int, ...]]:
    if min(left, default=-1) < 0:
        return
    for share in product(*(range(dice + 1) for dice in left)) if after else (left,):
        if sum(share) and sum(left) - sum(share) >= after:
            yield share


# --- assists and interference ----------------------------------------------------------------------------


class Bystander(Record):
    """A fighter engaged in the same fight. `held_by` are the enemies who keep them from counting."""

    fighter: str
    held_by: tuple[str, ...]

    @property
    def counts(self) -> bool:
        """Whether they assist or interfere."""
        return not self.held_by


def held_by_any_enemy(rulebook: Rulebook) -> bool:
    """Whether any other enemy keeps a fighter from assisting or interfering, or only those of the other
    side's gang.

    Source: Core Rulebook (2023) · Close Combat · Assists, Interference; knob melee.helpers_held_by.
    """
    return rulebook.knob("melee.helpers_held_by") == "any_enemy"


def assisting(
    attacker: str,
    target: str,
    *,
    engaged: Mapping[str, Collection[str]],
    gang_of: Mapping[str, str],
    by_any_enemy: bool = False,
) -> tuple[Bystander, ...]:
    """The attacker's friends who are engaged with the target; held by others of the target's gang.

    `by_any_enemy`: held by anybody else they are engaged with.
    Source: Core Rulebook (2023) · Close Combat · Assists.
    """
    return tuple(
        _bystander(fighter, target, engaged=engaged, gang_of=gang_of, by_any_enemy=by_any_enemy)
        for fighter in engaged.get(target, ())
        if fighter != attacker and gang_of[fighter] == gang_of[attacker]
    )


def interfering(
    attacker: str,
    target: str,
    *,
    engaged: Mapping[str, Collection[str]],
    gang_of: Mapping[str, str],
    by_any_enemy: bool = False,
) -> tuple[Bystander, ...]:
    """Enemies other than the target who are engaged with the attacker; held by the attacker's friends.

    `by_any_enemy`: held by anybody else they are engaged with.
    Source: Core Rulebook (2023) · Close Combat · Interference; step 5 says it more loosely (G-13).
    """
    return tuple(
        _bystander(fighter, attacker, engaged=engaged, gang_of=gang_of, by_any_enemy=by_any_enemy)
        for fighter in engaged.get(attacker, ())
        if fighter != target and gang_of[fighter] != gang_of[attacker]
    )


def _bystander(
    fighter: str,
    against: str,
    *,
    engaged: Mapping[str, Collection[str]],
    gang_of: Mapping[str, str],
    by_any_enemy: bool,
) -> Bystander:
    # Whoever they are engaged with is of another gang than theirs: an enemy.
    held_by = tuple(
        other
        for other in engaged.get(fighter, ())
        if other != against and (by_any_enemy or gang_of[other] == gang_of[against])
    )
    return Bystander(fighter=fighter, held_by=held_by)


# --- 5. hit rolls ----------------------------------------------------------------------------------------


def hit_modifiers(
    *,
    turned_to_face: bool = False,
    charged_while_prone: bool = False,
    charged_unseen: bool = False,
    broken: int = 0,
    assists: int = 0,
    interference: int = 0,
    against_vehicle: bool = False,
    across_barricade: int = 0,
) -> Modifiers:
    """The modifiers of each Hit roll, with reasons. A fighter charged while Prone has turned already, so pays
    once.

    A vehicle is easier to hit, and nobody assists against one. `broken` is the modifier of a Broken fighter's
    reaction, `across_barricade` the book's for a barricade in between. Source: Core Rulebook (2023) · Close
    Combat · 1. Turn To Face; 5. Make Hit Roll(s); Charging Prone Or Out Of Line Of Sight Fighters; Attacking
    Vehicles.
    """
    helped = 0 if against_vehicle else assists
    return nonzero(
        ("charged while Prone", TURNED if charged_while_prone else 0),
        ("turned to face", TURNED if turned_to_face and not charged_while_prone else 0),
        ("charged out of sight", CHARGED_UNSEEN if charged_unseen else 0),
        ("Broken", broken),
        ("across a barricade", across_barricade),
        ("against a vehicle", AGAINST_VEHICLE if against_vehicle else 0),
        ("assists" if helped > 1 else "assist", helped * ASSIST),
        ("interference", interference * INTERFERENCE),
    )


def hit_threshold(*, weapon_skill: int, modifier: int) -> int:
    """Lowest D6 face that hits: 2 or more; above 6 nothing hits, and no improbable hit is printed.

    Ballistic Skill and accuracy never count here.
    Source: Core Rulebook (2023) · Close Combat · 5. Make Hit Roll(s).
    """
    return max(2, weapon_skill - modifier)


def strikes(face: int, *, weapon_skill: int, modifier: int) -> bool:
    """Whether one Attack dice hits. A natural 1 never does.

    Source: Core Rulebook (2023) · Close Combat · 5. Make Hit Roll(s).
    """
    return face != 1 and face + modifier >= weapon_skill


# --- 8. afterwards ---------------------------------------------------------------------------------------


def may_consolidate(enemies: Collection[EnemyNow]) -> bool:
    """Whether every enemy that was engaged is Seriously Injured, Out of Action or Wrecked.

    Source: Core Rulebook (2023) · Close Combat · 8. Consolidate Or Coup De Grace.
    """
    return bool(enemies) and "fighting" not in enemies


def across_barricade(rulebook: Rulebook) -> int:
    """The modifier of each Hit roll across a barricade.

    Source: Archived rules · Close Combat · Make Hit Rolls; knob melee.across_barricade.
    """
    return int(rulebook.knob("melee.across_barricade"))


def coup_de_grace_when_nobody_is_left(rulebook: Rulebook) -> bool:
    """Whether a free Coup de Grace needs only that no engaged enemy still fights.

    It may then be made against any Seriously Injured enemy in base contact. Source: Archived rules · Close
    Combat · Consolidate or Coup de Grace; knob melee.coup_de_grace.
    """
    return rulebook.knob("melee.coup_de_grace") == "nobody_left"


def may_coup_de_grace(enemies: Collection[EnemyNow], *, nobody_left: bool = False) -> bool:
    """Whether a free Coup de Grace is allowed: all are Seriously Injured or Wrecked, and one is a fighter.

    An enemy Out of Action forbids it; with only Wrecked vehicles there is nobody to make it against (G-47).
    `nobody_left`: it is enough that no engaged enemy still fights, as for consolidating. Source: Core
    Rulebook (2023) · Close Combat · 8. Consolidate Or Coup De Grace.
    """
    if nobody_left:
        return may_consolidate(enemies)
    return "seriously_injured" in enemies and set(enemies) <= {"seriously_injured", "wrecked"}
