"""The main job over HTTP: record a battle, see the roster, dispute a roll, rule; the same answers as the command line."""

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON
from served import Served

WOUND_ROLL = "10.2"
"""Quill's wound roll in battle 2."""
READING = {
    "": ("campaign", "show"),
    "/roster": ("roster", "show"),
    "/roster?who=krug": ("roster", "show", "krug"),
    "/roster?as_of_battle=1": ("roster", "show", "--as-of-battle", "1"),
    "/roster/diff?from=battle:1": ("roster", "diff", "--from", "battle:1"),
    "/standings": ("standings", "show"),
    "/gangs": ("gang", "list"),
    "/gangs/iron-skulls": ("gang", "show", "iron-skulls"),
    "/gangs/iron-skulls/ledger": ("gang", "ledger", "iron-skulls"),
    "/fighters/krug": ("fighter", "show", "krug"),
    "/battles": ("battle", "list"),
    "/battles/2": ("battle", "show", "2"),
    "/log": ("log", "show"),
    "/log/10": ("log", "entry", "10"),
    "/explain?who=krug&number=xp": ("explain", "krug", "xp"),
    "/disputes": ("dispute", "list"),
    "/policies": ("policy", "list"),
    "/policies/one-lasting-injury-roll": ("policy", "show", "one-lasting-injury-roll"),
    "/policies/what-if?policies=one-lasting-injury-roll": ("policy", "what-if", "one-lasting-injury-roll"),
    "/audit/verify": ("audit", "verify"),
}


@pytest.mark.parametrize("path", READING)
def test_what_is_read_is_what_the_command_prints(served: Served, table: Arbitrator, path: str) -> None:
    answer = served.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.json() == table.done(*READING[path], "--json").json


def test_a_page_comes_in_the_form_that_is_accepted(served: Served, table: Arbitrator) -> None:
    assert served.get("/roster", headers={"Accept": "text/plain"}).text == table.done("roster", "show").out
    page = served.get("/roster", headers={"Accept": "text/html"})
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.text == table.done("roster", "show", "--format", "html").out


def test_a_battle_is_recorded_disputed_and_ruled_on(served: Served, table: Arbitrator) -> None:
    said = served.post("/battles", content=SEASON[2], headers={"Content-Type": "application/yaml"})
    assert said.status_code == 200, said.text
    assert len(table.read("battle", "list")["battles"]) == 3
    opened = served.post("/disputes", json={"event": WOUND_ROLL, "reason": "cocked"})
    assert opened.status_code == 200, opened.text
    previewed = served.ask("POST", f"/disputes/{WOUND_ROLL}/preview", json={"void": True})
    assert previewed.status_code == 200, previewed.text
    ruled = served.post(f"/disputes/{WOUND_ROLL}/rule", json={"void": True, "reason": "cocked"})
    assert ruled.status_code == 200, ruled.text
    assert served.get("/audit/verify").json()["ok"]
    assert {row["actor"] for row in table.read("log", "show", "--since", "13")["entries"]} == {"mara"}


def test_the_same_request_sent_again_is_recorded_once(served: Served) -> None:
    head = served.head()
    sent = {"json": {"reason": "off to the hive"}, "headers": {"If-Match": head, "Idempotency-Key": "k1"}}
    first = served.post("/fighters/krug/retire", **sent)
    again = served.post("/fighters/krug/retire", **sent)
    assert (first.status_code, again.status_code) == (200, 200), again.text
    assert again.json()["entries"] == first.json()["entries"]
    assert again.headers["ETag"] == first.headers["ETag"]
    sent["json"] = {"reason": "another"}
    assert served.post("/fighters/krug/retire", **sent).json()["code"] == "command_key_reused"


def test_who_has_not_seen_the_head_is_refused(served: Served, table: Arbitrator) -> None:
    stale = served.head()
    table.done("fighter", "rename", "krug", "--name", "Old Krug")
    answer = served.post("/fighters/krug/retire", json={"reason": "x"}, headers={"If-Match": stale})
    assert (answer.status_code, answer.json()["code"]) == (412, "stale_head")


def test_what_the_client_has_already_is_not_sent_again(served: Served) -> None:
    first = served.get("/roster")
    again = served.get("/roster", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_write_names_the_state_it_is_based_on(served: Served) -> None:
    answer = served.ask("POST", "/fighters/krug/retire", json={"reason": "x"})
    assert (answer.status_code, answer.json()["code"]) == (428, "if_match_missing")
    assert (
        served.ask("POST", "/fighters/krug/retire", json={"reason": "x", "dry_run": True}).status_code == 200
    )
    anything = {"If-Match": "*"}
    assert served.post("/fighters/krug/retire", json={"reason": "x"}, headers=anything).status_code == 200
