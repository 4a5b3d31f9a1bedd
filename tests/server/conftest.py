"""A service over a campaign of two battles, in this process."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from afar import Afar
from cli_arbitrator import Arbitrator, played
from cli_reports import SEASON
from served import ORIGIN, TOKEN, Club, OneToken, Served
from starlette.testclient import TestClient

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker


@pytest.fixture(scope="session")
def _two_battles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("served"), *SEASON[:2])


@pytest.fixture
def table(tmp_path: Path, _two_battles: Path) -> Arbitrator:
    """The command line on the database that is served."""
    arbitrator = Arbitrator(tmp_path)
    shutil.copy(_two_battles, arbitrator.file)
    return arbitrator


@pytest.fixture
def served(table: Arbitrator) -> Iterator[Served]:
    """The service, and who has its token."""
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, OneToken(tracker, TOKEN, "mara"))) as client:
        yield Served(client)
    tracker.close()


@pytest.fixture
def afar(table: Arbitrator, served: Served, monkeypatch: pytest.MonkeyPatch) -> Afar:
    """The command line, signed in to that service, with the same folder for its files."""
    arbitrator = Afar(table.folder)
    arbitrator.ask(served.client, monkeypatch)
    return arbitrator


@pytest.fixture
def club(table: Arbitrator) -> Iterator[Club]:
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        yield Club(client, tracker)
    tracker.close()
