"""`battle show` while a battle is under way: how everybody stands, from events, and gone when it ends."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report

from tracker.campaign import records
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

REPORT = report(
    "b3",
    "flesh_wound: {fighter: wren, by: krug}",
    "seriously_injured: {fighter: quill, by: hob}",
    "out_of_action: {fighter: sable, by: vex, lasting_injury: 2-2}",
    more="wrap_up: {dice: {succumb: [6]}}\n",
)
BEFORE = 4
"""Entries of the campaign and its three gangs; the report adds its opening, three exchanges and its end."""


@pytest.fixture
def reported(arbitrator: Arbitrator) -> Arbitrator:
    arbitrator.record(REPORT)
    return arbitrator


def stands(table: Arbitrator, entry: int) -> dict[str, list[str]]:
    """In words how each fighter stood after an entry of battle 3."""
    found = table.read("battle", "show", "b3", "--as-of-entry", str(entry))["in_battle"]
    return {
        fighter: model["stands"]
        for gang in found["gangs"].values()
        for fighter, model in gang["models"].items()
    }


def test_everybody_is_unhurt_when_the_battle_opens(reported: Arbitrator) -> None:
    opened = stands(reported, BEFORE + 1)
    assert set(opened) >= {"wren", "quill", "sable", "krug", "hob", "vex"}
    assert set(map(tuple, opened.values())) == {("unhurt",)}


def test_each_entry_moves_those_it_is_about(reported: Arbitrator) -> None:
    assert stands(reported, BEFORE + 2)["wren"] == ["1 Flesh Wound"]
    assert stands(reported, BEFORE + 2)["quill"] == ["unhurt"]
    after = stands(reported, BEFORE + 4)
    assert after["wren"] == ["1 Flesh Wound"]
    assert after["quill"] == ["Seriously Injured"]
    assert after["sable"] == ["Out of Action"]


def test_the_record_stands_beside_the_words(reported: Arbitrator) -> None:
    shown = reported.read("battle", "show", "b3", "--as-of-entry", str(BEFORE + 4))
    models = shown["in_battle"]["gangs"]["gilded-cage"]["models"]
    assert models["quill"]["condition"]["seriously_injured"] is True
    assert models["quill"]["condition"]["seriously_injured_by"] == "hob"
    assert models["wren"]["condition"]["flesh_wounds"] == 1
    assert shown["battle"]["status"] == "under_way"
    assert [entry["entry"] for entry in shown["entries"]] == [BEFORE + 1, BEFORE + 2, BEFORE + 3, BEFORE + 4]


def test_the_page_tells_it_between_the_crews_and_the_entries(reported: Arbitrator) -> None:
    page = reported.done("battle", "show", "1", "--as-of-entry", str(BEFORE + 3)).out
    head, _, rest = page.partition("\nHow everybody stands\n")
    assert "Result: under way" in head
    assert "  The Gilded Cage\n" in rest
    assert ": 1 Flesh Wound\n" in rest
    assert ": Seriously Injured\n" in rest
    assert f"\n{BEFORE + 3}  " in rest


def test_it_is_gone_when_the_battle_has_ended(reported: Arbitrator) -> None:
    assert reported.read("battle", "show", "b3")["in_battle"] is None
    assert reported.read("battle", "show", "b3", "--as-of-entry", str(BEFORE + 5))["in_battle"] is None
    assert "How everybody stands" not in reported.done("battle", "show", "b3").out
    sable = reported.roster()["sable"]
    assert sable["times_out_of_action"] == 1, "what lasts stays"


def test_before_it_opens_nothing_is_shown(reported: Arbitrator) -> None:
    assert reported.read("battle", "show", "b3", "--as-of-entry", str(BEFORE))["in_battle"] is None


def test_a_battle_under_way_shows_it_without_being_asked(arbitrator: Arbitrator, tmp_path: Path) -> None:
    tracker = Tracker(f"sqlite:///{arbitrator.file}", actor="ana")
    campaign = tracker.directory.campaign_id("ash-wastes")

    def play(key: str, *commands: object) -> None:
        tracker.commands.play(campaign, [CommandWithDice(command=command) for command in commands], key=key)  # type: ignore[arg-type]

    crews = {"iron-skulls": ("krug", "hob"), "gilded-cage": ("wren",)}
    play(
        "open",
        records.OpenBattle(battle="b3", scenario="Toll", date="2026-03-21", crews=crews),
        records.StateOutcome(target="wren", outcome="flesh_wound", attacker="krug"),
    )
    found = arbitrator.read("battle", "show", "b3")["in_battle"]["gangs"]["gilded-cage"]["models"]
    assert found["wren"]["stands"] == ["1 Flesh Wound"]
    assert "How everybody stands" in arbitrator.done("battle", "show", "b3").out
    site = tmp_path / "site"
    arbitrator.done("campaign", "publish", str(site))
    standing = "In the battle under way: 1 Flesh Wound"
    assert standing in (site / "fighter-wren.html").read_text(encoding="utf-8")
    assert "In the battle under way" not in (site / "fighter-quill.html").read_text(encoding="utf-8")
    play("close", records.CloseBattle(winner="iron-skulls"))
    tracker.close()
    assert arbitrator.read("battle", "show", "b3")["in_battle"] is None


def test_an_entry_that_is_not_there_is_refused(reported: Arbitrator) -> None:
    reported.refused(2, "battle", "show", "b3", "--as-of-entry", "999")
