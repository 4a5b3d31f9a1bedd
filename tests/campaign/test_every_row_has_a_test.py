"""Every trait, skill and condition of a rulebook has a test that is named as it, or says why it asks for nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tracker.campaign import records
from tracker.records import replace
from tracker.rules import loader

BOOKS = ("necromunda_2023", "necromunda_archive")
PRINTED = BOOKS[0]
THE_SKILL = "_the_skill"
"""What a test of a skill has behind its name where a trait is called so, too."""
KEPT_ELSEWHERE = ("webbed", "mounted")
"""Conditions of the sheet that no `ConditionName` says: a fighter's own fields."""


def words_of_tests() -> frozenset[str]:
    """What the tests of rules are called: names of functions, and texts in what they are parametrized by."""
    found: set[str] = set()
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        if file.name == Path(__file__).name:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.add(f"_{node.name.removeprefix('test_')}_")
                found.update(f"_{text}_" for text in _parameters(node))
    return frozenset(found)


def _parameters(test: ast.FunctionDef) -> Iterator[str]:
    for decorator in test.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield _as_words(node.value)


def _as_words(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


NAMED = words_of_tests()


def is_tested(row: str, *, skill_beside_trait: bool = False) -> bool:
    """Whether a test is named as a row; where a trait has its name too, as the skill."""
    name = _as_words(row)
    if skill_beside_trait:
        return any(f"_{name}{THE_SKILL}_" in words for words in NAMED)
    return any(f"_{name}_" in words.replace(f"_{name}{THE_SKILL}_", "_") for words in NAMED)


def rows(book: str) -> list[tuple[str, str]]:
    """Every row of a book: what it is, and what it is called."""
    found = loader.book(book)
    return [
        *(("trait", row) for row in (*found.traits, *found.traits_elsewhere)),
        *(("skill", row) for row in found.skills),
        *(("condition", row) for row in (*get_args(records.ConditionName), *KEPT_ELSEWHERE)),
    ]


def row_of(book: str, kind: str, name: str) -> Any:
    """A row as it is declared, None where another chapter has it."""
    found = loader.book(book)
    return {"trait": found.traits, "skill": found.skills}.get(kind, {}).get(name)


@pytest.mark.parametrize(("kind", "name"), rows(PRINTED), ids=lambda part: part)
def test_a_row_is_tested_by_its_name_or_asks_for_nothing(kind: str, name: str) -> None:
    row = row_of(PRINTED, kind, name)
    if row is not None and row.asks_for_nothing is not None:
        assert row.at_the_table
        assert not row.effects
        return
    beside = kind == "skill" and name.replace("_", "-") in loader.book(PRINTED).traits
    assert is_tested(name, skill_beside_trait=beside), (
        f"no test in tests/campaign is named as the {kind} {name}: write it, or declare what decides it"
    )


def test_an_archived_row_is_that_of_the_2023_book_or_has_a_test_of_its_own() -> None:
    for kind, name in rows("necromunda_archive"):
        row = row_of("necromunda_archive", kind, name)
        own = any(f"_{_as_words(name)}_" in words and "_archived_" in words for words in NAMED)
        assert own or row == row_of(PRINTED, kind, name), f"{kind} {name} is otherwise, and has no test"
    printed, archived = (loader.book(book).conditions for book in BOOKS)
    assert printed is not None
    assert archived is not None
    assert replace(archived, source=printed.source) == printed


def test_a_row_of_a_tables_own_needs_its_words_or_an_effect() -> None:
    """What the mechanism holds, each own row then holds: `test_own_skills.py` plays them."""
    assert is_tested("own skill")
    assert is_tested("own trait")


def test_the_names_are_looked_for_as_whole_words() -> None:
    assert is_tested("fear")
    assert not is_tested("fea")
    assert not is_tested("no such row")
    assert is_tested("parry", skill_beside_trait=True)
    assert not is_tested("dodge", skill_beside_trait=True)


def test_a_row_that_asks_for_nothing_has_no_effect() -> None:
    declared = [row for book in BOOKS for row in loader.book(book).skills.values() if row.asks_for_nothing]
    assert {row.skill for row in declared} == {
        "clamber", "sprint", "slalom", "infiltrate", "commanding_presence",
    }  # fmt: skip
    traits = [row for book in BOOKS for row in loader.book(book).traits.values() if row.asks_for_nothing]
    assert {row.trait for row in traits} == {
        "crew-operated", "demolitions", "esoteric", "exclusive", "silent",
    }  # fmt: skip


def test_demolitions_hit_scenery_alone_of_which_nothing_is_kept() -> None:
    for book in BOOKS:
        row = loader.book(book).traits["demolitions"]
        assert (row.asks_for_nothing, row.effects, row.resolves) == ("scenery", (), False)
