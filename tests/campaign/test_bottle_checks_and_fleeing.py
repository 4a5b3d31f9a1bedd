"""Bottle checks and fleeing the battlefield, played. Source: D4.1, D4.2."""

from itertools import product

from end_phases import bottled, d6, flee, fleeing
from rides import RIG, now, on_card, riding
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    OUT_COLD,
    SAINTS,
    SKULLS,
    VEX,
    enlist,
    flesh_wound,
    given,
    hit,
    opening,
    out_of_action,
    seriously_injured,
    succumb,
)
from tables import every

from tracker.campaign import records

# --- Bottle checks ---------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_a_gang_of_two_with_one_down_bottles_out_on_2_or_more(face: int) -> None:
    table = given().when(seriously_injured(VEX)).when(records.CheckBottle(gang=SKULLS), d6("bottle", face))
    bottled = face + 1 > 2
    table.then(*((records.GangBottled(gang=SKULLS, voluntary=False, forfeit=False),) if bottled else ()))
    (made,) = table.rolls
    assert [(modifier.why, modifier.by) for modifier in made.modifiers] == [("casualties", 1)]
    assert (made.passed, made.rolled_by) == (not bottled, SKULLS)


def test_seriously_injured_and_out_of_action_count_once_each() -> None:
    table = (
        given().when(seriously_injured(VEX)).when(out_of_action(VEX), OUT_COLD).when(seriously_injured(KRUG))
    )
    table = table.when(records.CheckBottle(gang=SKULLS), d6("bottle", 1))
    assert [(modifier.why, modifier.by) for modifier in table.rolls[0].modifiers] == [("casualties", 2)]


def test_without_casualties_there_is_no_bottle_check() -> None:
    table = given().when(seriously_injured(VEX)).when(flesh_wound(DOT))
    table.when(records.CheckBottle(gang=SAINTS)).then_refused(records.NoReasonToBottle)
    table.when(records.CheckBottle(gang=SAINTS, voluntary=True)).then_refused(records.NoReasonToBottle)


@every(("first", "second"), list(product(range(1, 7), repeat=2)))
def test_on_home_turf_the_lower_of_two_dice_counts(first: int, second: int) -> None:
    table = given().when(seriously_injured(VEX))
    table = table.when(
        records.CheckBottle(gang=SKULLS, home_turf=True), d6("bottle", first), d6("bottle", second)
    )
    assert bool(table.outcome) == (min(first, second) + 1 > 2)
    assert [made.passed for made in table.rolls] == [None, not table.outcome]


def test_a_gang_that_bottled_out_stays_bottled() -> None:
    bottled().when(records.CheckBottle(gang=SKULLS)).then_refused(records.BottledAlready)


def test_a_gang_may_fail_its_bottle_check_of_its_own_will() -> None:
    table = given().when(seriously_injured(VEX)).when(records.CheckBottle(gang=SKULLS, voluntary=True))
    table.then(records.GangBottled(gang=SKULLS, voluntary=True, forfeit=False))
    assert table.when(records.CloseBattle(winner=SKULLS), succumb(6)).refusal is None


def test_by_house_rule_failing_a_bottle_check_of_ones_own_will_loses_the_battle() -> None:
    table = given(knobs={"bottle.voluntary": "loses"}).when(seriously_injured(VEX))
    table = table.when(records.CheckBottle(gang=SKULLS, voluntary=True))
    table.then(records.GangBottled(gang=SKULLS, voluntary=True, forfeit=True))
    table.when(records.CloseBattle(winner=SKULLS)).then_refused(records.BattleLostByBottling)
    table.when(CLOSING).then_refused(records.BattleLostByBottling)
    assert table.when(records.CloseBattle(winner=SAINTS), succumb(6)).refusal is None


@every(("compared", "limit"), [("eligible_models", 5), ("starting_crew", 1), ("models_arrived", 2)])
def test_reinforcements_change_what_the_check_must_not_exceed(compared: str, limit: int) -> None:
    # Krug began, Vex came as a Reinforcement, three more might yet come.
    table = given(knobs={"bottle.compared_with": compared}).when(seriously_injured(VEX))
    check = records.CheckBottle(gang=SKULLS, reinforcements=1, others_eligible=3)
    holds = [face for face in range(1, 7) if not table.when(check, d6("bottle", face)).outcome]
    assert holds == [face for face in range(1, 7) if face + 1 <= limit]


def test_wrecked_vehicles_are_casualties_and_vehicles_are_of_the_crew() -> None:
    table = given().when(records.CheckBottle(gang=SKULLS, vehicles=2, vehicles_wrecked=1), d6("bottle", 3))
    assert table.outcome == ()  # 3 + 1 against 2 fighters and 2 vehicles
    table = given().when(records.CheckBottle(gang=SKULLS, vehicles=2, vehicles_wrecked=1), d6("bottle", 4))
    assert table.outcome == (records.GangBottled(gang=SKULLS, voluntary=False, forfeit=False),)


