"""The Injury Chart at the table: markers, Down, Tough, Bloodbath, armour, standing up, each rule by its name."""

import pytest
from scenario import Table
from tables import every
from trench_scenario import (
    ANSELM,
    CLOSING,
    ODO,
    RAT,
    VEX,
    added,
    chart,
    fate,
    given,
    injury,
    model,
    opening,
    said,
    taken_out,
    to_stand,
    trauma,
    troop_fate,
    with_markers,
)

from tracker.campaign import records
from tracker.campaign.profiles import Armour
from tracker.campaign.state import Combatant
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.rules.rulebook import BookHasNo

TOUGH = model(ODO, skills=("Tough",))


def read_of(table: Table) -> records.ChartRead:
    """What the last command's chart said."""
    (read,) = [event for event in table.events if isinstance(event, records.ChartRead)]
    return read


def markers(gained: int, now: int, *, lost: int = 0, by: str | None = None) -> records.BloodMarkersGained:
    return records.BloodMarkersGained(fighter=ODO, by=by, gained=gained, lost=lost, markers=now)


def down(by: str | None = None) -> records.FighterWentDown:
    return records.FighterWentDown(fighter=ODO, by=by)


def out(by: str | None = None, *, stated: bool = False) -> records.FighterWentOutOfAction:
    return records.FighterWentOutOfAction(
        fighter=ODO,
        by=by,
        reason="stated" if stated else "injury_chart",
        out_of_action_dice=0,
        lasting_injury_rolls=0,
    )


# --- the four results ------------------------------------------------------------------------------------


def test_the_injury_chart_result_no_effect_does_nothing() -> None:
    table = given(model(ODO, armour_modifier=-1)).when(injury(ODO, by=VEX), chart(1, 1))
    assert read_of(table).result == "no_effect"
    assert table.state == table.before


@every("faces", [(1, 1), (1, 5), (3, 3)])
def test_on_the_injury_chart_2_to_6_is_a_minor_hit_and_1_blood_marker(faces: tuple[int, int]) -> None:
    table = given().when(injury(ODO, by=VEX), chart(*faces))
    assert table.outcome[1:] == (markers(1, 1, by=VEX),)


@every("faces", [(1, 6), (4, 4)])
def test_on_the_injury_chart_7_and_8_knock_down_with_1_blood_marker(faces: tuple[int, int]) -> None:
    table = given().when(injury(ODO, by=VEX), chart(*faces))
    assert table.outcome[1:] == (markers(1, 1, by=VEX), down(VEX))
    assert table.combatant(ODO).down


@every("faces", [(3, 6), (6, 6)])
def test_on_the_injury_chart_9_and_more_is_out_of_action(faces: tuple[int, int]) -> None:
    table = given().when(injury(ODO, by=VEX), chart(*faces))
    assert table.outcome[1:] == (out(VEX),)
    assert table.combatant(ODO).out_of_action
    assert table.fighter(VEX).enemies_taken_out == 1
    assert table.fighter(VEX).experience == 0


def test_a_minor_hit_on_a_model_that_is_down_is_1_marker_too() -> None:
    given().when(said("down", ODO)).when(injury(ODO), chart(1, 2, 3)).then(
        read_while_down((1, 2, 3), (3, 2), 5, "minor_hit", "Minor Hit"), markers(1, 2)
    )


def read_while_down(
    faces: tuple[int, ...], kept: tuple[int, ...], total: int, result: str, name: str
) -> records.ChartRead:
    """The chart read for Odo, who is Down."""
    return records.ChartRead(
        chart="injury_chart",
        fighter=ODO,
        by=None,
        dice=(records.Modifier(why="target is Down", by=1),),
        faces=faces,
        kept=kept,
        modifiers=(),
        total=total,
        result=result,
        name=name,
        section="Trench Crusade (1.6) · Injury Chart",
    )


def test_down_on_a_model_that_is_down_is_2_markers_and_it_stays_down() -> None:
    table = given().when(said("down", ODO)).when(injury(ODO), chart(4, 4, 1))
    assert table.outcome[1:] == (markers(2, 3),)
    assert table.combatant(ODO).down


# --- the pool --------------------------------------------------------------------------------------------


