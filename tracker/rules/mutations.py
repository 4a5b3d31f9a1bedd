"""Mutations: what a fighter of a corrupted gang may gain in place of a lasting injury.

Knows rows and numbers. Knows no fighter: applying is `campaign/steps/mutating.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tracker.records import Record


class Mutation(Record):
    """One mutation, and the row of the Lasting Injury table whose place it takes."""

    id: str
    name: str
    instead_of: str


class MutationRules(Record):
    """The mutations of a book, the total of the D6 that brings one, and what is added to it."""

    needs: int
    by_corrupted_gang: int
    daemon: int
    mutated_already: int
    mutations: tuple[Mutation, ...]

    def instead_of(self, row: str) -> Mutation | None:
        """The mutation that may take the place of a row, or None."""
        return next((one for one in self.mutations if one.instead_of == row), None)

    def named(self, mutation: str) -> Mutation | None:
        """The mutation of that id, or None."""
        return next((one for one in self.mutations if one.id == mutation), None)

    def modifiers(
        self, *, by_corrupted_gang: bool, daemon: bool, mutated_already: bool
    ) -> tuple[tuple[str, int], ...]:
        """What is added to the D6, and why.

        Source: Archived rules · Lasting Injuries and Damage · Mutations.
        """
        said = (
            ("by a corrupted gang", by_corrupted_gang, self.by_corrupted_gang),
            ("daemon or possessed", daemon, self.daemon),
            ("mutated already", mutated_already, self.mutated_already),
        )
        return tuple((why, by) for why, so, by in said if so)

    def mutates(self, total: int) -> bool:
        """Whether D6 and modifiers bring the mutation in place of the injury.

        Source: Archived rules · Lasting Injuries and Damage · Mutations.
        """
        return total >= self.needs


def becomes_spawn(*, mutations: int, toughness: int) -> bool:
    """Whether so many mutations are as many as the Toughness on the card, or more, and at least one.

    Source: Archived rules · Lasting Injuries and Damage · Mutations.
    """
    return 0 < mutations >= toughness


def mutation_rules(content: Mapping[str, Any], rows: Collection[str]) -> MutationRules:
    """The mutations of a book from its file. Raises KeyError or ValueError for what does not fit."""
    mutations = tuple(
        Mutation(id=entry["id"], name=entry["name"], instead_of=entry["instead_of"])
        for entry in content["mutation"]
    )
    for told in ([one.id for one in mutations], [one.instead_of for one in mutations]):
        for one in told:
            if told.count(one) > 1:
                raise ValueError(f"the mutations name {one} twice")
    for mutation in mutations:
        if mutation.instead_of not in rows:
            raise ValueError(f"{mutation.id} takes the place of {mutation.instead_of}, which is no row")
    return MutationRules(
        needs=content["needs"],
        by_corrupted_gang=content["by_corrupted_gang"],
        daemon=content["daemon"],
        mutated_already=content["mutated_already"],
        mutations=mutations,
    )
