"""Conditions: how Blaze, Blind, Insane, Concussed, Gunked and Hidden come, act and end. Source: Conditions."""

from fractions import Fraction
from itertools import product
from typing import Any

from end_phases import d6
from fights import KNIFE, fight, melee_hit
from rides import DRIVER_OF, RIG, now, riding, vehicle
from scenario import (
    DOT,
    KRUG,
    MAGS,
    MESH,
    OUT_COLD,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    campaign,
    card,
    enlist,
    fall,
    given,
    hit,
    injury,
    older,
    opening,
    profile,
    save,
    seriously_injured,
    wound,
)
from shots import armed, dice, shot
from tables import every

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import odds_from
from tracker.rules import loader

SECTION = "Core Rulebook (2023) · Conditions"
BOOKS = ("necromunda_2023", "necromunda_archive")
ALL = ("blaze", "blind", "insane", "concussed", "gunked", "hidden")


def state(condition: str, fighter: str = VEX, **more: Any) -> records.StateCondition:
    return records.StateCondition(fighter=fighter, condition=condition, **more)  # type: ignore[arg-type]


def stated(*conditions: str, fighter: str = VEX, table: Table | None = None) -> Table:
    """Vex in these conditions by the table's word."""
    table = table or given()
    for condition in conditions:
        table = table.when(state(condition, fighter))
    return table


def ended(condition: str, fighter: str = VEX) -> records.ConditionEnded:
    return records.ConditionEnded(fighter=fighter, condition=condition, why=None, section=SECTION)  # type: ignore[arg-type]


# --- by the table's word -----------------------------------------------------------------------------------


@every("condition", ALL)
def test_the_table_states_that_a_condition_begins_and_ends(condition: str) -> None:
    table = given().when(state(condition, by=MAGS, why="a flare"))
    table.then(
        records.ConditionGained(
            fighter=VEX,
            condition=condition,
            by=MAGS,
            why="a flare",
            section=SECTION,  # type: ignore[arg-type]
        )
    )
    assert getattr(table.combatant(VEX), condition)
    table.when(state(condition)).then_refused(records.InConditionAlready, model="Vex")
    over = table.when(state(condition, ends=True))
    over.then(ended(condition))
    assert over.combatant(VEX) == given().combatant(VEX)
    over.when(state(condition, ends=True)).then_refused(records.NotInCondition, key=condition)


@every("book", BOOKS)
def test_the_table_states_that_somebody_is_webbed_and_sheds_the_web(book: str) -> None:
    table = given(book=book).when(state("webbed", by=MAGS, why="a web solvent trap"))
    table.then(records.FighterWebbed(fighter=VEX, by=MAGS))
    assert table.combatant(VEX).webbed
    table.when(state("webbed")).then_refused(records.InConditionAlready, model="Vex", condition="Webbed")
    free = table.when(state("webbed", ends=True))
    free.then(records.WebShed(fighter=VEX))
    assert not free.combatant(VEX).webbed
    assert free.combatant(VEX).pinned
    free.when(state("webbed", ends=True)).then_refused(records.NotInCondition, key="webbed")


def test_a_vehicle_is_neither_insane_nor_gunked_nor_webbed() -> None:
    for condition in ("insane", "gunked", "webbed"):
        riding().when(
            records.StateCondition(vehicle=RIG, condition=condition)  # type: ignore[arg-type]
        ).then_refused(records.NoConditionOfIt)
    table = riding().when(records.StateCondition(vehicle=RIG, condition="blaze"))
    assert now(table).blaze


def test_who_is_out_of_the_battle_comes_into_no_condition() -> None:
    out = given().when(records.StateOutcome(target=VEX, outcome="out_of_action"), OUT_COLD)
    out.when(state("blaze")).then_refused(records.FighterOutOfPlay)


def test_nobody_on_fire_is_hidden() -> None:
    burning = stated("hidden", "blaze")
    assert not burning.combatant(VEX).hidden
    burning.when(state("hidden")).then_refused(records.NoConditionOfIt)


# --- Blaze -------------------------------------------------------------------------------------------------


@every(("book", "face"), list(product(BOOKS, range(1, 7))))
def test_blaze_catches_on_a_4(book: str, face: int) -> None:
    table = given(book=book).when(records.RollToCatchFire(fighter=VEX, by=MAGS), d6("catch_fire", face))
    assert table.combatant(VEX).blaze == (face >= 4)


