"""Refusals of disputes and confirmations."""

from __future__ import annotations

from tracker.errors import RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class DisputedAlready(RulesRefuse):
    address: str
    dispute: int

    def message(self) -> str:
        return f"{self.address} is disputed already: see 'arbitrator dispute show {self.dispute}'."


@dataclass(eq=False)
class NoOpenDispute(RulesRefuse):
    dispute: str

    def message(self) -> str:
        return f"There is no open dispute {self.dispute}. See 'arbitrator dispute list'."


@dataclass(eq=False)
class OwnWordOnly(RulesRefuse):
    who: str

    def message(self) -> str:
        return (
            f"{self.who} typed this roll in, and nobody confirms their own entry. Let somebody else who saw"
            " the die say so: --by NAME."
        )
