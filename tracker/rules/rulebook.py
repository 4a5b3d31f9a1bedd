"""The rulebook in force: a book's tables, with the knobs as set by the adopted policies.

Knows what rule code may read. Knows no campaign. Rule code asks for a knob, never for a policy or an edition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from msgspec import field

from tracker.dice import SpecialDie
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record, replace
from tracker.rules import combat_tables as combat
from tracker.rules.advancement_tables import AdvancementRules
from tracker.rules.condition_tables import ConditionRules
from tracker.rules.conversion import BookTable
from tracker.rules.dashes import NO_NUMBER
from tracker.rules.gang_tables import GangRules
from tracker.rules.glossary import USUAL, GameWords
from tracker.rules.mutations import MutationRules
from tracker.rules.post_battle_tables import PostBattleRules, TerritoryRules
from tracker.rules.skill_action_tables import SkillActionRules
from tracker.rules.special_rules import SkillRow
from tracker.rules.tables import Chart, Table
from tracker.rules.vehicle_tables import VehicleRules
from tracker.rules.warband_tables import WarbandRules

Part = TypeVar("Part")


class Knob(BookTable):
    """One setting in which tables differ: its possible values, and what the book prints. `at_the_table`:
    players apply it themselves; nothing decided here depends on it.
    """

    name: str
    choices: tuple[str, ...]
    printed: str
    about: str
    section: str
    at_the_table: bool = False

    def __post_init__(self) -> None:
        if self.printed not in self.choices:
            raise ValueError(f"prints {self.printed!r}, which is none of its choices")


class Policy(BookTable):
    """A house rule: a version that is never edited, and the knobs it moves."""

    policy: str = field(name="id")
    version: int
    title: str
    about: str
    source: str
    tags: tuple[str, ...]
    patch: Mapping[str, str]

    @property
    def id(self) -> str:
        """The id as people write it: 'one-lasting-injury-roll@1'."""
        return f"{self.policy}@{self.version}"


class Preset(BookTable):
    """A list of policies that a community plays with."""

    preset: str
    title: str
    policies: tuple[str, ...]


class DicePurpose(Record):
    """A purpose that a die is rolled for, and its die."""

    name: str
    die: str
    special: SpecialDie | None
    about: str


class CharacteristicLimits(BookTable):
    """The best and worst printed number of one characteristic.

    `worst_on_experience_page` is a different worst number that the same book prints elsewhere (G-09).
    """

    characteristic: str = field(name="id")
    short: str
    kind: Literal["inches", "target_number", "number", "dice", "modifier"]
    best: int
    worst: int
    worst_on_experience_page: int | None = None

    def worsened(self, value: int, by: int) -> int:
        """The number after a reduction, before limits."""
        return value + by if self.kind in ("target_number", "modifier") else value - by

    def improved(self, value: int, by: int) -> int:
        """The number after an improvement, before limits. A dash stays a dash."""
        if self.is_none(value):
            return value
        return value - by if self.kind in ("target_number", "modifier") else value + by

    def is_none(self, value: int) -> bool:
        """Whether the card has a dash here."""
        return NO_NUMBER.get(self.kind) == value

    def allows(self, value: int) -> bool:
        """Whether the book prints such a number. Cards of any book may have a dash."""
        return self.is_none(value) or min(self.best, self.worst) <= value <= max(self.best, self.worst)

    def is_usable(self, value: int) -> bool:
        """Whether rolls and comparisons can use the number, printed or not."""
        match self.kind:
            case "number" | "target_number":
                return value >= 1
            case "inches":
                return value >= 0
            case "dice" | "modifier":
                return True

    def is_past_worst(self, value: int) -> bool:
        """Whether the number is worse than the worst printed one."""
        return value < self.worst if self.worst <= self.best else value > self.worst

    def is_past_best(self, value: int) -> bool:
        """Whether the number is better than the best printed one."""
        return value > self.best if self.worst <= self.best else value < self.best

    def shown(self, value: int) -> str:
        """The number as printed on a card: 4+, 5", 3, +1 DICE, or a dash."""
        if self.is_none(value):
            return "-"
        return {
            "target_number": f"{value}+",
            "inches": f'{value}"',
            "number": f"{value}",
            "dice": f"{value:+d} DICE",
            "modifier": f"{value}",
        }[self.kind]