@every("face", range(1, 7))
def test_blaze_catches_the_gunked_on_a_2(face: int) -> None:
    table = stated("gunked").when(records.RollToCatchFire(fighter=VEX), d6("catch_fire", face))
    assert table.combatant(VEX).blaze == (face >= 2)


def test_who_burns_already_does_not_catch_fire_again() -> None:
    stated("blaze").when(records.RollToCatchFire(fighter=VEX)).then_refused(records.InConditionAlready)


def burn(table: Table, *rolled: Any, **more: Any) -> Table:
    return table.when(records.ActivateBurning(fighter=VEX, **more), *rolled)


RUN = dice(blaze_scatter=1, blaze_run="3+4")


@every("book", BOOKS)
def test_blaze_hits_at_each_activation_with_strength_3_ap_1_damage_1(book: str) -> None:
    table = given(card(VEX, wounds=2, armour=MESH), book=book).when(state("blaze"))
    table = burn(table, wound(4), save(5), RUN, d6("blaze_out", 1))
    # Strength 3 against Toughness 3 wounds on 4; AP -1 makes a save of 5 one of 6.
    assert [(roll.purpose, roll.target) for roll in table.rolls][:2] == [("wound", 4), ("save", 6)]
    assert table.combatant(VEX).wounds_left == 1
    assert table.combatant(VEX).blaze


@every("face", range(1, 7))
def test_blaze_goes_out_on_a_6(face: int) -> None:
    table = burn(stated("blaze"), wound(1), RUN, d6("blaze_out", face))
    assert table.combatant(VEX).blaze == (face < 6)
    assert [roll.purpose for roll in table.rolls] == ["wound", "blaze_scatter", "blaze_run", "blaze_out"]


@every("face", range(1, 7))
def test_who_burns_and_lies_down_adds_2(face: int) -> None:
    table = burn(stated("blaze"), wound(1), RUN, d6("blaze_out", face), lies_down=True)
    assert table.combatant(VEX).blaze == (face < 4)
    assert table.combatant(VEX).pinned


@every("face", range(1, 7))
def test_each_other_active_friend_within_1_inch_adds_1_against_the_fire(face: int) -> None:
    table = burn(stated("blaze"), wound(1), RUN, d6("blaze_out", face), friends_near=(KRUG,))
    assert table.combatant(VEX).blaze == (face < 5)


def test_a_friend_who_lies_down_is_no_help_against_the_fire() -> None:
    table = stated("blaze").when(fall(KRUG, hundredths=300), wound(1))
    table = burn(table, wound(1), RUN, d6("blaze_out", 5), friends_near=(KRUG,))
    assert table.combatant(VEX).blaze
    burn(stated("blaze"), friends_near=(DOT,)).then_refused(records.NotAFriend)
    burn(stated("blaze"), friends_near=(VEX,)).then_refused(records.FriendsNearUnclear)


def test_who_burns_and_is_pinned_stands_up_and_runs() -> None:
    table = stated("blaze").when(fall(VEX, hundredths=300), wound(1))
    table = burn(table, wound(1), RUN, d6("blaze_out", 1))
    table.then(records.FighterUnpinned(fighter=VEX))
    assert not table.combatant(VEX).pinned


def test_who_burns_and_is_engaged_or_seriously_injured_does_not_run() -> None:
    engaged = burn(stated("blaze"), wound(1), d6("blaze_out", 6), engaged=True)
    engaged.then(ended("blaze"))
    # Down by the fire's own hit: Prone, so 4 and 2 are enough.
    down = burn(stated("blaze"), wound(4), injury("serious"), d6("blaze_out", 4))
    assert down.combatant(VEX).seriously_injured
    assert not down.combatant(VEX).blaze


def test_who_burns_to_death_rolls_for_no_fire() -> None:
    table = burn(stated("blaze"), wound(4), injury("ooa"), OUT_COLD)
    assert table.combatant(VEX).out_of_action


def test_only_who_is_on_fire_burns() -> None:
    burn(given()).then_refused(records.NotInCondition, key="blaze")
    down = stated("blaze").when(seriously_injured(VEX))
    burn(down, engaged=True).then_refused(records.ContradictoryStatement)