@every(
    "numbers",
    [
        {"reinforcements": 1, "reinforcements_arrived": 2},
        {"reinforcements": 2},
        {"vehicles": 1, "vehicles_wrecked": 2},
    ],
)
def test_contradictory_numbers_of_a_bottle_check_are_refused(numbers: dict[str, int]) -> None:
    given().when(seriously_injured(VEX)).when(records.CheckBottle(gang=SKULLS, **numbers)).then_refused(
        records.CrewDoesNotAddUp
    )


def test_only_a_gang_of_the_battle_checks() -> None:
    third = enlist("third")
    table = given(battle=False).when(third).when(opening(1))
    table.when(records.CheckBottle(gang="nobody")).then_refused(records.UnknownGang)
    table.when(records.CheckBottle(gang="third")).then_refused(records.GangTakesNoPart, gang="Third")


# --- fleeing ---------------------------------------------------------------------------------------------


@every("faces", [f"{a}+{b}" for a, b in product(range(1, 7), repeat=2)])
def test_a_fighter_who_fails_the_cool_test_flees(faces: str) -> None:
    table = bottled().when(fleeing(KRUG), flee(faces))
    stays = int(faces[0]) + int(faces[2]) >= 7
    table.then(*(() if stays else (records.FighterFled(fighter=KRUG, voluntary=False),)))


def test_nobody_flees_before_the_gang_has_bottled_out() -> None:
    given().when(fleeing(KRUG)).then_refused(records.NotBottled)
    given().when(records.FleeBattlefield(gang=SKULLS, fighters=(KRUG,))).then_refused(records.NotBottled)


def test_a_fighter_who_sees_the_leader_stay_takes_no_test_to_flee() -> None:
    table = bottled().when(fleeing(KRUG, VEX, krug=(VEX,)), flee("6+6"))
    table.then(
        records.RuleNoted(
            fighter=VEX,
            why="Vex stays by the example of Krug",
            section="Core Rulebook (2023) · The End Phase · 2. Fleeing the Battlefield",
        )
    )


def test_a_leader_who_flees_is_no_example() -> None:
    table = bottled().when(fleeing(KRUG, VEX, krug=(VEX,)), flee("1+1"), flee("6+6"))
    table.then(records.FighterFled(fighter=KRUG, voluntary=False))


def test_a_fighter_tested_before_the_leader_saw_no_example() -> None:
    table = bottled().when(fleeing(VEX, KRUG, krug=(VEX,)), flee("1+1"), flee("6+6"))
    table.then(records.FighterFled(fighter=VEX, voluntary=False))


@every(
    "command",
    [
        fleeing(KRUG, KRUG),
        fleeing(KRUG, DOT),
        fleeing(KRUG, VEX, vex=(KRUG,)),
        fleeing(VEX, krug=(VEX,)),
        fleeing(KRUG, krug=(VEX,)),
        fleeing(KRUG, krug=(KRUG,)),
    ],
    ids=["twice", "enemy", "no rank", "untested leader", "unlisted friend", "own example"],
)
def test_contradictory_lists_of_who_flees_are_refused(command: records.TakeFleeingTests) -> None:
    bottled().when(command).then_refused(records.FleeingListWrong)


def test_a_fighter_who_fled_is_out_of_play() -> None:
    table = bottled().when(fleeing(KRUG), flee("1+1"))
    table.when(hit(KRUG, by=DOT)).then_refused(records.FighterHasFled)
    table.when(fleeing(KRUG)).then_refused(records.FighterHasFled)


def test_of_its_own_will_a_bottled_gang_leaves_and_the_engaged_must_break_away() -> None:
    leave = records.FleeBattlefield(gang=SKULLS, fighters=(KRUG,), engaged=(KRUG,))
    away = bottled().when(leave, d6("flee_engaged", 4))
    away.then(records.FighterFled(fighter=KRUG, voluntary=True))
    caught = bottled().when(leave, d6("flee_engaged", 3))
    caught.then(records.SeriousInjurySuffered(fighter=KRUG, by=None, in_close_combat=True))
    free = bottled().when(records.FleeBattlefield(gang=SKULLS, fighters=(KRUG,)))
    free.then(records.FighterFled(fighter=KRUG, voluntary=True))


def test_the_seriously_injured_cannot_leave_of_their_own_will() -> None:
    bottled().when(records.FleeBattlefield(gang=SKULLS, fighters=(VEX,))).then_refused(
        records.FleeingListWrong
    )
    bottled().when(records.FleeBattlefield(gang=SKULLS, fighters=(KRUG,), engaged=(VEX,))).then_refused(
        records.FleeingListWrong
    )


def test_a_crew_that_flees_leaves_a_wreck_without_lasting_damage() -> None:
    table = riding().when(seriously_injured(KRUG)).when(records.CheckBottle(gang=SKULLS), d6("bottle", 6))
    table = table.when(fleeing(VEX), flee("1+1"))
    table.then(
        records.FighterFled(fighter=VEX, voluntary=False),
        records.VehicleWrecked(
            vehicle=RIG, by=None, causes=("abandoned",), mobile=False, lasting_damage_rolls=0
        ),
    )
    assert on_card(table).lasting_damage == ()
    assert (now(table).wrecked, table.combatant(VEX).fled) == (True, True)
