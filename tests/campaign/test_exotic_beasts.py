"""Exotic Beasts: whose Nerve they test, no part in Bottle checks or gang composition, XP and rolls as Gangers have. Source: D6.2."""

from itertools import product

from advancing import with_xp
from aftermaths import fallen
from nerves import cool, friend, gang_of, nerve
from scenario import (
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
from trading_scenario import d6, hire, rich, two

from tracker.campaign import records
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


def beasts() -> Table:
    """Krug, Vex and two Exotic Beasts against Mags and Dot."""
    rat = friend(RAT, "exotic_beast")
    return gang_of(rat, friend(CAT, "exotic_beast"))


@every(("tester", "victim"), list(product(RANKS, RANKS)))
def test_only_exotic_beasts_test_nerve_for_exotic_beasts_and_they_test_for_everybody(
    tester: str, victim: str
) -> None:
    spared = rules.spared_as_another_kind(tester=tester, victim=victim, rulebook=PRINTED)
    assert spared is (victim == "exotic_beast" and tester != "exotic_beast")


@every("fallen", ["seriously_injured", "out_of_action"])
def test_only_exotic_beasts_test_nerve_for_an_exotic_beast_that_falls(fallen: str) -> None:
    table = beasts()
    if fallen == "out_of_action":
        table = table.when(out_of_action(RAT, by=MAGS), OUT_COLD)
    else:
        table = table.when(seriously_injured(RAT, by=MAGS))
    table.when(nerve(KRUG, RAT)).then_refused(records.NoNerveTestFor)
    assert table.when(nerve(CAT, RAT), cool("nerve", "1+1")).combatant(CAT).broken


def test_an_exotic_beast_tests_nerve_for_a_fighter_as_all_do() -> None:
    table = beasts().when(seriously_injured(VEX, by=MAGS))
    assert table.when(nerve(RAT), cool("nerve", "1+1")).combatant(RAT).broken


@every("face", range(1, 7))
def test_exotic_beasts_are_neither_casualties_nor_crew_of_a_bottle_check(face: int) -> None:
    """Krug and Vex are a crew of two: one down and the die are over it from 2 on, whatever the beasts do."""
    table = beasts().when(seriously_injured(VEX, by=MAGS)).when(seriously_injured(RAT, by=MAGS))
    checked = table.when(records.CheckBottle(gang=SKULLS), d6("bottle", face))
    assert checked.state.under_way is not None
    assert (SKULLS in checked.state.under_way.bottled) is (face + 1 > 2)


def test_a_crew_of_exotic_beasts_alone_takes_no_bottle_check() -> None:
    table = given(card(VEX, category="exotic_beast"), battle=False).when(
        records.OpenBattle(
            battle="b1", scenario="Ambush", date="2026-01-01", crews={SKULLS: (VEX,), SAINTS: (MAGS,)}
        )
    )
    for voluntary in (False, True):
        check = records.CheckBottle(gang=SKULLS, voluntary=voluntary)
        table.when(check).then_refused(records.NobodyBottles)


def test_an_exotic_beast_gains_xp_for_taking_part() -> None:
    table = fallen(table=given(card(VEX, category="exotic_beast"))).when(records.AwardTakingPart(gang=SKULLS))
    assert table.fighter(VEX).experience == 1


def test_an_exotic_beast_rolls_its_advancements_as_a_ganger() -> None:
    table = with_xp(VEX, 6, category="exotic_beast")
    table = table.when(records.RollAdvancement(fighter=VEX, choose=("movement",)), two(3, 4))
    assert table.fighter(VEX).advancements == 1


def test_exotic_beasts_count_on_neither_side_of_gang_composition() -> None:
    # Krug the Leader and Vex the Ganger: one of each, and one more of either would be too many.
    assert rich().when(hire(RAT, "exotic_beast")).when(hire(CAT, "exotic_beast")).refusal is None
    rich().when(hire(RAT, "exotic_beast")).when(hire("sly", "champion")).then_refused(records.TroubledGang)


def test_no_exotic_beast_leads_a_gang() -> None:
    table = given(card(VEX, category="exotic_beast"), battle=False)
    table = table.when(records.RetireFighter(fighter=KRUG, reason="gone"))
    table.when(records.NameLeader(gang=SKULLS)).then_refused(records.NobodyToLead)