def test_a_target_that_is_down_adds_a_die_to_every_injury_roll_against_it() -> None:
    table = given().when(said("down", ODO))
    table.when(injury(ODO), chart(1, 1)).then_refused(DiceNeeded, purpose="injury_chart", fighter=ODO)
    assert read_of(table.when(injury(ODO), chart(1, 5, 3))).kept == (5, 3)


def test_plus_dice_keep_the_highest_and_minus_dice_the_lowest() -> None:
    assert read_of(given().when(injury(ODO, plus_dice=("a", "b")), chart(1, 2, 5, 4))).kept == (5, 4)
    assert read_of(given().when(injury(ODO, minus_dice=("a", "b")), chart(6, 2, 5, 4))).kept == (2, 4)


def test_as_many_dice_are_kept_as_the_pool_began_with() -> None:
    table = given().when(injury(ODO, pool=3, plus_dice=("critical hit",)), chart(1, 2, 5, 4))
    assert (read_of(table).kept, read_of(table).total) == ((5, 4, 2), 11)


def test_plus_and_minus_dice_take_each_other_away_before_the_roll() -> None:
    table = given().when(injury(ODO, plus_dice=("a", "b"), minus_dice=("c",)), chart(1, 5, 4))
    assert read_of(table).kept == (5, 4)
    assert read_of(table).dice == (
        records.Modifier(why="a", by=1),
        records.Modifier(why="b", by=1),
        records.Modifier(why="c", by=-1),
    )


def test_a_table_may_roll_every_die_and_keep_the_lowest_if_any_minus_was_there() -> None:
    house = given(knobs={"dice.mixed": "any_minus_keeps_lowest"})
    table = house.when(injury(ODO, plus_dice=("a", "b"), minus_dice=("c",)), chart(6, 5, 4, 1, 2))
    assert read_of(table).kept == (1, 2)
    assert read_of(house.when(injury(ODO, plus_dice=("a",)), chart(1, 5, 4))).kept == (5, 4)


def test_each_injury_chart_die_is_a_roll_of_its_own_by_the_opponent() -> None:
    table = given().when(injury(ODO, by=VEX, plus_dice=("a",)), chart(1, 2, 3))
    assert [(roll.purpose, roll.faces, roll.fighter, roll.rolled_by) for roll in table.rolls] == [
        ("injury_chart", (1,), ODO, "heretics"),
        ("injury_chart", (2,), ODO, "heretics"),
        ("injury_chart", (3,), ODO, "heretics"),
    ]


def test_an_injury_chart_die_too_many_is_refused() -> None:
    with pytest.raises(DiceLeftOver):
        given().when(injury(ODO), chart(1, 2, 3)).then()


# --- armour ----------------------------------------------------------------------------------------------

MACHINE, REINFORCED, STANDARD = "Machine Armour", "Reinforced Armour", "Standard Armour"
SHIELD = ("Trench Shield", -1)


@every(
    ("card", "modifiers"),
    [
        (model(ODO), ()),
        (model(ODO, wargear=("Trench Shield",)), (SHIELD,)),
        (model(ODO, armour_modifier=-1), ((STANDARD, -1),)),
        (model(ODO, armour_modifier=-1, wargear=("Trench Shield",)), ((STANDARD, -1), SHIELD)),
        (model(ODO, armour_modifier=-2, wargear=("Trench Shield",)), ((REINFORCED, -2), SHIELD)),
        (model(ODO, armour_modifier=-3), ((MACHINE, -3),)),
        (model(ODO, armour_modifier=-3, wargear=("trench shield",)), ((MACHINE, -3),)),
        (model(ODO, wargear=("Reinforced Armour",)), ((REINFORCED, -2),)),
        # The printed number and the kit say one thing in two ways: they never add up.
        (model(ODO, armour_modifier=-2, wargear=("Reinforced Armour",)), ((REINFORCED, -2),)),
        (model(ODO, armour_modifier=-1, wargear=("machine armour", "Trench Shield")), ((MACHINE, -3),)),
        (model(ODO, armour=Armour(name="Standard Armour", save=6)), ((STANDARD, -1),)),
    ],
)
def test_armour_and_shield_come_off_the_roll_as_the_card_says(
    card: object, modifiers: tuple[tuple[str, int], ...]
) -> None:
    table = given(card).when(injury(ODO), chart(6, 6))  # type: ignore[arg-type]
    assert read_of(table).modifiers == tuple(records.Modifier(why=why, by=by) for why, by in modifiers)
    assert read_of(table).total == 12 + sum(by for _, by in modifiers)


