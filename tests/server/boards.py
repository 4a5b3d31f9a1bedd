"""A board of a first battle, whatever the game, in this process."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from cli_arbitrator import Arbitrator, begin
from served import ORIGIN, Club
from starlette.testclient import TestClient
from test_server_board import Board

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

HERE = "/campaigns/ash-wastes"


@contextmanager
def first_battle(
    folder: Path, ruleset: str, sheets: Sequence[Path], crews: Mapping[str, Sequence[str]]
) -> Iterator[Board]:
    """The Arbitrator's, the battle begun with these crews."""
    table = Arbitrator(folder)
    begin(table, "--ruleset", ruleset, sheets=sheets)
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        mara = Board(Club(client, tracker), "Mara")
        named = {"name": "First Blood", "scenario": "Crossing", "date": "2026-03-01", "gang": [*crews]}
        mara.send(f"{HERE}/record/battle", **named, **{f"crew.{gang}": crew for gang, crew in crews.items()})
        assert mara.asks == "Tap who acts", mara.page
        yield mara
    tracker.close()
