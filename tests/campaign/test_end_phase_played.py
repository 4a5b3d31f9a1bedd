"""The End phase, played: Bottle checks, fleeing, Recovery tests; and succumbing in the Wrap-up."""

from itertools import product
from typing import Any

from rides import RIG, now, on_card, riding
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    enlist,
    fall,
    flesh_wound,
    given,
    hit,
    lasting,
    old_wound,
    opening,
    out_of_action,
    phrases,
    seriously_injured,
    succumb,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded, Die, read_die
from tracker.rules import loader

INJURY_DIE = loader.book("necromunda_2023").injury_dice["two_three_one"]
SYMBOLS = {"flesh": "flesh_wound", "serious": "serious_injury", "ooa": "out_of_action"}


def d6(purpose: str, face: int) -> Die:
    return read_die(purpose, "D6", face)


def flee(faces: str) -> Die:
    return read_die("flee", "2D6", faces)


def recovery(*shown: str) -> tuple[Die, ...]:
    return tuple(read_die("recovery", "injury", SYMBOLS.get(one, one), special=INJURY_DIE) for one in shown)


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


def bottled(*cards: Any, knobs: dict[str, str] | None = None) -> Table:
    table = given(*cards, knobs=knobs).when(seriously_injured(VEX, by=MAGS))
    return table.when(records.CheckBottle(gang=SKULLS), d6("bottle", 6))


def test_who_has_bottled_out_stays_so() -> None:
    bottled().when(records.CheckBottle(gang=SKULLS)).then_refused(records.BottledAlready)


def test_a_gang_may_fail_of_its_own_will_without_a_die() -> None:
    table = given().when(seriously_injured(VEX)).when(records.CheckBottle(gang=SKULLS, voluntary=True))
    table.then(records.GangBottled(gang=SKULLS, voluntary=True, forfeit=False))
    assert table.when(records.CloseBattle(winner=SKULLS), succumb(6)).refusal is None


def test_by_house_rule_failing_of_ones_own_will_loses_the_battle() -> None:
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
def test_numbers_that_contradict_each_other_are_refused(numbers: dict[str, int]) -> None:
    given().when(seriously_injured(VEX)).when(records.CheckBottle(gang=SKULLS, **numbers)).then_refused(
        records.CrewDoesNotAddUp
    )


def test_only_a_gang_of_the_battle_checks() -> None:
    third = enlist("third")
    table = given(battle=False).when(third).when(opening(1))
    table.when(records.CheckBottle(gang="nobody")).then_refused(records.UnknownGang)
    table.when(records.CheckBottle(gang="third")).then_refused(records.GangTakesNoPart, gang="Third")


# --- fleeing ---------------------------------------------------------------------------------------------


def fleeing(*fighters: str, **near: tuple[str, ...]) -> records.TakeFleeingTests:
    return records.TakeFleeingTests(gang=SKULLS, fighters=fighters, near=near)


@every("faces", [f"{a}+{b}" for a, b in product(range(1, 7), repeat=2)])
def test_who_fails_the_cool_test_flees(faces: str) -> None:
    table = bottled().when(fleeing(KRUG), flee(faces))
    stays = int(faces[0]) + int(faces[2]) >= 7
    table.then(*(() if stays else (records.FighterFled(fighter=KRUG, voluntary=False),)))


def test_nobody_flees_before_the_gang_has_bottled_out() -> None:
    given().when(fleeing(KRUG)).then_refused(records.NotBottled)
    given().when(records.FleeBattlefield(gang=SKULLS, fighters=(KRUG,))).then_refused(records.NotBottled)


def test_who_sees_the_leader_stay_stays_without_a_die() -> None:
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


def test_who_was_tested_before_the_leader_saw_no_example() -> None:
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
def test_lists_that_cannot_be_are_refused(command: records.TakeFleeingTests) -> None:
    bottled().when(command).then_refused(records.FleeingListWrong)


def test_who_fled_is_out_of_play() -> None:
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


