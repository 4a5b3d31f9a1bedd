"""Refusals of the ledger: money and things that are not there, and where they cannot go."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class NotEnoughCredits(RulesRefuse):
    gang: str
    credits: int
    needed: int
    why: str
    currency: str

    def message(self) -> str:
        return (
            f"{self.gang} has {self.credits} {self.currency}s and needs {self.needed} for this: {self.why}."
            " Nothing goes below zero; see 'arbitrator gang ledger'."
        )


@dataclass(eq=False)
class UnknownAccount(BadInput):
    account: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no account {self.account!r}.{nearest(self.account, self.known)} It is a gang, or one"
            f" of: {', '.join(one for one in self.known if one.startswith('@'))}."
        )


@dataclass(eq=False)
class NothingMoves(BadInput):
    amount: int
    source: str
    target: str
    currency: str

    def message(self) -> str:
        if self.source == self.target:
            money = f"{self.currency.capitalize()}s"
            return f"{money} cannot go from {self.source} to {self.target}: the two sides are one."
        return f"{self.amount} {self.currency}s are none to move: give a whole number from 1 on."


@dataclass(eq=False)
class ItemNotThere(RulesRefuse):
    item: str
    place: str
    known: tuple[str, ...]

    def message(self) -> str:
        there = ", ".join(self.known) or "nothing"
        return f"There is no {self.item!r} {self.place}.{nearest(self.item, self.known)} There is: {there}."


@dataclass(eq=False)
class CannotCarry(RulesRefuse):
    item: str
    who: str
    why: str

    def message(self) -> str:
        return f"{self.who} cannot take {self.item}: {self.why}."


@dataclass(eq=False)
class WeaponsOverTheLimit(RulesRefuse):
    fighter: str
    weapons: int
    limit: int
    section: str

    def message(self) -> str:
        return (
            f"{self.fighter} would carry weapons that count as {self.weapons}, and may carry {self.limit}"
            f" ({self.section})."
        )


@dataclass(eq=False)
class NotTakenOff(RulesRefuse):
    """Equipment leaves a fighter only for something in its place, unless the table plays otherwise."""

    item: str
    fighter: str
    section: str

    def message(self) -> str:
        return (
            f"{self.item} may not be taken off {self.fighter} unless something takes its place"
            f" ({self.section}). Say what replaces it, or adopt a house rule that lets equipment be swapped;"
            " see 'arbitrator policy list'."
        )


@dataclass(eq=False)
class BelowZero(RulesRefuse):
    """What something is worth would fall below nothing."""

    who: str
    cost: int
    by: int
    currency: str

    def message(self) -> str:
        return (
            f"{self.who} counts for {self.cost} {self.currency}s, and {self.by} cannot be taken from that:"
            " state what the thing was really worth."
        )
