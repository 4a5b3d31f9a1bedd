"""Experience for what one's own action does to enemies: 1 for Serious Injury, 2 for Out of Action, 1 for rank."""

from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    VEX,
    card,
    fall,
    flesh_wound,
    given,
    hit,
    injuries,
    injury,
    lasting,
    opening,
    out_of_action,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.records import replace

RANK_KNOB = "experience.rank_bonus"


def test_a_serious_injury_is_worth_1() -> None:
    assert given().when(seriously_injured(VEX, by=DOT)).fighter(DOT).experience == 1


def test_out_of_action_is_worth_2() -> None:
    assert given().when(out_of_action(VEX, by=DOT), OUT_COLD).fighter(DOT).experience == 2


def test_a_flesh_wound_is_worth_nothing() -> None:
    assert given().when(flesh_wound(VEX, by=DOT)).fighter(DOT).experience == 0


def test_out_of_action_by_toughness_0_is_worth_2_as_well() -> None:
    table = given(card(VEX, toughness=1)).when(flesh_wound(VEX, by=DOT), OUT_COLD)
    assert table.fighter(DOT).experience == 2


def test_serious_injury_and_out_of_action_of_one_roll_are_worth_2() -> None:
    table = given().when(
        hit(VEX, by=DOT, damage=2, activation="1"), wound(4), injury("serious", "ooa"), OUT_COLD
    )
    assert table.fighter(DOT).experience == 2


@every(
    ("knob", "serious", "out"),
    [("out_of_action_and_serious_injury", 2, 3), ("out_of_action_only", 1, 3)],
)
@every(("victim", "attacker"), [(KRUG, DOT), (MAGS, VEX)])
def test_a_leader_or_champion_is_worth_1_more(
    knob: str, serious: int, out: int, victim: str, attacker: str
) -> None:
    table = given(knobs={RANK_KNOB: knob})
    assert table.when(seriously_injured(victim, by=attacker)).fighter(attacker).experience == serious
    assert table.when(out_of_action(victim, by=attacker), OUT_COLD).fighter(attacker).experience == out


@every(
    "category",
    ["specialist", "ganger", "prospect", "juve", "crew", "brute", "hanger_on", "exotic_beast", "hired_gun"],
)
def test_no_rank_but_leader_and_champion_is_worth_1_more(category: str) -> None:
    table = given(card(VEX, category=category)).when(out_of_action(VEX, by=DOT), OUT_COLD)
    assert table.fighter(DOT).experience == 2


@every(("rank", "printed", "by_rule"), [("brute", 2, 3), ("ganger", 2, 2), ("champion", 3, 3)])
def test_by_house_rule_a_brute_taken_out_is_worth_1_xp_more(rank: str, printed: int, by_rule: int) -> None:
    for knobs, amount in ((None, printed), ({"experience.brute_out_of_action": "1_xp"}, by_rule)):
        victim = replace(card(DOT), category=rank)  # type: ignore[arg-type]
        table = given(victim, knobs=knobs).when(out_of_action(DOT, by=VEX), OUT_COLD)
        (gained,) = [event for event in table.outcome if isinstance(event, records.ExperienceGained)]
        assert gained.amount == amount


def test_a_brute_seriously_injured_is_worth_no_more_and_both_together_no_more_than_out_of_action() -> None:
    knobs = {"experience.brute_out_of_action": "1_xp"}
    table = given(replace(card(DOT), category="brute"), knobs=knobs)
    table = table.when(hit(DOT, by=VEX, activation="1"), wound(6), injury("serious"))
    assert table.fighter(VEX).experience == 1
    assert table.when(out_of_action(DOT, by=VEX, activation="1"), OUT_COLD).fighter(VEX).experience == 3


@every("knob", ["out_of_action_and_serious_injury", "out_of_action_only"])
@every(("victim", "out"), [(VEX, 2), (KRUG, 3)])
def test_one_activation_pays_experience_once_for_one_enemy(knob: str, victim: str, out: int) -> None:
    table = (
        given(knobs={RANK_KNOB: knob})
        .when(seriously_injured(victim, by=DOT, activation="round 1"))
        .when(out_of_action(victim, by=DOT, coup_de_grace=True, activation="round 1"), OUT_COLD)
    )
    assert table.fighter(DOT).experience == out


