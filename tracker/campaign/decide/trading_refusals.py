"""Refusals of hiring, buying, selling and handing out."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class NotFound(RulesRefuse):
    """A Rare or Illegal item that the search did not turn up."""

    item: str
    market: str
    number: int
    found: int | None
    section: str

    def message(self) -> str:
        up_to = "no search was made" if self.found is None else f"the search allows up to ({self.found})"
        return f"{self.item} is {self.market.capitalize()} ({self.number}), and {up_to} ({self.section})."


@dataclass(eq=False)
class AvailabilityMissing(BadInput):
    item: str
    market: str

    def message(self) -> str:
        return (
            f"{self.item} is bought as {self.market}: say the number, such as {self.market.capitalize()} (9)."
        )


@dataclass(eq=False)
class WhoTakesIt(BadInput):
    item: str

    def message(self) -> str:
        return f"{self.item} from the gang's own list goes straight to a model: say which fighter or vehicle."


@dataclass(eq=False)
class GoesToStash(RulesRefuse):
    item: str
    section: str

    def message(self) -> str:
        return (
            f"{self.item} from the Trading Post goes to the stash first ({self.section}). Buy it without a"
            " fighter, then hand it out."
        )


@dataclass(eq=False)
class TroubledGang(RulesRefuse):
    """A gang would be made up as the rules forbid."""

    gang: str
    who: str
    trouble: str
    section: str

    def message(self) -> str:
        return f"{self.gang} cannot take {self.who}: then {self.trouble} ({self.section})."


@dataclass(eq=False)
class VehicleNotDamaged(RulesRefuse):
    vehicle: str
    section: str

    def message(self) -> str:
        return f"{self.vehicle} is not damaged, and only a damaged vehicle is scrapped ({self.section})."


@dataclass(eq=False)
class OtherGangs(RulesRefuse):
    item: str
    gang: str
    other: str

    def message(self) -> str:
        return (
            f"{self.item} would go from {self.gang} to {self.other}. Between gangs things change hands"
            " only by the Arbitrator's word: give a reason."
        )


@dataclass(eq=False)
class VehicleIsGone(RulesRefuse):
    vehicle: str

    def message(self) -> str:
        return f"{self.vehicle} was scrapped or sold: nothing more can be done with it."


@dataclass(eq=False)
class NotOfThisGang(BadInput):
    who: str
    gang: str

    def message(self) -> str:
        return f"{self.who} is not of {self.gang}."


@dataclass(eq=False)
class NeverDiscarded(RulesRefuse):
    item: str
    section: str

    def message(self) -> str:
        return f"{self.item} is a weapon, and weapons are never discarded ({self.section}): sell or stash it."
