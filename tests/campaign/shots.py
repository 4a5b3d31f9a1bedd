"""Guns, shots and dice for the tests of shooting: Krug and Vex of the Skulls, Mags and Dot of the Saints."""

from __future__ import annotations

from typing import Any

from scenario import BOOK, KRUG, MAGS, Table, card, flat, given

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.dice import Die, read_die
from tracker.rules import loader


def gun(name: str = "gun", *traits: str, profiles: tuple[WeaponProfile, ...] = (), **numbers: Any) -> Weapon:
    """A weapon of Strength 4 with accuracy +1 at Short range, -1 at Long, Ammo 4+."""
    return Weapon(weapon=name, profiles=profiles or (mode("", *traits, **numbers),), cost_credits=20)


def mode(name: str, *traits: str, **numbers: Any) -> WeaponProfile:
    """One profile of such a weapon."""
    ordinary = {
        "strength": 4, "traits": traits, "range_short_inches": 8, "range_long_inches": 24,
        "accuracy_short": 1, "accuracy_long": -1, "ammo": 4,
    }  # fmt: skip
    return WeaponProfile(name=name, **(ordinary | numbers))


def armed(
    *weapons: Weapon, knobs: dict[str, str] | None = None, others: tuple[Any, ...] = (), **mags: Any
) -> Table:
    """Mags with these weapons, in a battle."""
    return given(card(MAGS, weapons=weapons or (gun(),), **mags), *others, knobs=knobs)


def shot(target: str | None = KRUG, *, weapon: str = "gun", **more: Any) -> records.Shoot:
    """Mags shoots, at Short range if nothing else is said."""
    given_range = {} if "range_band" in more else {"range_band": "short"}
    return records.Shoot(attacker=MAGS, weapon=weapon, target=target, **given_range, **more)


def there(fighter: str, **more: Any) -> records.ModelThere:
    """A fighter who might be hit."""
    return records.ModelThere(fighter=fighter, **more)


def dice(**rolled: Any) -> tuple[Die, ...]:
    """Dice by purpose, one or a list: `hit=4, firepower="ammo"`."""
    purposes = loader.book(BOOK).purposes
    return flat(
        read_die(purpose, purposes[purpose].die, face, special=purposes[purpose].special)
        for purpose, shown in rolled.items()
        for face in (shown if isinstance(shown, list) else [shown])
    )


SECTION = loader.book("necromunda_2023").sections["shooting"]


def fired(result: str, *, hits: int = 1, target: str | None = KRUG) -> records.ShotFired:
    return records.ShotFired(
        fighter=MAGS, weapon="gun", profile="", target=target, result=result, hits=hits, section=SECTION  # type: ignore[arg-type]
    )  # fmt: skip
