"""Traits and skills against vehicles, and the skills of who drives: each with dice of its own, and its chances."""

from fractions import Fraction

import pytest
from rides import (
    HOLDS,
    RIG,
    SKIDS,
    control,
    damage,
    handling,
    location,
    lurch,
    now,
    ram,
    riding,
    shot,
    vehicle,
)
from scenario import MAGS, VEX, Table, card, older, save, wound
from shots import gun
from special_rules import chance, dice, exactly, purposes

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import odds_from
from tracker.dice import read_die
from tracker.records import replace
from tracker.rules import loader

MISSES, JINKS = dice(jink=5), dice(jink=6)


def driven(*skills: str, **rig: object):
    """The rig, driven by somebody with these skills."""
    return riding(vehicle(RIG, **rig), fighters=(card(VEX, skills=skills),))


# --- traits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(1, 7))
def test_blaze_sets_a_vehicle_on_fire_after_the_attack_on_a_4(face: int) -> None:
    table = riding().when(ram(traits=("Blaze",)), wound(1), dice(blaze=face))
    assert purposes(table) == ["wound", "blaze"]
    assert now(table).blaze == (face >= 4)


def test_blaze_asks_for_no_die_of_a_wreck() -> None:
    hit = ram(traits=("Blaze",), damage=1)
    wrecked = riding(vehicle(RIG, hit_points=1)).when(
        hit,
        wound(6),
        location("engine"),
        damage("penetrating"),
        HOLDS,
        dice(crew_injury="21", lasting_damage=1),
    )
    assert now(wrecked).wrecked
    assert "blaze" not in purposes(wrecked)


@pytest.mark.slow
def test_blaze_of_a_shot_burns_a_vehicle_as_often_as_every_die_says() -> None:
    # She seldom hits, and by one round: each hit is followed by all that may become of a vehicle, for each face of ammo.
    once = gun("gun", "Blaze", "Single Shot", strength=1, accuracy_short=0)
    table = riding(fighters=(card(MAGS, weapons=(once,), ballistic_skill=6),))
    ends = exactly(table, shot(), RIG)
    wrecked = Fraction(1, 6) * Fraction(245, 1296) / 6  # as in the odds of vehicles: only by a Roll
    assert chance(ends, blaze=True) == Fraction(1, 6) * Fraction(3, 6) * (1 - wrecked)


def test_a_flare_reveals_no_hidden_vehicle_that_it_hits() -> None:
    """The book words it for fighters."""
    table = riding().when(records.StateCondition(vehicle=RIG, condition="hidden"))
    assert now(table.when(ram(traits=("Flare",)), wound(1))).hidden


def test_concussion_takes_2_off_the_handling_tests_of_a_vehicle_to_the_end_of_the_round() -> None:
    hit = riding().when(ram(traits=("Concussion",)), wound(1))
    assert now(hit).concussed
    assert now(hit.when(lurch(), handling(4, 4), control("swerve"))).concussed  # 8 less 2 of 7
    assert not now(hit.when(records.EndRound())).concussed


def test_flash_a_handling_test_of_the_vehicle_in_place_of_the_wound_roll() -> None:
    flash = ram(traits=("Flash",), strength=3)
    blind = riding().when(flash, SKIDS)
    assert purposes(blind) == ["handling"]
    assert now(blind).blind
    assert not now(riding().when(flash, HOLDS)).blind
    ends = exactly(riding(), flash, RIG)
    assert chance(ends, blind=True) == Fraction(15, 36)  # 2D6 below 7


@pytest.mark.parametrize("face", range(1, 7))
def test_gas_wounds_the_driver_on_the_toughness_of_the_rear_or_a_6(face: int) -> None:
    gas = ram(traits=("Gas",), facing="front", strength=1)
    for rear in (3, 9):
        table = riding(vehicle(RIG, toughness_rear=rear, save=2)).when(gas, dice(gas_on_vehicle=face))
        assert purposes(table) == ["gas_on_vehicle"]  # no save of 2+ either
        assert now(table).driver_flesh_wounds == (1 if face >= min(rear, 6) else 0)


def test_gas_needs_no_strength_against_a_vehicle() -> None:
    gas = replace(ram(traits=("Gas",)), profile=replace(ram(traits=("Gas",)).profile, strength=0))  # type: ignore[type-var]
    ends = exactly(riding(), gas, RIG)
    assert chance(ends, driver_flesh_wounds=1) == Fraction(4, 6)


