"""Mutations: who may have them, who gained which, and whom they made a Chaos Spawn."""

from __future__ import annotations

from tracker.records import Record


class GangCorruptionStated(Record):
    """Whether a gang's fighters may mutate from now on; `daemons` are its daemons and possessed."""

    gang: str
    corrupted: bool
    daemons: tuple[str, ...]


class MutationGained(Record):
    """A mutation came in the place of a lasting injury, or was `chosen` where one came a second time."""

    fighter: str
    mutation: str
    name: str
    instead_of: str
    chosen: bool
    section: str


class MutationCameAgain(Record):
    """A mutation that the fighter has already: another one is to be chosen."""

    fighter: str
    mutation: str
    name: str
    instead_of: str
    section: str


class BecameChaosSpawn(Record):
    """As many mutations as Toughness: a Chaos Spawn, and of the gang no more."""

    fighter: str
    mutations: int
    toughness: int
