"""Rally tests: who rallies, who helps, the XP for it, and one in each End phase. Source: D4.4."""

from itertools import product

from nerves import broken, cool, friend, gang_of, nerve
from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, card, enlist, given, seriously_injured
from tables import every

from tracker.campaign import records


@every("faces", [f"{a}+{b}" for a, b in product(range(1, 7), repeat=2)])
def test_a_fighter_who_rallies_is_broken_no_more_and_gains_1_xp(faces: str) -> None:
    table = broken().when(records.TakeRallyTest(fighter=KRUG, friends_near_count=0), cool("rally", faces))
    rallies = int(faces[0]) + int(faces[2]) >= 7
    gained = records.ExperienceGained(
        fighter=KRUG,
        amount=1,
        reason="rallied",
        section="Core Rulebook (2023) · Experience · Gaining Experience",
    )
    table.then(*((records.FighterRallied(fighter=KRUG), gained) if rallies else ()))
    assert table.combatant(KRUG).broken is not rallies


def test_friends_and_home_turf_help_to_rally() -> None:
    table = gang_of(friend("hob"), friend("gus", "crew"), fallen=seriously_injured(VEX))
    table = table.when(nerve(), cool("nerve", "1+2"))
    table = table.when(
        records.TakeRallyTest(fighter=KRUG, friends_near=("hob", "gus", VEX), home_turf=True),
        cool("rally", "1+3"),
    )
    assert [(modifier.why, modifier.by) for modifier in table.rolls[0].modifiers] == [
        ('friends within 3"', 2),
        ("Vex is Seriously Injured", 0),
        ("Home Turf", 1),
    ]
    assert not table.combatant(KRUG).broken


def test_only_broken_fighters_take_rally_tests() -> None:
    given().when(records.TakeRallyTest(fighter=KRUG, friends_near_count=0)).then_refused(records.NotBroken)


def test_by_the_archived_rules_a_natural_2_neither_keeps_the_nerve_nor_rallies() -> None:
    knobs = {"cool_test.natural_2": "fails"}
    table = given(card(KRUG, cool=3), battle=False, knobs=knobs).when(
        records.EnlistFighter(gang=SKULLS, card=friend("hob"))
    )
    crews = {SKULLS: (KRUG, VEX, "hob"), SAINTS: (MAGS, DOT)}
    table = table.when(records.OpenBattle(battle="b1", scenario="Ambush", date="2026-01-01", crews=crews))
    table = table.when(seriously_injured(VEX)).when(nerve(near=1), cool("nerve", "1+1"))
    assert table.combatant(KRUG).broken


def test_in_a_battle_of_three_gangs_friends_may_be_allies() -> None:
    table = given(battle=False).when(
        enlist("third", friend("hob"), friend("pip"))
    )  # fmt: skip
    crews = {SKULLS: (KRUG, VEX), SAINTS: (MAGS, DOT), "third": ("hob", "pip")}
    table = table.when(records.OpenBattle(battle="b1", scenario="Ambush", date="2026-01-01", crews=crews))
    table = table.when(seriously_injured(VEX)).when(nerve(near=2), cool("nerve", "2+3"))
    assert not table.combatant(KRUG).broken


# --- one in each End phase -----------------------------------------------------------------------------------


def rally(round_: int | None = None) -> records.TakeRallyTest:
    return records.TakeRallyTest(fighter=KRUG, friends_near_count=0, round=round_)


def test_a_fighter_takes_one_rally_test_in_each_end_phase() -> None:
    failed = broken().when(rally(1), cool("rally", "1+1"))
    failed.then(records.RallyTestTaken(fighter=KRUG, round=1))
    failed.when(rally(1)).then_refused(records.RalliedAlready, round=1)
    rallied = failed.when(rally(2), cool("rally", "6+6"))
    assert rallied.outcome[:2] == (
        records.RallyTestTaken(fighter=KRUG, round=2),
        records.FighterRallied(fighter=KRUG),
    )
    rallied.when(rally(3)).then_refused(records.NotBroken)


def test_where_no_round_is_shown_rally_tests_are_not_counted() -> None:
    failed = broken().when(rally(), cool("rally", "1+1"))
    failed.then_nothing_happened()
    assert not failed.when(rally(), cool("rally", "6+6")).combatant(KRUG).broken
