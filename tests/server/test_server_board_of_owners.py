"""What the board asks whom it concerns: which of two Injury dice is kept, and which vehicles are in contact."""

from collections.abc import Iterator
from pathlib import Path

import convoy
import pytest
from boards import first_battle
from test_server_board import Board

CREWS = {"skulls": ["krug", "vex", "joss"], "saints": ["mags", "dot", "ned"]}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """Two cars; Krug has a Reckless flail and a Blast, and the Saints' fighters have True Grit."""
    with first_battle(tmp_path, "necromunda_2023", convoy.with_true_grit(tmp_path), CREWS) as board:
        yield board


def choices(board: Board) -> set[str]:
    return {said for said in board.answers if said}


def test_vehicles_are_named_among_those_in_contact_with_a_reckless_fighter(board: Board) -> None:
    board.tap("fight krug\nmags\nflail")
    assert board.asks == "Who else is in base contact with Krug, friend or foe?"
    assert {"vex", "dot", "sled/front", "sled/side/mobile", "rig/rear"} <= choices(board)
    assert "Sled: side, Mobile" in board.page
    assert not {"mags", "krug", "joss", "ned"} & choices(board), "who is attacked, attacks, or is inside"
    board.send(board.at, revision=board.revision, choice=["vex", "sled/side/mobile"])
    board.die("6")
    assert board.asks == "One of 3: whom flail hits, Reckless (D6)?", "three models: Mags, Vex and the car"


def test_all_of_them_is_offered_only_where_all_can_be_meant(board: Board) -> None:
    board.tap("fight krug")
    assert "a" not in board.offered, "among several targets of a car its side is said"
    board.answer("mags")
    board.answer("flail")
    assert "in base contact" in board.asks
    assert "a" not in board.offered, "of a car one side alone is in contact"


def test_its_owner_says_which_of_two_injury_dice_is_kept(board: Board) -> None:
    board.tap("hit krug\nautogun\nmags")
    board.die("6", "serious_injury", "flesh_wound")
    assert board.asks == "Mags: which of the two Injury dice is kept? Their owner chooses."
    assert choices(board) == {"flesh_wound", "serious_injury"}
    board.answer("serious_injury")
    assert board.asks == "Tap who acts"
    assert "Seriously Injured" in board.marks("mags")


def test_it_is_the_milder_where_nothing_is_said(board: Board) -> None:
    board.tap("fight krug\ndot\nsword")
    board.die("6", "6", "serious_injury", "flesh_wound")
    assert board.asks.startswith("Dot: which of the two")
    board.answer("")
    assert board.asks == "Tap who acts"
    assert board.marks("dot") == ["0 of 1 Wound left", "1 Flesh Wound"]


def test_nobody_is_asked_about_two_dice_that_show_the_same(board: Board) -> None:
    board.tap("hit krug\nautogun\nmags")
    board.die("6", "flesh_wound", "flesh_wound")
    assert board.asks == "Tap who acts"


def test_each_under_a_blast_has_an_owner_who_chooses_once(board: Board) -> None:
    board.tap("shoot krug\npot\nmags\nshort")
    board.send(board.at, revision=board.revision, choice=["mags", "dot"])
    board.die("6", "one_hole", "6", "serious_injury", "flesh_wound")
    assert board.asks.startswith("Mags: which of the two"), "before the dice of the next are rolled"
    board.answer("flesh_wound")
    board.die("6", "out_of_action", "serious_injury")
    assert board.asks.startswith("Dot: which of the two")
    board.answer("out_of_action")
    board.die("2-1")
    assert board.asks == "Tap who acts"
    assert "1 Flesh Wound" in board.marks("mags")
    assert "Out of Action" in board.marks("dot")
