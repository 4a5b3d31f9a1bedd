"""A battle as a table: begun on one page, tapped on a board, recorded; two who tap at once; anything taken out again."""

import re
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from PIL import Image
from served import Club
from test_server_table_pages import HERE, Reader

from tracker.campaign import records
from tracker.conversations import battle_wizard, wizard
from tracker.dice import Roller
from tracker.rules import loader
from tracker.service.command_handler import CommandWithDice

MISSES = 133315
"""A seed by which four requests begin with 2, then one hole."""
ROLLS = "Roll it for me"
KRUG_SHOOTS_WREN = "shoot krug\nwren\nshort"
KRUG_MISSES_WREN = ("shoot: {attacker: krug, weapon: autogun, target: wren, range: short}", "1", "one_hole")


class Board(Reader):
    """The board of a battle, as somebody taps it."""

    def tap(self, lines: str, **more: str) -> None:
        self.send(self.at, revision=self.revision, lines=lines, **more)

    def die(self, *faces: str) -> None:
        for face in faces:
            assert f'value="{face}" class="face"' in self.page, face
            self.send(self.at, revision=self.revision, answer=face)

    def take_out(self, number: int) -> None:
        self.send(f"{self.at.removesuffix('/undo')}/undo", revision=self.revision, number=number)

    @property
    def asks(self) -> str:
        found = re.search(r'id="pad-words"[^>]*>(.*?)</h2>', self.page)
        assert found is not None, self.page
        return re.sub("<[^>]*>", "", unescape(found[1]))

    @property
    def answers(self) -> list[str]:
        """What can be answered by name: buttons, and boxes to tick."""
        found = re.findall(r'name="(?:answer|choice)" value="([^"]*)" class="pick"', self.page)
        return [unescape(one) for one in found + re.findall(r'name="choice" value="([^"]*)"', self.page)]

    @property
    def offered(self) -> list[str]:
        return [unescape(one) for one in re.findall(r'name="lines" value="([^"]*)"', self.page)]

    def marks(self, fighter: str) -> list[str]:
        card = re.search(rf'id="c-{fighter}"[^>]*>(.*?)</li>', self.page, re.DOTALL)
        assert card is not None, self.page
        return re.findall(r'class="badge[^"]*">([^<]*)<', card[1])


@pytest.fixture
def mara(club: Club) -> Board:
    return Board(club, "Mara")


def crews(reader: Reader) -> dict[str, list[str]]:
    """Everybody who can fight for the two gangs of the season's first battle."""
    reader.go(f"{HERE}/record/battle")
    ticked = re.findall(r'name="crew\.(iron-skulls|gilded-cage)" value="([^"]*)"(?! disabled)', reader.page)
    return {f"crew.{gang}": [one for of, one in ticked if of == gang] for gang, _ in ticked}


def begun(board: Board, name: str = "Night Raid!") -> Board:
    fields = crews(board)
    board.send(
        f"{HERE}/record/battle",
        name=name, scenario="Sump Raid", date="2026-03-01", gang=["iron-skulls", "gilded-cage"], **fields,
    )  # fmt: skip
    assert board.asks == "Tap who acts", board.page
    return board


def test_a_battle_begins_on_one_page_and_its_id_is_made_from_its_name(mara: Board, club: Club) -> None:
    begun(mara)
    assert mara.at.endswith("/board")
    draft = club.ask("Mara", "GET", f"/drafts/{mara.at.split('/')[-2]}").json()
    assert "battle: night-raid\n" in draft["document"]


def test_who_cannot_come_is_greyed_with_the_reason(mara: Board) -> None:
    mara.go(f"{HERE}/record/battle")
    greyed = re.findall(r'<label class="tick cannot">.*?</label>', mara.page, re.DOTALL)
    assert greyed != []
    assert all("disabled" in one and "Cannot come: " in one for one in greyed)


def test_a_battle_of_one_gang_is_refused_on_its_page_with_what_was_typed(mara: Board) -> None:
    mara.send(
        f"{HERE}/record/battle", name="Alone", scenario="Sump Raid", date="2026-03-01", gang="iron-skulls"
    )
    assert "A battle needs two gangs or more" in mara.page
    assert 'value="Alone"' in mara.page


