"""Refusals of the ledger: money and things that are not there, and where they cannot go."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest


class NotEnoughCredits(RulesRefuse):
    """{gang} has {credits} {currency}s and needs {needed} for this: {why}. Nothing goes below zero; see
    'arbitrator gang ledger'.
    """

    gang: str
    credits: int
    needed: int
    why: str
    currency: str


class UnknownAccount(BadInput):
    account: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no account {self.account!r}.{nearest(self.account, self.known)} It is a gang, or one"
            f" of: {', '.join(one for one in self.known if one.startswith('@'))}."
        )


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


class ItemNotThere(RulesRefuse):
    item: str
    place: str
    known: tuple[str, ...]

    def message(self) -> str:
        there = ", ".join(self.known) or "nothing"
        return f"There is no {self.item!r} {self.place}.{nearest(self.item, self.known)} There is: {there}."


class CannotCarry(RulesRefuse):
    """{who} cannot take {item}: {why}."""

    item: str
    who: str
    why: str


class WeaponsOverTheLimit(RulesRefuse):
    """{fighter} would carry weapons that count as {weapons}, and may carry {limit} ({section})."""

    fighter: str
    weapons: int
    limit: int
    section: str


class NotTakenOff(RulesRefuse):
    """{item} may not be taken off {fighter} unless something takes its place ({section}). Say what replaces
    it, or adopt a house rule that lets equipment be swapped; see 'arbitrator policy list'.
    """

    item: str
    fighter: str
    section: str


class BelowZero(RulesRefuse):
    """{who} counts for {cost} {currency}s, and {by} cannot be taken from that: state what the thing was
    really worth.
    """

    who: str
    cost: int
    by: int
    currency: str
