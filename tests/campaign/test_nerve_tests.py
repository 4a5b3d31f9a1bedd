"""Nerve tests, Broken fighters and vehicles: played."""

from itertools import product
from typing import Any

from nerves import broken, cool, friend, gang_of, nerve, vex_down
from rides import RIG, SLED, riding
from scenario import (
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    fall,
    given,
    hit,
    lasting,
    out_of_action,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.dice import read_die

# --- the test --------------------------------------------------------------------------------------------


@every("faces", [f"{a}+{b}" for a, b in product(range(1, 7), repeat=2)])
def test_two_dice_that_reach_cool_7_keep_the_nerve_and_all_others_break(faces: str) -> None:
    table = vex_down().when(nerve(), cool("nerve", faces))
    passed = int(faces[0]) + int(faces[2]) >= 7
    tested = records.NerveTested(
        fighter=KRUG, because_of=VEX, wreck=None, fate="seriously_injured", friends_near=0, passed=passed
    )
    broke = () if passed else (records.FighterBroke(fighter=KRUG, flight="running_for_cover"),)
    table.then(tested, *broke)
    assert table.combatant(KRUG).broken is not passed


def test_the_roll_of_a_nerve_test_tells_faces_friends_and_cool_apart() -> None:
    table = gang_of(friend("hob"), fallen=seriously_injured(VEX)).when(nerve(near=1), cool("nerve", "2+4"))
    (made,) = table.rolls
    assert (made.faces, made.target, made.passed, made.rolled_by) == ((2, 4), 7, True, SKULLS)
    assert [(modifier.why, modifier.by) for modifier in made.modifiers] == [('friends within 3"', 1)]
    assert made.section == "Core Rulebook (2023) · Resolve Hits · Nerve Tests"


def test_of_friends_named_the_broken_and_the_seriously_injured_do_not_help() -> None:
    table = gang_of(friend("hob"), friend("pip"), fallen=seriously_injured(VEX))
    table = table.when(nerve("pip"), cool("nerve", "1+1"))
    table = table.when(
        records.TakeNerveTest(fighter=KRUG, because_of=VEX, friends_near=("hob", "pip", VEX)),
        cool("nerve", "2+4"),
    )
    (made,) = table.rolls
    assert [(modifier.why, modifier.by) for modifier in made.modifiers] == [
        ('friends within 3"', 1),
        ("Pip is Broken", 0),
        ("Vex is Seriously Injured", 0),
    ]
    assert made.passed


def test_a_friend_out_of_action_asks_for_a_nerve_test_too() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), OUT_COLD).when(nerve(), cool("nerve", "6+6"))
    assert [event.fate for event in table.outcome] == ["out_of_action"]


@every("state", ["seriously_injured", "webbed", "pinned"])
def test_pinned_webbed_and_seriously_injured_fighters_take_nerve_tests(state: str) -> None:
    table = vex_down()
    hurt = {
        "seriously_injured": (seriously_injured(KRUG),),
        "webbed": (hit(KRUG, by=DOT, traits=("Web",)), wound(6)),
        "pinned": (fall(KRUG, hundredths=300), wound(1)),
    }[state]
    table = table.when(*hurt).when(nerve(), cool("nerve", "1+2"))
    assert table.combatant(KRUG).broken


def test_a_fighter_out_of_action_takes_no_nerve_test() -> None:
    table = vex_down().when(out_of_action(KRUG), OUT_COLD)
    table.when(nerve()).then_refused(records.FighterOutOfPlay)


# --- Broken ----------------------------------------------------------------------------------------------


def test_the_broken_take_no_further_nerve_test() -> None:
    broken().when(nerve()).then_refused(records.NoNerveTestFor, why="Broken already")


def test_by_policy_the_broken_test_nerve_again_and_flee_again() -> None:
    table = broken(nerve__broken_retests="yes").when(nerve(), cool("nerve", "1+2"))
    assert table.outcome[1:] == (records.FighterBroke(fighter=KRUG, flight="running_for_cover"),)
    table.when(nerve(), cool("nerve", "6+2"))
    assert table.combatant(KRUG).broken


def test_the_broken_make_no_attack() -> None:
    table = broken()
    table.when(hit(DOT, by=KRUG)).then_refused(records.BrokenMayNotAttack, fighter="Krug")
    table.when(seriously_injured(DOT, by=KRUG)).then_refused(records.BrokenMayNotAttack)
    table.when(out_of_action(DOT, by=KRUG, coup_de_grace=True, reaction=True)).then_refused(
        records.BrokenMayNotAttack
    )


