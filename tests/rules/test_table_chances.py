"""Chances of tables and charts, against cells counted by hand and pools computed elsewhere."""

import pytest

from tracker.rules import shelf
from tracker.rules.chances import NoSuchPool, TableTakesNoPool, UnknownTable, table_chances


def test_a_table_comes_as_often_as_it_has_cells() -> None:
    told = table_chances(shelf.book("necromunda_2023"), "lasting_injuries")
    assert sum(line.chance for line in told.lines) == 1
    assert {line.row: line.ways for line in told.lines if line.ways > 1} == {
        "out_cold": 8,
        "convalescence": 6,
        "captured": 2,
        "critical_injury": 5,
    }


@pytest.mark.parametrize(
    ("pool", "modifier", "ways"),
    [
        ("2D6", 0, (0, 15, 11, 10)),
        ("2D6", -1, (1, 20, 9, 6)),
        ("2D6", -3, (6, 24, 5, 1)),
        ("3D6kh2", 0, (0, 42, 61, 113)),
        ("3D6kh2", -1, (1, 68, 70, 77)),
        ("3D6kl2", 0, (0, 147, 46, 23)),
        ("4D6kh2", 0, (0, 117, 279, 900)),
        ("3D6", -3, (4, 77, 54, 81)),
        ("4D6kl2", 0, (0, 1071, 173, 52)),
        ("D6", 0, (1, 5, 0, 0)),
        ("2D6kh1", 0, (1, 35, 0, 0)),
    ],
)
def test_a_chart_comes_as_often_with_each_pool_as_computed(
    pool: str, modifier: int, ways: tuple[int, ...]
) -> None:
    told = table_chances(shelf.book("trench_crusade"), "injury_chart", pool=pool, modifier=modifier)
    assert tuple(line.ways for line in told.lines) == ways


def test_what_is_no_table_and_no_pool_is_refused() -> None:
    book = shelf.book("trench_crusade")
    with pytest.raises(UnknownTable, match="Did you mean 'injury_chart'"):
        table_chances(book, "injury_charts")
    for pool in ("", "7D6", "2D6kh3", "2D6kx1", "D4", "2d6", "kh1"):
        with pytest.raises(NoSuchPool):
            table_chances(book, "injury_chart", pool=pool or "-")
    with pytest.raises(TableTakesNoPool):
        table_chances(book, "trauma_1_6", pool="2D6")
