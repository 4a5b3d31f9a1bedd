"""Ganger Advancements: who rolls 2D6, and what each total offers. Source: rules D3.3."""

from __future__ import annotations

from advancing import with_xp
from scenario import KRUG, VEX, card
from tables import every
from trading_scenario import FEROCITY, skill, two

from tracker.campaign import records
from tracker.rules import loader

ARCHIVE = "necromunda_archive"


ROWS = {
    2: ("specialist",),
    3: ("weapon_skill", "ballistic_skill"),
    4: ("weapon_skill", "ballistic_skill"),
    5: ("strength", "toughness"),
    6: ("strength", "toughness"),
    7: ("movement", "initiative"),
    8: ("willpower", "intelligence"),
    9: ("willpower", "intelligence"),
    10: ("leadership", "cool"),
    11: ("leadership", "cool"),
    12: ("specialist",),
}


CREDITS = {2: 20, 3: 20, 4: 20, 5: 30, 6: 30, 7: 10, 8: 5, 9: 5, 10: 10, 11: 10, 12: 20}


def split(total: int) -> tuple[int, int]:
    """Two faces of that total."""
    return (total - 1, 1) if total <= 7 else (6, total - 6)


@every("total", range(2, 13))
@every("which", [0, 1])
def test_a_ganger_rolls_takes_one_of_what_is_offered_and_loses_6_xp(total: int, which: int) -> None:
    offers = ROWS[total]
    chosen = offers[which % len(offers)]
    roll = records.RollAdvancement(fighter=VEX, choose=(chosen,), skill_set=FEROCITY)
    more = (skill(6),) if chosen == "specialist" else ()
    table = with_xp(VEX, 6).when(roll, two(*split(total)), *more)
    vex, before = table.fighter(VEX), card(VEX)
    assert (vex.experience, vex.advancements, vex.cost_credits) == (0, 1, 100 + CREDITS[total])
    if chosen == "specialist":
        assert (vex.category, vex.skills, vex.characteristics) == (
            "specialist",
            ("Outlast",),
            before.characteristics,
        )
    else:
        better = (
            loader.book("necromunda_2023").characteristics[chosen].improved(before.characteristics[chosen], 1)
        )
        assert vex.characteristics == {**before.characteristics, chosen: better}


def test_a_ganger_with_less_than_6_xp_does_not_roll_and_others_never_do() -> None:
    with_xp(VEX, 5).when(records.RollAdvancement(fighter=VEX)).then_refused(
        records.NotEnoughExperience, needed=6
    )
    with_xp(KRUG, 6).when(records.RollAdvancement(fighter=KRUG)).then_refused(records.CannotAdvanceSo)
    with_xp(VEX, 6, category="specialist").when(records.RollAdvancement(fighter=VEX)).then_refused(
        records.CannotAdvanceSo
    )


def test_a_row_that_offers_two_needs_a_choice() -> None:
    table = with_xp(VEX, 6)
    table.when(records.RollAdvancement(fighter=VEX), two(2, 3)).then_refused(
        records.ChoiceNeeded, rolled=5, options=("strength", "toughness")
    )
    only = with_xp(VEX, 6, strength=6).when(records.RollAdvancement(fighter=VEX), two(2, 3))
    assert only.fighter(VEX).characteristics["toughness"] == 4


def test_the_choice_between_two_is_made_by_any_name() -> None:
    chosen = with_xp(VEX, 6).when(records.RollAdvancement(fighter=VEX, choose=("T",)), two(2, 3))
    assert chosen.fighter(VEX).characteristics["toughness"] == 4


def test_a_row_past_its_maximum_counts_as_12() -> None:
    table = with_xp(VEX, 6, weapon_skill=2, ballistic_skill=2)
    table = table.when(records.RollAdvancement(fighter=VEX, skill_set=FEROCITY), two(1, 2), skill(2))
    assert (table.fighter(VEX).category, table.fighter(VEX).skills) == ("specialist", ("Howl",))


def test_a_ganger_rolls_as_long_as_there_is_xp_enough() -> None:
    roll = records.RollAdvancement(fighter=VEX, choose=("strength", "cool"), skill_set=FEROCITY)
    table = with_xp(VEX, 13).when(roll, two(2, 3), two(4, 6))
    assert (table.fighter(VEX).experience, table.fighter(VEX).advancements) == (1, 2)
    once = with_xp(VEX, 13, knobs={"ganger_advancement.rolls": "once"}).when(roll, two(2, 3))
    assert (once.fighter(VEX).experience, once.fighter(VEX).advancements) == (7, 1)


def test_a_ganger_who_became_a_specialist_rolls_no_more_advancements() -> None:
    roll = records.RollAdvancement(fighter=VEX, skill_set=FEROCITY)
    table = with_xp(VEX, 18).when(roll, two(6, 6), skill(1))
    assert (table.fighter(VEX).experience, table.fighter(VEX).category) == (12, "specialist")


def test_the_archive_adds_no_credits_and_no_skill_for_a_specialist_and_rolls_once() -> None:
    table = with_xp(VEX, 12, book=ARCHIVE).when(records.RollAdvancement(fighter=VEX), two(1, 1))
    vex = table.fighter(VEX)
    assert (vex.category, vex.cost_credits, vex.skills, vex.experience) == ("specialist", 100, (), 6)
