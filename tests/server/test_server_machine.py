"""The page of who keeps the machine: archives taken in, logs signed. Nobody else sees it, and no token does."""

import html
import re
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from served import Club

from tracker.server.machine import PATH

PAGES = ("", "/archive", "/key", "/sign")


@pytest.fixture
def keeper(club: Club) -> str:
    """Who keeps the machine signs in with a browser under this name."""
    person = club.tracker.people.of_machine("Kit")
    club.people["Kit"] = person
    return "Kit"


@pytest.mark.parametrize("path", PAGES)
def test_only_who_keeps_the_machine_sees_it_and_no_token_does(club: Club, keeper: str, path: str) -> None:
    method = "POST" if path else "GET"
    assert club.browser("Mara").request(method, f"{PATH}{path}").status_code == 403
    assert club.browser(None).request(method, f"{PATH}{path}").status_code == 401
    token = club.tracker.people.tokens.new(club.people[keeper].person, label="bot", scope="write").secret
    by_token = {"Authorization": f"Bearer {token}"}
    assert club.browser(None).request(method, f"{PATH}{path}", headers=by_token).status_code == 401


def test_an_archive_is_taken_in_and_its_campaign_opened(
    club: Club, keeper: str, table: Arbitrator, tmp_path: Path
) -> None:
    elsewhere = Arbitrator(tmp_path)
    elsewhere.done("campaign", "new", "Sump Season", "--ruleset", "necromunda_2023")
    elsewhere.done("campaign", "export", str(tmp_path / "sump.zip"))
    browser = club.browser(keeper)
    sent = {"archive": ("sump.zip", (tmp_path / "sump.zip").read_bytes(), "application/zip")}
    answer = browser.post(f"{PATH}/archive", files=sent)
    assert answer.headers.get("location") == "/campaigns/sump-season", answer.text
    shown = browser.get("/campaigns/sump-season", headers={"Accept": "text/html"})
    assert shown.status_code == 200, "who took it in is its Arbitrator"
    assert "Sump Season" in shown.text


def test_what_is_no_archive_is_refused_by_its_own_name_and_nothing_is_written(
    club: Club, keeper: str
) -> None:
    before = len(club.tracker.directory.rows())
    sent = {"archive": ("holiday.zip", b"PK\x03\x04 no more than that", "application/zip")}
    answer = club.browser(keeper).post(f"{PATH}/archive", files=sent)
    assert answer.status_code >= 400
    assert "holiday.zip" in answer.text
    assert "/tmp" not in answer.text  # noqa: S108  # no folder of the machine
    assert "arbitrator " not in answer.text
    assert len(club.tracker.directory.rows()) == before
    assert "Choose the archive" in club.browser(keeper).post(f"{PATH}/archive", data={}).text


def test_a_key_is_made_and_signs_the_log_with_its_passphrase(club: Club, keeper: str) -> None:
    browser = club.browser(keeper)
    made = browser.post(f"{PATH}/key", data={"campaign": "ash-wastes", "passphrase": "sump water"})
    assert "The key is made" in made.text
    wrong = browser.post(f"{PATH}/sign", data={"campaign": "ash-wastes", "passphrase": "ale"})
    assert wrong.status_code >= 400
    assert "passphrase" in wrong.text
    signed = browser.post(f"{PATH}/sign", data={"campaign": "ash-wastes", "passphrase": "sump water"})
    events = club.tracker.repository.store.head(club.campaign).size
    assert re.search(rf"\n{events}\n", html.unescape(signed.text)), "the signed head says how many events"
    assert f"Signed over the first {events} events" in browser.get(PATH).text
    handed = {"campaign": "ash-wastes", "how": "rotate", "old": "sump water", "passphrase": ""}
    assert "the old one vouches for it" in browser.post(f"{PATH}/key", data=handed).text
    again = browser.post(f"{PATH}/key", data={"campaign": "ash-wastes"})
    assert again.status_code >= 400, "a campaign has one key at a time"
