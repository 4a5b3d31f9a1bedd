"""Escapes and captives: who gets away, who holds whom, and how they come home or do not."""

from aftermaths import (
    CAPTURED,
    CRITICAL,
    DRAWN,
    LOST,
    WON,
    captive,
    die,
    escort,
    fallen,
    names,
    sides,
    with_credits,
)
from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, card, given, lasting, opening, out_of_action
from tables import every

from tracker.campaign import records
from tracker.campaign.holdings import rating

ESCAPE = records.RollEscape(fighter=VEX)


@every(
    ("close", "least"),
    [(WON, 4), (DRAWN, 5), (LOST, 6)],
)
def test_an_escape_needs_4_and_1_more_after_a_draw_and_2_more_after_a_defeat(
    close: records.CloseBattle, least: int
) -> None:
    for face in range(1, 7):
        table = fallen((VEX, CAPTURED), close=close).when(ESCAPE, die("escape", face))
        vex = table.fighter(VEX)
        assert (vex.held_by is None) == (face >= least), face
        assert vex.convalescing == (face >= least)
        assert not vex.capture_pending


def test_an_escape_of_a_fighter_who_was_webbed_has_2_less_and_a_natural_6_always_suffices() -> None:
    for face in range(1, 7):
        table = fallen((VEX, CAPTURED), close=WON).when(
            records.RollEscape(fighter=VEX, webbed=True), die("escape", face)
        )
        assert (table.fighter(VEX).held_by is None) == (face == 6)


def test_the_dice_of_an_escape_show_each_modifier_by_itself() -> None:
    table = fallen((VEX, CAPTURED)).when(records.RollEscape(fighter=VEX, webbed=True), die("escape", 5))
    (roll,) = table.rolls
    assert [(modifier.why, modifier.by) for modifier in roll.modifiers] == [
        ("battle lost", -2),
        ("Out of Action while Webbed", -2),
    ]
    assert (roll.faces, roll.target, roll.passed) == ((5,), 4, False)


def test_a_fighter_who_does_not_escape_is_a_captive_and_counts_in_no_rating() -> None:
    before = rating(given().state.gangs[SKULLS])
    table = captive()
    assert table.fighter(VEX).held_by == SAINTS
    assert rating(table.state.gangs[SKULLS]) == before - 100


def test_where_the_table_plays_so_a_captive_still_counts_in_the_rating() -> None:
    table = captive(knobs={"rating.captives": "included"})
    assert rating(table.state.gangs[SKULLS]) == 200


def test_a_captive_takes_no_part_in_battles() -> None:
    captive().when(opening(2)).then_refused(records.FighterCannotTakePart)


def test_the_dead_roll_no_escape_and_the_critical_are_treated_first() -> None:
    table = given().when(out_of_action(VEX, by=MAGS, out_of_action_dice=2), CAPTURED, CRITICAL).when(LOST)
    table = table.when(ESCAPE, die("escape", 1)).then_refused(records.CriticalFirst)
    dead = given().when(out_of_action(VEX, by=MAGS, out_of_action_dice=2), CAPTURED, lasting(6, 6)).when(LOST)
    dead.when(ESCAPE, die("escape", 1)).then_refused(records.FighterGone)
    # The Doc comes in step 5, and the escape roll after it is no step back.
    healed = with_credits(table, 200).when(escort(), die("doctor_fee", "1+1"), die("doctor", 6))
    assert healed.when(ESCAPE, die("escape", 1)).fighter(VEX).held_by == SAINTS


def test_where_the_table_plays_so_a_critical_fighter_rolls_the_escape_first() -> None:
    table = given(knobs={"captured.with_critical": "captured_first"}).when(
        out_of_action(VEX, by=MAGS, out_of_action_dice=2), CAPTURED, CRITICAL
    )
    assert table.when(LOST).when(ESCAPE, die("escape", 1)).fighter(VEX).held_by == SAINTS


def test_nobody_rolls_an_escape_who_was_not_captured() -> None:
    fallen().when(ESCAPE, die("escape", 1)).then_refused(records.NotCaptured)
    captive().when(ESCAPE, die("escape", 1)).then_refused(records.NotCaptured)


def test_an_agreed_trade_brings_a_captive_home_at_once_and_pays_the_holder() -> None:
    table = with_credits(captive(), 50).when(records.TradeCaptive(captive=VEX, to=SKULLS, price=60))
    assert names(table.outcome) == ["CreditsMoved", "CaptiveFreed"]
    assert table.fighter(VEX).held_by is None
    assert (table.state.gangs[SKULLS].credits, table.state.gangs[SAINTS].credits) == (90, 160)
    assert rating(table.state.gangs[SKULLS]) == 200
    table.when(opening(2))