def test_the_broken_make_reaction_attacks_and_may_be_the_cause_of_what_is_no_attack() -> None:
    table = broken()
    assert table.when(hit(DOT, by=KRUG, reaction=True, in_close_combat=True), wound(1)).refusal is None
    assert table.when(hit(DOT, by=KRUG, attack=False), wound(1)).refusal is None


def test_the_broken_do_not_shoot() -> None:
    broken().when(records.Shoot(attacker=KRUG, weapon="stub gun", target=DOT)).then_refused(
        records.BrokenMayNotAttack
    )


def test_broken_is_gone_with_the_battle() -> None:
    table = broken().when(records.CloseBattle(winner=SAINTS), read_die("succumb", "D6", 6))
    table = table.when(
        records.OpenBattle(
            battle="b2", scenario="x", date="2026-01-02", crews={SKULLS: (KRUG,), SAINTS: (MAGS,)}
        )
    )
    assert not table.combatant(KRUG).broken


# --- who tests for whom ----------------------------------------------------------------------------------


@every("rank", ["juve", "prospect"])
def test_only_juves_and_prospects_test_nerve_for_a_juve_or_prospect_out_of_action(rank: str) -> None:
    table = gang_of(friend("hob", rank), friend("pip", "juve"), fallen=out_of_action("hob"), dice=(OUT_COLD,))
    table.when(nerve(KRUG, "hob")).then_refused(records.NoNerveTestFor)
    assert table.when(nerve("pip", "hob"), cool("nerve", "6+6")).refusal is None


@every("rank", ["juve", "prospect"])
def test_everybody_tests_nerve_for_a_seriously_injured_juve_or_prospect(rank: str) -> None:
    table = gang_of(friend("hob", rank), fallen=seriously_injured("hob"))
    assert table.when(nerve(KRUG, "hob"), cool("nerve", "6+6")).refusal is None


def test_a_nerve_test_may_say_which_of_two_fates_of_a_juve_it_is_for() -> None:
    table = gang_of(friend("hob", "juve"), fallen=seriously_injured("hob", by=MAGS))
    table = table.when(out_of_action("hob", by=MAGS, coup_de_grace=True), OUT_COLD)
    table.when(nerve(KRUG, "hob")).then_refused(records.NoNerveTestFor)
    table = table.when(nerve(KRUG, "hob", fate="seriously_injured"), cool("nerve", "6+6"))
    assert [event.fate for event in table.outcome] == ["seriously_injured"]


def test_by_the_archived_rules_everybody_tests_nerve_for_a_juve_and_prospects_for_a_prospect() -> None:
    knobs = {"nerve.young": "prospects"}
    table = given(card(VEX, category="juve"), knobs=knobs).when(out_of_action(VEX), lasting(2, 1))
    assert table.when(nerve(), cool("nerve", "6+6")).refusal is None
    table = given(card(VEX, category="prospect"), knobs=knobs).when(out_of_action(VEX), lasting(2, 1))
    table.when(nerve()).then_refused(records.NoNerveTestFor)


def test_a_fighter_to_whom_nothing_happened_is_no_cause_of_a_nerve_test() -> None:
    given().when(nerve()).then_refused(records.NothingBefell, victim="Vex")
    vex_down().when(nerve(fate="out_of_action")).then_refused(records.NothingBefell, fate="Out of Action")
    out = given().when(out_of_action(VEX), OUT_COLD)
    out.when(nerve(fate="seriously_injured")).then_refused(records.NothingBefell)


def test_an_enemys_fate_and_ones_own_are_no_cause_of_a_nerve_test() -> None:
    table = given().when(seriously_injured(DOT, by=KRUG))
    table.when(nerve(because_of=DOT)).then_refused(records.NotAFriend, friend="Dot")
    vex_down().when(nerve(VEX)).then_refused(records.OwnFate)


def test_a_nerve_test_has_exactly_one_cause() -> None:
    vex_down().when(nerve(because_of=None)).then_refused(records.NerveCauseUnclear)
    vex_down().when(nerve(wreck="the wagon")).then_refused(records.NerveCauseUnclear)
    vex_down().when(nerve(because_of=None, wreck="the wagon", fate="out_of_action")).then_refused(
        records.NerveCauseUnclear
    )


def test_fighters_test_nerve_for_a_friendly_wreck_too() -> None:
    table = given().when(nerve(because_of=None, wreck="the rust wagon"), cool("nerve", "1+1"))
    assert table.outcome == (
        records.NerveTested(
            fighter=KRUG,
            because_of=None,
            wreck="the rust wagon",
            fate="wrecked",
            friends_near=0,
            passed=False,
        ),
        records.FighterBroke(fighter=KRUG, flight="running_for_cover"),
    )


