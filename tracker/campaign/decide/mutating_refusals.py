"""Refusals about mutations, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class DaemonOfAnotherGang(BadInput):
    """{fighter} is not of {gang}: 'daemons' names fighters of the gang itself."""

    fighter: str
    gang: str


class NoMutationToChoose(RulesRefuse):
    """{fighter} has no mutation to choose: that is for one that came a second time."""

    fighter: str


class UnknownMutation(BadInput):
    """There is no mutation {mutation!r}.{mutation:nearest} Known: {known}."""

    mutation: str
    known: tuple[str, ...]


class MutationHadAlready(RulesRefuse):
    """{fighter} has {mutation} already, and each comes only once. Choose another."""

    fighter: str
    mutation: str
