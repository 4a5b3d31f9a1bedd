"""Mutations: what a fighter of a corrupted gang may gain in place of a lasting injury.

Knows rows and numbers. Knows no fighter: applying is `campaign/steps/mutations.py`.
"""

from __future__ import annotations

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_repeated
from tracker.rules.modifiers import Modifiers


class Mutation(BookTable):
    """One mutation, and the row of the Lasting Injury table that it replaces."""

    id: str
    name: str
    instead_of: str


class MutationRules(Chapter):
    """The mutations of a book, the D6 total that brings one, and the modifiers."""

    needs: int
    by_corrupted_gang: int
    daemon: int
    mutated_already: int
    mutations: tuple[Mutation, ...] = field(name="mutation")

    def __post_init__(self) -> None:
        refuse_repeated([mutation.id for mutation in self.mutations], "the mutation")
        refuse_repeated([mutation.instead_of for mutation in self.mutations], "the row")

    def instead_of(self, row: str) -> Mutation | None:
        """The mutation that may replace a row, or None."""
        return next((mutation for mutation in self.mutations if mutation.instead_of == row), None)

    def named(self, name: str) -> Mutation | None:
        """The mutation of that id, or None."""
        return next((mutation for mutation in self.mutations if mutation.id == name), None)

    def modifiers(self, *, by_corrupted_gang: bool, daemon: bool, mutated_already: bool) -> Modifiers:
        """The modifiers of the D6, with reasons. Source: Archived rules · Lasting Injuries and Damage ·
        Mutations.
        """
        reasons = (
            ("by a corrupted gang", by_corrupted_gang, self.by_corrupted_gang),
            ("daemon or possessed", daemon, self.daemon),
            ("mutated already", mutated_already, self.mutated_already),
        )
        return tuple((why, by) for why, holds, by in reasons if holds)

    def mutates(self, total: int) -> bool:
        """Whether the modified D6 brings the mutation in place of the injury.

        Source: Archived rules · Lasting Injuries and Damage · Mutations.
        """
        return total >= self.needs


def becomes_spawn(*, mutations: int, toughness: int) -> bool:
    """Whether a fighter has at least one mutation, and as many as the Toughness on the card.

    Source: Archived rules · Lasting Injuries and Damage · Mutations.
    """
    return 0 < mutations >= toughness
