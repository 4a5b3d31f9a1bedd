"""Gang rules: who may be in a gang, what may be carried, bought and sold, and how fighters advance.

Knows the numbers a book prints. Knows no gang and no fighter: deciding is `campaign/steps/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_unknown

WEAPONS_ARE_LIMITED_FOR = ("fighter", "mounted", "crew")


class Composition(BookTable):
    """Ranks that count neither way, ranks that are Gang Fighters, ranks that Reputation limits."""

    not_counted: tuple[str, ...]
    gang_fighters: tuple[str, ...]
    retinue: tuple[str, ...]


class RetinueCap(BookTable):
    """From this Reputation on, how many of the retinue a gang may have."""

    reputation: int
    cap: int


class Sale(BookTable):
    """Fighters' equipment sells for a D6 times `times` credits less than its worth, `minimum` at least."""

    times: int
    minimum: int


class Scrap(BookTable):
    """What a part of a vehicle brings, in percent, rounded up to so many credits."""

    percent: int
    round_up_to: int


class Upgrades(BookTable):
    """The highest face of the D6 on which an upgrade is destroyed as it is taken off."""

    destroyed_on: int


class Dead(BookTable):
    """What is lost with the dead."""

    not_kept: tuple[str, ...]


class Succession(BookTable):
    """Which ranks may lead, the first that has anybody; among these who has most of what."""

    groups: tuple[tuple[str, ...], ...]
    by: tuple[str, ...]


class GangRules(Chapter):
    """How a gang is made up and what it may do with its things; amounts in credits."""

    weapons_limit: Mapping[str, int]
    composition: Composition
    retinue_caps: tuple[RetinueCap, ...] = field(name="retinue_cap")
    sale: Sale
    scrap: Scrap
    upgrades: Upgrades
    dead: Dead
    succession: Succession

    def __post_init__(self) -> None:
        rising = [(line.reputation, line.cap) for line in self.retinue_caps]
        if rising != sorted(rising):
            raise ValueError("the caps by Reputation do not rise")
        if not set(WEAPONS_ARE_LIMITED_FOR) <= set(self.weapons_limit):
            raise ValueError("weapons_limit misses fighter, mounted or crew")

    def retinue_cap(self, reputation: int) -> int:
        """How many Hangers-on and Brutes a Reputation allows."""
        return max((line.cap for line in self.retinue_caps if reputation >= line.reputation), default=0)

    def share(self, amount: int, percent: int) -> int:
        """A percentage of an amount, rounded up to the next multiple the book rounds to, in credits."""
        step = self.scrap.round_up_to
        return -(-amount * percent // (100 * step)) * step


SkillFrom: TypeAlias = Literal["primary", "secondary", "any"]


class Advancement(BookTable):
    """One line of a book's advancements: what it improves or teaches, its XP, and the credits it adds."""

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
    """One row of a table rolled for advancement: the advancements it offers, one of which is chosen."""

    totals: tuple[int, ...]
    offers: tuple[str, ...]


class RolledAdvancements(BookTable):
    """Who rolls for advancements at how much XP, and the totals of two dice.

    `beyond_maximum`: the total that counts where a row offers nothing below its maximum.
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
        """What a total lets choose from."""
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
        """The ranks that gain XP: those that buy advancements and those that roll for them."""
        return (*self.buyers, *self.rolled.rollers)

    def price(self, advancement: Advancement, *, category: str, times_improved: int) -> int:
        """What an advancement costs who improved that characteristic so often before, in XP."""
        if advancement.characteristic is None or category in self.no_surcharge:
            return advancement.experience
        return advancement.experience + self.surcharge * times_improved

    def characteristics(self) -> list[tuple[str, str]]:
        """Every characteristic that is named, with the place."""
        lines = [
            (f"advancement {line.id}, characteristic", line.characteristic)
            for line in (*self.lines, *self.rolled.lines)
            if line.characteristic is not None
        ]
        return [*(("caps", name) for name in self.caps), *lines]
