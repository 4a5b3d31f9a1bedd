"""The tool's dice on the board of a battle: none falls twice, provable ones are asked for, given up, and put right by
rulings after the battle is recorded."""

import re
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from served import Club
from test_server_board import KRUG_SHOOTS_WREN, ROLLS, Board, begun
from test_server_table_pages import HERE

from tracker.dice import Roller

MISSES = 133315
"""A seed by which four requests begin with 2, then one hole."""


@pytest.fixture
def mara(club: Club) -> Board:
    return Board(club, "Mara")


def test_where_dice_are_provable_the_board_says_who_begins_a_session(
    mara: Board, club: Club, table: Arbitrator
) -> None:
    table.done("dice", "use", "provable", "--reason", "club vote")
    club.tracker.people.set_dice(club.campaign, "tool")
    begun(mara)
    assert "Everybody can check" not in mara.page, "said where a die is asked for"
    mara.tap(KRUG_SHOOTS_WREN)
    in_words = mara.at.removesuffix("/board")
    for at in (mara.at, in_words):
        mara.go(at)
        assert "Roll it for me" not in mara.page
        assert f'<a href="{HERE}/do/dice-open">begin a dice session</a>' in mara.page
    dana = Board(club, "Dana")
    dana.go(f"{in_words}/board")
    assert "an Arbitrator begins a dice session" in dana.page
    mara.go(f"{HERE}/do/dice-open")
    assert "Draw the seed" in mara.page, "the link leads there"


def test_no_provable_die_is_rolled_before_everybody_revealed_and_the_board_names_who_owes(
    mara: Board, club: Club, table: Arbitrator
) -> None:
    table.done("dice", "use", "provable", "--reason", "club vote")
    table.done("dice", "open")
    club.tracker.people.set_dice(club.campaign, "tool")
    begun(mara)
    mara.tap(KRUG_SHOOTS_WREN)
    assert "Nobody has added secret words yet." in mara.page
    words = ("--by", "Dana", "--words", "seven rusty kettles")
    table.done("dice", "contribute", *words)
    mara.go(mara.at)
    assert "Dana still has to reveal the secret words." in mara.page
    assert "Roll it for me" not in mara.page
    before = waits(mara)
    mara.send(mara.at, revision=mara.revision, answer="r")
    assert "Nothing is rolled before every contribution is revealed: Dana still owes one." in mara.page
    table.done("dice", "reveal", *words)
    mara.go(mara.at)
    assert waits(mara) != before, "by this the page sees that it has to show itself anew"
    assert "Revealed: Dana." in mara.page
    assert "Roll it for me" in mara.page


def waits(board: Board) -> str:
    found = re.search(r'data-waits="([^"]*)"', board.page)
    assert found is not None, board.page
    return found[1]


