"""Vehicles on paper: their cards on a gang sheet, and what a battle report tells of them."""

import pytest
from document_examples import gang_of, plan_of, report_of, section_example
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.documents.refusals import DocumentRefused

SHEET = """\
format: gang-sheet/1
name: Dust Riders
house: Haulers
player: Robin
fighters:
  - {name: Ned, category: crew, type: Driver, cost: 50, characteristics: {M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}}
vehicles:
  - {name: Ash Rig, type: Buggy, cost: 150, crew: ned, M: 7", T: {front: 5, side: 4, rear: 3}, HP: 3, Hnd: 6+, Sv: 5+, weapons: [ram]}
"""


def command_of(entry: str) -> records.Command:
    return plan_of(report_of(entry)).decisions[1].command


def refused(entry: str) -> str:
    with pytest.raises(DocumentRefused) as caught:
        plan_of(report_of(entry))
    return caught.value.message()


def test_a_vehicles_card_stands_on_the_gang_sheet() -> None:
    assert gang_of(SHEET).vehicles == (
        records.VehicleCard(
            vehicle="ash-rig",
            name="Ash Rig",
            kind="Buggy",
            cost_credits=150,
            movement=7,
            toughness_front=5,
            toughness_side=4,
            toughness_rear=3,
            hit_points=3,
            handling=6,
            save=5,
            crew="ned",
            weapons=("ram",),
        ),
    )


def test_a_gang_without_vehicles_has_none() -> None:
    assert gang_of(SHEET.partition("vehicles:")[0]).vehicles == ()


@every(
    ("before", "after", "said"),
    [
        ("name: Ash Rig", "id: ned, name: Ash Rig", "the id 'ned' stands on this sheet already"),
        ("crew: ned, ", "", "crew"),
        ("Hnd: 6+", "Handling: 6+", "Hnd"),
        ("T: {front: 5, side: 4, rear: 3}", "T: 5", "vehicles[1].T"),
    ],
)
def test_a_vehicles_card_that_cannot_be_read_is_refused(before: str, after: str, said: str) -> None:
    with pytest.raises(DocumentRefused) as caught:
        gang_of(SHEET.replace(before, after))
    assert said in caught.value.message()


def test_an_entry_tells_a_hit_on_a_vehicle() -> None:
    entry = (
        "vehicle_hit: {attacker: krug, weapon: autogun, vehicle: ash-rig, facing: rear, mobile: true,"
        " close_combat: true, choose: {location: [engine, drive], damage: glancing}}"
    )
    assert command_of(entry) == records.ResolveVehicleHit(
        vehicle="ash-rig",
        facing="rear",
        mobile=True,
        attacker="krug",
        weapon="autogun",
        in_close_combat=True,
        keep_location=("engine", "drive"),
        keep_damage=("glancing",),
    )


def test_an_entry_tells_a_hit_on_a_vehicle_by_a_weapons_numbers() -> None:
    entry = (
        "vehicle_hit: {weapon: {name: boulder, S: 8, AP: -1, D: 2}, vehicle: ash-rig, facing: in_doubt,"
        " mobile: false, attack: false, cannot_be_hit: drive}"
    )
    assert command_of(entry) == records.ResolveVehicleHit(
        vehicle="ash-rig",
        facing="in_doubt",
        mobile=False,
        weapon="boulder",
        profile=WeaponProfile(name="boulder", strength=8, armour_penetration=-1, damage=2),
        cannot_be_hit=("drive",),
        attack=False,
    )


def test_entries_tell_loss_of_control_thrown_clear_and_vehicle_nerve() -> None:
    assert command_of(
        "control: {vehicle: ash-rig, mobile: true, why: hit a wall, modifier: -1}"
    ) == records.CheckControl(vehicle="ash-rig", mobile=True, why="hit a wall", modifier=-1)
    assert command_of("thrown_clear: {fighter: pip, vehicle: ash-rig, height: 3.5}") == records.ThrowClear(
        fighter="pip", vehicle="ash-rig", height_hundredths=350
    )
    assert command_of(
        "vehicle_nerve: {vehicle: sled, wreck: ash-rig, friends_near: 1, mobile: false}"
    ) == records.TakeVehicleNerveTest(vehicle="sled", wreck="ash-rig", friends_near=1, mobile=False)