def test_an_abandoned_vehicle_is_wrecked_and_its_crew_gone() -> None:
    table = riding().when(seriously_injured(KRUG)).when(records.CheckBottle(gang=SKULLS), d6("bottle", 6))
    table = table.when(fleeing(VEX), flee("1+1"))
    assert (now(table).wrecked, table.combatant(VEX).fled) == (True, True)


# --- Recovery tests --------------------------------------------------------------------------------------


def flesh(left: int) -> records.FleshWoundsSuffered:
    return records.FleshWoundsSuffered(fighter=VEX, by=None, flesh_wounds=1, toughness=left)


def out(reason: Any, *, dice: int, rolls: int = 1) -> records.FighterWentOutOfAction:
    return records.FighterWentOutOfAction(
        fighter=VEX, by=None, reason=reason, out_of_action_dice=dice, lasting_injury_rolls=rolls
    )


def down(*cards: Any, **more: Any) -> Table:
    return given(*cards, **more).when(seriously_injured(VEX, by=MAGS))


def test_a_flesh_wound_gets_the_fighter_up_as_far_as_pinned() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("flesh"))
    table.then(flesh(2), records.SeriousInjuryOvercome(fighter=VEX))
    vex = table.combatant(VEX)
    assert (vex.seriously_injured, vex.pinned, vex.flesh_wounds) == (False, True, 1)


def test_a_serious_injury_costs_a_flesh_wound_and_the_fighter_stays_down() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("serious"))
    table.then(flesh(2))
    assert table.combatant(VEX).seriously_injured


def test_by_the_archived_rules_a_serious_injury_costs_nothing() -> None:
    table = down(knobs={"recovery_test.serious_injury": "nothing"})
    table.when(records.TakeRecoveryTest(fighter=VEX), recovery("serious")).then_nothing_happened()


def test_out_of_action_brings_one_lasting_injury_roll() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(4, 6))
    assert table.outcome[0] == out("recovery_test", dice=1)
    table.then_phrases("hobbled", "recovery from battle 1", "movement 5 to 4")


def test_a_failed_recovery_test_earns_nobody_anything() -> None:
    before = down()
    table = before.when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(6, 6))
    assert table.fighter(MAGS) == before.fighter(MAGS)
    assert table.fighter(VEX).standing == "dead"


@every("shown", ["flesh", "serious"])
def test_the_last_flesh_wound_of_a_recovery_test_takes_the_fighter_out(shown: str) -> None:
    table = down(card(VEX, toughness=1)).when(
        records.TakeRecoveryTest(fighter=VEX), recovery(shown), OUT_COLD
    )
    assert table.outcome[:2] == (flesh(0), out("toughness", dice=0))
    assert not table.combatant(VEX).pinned


def test_who_was_hurt_by_mags_bears_mags_gang_the_grudge() -> None:
    table = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(1, 4))
    assert phrases(table.events) == ("bitter_enmity", f"skill berserker against {SAINTS}")
    nobody = (
        given()
        .when(seriously_injured(VEX))
        .when(records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), lasting(1, 4))
    )
    assert phrases(nobody.events) == ("bitter_enmity counts as out_cold",)
    named = (
        given()
        .when(seriously_injured(VEX))
        .when(records.TakeRecoveryTest(fighter=VEX, grudge_against=SAINTS), recovery("ooa"), lasting(1, 4))
    )
    assert phrases(named.events) == ("bitter_enmity", f"skill berserker against {SAINTS}")


def test_only_who_is_seriously_injured_or_webbed_takes_a_recovery_test() -> None:
    given().when(records.TakeRecoveryTest(fighter=VEX)).then_refused(records.NoRecoveryTest)
    out = given().when(out_of_action(VEX), OUT_COLD)
    out.when(records.TakeRecoveryTest(fighter=VEX)).then_refused(records.FighterOutOfPlay)


def helped(*dice: str, **more: Any) -> Table:
    return down().when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG, **more), recovery(*dice))


