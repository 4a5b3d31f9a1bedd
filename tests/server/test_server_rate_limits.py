"""How often somebody may ask: by person, else by address; and what is said when it is too often."""

from collections.abc import Iterator

import pytest
from cli_arbitrator import Arbitrator
from served import CAMPAIGN, ORIGIN, Club
from starlette.testclient import TestClient

from tracker.server import rate_limits
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.rate_limits import PER_MINUTE, PerMinute, TooOften, whose
from tracker.service.application import Tracker

FEW: dict[rate_limits.Kind, int] = {"sign-in": 3, "writes": 3, "reads": 4}


@pytest.fixture(autouse=True)
def _one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window begins with its first request; the tests stay within one, however slow the machine is."""
    monkeypatch.setattr("limits.storage.memory.time.time", lambda: 1_000_000.0)
    monkeypatch.setattr("tracker.server.rate_limits.time.time", lambda: 1_000_000.0)


@pytest.fixture
def club(table: Arbitrator) -> Iterator[Club]:
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    app = application(tracker, MemberAccess(tracker, PerMinute(FEW)), address=ORIGIN)
    with TestClient(app) as client:
        yield Club(client, tracker)
    tracker.close()


def refused(answer: object) -> bool:
    return bool(answer.status_code == 429)  # type: ignore[attr-defined]


def test_a_rate_limit_answers_with_a_problem_and_retry_after(club: Club) -> None:
    for _ in range(FEW["reads"]):
        assert club.ask("Mara", "GET", "/standings").status_code == 200
    answer = club.ask("Mara", "GET", "/standings")
    assert answer.status_code == 429
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == "60"
    problem = answer.json()
    assert (problem["code"], problem["facts"]["seconds"]) == ("too_often", 60)
    assert problem["detail"] == "More than 4 reads a minute. Try again in 60 s."


def test_a_person_is_counted_by_token_and_by_session_alike(club: Club) -> None:
    browsers = [club.browser("Mara") for _ in range(2)]
    for browser in (*browsers, *browsers):
        assert not refused(browser.get(f"{CAMPAIGN}/roster"))
    assert refused(browsers[0].get(f"{CAMPAIGN}/roster"))
    assert refused(club.ask("Mara", "GET", "/roster"))
    assert not refused(club.ask("Sol", "GET", "/roster")), "others are not held up"


def test_writes_are_counted_apart(club: Club) -> None:
    for name in ("A", "B", "D"):
        assert not refused(club.ask("Mara", "POST", "/fighters/krug/rename", json={"name": name}))
    before = club.tracker.repository.store.head(club.campaign).size
    assert refused(club.ask("Mara", "POST", "/fighters/krug/rename", json={"name": "C"}))
    assert club.tracker.repository.store.head(club.campaign).size == before
    assert not refused(club.ask("Mara", "GET", "/roster"))


def test_a_reading_command_line_and_an_answer_to_a_wizard_count_as_reads(club: Club) -> None:
    reading = {"command": "roster show", "words": [], "campaign": "ash-wastes"}
    typed = {"command": "battle play", "words": [], "campaign": "ash-wastes", "talk": {"lines": ["third"]}}
    for asked in (reading, typed, reading, typed):
        answer = club.ask("Mara", "POST", "/v1/command-line", json=asked)
        assert answer.status_code == 200
    assert refused(club.ask("Mara", "POST", "/v1/command-line", json=reading))
    writing = {"command": "fighter rename", "words": ["krug", "A"], "campaign": "ash-wastes"}
    assert not refused(club.ask("Mara", "POST", "/v1/command-line", json=writing))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/join/tri_guess"),
        ("POST", "/join/tri_guess"),
        ("POST", "/v1/join"),
        ("POST", "/sign-in/passkey/begin"),
        ("POST", "/sign-in/passkey/finish"),
    ],
)
def test_ways_in_are_tried_so_often_from_one_address(club: Club, method: str, path: str) -> None:
    browser = club.browser(None)
    for _ in range(FEW["sign-in"]):
        assert not refused(browser.request(method, path, json={}))
    assert refused(browser.request(method, path, json={}))
    elsewhere = TestClient(club.client.app, base_url=ORIGIN, client=("198.51.100.7", 5))
    assert not refused(elsewhere.request(method, path, json={}))


def test_guessed_tokens_and_sessions_count_as_trying_to_come_in(club: Club) -> None:
    for number in range(FEW["sign-in"]):
        assert club.ask(f"trk_{number}", "GET", "/roster").status_code == 401
    assert refused(club.ask("trk_x", "GET", "/roster"))
    cookie = {"Cookie": "__Host-arbitrator=trs_x"}
    assert refused(club.browser(None).get(f"{CAMPAIGN}/roster", headers=cookie))
    assert not refused(club.ask("Mara", "GET", "/roster")), "who is known comes in from there"


def test_strangers_read_what_is_public_so_often_from_one_address(club: Club) -> None:
    browser = club.browser(None)
    for _ in range(FEW["reads"]):
        assert browser.get("/").status_code == 200
    page = browser.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["retry-after"]) == (429, "60")
    assert "Try again in 60 s." in page.text


def test_after_a_minute_requests_are_allowed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = PerMinute({"reads": 2})
    limits.count("reads", "a")
    limits.count("reads", "a")
    with pytest.raises(TooOften):
        limits.count("reads", "a")
    limits.count("reads", "b")
    monkeypatch.setattr("limits.storage.memory.time.time", lambda: 1_000_060.0)
    limits.count("reads", "a")


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_an_address_stands_for_one_customer(address: str, counted_as: str) -> None:
    assert whose(address) == counted_as


def test_the_numbers_are_those_of_the_docs(docs_hosting: str) -> None:
    for kind, most in PER_MINUTE.items():
        assert f"| {kind} | {most:,} |" in docs_hosting


@pytest.fixture
def docs_hosting(request: pytest.FixtureRequest) -> str:
    return (request.config.rootpath / "docs" / "hosting.md").read_text(encoding="utf-8")