@every(
    ("entry", "said"),
    [
        ("vehicle_hit: {weapon: autogun, vehicle: rig, facing: rear, mobile: true}", "needs an `attacker`"),
        (
            "vehicle_hit: {weapon: {name: a, S: 3, AP: 0, D: 1}, profile: b, vehicle: rig, facing: rear, mobile: true}",
            "are one profile",
        ),
        ("vehicle_hit: {attacker: krug, weapon: autogun, vehicle: rig, mobile: true}", "facing"),
        ("vehicle_hit: {attacker: krug, weapon: autogun, vehicle: rig, facing: top, mobile: true}", "facing"),
        ("vehicle_hit: {attacker: krug, weapon: autogun, vehicle: rig, facing: rear}", "mobile"),
        ("control: {vehicle: rig, mobile: true, why: ice, modifier: 10}", "modifier"),
        ("thrown_clear: {fighter: pip, vehicle: rig, height: high}", "a distance in inches"),
        ("vehicle_nerve: {vehicle: sled, wreck: rig, mobile: false}", "friends_near"),
        ("restart: {vehicle: sled, smoke_markers: -1}", "smoke_markers"),
        ("driver: {}", "vehicle"),
        (
            "shoot: {attacker: krug, weapon: a, target: rig, facing: side, range: long}",
            "`facing` and `mobile`",
        ),
        (
            "shoot: {attacker: krug, weapon: a, target: vex, hull_down: true, range: long}",
            "`hull_down` is of a vehicle",
        ),
        ("shoot: {attacker: krug, weapon: a, facing: side, mobile: true}", "beside the id"),
        ("fight: {attacker: krug, targets: [rig, vex], facing: side, mobile: true}", "beside the id"),
        (
            "fight: {attacker: krug, targets: [vex], keep_location: [drive]}",
            "`keep_location` is of a vehicle",
        ),
        (
            "fight: {attacker: krug, targets: [rig], facing: side, mobile: true, assists: [vex]}",
            "nobody assists",
        ),
        (
            (
                "vehicle_hit: {attacker: krug, weapon: a, vehicle: rig, facing: rear, mobile: true, keep_location: drive,"
                " choose: {location: drive}}"
            ),
            "both say it",
        ),
        ("shoot: {attacker: krug, weapon: a, target: {vehicle: rig, facing: front}, range: long}", "mobile"),
        (
            "shoot: {attacker: krug, weapon: a, target: vex, range: long, at_risk: [{vehicle: rig, mobile: true}]}",
            "facing",
        ),
    ],
)
def test_a_vehicle_entry_that_cannot_be_read_is_refused(entry: str, said: str) -> None:
    assert said in refused(entry)


@every(
    ("short", "whole"),
    [
        (
            "shoot: {attacker: krug, weapon: a, target: rig, facing: side, mobile: true, hull_down: true, range: long}",
            "shoot: {attacker: krug, weapon: a, target: {vehicle: rig, facing: side, mobile: true, hull_down: true}, range: long}",
        ),
        (
            "fight: {attacker: krug, targets: [rig], facing: rear, mobile: false, keep_location: [drive]}",
            "fight: {attacker: krug, targets: [{vehicle: rig, facing: rear, mobile: false, keep_location: [drive]}]}",
        ),
        (
            "vehicle_hit: {attacker: krug, weapon: a, vehicle: rig, facing: rear, mobile: true, keep_location: drive}",
            "vehicle_hit: {attacker: krug, weapon: a, vehicle: rig, facing: rear, mobile: true, choose: {location: drive}}",
        ),
    ],
)
def test_what_is_said_of_a_vehicle_may_stand_beside_its_id(short: str, whole: str) -> None:
    assert command_of(short) == command_of(whole)