def test_assistance_gives_a_second_die_spares_the_flesh_wound_and_earns_1_xp() -> None:
    table = helped("serious", "flesh")
    table.then(
        records.RecoveryAssisted(fighter=VEX, by=KRUG, round=None),
        records.SeriousInjuryOvercome(fighter=VEX),
        records.ExperienceGained(
            fighter=KRUG,
            amount=1,
            reason="assisted Vex's Recovery test",
            section="Core Rulebook (2023) · Experience · Gaining Experience",
        ),
    )


def test_either_die_may_be_picked() -> None:
    first = helped("serious", "flesh", picked=1)
    first.then(records.RecoveryAssisted(fighter=VEX, by=KRUG, round=None))
    second = helped("flesh", "serious", picked=2)
    second.then(records.RecoveryAssisted(fighter=VEX, by=KRUG, round=None))
    assert second.combatant(VEX).seriously_injured


@every(("first", "second"), list(product(SYMBOLS, repeat=2)))
def test_with_assistance_nobody_suffers_a_flesh_wound(first: str, second: str) -> None:
    both_out = {first, second} == {"ooa"}
    command = records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG)
    table = down().when(command, recovery(first, second), *((OUT_COLD,) if both_out else ()))
    assert not any(isinstance(event, records.FleshWoundsSuffered) for event in table.events)
    assert any(isinstance(event, records.SeriousInjuryOvercome) for event in table.events) == (
        "flesh" in (first, second)
    )


def test_by_the_archived_rules_assistance_spares_no_flesh_wound() -> None:
    table = down(knobs={"recovery_test.assisted": "flesh_wound"})
    table = table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG), recovery("ooa", "flesh"))
    assert table.outcome[1:3] == (flesh(2), records.SeriousInjuryOvercome(fighter=VEX))


def test_who_assists_is_another_a_friend_and_on_their_feet() -> None:
    table = down()
    table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=VEX)).then_refused(records.CannotAssist)
    table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=DOT)).then_refused(records.CannotAssist)
    for hurt in (
        (seriously_injured(KRUG),),
        (hit(KRUG, by=DOT, traits=("Web",)), wound(6)),
        (fall(KRUG, hundredths=300), wound(1)),
    ):
        table.when(*hurt).when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG)).then_refused(
            records.CannotAssist
        )
    table.when(records.TakeRecoveryTest(fighter=VEX, picked=1)).then_refused(records.NothingToPick)


def test_the_broken_may_assist_for_broken_is_no_status() -> None:
    table = down().when(
        records.TakeNerveTest(fighter=KRUG, because_of=VEX, friends_near_count=0),
        read_die("nerve", "2D6", "1+1"),
    )
    table = table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG), recovery("flesh", "flesh"))
    assert not table.combatant(VEX).seriously_injured


@every(("first", "second"), [(None, None), (1, None), (None, 2), (2, 2)])
def test_a_helper_assists_once_in_an_end_phase(first: int | None, second: int | None) -> None:
    table = helped("serious", "serious", round=first)
    table.when(records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG, round=second)).then_refused(
        records.CannotAssist
    )


def test_in_another_round_the_helper_assists_again() -> None:
    table = helped("serious", "serious", round=1)
    again = records.TakeRecoveryTest(fighter=VEX, assisted_by=KRUG, round=2)
    assert table.when(again, recovery("serious", "serious")).refusal is None


# --- Webbed ----------------------------------------------------------------------------------------------


def webbed() -> Table:
    return given().when(hit(VEX, by=MAGS, traits=("Web",)), wound(6))


def test_a_flesh_wound_sheds_the_web() -> None:
    table = webbed().when(records.TakeRecoveryTest(fighter=VEX), recovery("flesh"))
    table.then(flesh(2), records.WebShed(fighter=VEX))
    vex = table.combatant(VEX)
    assert (vex.webbed, vex.pinned) == (False, True)


def test_in_a_web_a_serious_injury_costs_nothing() -> None:
    webbed().when(records.TakeRecoveryTest(fighter=VEX), recovery("serious")).then_nothing_happened()


