"""Warbands between battles: XP, Threshold, reinforcements, exploration, trade, glory, ransoms, shell shock."""

from itertools import product

from scenario import Table
from tables import every
from trench_scenario import opening
from warband_scenario import (
    ANSELM,
    HERETICS,
    LOST,
    ODO,
    PILGRIMS,
    RAT,
    THRESHOLD,
    VEX,
    WON,
    XP,
    after,
    die,
    explore,
    given,
    model,
    with_ducats,
    with_models,
    with_xp,
)

from tracker.campaign import records
from tracker.campaign.profiles import Item
from tracker.records import replace
from tracker.rules.rulebook import BookHasNo

LAMP = Item(name="lamp", kind="wargear", cost_credits=15)


def ducats(table: Table, gang: str = PILGRIMS) -> int:
    return table.state.gangs[gang].credits


def only(table: Table, kind: type[records.Event]) -> list[records.Event]:
    return [event for event in table.outcome if isinstance(event, kind)]


def out_and_over(table: Table, trauma: str, close: records.Command = LOST, *more: object) -> Table:
    """Anselm goes Out of Action by Vex, with this Trauma roll."""
    table = table.when(records.RollInjuryChart(target=ANSELM, attacker=VEX, result="out_of_action"))
    return table.when(close, die("trauma", trauma), *more)  # type: ignore[arg-type]


# --- XP --------------------------------------------------------------------------------------------------


def test_elite_models_gain_1_xp_for_the_battle_and_troops_none() -> None:
    table = after().when(XP)
    assert (table.fighter(ANSELM).experience, table.fighter(ODO).experience) == (1, 0)


def test_out_of_action_is_survived_as_long_as_nobody_died() -> None:
    assert out_and_over(given(), "3-6").when(XP).fighter(ANSELM).experience == 1
    assert out_and_over(given(), "1-1").when(XP).fighter(ANSELM).experience == 0


def test_a_glorious_deed_is_1_xp_more() -> None:
    table = after().when(replace(XP, deeds=(ANSELM,)))
    assert [(gain.amount, gain.reason) for gain in only(table, records.ExperienceGained)] == [  # type: ignore[attr-defined]
        (1, "survived the battle"),
        (1, "a Glorious Deed"),
    ]


@every(("doer", "why"), [(ODO, records.NotElite), (VEX, records.NotInThatBattle)])
def test_a_glorious_deed_is_of_an_elite_model_of_the_crew(doer: str, why: type) -> None:
    after().when(replace(XP, deeds=(doer,))).then_refused(why)


def test_the_xp_of_a_battle_is_given_once_and_to_who_was_there() -> None:
    table = with_models(after(), ["ned"], category="elite").when(XP)
    assert table.fighter("ned").experience == 0
    table.when(XP).then_refused(records.OncePerSequence)


@every(("before", "gained"), [(5, 2), (6, 1), (7, 0), (9, 0)])
def test_limited_potential_stops_at_7_xp(before: int, gained: int) -> None:
    table = with_xp(given(model(ANSELM, skills=("Limited Potential",))).when(LOST), ANSELM, before)
    table = table.when(replace(XP, deeds=(ANSELM,)))
    assert table.fighter(ANSELM).experience == before + gained
    assert len(only(table, records.RuleNoted)) == 2 - gained


@every(("latecomer", "each"), [("one", 1), ("four", 4)])
def test_a_latecomer_gains_xp_for_each_battle_missed(latecomer: str, each: int) -> None:
    table = after(knobs={"experience.latecomer": latecomer})
    table = table.when(records.AwardLatecomer(fighter=ANSELM, missed=3))
    assert table.fighter(ANSELM).experience == 3 * each
    table.when(records.AwardLatecomer(fighter=ANSELM, missed=0)).then_refused(records.NoBattleMissed)
    table.when(records.AwardLatecomer(fighter=ODO, missed=1)).then_refused(records.NotElite)


# --- Threshold and reinforcements ------------------------------------------------------------------------


