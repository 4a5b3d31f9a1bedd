"""Words about warbands: events and commands between battles, Blessing Markers and morale, as one line."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.warbands import WarbandEvent
from tracker.reports.cards import counted, plain
from tracker.reports.names import Names
from tracker.reports.paper import safe

WARBAND_ROLLS = {
    "morale": "morale die",
    "shell_shock": "Shell Shocked die",
    "skill_roll": "skill roll",
    "promotion": "promotion die",
    "exploration": "exploration die",
    "exploration_reroll": "exploration die, rolled again,",
}


def warband_sentence(event: WarbandEvent, names: Names) -> str:
    """One line for one event."""
    match event:
        case records.PromotionDieSpent():
            who = names.fighter(event.fighter)
            if event.succeeded:
                why = ": the die after 5 failed ones" if event.automatic else ""
                return f"{who} is promoted{why}"
            return f"{who} is not promoted: {counted(event.failures, 'failed die', 'failed dice')} in a row"
        case records.ThresholdRaised():
            return (
                f"{names.gang(event.gang)}, game {event.game}: Threshold {names.money(event.ducats)}, Field"
                " Strength"
                f" {event.field_strength}"
            )
        case records.ReinforcementsCalled():
            less = f", {event.less} less" if event.less else ""
            return (
                f"{names.gang(event.gang)} call Reinforcements: worth {event.worth} of"
                f" {event.threshold}{less},"
                f" {names.money(event.ducats)} to spend now"
            )
        case records.WarbandExplored():
            shown = "+".join(str(face) for face in event.faces)
            found = f"{shown} = {event.score}, loot of {names.money(event.ducats)}"
            return f"{names.gang(event.gang)} explore: {found}"
        case records.LocationFound():
            return f"{names.gang(event.gang)} find {safe(event.location)} on {event.score}"
        case records.GloryChanged():
            change = f"{event.before} -> {event.after} Glory"
            return f"{names.gang(event.gang)}: {change}: {plain(event.why)}"
        case records.RansomSettled():
            return _ransom(event, names)
        case records.ShellShockTested():
            bears = "bears the shell shock" if event.bears else f"is Shell Shocked: {safe(event.means)}"
            return f"{names.fighter(event.fighter)} {bears}"
        case records.BlessingMarkersGained():
            gained = counted(event.gained, "Blessing Marker")
            lost = f", {event.lost} lost" if event.lost else ""
            return (
                f"{names.fighter(event.fighter)} gains {gained}{lost}: {event.markers} now:"
                f" {plain(event.why)}"
            )
        case records.BlessingMarkersSpent():
            spent = counted(event.spent, "Blessing Marker")
            return f"{names.fighter(event.fighter)}: {spent} spent ({plain(event.use)}), {event.markers} left"
        case records.MoraleTested():
            result = {"holds": "hold", "shaken": "are Shaken for a turn", "flees": "flee and have lost"}
            fallen = f"{event.down_or_out} of {event.models} Down or Out of Action"
            return (
                f"{names.gang(event.gang)} {result[event.result]} at the end of turn {event.turn}: {fallen}"
            )
        case _:
            assert_never(event)


def warband_asked(command: records.WarbandCommand | records.MoraleCommand, names: Names) -> str:
    """One line that says what was asked for."""
    match command:
        case records.AwardBattleExperience():
            deeds = ", ".join(names.fighter(one) for one in command.deeds)
            return f"XP of the battle for {names.gang(command.gang)}" + (
                f", Glorious Deeds of {deeds}" if deeds else ""
            )
        case records.AwardLatecomer():
            missed = counted(command.missed, "battle")
            return f"XP of a latecomer for {names.fighter(command.fighter)}: {missed} missed"
        case records.LearnSkill():
            tables = " and ".join(safe(one) for one in command.tables)
            return (
                f"skill for {names.fighter(command.fighter)} out of {tables}, {safe(command.choose)} chosen"
            )
        case records.RollPromotions():
            shares = ", ".join(f"{names.fighter(one.fighter)} {one.dice}" for one in command.dice)
            return f"promotion dice of {names.gang(command.gang)}: {shares or 'none'}"
        case records.RaiseThreshold():
            game = f" for game {command.game}" if command.game is not None else ""
            return f"Threshold of {names.gang(command.gang)}{game}"
        case records.CallReinforcements():
            return f"Reinforcements for {names.gang(command.gang)}"
        case records.Explore():
            found = f", looking for {safe(command.location)}" if command.location is not None else ""
            return f"exploration of {names.gang(command.gang)}{found}"
        case records.ChangeGlory():
            return f"Glory of {names.gang(command.gang)} {command.by:+d}: {plain(command.why)}"
        case records.SettleRansom():
            paid = "unpaid" if command.ducats is None else names.money(command.ducats)
            return f"ransom for {names.fighter(command.fighter)}: {paid}"
        case records.RollShellShock():
            return f"shell shock of {names.fighter(command.fighter)}"
        case records.GainBlessingMarkers():
            markers = counted(command.count, "Blessing Marker")
            return f"{markers} for {names.fighter(command.fighter)}: {plain(command.why)}"
        case records.SpendBlessingMarkers():
            return f"spend {counted(command.count, 'Blessing Marker')} of {names.fighter(command.fighter)}"
        case records.CheckMorale():
            return f"morale of {names.gang(command.gang)} at the end of turn {command.turn}"
        case _:
            assert_never(command)


def _ransom(event: records.RansomSettled, names: Names) -> str:
    who = names.fighter(event.fighter)
    if event.ducats is None:
        return f"nobody pays for {who}"
    to = f" to {names.gang(event.to)}" if event.to is not None else ""
    return f"{who} comes home for a ransom of {names.money(event.ducats)}{to}"