def test_who_burns_makes_no_reaction_attacks() -> None:
    table = stated("blaze", table=given(card(VEX, weapons=(KNIFE,)))).when(fight(MAGS, VEX), melee_hit(1))
    table.when(fight(VEX, MAGS, reaction=True)).then_refused(records.BurningMayNotReact, fighter="Vex")


def test_the_odds_of_a_burning_activation_are_those_of_its_dice() -> None:
    burning = stated("blaze").state
    found = odds_from(burning, [records.ActivateBurning(fighter=VEX, lies_down=True)], loader.rulebook)
    vex = next(model for model in found.models if model.model == VEX)
    # Half wound; of the Injury die 1 in 6 takes out, the fire goes out on 4+ for the rest (all end Prone).
    out = Fraction(1, 2) * Fraction(1, 6)
    goes_out = (1 - out) * Fraction(1, 2)
    assert sum(chance for changes, chance in vex.ends if ("out_of_action", False, True) in changes) == out
    assert sum(chance for changes, chance in vex.ends if ("blaze", True, False) in changes) == goes_out


# --- Blaze: vehicles ---------------------------------------------------------------------------------------


def burning_rig(*, book: str = "necromunda_2023") -> Table:
    table = riding(vehicle(RIG), book=book)
    return table.when(records.StateCondition(vehicle=RIG, condition="blaze"))


@every(("book", "face"), list(product(BOOKS, range(1, 7))))
def test_a_burning_vehicle_is_hit_in_the_rear_and_goes_out_on_a_4(book: str, face: int) -> None:
    table = burning_rig(book=book).when(
        records.ActivateBurningVehicle(vehicle=RIG, mobile=True),
        wound(3), dice(blaze_cool="3+4"), d6("blaze_out", face),
    )  # fmt: skip
    # Strength 3 against the rear's Toughness 3 needs 4; Cool 7.
    assert [(roll.purpose, roll.target) for roll in table.rolls] == [
        ("wound", 4), ("blaze_cool", 7), ("blaze_out", 4),
    ]  # fmt: skip
    assert now(table).blaze == (face < 4)


def test_the_crew_that_panics_in_a_burning_vehicle_loses_control() -> None:
    table = burning_rig().when(
        records.ActivateBurningVehicle(vehicle=RIG, mobile=True),
        wound(1), dice(blaze_cool="3+3", control=1, control_direction=2, blaze_out=4),
    )  # fmt: skip
    lost = [event for event in table.outcome if isinstance(event, records.VehicleLostControl)]
    assert [(event.result, event.direction) for event in lost] == [("swerve", "left")]
    assert not now(table).blaze


def test_a_burning_vehicle_that_stands_still_burns_out() -> None:
    table = burning_rig().when(
        records.ActivateBurningVehicle(vehicle=RIG, mobile=False),
        wound(1), dice(blaze_cool="1+1", blaze_out=1),
    )  # fmt: skip
    assert [event.why for event in table.outcome if isinstance(event, records.RuleNoted)] == [
        "performs Burn Out (Double), and the activation ends"
    ]


def test_a_vehicle_that_is_not_on_fire_does_not_burn() -> None:
    riding().when(records.ActivateBurningVehicle(vehicle=RIG, mobile=True)).then_refused(
        records.NotInCondition
    )


# --- Blind -------------------------------------------------------------------------------------------------


def test_the_blind_neither_shoot_nor_fight() -> None:
    blind = armed().when(state("blind", MAGS))
    blind.when(shot()).then_refused(records.BlindMayNotAttack, fighter="Mags")
    blind.when(fight(MAGS, VEX)).then_refused(records.BlindMayNotAttack, fighter="Mags")


@every("face", range(1, 7))
def test_reactions_of_the_blind_hit_on_a_natural_6_alone(face: int) -> None:
    table = given(card(VEX, weapon_skill=2)).when(state("blind")).when(fight(MAGS, VEX), melee_hit(1))
    wounding = (wound(1),) if face == 6 else ()
    table = table.when(fight(VEX, MAGS, reaction=True), melee_hit(face), *wounding)
    assert [(roll.target, roll.passed) for roll in table.rolls if roll.purpose == "melee_hit"] == [
        (6, face == 6)
    ]


def test_a_blind_vehicle_shoots_nothing_until_activated_again() -> None:
    blind = riding().when(records.StateCondition(vehicle=RIG, condition="blind"))
    shoots = records.Shoot(
        attacker=DRIVER_OF[RIG], weapon="gun", target=MAGS, from_vehicle=RIG, range_band="short"
    )
    blind.when(shoots).then_refused(records.BlindMayNotAttack, fighter="Rig")


