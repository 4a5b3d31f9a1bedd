"""Recording on pages: what each question looks like, what a form changes, and that nothing typed is lost."""

import re
from html import unescape
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import GANG_SHEETS
from served import Club

HERE = "/campaigns/ash-wastes"
BROWSER = {"Accept": "text/html"}


class Reader:
    """Somebody who fills in forms, as a browser without scripts does."""

    def __init__(self, club: Club, name: str) -> None:
        self.club = club
        self.headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
        self.at, self.page, self.status = "", "", 0

    def _came(self, answer: Any) -> None:
        self.at, self.page, self.status = answer.url.path, answer.text, answer.status_code

    def go(self, path: str) -> None:
        self._came(self.club.client.get(path, headers=self.headers))

    def send(self, path: str, **fields: Any) -> None:
        self._came(self.club.client.post(path, data=fields, headers=self.headers))

    def begin(self, kind: str) -> None:
        self.send(f"{HERE}/record", kind=kind)

    def answer(self, *answers: str) -> None:
        for answer in answers:
            self.send(self.at, revision=self.revision, answer=answer)

    @property
    def revision(self) -> str:
        found = re.search(r'name="revision" value="([0-9]+)"', self.page)
        assert found is not None, self.page
        return found[1]

    @property
    def question(self) -> str:
        found = re.search(r'<h2 id="question">(.*?)</h2>', self.page)
        assert found is not None, self.page
        return re.sub("<[^>]*>", "", unescape(found[1]))

    @property
    def buttons(self) -> list[str]:
        return [unescape(one) for one in re.findall(r'name="answer" value="([^"]*)"', self.page)]


@pytest.fixture
def mara(club: Club) -> Reader:
    reader = Reader(club, "Mara")
    reader.begin("battle")
    return reader


def to_first_exchange(reader: Reader) -> None:
    reader.answer("", "Sump Raid", "2026-03-01", "iron-skulls, gilded-cage", "")
    assert reader.question.startswith("What happened?")


def test_a_question_is_a_page_and_every_answer_a_button(mara: Reader) -> None:
    assert mara.question == "What is the battle called?"
    to_first_exchange(mara)
    assert "shoot krug" in mara.buttons
    mara.answer("shoot krug", "wren")
    assert {"short", "short, partial cover", "long, full cover", "beyond"} <= {*mara.buttons}
    mara.answer("short")
    assert mara.buttons == ["1", "2", "3", "4", "5", "6", "r"]


def test_the_tools_dice_are_offered_first_where_the_campaign_uses_them(mara: Reader, club: Club) -> None:
    to_first_exchange(mara)
    mara.answer("shoot krug", "wren", "short")
    assert mara.buttons[-1] == "r"
    club.tracker.people.set_dice(club.campaign, "tool")
    mara.go(mara.at)
    assert mara.buttons == ["r", "1", "2", "3", "4", "5", "6"]


def test_a_scenario_that_was_played_before_is_a_button(mara: Reader) -> None:
    mara.answer("")
    assert mara.question == "Which scenario?"
    assert mara.buttons[0] == "Toll at the Bridge"
    mara.answer("")
    assert "This question needs an answer." in mara.page
    mara.answer("Toll at the Bridge")
    assert mara.question == "When was it played?"


def test_a_battle_is_recorded_with_forms_alone_and_its_draft_is_gone(mara: Reader, club: Club) -> None:
    to_first_exchange(mara)
    mara.answer("experience krug", "1", "held the pump", "end", "draw")
    before = club.ask("Mara", "GET", "").headers["ETag"]
    fields = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', mara.page))
    mara.send(f"{mara.at}/record", **fields)
    assert (mara.status, mara.at) == (200, HERE)
    assert club.ask("Mara", "GET", "").headers["ETag"] != before
    assert club.ask("Mara", "GET", "/drafts").json()["drafts"] == []


TAPS_MAX = 4


