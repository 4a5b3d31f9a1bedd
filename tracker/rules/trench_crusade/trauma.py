"""Trauma: which table decides the fate of a model that went Out of Action. The rows are data.

Source: Trench Crusade (1.6) · Campaign · Trauma.
"""

from __future__ import annotations

from tracker.rules.effects import InjuryDiceAgainst, NoExperience
from tracker.rules.rulebook import Rulebook
from tracker.rules.tables import Chart, Table

ELITE = "elite"
_FATE = "troop_fate"


def fates_are_rolled(rulebook: Rulebook) -> bool:
    """Whether this book decides the fate of the fallen after the battle."""
    return _FATE in rulebook.book.charts


def troop_fate(rulebook: Rulebook) -> Chart:
    """The D6 chart for troops. Raises BookHasNo."""
    return rulebook.book.chart(_FATE)


def trauma_table(rulebook: Rulebook) -> Table:
    """The D66 table for ELITE models, in the version that the knob trauma.version chooses."""
    return rulebook.book.table(f"trauma_{rulebook.knob('trauma.version').replace('.', '_')}")


def earns_no_experience(injuries: tuple[str, ...], rulebook: Rulebook) -> bool:
    """Whether an old injury keeps its bearer from earning XP, until a promotion die gives it back."""
    table = trauma_table(rulebook)
    rows = (table.row(injury) for injury in injuries if table.has_row(injury))
    return any(isinstance(effect, NoExperience) for row in rows for effect in row.effects)


def injury_dice_against(injuries: tuple[str, ...], rulebook: Rulebook) -> int:
    """The +DICE of old scars to every injury roll against their bearer."""
    table = trauma_table(rulebook)
    return sum(
        effect.dice
        for injury in injuries
        if table.has_row(injury)
        for effect in table.row(injury).effects
        if isinstance(effect, InjuryDiceAgainst)
    )
