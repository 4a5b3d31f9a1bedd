"""Books that do not hold together: each is refused by the file and the fault, in words that help to mend it."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import made_up_book
import pytest
from spoiled_books import GONE, MADE_UP, TWICE, WHOLE, Files, spoiled
from tables import every

from tracker.rules import loader
from tracker.rules.loader import BrokenBook
from tracker.rules.vehicle_tables import CONTROL_DIE, DAMAGE_DIE, LOCATION_DIE

TABLE = Path(__file__).parents[2] / "fixtures" / "broken-books.txt"
TWENTY_THREE, TRENCH = "necromunda_2023", "trench_crusade"


def faults() -> Iterator[tuple[str, str, object, str]]:
    """Each change of the table with its book and the fault below it: 'falls/lowest_inches = 2', 'knobs is gone'."""
    book = ""
    lines = iter(TABLE.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith("# "):
            book = line[2:]
        elif line:
            path, change, value = line.split(" ", 2)
            made = (
                json.loads(value)
                if change == "="
                else {"is gone": GONE, "stands twice": TWICE}[f"{change} {value}"]
            )
            yield book, path, made, next(lines).strip()


FAULTS = [*faults()]


@every(("book", "path", "value", "fault"), FAULTS, ids=[f"{book}-{fault[:60]}" for book, *_, fault in FAULTS])
def test_a_book_is_refused_by_file_and_fault(book: str, path: str, value: object, fault: str) -> None:
    with pytest.raises(BrokenBook) as refused:
        loader.build_book(spoiled(book, path, value), where=book)
    assert f"{refused.value.file}: {refused.value.fault}" == f"{book}/{fault}"
    mend = "Mend the file before anything is decided with it."
    assert refused.value.message() == f"{book}/{fault}. {mend}"


def nerve_twice(files: Files) -> None:
    files["nerve"]["test"].append({**files["nerve"]["test"][0]})
    files["nerve"]["test"][-1].update(tester="fighter", because_of="vehicle")
    files["nerve"]["test"].insert(0, {**files["nerve"]["test"][-1]})


def another_variant(files: Files) -> None:
    files["dice"]["die"].append({**files["dice"]["die"][0], "variant": "grimmer"})


def alike(files: Files) -> None:
    files["armour"]["armour"].append({**files["armour"]["armour"][0], "id": "tin"})


@every(
    ("book", "spoil", "fault"),
    [
        (MADE_UP, another_variant, "dice.toml: the variants of the injury die are not the choices of the knob injury_die.faces"),
        (TWENTY_THREE, nerve_twice, "nerve.toml: the test of a fighter because of vehicle stands twice"),
        (TRENCH, alike, "armour.toml: the modifier -1 stands twice"),
    ],
)  # fmt: skip
def test_a_row_too_many_is_refused(book: str, spoil: Callable[[Files], None], fault: str) -> None:
    files = copy.deepcopy(WHOLE[book])
    spoil(files)
    with pytest.raises(BrokenBook) as refused:
        loader.build_book(files, where=book)
    assert f"{refused.value.file}: {refused.value.fault}" == f"{book}/{fault}"


@every("book", [TWENTY_THREE, "necromunda_archive"])
@every("die", [LOCATION_DIE, DAMAGE_DIE, CONTROL_DIE])
def test_a_book_with_vehicles_needs_their_dice(die: str, book: str) -> None:
    files = copy.deepcopy(WHOLE[book])
    files["dice"]["purpose"] = [purpose for purpose in files["dice"]["purpose"] if purpose["die"] != die]
    files["dice"]["die"] = [row for row in files["dice"]["die"] if row["name"] != die]
    with pytest.raises(BrokenBook) as refused:
        loader.build_book(files, where=book)
    assert refused.value.fault == f"vehicles need a {die} die"


def test_the_whole_books_are_not_refused() -> None:
    """Or every refusal above might have another reason."""
    for name, files in WHOLE.items():
        assert loader.build_book(files, where=name).book == name
    assert loader.build_book(WHOLE[MADE_UP], where=MADE_UP).charts["mood"].roll == "2D6"


def test_what_a_book_need_not_say_has_its_printed_default() -> None:
    files = made_up_book.files()
    del files["experience"]
    book = loader.build_book(files, where=MADE_UP)
    assert book.experience_awards is None
    awards = loader.build_book(made_up_book.files(), where=MADE_UP).experience
    assert (awards.rallied, awards.assisted_recovery, awards.vehicle_wrecked) == (0, 0, 0)
    assert (awards.serious_injury, awards.out_of_action, awards.ranks_with_bonus) == (0, 5, ())
    assert (book.falls, book.lowest_fall_inches, book.armour, book.shield_modifier) == ((), 0, {}, 0)
    assert (dict(book.traits), book.traits_elsewhere, book.categories) == ({}, {}, ())
    assert (book.nerve_rules, book.vehicle_rules, dict(book.charts)) == (None, None, {})


def tables(content: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The whole file and every table that stands in a list of it."""
    if isinstance(content, dict):
        if not path or isinstance(path[-1], int):
            yield path
        for key, value in content.items():
            yield from tables(value, (*path, key))
    if isinstance(content, list):
        for place, value in enumerate(content):
            yield from tables(value, (*path, place))


@every("book", WHOLE)
def test_an_unknown_key_is_refused_in_every_table_of_every_file(book: str) -> None:
    for stem, content in WHOLE[book].items():
        for path in tables(content):
            spoiled = copy.deepcopy(content)
            table: Any = spoiled
            for step in path:
                table = table[step]
            table["luck"] = 1
            with pytest.raises(BrokenBook) as refused:
                loader.build_book({**WHOLE[book], stem: spoiled}, where=book)
            assert refused.value.file == f"{book}/{stem}.toml"
            assert refused.value.fault.endswith("has an unknown 'luck'"), refused.value.fault