def test_the_threshold_is_that_of_the_next_game_and_raised_once() -> None:
    table = after().when(THRESHOLD)
    gang = table.state.gangs[PILGRIMS]
    assert (gang.threshold_ducats, gang.field_strength) == (800, 11)
    table.when(THRESHOLD).then_refused(records.OncePerSequence)
    table = after().when(records.RaiseThreshold(gang=PILGRIMS, game=12))
    assert table.state.gangs[PILGRIMS].threshold_ducats == 1800


def reinforcing(**more: int) -> Table:
    """Two models of 50, 40 ducats and a lamp in the stash, which are given up."""
    table = with_ducats(after(), 55).when(
        records.BuyItem(gang=PILGRIMS, item=LAMP, market="common", reason="test")
    )
    return table.when(THRESHOLD).when(records.CallReinforcements(gang=PILGRIMS, **more))


@every(("more", "budget"), [({}, 700), ({"less": 200}, 500), ({"worth": 650}, 150), ({"worth": 900}, 0)])
def test_reinforcements_give_up_ducats_and_stash_for_what_the_threshold_leaves(
    more: dict[str, int], budget: int
) -> None:
    table = reinforcing(**more)
    assert (ducats(table), table.state.gangs[PILGRIMS].stash) == (budget, ())


def test_what_is_left_of_reinforcements_vanishes_as_the_warband_goes_on() -> None:
    table = reinforcing().when(records.HireFighter(gang=PILGRIMS, card=model("ned")))
    table = table.when(records.BuyItem(gang=PILGRIMS, item=LAMP, market="common"))
    assert ducats(table) == 700 - 50 - 15
    table = table.when(records.RecordRating(gang=PILGRIMS))
    assert (ducats(table), table.state.gangs[PILGRIMS].stash) == (0, ())
    assert table.fighter("ned").standing == "enlisted"


def test_what_is_left_of_reinforcements_vanishes_with_the_next_battle() -> None:
    table = reinforcing().when(opening(2))
    assert ducats(table) == 0


def test_items_bought_by_reinforcements_are_handed_out_in_that_step() -> None:
    table = reinforcing().when(records.BuyItem(gang=PILGRIMS, item=LAMP, market="common"))
    table = table.when(records.MoveItem(item="lamp", source=f"stash:{PILGRIMS}", target=f"fighter:{ODO}"))
    table = table.when(records.RecordRating(gang=PILGRIMS))
    assert (table.fighter(ODO).wargear, table.fighter(ODO).cost_credits) == (("lamp",), 65)


def test_reinforcements_skip_looting_and_exploration() -> None:
    reinforcing().when(explore()).then_refused(records.CalledInstead)


def test_reinforcements_want_the_raised_threshold_and_come_once() -> None:
    after().when(records.CallReinforcements(gang=PILGRIMS)).then_refused(records.ThresholdNotRaised)
    reinforcing().when(records.CallReinforcements(gang=PILGRIMS)).then_refused(records.OncePerSequence)
    # That of an earlier battle does not count.
    later = after().when(THRESHOLD).when(opening(2)).when(WON)
    later.when(records.CallReinforcements(gang=PILGRIMS)).then_refused(records.ThresholdNotRaised)


# --- looting and exploration -----------------------------------------------------------------------------


def test_every_exploration_score_of_three_dice_is_worth_ten_ducats_a_pip() -> None:
    table = after()
    for faces in product(range(1, 7), repeat=3):
        assert ducats(table.when(explore(), die("exploration", *faces))) == 10 * sum(faces)


def test_every_warband_re_rolls_one_exploration_die_and_the_winner_one_more() -> None:
    dice = die("exploration", 1, 2, 3), die("exploration_reroll", 6, 6)
    assert ducats(after(WON).when(explore(rerolls=(1, 3)), *dice)) == 140
    after(LOST).when(explore(rerolls=(1, 3))).then_refused(records.TooManyRerolls, allowed=1)
    assert ducats(after(LOST).when(explore(rerolls=(3,)), dice[0], die("exploration_reroll", 5))) == 80
    learned = after(LOST).when(explore(rerolls=(1, 3), more_rerolls=1), *dice)
    assert ducats(learned) == 140


