"""Beside the Injury Chart: Blessing Markers, falls, morale, and what 1.0 plays otherwise."""

from itertools import product

from tables import every
from trench_scenario import (
    HERETICS,
    ODO,
    PILGRIMS,
    RAT,
    VEX,
    chart,
    given,
    injury,
    model,
    said,
    to_stand,
    with_markers,
)
from warband_scenario import LOST, WON, die, with_models

from tracker.campaign import records
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo


def read(table) -> records.ChartRead:
    (found,) = [event for event in table.outcome if isinstance(event, records.ChartRead)]
    return found


# --- a pool of dice, named one by one --------------------------------------------------------------------


@every(("more", "faces", "kept", "total"), [
    ({"plus_dice": ("aim",)}, (6, 2, 5), (6, 5), 11),
    ({"minus_dice": ("smoke",)}, (6, 2, 5), (5, 2), 7),
    ({"pool": 3, "plus_dice": ("aim",)}, (1, 4, 6, 3), (6, 4, 3), 13),
    ({}, (3, 4), (4, 3), 7),
])  # fmt: skip
def test_of_a_pool_the_dice_that_count_and_their_total_are_worked_out_or_checked(
    more: dict, faces: tuple[int, ...], kept: tuple[int, ...], total: int
) -> None:
    plain = given().when(injury(RAT, **more), chart(*faces))
    assert (read(plain).faces, sorted(read(plain).kept), read(plain).total) == (faces, sorted(kept), total)
    stated = given().when(injury(RAT, kept=kept, total=total, **more), chart(*faces))
    assert stated.outcome == plain.outcome
    for wrong in ({"kept": kept[1:]}, {"kept": (*kept[1:], 1)}, {"total": total + 1}):
        table = given().when(injury(RAT, **wrong, **more), chart(*faces))
        table.then_refused(records.DiceCountOtherwise, total=total)


def test_the_total_of_a_pool_has_armour_taken_off() -> None:
    worn = given(model(RAT, armour_modifier=-2))
    assert read(worn.when(injury(RAT, total=9), chart(6, 5))).total == 9
    worn.when(injury(RAT, total=11), chart(6, 5)).then_refused(records.DiceCountOtherwise, total=9)


def test_the_dice_of_a_risky_stand_and_of_morale_may_be_checked_too() -> None:
    down = given().when(said("down", RAT))
    stands = records.StandUp(fighter=RAT, risky=True, kept=(2, 3), total=5)
    assert not down.when(stands, to_stand(6, 3, 2)).refusal
    down.when(replace(stands, kept=(6, 3)), to_stand(6, 3, 2)).then_refused(records.DiceCountOtherwise)
    morale = records.CheckMorale(gang=HERETICS, turn=2, kept=(4, 4), total=8)
    assert not down.when(morale, die("morale", 4), die("morale", 4)).refusal
    down.when(replace(morale, total=7), die("morale", 4), die("morale", 4)).then_refused(
        records.DiceCountOtherwise
    )


# --- a model that is Down moves nowhere ------------------------------------------------------------------


@every("movement", ["move", "dash", "charge", "jump", "climb"])
def test_who_is_down_makes_no_move_of_its_own_until_it_stands(movement: str) -> None:
    moves = records.MoveModel(fighter=RAT, movement=movement)
    down = given().when(said("down", RAT))
    down.when(moves).then_refused(records.DownDoesNotMove)
    assert not down.when(records.StandUp(fighter=RAT)).when(replace(moves, just_stood=True)).refusal


@every(("just_stood", "hundredths", "allowed"), [
    (False, 600, True), (False, 601, False), (True, 300, True), (True, 301, False),
])  # fmt: skip
def test_a_move_of_6_inches_is_halved_after_standing_up(
    just_stood: bool, hundredths: int, allowed: bool
) -> None:
    moves = records.MoveModel(fighter=RAT, just_stood=just_stood, distance_hundredths=hundredths)
    table = given().when(moves)
    if allowed:
        assert len(table.outcome) == 1
    else:
        table.then_refused(records.MovesTooFar, most="3" if just_stood else "6")


# --- Blessing Markers ------------------------------------------------------------------------------------


def blessed(count: int, fighter: str = ODO, **more):
    return given(**more).when(records.GainBlessingMarkers(fighter=fighter, count=count, why="sermon"))


@every(("held", "gained"), list(product(range(1, 7), repeat=2)))
def test_a_model_has_six_blessing_markers_at_most(held: int, gained: int) -> None:
    table = blessed(held).when(records.GainBlessingMarkers(fighter=ODO, count=gained, why="relic"))
    assert table.combatant(ODO).blessing_markers == min(6, held + gained)
    assert table.outcome[0].lost == max(0, held + gained - 6)


def test_the_owner_spends_blessing_markers_for_a_die_less_of_an_injury_roll_each() -> None:
    table = blessed(3).when(injury(ODO, spend_blessings=2), chart(6, 5, 1, 2))
    assert read(table).dice == (records.Modifier(why="Blessing Markers", by=-2),)
    assert (read(table).kept, read(table).name) == ((1, 2), "Minor Hit")
    assert table.combatant(ODO).blessing_markers == 1


