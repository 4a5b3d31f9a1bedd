"""Close combat on the board: a Charge, who may react, who helps and hinders, a Coup de Grace."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import first_battle
from served import Club
from test_server_board import Board, begun
from test_server_same_dice_everywhere import MAUL, SKILLS, sheet

HAMMER = "pile hammer"
ALL_MISS = ("1", "1", "1", "1")


@pytest.fixture
def board(club: Club) -> Board:
    return begun(Board(club, "Mara"))


def charges(board: Board, attacker: str, target: str, weapon: str) -> None:
    """A tap on the card, one on the target, the Charge ticked, one on the weapon."""
    board.tap(f"fight {attacker}")
    board.send(board.at, revision=board.revision, choice=target)
    board.send(board.at, revision=board.revision, choice=weapon, beside="charging")


def reactions(board: Board) -> list[dict[str, object]]:
    return [json.loads(line)["fight"] for line in board.offered if line.startswith('{"fight"')]


def test_a_charge_is_one_tap_on_the_target_and_one_on_the_weapon(board: Board) -> None:
    charges(board, "krug", "mags", HAMMER)
    assert board.asks.startswith("Krug the Anvil: hit roll, pile hammer against Mags Aurelia, 1 of 4"), (
        board.page
    )


def test_several_targets_may_still_be_ticked(board: Board) -> None:
    board.tap("fight krug")
    board.send(board.at, revision=board.revision, choice=["mags", "wren"])
    assert board.asks == "With which weapons? Two at most."


def test_nobody_may_react_before_a_fight(board: Board) -> None:
    assert reactions(board) == []


def test_who_was_fought_may_react_at_once_with_any_of_their_weapons(board: Board) -> None:
    charges(board, "krug", "mags", HAMMER)
    board.die(*ALL_MISS)
    said = {"attacker": "mags", "targets": ["krug"], "reaction": True}
    assert reactions(board) == [{**said, "weapons": ["courtier's blade"]}, said]
    assert "Mags Aurelia</bdi> may react" in board.page
    board.tap(json.dumps({"fight": reactions(board)[0]}))
    assert board.asks.startswith("Mags Aurelia: hit roll, courtier's blade against Krug the Anvil")
    while board.asks != "Tap who acts":
        board.die("1")
    assert reactions(board) == [], "once"


def test_a_friend_who_fought_the_target_before_may_help_and_nobody_else_is_asked_for(board: Board) -> None:
    board.tap("fight pip\nmags")
    assert board.asks == "With which weapons? Two at most.", "nobody fought her yet"
    board.send(f"{board.at}/undo", revision=board.revision, entry="1")
    board.at = board.at.removesuffix("/undo")
    charges(board, "krug", "mags", HAMMER)
    board.die(*ALL_MISS)
    board.tap("fight pip\nmags")
    assert board.asks == "Which friends are engaged with the target, and with nobody else of its gang?"
    assert [*dict.fromkeys(board.answers)] == ["krug"]


def test_an_enemy_who_was_fought_before_may_hinder(board: Board) -> None:
    charges(board, "krug", "mags", HAMMER)
    board.die(*ALL_MISS)
    board.tap("fight krug\nwren")
    assert board.asks == "Which other enemies are engaged with Krug the Anvil, and with no friend?"
    assert [*dict.fromkeys(board.answers)] == ["mags"]
    board.send(board.at, revision=board.revision, choice="mags")
    board.send(board.at, revision=board.revision, choice=HAMMER)
    assert "needs 4+" in board.asks, "3+, and 1 harder for her interference"


def test_who_lies_seriously_injured_may_be_finished_off(board: Board) -> None:
    assert not [line for line in board.offered if line.startswith("coup_de_grace")]
    board.tap('{"seriously_injured": {"fighter": "wren", "by": "krug", "close_combat": true}}')
    assert "coup_de_grace krug" in board.offered
    board.tap("coup_de_grace krug")
    board.die("6-6")
    assert board.marks("wren") == ["Out of Action"]


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Board]:
    """Ada strikes with a maul; Bo can parry, step aside and dodge."""
    files = []
    for gang, fighter, more in (
        ("mauls", "ada", f"weapons: [{MAUL}]"),
        ("foils", "bo", f"skills: {SKILLS}"),
    ):
        files.append(tmp_path / f"{gang}.yaml")
        files[-1].write_text(sheet(gang, fighter, more), encoding="utf-8")
    with first_battle(tmp_path, "necromunda_2023", files, {"mauls": ["ada"], "foils": ["bo"]}) as board:
        board.tap("fight ada\nbo\nmaul")
        board.die("5")
        yield board


def declines(board: Board) -> list[str]:
    return re.findall(r'name="answer" value="(without [^"]*)"', board.page)


def test_who_could_parry_or_step_aside_may_do_without_by_a_tap(pit: Board) -> None:
    assert "parry" in pit.asks.lower()
    assert declines(pit) == ["without Parry"]
    pit.answer("without Parry")
    assert "step aside" in pit.asks.lower(), pit.asks
    pit.answer("without Step Aside")
    pit.die("6")
    assert "dodge" in pit.asks.lower()
    assert declines(pit) == [], "a dodge is no choice"
    pit.die("1", "flesh_wound", "1")
    document = pit.club.ask("Mara", "GET", f"/drafts/{pit.at.split('/')[-2]}").json()["document"]
    assert "without: [Parry, Step Aside]" in document


def test_a_parry_that_was_declined_is_offered_again_once_that_is_taken_back(pit: Board) -> None:
    pit.answer("without Parry")
    pit.send(f"{pit.at}/undo", revision=pit.revision)
    assert declines(pit) == ["without Parry"]
    pit.die("1")
    assert pit.asks == "Tap who acts", "the blow missed once it was made again"


def test_a_fight_unarmed_may_be_a_charge_all_the_same(board: Board) -> None:
    board.tap("fight krug\nmags")
    board.send(board.at, revision=board.revision, answer="none", beside="charging")
    assert board.asks.startswith("Krug the Anvil: hit roll, unarmed"), board.page
