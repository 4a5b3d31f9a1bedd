"""The service as a test asks it."""

import io
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient

from tracker.cli.session import Row
from tracker.server import logs, sessions
from tracker.server.access import (
    STRANGER,
    Allow,
    Caller,
    Claim,
    Forbidden,
    SentCredentials,
    SignedInMember,
    Unauthorized,
)
from tracker.server.rate_limits import NoLimits, RateLimits
from tracker.service.application import Tracker
from tracker.service.repository import claim_nothing

TOKEN = "trk_of-the-tests"  # noqa: S105  # nobody else has it
ORIGIN = "https://club.example"
CAMPAIGN = "/v1/campaigns/ash-wastes"
OWN_IDS = {
    "campaign": "ash-wastes", "gang": "iron-skulls", "fighter": "krug", "battle": "b1", "entry": "10",
    "event": "10.2", "number": "experience", "size": "large", "policy": "captives-in-rating@1",
}  # fmt: skip


def filled(path: str, **other: str) -> str:
    """A path with ids that there are, or with a word in the place of those that are not known."""
    ids = {**OWN_IDS, **other}
    return re.sub(r"{(\w+)(?::\w+)?}", lambda name: ids.get(name[1], name[1]), path)


class OneToken:
    """Everything for whoever has the one token of this process."""

    def __init__(self, tracker: Tracker, token: str, actor: str) -> None:
        self._tracker, self._token, self._actor = tracker, token, actor
        self.limits: RateLimits = NoLimits()

    def caller(self, sent: SentCredentials) -> Caller:
        """Raises NotSignedIn."""
        if sent.authorization != f"Bearer {self._token}":
            raise Unauthorized
        return Caller(self._actor, self._actor)

    def campaign(self, caller: Caller, named: str, _operation: str) -> str:
        """Raises UnknownCampaign; Forbidden for who is not signed in."""
        return self.entered(caller, named).campaign

    def entered(self, caller: Caller, named: str) -> SignedInMember:
        """The same, once."""
        if caller == STRANGER:
            raise Forbidden
        return SignedInMember(
            self._tracker.directory.campaign_id(named, wherever=True), lambda _operation: None
        )

    def still(self, _sent: SentCredentials, _campaign: str, _operation: str) -> bool:
        """Everything."""
        return True

    def anywhere(self, _caller: Caller, _operation: str) -> None:
        """Everything."""

    def allow(self, _caller: Caller, _campaign: str, _operation: str, _given: Mapping[str, Any]) -> Allow:
        """Everything."""
        return lambda _commands, _state: None

    def claim(self, _caller: Caller, _campaign: str) -> Claim:
        """Nobody has gangs of their own."""
        return claim_nothing

    def sees(self, _caller: Caller, _row: Row) -> bool:
        """All of them."""
        return True

    def began(self, _caller: Caller, _campaign: str) -> None:
        """It has one already."""


class Served:
    """`served.get("/roster")` of the campaign 'ash-wastes', with the tests' token."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def ask(self, method: str, path: str, **how: Any) -> Any:
        """The response to a path under the campaign, or to one that begins with /v1."""
        headers = {"Authorization": f"Bearer {TOKEN}", **how.pop("headers", {})}
        url = path if path.startswith("/v1") else f"{CAMPAIGN}{path}"
        return self.client.request(method, url, headers=headers, **how)

    def get(self, path: str, **how: Any) -> Any:
        """A reading request."""
        return self.ask("GET", path, **how)

    def post(self, path: str, **how: Any) -> Any:
        """A writing request, made for the head of now unless a header says otherwise."""
        headers = {"If-Match": self.head(), **how.pop("headers", {})}
        return self.ask("POST", path, headers=headers, **how)

    def head(self) -> str:
        """The campaign's ETag."""
        return str(self.get("").headers["ETag"])


class Club:
    """A service with people in it, each with a token that writes."""

    def __init__(self, client: TestClient, tracker: Tracker) -> None:
        self.client, self.tracker = client, tracker
        self.campaign = tracker.directory.campaign_id("ash-wastes")
        people = tracker.people
        self.people = {name: people.add(name) for name in ("Mara", "Dana", "Sol", "Nobody")}
        people.join(self.campaign, self.people["Mara"].person, role="arbitrator")
        people.join(self.campaign, self.people["Dana"].person, role="player", gangs=("iron-skulls",))
        people.join(self.campaign, self.people["Sol"].person, role="spectator")
        self.tokens = {
            name: people.tokens.new(person.person, label="tests", scope="write").secret
            for name, person in self.people.items()
        }

    def ask(self, name: str, method: str, path: str, **how: Any) -> Any:
        """The response to somebody; to who is not signed in, where the name is empty."""
        headers = {"If-Match": "*"}
        if name:
            headers["Authorization"] = f"Bearer {self.tokens.get(name, name)}"
        url = path if path.startswith("/v1") else f"{CAMPAIGN}{path}"
        return self.client.request(method, url, headers=headers, **how)

    def browser(self, name: str | None) -> TestClient:
        """A browser, over TLS, in which somebody is signed in, or nobody."""
        client = TestClient(self.client.app, base_url=ORIGIN, headers={"Sec-Fetch-Site": "same-origin"})
        client.follow_redirects = False
        if name is not None:
            made = self.tracker.people.sessions.new(self.people[name].person, label="tests")
            client.cookies.set(sessions.COOKIE, made.secret, domain="club.example")
        return client


@contextmanager
def logged(monkeypatch: pytest.MonkeyPatch, *, as_json: bool = True) -> Iterator[io.StringIO]:
    """Standard error while the service writes its log there."""
    root, own = logging.getLogger(), logging.getLogger("arbitrator")
    before = root.handlers, root.level, own.level
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    logs.settle(as_json=as_json)
    try:
        yield written
    finally:
        root.handlers, level, own_level = before
        root.setLevel(level)
        own.setLevel(own_level)
