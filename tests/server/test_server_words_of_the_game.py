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

SEASON = ROOT / "fixtures" / "trench-season"
SHEETS = [SEASON / f"{name}.yaml" for name in ("iron-procession", "black-vigil")]
BUILDER = f"{CAMPAIGN}/begin-gang"
OF_ANOTHER_GAME = re.compile(r"\b[Gg]angs?\b|\bHouse\b(?! rule)|\b[Cc]redits?\b")

OF_NECROMUNDA = {"The Guilders", "The Doc", "The Black Market", "Repairs", "Scrap", "Bounties", "A territory"}
OF_TRENCH_CRUSADE = {"Exploration", "Reinforcements"}
"""Where money of one game alone comes from."""
NAMED = "Gang-House-Credit"
READ = [
    words.split()
    for words in (
        "log show --all", "roster show", "standings show", "gang list", "gang warband", "gang captives",
        "gang ledger iron-procession", "battle list", "battle show 1", "dispute list",
        "fighter show odo", "campaign show", "campaign timeline", "policy list",
    )
]  # fmt: skip
"""Commands that show a campaign."""


@pytest.fixture
def warbands(tmp_path: Path) -> Iterator[Club]:
    """A campaign of two warbands before its first battle."""
    table = Arbitrator(tmp_path)
    begin(table, "--ruleset", "trench_crusade", sheets=SHEETS)
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        yield Club(client, tracker)
    tracker.close()


@pytest.fixture
def fought(tmp_path: Path) -> Iterator[tuple[Arbitrator, Club]]:
    """The same after a battle and what follows it, with a name that is made of another game's words."""
    table = Arbitrator(tmp_path)
    begin(table, "--ruleset", "trench_crusade", sheets=SHEETS)
    table.done("battle", "record", str(SEASON / "01-crater.yaml"))
    table.done(
        "battle", "post", str(SEASON / "01-crater.after.yaml"), "--armoury", str(SEASON / "armoury.yaml")
    )
    table.done("fighter", "rename", "odo", "--name", NAMED)
    injury = next(
        event["address"]
        for event in table.read("log", "show", "--all", "--type", "RollMade")["events"]
        if "njur" in event["sentence"]
    )
    table.done("dispute", "open", injury, "--reason", "the dice were cocked", "--by", "Robin")
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        yield table, Club(client, tracker)
    tracker.close()


def foreign(text: str) -> list[str]:
    """Where a text speaks of gangs, but for the fighter who is called so."""
    text = text.replace(NAMED, "").replace("“gangs”", "")  # a key of a report
    return [text[max(0, found.start() - 40) : found.end() + 20] for found in OF_ANOTHER_GAME.finditer(text)]


def page(club: Club, path: str) -> str:
    token = {"Accept": "text/html", "Authorization": f"Bearer {club.tokens['Mara']}"}
    return read_aloud(club.client.get(path, headers=token).text)


def test_no_page_of_a_campaign_of_warbands_speaks_of_gangs(warbands: Club) -> None:
    pages = {path: read_aloud(text) for path, text in walked(warbands, "Mara").items()}
    wrong = {path: foreign(text) for path, text in pages.items() if path.startswith(CAMPAIGN)}
    assert len(wrong) >= 20
    assert {path: found for path, found in wrong.items() if found} == {}


@pytest.mark.slow
def test_no_page_and_no_command_speaks_of_gangs_after_a_battle_of_warbands_and_names_stay(
    fought: tuple[Arbitrator, Club],
) -> None:
    table, club = fought
    pages = {path: read_aloud(text, path) for path, text in walked(club, "Mara").items()}
    wrong = {path: foreign(text) for path, text in pages.items() if path.startswith(CAMPAIGN)}
    assert len(wrong) >= 45
    assert NAMED in pages[f"{CAMPAIGN}/gangs/iron-procession"]
    assert NAMED in pages[f"{CAMPAIGN}/log"]
    dispute = str(table.read("dispute", "list")["disputes"][0]["dispute"])
    reading = [*READ, ["dispute", "show", dispute], ["dispute", "preview", dispute, "--confirm"]]
    shown = {" ".join(words): table.done(*words).out for words in reading}
    assert NAMED in shown["roster show"]
    wrong |= {words: foreign(text) for words, text in shown.items()}
    assert {where: found for where, found in wrong.items() if found} == {}


def test_a_warband_is_built_with_its_faction_and_its_own_ranks(warbands: Club) -> None:
    builder = page(warbands, BUILDER)
    assert "Begin a warband" in builder
    assert "Faction, or warband list" in builder
    assert "Reputation" not in builder
    joining = page(warbands, f"{CAMPAIGN}/gangs/iron-procession/edit")
    assert "Elite Troop" in joining
    assert "Ganger" not in joining


def test_only_what_the_game_has_is_offered(warbands: Club) -> None:
    offered = page(warbands, f"{CAMPAIGN}/do")
    assert "Buy something" in offered
    assert [words for words in ("Change Reputation", "patronage", "Ganger", "Juve") if words in offered] == []
    assert "cycle" not in offered
    assert "Territories" not in page(warbands, f"{CAMPAIGN}/gangs/iron-procession")
    assert "Rare or Illegal" not in page(warbands, f"{CAMPAIGN}/do/gang-buy")


@pytest.mark.parametrize("asked", ["warbands", "club"])
def test_money_comes_from_and_goes_to_what_the_game_has(request: pytest.FixtureRequest, asked: str) -> None:
    shown = page(request.getfixturevalue(asked), f"{CAMPAIGN}/do/gang-credits")
    offered = {words for words in OF_NECROMUNDA | OF_TRENCH_CRUSADE if words in shown}
    assert offered == (OF_TRENCH_CRUSADE if asked == "warbands" else OF_NECROMUNDA)


def test_a_gang_is_built_with_its_house_and_reputation(club: Club) -> None:
    builder = page(club, BUILDER)
    assert "Begin a gang" in builder
    assert "House, or gang list" in builder
    assert "Reputation" in builder