class UnknownKnob(BadInput):
    """The book {book} has no setting {knob!r}.{knob:nearest}"""

    knob: str
    book: str
    known: tuple[str, ...]


class ImpossibleKnobValue(BadInput):
    """The setting {knob!r} cannot be {value!r}: it is one of {choices}."""

    knob: str
    value: str
    choices: tuple[str, ...]


class BookHasNo(RulesRefuse):
    """{book} has no {part:words}, so this cannot be decided by it.{instead}"""

    book: str
    part: str
    instead: str = ""


class Book(Record):
    """One rulebook as printed: everything in one folder of tables. `digest` covers all of its meaning.

    A book may lack parts: asking for one raises BookHasNo. `categories` are the ranks that cards may name;
    empty allows any. `words` are no part of the digest. `traits` have rows of their own; those in `resolving`
    change the resolution of a hit in every battle, `traits_elsewhere` belong to other chapters. `without_own`
    is the book before a table added its own traits and skills; None if it added none.
    """

    book: str
    edition: int
    title: str
    digest: str
    sections: Mapping[str, str]
    knobs: Mapping[str, Knob]
    characteristics: Mapping[str, CharacteristicLimits]
    tables: Mapping[str, Table]
    charts: Mapping[str, Chart]
    special_dice: Mapping[str, Mapping[str, SpecialDie]]
    purposes: Mapping[str, DicePurpose]
    traits: Mapping[str, combat.WeaponTrait]
    falls: tuple[combat.FallBand, ...]
    lowest_fall_inches: int
    experience_awards: combat.ExperienceAwards | None
    nerve_rules: combat.NerveRules | None = None
    condition_rules: ConditionRules | None = None
    skill_action_rules: SkillActionRules | None = None
    leap_rules: combat.Leaps | None = None
    armour: Mapping[str, combat.ArmourKind] = field(default_factory=dict)
    shield_modifier: int = 0
    categories: tuple[str, ...] = ()
    words: GameWords = USUAL
    traits_elsewhere: Mapping[str, combat.TraitElsewhere] = field(default_factory=dict)
    vehicle_rules: VehicleRules | None = None
    post_battle_rules: PostBattleRules | None = None
    territories: Mapping[str, TerritoryRules] = field(default_factory=dict)
    gang_rules: GangRules | None = None
    advancement_rules: AdvancementRules | None = None
    mutation_rules: MutationRules | None = None
    warband_rules: WarbandRules | None = None
    wound_table: Mapping[combat.Comparison, int] = field(default_factory=dict)
    resolving: Mapping[str, combat.WeaponTrait] = field(default_factory=dict)
    skills: Mapping[str, SkillRow] = field(default_factory=dict)
    without_own: Book | None = None

    @property
    def as_printed(self) -> Book:
        """The book without a table's own traits and skills."""
        return self.without_own or self

    def trait_spelt(self, key: str) -> str:
        """The key of the trait that cards may spell like this; any other key unchanged."""
        return next((trait.trait for trait in self.traits.values() if key in trait.also), key)

    def characteristic_called(self, name: str) -> str | None:
        """The characteristic written as `WS`, `weapon_skill` or `Weapon Skill`; None for any other name."""
        known = "_".join(name.casefold().replace("-", " ").replace("_", " ").split())
        shorts = {
            limits.short.casefold(): characteristic for characteristic, limits in self.characteristics.items()
        }
        return known if known in self.characteristics else shorts.get(name.strip().casefold())

    def table(self, name: str) -> Table:
        """A table by id. Raises BookHasNo."""
        if name not in self.tables:
            raise BookHasNo(book=self.title, part=name)
        return self.tables[name]

    def chart(self, name: str) -> Chart:
        """A chart by id. Raises BookHasNo."""
        if name not in self.charts:
            raise BookHasNo(book=self.title, part=name)
        return self.charts[name]

    @property
    def lasting_injuries(self) -> Table:
        """The Lasting Injury table of fighters."""
        return self.table("lasting_injuries")

    @property
    def wound_roll(self) -> Mapping[combat.Comparison, int]:
        """What wounds, by Strength against Toughness. Raises BookHasNo."""
        if not self.wound_table:
            raise BookHasNo(book=self.title, part="wound_roll")
        return self.wound_table

    @property
    def vehicles(self) -> VehicleRules:
        """Vehicles: what damage does to them. Raises BookHasNo."""
        return self._part(self.vehicle_rules, "vehicles")

    @property
    def warbands(self) -> WarbandRules:
        """Warbands: growth, promotion and exploration. Raises BookHasNo."""
        return self._part(self.warband_rules, "warband_rules")

    @property
    def mutations(self) -> MutationRules:
        """Mutations in place of lasting injuries. Raises BookHasNo."""
        return self._part(self.mutation_rules, "mutations")

    @property
    def gangs(self) -> GangRules:
        """How gangs are made up, and what they may do with their things. Raises BookHasNo."""
        return self._part(self.gang_rules, "gang_rules")

    @property
    def advancement(self) -> AdvancementRules:
        """How fighters spend XP. Raises BookHasNo."""
        return self._part(self.advancement_rules, "advancements")

    @property
    def post_battle(self) -> PostBattleRules:
        """The post-battle sequence. Raises BookHasNo."""
        return self._part(self.post_battle_rules, "post_battle_sequence")

    @property
    def injury_dice(self) -> Mapping[str, SpecialDie]:
        """The Injury die in each of its variants."""
        return self._die("injury")

    @property
    def experience(self) -> combat.ExperienceAwards:
        """XP for what fighters do to enemies. Raises BookHasNo."""
        return self._part(self.experience_awards, "experience")

    @property
    def nerve(self) -> combat.NerveRules:
        """Nerve tests, the End phase and succumbing. Raises BookHasNo."""
        return self._part(self.nerve_rules, "nerve_tests")

    @property
    def conditions(self) -> ConditionRules:
        """Blaze, Insane and their like. Raises BookHasNo."""
        return self._part(self.condition_rules, "conditions")

    @property
    def skill_actions(self) -> SkillActionRules:
        """Actions and tests of skills and mounts. Raises BookHasNo."""
        return self._part(self.skill_action_rules, "skills")

    @property
    def leaps(self) -> combat.Leaps:
        """Leaps, jumps down and edges. Raises BookHasNo."""
        return self._part(self.leap_rules, "leaps")

    def _part(self, part: Part | None, name: str) -> Part:
        if part is None:
            raise BookHasNo(book=self.title, part=name)
        return part

    def _die(self, name: str) -> Mapping[str, SpecialDie]:
        if name not in self.special_dice:
            raise BookHasNo(book=self.title, part=f"{name}_die")
        return self.special_dice[name]

    def special_die(self, name: str, settings: Mapping[str, str]) -> SpecialDie:
        """A special die, in the variant that the knob '<name>_die.faces' chooses if there are several."""
        variants = self._die(name)
        return variants[settings[die_knob(name)]] if len(variants) > 1 else next(iter(variants.values()))

    def check_patch(self, patch: Mapping[str, str]) -> None:
        """Raises UnknownKnob or ImpossibleKnobValue if a policy does not fit this book."""
        for name, value in patch.items():
            knob = self.knobs.get(name)
            if knob is None:
                raise UnknownKnob(knob=name, book=self.book, known=tuple(self.knobs))
            if value not in knob.choices:
                raise ImpossibleKnobValue(knob=name, value=value, choices=knob.choices)


class Rulebook(Record):
    """A book with its knobs set. `version` names book and policies for people, `digest` for programs."""

    book: Book
    settings: Mapping[str, str]
    version: str
    digest: str

    def knob(self, name: str) -> str:
        """The value of a knob. Asking for one that the book lacks is a bug."""
        assert name in self.settings, f"no knob {name}"
        return self.settings[name]

    def limits(self, characteristic: str) -> CharacteristicLimits:
        """The limits of a characteristic; of two printed ones, those that the knob chooses."""
        limits = self.book.characteristics[characteristic]
        other = limits.worst_on_experience_page
        if other is None or self.knob("characteristics.worst") == "injuries_page":
            return limits
        return replace(limits, worst=other)

    def section(self, name: str) -> str:
        """The place of a rule in the book."""
        return self.book.sections[name]

    def special_die(self, name: str) -> SpecialDie:
        """A special die in the variant in force."""
        return self.book.special_die(name, self.settings)

    @property
    def injury_die(self) -> SpecialDie:
        """The Injury die in the variant in force."""
        return self.special_die("injury")


def die_knob(name: str) -> str:
    """The knob that chooses among a special die's variants."""
    return f"{name}_die.faces"
