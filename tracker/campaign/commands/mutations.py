"""Commands about mutations: which gang is corrupted and who of it is a daemon; which mutation is chosen."""

from __future__ import annotations

from typing import TypeAlias

from tracker.records import Record


class StateCorruption(Record):
    """A gang's fighters may mutate from now on, or no more. `daemons` are those who are daemons or possessed.

    Archived rules · Lasting Injuries and Damage · Mutations.
    """

    gang: str
    corrupted: bool = True
    daemons: tuple[str, ...] = ()


class ChooseMutation(Record):
    """Another mutation for one that came a second time."""

    fighter: str
    mutation: str


MutationCommand: TypeAlias = StateCorruption | ChooseMutation
