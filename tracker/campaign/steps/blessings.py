"""Blessing Markers: gained for a reason, spent by the owner, never more than six.

Source: Trench Crusade (1.6) · BLESSING MARKERS.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.handlers import handles
from tracker.errors import BadInput, RulesRefuse
from tracker.rules.trench_crusade import injuries as rules


class TooFewBlessingMarkers(RulesRefuse):
    fighter: str
    held: int
    wanted: int

    def message(self) -> str:
        markers = f"{self.held} Blessing Marker{'' if self.held == 1 else 's'}"
        return f"{self.fighter} has {markers}, and {self.wanted} would be spent."


class NoMarkers(BadInput):
    count: int

    def message(self) -> str:
        return f"Between 1 and {rules.BLOOD_MARKERS_MAX} markers are put on or taken off, not {self.count}."


@handles(records.GainBlessingMarkers)
def gain_blessing_markers(decision: Decision, command: records.GainBlessingMarkers) -> None:
    """Put Blessing Markers on a model, six at most."""
    assert decision.rulebook.section("blessing_markers"), "a book with the chart has them"
    if not 1 <= command.count <= rules.BLOOD_MARKERS_MAX:
        raise NoMarkers(count=command.count)
    held = decision.combatant(command.fighter, what="Blessing Markers").blessing_markers
    markers = rules.markers_after(held=held, gained=command.count)
    decision.emit(
        records.BlessingMarkersGained(
            fighter=command.fighter,
            gained=command.count,
            lost=held + command.count - markers,
            markers=markers,
            why=command.why,
        )
    )


@handles(records.SpendBlessingMarkers)
def spend_blessing_markers(decision: Decision, command: records.SpendBlessingMarkers) -> None:
    """The owner spends a model's markers on its ACTION."""
    if not 1 <= command.count <= rules.BLOOD_MARKERS_MAX:
        raise NoMarkers(count=command.count)
    refuse_overspending(decision, command.fighter, command.count)
    spend_blessings(decision, command.fighter, command.count, use="action", cause=0)


def refuse_overspending(decision: Decision, fighter: str, wanted: int) -> None:
    """Raises TooFewBlessingMarkers."""
    held = decision.combatant(fighter, what="Blessing Markers").blessing_markers
    if wanted > held:
        raise TooFewBlessingMarkers(fighter=decision.fighter(fighter).name, held=held, wanted=wanted)


def spend_blessings(decision: Decision, fighter: str, count: int, *, use: str, cause: int) -> int:
    """Take markers off a model, if any; gives the place of that in the entry."""
    if not count:
        return cause
    left = decision.combatant(fighter, what="Blessing Markers").blessing_markers - count
    spent = records.BlessingMarkersSpent(fighter=fighter, spent=count, use=use, markers=left)
    return decision.emit(spent, cause=cause)
