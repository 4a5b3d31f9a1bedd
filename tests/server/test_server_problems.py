"""Every failure is a problem of one form, whoever fails."""

from typing import Any, NoReturn

import pytest
from cli_reports import report
from served import Served

from tracker.errors import Refusal
from tracker.log.refusals import ConnectionLost, DatabaseUnreachable, ServerReadOnly
from tracker.rights import RIGHTS
from tracker.server.routes import ROUTES

WRONG = "Bearer trk_wrong"
REFUSED: dict[str, tuple[int, str, dict[str, Any]]] = {
    "no campaign": (404, "unknown_campaign", {"path": "/v1/campaigns/sump/roster"}),
    "no battle": (404, "no_such_battle", {"path": "/battles/99"}),
    "no fighter": (404, "unknown_fighter", {"path": "/fighters/nobody"}),
    "no path": (404, "not_found", {"path": "/v1/nothing"}),
    "no method": (405, "method_not_allowed", {"path": "/roster", "method": "DELETE"}),
    "an unknown parameter": (422, "bad_parameter", {"path": "/roster?whom=krug"}),
    "one twice": (422, "bad_parameter", {"path": "/roster?who=krug&who=hob"}),
    "no number": (422, "bad_parameter", {"path": "/roster?as_of_entry=many"}),
    "a number too large": (422, "bad_parameter", {"path": "/roster?as_of_entry=1e400"}),
    "two points": (422, "bad_parameter", {"path": "/roster?as_of_entry=3&as_of_battle=1"}),
    "no JSON": (422, "not_json", {"path": "/disputes", "method": "POST", "content": b"{"}),
    "NaN": (422, "not_json", {"path": "/disputes", "method": "POST", "content": b'{"event": NaN}'}),
    "half a letter": (422, "not_json", {"path": "/disputes", "method": "POST", "content": b'{"event": "\\ud800"}'}),
    "a list": (422, "not_json", {"path": "/disputes", "method": "POST", "json": []}),
    "something missing": (422, "bad_parameter", {"path": "/disputes", "method": "POST", "json": {"event": "10.2"}}),
    "a file that is none": (422, "syntax_wrong", {"path": "/battles", "method": "POST", "content": b"{"}),
    "an option of this machine": (
        422, "bad_parameter",
        {"path": "/disputes", "method": "POST", "json": {"event": "10.2", "reason": "x", "db": "other.db"}},
    ),
    "the rules": (409, "no_battle_under_way", {"path": "/battles/close", "method": "POST", "json": {"draw": True}}),
    "too long": (413, "body_too_large", {"path": "/battles", "method": "POST", "content": b"x" * 1_048_577}),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_failure_is_a_problem(served: Served, case: str) -> None:
    status, code, asked = REFUSED[case]
    asked = dict(asked)
    answer = served.ask(asked.pop("method", "GET"), asked.pop("path"), headers={"If-Match": "*"}, **asked)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["status"], problem["code"], problem["type"]) == (status, code, f"/problems/{code}")
    assert problem["detail"]
    assert problem["errors"]


def test_a_missing_die_is_named(served: Served) -> None:
    text = report("b3", "hit: {attacker: hob, weapon: autogun, target: vex}")
    (needed,) = served.post("/battles", content=text).json()["errors"]
    assert needed["facts"]["purpose"] == "wound"
    assert needed["entry"] == 1


@pytest.mark.parametrize(
    "lost",
    [DatabaseUnreachable("x@/league", "refused"), ServerReadOnly("x@/league"), ConnectionLost("x@/league")],
)
def test_a_database_that_answers_nobody_is_tried_again_later(
    served: Served, lost: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_given: object) -> NoReturn:
        raise lost

    state: Any = served.client.app.state  # type: ignore[attr-defined]
    monkeypatch.setattr(state.access, "caller", fails)
    page = served.client.get("/campaigns/ash-wastes", headers={"Accept": "text/html"})
    for answer in (served.get("/roster"), page):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3"), answer.text
    about = served.client.get(f"/problems/{lost.code}").text
    assert "503" in about
    assert "again" in about


def test_without_a_good_token_only_public_routes_answer(served: Served) -> None:
    for route in ROUTES:
        path = route.path.replace("{campaign}", "ash-wastes").replace("{", "").replace("}", "")
        for headers in ({}, {"Authorization": WRONG}, {"Authorization": "Basic eA=="}):
            answer = served.client.request(route.method, path, headers=headers)
            is_for_all = RIGHTS[route.command].who == "anyone" and headers.get("Authorization") != WRONG
            refused = answer.status_code == 401 and answer.json()["code"] == "not_signed_in"
            assert refused != is_for_all, (route, answer.text)


def test_a_name_in_a_path_opens_no_file(served: Served) -> None:
    for path in ("/policies/%2Fetc%2Fpasswd.toml", "/policies/..%2F..%2Fx.toml"):
        answer = served.get(path)
        assert answer.status_code in (404, 422)
        assert "root:" not in answer.text
    for policy in ("/etc/hostname.toml", "house.toml"):
        answer = served.post("/policies/adopt", json={"policy": policy, "reason": "x"})
        assert (answer.status_code, answer.json()["code"]) == (422, "file_missing")


def test_a_value_that_looks_like_an_option_is_a_value(served: Served) -> None:
    answer = served.post("/fighters/krug/rename", json={"name": "--db=/other.db"})
    assert answer.status_code == 200, answer.text
    assert served.get("/fighters/krug").json()["fighter"]["name"] == "--db=/other.db"
    assert served.get("/fighters/--help").status_code == 404


NESTED = b"[" * 200_000
NUMBERS = b'{"event": ' + b"9" * 5_000 + b', "reason": "x"}'


@pytest.mark.parametrize(
    "body", [NESTED, b'{"reason": ' + NESTED, NUMBERS, b"\xff\xfe", b"null", b'{"a":1}' * 9]
)
@pytest.mark.parametrize("path", ["/disputes", "/v1/command-line", "/v1/join", "/battles", "/v1/judge"])
def test_a_hostile_body_is_refused(served: Served, path: str, body: bytes) -> None:
    answer = served.ask("POST", path, content=body, headers={"If-Match": "*"})
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
