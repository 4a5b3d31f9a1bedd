"""The wizard's dice: a Bottle check and fleeing played to their end, and rolled dice reported as rolled."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from conversations import HEAD, conversation, entries, written

pytestmark = pytest.mark.usefixtures("wide")


BOTTLED = ["out_of_action", "tallow", "sable", "5-5", "bottle", "", "6"]
"""Tallow is out, and 6 with one casualty is more than the six Iron Skulls who began: they bottle out."""


@pytest.mark.usefixtures("wide")
def test_dice_rolled_here_are_shown_as_rolled_from_the_file_to_the_log(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, *BOTTLED[:-1], "r", "end", "draw", "yes")
    entry = entries(table.folder / "night.yaml")[1]
    face = entry["dice"]["bottle"][0]["rolled"]
    assert f"  rolled: {face}\n" in said
    assert "note" not in entry
    rolls = [event["data"] for event in table.read("log", "show", "--type", "RollMade")["events"]]
    assert [(roll["purpose"], roll["source"]) for roll in rolls] == [
        ("lasting_injury", "typed"),
        ("bottle", "reported"),
    ]
    assert "rolled by the tool as the report says" in table.done("log", "show", "--type", "RollMade").out
    audited = table.read("audit", "dice")["rolls"]
    assert [one["purpose"] for one in audited] == ["lasting_injury", "bottle"], "nobody else vouches for it"
    table.done("log", "confirm", audited[1]["address"], "--by", "Ayo")
    table.done("audit", "verify")


def test_where_dice_are_provable_the_key_rolls_them_by_a_request_and_says_so(
    table: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table.done("dice", "use", "provable", "--reason", "club vote")
    without = conversation(table, *HEAD, *BOTTLED[:-1], "r", "5", "end", "draw", "no")
    assert "no dice session" in without.casefold().replace("\n", " ")
    (table.folder / "night.yaml").unlink()
    table.done("dice", "open")
    said = conversation(table, *HEAD, *BOTTLED[:-1], "r", "end", "draw", "yes")
    (rolled,) = entries(table.folder / "night.yaml")[1]["dice"]["bottle"]
    assert f"  rolled: {rolled['rolled']}, by request {rolled['request']}\n" in said
    (asked,) = table.read("dice", "show")["sessions"][0]["requests"]
    assert (asked["request"], asked["verdict"]) == (rolled["request"], "sealed")
    table.done("dice", "close")
    table.done("audit", "verify")
    (asked,) = table.read("dice", "show")["sessions"][0]["requests"]
    assert asked["verdict"] == "recomputed"


def test_enter_rolls_where_the_tool_was_asked_to_roll(table: Arbitrator) -> None:
    words = ("battle", "play", "night.yaml", "--roll")
    conversation(table, *HEAD, *BOTTLED[:-1], "", "end", "draw", "no", words=words)
    assert "bottle: [{rolled: " in written(table)


def test_a_rolled_bottle_check_and_fleeing_are_played_to_their_end(table: Arbitrator) -> None:
    # Krug (Cool 5+) passes with 7 and holds Hob and Pip, who stand within 12 inches; Vex fails with 3, Dross with 5.
    conversation(
        table, *HEAD, *BOTTLED,
        *("flee", "", "all", "hob, pip", "", "3+4", "1+2", "2+3"), *("end", "gilded-cage", "yes"),
    )  # fmt: skip
    assert written(table).endswith(
        "  - bottle: {gang: iron-skulls}\n"
        "    dice: {bottle: [6]}\n"
        "  - flee: {gang: iron-skulls, fighters: [krug, vex, dross, hob, pip], near: {krug: [hob, pip]}}\n"
        "    dice: {flee: [3+4, 1+2, 2+3]}\n"
        "result: {winner: gilded-cage}\n"
    )
    events = table.read("log", "show", "--type", "FighterFled")["events"]
    assert [event["data"]["fighter"] for event in events] == ["vex", "dross"]
    table.done("audit", "verify")


def test_a_bottle_check_that_holds_leaves_nobody_to_flee(table: Arbitrator) -> None:
    # 5 with one casualty is 6, which is not more than six.
    said = conversation(table, *HEAD, *BOTTLED[:-1], "5", "flee", "end", "gilded-cage", "yes")
    assert "6 against 6" in said
    assert "flee is not open now." in said


def test_a_gang_that_bottles_of_its_own_will_leaves_of_its_own_will(table: Arbitrator) -> None:
    # Hob is engaged and breaks away with a 5 against Initiative 5+; nobody rolls for the others.
    said = conversation(
        table, *HEAD, *BOTTLED[:5], "iron, of their own will",
        *("flee", "yes", "krug, hob", "hob", "5"), *("end", "gilded-cage", "yes"),
    )  # fmt: skip
    assert "- flee: {gang: iron-skulls, voluntarily: true, fighters: [krug, hob], engaged: [hob]}" in written(
        table
    )
    assert "breaks away" in said
    events = table.read("log", "show", "--type", "FighterFled")["events"]
    assert [event["data"]["fighter"] for event in events] == ["krug", "hob"]
