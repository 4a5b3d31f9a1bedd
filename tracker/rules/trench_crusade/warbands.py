"""Warbands: promotion dice, skill tables, falls, morale, as numbers and steps.

Knows numbers and one roll at a time. Knows no campaign and rolls nothing. Source: Trench Crusade (1.6) ·
Campaign; Falling; Morale.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tracker.rules.rulebook import Rulebook
from tracker.rules.warband_tables import SKILL_TOTALS, SkillTable

FALL_FREE_HUNDREDTHS: Final = 200
FALL_VOLUNTARY_HUNDREDTHS: Final = 300
FALL_DIE_EACH_HUNDREDTHS: Final = 300


def promotion_pool(*, won: bool, deeds: int, rulebook: Rulebook) -> int:
    """The number of promotion dice that a warband rolls. Source: Trench Crusade (1.6) · Campaign ·
    Promotion.
    """
    rules = rulebook.book.warbands.promotion
    for_winning = rules.won if won and rulebook.knob("promotion.dice") == "win_and_deeds" else 0
    return rules.base + for_winning + rules.each_deed * deeds


def uneven(
    dice: Mapping[str, int], *, eligible: Collection[str], with_deed: Collection[str], rulebook: Rulebook
) -> str | None:
    """The troop with more promotion dice than it may have, given what the others have; None if all is fair.

    Two each, three with a Glorious Deed (or, by the knob promotion.third_die, once all others have two). More
    only once all who are eligible have two, and then spread evenly. Source: Trench Crusade (1.6) · Campaign ·
    Promotion.
    """
    rules = rulebook.book.warbands.promotion
    deed_counts = rulebook.knob("promotion.third_die") == "with_deed"
    caps = {
        name: rules.per_troop_with_deed if deed_counts and name in with_deed else rules.per_troop
        for name in eligible
    }
    above = {name: max(0, dice.get(name, 0) - caps[name]) for name in eligible}
    all_have = all(dice.get(name, 0) >= rules.per_troop for name in eligible)
    for name, over in above.items():
        if over and not (all_have and over - min(above.values()) <= 1):
            return name
    return None


def skill_on(table: SkillTable, total: int, rulebook: Rulebook) -> str:
    """The skill of a table for a total of 3 to 11."""
    first, second = table.swapped or (0, 0)
    if rulebook.knob("skills.swapped") == "yes":
        total = {first: second, second: first}.get(total, total)
    return table.skills[total - SKILL_TOTALS.start]


def skill_rolled(table: SkillTable, total: int, known: Sequence[str], rulebook: Rulebook) -> str | None:
    """The skill for 2D6; for a known one the next lower that is free, else the next higher.

    None if no skill of the table is left. A 2 or a 12 is the Patron's and not asked here. Source: Trench
    Crusade (1.6) · Campaign · Experience.
    """
    lower = range(total, SKILL_TOTALS.start - 1, -1)
    higher = range(total + 1, SKILL_TOTALS.stop)
    have = {name.casefold() for name in known}
    for place in (*lower, *higher):
        skill = skill_on(table, place, rulebook)
        if skill.casefold() not in have:
            return skill
    return None


def fall_dice(hundredths: int, *, voluntary: bool) -> int | None:
    """The +DICE of the injury roll for a fall of this many hundredths of an inch; None if there is no roll.

    A fall of more than 2" is rolled for, with +1 DICE for each whole 3"; a voluntary drop is free up to 3".
    Source: Trench Crusade (1.6) · Falling.
    """
    free = FALL_VOLUNTARY_HUNDREDTHS if voluntary else FALL_FREE_HUNDREDTHS
    return None if hundredths <= free else hundredths // FALL_DIE_EACH_HUNDREDTHS


def must_test_morale(*, models: int, down_or_out: int) -> bool:
    """Whether a warband tests: at least half its models are Down or Out of Action.

    Source: Trench Crusade (1.6) · Morale.
    """
    return down_or_out * 2 >= models


def is_limited(keywords: Sequence[str], rulebook: Rulebook) -> bool:
    """Whether the card has the keyword that ends its learning early."""
    word = rulebook.book.warbands.experience.limited_keyword
    return any(keyword.strip().lower().replace(" ", "_") == word for keyword in keywords)