def test_a_shot_takes_two_taps_and_its_dice_and_changes_the_target_s_card(mara: Board) -> None:
    begun(mara)
    assert "shoot krug" in mara.offered
    assert mara.marks("wren") == ["Unhurt"]
    mara.tap(KRUG_SHOOTS_WREN)
    assert mara.asks.startswith("Krug the Anvil: hit roll of autogun")
    mara.die("5", "one_hole", "1")
    assert mara.asks == "Tap who acts"
    assert mara.marks("wren") == ["Pinned"]


def test_one_tap_that_is_wrong_answers_nothing_of_what_was_sent_with_it(mara: Board) -> None:
    begun(mara)
    before = mara.revision
    mara.tap("shoot krug\nnobody-there")
    assert mara.status >= 400
    assert mara.revision == before
    assert mara.asks == "Tap who acts"


def test_who_taps_second_is_told_by_whom_and_sees_the_board_as_it_is(mara: Board, club: Club) -> None:
    begun(mara)
    dana = Board(club, "Dana")
    dana.go(mara.at)
    mara.tap("shoot krug\nwren")
    dana.tap("fight krug")
    assert dana.status == 412
    assert "Mara answered first, so your tap does not count." in dana.page
    assert dana.asks == "At what range?"


def test_any_entry_is_taken_out_and_the_rest_stays(mara: Board) -> None:
    begun(mara)
    mara.tap("experience krug\n1\nheld the pump")
    mara.tap("experience vex\n2\nheld the gate")
    mara.take_out(1)
    assert "held the pump" not in mara.page
    assert "held the gate" in mara.page


def test_an_entry_on_which_later_ones_rest_is_not_taken_out(mara: Board) -> None:
    begun(mara)
    mara.tap(KRUG_SHOOTS_WREN)
    mara.die("5", "one_hole", "1")
    mara.tap("unpin wren")
    at, revision = mara.at, mara.revision
    mara.take_out(1)
    assert mara.status >= 400
    mara.go(at)
    assert mara.revision == revision
    assert mara.marks("wren") == ["Unhurt"]


def test_that_somebody_is_webbed_or_no_longer_is_stated_on_the_board(mara: Board) -> None:
    begun(mara)
    mara.tap("condition vex")
    assert {"blaze", "webbed"} <= {*mara.answers}
    mara.send(mara.at, revision=mara.revision, answer="webbed")
    mara.send(mara.at, revision=mara.revision, **{"pass": "1"})
    assert mara.asks == "Tap who acts"
    assert "Webbed" in mara.marks("vex")
    mara.tap("condition vex\nwebbed\nyes")
    assert (mara.asks, mara.marks("vex")) == ("Tap who acts", ["Pinned"])


@pytest.mark.parametrize("condition", ["blaze", "blind", "hidden"])
def test_a_condition_that_is_there_ends_on_the_board(mara: Board, condition: str) -> None:
    begun(mara)
    mara.tap(f"condition vex\n{condition}\nno")
    assert mara.marks("vex") != ["Unhurt"]
    mara.tap(f"condition vex\n{condition}\nyes")
    assert (mara.asks, mara.marks("vex")) == ("Tap who acts", ["Unhurt"])


def test_a_battle_ends_on_the_board_and_is_recorded_once(mara: Board, club: Club) -> None:
    begun(mara)
    mara.tap("experience krug\n1\nheld the pump")
    mara.tap("end")
    mara.send(mara.at, revision=mara.revision, answer="draw")
    assert mara.asks == "The battle is over"
    fields = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', mara.page))
    mara.send(f"{mara.at}/record", **fields)
    assert mara.at == f"{HERE}/battles/3"
    assert club.ask("Mara", "GET", "/drafts").json()["drafts"] == []


def test_answers_that_made_an_entry_are_taken_once_however_often_they_are_sent(
    mara: Board, club: Club
) -> None:
    begun(mara)
    draft, revision = mara.at.split("/")[-2], int(mara.revision)
    first, *then = KRUG_MISSES_WREN
    body = {"answer": first, "then": then, "number": 1, "revision": revision}
    sent = [club.ask("Mara", "POST", f"/drafts/{draft}/answer", json=body) for _ in range(2)]
    assert [one.status_code for one in sent] == [200, 200], sent[0].text
    assert sent[0].json()["document"] == sent[1].json()["document"]
    assert sent[1].json()["draft"]["revision"] == revision + 1


