"""Books: what the 2023 book holds, what is refused when it is loaded, and that no knob stands idle."""

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tables import every

import tracker
from tracker.dice import D66, read_die
from tracker.rules import effects as fx
from tracker.rules import loader
from tracker.rules.conversion import ALL_CELLS, cells_between, convert, totals_between
from tracker.rules.loader import BrokenBook
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.own_rows import OWN_DIE, OWN_TEST
from tracker.rules.rulebook import BookHasNo, ImpossibleKnobValue, Policy, UnknownKnob, die_knob
from tracker.rules.tables import NoSuchRow, Row

PACKAGE = Path(tracker.__file__).parent
BOOK = loader.book("necromunda_2023")
Files = dict[str, dict[str, Any]]
BOOK_FILES = tuple(loader.book_files("necromunda_2023"))


@pytest.fixture
def files() -> Files:
    folder = PACKAGE / "rules" / "books" / "necromunda_2023"
    return {stem: tomllib.loads((folder / f"{stem}.toml").read_text(encoding="utf-8")) for stem in BOOK_FILES}


# --- what the book holds ---------------------------------------------------------------------------------


def rows_with(*kinds: type) -> list[Row]:
    return [
        row for row in BOOK.lasting_injuries.rows if any(isinstance(effect, kinds) for effect in row.effects)
    ]


def test_the_lasting_injury_table_has_these_rows_on_these_cells() -> None:
    expected = [
        ("Lesson Learned", ("11",)),
        ("Impressive Scars", ("12",)),
        ("Horrid Scars", ("13",)),
        ("Bitter Enmity", ("14",)),
        ("Out Cold", ("15", "16", "21", "22", "23", "24", "25", "26")),
        ("Convalescence", ("31", "32", "33", "34", "35", "36")),
        ("Old Battle Wound", ("41",)),
        ("Partially Deafened", ("42",)),
        ("Humiliated", ("43",)),
        ("Eye Injury", ("44",)),
        ("Hand Injury", ("45",)),
        ("Hobbled", ("46",)),
        ("Spinal Injury", ("51",)),
        ("Enfeebled", ("52",)),
        ("Head Injury", ("53",)),
        ("Multiple Injuries", ("54",)),
        ("Captured", ("55", "56")),
        ("Critical Injury", ("61", "62", "63", "64", "65")),
        ("Memorable Death", ("66",)),
    ]
    assert [(row.name, row.cells) for row in BOOK.lasting_injuries.rows] == expected


def test_of_36_results_8_are_out_cold_8_convalescence_6_recovery_and_9_nothing() -> None:
    def cells(rows: list[Row]) -> int:
        return sum(len(row.cells) for row in rows)

    rows = BOOK.lasting_injuries.rows
    assert cells(list(rows)) == 36
    assert cells([row for row in rows if row.id == BOOK.lasting_injuries.default_row]) == 8
    assert cells(rows_with(fx.Convalescence)) == 8
    assert cells(rows_with(fx.Recovery)) == 6
    assert cells(rows_with(fx.Captured)) == 2
    assert cells(rows_with(fx.Critical)) == 5
    assert cells(rows_with(fx.Death)) == 1
    # Nothing on a first roll: no effect at all, or one that waits for a repeat.
    idle = [
        row
        for row in rows
        if all(isinstance(effect, fx.Reduce) and effect.from_occurrence > 1 for effect in row.effects)
    ]
    assert cells(idle) == 9


def test_the_limits_of_each_characteristic_are_those_of_the_book() -> None:
    limits = {
        limits.short: (limits.shown(limits.best), limits.shown(limits.worst))
        for limits in BOOK.characteristics.values()
    }
    assert limits == {
        "M": ('8"', '1"'),
        "WS": ("2+", "6+"),
        "BS": ("2+", "6+"),
        "S": ("6", "1"),
        "T": ("6", "1"),
        "W": ("6", "1"),
        "I": ("2+", "6+"),
        "A": ("10", "1"),
        "Ld": ("3+", "10+"),
        "Cl": ("3+", "10+"),
        "Wil": ("3+", "10+"),
        "Int": ("3+", "10+"),
    }


def test_a_reduced_target_number_rises_and_a_reduced_number_falls() -> None:
    assert BOOK.characteristics["ballistic_skill"].worsened(4, 1) == 5
    assert BOOK.characteristics["cool"].improved(7, 1) == 6
    assert BOOK.characteristics["movement"].worsened(5, 1) == 4
    assert BOOK.characteristics["toughness"].worsened(3, 1) == 2


def test_experience_is_1_for_serious_injury_2_for_out_of_action_and_1_more_for_leaders_and_champions() -> (
    None
):
    awards = BOOK.experience
    assert (awards.serious_injury, awards.out_of_action, awards.rank_bonus) == (1, 2, 1)
    assert awards.ranks_with_bonus == ("leader", "champion")


