"""Refusals about territories and the campaign's cycles."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


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