def test_captives_are_exchanged_in_one_trade() -> None:
    table = fallen((VEX, CAPTURED), (DOT, CAPTURED), close=DRAWN)
    for fighter in (VEX, DOT):
        table = table.when(records.RollEscape(fighter=fighter), die("escape", 1))
    table = table.when(records.TradeCaptive(captive=VEX, to=SKULLS, for_captive=DOT))
    assert [table.fighter(name).held_by for name in (VEX, DOT)] == [None, None]


def test_a_captive_given_in_exchange_must_be_the_givers() -> None:
    captive().when(records.TradeCaptive(captive=VEX, to=SKULLS, for_captive=DOT)).then_refused(
        records.NotACaptive
    )


def test_the_holder_cannot_trade_a_captive_to_itself() -> None:
    captive().when(records.TradeCaptive(captive=VEX, to=SAINTS)).then_refused(records.HeldByAnother)


def test_a_captive_is_sold_only_after_a_failed_or_declined_rescue() -> None:
    sale = records.SellCaptive(captive=VEX, by=MAGS)
    table = captive().when(sale).then_refused(records.RescueComesFirst)
    for result in ("failed", "declined"):
        sold = table.when(records.EndRescue(captive=VEX, result=result)).when(sale)  # type: ignore[arg-type]
        assert sold.fighter(VEX).standing == "sold"
    assert table.when(records.EndRescue(captive=VEX, result="rescued")).fighter(VEX).held_by is None


@every(("cost", "brings"), [(100, 50), (101, 55), (105, 55), (110, 55), (111, 60), (5, 5)])
def test_the_guilders_pay_half_the_full_cost_rounded_up_to_5(cost: int, brings: int) -> None:
    table = fallen((VEX, CAPTURED), table=given(card(VEX, cost_credits=cost))).when(ESCAPE, die("escape", 1))
    table = table.when(records.EndRescue(captive=VEX, result="failed")).when(
        records.SellCaptive(captive=VEX, by=MAGS)
    )
    assert table.state.gangs[SAINTS].credits == 100 + brings


def test_a_captive_is_not_sold_twice_nor_by_another_gang() -> None:
    table = captive().when(records.EndRescue(captive=VEX, result="failed"))
    table = table.when(records.SellCaptive(captive=VEX, by=KRUG)).then_refused(records.HeldByAnother)
    table.when(records.SellCaptive(captive=VEX, by=MAGS)).when(
        records.SellCaptive(captive=VEX, by=MAGS)
    ).then_refused(records.NotACaptive)


def test_selling_is_an_action_of_the_hierarchy() -> None:
    table = captive().when(records.EndRescue(captive=VEX, result="failed"))
    table.when(records.SellCaptive(captive=VEX, by=DOT)).then_refused(records.CannotAct)


def test_a_bounty_of_the_full_cost_is_for_law_abiding_holders_of_outlaws() -> None:
    table = captive().when(records.EndRescue(captive=VEX, result="declined"))
    bounty = records.ClaimBounty(captive=VEX, by=MAGS)
    table = table.when(bounty).then_refused(records.WrongSideOfTheLaw, alignment=None)
    assert sides(table).when(bounty).state.gangs[SAINTS].credits == 200
    sides(table, saints="outlaw").when(bounty).then_refused(records.WrongSideOfTheLaw)
    sides(table, skulls="law_abiding").when(bounty).then_refused(records.WrongSideOfTheLaw)


def test_only_outlaws_dispose_of_a_captive_who_is_dead_and_brings_nothing() -> None:
    table = captive().when(records.EndRescue(captive=VEX, result="declined"))
    disposal = records.DisposeOfCaptive(captive=VEX, by=MAGS)
    sides(table).when(disposal).then_refused(records.WrongSideOfTheLaw)
    gone = sides(table, saints="outlaw").when(disposal)
    assert (gone.fighter(VEX).standing, gone.fighter(VEX).held_by) == ("dead", None)
    assert gone.state.gangs[SAINTS].credits == 100


def test_a_gang_switches_its_alignment_once() -> None:
    table = sides(captive())
    table = table.when(
        records.StateAlignment(gang=SKULLS, alignment="law_abiding", why="turned over a new leaf")
    )
    table.when(records.StateAlignment(gang=SKULLS, alignment="outlaw", why="again")).then_refused(
        records.AlignmentSwitched
    )


def test_a_rescue_mission_is_settled_once() -> None:
    table = captive().when(records.EndRescue(captive=VEX, result="failed"))
    table.when(records.EndRescue(captive=VEX, result="rescued")).then_refused(records.RescueDone)


