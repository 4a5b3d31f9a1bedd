"""Advancement as a book prints it: what XP buys, what Gangers roll, caps on improvements, promotion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_unknown

SkillFrom: TypeAlias = Literal["primary", "secondary", "any"]


class Advancement(BookTable):
    """One line of a book's advancements: what it improves or teaches, its price in XP, and the credits it
    adds.
    """

    id: str
    name: str
    credits: int
    experience: int = 0
    characteristic: str | None = None
    skill_from: SkillFrom | None = None
    skill_chosen: bool = False
    becomes: str | None = None
    only: tuple[str, ...] = ()


class RolledRow(BookTable):
    """One row of a table rolled for advancement: the advancements to choose one from."""

    totals: tuple[int, ...]
    offers: tuple[str, ...]


class RolledAdvancements(BookTable):
    """Who rolls for advancements, for how much XP, and the totals of two dice. `beyond_maximum`: the total
    that counts instead if a row offers nothing below its maximum.
    """

    rollers: tuple[str, ...]
    at: int
    beyond_maximum: int
    rows: tuple[RolledRow, ...] = field(name="row")
    lines: tuple[Advancement, ...] = field(name="advancement")

    def __post_init__(self) -> None:
        if sorted(total for row in self.rows for total in row.totals) != list(range(2, 13)):
            raise ValueError("the rows do not hold every total of two dice once")
        offered = [("row, offers", name) for row in self.rows for name in row.offers]
        refuse_unknown(offered, [line.id for line in self.lines], "advancement of this table")

    def offers(self, total: int) -> tuple[Advancement, ...]:
        """The advancements to choose from for a total."""
        offers = next(row.offers for row in self.rows if total in row.totals)
        return tuple(next(line for line in self.lines if line.id == name) for name in offers)


class Promotion(BookTable):
    """Who may be promoted after so many advancements."""

    category: str
    advancements: int


class AdvancementRules(Chapter, dict=True):
    """How fighters spend XP. `caps` is how far above the basic profile a characteristic may rise."""

    lines: tuple[Advancement, ...] = field(name="advancement")
    buyers: tuple[str, ...]
    surcharge: int
    no_surcharge: tuple[str, ...]
    caps: Mapping[str, int]
    rolled: RolledAdvancements
    promotions: tuple[Promotion, ...] = field(name="promotion")

    @cached_property
    def advancements(self) -> Mapping[str, Advancement]:
        """What can be bought, by id."""
        return {line.id: line for line in self.lines}

    @property
    def learners(self) -> tuple[str, ...]:
        """The ranks that gain XP: those that buy advancements, and those that roll for them."""
        return (*self.buyers, *self.rolled.rollers)

    def price(self, advancement: Advancement, *, category: str, times_improved: int) -> int:
        """The price of an advancement in XP, for a fighter who improved that characteristic so often
        before.
        """
        if advancement.characteristic is None or category in self.no_surcharge:
            return advancement.experience
        return advancement.experience + self.surcharge * times_improved

    def characteristics(self) -> list[tuple[str, str]]:
        """Every characteristic that is named, each with its place in the file for messages."""
        lines = [
            (f"advancement {line.id}, characteristic", line.characteristic)
            for line in (*self.lines, *self.rolled.lines)
            if line.characteristic is not None
        ]
        return [*(("caps", name) for name in self.caps), *lines]
