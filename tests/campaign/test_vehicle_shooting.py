"""Vehicle shooting: vehicles as the shooter, as the target, at risk of strays, under markers and templates.

Vex drives the rig of the Skulls, Dot the sled of the Saints. The rig's Toughness is 5, 4, 3; guns are Strength 4,
Short 8", Long 24", +1 and -1, Ammo 4+.
"""

from __future__ import annotations

from typing import Any

from rides import (
    HOLDS,
    OUT_COLD,
    RIG,
    SLED,
    control,
    damage,
    lasting_damage,
    location,
    lurch,
    now,
    on_card,
    ram,
    riding,
    seen,
    shot,
    vehicle,
)
from scenario import CLOSING, DOT, KRUG, MAGS, VEX, Table, card, enlist, wound
from shots import dice, gun, mode, there
from tables import every

from tracker.campaign import records
from tracker.dice import read_die
from tracker.records import replace
from tracker.rules import loader

STUTTER = (location("engine"), damage("glancing"))
BOTH_BOOKS = ["necromunda_2023", "necromunda_archive"]


def facing_mags(*vehicles: Any, gun_of_mags: Any = None, **more: Any) -> Table:
    others = more.pop("fighters", ())
    return riding(*vehicles, fighters=(card(MAGS, weapons=(gun_of_mags or gun(),)), *others), **more)


def moved(table: Table, purpose: str = "hit") -> list[tuple[str, int]]:
    roll = next(roll for roll in table.rolls if roll.purpose == purpose)
    return [(modifier.why, modifier.by) for modifier in roll.modifiers]


# --- as the target ---------------------------------------------------------------------------------------


@every("book", BOTH_BOOKS)
def test_a_shot_at_a_vehicle_ends_in_wound_location_and_damage(book: str) -> None:
    """BS 4, +1 at Short range: 3+; Strength 4 against Toughness 5: 5+; the Engine glances: Stalled."""
    table = facing_mags(book=book).when(shot(), dice(hit=3, firepower="one"), wound(5), *STUTTER)
    assert [roll.purpose for roll in table.rolls] == [
        "hit", "firepower", "wound", "location", "vehicle_damage",
    ]  # fmt: skip
    assert [roll.target for roll in table.rolls] == [3, None, 5, None, None]
    assert (now(table).stalled, now(table).mobile) == (True, False)
    fired = next(event for event in table.outcome if isinstance(event, records.ShotFired))
    assert (fired.target, fired.result, fired.vehicle) == (RIG, "hit", None)


@every(("facing", "needed"), [("front", 5), ("side", 4), ("rear", 3), ("in_doubt", 5)])
def test_the_hit_meets_the_facing_that_was_stated(facing: str, needed: int) -> None:
    table = facing_mags().when(shot(vehicle=seen(facing)), dice(hit=6, firepower="one"), wound(1))
    assert table.rolls[-1].target == needed


def test_a_vehicle_that_is_hit_is_never_pinned_nor_its_crew() -> None:
    table = facing_mags().when(shot(), dice(hit=6, firepower="one"), wound(6), *STUTTER)
    assert not any(isinstance(event, records.FighterPinned) for event in table.outcome)
    assert not table.combatant(VEX).pinned


@every("book", BOTH_BOOKS)
def test_a_vehicle_that_is_hull_down_counts_as_in_full_cover(book: str) -> None:
    table = facing_mags(book=book)
    down = table.when(shot(hull_down=True), dice(hit=1, firepower="one"))
    assert moved(down) == [("accuracy at short range", 1), ("hull-down", -2)]
    assert down.rolls[0].target == 5
    covered = table.when(shot(hull_down=True, cover="full"), dice(hit=1, firepower="one"))
    assert moved(covered) == [("full cover", -2), ("accuracy at short range", 1)]
    table.when(shot(hull_down=True, cover="partial")).then_refused(records.SituationContradicts)
    table.when(shot(KRUG, hull_down=True)).then_refused(records.SituationContradicts)