def test_the_vehicles_example_in_the_docs_is_read() -> None:
    plan = plan_of(section_example("## Vehicles"))
    assert [type(decision.command) for decision in plan.decisions[1:-1]] == [
        records.Shoot,
        records.Shoot,
        records.Reload,
        records.ResolveVehicleHit,
        records.ResolveVehicleHit,
        records.MoveRollingVehicle,
        records.ThrowClear,
        records.TakeVehicleNerveTest,
        records.CheckControl,
        records.RestartVehicle,
        records.CheckDriver,
    ]
    assert [(die.purpose, die.face) for die in plan.decisions[0].dice] == [("unreliable", 4)]


def test_an_entry_tells_a_shot_at_a_vehicle_and_a_vehicle_at_risk() -> None:
    entry = (
        "shoot: {attacker: krug, weapon: autogun, range: short, target: {vehicle: ash-rig, facing: front,"
        " mobile: false, hull_down: true, choose: {damage: glancing, by: vehicle}, cannot_be_hit: drive},"
        " at_risk: [vex, {vehicle: sled, facing: rear, mobile: true, cover: partial}]}"
    )
    assert command_of(entry) == records.Shoot(
        attacker="krug",
        weapon="autogun",
        range_band="short",
        target="ash-rig",
        vehicle=records.VehicleAttacked(
            facing="front",
            mobile=False,
            keep_damage=("glancing",),
            kept_by="vehicle",
            cannot_be_hit=("drive",),
        ),
        hull_down=True,
        at_risk=(
            records.ModelThere(fighter="vex"),
            records.ModelThere(
                fighter="sled", cover="partial", vehicle=records.VehicleAttacked(facing="rear", mobile=True)
            ),
        ),
    )


def test_entries_tell_a_shot_from_a_vehicle_and_a_reload_of_its_weapon() -> None:
    shot = command_of("shoot: {attacker: ned, from_vehicle: ash-rig, weapon: ram, target: vex, range: long}")
    assert isinstance(shot, records.Shoot)
    assert (shot.attacker, shot.from_vehicle, shot.target, shot.vehicle) == ("ned", "ash-rig", "vex", None)
    assert command_of("reload: {fighter: ned, weapon: ram, on_vehicle: ash-rig}") == records.Reload(
        fighter="ned", weapon="ram", on_vehicle="ash-rig"
    )


def test_entries_tell_a_vehicles_end_phase_and_a_roll_that_goes_on() -> None:
    assert command_of("restart: {vehicle: sled, smoke_markers: 2}") == records.RestartVehicle(
        vehicle="sled", smoke_markers=2
    )
    assert command_of("driver: {vehicle: sled}") == records.CheckDriver(vehicle="sled")
    assert command_of("rolls_on: {vehicle: sled}") == records.MoveRollingVehicle(vehicle="sled")


def test_a_weapon_on_a_vehicles_card_may_have_its_numbers_there() -> None:
    cannon = "{name: cannon, cost: 30, S: 6, AP: -1, D: 2, range: {short: 12, long: 24}, ammo: 5}"
    (card,) = gang_of(SHEET.replace("weapons: [ram]", f"weapons: [ram, {cannon}]")).vehicles
    assert card.weapons == ("ram", "cannon")
    assert card.armament == (
        Weapon(
            weapon="cannon",
            profiles=(
                WeaponProfile(
                    strength=6,
                    armour_penetration=-1,
                    damage=2,
                    range_short_inches=12,
                    range_long_inches=24,
                    ammo=5,
                ),
            ),
            cost_credits=30,
        ),
    )


@every("profiles", ["[{name: a, S: 3, AP: 0, D: 1}, {name: a, S: 4, AP: 0, D: 1}]"])
def test_profiles_of_a_vehicles_weapon_need_names_of_their_own(profiles: str) -> None:
    with pytest.raises(DocumentRefused) as caught:
        gang_of(SHEET.replace("weapons: [ram]", f"weapons: [{{name: gun, profiles: {profiles}}}]"))
    assert "vehicles[1].weapons[1].profiles[2]" in caught.value.message()
