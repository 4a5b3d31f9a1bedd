"""Refusals about boons of territories and patronage."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class NoSuchBoon(RulesRefuse):
    """{territory} brings {gang} no {boon} ({section}): leave the entry out."""

    territory: str
    gang: str
    boon: str
    section: str


class BoonTakenBefore(RulesRefuse):
    """{gang} has had what {territory} brings already: {what}."""

    territory: str
    gang: str
    what: str


class RecruitOfAnotherKind(BadInput):
    """{territory} brings {brings}, and {who} is {given}: name another."""

    territory: str
    who: str
    given: str
    brings: str


class BoonNotSold(RulesRefuse):
    """{item} comes from {territory} and can neither be sold nor given to another gang: it goes when the
    territory does.
    """

    item: str
    territory: str


class NoPatronage(RulesRefuse):
    """{gang} has no patronage: {why}."""

    gang: str
    why: str
