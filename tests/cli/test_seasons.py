"""Whole seasons, played from the files of fixtures/seasons as an Arbitrator would type them, and checked by hand.

The numbers of BY_HAND were worked out from the comments in those files before they were ever played.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from cli_arbitrator import Arbitrator
from season_files import SEASONS, commands

BOOKS = ("necromunda_2023", "necromunda_archive")
RECORDED_ON = re.compile(r"^\d{4}-\d{2}-\d{2}", re.MULTILINE)

# Credits, rating, wealth and Reputation at the end.
BY_HAND = {
    "necromunda_2023": {
        "tin-wardens": (97, 588, 97 + 588, 6),
        "ash-choir": (175, 500, 175 + 500 + 10, 1),  # a stub gun in the stash
        "glass-court": (665, 600, 665 + 600 + 40, 7),  # black powder
        "dust-haulers": (70, 340, 70 + 340 + 20, 1),  # a rivet gun
    },
    "necromunda_archive": {
        "salt-line": (170, 350, 170 + 350, 4),
        "moss-kin": (35, 230, 35 + 230, 1),
    },
}


@dataclass(frozen=True)
class Season:
    """One season, played once."""

    book: str
    table: Arbitrator
    gangs: tuple[str, ...]


@pytest.fixture(scope="module", params=BOOKS)
def season(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    """Every line of the season's play.txt, in a database of its own."""
    folder, home = SEASONS / request.param, tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
        monkeypatch.setenv("TRACKER_ARMOURY", str(folder / "armoury.yaml"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        table = Arbitrator(home)
        for line in commands(folder):
            table.done(*line)
        campaign = table.read("campaign", "list")["campaigns"][0]["slug"]
        monkeypatch.setenv("TRACKER_CAMPAIGN", campaign)
        yield Season(request.param, table, tuple(BY_HAND[request.param]))


def standings(season: Season) -> dict[str, dict]:
    return {gang["gang"]: gang for gang in season.table.read("standings", "show")["gangs"]}


def test_a_season_ends_as_worked_out_by_hand(season: Season) -> None:
    final = standings(season)
    assert {
        gang: tuple(
            final[gang][name] for name in ("credits", "rating_credits", "wealth_credits", "reputation")
        )
        for gang in season.gangs
    } == BY_HAND[season.book]


def test_a_season_prints_as_it_was_checked(season: Season, golden: Callable[[str, str], None]) -> None:
    ledgers = [season.table.done("gang", "ledger", gang).out for gang in season.gangs]
    printed = {
        "roster": season.table.done("roster", "show").out,
        "standings": season.table.done("standings", "show").out,
        "ledger": RECORDED_ON.sub("recorded  ", "\n".join(ledgers)),
    }
    for name, text in printed.items():
        golden(f"seasons/{season.book}/expected/{name}.txt", text)


def test_every_ledger_of_a_season_adds_up(season: Season) -> None:
    final = standings(season)
    for gang in season.gangs:
        ledger = season.table.read("gang", "ledger", gang)
        balance = 0
        stash: Counter[str] = Counter()
        for line in ledger["lines"]:
            balance += line["change"]
            assert (line["balance"], balance >= 0) == (balance, True), line
            assert gang in (line["source_gang"], line["target_gang"]), line
            assert line["source"] != line["target"], line
            if line["kind"] == "item":
                stash[line["thing"]] += (line["target"] == f"stash:{gang}") - (
                    line["source"] == f"stash:{gang}"
                )
                assert line["change"] == 0
            else:
                sides = (line["source"] == gang, line["target"] == gang)
                assert line["change"] == line["amount"] * (sides[1] - sides[0]), line
        assert ledger["balance"] == balance == final[gang]["credits"]
        shown = season.table.read("gang", "stash", gang)
        assert +stash == Counter(item["name"] for item in shown["stash"])
        assert shown["credits"] == balance


def test_ratings_are_the_sums_of_the_cards(season: Season) -> None:
    roster = season.table.read("roster", "show")["gangs"]
    for gang in roster:
        counted = [
            fighter
            for fighter in gang["fighters"]
            if fighter["standing"] == "enlisted" and not fighter["held_by"]
        ]
        cards = sum(one["cost_credits"] for one in counted)
        vehicles = sum(one["cost_credits"] for one in gang.get("vehicles", []))
        assert cards + vehicles == BY_HAND[season.book][gang["gang"]][1], gang["gang"]


def test_a_season_proves_itself_from_its_log(season: Season) -> None:
    said = season.table.done("audit", "verify").out
    assert "every entry is decided the same from its own dice" in said
    season.table.done("boards", "verify")


def test_every_file_of_a_season_is_played(season: Season) -> None:
    played = {word for line in commands(SEASONS / season.book) for word in line if word.endswith(".yaml")}
    written = {str(one) for one in (SEASONS / season.book).glob("*.yaml")}
    assert written - played == {str(SEASONS / season.book / "armoury.yaml")}


def test_every_number_is_explained_without_reading_the_whole_log(season: Season) -> None:
    """Vehicles on the table, territories that change hands and captives of others do not hinder it."""
    for who in (*season.gangs, *season.table.roster()):
        assert "The whole log had to be read" not in season.table.done("explain", who).out, who
