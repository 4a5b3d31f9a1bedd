"""Warband rules: what a book says of warbands that grow game by game, promote their troops and explore.

Knows the numbers a book prints. Knows no warband: doing is `campaign/steps/`. A book without them has None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.records import Record

SKILL_TOTALS = range(3, 12)
"""The totals of 2D6 that a skill table has a skill for; 2 and 12 are the Patron's."""


class Threshold(Record):
    """What a warband may have in a game: ducats, and models on the field."""

    game: int
    ducats: int
    field_strength: int


class PromotionRules(Record):
    """Promotion dice: how many a warband rolls and a troop may have, and when one succeeds."""

    base: int
    won: int
    each_deed: int
    per_troop: int
    per_troop_with_deed: int
    succeeds_on: int
    failures: int


class ExplorationBand(Record):
    """From so many battles fought: dice of exploration, and which kinds of location can be found."""

    battles: int
    dice: int
    finds: tuple[str, ...]


class SkillTable(Record):
    """Nine skills on 3 to 11. `swapped` are two totals that change places in another edition."""

    table: str
    name: str
    skills: tuple[str, ...]
    swapped: tuple[int, ...] = ()


class WarbandRules(Record):
    """Everything a book says of warbands; amounts in ducats, XP in boxes."""

    thresholds: tuple[Threshold, ...]
    elite: str
    troop: str
    elite_most: int
    xp_survived: int
    xp_deed: int
    learns_at: tuple[int, ...]
    limited_keyword: str
    limited_to: int
    latecomer: Mapping[str, int]
    promotion: PromotionRules
    exploration: tuple[ExplorationBand, ...]
    ducats_per_pip: int
    rerolls: int
    rerolls_won: int
    sale_percent: int
    skill_tables: Mapping[str, SkillTable]

    def threshold(self, game: int) -> Threshold:
        """What holds in a game; after the last it stays."""
        return self.thresholds[min(max(game, 1), len(self.thresholds)) - 1]

    def exploring(self, battles: int) -> ExplorationBand:
        """The band for so many battles fought."""
        return next((band for band in self.exploration if battles >= band.battles), self.exploration[-1])

    def sold_for(self, worth: int) -> int:
        """What a thing brings, rounded up, in ducats."""
        return -(-worth * self.sale_percent // 100)


def warband_rules(given: Mapping[str, Any]) -> WarbandRules:
    """The rules from a book's file. Raises KeyError or ValueError when it does not hold together."""
    experience, exploration = given["experience"], given["exploration"]
    bands = tuple(
        ExplorationBand(battles=entry["battles"], dice=entry["dice"], finds=tuple(entry["finds"]))
        for entry in exploration["band"]
    )
    starts = [band.battles for band in bands]
    if not starts or starts != sorted(set(starts), reverse=True) or starts[-1] != 1:
        raise ValueError("exploration falls from the most battles down to 1")
    learns_at = tuple(experience["learns_at"])
    if list(learns_at) != sorted(set(learns_at)):
        raise ValueError("the XP at which skills are learned do not rise")
    return WarbandRules(
        thresholds=_thresholds(given["threshold"]),
        elite=given["elite"]["rank"],
        troop=given["elite"]["from_rank"],
        elite_most=given["elite"]["most"],
        xp_survived=experience["survived"],
        xp_deed=experience["deed"],
        learns_at=learns_at,
        limited_keyword=experience["limited_keyword"],
        limited_to=experience["limited_to"],
        latecomer=dict(experience["latecomer"]),
        promotion=PromotionRules(**given["promotion"]),
        exploration=bands,
        ducats_per_pip=exploration["ducats_per_pip"],
        rerolls=exploration["rerolls"],
        rerolls_won=exploration["rerolls_won"],
        sale_percent=given["sale"]["percent"],
        skill_tables=_skill_tables(given["skill_table"]),
    )


def _thresholds(given: Mapping[str, Any]) -> tuple[Threshold, ...]:
    own = {entry["game"]: entry for entry in given.get("game", ())}
    found = []
    for game in range(1, given["last_game"] + 1):
        ducats = given["ducats"] + (game - 1) * given["each_game_ducats"]
        strength = given["field_strength"] + (game - 1) * given["each_game_field_strength"]
        if game in own:
            ducats, strength = own[game]["ducats"], own[game]["field_strength"]
        found.append(Threshold(game=game, ducats=ducats, field_strength=strength))
    return tuple(found)


def _skill_tables(entries: list[Mapping[str, Any]]) -> dict[str, SkillTable]:
    found: dict[str, SkillTable] = {}
    taken: set[str] = set()
    for entry in entries:
        skills, swapped = tuple(entry["skills"]), tuple(entry.get("swapped", ()))
        if len(skills) != len(SKILL_TOTALS):
            raise ValueError(
                f"the skill table {entry['id']} has {len(skills)} skills, not {len(SKILL_TOTALS)}"
            )
        if entry["id"] in found or taken & set(skills) or len(set(skills)) != len(skills):
            raise ValueError(f"the skill table {entry['id']} or a skill of it stands twice")
        if swapped and (len(swapped) != 2 or not set(swapped) <= set(SKILL_TOTALS)):
            raise ValueError(f"the skill table {entry['id']} swaps totals that it has not")
        taken |= set(skills)
        found[entry["id"]] = SkillTable(table=entry["id"], name=entry["name"], skills=skills, swapped=swapped)
    return found
