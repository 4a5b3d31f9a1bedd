"""A warband on the board: who acts attacks, markers are spent where there are any, and everybody's state is seen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import first_battle
from cli_arbitrator import ROOT
from test_server_board import Board

NONE = ""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    season = ROOT / "fixtures" / "trench-season"
    crews = {"iron-procession": ["anselm", "maud", "odo", "wil"], "black-vigil": ["vex", "rat", "grub"]}
    sheets = [season / f"{warband}.yaml" for warband in crews]
    with first_battle(tmp_path, "trench_crusade", sheets, crews) as board:
        yield board


def attacked(board: Board, attacker: str, target: str, *dice: str, also: tuple[str, ...] = ()) -> None:
    """An attack without more dice than the state of its target brings."""
    board.tap(f"injury_chart {attacker}\n{target}")
    board.answer(NONE, NONE, *also)
    board.die(*dice)


def test_who_acts_attacks_and_the_target_s_card_shows_what_came_of_it(board: Board) -> None:
    attacked(board, "anselm", "vex", "4", "4")
    assert board.marks("vex") == ["Down", "1 Blood Marker"], "8, 1 less for his armour: 7 on the chart"


def test_a_marker_is_offered_only_where_the_target_has_one_and_brings_a_die(board: Board) -> None:
    board.tap("injury_chart anselm\nvex")
    board.answer(NONE, NONE)
    assert board.asks.startswith("Vex: die 1 of 2"), "no marker, so nothing to spend"
    board.die("4", "4")
    board.tap("injury_chart maud\nvex")
    board.answer(NONE, NONE)
    assert board.asks == "How many Blood Markers of Vex are spent, +1 DICE each?"
    board.answer("1")
    assert board.asks.startswith("Vex: die 1 of 4"), "one for Down, one for the marker"


def test_somebody_hit_by_nobody_is_entered_from_their_card(board: Board) -> None:
    assert "injury_chart\n\nrat" in board.offered
    board.tap("injury_chart\n\nrat")
    board.answer(NONE, NONE)
    board.die("6", "6")
    assert board.marks("rat") == ["Out of Action"]


def test_to_stand_at_once_is_risky_and_may_be_helped_and_hindered(board: Board) -> None:
    attacked(board, "anselm", "vex", "4", "4")
    board.tap("blessing vex\n1\nprayed")
    board.tap("stand vex\ny")
    board.answer("1", NONE)
    assert board.asks == "How many Blood Markers of Vex are spent, -1 DICE each?"
    board.answer("1")
    assert board.asks == "How many Blessing Markers of Vex are spent, +1 DICE each?"


def test_to_stand_later_asks_for_nothing_more(board: Board) -> None:
    attacked(board, "anselm", "vex", "4", "4")
    board.tap("stand vex\nn")
    assert board.asks == "Tap who acts"
    assert "Down" not in board.marks("vex")


def test_morale_is_due_at_the_end_of_a_turn_for_a_warband_that_has_lost_half(board: Board) -> None:
    assert "At the end of a turn" not in board.page
    attacked(board, "anselm", "vex", "6", "6")
    attacked(board, "anselm", "rat", "6", "6")
    assert "At the end of a turn" in board.page
    assert "morale black-vigil" in board.offered or "morale" in board.offered
    board.tap("morale black-vigil\n1")
    board.answer(NONE, NONE)
    assert board.asks.startswith("Die 1 of 2 of the morale of Black Vigil")


def test_no_more_blood_markers_are_offered_than_the_model_has(board: Board) -> None:
    attacked(board, "anselm", "vex", "4", "4")
    board.tap("blood_markers vex")
    assert board.asks == "On an action of Vex, or on an attack on them?", "of one, none is to be counted"


def test_outcomes_alone_are_entered_by_the_injury_chart_s_result(board: Board) -> None:
    at = board.at.removesuffix("/board")
    board.go(f"{at}/outcomes")
    first = board.revision
    filled = {"out": ["odo", "vex"], "by.odo": "vex", "xp.vex": "1", "won": "black-vigil"}
    for _ in range(2):  # a double tap
        board.send(f"{at}/outcomes", revision=first, **filled)
        assert board.at == f"{at}/board", re.findall(r'class="refused".*?</div>', board.page)
    document = board.club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert document.count("injury_chart: {attacker: vex, target: odo, result: out_of_action}") == 1
    assert document.count("injury_chart: {target: vex, result: out_of_action}") == 1


def test_what_the_end_asks_for_is_rolled_for_who_ticks_it(board: Board) -> None:
    at = board.at.removesuffix("/board")
    filled = {"out": ["vex", "odo"], "by.vex": "odo", "won": "draw", "roll": "1"}
    board.send(f"{at}/outcomes", revision=board.revision, **filled)
    assert board.asks == "The battle is over", board.page
    document = board.club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert "rolled: " in document.partition("result:")[2] + document.partition("trauma")[2]