def test_who_is_blind_and_burns_or_raves_sees_again_when_activated() -> None:
    burnt = burn(stated("blind", "blaze"), wound(1), RUN, d6("blaze_out", 1))
    assert not burnt.combatant(VEX).blind
    raving = stated("blind", "insane").when(records.ActivateInsane(fighter=VEX), d6("insanity", 6))
    assert not raving.combatant(VEX).blind


# --- Insane ------------------------------------------------------------------------------------------------


@every(("book", "face"), list(product(BOOKS, range(1, 7))))
def test_insane_breaks_on_1_or_2_is_controlled_on_3_or_4_acts_on_5_or_6(book: str, face: int) -> None:
    table = (
        given(book=book).when(state("insane")).when(records.ActivateInsane(fighter=VEX), d6("insanity", face))
    )
    act = {1: "broken", 2: "broken", 3: "controlled", 4: "controlled"}.get(face, "normal")
    struck = records.InsanityStruck(
        fighter=VEX,
        act=act,
        controlled_by=SAINTS if act == "controlled" else None,  # type: ignore[arg-type]
    )
    broke = (records.FighterBroke(fighter=VEX, flight="running_for_cover"),) if act == "broken" else ()
    table.then(struck, *broke)
    assert table.combatant(VEX).broken == (act == "broken")


@every("face", [1, 2])
def test_insane_and_broken_already_the_fighter_flees(face: int) -> None:
    table = stated("insane").when(records.ActivateInsane(fighter=VEX), d6("insanity", 1))
    table = table.when(records.ActivateInsane(fighter=VEX), d6("insanity", face))
    table.then(
        records.InsanityStruck(fighter=VEX, act="fled", controlled_by=None),
        records.FighterFled(fighter=VEX, voluntary=False),
    )


def test_of_several_opponents_who_won_the_roll_off_controls_the_insane() -> None:
    three = campaign(enlist(SKULLS, card(VEX)), enlist(SAINTS, card(MAGS)), enlist("third", card("ulf")))
    crews = {SKULLS: (VEX,), SAINTS: (MAGS,), "third": ("ulf",)}
    table = three.when(opening(1, crews=crews)).when(state("insane"))
    table.when(records.ActivateInsane(fighter=VEX)).then_refused(records.WhoControls)
    table.when(records.ActivateInsane(fighter=VEX, controlled_by=SKULLS)).then_refused(
        records.NoConditionOfIt
    )
    controlled = table.when(records.ActivateInsane(fighter=VEX, controlled_by="third"), d6("insanity", 3))
    controlled.then(records.InsanityStruck(fighter=VEX, act="controlled", controlled_by="third"))


@every(("book", "shown"), list(product(BOOKS, ["3+3", "3+4", "6+6"])))
def test_sane_again_by_a_willpower_test_after_an_activation_as_normal(book: str, shown: str) -> None:
    table = (
        given(book=book).when(state("insane")).when(records.ActivateInsane(fighter=VEX), d6("insanity", 5))
    )
    table = table.when(records.TakeSanityTest(fighter=VEX), dice(sanity=shown))
    assert table.combatant(VEX).insane == (shown == "3+3")  # Willpower 7
    assert table.rolls[0].target == 7


def test_no_willpower_test_for_who_is_sane_or_did_not_act_as_normal() -> None:
    given().when(records.TakeSanityTest(fighter=VEX)).then_refused(records.NotInCondition)
    given().when(records.ActivateInsane(fighter=VEX)).then_refused(records.NotInCondition)
    controlled = stated("insane").when(records.ActivateInsane(fighter=VEX), d6("insanity", 4))
    controlled.when(records.TakeSanityTest(fighter=VEX)).then_refused(records.NotLucid)


def test_a_house_rule_tests_willpower_after_every_activation() -> None:
    table = given(knobs={"insanity.willpower_test": "every_activation"}).when(state("insane"))
    table = table.when(records.ActivateInsane(fighter=VEX), d6("insanity", 4))
    assert not table.when(records.TakeSanityTest(fighter=VEX), dice(sanity="6+1")).combatant(VEX).insane


# --- Concussed and Gunked ----------------------------------------------------------------------------------


