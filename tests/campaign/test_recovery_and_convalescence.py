"""Recovery, Convalescence, Old Battle Wounds and who may take part: who is there in which battle."""

from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    enlist,
    given,
    lasting,
    old_wound,
    opening,
    out_of_action,
    phrases,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.rules.necromunda.rules_in_force import WHOLE_BOOK

HOBBLED = lasting(4, 6)
CONVALESCENT = lasting(3, 1)
OLD_WOUND = lasting(4, 1)
CRITICAL = lasting(6, 1)
CAPTURED = lasting(5, 5)
DEATH = lasting(6, 6)


def anybody(number: int) -> records.OpenBattle:
    """A battle for which no crew is named: whoever is available comes."""
    return opening(number, crews={SKULLS: (), SAINTS: ()})


def crew(table: Table, gang: str = SKULLS) -> tuple[str, ...]:
    assert table.state.under_way is not None
    return table.state.under_way.crews[gang]


# --- Recovery --------------------------------------------------------------------------------------------


def test_recovery_misses_this_post_battle_sequence_and_the_next_battle_and_is_cleared_in_its_wrap_up() -> (
    None
):
    table = given().when(out_of_action(VEX, by=MAGS), HOBBLED)
    assert table.fighter(VEX).recovering_since == 1

    table = table.when(CLOSING).then(records.BattleClosed(battle="battle-1", winner=None, drawn=True))
    assert table.fighter(VEX).recovering_since == 1  # kept in the Wrap-up of the battle it came from

    table.when(opening(2)).then_refused(records.FighterCannotTakePart, fighter="Vex")
    table = table.when(anybody(2))
    assert crew(table) == (KRUG,)
    assert table.fighter(VEX).recovering_since == 1

    table = table.when(CLOSING).then(
        records.RecoveryEnded(fighter=VEX), records.BattleClosed(battle="battle-2", winner=None, drawn=True)
    )
    assert table.fighter(VEX).recovering_since is None  # available again for this post-battle sequence

    table = table.when(opening(3))
    assert crew(table) == (KRUG, VEX)


def test_the_wrap_up_clears_old_recoveries_and_leaves_those_of_this_battle() -> None:
    table = (
        given()
        .when(out_of_action(VEX, by=MAGS), HOBBLED)
        .when(CLOSING)
        .when(opening(2, without=[VEX]))
        .when(out_of_action(KRUG, by=MAGS), HOBBLED)
        .when(CLOSING)
    )
    table.then(
        records.RecoveryEnded(fighter=VEX), records.BattleClosed(battle="battle-2", winner=None, drawn=True)
    )
    assert (table.fighter(VEX).recovering_since, table.fighter(KRUG).recovering_since) == (None, 2)
    assert crew(table.when(anybody(3))) == (VEX,)


def test_recovery_never_stacks_however_many_results_cause_it() -> None:
    table = given().when(
        out_of_action(VEX, out_of_action_dice=6),
        *[lasting(tens, units) for tens, units in [(4, 4), (4, 5), (4, 6), (5, 1), (5, 2), (5, 3)]],
    )
    assert [event for event in table.events if isinstance(event, records.WentIntoRecovery)] == [
        records.WentIntoRecovery(fighter=VEX, battle=1)
    ]
    table = table.when(CLOSING).when(anybody(2)).when(CLOSING).when(opening(3))
    assert crew(table) == (KRUG, VEX)


def test_recovery_costs_the_gangs_own_next_battle_not_the_campaigns() -> None:
    third_gang = enlist("rats", card("rik", category="leader"))
    table = (
        given(battle=False)
        .when(third_gang)
        .when(opening(1))
        .when(out_of_action(VEX, by=MAGS), HOBBLED)
        .when(CLOSING)
        .when(opening(2, crews={SAINTS: (), "rats": ()}))
        .when(CLOSING)
    )
    assert table.fighter(VEX).recovering_since == 1
    table = table.when(opening(3, crews={SKULLS: (), "rats": ()}))
    assert crew(table) == (KRUG,)
    table = table.when(CLOSING)
    assert table.fighter(VEX).recovering_since is None


def test_a_fighter_hurt_again_in_recovery_misses_the_battle_after_that() -> None:
    """Only a ruling that keeps a battle as played can bring this about: the events say that Vex was there."""
    table = given().when(out_of_action(VEX, by=MAGS), HOBBLED).when(CLOSING)
    kept = records.BattleOpened(
        battle="battle-2",
        number=2,
        scenario="Ambush",
        date="2026-01-01",
        crews={SKULLS: (KRUG, VEX), SAINTS: (MAGS, DOT)},
    )
    table = Table(state=fold(table.state, [kept]), before=table.state)
    table = table.when(out_of_action(VEX, by=MAGS), lasting(4, 4))
    assert phrases(table.events) == (
        "mags +2 XP",
        "eye_injury",
        "recovery from battle 2",
        "ballistic_skill 4 to 5",
    )
    table = table.when(CLOSING)
    assert table.fighter(VEX).recovering_since == 2
    assert crew(table.when(anybody(3))) == (KRUG,)


