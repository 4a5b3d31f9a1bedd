"""What the service answers over a database with one value of one row at its extreme, a row gone, doubled or swapped.

Each page and each route that reads is asked by the campaign's Arbitrator, as of a program begun anew: it answers as
before, or says that something is damaged and what its host does about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from served import filled
from starlette.testclient import TestClient

from tracker.server import live, sessions
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

from .extremes import CACHES, LOG, TABLES, VERIFYING, Edit, Ground, Season, answers, tables_read

TOLD_ANEW = re.compile(r'(?<=value=")[0-9a-f]{24}(?=")|(?<=nonce=")[^"]+|(?<=nonce-)[^\']+')
"""What no page has twice."""
HOST_DOES = re.compile(r"arbitrator (?:.* )?(?:doctor|boards rebuild|audit verify|db backup)|backup")
FOR_STRANGERS = "/picture.png"
"""Asked for with a stranger's rights: whatever hides a campaign, a stranger is told to sign in."""
Answers = Mapping[str, tuple[int, str, str]]
"""Status, the problem's code or none, and the text, by path."""


class Pages:
    """Every page and route that reads the table, and what a verifier says."""

    def __init__(self, ground: Ground, wanted: list[str] | None = None) -> None:
        self._season = ground.season
        self._verified = answers(ground.season, VERIFYING)
        every = wanted or paths(ground.season)
        again, self._before = ask(ground.season, every), ask(ground.season, every)
        self._steady = {path for path in every if again[path] == self._before[path]}
        self._of = readers(ground.on_file, every)

    def look(self, edit: Edit) -> str:
        now = ask(self._season, self._of[edit.table])
        beside = edit.table not in (*LOG, *CACHES) or edit.table == "signed_notes"
        otherwise = []
        for path, (status, code, text) in now.items():
            was = self._before[path]
            if (status, code, text) == was:
                continue
            where = (str(edit), path, status, code, text[:2_000])
            assert code != "fault", where
            assert status < 500 or HOST_DOES.search(text), where
            assert beside or status in (was[0], 500, *([401] if path.endswith(FOR_STRANGERS) else [])), where
            if status < 400 and path in self._steady:
                otherwise.append(path)
        if beside:
            return "beside the log"
        verified = answers(self._season, VERIFYING)
        seen = any(verified[words].code != self._verified[words].code for words in VERIFYING)
        assert seen or not otherwise, (str(edit), "no verifier says so", otherwise)
        return "seen" if seen else "nothing that counts"


def paths(season: Season) -> list[str]:
    """Everything that the service answers to who only reads."""
    ids = {word.lower(): name for word, name in season.ids.items()}
    with served(season) as client:
        routes: Any = client.app.router.routes  # type: ignore[attr-defined]
        return sorted(
            {
                filled(route.path, **ids) + _query(route.path)
                for route in routes
                if "GET" in (getattr(route, "methods", None) or ()) and route.path not in NOT_ASKED
            }
        )


def _query(path: str) -> str:
    return next((f"?{query}" for end, query in QUERIES.items() if path.endswith(f"campaign}}/{end}")), "")


QUERIES = {
    "audit/consistency": "from=20",
    "explain": "who=krug",
    "policies/what-if": "policy=templates-spill@1",
    "roster/diff": "from=battle:b1",
}
NOT_ASKED = {live.PATH, "/readyz", "/metrics"}
"""What never ends, what waits for a service that has begun, and what counts."""


def ask(season: Season, wanted: list[str]) -> Answers:
    """As of a program begun anew, which remembers nothing of the rows as they were."""
    with served(season) as client:
        return {path: _asked(client, path, season) for path in wanted}


def _asked(client: TestClient, path: str, season: Season) -> tuple[int, str, str]:
    if path.startswith("/v1/"):
        headers = {"Authorization": f"Bearer {season.token}"}
    else:
        headers = {"Cookie": f"{sessions.COOKIE}={season.session}", "Accept": "text/html"}
    answer = client.get(path, headers=headers)
    text = answer.text if answer.headers.get("content-type", "").startswith(("text", "application")) else ""
    code = ""
    if answer.headers.get("content-type", "").startswith("application/problem"):
        code = answer.json()["code"]
    elif answer.status_code == 500 and "a fault of the program" in text:
        code = "fault"
    return answer.status_code, code, TOLD_ANEW.sub("", text)


@contextmanager
def served(season: Season) -> Iterator[TestClient]:
    with closing(Tracker(season.url, actor="the machine")) as tracker:
        # Not begun as a service is: nothing seals, posts or listens beside the requests.
        yield TestClient(
            application(tracker, MemberAccess(tracker)), raise_server_exceptions=False, follow_redirects=False
        )


def readers(season: Season, every: list[str]) -> dict[str, list[str]]:
    """Which of these paths read a table of the file."""
    found: dict[str, list[str]] = {table: [] for table in TABLES}
    for path in every:
        with tables_read() as read:
            ask(season, [path])
        for table in read & set(TABLES):
            found[table].append(path)
    return found
