"""A battle that was rolled back stays readable: struck out, with its dice, by whom and why."""

from __future__ import annotations

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import second


@pytest.fixture
def rolled_back(season: Arbitrator) -> Arbitrator:
    """Entries 9 to 12 are battle 2 (b2); 13 rolled it back."""
    season.done(
        "--as", "Vic", "rollback", "rule", "--battle", "b2", "--reason", "wrong table", *season.seen()
    )
    return season


@pytest.mark.parametrize("name", ["b2", "2"])
def test_a_rolled_back_battle_is_shown_struck_out_with_its_dice_by_whom_and_why(
    rolled_back: Arbitrator, name: str
) -> None:
    page = " ".join(rolled_back.done("battle", "show", name).out.split())
    assert page.startswith("Battle 2 (b2): Toll at the Bridge, 2026-03-14 Struck out by entry 13 (Vic, ")
    assert "): wrong table It no longer counts. What follows is what was recorded." in page
    assert "Result: won by The Gilded Cage" in page
    for entry in range(9, 13):
        assert f" {entry} 2" in page
    assert page.count("struck out by entry 13 (voided): ") == 4
    assert "wound roll 5" in page
    assert "Casualties" not in page


def test_a_program_reads_what_struck_a_battle_and_each_of_its_entries(rolled_back: Arbitrator) -> None:
    shown = rolled_back.read("battle", "show", "b2")
    assert {key: shown["struck_out"][key] for key in ("ruling", "by", "reason")} == {
        "ruling": 13,
        "by": "Vic",
        "reason": "wrong table",
    }
    assert (shown["battle"]["winner"], shown["story"], shown["in_battle"]) == ("gilded-cage", [], None)
    by = {"ruling": 13, "treatment": "voided"}
    assert [(entry["entry"], entry["struck_out"]) for entry in shown["entries"][:4]] == [
        (number, by) for number in range(9, 13)
    ]
    assert [battle["battle"] for battle in rolled_back.read("battle", "list")["battles"]] == ["b1"]


def test_as_of_an_entry_before_the_ruling_a_rolled_back_battle_stands(rolled_back: Arbitrator) -> None:
    then = rolled_back.read("battle", "show", "b2", "--as-of-entry", "12")
    assert then["struck_out"] is None
    assert {entry["entry"] for entry in then["entries"]} == {9, 10, 11, 12}
    assert len(then["story"]) == 2


def test_a_battle_recorded_again_keeps_its_earlier_record_struck_out(rolled_back: Arbitrator) -> None:
    rolled_back.record(second())
    shown = rolled_back.read("battle", "show", "b2")
    assert shown["struck_out"] is None
    struck = [entry["entry"] for entry in shown["entries"] if entry["struck_out"]]
    standing = [entry["entry"] for entry in shown["entries"] if not entry["struck_out"]]
    assert struck == [9, 10, 11, 12]
    assert set(standing) >= {14, 15, 16, 17}
    assert "struck out by entry 13 (voided): " in " ".join(
        rolled_back.done("battle", "show", "2").out.split()
    )


def test_a_rollback_taken_back_leaves_nothing_struck_out(rolled_back: Arbitrator) -> None:
    rolled_back.done("rollback", "rule", "--ruling", "13", "--reason", "right table", *rolled_back.seen())
    shown = rolled_back.read("battle", "show", "b2")
    assert shown["struck_out"] is None
    assert [entry["entry"] for entry in shown["entries"] if entry["struck_out"] is None][-1] >= 14
    assert len(shown["story"]) == 2


def test_a_battle_that_never_was_is_still_refused(rolled_back: Arbitrator) -> None:
    assert "There is no battle 'b9'" in rolled_back.refused(2, "battle", "show", "b9")


def test_the_log_of_a_battle_without_such_an_entry_is_empty(rolled_back: Arbitrator) -> None:
    for battle in ("1", "b1", "b2"):
        log = rolled_back.done("log", "show", "--battle", battle, "--since", "900").out
        assert log == "Nothing is recorded here.\n"
    assert "There is no battle '9'" in rolled_back.refused(2, "log", "show", "--battle", "9")
