"""Close combat against vehicles: +1 to hit, no assists, one more Location die; a wreck lets one consolidate."""

import pytest
from fights import HAMMER, KNIFE, SPEAR, at, fight, hit_rolls, melee_hit, moved, weapon
from rides import HOLDS, OUT_COLD, RIG, SLED, damage, lasting_damage, location, now, riding, vehicle
from scenario import KRUG, MAGS, VEX, Table, card, older, opening, save, wound
from special_rules import odds_ends
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Weapon
from tracker.dice import Die, read_die
from tracker.records import replace

ARMED = card(MAGS, weapons=(HAMMER, KNIFE), attacks=1)
STUTTER = (wound(6), location("body", "engine"), damage("glancing", "glancing", "glancing"))


def on(name: str = RIG, *dice: int, mobile: bool = False, **more) -> records.FightTarget:
    """The side of a vehicle that stands still."""
    struck = records.VehicleAttacked(facing="side", mobile=mobile, **more)
    return records.FightTarget(model=name, vehicle=struck, attack_dice=dice)


def test_a_vehicle_is_hit_at_plus_1_and_with_one_more_location_die() -> None:
    table = riding(fighters=(ARMED,)).when(
        fight(MAGS, on(keep_location=("engine",)), using=("hammer",)), melee_hit(3), *STUTTER
    )
    assert moved(table) == {(("against a vehicle", 1),)}
    assert (hit_rolls(table)[0].target, hit_rolls(table)[0].outcome) == (3, "hammer against Rig: hits")
    damaged = next(event for event in table.outcome if isinstance(event, records.VehicleDamaged))
    assert (damaged.location, damaged.by) == ("engine", MAGS)


def test_nobody_assists_against_a_vehicle_but_enemies_interfere() -> None:
    """Krug is engaged with Mags while she strikes at the rig."""
    table = riding(fighters=(ARMED,)).when(
        fight(MAGS, on(), using=("hammer",), engaged=((KRUG, MAGS),)), melee_hit(1)
    )
    assert moved(table) == {(("against a vehicle", 1), ("interference", -1))}
    riding().when(fight(MAGS, on(), engaged=((MAGS, RIG),))).then_refused(records.VehicleNotFighter)


def test_a_vehicle_never_reacts_and_is_never_engaged() -> None:
    table = riding(fighters=(ARMED,)).when(fight(MAGS, on(), using=("hammer",)), melee_hit(1))
    resolved = table.outcome[-1]
    assert isinstance(resolved, records.FightResolved)
    assert (resolved.attacked, resolved.may_react) == ((RIG,), ())


DRIVES_OFF = {"reaction": True, "drives_off": True}


def initiative(face: int):
    return read_die("drive_off", "D6", face)


@every("book", ["necromunda_2023", "necromunda_archive"])
@every("face", range(1, 7))
def test_who_passes_an_initiative_test_reacts_to_a_vehicle_that_drives_off(book: str, face: int) -> None:
    """Initiative 4+."""
    reaction = fight(MAGS, on(mobile=True), using=("hammer",), **DRIVES_OFF)
    dice = (melee_hit(1),) if face >= 4 else ()
    table = riding(fighters=(ARMED,), book=book).when(reaction, initiative(face), *dice)
    assert table.refusal is None
    assert (table.rolls[0].purpose, table.rolls[0].passed) == ("drive_off", face >= 4)
    assert len(table.rolls) == (2 if face >= 4 else 1)


def test_only_a_mobile_vehicle_drives_off_and_attacks_against_it_are_reactions() -> None:
    table = riding(fighters=(ARMED,))
    for said in (
        fight(MAGS, on(mobile=False), using=("hammer",), **DRIVES_OFF),
        fight(MAGS, on(mobile=True), using=("hammer",), drives_off=True),
        fight(MAGS, KRUG, using=("hammer",), **DRIVES_OFF),
    ):
        table.when(said).then_refused(records.ContradictoryStatement)


def test_whoever_wrecks_a_vehicle_may_consolidate() -> None:
    table = riding(vehicle(RIG, hit_points=1), fighters=(ARMED,))
    strike = fight(MAGS, on(), using=("hammer",), consolidate=True)
    wrecked = table.when(
        strike,
        melee_hit(6),
        wound(6),
        location("body", "body"),
        damage("penetrating", "glancing", "glancing"),
        HOLDS,
        OUT_COLD,
        lasting_damage(1),
    )
    assert now(wrecked).wrecked
    assert wrecked.outcome[-1] == records.FighterConsolidated(fighter=MAGS, up_to_inches=2)
    assert isinstance(table.when(strike, melee_hit(1)).outcome[-1], records.RuleNoted)


