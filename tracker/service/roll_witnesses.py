"""Witnesses of rolls: the typed dice, and the people who confirmed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.log import database
from tracker.projections import entry_queries
from tracker.service.repository import CampaignRepository

Seen: TypeAlias = tuple[int, int, Die]
Confirmed: TypeAlias = tuple[int, int, str, tuple[int, ...], str | None]
"""A roll that somebody confirmed: its slot, its number, and the die by purpose, faces and symbol."""
TypedRoll: TypeAlias = tuple[RecordedEvent, str, Die, tuple[str, ...], int | None]
"""The roll, who typed it, its die, who confirmed it, and which entry superseded it."""


def witnesses_of(repository: CampaignRepository, campaign: str, roll: RecordedEvent) -> tuple[str, ...]:
    """The people who confirmed one roll, in order."""
    if not isinstance(roll.event, records.RollMade):
        return ()
    event = roll.event
    key = (roll.slot, event.number, event.purpose, tuple(event.faces), event.symbol)
    return confirmations(repository, campaign).get(key, ())


def confirmations(repository: CampaignRepository, campaign: str) -> dict[Confirmed, tuple[str, ...]]:
    """The people who confirmed each roll, in order."""
    with database.reading(repository.engine) as connection:
        rows = entry_queries.entries(connection, campaign, command="ConfirmRoll")
    found: dict[Confirmed, tuple[str, ...]] = {}
    for row in rows:
        for recorded in repository.log.entry(campaign, row["entry"]):
            event = recorded.event
            if isinstance(event, records.RollConfirmed):
                die = event.die
                key = (event.target_slot, event.number, die.purpose, tuple(die.faces), die.symbol)
                found[key] = (*found.get(key, ()), event.witness)
    return found


def unwitnessed(repository: CampaignRepository, campaign: str) -> Mapping[str, int]:
    """The number of dice that each person typed in, that count, and that nobody else confirmed, by actor."""

    def work_out() -> Mapping[str, int]:
        rolls = typed_rolls(repository, campaign)
        return Counter(who for _, who, _, witnesses, struck in rolls if not witnesses and struck is None)

    return repository.cached(campaign, ("unwitnessed",), work_out)


def typed_rolls(repository: CampaignRepository, campaign: str) -> Iterator[TypedRoll]:
    """Every roll that was typed in: who typed it, the die, who confirmed it, which entry superseded it.

    A confirmation stays valid if a ruling decides the slot again with the same die.
    """
    witnesses: dict[Seen, list[str]] = {}
    rolls: list[tuple[RecordedEvent, str, Seen]] = []
    typed_by: dict[Seen, str] = {}
    filled: dict[int, int] = {}
    dice: tuple[Die, ...] = ()
    for recorded in repository.log.written(campaign):
        filled[recorded.slot] = recorded.entry
        match recorded.event:
            case records.DecisionTaken():
                dice = recorded.event.dice
            case records.RollConfirmed():
                seen = (recorded.event.target_slot, recorded.event.number, recorded.event.die)
                witnesses.setdefault(seen, []).append(recorded.event.witness)
            case records.RollMade(source="typed" | "reported"):
                seen = (recorded.slot, recorded.event.number, dice[recorded.event.number])
                # A ruling that decides it again keeps the person who typed the die in first.
                rolls.append((recorded, typed_by.setdefault(seen, recorded.actor), seen))
    for roll, who, seen in rolls:
        struck = filled[roll.slot] if filled[roll.slot] != roll.entry else None
        yield roll, who, seen[2], tuple(witnesses.get(seen, ())), struck
