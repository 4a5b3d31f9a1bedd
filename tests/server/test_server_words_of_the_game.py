"""The pages speak as the campaign's rulebook does: of gangs of a House, or of warbands of a faction."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from served import ORIGIN, Club
from starlette.testclient import TestClient
from test_server_plain_words import CAMPAIGN, read_aloud, walked

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

SHEETS = [ROOT / "fixtures" / "trench-season" / f"{name}.yaml" for name in ("iron-procession", "black-vigil")]
BUILDER = f"{CAMPAIGN}/begin-gang"
OF_ANOTHER_GAME = re.compile(r"\b[Gg]angs?\b|\bHouse\b(?! rule)|\b[Cc]redits?\b")
OF_THE_LOG = ("/log", "/timeline", "/disputes", "/why/")
"""Pages of the log's own sentences, which are the same in every game."""


@pytest.fixture
def warbands(tmp_path: Path) -> Iterator[Club]:
    """A campaign of two warbands before its first battle."""
    table = Arbitrator(tmp_path)
    begin(table, "--ruleset", "trench_crusade", sheets=SHEETS)
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        yield Club(client, tracker)
    tracker.close()


def page(club: Club, path: str) -> str:
    token = {"Accept": "text/html", "Authorization": f"Bearer {club.tokens['Mara']}"}
    return read_aloud(club.client.get(path, headers=token).text)


def test_no_page_of_a_campaign_of_warbands_speaks_of_gangs(warbands: Club) -> None:
    pages = {path: read_aloud(text) for path, text in walked(warbands, "Mara").items()}
    wrong = {
        path: [
            text[max(0, found.start() - 40) : found.end() + 20] for found in OF_ANOTHER_GAME.finditer(text)
        ]
        for path, text in pages.items()
        if path.startswith(CAMPAIGN) and not any(below in path for below in OF_THE_LOG)
    }
    assert len(wrong) >= 20
    assert {path: found for path, found in wrong.items() if found} == {}


def test_a_warband_is_built_with_its_faction_and_its_own_ranks(warbands: Club) -> None:
    builder = page(warbands, BUILDER)
    assert "Begin a warband" in builder
    assert "Faction, or warband list" in builder
    assert "Reputation" not in builder
    joining = page(warbands, f"{CAMPAIGN}/gangs/iron-procession/edit")
    assert "Elite Troop" in joining
    assert "Ganger" not in joining


def test_a_gang_is_built_with_its_house_and_reputation(club: Club) -> None:
    builder = page(club, BUILDER)
    assert "Begin a gang" in builder
    assert "House, or gang list" in builder
    assert "Reputation" in builder