class Thumb:
    """Taps what a page offers, and counts what is no die."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.taps = reader, 0

    def tap(self, *values: str) -> None:
        for value in values:
            assert value in self.reader.buttons, (value, self.reader.question)
            lies = self.reader.page.partition(f'name="answer" value="{value}"')[0]
            is_folded = lies.count("<details") > lies.count("</details>")
            self.reader.answer(value)
            self.taps += 1 + is_folded

    def write(self, text: str) -> None:
        assert 'id="answer"' in self.reader.page
        self.reader.answer(text)
        self.taps += 1

    @property
    def asks_for_a_die(self) -> bool:
        return 'class="dice ' in self.reader.page

    def throw(self, face: str) -> None:
        assert face in self.reader.buttons
        self.reader.answer(face)


@pytest.mark.slow
def test_a_battle_takes_four_taps_an_exchange_beyond_its_dice(mara: Reader, club: Club) -> None:
    """In a browser, with buttons that have a size: tests/browser/test_recording_on_a_phone.py."""
    to_first_exchange(mara)
    thumb, counted = Thumb(mara), []

    def decided() -> None:
        assert mara.question == "What happened? (end ends the battle)"
        counted.append(thumb.taps)
        thumb.taps = 0

    for shooter, target, reach in (
        ("krug", "wren", "short"), ("hob", "wren", "long, partial cover"), ("ivo", "krug", "long, full cover"),
        ("krug", "ivo", "beyond"), ("pip", "wren", "long"),
    ):  # fmt: skip
        thumb.tap(f"shoot {shooter}", target, reach)
        while not mara.question.startswith("What happened?"):
            if thumb.asks_for_a_die:
                thumb.throw("1" if "hit roll" in mara.question else "one_hole")
            else:
                thumb.tap("")  # whom the miss puts at risk: nobody
        decided()
    thumb.tap("out_of_action tallow", "sable")
    while not thumb.asks_for_a_die:
        thumb.tap("")
    thumb.throw("5-5")
    decided()
    thumb.tap("experience mags", "1")
    thumb.write("held the pump")
    decided()
    assert len(counted) == 7
    assert max(counted) <= TAPS_MAX, counted
    thumb.tap("end", "iron-skulls")
    fields = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', mara.page))
    mara.send(f"{mara.at}/record", **fields)
    rows, _ = club.tracker.boards.battles(club.campaign)
    assert "battle-3" in [row["battle"] for row in rows], mara.page
    assert club.tracker.drafts.of(club.campaign) == ()


def test_a_report_that_was_shown_for_another_state_is_not_recorded(mara: Reader, club: Club) -> None:
    to_first_exchange(mara)
    mara.answer("experience krug", "1", "held the pump", "end", "draw")
    fields = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', mara.page))
    club.ask("Mara", "POST", "/fighters/krug/rename", json={"name": "Old Krug"})
    mara.send(f"{mara.at}/record", **fields)
    assert mara.status == 412
    assert "Record it" in mara.page
    assert "Old Krug" in mara.page


def test_an_answer_sent_twice_by_one_thumb_counts_once(mara: Reader) -> None:
    revision = mara.revision
    mara.send(mara.at, revision=revision, answer="night")
    mara.send(mara.at, revision=revision, answer="night")
    assert (mara.status, mara.question) == (200, "Which scenario?")


def test_an_answer_to_what_somebody_else_answered_is_said_with_what_is_asked_now(
    mara: Reader, club: Club
) -> None:
    dana = Reader(club, "Dana")
    dana.go(mara.at)
    mara.answer("night")
    dana.answer("day")
    assert dana.status == 412
    assert "is at revision 2 by now" in dana.page
    assert dana.question == "Which scenario?"


def test_what_was_typed_and_refused_is_still_there(mara: Reader) -> None:
    mara.answer("?!")
    assert mara.status == 422
    assert "A name with letters or digits in it" in mara.page
    assert 'value="?!"' in mara.page


def test_a_battle_is_called_as_its_players_call_it(mara: Reader) -> None:
    assert mara.question == "What is the battle called?"
    mara.answer("Night Raid!")
    assert (mara.status, mara.question) == (200, "Which scenario?")


def test_hostile_words_are_text(mara: Reader) -> None:
    mara.answer("night", "<script>alert(1)</script>")
    assert "<script>alert" not in mara.page
    mara.answer("2026-03-01", "iron-skulls, gilded-cage", "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in mara.page


def test_who_only_looks_is_told_who_records(club: Club) -> None:
    sol = Reader(club, "Sol")
    sol.go(f"{HERE}/record")
    assert sol.status == 200
    assert "Players and Arbitrators record battles" in sol.page
    sol.begin("battle")
    assert sol.status == 403


def test_a_gang_that_joins_in_mid_season_is_enlisted_from_its_pages(club: Club) -> None:
    mara = Reader(club, "Mara")
    mara.begin("gang")
    mara.answer("Rust Dogs", "Iron Clan", "Robin", "100", "", "y", "y", "old ruins", "Bruk")
    mara.answer("card", "leader", "Boss", "120", "4 4+ 4+ 4 3 2 4+ 2 5+ 6+ 7+ 8+", "", "", "")
    mara.answer("4", "9", "2", "1", "", "3", "eye_injury", "")
    assert "Enlist them" in mara.page
    fields = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', mara.page))
    mara.send(f"{mara.at}/record", **fields)
    assert mara.status == 200, mara.page
    assert club.ask("Mara", "GET", "/fighters/bruk").json()["fighter"]["experience"] >= 0


def test_a_post_battle_is_answered_step_by_step(club: Club, table: Arbitrator) -> None:
    mara = Reader(club, "Mara")
    mara.begin("post-battle")
    assert mara.status == 200
    assert mara.question
    assert mara.buttons


def test_two_coaches_settle_a_report_on_their_pages(mara: Reader, club: Club) -> None:
    people = club.tracker.people
    robin = people.add("Robin").person
    people.join(club.campaign, robin, role="player", gangs=("gilded-cage",))
    club.tokens["Robin"] = people.tokens.new(robin, label="tests", scope="write").secret
    dana = Reader(club, "Dana")
    dana.begin("battle")
    to_first_exchange(dana)
    dana.answer("experience krug", "1", "held the pump", "end", "draw")
    assert "Record it</button>" not in dana.page, "here the Arbitrators record"
    draft, revision = dana.at, dana.revision
    away = Reader(club, "Sol")
    people.join(club.campaign, club.people["Sol"].person, role="player", gangs=("rust-saints",))
    away.go(draft)
    assert "Send it in" not in away.page, "their gang did not fight"
    dana.send(f"{draft}/propose", revision=revision)
    assert dana.at == f"{HERE}/record"
    assert "Not confirmed for The Gilded Cage" in dana.page
    assert "It went like that" not in dana.page
    other = Reader(club, "Robin")
    other.go(f"{HERE}/record")
    report = re.search(r'action="([^"]*)/confirm"', other.page)
    assert report is not None
    other.send(f"{report[1]}/object", reason="Krug was <b>down</b>")
    assert "Krug was &lt;b&gt;down&lt;/b&gt;" in other.page
    other.send(f"{report[1]}/confirm")
    assert "Confirmed" in other.page
    mara.go(f"{HERE}/record")
    fields = dict(re.findall(r'type="hidden" name="(head|key)" value="([^"]*)"', mara.page))
    mara.send(f"{report[1]}/take-in", **fields)
    assert mara.status == 200
    assert "Proposed, and not counting yet" not in mara.page
    assert club.ask("Mara", "GET", "/battles").json()["battles"][-1]["battle"].startswith("battle-")


def whole_battle(reader: Reader) -> None:
    reader.begin("battle")
    to_first_exchange(reader)
    reader.answer("experience krug", "1", "held the pump", "end", "draw")


def test_the_button_that_records_is_for_whose_battle_it_is(club: Club) -> None:
    assert club.ask("Mara", "POST", "/recorders", json={"who": "players"}).status_code == 200
    people = club.tracker.people
    vic = people.add("Vic").person
    people.join(club.campaign, vic, role="player", gangs=("rust-saints",))
    club.tokens["Vic"] = people.tokens.new(vic, label="tests", scope="write").secret
    dana, other = Reader(club, "Dana"), Reader(club, "Vic")
    whole_battle(dana)
    assert "Record it</button>" in dana.page
    other.go(dana.at)
    assert "Record it</button>" not in other.page
    assert "Only an Arbitrator records it, from this page" in other.page


def test_a_gang_that_is_not_theirs_is_not_enlisted_by_a_player(club: Club) -> None:
    dana = Reader(club, "Dana")
    dana.begin("gang")
    dana.answer("Rust Dogs", "Iron Clan", "Robin", "100", "", "y", "n", "nobody", "Bruk")
    dana.answer("card", "leader", "Boss", "120", "4 4+ 4+ 4 3 2 4+ 2 5+ 6+ 7+ 8+", "", "", "")
    mara = Reader(club, "Mara")
    mara.go(dana.at)
    for _ in range(8):
        if 'id="question"' not in mara.page or "Enlist them" in mara.page:
            break
        mara.answer("")
    assert "Enlist them</button>" in mara.page
    dana.go(mara.at)
    assert "Enlist them</button>" not in dana.page


TWO_GUNS = """\
      - name: hand cannon
        cost: 10
        profiles:
          - {name: slug, S: 4, AP: 0, D: 1, range: {short: 8", long: 16"}, accuracy: {short: 0, long: 0}, ammo: 5+}
          - {name: shot, S: 3, AP: 0, D: 1, range: {short: 8", long: 16"}, accuracy: {short: 0, long: 0}, ammo: 5+}