@every("rerolls", [(4,), (0,), (1, 1)])
def test_an_exploration_die_that_is_not_there_or_named_twice_is_not_re_rolled(
    rerolls: tuple[int, ...],
) -> None:
    after(WON).when(explore(rerolls=rerolls)).then_refused(records.NoSuchDie)


@every(("fought", "dice"), [(1, 3), (2, 3), (3, 4), (5, 4), (6, 5), (9, 5), (10, 6)])
def test_more_battles_bring_more_exploration_dice(fought: int, dice: int) -> None:
    table = after()
    for number in range(2, fought + 1):
        table = table.when(opening(number)).when(WON)
    assert ducats(table.when(explore(), die("exploration", *[1] * dice))) == 10 * dice
    assert ducats(table.when(explore(more_dice=1), die("exploration", *[1] * (dice + 1)))) == 10 * dice + 10


def test_a_location_is_found_on_exactly_its_score_and_once_in_a_campaign() -> None:
    chapel = {"location": "Chapel", "location_score": 9, "location_kind": "common"}
    nine, ten = die("exploration", 2, 3, 4), die("exploration", 2, 4, 4)
    after().when(explore(**chapel), ten).then_refused(records.LocationNotThere, score=10, needed=9)
    table = after().when(explore(**chapel), nine)
    assert [found.location for found in only(table, records.LocationFound)] == ["Chapel"]  # type: ignore[attr-defined]
    again = table.when(explore(HERETICS, **{**chapel, "location": "chapel"}), nine)
    again.then_refused(records.LocationFoundBefore)
    assert len(only(table.when(explore(HERETICS), nine), records.WarbandExplored)) == 1


def test_a_location_is_of_a_table_that_the_battles_fought_allow() -> None:
    rare = explore(location="Vault", location_score=9, location_kind="rare")
    after().when(rare, die("exploration", 2, 3, 4)).then_refused(records.LocationOfAnotherTable)


def test_an_exploration_location_named_by_half_is_refused() -> None:
    after().when(explore(location="Vault"), die("exploration", 1, 1, 1)).then_refused(
        records.LocationIncomplete
    )


def test_a_warband_explores_once_after_a_battle() -> None:
    table = after().when(explore(), die("exploration", 1, 1, 1))
    table.when(explore()).then_refused(records.OncePerSequence)


# --- hire, trade, glory, reallocate ----------------------------------------------------------------------


def test_a_model_is_hired_for_ducats_but_never_a_seventh_elite() -> None:
    table = with_ducats(after(), 500)
    table = with_models(table, ["a", "b", "c", "d"], category="elite")
    table = table.when(records.HireFighter(gang=PILGRIMS, card=model("sixth", category="elite")))
    assert ducats(table) == 450
    seventh = records.HireFighter(gang=PILGRIMS, card=model("seventh", category="elite"))
    table.when(seventh).then_refused(records.TroubledGang)
    assert (
        table.when(records.HireFighter(gang=PILGRIMS, card=model("ned"))).fighter("ned").category == "troop"
    )
    let_in = table.when(replace(seventh, beyond_rules=True, reason="the Arbitrator's word"))
    assert let_in.fighter("seventh").category == "elite"


def test_no_more_ducats_are_spent_than_the_paychest_has() -> None:
    after().when(records.HireFighter(gang=PILGRIMS, card=model("ned"))).then_refused(records.NotEnoughCredits)


@every(("worth", "price"), [(15, 8), (14, 7), (1, 1)])
def test_an_item_of_a_warband_is_sold_for_half_rounded_up_without_a_die(worth: int, price: int) -> None:
    item = replace(LAMP, cost_credits=worth)
    table = with_ducats(after(), worth).when(records.BuyItem(gang=PILGRIMS, item=item, market="common"))
    table = table.when(records.SellItem(gang=PILGRIMS, item="lamp"))
    assert (ducats(table), table.state.gangs[PILGRIMS].stash, table.rolls) == (price, (), ())


def test_items_of_a_warband_are_handed_out_freely() -> None:
    table = given(model(ANSELM, wargear=("lamp",))).when(WON)
    table = table.when(records.MoveItem(item="lamp", source=f"fighter:{ANSELM}", target=f"fighter:{ODO}"))
    assert (table.fighter(ANSELM).wargear, table.fighter(ODO).wargear) == ((), ("lamp",))


