"""Hits, falls, armour, XP and nerve as a book prints them.

Knows the numbers. Knows no fighter: the consequences are in `rules/necromunda/` and `rules/trench_crusade/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_repeated
from tracker.rules.special_rules import DecidedBy, DeclaredEffect, refuse_contradiction

Comparison: TypeAlias = Literal["twice", "half", "greater", "equal", "lower"]
"""How the Strength of a hit compares with the Toughness; which: `rules/necromunda/wound_roll.py`."""
WOUNDS_ON = range(2, 7)
"""A D6 that wounds always or never is no roll."""


class WoundRow(BookTable):
    """The D6 needed for one comparison of Strength and Toughness."""

    comparison: Comparison = field(name="strength")
    name: str
    needs: int

    def __post_init__(self) -> None:
        if self.needs not in WOUNDS_ON:
            raise ValueError(f"{self.comparison} needs {self.needs}, which no D6 does")
        if not self.name:
            raise ValueError(f"{self.comparison} has no name")


class WoundTable(Chapter):
    """The wound table: each comparison of Strength and Toughness once."""

    rows: tuple[WoundRow, ...] = field(name="row")

    def __post_init__(self) -> None:
        compared = [row.comparison for row in self.rows]
        refuse_repeated(compared, "the comparison")
        missing = [comparison for comparison in get_args(Comparison) if comparison not in compared]
        if missing:
            raise ValueError(f"there is no row for {', '.join(missing)}")


Saves: TypeAlias = Literal["any", "field_only", "none"]
WoundRoll: TypeAlias = Literal["by_strength", "by_toughness"]
OnWound: TypeAlias = Literal["damage", "injury_die", "webbed"]


class Natural6(BookTable):
    """The effect of a trait when the D6 to hit or to wound shows a natural 6."""

    saves: Saves = "any"
    extra_damage: int = 0


class WeaponTrait(BookTable):
    """How a trait changes the resolution of a hit; defaults leave it unchanged.

    All fields but `effects` hold in every battle; the effects hold in battles played with the whole book (ADR
    29). `at_the_table` describes what the table alone decides; `asks_for_nothing`: the trait has no die and
    no number here, and the reason. Cards may spell such a trait otherwise: `also` are the keys.
    """

    trait: str = field(name="id")
    name: str = ""
    also: tuple[str, ...] = ()
    saves: Saves = "any"
    wound_roll: WoundRoll = "by_strength"
    on_wound: OnWound = "damage"
    on_natural_6_to_hit: Natural6 = Natural6()
    on_natural_6_to_wound: Natural6 = Natural6()
    pins: bool = True
    effects: tuple[DeclaredEffect, ...] = field(name="effect", default=())
    at_the_table: str = ""
    asks_for_nothing: DecidedBy | None = None

    def __post_init__(self) -> None:
        refuse_contradiction(self.effects, self.at_the_table, self.asks_for_nothing)
        if self.also and self.asks_for_nothing is None:
            raise ValueError("only a trait that asks for nothing is spelt otherwise, too")

    @property
    def resolves(self) -> bool:
        """Whether it changes the resolution of a hit in every battle."""
        return (self.saves, self.wound_roll, self.on_wound, self.pins) != (
            "any",
            "by_strength",
            "damage",
            True,
        ) or (self.on_natural_6_to_hit != Natural6() or self.on_natural_6_to_wound != Natural6())


class TraitElsewhere(BookTable):
    """A trait whose rules are in another chapter: its effect in a few words, and the section."""

    does: str
    section: str


class Traits(Chapter):
    """The traits with rows of their own, and those with rules in other chapters."""

    traits: tuple[WeaponTrait, ...] = field(name="trait")
    elsewhere: dict[str, TraitElsewhere] = field(default_factory=dict)


class FallBand(BookTable):
    """The hit for falls up to so many whole inches; `to_inches` None has no end."""

    from_inches: int
    strength: int
    armour_penetration: int
    damage: int
    to_inches: int | None = None


class Leaps(BookTable):
    """Leaps and jumps. The first `jump_free_inches` of a jump down are free; each further `jump_step_inches`
    begun adds `jump_modifier` to the Initiative test. `railing` is added to the test at an edge. Mighty Leap
    needs no test for a gap of `mighty_leap_inches`.
    """

    jump_free_inches: int
    jump_step_inches: int
    jump_modifier: int
    railing: int
    mighty_leap_inches: int


class Falls(Chapter):
    """The hits of falls. Below `lowest_inches` a fall does nothing."""

    lowest_inches: int
    leaps: Leaps
    bands: tuple[FallBand, ...] = field(name="band")

    def __post_init__(self) -> None:
        expected = self.lowest_inches
        for band in self.bands:
            if band.from_inches != expected:
                raise ValueError(f"no band begins at {expected} inches")
            if (band.to_inches is None) != (band is self.bands[-1]):
                raise ValueError("the last band, and only that, has no to_inches")
            expected = (band.to_inches or 0) + 1


class ArmourKind(BookTable):
    """Armour that reduces an injury roll, and whether a shield adds to it."""

    armour: str = field(name="id")
    name: str
    modifier: int
    adds_shield: bool


class ArmourRules(Chapter):
    """The kinds of armour, each with its own number, and what a shield takes off an injury roll."""

    kinds: tuple[ArmourKind, ...] = field(name="armour")
    shield: int = 0

    def __post_init__(self) -> None:
        refuse_repeated([kind.armour for kind in self.kinds], "the armour")
        refuse_repeated([f"{kind.modifier:+d}" for kind in self.kinds], "the modifier")


class ExperienceAwards(Chapter):
    """XP for what a fighter does to enemies."""

    serious_injury: int
    out_of_action: int
    rank_bonus: int
    ranks_with_bonus: tuple[str, ...]
    rallied: int = 0
    assisted_recovery: int = 0
    vehicle_wrecked: int = 0
    took_part: int = 0


Flight: TypeAlias = Literal["running_for_cover", "break_for_air", "burn_out"]


Model: TypeAlias = Literal["fighter", "vehicle"]


class NerveTest(BookTable):
    """Who tests because of whom, and within how many inches."""

    tester: Model
    because_of: Model
    within_inches: int


class FlightRules(BookTable):
    """What a model does when it breaks, and at each later activation."""

    fighter: Flight
    mobile_vehicle: Flight
    stalled_vehicle: Flight


class FriendsWithin(BookTable):
    """Within how many inches a friend helps: in a Nerve test of the same kind, in a Rally test any friendly
    model.
    """

    fighter: int
    vehicle: int
    rally: int


class Broken(BookTable):
    """The modifier of a Broken fighter's Reaction attacks."""

    reaction_attacks: int