def test_blessing_markers_are_netted_against_blood_markers_first() -> None:
    table = with_markers(blessed(1), ODO, 1).when(
        injury(ODO, spend_blessings=1, spend_markers=1), chart(3, 4)
    )
    assert read(table).faces == (3, 4)
    assert (table.combatant(ODO).blessing_markers, table.combatant(ODO).blood_markers) == (0, 1)


def test_the_owner_spends_blessing_markers_on_an_action_of_the_model() -> None:
    table = blessed(2).when(records.SpendBlessingMarkers(fighter=ODO, count=1))
    assert table.combatant(ODO).blessing_markers == 1


def test_blessing_markers_on_the_action_to_stand_are_a_die_more_each() -> None:
    table = (
        blessed(1)
        .when(said("down", ODO))
        .when(records.StandUp(fighter=ODO, risky=True, spend_blessings=1), to_stand(6, 1))
    )
    assert read(table).dice == (
        records.Modifier(why="Blessing Markers", by=1),
        records.Modifier(why="Down", by=-1),
    )
    assert not table.combatant(ODO).down


def test_no_more_blessing_markers_are_spent_than_are_there() -> None:
    blessed(1).when(injury(ODO, spend_blessings=2)).then_refused(
        records.TooFewBlessingMarkers, held=1, wanted=2
    )
    blessed(1).when(records.SpendBlessingMarkers(fighter=ODO, count=2)).then_refused(
        records.TooFewBlessingMarkers
    )
    given().when(records.GainBlessingMarkers(fighter=ODO, count=7, why="x")).then_refused(records.NoMarkers)


# --- falls -----------------------------------------------------------------------------------------------


def fall(inches: float, **more) -> records.ResolveFall:
    return records.ResolveFall(target=ODO, distance_hundredths=round(inches * 100), **more)


@every(("inches", "dice"), [(2.01, 2), (2.5, 2), (3, 3), (5.99, 3), (6, 4), (9, 5)])
def test_a_fall_of_more_than_2_inches_is_an_injury_roll_with_a_die_more_for_every_3(
    inches: float, dice: int
) -> None:
    table = given().when(fall(inches), chart(*[6] * dice))
    assert len(read(table).faces) == dice
    assert table.combatant(ODO).out_of_action


@every(("inches", "voluntary"), [(2, False), (1, False), (3, True), (2.5, True)])
def test_a_short_fall_or_a_drop_of_ones_own_will_up_to_3_inches_needs_no_roll(
    inches: float, voluntary: bool
) -> None:
    table = given().when(fall(inches, voluntary=voluntary))
    assert [type(event) for event in table.outcome] == [records.RuleNoted]
    given().when(fall(inches, voluntary=voluntary, spend_blessings=1)).then_refused(records.NoRollToSpendOn)


def test_armour_and_markers_count_for_a_fall_as_for_any_injury_roll() -> None:
    table = given(model(ODO, armour_modifier=-2)).when(
        records.GainBlessingMarkers(fighter=ODO, count=1, why="x")
    )
    table = table.when(fall(3, spend_blessings=1), chart(4, 5))
    assert (read(table).total, read(table).name) == (7, "Down")


def test_a_book_without_the_injury_chart_refuses_its_falls() -> None:
    import scenario

    scenario.given().when(
        records.ResolveFall(target="vex", distance_hundredths=300, voluntary=True)
    ).then_refused(BookHasNo)
    given().when(fall(3, save_with="armour")).then_refused(BookHasNo)


# --- morale ----------------------------------------------------------------------------------------------


def morale(gang: str = PILGRIMS, turn: int = 2, **more) -> records.CheckMorale:
    return records.CheckMorale(gang=gang, turn=turn, **more)


def shaken_half():
    """Odo is Down: half of the Pilgrims."""
    return given().when(said("down", ODO))


@every(("first", "second"), list(product(range(1, 7), repeat=2)))
def test_a_warband_half_down_holds_its_morale_on_7_and_flees_below(first: int, second: int) -> None:
    table = shaken_half().when(morale(), die("morale", first, second))
    (tested,) = [event for event in table.outcome if isinstance(event, records.MoraleTested)]
    assert tested.result == ("holds" if first + second >= 7 else "flees")


def test_a_warband_less_than_half_down_takes_no_morale_test() -> None:
    given().when(morale()).then_refused(records.MoraleHolds, down_or_out=0, models=2)


def test_out_of_action_counts_for_morale_and_who_stood_up_does_not() -> None:
    table = given().when(said("out_of_action", ODO)).when(morale(held=True))
    assert table.outcome[0].result == "holds"
    shaken_half().when(records.StandUp(fighter=ODO)).when(morale()).then_refused(records.MoraleHolds)


def test_a_warband_that_flees_has_lost() -> None:
    table = shaken_half().when(morale(held=False))
    table.when(WON).then_refused(records.FledAndHasLost)
    table.when(records.CloseBattle(drawn=True)).then_refused(records.FledAndHasLost)
    table.when(morale(turn=3)).then_refused(records.WarbandHasFled)
    assert table.when(LOST).state.gangs[HERETICS].won == 1