@every(
    ("armour", "shield", "total"),
    [
        ("none", False, 12),
        ("none", True, 11),
        ("standard", False, 11),
        ("standard", True, 10),
        ("reinforced", False, 10),
        ("reinforced", True, 9),
        ("machine", False, 9),
        ("machine", True, 9),
    ],
)
def test_armour_that_is_stated_counts_instead_of_the_card(armour: str, shield: bool, total: int) -> None:
    card = model(ODO, armour_modifier=-1, wargear=("Trench Shield",))
    table = given(card).when(injury(ODO, armour=armour, shield=shield), chart(6, 6))
    assert read_of(table).total == total


def test_other_modifiers_of_an_injury_roll_are_stated_with_their_reason() -> None:
    table = given(model(ODO, armour_modifier=-1)).when(
        injury(ODO, modifiers=(records.StatedModifier(why="heavy flamethrower", by=1),)), chart(3, 4)
    )
    assert read_of(table).modifiers == (
        records.Modifier(why="heavy flamethrower", by=1),
        records.Modifier(why="Standard Armour", by=-1),
    )


def test_a_table_may_let_machine_armour_turn_down_into_a_minor_hit() -> None:
    card = model(ODO, armour_modifier=-3, skills=("Tough",))
    assert given(card).when(injury(ODO), chart(5, 5)).outcome[1:] == (markers(1, 1), down())
    house = given(card, knobs={"machine_armour.down": "minor_hit"})
    assert house.when(injury(ODO), chart(5, 5)).outcome[1:] == (markers(1, 1),)
    # TOUGH keeps its own: who would be Out of Action still goes Down.
    tough = house.when(injury(ODO), chart(6, 6)).outcome[1:]
    assert tough == (records.ToughnessSpent(fighter=ODO), markers(1, 1), down())


# --- tough -----------------------------------------------------------------------------------------------


def test_tough_goes_down_instead_of_out_of_action_once() -> None:
    first = given(TOUGH).when(injury(ODO, by=VEX), chart(6, 6))
    assert first.outcome[1:] == (records.ToughnessSpent(fighter=ODO), markers(1, 1, by=VEX), down(VEX))
    second = first.when(injury(ODO, by=VEX), chart(6, 6, 1))
    assert second.outcome[1:] == (out(VEX),)


def test_tough_that_saves_a_model_that_is_down_brings_2_markers() -> None:
    table = given(TOUGH).when(said("down", ODO)).when(injury(ODO), chart(6, 6, 1))
    assert table.outcome[1:] == (records.ToughnessSpent(fighter=ODO), markers(2, 3))


def test_an_ordinary_down_does_not_spend_tough() -> None:
    table = given(TOUGH).when(injury(ODO), chart(4, 4))
    assert not table.combatant(ODO).tough_spent


def test_tough_may_be_stated_where_the_card_does_not_say_so_and_the_other_way_round() -> None:
    assert given().when(injury(ODO, tough=True), chart(6, 6)).combatant(ODO).down
    assert given(TOUGH).when(injury(ODO, tough=False), chart(6, 6)).combatant(ODO).out_of_action


def test_a_table_may_give_no_markers_to_the_tough() -> None:
    table = given(TOUGH, knobs={"tough.blood_markers": "none"}).when(injury(ODO), chart(6, 6))
    assert table.outcome[1:] == (records.ToughnessSpent(fighter=ODO), down())


def test_tough_is_whole_again_in_the_next_battle() -> None:
    table = given(TOUGH).when(injury(ODO), chart(6, 6)).when(CLOSING).when(opening(2))
    assert table.combatant(ODO) == Combatant(wounds_left=0)


# --- blood markers ---------------------------------------------------------------------------------------


def test_a_model_bears_6_blood_markers_and_what_is_over_is_lost() -> None:
    table = with_markers(given(), ODO, 6).when(said("minor_hit", ODO))
    assert table.outcome == (markers(1, 6, lost=1),)
    table = with_markers(given(), ODO, 4).when(said("down", ODO)).when(said("down", ODO))
    assert table.outcome == (markers(2, 6, lost=1),)


