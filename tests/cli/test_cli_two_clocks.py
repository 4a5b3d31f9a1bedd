"""Two clocks: how it stands now up to a battle, and what was believed after an entry or on a day."""

import csv
import io

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import FIRST, LATER, second
from tables import every

from tracker.campaign import records
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

WOUND_ROLL = "10.2"
"""Quill's wound roll in battle 2: with a 2 there is no wound, no injury, and no XP for Hob."""


@pytest.fixture
def ruled(season: Arbitrator) -> Arbitrator:
    """After battle 2 the wound roll was disputed (entry 13) and corrected (entry 14)."""
    season.done("dispute", "open", WOUND_ROLL, "--reason", "cocked die")
    season.done("dispute", "rule", "13", "--faces", "2", "--reason", "it was a 2", "--force", "all saw it")
    return season


def standings(table: Arbitrator, *options: str) -> dict[str, int]:
    return {
        row["gang"]: row["enemies_taken_out"] for row in table.read("standings", "show", *options)["gangs"]
    }


def test_a_battle_is_asked_by_what_counts_now_and_an_entry_by_what_was_believed(ruled: Arbitrator) -> None:
    by_now = ruled.roster("--as-of-battle", "b2")
    believed = ruled.roster("--as-of-entry", "12")
    assert [injury["name"] for injury in by_now["quill"]["injuries"]] == []
    assert [injury["name"] for injury in believed["quill"]["injuries"]] == ["Hobbled"]
    assert (by_now["hob"]["experience"], believed["hob"]["experience"]) == (0, 2)


def test_standings_have_both_clocks(ruled: Arbitrator) -> None:
    # Krug took Wren out in battle 1, Hob took Quill out in battle 2, until the ruling.
    assert standings(ruled, "--as-of-battle", "1")["iron-skulls"] == 1
    assert standings(ruled, "--as-of-entry", "12")["iron-skulls"] == 2
    assert standings(ruled)["iron-skulls"] == 1
    said = ruled.done("standings", "show", "--as-of-battle", "b1").out
    assert "at the end of battle b1, before its post-battle sequence" in said
    rows = list(
        csv.DictReader(
            io.StringIO(ruled.done("standings", "show", "--as-of-entry", "4", "--format", "csv").out)
        )
    )
    assert [row["battles"] for row in rows] == ["0", "0", "0"]


def test_going_into_a_battle_is_what_it_began_with_the_aftermath_before_it_included(
    ruled: Arbitrator,
) -> None:
    # Pip is renamed between battle 2 and battle 3: no end of a battle shows it.
    ruled.done("fighter", "rename", "pip", "--name", "Old Pip")
    ruled.record(LATER[0])
    ruled.done("fighter", "rename", "pip", "--name", "Older Pip")

    def pip(*options: str) -> str:
        return str(ruled.roster(*options)["pip"]["name"])

    assert pip("--as-of-battle", "2") == "Pip"
    assert pip("--going-into-battle", "3") == "Old Pip"
    assert pip("--as-of-battle", "3") == "Old Pip"
    # What the next battle will begin with is what stands now; after that there is none.
    assert pip("--going-into-battle", "4") == pip() == "Older Pip"
    assert "no battle '5'" in ruled.refused(2, "roster", "show", "--going-into-battle", "5")
    said = ruled.done("fighter", "show", "pip", "--going-into-battle", "3").out
    assert said.startswith("ash-wastes, going into battle 3\n")
    diff = ruled.read("roster", "diff", "pip", "--from", "battle:2", "--to", "into:3")["differences"]
    assert [(line["what"], line["after"]) for line in diff] == [("name", "Old Pip")]
    assert ruled.done("explain", "pip", "xp", "--going-into-battle", "3").out
    # The wound roll of battle 2 is corrected by now: Quill goes into battle 3 unhurt.
    assert ruled.roster("--going-into-battle", "b3")["quill"]["injuries"] == []


def test_a_fighters_page_has_both_clocks_and_its_statement_adds_up_in_each(ruled: Arbitrator) -> None:
    believed = ruled.read("fighter", "show", "hob", "--as-of-entry", "12")["experience"]
    assert believed["gained"] == [{"address": "10.7", "amount": 2}]
    assert (believed["start"], believed["total"], believed["board"]) == (0, 2, 2)
    now = ruled.read("fighter", "show", "hob", "--as-of-battle", "b2")["experience"]
    assert (now["start"], now["gained"], now["total"], now["board"]) == (0, [], 0, 0)
    page = ruled.done("fighter", "show", "quill", "--as-of-entry", "12").out
    assert page.startswith("ash-wastes, as believed after entry 12\n\nQuill")
    assert "Hobbled (4-6) from Hob Nine-Fingers (battle 2, 10.9)" in page
    assert "Lasting injuries\nnone" in ruled.done("fighter", "show", "quill", "--as-of-battle", "2").out


def test_a_dispute_is_shown_on_a_page_of_its_day(ruled: Arbitrator) -> None:
    fighter = ruled.read("fighter", "show", "quill", "--as-of-entry", "13")["pending"]
    assert [(one["dispute"], one["reason"]) for one in fighter] == [(13, "cocked die")]
    assert ruled.read("fighter", "show", "quill", "--as-of-entry", "12")["pending"] == []


