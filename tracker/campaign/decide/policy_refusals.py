"""Refusals of house rules: adopted twice, for another book, or for battles that are over."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest


class PolicyForAnotherBook(BadInput):
    """{policy}@{version} is no house rule for {book}, which has no {knob}. 'arbitrator rules list --book
    {book}' shows those that fit.
    """

    policy: str
    version: int
    book: str
    knob: str


class PolicyInForceAlready(RulesRefuse):
    """{policy}@{version} is in force already. See 'arbitrator policy history'."""

    policy: str
    version: int


class PolicyNotInForce(RulesRefuse):
    policy: str
    in_force: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.policy} is not in force, so it cannot be repealed.{nearest(self.policy, self.in_force)}"
        )


class KnobMovedAlready(RulesRefuse):
    """{policy} moves the knob {knob}, which {other} moves already. Repeal one of them first, or say that it
    is meant so: --after {other} applies {policy} after it.
    """

    knob: str
    policy: str
    other: str


class BattleInThePast(RulesRefuse):
    """Battle {from_battle} is recorded already: what was decided stays decided under the rules of its day.
    The next battle is {next_battle}.
    """

    from_battle: int
    next_battle: int
