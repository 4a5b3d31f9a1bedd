"""Nerve, once for each cause: Exotic Beasts and their like, one Rally test a round, no second test for one fall."""

from itertools import product

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
    given,
    out_of_action,
    seriously_injured,
)
from tables import every

from tracker.campaign import records
from tracker.dice import Die, read_die
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.necromunda import nerve as rules

RAT, CAT = "rat", "cat"
RANKS = (
    "leader",
    "champion",
    "specialist",
    "ganger",
    "prospect",
    "juve",
    "crew",
    "brute",
    "hanger_on",
    "exotic_beast",
    "hired_gun",
)
PRINTED = loader.rulebook("necromunda_2023", [])


def cool(faces: str, purpose: str = "nerve") -> Die:
    return read_die(purpose, "2D6", faces)


def d6(face: int) -> Die:
    return read_die("bottle", "D6", face)


def nerve_for(fighter: str, victim: str = VEX, **more: str) -> records.TakeNerveTest:
    return records.TakeNerveTest(fighter=fighter, because_of=victim, friends_near_count=0, **more)  # type: ignore[arg-type]


def beasts(*, knobs: dict[str, str] | None = None) -> Table:
    """Krug, Vex and two Exotic Beasts against Mags and Dot."""
    table = given(battle=False, knobs=knobs)
    for name in (RAT, CAT):
        beast = replace(card(VEX), fighter=name, name=name.capitalize(), category="exotic_beast")
        table = table.when(records.EnlistFighter(gang=SKULLS, card=beast))
    crews = {SKULLS: (KRUG, VEX, RAT, CAT), SAINTS: (MAGS, DOT)}
    return table.when(records.OpenBattle(battle="b1", scenario="Ambush", date="2026-01-01", crews=crews))


# --- Exotic Beasts ---------------------------------------------------------------------------------------


@every(("tester", "victim"), list(product(RANKS, RANKS)))
def test_only_exotic_beasts_test_for_exotic_beasts_and_they_test_for_everybody(
    tester: str, victim: str
) -> None:
    spared = rules.spared_as_another_kind(tester=tester, victim=victim, rulebook=PRINTED)
    assert spared is (victim == "exotic_beast" and tester != "exotic_beast")


@every("fallen", ["seriously_injured", "out_of_action"])
def test_a_beast_that_falls_frightens_its_like_alone(fallen: str) -> None:
    table = beasts()
    if fallen == "out_of_action":
        table = table.when(out_of_action(RAT, by=MAGS), OUT_COLD)
    else:
        table = table.when(seriously_injured(RAT, by=MAGS))
    table.when(nerve_for(KRUG, RAT)).then_refused(records.NoNerveTestFor)
    assert table.when(nerve_for(CAT, RAT), cool("1+1")).combatant(CAT).broken


def test_a_beast_tests_for_a_fighter_as_all_do() -> None:
    table = beasts().when(seriously_injured(VEX, by=MAGS))
    assert table.when(nerve_for(RAT), cool("1+1")).combatant(RAT).broken


@every("face", range(1, 7))
def test_exotic_beasts_are_neither_casualties_nor_crew_of_a_bottle_check(face: int) -> None:
    """Krug and Vex are a crew of two: one down and the die are over it from 2 on, whatever the beasts do."""
    table = beasts().when(seriously_injured(VEX, by=MAGS)).when(seriously_injured(RAT, by=MAGS))
    checked = table.when(records.CheckBottle(gang=SKULLS), d6(face))
    assert checked.state.under_way is not None
    assert (SKULLS in checked.state.under_way.bottled) is (face + 1 > 2)


# --- one Rally test in each End phase ----------------------------------------------------------------------


def krug_broken() -> Table:
    return given().when(seriously_injured(VEX, by=MAGS)).when(nerve_for(KRUG), cool("1+1"))


def rally(round_: int | None = None) -> records.TakeRallyTest:
    return records.TakeRallyTest(fighter=KRUG, friends_near_count=0, round=round_)


def test_a_fighter_takes_one_rally_test_in_each_end_phase() -> None:
    failed = krug_broken().when(rally(1), cool("1+1", "rally"))
    failed.then(records.RallyTestTaken(fighter=KRUG, round=1))
    failed.when(rally(1)).then_refused(records.RalliedAlready, round=1)
    rallied = failed.when(rally(2), cool("6+6", "rally"))
    assert rallied.outcome[:2] == (
        records.RallyTestTaken(fighter=KRUG, round=2),
        records.FighterRallied(fighter=KRUG),
    )
    rallied.when(rally(3)).then_refused(records.NotBroken)


def test_where_no_round_is_shown_rally_tests_are_not_counted() -> None:
    failed = krug_broken().when(rally(), cool("1+1", "rally"))
    failed.then_nothing_happened()
    assert not failed.when(rally(), cool("6+6", "rally")).combatant(KRUG).broken


# --- one Nerve test for one fall -----------------------------------------------------------------------------


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
    table = table.when(replace(nerve_for(KRUG), activation=first), cool("6+6"))
    again = table.when(replace(nerve_for(KRUG), activation=second), *(() if refusal else (cool("1+1"),)))
    if refusal is None:
        assert again.combatant(KRUG).broken
    else:
        again.then_refused(refusal)


def test_a_victim_tested_for_when_injured_is_tested_for_again_when_taken_out_later() -> None:
    table = given().when(seriously_injured(VEX, by=MAGS)).when(nerve_for(KRUG), cool("6+6"))
    table = table.when(out_of_action(VEX, by=MAGS), OUT_COLD)
    assert table.when(nerve_for(KRUG), cool("1+1")).combatant(KRUG).broken


def test_by_policy_one_test_for_each_attack_asks_which_attack_it_was() -> None:
    table = given(knobs={"nerve.batch": "once_per_attack"}).when(seriously_injured(VEX, by=MAGS))
    table.when(nerve_for(KRUG)).then_refused(records.ActivationNotStated)
    assert table.when(replace(nerve_for(KRUG), activation="mags 1"), cool("1+1")).combatant(KRUG).broken
