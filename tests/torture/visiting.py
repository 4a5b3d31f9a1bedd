"""Pages and forms, hammered: whatever a query or a field holds, a page answers, shows no mark-up of anybody's, and
the log stays whole.

Which fields a page has is learned from what its view asks for and from the forms that it shows, so a new page or form is
tried without a word here.
"""

from __future__ import annotations

import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import quote, urlencode

import postgres_server
import pytest
from forms_seen import Form, forms
from starlette.testclient import TestClient

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.pages.forms import FormValues
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.routes import FORMS, PAGES
from tracker.service.application import Tracker

from . import club
from .extremes import season_with_everything
from .runner import Run

EVERY = 300
"""Rounds at one database before its logs are looked at."""
ANSWER_SECONDS = 4
"""What an answer may take of the processor."""
MARK = "<s id=x>"
HOSTILE = (
    "", " ", "\0", "x\0y", "-1", "0", "1e400", "9" * 25, "2147483648", "9223372036854775808", "1.5", "10.2", "10.99",
    "\u0661", "\u202e\u2066", "\r\nX-Evil: 1", "\x1b[2J\x07", f"'\">{MARK}&amp;", f"{{{{7*7}}}}{MARK}", "=1+1",
    "@everyone <@1>", "../../etc/passwd", "[[[[", "{a: &a [*a, *a]}", "- " * 2_000, "x" * 20_000, "\U0001f480" * 300,
    "a\n" * 500, "krug", "iron-skulls", "null", "true", "[]", "{}", '{"a":', "!!python/object:os.system x",
)  # fmt: skip
"""What stands in a field or a query: numbers at their ends, texts that mean something elsewhere, and what is known."""
PATHS = (
    "%00",
    "%ff",
    "%ed%a0%80",
    "..%2f..",
    "9" * 25,
    "-1",
    "1.5",
    "%0d%0aX-Evil:%201",
    quote(f"'\">{MARK}"),
    "x" * 900,
)
FILES = (
    b"", b"\0" * 64, b"\xff\xfe<", b"PK\x03\x04", b"GIF89a", b"<svg onload=alert(1)>", b"{" * 3_000, b"<a>" * 3_000,
    b"a: &a [*a]\n", b"format: gang-sheet/1\n", b'<!DOCTYPE c [<!ENTITY a "aa">]><catalogue name="&a;"/>',
)  # fmt: skip
ANYBODY = ("Arbra", "Robin", "Sam", "Stranger", "")


class Visits:
    """A service with everything in it, who visits it, and what its pages have been seen to ask for."""

    def __init__(self, tracker: Tracker, ids: Mapping[str, str]) -> None:
        self.tracker = tracker
        self.client = TestClient(application(tracker, MemberAccess(tracker)), follow_redirects=False)
        people = tracker.people
        known = {person.name: person.person for person in people.everybody()}
        known["Stranger"] = people.add("Stranger").person
        self.tokens = {
            name: people.tokens.new(person, label="visits", scope="write").secret
            for name, person in known.items()
        }
        self.ids = {
            "campaign": "ash-wastes", "gang": "iron-skulls", "fighter": "krug", "battle": "b1", "entry": "10",
            "event": "10.2", "number": "experience", "size": "large", "policy": "captives-in-rating@1",
            **{name.lower(): value for name, value in ids.items()},
        }  # fmt: skip
        self.forms = self._shown()

    def _shown(self) -> dict[str, Form]:
        """The forms of every page, by where they go."""
        shown: dict[str, Form] = {}
        for page in PAGES:
            answer = self.ask("Arbra", "GET", self.filled(page.path))
            shown |= {
                form.action.partition("?")[0]: form for form in forms(answer.text) if form.method == "post"
            }
        return shown

    def filled(self, path: str, **other: str) -> str:
        """A path with ids that there are, or with a word in the place of those that are not known."""
        return re.sub(r"{(\w+)(?::\w+)?}", lambda name: {**self.ids, **other}.get(name[1], name[1]), path)

    def ask(self, name: str, method: str, path: str, **how: Any) -> Any:
        """What somebody is answered who reads pages; nobody in particular, where the name is empty."""
        headers = {"Accept": "text/html", **how.pop("headers", {})}
        if name:
            headers["Authorization"] = f"Bearer {self.tokens.get(name, 'trk_gone')}"
        return self.client.request(method, path, headers=headers, **how)


ASKED: defaultdict[str, set[str]] = defaultdict(set)
"""The names that a page's view, or a form's act, has asked for, by its path."""


