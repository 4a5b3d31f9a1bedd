"""Refusals about territories and the campaign's cycles."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class UnknownTerritory(BadInput):
    territory: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no territory {self.territory!r} in this campaign.{nearest(self.territory, self.known)}"
            " The first time, say what `kind` it is."
        )


@dataclass(eq=False)
class UnknownTerritoryKind(BadInput):
    kind: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"The book knows no territory {self.kind!r}.{nearest(self.kind, self.known)} Leave `kind` out and"
            f" give a `name` for one of the table's own. Known: {', '.join(self.known) or 'none'}."
        )


@dataclass(eq=False)
class TerritoryOfAnotherKind(BadInput):
    territory: str
    kind: str
    asked: str

    def message(self) -> str:
        return f"The territory {self.territory} is a {self.kind}, not a {self.asked}. Leave `kind` out."


@dataclass(eq=False)
class TerritoryHeldAlready(RulesRefuse):
    territory: str
    gang: str

    def message(self) -> str:
        return f"{self.gang} holds {self.territory} already."


@dataclass(eq=False)
class TerritoryHeldByAnother(RulesRefuse):
    territory: str
    gang: str

    def message(self) -> str:
        return (
            f"{self.gang} does not hold the territory {self.territory!r}. See 'arbitrator gang territories'."
        )


@dataclass(eq=False)
class TerritoryFixed(RulesRefuse):
    territory: str
    gang: str
    section: str

    def message(self) -> str:
        return (
            f"{self.territory} belongs to {self.gang} for good and changes hands to nobody ({self.section})."
        )


@dataclass(eq=False)
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


@dataclass(eq=False)
class HeldByNobody(RulesRefuse):
    territory: str

    def message(self) -> str:
        return f"Nobody holds {self.territory}."


@dataclass(eq=False)
class NoIncome(RulesRefuse):
    territory: str
    gang: str
    section: str

    def message(self) -> str:
        return f"{self.territory} brings {self.gang} no credits ({self.section})."


@dataclass(eq=False)
class IncomeWrong(BadInput):
    territory: str
    why: str

    def message(self) -> str:
        return f"Income of {self.territory}: {self.why}."


@dataclass(eq=False)
class CannotWork(RulesRefuse):
    fighter: str
    why: str
    section: str

    def message(self) -> str:
        return f"{self.fighter} cannot work a territory: {self.why} ({self.section})."


@dataclass(eq=False)
class NoCaptivesWorkHere(RulesRefuse):
    territory: str

    def message(self) -> str:
        return f"No captives work at {self.territory}."


@dataclass(eq=False)
class UnknownPhase(BadInput):
    phase: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"The book knows no phase {self.phase!r}.{nearest(self.phase, self.known)} Known:"
            f" {', '.join(self.known)}."
        )


@dataclass(eq=False)
class CampaignIsOver(RulesRefuse):
    cycles: int

    def message(self) -> str:
        return (
            f"All {self.cycles} cycles are over. Name a phase to play on (--phase), or see the triumphs with"
            " 'arbitrator standings show'."
        )


@dataclass(eq=False)
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
