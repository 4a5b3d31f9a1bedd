"""Wheels: a vehicle for each gang of a random campaign, and what it does and suffers, for laws on such campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from scenario import BOOK, profile

from tracker.campaign import records
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import CampaignState
from tracker.records import replace
from tracker.rules import loader

LIKED = ("engine", "drive", "body", "crew")
"""Which Location die an attacker keeps in these campaigns."""


def mount(gang: records.EnlistGang, chance: Random) -> records.EnlistGang:
    """The gang with a vehicle, which its last fighter drives, with two random driving skills."""
    *others, driver = gang.fighters
    driving = [row.name for row in loader.book(BOOK).skills.values() if row.of_set == "driving"]
    driver = replace(driver, skills=(*driver.skills, *chance.sample(driving, k=2)), mounted=False)
    ride = records.VehicleCard(
        vehicle=f"{gang.gang}-rig",
        name=f"{gang.gang.title()} Rig",
        cost_credits=150,
        movement=chance.randint(4, 12),
        toughness_front=chance.randint(3, 6),
        toughness_side=chance.randint(3, 5),
        toughness_rear=3,
        hit_points=chance.randint(1, 3),
        handling=chance.randint(5, 9),
        save=chance.choice([None, 5]),
        crew=driver.fighter,
        weapons=("cannon",),
        armament=(_cannon(chance),),
    )
    return replace(gang, fighters=(*others, driver), vehicles=(ride,))


def _cannon(chance: Random) -> Weapon:
    traits = chance.choice([(), ("Unstable",), ("Blaze",), ("Rapid Fire (1)",)])
    gun = profile(strength=chance.randint(3, 6), ap=-1, damage=chance.randint(1, 2), traits=traits)
    return Weapon(
        weapon="cannon",
        profiles=(replace(gun, range_short_inches=12, range_long_inches=24, ammo=4),),
    )


def something(
    chance: Random, state: CampaignState, gangs: Mapping[str, Sequence[str]], activation: str
) -> records.Command:
    """What a vehicle does, or what is done to one: refused more often than not once one is a wreck."""
    ours, theirs = chance.sample([*gangs], k=2)
    ride, other = f"{ours}-rig", f"{theirs}-rig"
    *walkers, driver = gangs[ours]
    walker, enemy = chance.choice(walkers), chance.choice(gangs[theirs][:-1])
    facing = chance.choice(["front", "side", "rear", "in_doubt"])
    contact = chance.choice(["front", "front", "side", "rear"])
    struck = records.VehicleAttacked(
        facing=facing,
        mobile=_mobile(state, other),
        keep_location=LIKED,  # type: ignore[arg-type]
    )
    moved = {"vehicle": ride, "mobile": _mobile(state, ride), "activation": activation}
    match chance.randrange(12):
        case 0:
            return records.CollideVehicles(
                contact=contact,  # type: ignore[arg-type]
                into=other,
                facing=facing,  # type: ignore[arg-type]
                into_mobile=struck.mobile,
                ram=contact == "front" and chance.random() < 0.4,
                without=chance.choice([(), ("T-Bone",)]),
                **moved,
            )
        case 1:
            terrain = chance.choice(["solid", "flimsy"])
            return records.CrashVehicle(contact=contact, terrain=terrain, **moved)  # type: ignore[arg-type]
        case 2:
            keeps = chance.choice([None, "flesh_wound"])
            return records.RunOverFighter(fighter=enemy, keeps=keeps, **moved)  # type: ignore[arg-type]
        case 3:
            inches = chance.randint(0, 1200)
            return records.DropVehicle(vehicle=ride, mobile=_mobile(state, ride), distance_hundredths=inches)
        case 4:
            action = chance.choice(["ram", "move", "turn_over", "free_wheel"])
            further = chance.random() < 0.5
            return records.DriveVehicle(vehicle=ride, action=action, heavy_foot=further)  # type: ignore[arg-type]
        case 5:
            return records.RestartVehicle(vehicle=ride)
        case 6 | 7:
            target = records.FightTarget(model=other, vehicle=struck)
            return records.Fight(
                attacker=walker,
                targets=(target,),
                weapons=(records.FightWeapon(weapon=chance.choice(["blade", "side"])),),
                charging=chance.random() < 0.3,
                psyker=chance.random() < 0.5,
                activation=activation,
            )
        case 8 | 9:
            return records.Shoot(
                attacker=walker,
                weapon="gun",
                target=other,
                vehicle=struck,
                closest=True,
                range_band="short",
                activation=activation,
            )
        case 10:
            return records.Shoot(
                attacker=driver,
                weapon="cannon",
                from_vehicle=ride,
                target=enemy,
                closest=True,
                range_band="short",
                activation=activation,
            )
        case _:
            return records.CheckControl(vehicle=ride, mobile=_mobile(state, ride), why="test")


def _mobile(state: CampaignState, ride: str) -> bool:
    """As the battle has it; a vehicle of which nobody has said anything moves."""
    now = state.under_way.vehicles.get(ride) if state.under_way is not None else None
    return now is None or (now.mobile is not False and not now.stalled)