def test_toxin_has_no_effect_on_a_vehicle() -> None:
    table = riding().when(ram(traits=("Toxin",)))
    assert purposes(table) == []
    assert now(table) == now(riding())


@pytest.mark.parametrize(("face", "toughness"), [(4, 5), (5, 5), (5, 9), (6, 9)])
def test_graviton_pulse_hits_the_body_on_the_toughness_of_the_facing_or_a_6(
    face: int, toughness: int
) -> None:
    pulse = ram(traits=("Graviton Pulse",), strength=1)
    table = riding(vehicle(RIG, toughness_front=toughness, save=2))
    if face >= min(toughness, 6):
        hit = table.when(pulse, dice(graviton_pulse=face), damage("penetrating"), HOLDS)
        assert purposes(hit) == ["graviton_pulse", "vehicle_damage", "handling"]
        assert now(hit).hit_points_left == 2
    else:
        assert purposes(table.when(pulse, dice(graviton_pulse=face))) == ["graviton_pulse"]


def test_melta_at_short_range_one_more_damage_die_against_a_vehicle() -> None:
    ranged = replace(ram(traits=("Melta",)).profile, range_short_inches=6, range_long_inches=12)  # type: ignore[type-var]
    near = replace(ram(), profile=ranged, range_band="short")
    table = riding().when(near, wound(6), location("engine"), damage("glancing", "glancing"))
    assert purposes(table).count("vehicle_damage") == 2
    far = replace(near, range_band="long")
    assert (
        purposes(riding().when(far, wound(6), location("engine"), damage("glancing"))).count("vehicle_damage")
        == 1
    )


def test_melta_without_short_range_counts_at_any_range_against_a_vehicle() -> None:
    table = riding().when(
        ram(traits=("Melta",)), wound(6), location("engine"), damage("glancing", "glancing")
    )
    assert purposes(table).count("vehicle_damage") == 2


def test_melta_of_a_shot_knows_the_range() -> None:
    table = riding(fighters=(card(MAGS, weapons=(gun("gun", "Melta"),)),))
    near = table.when(
        shot(), dice(hit=6, firepower=1, wound=6), location("engine"), damage("glancing", "glancing")
    )
    assert now(near).stalled
    far = table.when(
        shot(range_band="long"), dice(hit=6, firepower=1, wound=6), location("engine"), damage("glancing")
    )
    assert now(far).stalled


def test_rending_a_6_to_wound_is_one_more_damage_die_against_a_vehicle() -> None:
    rending = ram(traits=("Rending",), strength=5)
    six = riding().when(rending, wound(6), location("engine"), damage("glancing", "glancing"))
    assert purposes(six).count("vehicle_damage") == 2
    five = riding().when(rending, wound(5), location("engine"), damage("glancing"))
    assert purposes(five).count("vehicle_damage") == 1


def test_pulverise_after_the_damage_dice_a_d6_on_the_toughness_is_one_more_of_them() -> None:
    pulverise = ram(traits=("Pulverise",))
    more = riding().when(
        pulverise, wound(6), location("engine"), damage("glancing"), dice(pulverise=5), damage("glancing")
    )
    assert purposes(more) == ["wound", "location", "vehicle_damage", "pulverise", "vehicle_damage"]
    none = riding().when(pulverise, wound(6), location("engine"), damage("glancing"), dice(pulverise=4))
    assert purposes(none)[-1] == "pulverise"


def test_pulverise_and_rending_and_melta_meet_rending_and_melta_first() -> None:
    """What changes the Damage comes before the dice that it brings, Pulverise after them."""
    all_three = ram(traits=("Pulverise", "Rending", "Melta"))
    table = riding().when(
        all_three, wound(6), location("engine"), damage("glancing", "glancing", "glancing"), dice(pulverise=1)
    )
    assert purposes(table).count("vehicle_damage") == 3


def test_phase_allows_a_vehicle_no_save() -> None:
    phase = ram(traits=("Phase",))
    table = riding(vehicle(RIG, save=2)).when(phase, wound(6), location("engine"), damage("glancing"))
    assert "save" not in purposes(table)