def test_every_table_names_its_source(files: Files) -> None:
    assert all(files[stem]["source"] for stem in BOOK_FILES)


def test_every_cell_is_read_to_the_row_that_prints_it() -> None:
    for row in BOOK.lasting_injuries.rows:
        for cell in row.cells:
            die = read_die("lasting_injury", D66, cell)
            assert BOOK.lasting_injuries.read(die) is row


@every("name", loader.book_names())
def test_a_book_read_anew_reads_every_cell_and_row(name: str) -> None:
    for table in loader.build_book(loader.book_files(name), where=name).tables.values():
        assert sorted(cell for row in table.rows for cell in row.cells) == sorted(ALL_CELLS)
        for row in table.rows:
            assert table.has_row(row.id)
            assert table.row(row.id) is row
            assert all(table.read(read_die("lasting_injury", D66, cell)) is row for cell in row.cells)


def test_a_row_that_the_table_has_not_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(NoSuchRow, match="hobbled"):
        BOOK.lasting_injuries.row("hobled")


@every(
    ("text", "cells"),
    [("46", ("46",)), ("15-26", ("15", "16", "21", "22", "23", "24", "25", "26")), ("61-62", ("61", "62"))],
)
def test_a_range_of_cells_holds_only_what_two_dice_can_show(text: str, cells: tuple[str, ...]) -> None:
    assert cells_between(text) == cells


@every(("printed", "within"), [("3-", {-2, 0, 1, 2, 3}), ("4+", {4, 5, 6, 40}), ("2-3", {2, 3}), ("6", {6})])
def test_a_range_of_totals_without_an_end_holds_every_total_beyond(printed: str, within: set[int]) -> None:
    totals = totals_between(printed)
    assert {total for total in (-2, 0, 1, 2, 3, 4, 5, 6, 40) if total in totals} == within


# --- what is refused -------------------------------------------------------------------------------------


def test_the_book_as_it_stands_is_accepted(files: Files) -> None:
    assert loader.build_book(files, where="necromunda_2023") == BOOK


@pytest.mark.parametrize("stem", BOOK_FILES)
def test_a_table_without_its_source_is_refused(stem: str, files: Files) -> None:
    del files[stem]["source"]
    with pytest.raises(BrokenBook, match="names no source"):
        loader.build_book(files, where="necromunda_2023")


def test_a_policy_that_moves_an_unknown_knob_is_refused() -> None:
    with pytest.raises(UnknownKnob):
        loader.rulebook("necromunda_2023", [("of-this-table@1", {"lasting_injuries.roles": "once"})])


def test_a_policy_that_sets_a_knob_to_an_impossible_value_is_refused() -> None:
    with pytest.raises(ImpossibleKnobValue):
        loader.rulebook("necromunda_2023", [("of-this-table@1", {"lasting_injuries.rolls": "twice"})])


def test_a_policy_file_with_other_keys_is_refused() -> None:
    with pytest.raises(BrokenBook):
        convert({"id": "a", "version": 1}, Policy, file="a@1.toml")


# --- every book and house rule -----------------------------------------------------------------------------


@every("name", loader.policies())
def test_every_house_rule_fits_a_book(name: str) -> None:
    patch = loader.policy(name).patch
    fitting = [book for book in loader.book_names() if set(patch) <= set(loader.book(book).knobs)]
    assert fitting
    for book in fitting:
        loader.book(book).check_patch(dict(patch))


@every("name", loader.presets())
def test_no_two_policies_of_a_preset_move_one_knob(name: str) -> None:
    moved = [knob for policy in loader.preset(name).policies for knob in loader.policy(policy).patch]
    assert len(moved) == len(set(moved))


def test_a_patch_changes_its_knobs_and_no_other() -> None:
    printed = loader.rulebook("necromunda_2023", [])
    house = loader.policy("one-lasting-injury-roll")
    patched = loader.rulebook("necromunda_2023", [(house.id, house.patch)])
    assert patched.settings == {**printed.settings, "lasting_injuries.rolls": "once"}
    assert patched.digest != printed.digest
    assert patched.version == "necromunda_2023@1 + one-lasting-injury-roll@1"


@cache
def trees(*folders: str) -> dict[str, ast.Module]:
    """The source code under folders of the package, by file."""
    files = (file for folder in folders for file in (PACKAGE / folder).rglob("*.py"))
    return {str(file): ast.parse(file.read_text(encoding="utf-8")) for file in files}


@cache
def knobs_read() -> set[str]:
    """Every name that rule code asks a rulebook for: the argument of each `.knob("...")`."""
    found = set()
    for file, tree in trees("rules", "campaign").items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "knob":
                (name,) = node.args
                assert isinstance(name, ast.Constant), f"{file} asks for a knob without naming it"
                found.add(name.value)
    return found


