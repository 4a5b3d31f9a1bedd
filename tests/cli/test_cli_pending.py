"""What rests on a roll in dispute is marked wherever it is read, and only while the dispute is open."""

import json
from typing import Any

import pytest
from cli_arbitrator import Arbitrator

INJURY = "10.8"
"""Quill's Lasting Injury roll 4-6, Hobbled: into Recovery, Movement 5" -> 4". What goes before it stands apart."""


@pytest.fixture
def disputed(season: Arbitrator) -> Arbitrator:
    season.done("dispute", "open", INJURY, "--reason", "cocked die")
    return season


def line(page: str, beginning: str) -> str:
    return next(one for one in page.split("\n") if one.strip().startswith(beginning))


def test_a_roster_marks_the_numbers_that_rest_on_the_roll_and_no_others(
    disputed: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.cli.output.Output.width", 200)  # a line for each fighter
    page = disputed.done("roster", "show").out
    assert page.count(" ?") == 3 + 1  # status, Movement, injury; and the line that says what the mark means
    quill = line(page, "Quill")
    assert "Hobbled ?" in quill
    assert '4" ?' in quill
    assert "Values marked ? depend on an open dispute" in page


@pytest.mark.parametrize("form", ["md", "html"])
def test_every_form_of_the_roster_has_the_mark(disputed: Arbitrator, form: str) -> None:
    assert "Hobbled ?" in disputed.done("roster", "show", "--format", form).out


def test_a_fighters_page_marks_status_card_and_injury(disputed: Arbitrator) -> None:
    page = disputed.done("fighter", "show", "quill").out
    assert 'M 4" ? ' in page
    assert line(page, "Quill suffers Hobbled").endswith("10.9) ?")
    assert " ?" not in page[page.index("\nExperience\n") : page.index("\nDisputes\n")]


def test_a_statement_of_xp_marks_what_a_disputed_wound_roll_brought(season: Arbitrator) -> None:
    season.done("dispute", "open", "10.2", "--reason", "cocked die")
    page = season.done("fighter", "show", "hob").out
    gained = [one for one in page.split("\n") if "Quill" in one and one.strip().startswith("+")]
    assert gained
    assert all(change.endswith(" ?") for change in gained)
    assert line(page, "Dispute 13 is open")


@pytest.mark.usefixtures("wide")
def test_the_battle_and_the_standings_mark_it_too(season: Arbitrator) -> None:
    season.done("dispute", "open", "10.2", "--reason", "cocked die")
    assert "Hobbled (4-6)" in line(season.done("battle", "show", "2").out, "10 ")
    assert line(season.done("battle", "show", "2").out, "10 ").endswith(" ?")
    assert "Dispute 13 is open" not in season.done("battle", "show", "1").out
    standings = season.done("standings", "show").out
    assert "Dispute 13 is open" in standings
    skulls = next(one for one in standings.split("\n") if "Iron Skulls" in one)
    assert " ?" in skulls  # Hob's: the enemy that was taken out


def test_programs_get_the_rows_as_they_are_and_what_rests_on_which_dispute(disputed: Arbitrator) -> None:
    roster = disputed.read("roster", "show")
    assert all("pending" not in fighter for gang in roster["gangs"] for fighter in gang["fighters"])
    assert {dependent["dispute"] for dependent in roster["resting"]} == {13}
    moved = {
        (number["fighter"], number["number"])
        for dependent in roster["resting"]
        for number in dependent["moved"]
        if number["fighter"] is not None
    }
    assert {("quill", "status"), ("quill", "movement"), ("quill", "injuries")} <= moved
    assert {fighter for fighter, _ in moved} == {"quill"}
    for words in (("fighter", "show", "quill"), ("battle", "show", "2"), ("standings", "show")):
        roster = disputed.read(*words)
        assert "resting" in roster, words
        assert "pending" in roster, words


def test_the_mark_is_gone_with_the_dispute_and_stays_in_what_was_believed_then(disputed: Arbitrator) -> None:
    disputed.done("dispute", "withdraw", "13", "--reason", "it lay flat")
    for words in (("roster", "show"), ("fighter", "show", "quill"), ("battle", "show", "2")):
        assert " ?" not in disputed.done(*words).out, words
        assert disputed.read(*words)["resting"] == [], words
    assert "Hobbled ?" in disputed.done("roster", "show", "--as-of-entry", "13").out
    assert "Hobbled ?" not in disputed.done("roster", "show", "--as-of-entry", "12").out


def test_the_mark_stays_where_another_ruling_decided_the_entry_again(disputed: Arbitrator) -> None:
    disputed.done("dispute", "open", "10.2", "--reason", "it was no 5")
    before = disputed.read("roster", "show")["resting"]
    disputed.done("dispute", "rule", "14", "--faces", "6", "--reason", "a 6", *disputed.seen())
    after = disputed.read("roster", "show")["resting"]

    def of_13(resting: list[dict[str, Any]]) -> list[Any]:
        return [event["moved"] for event in resting if event["dispute"] == 13]

    assert of_13(after) == of_13(before) != []


def test_what_a_disputed_ruling_decided_again_rests_on_it(
    disputed: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.cli.output.Output.width", 200)  # a line for each fighter
    disputed.done("dispute", "rule", "13", "--faces", "4-2", "--reason", "4-2", *disputed.seen())
    assert " ?" not in disputed.done("roster", "show").out
    disputed.done("dispute", "open", "14", "--reason", "it was 4-6 after all")
    page = disputed.done("roster", "show").out
    assert "Partially Deafened ?" in line(page, "Quill")
    events = json.loads(disputed.done("roster", "show", "--json").out)["resting"]
    assert {event["event"].split(".")[0] for event in events} == {"14"}