def test_seismic_a_loss_of_control_test_after_the_attack_on_a_vehicle() -> None:
    seismic = ram(traits=("Seismic",))
    table = riding().when(seismic, wound(1), SKIDS, control("swerve"))
    assert purposes(table) == ["wound", "handling", "control", "control_direction"]
    assert purposes(riding().when(seismic, wound(1), HOLDS)) == ["wound", "handling"]


def test_seismic_a_6_to_wound_leaves_a_vehicle_no_save() -> None:
    seismic = ram(traits=("Seismic",), strength=5)
    armoured = riding(vehicle(RIG, save=2))
    six = armoured.when(seismic, wound(6), location("engine"), damage("glancing"), HOLDS)
    assert "save" not in purposes(six)
    assert purposes(armoured.when(seismic, wound(5), save(6), HOLDS)) == ["wound", "save", "handling"]


def test_unstable_a_weapon_of_the_vehicle_brings_a_catastrophic_hit_on_its_body() -> None:
    unstable = vehicle(RIG, weapons=("cannon",), armament=(gun("cannon", "Unstable"),))
    fired = records.Shoot(attacker=VEX, weapon="cannon", target=MAGS, from_vehicle=RIG, range_band="short")
    table = riding(unstable).when(fired, dice(hit=1, firepower="ammo", ammo=6, unstable=3), HOLDS)
    assert now(table).weapons_destroyed == ("cannon",)
    kept = riding(unstable).when(fired, dice(hit=1, firepower="ammo", ammo=6, unstable=4))
    assert now(kept).weapons_destroyed == ()


def test_marksman_doubles_the_damage_dice_against_a_vehicle_on_a_natural_6() -> None:
    mags = card(MAGS, skills=("Marksman",), weapons=(gun(),))
    table = riding(fighters=(mags,))
    six = table.when(
        shot(), dice(hit=6, firepower=1, wound=6), location("engine"), damage("glancing", "glancing")
    )
    assert purposes(six).count("vehicle_damage") == 2
    five = table.when(shot(), dice(hit=5, firepower=1, wound=6), location("engine"), damage("glancing"))
    assert purposes(five).count("vehicle_damage") == 1


def test_precision_shot_leaves_a_vehicle_no_armour_save_on_a_natural_6() -> None:
    mags = card(MAGS, skills=("Precision Shot",), weapons=(gun(),))
    table = riding(vehicle(RIG, save=2), fighters=(mags,))
    six = table.when(shot(), dice(hit=6, firepower=1, wound=6), location("engine"), damage("glancing"))
    assert "save" not in purposes(six)
    assert "save" in purposes(table.when(shot(), dice(hit=5, firepower=1, wound=6, save=6)))


def test_a_battle_recorded_before_traits_acted_on_vehicles_asks_for_none_of_their_dice() -> None:
    old = older(driven("Jink", "Expert Driver"), stage=1)
    assert purposes(old.when(ram(traits=("Blaze", "Flash", "Seismic")), wound(1))) == ["wound"]


# --- driving skills --------------------------------------------------------------------------------------


def test_jink_on_a_6_the_hit_is_ignored() -> None:
    jinked = driven("Jink").when(ram(ap=6, traits=("Concussion", "Blaze")), JINKS)
    assert purposes(jinked) == ["jink"]
    assert not now(jinked).concussed


def test_jink_is_rolled_once_a_round() -> None:
    first = driven("Jink").when(ram(), MISSES, wound(1))
    again = first.when(ram(), wound(1))
    assert purposes(again) == ["wound"]
    assert "used in this round already" in again.outcome[0].why  # type: ignore[attr-defined]
    next_round = first.when(records.EndRound(round=1)).when(ram(), JINKS)
    assert purposes(next_round) == ["jink"]


def test_jink_may_be_kept_for_a_later_hit() -> None:
    kept = driven("Jink").when(ram(without=("Jink",)), wound(1))
    assert purposes(kept) == ["wound"]
    assert purposes(kept.when(ram(), JINKS)) == ["jink"]


def test_jink_is_for_attacks_and_for_who_is_awake() -> None:
    assert purposes(driven("Jink").when(ram(attack=False), wound(1))) == ["wound"]
    knocked_out = driven("Jink").when(
        ram(without=("Jink",)), wound(6), location("crew"), damage("catastrophic"), control("swerve")
    )
    assert purposes(knocked_out.when(ram(mobile=False), wound(1))) == ["wound"]