class Query(dict[str, str]):
    """A query that notes what it is asked for."""

    def __init__(self, given: Mapping[str, str], at: str) -> None:
        super().__init__(given)
        self._at = at

    def get(self, name: str, otherwise: Any = None) -> Any:  # type: ignore[override]
        ASKED[self._at].add(name)
        return super().get(name, otherwise)


def learn(patch: pytest.MonkeyPatch) -> None:
    """Note what pages ask for. Their own code runs as it is."""
    made, at = PageRequest.__init__, [""]

    def begins(request: PageRequest, *words: Any, **how: Any) -> None:
        made(request, *words, **how)
        at[0] = how["at"]
        request.query = Query(request.query, how["at"])

    patch.setattr(PageRequest, "__init__", begins)
    for name in ("get", "all", "__contains__"):
        own = getattr(FormValues, name)

        def noted(values: FormValues, field: str, *rest: Any, own: Any = own) -> Any:
            ASKED[at[0]].add(field)
            return own(values, field, *rest)

        patch.setattr(FormValues, name, noted)


def visit(visits: Visits, dice: random.Random) -> str:
    """One visit; what came of it."""
    name = dice.choice(ANYBODY) if dice.random() < 0.3 else "Arbra"
    route: Any = dice.choice([*PAGES, *FORMS])
    is_form = hasattr(route, "act")
    path = visits.filled(route.path)
    fields = dict(visits.forms[path].fields) if is_form and path in visits.forms else {}
    if dice.random() < 0.15 and (names := re.findall(r"{(\w+)", route.path)):
        path = visits.filled(route.path, **{dice.choice(names): dice.choice(PATHS)})
    known = sorted({*ASKED[route.path.removeprefix("/campaigns/{campaign}")], *fields}) or ["x"]
    changed = {dice.choice(known): dice.choice(HOSTILE) for _ in range(dice.randint(1, 3))}
    for field in dice.sample(sorted(fields), min(len(fields), dice.choice([0, 0, 0, 1]))):
        del fields[field]
    pairs = [*(fields | changed).items(), *(changed.items() if dice.random() < 0.1 else ())]
    begun = time.process_time()
    if not is_form:
        answer = visits.ask(name, "GET", f"{path}?{urlencode(pairs)}"[:9_000])
    elif route.takes_file and dice.random() < 0.7:
        content = dice.choice(FILES)
        sent = dict.fromkeys(("file", "picture", "files", "sheet"), (f"../{MARK}", content))
        answer = visits.ask(name, "POST", path, data=dict(pairs), files=sent)
    else:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = visits.ask(name, "POST", path, content=urlencode(pairs), headers=headers)
    taken = time.process_time() - begun
    about = f"{name} {'POST' if is_form else 'GET'} {path} {[(key, value[:60]) for key, value in pairs]}"
    assert answer.status_code < 500, f"{answer.status_code} to {about}: {answer.text[:300]}"
    assert MARK not in answer.text, f"mark-up of somebody's own: {about}"
    assert "x-evil" not in answer.headers, about
    assert not answer.headers.get("Location", "/").startswith(("//", "http")), about
    assert taken < ANSWER_SECONDS, f"{taken:.1f} s for {about}"
    return f"{answer.status_code // 100}xx"


def sqlite(run: Run) -> None:
    """One visit a round, in a file that has a row of everything."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        learn(patch)
        season, visits = season_with_everything(run.folder, patch), None
        whole = season.contents()
        for dice in run.each_round():
            if visits is None or run.at % EVERY == 0:
                stack.close()  # the one before is looked at
                season.file.write_bytes(whole)
                visits = stack.enter_context(_served(season.url, season.ids))
            run.count(visit(visits, dice))


def postgres(run: Run) -> None:
    """The same on PostgreSQL, which takes other texts and numbers."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        with pytest.MonkeyPatch.context() as patch:
            learn(patch)
            season = season_with_everything(run.folder, patch, url)
            with _served(url, season.ids) as visits:
                for dice in run.each_round():
                    run.count(visit(visits, dice))
    finally:
        postgres_server.discard(home)


@contextmanager
def _served(url: str, ids: Mapping[str, str]) -> Iterator[Visits]:
    """A service whose every log holds at the end."""
    tracker = Tracker(url, actor="the machine")
    try:
        visits = Visits(tracker, ids)
        with visits.client:
            yield visits
        for campaign in tracker.repository.store.campaigns():
            club.everything_holds(tracker, campaign)
    finally:
        tracker.close()