def initiative_asked(table: Table) -> int | None:
    """What an Initiative test of Vex needs: to break away from an enemy and flee with the bottled gang."""
    table = table.when(records.StateOutcome(target=KRUG, outcome="serious_injury"))
    table = table.when(records.CheckBottle(gang=SKULLS, voluntary=True))
    fled = table.when(
        records.FleeBattlefield(gang=SKULLS, fighters=(VEX,), engaged=(VEX,)), d6("flee_engaged", 6)
    )
    return fled.rolls[0].target


@every(
    ("conditions", "initiative", "needs"),
    [
        ((), 4, 4),
        (("concussed",), 3, 5),
        (("concussed",), 4, 6),
        (("concussed",), 5, 6),
        (("gunked",), 4, 5),
        (("gunked",), 6, 6),
        (("concussed", "gunked"), 2, 5),
        (("concussed", "gunked"), 4, 6),
    ],
)
def test_concussed_is_2_worse_and_gunked_1_in_initiative_6_at_worst(
    conditions: tuple[str, ...], initiative: int, needs: int
) -> None:
    table = stated(*conditions, table=given(card(VEX, initiative=initiative)))
    assert initiative_asked(table) == needs


def test_concussed_ends_with_the_round() -> None:
    table = stated("concussed", "gunked").when(records.EndRound(round=2))
    table.then(ended("concussed"), records.RoundEnded(round=2))
    assert table.combatant(VEX).gunked
    table.when(records.EndRound()).then(records.RoundEnded(round=None))
    old = older(stated("concussed"), stage=1).when(records.EndRound())
    old.then(ended("concussed"))


def test_a_concussed_vehicle_takes_2_off_handling_tests() -> None:
    concussed = riding().when(records.StateCondition(vehicle=RIG, condition="concussed"))
    table = concussed.when(
        records.CheckControl(vehicle=RIG, why="test", mobile=True),
        dice(handling="4+4", control=1, control_direction=1),
    )
    assert table.rolls[0].modifiers == (records.Modifier(why="Concussed", by=-2),)
    assert not table.rolls[0].passed  # 8 - 2 against Handling 7


# --- Webbed ------------------------------------------------------------------------------------------------


def test_webbed_at_the_end_of_the_battle_the_fighter_does_not_succumb() -> None:
    webbed = given().when(
        records.ResolveHit(target=VEX, attacker=MAGS, profile=profile(traits=("Web",))), wound(6)
    )
    assert webbed.combatant(VEX).webbed
    closed = webbed.when(records.CloseBattle(winner=None, drawn=True))
    assert closed.rolls == ()
    assert closed.fighter(VEX).standing == "enlisted"


# --- what weapons bring ------------------------------------------------------------------------------------


def struck(trait: str, *rolled: Any, table: Table | None = None) -> Table:
    """Vex hit by a weapon with the trait, and not wounded."""
    return (table or given()).when(hit(VEX, by=MAGS, traits=(trait,)), *rolled)


@every("face", range(1, 7))
def test_a_weapon_with_blaze_sets_on_fire_after_the_attack_on_a_4_and_the_gunked_on_a_2(face: int) -> None:
    assert struck("Blaze", wound(1), d6("blaze", face)).combatant(VEX).blaze == (face >= 4)
    gunked = struck("Blaze", wound(1), d6("blaze", face), table=stated("gunked"))
    assert gunked.combatant(VEX).blaze == (face >= 2)


def test_a_weapon_with_concussion_leaves_the_fighter_concussed() -> None:
    table = struck("Concussion", wound(1))
    assert table.outcome == (
        records.ConditionGained(
            fighter=VEX, condition="concussed", by=MAGS, why="Concussion", section=SECTION
        ),
    )


@every("face", range(1, 7))
def test_a_flash_blinds_who_fails_an_initiative_test(face: int) -> None:
    assert struck("Flash", d6("flash", face)).combatant(VEX).blind == (face < 4)


@every("face", range(1, 7))
def test_a_flash_on_the_concussed_needs_2_more(face: int) -> None:
    table = struck("Flash", d6("flash", face), table=stated("concussed"))
    assert table.combatant(VEX).blind == (face < 6)


@every("shown", ["3+3", "3+4"])
def test_the_cursed_go_insane_who_fail_a_willpower_test(shown: str) -> None:
    table = struck("Cursed", dice(cursed=shown), wound(1))
    assert table.combatant(VEX).insane == (shown == "3+3")
