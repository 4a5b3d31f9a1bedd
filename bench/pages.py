"""How long a page takes beside the JSON of the same roster, and until a slow phone can use it; its weight."""

from __future__ import annotations

import time

from starlette.testclient import TestClient

from bench import browsing
from bench.grown import Grown
from bench.measuring import Bar, Stopwatch, Table, in_turn, table
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.sessions import COOKIE_OF_LOOPBACK

JSON = "the roster as JSON"
GANG = "the gang's page"
BROWSED = (
    *(
        "the gang's page",
        "the fighter's page",
        "the campaign's page",
        "Gangs",
        "Battles",
        "a battle",
        "Timeline",
    ),
    *("Record", "Disputes", "House rules", "Members", "Log", "Begin a gang"),
)
"""Pages that are looked at in a browser."""
REQUESTS = 10
"""In one run: a page takes milliseconds."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    season = grown.season(grown.middle)
    tracker, campaign = season.tracker, season.campaign
    people = tracker.people
    person = people.add(f"bench {time.time_ns()}").person
    people.join(campaign, person, role="arbitrator")
    token = people.tokens.new(person, label="bench", scope="read").secret
    state = tracker.repository.state(campaign)
    gang = next(iter(state.gangs))
    fighter = next(iter(state.gangs[gang].fighters))
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/html", "Accept-Encoding": "gzip"}
    with TestClient(application(tracker, MemberAccess(tracker)), base_url="http://localhost") as client:

        def answered(watch: Stopwatch, path: str, accept: str) -> None:
            asked = {**headers, "Accept": accept}
            assert client.get(path, headers=asked).status_code == 200, path
            with watch.running():
                for _ in range(REQUESTS):
                    client.get(path, headers=asked)

        page = f"/campaigns/{campaign}"
        whole = in_turn(
            {
                JSON: lambda watch: answered(watch, f"/v1{page}/roster?who={gang}", "application/json"),
                GANG: lambda watch: answered(watch, f"{page}/gangs/{gang}", "text/html"),
                "a fighter's page": lambda watch: answered(watch, f"{page}/fighters/{fighter}", "text/html"),
                "the campaign's page": lambda watch: answered(watch, page, "text/html"),
            },
            runs=runs,
        )
    bar = Bar(of=GANG, against=JSON, at_most=2)
    beside = table(f"{REQUESTS} pages of {season.events} events", whole, against=JSON, bars=(bar,))
    signed_in = (COOKIE_OF_LOOPBACK, people.sessions.new(person, label="bench").secret)
    battles, _ = tracker.boards.battles(campaign)
    below = {
        "the gang's page": f"/gangs/{gang}",
        "the fighter's page": f"/fighters/{fighter}",
        "the campaign's page": "",
        "a battle": f"/battles/{battles[-1]['battle']}",
        "House rules": "/house-rules",
        "Begin a gang": "/begin-gang",
    }
    browsed = [(what, f"{page}{below.get(what, f'/{what.lower()}')}") for what in BROWSED]
    app = application(tracker, MemberAccess(tracker))
    return [beside, *browsing.tables(app, signed_in, browsed, runs)]
