"""Refusals of hiring, buying, selling and handing out."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


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


class AvailabilityMissing(BadInput):
    item: str
    market: str

    def message(self) -> str:
        return (
            f"{self.item} is bought as {self.market}: say the number, such as {self.market.capitalize()} (9)."
        )


class WhoTakesIt(BadInput):
    """{item} from the gang's own list goes straight to a model: say which fighter or vehicle."""

    item: str


class GoesToStash(RulesRefuse):
    """{item} from the Trading Post goes to the stash first ({section}). Buy it without a fighter, then hand
    it out.
    """

    item: str
    section: str


class TroubledGang(RulesRefuse):
    """{gang} cannot take {who}: then {trouble} ({section})."""

    gang: str
    who: str
    trouble: str
    section: str


class VehicleNotDamaged(RulesRefuse):
    """{vehicle} is not damaged, and only a damaged vehicle is scrapped ({section})."""

    vehicle: str
    section: str


class OtherGangs(RulesRefuse):
    """{item} would go from {gang} to {other}. Between gangs things change hands only by the Arbitrator's
    word: give a reason.
    """

    item: str
    gang: str
    other: str


class VehicleIsGone(RulesRefuse):
    """{vehicle} was scrapped or sold: nothing more can be done with it."""

    vehicle: str


class NotOfThisGang(BadInput):
    """{who} is not of {gang}."""

    who: str
    gang: str


class NeverDiscarded(RulesRefuse):
    """{item} is a weapon, and weapons are never discarded ({section}): sell or stash it."""

    item: str
    section: str
