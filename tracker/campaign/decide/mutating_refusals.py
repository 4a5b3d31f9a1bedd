"""Refusals about mutations, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class DaemonOfAnotherGang(BadInput):
    fighter: str
    gang: str

    def message(self) -> str:
        return f"{self.fighter} is not of {self.gang}: 'daemons' names fighters of the gang itself."


@dataclass(eq=False)
class NoMutationToChoose(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} has no mutation to choose: that is for one that came a second time."


@dataclass(eq=False)
class UnknownMutation(BadInput):
    mutation: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no mutation {self.mutation!r}.{nearest(self.mutation, self.known)} Known:"
            f" {', '.join(self.known)}."
        )


@dataclass(eq=False)
class MutationHadAlready(RulesRefuse):
    fighter: str
    mutation: str

    def message(self) -> str:
        return f"{self.fighter} has {self.mutation} already, and each comes only once. Choose another."