def test_each_hit_of_rapid_fire_has_one_location_die_and_its_own_damage_dice_and_all_are_applied() -> None:
    """Source text 001: a boltgun's two unsaved hits of Damage 2 are a Location die and two Damage dice each."""
    bolts = gun("gun", "Rapid Fire (1)", damage=2)
    table = facing_mags(gun_of_mags=bolts).when(
        shot(vehicle=seen(keep_damage=("glancing",))),
        dice(hit=4, firepower="two"),
        wound(6), location("engine"), damage("catastrophic", "glancing"),
        wound(6), location("body"), damage("penetrating", "penetrating"), HOLDS,
    )  # fmt: skip
    results = [
        (event.location, event.damage) for event in table.outcome if isinstance(event, records.VehicleDamaged)
    ]
    assert results == [("engine", "glancing"), ("body", "penetrating")]
    assert (now(table).stalled, now(table).mobile, now(table).hit_points_left) == (True, False, 2)


def test_the_gravest_damage_counts_when_nobody_chooses_and_the_mildest_when_the_vehicle_does() -> None:
    slug = gun("gun", damage=2)
    faces = (dice(hit=4, firepower="one"), wound(6), location("engine"), damage("penetrating", "glancing"))
    attacker = facing_mags(gun_of_mags=slug).when(shot(), *faces, HOLDS)
    owner = facing_mags(gun_of_mags=slug).when(shot(vehicle=seen(kept_by="vehicle")), *faces)
    assert [event.damage for event in (*attacker.outcome, *owner.outcome) if isinstance(event, records.VehicleDamaged)] == [
        "penetrating", "glancing",
    ]  # fmt: skip


def test_a_hit_after_the_wreck_is_lost() -> None:
    bolts = gun("gun", "Rapid Fire (1)")
    frail = vehicle(RIG, hit_points=1)
    table = facing_mags(frail, gun_of_mags=bolts).when(
        shot(),
        dice(hit=4, firepower="two"),
        wound(6), location("body"), damage("penetrating"), HOLDS, OUT_COLD, lasting_damage(4),
    )  # fmt: skip
    assert now(table).wrecked
    assert table.outcome[-1] == records.RuleNoted(
        fighter=RIG, why="Wrecked already, this hit is lost", section="Core Rulebook (2023) · Shooting"
    )
    assert table.fighter(MAGS).experience == 2  # one enemy vehicle wrecked


def test_contradictory_statements_of_a_vehicle_are_refused_before_any_die() -> None:
    table = facing_mags()
    table.when(shot(vehicle=None)).then_refused(records.VehicleNotDescribed, vehicle="Rig")
    table.when(shot(KRUG, vehicle=seen())).then_refused(records.FighterNotVehicle)
    table.when(shot(engaged=True)).then_refused(records.SituationContradicts)
    table.when(shot(prone=False)).then_refused(records.SituationContradicts)
    table.when(shot(save_with="armour")).then_refused(records.SituationContradicts)
    table.when(shot(vehicle=seen(keep_damage=("hard",)))).then_refused(records.UnknownChoice)
    table.when(shot(SLED, vehicle=seen())).then_refused(records.ShootsOwnGang, target="Sled")
    webbed = facing_mags(gun_of_mags=gun("gun", "Web"))
    webbed.when(shot()).then_refused(records.TraitMeansNothingToVehicles, vehicle="Rig")


def test_a_crew_is_hit_through_its_vehicle_alone() -> None:
    table = facing_mags()
    table.when(shot(VEX)).then_refused(records.CrewInsideVehicle, fighter="Vex", vehicle="Rig")
    table.when(shot(KRUG, at_risk=(there(VEX),))).then_refused(records.CrewInsideVehicle)


# --- target priority -------------------------------------------------------------------------------------


