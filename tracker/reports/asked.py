"""Asked: a command in the words of the table, as it heads an entry ("hit: Krug's autogun on Mags")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from tracker.campaign import records
from tracker.reports.campaign_words import battle_asked, campaign_asked
from tracker.reports.dispute_words import dispute_asked
from tracker.reports.fighting_words import fighting_asked
from tracker.reports.flight_words import flight_asked
from tracker.reports.harm_words import hit_asked
from tracker.reports.mutation_words import mutation_asked
from tracker.reports.names import Names
from tracker.reports.nerve_words import nerve_asked
from tracker.reports.shooting_words import shooting_asked
from tracker.reports.vehicle_asked import vehicle_asked

CHAPTERS: tuple[tuple[Any, Callable[[Any, Names], str]], ...] = (
    (records.CampaignCommand, campaign_asked),
    (records.BattleCommand, battle_asked),
    (records.HitCommand, hit_asked),
    (records.FightingCommand, fighting_asked),
    (records.ShootingCommand, shooting_asked),
    (records.VehicleCommand, vehicle_asked),
    (records.TakeFlight, flight_asked),
    (records.NerveCommand | records.EndPhaseCommand, nerve_asked),
    (records.MutationCommand, mutation_asked),
    (records.DisputeCommand, dispute_asked),
)
"""The commands of a chapter, and the words for them. Every command stands in one."""

_CHAPTER_OF = {kind: chapter for commands, chapter in CHAPTERS for kind in get_args(commands) or (commands,)}


def command_words(command: records.Command, names: Names) -> str:
    """One line that says what was asked for."""
    chapter = _CHAPTER_OF.get(type(command))
    return command.in_words(names) if chapter is None else chapter(command, names)
