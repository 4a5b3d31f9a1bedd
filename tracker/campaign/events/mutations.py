"""Mutations: who may have them, who gained which, and whom they made a Chaos Spawn."""

from __future__ import annotations

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GangCorruptionStated:
    """Whether a gang's fighters may mutate from now on; `daemons` are its daemons and possessed."""

    gang: str
    corrupted: bool
    daemons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationGained:
    """A mutation came in the place of a lasting injury, or was `chosen` where one came a second time."""

    fighter: str
    mutation: str
    name: str
    instead_of: str
    chosen: bool
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationCameAgain:
    """A mutation that the fighter has already: another one is to be chosen."""

    fighter: str
    mutation: str
    name: str
    instead_of: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BecameChaosSpawn:
    """As many mutations as Toughness: a Chaos Spawn, and of the gang no more."""

    fighter: str
    mutations: int
    toughness: int
