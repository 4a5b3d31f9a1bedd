"""Chances of tables and charts, against cells counted by hand and pools computed elsewhere."""

import pytest
from tables import every

from tracker.rules import chances, loader
from tracker.rules.conversion import ENDLESS, totals_between


def test_a_table_comes_as_often_as_it_has_cells() -> None:
    rows = chances.table_chances(loader.book("necromunda_2023"), "lasting_injuries")
    assert sum(line.chance for line in rows.lines) == 1
    assert {line.row: line.ways for line in rows.lines if line.ways > 1} == {
        "out_cold": 8,
        "convalescence": 6,
        "captured": 2,
        "critical_injury": 5,
    }


@every(
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
    rows = chances.table_chances(loader.book("trench_crusade"), "injury_chart", pool=pool, modifier=modifier)
    assert tuple(line.ways for line in rows.lines) == ways


def test_an_unknown_table_or_pool_is_refused() -> None:
    book = loader.book("trench_crusade")
    with pytest.raises(chances.UnknownTable, match="Did you mean 'injury_chart'"):
        chances.table_chances(book, "injury_charts")
    for pool in ("", "7D6", "2D6kh3", "2D6kx1", "D4", "2d6", "kh1"):
        with pytest.raises(chances.NoSuchPool):
            chances.table_chances(book, "injury_chart", pool=pool or "-")
    with pytest.raises(chances.TableTakesNoPool):
        chances.table_chances(book, "trauma_1_6", pool="2D6")


def test_a_table_is_shown_as_the_book_prints_it() -> None:
    rows = chances.table_chances(loader.book("necromunda_2023"), "lasting_injuries")
    table = loader.book("necromunda_2023").tables["lasting_injuries"]
    assert (rows.table, rows.dice) == ("lasting_injuries", "D66")
    assert (rows.title, rows.source) == (table.title, table.source)
    printed = {line.row: (line.name, line.printed, line.of) for line in rows.lines}
    assert printed["lesson_learned"] == ("Lesson Learned", "11", 36)
    assert printed["out_cold"] == ("Out Cold", "15-26", 36)
    assert printed["captured"] == ("Captured", "55-56", 36)


def test_a_chart_is_shown_as_the_book_prints_it_and_by_2d6_unless_other_dice_are_named() -> None:
    book = loader.book("trench_crusade")
    rows = chances.table_chances(book, "injury_chart")
    assert (rows.table, rows.title, rows.dice) == ("injury_chart", "Injury Chart", "2D6")
    assert rows.source == "Trench Crusade (1.6) · Injury Chart"
    assert [(line.row, line.name, line.printed) for line in rows.lines] == [
        ("no_effect", "No Effect", "1-"),
        ("minor_hit", "Minor Hit", "2-6"),
        ("down", "Down", "7-8"),
        ("out_of_action", "Out of Action", "9+"),
    ]
    assert {line.of for line in rows.lines} == {36}
    assert chances.table_chances(book, "injury_chart", pool="3D6kh2", modifier=-1).dice == "3D6kh2-1"
    assert chances.table_chances(book, "injury_chart", modifier=2).dice == "2D6+2"
    assert {line.of for line in chances.table_chances(book, "injury_chart", pool="3D6").lines} == {216}


def test_a_chart_that_names_its_dice_is_read_with_them() -> None:
    for name in loader.book_names():
        book = loader.book(name)
        for chart in book.charts.values():
            expected = "2D6" if chart.roll == "total" else chart.roll
            assert chances.table_chances(book, chart.id).dice == expected


@every(
    ("totals", "printed"),
    [
        (range(7, 9), "7-8"),
        (range(9, ENDLESS), "9+"),
        (range(-ENDLESS, 2), "1-"),
        (range(-ENDLESS, 13), "12-"),
        (range(4, 5), "4"),
    ],
)
def test_a_range_of_totals_is_printed_as_it_is_read(totals: range, printed: str) -> None:
    assert chances.totals_printed(totals) == printed
    assert totals_between(printed) == totals


@every("text", ["", "x", "7-8-9", "+", "-7", "7+-", "seven"])
def test_what_is_no_range_of_totals_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no range of totals: expected such as 7-8, 9\\+ or 1-"):
        totals_between(text)


@every(
    ("pool", "lowest", "highest", "ways"),
    [
        ("D66", 11, 66, 36),
        ("D6", 1, 6, 6),
        ("D3", 1, 3, 3),
        ("2D3", 2, 6, 9),
        ("6D3", 6, 18, 729),
        ("3D3kh3", 3, 9, 27),
        ("2D6kl1", 1, 6, 36),
    ],
)
def test_a_pool_falls_in_every_way_from_lowest_to_highest(
    pool: str, lowest: int, highest: int, ways: int
) -> None:
    totals = chances.pool_totals(pool)
    assert (min(totals), max(totals), len(totals)) == (lowest, highest, ways)


def test_a_d66_reads_its_tens_first() -> None:
    assert sorted(chances.pool_totals("D66")) == [
        10 * tens + units for tens in range(1, 7) for units in range(1, 7)
    ]


@every(
    "pool", ["D", "0D6", "7D6", "XD6", "2D", "2D4", "2DD6", "D6D6", "2D6k", "2D6kx1", "2D6kh", "2D6kh0",
             "2D6khX", "2D6kh3", "2D6kX", "2D66", "2D6kL1", "2D6khl2"],
)  # fmt: skip
def test_what_is_no_pool_is_refused_by_its_name(pool: str) -> None:
    with pytest.raises(chances.NoSuchPool) as refused:
        chances.pool_totals(pool)
    assert refused.value.message() == (
        f"{pool!r} is no pool of dice: write D6, 2D6, D3 or D66, or with the dice that count"
        " 3D6kh2 (the two highest) or 3D6kl2 (the two lowest), up to six dice."
    )


def test_a_table_that_the_book_has_not_is_refused_with_those_it_has() -> None:
    book = loader.book("trench_crusade")
    with pytest.raises(chances.UnknownTable) as unknown:
        chances.table_chances(book, "injury_charts")
    assert unknown.value.message() == (
        "The book trench_crusade has no table 'injury_charts'. Did you mean 'injury_chart'?"
        f" Known: {', '.join((*book.tables, *book.charts))}."
    )
    with pytest.raises(chances.TableTakesNoPool) as takes_none:
        chances.table_chances(book, "trauma_1_6", modifier=1)
    assert takes_none.value.message() == (
        "trauma_1_6 is read by a D66 as it lies: it takes no other dice and no modifier."
    )
