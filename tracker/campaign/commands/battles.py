"""Commands that open and close a battle, and awards."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.campaigns import AdoptPolicy, RepealPolicy
from tracker.records import Record


class OpenBattle(Record):
    """`crews` gives the fighters of each gang; an empty crew means everybody who is available.

    `number` is filled in when the battle is first recorded, so that a battle keeps it when an earlier one
    is voided; None takes the next. `vehicles` None brings every vehicle whose crew fights and that runs;
    of those `unreliable` had to be started by dice, and may not have come after all.
    `adopting` and `repealing` are house rules that a ruling made hold, or hold no more, from here on.
    """

    battle: str
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]
    number: int | None = None
    vehicles: tuple[str, ...] | None = None
    unreliable: tuple[str, ...] | None = None
    adopting: tuple[AdoptPolicy, ...] | None = None
    repealing: tuple[RepealPolicy, ...] | None = None


class AwardExperience(Record):
    """XP that the scenario or the arbitrator gives."""

    fighter: str
    amount: int
    reason: str


class CloseBattle(Record):
    """The end of a battle and its Wrap-up."""

    winner: str | None = None
    drawn: bool = False


BattleCommand: TypeAlias = OpenBattle | AwardExperience | CloseBattle