def test_markers_spent_on_the_injury_roll_add_a_die_each_and_are_gone_before_new_ones_come() -> None:
    table = with_markers(given(), ODO, 6).when(injury(ODO, by=VEX, spend_markers=2), chart(1, 1, 3, 3))
    assert table.outcome[0] == records.BloodMarkersSpent(fighter=ODO, spent=2, use="injury_roll", markers=4)
    assert read_of(table).dice == (records.Modifier(why="Blood Markers", by=2),)
    assert table.outcome[2:] == (markers(1, 5, by=VEX),)


@every("use", ["action", "attack"])
def test_blood_markers_spent_on_other_rolls_are_gone(use: str) -> None:
    table = with_markers(given(), ODO, 3).when(
        records.SpendBloodMarkers(fighter=ODO, count=2, use=use, attacker=VEX)  # type: ignore[arg-type]
    )
    table.then(records.BloodMarkersSpent(fighter=ODO, spent=2, use=use, markers=1))
    assert table.combatant(ODO).blood_markers == 1


def test_blood_markers_that_are_not_there_cannot_be_spent() -> None:
    table = with_markers(given(), ODO, 1)
    table.when(records.SpendBloodMarkers(fighter=ODO, count=2, use="action")).then_refused(
        records.TooFewBloodMarkers, held=1, wanted=2
    )
    table.when(injury(ODO, spend_markers=2)).then_refused(records.TooFewBloodMarkers, held=1, wanted=2)


# --- bloodbath -------------------------------------------------------------------------------------------


def test_bloodbath_costs_6_markers_and_makes_the_pool_3_of_which_3_are_kept() -> None:
    table = with_markers(given(), ODO, 6).when(injury(ODO, bloodbath=True), chart(1, 2, 3))
    assert table.outcome[0] == records.BloodMarkersSpent(fighter=ODO, spent=6, use="bloodbath", markers=0)
    assert (read_of(table).kept, read_of(table).total) == ((3, 2, 1), 6)
    assert read_of(table).dice == ()


def test_bloodbath_costs_3_markers_of_a_model_that_is_down() -> None:
    table = (
        with_markers(given(), ODO, 2)
        .when(said("down", ODO))
        .when(injury(ODO, bloodbath=True), chart(1, 2, 3, 1))
    )
    assert table.outcome[0] == records.BloodMarkersSpent(fighter=ODO, spent=3, use="bloodbath", markers=0)
    assert read_of(table).kept == (3, 2, 1)


@every(("held", "is_down", "spend"), [(5, False, 0), (6, False, 1), (1, True, 0), (3, True, 2)])
def test_bloodbath_without_its_markers_is_refused(held: int, is_down: bool, spend: int) -> None:
    table = with_markers(given(), ODO, held)
    if is_down:
        table = table.when(said("down", ODO))
    table.when(injury(ODO, bloodbath=True, spend_markers=spend)).then_refused(
        records.TooFewBloodMarkers, held=held + is_down, wanted=(3 if is_down else 6) + spend
    )


def test_a_table_may_add_the_bloodbath_die_apart_from_the_pool() -> None:
    table = with_markers(given(knobs={"bloodbath.extra_die": "separate_die"}), ODO, 6).when(
        injury(ODO, bloodbath=True, minus_dice=("a",)), chart(6, 5, 1), added(6)
    )
    assert (read_of(table).kept, read_of(table).total) == ((1, 5, 6), 12)
    assert [roll.purpose for roll in table.rolls] == ["injury_chart"] * 3 + ["bloodbath"]


# --- standing up -----------------------------------------------------------------------------------------


def test_a_model_stands_at_the_start_of_its_activation_without_a_roll_and_moves_by_half() -> None:
    table = given().when(said("down", ODO)).when(records.StandUp(fighter=ODO))
    table.then(records.FighterStoodUp(fighter=ODO, movement_halved=True))
    assert not table.combatant(ODO).down
    assert table.combatant(ODO).blood_markers == 1


@every(("faces", "stands"), [((6, 4, 3), True), ((6, 6, 1), True), ((6, 3, 3), False)])
def test_a_risky_stand_keeps_the_lowest_2_of_3_and_succeeds_on_7(
    faces: tuple[int, ...], stands: bool
) -> None:
    table = given().when(said("down", ODO)).when(records.StandUp(fighter=ODO, risky=True), to_stand(*faces))
    assert table.combatant(ODO).down is not stands
    if stands:
        assert table.outcome[-1] == records.FighterStoodUp(fighter=ODO, movement_halved=False)
    assert {roll.rolled_by for roll in table.rolls} == {"pilgrims"}


