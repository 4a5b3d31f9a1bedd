"""Conditions of models in a battle as a book prints them: Blaze, Insane, Concussed, Gunked.

Knows the numbers. Knows no fighter: the consequences are in `campaign/steps/`.
"""

from __future__ import annotations

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter


class BlazeRules(BookTable):
    """The lowest D6 that sets a model on fire (`catches_from`, for the Gunked `gunked_catches_from`), and
    that puts out the fire of a fighter (`goes_out_from`) or a vehicle. The hit is that of each activation.
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
    """How much worse Initiative is to the end of the round, and the modifier of Handling tests."""

    initiative: int
    handling: int


class GunkedRules(BookTable):
    """How much worse Initiative is."""

    initiative: int


class MountedRules(BookTable):
    """The modifier of the Initiative test of a Retreat."""

    retreat: int


class ConditionRow(BookTable):
    """A condition by name: its effect in words, with the chapter's numbers in braces."""

    condition: str = field(name="id")
    name: str
    does: str


class ConditionRules(Chapter):
    """The conditions that roll dice or change numbers. No condition worsens Initiative past
    `initiative_worst`.
    """

    blaze: BlazeRules
    insane: InsaneRules
    concussed: ConcussedRules
    gunked: GunkedRules
    mounted: MountedRules
    initiative_worst: int
    rows: tuple[ConditionRow, ...] = field(name="condition", default=())

    def words_for(self, row: ConditionRow) -> str:
        """A condition's effect in words, with its numbers."""
        numbers = {name: getattr(self, name) for name in self.__struct_fields__}
        return row.does.format(**numbers)
