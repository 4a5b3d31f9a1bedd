"""A recorded battle as its report: read again, it is the very same battle."""

import shutil
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, played
from cli_reports import SEASON

from tracker.documents.armoury import PriceLookup
from tracker.documents.battle_report import battle_plan
from tracker.documents.recorded_report import report_written
from tracker.documents.wizard import writing
from tracker.rules import loader
from tracker.service.amendments import NothingToAmend
from tracker.service.application import Tracker


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("season"), *SEASON)


def test_every_recorded_battle_is_written_as_the_report_that_says_it(season: Path, tmp_path: Path) -> None:
    table = Arbitrator(tmp_path)
    shutil.copy(season, table.file)
    tracker = Tracker(f"sqlite:///{table.file}", actor="Mara")
    campaign = tracker.directory.campaign_id("ash-wastes")
    rows, _ = tracker.boards.battles(campaign)
    assert len(rows) == len(SEASON)
    for row in rows:
        before, parts = tracker.amendments.battle_recorded(campaign, row["battle"])
        text = report_written(parts, PriceLookup(state=before))
        assert text is not None, row["battle"]
        document = writing.document_of(text, file="report.yaml")
        plan = battle_plan(document, purposes=loader.book(before.book).purposes, state=before)
        with pytest.raises(NothingToAmend):
            tracker.amendments.of_battle(campaign, row["battle"], plan)
    tracker.close()
