"""1. Make Wound Roll: which D6 wounds, by Strength against Toughness."""

import copy
from fractions import Fraction
from itertools import product

import pytest
from tables import every

from tracker.records import replace
from tracker.rules import loader
from tracker.rules.necromunda.wound_roll import wound_threshold
from tracker.rules.rulebook import BookHasNo

PRINTED_2023 = loader.rulebook("necromunda_2023", [])
BOOKS = (PRINTED_2023, loader.rulebook("necromunda_archive", []))

# The printed table, row by row. "Twice" and "half" are printed as rows of their own, so they win over
# "greater" and "lower". A half is an exact half: Strength 3 is more than half of Toughness 5.
PRINTED = (
    ("twice or greater", 2, lambda ratio: ratio >= 2),
    ("half or lower", 6, lambda ratio: ratio <= Fraction(1, 2)),
    ("greater", 3, lambda ratio: ratio > 1),
    ("equal", 4, lambda ratio: ratio == 1),
    ("lower", 5, lambda ratio: ratio < 1),
)


@every(("strength", "toughness"), list(product(range(1, 13), repeat=2)))
def test_the_wound_roll_follows_the_first_row_of_the_table_that_holds(strength: int, toughness: int) -> None:
    ratio = Fraction(strength, toughness)
    expected = next(needed for _, needed, holds in PRINTED if holds(ratio))
    for rulebook in BOOKS:
        assert wound_threshold(strength=strength, toughness=toughness, rulebook=rulebook) == expected


SPOT_CHECKS = {
    (4, 4): 4,
    (5, 4): 3,
    (7, 4): 3,
    (8, 4): 2,
    (3, 4): 5,
    (2, 4): 6,
    (3, 5): 5,
    (2, 5): 6,
    (3, 6): 6,
    (4, 6): 5,
    (4, 7): 5,
    (1, 1): 4,
    (2, 1): 2,
    (1, 2): 6,
    (3, 2): 3,
    (10, 5): 2,
    (4, 9): 6,
}


@every(("pair", "needed"), SPOT_CHECKS.items())
def test_these_strengths_wound_these_toughnesses_on(pair: tuple[int, int], needed: int) -> None:
    for rulebook in BOOKS:
        assert wound_threshold(strength=pair[0], toughness=pair[1], rulebook=rulebook) == needed


def test_a_book_may_print_other_numbers_and_one_without_a_table_decides_no_wound() -> None:
    files = copy.deepcopy(loader.book_files("necromunda_2023"))
    next(row for row in files["wound_roll"]["row"] if row["strength"] == "equal")["needs"] = 3
    changed = replace(PRINTED_2023, book=loader.build_book(files, where="other"))
    assert [wound_threshold(strength=s, toughness=4, rulebook=changed) for s in (4, 5, 3)] == [3, 3, 5]
    del files["wound_roll"]
    bare = replace(PRINTED_2023, book=loader.build_book(files, where="bare"))
    with pytest.raises(BookHasNo, match="wound roll"):
        wound_threshold(strength=4, toughness=4, rulebook=bare)
