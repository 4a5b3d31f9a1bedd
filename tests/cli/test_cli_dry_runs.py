"""--json and --dry-run of the small verbs, and what is said aloud of a battle's date."""

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report

SHEET = """\
format: gang-sheet/1
gang: iron-skulls
name: Iron Skulls
house: Forge Clans
player: Dana
fighters:
  - {name: Rivet, category: ganger, type: Forge Hand, cost: 55,
     characteristics: {M: 4, WS: 4, BS: 4, S: 4, T: 4, W: 1, I: 5, A: 1, Ld: 8, Cl: 7, Wil: 8, Int: 8}}
"""
REASON = ("--reason", "cocked die")
VERBS = {
    "fighter add": (("fighter", "add", "{sheet}"), "FighterEnlisted"),
    "fighter rename": (("fighter", "rename", "pip", "--name", "Old Pip"), "FighterRenamed"),
    "fighter retire": (("fighter", "retire", "pip", *REASON), "FighterRetired"),
    "dispute open": (("dispute", "open", "10.2", *REASON), "RollDisputed"),
    "dispute comment": (("dispute", "comment", "13", "--says", "we saw it"), "DisputeCommentedOn"),
    "dispute withdraw": (("dispute", "withdraw", "13", *REASON), "DisputeWithdrawn"),
    "log confirm": (("log", "confirm", "10.3", "--by", "Somebody Else"), "RollConfirmed"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_dry_run_writes_nothing_and_json_is_the_receipt(season: Arbitrator, verb: str) -> None:
    words, event = VERBS[verb]
    sheet = season.write(SHEET, name="sheet.yaml")
    words = tuple(sheet if word == "{sheet}" else word for word in words)
    if verb in ("dispute comment", "dispute withdraw"):
        season.done("dispute", "open", "10.2", *REASON)
    before = season.contents()
    assert "Dry run: nothing was written." in season.done(*words, "--dry-run").out
    tried = season.read(*words, "--dry-run")
    assert season.contents() == before
    recorded = season.read(*words)
    assert (tried["schema"], tried["dry_run"], recorded["dry_run"]) == ("arbitrator/receipt/1", True, False)
    for answer in (tried, recorded):
        assert event in [said["type"] for said in answer["entries"][0]["events"]]


def test_a_fighter_is_renamed_by_name(arbitrator: Arbitrator) -> None:
    arbitrator.done("fighter", "rename", "Hob Nine-Fingers", "--name", "Hob Eight-Fingers")
    assert arbitrator.roster()["hob"]["name"] == "Hob Eight-Fingers"


def dated(battle: str, day: str) -> str:
    return report(battle).replace("2026-03-14", day)


@pytest.mark.usefixtures("wide")
def test_a_battle_dated_before_the_previous_battle_is_noted_and_counts_in_its_place(
    arbitrator: Arbitrator,
) -> None:
    assert "Note" not in arbitrator.record(dated("b1", "2026-03-14")).out
    assert "Note" not in arbitrator.record(dated("b2", "2026-03-14")).out
    said = arbitrator.record(dated("b3", "2026-03-01"))
    assert (
        "Note: b3 is dated 2026-03-01, before battle 1 (b1, 2026-03-14), which was recorded earlier"
        in said.out
    )
    assert [row["battle"] for row in arbitrator.read("battle", "list")["battles"]] == ["b1", "b2", "b3"]
    again = arbitrator.done("battle", "record", arbitrator.write(dated("b3", "2026-03-01")))
    assert "is dated" not in again.out


def test_a_battle_that_is_still_to_come_is_noted(arbitrator: Arbitrator) -> None:
    path = arbitrator.write(dated("b1", "2999-01-01"))
    (note,) = arbitrator.read("battle", "record", path, "--dry-run")["notes"]
    assert note == "b1 is dated 2999-01-01, which is still to come: is the date right?"