def test_morale_is_tested_once_at_the_end_of_a_turn() -> None:
    table = shaken_half().when(morale(held=True))
    table.when(morale(held=True)).then_refused(records.MoraleTestedAlready, turn=2)
    assert table.when(morale(turn=3, held=True)).outcome
    table.when(morale(turn=0)).then_refused(records.NoSuchTurn)


def test_the_smaller_warband_tests_morale_first() -> None:
    table = with_models(given(battle=False), ["ned"])
    from trench_scenario import opening

    table = table.when(opening(1)).when(said("down", ODO)).when(said("down", "ned")).when(said("down", RAT))
    table.when(morale(held=True)).then_refused(records.SmallerTestsFirst, turn=2)
    table = table.when(morale(HERETICS, held=True)).when(morale(held=True))
    assert table.outcome[0].models == 3


def test_by_house_rule_a_warband_that_fails_morale_is_shaken_first_and_flees_the_next_time() -> None:
    table = shaken_half().when(morale(held=False, shaken_instead=True))
    assert table.outcome[0].result == "shaken"
    table = table.when(morale(turn=3, held=False, shaken_instead=True))
    assert table.outcome[0].result == "flees"


def test_plus_and_minus_dice_of_morale_are_netted() -> None:
    table = shaken_half().when(morale(plus_dice=("officer",)), die("morale", 1, 4, 3))
    assert table.rolls[-1].outcome == "die 3 of 3, the highest 2 count: 7, success"


# --- what 1.0 plays otherwise ----------------------------------------------------------------------------


def test_in_1_0_flat_modifiers_never_make_an_injury_roll_worse_than_by_3() -> None:

    worn = model(ODO, armour_modifier=-3)
    cover = (records.StatedModifier(why="cover", by=-2),)
    printed = given(worn).when(injury(ODO, modifiers=cover), chart(6, 5))
    assert (read(printed).total, read(printed).name) == (6, "Minor Hit")
    table = given(worn, knobs={"injury.worst_modifier": "minus_3"})
    table = table.when(injury(ODO, modifiers=cover), chart(6, 5))
    assert (read(table).total, read(table).name) == (8, "Down")
    assert sum(modifier.by for modifier in read(table).modifiers) == -3


NEWEST = dict(loader.policy("trench-crusade-1-0-2").patch)


@every(
    ("armour", "cover", "taken_off"),
    [
        (-2, 0, -1),  # 1 of 2 back
        (-2, -2, -2),  # -4 ends at -3, and 1 back
        (0, 0, 0),  # nothing is taken off, so nothing is given back
    ],
)
def test_in_1_0_2_armour_piercing_takes_1_off_the_total_minus(
    armour: int, cover: int, taken_off: int
) -> None:
    worn = model(ODO, armour_modifier=armour)
    table = given(worn, knobs={**NEWEST, "injury.worst_modifier": "minus_3"})
    stated = (records.StatedModifier(why="cover", by=cover),) if cover else ()
    table = table.when(injury(ODO, modifiers=stated, armour_piercing=True), chart(6, 5))
    assert sum(modifier.by for modifier in read(table).modifiers) == taken_off


@every(("bloodbath", "dice"), [(False, 3), (True, 4)])
def test_in_1_0_2_deadly_totals_3d6_and_4d6_with_bloodbath(bloodbath: bool, dice: int) -> None:
    table = with_markers(given(knobs=NEWEST), ODO, 6)
    table = table.when(injury(ODO, deadly=True, bloodbath=bloodbath), chart(*[2] * dice))
    assert (read(table).kept, read(table).total) == ((2,) * dice, 2 * dice)


def test_keywords_count_by_name_in_1_0_2_alone() -> None:
    given().when(injury(ODO, deadly=True), chart(1, 1, 1)).then_refused(
        records.KeywordNotCounted, keyword="DEADLY", instead="`pool: 3`"
    )
    given().when(injury(ODO, armour_piercing=True), chart(1, 1)).then_refused(records.KeywordNotCounted)


def test_deadly_says_how_many_dice_are_totalled() -> None:
    said_twice = records.RollInjuryChart(target=ODO, deadly=True, pool=4)
    assert said_twice.contradiction(frozenset({"deadly", "pool"})) is not None


def test_in_1_0_down_gives_its_die_in_melee_only() -> None:
    table = given(knobs={"down.extra_die": "melee"}).when(said("down", ODO))
    assert len(read(table.when(injury(ODO), chart(1, 1))).faces) == 2
    assert len(read(table.when(injury(ODO, in_melee=True), chart(1, 1, 1))).faces) == 3


def test_in_1_0_markers_are_not_spent_on_attack_rolls() -> None:
    table = with_markers(given(knobs={"blood_markers.attack_rolls": "no"}), ODO, 1)
    attack = records.SpendBloodMarkers(fighter=ODO, count=1, use="attack", attacker=VEX)
    table.when(attack).then_refused(records.NotOnAttacks)
    assert (
        table.when(records.SpendBloodMarkers(fighter=ODO, count=1, use="action")).combatant(ODO).blood_markers
        == 0
    )
