"""Who asks the same again is given the same bytes, until anybody has written anything or they may not any more."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from served import CAMPAIGN, ORIGIN, Club
from starlette.testclient import TestClient

from tracker.campaign import records
from tracker.server import app as served_app
from tracker.server.access import MemberAccess
from tracker.server.pages import serving
from tracker.server.rate_limits import Kind, NoLimits
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice


class Counted:
    """A service that counts how often an answer was made, and whose clock stands until it is set."""

    def __init__(self, table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made = 0
        self.now = "2026-11-23T10:00:00Z"
        makes = served_app._answered

        def counts(*given: Any) -> served_app.Answered:
            self.made += 1
            return makes(*given)

        monkeypatch.setattr(served_app, "_answered", counts)
        self.tracker = Tracker(f"sqlite:///{table.file}", actor="the machine", clock=lambda: self.now)
        self.other = Tracker(f"sqlite:///{table.file}", actor="another process", clock=lambda: self.now)
        self.app = served_app.application(self.tracker, MemberAccess(self.tracker), address=ORIGIN)

    def award(self, opened: Tracker, campaign: str) -> None:
        """Somebody else records something."""
        award = records.AwardExperience(fighter="krug", amount=1, reason="held on")
        opened.commands.play(campaign, [CommandWithDice(command=award)])


@pytest.fixture
def counted(table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    service = Counted(table, monkeypatch)
    yield service
    service.other.close()
    service.tracker.close()


@pytest.fixture
def club(counted: Counted) -> Iterator[Club]:
    with TestClient(counted.app) as client:
        made = Club(client, counted.tracker)
        made.ask("Mara", "GET", "/roster")  # a token that is used for the first time is written down
        counted.made = 0
        yield made


def test_the_same_is_made_once_and_given_again_until_somebody_writes(club: Club, counted: Counted) -> None:
    first, again = (club.ask("Mara", "GET", "/roster") for _ in range(2))
    assert counted.made == 1
    assert (again.status_code, again.content) == (200, first.content)
    differs = {
        name for name in {*first.headers, *again.headers} if first.headers[name] != again.headers[name]
    }
    assert differs == {"x-request-id"}
    counted.award(counted.other, club.campaign)
    fresh = club.ask("Mara", "GET", "/roster")
    assert counted.made == 2
    assert fresh.headers["ETag"] != first.headers["ETag"]
    assert fresh.content != first.content


def test_another_question_or_another_person_has_an_answer_of_their_own(club: Club, counted: Counted) -> None:
    club.ask("Mara", "GET", "/roster")
    club.ask("Mara", "GET", "/roster?who=krug")
    tag = club.ask("Mara", "GET", "/roster").headers["ETag"]
    roster, signed_in = f"{CAMPAIGN}/roster", {"Authorization": f"Bearer {club.tokens['Mara']}"}
    text = club.client.get(roster, headers=signed_in | {"Accept": "text/plain"})
    assert text.headers["Content-Type"].startswith("text/plain")
    assert counted.made == 3
    for _ in range(2):
        assert club.client.get(roster, headers=signed_in | {"If-None-Match": tag}).status_code == 304
    assert club.ask("Nobody", "GET", "/roster").status_code == 404
    assert club.client.get(roster).status_code == 401


def test_a_token_that_is_taken_back_or_runs_out_is_given_nothing(club: Club, counted: Counted) -> None:
    tokens, dana = counted.tracker.people.tokens, club.people["Dana"].person
    made = {name: tokens.new(dana, label=name, scope="read", days=1) for name in ("taken back", "short")}
    for name, token in made.items():
        club.tokens[name] = token.secret
        for _ in range(3):
            assert club.ask(name, "GET", "/roster").status_code == 200
    tokens.revoke(dana, made["taken back"].token.token)
    assert club.ask("taken back", "GET", "/roster").status_code == 401
    assert club.ask("short", "GET", "/roster").status_code == 200
    counted.now = "2026-11-24T10:00:01Z"
    assert club.ask("short", "GET", "/roster").status_code == 401


def test_rights_behind_a_cached_answer_are_checked_again_after_some_seconds(
    club: Club, counted: Counted
) -> None:
    club.ask("Mara", "GET", "/roster")
    counted.now = "2026-11-23T10:00:14Z"
    club.ask("Mara", "GET", "/roster")
    assert counted.made == 1
    counted.now = "2026-11-23T10:00:15Z"
    club.ask("Mara", "GET", "/roster")
    assert counted.made == 2


def test_of_a_campaign_in_another_cell_every_answer_is_made(
    club: Club, counted: Counted, tmp_path: Path
) -> None:
    """Its database counts its own commits."""
    counted.tracker.cells.add("west", f"sqlite:///{tmp_path / 'west.db'}")
    counted.tracker.cells.move(club.campaign, "west")
    tags = set()
    for _ in range(2):
        tags.add(club.ask("Mara", "GET", "/roster").headers["ETag"])
        counted.award(counted.tracker.cells.tracker("west"), club.campaign)
    assert len(tags) == 2


def test_a_cached_answer_counts_against_the_rate_limit_of_its_caller(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Noted(NoLimits):
        def count(self, kind: Kind, whose: str) -> None:  # noqa: ARG002
            asked.append(whose)

    counted.app.state.access.limits = Noted()
    people, campaign = counted.tracker.people, counted.tracker.directory.campaign_id("ash-wastes")
    people.set_visibility(campaign, "public")
    with TestClient(counted.app, client=("192.0.2.7", 1)) as client:
        for _ in range(3):
            assert client.get("/v1/campaigns/ash-wastes/standings").status_code == 200
    assert counted.made == 1
    assert asked == ["192.0.2.7"] * 3


def test_a_page_that_only_shows_is_given_again_until_somebody_writes(
    club: Club, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0
    writes = serving._written

    def counts(*given: Any) -> str:
        nonlocal made
        made += 1
        return writes(*given)

    monkeypatch.setattr(serving, "_written", counts)

    def page(who: str, path: str, encoding: str = "gzip") -> Any:
        headers = {"Accept": "text/html", "Accept-Encoding": encoding}
        headers["Authorization"] = f"Bearer {club.tokens[who]}"
        return club.client.get(f"/campaigns/ash-wastes{path}", headers=headers)

    page("Sol", "/gangs")  # a token that is used for the first time is written down
    made = 0
    assert page("Sol", "/gangs/iron-skulls").text == page("Sol", "/gangs/iron-skulls").text
    assert made == 1
    assert "Content-Encoding" not in page("Sol", "/gangs/iron-skulls", "identity").headers
    assert made == 2
    counted.award(counted.other, club.campaign)
    page("Sol", "/gangs/iron-skulls")
    assert made == 3
    first, again = (re.findall(r'name="key" value="([^"]*)"', page("Mara", "/battles/b2").text) for _ in "12")
    assert first != again, "a form that records has a key of its own each time"
