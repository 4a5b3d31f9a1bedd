"""What is said of vehicles, event by event: 'rig' is driven by Krug, 'sled' by nobody who is named here."""

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile

VEHICLE_SENTENCES: list[tuple[records.Event, str]] = [
    (
        records.VehicleEnlisted(
            vehicle="rig",
            gang="iron-skulls",
            name="Ash Rig",
            kind="Buggy",
            cost_credits=120,
            movement=7,
            toughness_front=5,
            toughness_side=5,
            toughness_rear=4,
            hit_points=3,
            handling=6,
            save=5,
            crew="krug",
        ),
        "Ash Rig (Buggy, driven by Krug) joins iron-skulls for 120 credits",
    ),
    (
        records.VehicleDamaged(
            vehicle="rig", by="mags", location="engine", damage="glancing", name="Stutter", section="S"
        ),
        "rig takes a glancing hit on the engine: Stutter",
    ),
    (
        records.VehicleHitPointsLost(vehicle="rig", by=None, lost=1, left=2, called="Hull Points"),
        "rig loses 1 Hull Point: 2 left",
    ),
    (records.VehicleShaken(vehicle="rig"), "rig and everybody aboard have Concussion"),
    (records.VehicleStalled(vehicle="rig"), "rig is Stationary and Stalled"),
    (records.VehicleMoved(vehicle="rig", mobile=True), "rig is Mobile"),
    (records.VehicleMoved(vehicle="rig", mobile=False), "rig is Stationary"),
    (
        records.VehicleMovementCapped(vehicle="rig", inches=7),
        'rig moves no further than 7" in an activation until the battle ends',
    ),
    (
        records.VehicleHandlingHindered(vehicle="rig", by=-2, total=-3),
        "rig has -2 on Handling tests until the battle ends, -3 in all",
    ),
    (
        records.VehicleWeaponDestroyed(vehicle="rig", weapon="ram"),
        "rig cannot use its ram until the battle ends",
    ),
    (
        records.VehicleLostControl(vehicle="rig", result="swerve", direction="left", mobile=True),
        "rig swerves 45° to the left and moves half its Movement",
    ),
    (
        records.VehicleLostControl(vehicle="rig", result="jackknife", direction="right", mobile=False),
        "rig jackknifes 90° to the right in place",
    ),
    (
        records.VehicleLostControl(vehicle="rig", result="roll", direction="right", mobile=True),
        "rig rolls over",
    ),
    (
        records.DriverWounded(vehicle="rig", flesh_wounds=2),
        "the driver of rig has 2 Flesh Wounds: -2 on Ballistic Skill and Handling",
    ),
    (records.DriverBlackedOut(vehicle="rig"), "the driver of rig blacks out"),
    (
        records.VehicleWrecked(
            vehicle="rig", by="mags", causes=("hit_points", "roll"), mobile=True, lasting_damage_rolls=2
        ),
        "rig is wrecked by Mags, nothing left to lose and it rolled over: 2 Lasting Damage rolls",
    ),
    (
        records.LastingDamageSuffered(
            vehicle="rig",
            by="mags",
            damage="write_off",
            name="Write-off",
            total=7,
            battle=1,
            rattles=1,
            handling_modifier=0,
            unreliable=0,
            in_repair=True,
            toughness_front=5,
            toughness_side=5,
            toughness_rear=4,
            movement=7,
            hit_points=3,
            section="S",
        ),
        "rig suffers Write-off (7), In Repair until it is repaired",
    ),
    (
        records.VehicleDidNotStart(vehicle="rig"),
        "rig does not start and takes no part in the battle",
    ),
    (records.VehicleRestarted(vehicle="rig"), "rig starts again and is Mobile"),
    (
        records.DriverRecovered(vehicle="rig", flesh_wounds=0),
        "the driver of rig is rid of a Flesh Wound: none left",
    ),
    (
        records.DriverRecovered(vehicle="rig", flesh_wounds=2),
        "the driver of rig is rid of a Flesh Wound: 2 Flesh Wounds left",
    ),
    (records.DriverWokeUp(vehicle="rig"), "the driver of rig wakes up"),
    (records.VehicleRolledOn(vehicle="rig", rolls=1, inches_each=2), 'rig rolls on 1 time, 2" each'),
    (records.VehicleRolledOn(vehicle="rig", rolls=3, inches_each=2), 'rig rolls on 3 times, 2" each'),
    (
        records.ShotFired(
            fighter="krug",
            weapon="cannon",
            profile="",
            target="mags",
            result="missed",
            hits=1,
            section="S",
            vehicle="rig",
        ),
        "Krug's cannon from rig at Mags misses",
    ),
    (
        records.WeaponRanOutOfAmmo(fighter="krug", weapon="cannon", slot="cannon", vehicle="rig"),
        "rig's cannon is Out of Ammo until reloaded",
    ),
    (
        records.WeaponJammed(fighter="krug", weapon="cannon", slot="cannon", vehicle="rig"),
        "rig's cannon is jammed for the rest of the battle",
    ),
    (
        records.WeaponReloaded(fighter="krug", weapon="cannon", slot="cannon", vehicle="rig"),
        "rig's cannon is reloaded",
    ),
    (
        records.AmmoSpent(
            fighter="krug",
            weapon="cannon",
            profile="hot",
            slot="cannon",
            why="ammo_test",
            limited=True,
            vehicle="rig",
        ),
        "rig has no more cannon (hot) in this battle (Limited)",
    ),
    (
        records.LimitedAmmoDeleted(
            fighter="krug",
            weapon="cannon",
            profile="hot",
            weapon_gone=False,
            cost_credits=150,
            vehicle="rig",
        ),
        "rig loses cannon (hot) from the card: Limited ammunition used up, worth 150 credits now",
    ),
]

VEHICLE_COMMANDS: list[tuple[records.Command, str]] = [
    (records.RestartVehicle(vehicle="rig"), "Restart test: rig"),
    (records.CheckDriver(vehicle="rig"), "the driver of rig in the End phase"),
    (records.MoveRollingVehicle(vehicle="rig"), "rolls on: rig"),
    (
        records.Shoot(attacker="krug", weapon="cannon", from_vehicle="rig", target="mags"),
        "shoot: Krug's cannon from rig at Mags",
    ),
    (
        records.Reload(fighter="krug", weapon="cannon", on_vehicle="rig"),
        "reload: Krug's cannon on rig",
    ),
    (
        records.ResolveVehicleHit(
            vehicle="rig", facing="rear", mobile=True, attacker="krug", weapon="autogun"
        ),
        "hit: Krug's autogun on rig (rear)",
    ),
    (
        records.ResolveVehicleHit(
            vehicle="rig",
            facing="in_doubt",
            mobile=True,
            weapon="boulder",
            profile=WeaponProfile(strength=5),
        ),
        "hit: boulder on rig (facing in doubt)",
    ),
    (
        records.CheckControl(vehicle="rig", mobile=True, why="rammed a wall"),
        "Loss of Control test: rig: rammed a wall",
    ),
    (
        records.ThrowClear(fighter="krug", vehicle="rig", height_hundredths=300),
        "thrown clear of rig: Krug",
    ),
    (
        records.TakeVehicleNerveTest(vehicle="rig", wreck="sled", friends_near=0, mobile=True),
        "Nerve test: rig, for the wreck of sled",
    ),
]