def test_dice_are_split_between_a_fighter_and_a_vehicle() -> None:
    table = riding(fighters=(card(MAGS, weapons=(KNIFE,), attacks=2),)).when(
        fight(MAGS, at(KRUG, 1), on(RIG, 1), using=("knife",)), melee_hit(1, 1)
    )
    on_krug, on_rig = hit_rolls(table)
    assert on_krug.modifiers == ()
    # Krug is engaged with Mags and with nobody else: he hinders her blow at the rig.
    assert [(modifier.why, modifier.by) for modifier in on_rig.modifiers] == [
        ("against a vehicle", 1),
        ("interference", -1),
    ]


def test_a_fight_is_never_against_crew_a_friendly_vehicle_or_what_is_no_vehicle() -> None:
    table = riding(fighters=(ARMED,))
    table.when(fight(MAGS, on(SLED))).then_refused(records.NoEnemy)
    table.when(fight(MAGS, on("cart"))).then_refused(records.UnknownVehicle)
    table.when(fight(MAGS, on(KRUG))).then_refused(records.FighterNotVehicle)
    table.when(fight(MAGS, VEX)).then_refused(records.CrewNotEngaged)
    table.when(fight(MAGS, KRUG, engaged=((VEX, MAGS),))).then_refused(records.CrewNotEngaged)
    attacks = table.when(fight(VEX, MAGS))
    assert "`run_over`" in str(attacks.refusal)
    attacks.then_refused(records.CrewNotEngaged, attacks=True)
    table.when(fight(MAGS, RIG)).then_refused(records.VehicleNotFighter)


def test_an_absent_vehicle_is_not_attacked() -> None:
    table = riding(fighters=(ARMED,), battle=False)
    played = table.when(opening(1, without=(VEX,)))  # the crew stays at home, so the rig does too
    played.when(fight(MAGS, on())).then_refused(records.VehicleNotInBattle)


def test_a_second_hit_meets_the_vehicle_as_the_first_left_it() -> None:
    table = riding(fighters=(card(MAGS, weapons=(HAMMER,), attacks=2),)).when(
        fight(MAGS, on(mobile=True, keep_location=("engine",)), using=("hammer",)),
        melee_hit(6, 6),
        *STUTTER,
        *STUTTER,
    )
    assert (now(table).stalled, now(table).mobile) == (True, False)


# --- traits and skills of who attacks, and of who drives ---------------------------------------------------


def strikes(*skills: str, arm: Weapon = HAMMER, attacks: int = 1, **rig: object):
    """Mags with these skills beside the rig."""
    mags = card(MAGS, weapons=(arm,), skills=skills, attacks=attacks)
    return riding(vehicle(RIG, **rig), fighters=(mags,))


def blow(table: Table, *dice: Die, **said: object) -> Table:
    weapon = table.state.fighter(MAGS).weapons[0].weapon
    return table.when(fight(MAGS, on(), using=(weapon,), **said), *dice)


def damage_dice(table: Table) -> int:
    return sum(roll.purpose == "vehicle_damage" for roll in table.rolls)


def strength_of(table: Table) -> str:
    return next(roll for roll in table.rolls if roll.purpose == "wound").outcome.partition(" against")[0]


ENGINE = location("engine", "engine")
LIKED = ("engine", "body", "drive", "crew")


def test_crushing_blow_on_a_vehicle_is_stronger_and_has_one_more_damage_die() -> None:
    """Strength 4 and Damage 1, each 1 more with the die that was named."""
    table = blow(
        strikes("Crushing Blow", arm=SPEAR), melee_hit(6), wound(6), ENGINE, damage("glancing", "glancing")
    )
    assert (strength_of(table), damage_dice(table)) == ("Strength 5", 2)


def test_bull_charge_into_a_vehicle_is_stronger_and_moves_nobody() -> None:
    table = blow(
        strikes("Bull Charge", arm=SPEAR),
        melee_hit(6, 1),
        wound(6),
        ENGINE,
        damage("glancing"),
        charging=True,
    )
    assert (strength_of(table), damage_dice(table)) == ("Strength 5", 1)
    assert not any("knocked" in event.why for event in table.outcome if isinstance(event, records.RuleNoted))
    walked = blow(strikes("Bull Charge", arm=SPEAR), melee_hit(6), wound(6), ENGINE, damage("glancing"))
    assert strength_of(walked) == "Strength 4"


