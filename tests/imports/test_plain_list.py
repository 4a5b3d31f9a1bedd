"""A gang as people write it down: one fighter on a line, with a price."""

import csv
import io

import pytest

from tracker.imports.plain_list import EXAMPLE, HEAD, table_of_lines

WRITTEN = """Iron Dogs - House Goliath
Grimm, Forge Tyrant (leader), 170 credits: stub cannon, power hammer
2) Bolt - Forge Boss, Champion [130 cr]
   combat shotgun; fighting knife
- Slab, Bruiser, 70 credits
"""


def rows(text: str) -> list[tuple[str, ...]]:
    """The table that a list comes to, without its head."""
    head, *read = [tuple(row) for row in csv.reader(io.StringIO(table_of_lines(text)))]
    assert head == HEAD
    return read


def test_a_line_with_a_price_is_a_fighter() -> None:
    assert rows(WRITTEN) == [
        ("Iron Dogs", "House Goliath", "Grimm", "Forge Tyrant", "Leader", "170", "stub cannon; power hammer"),
        ("", "", "Bolt", "Forge Boss", "Champion", "130", "combat shotgun; fighting knife"),
        ("", "", "Slab", "Bruiser", "", "70", ""),
    ]


def test_the_example_that_people_are_shown_is_read() -> None:
    assert rows(EXAMPLE) == [("", "", "Grimm", "Forge Tyrant", "Leader", "170", "stub cannon; power hammer")]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "Name,Cost\nGrimm,170 credits\n", "name;type\nGrimm;Tyrant", "a letter to a friend"]
)
def test_a_table_and_what_has_no_price_are_left_alone(text: str) -> None:
    assert table_of_lines(text) == ""


def test_a_list_made_to_take_long_is_read_as_one_with_single_spaces() -> None:
    wide = " " * 200_000
    lines = f"Iron{wide}Dogs -{wide}House Goliath\nGrimm,{wide}Forge{wide}Tyrant{wide}(leader), 170{wide}credits: club"
    assert table_of_lines(lines) == table_of_lines(" ".join(lines.replace("\n", " \n ").split(" ")))
