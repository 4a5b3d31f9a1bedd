"""Refusals of how the Broken flee, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class NothingToFleeFrom(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} is not Broken and acts as ever. Record the Nerve test first that broke them, or"
            " take this entry out."
        )


@dataclass(eq=False)
class RetreatUnclear(BadInput):
    fighter: str
    why: str

    def message(self) -> str:
        return f"The flight of {self.fighter} does not add up: {self.why}."