"""


def test_a_weapon_is_chosen_with_its_profile_in_one_tap_and_a_shot_takes_four(
    club: Club, table: Arbitrator
) -> None:
    sheet = GANG_SHEETS[0].read_text(encoding="utf-8").replace("iron-skulls", "twin-skulls")
    sheet = re.sub(r"id: (\w+)", r"id: twin-\1", sheet).replace("id: twin-twin-", "id: twin-")
    sheet = sheet.replace("      - name: bore cannon\n", f"{TWO_GUNS}      - name: bore cannon\n")
    assert club.ask("Mara", "POST", "/gangs", content=sheet).status_code == 200
    mara = Reader(club, "Mara")
    mara.begin("battle")
    mara.answer("", "Sump Raid", "2026-03-01", "twin-skulls, gilded-cage", "")
    mara.answer("shoot twin-vex")
    assert mara.question == "With which weapon?"
    buttons = re.findall(r'name="(then\.[^"]*)" value="([^"]*)"', mara.page)
    assert ("then.shot", "hand cannon") in buttons
    assert ("then.frag shell", "bore cannon") in buttons
    before = mara.revision
    for _ in range(2):  # sent twice by one thumb, it counts once
        mara.send(mara.at, revision=before, **{"then.shot": "hand cannon"})
        assert mara.status == 200
    assert mara.question == "Who is shot at?"
    mara.answer("wren")
    assert "short" in mara.buttons, "the fourth tap is the range"