def test_a_wreck_is_skipped_freely_and_a_vehicle_that_runs_is_not() -> None:
    nearer = shot(KRUG, closest=False, nearer=(records.NearerEnemy(model=RIG, because="wrecked"),))
    table = facing_mags()
    table.when(nearer).then_refused(records.SkipNotFree, model="Rig")
    wreck = table.when(lurch(), read_die("handling", "2D6", [1, 1]), control("roll"), OUT_COLD,
                       lasting_damage(4))  # fmt: skip
    skipped = wreck.when(nearer, dice(hit=1, firepower="one"))
    assert [roll.purpose for roll in skipped.rolls] == ["hit", "firepower"]
    tested = table.when(
        shot(KRUG, closest=False, nearer=(records.NearerEnemy(model=RIG),)),
        dice(priority_cool="3+4", hit=1, firepower="one"),
    )
    assert tested.rolls[0].purpose == "priority_cool"
    injured = records.NearerEnemy(model=RIG, because="seriously_injured")
    table.when(shot(KRUG, closest=False, nearer=(injured,))).then_refused(records.SkipNotFree)
    own = records.NearerEnemy(model=SLED, because="harder_to_hit")
    table.when(shot(KRUG, closest=False, nearer=(own,))).then_refused(records.ShootsOwnGang)


def wrecked_rig(**more: Any) -> Table:
    return facing_mags(**more).when(
        lurch(), read_die("handling", "2D6", [1, 1]), control("roll"), OUT_COLD, lasting_damage(4)
    )


@every("stated", [None, seen(mobile=False)])
def test_the_closest_enemy_may_be_a_wreck_and_be_shot_at_and_the_hit_is_lost(stated: Any) -> None:
    """BS 4, +1 at Short range: a 3 hits; nothing is rolled to wound."""
    table = wrecked_rig().when(shot(vehicle=stated), dice(hit=3, firepower="one"))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower"]
    assert table.outcome[-1] == records.RuleNoted(
        fighter=RIG, why="Wrecked already, this hit is lost", section="Core Rulebook (2023) · Shooting"
    )
    assert now(table) == now(wrecked_rig())


def test_a_shot_that_misses_a_wreck_goes_astray() -> None:
    strayed = shot(vehicle=None, at_risk=(there(KRUG),))
    table = wrecked_rig().when(strayed, dice(hit=1, firepower="one", stray=1), wound(1))
    assert table.combatant(KRUG).pinned


def test_a_wreck_is_neither_mobile_nor_a_target_of_its_own_side() -> None:
    wrecked_rig().when(shot(vehicle=seen(mobile=True))).then_refused(records.MobileAndNot)
    own = wrecked_rig(fighters=(card(KRUG, weapons=(gun(),)),))
    own.when(shot(attacker=KRUG, vehicle=None)).then_refused(records.ShootsOwnGang)


# --- stray shots -----------------------------------------------------------------------------------------

IN_THE_WAY = records.ModelThere(fighter=RIG, vehicle=records.VehicleAttacked(facing="side", mobile=True))


@every(
    ("knobs", "faces"),
    [
        ({}, {1, 2, 3}),
        ({"stray_shots.hits_on": "6"}, {6}),
        ({"stray_shots.hits_on": "6", "stray_shots.hr3_scope": "fighters"}, {1, 2, 3}),
    ],
)
@every("face", range(1, 7))
def test_a_stray_shot_hits_a_vehicle_on_the_faces_that_the_knobs_say(
    knobs: dict[str, str], faces: set[int], face: int
) -> None:
    table = facing_mags(knobs=knobs)
    struck = (wound(6), *STUTTER) if face in faces else ()
    after = table.when(shot(KRUG, at_risk=(IN_THE_WAY,)), dice(hit=1, firepower="one", stray=face), *struck)
    assert now(after).stalled == (face in faces)


def test_where_strays_hit_vehicles_otherwise_fighters_are_still_hit_on_a_6_alone() -> None:
    knobs = {"stray_shots.hits_on": "6", "stray_shots.hr3_scope": "fighters"}
    table = facing_mags(knobs=knobs).when(
        shot(RIG, at_risk=(there(KRUG),)), dice(hit=1, firepower="one", stray=3)
    )
    assert not table.combatant(KRUG).pinned


