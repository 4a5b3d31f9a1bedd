"""A battle's entries in the order of play, grouped by round.

A round ends with its recorded end; in a battle without any, with an End phase. Knows entries as reports have
them for programs. If neither is recorded, all entries are one round without a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tracker.campaign import records
from tracker.records import Record
from tracker.reports.page import Row

ROUND_ENDS: Final = records.EndRound.__name__
END_PHASE: Final = frozenset(
    command.__name__
    for command in (
        records.CheckBottle, records.TakeFleeingTests, records.FleeBattlefield, records.TakeRecoveryTest,
        records.TakeRallyTest,
    )
)  # fmt: skip
"""Commands that happen only in an End phase."""
_FRAME: Final[Mapping[str, str]] = {
    records.OpenBattle.__name__: "The battle begins",
    records.CloseBattle.__name__: "The battle ends",
}
_TELLING: Final = frozenset(
    event.__name__
    for event in (
        records.FighterDied, records.FighterWentOutOfAction, records.VehicleWrecked,
        records.SeriousInjurySuffered, records.GangBottled, records.FighterFled, records.FleshWoundsSuffered,
        records.WoundsLost, records.FighterWebbed, records.ConditionGained, records.FighterBroke,
        records.BloodMarkersGained, records.FighterWentDown, records.VehicleDamaged,
        records.VehicleLostControl,
    )
)  # fmt: skip
"""Events that are worth a mention in an exchange's summary."""
_GRAVE: Final = frozenset(
    event.__name__ for event in (records.FighterDied, records.FighterWentOutOfAction, records.VehicleWrecked)
)


class Exchange(Record):
    """An entry, what was done in it, and the result in a few words."""

    entry: Row
    asked: str
    outcome: str
    is_grave: bool
    """Whether a model went down in it."""


class Round(Record):
    """`number` is the stated round, else counted; None if no End phase is recorded."""

    number: int | None
    exchanges: tuple[Exchange, ...]


def rounds(entries: Sequence[Row]) -> tuple[Round, ...]:
    """The rounds in order of play. The first includes the battle's opening, the last its closing."""
    in_order = sorted(entries, key=lambda entry: entry["slot"])
    kinds = {_command(entry)["type"] for entry in in_order}
    parts = _by_their_ends(in_order) if ROUND_ENDS in kinds else _by_end_phases(in_order)
    known = bool(kinds & {ROUND_ENDS, *END_PHASE})
    made: list[Round] = []
    number = 0
    for part in parts:
        stated = [_command(entry).get("round") for entry in part]
        number = next((round_ for round_ in stated if isinstance(round_, int)), number + 1)
        made.append(Round(number=number if known else None, exchanges=tuple(map(_exchange, part))))
    return tuple(made)


def _by_their_ends(entries: Sequence[Row]) -> list[list[Row]]:
    """Rounds by their recorded ends; a battle that closes right after one has no further round."""
    parts: list[list[Row]] = [[]]
    ended = False
    for entry in entries:
        kind = _command(entry)["type"]
        if ended and kind not in _FRAME:
            parts.append([])
            ended = False
        parts[-1].append(entry)
        ended = ended or kind == ROUND_ENDS
    return parts


def _by_end_phases(entries: Sequence[Row]) -> list[list[Row]]:
    """Rounds by the tests of an End phase."""
    parts: list[list[Row]] = [[]]
    was_end = False
    for entry in entries:
        kind = _command(entry)["type"]
        is_end = kind in END_PHASE
        if was_end and not is_end and kind not in _FRAME:
            parts.append([])
        parts[-1].append(entry)
        was_end = is_end or (was_end and kind in _FRAME)
    return parts


def _command(entry: Row) -> Row:
    """The command; empty for what a ruling wrote in its place."""
    command: Row = entry["events"][0]["data"].get("command") or {"type": ""}
    return command


def _exchange(entry: Row) -> Exchange:
    events = entry["events"][1:]
    telling = [event["sentence"] for event in events if event["type"] in _TELLING]
    rolls = [event["data"]["outcome"] for event in events if event["type"] == "RollMade"]
    if telling:
        outcome = telling[-1]
    elif rolls:
        outcome = str(rolls[-1]).rpartition(": ")[2].replace("_", " ")
    else:
        outcome = events[-1]["sentence"] if events else ""
    if entry["asked"] == f"stated: {outcome}":  # it says nothing more
        outcome = ""
    kind = _command(entry)["type"]
    return Exchange(
        entry=entry,
        asked=_FRAME.get(kind) or entry["asked"][:1].upper() + entry["asked"][1:],
        outcome="" if kind in _FRAME else outcome,
        is_grave=any(event["type"] in _GRAVE for event in events),
    )
