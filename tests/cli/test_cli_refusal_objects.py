"""With --json a refusal is one object on standard output, whatever refuses: a rule, a file, the command line."""

from __future__ import annotations

from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report


def refused(table: Arbitrator, code: int, *words: str) -> dict[str, Any]:
    """The object of a refusal; what is said for people says the same."""
    ran = table(*words)
    assert ran.code == code, ran.err
    assert ran.json["message"] in ran.err
    return ran.json


def test_a_refused_entry_says_where_it_stands_and_why(arbitrator: Arbitrator) -> None:
    file = arbitrator.write(report("b1", "out_of_action: {fighter: wren, by: wren, lasting_injury: 1-1}"))
    said = refused(arbitrator, 2, "battle", "record", file, "--json")
    assert {key: said[key] for key in ("code", "file", "line", "column", "entry", "facts", "exit_code")} == {
        "code": "targets_self",
        "file": file,
        "line": 7,
        "column": 5,
        "entry": 1,
        "facts": {"fighter": "Wren"},
        "exit_code": 2,
    }
    assert [one["code"] for one in said["errors"]] == ["targets_self"]


def test_every_value_that_is_wrong_in_a_file_is_an_error_of_its_own(arbitrator: Arbitrator) -> None:
    file = arbitrator.write(report("b1", *["hit: {atacker: krug, weapon: autogun, target: wren}"] * 25))
    said = refused(arbitrator, 2, "battle", "record", file, "--json")
    assert said["code"] == "document_refused"
    assert [(one["code"], one["entry"]) for one in said["errors"]] == [
        ("value_refused", number) for number in range(1, 26)
    ]
    lines = arbitrator.refused(2, "battle", "record", file).splitlines()
    assert (len(lines), lines[-1]) == (22, "  ... and 5 more")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("rosters", "--json"), "usage_error"),
        (("roster", "shwo", "--json"), "usage_error"),
        (("roster", "show", "--jsn", "--json"), "no_such_option"),
        (("log", "entry", "--json"), "missing_parameter"),
        (("log", "show", "--since", "0", "--json"), "bad_parameter"),
        (("rules", "show", "nothing", "--format=json"), "no_such_option"),
    ],
)
def test_a_command_that_was_called_wrongly_answers_with_an_object(
    arbitrator: Arbitrator, words: tuple[str, ...], code: str
) -> None:
    assert refused(arbitrator, 2, *words)["code"] == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("roster", "show", "nobody", "--json"), "unknown_gang"),
        (("battle", "show", "b9", "--json"), "no_such_battle"),
        (("battle", "record", "nowhere.yaml", "--json"), "file_missing"),
        (("roster", "show", "nobody", "--format", "json"), "unknown_gang"),
        (("judge", "nowhere.yaml", "--json"), "file_missing"),
        (("dispute", "show", "9", "--json"), "no_such_dispute"),
    ],
)
def test_what_is_not_there_is_refused_with_an_object(
    arbitrator: Arbitrator, words: tuple[str, ...], code: str
) -> None:
    assert refused(arbitrator, 2, *words)["code"] == code


def test_without_json_nothing_is_printed_but_the_words_for_people(arbitrator: Arbitrator) -> None:
    assert arbitrator("roster", "show", "nobody").out == ""
