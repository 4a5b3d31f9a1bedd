"""Commands about territories and the campaign's cycles."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.advancement import PromoteFighter
from tracker.records import Record


class GainTerritory(Record):
    """A gang takes a territory. `kind` is the book's; None where the territory is known already.

    `staked`: it was the stake of the battle, which only its winner takes.
    """

    gang: str
    territory: str
    why: str
    kind: str | None = None
    name: str | None = None
    staked: bool = False


class LoseTerritory(Record):
    """A territory is nobody's from now on."""

    territory: str
    why: str


class TakeIncome(Record):
    """The income of one territory. What only the table knows is said here.

    `dice` is how many dice were chosen, where the player chooses; `counted` how many times, or by how much,
    where the book counts something (fighters deleted, friends of a kind); `amount` what the table's own cards
    gave; `struck` is who was drawn where a double strikes a random fighter (None: drawn by dice);
    `worked_by` who works it. `reading` 1 is how entries were decided before the book's words on equal dice
    were looked at again: they brought no credits anywhere.
    """

    territory: str
    dice: int | None = None
    counted: int = 0
    amount: int | None = None
    struck: str | None = None
    worked_by: str | None = None
    grudge_against: str | None = None
    reading: int = 1


class BeginCycle(Record):
    """The campaign's next cycle. `phase` None: the one that the book puts there.

    `promotions` are those that are made as it begins, in a phase whose rules have them.
    """

    reason: str
    phase: str | None = None
    promotions: tuple[PromoteFighter, ...] = ()


TerritoryCommand: TypeAlias = BeginCycle | GainTerritory | LoseTerritory | TakeIncome
