"""Words about disputes, confirmations and rulings: as asked, and as told."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.disputes import DisputeEvent
from tracker.reports.cards import plain
from tracker.reports.dice_words import by_tool, die_words
from tracker.reports.names import Names, address_words
from tracker.reports.paper import safe

VERDICTS: dict[records.Verdict, str] = {
    "confirmed": "confirmed",
    "corrected": "corrected",
    "voided": "voided",
    "rerolled": "rolled again",
    "set": "set by ruling",
    "reversed": "taken back",
    "rolled_back": "rolled back",
    "house_rules": "house rules",
}


def ruling_words(
    dispute: int, verdict: records.Verdict, between: str = ": ", *, reverses: int | None = None
) -> str:
    """'ruling on dispute 61: corrected'; one that nobody asked for is known by what it does."""
    said = VERDICTS[verdict] if reverses is None else f"ruling {reverses} {VERDICTS[verdict]}"
    return f"ruling on dispute {dispute}{between}{said}" if dispute else f"ruling{between}{said}"


def dispute_asked(command: records.DisputeCommand, _names: Names) -> str:
    """What was asked about a dispute."""
    match command:
        case records.DisputeRoll():
            about = address_words(command.target_entry, command.target_position)
            return f"dispute {about}: {safe(command.reason)}"
        case records.WithdrawDispute():
            return f"withdraw dispute {command.dispute}: {safe(command.reason)}"
        case records.ConfirmRoll():
            return (
                f"confirm {command.target_entry}.{command.target_position}, by {safe(command.confirmed_by)}"
            )
        case records.RuleOnDispute():
            said = ruling_words(command.dispute, command.verdict, ", ", reverses=command.reverses)
            return f"{said}: {safe(command.reason)}"


def dispute_sentence(event: DisputeEvent, _names: Names) -> str:
    """What was said about a dispute or a slot."""
    match event:
        case records.RollDisputed():
            cited = f", citing {safe(event.rule)}" if event.rule else ""
            target = address_words(event.target_entry, event.target_position)
            return f"{safe(event.raised_by)} disputes {target}: {safe(event.reason)}{cited}"
        case records.DisputeWithdrawn():
            return f"dispute {event.dispute} is withdrawn by {safe(event.withdrawn_by)}: {safe(event.reason)}"
        case records.DisputeReopened():
            target = address_words(event.target_entry, event.target_position)
            return f"dispute {event.dispute} about {target} is open again"
        case records.DisputeSettledAgain():
            return f"dispute {event.dispute} is settled again by ruling {event.ruling}"
        case records.SlotVoided():
            return f"entry {event.voided_slot} counts no more: {safe(event.reason)}"
        case records.SlotKept():
            return f"entry {event.kept_slot} is kept as played: {safe(event.reason)}"
        case records.SlotReleased():
            return f"entry {event.released_slot} is no longer kept by ruling: {safe(event.reason)}"
        case records.RulingMade():
            return _ruling(event)
        case records.RollConfirmed():
            return f"{safe(event.witness)} confirms {die_words(event.die)} of entry {event.target_entry}"
        case _:
            assert_never(event)


def _ruling(event: records.RulingMade) -> str:
    verdict = ruling_words(event.dispute, event.verdict, reverses=event.reverses)
    if event.verdict == "house_rules":
        verdict += f" {safe(event.outcome)}"
    elif event.outcome is not None:
        verdict += f" as {plain(event.outcome)}"
    if event.before is not None and event.after is not None:
        verdict += f", {die_words(event.before)} -> {plain(event.after.shown())}{by_tool(event.after.source)}"
    elif (die := event.before or event.after) is not None:
        verdict += f", {die_words(die)}"
    return f"{verdict}: {safe(event.reason)}"