def test_glory_is_gained_and_spent_and_never_below_none() -> None:
    table = after().when(records.ChangeGlory(gang=PILGRIMS, by=2, why="a deed"))
    table = table.when(records.ChangeGlory(gang=PILGRIMS, by=-1, why="a relic"))
    assert table.state.gangs[PILGRIMS].glory == 1
    table.when(records.ChangeGlory(gang=PILGRIMS, by=-2, why="a relic")).then_refused(records.NotEnoughGlory)


# --- the order of steps ----------------------------------------------------------------------------------

ORDER: list[tuple[records.Command, tuple[object, ...]]] = [
    (XP, ()),
    (THRESHOLD, ()),
    (explore(), die("exploration", 1, 1, 1)),
    (records.HireFighter(gang=PILGRIMS, card=model("ned")), ()),
    (records.BuyItem(gang=PILGRIMS, item=LAMP, market="common"), ()),
    (records.ChangeGlory(gang=PILGRIMS, by=-1, why="a relic"), ()),
    (records.MoveItem(item="lamp", source=f"stash:{PILGRIMS}", target=f"fighter:{ODO}"), ()),
    (records.RecordRating(gang=PILGRIMS), ()),
]


@every(("later", "earlier"), [(a, b) for a in range(8) for b in range(a)])
def test_no_step_between_the_battles_of_a_warband_comes_after_a_later_one(later: int, earlier: int) -> None:
    table = with_ducats(after(), 500).when(records.ChangeGlory(gang=PILGRIMS, by=5, why="test"))
    table = table.when(records.BuyItem(gang=PILGRIMS, item=LAMP, market="common", reason="test"))
    command, dice = ORDER[later]
    table = table.when(command, dice)  # type: ignore[arg-type]
    table.when(ORDER[earlier][0]).then_refused(records.StepOutOfOrder)


def test_all_steps_between_the_battles_of_a_warband_go_through_in_their_order() -> None:
    table = with_ducats(after(), 500).when(records.ChangeGlory(gang=PILGRIMS, by=5, why="test"))
    for command, dice in ORDER:
        table = table.when(command, dice)  # type: ignore[arg-type]
    assert table.events


@every(
    "command",
    [
        XP,
        THRESHOLD,
        explore(),
        records.CallReinforcements(gang=PILGRIMS),
        records.RollPromotions(gang=PILGRIMS, dice=()),
    ],
)
def test_without_a_battle_a_warband_has_no_post_battle_sequence(command: records.Command) -> None:
    given(battle=False).when(command).then_refused(records.NoSequenceOpen)


# --- captives and shell shock ----------------------------------------------------------------------------


def captive(**more: object) -> Table:
    """Anselm is held for ransom by the Heretics; 100 ducats are at hand."""
    return with_ducats(out_and_over(given(**more), "1-2"), 100)  # type: ignore[arg-type]


def test_a_ransom_paid_later_frees_the_captive_and_goes_to_the_captor() -> None:
    table = captive().when(records.SettleRansom(fighter=ANSELM, ducats=60))
    assert [type(event) for event in table.outcome] == [records.RansomSettled, records.CreditsMoved]
    assert (ducats(table), ducats(table, HERETICS)) == (40, 60)
    assert ANSELM in table.when(opening(2)).state.under_way.crews[PILGRIMS]  # type: ignore[union-attr]


def test_a_captive_fights_no_battle_and_the_message_names_the_ransom() -> None:
    table = captive()
    crew = records.OpenBattle(
        battle="battle-2", scenario="Crater", date="2026-01-01", crews={PILGRIMS: (ANSELM,), HERETICS: ()}
    )
    learned = table.when(crew)
    assert isinstance(learned.refusal, records.FighterCannotTakePart)
    assert "ransom" in learned.refusal.message()
    assert "escape" not in learned.refusal.message()


