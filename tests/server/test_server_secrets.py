"""Secrets: where they may never be read, and what one is worth that was stolen, has expired or is another's."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from authenticator import Authenticator
from cli_arbitrator import Arbitrator
from discord_server import CLIENT_SECRET, discord_listening
from served import CAMPAIGN, ORIGIN, Club, logged
from starlette.testclient import TestClient

from tracker.server import sessions
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

ACCOUNT = {"id": "80351110224678912", "username": "zoe", "global_name": "Zoe"}


class Answers:
    """Every answer that was given, with what it was asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given: list[tuple[str, str]] = []
        send = TestClient.send

        def sent(client: TestClient, request: Any, **how: Any) -> Any:
            answer = send(client, request, **how)
            headers = [line for line in answer.headers.items() if line[0] != "set-cookie"]
            self.given.append((str(request.url), f"{headers} {answer.text}"))
            return answer

        monkeypatch.setattr(TestClient, "send", sent)

    def with_(self, secret: str, *, but: str = "") -> list[str]:
        """The addresses that were answered with it, in the answer or in the address."""
        return [url for url, text in self.given if secret in url + text and not (but and url.endswith(but))]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    return Answers(monkeypatch)


def test_no_secret_is_in_logs_numbers_events_problems_or_the_database(
    table: Arbitrator, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with logged(monkeypatch) as log, discord_listening() as discord:
        app = application(tracker, MemberAccess(tracker), address=ORIGIN, discord=discord.application)
        with TestClient(app, raise_server_exceptions=False) as client:
            club = Club(client, tracker)
            made = club.ask("Mara", "POST", "/members/invite", json={"role": "spectator", "uses": 3}).json()
            link, given_once = made["secret"], len(answers.given)
            token = club.client.post("/v1/join", json={"secret": link, "name": "Ann"}).json()["token"]
            assert answers.with_(token) == [f"{client.base_url}/v1/join"]

            robin = club.browser(None)
            robin.get(f"/join/{link}")
            robin.post(f"/join/{link}", data={"name": "Robin"})
            secrets = {link, token, robin.cookies[sessions.COOKIE], *club.tokens.values()}
            device = Authenticator(origin=ORIGIN, host="club.example")
            asked = robin.post("/account/passkeys/begin", json={}).json()
            robin.post("/account/passkeys/finish", json={"credential": device.made(asked)})
            zoe = club.browser(None)
            there = zoe.post("/sign-in/discord", data={"invite": link}).headers["location"]
            secrets.add(zoe.cookies[f"{sessions.COOKIE}-discord"])
            zoe.get(discord.lets_in(there, ACCOUNT))
            secrets |= {zoe.cookies[sessions.COOKIE], CLIENT_SECRET, "canary-token"}

            # All that may be read afterwards, by those who may read most; and every kind of failure.
            mara = club.browser("Mara")
            secrets.add(mara.cookies[sessions.COOKIE])
            for browser in (mara, robin, zoe):
                for path in ("/", "/account", "/sign-in", "/campaigns/ash-wastes"):
                    browser.get(path, headers={"Accept": "text/html"})
            for path in ("", "/members", "/members/invites", "/log", "/audit", "/roster", "/webhooks"):
                club.ask("Mara", "GET", path)
            club.client.post("/v1/join", json={"secret": link, "name": "Late"})
            club.client.post("/v1/join", json={"secret": link, "name": ["x"]})
            club.browser(None).get(f"/join/{link}")
            club.browser(None).post(f"/join/{link}", data={"name": "Late"})
            for secret in secrets:
                club.ask(secret, "GET", "/roster")
                club.browser(None).get("/account", headers={"Cookie": f"{sessions.COOKIE}={secret}"})
            fault = LookupError(f"this quotes {link} and {token}")
            monkeypatch.setattr(tracker.people.invites, "redeem", _raises(fault))
            monkeypatch.setattr(tracker.people.sessions, "check", _raises(fault))
            assert club.client.post("/v1/join", json={"secret": link, "name": "X"}).status_code == 500
            mara._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
            assert mara.get("/account").status_code == 500
            numbers = client.get("/metrics").text
    tracker.close()
    kept = b"".join(file.read_bytes() for file in table.folder.glob("campaigns.db*"))
    assert '"status": 500' in log.getvalue()
    for secret in secrets - {"canary-token"}:
        assert secret not in log.getvalue()
        assert secret not in numbers
        assert secret.encode() not in kept
    answers.given = answers.given[given_once + 1 :]
    assert set(answers.with_(link)) == {f"{ORIGIN}/join/{link}"}, "its own page alone"
    for secret in secrets - {link, "canary-token"}:
        assert answers.with_(secret, but="/v1/join") == []


def _raises(fault: Exception) -> Callable[..., Any]:
    def raising(*_: object, **__: object) -> None:
        raise fault

    return raising


# --- what is not good any more -----------------------------------------------------------------------------


@pytest.fixture
def head(club: Club) -> Iterator[None]:
    """Nothing is written meanwhile."""
    before = club.tracker.repository.store.head(club.campaign)
    yield
    assert club.tracker.repository.store.head(club.campaign) == before


RENAME = {"name": "Stolen"}
COMMAND = {"command": "fighter rename", "words": ["krug", "--name", "Stolen"], "campaign": "ash-wastes"}
ASKED: tuple[tuple[str, str, Any], ...] = (
    ("GET", f"{CAMPAIGN}/roster", None),
    ("POST", f"{CAMPAIGN}/fighters/krug/rename", RENAME),
    ("GET", f"{CAMPAIGN}/events", None),
    ("POST", "/v1/command-line", COMMAND),
    ("GET", "/campaigns/ash-wastes", None),
    ("GET", "/v1/campaigns", None),
)


def asks(club: Club, secret: str, method: str, path: str, body: Any) -> Any:
    """The answer to who has this secret: a token, or a session's cookie."""
    if secret.startswith("trk_"):
        headers = {"Authorization": f"Bearer {secret}"}
    else:
        headers = {"Cookie": f"{sessions.COOKIE}={secret}"}
    return club.browser(None).request(method, path, json=body, headers={"If-Match": "*", **headers})


def expired_token(club: Club, person: str) -> str:
    return club.tracker.people.tokens.new(person, label="x", scope="write", days=-1).secret


def expired_session(club: Club, person: str) -> str:
    return club.tracker.people.sessions.new(person, days=-1).secret


def stolen_token(club: Club, person: str) -> str:
    """Its owner sees it on their page, and revokes it."""
    made = club.tracker.people.tokens.new(person, label="x", scope="write")
    owner = club.browser("Mara")
    assert made.token.token in owner.get("/account").text
    assert owner.post("/account/tokens/revoke", data={"token": made.token.token}).status_code == 303
    return made.secret


def stolen_session(club: Club, person: str) -> str:
    """Its owner ends all but the one they sit at."""
    made = club.tracker.people.sessions.new(person)
    assert club.browser("Mara").post("/account/sessions/end-others").status_code == 303
    return made.secret


def forgotten_persons_token(club: Club, person: str) -> str:
    made = club.tracker.people.tokens.new(person, label="x", scope="write")
    club.tracker.people.forget(person)
    return made.secret


def forgotten_persons_session(club: Club, person: str) -> str:
    made = club.tracker.people.sessions.new(person)
    club.tracker.people.forget(person)
    return made.secret


@pytest.mark.usefixtures("head")
@pytest.mark.parametrize(
    "made",
    [
        expired_token, expired_session, stolen_token, stolen_session, forgotten_persons_token,
        forgotten_persons_session,
    ],
)  # fmt: skip
def test_an_expired_or_used_link_opens_nothing(club: Club, made: Callable[[Club, str], str]) -> None:
    secret = made(club, club.people["Mara"].person)
    for method, path, body in ASKED:
        answer = asks(club, secret, method, path, body)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), path
        assert "Iron Skulls" not in answer.text


