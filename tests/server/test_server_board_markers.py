"""Markers on the board: those that lie there are seen with what ends them, and their dice are rolled in the End phase."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import first_battle
from test_server_board import Board
from test_server_same_dice_everywhere import sheet

SMOKE = "{name: smoke grenade, S: 0, AP: 0, D: 1, range: {short: 6, long: 12}, ammo: 4+, traits: [Smoke, Blast (3)]}"
HITS = ("6", "one_hole")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """Ada has thrown a smoke grenade at Bo."""
    files = []
    for gang, fighter, more in (("ones", "ada", f"weapons: [{SMOKE}]"), ("twos", "bo", "skills: []")):
        files.append(tmp_path / f"{gang}.yaml")
        files[-1].write_text(sheet(gang, fighter, more), encoding="utf-8")
    with first_battle(tmp_path, "necromunda_2023", files, {"ones": ["ada"], "twos": ["bo"]}) as board:
        board.tap("shoot ada\nshort\nnone")
        board.die(*HITS)
        assert board.asks == "Tap who acts", board.asks
        yield board


def lying(board: Board) -> list[str]:
    found = re.search(r'<section id="markers".*?</section>', board.page, re.DOTALL)
    return re.findall(r"<bdi>(.*?)</bdi>", found[0]) if found is not None else []


def test_a_marker_is_seen_with_what_ends_it(board: Board) -> None:
    assert lying(board) == ["Smoke of smoke grenade, by Ada: a die in the End phase says whether it stays"]


def test_its_die_is_rolled_in_the_end_phase_by_a_tap_and_the_marker_goes_on_a_4(board: Board) -> None:
    due = re.search(r'class="ends".*?</details>', board.page, re.DOTALL)
    assert due is not None
    assert "Marker in the End phase" in due[0], "it is due when the round ends"
    board.tap("marker")
    assert "smoke" in board.asks.lower(), "of one marker nobody is asked which"
    board.die("5")
    assert len(lying(board)) == 1, "5 and more keeps it"
    board.tap("round_ends\n1")
    board.tap("marker")
    board.die("4")
    assert lying(board) == []