def test_a_captive_at_work_is_not_sold() -> None:
    table = captive().when(records.EndRescue(captive=VEX, result="failed"))
    table = table.when(records.GainTerritory(gang=SAINTS, territory="mine", kind="mine_workings", why="test"))
    table = table.when(records.PutCaptiveToWork(captive=VEX, territory="mine"))
    table = table.when(records.SellCaptive(captive=VEX, by=MAGS)).then_refused(records.CaptiveAtWork)
    assert (
        table.when(records.PutCaptiveToWork(captive=VEX, territory=None))
        .when(records.SellCaptive(captive=VEX, by=MAGS))
        .fighter(VEX)
        .standing
        == "sold"
    )


def test_a_captive_who_is_let_go_is_free_to_fight() -> None:
    table = captive().when(records.ReturnCaptive(captive=VEX, why="mercy"))
    assert table.fighter(VEX).held_by is None
    table.when(opening(2))


# --- archived rules --------------------------------------------------------------------------------------

ARCHIVE = {"book": "necromunda_archive"}


def archived_field(**more: object):
    """Vex is Out Cold, Mags and Dot hold the field."""
    return fallen((VEX, lasting(1, 2)), **ARCHIVE, **more)  # type: ignore[arg-type]


@every(("faces", "taken"), [("6+5", False), ("6+6", True)])
def test_archived_a_capture_needs_13_with_1_for_each_enemy_out_of_action(faces: str, taken: bool) -> None:
    table = archived_field().when(
        records.RollCapture(gang=SAINTS), die("capture", faces, book="necromunda_archive")
    )
    assert table.fighter(VEX).held_by == (SAINTS if taken else None)
    (roll,) = table.rolls
    assert [(modifier.why, modifier.by) for modifier in roll.modifiers] == [("enemies Out of Action", 1)]


def test_archived_where_the_level_must_be_exceeded_13_is_not_enough() -> None:
    table = archived_field(knobs={"capture.level": "exceeded"})
    roll = records.RollCapture(gang=SAINTS)
    missed = table.when(roll, die("capture", "6+6", book="necromunda_archive"))
    assert missed.fighter(VEX).held_by is None
    more = records.RollCapture(gang=SAINTS, bounty_hunters=1)
    assert table.when(more, die("capture", "6+6", book="necromunda_archive")).fighter(VEX).held_by == SAINTS


def test_archived_law_and_misrule_asks_for_11() -> None:
    roll = records.RollCapture(gang=SAINTS, law_and_misrule=True)
    dice = die("capture", "5+5", book="necromunda_archive")
    assert archived_field().when(roll, dice).fighter(VEX).held_by == SAINTS


def test_archived_the_critically_injured_are_never_captured() -> None:
    table = fallen((VEX, CRITICAL), **ARCHIVE)
    table = table.when(records.RollCapture(gang=SAINTS), die("capture", "6+6", book="necromunda_archive"))
    assert table.fighter(VEX).held_by is None


def test_archived_who_did_not_stay_on_the_field_captures_nobody() -> None:
    table = fallen((VEX, lasting(1, 2)), (KRUG, lasting(1, 2)), **ARCHIVE)
    table.when(
        records.RollCapture(gang=SKULLS), die("capture", "6+6", book="necromunda_archive")
    ).then_refused(records.NotAloneOnField)


def test_archived_which_enemy_is_captured_is_drawn_fairly_by_dice() -> None:
    table = fallen((VEX, lasting(1, 2)), (KRUG, lasting(1, 2)), **ARCHIVE)
    drawn = {}
    for face in range(1, 7):
        after = table.when(
            records.RollCapture(gang=SAINTS),
            die("capture", "6+6", book="necromunda_archive"),
            die("random_fighter", face, book="necromunda_archive"),
        )
        drawn[face] = next(name for name in (KRUG, VEX) if after.fighter(name).held_by)
    assert sorted(drawn.values()) == [KRUG] * 3 + [VEX] * 3


def test_a_bounty_is_the_full_cost_and_no_credit_more() -> None:
    table = sides(captive(table=given(card(VEX, cost_credits=111))))
    table = table.when(records.EndRescue(captive=VEX, result="declined")).when(
        records.ClaimBounty(captive=VEX, by=MAGS)
    )
    assert table.state.gangs[SAINTS].credits == 100 + 111


def test_hangers_on_leave_a_gang_that_changes_sides_and_brutes_stay() -> None:
    table = given(card(VEX, category="hanger_on"), card(KRUG, category="brute"), battle=False)
    outlaws = records.StateAlignment(gang=SKULLS, alignment="outlaw", why="test")
    table = table.when(outlaws)
    assert table.fighter(VEX).standing == "enlisted"  # the first word on it is no switch
    table = table.when(records.StateAlignment(gang=SKULLS, alignment="law_abiding", why="a pardon"))
    assert (table.fighter(VEX).standing, table.fighter(KRUG).standing) == ("retired", "enlisted")
