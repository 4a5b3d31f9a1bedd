"""A battle at a glance: what it came to, from the events that count."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tracker
from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.reports.battle_highlights import (
    GangTally,
    Highlights,
    chance_of,
    expected_of,
    headline,
    highlight_blocks,
    highlights,
    luck_words,
    turning_words,
)
from tracker.reports.names import Names
from tracker.reports.page import DataTable

LOGS = Path(tracker.__file__).parent.parent / "fixtures" / "logs"
NAMES = Names(
    fighters={"krug": "Krug", "vex": "Vex", "mags": "Mags", "sable": "Sable"},
    gangs={"skulls": "Iron Skulls", "cage": "The Gilded Cage"},
)
ROW = {
    "status": "closed", "winner": "skulls", "drawn": False,
    "crews": [{"gang": "skulls", "fighters": ["krug", "vex"]}, {"gang": "cage", "fighters": ["mags", "sable"]}],
}  # fmt: skip
MEMBERS = {"krug": "skulls", "vex": "skulls", "mags": "cage", "sable": "cage"}


def out(fighter: str, by: str | None) -> records.Event:
    return records.FighterWentOutOfAction(
        fighter=fighter, by=by, reason="stated", out_of_action_dice=0, lasting_injury_rolls=0
    )


def roll(purpose: str, *faces: int, target: int | None, passed: bool | None, **how: Any) -> records.RollMade:
    given = {"die": "D6" if len(faces) == 1 else "2D6", "rolled_by": None, "fighter": "krug", **how}
    return records.RollMade(
        number=0, purpose=purpose, faces=faces, symbol=None, source="typed", target=target, passed=passed,
        outcome="", section="", **given,
    )  # fmt: skip


def played(*events: records.Event, **row: Any) -> tuple[dict[str, Any], Highlights]:
    battle = {**ROW, **row}
    return battle, highlights(
        battle, [entry(10 + n, event) for n, event in enumerate(events)], members=MEMBERS
    )


def entry(number: int, event: records.Event) -> list[RecordedEvent]:
    return [
        RecordedEvent(
            seq=number, entry=number, slot=number, position=2, actor="Mara", at="2026-01-01T00:00:00Z",
            policy_version="x@1", policy_digest="", causation=None, event=event,
        )
    ]  # fmt: skip


def test_who_took_out_whom_is_counted_for_both_gangs() -> None:
    _, found = played(out("mags", "krug"), out("vex", "sable"), out("sable", "krug"))
    assert [(gang.gang, gang.lost, gang.took_out) for gang in found.gangs] == [
        ("skulls", 1, 2),
        ("cage", 2, 1),
    ]
    assert found.best == "krug"


def test_a_fighter_whom_a_friend_took_out_is_lost_and_counts_for_nobody() -> None:
    _, found = played(out("vex", "krug"))
    assert [(gang.lost, gang.took_out) for gang in found.gangs] == [(1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("events", "row", "said"),
    [
        ([out("mags", "krug"), out("sable", "krug")], {}, "Iron Skulls wipe out The Gilded Cage"),
        ([records.FighterDied(fighter="mags", why="memorable_death")], {}, "Mags dies as Iron Skulls beat The Gilded Cage"),
        ([out("mags", "vex")], {}, "Iron Skulls beat The Gilded Cage without a loss"),
        ([out("mags", "vex"), out("krug", None)], {}, "Iron Skulls beat The Gilded Cage"),
        ([], {"winner": None, "drawn": True}, "Iron Skulls and The Gilded Cage fight to a draw"),
        ([], {"winner": None}, "Iron Skulls and The Gilded Cage part without a winner"),
        ([], {"status": "under_way", "winner": None}, "Iron Skulls and The Gilded Cage are fighting"),
    ],
)  # fmt: skip
def test_the_headline_says_what_was_most(events: list[records.Event], row: dict[str, Any], said: str) -> None:
    battle, found = played(*events, **row)
    assert headline(battle, found, NAMES) == said


def test_the_turning_point_is_where_the_winner_came_to_be_ahead_for_good() -> None:
    _, found = played(out("mags", "krug"), out("vex", "sable"), out("sable", "krug"))
    assert found.turning_point is not None
    assert found.turning_point.entry == 12
    assert turning_words(found, NAMES) == "Krug takes Sable out; from then on Iron Skulls were ahead."


def test_a_winner_who_was_never_ahead_has_no_turning_point() -> None:
    _, found = played(out("vex", "sable"))
    assert turning_words(found, NAMES) == ""


def test_luck_compares_the_rolls_that_passed_with_their_chances() -> None:
    hits = [roll("hit", 6, target=6, passed=True) for _ in range(4)]
    _, found = played(*hits)
    (skulls, cage) = found.gangs
    assert (skulls.rolls, skulls.passed, round(skulls.expected, 2), skulls.luck) == (4, 4, 0.67, "lucky")
    assert luck_words(skulls) == "4 of 4 rolls passed, 0.7 were to be expected: lucky"
    assert (cage.rolls, cage.luck) == (0, None)


@pytest.mark.parametrize(("dice", "last"), [(0, "Credits"), (4, "Luck")])
def test_a_battle_by_outcomes_has_no_columns_for_dice(dice: int, last: str) -> None:
    row, found = played(*(roll("hit", 6, target=6, passed=True) for _ in range(dice)), out("mags", "krug"))
    blocks = [block for part in highlight_blocks(row, found, NAMES) for block in part]
    (table,) = [block for block in blocks if isinstance(block, DataTable)]
    assert table.columns[-1] == last
    assert {len(cells) for cells in table.rows} == {len(table.columns)}


def test_a_die_belongs_to_whoever_rolls_it_by_the_book() -> None:
    _, found = played(roll("injury_escape", 4, target=4, passed=True, rolled_by="cage"))
    assert [gang.rolls for gang in found.gangs] == [0, 1]


@pytest.mark.parametrize(
    ("made", "chance"),
    [
        (roll("hit", 4, target=4, passed=True), Fraction(1, 2)),
        (roll("hit", 6, target=7, passed=True), None),
        (roll("hit", 1, target=1, passed=False), None),
        (roll("cool", 3, 4, target=7, passed=True), Fraction(21, 36)),
        (roll("lasting_injury", 3, 4, target=None, passed=None, die="D66"), None),
        (roll("hit", 4, target=5, passed=False, modifiers=(records.Modifier(why="cover", by=-1),)), Fraction(1, 3)),
        (
            roll("cool", 3, 4, target=8, passed=True, modifiers=(records.Modifier(why="leader", by=1),)),
            Fraction(21, 36),
        ),
    ],
)  # fmt: skip
def test_a_rolls_chance_is_that_of_its_target(made: records.RollMade, chance: Fraction | None) -> None:
    assert expected_of(made) == chance


def test_the_chances_of_two_dice_are_those_of_the_thirty_six_ways() -> None:
    assert chance_of("2D6", 2, 0) == 1
    assert chance_of("2D6", 12, 0) == Fraction(1, 36)
    assert chance_of("2D6", 12, 5) == Fraction(21, 36)


def rolls_of_logs() -> Iterator[dict[str, Any]]:
    for log in sorted(LOGS.glob("*.jsonl")):
        for line in log.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if isinstance(event, dict) and event.get("type") == "RollMade":
                yield event["data"]


def test_a_target_of_the_logs_is_net_for_hits_and_saves_and_moved_by_modifiers_for_tests_on_two_dice() -> (
    None
):
    """Else luck would be reckoned on a wrong chance. Only a natural 1 or 6 may differ."""
    seen = set()
    for data in rolls_of_logs():
        if data.get("target") is None or data.get("passed") is None or not data["faces"]:
            continue
        added = sum(modifier["by"] for modifier in data.get("modifiers", ()))
        if not added or (
            data["die"] == "D6" and data["purpose"] not in ("hit", "melee_hit", "save", "wound")
        ):
            continue
        total = sum(data["faces"]) + (added if data["die"] == "2D6" else 0)
        natural = data["die"] == "D6" and data["faces"][0] in (1, 6)
        assert natural or (total >= data["target"]) == data["passed"], data
        seen.add(data["die"])
    assert seen == {"D6", "2D6"}


def test_a_gang_with_few_rolls_is_neither_lucky_nor_unlucky() -> None:
    tally = GangTally(
        gang="skulls", crew=2, lost=0, took_out=0, experience=0, advances=0, credits=0, rolls=2, passed=2,
        expected=0.5, luck=None,
    )  # fmt: skip
    assert luck_words(tally) == "2 of 2 rolls passed, 0.5 were to be expected"
