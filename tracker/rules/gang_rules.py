"""Gang rules: who may be in a gang, what may be carried, bought and sold, and how fighters advance.

Knows the numbers a book prints. Knows no gang and no fighter: deciding is `campaign/steps/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from tracker.records import Record


class GangRules(Record):
    """How a gang is made up and what it may do with its things; amounts in credits.

    `retinue_caps` are (least Reputation, how many of `retinue` it allows), rising.
    """

    weapons_limit: Mapping[str, int]
    not_counted: tuple[str, ...]
    gang_fighters: tuple[str, ...]
    retinue: tuple[str, ...]
    retinue_caps: tuple[tuple[int, int], ...]
    sale_times: int
    sale_minimum: int
    scrap_percent: int
    round_up_to: int
    upgrade_destroyed_on: int
    lost_with_the_dead: tuple[str, ...]
    leader_from: tuple[tuple[str, ...], ...]
    leader_by: tuple[str, ...]

    def retinue_cap(self, reputation: int) -> int:
        """How many Hangers-on and Brutes a Reputation allows."""
        return max((cap for least, cap in self.retinue_caps if reputation >= least), default=0)

    def share(self, amount: int, percent: int) -> int:
        """A percentage of an amount, rounded up to the next multiple the book rounds to, in credits."""
        step = self.round_up_to
        return -(-amount * percent // (100 * step)) * step


SkillFrom: TypeAlias = Literal["primary", "secondary", "any"]


class Advancement(Record):
    """One line of a book's advancements: what it improves or teaches, its XP, and the credits it adds."""

    id: str
    name: str
    credits: int
    experience: int
    characteristic: str | None = None
    skill_from: SkillFrom | None = None
    skill_chosen: bool = False
    becomes: str | None = None
    only: tuple[str, ...] = ()


class RolledRow(Record):
    """One row of a table rolled for advancement: the advancements it offers, one of which is chosen."""

    totals: tuple[int, ...]
    offers: tuple[str, ...]


class Promotion(Record):
    """Who may be promoted after so many advancements."""

    category: str
    advancements: int


class AdvancementRules(Record):
    """How fighters spend XP. `caps` is how far above the basic profile a characteristic may rise."""

    advancements: Mapping[str, Advancement]
    buyers: tuple[str, ...]
    surcharge: int
    no_surcharge: tuple[str, ...]
    caps: Mapping[str, int]
    rollers: tuple[str, ...]
    rolled_at: int
    rolled: tuple[RolledRow, ...]
    rolled_advancements: Mapping[str, Advancement]
    beyond_maximum: int
    promotions: tuple[Promotion, ...]

    @property
    def learners(self) -> tuple[str, ...]:
        """The ranks that gain XP: those that buy advancements and those that roll for them."""
        return (*self.buyers, *self.rollers)

    def price(self, advancement: Advancement, *, category: str, times_improved: int) -> int:
        """What an advancement costs who improved that characteristic so often before, in XP."""
        if advancement.characteristic is None or category in self.no_surcharge:
            return advancement.experience
        return advancement.experience + self.surcharge * times_improved

    def row(self, total: int) -> RolledRow:
        """The row that a total leads to."""
        return next(row for row in self.rolled if total in row.totals)


def gang_rules(given: Mapping[str, Any]) -> GangRules:
    """The gang rules from a book's file. Raises KeyError or ValueError when it does not hold together."""
    caps = tuple((entry["reputation"], entry["cap"]) for entry in given["retinue_cap"])
    if list(caps) != sorted(caps):
        raise ValueError("the caps by Reputation do not rise")
    if not {"fighter", "mounted", "crew"} <= set(given["weapons_limit"]):
        raise ValueError("weapons_limit misses fighter, mounted or crew")
    return GangRules(
        weapons_limit=dict(given["weapons_limit"]),
        not_counted=tuple(given["composition"]["not_counted"]),
        gang_fighters=tuple(given["composition"]["gang_fighters"]),
        retinue=tuple(given["composition"]["retinue"]),
        retinue_caps=caps,
        sale_times=given["sale"]["times"],
        sale_minimum=given["sale"]["minimum"],
        scrap_percent=given["scrap"]["percent"],
        round_up_to=given["scrap"]["round_up_to"],
        upgrade_destroyed_on=given["upgrades"]["destroyed_on"],
        lost_with_the_dead=tuple(given["dead"]["not_kept"]),
        leader_from=tuple(tuple(group) for group in given["succession"]["groups"]),
        leader_by=tuple(given["succession"]["by"]),
    )


def advancement_rules(given: Mapping[str, Any], characteristics: Mapping[str, Any]) -> AdvancementRules:
    """The advancements from a book's file. Raises KeyError or ValueError when it does not hold together."""
    bought = {entry["id"]: _advancement(entry, characteristics) for entry in given["advancement"]}
    rolled = {entry["id"]: _advancement(entry, characteristics) for entry in given["rolled"]["advancement"]}
    rows = tuple(
        RolledRow(totals=tuple(entry["totals"]), offers=tuple(entry["offers"]))
        for entry in given["rolled"]["row"]
    )
    if sorted(total for row in rows for total in row.totals) != list(range(2, 13)):
        raise ValueError("the rolled table does not hold every total of two dice once")
    for row in rows:
        for offered in row.offers:
            if offered not in rolled:
                raise ValueError(f"the rolled table offers an unknown advancement {offered!r}")
    for name in given["caps"]:
        if name not in characteristics:
            raise ValueError(f"caps name an unknown characteristic {name!r}")
    return AdvancementRules(
        advancements=bought,
        buyers=tuple(given["buyers"]),
        surcharge=given["surcharge"],
        no_surcharge=tuple(given["no_surcharge"]),
        caps=dict(given["caps"]),
        rollers=tuple(given["rolled"]["rollers"]),
        rolled_at=given["rolled"]["at"],
        rolled=rows,
        rolled_advancements=rolled,
        beyond_maximum=given["rolled"]["beyond_maximum"],
        promotions=tuple(
            Promotion(category=entry["category"], advancements=entry["advancements"])
            for entry in given["promotion"]
        ),
    )


def _advancement(entry: Mapping[str, Any], characteristics: Mapping[str, Any]) -> Advancement:
    characteristic, skill_from = entry.get("characteristic"), entry.get("skill_from")
    if characteristic is not None and characteristic not in characteristics:
        raise ValueError(f"{entry['id']} improves an unknown characteristic {characteristic!r}")
    if skill_from not in (None, "primary", "secondary", "any"):
        raise ValueError(f"{entry['id']} takes a skill from {skill_from!r}")
    return Advancement(
        id=entry["id"],
        name=entry["name"],
        credits=entry["credits"],
        experience=entry.get("experience", 0),
        characteristic=characteristic,
        skill_from=skill_from,
        skill_chosen=entry.get("skill_chosen", False),
        becomes=entry.get("becomes"),
        only=tuple(entry.get("only", ())),
    )
