"""Nothing that a user typed does harm where it is printed."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from report_examples import HOSTILE, HOSTILE_SAFE
from tables import every

from tracker.reports.escaping import for_markdown, json_text, sanitize
from tracker.reports.page import DataTable, Page, Sheet
from tracker.reports.rendering import render, sheet_text
from tracker.reports.terminal_text import table_text


@every(
    ("typed", "expected"),
    [
        ("Krug", "Krug"),
        ("Жанна Ōnizuka 鬼 🎲", "Жанна Ōnizuka 鬼 🎲"),
        (HOSTILE, HOSTILE_SAFE),
        ("cocked\r\ndie\tagain\u2028now", "cocked  die again now"),
        ("a\x00b\x7fc\x85d\x9be", "abc de"),
        ("\u202egruK\u2066\u200f\u061c\ufeff\u00ad", "gruK"),
        ("a\u115f\u3164\u034f\U000e0041b\ud800", "ab"),
    ],
)
def test_safe_drops_what_moves_hides_or_commands_and_keeps_what_is_read(typed: str, expected: str) -> None:
    assert sanitize(typed) == expected


@given(st.text())
def test_safe_text_is_clean_and_stays_as_it_is(typed: str) -> None:
    clean = sanitize(typed)
    assert sanitize(clean) == clean
    assert not any(character < " " or "\x7f" <= character <= "\x9f" for character in clean)
    clean.encode()


def test_a_markdown_cell_reads_as_it_was_typed() -> None:
    assert for_markdown(HOSTILE) == r"[2J[/bold]|=cmd`<b>".translate(
        {ord(character): f"\\{character}" for character in "[]|`<>"}
    )
    assert for_markdown(" a_b\\*c ") == r"a\_b\\\*c"


def test_a_markdown_table_aligns_numbers_right() -> None:
    assert render(
        Page(schema="", data=dict, blocks=lambda: [[DataTable(("Fighter", "XP"), [("Krug|", 12), ("Mags", None)])]]), "md"
    ) == (
        "| Fighter | XP |\n"
        "| --- | ---: |\n"
        "| Krug\\| | 12 |\n"
        "| Mags |  |"
    )  # fmt: skip


def test_a_sheet_runs_no_formula_and_keeps_numbers_bare() -> None:
    rows = [
        {"name": "=cmd|' /C calc'!A0", "xp": -2, "won": True},
        {"name": " +1", "xp": None, "won": False},
        {"name": "\u200b@sum", "xp": 0},
        {"name": "\t1", "xp": 1},
        {"name": '-"Krug", the Red', "xp": 1},
        {"name": "\uff1d1", "xp": 1},
        {"name": "Krug", "xp": 1},
    ]
    assert sheet_text(Sheet(("name", "xp", "won"), rows)) == (
        "name,xp,won\n"
        "'=cmd|' /C calc'!A0,-2,yes\n"
        "' +1,,no\n"
        "'@sum,0,\n"
        "' 1,1,\n"
        '"\'-""Krug"", the Red",1,\n'
        "'\uff1d1,1,\n"
        "Krug,1,"
    )


def test_json_names_its_schema_first() -> None:
    assert json_text("roster", {"gangs": [], "name": "Ōnizuka"}) == (
        '{\n  "schema": "arbitrator/roster/1",\n  "gangs": [],\n  "name": "Ōnizuka"\n}'
    )


@given(st.text(st.characters(codec=None)))
def test_json_loses_nothing_and_shows_nothing_harmful(typed: str) -> None:
    text = json_text("x", {"name": typed})
    assert json.loads(text)["name"] == typed
    assert all(sanitize(line) == line for line in text.split("\n"))
    text.encode()


def test_a_table_is_plain_aligned_text_without_a_terminal() -> None:
    assert table_text(DataTable(("Fighter", "XP"), [("Krug", 2), ("鬼", 12), ("[/bold] :skull:", None)])) == (
        "Fighter          XP\n"
        "Krug              2\n"
        "鬼               12\n"
        "[/bold] :skull:"
    )  # fmt: skip


def test_nothing_is_cut_without_a_width_and_nothing_is_lost_with_one() -> None:
    long = "a very long reason " * 20 + "x" * 300
    assert long in table_text(DataTable(("Reason",), [(long,)]))
    narrow = table_text(DataTable(("No.", "Reason"), [(1, long)]), width=30)
    assert max(len(line) for line in narrow.split("\n")) <= 30
    assert "".join(narrow.split()).endswith("x" * 300)


def test_a_table_is_coloured_only_when_asked_and_never_by_its_cells() -> None:
    plain = table_text(DataTable(("Fighter",), [(HOSTILE,)]))
    assert plain == f"Fighter\n{HOSTILE_SAFE}"
    coloured = table_text(DataTable(("Fighter",), [(HOSTILE,)]), colour=True)
    assert coloured.split("\n")[0].strip() == "\x1b[1mFighter            \x1b[0m"
    assert coloured.split("\n")[1].strip() == HOSTILE_SAFE


def test_a_table_of_no_rows_is_its_heading() -> None:
    assert table_text(DataTable(("Fighter", "XP"), [])) == "Fighter  XP"


def test_a_table_that_is_too_wide_is_cut_and_repeats_its_first_columns() -> None:
    table = DataTable(("Fighter", "M", "WS", "XP"), [("Krug", '5"', "4+", 2), ("Mags", '4"', "3+", 12)])
    assert table_text(table, width=16) == (
        "Fighter M  WS XP\n"
        'Krug    5" 4+  2\n'
        'Mags    4" 3+ 12'
    )  # fmt: skip
    assert table_text(table, width=15) == (
        'Fighter  M   WS\nKrug     5"  4+\nMags     4"  3+\n\nFighter  XP\nKrug      2\nMags     12'
    )
    assert table_text(table._replace(breaks=(2,)), width=15).startswith("Fighter  M\n")


def test_a_long_cell_is_wrapped_before_a_table_is_cut() -> None:
    table = DataTable(("No.", "Reason", "Status"), [(1, "a cocked die that nobody picked up", "open")])
    assert table_text(table, width=30) == (
        "No.  Reason             Status\n"
        "  1  a cocked die that  open\n"
        "     nobody picked up"
    )  # fmt: skip
