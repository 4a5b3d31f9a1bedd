"""Refusals about boons of territories and patronage."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class NoSuchBoon(RulesRefuse):
    territory: str
    gang: str
    boon: str
    section: str

    def message(self) -> str:
        return f"{self.territory} brings {self.gang} no {self.boon} ({self.section}): leave the entry out."


@dataclass(eq=False)
class BoonTakenBefore(RulesRefuse):
    territory: str
    gang: str
    what: str

    def message(self) -> str:
        return f"{self.gang} has had what {self.territory} brings already: {self.what}."


@dataclass(eq=False)
class RecruitOfAnotherKind(BadInput):
    territory: str
    who: str
    given: str
    brings: str

    def message(self) -> str:
        return f"{self.territory} brings {self.brings}, and {self.who} is {self.given}: name another."


@dataclass(eq=False)
class BoonNotSold(RulesRefuse):
    item: str
    territory: str

    def message(self) -> str:
        return (
            f"{self.item} comes from {self.territory} and can neither be sold nor given to another gang:"
            " it goes when the territory does."
        )


@dataclass(eq=False)
class NoPatronage(RulesRefuse):
    gang: str
    why: str

    def message(self) -> str:
        return f"{self.gang} has no patronage: {self.why}."
