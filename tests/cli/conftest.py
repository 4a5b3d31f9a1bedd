"""Campaigns to run the command line on: before the first, without a battle, and after two of them."""

import shutil
from pathlib import Path

import pytest
from ash_wastes import enlist
from cli_arbitrator import Arbitrator, Command, begun
from cli_reports import SEASON


@pytest.fixture
def empty(tmp_path: Path) -> Arbitrator:
    """No campaign, no database yet."""
    folder = tmp_path / "table"
    folder.mkdir()
    return Arbitrator(folder)


@pytest.fixture
def arbitrator(empty: Arbitrator, _played: dict[int, Path]) -> Arbitrator:
    """The campaign 'ash-wastes' with three gangs and no battle yet."""
    shutil.copy(_played[0], empty.file)
    return empty


@pytest.fixture
def one_battle(tmp_path: Path, _played: dict[int, Path]) -> Arbitrator:
    """The same campaign after its first battle, beside the others."""
    table = Arbitrator(tmp_path)
    shutil.copy(_played[1], table.file)
    return table


@pytest.fixture
def season(empty: Arbitrator, _played: dict[int, Path]) -> Arbitrator:
    """The campaign after its two first battles."""
    shutil.copy(_played[2], empty.file)
    return empty


@pytest.fixture
def command(arbitrator: Arbitrator) -> Command:
    return Command(arbitrator.file)


@pytest.fixture(scope="session")
def enlisted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two small gangs and no battle: see `ash_wastes`."""
    folder = tmp_path_factory.mktemp("enlisted")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        return enlist(folder)


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Databases after no, one and two battles: made once, through the command line, and copied."""
    folder = tmp_path_factory.mktemp("played")
    with begun(folder) as table:
        shutil.copy(table.file, folder / "0.db")
        for battles, report in enumerate(SEASON[:2], start=1):
            table.record(report)
            shutil.copy(table.file, folder / f"{battles}.db")
    return {battles: folder / f"{battles}.db" for battles in range(3)}