def test_what_was_believed_on_a_day_ends_with_its_last_entry(arbitrator: Arbitrator) -> None:
    def rename(name: str, at: str) -> None:
        tracker = Tracker(f"sqlite:///{arbitrator.file}", actor="Dana", clock=lambda: at)
        plan = CommandWithDice(command=records.RenameFighter(fighter="pip", name=name))
        tracker.commands.play(tracker.directory.campaign_id("ash-wastes"), [plan])
        tracker.close()

    rename("Old Pip", "2097-01-05T20:00:00Z")
    rename("Older Pip", "2097-01-05T23:59:59Z")
    rename("Big Pip", "2097-02-01T00:00:00Z")

    def believed(day: str) -> str:
        row = arbitrator.roster("--believed-on", day)["pip"]
        assert (
            row["name"] == arbitrator.read("fighter", "show", "pip", "--believed-on", day)["fighter"]["name"]
        )
        return str(row["name"])

    assert believed("2097-01-05") == "Older Pip"
    assert believed("2097-01-31") == "Older Pip"
    assert believed("2097-01-05T20:00:00Z") == "Old Pip"
    assert believed("2097-02-01") == "Big Pip"
    assert believed("2097-01-04") == "Pip"
    # A clock that was set back: the order of entries counts, the last one stamped by then is meant.
    rename("Little Pip", "2097-01-10T00:00:00Z")
    assert believed("2097-01-31") == "Little Pip"
    assert believed("2097-01-09") == "Older Pip"
    assert "as believed on 2097-01-31" in arbitrator.done("roster", "show", "--believed-on", "2097-01-31").out


@every(
    ("words", "says"),
    [
        (("roster", "show", "--believed-on", "2001-01-01"), "Nothing was recorded by 2001-01-01"),
        (("roster", "show", "--believed-on", "yesterday"), "'yesterday' is not a date"),
        (("roster", "show", "--believed-on", "2026-02-30"), "'2026-02-30' is not a date"),
        (("standings", "show", "--as-of-entry", "99"), "log ends with entry 12"),
        (("standings", "show", "--as-of-battle", "b9"), "no battle 'b9'"),
        (("fighter", "show", "quill", "--as-of-entry", "1"), "quill"),
        (("roster", "show", "--as-of-battle", "b1", "--believed-on", "2026-01-01"), "different questions"),
        (("roster", "diff", "--from", "someday"), "'someday' is not a point in time"),
        (("roster", "diff", "--from", "entry:0"), "log ends with entry 12"),
        (("roster", "diff", "--from", "battle:b1", "--to", "date:1st of May"), "is not a date"),
        (("roster", "diff", "nobody", "--from", "entry:4"), "nobody"),
    ],
)  # fmt: skip
def test_a_point_that_is_none_is_refused(season: Arbitrator, words: tuple[str, ...], says: str) -> None:
    assert says in season.refused(2, *words)


@pytest.mark.usefixtures("wide")
def test_two_points_are_compared_card_by_card(ruled: Arbitrator) -> None:
    difference = ruled.read("roster", "diff", "quill", "--from", "entry:12", "--to", "now")
    assert (difference["from"], difference["to"]) == ("entry:12", "now")
    assert {
        (difference["what"], difference["before"], difference["after"])
        for difference in difference["differences"]
    } == {
        ("status", "in Recovery", "available"),
        ("Movement", '4"', '5"'),
        ("times Out of Action", "1", "0"),
        ("Recovery since battle", "2", None),
        ("lasting injury", "Hobbled, battle 2", None),
    }
    said = ruled.done("roster", "diff", "--from", "battle:b1", "--to", "battle:2").out
    end = "at the end of battle %s, before its post-battle sequence"
    assert said.startswith(f"ash-wastes: {end % 'b1'} -> {end % '2'}\n")
    assert "The Gilded Cage: battles won 0 -> 1" in said
    assert "Quill (The Gilded Cage): Movement" not in said


def test_the_way_back_is_the_difference_turned_round(ruled: Arbitrator) -> None:
    there = ruled.read("roster", "diff", "--from", "entry:5", "--to", "battle:2")["differences"]
    back = ruled.read("roster", "diff", "--from", "battle:2", "--to", "entry:5")["differences"]
    turned = [
        {**difference, "before": difference["after"], "after": difference["before"]} for difference in back
    ]
    key = str
    assert sorted(map(key, there)) == sorted(map(key, turned))
    assert there


def test_one_point_differs_in_nothing_from_itself(ruled: Arbitrator) -> None:
    for point in ("now", "entry:12", "battle:1"):
        assert ruled.read("roster", "diff", "--from", point, "--to", point)["differences"] == []
    same = ruled.done("roster", "diff", "--from", "now").out
    assert "Nothing changes on any roster." in same


def test_every_battle_stands_after_the_season_as_it_stood_on_its_own_evening(empty: Arbitrator) -> None:
    from cli_arbitrator import begin

    begin(empty)
    evenings = []
    for text in (FIRST, second(), *LATER[:2]):
        empty.record(text)
        evenings.append((empty.roster(), standings(empty)))
    for number, (roster, order) in enumerate(evenings, start=1):
        assert empty.roster("--as-of-battle", str(number)) == roster
        assert standings(empty, "--as-of-battle", str(number)) == order
