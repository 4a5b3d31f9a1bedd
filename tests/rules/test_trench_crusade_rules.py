"""Pools, armour, markers and the tables of Trench Crusade, without any campaign."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from tables import every

from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo
from tracker.rules.trench_crusade import injuries, trauma
from tracker.rules.trench_crusade.injuries import Pool

BOOK = loader.book("trench_crusade")
RULEBOOK = loader.rulebook("trench_crusade", [])
APART = loader.rulebook("trench_crusade", [("x@1", {"bloodbath.extra_die": "separate_die"})])
LOWEST = loader.rulebook("trench_crusade", [("x@1", {"dice.mixed": "any_minus_keeps_lowest"})])
Files = dict[str, dict[str, Any]]


@every(
    ("start", "plus", "minus", "pool"),
    [
        (2, 0, 0, Pool(roll=2, keep=2, which="highest")),
        (2, 1, 0, Pool(roll=3, keep=2, which="highest")),
        (3, 1, 0, Pool(roll=4, keep=3, which="highest")),
        (2, 0, 2, Pool(roll=4, keep=2, which="lowest")),
        (1, 2, 0, Pool(roll=3, keep=1, which="highest")),
        (2, 2, 2, Pool(roll=2, keep=2, which="highest")),
        (2, 3, 1, Pool(roll=4, keep=2, which="highest")),
        (2, 1, 3, Pool(roll=4, keep=2, which="lowest")),
    ],
)
def test_as_many_dice_are_kept_as_the_pool_began_with(start: int, plus: int, minus: int, pool: Pool) -> None:
    assert injuries.dice_pool(start=start, plus_dice=plus, minus_dice=minus, rulebook=RULEBOOK) == pool


def test_any_minus_keeps_the_lowest_where_the_table_reads_it_so() -> None:
    mixed = injuries.dice_pool(start=2, plus_dice=2, minus_dice=1, rulebook=LOWEST)
    assert mixed == Pool(roll=5, keep=2, which="lowest")
    for plus, minus in ((2, 0), (0, 2), (0, 0)):
        asked = {"start": 2, "plus_dice": plus, "minus_dice": minus}
        assert injuries.dice_pool(**asked, rulebook=LOWEST) == injuries.dice_pool(**asked, rulebook=RULEBOOK)


def test_bloodbath_makes_the_pool_larger_or_adds_a_die_apart() -> None:
    asked = {"start": 2, "plus_dice": 1, "minus_dice": 0, "bloodbath": True}
    assert injuries.injury_pool(**asked, rulebook=RULEBOOK) == Pool(roll=4, keep=3, which="highest")
    assert injuries.injury_pool(**asked, rulebook=APART) == Pool(roll=3, keep=2, which="highest", extra=1)
    without = {**asked, "bloodbath": False}
    assert injuries.injury_pool(**without, rulebook=APART) == Pool(roll=3, keep=2, which="highest")


@every("keep", [1, 2, 3])
def test_the_dice_kept_of_a_pool_are_the_best_or_the_worst(keep: int) -> None:
    for faces in product(range(1, 7), repeat=4):
        best = Pool(roll=4, keep=keep, which="highest").kept(faces)
        worst = Pool(roll=4, keep=keep, which="lowest").kept(faces)
        assert not Counter(best) - Counter(faces)
        assert not Counter(worst) - Counter(faces)
        assert sum(best) == sum(sorted(faces)[4 - keep :])
        assert sum(worst) == sum(sorted(faces)[:keep])


def test_the_die_apart_always_counts() -> None:
    assert Pool(roll=3, keep=2, which="lowest", extra=1).kept((6, 1, 5, 6)) == (1, 5, 6)


def test_bloodbath_costs_6_markers_and_3_when_the_target_is_down() -> None:
    assert injuries.bloodbath_cost(target_is_down=False) == 6
    assert injuries.bloodbath_cost(target_is_down=True) == 3


def test_markers_stop_at_6() -> None:
    for held, gained in product(range(7), range(1, 3)):
        assert injuries.markers_after(held=held, gained=gained) == min(6, held + gained)


@every(
    ("kind", "alone", "with_shield"),
    [(None, 0, -1), ("standard", -1, -2), ("reinforced", -2, -3), ("machine", -3, -3)],
)
def test_armour_and_shield_add_up_but_for_machine_armour(
    kind: str | None, alone: int, with_shield: int
) -> None:
    worn = BOOK.armour[kind] if kind is not None else None
    for shield, total in ((False, alone), (True, with_shield)):
        off = injuries.armour_modifiers(armour=worn, shield=shield, shield_modifier=BOOK.shield_modifier)
        assert sum(by for _, by in off) == total


@every(
    ("total", "result"),
    [(-2, "no_effect"), (1, "no_effect"), (2, "minor_hit"), (6, "minor_hit"), (7, "down"), (8, "down"),
     (9, "out_of_action"), (24, "out_of_action")],
)  # fmt: skip
def test_the_bands_of_the_injury_chart(total: int, result: str) -> None:
    assert BOOK.chart("injury_chart").read(total).id == result


@every(
    ("total", "result"), [(2, "failure"), (6, "failure"), (7, "success"), (11, "success"), (12, "critical")]
)
def test_the_bands_of_a_success_roll(total: int, result: str) -> None:
    assert BOOK.chart("action_chart").read(total).id == result


def test_a_trauma_table_has_15_scars_and_each_but_lost_eye_is_rolled_again_when_borne() -> None:
    for name in ("trauma_1_6", "trauma_1_0", "trauma_1_0_2"):
        rows = BOOK.table(name).rows
        scars = [row for row in rows if any(type(effect).__name__ == "BattleScar" for effect in row.effects)]
        assert sum(len(row.cells) for row in scars) == 15
        assert {row.id for row in scars if not row.rolled_again_when} == {"lost_eye"}
        assert {row.id for row in rows if row.rolled_again_when} <= {row.id for row in scars}


def test_the_knob_chooses_the_table_of_trauma() -> None:
    later = loader.rulebook("trench_crusade", [("x@1", {"trauma.version": "1.0"})])
    assert trauma.trauma_table(RULEBOOK).id == "trauma_1_6"
    assert trauma.trauma_table(later).id == "trauma_1_0"
    as_printed = loader.rulebook("trench_crusade", [("x@1", {"trauma.version": "1.0.2"})])
    assert trauma.trauma_table(as_printed).id == "trauma_1_0_2"


def test_this_book_has_no_injury_die_and_the_other_no_chart() -> None:
    with pytest.raises(BookHasNo):
        assert BOOK.injury_dice
    with pytest.raises(BookHasNo):
        loader.book("necromunda_2023").chart("injury_chart")


def test_a_number_of_dice_is_shown_and_worsened_as_a_card_says() -> None:
    ranged, armour = BOOK.characteristics["ranged"], BOOK.characteristics["armour_modifier"]
    assert [ranged.shown(value) for value in (-1, 0, 2)] == ["-1 DICE", "+0 DICE", "+2 DICE"]
    assert (ranged.worsened(1, 1), ranged.improved(1, 1)) == (0, 2)
    assert (armour.shown(-2), armour.worsened(-2, 1), armour.improved(-2, 1)) == ("-2", -1, -3)
