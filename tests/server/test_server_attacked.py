"""What strangers tried and got somewhere with, once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor, forms
from served import ORIGIN, Club
from sqlalchemy import event
from starlette.testclient import TestClient
from test_server_every_page import asked, bearer, filled, of_campaign, put_together

from tracker import schema
from tracker.log import database
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.pages.routes import FORMS, PAGES
from tracker.service.application import Tracker

PLACE = "/campaigns/ash-wastes"


# --- whether there is a campaign -----------------------------------------------------------------------------


@pytest.fixture
def down_club(club: Club, table: Arbitrator, tmp_path: Path) -> Iterator[Club]:
    """The campaign is kept in a cell that does not answer; the home database does."""
    club.tracker.cells.add("west", f"sqlite:///{tmp_path / 'west.db'}")
    club.tracker.cells.move(club.campaign, "west")
    with database.writing(club.tracker.engine) as connection:
        nobody = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"
        connection.execute(schema.host_cells.update().values(url=nobody))
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        club.client = client
        yield club
    tracker.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Nobody", ""])
def test_a_cell_that_is_down_does_not_tell_strangers_which_campaigns_it_keeps(
    down_club: Club, name: str
) -> None:
    headers = bearer(down_club.tokens[name]) if name else {}
    member = asked(down_club, "GET", f"{PLACE}/gangs", bearer(down_club.tokens["Mara"]))
    assert member.status_code == 503, "it does not answer those who know it either"
    wrong = []
    for method, path in of_campaign(down_club):
        there = asked(down_club, method, filled(path), headers)
        nowhere = asked(down_club, method, filled(path, campaign="no-such-place"), headers)
        same = (there.status_code, there.text.replace("ash-wastes", "no-such-place"))
        if same != (nowhere.status_code, nowhere.text):
            wrong.append((method, path, there.text[:120], nowhere.text[:120]))
    assert wrong == []
    body = {"command": "campaign show", "words": [], "campaign": "ash-wastes"}
    answer = down_club.client.post("/v1/command-line", json=body, headers=headers)
    assert answer.status_code == (200 if name else 401), answer.text
    assert not name or answer.json()["refused"]["code"] == "unknown_campaign"


@pytest.mark.slow
def test_a_private_campaign_takes_as_many_looks_at_the_database_as_one_that_is_not_there(club: Club) -> None:
    """What takes longer says that there is something to look at."""
    looks: list[str] = []

    @event.listens_for(club.tracker.engine, "before_cursor_execute")
    def counted(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if (
            "host_cells" not in statement and "webhook" not in statement
        ):  # which whoever posts looks at meanwhile
            looks.append(statement)

    headers = bearer(club.tokens["Nobody"])
    asked(club, "GET", "/v1/campaigns", headers)  # the token has been used
    for method, path in of_campaign(club):
        taken = []
        for campaign in ("ash-wastes", "no-such-place"):
            looks.clear()
            asked(club, method, filled(path, campaign=campaign), headers)
            taken.append(list(looks))
        assert taken[0] == taken[1], (method, path)


# --- where an answer leads -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_address_with_a_slash_too_many_leads_to_no_host_that_whoever_asks_has_made_up(club: Club) -> None:
    for method, path in put_together(club):
        if not path.endswith("/events"):
            headers = {"Host": "evil.example", **bearer(club.tokens["Nobody"])}
            for made in (f"{filled(path)}/", f"/{filled(path)}/"):
                answer = asked(club, method, made, headers)
                assert "evil" not in answer.headers.get("Location", ""), (made, answer.headers)


# --- forms -------------------------------------------------------------------------------------------------------


def proposed(club: Club, battle: str) -> None:
    report = (
        f"format: battle-report/1\nbattle: {battle}\nscenario: Sump Raid\ndate: 2026-04-01\n"
        "gangs: [iron-skulls, gilded-cage]\nentries:\n"
        "  - experience: {fighter: krug, amount: 1, reason: held on}\nresult: {draw: true}\n"
    )
    sent = club.ask("Dana", "POST", "/proposals", content=report)
    assert sent.status_code == 200, sent.text


def test_two_reports_taken_in_from_one_page_are_not_one_that_was_sent_twice(club: Club) -> None:
    """The page has one key for both. Back on it after the first, the second is refused, not passed over."""
    for battle in ("dusk", "night"):
        proposed(club, battle)
    browser = club.browser("Mara")

    def sends(at: int) -> Any:
        page = browser.get(f"{PLACE}/record", headers={"Accept": "text/html"}).text if at == 0 else shown[0]
        shown.append(page)
        form = [form for form in forms(page) if form.action.endswith("/take-in")][at]
        return browser.post(form.action, data=form.fields)

    shown: list[str] = []
    assert sends(0).status_code == 303
    assert sends(1).status_code == 412, "made for a state of the campaign that has gone"
    battles = {row["battle"] for row in club.ask("Mara", "GET", "/battles").json()["battles"]}
    assert len(battles & {"dusk", "night"}) == 1
    again = sends(0)
    assert again.status_code == 303, "the first, sent twice, is done"


def test_an_amendment_that_nobody_has_looked_at_is_refused_and_not_called_done(club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    mara = Visitor(club.client, club.tokens["Mara"])
    mara.go(f"{PLACE}/log/7/correct")
    mara.press("Show what it changes", fields={"key.amount": "1"})
    form = mara.form("Put it right")
    for head in ("", "none", "-"):
        given = {"key.amount": "1", "reason": "a slip", "head": head}
        assert "is not what the page put there" in mara.send(form, "Put it right", given, status=422)
    edit = {"reason": "x", "head": "", "do": "show"}
    answer = club.browser("Mara").post(f"{PLACE}/gangs/iron-skulls/edit/rule", data=edit)
    assert answer.status_code != 303, "nothing was recorded"
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


@pytest.mark.parametrize("entry", ["%00", "x", "9" * 25, "-1", "1.5", "%D9%A1"])
def test_what_is_no_entry_has_no_page_and_is_no_fault(club: Club, entry: str) -> None:
    wanted = [("GET", page.path) for page in PAGES if "{entry}" in page.path]
    wanted += [("POST", form.path) for form in FORMS if "{entry}" in form.path]
    for method, path in wanted:
        answer = asked(club, method, filled(path, entry=entry), bearer(club.tokens["Mara"]))
        assert answer.status_code < 500, (path, answer.text[:300])


# --- memory ------------------------------------------------------------------------------------------------------


def test_answers_without_a_body_that_are_kept_are_counted_too(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with other headers: somebody who only reads would fill the memory with them, between two entries."""
    monkeypatch.setattr("tracker.server.answer_cache.BYTES_MOST", 100_000)
    etag = club.ask("Mara", "GET", "/roster").headers["ETag"]
    for number in range(60):
        headers = {**bearer(club.tokens["Mara"]), "If-None-Match": f'{etag}, "{number}-{"x" * 5_000}"'}
        assert club.client.get("/v1/campaigns/ash-wastes/roster", headers=headers).status_code == 304
    kept = club.client.app.state.answers._kept  # type: ignore[attr-defined]
    assert 0 < len(kept) <= 20
