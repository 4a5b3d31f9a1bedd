"""Numbers of the post-battle sequence: escapes, captures, prices, searches, incomes.

Knows dice and the book's data. Knows no campaign. Source: Core Rulebook (2023) · The Post-battle Sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from tracker.records import Record
from tracker.rules import post_battle_tables
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.rulebook import Rulebook

PATRONAGE_FROM: Final = 400


def percent_of(amount: int, percent: int, *, to: int) -> int:
    """A percentage of an amount in credits, rounded up once, to a multiple of `to`.

    Source: Core Rulebook (2023) · Captives; Negotiate Repairs; Clean House (scrapping).
    """
    return -(-amount * percent // (100 * to)) * to


def escape_modifiers(
    escape: post_battle_tables.EscapeRules, *, result: Literal["won", "drawn", "lost"], webbed: bool
) -> Modifiers:
    """The modifiers of an escape roll. Source: Core Rulebook (2023) · The Wrap-up · Captured."""
    by_result = {"won": 0, "drawn": escape.drawn, "lost": escape.lost}[result]
    return nonzero(
        (f"battle {result}", by_result),
        ("Out of Action while Webbed", escape.webbed if webbed else 0),
    )


def escapes(escape: post_battle_tables.EscapeRules, face: int, modifier: int) -> bool:
    """Whether a Captured fighter gets away; a natural 6 always does. Source: as `escape_modifiers`."""
    return face == escape.natural or face + modifier >= escape.target


def takes_captive(
    capture: post_battle_tables.CaptureRules, total: int, *, law_and_misrule: bool, rulebook: Rulebook
) -> tuple[bool, int]:
    """Whether a capture roll succeeds, and the lowest total that does; two readings are a knob (G-08).

    Source: Archived rules · The Post-battle Sequence · Captives; knob capture.level.
    """
    level = capture.level_law_and_misrule if law_and_misrule else capture.level
    lowest = level if rulebook.knob("capture.level") == "reached" else level + 1
    return total >= lowest, lowest


class DieDraw(Record):
    """How one die draws among several: how many of its values count, each equally often."""

    among: int
    values: int

    def place(self, value: int) -> int | None:
        """The place drawn, from 0; None for a value to be rolled again."""
        fair = self.values // self.among * self.among
        return value % self.among if value < fair else None


def value_of_d66(faces: Sequence[int]) -> int:
    """A D66 as a number from 0 to 35."""
    return (faces[0] - 1) * 6 + faces[1] - 1


def seek_modifiers(seek: post_battle_tables.SeekRules, traders: Sequence[str], reputation: int) -> Modifiers:
    """The modifiers of a search: who trades, and the gang's Reputation. `traders` are categories.

    Source: Core Rulebook (2023) · The Post-battle Sequence · 6B. Seek Rare.
    """
    champions = sum(category == "champion" for category in traders)
    return nonzero(
        ("the Leader trades", seek.leader if "leader" in traders else 0),
        ("Champions trade", seek.each_champion * champions),
        (f"Reputation {reputation}", max(reputation, 0) // seek.reputation_step),
    )


def income_of(
    kind: post_battle_tables.TerritoryRules, *, house: str, alignment: str | None, held: frozenset[str]
) -> post_battle_tables.Income | None:
    """The income of a territory for this gang: the last one whose conditions are met; None without one.

    Source: Core Rulebook (2023) · Dominion Campaign · Territories.
    """
    matching = None
    for income in kind.incomes:
        if income.house is not None and income.house != house:
            continue
        if income.alignment is not None and income.alignment != alignment:
            continue
        if income.needs is not None and income.needs not in held:
            continue
        matching = income
    return matching


def recruit_of(
    kind: post_battle_tables.TerritoryRules, *, house: str, alignment: str | None
) -> post_battle_tables.Recruit | None:
    """The recruit of a territory for this gang: the last one whose conditions are met, if any.

    Source: Core Rulebook (2023) · Dominion Campaign · Territories.
    """
    matching = None
    for recruit in kind.recruits:
        if recruit.house not in (None, house) or recruit.alignment not in (None, alignment):
            continue
        matching = recruit
    return matching


def recruited(recruit: post_battle_tables.Recruit, faces: Sequence[int]) -> tuple[str, ...]:
    """The ranks of which one may come by these dice, the better first; none if no die succeeds.

    Source: as `recruit_of`.
    """
    if recruit.on not in faces:
        return ()
    if recruit.all_category is not None and all(face == recruit.on for face in faces):
        return (recruit.all_category, recruit.category)
    return (recruit.category,)


def patronage(*, rating: int, against: int) -> int:
    """Credits for a gang by both ratings: nothing unless it is 400 or more behind.

    Source: Core Rulebook (2023) · Underdogs: House Patronage.
    """
    behind = against - rating
    return behind // 100 * 100 if behind >= PATRONAGE_FROM else 0


def reputation_of(kind: post_battle_tables.TerritoryRules, house: str) -> int:
    """The Reputation that a territory brings to a gang of this house. Source: as `income_of`."""
    return kind.reputation_of_house.get(house, kind.reputation)


def house_id(written: str) -> str:
    """The id of a house as people write it: 'House Van Saar' is 'van_saar'."""
    words = written.casefold().replace("-", " ").split()
    return "_".join(words[1:] if words[:1] == ["house"] else words)


def reward_dice(asked: int, rulebook: Rulebook) -> int:
    """The number of D6 of a reward that asks for this many. Source: knob rewards.dice_max."""
    return asked if rulebook.knob("rewards.dice_max") == "as_printed" else min(asked, 4)
