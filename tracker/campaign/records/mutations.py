"""Commands about mutations: which gang is corrupted and who of it is a daemon; which mutation is chosen."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.errors import BadInput, RulesRefuse


@command("StateCorruption")
class StateCorruption(Command):
    """A gang's fighters may mutate from now on, or no more. `daemons` are those who are daemons or possessed.

    Archived rules · Lasting Injuries and Damage · Mutations.
    """

    gang: str
    corrupted: bool = True
    daemons: tuple[str, ...] = ()


@command("ChooseMutation")
class ChooseMutation(Command):
    """Another mutation for one that came a second time."""

    fighter: str
    mutation: str


MutationCommand: TypeAlias = StateCorruption | ChooseMutation


@event("GangCorruptionStated")
class GangCorruptionStated(Event):
    """Whether a gang's fighters may mutate from now on; `daemons` are its daemons and possessed."""

    gang: str
    corrupted: bool
    daemons: tuple[str, ...]


@event("MutationGained")
class MutationGained(Event):
    """A mutation came in the place of a lasting injury, or was `chosen` where one came a second time."""

    fighter: str
    mutation: str
    name: str
    instead_of: str
    chosen: bool
    section: str


@event("MutationCameAgain")
class MutationCameAgain(Event):
    """A mutation that the fighter has already: another one is to be chosen."""

    fighter: str
    mutation: str
    name: str
    instead_of: str
    section: str


@event("BecameChaosSpawn")
class BecameChaosSpawn(Event):
    """As many mutations as Toughness: a Chaos Spawn, and of the gang no more."""

    fighter: str
    mutations: int
    toughness: int


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