@every("psyker", [True, False])
def test_force_of_a_psyker_leaves_a_vehicle_no_armour_and_has_one_more_damage_die(psyker: bool) -> None:
    """As Power on a natural 6 to hit; in other hands the vehicle saves."""
    staff = weapon("staff", "Melee", "Force", strength=8)
    saved = () if psyker else (save(1),)
    shown = damage(*["glancing"] * (2 if psyker else 1))
    table = blow(strikes(arm=staff, save=3), melee_hit(6), wound(6), *saved, ENGINE, shown, psyker=psyker)
    assert table.refusal is None
    assert damage_dice(table) == (2 if psyker else 1)
    lesser = blow(
        strikes(arm=staff, save=3), melee_hit(5), wound(6), save(1), ENGINE, damage("glancing"), psyker=psyker
    )
    assert damage_dice(lesser) == 1


def test_power_on_a_vehicle_is_as_force() -> None:
    sword = weapon("power sword", "Melee", "Power", strength=8)
    table = blow(strikes(arm=sword, save=3), melee_hit(6), wound(6), ENGINE, damage("glancing", "glancing"))
    assert (table.refusal, damage_dice(table)) == (None, 2)


def test_master_crafted_makes_a_failed_hit_roll_against_a_vehicle_again() -> None:
    table = blow(strikes(arm=weapon("blade", "Melee", "Master-Crafted")), melee_hit(1, 1))
    assert len(hit_rolls(table)) == 2


def test_combat_master_strikes_at_a_vehicle_without_interference() -> None:
    table = blow(strikes("Combat Master"), melee_hit(1), engaged=((KRUG, MAGS),))
    assert moved(table) == {(("against a vehicle", 1),)}


def test_berserker_paired_and_digi_bring_their_attack_dice_against_a_vehicle() -> None:
    """Charging: 1 doubled, +1 for two weapons, +1 for the Charge, +1 Berserker."""
    claws = weapon("claws", "Melee", "Paired")
    table = blow(strikes("Berserker", arm=claws), melee_hit(1, 1, 1, 1, 1), charging=True)
    assert len(hit_rolls(table)) == 5
    mags = card(MAGS, weapons=(HAMMER, weapon("digi laser", "Melee", "Digi")), attacks=1)
    both = fight(MAGS, on(), using=("hammer", "digi laser"))
    assert len(hit_rolls(riding(fighters=(mags,)).when(both, melee_hit(1, 1)))) == 2


def test_impetuous_consolidates_4_inches_beside_a_wreck() -> None:
    wrecked = blow(
        strikes("Impetuous", hit_points=1),
        melee_hit(6),
        wound(6),
        location("body", "body"),
        damage("penetrating", "glancing", "glancing"),
        HOLDS,
        OUT_COLD,
        lasting_damage(1),
        consolidate=True,
    )
    assert wrecked.outcome[-1] == records.FighterConsolidated(fighter=MAGS, up_to_inches=4)


def test_reckless_hits_fall_on_a_vehicle_in_contact_as_on_a_fighter() -> None:
    flail = weapon("flail", "Melee", "Reckless", strength=8)
    table = riding(fighters=(card(MAGS, weapons=(flail,), attacks=2),))
    both = fight(MAGS, at(KRUG, 1), on(RIG, 1), using=("flail",))
    drawn = read_die("random_fighter", "D6", 4)  # the second of two
    fallen = table.when(both, melee_hit(6, 1), drawn, wound(6), ENGINE, damage("glancing"))
    assert fallen.refusal is None
    assert (now(fallen).stalled, fallen.state.under_way.combatants[KRUG].wounds_left) == (True, 1)
    spared = read_die("random_fighter", "D6", 1)
    other = table.when(both, melee_hit(1, 6), spared, wound(1))
    assert (other.refusal, now(other)) == (None, now(table))


@every("ride", [RIG, SLED])
def test_reckless_hits_fall_on_a_vehicle_that_is_only_in_contact_friend_or_foe(ride: str) -> None:
    """Mags of the Saints attacks Krug alone; the rig is the Skulls', the sled her own gang's."""
    flail = weapon("flail", "Melee", "Reckless", strength=8)
    table = riding(fighters=(card(MAGS, weapons=(flail,)),))
    blow = fight(MAGS, KRUG, using=("flail",), in_contact=(on(ride),))
    drawn = read_die("random_fighter", "D6", 4)  # the second of two
    struck = table.when(blow, melee_hit(6), drawn, wound(6), ENGINE, damage("glancing"))
    assert now(struck, ride).stalled
    assert struck.combatant(KRUG).wounds_left == 1
    spared = table.when(blow, melee_hit(6), read_die("random_fighter", "D6", 1), wound(1))
    assert now(spared, ride) == now(table, ride)