def test_every_knob_that_rule_code_reads_is_in_a_book_and_every_knob_of_a_book_is_read() -> None:
    books = [loader.book(name) for name in loader.book_names()]
    assert knobs_read() <= {knob for book in books for knob in book.knobs}
    for book in books:
        choosing_dice = {die_knob(name) for name, variants in book.special_dice.items() if len(variants) > 1}
        left_to_players = {name for name, knob in book.knobs.items() if knob.at_the_table}
        assert set(book.knobs) == set(book.knobs) & (knobs_read() | choosing_dice) | left_to_players
        assert not left_to_players & knobs_read()


def test_every_post_battle_action_of_a_book_is_taken_somewhere_and_every_one_taken_is_in_a_book() -> None:
    taken = {
        node.args[2].value
        for tree in trees("campaign/steps").values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("take_action")
        if isinstance(node.args[2], ast.Constant)
    }
    books = [loader.book(name) for name in loader.book_names()]
    assert taken == {action for book in books for action in book.post_battle.actions}


def test_rule_code_never_names_a_policy_or_a_book() -> None:
    names = {
        *loader.book_names(),
        *(policy.policy for policy in loader.policies().values()),
        *loader.presets(),
    }
    for file, tree in trees("rules", "campaign").items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value.partition("@")[0] not in names, f"{file}: {node.value}"


def purposes_asked_for() -> set[str]:
    """Purposes that decide code names itself, and those that effects of the tables name."""
    found = {OWN_DIE, OWN_TEST}  # of rows that a table writes itself
    for tree in trees("campaign/steps").values():
        for node in ast.walk(tree):
            asks = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in (
                "d6",
                "d3",
                "d66",
                "two_d6",
                "special",
            )
            if asks:
                found |= {
                    argument.value
                    for argument in node.args
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                }
    tables = (table for name in loader.book_names() for table in loader.book(name).tables.values())
    for row in (row for table in tables for row in table.rows):
        for effect in row.effects:
            if isinstance(effect, fx.Experience):
                found.add(effect.purpose)
            if isinstance(effect, fx.RollAgain):
                found |= {effect.purpose, effect.count_purpose}
            if isinstance(effect, fx.BattleScar) and effect.which:
                found.add(effect.which_purpose)
    for book in map(loader.book, loader.book_names()):
        for rule in (*book.traits.values(), *book.skills.values()):
            found |= {purpose for effect in rule.effects for purpose, _ in effect.purposes()}
    return found


def test_every_purpose_that_dice_are_asked_for_can_be_typed() -> None:
    typed = {purpose for name in loader.book_names() for purpose in loader.book(name).purposes}
    assert typed == purposes_asked_for()


def test_a_range_that_is_none_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="'15-27' is no range of D66 cells"):
        cells_between("15-27")


def test_a_row_that_a_table_has_not_is_refused_with_those_it_has() -> None:
    with pytest.raises(NoSuchRow) as refused:
        BOOK.lasting_injuries.row("hobled")
    table = BOOK.lasting_injuries
    assert refused.value.message() == (
        f"The {table.title} has no row 'hobled'. Did you mean 'hobbled'? Give the D66 (such as 4-6) or one"
        f" of: {', '.join(row.id for row in table.rows)}."
    )


def test_a_band_that_a_chart_has_not_is_refused_with_those_it_has() -> None:
    chart = loader.book("trench_crusade").chart("injury_chart")
    assert chart.band("down").name == "Down"
    with pytest.raises(NoSuchRow) as refused:
        chart.band("dawn")
    assert refused.value.message() == (
        "The Injury Chart has no row 'dawn'. Did you mean 'down'? Give the D66 (such as 4-6) or one of:"
        " no_effect, minor_hit, down, out_of_action."
    )


def test_what_a_book_has_not_is_refused_by_the_books_title() -> None:
    book = loader.book("trench_crusade")
    asked = {
        "escape rolls": lambda: book.table("escape_rolls"),
        "mood": lambda: book.chart("mood"),
        "injury die": lambda: book.injury_dice,
        "experience": lambda: book.experience,
        "nerve tests": lambda: book.nerve,
        "vehicles": lambda: book.vehicles,
    }
    for part, ask in asked.items():
        with pytest.raises(BookHasNo) as refused:
            ask()
        assert refused.value.message() == f"{book.title} has no {part}, so this cannot be decided by it."


def test_of_a_special_dies_variants_the_knob_chooses() -> None:
    book = loader.book("necromunda_2023")
    for name, variants in book.special_dice.items():
        for variant, die in variants.items():
            assert book.special_die(name, {f"{name}_die.faces": variant}) is die
    assert {len(variants) for variants in book.special_dice.values()} >= {1, 2}


@every(("printed", "key"), [("Rapid Fire (3)", "rapid-fire"), ("Power", "power"), (' Blast (3") ', "blast")])
def test_a_trait_is_known_by_its_words(printed: str, key: str) -> None:
    assert trait_key(printed) == key