def test_jink_leaves_five_in_six_hits() -> None:
    flash = ram(traits=("Flash",))
    ends = exactly(driven("Jink"), flash, RIG)
    assert chance(ends, blind=True) == Fraction(5, 6) * Fraction(15, 36)


def test_jink_in_a_burst_is_rolled_against_its_first_hit_alone() -> None:
    burst = card(MAGS, weapons=(gun("gun", "Rapid Fire (1)"),))
    table = riding(fighters=(card(VEX, skills=("Jink",)), burst))
    fired = table.when(shot(), dice(hit=6, firepower="three_holes", jink=6, wound=[1, 1]))
    assert purposes(fired)[-3:] == ["jink", "wound", "wound"]


@pytest.mark.parametrize(("stage", "used", "later"), [(None, 0, 1), (4, 1, 2)])
def test_jink_is_said_to_be_used_once_in_an_attack_and_not_in_that_which_used_it(
    stage: int | None, used: int, later: int
) -> None:
    """Two hits of a burst, twice in a round; a battle recorded before that says it of each hit."""
    burst = card(MAGS, weapons=(gun("gun", "Rapid Fire (1)"),))
    table = riding(fighters=(card(VEX, skills=("Jink",)), burst))
    table = table if stage is None else older(table, stage)
    first = table.when(shot(), dice(hit=6, firepower="two_holes", jink=1, wound=[1, 1]))
    again = first.when(shot(), dice(hit=6, firepower="two_holes", wound=[1, 1]))
    assert [_said_used(one) for one in (first, again)] == [used, later]


def _said_used(table: Table) -> int:
    return sum("used in this round already" in getattr(event, "why", "") for event in table.outcome)


@pytest.mark.parametrize(("total", "skills"), [((3, 3), ("Expert Driver",)), ((3, 4), ())])
def test_expert_driver_adds_1_to_loss_of_control_tests(
    total: tuple[int, int], skills: tuple[str, ...]
) -> None:
    table = driven(*skills).when(lurch(), handling(*total))
    assert table.rolls[0].passed
    assert driven().when(lurch(), handling(3, 3), control("swerve")).rolls[0].passed is False


def test_expert_driver_helps_with_no_other_handling_test() -> None:
    assert now(driven("Expert Driver").when(ram(traits=("Flash",)), handling(3, 3))).blind


def restarting(*skills: str, **more: object):
    table = riding(vehicle(RIG), fighters=(card(VEX, skills=skills),), **more)  # type: ignore[arg-type]
    hurt = table.when(ram(), wound(6), location("body"), damage("penetrating"), handling(1, 1))
    assert (now(hurt).hit_points_left, now(hurt).stalled) == (2, True)
    return hurt


def restart(first: int, second: int):
    return read_die("restart", "2D6", [first, second])


def test_running_repairs_a_restart_with_a_natural_6_gives_back_a_hull_point() -> None:
    stalled, test = restarting("Running Repairs"), records.RestartVehicle(vehicle=RIG)
    assert now(stalled.when(test, restart(6, 1))).hit_points_left == 3
    assert now(stalled.when(test, restart(5, 5))).hit_points_left == 2
    failed = riding(vehicle(RIG, handling=10), fighters=(card(VEX, skills=("Running Repairs",)),))
    failed = failed.when(ram(), wound(6), location("body"), damage("penetrating"), handling(1, 1))
    assert now(failed.when(test, restart(6, 1))).hit_points_left == 2
    assert now(restarting().when(test, restart(6, 1))).hit_points_left == 2


def test_running_repairs_and_what_its_natural_6_is_is_a_reading() -> None:
    total = restarting("Running Repairs", knobs={"running_repairs.natural_6": "total"})
    test = records.RestartVehicle(vehicle=RIG)
    assert now(total.when(test, restart(6, 1))).hit_points_left == 2
    assert now(total.when(test, restart(3, 3))).hit_points_left == 3  # +1 for the Hull Points that are left


def test_running_repairs_are_as_likely_as_every_pair_of_dice_says() -> None:
    """A pair with a 6 is 7 at least, which starts it: 11 of 36."""
    found = odds_from(
        restarting("Running Repairs").state, (records.RestartVehicle(vehicle=RIG),), loader.rulebook
    )
    (ends,) = (dict(one.ends) for one in found.models if one.model == RIG)
    assert chance(ends, hit_points_left=3) == Fraction(11, 36)