def test_two_activations_pay_for_serious_injury_and_for_out_of_action() -> None:
    table = (
        given()
        .when(seriously_injured(VEX, by=DOT, activation="round 1"))
        .when(out_of_action(VEX, by=DOT, activation="round 2"), OUT_COLD)
    )
    assert table.fighter(DOT).experience == 1 + 2


def test_one_activation_pays_experience_for_each_enemy() -> None:
    table = (
        given()
        .when(out_of_action(VEX, by=DOT, activation="round 1"), OUT_COLD)
        .when(out_of_action(KRUG, by=DOT, activation="round 1"), OUT_COLD)
    )
    assert table.fighter(DOT).experience == 2 + 3


def test_two_attackers_of_one_activation_name_are_paid_each_for_their_own() -> None:
    table = (
        given()
        .when(seriously_injured(VEX, by=DOT, activation="1"))
        .when(out_of_action(VEX, by=MAGS, activation="1"), OUT_COLD)
    )
    assert (table.fighter(DOT).experience, table.fighter(MAGS).experience) == (1, 2)


def test_the_next_battle_begins_with_a_clean_slate() -> None:
    table = (
        given()
        .when(out_of_action(VEX, by=DOT, activation="1"), OUT_COLD)
        .when(CLOSING)
        .when(opening(2))
        .when(out_of_action(VEX, by=DOT, activation="1"), OUT_COLD)
    )
    assert table.fighter(DOT).experience == 4


def test_friends_taken_out_of_action_are_worth_nothing() -> None:
    table = given().when(out_of_action(VEX, by=KRUG), lasting(6, 6))
    assert table.fighter(KRUG).experience == 0


def test_harm_that_no_attack_did_is_worth_nothing() -> None:
    table = given().when(out_of_action(VEX, by=DOT, attack=False), lasting(6, 6))
    assert table.fighter(DOT).experience == 0


def test_harm_by_nobody_is_worth_nothing() -> None:
    table = given().when(injuries(VEX, dice=1), injury("ooa"), OUT_COLD)
    assert [table.fighter(name).experience for name in (KRUG, VEX, MAGS, DOT)] == [0, 0, 0, 0]
    fallen = given().when(fall(VEX, hundredths=400), wound(4), injury("ooa"), OUT_COLD)
    assert [fallen.fighter(name).experience for name in (KRUG, VEX, MAGS, DOT)] == [0, 0, 0, 0]


def test_a_memorable_death_by_an_attack_is_worth_1_more() -> None:
    table = given().when(out_of_action(VEX, by=DOT, activation="1"), lasting(6, 6))
    assert table.fighter(DOT).experience == 2 + 1


def test_a_memorable_death_is_worth_more_even_when_the_activation_paid_already() -> None:
    table = (
        given()
        .when(seriously_injured(VEX, by=DOT, activation="1"))
        .when(out_of_action(VEX, by=DOT, coup_de_grace=True, activation="1"), lasting(6, 6))
    )
    assert table.fighter(DOT).experience == 2 + 1


def test_experience_adds_to_what_a_fighter_came_with() -> None:
    table = given(card(DOT, experience=5)).when(out_of_action(VEX, by=DOT), OUT_COLD)
    assert table.fighter(DOT).experience == 7


def test_an_award_is_added_and_an_empty_one_refused() -> None:
    assert (
        given().when(records.AwardExperience(fighter=VEX, amount=2, reason="won")).fighter(VEX).experience
        == 2
    )
    for amount in (0, -1, 101):
        given().when(records.AwardExperience(fighter=VEX, amount=amount, reason="?")).then_refused(
            records.NothingToAward
        )


def test_the_dead_and_the_retired_are_awarded_nothing() -> None:
    dead = given().when(out_of_action(VEX, by=DOT), lasting(6, 6))
    dead.when(records.AwardExperience(fighter=VEX, amount=1, reason="?")).then_refused(
        records.FighterGone, standing="dead"
    )
    retired = given(battle=False).when(records.RetireFighter(fighter=VEX, reason="old"))
    retired.when(records.AwardExperience(fighter=VEX, amount=1, reason="?")).then_refused(
        records.FighterGone, standing="retired"
    )