@pytest.fixture
def provable(mara: Board, club: Club, table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Board:
    """A battle on a board, where the tool's dice can be checked and a session is open. Its first four requests
    draw a shot that misses."""
    monkeypatch.setattr("tracker.service.sealed_seeds.secrets.token_bytes", MISSES.to_bytes)
    table.done("dice", "use", "provable", "--reason", "club vote")
    table.done("dice", "open")
    club.tracker.people.set_dice(club.campaign, "tool")
    return begun(mara)


def rolled_out(board: Board, lines: str) -> None:
    """An entry whose dice the tool rolls, to its end: whatever else it asks is passed over, or the first is."""
    board.tap(lines)
    for _ in range(30):
        if board.asks == "Tap who acts":
            return
        asks, passed = board.asks, {"pass": "1"}
        board.send(board.at, revision=board.revision, **({"answer": "r"} if ROLLS in board.page else passed))
        if board.asks == asks and ROLLS not in board.page:
            board.send(board.at, revision=board.revision, answer=board.answers[0])
    raise AssertionError(board.page)


def requests(table: Arbitrator) -> list[dict[str, Any]]:
    return [one for session in table.read("dice", "show")["sessions"] for one in session["requests"]]


def test_a_tap_rolls_a_provable_die_by_a_request_of_its_entry_and_all_is_checked(
    provable: Board, club: Club, table: Arbitrator
) -> None:
    rolled_out(provable, KRUG_SHOOTS_WREN)
    (asked,) = requests(table)
    assert asked["what"] == "entry 1 of night-raid: shoot krug"
    assert asked["verdict"] == "open", "its dice are in no entry yet"
    rolled_out(provable, KRUG_SHOOTS_WREN)
    provable.tap("end")
    provable.send(provable.at, revision=provable.revision, answer="draw")
    assert provable.asks == "The battle is over"
    provable.send(f"{provable.at}/record", revision=provable.revision)
    assert [one["verdict"] for one in requests(table)] == ["sealed", "sealed"]
    assert all(one["faces"] for one in requests(table))
    table.done("dice", "close")
    assert {one["verdict"] for one in requests(table)} == {"recomputed"}
    table.done("audit", "verify")


def test_a_provable_die_falls_once_whatever_is_taken_back(provable: Board, table: Arbitrator) -> None:
    provable.tap(KRUG_SHOOTS_WREN)
    provable.send(provable.at, revision=provable.revision, answer="r")
    first = document(provable)
    provable.send(f"{provable.at}/undo", revision=provable.revision)
    provable.send(provable.at.removesuffix("/undo"), revision=provable.revision, answer="r")
    assert document(provable) == first
    assert len(requests(table)) == 1


def test_a_request_that_one_entry_holds_draws_for_no_other(provable: Board, table: Arbitrator) -> None:
    for _ in range(3):
        rolled_out(provable, KRUG_SHOOTS_WREN)
    provable.take_out(2)
    rolled_out(provable, KRUG_SHOOTS_WREN)
    named = re.findall(r"request: ([0-9]+)", document(provable))
    assert len({*named}) == 3, "three entries, each by a request of its own"


def give_up(table: Arbitrator, board: Board) -> None:
    """Somebody gives up the request that was made last."""
    table.done("dice", "abandon", str(requests(table)[-1]["request"]), "--reason", "nobody wanted it")
    board.go(board.at.removesuffix("/undo"))


def take_back(board: Board, **what: str) -> None:
    at = board.at.removesuffix("/undo")
    board.send(f"{at}/undo", revision=board.revision, **what)
    board.go(at)


def given_up_in_an_entry_opened_again(board: Board, table: Arbitrator) -> None:
    """An entry whose dice were typed in, opened again at its first die, which the tool rolls instead."""
    board.tap(KRUG_SHOOTS_WREN)
    board.die("2", "one_hole")
    board.send(board.at, revision=board.revision, **{"pass": "1"})
    assert board.asks == "Tap who acts"
    while "hit roll" not in board.asks:
        take_back(board)
    board.send(board.at, revision=board.revision, answer="r")
    give_up(table, board)
    assert "Somebody gave up the dice of this entry." in board.page


def test_a_die_that_was_given_up_while_its_entry_is_entered_is_rolled_by_a_new_request(
    provable: Board, table: Arbitrator
) -> None:
    provable.tap(KRUG_SHOOTS_WREN)
    provable.send(provable.at, revision=provable.revision, answer="r")
    give_up(table, provable)
    assert "somebody gave it up" in provable.page
    assert "Never mind" in provable.page
    provable.send(provable.at, revision=provable.revision, answer="r")
    assert [one["verdict"] for one in requests(table)] == ["abandoned", "open"]
    assert f"request: {requests(table)[1]['request']}" in document(provable)


def test_what_a_board_asked_for_is_given_up_as_its_battle_is_thrown_away(
    provable: Board, club: Club, table: Arbitrator
) -> None:
    rolled_out(provable, KRUG_SHOOTS_WREN)
    provable.tap(KRUG_SHOOTS_WREN)
    provable.send(provable.at, revision=provable.revision, answer="r")
    assert [one["verdict"] for one in requests(table)] == ["open", "open"]
    provable.send(f"{provable.at}/discard", revision=provable.revision)
    given_up = requests(table)
    assert [one["verdict"] for one in given_up] == ["abandoned", "abandoned"]
    assert "thrown away" in table.done("dice", "show").out
    table.done("dice", "close")


def test_what_a_proposed_report_names_stays_asked_for_until_it_is_withdrawn(
    provable: Board, table: Arbitrator
) -> None:
    rolled_out(provable, KRUG_SHOOTS_WREN)
    rolled_out(provable, KRUG_SHOOTS_WREN)
    provable.take_out(2)
    provable.tap("end")
    provable.send(provable.at, revision=provable.revision, answer="draw")
    provable.send(f"{provable.at}/propose", revision=provable.revision)
    assert [one["verdict"] for one in requests(table)] == ["open", "abandoned"], "of an entry taken out"
    (proposal,) = table.read("battle", "proposals")["proposals"]
    table.done("battle", "withdraw", proposal["proposal"])
    assert [one["verdict"] for one in requests(table)] == ["abandoned", "abandoned"]


def test_dice_that_were_given_up_are_asked_for_again(provable: Board, table: Arbitrator) -> None:
    given_up_in_an_entry_opened_again(provable, table)
    assert "Ask for its dice again" in provable.page
    take_back(provable)
    assert ROLLS in provable.page, "the die is asked for as before"
    provable.send(provable.at, revision=provable.revision, answer="r")
    provable.send(provable.at, revision=provable.revision, answer="r")
    assert provable.asks == "Tap who acts"
    assert [one["verdict"] for one in requests(table)] == ["abandoned", "open"]
    assert f"request: {requests(table)[1]['request']}" in document(provable)


def test_what_is_left_of_an_entry_whose_dice_were_given_up_is_the_entry_as_it_was(
    provable: Board, table: Arbitrator
) -> None:
    given_up_in_an_entry_opened_again(provable, table)
    assert "Never mind this entry" in provable.page
    take_back(provable, entry="1")
    assert provable.asks == "Tap who acts"
    assert "hit: [2]" in document(provable)


def test_entries_whose_dice_were_given_up_are_taken_out_one_by_one_and_the_rest_stays(
    provable: Board, table: Arbitrator
) -> None:
    provable.tap("experience krug\n1\nheld the pump")
    for _ in range(2):
        rolled_out(provable, KRUG_SHOOTS_WREN)
    for one in requests(table):
        table.done("dice", "abandon", str(one["request"]), "--reason", "nobody wanted it")
    provable.go(provable.at)
    for _ in range(2):
        assert "no longer follows" in provable.page
        assert "Take entry 2 out" in provable.page
        take_back(provable, number="2")
    assert provable.asks == "Tap who acts"
    assert "held the pump" in provable.page
    assert "shoot" not in document(provable)


@pytest.fixture
def fallen(mara: Board, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which dice the tool rolls on a board, each a 2, with which a shot misses."""
    asked: list[str] = []

    def twos(_: str, about: str) -> Roller:
        asked.append(about)
        return lambda _: 2

    monkeypatch.setattr("tracker.conversations.stepping.falling_alike", twos)
    begun(mara)
    return asked


def test_no_entry_has_the_die_of_another_after_one_in_the_middle_was_taken_out(
    mara: Board, fallen: list[str]
) -> None:
    for _ in range(3):
        rolled_out(mara, KRUG_SHOOTS_WREN)
    before = {*fallen}
    fallen.clear()
    mara.take_out(2)
    rolled_out(mara, KRUG_SHOOTS_WREN)
    once = {*fallen}
    assert once, "the new entry has dice"
    assert not once & before, "and they fell for no other"
    fallen.clear()
    mara.send(f"{mara.at}/undo", revision=mara.revision, entry="1")
    mara.at = mara.at.removesuffix("/undo")
    rolled_out(mara, KRUG_SHOOTS_WREN)
    assert {*fallen} == once, "taken back and entered again it falls as before"


def test_a_die_of_an_entry_on_its_way_stays_where_one_before_it_is_taken_out(
    mara: Board, fallen: list[str]
) -> None:
    for _ in range(2):
        rolled_out(mara, KRUG_SHOOTS_WREN)
    fallen.clear()
    mara.tap(KRUG_SHOOTS_WREN)
    mara.send(mara.at, revision=mara.revision, answer="r")
    once = {*fallen}
    assert once, "its first die lies there"
    for number in (2, 1):
        fallen.clear()
        mara.take_out(number)
        assert once <= {*fallen}


def test_a_report_with_another_face_than_was_drawn_is_refused(provable: Board, table: Arbitrator) -> None:
    rolled_out(provable, KRUG_SHOOTS_WREN)
    provable.tap("end\ndraw")
    written = document(provable)
    other = re.sub("rolled: 2", "rolled: 1", written, count=1)
    assert "did not draw" in table.refused(1, "battle", "record", "-", stdin=other)


def document(board: Board) -> str:
    shown = board.club.ask("Mara", "GET", f"/drafts/{board.at.split('/record/')[1].split('/')[0]}").json()
    return str(shown["document"])


# --- once the battle is recorded ---------------------------------------------------------------------------


@pytest.fixture
def played(provable: Board) -> str:
    """The report of a recorded battle: two shots, each by a request of its own."""
    for _ in range(2):
        rolled_out(provable, KRUG_SHOOTS_WREN)
    provable.tap("end\ndraw")
    written = document(provable)
    provable.send(f"{provable.at}/record", revision=provable.revision)
    return written


def first_shot(table: Arbitrator) -> dict[str, Any]:
    """The hit roll of the first of them."""
    rolls = table.read("log", "show", "--type", "RollMade")["events"]
    found: dict[str, Any] = next(roll for roll in rolls if roll["data"]["source"] == "generated")
    return found


def all_is_checked(table: Arbitrator) -> None:
    table.done("audit", "verify")
    table.done("dice", "close")
    assert {one["verdict"] for one in requests(table)} == {"recomputed"}
    table.done("audit", "verify")


def amend(table: Arbitrator, report: str, *more: str) -> None:
    words = ("battle", "amend", "night-raid", "-", "--reason", "typed wrong", *more)
    table.done(*words, *table.seen(), stdin=report)


def test_a_battle_whose_dice_cite_requests_is_amended_and_its_dice_stay(
    played: str, table: Arbitrator
) -> None:
    amend(table, played.replace("target: wren", "target: sable", 1))
    amend(table, played)
    all_is_checked(table)


def test_no_correction_says_that_a_request_drew_what_it_did_not(played: str, table: Arbitrator) -> None:
    other = played.replace("rolled: 2", "rolled: 1", 1)
    words = ("battle", "amend", "night-raid", "-")
    before = table.head
    for more in ((), ("--reason", "typed wrong", *table.seen())):
        assert "The tool never rolled 1 for hit" in table.refused(1, *words, *more, stdin=other)
    assert table.head == before
    all_is_checked(table)


def test_a_die_of_the_table_stands_in_for_one_of_a_request_and_back(played: str, table: Arbitrator) -> None:
    amend(table, re.sub(r"\{rolled: 2, request: [0-9]+\}", "1", played, count=1))
    amend(table, played)
    all_is_checked(table)


def test_what_an_amended_battle_lacks_is_rolled_by_a_request_of_the_ruling(
    played: str, table: Arbitrator
) -> None:
    shot = "  - shoot: {attacker: krug, weapon: autogun, target: wren, range: short}\n"
    amend(table, played.replace("result:", f"{shot}result:"), "--roll")
    assert requests(table)[-1]["what"] == "ruling"
    all_is_checked(table)


def test_a_die_of_a_request_is_rolled_again_by_ruling_and_the_ruling_taken_back(
    played: str, table: Arbitrator
) -> None:
    table.done("dispute", "open", first_shot(table)["address"], "--reason", "cocked die")
    dispute = str(table.head["entries"])
    words = ("--reroll", "--roll", "--strategy", "void-later", "--reason", "again")
    table.done("dispute", "rule", dispute, *words, *table.seen())
    assert requests(table)[-1]["what"].startswith("ruling on dispute ")
    ruling = str(table.read("log", "show", "--type", "RulingMade")["events"][-1]["entry"])
    table.done("rollback", "rule", "--ruling", ruling, "--reason", "it stands", *table.seen())
    all_is_checked(table)


def test_a_battle_whose_dice_cite_requests_is_rolled_back(played: str, table: Arbitrator) -> None:
    table.done("rollback", "rule", "--battle", "night-raid", "--reason", "never fought", *table.seen())
    all_is_checked(table)
