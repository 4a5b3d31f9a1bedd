"""Words for fights in tests: weapons, dice, and a Fight with few words."""

from __future__ import annotations

from typing import Any

from scenario import BOOK, VEX, Table

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.dice import Die, read_die
from tracker.rules import loader


def weapon(name: str, *traits: str, strength: int | None = 4, **more: Any) -> Weapon:
    return Weapon(weapon=name, profiles=(WeaponProfile(strength=strength, traits=traits, **more),))


KNIFE = weapon("knife", "Melee", strength=None)
SWORD = weapon("sword", "Melee", strength=5, armour_penetration=-1)
SPEAR = weapon("spear", "Melee", "Versatile")
HAMMER = weapon("hammer", "Melee", "Unwieldy", strength=8, damage=3)
STUB = weapon("stub gun", "Sidearm", strength=3, ammo=4, accuracy_short=2, range_long_inches=12)
PISTOL = weapon("pistol", "Sidearm", strength=4, ammo=4)
GUN_BLADE = weapon("gun blade", "Melee", "Sidearm", ammo=4)
LASGUN = weapon("lasgun", "Plentiful", strength=3, ammo=2)
ARMOURY = (KNIFE, SWORD, SPEAR, HAMMER, STUB, PISTOL, GUN_BLADE, LASGUN)


def fight(
    attacker: str, *targets: str | records.FightTarget, using: tuple[str, ...] = (), **more: Any
) -> records.Fight:
    """A Fight with weapons of the card."""
    return records.Fight(
        attacker=attacker,
        targets=tuple(
            records.FightTarget(model=target) if isinstance(target, str) else target for target in targets
        ),
        weapons=tuple(records.FightWeapon(weapon=weapon) for weapon in using),
        **more,
    )


def at(fighter: str, *dice: int, **more: Any) -> records.FightTarget:
    """An enemy with so many dice of each weapon."""
    return records.FightTarget(model=fighter, attack_dice=dice, **more)


def coup_de_grace(attacker: str, target: str = VEX, **more: Any) -> records.CoupDeGrace:
    return records.CoupDeGrace(attacker=attacker, target=target, **more)


def unpin(fighter: str) -> records.Unpin:
    return records.Unpin(fighter=fighter)


def melee_hit(*faces: int) -> tuple[Die, ...]:
    """The hit rolls show."""
    return tuple(read_die("melee_hit", "D6", face) for face in faces)


def firepower(symbol: str) -> Die:
    """The Firepower die shows."""
    (special,) = loader.book(BOOK).special_dice["firepower"].values()
    return read_die("firepower", "firepower", symbol, special=special)


def ammo(face: int) -> Die:
    """The Ammo test shows."""
    return read_die("ammo", "D6", face)


def hit_rolls(table: Table) -> tuple[records.RollMade, ...]:
    """The last command's hit rolls."""
    return tuple(roll for roll in table.rolls if roll.purpose == "melee_hit")


def moved(table: Table) -> set[tuple[tuple[str, int], ...]]:
    """What moved the last command's hit rolls: a set, as all of one target are moved alike."""
    return {tuple((modifier.why, modifier.by) for modifier in roll.modifiers) for roll in hit_rolls(table)}