def test_a_ransom_is_settled_once_and_only_for_a_captive() -> None:
    table = captive().when(records.SettleRansom(fighter=ANSELM, ducats=60))
    table.when(records.SettleRansom(fighter=ANSELM, ducats=1)).then_refused(records.NotHeldForRansom)
    table.when(records.SettleRansom(fighter=ODO, ducats=1)).then_refused(records.NotHeldForRansom)
    captive().when(records.SettleRansom(fighter=ANSELM, ducats=101)).then_refused(records.NotEnoughCredits)
    captive().when(records.SettleRansom(fighter=ANSELM, ducats=1, to=PILGRIMS)).then_refused(
        records.PaysThemselves
    )


def test_a_ransom_of_nothing_frees_the_captive_too() -> None:
    assert not captive().when(records.SettleRansom(fighter=ANSELM, ducats=0)).fighter(ANSELM).capture_pending


def test_an_unpaid_ransom_keeps_the_captive_in_1_6_and_kills_in_1_0() -> None:
    unpaid = records.SettleRansom(fighter=ANSELM, ducats=None)
    captive().when(unpaid).then_refused(records.StaysCaptive)
    table = captive(knobs={"trauma.version": "1.0"}).when(unpaid)
    assert [type(event) for event in table.outcome] == [records.RansomSettled, records.FighterDied]


def test_a_ransom_says_who_is_paid_where_no_captor_is_known() -> None:
    table = given().when(records.RollInjuryChart(target=ANSELM, result="out_of_action"))
    table = with_ducats(table.when(LOST, die("trauma", "1-2")), 100)
    table.when(records.SettleRansom(fighter=ANSELM, ducats=5)).then_refused(records.WhoIsPaid)
    assert ducats(table.when(records.SettleRansom(fighter=ANSELM, ducats=5, to=HERETICS)), HERETICS) == 5


@every("face", range(1, 7))
def test_shell_shock_misses_the_battle_on_1_and_2(face: int) -> None:
    table = out_and_over(given(), "2-3").when(
        records.RollShellShock(fighter=ANSELM), die("shell_shock", face)
    )
    assert len(only(table, records.FighterMissesBattle)) == (1 if face <= 2 else 0)
    fights = table.when(opening(2)).state.under_way
    assert fights is not None
    assert (ANSELM in fights.crews[PILGRIMS]) == (face > 2)
    after_it = table.when(opening(2)).when(WON).when(opening(3)).state.under_way
    assert after_it is not None
    assert ANSELM in after_it.crews[PILGRIMS]


@every("face", range(1, 7))
def test_shell_shock_in_1_0_hinders_and_never_keeps_away(face: int) -> None:
    table = out_and_over(given(knobs={"trauma.version": "1.0"}), "2-3")
    table = table.when(records.RollShellShock(fighter=ANSELM), die("shell_shock", face))
    (tested,) = only(table, records.ShellShockTested)
    assert tested.means == ("" if face > 2 else "-1 DICE in the battle")  # type: ignore[attr-defined]
    fights = table.when(opening(2)).state.under_way
    assert fights is not None
    assert ANSELM in fights.crews[PILGRIMS]


def test_shell_shock_is_rolled_once_before_each_battle_and_by_who_has_it() -> None:
    table = out_and_over(given(), "2-3").when(records.RollShellShock(fighter=ANSELM), die("shell_shock", 6))
    table.when(records.RollShellShock(fighter=ANSELM)).then_refused(records.ShockTestedAlready)
    table.when(records.RollShellShock(fighter=RAT)).then_refused(records.NotShellShocked)
    later = table.when(opening(2)).when(WON)
    assert later.when(records.RollShellShock(fighter=ANSELM), die("shell_shock", 1)).events


# --- other books -----------------------------------------------------------------------------------------


@every(
    "command",
    [
        records.AwardBattleExperience(gang="skulls"),
        records.RaiseThreshold(gang="skulls"),
        explore("skulls"),
        records.ChangeGlory(gang="skulls", by=1, why="x"),
        records.SettleRansom(fighter="vex", ducats=1),
    ],
)
def test_a_book_without_warbands_refuses_their_steps(command: records.Command) -> None:
    import scenario

    scenario.given(battle=False).when(command).then_refused(BookHasNo)