def test_policies_keep_stray_shots_to_fighters_and_the_6_to_fighters() -> None:
    alone = facing_mags(knobs=dict(loader.policy("stray-shots-at-fighters-only").patch))
    alone.when(shot(KRUG, at_risk=(IN_THE_WAY,))).then_refused(records.NotInRulebook)
    patches = [
        loader.policy(name).patch for name in ("stray-shots-on-a-6", "vehicles-take-strays-as-printed")
    ]
    printed = facing_mags(knobs={**patches[0], **patches[1]})
    struck = printed.when(
        shot(KRUG, at_risk=(IN_THE_WAY,)), dice(hit=1, firepower="one", stray=3), wound(6), *STUTTER
    )
    assert now(struck).stalled


def test_a_wreck_in_the_way_is_passed_over() -> None:
    wreck = facing_mags().when(
        lurch(), read_die("handling", "2D6", [1, 1]), control("roll"), OUT_COLD, lasting_damage(4)
    )
    wreck.when(shot(KRUG, at_risk=(IN_THE_WAY,))).then_refused(records.VehicleWreckedAlready)


def test_where_strays_are_of_fighters_alone_a_vehicle_is_not_at_risk() -> None:
    archived = facing_mags(book="necromunda_archive")
    archived.when(shot(KRUG, at_risk=(IN_THE_WAY,))).then_refused(records.NotInRulebook)


# --- markers and templates -------------------------------------------------------------------------------


@every(("cover", "needed"), [("none", 6), ("partial", 5), ("full", 4)])
def test_a_vehicle_under_a_marker_is_hit_and_cover_from_its_centre_helps_the_save(
    cover: str, needed: int
) -> None:
    bomb = gun("gun", 'Blast (3")')
    beneath = records.ModelThere(fighter=RIG, cover=cover, vehicle=seen("rear"))  # type: ignore[arg-type]
    table = facing_mags(vehicle(RIG, save=6), gun_of_mags=bomb).when(
        shot(None, point=True, under_marker=(there(KRUG), beneath)),
        dice(hit=6, firepower="one"),
        wound(1),
        wound(3),
        read_die("save", "D6", needed - 1),
        *STUTTER,
    )
    assert (table.rolls[-3].purpose, table.rolls[-3].target) == ("save", needed)
    assert now(table).stalled
    assert table.combatant(KRUG).pinned


def test_a_vehicle_under_a_template_is_hit_without_a_hit_roll() -> None:
    flames = gun("gun", "Template", range_short_inches=None, range_long_inches=None)
    table = facing_mags(gun_of_mags=flames).when(
        shot(None, range_band=None, under_template=(IN_THE_WAY,)), dice(firepower="one"), wound(4), *STUTTER
    )
    assert [roll.purpose for roll in table.rolls] == ["firepower", "wound", "location", "vehicle_damage"]


def test_the_target_of_a_marker_that_stays_is_hit_as_stated_of_the_target() -> None:
    table = facing_mags(gun_of_mags=gun("gun", 'Blast (3")')).when(
        shot(vehicle=seen("rear")), dice(hit=6, firepower="one"), wound(2)
    )
    assert table.rolls[-1].target == 3


# --- as the shooter --------------------------------------------------------------------------------------

CANNON = gun("cannon", "Rapid Fire (2)", strength=6)
ARMED = vehicle(RIG, weapons=("cannon",), armament=(CANNON,))


def fire(attacker: str = VEX, *, weapon: str = "cannon", **more: Any) -> records.Shoot:
    """From the rig at Mags."""
    said = {"range_band": "short", "target": MAGS, **more}
    return records.Shoot(attacker=attacker, weapon=weapon, from_vehicle=RIG, **said)


def test_the_crew_shoots_with_its_own_skill_and_the_weapon_of_the_vehicles_card() -> None:
    table = riding(ARMED, fighters=(card(VEX, ballistic_skill=3),)).when(
        fire(), dice(hit=2, firepower="one"), wound(1)
    )
    assert table.rolls[0].target == 2  # 3+, +1 at Short range
    fired = next(event for event in table.outcome if isinstance(event, records.ShotFired))
    assert (fired.fighter, fired.vehicle, fired.weapon) == (VEX, RIG, "cannon")