def test_other_answers_to_an_entry_that_stands_there_are_refused(mara: Board, club: Club) -> None:
    begun(mara)
    draft, revision = mara.at.split("/")[-2], int(mara.revision)
    mara.tap("experience krug\n1\nheld the pump")
    body = {"answer": "experience krug", "then": ["2", "held the pump"], "number": 1, "revision": revision}
    assert club.ask("Mara", "POST", f"/drafts/{draft}/answer", json=body).status_code == 412


def test_what_comes_after_a_battle_is_a_checklist_in_the_book_s_order(mara: Board) -> None:
    mara.go(f"{HERE}/record")
    gang = re.search(r'name="gang" value="([^"]*)"', mara.page)
    assert gang is not None
    mara.send(f"{HERE}/record/after", gang=gang[1])
    assert mara.at.endswith("/board")
    steps = re.findall(
        r'<li class="step (\w+)"[^>]*>\s*<details[^>]*><summary><span class="called">([^<]*)<', mara.page
    )
    book = loader.book("necromunda_2023").post_battle
    assert [unescape(name) for _, name in steps] == [step.name for step in book.steps]
    assert [when for when, _ in steps].count("now") == 1


def test_outcomes_alone_are_one_page_and_lead_to_the_whole_battle(mara: Board, club: Club) -> None:
    begun(mara)
    at = mara.at.removesuffix("/board")
    mara.go(f"{at}/outcomes")
    filled = {"out": ["wren"], "by.wren": "krug", "injury.wren": "21", "xp.vex": "2", "won": "draw"}
    mara.send(f"{at}/outcomes", revision=mara.revision, **filled)
    assert mara.at == f"{at}/board", mara.page
    assert mara.asks == "The battle is over"
    document = club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert "out_of_action: {fighter: wren, by: krug}" in document
    assert "dice: {lasting_injury: [2-1]}" in document
    assert "experience: {fighter: vex, amount: 2, reason: the scenario}" in document


def test_an_outcome_that_lacks_a_die_is_refused_and_leaves_nothing_behind(mara: Board, club: Club) -> None:
    begun(mara)
    at = mara.at.removesuffix("/board")
    mara.send(f"{at}/outcomes", revision=mara.revision, out="wren", **{"xp.vex": "2"})
    assert "Wren: " in mara.page
    assert "is still to be rolled" in mara.page
    assert 'value="2"' in mara.page
    document = club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert "out_of_action" not in document


def test_what_is_missing_is_rolled_for_who_ticks_it(mara: Board, club: Club) -> None:
    begun(mara)
    at = mara.at.removesuffix("/board")
    mara.send(f"{at}/outcomes", revision=mara.revision, out="wren", roll="1")
    document = club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert re.search(r"lasting_injury: \[\{rolled: [1-6]-[1-6]\}", document)


def test_a_round_is_counted_and_ends_with_its_end_phase(mara: Board, club: Club) -> None:
    begun(mara)
    assert "<strong>Round 1</strong>" in mara.page
    mara.tap("round_ends\n1")
    assert "<strong>Round 2</strong>" in mara.page
    mara.tap("round_ends\n2")
    assert "<strong>Round 3</strong>" in mara.page
    document = club.ask("Mara", "GET", f"/drafts/{mara.at.split('/')[-2]}").json()["document"]
    assert document.count("round_ends") == 2


def test_who_was_tested_in_this_round_is_said_and_the_end_phase_stays_open(mara: Board) -> None:
    begun(mara)
    assert "Recovery test" not in end_phase(mara)
    mara.tap('{"seriously_injured": {"fighter": "wren", "by": "krug"}}')
    assert "Recovery test" in end_phase(mara)
    assert not re.search('class="ends" open', mara.page)
    mara.tap('{"recovery": {"fighter": "wren"}}')
    mara.die("serious_injury")
    assert re.search('class="ends" open', mara.page)
    assert "Done: <bdi>Wren</bdi>" in end_phase(mara)
    mara.tap("round_ends\n1")
    assert "Done: " not in end_phase(mara)


