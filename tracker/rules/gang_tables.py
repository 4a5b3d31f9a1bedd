"""Gangs as a book prints them: composition, what may be carried, sold and scrapped, and who leads next.

Knows the numbers a book prints. Knows no gang and no fighter: the decisions are in `campaign/steps/`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter

WEAPONS_ARE_LIMITED_FOR = ("fighter", "mounted", "crew")


class Composition(BookTable):
    """Ranks that the composition ignores, ranks that are Gang Fighters, ranks that Reputation limits."""

    not_counted: tuple[str, ...]
    gang_fighters: tuple[str, ...]
    retinue: tuple[str, ...]


class RetinueCap(BookTable):
    """The number of retinue that a gang may have from this Reputation on."""

    reputation: int
    cap: int


class Sale(BookTable):
    """Equipment sells for its worth less a D6 times `times` credits, `minimum` at least."""

    times: int
    minimum: int


class Scrap(BookTable):
    """The share of a vehicle's cost for scrapping it, in percent, rounded up to a multiple of credits."""

    percent: int
    round_up_to: int


class Upgrades(BookTable):
    """The highest D6 on which an upgrade is destroyed as it is taken off."""

    destroyed_on: int


class Dead(BookTable):
    """The gear that is lost with the dead."""

    not_kept: tuple[str, ...]


class Succession(BookTable):
    """The groups of ranks that may lead, in order; within one, the fighter with most of what `by` lists."""

    groups: tuple[tuple[str, ...], ...]
    by: tuple[str, ...]


class GangRules(Chapter):
    """How a gang is composed, and what it may do with its items; amounts in credits."""

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
        """The number of Hangers-on and Brutes that a Reputation allows."""
        return max((line.cap for line in self.retinue_caps if reputation >= line.reputation), default=0)