@every("book", ("necromunda_2023", "necromunda_archive"))
@every(("hundredths", "because_of", "wreck", "furthest"), [
    (300, VEX, None, None), (301, VEX, None, 3), (500, VEX, None, 3),
    (600, None, "the rig", None), (601, None, "the rig", 6),
])  # fmt: skip
def test_nerve_is_tested_within_3_inches_of_a_friend_and_6_of_a_wreck(
    book: str, hundredths: int, because_of: str | None, wreck: str | None, furthest: int | None
) -> None:
    test = nerve(because_of=because_of, wreck=wreck, distance_hundredths=hundredths)
    if furthest is None:
        assert len(vex_down(book=book).when(test, cool("nerve", "4+5")).outcome) == 1
        return
    why = f'it is {hundredths / 100:g}" away, and only models within {furthest}" test'
    vex_down(book=book).when(test).then_refused(records.NoNerveTestFor, why=why)


def test_whom_a_special_rule_makes_immune_takes_no_nerve_test() -> None:
    test = nerve(immune_by="Frenzied", distance_hundredths=0)
    vex_down().when(test).then_refused(records.NoNerveTestFor, why="Frenzied, as stated, makes immune to it")


# --- several tests ---------------------------------------------------------------------------------------


def two_down(knobs: dict[str, str] | None = None) -> Table:
    table = given(battle=False, knobs=knobs).when(records.EnlistFighter(gang=SKULLS, card=friend("hob")))
    crews = {SKULLS: (KRUG, VEX, "hob"), SAINTS: (MAGS, DOT)}
    table = table.when(records.OpenBattle(battle="b1", scenario="Ambush", date="2026-01-01", crews=crews))
    table = table.when(seriously_injured(VEX)).when(seriously_injured("hob"))
    return table.when(nerve(because_of=VEX, activation="mags 1"), cool("nerve", "6+6"))


def test_each_victim_of_an_attack_is_tested_nerve_for() -> None:
    table = two_down().when(nerve(because_of="hob", activation="mags 1"), cool("nerve", "1+1"))
    assert table.combatant(KRUG).broken


def test_by_policy_one_attack_brings_one_nerve_test() -> None:
    table = two_down({"nerve.batch": "once_per_attack"})
    table.when(nerve(because_of="hob", activation="mags 1")).then_refused(records.NerveTestedAlready)
    assert table.when(nerve(because_of="hob", activation="dot 1"), cool("nerve", "6+6")).refusal is None


def test_one_victim_is_tested_nerve_for_once_in_an_activation() -> None:
    table = two_down().when(out_of_action(VEX, by=MAGS, coup_de_grace=True), OUT_COLD)
    table.when(nerve(because_of=VEX, activation="mags 1")).then_refused(records.NerveTestedAlready)
    assert table.when(nerve(because_of=VEX, activation="mags 2"), cool("nerve", "6+6")).refusal is None


# --- friends near ----------------------------------------------------------------------------------------


def test_friends_near_are_stated_one_way_and_never_guessed() -> None:
    table = vex_down()
    table.when(nerve(near=None)).then_refused(records.FriendsNearUnclear)
    table.when(nerve(near=0, friends_near=())).then_refused(records.FriendsNearUnclear)


@every(("named", "refusal"), [((KRUG,), records.FriendsNearUnclear), ((DOT,), records.NotAFriend)])
def test_neither_the_tester_nor_an_enemy_is_a_friend_near(named: tuple[str, ...], refusal: Any) -> None:
    vex_down().when(nerve(near=None, friends_near=named)).then_refused(refusal)


def test_no_friend_near_counts_twice_or_out_of_action() -> None:
    table = gang_of(friend("hob"), friend("pip"), fallen=seriously_injured(VEX))
    table.when(nerve(near=None, friends_near=("hob", "hob"))).then_refused(records.FriendsNearUnclear)
    table = table.when(out_of_action("hob"), OUT_COLD)
    table.when(nerve(near=None, friends_near=("hob",))).then_refused(records.FighterOutOfPlay)


def test_more_friends_than_there_are_cannot_be_near() -> None:
    # Krug's gang has Vex besides, and Vex is down.
    vex_down().when(nerve(near=1)).then_refused(records.FriendsNearUnclear)


# --- vehicles --------------------------------------------------------------------------------------------