# --- Convalescence ---------------------------------------------------------------------------------------


def test_convalescence_is_available_for_the_next_battle_and_ends_with_its_beginning() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), CONVALESCENT)
    assert table.fighter(VEX).convalescing
    table = table.when(CLOSING)
    assert table.fighter(VEX).convalescing  # barred from this post-battle sequence
    table = table.when(opening(2))
    assert table.outcome == (
        records.BattleOpened(
            battle="battle-2",
            number=2,
            scenario="Ambush",
            date="2026-01-01",
            crews={SKULLS: (KRUG, VEX), SAINTS: (MAGS, DOT)},
            whole_book=WHOLE_BOOK,
        ),
        records.ConvalescenceEnded(fighter=VEX),
    )
    assert not table.fighter(VEX).convalescing


def test_convalescence_ends_also_for_who_sits_the_next_battle_out() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), CONVALESCENT).when(CLOSING)
    assert not table.when(opening(2, without=[VEX])).fighter(VEX).convalescing


def test_a_table_may_let_the_convalescent_miss_the_next_battle() -> None:
    strict = given(knobs={"convalescence.next_battle": "misses"})
    table = strict.when(out_of_action(VEX, by=MAGS), CONVALESCENT).when(CLOSING)
    table.when(opening(2)).then_refused(records.FighterCannotTakePart, fighter="Vex")
    table = table.when(anybody(2))
    assert crew(table) == (KRUG,)
    assert crew(table.when(CLOSING).when(opening(3))) == (KRUG, VEX)


def test_out_cold_leaves_post_battle_actions_open() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), lasting(2, 1)).when(CLOSING)
    assert (table.fighter(VEX).convalescing, table.fighter(VEX).recovering_since) == (False, None)
    assert crew(table.when(opening(2))) == (KRUG, VEX)


# --- who may take part -----------------------------------------------------------------------------------


@every("dice", [CRITICAL, CAPTURED, DEATH], ids=["critical", "captured", "dead"])
def test_the_critical_the_captured_and_the_dead_take_no_part(dice) -> None:
    table = given().when(out_of_action(VEX, by=MAGS), dice).when(CLOSING)
    for number in (2, 3, 4):
        table.when(opening(number)).then_refused(records.FighterCannotTakePart, fighter="Vex")
        table = table.when(anybody(number))
        assert crew(table) == (KRUG,)
        table = table.when(CLOSING)


def test_the_captor_is_the_gang_of_the_attacker() -> None:
    vex = given().when(out_of_action(VEX, by=MAGS), CAPTURED).fighter(VEX)
    assert (vex.capture_pending, vex.captor) == (True, SAINTS)


def test_the_retired_take_no_part() -> None:
    table = given(battle=False).when(records.RetireFighter(fighter=VEX, reason="old"))
    table.when(opening(1)).then_refused(records.FighterCannotTakePart)
    assert crew(table.when(anybody(1))) == (KRUG,)


def test_the_dead_and_the_retired_cannot_retire() -> None:
    dead = given().when(out_of_action(VEX, by=MAGS), DEATH).when(CLOSING)
    dead.when(records.RetireFighter(fighter=VEX, reason="old")).then_refused(
        records.FighterGone, standing="dead"
    )
    retired = given(battle=False).when(records.RetireFighter(fighter=VEX, reason="old"))
    retired.when(records.RetireFighter(fighter=VEX, reason="old")).then_refused(
        records.FighterGone, standing="retired"
    )


def test_a_crew_names_its_own_fighters_once() -> None:
    ready = given(battle=False)
    ready.when(opening(1, crews={SKULLS: (VEX, VEX), SAINTS: ()})).then_refused(records.FighterListedTwice)
    ready.when(opening(1, crews={SKULLS: (MAGS,), SAINTS: ()})).then_refused(records.FighterOfAnotherGang)
    ready.when(opening(1, crews={SKULLS: ()})).then_refused(records.TooFewGangs)


def test_battles_are_fought_one_at_a_time_and_each_once() -> None:
    given().when(opening(2)).then_refused(records.BattleUnderWayAlready)
    given().when(CLOSING).when(opening(1)).then_refused(records.BattleFoughtAlready)
    given(battle=False).when(CLOSING).then_refused(records.NoBattleUnderWay)


def test_the_winner_of_a_battle_took_part_in_it() -> None:
    table = given().when(records.CloseBattle(winner=SAINTS))
    assert (table.state.gangs[SAINTS].won, table.state.gangs[SKULLS].lost) == (1, 1)
    third_gang = enlist("rats")
    given(battle=False).when(third_gang).when(opening(1)).when(
        records.CloseBattle(winner="rats")
    ).then_refused(records.WinnerTookNoPart)


# --- Old Battle Wounds -----------------------------------------------------------------------------------


