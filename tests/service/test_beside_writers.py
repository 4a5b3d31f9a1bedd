"""Checks and pages beside somebody who writes all the time: no false word of damage, no torn page, nobody waits."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import postgres_server
import pytest
from beside import somebody_writes
from torture import club

from tracker.campaign import records
from tracker.cli.main import outcome
from tracker.cli.session import Session
from tracker.log import database
from tracker.log.consistent_reads import TRIES, read_consistently
from tracker.projections import board_diff, boards
from tracker.projections.sql import BY_ENTRY
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice
from tracker.service.diagnostics import database_findings

POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)
pytestmark = pytest.mark.slow


def begin(url: str) -> None:
    """A campaign with some rulings behind it."""
    database.upgrade(url)
    with club.opened(url, seed=3) as tracker:
        club.begin(tracker)
        dice = random.Random(5)
        for at in range(60):
            club.something(tracker, tracker.directory.campaign_id("club"), dice, key=f"before-{at}")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("begun") / "club.db"
    begin(club.sqlite(file))
    return file


@pytest.fixture(params=["sqlite", POSTGRES])
def url(request: pytest.FixtureRequest, begun: Path, tmp_path: Path) -> Iterator[str]:
    """A database with that campaign, that others can open too."""
    if request.param == "sqlite":
        yield club.sqlite(shutil.copy(begun, tmp_path / "club.db"))
    else:
        home = request.getfixturevalue("postgres_home")
        with postgres_server.copy_of(home, postgres_server.template(home, "club_begun", begin)) as address:
            yield address


@pytest.fixture
def rival(url: str) -> Iterator[Tracker]:
    """Somebody else at the same campaign."""
    with club.opened(url, seed=4) as tracker:
        yield tracker


@pytest.fixture
def tracker(url: str, rival: Tracker) -> Iterator[Tracker]:
    """The reader."""
    with club.opened(url) as opened:
        yield opened


def verifies(tracker: Tracker, campaign: str) -> None:
    audit = tracker.audit.verify(campaign)
    assert audit.ok, audit


def boards_hold(tracker: Tracker, campaign: str) -> None:
    assert tracker.audit.board_differences(campaign) == []


@pytest.mark.parametrize("check", [verifies, boards_hold])
@pytest.mark.parametrize("step", [25, 2_000])
def test_a_check_beside_writers_says_no_false_word(
    check: Callable[[Tracker, str], None],
    step: int,
    tracker: Tracker,
    rival: Tracker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = tracker.directory.campaign_id("club")
    monkeypatch.setattr(board_diff, "STEP", step)
    with somebody_writes(rival, campaign, tracker.engine) as made:
        for _ in range(2):
            check(tracker, campaign)
    assert len(made) > 5
    verifies(tracker, campaign)


def test_a_row_that_nobody_wrote_is_found_wherever_it_stands(rival: Tracker) -> None:
    campaign, rows = rival.directory.campaign_id("club"), 0
    with rival.repository.store.exclusively(campaign) as store:
        for table in BY_ENTRY:
            columns = ", ".join(column.name for column in table.columns)
            beyond = columns.replace("entry", "99999").replace("slot", "99999")
            copied = f"INSERT INTO {table.name} ({columns}) SELECT {beyond} FROM {table.name} LIMIT 1"
            rows += store.connection.exec_driver_sql(copied).rowcount
    assert rows == 1
    assert sum("is there and should not be" in one for one in rival.audit.board_differences(campaign)) == rows


def test_the_doctor_beside_writers_says_no_false_word(
    url: str, rival: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(db=url, campaign=None, actor=None)
    with somebody_writes(rival, rival.directory.campaign_id("club"), session.tracker.engine) as made:
        findings = database_findings(session, chosen="", last_backup=lambda _: None)
    assert len(made) > 3
    assert [finding for finding in findings if finding.verdict == "fail"] == []
    session.close()


PAGES = [("roster", "show"), ("standings", "show"), ("fighter", "show", "skulls-1")]


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_a_page_read_beside_writers_shows_a_single_moment(
    words: tuple[str, ...], url: str, rival: Tracker, capsys: pytest.CaptureFixture[str]
) -> None:
    def page(*more: str) -> dict[str, Any]:
        assert outcome(["--db", url, *words, *more, "--json"]) == 0
        read: dict[str, Any] = json.loads(capsys.readouterr().out)
        return {name: text for name, text in read.items() if name != "heading"}

    campaign = rival.directory.campaign_id("club")
    for _ in range(2):
        before = rival.repository.store.head(campaign).entries
        with somebody_writes(rival, campaign) as made:
            shown = page()
        assert len(made) > 3
        # On PostgreSQL it is the moment that reading began; on SQLite it is read again until nobody comes between.
        assert any(shown == page("--as-of-entry", str(entry)) for entry in (before, *reversed(made)))


def test_a_page_is_read_again_until_nobody_wrote_and_then_writers_wait(url: str, rival: Tracker) -> None:
    campaign, seen = rival.directory.campaign_id("club"), list[int]()

    def read() -> int:
        seen.append(rival.repository.store.head(campaign).entries)
        if len(seen) < wanted:
            played = [
                CommandWithDice(
                    command=records.AwardExperience(fighter="skulls-1", amount=1, reason="meanwhile")
                )
            ]
            rival.commands.play(campaign, played, key=f"meanwhile-{wanted}-{len(seen)}")
        return rival.repository.store.head(campaign).entries

    if rival.engine.dialect.name == "postgresql":
        wanted = 0
        assert read_consistently(rival.engine, read) == seen[-1]
        assert len(seen) == 1
        return
    for wanted in (1, 2, TRIES, TRIES + 1):
        seen.clear()
        assert read_consistently(rival.engine, read) == seen[-1]
        assert len(seen) == wanted


def test_what_is_refused_of_two_moments_is_asked_again(url: str, rival: Tracker) -> None:
    campaign, tries = rival.directory.campaign_id("club"), list[int]()

    def read() -> str:
        tries.append(1)
        if len(tries) == 1 and rival.engine.dialect.name == "sqlite":
            played = [
                CommandWithDice(
                    command=records.AwardExperience(fighter="skulls-1", amount=1, reason="meanwhile")
                )
            ]
            rival.commands.play(campaign, played, key="meanwhile")
            raise LookupError("a row is not there yet")
        return "read"

    assert read_consistently(rival.engine, read) == "read"
    with pytest.raises(LookupError, match="for good"):
        read_consistently(rival.engine, lambda: {}["for good"])


def test_nobody_waits_while_boards_are_made_again_to_compare(
    tracker: Tracker, rival: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, made = tracker.directory.campaign_id("club"), boards.rebuild
    dice = random.Random(2)

    def beside(*args: object, **more: object) -> object:
        entries = rival.repository.store.head(campaign).entries
        while rival.repository.store.head(campaign).entries == entries:
            club.something(rival, campaign, dice, key=f"beside-{dice.random()}")
        return made(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("tracker.log.database.BUSY_MILLISECONDS", 50)
    monkeypatch.setattr(boards, "rebuild", beside)
    boards_hold(tracker, campaign)
