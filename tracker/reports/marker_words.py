"""Charts, Blood Markers, falls and fates, one line for each event."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.reports.cards import counted, plain, titled
from tracker.reports.names import Names, by_whom
from tracker.reports.paper import safe

MarkerEvent: TypeAlias = (
    records.ChartRead
    | records.BloodMarkersGained
    | records.BloodMarkersSpent
    | records.FighterWentDown
    | records.FighterStoodUp
    | records.ToughnessSpent
    | records.FateDecided
)

_MARKERS_SPENT_ON = {
    "action": "an ACTION",
    "attack": "an attack",
    "injury_roll": "the injury roll",
    "bloodbath": "Bloodbath",
}


def marker_sentence(event: MarkerEvent, names: Names) -> str:
    """One line for one event about markers, falling down or fate."""
    who = names.fighter(event.fighter)
    match event:
        case records.ChartRead():
            return chart_words(event, names)
        case records.BloodMarkersGained():
            gained = counted(event.gained, "Blood Marker")
            lost = f", {event.lost} over the most there can be" if event.lost else ""
            has = f"{event.markers} now"
            return f"{who} takes {gained}{by_whom(event.by, names, 'from')}{lost}: {has}"
        case records.BloodMarkersSpent():
            spent = counted(event.spent, "Blood Marker")
            left = f"{event.markers} left"
            on = _MARKERS_SPENT_ON.get(event.use) or plain(event.use)
            return f"{spent} of {who} spent on {on}: {left}"
        case records.FighterWentDown():
            return f"{who} is knocked Down{by_whom(event.by, names)}"
        case records.FighterStoodUp():
            moves = "movement halved" if event.movement_halved else "moves as ever"
            return f"{who} stands up, {moves}"
        case records.ToughnessSpent():
            return f"{who} is TOUGH and goes Down instead of Out of Action, this once"
        case records.FateDecided():
            return f"fate of {who}: {safe(event.name)}"
        case _:
            assert_never(event)


def marker_asked(command: records.InjuryChartCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.RollInjuryChart():
            told = f": {plain(command.result)}, as stated" if command.result is not None else ""
            bloodbath = ", Bloodbath" if command.bloodbath else ""
            attacker = by_whom(command.attacker, names)
            return f"Injury Chart for {names.fighter(command.target)}{attacker}{bloodbath}{told}"
        case records.SpendBloodMarkers():
            on = _MARKERS_SPENT_ON[command.use]
            markers = counted(command.count, "Blood Marker")
            return f"{markers} of {names.fighter(command.fighter)} on {on}{by_whom(command.attacker, names)}"
        case records.StandUp():
            how = ", RISKY ACTION" if command.risky else ""
            return f"stand up: {names.fighter(command.fighter)}{how}"
        case records.DecideFate():
            ransom = f", ransom {command.ransom}" if command.ransom is not None else ""
            return f"fate of {names.fighter(command.fighter)}{ransom}"
        case _:
            assert_never(command)


def chart_words(event: records.ChartRead, names: Names) -> str:
    """'Injury Chart for Vex: 5-4-1 (target is Down +1 DICE), 5+4, Standard Armour -1 = 8: Down'."""
    shown = "-".join(str(face) for face in event.faces)
    dice = "".join(f", {plain(reason.why)} {reason.by:+d} DICE" for reason in event.dice)
    kept = "+".join(str(face) for face in event.kept)
    moved = "".join(f", {plain(modifier.why)} {modifier.by:+d}" for modifier in event.modifiers)
    who = f"{names.fighter(event.fighter)}{by_whom(event.by, names)}"
    added = f"{kept}{moved} = {event.total}"
    return f"{titled(event.chart)} for {who}: {shown}{dice}; {added}: {safe(event.name)}"
