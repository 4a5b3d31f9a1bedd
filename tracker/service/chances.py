"""Chances: what dice that were never rolled may bring to entries that a ruling, or a what-if, leaves open.

A help and never a wait: only the first entries are followed, and only so many ways of each.
"""

from __future__ import annotations

from itertools import islice

from tracker.campaign.rulings.open_dice import OutcomeDistribution, outcome_distribution
from tracker.campaign.rulings.redecision import Redecision
from tracker.rules import loader

ENTRIES_FOLLOWED = 3


def chances_of(rejudged: Redecision) -> dict[int, OutcomeDistribution | None]:
    """By slot, for the first that need dice: every end with its chance; None: too many ways."""
    lacking = (
        (one, one.command, one.state)
        for one in rejudged.slots
        if one.result == "needs_dice" and one.command is not None and one.state is not None
    )
    return {
        one.slot.slot: outcome_distribution(
            state, command, one.dice, loader.rulebook, entry=one.slot.slot, thrown=one.thrown
        )
        for one, command, state in islice(lacking, ENTRIES_FOLLOWED)
    }