def test_whoever_mans_the_weapon_shoots_and_tests_cool_with_their_own_numbers() -> None:
    gunner = card(KRUG, ballistic_skill=2, cool=5)
    table = riding(ARMED, fighters=(gunner,)).when(
        fire(KRUG, closest=False, nearer=(records.NearerEnemy(model=SLED),)),
        dice(priority_cool="2+3", hit=2, firepower="one"), wound(1),
    )  # fmt: skip
    assert [roll.target for roll in table.rolls[:2]] == [5, 2]


@every(("wounds", "needed"), [(0, 3), (1, 4), (2, 5), (3, 5)])
def test_a_wounded_driver_shoots_worse_by_1_for_each_flesh_wound_to_the_worst_skill_there_is(
    wounds: int, needed: int
) -> None:
    """BS 4 worsens to 5 and 6 and no further; +1 at Short range."""
    table = riding(ARMED)
    for _ in range(wounds):
        table = table.when(ram(), wound(6), location("crew"), damage("penetrating"))
    own = table.when(fire(), dice(hit=1, firepower="one"))
    manned = table.when(fire(KRUG), dice(hit=1, firepower="one"))
    assert (own.rolls[0].target, manned.rolls[0].target) == (needed, 3)


def test_a_weapon_known_by_name_has_its_numbers_on_the_card_of_who_fires_it() -> None:
    named = vehicle(RIG, weapons=("gun",))
    table = riding(named, fighters=(card(VEX, weapons=(gun(),)),)).when(
        fire(weapon="gun"), dice(hit=1, firepower="ammo", ammo=1)
    )
    assert records.WeaponRanOutOfAmmo(fighter=VEX, weapon="gun", slot="gun", vehicle=RIG) in table.outcome
    assert (now(table).out_of_ammo, table.combatant(VEX).out_of_ammo) == (("gun",), ())
    riding(named).when(fire(weapon="net")).then_refused(records.UnknownWeapon, fighter="Rig")


def test_a_vehicles_weapon_runs_dry_for_everybody_who_mans_it_and_anybody_reloads_it() -> None:
    dry = riding(ARMED).when(fire(), dice(hit=1, firepower="ammo", ammo=1))
    dry.when(fire(KRUG)).then_refused(records.WeaponOutOfAmmo, fighter="Rig", weapon="cannon")
    again = dry.when(records.Reload(fighter=KRUG, weapon="cannon", on_vehicle=RIG), dice(ammo=4))
    assert now(again).out_of_ammo == ()
    again.when(fire(), dice(hit=1, firepower="one"))


def test_limited_ammunition_of_a_vehicle_leaves_its_card_when_the_battle_ends() -> None:
    shells = gun("cannon", profiles=(mode("shell"), mode("hot", "Limited")))
    table = riding(vehicle(RIG, weapons=("cannon",), armament=(shells,))).when(
        fire(profile_name="hot"), dice(hit=1, firepower="ammo", ammo=1)
    )
    ended = table.when(CLOSING)
    assert (
        records.LimitedAmmoDeleted(
            fighter=VEX, weapon="cannon", profile="hot", weapon_gone=False, cost_credits=150, vehicle=RIG
        )
        in ended.outcome
    )
    assert [profile.name for profile in on_card(ended).armament[0].profiles] == ["shell"]


def test_a_destroyed_weapon_fires_no_more() -> None:
    table = riding(ARMED).when(ram(), wound(6), location("body"), damage("catastrophic"), HOLDS)
    table.when(fire()).then_refused(records.WeaponDoneForBattle, weapon="cannon")


def test_a_misfire_falls_on_the_vehicle_whose_facing_is_in_doubt() -> None:
    mortar = vehicle(RIG, weapons=("cannon",), armament=(gun("cannon", 'Blast (5")'),))
    table = riding(mortar).when(
        fire(under_misfire=(there(KRUG),)),
        dice(hit=1, firepower="one", scatter="hit", scatter_distance=1, misfire=1),
        wound(5), *STUTTER, wound(1),
    )  # fmt: skip
    assert "Toughness 5 of the toughest facing" in table.rolls[5].outcome
    assert now(table).stalled
    assert table.combatant(KRUG).pinned


