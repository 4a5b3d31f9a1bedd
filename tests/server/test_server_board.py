"""A battle as a table: begun on one page, tapped on a board, recorded; two who tap at once; anything taken out again."""

import re
from html import unescape
from io import BytesIO

import pytest
from PIL import Image
from served import Club
from test_server_table_pages import HERE, Reader

from tracker.campaign import records
from tracker.conversations import battle_wizard, wizard
from tracker.rules import loader
from tracker.service.command_handler import CommandWithDice

ROLLS = "Roll it for me"
KRUG_SHOOTS_WREN = "shoot krug\nwren\nshort"
KRUG_MISSES_WREN = ("shoot: {attacker: krug, weapon: autogun, target: wren, range: short}", "1", "one_hole")


def small_words(page: str) -> list[str]:
    """Buttons and boxes of a page whose words begin with a small letter."""
    said = re.findall(r"<(?:button|label|dt)\b[^>]*>(.*?)</(?:button|label|dt)>", page, re.DOTALL)
    words = [re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", "", one))).strip() for one in said]
    return [one for one in words if one[:1].islower()]


class Board(Reader):
    """The board of a battle, as somebody taps it."""

    def tap(self, lines: str, **more: str) -> None:
        self.send(self.at, revision=self.revision, lines=lines, **more)

    def die(self, *faces: str) -> None:
        for face in faces:
            assert f'value="{face}" class="face"' in self.page, face
            self.send(self.at, revision=self.revision, answer=face)

    def send(self, path: str, **fields: str | list[str]) -> None:
        super().send(path, **fields)
        assert not self.at.endswith("/board") or small_words(self.page) == [], self.at

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
    assert re.search("Number 2 does not hold without number 1: .+ Take out number 2 first.", mara.page)
    assert "of this file" not in mara.page
    mara.go(at)
    assert mara.revision == revision
    assert mara.marks("wren") == ["Unhurt"]


def test_that_somebody_is_webbed_or_no_longer_is_stated_on_the_board(mara: Board) -> None:
    begun(mara)
    mara.tap("condition vex")
    assert {"blaze", "webbed"} <= {*mara.answers}
    mara.send(mara.at, revision=mara.revision, answer="webbed")
    assert mara.asks == "Tap who acts", "nobody is asked whether a condition ends that was not there"
    assert mara.asks == "Tap who acts"
    assert "Webbed" in mara.marks("vex")
    mara.tap("condition vex\nwebbed\nyes")
    assert (mara.asks, mara.marks("vex")) == ("Tap who acts", ["Pinned"])


@pytest.mark.parametrize("condition", ["blaze", "blind", "hidden"])
def test_a_condition_that_is_there_ends_on_the_board(mara: Board, condition: str) -> None:
    begun(mara)
    mara.tap(f"condition vex\n{condition}")
    assert mara.marks("vex") != ["Unhurt"]
    did, *outcome = re.findall(r'<p class="did">(.*?)</p>|<li>(Vex [^<]*)</li>', mara.page)[:2]
    assert did[0].removeprefix("Stated: ") not in [said for _, said in outcome], "it is said once"
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


def test_no_number_is_a_button_that_cannot_be_the_answer(mara: Board) -> None:
    begun(mara)
    mara.tap("experience krug")
    assert 'name="answer" value="1"' in mara.page
    assert 'name="answer" value="0"' not in mara.page


def test_a_number_that_cannot_be_is_refused_where_it_is_asked_for(mara: Board) -> None:
    begun(mara)
    mara.tap("experience krug")
    asked = mara.asks
    mara.answer("0")
    assert "That cannot be: type a whole number from 1 to 99." in mara.page
    assert mara.asks == asked
    mara.answer("2", "held the pump")
    assert mara.asks == "Tap who acts"