def another_campaigns_token(club: Club) -> str:
    """Of an Arbitrator of both, for the other one."""
    club.ask("Mara", "POST", "/v1/campaigns", json={"name": "Sump City"})
    other = club.tracker.directory.campaign_id("sump-city")
    mara = club.people["Mara"].person
    return club.tracker.people.tokens.new(mara, label="x", scope="write", campaign=other).secret


def another_campaigns_session(club: Club) -> str:
    """Of an Arbitrator of the other one."""
    club.ask("Nobody", "POST", "/v1/campaigns", json={"name": "Sump City"})
    return club.tracker.people.sessions.new(club.people["Nobody"].person).secret


@pytest.mark.usefixtures("head")
@pytest.mark.parametrize("made", [another_campaigns_token, another_campaigns_session])
def test_a_token_of_another_campaign_opens_nothing_here(club: Club, made: Callable[[Club], str]) -> None:
    secret = made(club)
    for method, path, body in ASKED:
        answer = asks(club, secret, method, path, body)
        assert "Iron Skulls" not in answer.text
        if path == "/v1/campaigns":
            assert [row["slug"] for row in answer.json()["campaigns"]] == ["sump-city"]
        elif path == "/v1/command-line":
            assert answer.json()["refused"]["code"] == "unknown_campaign"
        else:
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_campaign"), path
    assert asks(club, secret, "GET", "/v1/campaigns/sump-city/roster", None).status_code == 200
