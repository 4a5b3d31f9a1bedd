"""Warband rules as a book prints them: growth game by game, promotion of troops, exploration.

Knows the numbers a book prints. Knows no warband: the decisions are in `campaign/steps/`. A book without
warbands has None.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_repeated

SKILL_TOTALS = range(3, 12)
"""The totals of 2D6 that a skill table has a skill for; 2 and 12 are the Patron's."""


class Threshold(BookTable):
    """The limits of a warband in a game: ducats, and models on the field."""

    game: int
    ducats: int
    field_strength: int


class PromotionRules(BookTable):
    """Promotion dice: how many a warband rolls and a troop may have, and when one succeeds."""

    base: int
    won: int
    each_deed: int
    per_troop: int
    per_troop_with_deed: int
    succeeds_on: int
    failures: int


class ExplorationBand(BookTable):
    """From this many battles fought: the dice of exploration, and the kinds of location that can be found."""

    battles: int
    dice: int
    finds: tuple[str, ...]


class SkillTable(BookTable):
    """Nine skills on 3 to 11. `swapped` are two totals whose skills another edition swaps."""

    table: str = field(name="id")
    name: str
    skills: tuple[str, ...]
    swapped: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.skills) != len(SKILL_TOTALS):
            raise ValueError(f"expected {len(SKILL_TOTALS)} skills, not {len(self.skills)}")
        if self.swapped and (len(self.swapped) != 2 or not set(self.swapped) <= set(SKILL_TOTALS)):
            raise ValueError("swaps totals that it has not")


class ThresholdRules(BookTable):
    """The limits in a warband's first game, and what each game adds, up to the last that does."""

    ducats: int
    field_strength: int
    each_game_ducats: int
    each_game_field_strength: int
    last_game: int
    games: tuple[Threshold, ...] = field(name="game", default=())


class EliteRules(BookTable):
    """The rank that learns skills, the rank promoted to it, and the most that a warband may have."""

    rank: str
    from_rank: str
    most: int


class ExperienceRules(BookTable):
    """XP in boxes; `latecomer` is for each battle missed, by the choices of a knob."""

    survived: int
    deed: int
    learns_at: tuple[int, ...]
    limited_keyword: str
    limited_to: int
    latecomer: Mapping[str, int]

    def __post_init__(self) -> None:
        if list(self.learns_at) != sorted(set(self.learns_at)):
            raise ValueError("learns_at does not rise")


class ExplorationRules(BookTable):
    """Ducats for each pip, dice that may be rolled again, and the bands, most battles first."""

    ducats_per_pip: int
    rerolls: int
    rerolls_won: int
    bands: tuple[ExplorationBand, ...] = field(name="band")

    def __post_init__(self) -> None:
        starts = [band.battles for band in self.bands]
        if not starts or starts != sorted(set(starts), reverse=True) or starts[-1] != 1:
            raise ValueError("the bands must fall from the most battles down to 1")


class WarbandSale(BookTable):
    """The price of a sold item, in percent of its own."""

    percent: int


class WarbandRules(Chapter):
    """Everything a book says of warbands; amounts in ducats, XP in boxes."""

    thresholds: ThresholdRules = field(name="threshold")
    elite: EliteRules
    experience: ExperienceRules
    promotion: PromotionRules
    exploration: ExplorationRules
    sale: WarbandSale
    skills: tuple[SkillTable, ...] = field(name="skill_table")

    def __post_init__(self) -> None:
        refuse_repeated([table.table for table in self.skills], "the skill table")
        refuse_repeated([skill for table in self.skills for skill in table.skills], "the skill")

    @property
    def skill_tables(self) -> Mapping[str, SkillTable]:
        """The skill tables by id."""
        return {table.table: table for table in self.skills}

    def threshold(self, game: int) -> Threshold:
        """The limits in a game; after the last step they stay."""
        first, game = self.thresholds, min(max(game, 1), self.thresholds.last_game)
        for printed in first.games:
            if printed.game == game:
                return printed
        return Threshold(
            game=game,
            ducats=first.ducats + (game - 1) * first.each_game_ducats,
            field_strength=first.field_strength + (game - 1) * first.each_game_field_strength,
        )

    def exploring(self, battles: int) -> ExplorationBand:
        """The band for this many battles fought."""
        bands = self.exploration.bands
        return next((band for band in bands if battles >= band.battles), bands[-1])

    def sold_for(self, worth: int) -> int:
        """The price of a sold item, rounded up, in ducats."""
        return -(-worth * self.sale.percent // 100)