@every("face", range(1, 7))
def test_out_of_action_in_a_web_is_no_lasting_injury_roll_but_out_cold_or_captured(face: int) -> None:
    table = webbed().when(
        records.TakeRecoveryTest(fighter=VEX), recovery("ooa"), d6("webbed_out_of_action", face)
    )
    captured = face >= 5
    injury, name = ("captured", "Captured") if captured else ("out_cold", "Out Cold")
    suffered = records.LastingInjurySuffered(
        fighter=VEX,
        by=None,
        table="webbed_out_of_action",
        cell=None,
        injury=injury,
        name=name,
        counts_as=None,
        occurrence=1,
        within=None,
        battle=1,
        section="Core Rulebook (2023) · The End Phase · 3. Recover & Restart",
    )
    taken = (records.CapturePending(fighter=VEX, captor=None),) if captured else ()
    table.then(out("webbed", dice=1, rolls=0), suffered, *taken)


# --- succumbing ------------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_who_ends_the_battle_seriously_injured_succumbs_on_1_and_2(face: int) -> None:
    succumbed = face <= 2
    table = down().when(CLOSING, succumb(face), *((lasting(4, 6),) if succumbed else ()))
    assert phrases(table.events) == (
        ("hobbled", "recovery from battle 1", "movement 5 to 4") if succumbed else ()
    )
    gone = [event for event in table.events if isinstance(event, records.FighterWentOutOfAction)]
    assert gone == ([out("succumbed", dice=0)] if succumbed else [])
    assert table.rolls[0].section == "Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up"


def test_one_die_for_each_in_the_order_of_the_crews() -> None:
    table = down().when(seriously_injured(DOT)).when(seriously_injured(KRUG))
    table = table.when(CLOSING, succumb(3), succumb(4), succumb(5))
    assert [(made.fighter, made.faces) for made in table.rolls] == [(DOT, (3,)), (KRUG, (4,)), (VEX, (5,))]


def test_who_recovered_or_is_out_rolls_nothing() -> None:
    up = down().when(records.TakeRecoveryTest(fighter=VEX), recovery("flesh"))
    up.when(CLOSING, succumb(3)).then_refused(DiceLeftOver)
    gone = down().when(out_of_action(VEX), OUT_COLD)
    gone.when(CLOSING, succumb(3)).then_refused(DiceLeftOver)
    down().when(CLOSING).then_refused(DiceNeeded, purpose="succumb", fighter=VEX)


def test_who_fled_while_seriously_injured_rolls_too() -> None:
    table = bottled().when(fleeing(VEX), flee("1+1")).when(CLOSING, succumb(1), lasting(6, 6))
    assert table.fighter(VEX).standing == "dead"


def test_recovery_that_succumbing_brings_outlasts_this_wrap_up() -> None:
    table = down().when(CLOSING, succumb(1), lasting(4, 6)).when(opening(2, without=[VEX])).when(CLOSING)
    carried = phrases(table.events)
    assert carried == ("vex recovery ended",)


def test_succumbing_comes_before_old_battle_wounds_and_before_recovery_is_cleared() -> None:
    table = given().when(out_of_action(VEX), lasting(4, 1)).when(CLOSING).when(opening(2))
    table = table.when(seriously_injured(VEX)).when(seriously_injured(KRUG))
    table = table.when(CLOSING, succumb(5), succumb(1), lasting(5, 1), old_wound(1))
    assert [made.purpose for made in table.rolls] == [
        "succumb",
        "succumb",
        "lasting_injury",
        "old_battle_wound",
    ]


def test_the_dead_have_no_old_battle_wound_tested() -> None:
    table = given().when(out_of_action(VEX), lasting(4, 1)).when(CLOSING).when(opening(2))
    table = table.when(seriously_injured(VEX)).when(CLOSING, succumb(2), lasting(6, 6))
    assert table.fighter(VEX).standing == "dead"


def test_by_policy_nobody_succumbs() -> None:
    down(knobs={"wrap_up.succumb": "not_rolled"}).when(CLOSING).then_phrases()