def wounded(*, wounds: int = 1, **knobs: str) -> Table:
    """Vex with so many Old Battle Wounds, all of battle 1, which is still under way."""
    table = given(knobs={name.replace("__", "."): value for name, value in knobs.items()})
    return table.when(out_of_action(VEX, by=MAGS, out_of_action_dice=wounds), *[OLD_WOUND] * wounds)


def test_an_old_battle_wound_is_first_tested_for_in_the_next_battle() -> None:
    table = wounded().when(CLOSING).when(opening(2))
    table.when(CLOSING).then_refused(DiceNeeded, purpose="old_battle_wound", fighter=VEX)
    table.when(CLOSING, old_wound(1)).then(
        records.WentIntoConvalescence(fighter=VEX),
        records.BattleClosed(battle="battle-2", winner=None, drawn=True),
    )


@every("face", [2, 3, 4, 5, 6])
def test_an_old_battle_wound_troubles_on_a_1_only(face: int) -> None:
    table = wounded().when(CLOSING).when(opening(2)).when(CLOSING, old_wound(face))
    assert not table.fighter(VEX).convalescing


def test_an_old_battle_wound_is_tested_for_at_the_end_of_every_battle_fought() -> None:
    table = wounded().when(CLOSING)
    for number in (2, 3, 4, 5):
        table = table.when(opening(number)).when(CLOSING, old_wound(1))
        assert table.fighter(VEX).convalescing
        assert table.rolls[0].fighter == VEX


def test_a_table_may_test_for_an_old_battle_wound_at_once() -> None:
    table = wounded(old_battle_wound__first_battle="current")
    table.when(CLOSING).then_refused(DiceNeeded)
    table.when(CLOSING, old_wound(1)).then(
        records.WentIntoConvalescence(fighter=VEX),
        records.BattleClosed(battle="battle-1", winner=None, drawn=True),
    )


@every("wounds", [1, 2, 3])
def test_each_old_battle_wound_has_its_own_die(wounds: int) -> None:
    table = wounded(wounds=wounds).when(CLOSING).when(opening(2))
    table.when(CLOSING, *[old_wound(2)] * (wounds - 1)).then_refused(DiceNeeded)
    table.when(CLOSING, *[old_wound(2)] * (wounds + 1)).then_refused(DiceLeftOver)
    table.when(CLOSING, *[old_wound(1)] * wounds).then(
        records.WentIntoConvalescence(fighter=VEX),
        records.BattleClosed(battle="battle-2", winner=None, drawn=True),
    )


@every("wounds", [1, 2, 3])
def test_a_table_may_roll_one_die_for_all_old_battle_wounds(wounds: int) -> None:
    table = wounded(wounds=wounds, old_battle_wound__dice="one").when(CLOSING).when(opening(2))
    table.when(CLOSING, old_wound(1)).then(
        records.WentIntoConvalescence(fighter=VEX),
        records.BattleClosed(battle="battle-2", winner=None, drawn=True),
    )


def test_no_old_battle_wound_is_tested_for_who_did_not_fight() -> None:
    table = wounded().when(CLOSING).when(opening(2, without=[VEX])).when(CLOSING)
    assert table.rolls == ()


def test_no_old_battle_wound_is_tested_for_the_dead() -> None:
    table = wounded().when(CLOSING).when(opening(2)).when(out_of_action(VEX, by=MAGS), DEATH)
    assert table.when(CLOSING).rolls == ()


def test_an_old_battle_wound_is_tested_for_who_went_out_of_action_in_the_battle() -> None:
    table = wounded().when(CLOSING).when(opening(2)).when(out_of_action(VEX, by=MAGS), lasting(2, 1))
    assert isinstance(table.outcome[0], records.FighterWentOutOfAction)
    assert [type(event) for event in table.outcome if isinstance(event, records.LastingInjurySuffered)]
    assert len(table.when(CLOSING, old_wound(4)).rolls) == 1


def test_the_old_battle_wound_of_a_fighter_in_recovery_rests() -> None:
    table = (
        wounded()
        .when(CLOSING)
        .when(opening(2))
        .when(out_of_action(VEX, by=MAGS), HOBBLED)
        .when(CLOSING, old_wound(2))
        .when(opening(3, without=[VEX]))
        .when(CLOSING)
    )
    assert table.rolls == ()
    assert phrases(table.events) == ("vex recovery ended",)


def test_two_fighters_with_old_battle_wounds_have_a_die_each() -> None:
    table = (
        given()
        .when(out_of_action(VEX, by=MAGS), OLD_WOUND)
        .when(out_of_action(KRUG, by=DOT), OLD_WOUND)
        .when(CLOSING)
        .when(opening(2))
        .when(CLOSING, old_wound(2), old_wound(1))
    )
    assert [(roll.fighter, roll.faces) for roll in table.rolls] == [(KRUG, (2,)), (VEX, (1,))]
    assert (table.fighter(KRUG).convalescing, table.fighter(VEX).convalescing) == (False, True)