@every("face", [3, 4])
def test_an_unstable_weapon_of_a_vehicle_is_out_and_hits_the_body_catastrophically(face: int) -> None:
    """D6, 1 to 3. No weapon is left to destroy at random, so two Hull Points go."""
    unstable = vehicle(RIG, weapons=("cannon",), armament=(gun("cannon", "Unstable"),))
    more = (HOLDS,) if face == 3 else ()
    table = riding(unstable).when(fire(), dice(hit=1, firepower="ammo", ammo=6, unstable=face), more)
    assert (records.VehicleWeaponDestroyed(vehicle=RIG, weapon="cannon") in table.outcome) == (face == 3)
    assert now(table).hit_points_left == (1 if face == 3 else 3)
    assert not table.combatant(VEX).out_of_action


def test_nobody_shoots_a_vehicle_weapon_of_another_gang_or_two_of_them() -> None:
    table = riding(ARMED)
    table.when(fire(DOT, target=KRUG)).then_refused(records.WeaponOfAnotherGang)
    two = table.when(
        records.Shoot(attacker=VEX, weapon="cannon", from_vehicle=RIG, target=MAGS, range_band="short",
              also=records.SecondSidearm(weapon="cannon"))
    )  # fmt: skip
    two.then_refused(records.SituationContradicts)
    out = table.when(ram(), wound(6), location("crew"), damage("catastrophic"), control("swerve"))
    out.when(fire()).then_refused(records.DriverUnconscious)
    out.when(fire(KRUG), dice(hit=1, firepower="one"))
    gone = table.when(lurch(), read_die("handling", "2D6", [1, 1]), control("roll"), OUT_COLD,
                      lasting_damage(4))  # fmt: skip
    gone.when(fire(KRUG)).then_refused(records.VehicleWreckedAlready)
    table.when(fire(at_risk=(IN_THE_WAY,))).then_refused(records.SituationContradicts)


def test_a_broken_vehicle_fires_nothing_whoever_mans_the_weapon() -> None:
    table = riding(ARMED)
    assert table.state.under_way is not None
    broken = replace(table.combatant(VEX), broken=True)
    table = replace(table, state=table.state.with_combatant(VEX, broken))
    table.when(fire(KRUG)).then_refused(records.BrokenMayNotAttack, fighter="Vex")


def test_who_drives_one_vehicle_mans_no_weapon_of_another() -> None:
    convoy = enlist(
        "haulers",
        card("ned"),
        card("joss"),
        vehicles=(
            replace(
                vehicle(RIG, crew="ned", weapons=("gun",), armament=(gun(),)), vehicle="truck", name="Truck"
            ),
            replace(vehicle(RIG, crew="joss"), vehicle="bike", name="Bike"),
        ),
    )
    battle = records.OpenBattle(
        battle="b", scenario="Ambush", date="2026-01-01", crews={"haulers": (), "saints": (MAGS, DOT)}
    )
    table = riding(battle=False).when(convoy).when(battle)
    said = {"weapon": "gun", "from_vehicle": "truck", "target": MAGS, "range_band": "short"}
    table.when(records.Shoot(attacker="joss", **said)).then_refused(records.MansAnotherVehicle, other="Bike")
    table.when(records.Shoot(attacker="ned", **said), dice(hit=1, firepower="one"))


def test_who_drives_and_names_a_weapon_of_the_car_is_told_to_name_the_car() -> None:
    table = riding(ARMED)
    for told in (
        records.Shoot(attacker=VEX, weapon="Cannon", target=MAGS, range_band="short"),
        records.Reload(fighter=VEX, weapon="cannon"),
        records.ResolveHit(attacker=VEX, weapon="cannon", target=MAGS),
    ):
        table.when(told).then_refused(records.WeaponOnVehicle, vehicle_id=RIG, fighter="Vex")
    table.when(records.Reload(fighter=KRUG, weapon="cannon")).then_refused(records.UnknownWeapon)


def test_who_names_a_driver_for_a_vehicle_is_told_the_vehicle() -> None:
    wall = records.CrashVehicle(vehicle=VEX, mobile=True, contact="front", terrain="solid")
    told = riding().when(wall)
    assert "Name the vehicle: 'rig'." in str(told.refusal)
    told.then_refused(records.FighterNotVehicle, drives=RIG)