def test_what_may_be_done_is_tried_once_for_each_state_of_the_battle(
    mara: Board, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    trials, first = wizard.open_kinds, battle_wizard.choices
    monkeypatch.setattr(wizard, "open_kinds", lambda *of: tried.append("kinds") or trials(*of))
    monkeypatch.setattr(
        battle_wizard, "choices", lambda table, form, *of: tried.append(form.kind) or first(table, form, *of)
    )

    def tries() -> list[str]:
        found = sorted(tried)
        tried.clear()
        return found

    begun(mara)
    before, offered = tries(), mara.offered
    assert before.count("kinds") == 1
    assert len({*before}) == len(before), "nobody is looked for twice"
    mara.go(mara.at)
    assert tries() == []
    mara.tap('{"seriously_injured": {"fighter": "wren", "by": "krug"}}')
    assert tries().count("kinds") == 1
    assert "recovery wren" in mara.offered
    assert "recovery wren" not in offered
    mara.take_out(1)
    assert (mara.offered, tries()) == (offered, []), "what was there before is known"
    club.tracker.commands.play(
        club.campaign, [CommandWithDice(command=records.RenameFighter(fighter="wren", name="Wren the Late"))]
    )
    mara.go(mara.at.removesuffix("/undo"))
    assert tries().count("kinds") == 1, "the campaign went on"


def test_the_dice_that_the_campaign_prefers_are_offered_first(mara: Board, club: Club) -> None:
    begun(mara)
    mara.tap(KRUG_SHOOTS_WREN)
    faces, rolls = 'class="face"', "Roll it for me"
    assert mara.page.index(faces) < mara.page.index(rolls)
    club.tracker.people.set_dice(club.campaign, "tool")
    mara.go(mara.at)
    assert mara.page.index(rolls) < mara.page.index(faces)
    assert mara.page.count(rolls) == 1


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


def end_phase(board: Board) -> str:
    found = re.search(r'<details[^>]*class="ends".*?</details>', board.page, re.DOTALL)
    assert found is not None, board.page
    return found[0]


def test_outcomes_that_are_sent_twice_count_once(mara: Board, club: Club) -> None:
    begun(mara)
    at = mara.at.removesuffix("/board")
    filled = {"out": "wren", "by.wren": "krug", "injury.wren": "21", "xp.vex": "2"}
    first = mara.revision
    for _ in range(2):
        mara.send(f"{at}/outcomes", revision=first, **filled)
        assert mara.at == f"{at}/board"
        assert mara.status == 200
    document = club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert document.count("experience:") == 1
    assert document.count("out_of_action:") == 1


def test_outcomes_that_differ_from_what_was_entered_meanwhile_are_refused(mara: Board, club: Club) -> None:
    begun(mara)
    at, first = mara.at.removesuffix("/board"), mara.revision
    mara.send(f"{at}/outcomes", revision=first, **{"xp.vex": "2"})
    mara.send(f"{at}/outcomes", revision=first, **{"xp.vex": "3"})
    assert mara.status == 412
    document = club.ask("Mara", "GET", f"/drafts/{at.split('/')[-1]}").json()["document"]
    assert document.count("experience:") == 1


@pytest.mark.parametrize(
    "later",
    [
        {"won": "draw"},
        {"out": "wren", "by.wren": "vex", "injury.wren": "21"},
        {"out": "wren", "by.wren": "krug", "injury.wren": "22"},
        {"out": "thimble", "by.thimble": "krug", "injury.thimble": "21"},
    ],
)
def test_no_outcome_of_a_page_that_is_out_of_date_is_dropped_without_a_word(
    mara: Board, later: dict[str, str]
) -> None:
    begun(mara)
    at, first = mara.at.removesuffix("/board"), mara.revision
    mara.send(f"{at}/outcomes", revision=first, **{"out": "wren", "by.wren": "krug", "injury.wren": "21"})
    mara.send(f"{at}/outcomes", revision=first, **later)
    assert mara.status == 412, mara.page


def test_the_manifest_has_pictures_that_phones_take(club: Club) -> None:
    manifest = club.client.get("/manifest.webmanifest").json()
    pictures = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon["purpose"]) for icon in pictures} == {
        ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"),
    }  # fmt: skip
    for icon in pictures:
        answer = club.client.get(icon["src"])
        image = Image.open(BytesIO(answer.content))
        assert answer.headers["Content-Type"] == "image/png"
        assert f"{image.width}x{image.height}" == icon["sizes"]
