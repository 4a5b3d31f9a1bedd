"""Output ready to paste: a battle, a roster, the standings for a chat, a wiki, a site, as a reader gets them."""

import re
from collections.abc import Callable

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from cli_reports import GANG_SHEETS

from tracker.service.application import Tracker
from tracker.service.as_of import NOW, AsOf
from tracker.service.ruling_request import RulingRequest

FILES = ROOT / "fixtures" / "aftermath"
SHEETS = [sheet for sheet in GANG_SHEETS if sheet.stem in ("gilded-cage", "iron-skulls")]
ENDINGS = {"text": "txt", "md": "md", "discord": "discord.txt", "html": "html"}


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    """Two battles, each with what came after it."""
    names = ("01-toll.yaml", "01-toll.after.yaml", "02-forge.yaml", "02-forge.after.yaml")
    begin(empty, sheets=SHEETS, reports=[FILES / name for name in names])
    return empty


def timeless(text: str) -> str:
    """Without when and by whom the entries were written."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d  \S+", "2026-03-01 20:14  dana", text)


@pytest.mark.parametrize("form", ENDINGS)
def test_a_battle_is_shown_in_every_format(
    table: Arbitrator, golden: Callable[[str, str], None], form: str
) -> None:
    output = table.done("battle", "show", "toll", "--format", form).out
    golden(f"paste-ready/battle.{ENDINGS[form]}", timeless(output))


@pytest.mark.parametrize("form", ["text", "md", "discord", "html"])
def test_the_standings_come_in_every_format(
    table: Arbitrator, golden: Callable[[str, str], None], form: str
) -> None:
    golden(f"paste-ready/standings.{ENDINGS[form]}", table.done("standings", "show", "--format", form).out)


def test_a_roster_comes_as_a_page_to_print(table: Arbitrator, golden: Callable[[str, str], None]) -> None:
    golden("paste-ready/roster.html", table.done("roster", "show", "--format", "html").out)


def test_what_came_after_a_battle_ends_with_each_gangs_next_battle(table: Arbitrator) -> None:
    first, second = (
        {one["gang"]: one for one in table.read("battle", "show", battle)["story"]} for battle in ("1", "2")
    )
    assert "Quill escapes" in first["gilded-cage"]["after"]
    assert "Quill is back from Convalescence" not in first["gilded-cage"]["after"]
    assert "Quill is back from Convalescence" in second["gilded-cage"]["after"]
    assert "Quill escapes" not in second["gilded-cage"]["after"]
    sold = "30 credits, the Guilders -> The Gilded Cage: Tallow, sold to the Guilders"
    assert sold in second["gilded-cage"]["after"]


def test_json_is_the_same_by_either_word(table: Arbitrator) -> None:
    assert (
        table.done("battle", "show", "1", "--json").out
        == table.done("battle", "show", "1", "--format", "json").out
    )


def test_what_was_not_known_yet_is_not_shown(table: Arbitrator) -> None:
    listed = table.read("battle", "show", "1")["entries"]
    early = str(listed[1]["entry"])
    story = table.read("battle", "show", "1", "--as-of-entry", early)["story"]
    assert [len(gang["casualties"]) for gang in story] == [0, 1]
    assert [len(gang["after"]) for gang in story] == [0, 0]


def test_a_voided_fall_is_in_no_story(table: Arbitrator) -> None:
    campaign = open_tracker(table)
    tracker, known = campaign
    try:
        disputed = next(
            recorded.address
            for recorded in tracker.repository.log.live(known)
            if type(recorded.event).__name__ == "RollMade"
            and getattr(recorded.event, "fighter", None) == "wren"
        )
        dispute = (
            tracker.disputes.open(known, disputed, reason="cocked", raised_by="Dana").entries[0][0].entry
        )
        tracker.rulings.rule(
            known, str(dispute), RulingRequest(verdict="voided", reason="it was", strategy="keep-later")
        )
    finally:
        tracker.close()
    output = table.done("battle", "show", "toll", "--format", "discord").out
    assert "Wren is taken Out of Action" not in output
    assert "Quill is taken Out of Action" in output
    assert "struck out by entry" in table.done("battle", "show", "toll").out


def open_tracker(table: Arbitrator) -> tuple[Tracker, str]:
    tracker = Tracker(f"sqlite:///{table.file}", actor="test")
    return tracker, tracker.directory.campaign_id("ash-wastes")


# The course: what each gang was worth and had earned at every battle's end


def test_the_course_is_each_gangs_rating_and_xp_at_every_battles_end(table: Arbitrator) -> None:
    tracker, campaign = open_tracker(table)
    rows = tracker.boards.rating_history(campaign, NOW)
    tracker.close()
    points = [
        (
            row["number"],
            *(tuple(row["gangs"][gang].values()) for gang in ("iron-skulls", "gilded-cage")),
        )
        for row in rows
    ]
    assert points == [
        (0, (685, 9), (775, 10)),  # as the sheets say
        (1, (685, 9 + 2 + 2), (775, 10 + 2 + 2)),  # two of each taken out; Tallow is no captive yet
        (2, (685 - 55, 13), (775, 14)),  # Tallow is one now, and nobody fell
        (None, (630 + 10, 13), (775 + 10, 14)),  # one advancement each: spent XP stays earned
    ]


def test_the_course_says_what_the_roster_of_that_point_says(table: Arbitrator) -> None:
    tracker, campaign = open_tracker(table)
    try:
        entries = tracker.repository.store.head(campaign).entries
        for battle in ("1", "2"):
            point = AsOf(clock="battle", value=battle)
            last = tracker.boards.rating_history(campaign, point)[-1]
            assert last["number"] == int(battle)
            ratings = {
                gang["gang"]: gang["rating_credits"]
                for gang in table.read("roster", "show", "--as-of-battle", battle)["gangs"]
            }
            assert {gang: then["rating_credits"] for gang, then in last["gangs"].items()} == ratings
        believed = AsOf(clock="entry", value="9")  # the first battle's closing
        assert [row["number"] for row in tracker.boards.rating_history(campaign, believed)] == [0, 1]
        whole = tracker.boards.rating_history(campaign, AsOf(clock="entry", value=str(entries)))
        assert whole == tracker.boards.rating_history(campaign, NOW)
        assert tracker.boards.rating_history(campaign, AsOf(clock="entry", value="3")) == []
    finally:
        tracker.close()


def test_battles_come_as_a_table_for_a_spreadsheet(table: Arbitrator) -> None:
    head, first, *_ = table.done("battle", "list", "--format", "csv").out.splitlines()
    assert head == "number,battle,date,scenario,gangs,status,winner,drawn"
    assert first.startswith("1,toll,")
    assert table.done("battle", "list", "--format", "json").out == table.done("battle", "list", "--json").out


def test_a_fighter_comes_for_a_wiki(table: Arbitrator) -> None:
    said = table.done("fighter", "show", "krug", "--format", "md").out
    assert said.startswith("# Krug the Anvil, Leader of Iron Skulls")
    assert "**Experience**\n\n- " in said
    assert "*ash-wastes, as of" not in said
    before = table.done("fighter", "show", "krug", "--format", "md", "--as-of-battle", "1").out
    assert before.splitlines()[2].startswith("*ash-wastes")
