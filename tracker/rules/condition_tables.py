"""Conditions of models in a battle as a book prints them: Blaze, Insane, Concussed, Gunked.

Knows the numbers. Knows no fighter: what follows is in `campaign/steps/`.
"""

from __future__ import annotations

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter


class BlazeRules(BookTable):
    """A D6 that reaches `catches_from` sets on fire (`gunked_catches_from` for the Gunked), one that reaches
    `goes_out_from` puts a fighter's fire out, `vehicle_goes_out_from` a vehicle's. The hit is that of each
    activation.
    """

    catches_from: int
    gunked_catches_from: int
    strength: int
    armour_penetration: int
    damage: int
    goes_out_from: int
    per_friend: int
    prone: int
    vehicle_goes_out_from: int


class InsaneRules(BookTable):
    """The highest faces on which an insane fighter breaks, and on which an opponent controls them."""

    breaks_up_to: int
    controlled_up_to: int


class ConcussedRules(BookTable):
    """How much worse Initiative is to the end of the round, and what is added to Handling tests."""

    initiative: int
    handling: int


class GunkedRules(BookTable):
    """How much worse Initiative is."""

    initiative: int


class MountedRules(BookTable):
    """What is added to the Initiative test of a Retreat."""

    retreat: int


class ConditionRow(BookTable):
    """A condition by name: what it does, in words with the chapter's own numbers in braces."""

    condition: str = field(name="id")
    name: str
    does: str


class ConditionRules(Chapter):
    """The conditions that roll dice or change numbers. `initiative_worst` is as bad as conditions make it."""

    blaze: BlazeRules
    insane: InsaneRules
    concussed: ConcussedRules
    gunked: GunkedRules
    mounted: MountedRules
    initiative_worst: int
    rows: tuple[ConditionRow, ...] = field(name="condition", default=())

    def words_for(self, row: ConditionRow) -> str:
        """What a condition does, with its numbers."""
        numbers = {name: getattr(self, name) for name in self.__struct_fields__}
        return row.does.format(**numbers)
