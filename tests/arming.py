"""Arming: gangs whose fighters have random skills and weapons with random traits, and how they attack.

For laws on random campaigns, and for the soak.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from scenario import BOOK, profile

from tracker.campaign import records
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import CampaignState
from tracker.records import replace
from tracker.rules import loader


def arm(gang: records.EnlistGang, chance: Random) -> records.EnlistGang:
    """The gang with three random skills each, two blades and a gun of random traits; one in ten is mounted."""
    skills = [row.name for row in loader.book(BOOK).skills.values()]
    fighters = tuple(
        replace(
            fighter,
            skills=tuple(chance.sample(skills, k=3)),
            weapons=(_weapon("blade", ("Melee",), chance), _weapon("side", ("Melee",), chance), _gun(chance)),
            mounted=chance.random() < 0.1,
        )
        for fighter in gang.fighters
    )
    return replace(gang, fighters=fighters)


def _traits(chance: Random, *, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    known = [row.name for row in loader.book(BOOK).traits.values() if row.name and row.name not in without]
    return tuple(chance.sample(known, k=chance.randint(0, 3)))


def _weapon(name: str, traits: tuple[str, ...], chance: Random) -> Weapon:
    return Weapon(
        weapon=name,
        profiles=(
            profile(
                strength=chance.randint(3, 5),
                ap=-chance.randint(0, 2),
                damage=chance.choice([1, 1, 2, None]),
                traits=(*traits, *_traits(chance)),
            ),
        ),
    )


def _gun(chance: Random) -> Weapon:
    gun = _weapon("gun", (), chance)
    (only,) = gun.profiles
    ranged = {"range_short_inches": 8, "range_long_inches": 24, "accuracy_short": 1, "ammo": 4}
    return replace(gun, profiles=(replace(only, **ranged),))


def attack(
    chance: Random, state: CampaignState, gangs: Mapping[str, Sequence[str]], activation: str
) -> records.Command | None:
    """A fight, a shot, a reaction, the end of a round; in one of five None: something else is to happen."""
    ours, theirs = chance.sample([*gangs.values()], k=2)
    attacker, third = chance.sample(ours, k=2)
    other = chance.choice(theirs)
    kind = chance.randrange(10)
    if kind < 4:
        target = records.FightTarget(
            model=other,
            behind=chance.choice([None, True]),
            cannot_be_moved=chance.random() < 0.2,
            follows=chance.random() < 0.3,
            wards_off=chance.choice([None, None, "side"]),
        )
        used = chance.choice([("blade",), ("side",), ("blade", "side"), ()])
        last = state.under_way.last_fight if state.under_way is not None else None
        if last is not None and last.may_react and chance.random() < 0.6:
            attacker, target = last.may_react[0], replace(target, model=last.fighter, behind=None)
        charging = chance.random() < 0.5
        return records.Fight(
            attacker=attacker,
            targets=(target,),
            weapons=tuple(records.FightWeapon(weapon=name) for name in used),
            charging=charging and not (last is not None and attacker in last.may_react),
            reaction=last is not None and attacker in last.may_react and target.model == last.fighter,
            psyker=chance.random() < 0.5,
            in_contact=(records.FightTarget(model=third),) if chance.random() < 0.3 else (),
            without=chance.choice([(), (), ("Parry", "Dodge")]),
            activation=chance.choice([None, activation]),
            consolidate=chance.random() < 0.2 and target.model != (last.fighter if last else None),
        )
    if kind < 7:
        return records.Shoot(
            attacker=attacker,
            weapon="gun",
            target=other,
            closest=True,
            range_band=chance.choice(["short", "long"]),
            behind=chance.choice([None, True]),
            activation=activation,
        )
    if kind < 8:
        lying = [] if state.under_way is None else state.under_way.combatants.items()
        pinned = [fighter for fighter, now in lying if now.pinned and not now.seriously_injured]
        return chance.choice([records.EndRound(), *(records.Unpin(fighter=fighter) for fighter in pinned)])
    return None
