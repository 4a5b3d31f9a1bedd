"""What a host sees: alive, ready, numbers, and a log that holds nothing of what anybody sent."""

import json
import re
from typing import Any

import pytest
from cli_reports import SEASON
from prometheus_client.parser import text_string_to_metric_families
from served import TOKEN, Served, logged

from tracker import schema
from tracker.log.database import writing


def numbers(served: Served) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = served.client.get("/metrics").text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_process_answers_health_and_readiness_checks(served: Served) -> None:
    for path, said in (("/healthz", "alive\n"), ("/readyz", "ready\n")):
        answer = served.client.get(path)
        assert (answer.status_code, answer.text, answer.headers["Cache-Control"]) == (200, said, "no-store")


def test_a_service_that_stops_or_stands_on_another_schema_takes_no_requests(served: Served) -> None:
    state: Any = served.client.app.state  # type: ignore[attr-defined]
    with writing(state.tracker.engine) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    answer = served.client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
    with writing(state.tracker.engine) as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{schema.HEAD_REVISION}'")
    assert served.client.get("/readyz").status_code == 200
    state.live.stop()
    answer = served.client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
    assert served.client.get("/healthz").status_code == 200


def test_requests_are_counted_by_route_and_refusals_by_code(served: Served) -> None:
    served.get("/roster")
    served.get("/roster?who=krug")
    served.get("/fighters/nobody")
    served.client.request("BREW", "/v1/nowhere")
    before = numbers(served)
    served.post("/battles", content=SEASON[2])
    after = numbers(served)
    route = "/v1/campaigns/{campaign}/roster"
    assert after["arbitrator_requests_total", (("method", "GET"), ("route", route), ("status", "200"))] == 2
    assert after["arbitrator_request_seconds_count", (("method", "GET"), ("route", route))] == 2
    assert after["arbitrator_refusals_total", (("code", "unknown_fighter"),)] == 1
    other = (("method", "other"), ("route", "(none)"), ("status", "404"))
    assert after["arbitrator_requests_total", other] == 1
    entries = len(served.get("/log").json()["entries"])
    assert before["arbitrator_appends_total", ()] == 0
    assert 0 < after["arbitrator_appends_total", ()] < entries
    assert after["arbitrator_writes_waiting", ()] == 0
    assert after["arbitrator_listeners", ()] == 0


def test_entries_recorded_by_the_command_line_are_counted_too(served: Served) -> None:
    words = ["--name", "Old Krug", "--", "krug"]
    sent = {"command": "fighter rename", "words": words, "campaign": "ash-wastes"}
    assert served.ask("POST", "/v1/command-line", json=sent).json()["exit_code"] == 0
    sent["words"] = ["--name", "Old Krug", "--", "nobody"]
    assert served.ask("POST", "/v1/command-line", json=sent).json()["exit_code"] == 2
    after = numbers(served)
    assert after["arbitrator_appends_total", ()] == 1
    assert after["arbitrator_refusals_total", (("code", "unknown_fighter"),)] == 1


def test_no_number_is_labelled_with_what_somebody_sent(served: Served) -> None:
    served.get("/roster?who=krug")
    served.get("/fighters/krug")
    served.ask("GET", "/v1/campaigns/canary-campaign/roster")
    text = served.client.get("/metrics").text
    for word in ("krug", "ash-wastes", "canary", TOKEN, "mara"):
        assert word not in text


def test_a_request_is_one_line_with_its_route_status_and_campaign(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with logged(monkeypatch) as written:
        answer = served.get("/roster?who=krug", headers={"X-Request-Id": "proxy-00012345"})
    (line,) = written.getvalue().splitlines()
    said = json.loads(line)
    assert answer.headers["X-Request-Id"] == "proxy-00012345"
    assert {name: said[name] for name in ("request", "method", "route", "status", "level", "event")} == {
        "request": "proxy-00012345",
        "method": "GET",
        "route": "/v1/campaigns/{campaign}/roster",
        "status": 200,
        "level": "info",
        "event": "request",
    }
    assert said["milliseconds"] > 0
    assert said["campaign"] == served.client.app.state.tracker.directory.campaign_id("ash-wastes")  # type: ignore[attr-defined]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", said["timestamp"])


@pytest.mark.parametrize("given", ["short", "a b c d e f g", "x" * 65, "evil\tlevel=critical"])
def test_an_id_that_no_proxy_gives_is_replaced(served: Served, given: str) -> None:
    assert re.fullmatch(
        "[0-9a-f]{32}", served.get("", headers={"X-Request-Id": given}).headers["X-Request-Id"]
    )


@pytest.mark.parametrize("as_json", [True, False])
def test_the_log_holds_no_secret_no_query_and_no_body(
    served: Served, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    with logged(monkeypatch, as_json=as_json) as written:
        served.get("/roster?who=canary-query")
        served.post("/fighters/krug/rename", json={"name": "canary-body"})
        served.post("/v1/join", json={"secret": "inv_canary-secret", "name": "x"})
        served.client.get("/canary-path")
        served.client.get("/v1/campaigns", headers={"Authorization": "Bearer canary-token"})
    assert len(written.getvalue().splitlines()) >= 5
    assert "canary" not in written.getvalue()
    assert TOKEN not in written.getvalue()


def test_a_fault_is_logged_by_kind_and_place_without_its_message(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise LookupError("canary-message")

    monkeypatch.setattr("tracker.server.app._run", broken)
    served.client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    with logged(monkeypatch) as written:
        answer = served.get("/roster")
    assert (answer.status_code, answer.json()["code"]) == (500, "fault")
    fault, request = map(json.loads, written.getvalue().splitlines())
    assert (fault["event"], fault["kind"], fault["level"]) == ("fault", "LookupError", "error")
    assert fault["request"] == request["request"]
    assert any("test_server_watched.py" in place for place in fault["went_through"])
    assert (request["status"], request["code"]) == (500, "fault")
    assert "canary" not in written.getvalue()


def test_what_watches_is_in_the_log_only_when_something_is_wrong(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with logged(monkeypatch) as written:
        for path in ("/healthz", "/readyz", "/metrics"):
            served.client.get(path)
        assert written.getvalue() == ""
        served.client.app.state.live.stop()  # type: ignore[attr-defined]
        served.client.get("/readyz")
    assert json.loads(written.getvalue())["code"] == "not_ready"
