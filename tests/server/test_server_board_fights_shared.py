"""A fight whose dice have to be shared out, and one with a weapon that strikes in several ways, on the board."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import first_battle
from test_server_board import Board

NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: %s, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
AXE = "{name: axe, S: 4, AP: 0, D: 1, traits: [Melee]}"
SWORD = "{name: sword, S: 3, AP: -1, D: 1, traits: [Melee]}"
CHAIN = (
    "{name: chain, profiles: [{name: lash, S: 3, AP: 0, D: 1, traits: [Melee]},"
    " {name: coil, S: 3, AP: 0, D: 1, traits: [Melee, Knockback]}]}"
)


def card(name: str, attacks: int, weapons: str) -> str:
    return (
        f"  - {{name: {name}, category: ganger, type: Hand, cost: 50, characteristics: {NUMBERS % attacks},"
        f" weapons: [{weapons}]}}\n"
    )


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Board]:
    """Ada has two blades and a chain, three attacks; Bo and Cy stand against her."""
    files = []
    for gang, cards in (
        ("mauls", card("Ada", 3, f"{AXE}, {SWORD}, {CHAIN}")),
        ("foils", card("Bo", 1, "") + card("Cy", 1, "")),
    ):
        files.append(tmp_path / f"{gang}.yaml")
        files[-1].write_text(
            f"format: gang-sheet/1\ngang: {gang}\nname: {gang}\nhouse: House\nplayer: Kim\nfighters:\n{cards}",
            encoding="utf-8",
        )
    crews = {"mauls": ["ada"], "foils": ["bo", "cy"]}
    with first_battle(tmp_path, "necromunda_2023", files, crews) as board:
        yield board


def choose(board: Board, *values: str, **more: str) -> None:
    board.send(board.at, revision=board.revision, choice=list(values), **more)


def document(board: Board) -> str:
    shown = board.club.ask("Mara", "GET", f"/drafts/{board.at.split('/')[-2]}").json()
    return str(shown["document"])


def test_a_weapon_that_strikes_in_several_ways_is_offered_by_each(pit: Board) -> None:
    pit.tap("fight ada\nbo")
    assert {"axe", "sword", "chain (lash)", "chain (coil)"} <= {*pit.answers}
    choose(pit, "chain (coil)")
    pit.die("1", "1", "1")
    assert pit.asks == "Tap who acts"
    assert "weapons: [{weapon: chain, profile: coil}]" in document(pit)


def test_what_the_chosen_way_can_do_is_asked_for_and_not_what_another_can(pit: Board) -> None:
    pit.tap("fight ada\nbo")
    choose(pit, "chain (lash)")
    pit.die("6", "1", "1", "1")
    assert pit.asks == "Tap who acts", "no Knockback"


def test_who_has_an_odd_die_is_asked_which_weapon_takes_it(pit: Board) -> None:
    pit.tap("fight ada\nbo")
    choose(pit, "axe", "sword", beside="charging")
    assert pit.asks == "How many of the 5 Attack dice for which weapon?"
    assert {*pit.answers} == {"3-2", "2-3"}
    pit.answer("2-3")
    assert pit.asks.startswith("Ada: hit roll, axe against Bo, 1 of 2")
    pit.die("1", "1", "1", "1", "1")
    assert pit.asks == "Tap who acts"
    assert "shares: [[2, 3]]" in document(pit)


def test_of_several_targets_it_is_asked_how_many_dice_each_takes(pit: Board) -> None:
    pit.tap("fight ada")
    choose(pit, "bo", "cy")
    choose(pit, "axe")
    assert pit.asks == "How many of the 3 Attack dice at Bo?"
    assert {*pit.answers} == {"1", "2"}, "Cy takes one at least"
    pit.answer("2")
    assert pit.asks.startswith("Ada: hit roll, axe against Bo, 1 of 2"), "the rest is Cy's"
    pit.die("1", "1", "1")
    assert pit.asks == "Tap who acts"
    assert "shares: [[2], [1]]" in document(pit)


def test_two_weapons_are_shared_out_over_two_targets(pit: Board) -> None:
    pit.tap("fight ada")
    choose(pit, "bo", "cy")
    choose(pit, "axe", "sword")
    assert pit.asks == "How many of the 4 Attack dice at Bo?"
    pit.answer("1-2")
    pit.die("1", "1", "1", "1")
    assert pit.asks == "Tap who acts"
    assert "shares: [[1, 2], [1, 0]]" in document(pit)


def test_a_share_is_taken_back_like_any_answer(pit: Board) -> None:
    pit.tap("fight ada")
    choose(pit, "bo", "cy")
    choose(pit, "axe")
    pit.answer("2")
    pit.send(f"{pit.at}/undo", revision=pit.revision)
    pit.at = pit.at.removesuffix("/undo")
    assert pit.asks == "How many of the 3 Attack dice at Bo?"