def test_markers_make_the_risky_stand_harder_and_reasons_for_dice_count() -> None:
    table = (
        with_markers(given(), ODO, 1)
        .when(said("down", ODO))
        .when(
            records.StandUp(
                fighter=ODO, risky=True, spend_markers=1, plus_dice=("skill",), minus_dice=("mud",)
            ),
            to_stand(6, 6, 3, 2),
        )
    )
    assert read_of(table).dice == (
        records.Modifier(why="skill", by=1),
        records.Modifier(why="mud", by=-1),
        records.Modifier(why="Blood Markers", by=-1),
        records.Modifier(why="Down", by=-1),
    )
    assert (read_of(table).kept, read_of(table).result) == ((2, 3), "failure")


def test_a_table_may_halve_movement_after_a_risky_stand() -> None:
    table = given(knobs={"stand.risky_movement": "halved"}).when(said("down", ODO))
    table.when(records.StandUp(fighter=ODO, risky=True, stood=True)).then(
        records.FighterStoodUp(fighter=ODO, movement_halved=True)
    )


def test_a_stated_result_of_a_risky_stand_needs_no_dice() -> None:
    table = given().when(said("down", ODO)).when(records.StandUp(fighter=ODO, risky=True, stood=False))
    table.then_nothing_happened()


def test_only_a_model_that_is_down_stands_up() -> None:
    given().when(records.StandUp(fighter=ODO)).then_refused(records.NotDown)
    lying = given().when(said("down", ODO))
    lying.when(records.StandUp(fighter=ODO, stood=True)).then_refused(records.StandsWithoutRoll)
    lying.when(records.StandUp(fighter=ODO, minus_dice=("mud",))).then_refused(records.StandsWithoutRoll)


# --- what notes say, and what is refused -----------------------------------------------------------------


def test_a_stated_result_is_played_on_by_the_same_rules() -> None:
    given().when(said("no_effect", ODO)).then_nothing_happened()
    given().when(said("minor_hit", ODO, by=VEX)).then(markers(1, 1, by=VEX))
    given().when(said("down", ODO)).then(markers(1, 1), down())
    given().when(said("out_of_action", ODO, by=VEX)).then(out(VEX, stated=True))
    given(TOUGH).when(said("out_of_action", ODO)).then(
        records.ToughnessSpent(fighter=ODO), markers(1, 1), down()
    )


def test_a_model_out_of_action_is_neither_hit_nor_hits() -> None:
    table = taken_out(given(), ODO)
    table.when(injury(ODO), chart(1, 1)).then_refused(records.FighterOutOfPlay)
    table.when(injury(VEX, by=ODO), chart(1, 1)).then_refused(records.FighterOutOfPlay)
    table.when(records.SpendBloodMarkers(fighter=ODO, count=1, use="action")).then_refused(
        records.FighterOutOfPlay
    )
    table.when(records.StandUp(fighter=ODO)).then_refused(records.FighterOutOfPlay)


def test_nobody_hits_themselves_and_nobody_is_hit_between_battles() -> None:
    given().when(injury(ODO, by=ODO), chart(1, 1)).then_refused(records.TargetsSelf)
    given(battle=False).when(injury(ODO), chart(1, 1)).then_refused(records.NoBattleUnderWay)


@every(
    "command",
    [
        records.RollInjuryDice(target=ODO, injury_dice=1, why="test"),
        records.StateOutcome(target=ODO, outcome="out_of_action"),
    ],
)
def test_commands_of_necromunda_are_refused_in_trench_crusade(command: object) -> None:
    given().when(command).then_refused(BookHasNo)  # type: ignore[arg-type]


def test_markers_down_and_tough_end_with_the_battle() -> None:
    table = with_markers(given(), ANSELM, 3).when(said("down", ANSELM))
    table = taken_out(taken_out(table, ODO), VEX)
    table = table.when(fate(VEX), trauma("41")).when(CLOSING, troop_fate(3))
    assert table.state.under_way is None
    assert table.fighter(ANSELM).characteristics == table.fighter(RAT).characteristics