def test_who_is_aboard_a_vehicle_is_in_contact_with_nobody_but_in_older_battles_was() -> None:
    """Vex drives the rig: a hit falls on the car, not on who sits in it."""
    table = riding(fighters=(card(MAGS, weapons=(weapon("flail", "Melee", "Reckless", strength=None),)),))
    inside = fight(MAGS, KRUG, using=("flail",), in_contact=(at(VEX),))
    table.when(inside).then_refused(records.CrewNotEngaged)
    assert older(table, 4).when(inside, melee_hit(1)).refusal is None


def test_a_vehicle_in_contact_takes_no_attack_dice_is_in_the_battle_and_in_no_older_one() -> None:
    flail = weapon("flail", "Melee", "Reckless", strength=8)
    table = riding(fighters=(card(MAGS, weapons=(flail,)),))
    armed = {"using": ("flail",)}
    table.when(fight(MAGS, KRUG, in_contact=(on(RIG, 1),), **armed)).then_refused(
        records.ContradictoryStatement
    )
    beside = fight(MAGS, KRUG, in_contact=(on(RIG),), **armed)
    older(table, 3).when(beside).then_refused(records.ContradictoryStatement, other="a vehicle")
    nobody = fight(MAGS, KRUG, in_contact=(replace(on(RIG), model="nobody"),), **armed)
    table.when(nobody).then_refused(records.UnknownVehicle)


@every("trait", ["Shock", "Backstab", "Knockback", "Entangle", "Disarm", "Sever", "Cursed", "Drag"])
def test_what_is_worded_for_fighters_does_nothing_to_a_vehicle(trait: str) -> None:
    """G-83: a plain natural 6, and nothing more asked."""
    table = blow(
        strikes(arm=weapon("blade", "Melee", trait)), melee_hit(6), wound(6), ENGINE, damage("glancing")
    )
    assert table.refusal is None
    assert [roll.purpose for roll in table.rolls] == [
        "melee_hit", "wound", "location", "location", "vehicle_damage",
    ]  # fmt: skip


def with_broken(table: Table, fighter: str) -> Table:
    battle = table.state.under_way
    combatants = {**battle.combatants, fighter: replace(battle.combatants[fighter], broken=True)}
    return replace(table, state=replace(table.state, under_way=replace(battle, combatants=combatants)))


def test_a_driver_jinks_away_from_a_blow_even_of_who_is_broken() -> None:
    driver, mags = card(VEX, skills=("Jink",)), card(MAGS, weapons=(HAMMER,), attacks=1)
    table = riding(fighters=(driver, mags))
    jink = read_die("jink", "D6", 6)
    assert now(blow(table, melee_hit(6), jink)).hit_points_left == 3
    broken = with_broken(table, MAGS)
    off = fight(MAGS, on(mobile=True), using=("hammer",), **DRIVES_OFF)
    assert now(broken.when(off, initiative(6), melee_hit(6), jink)).hit_points_left == 3


def odds_of(table: Table, **said: object):
    arm = table.state.fighter(MAGS).weapons[0].weapon
    return odds_ends(table, fight(MAGS, on(keep_location=LIKED), using=(arm,), **said), RIG)


@pytest.mark.slow
def test_the_odds_of_blows_at_a_vehicle_count_what_traits_and_skills_add() -> None:
    """A Crushing Blow of Strength 3 is as a blow of Strength 4 and Damage 2, Force in the right hands Power."""
    light = weapon("club", "Melee", strength=3)
    heavy = weapon("club", "Melee", strength=4, damage=2)
    assert odds_of(strikes("Crushing Blow", arm=light)) == odds_of(strikes(arm=heavy))
    assert odds_of(strikes(arm=light)) != odds_of(strikes(arm=heavy))
    force, power = (weapon("staff", "Melee", trait, strength=8) for trait in ("Force", "Power"))
    in_use = odds_of(strikes(arm=force, save=3), psyker=True)
    assert in_use == odds_of(strikes(arm=power, save=3))
    assert in_use != odds_of(strikes(arm=force, save=3))


def test_a_battle_of_an_earlier_stage_keeps_what_it_knew_of_blows_at_a_vehicle() -> None:
    """Until then the armour saved against Force, and what a skill adds came without a note."""
    staff = weapon("staff", "Melee", "Force", strength=8)
    earlier = older(strikes(arm=staff, save=3), stage=3)
    table = blow(
        earlier, melee_hit(6), wound(6), save(1), ENGINE, damage("glancing", "glancing"), psyker=True
    )
    assert (table.refusal, damage_dice(table)) == (None, 2)
    crushed = older(strikes("Crushing Blow", arm=SPEAR), stage=3)
    table = blow(crushed, melee_hit(6), wound(6), ENGINE, damage("glancing", "glancing"))
    assert (strength_of(table), damage_dice(table)) == ("Strength 5", 2)
    assert not any(isinstance(event, records.RuleNoted) for event in table.outcome)
