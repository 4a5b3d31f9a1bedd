"""Commands about territories and the campaign's cycles."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.records.advancement import PromoteFighter
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.errors import BadInput, RulesRefuse


@command("GainTerritory", whose="gang")
class GainTerritory(Command):
    """A gang takes a territory. `kind` is the book's; None where the territory is known already.

    `staked`: it was the stake of the battle, which only its winner takes.
    """

    gang: str
    territory: str
    why: str
    kind: str | None = None
    name: str | None = None
    staked: bool = False


@command("LoseTerritory")
class LoseTerritory(Command):
    """A territory is nobody's from now on."""

    territory: str
    why: str


@command("TakeIncome", whose="territory")
class TakeIncome(Command):
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


@command("BeginCycle")
class BeginCycle(Command):
    """The campaign's next cycle. `phase` None: the one that the book puts there.

    `promotions` are those that are made as it begins, in a phase whose rules have them.
    """

    reason: str
    phase: str | None = None
    promotions: tuple[PromoteFighter, ...] = ()


TerritoryCommand: TypeAlias = BeginCycle | GainTerritory | LoseTerritory | TakeIncome


@event("TerritoryGained")
class TerritoryGained(Event):
    """A gang holds a territory. `before` is the gang that held it until now, if any."""

    gang: str
    territory: str
    kind: str
    name: str
    before: str | None
    why: str
    section: str


@event("TerritoryLost")
class TerritoryLost(Event):
    """A gang no longer holds a territory; `to` is who holds it now, if anybody."""

    gang: str
    territory: str
    name: str
    to: str | None
    why: str
    section: str


@event("CycleBegan")
class CycleBegan(Event):
    """The campaign's so-manieth cycle began, in this phase."""

    number: int
    phase: str
    name: str
    reason: str
    section: str


@event("SpendingGranted")
class SpendingGranted(Event):
    """Of a gang's credits so many are there to be spent in this phase, and what is left of them lapses."""

    gang: str
    amount: int


class UnknownTerritory(BadInput):
    """There is no territory {territory!r} in this campaign.{territory:nearest} The first time, say what
    `kind` it is.
    """

    territory: str
    known: tuple[str, ...]


class UnknownTerritoryKind(BadInput):
    """The book knows no territory {kind!r}.{kind:nearest} Leave `kind` out and give a `name` for one of the
    table's own. Known: {known:or none}.
    """

    kind: str
    known: tuple[str, ...]


class TerritoryOfAnotherKind(BadInput):
    """The territory {territory} is a {kind}, not a {asked}. Leave `kind` out."""

    territory: str
    kind: str
    asked: str


class TerritoryHeldAlready(RulesRefuse):
    """{gang} holds {territory} already."""

    territory: str
    gang: str


class TerritoryHeldByAnother(RulesRefuse):
    """{gang} does not hold the territory {territory!r}. See 'arbitrator gang territories'."""

    territory: str
    gang: str


class TerritoryFixed(RulesRefuse):
    """{territory} belongs to {gang} for good and changes hands to nobody ({section})."""

    territory: str
    gang: str
    section: str


class StakeNotWon(RulesRefuse):
    gang: str
    territory: str
    result: str
    section: str

    def message(self) -> str:
        why = (
            "in a draw nobody gains an unclaimed territory and a held one stays"
            if self.result == "drawn"
            else "the winner takes it"
        )
        return (
            f"{self.gang} cannot take the stake {self.territory}: the battle was {self.result}; {why}"
            f" ({self.section})."
        )


class HeldByNobody(RulesRefuse):
    """Nobody holds {territory}."""

    territory: str


class NoIncome(RulesRefuse):
    """{territory} brings {gang} no credits ({section})."""

    territory: str
    gang: str
    section: str


class IncomeWrong(BadInput):
    """Income of {territory}: {why}."""

    territory: str
    why: str


class CannotWork(RulesRefuse):
    """{fighter} cannot work a territory: {why} ({section})."""

    fighter: str
    why: str
    section: str


class NoCaptivesWorkHere(RulesRefuse):
    """No captives work at {territory}."""

    territory: str


class UnknownPhase(BadInput):
    """The book knows no phase {phase!r}.{phase:nearest} Known: {known}."""

    phase: str
    known: tuple[str, ...]


class CampaignIsOver(RulesRefuse):
    """All {cycles} cycles are over. Name a phase to play on (--phase), or see the triumphs with 'arbitrator
    standings show'.
    """

    cycles: int


class NoPromotionsNow(RulesRefuse):
    phase: str
    phases: tuple[str, ...]
    section: str

    def message(self) -> str:
        when = " or ".join(self.phases) or "no phase of this book"
        return (
            f"Nobody is promoted in {self.phase}: {when} is when ({self.section}). Wait for it, or promote by"
            " the Arbitrator's word: 'arbitrator fighter promote' with --beyond-rules, or in a file"
            " `beyond_rules: true`."
        )