@every(("mobile", "flight"), [(True, "break_for_air"), (False, "burn_out")])
def test_a_vehicle_that_is_broken_breaks_for_air_or_burns_out(mobile: bool, flight: str) -> None:
    table = gang_of(friend("gus", "crew"))
    table = table.when(nerve("gus", None, wreck="the rust wagon", mobile=mobile), cool("nerve", "1+2"))
    assert table.outcome[1:] == (records.FighterBroke(fighter="gus", flight=flight),)
    assert table.rolls[0].section == "Core Rulebook (2023) · Resolve Hits · Vehicles and Nerve Tests"


def test_a_vehicle_takes_no_nerve_test_because_of_a_fighter() -> None:
    table = gang_of(friend("gus", "crew"), fallen=seriously_injured(VEX))
    table.when(nerve("gus", VEX, mobile=True)).then_refused(records.NoNerveTestFor)


def test_only_vehicles_help_vehicles_and_only_fighters_fighters() -> None:
    table = gang_of(friend("gus", "crew"), friend("max", "crew"), fallen=seriously_injured(VEX))
    table.when(
        records.TakeNerveTest(fighter="gus", wreck="wagon", friends_near=(KRUG,), mobile=True)
    ).then_refused(records.FriendsNearUnclear)
    table.when(records.TakeNerveTest(fighter=KRUG, because_of=VEX, friends_near=("gus",))).then_refused(
        records.FriendsNearUnclear
    )
    helped = table.when(
        records.TakeNerveTest(fighter="gus", wreck="wagon", friends_near=("max",), mobile=True),
        cool("nerve", "3+3"),
    )
    assert [(modifier.why, modifier.by) for modifier in helped.rolls[0].modifiers] == [
        ('friends within 6"', 1)
    ]


def test_a_nerve_test_says_of_vehicles_alone_whether_they_are_mobile() -> None:
    table = gang_of(friend("gus", "crew"), fallen=seriously_injured(VEX))
    table.when(nerve("gus", None, wreck="wagon")).then_refused(records.MovingOrNot)
    table.when(nerve(mobile=True)).then_refused(records.MovingOrNot)


def test_whoever_drives_a_vehicle_here_tests_as_a_vehicle() -> None:
    table = riding().when(seriously_injured(KRUG))
    table.when(nerve(VEX, KRUG)).then_refused(records.NoNerveTestFor)
    table.when(nerve(VEX, KRUG, mobile=True)).then_refused(records.NoNerveTestFor)


def test_a_wreck_shown_by_its_id_must_be_one_and_a_friends() -> None:
    table = riding().when(seriously_injured(KRUG))
    table.when(nerve(KRUG, None, wreck=RIG)).then_refused(records.NothingBefell, fate="Wrecked")
    table.when(nerve(KRUG, None, wreck=SLED)).then_refused(records.NotAFriend)
    table.when(nerve(VEX, None, wreck=RIG, mobile=True)).then_refused(records.OwnFate)


def test_a_crew_is_no_fallen_friend() -> None:
    table = gang_of(friend("gus", "crew"), fallen=seriously_injured("gus"))
    table.when(nerve(KRUG, "gus")).then_refused(records.NoNerveTestFor)


# --- one test for one fall --------------------------------------------------------------------------------------


@every(
    ("first", "second", "refusal"),
    [
        (None, None, records.NerveTestedTwice),
        ("mags 1", "mags 1", records.NerveTestedAlready),
        ("mags 1", "mags 2", None),
    ],
)
def test_a_serious_injury_made_out_of_action_in_one_activation_asks_for_no_second_test(
    first: str | None, second: str | None, refusal: type | None
) -> None:
    table = given().when(out_of_action(VEX, by=MAGS), OUT_COLD)
    table = table.when(nerve(activation=first), cool("nerve", "6+6"))
    again = table.when(nerve(activation=second), *(() if refusal else (cool("nerve", "1+1"),)))
    if refusal is None:
        assert again.combatant(KRUG).broken
    else:
        again.then_refused(refusal)


def test_a_victim_tested_for_when_injured_is_tested_for_again_when_taken_out_later() -> None:
    table = given().when(seriously_injured(VEX, by=MAGS)).when(nerve(), cool("nerve", "6+6"))
    table = table.when(out_of_action(VEX, by=MAGS), OUT_COLD)
    assert table.when(nerve(), cool("nerve", "1+1")).combatant(KRUG).broken


def test_by_policy_one_test_for_each_attack_asks_which_attack_it_was() -> None:
    table = given(knobs={"nerve.batch": "once_per_attack"}).when(seriously_injured(VEX, by=MAGS))
    table.when(nerve()).then_refused(records.ActivationNotStated)
    assert table.when(nerve(activation="mags 1"), cool("nerve", "1+1")).combatant(KRUG).broken
