"""Refusals of house rules: adopted twice, for another book, or for battles that are over."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class PolicyForAnotherBook(BadInput):
    policy: str
    version: int
    book: str
    knob: str

    def message(self) -> str:
        return (
            f"{self.policy}@{self.version} is no house rule for {self.book}, which has no {self.knob}."
            f" 'arbitrator rules list --book {self.book}' shows those that fit."
        )


@dataclass(eq=False)
class PolicyInForceAlready(RulesRefuse):
    policy: str
    version: int

    def message(self) -> str:
        return f"{self.policy}@{self.version} is in force already. See 'arbitrator policy history'."


@dataclass(eq=False)
class PolicyNotInForce(RulesRefuse):
    policy: str
    in_force: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.policy} is not in force, so it cannot be repealed.{nearest(self.policy, self.in_force)}"
        )


@dataclass(eq=False)
class KnobMovedAlready(RulesRefuse):
    knob: str
    policy: str
    other: str

    def message(self) -> str:
        return (
            f"{self.policy} moves the knob {self.knob}, which {self.other} moves already. Repeal one"
            " of them first, or say that it is meant so:"
            f" --after {self.other} applies {self.policy} after it."
        )


@dataclass(eq=False)
class BattleInThePast(RulesRefuse):
    from_battle: int
    next_battle: int

    def message(self) -> str:
        return (
            f"Battle {self.from_battle} is recorded already: what was decided stays decided under the"
            " rules of its day."
            f" The next battle is {self.next_battle}."
        )
