"""A database that is damaged: pages and routes say so, and what its host does; none takes the blame."""

import sqlite3
from contextlib import closing
from typing import NoReturn

import pytest
from cli_arbitrator import Arbitrator
from served import Club
from starlette.testclient import TestClient

ROUTE, PAGE = "/v1/campaigns/ash-wastes", "/campaigns/ash-wastes"


@pytest.fixture
def browser(club: Club) -> TestClient:
    """The Arbitrator's, who is told of a fault as everybody is."""
    client = TestClient(club.client.app, raise_server_exceptions=False)
    client.headers["Authorization"] = f"Bearer {club.tokens['Mara']}"
    return client


def edited(table: Arbitrator, *statements: str) -> None:
    """By somebody who owns the file."""
    with closing(sqlite3.connect(table.file)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for (guard,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {guard}")
        for statement in statements:
            assert connection.execute(statement).rowcount > 0
        connection.commit()


def answer(browser: TestClient, path: str, *, as_page: bool) -> str:
    """What is said of damage, for a program or on a page."""
    asked = browser.get(
        f"{PAGE if as_page else ROUTE}{path}", headers={"Accept": "text/html" if as_page else "*/*"}
    )
    assert asked.status_code == 500, asked.text
    if not as_page:
        assert asked.json()["code"] != "fault"
    assert "fault of the program" not in asked.text
    return asked.text.replace("&#39;", "'")


@pytest.mark.parametrize("as_page", [True, False])
def test_a_battle_that_only_its_board_lost_is_damage_and_not_unknown(
    table: Arbitrator, browser: TestClient, as_page: bool
) -> None:
    edited(table, "DELETE FROM board_battles WHERE battle_id = 'b2'")
    said = answer(browser, "/battles/b2", as_page=as_page)
    assert "board of battles is damaged" in said
    assert "'arbitrator boards rebuild'" in said
    assert browser.get(f"{ROUTE}/battles/b9").status_code == 500, "until it is made anew nobody knows"
    table.done("boards", "rebuild")
    assert browser.get(f"{ROUTE}/battles/b9").status_code == 404


def test_a_gang_that_only_its_board_lost_is_damage_and_not_unknown(
    table: Arbitrator, browser: TestClient
) -> None:
    edited(table, "DELETE FROM board_gangs WHERE gang_id = 'iron-skulls'")
    said = answer(browser, "/gangs/iron-skulls/ledger", as_page=True)
    assert "board of gangs is damaged (the log has iron-skulls, and it is not there)" in said
    assert browser.get(f"{ROUTE}/gangs/no-gang/ledger").status_code == 404


def test_a_row_that_names_what_is_not_there_is_damage_and_not_the_readers_mistake(
    table: Arbitrator, browser: TestClient
) -> None:
    edited(table, "UPDATE board_entries SET struck_by = 9223372036854775807 WHERE slot = 1")
    assert "the boards of campaign ash-wastes do not match its log" in answer(browser, "/log", as_page=True)


def test_a_time_that_is_none_is_damage_of_its_row(table: Arbitrator, browser: TestClient) -> None:
    edited(table, "UPDATE people_tokens SET last_used_at = 'krug'")
    said = answer(browser, "/roster", as_page=False)
    assert "A row that holds a token is damaged" in said
    assert "a backup" in said


def fails(*_: object, **__: object) -> NoReturn:
    raise KeyError("krug")


@pytest.mark.parametrize(("path", "as_page"), [("", True), ("/standings", False)])
def test_before_the_program_takes_a_fault_upon_itself_it_looks_whether_the_log_is_whole(
    table: Arbitrator, browser: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, as_page: bool
) -> None:
    monkeypatch.setattr("tracker.service.boards.Boards.standings", fails)
    of_program = browser.get(f"{ROUTE}/standings")
    assert (of_program.status_code, of_program.json()["code"]) == (500, "fault")
    edited(table, "UPDATE events SET type = 'BattleClosed' WHERE seq = 4")
    said = answer(browser, path, as_page=as_page)
    assert "the log of campaign ash-wastes is damaged (event 4" in said
    assert "restore a backup that verifies" in said


def test_a_fault_of_the_program_about_no_campaign_is_its_own_where_the_database_is_whole(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.cli.campaign.campaigns_page", fails)
    asked = browser.get("/v1/campaigns")
    assert (asked.status_code, asked.json()["code"]) == (500, "fault")


def test_who_may_not_read_the_campaign_hears_only_that_the_database_is_damaged(
    table: Arbitrator, club: Club, browser: TestClient
) -> None:
    edited(table, "UPDATE board_campaigns SET slug = 'elsewhere'")
    browser.headers["Authorization"] = f"Bearer {club.tokens['Nobody']}"
    for path in (ROUTE, "/v1/campaigns/no-such"):
        asked = browser.get(path)
        assert (asked.status_code, asked.json()["code"]) == (500, "database_damaged")
        assert "arbitrator doctor" in asked.text
        assert club.campaign not in asked.text
        assert "elsewhere" not in asked.text
