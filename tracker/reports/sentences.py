"""Sentences: every event as one plain line, from the event alone.

Knows the words of the game. Knows no log and no book, so the line cannot differ from the record.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.reports.cards import lowercase_id
from tracker.reports.dice_words import by_tool, roll_words
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names

_UNDER_A_STEP = (
    records.StepReached, records.PostBattleActionTaken, records.CycleBegan, records.ReputationChanged,
    records.TerritoryGained, records.TerritoryLost, records.BoonTaken, records.RareItemsSought,
    records.CriticalTreated, records.VehicleRepaired, records.FighterCaptured, records.CaptiveSold,
    records.MutationGained, records.MutationCameAgain,
)  # fmt: skip
"""Events whose section is shown by the step or roll before them."""


def sentence(event: records.Event, names: Names, *, whose: bool = False) -> str:
    """One line for one event. `whose` names the fighter before a roll, if no heading does."""
    if isinstance(event, records.RollMade):
        return _roll(event, names, whose=whose)
    return event.in_words(names)


def section_of(event: records.Event) -> str | None:
    """The heading of the rule behind the event; None if it is not shown beside it."""
    section = None if isinstance(event, _UNDER_A_STEP) else getattr(event, "section", None)
    return sanitize(section) if section else None


def _roll(event: records.RollMade, names: Names, *, whose: bool) -> str:
    """One line for a roll; `whose` names the fighter before it."""
    # Outcomes may say first what was compared: "Strength 3 against Toughness 3: wounds".
    compared, _, outcome = lowercase_id(event.outcome).rpartition(": ")
    shown = "-".join(str(face) for face in event.faces) or lowercase_id(event.symbol or "")
    words = roll_words(event.purpose)
    if shown and shown.casefold() != outcome.casefold():
        words += f" {shown}"
    words += f", {compared}" if compared else ""
    words += "".join(f", {lowercase_id(modifier.why)} {modifier.by:+d}" for modifier in event.modifiers)
    needs = f" (needs {event.target}+)" if event.target is not None else ""
    before = f"{names.fighter(event.fighter)}: " if whose and event.fighter is not None else ""
    return f"{before}{words}{needs}{by_tool(event.source)}: {outcome}"


def citation(event: records.Event, cited: set[str] | None = None) -> str:
    """' [Lasting Injury Table]', unless it is in `cited`; it is then added there."""
    section = section_of(event)
    if not section or (cited is not None and section in cited):
        return ""
    if cited is not None:
        cited.add(section)
    return f" [{section}]"
