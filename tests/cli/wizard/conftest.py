"""Two gangs at a table, before the first battle and after it."""

import pytest
from cli_arbitrator import Arbitrator, begin
from conversations import FILES, SHEETS


@pytest.fixture
def table(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """Two gangs and no battle yet, in a folder of its own."""
    begin(empty, sheets=SHEETS)
    monkeypatch.chdir(empty.folder)
    return empty


@pytest.fixture
def after(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """The toll is fought; nothing has been done after it."""
    begin(empty, sheets=SHEETS, reports=[FILES / "01-toll.yaml"])
    monkeypatch.chdir(empty.folder)
    return empty
