"""The Doc: what each die brings, who may escort whom, and who dies for want of it."""

from aftermaths import CRITICAL, WON, after, die, escort, fallen, names, with_credits
from scenario import (
    BOOK,
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    SKULLS,
    VEX,
    card,
    further,
    given,
    how_many,
    lasting,
    opening,
    phrases,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.post_battle_sequence import died_at_doctor
from tracker.dice import DiceTray
from tracker.rules import loader

ARCHIVE = "necromunda_archive"
FEE = die("doctor_fee", "1+1")


def critical(**more):
    """Vex is Critically Injured, the Skulls have 300 credits."""
    return with_credits(fallen((VEX, CRITICAL), **more), 200)


def test_the_doc_asks_2d6_times_10() -> None:
    table = critical().when(escort(), die("doctor_fee", "6+5"), die("doctor", 6))
    assert table.state.gangs[SKULLS].credits == 300 - 110


def test_at_the_doc_on_a_1_the_patient_dies_and_the_fee_is_gone() -> None:
    table = critical().when(escort(), FEE, die("doctor", 1))
    assert table.fighter(VEX).standing == "dead"
    assert table.state.gangs[SKULLS].credits == 280


def test_at_the_doc_on_a_6_the_patient_is_in_recovery_and_nothing_else() -> None:
    table = critical().when(escort(), FEE, die("doctor", 6))
    table.then_phrases("recovery from battle 1")
    vex = table.fighter(VEX)
    assert (vex.critical, vex.recovering_since, vex.injuries) == (
        False,
        1,
        table.before.fighter(VEX).injuries,
    )  # type: ignore[union-attr]


@every("face", [2, 3, 4, 5])
def test_at_the_doc_on_2_to_5_the_patient_keeps_an_injury_and_is_in_recovery(face: int) -> None:
    table = critical().when(escort(), FEE, die("doctor", face), die("stabilised", "4-6"))
    assert phrases(table.events) == ("hobbled", "recovery from battle 1", "movement 5 to 4")


def test_a_stabilised_patient_never_misses_more_than_one_battle() -> None:
    table = critical().when(escort(), FEE, die("doctor", 3), die("stabilised", "4-4"))
    assert phrases(table.events).count("recovery from battle 1") == 1
    table = table.when(opening(2, without=(VEX,))).when(CLOSING)
    assert table.fighter(VEX).recovering_since is None


def test_at_the_doc_captured_critical_and_memorable_death_are_rolled_again_and_nothing_else_is() -> None:
    table = critical().when(escort(), FEE, die("doctor", 2), die("stabilised", "5-5", "6-1", "6-6", "1-5"))
    assert phrases(table.events) == ("out_cold", "recovery from battle 1")
    assert [roll.outcome for roll in table.rolls[2:]] == [
        "Captured: rolled again",
        "Critical Injury: rolled again",
        "Memorable Death: rolled again",
        "Out Cold",
    ]


def test_at_the_doc_multiple_injuries_brings_its_own_further_rolls() -> None:
    table = critical().when(
        escort(), FEE, die("doctor", 2), die("stabilised", "5-4"), how_many(1), further(4, 6)
    )
    assert "hobbled within multiple_injuries" in phrases(table.events)


def test_at_the_doc_lesson_learned_brings_convalescence_beside_recovery() -> None:
    table = critical().when(
        escort(), FEE, die("doctor", 2), die("stabilised", "1-1"), die("lesson_learned", 2)
    )
    vex = table.fighter(VEX)
    assert (vex.convalescing, vex.recovering_since) == (True, 1)


def test_a_patient_whom_nobody_pays_the_doc_for_dies_without_a_treatment() -> None:
    table = critical().when(escort(paid=False), FEE)
    assert table.fighter(VEX).standing == "dead"
    assert table.state.gangs[SKULLS].credits == 300


def test_a_gang_that_cannot_pay_the_doc_loses_the_patient() -> None:
    table = fallen((VEX, CRITICAL)).when(escort(), die("doctor_fee", "6+5"))
    assert table.fighter(VEX).standing == "dead"
    assert table.state.gangs[SKULLS].credits == 100


def test_an_escort_takes_another_fighter_of_the_same_gang() -> None:
    table = critical()
    table = table.when(escort(by=VEX), FEE, die("doctor", 6)).then_refused(records.EscortsThemselves)
    table.when(escort(by=MAGS), FEE, die("doctor", 6)).then_refused(records.NotOfOneGang)


def test_a_second_escort_of_one_fighter_is_refused() -> None:
    hierarchy = given(card(VEX), card(KRUG), card(MAGS), card(DOT))
    table = with_credits(fallen((VEX, CRITICAL), table=hierarchy), 200)
    table = table.when(escort(), FEE, die("doctor", 6))
    table.when(escort(), FEE, die("doctor", 6)).then_refused(records.NotCritical, treated="full recovery")


def test_the_doc_has_nothing_to_do_for_who_is_not_critical() -> None:
    fallen().when(escort(), FEE, die("doctor", 6)).then_refused(records.NotCritical, treated=None)


def test_the_dead_are_not_escorted() -> None:
    table = fallen((VEX, lasting(6, 6)))
    table.when(escort(), FEE, die("doctor", 6)).then_refused(records.FighterGone)


def test_each_fighter_takes_one_post_battle_action() -> None:
    table = critical().when(records.Trade(by=KRUG))
    table.when(escort(), FEE, die("doctor", 6)).then_refused(records.ActionTakenAlready, taken="Trade")


def test_only_the_gang_hierarchy_takes_post_battle_actions() -> None:
    fallen((KRUG, CRITICAL)).when(escort(KRUG, VEX), FEE, die("doctor", 6)).then_refused(records.CannotAct)


@every(
    ("injury", "why"),
    [
        (lasting(3, 1), "Convalescent"),
        (lasting(4, 4), "in Recovery"),
        (lasting(5, 5), "Captured, until the escape roll says otherwise"),
    ],
)
def test_the_convalescent_recovering_and_captured_take_no_post_battle_action(injury, why: str) -> None:
    fallen((KRUG, injury)).when(records.Trade(by=KRUG)).then_refused(records.CannotAct, why=why)


def critically_injured_krug(book: str, **knobs: str):
    """Krug, Leader of the Skulls, is Critically Injured."""
    return fallen((KRUG, CRITICAL), book=book, knobs=knobs)


@every("book", [BOOK, ARCHIVE])
def test_a_critical_injury_bars_nobody_from_post_battle_actions(book: str) -> None:
    table = critically_injured_krug(book).when(records.Trade(by=KRUG))
    assert after(table).acted == {KRUG: "trade"}
    assert table.when(records.EndActions(gang=SKULLS)).fighter(KRUG).standing == "dead"


@every("book", [BOOK, ARCHIVE])
def test_a_house_rule_bars_the_critically_injured_from_post_battle_actions(book: str) -> None:
    barred = critically_injured_krug(book, **loader.policy("the-critically-injured-do-not-act").patch)
    barred.when(records.Trade(by=KRUG)).then_refused(records.CannotAct, why="Critically Injured")


def test_a_critically_injured_fighter_escorts_another_and_never_themselves() -> None:
    table = with_credits(fallen((KRUG, CRITICAL), (VEX, CRITICAL)), 200)
    table.when(escort(KRUG, KRUG), FEE, die("doctor", 6)).then_refused(records.EscortsThemselves)
    table = table.when(escort(VEX, KRUG), FEE, die("doctor", 6))
    assert (table.fighter(VEX).critical, table.fighter(KRUG).critical) == (False, True)


def test_a_patient_whom_the_doc_puts_into_recovery_takes_no_post_battle_action() -> None:
    champion = card(VEX, category="champion")
    table = with_credits(fallen((KRUG, CRITICAL), table=given(champion)), 200)
    table = table.when(escort(KRUG, VEX), FEE, die("doctor", 6))
    table.when(records.Trade(by=KRUG)).then_refused(records.CannotAct, why="in Recovery")


def test_a_leader_out_cold_acts_after_the_battle() -> None:
    assert "PostBattleActionTaken" in names(
        fallen((KRUG, lasting(1, 5))).when(records.Trade(by=KRUG)).outcome
    )


def test_a_fighter_who_leaves_recovery_in_the_wrap_up_takes_post_battle_actions() -> None:
    table = fallen((KRUG, lasting(4, 4))).when(opening(2, without=(KRUG,))).when(CLOSING)
    assert after(table.when(records.Trade(by=KRUG))).acted == {KRUG: "trade"}


def test_critical_fighters_whom_nobody_escorts_die_when_the_actions_end() -> None:
    table = critical().when(records.EndActions(gang=SKULLS))
    assert table.fighter(VEX).standing == "dead"
    table.when(records.EndActions(gang=SKULLS)).then_refused(records.OncePerSequence)
    table.when(records.Trade(by=KRUG)).then_refused(records.OncePerSequence)


def test_a_death_at_the_doc_says_whether_the_patient_was_taken_there() -> None:
    def taken(table) -> bool:
        return died_at_doctor(Decision(table.state, loader.rulebook("necromunda_2023", []), DiceTray()), VEX)

    assert taken(critical().when(escort(paid=False), FEE))
    assert taken(critical().when(escort(), FEE, die("doctor", 1)))
    assert not taken(critical().when(records.EndActions(gang=SKULLS)))


def test_without_a_post_battle_sequence_nobody_goes_to_the_doc() -> None:
    given(battle=False).when(escort(), FEE, die("doctor", 6)).then_refused(records.NoSequenceOpen)


def test_a_critical_fighter_blocks_play_until_treated() -> None:
    critical().when(opening(2)).then_refused(records.FighterCannotTakePart)


def test_the_fee_and_the_treatment_are_rolled_for_the_patient() -> None:
    table = critical(close=WON).when(escort(), FEE, die("doctor", 6))
    assert [(roll.purpose, roll.fighter, roll.rolled_by) for roll in table.rolls] == [
        ("doctor_fee", VEX, SKULLS),
        ("doctor", VEX, SKULLS),
    ]


# --- archived rules --------------------------------------------------------------------------------------


@every(
    ("units", "stays"),
    [
        (1, "head_injury"),
        (2, "eye_injury"),
        (3, "hand_injury"),
        (4, "hobbled"),
        (5, "spinal_injury"),
        (6, "enfeebled"),
    ],
)
def test_archived_the_stabilised_roll_a_d6_among_the_fifties(units: int, stays: str) -> None:
    table = with_credits(fallen((VEX, CRITICAL), book=ARCHIVE), 200).when(
        escort(), FEE, die("doctor", 4), die("doctor_injury", units, book=ARCHIVE)
    )
    assert phrases(table.events)[0] == stays
    assert table.fighter(VEX).recovering_since == 1


MUTATIONS = {
    1: "dark_madness",
    2: "bestial_senses",
    3: "disturbing_appendage",
    4: "warped_limbs",
    5: "crooked_body",
    6: "twisted_flesh",
}


@every("units", MUTATIONS)
@every("mutation", [5, 6])
def test_archived_a_corrupted_gang_s_fighter_may_mutate_at_the_doc(units: int, mutation: int) -> None:
    """The fifties are rows that a mutation may take the place of; nobody is known to have done it, so 6 alone."""
    table = with_credits(fallen((VEX, CRITICAL), book=ARCHIVE), 200).when(
        records.StateCorruption(gang=SKULLS, corrupted=True)
    )
    treated = table.when(
        escort(),
        FEE,
        die("doctor", 4),
        die("doctor_injury", units, book=ARCHIVE),
        die("mutation", mutation, book=ARCHIVE),
    )
    mutated = mutation == 6
    assert treated.fighter(VEX).mutations == ((MUTATIONS[units],) if mutated else ())
    assert len(treated.fighter(VEX).injuries) == len(table.fighter(VEX).injuries) + (not mutated)


def test_archived_at_the_doc_a_1_kills_and_a_6_is_recovery_alone() -> None:
    table = with_credits(fallen((VEX, CRITICAL), book=ARCHIVE), 200)
    assert table.when(escort(), FEE, die("doctor", 1)).fighter(VEX).standing == "dead"
    assert phrases(table.when(escort(), FEE, die("doctor", 6)).events) == ("recovery from battle 1",)
