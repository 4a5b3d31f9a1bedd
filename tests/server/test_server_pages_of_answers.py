"""Long answers in pages: by position, with a link to the next, and together just what comes whole."""

from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON
from served import Served

from tracker.server import paging
from tracker.server.routes import ROUTES


def walked(served: Served, path: str, key: str, limit: int) -> tuple[list[Any], int]:
    """All rows, page by page along the links, and how many pages there were."""
    joined = "&" if "?" in path else "?"
    rows, pages, url = [], 0, f"{path}{joined}limit={limit}"
    while True:
        answer = served.get(url)
        assert answer.status_code == 200, answer.text
        rows += answer.json()[key]
        pages += 1
        link = answer.headers.get("Link")
        if link is None:
            return rows, pages
        assert answer.json()[key], "no page is empty that another follows"
        target, _, relation = link.partition(">; ")
        assert relation == 'rel="next"'
        url = target.removeprefix("<")
        assert url.startswith("/v1/")


def without_treatment(row: dict[str, Any]) -> dict[str, Any]:
    """How an entry was struck out is said where the ruling's row stands beside it; that it was, always."""
    struck = row.get("struck_out")
    return row if not struck else {**row, "struck_out": {"ruling": struck["ruling"]}}


@pytest.fixture
def long(table: Arbitrator, served: Served) -> Served:
    """With a dispute, a ruling that writes into an older slot, house rules, and money."""
    table.record(SEASON[2])
    table.done("dispute", "open", "10.2", "--reason", "cocked")
    table.done("dispute", "open", "11.2", "--reason", "wrong table")
    ruled = table("rollback", "rule", "--battle", "b3", "--force", "x", "--reason", "x", *table.seen())
    assert ruled.code == 0, ruled.err
    table.done("policy", "adopt", "one-lasting-injury-roll@1", "--reason", "x")
    table.done("gang", "credits", "@rewards", "iron-skulls", "40", "--reason", "x")
    return served


@pytest.mark.parametrize(
    ("path", "whole", "key"),
    [
        ("/log", "/log?all=true", "entries"),
        ("/log?type=RollMade", "/log?all=true&type=RollMade", "events"),
        ("/log?fighter=krug", "/log?all=true&fighter=krug", "entries"),
        ("/log?since=5", "/log?since=5", "entries"),
        ("/battles", "/battles", "battles"),
        ("/disputes", "/disputes", "disputes"),
        ("/policies/history", "/policies/history", "history"),
        ("/gangs/iron-skulls/ledger", "/gangs/iron-skulls/ledger", "lines"),
        ("/fighters/krug", "/fighters/krug", "history"),
        ("/audit/dice", "/audit/dice", "rolls"),
    ],
)
def test_the_pages_together_are_the_whole(long: Served, path: str, whole: str, key: str) -> None:
    expected = list(map(without_treatment, long.get(whole).json()[key]))
    assert expected
    for limit in (1, 3, 500):
        rows, pages = walked(long, path, key, limit)
        assert list(map(without_treatment, rows)) == expected
        assert pages <= len(expected)
        assert limit < 500 or pages == 1


def test_a_page_is_as_long_as_was_asked(served: Served) -> None:
    first = served.get("/log?limit=5")
    assert [entry["entry"] for entry in first.json()["entries"]] == [1, 2, 3, 4, 5]
    assert first.headers["Link"] == '</v1/campaigns/ash-wastes/log?limit=5&after=5>; rel="next"'
    assert [entry["entry"] for entry in served.get("/log?after=10").json()["entries"]] == [11, 12]


def test_a_page_has_the_campaigns_etag(served: Served) -> None:
    page = served.get("/log?limit=5")
    assert page.headers["ETag"] == served.head()
    assert served.get("/log?limit=5", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304


def test_without_a_limit_everything_is_as_it_was(table: Arbitrator, served: Served) -> None:
    for path, words in (("/log", ("log", "show")), ("/battles", ("battle", "list"))):
        answer = served.get(path)
        assert "Link" not in answer.headers
        assert answer.json() == table.read(*words)


@pytest.mark.parametrize("asked", ["limit=0", "limit=501", "limit=x", "after=-1", "after=1.5"])
def test_a_limit_that_is_none_is_refused(served: Served, asked: str) -> None:
    assert served.get(f"/log?{asked}").status_code == 422


def test_other_formats_come_whole(served: Served) -> None:
    answer = served.get("/battles?limit=1", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")


def test_every_command_in_pages_has_a_route_that_reads() -> None:
    assert {*paging.PAGED} <= {route.command for route in ROUTES if route.method == "GET"}


def test_the_command_line_takes_a_limit_too(table: Arbitrator) -> None:
    def entries(*words: str) -> list[int]:
        return [entry["entry"] for entry in table.read("log", "show", *words)["entries"]]

    assert entries("--since", "3", "--limit", "2") == [3, 4]
    assert entries("--limit", "2") == [11, 12]


def test_what_stands_beside_the_log_has_no_etag_of_the_log(served: Served) -> None:
    """Members and webhooks change while the head stays."""
    for path in ("/members", "/webhooks"):
        answer = served.get(path, headers={"If-None-Match": served.head()})
        assert answer.status_code == 200
        assert "ETag" not in answer.headers