class HomeTurf(BookTable):
    """The dice of a Bottle check (the lowest counts), and the modifier of Rally tests, on Home Turf."""

    bottle_dice: int
    rally: int


class Succumb(BookTable):
    """The highest D6 on which a Seriously Injured fighter succumbs in the Wrap-up."""

    highest: int


class NerveRules(Chapter):
    """Who takes Nerve tests because of whom, and the numbers of the End phase and of succumbing.

    The fall of `only_their_like` makes only their own ranks test; no Bottle check counts `never_bottle`.
    `hierarchy_within_inches` is how far a rank that stays sets an example.
    """

    tests: tuple[NerveTest, ...] = field(name="test")
    friends_within_inches: FriendsWithin
    flight: FlightRules
    broken: Broken
    hierarchy_within_inches: Mapping[str, int]
    home_turf: HomeTurf
    succumb: Succumb
    only_their_like: tuple[str, ...] = ()
    never_bottle: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        pairs = [f"{test.tester} because of {test.because_of}" for test in self.tests]
        refuse_repeated(pairs, "the test of a")

    def within_inches(self, tester: Model, because_of: Model) -> int | None:
        """How near the tester must be; None if such a model never tests because of such a victim."""
        for test in self.tests:
            if (test.tester, test.because_of) == (tester, because_of):
                return test.within_inches
        return None
