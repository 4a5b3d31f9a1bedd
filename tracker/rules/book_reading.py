"""Reading a book: from the content of its files to a checked Book. Touches no file.

The record of each file checks the file by itself. Here is the check across files: sections, knobs, dice,
characteristics and rows that a file names must exist.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import field

from tracker.dice import D66, PLAIN_DICE, SpecialDie
from tracker.rules import combat_tables as combat
from tracker.rules.advancement_tables import AdvancementRules
from tracker.rules.condition_tables import ConditionRules
from tracker.rules.conversion import BookTable, BrokenBook, Chapter, Kind, convert, refuse_unknown
from tracker.rules.effects import Effect, Experience, Improve, Reduce, RollAgain
from tracker.rules.gang_tables import GangRules
from tracker.rules.glossary import USUAL, GameWords
from tracker.rules.mutations import MutationRules
from tracker.rules.post_battle_tables import PostBattleRules, Territories
from tracker.rules.rulebook import Book, CharacteristicLimits, DicePurpose, Knob, die_knob
from tracker.rules.skill_action_tables import SkillActionRules
from tracker.rules.special_rules import DeclaredEffect, Skills
from tracker.rules.tables import Band, Chart, Row, Table
from tracker.rules.vehicle_tables import CONTROL_DIE, DAMAGE_DIE, LOCATION_DIE, VehicleRules
from tracker.rules.warband_tables import WarbandRules


class _Title(Chapter):
    id: str
    edition: int
    title: str
    sections: Mapping[str, str]
    categories: tuple[str, ...] = ()


class _Knobs(Chapter):
    knobs: tuple[Knob, ...] = field(name="knob")


class _Characteristics(Chapter):
    characteristics: tuple[CharacteristicLimits, ...] = field(name="characteristic")


class _Die(BookTable):
    name: str
    variant: str
    symbols: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.symbols) != 6:
            raise ValueError(f"has {len(self.symbols)} faces, not six")


class _Purpose(BookTable):
    name: str
    die: str
    about: str


class _Dice(Chapter):
    purposes: tuple[_Purpose, ...] = field(name="purpose")
    dice: tuple[_Die, ...] = field(name="die", default=())
    also_called: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def build_book(files: Mapping[str, Mapping[str, Any]], *, where: str) -> Book:
    """A book from the content of its files, fully checked. Raises BrokenBook."""
    for stem in ("book", "characteristics", "dice", "knobs"):
        if stem not in files:
            raise BrokenBook(file=f"{where}/{stem}.toml", fault="is missing")
    for stem, content in files.items():
        if not content.get("source"):
            raise BrokenBook(file=f"{where}/{stem}.toml", fault="names no source")
    reading = _Reading(files, where)
    book = reading.book()
    reading.check(book)
    return book


class _Reading:
    """The files of one book. Files that no chapter reads are tables or charts."""

    def __init__(self, files: Mapping[str, Mapping[str, Any]], where: str) -> None:
        self.files, self.where = files, where
        self.rest = set(files)

    def chapter(self, stem: str, kind: type[Kind]) -> Kind | None:
        """The record of an optional file; None without it."""
        self.rest.discard(stem)
        return self.whole(stem, kind) if stem in self.files else None

    def whole(self, stem: str, kind: type[Kind]) -> Kind:
        """The record of a required file."""
        self.rest.discard(stem)
        return convert(self.files[stem], kind, file=f"{self.where}/{stem}.toml")

    def book(self) -> Book:
        """The book, each file checked by itself."""
        title = self.whole("book", _Title)
        knobs = {knob.name: knob for knob in self.whole("knobs", _Knobs).knobs}
        limits = self.whole("characteristics", _Characteristics).characteristics
        dice = self.whole("dice", _Dice)
        with self.faults_of("dice"):
            special_dice = _special_dice(dice, knobs)
            purposes = {purpose.name: _purpose(purpose, special_dice) for purpose in dice.purposes}
        traits = self.chapter("traits", combat.Traits)
        skills = self.chapter("skills", Skills)
        falls = self.chapter("falls", combat.Falls)
        armour = self.chapter("armour", combat.ArmourRules)
        territories = self.chapter("territories", Territories)
        wounds = self.chapter("wound_roll", combat.WoundTable)
        return Book(
            book=title.id,
            edition=title.edition,
            title=title.title,
            digest=digest_of({stem: file for stem, file in self.files.items() if stem != "words"}),
            sections=title.sections,
            categories=title.categories,
            words=self.chapter("words", GameWords) or USUAL,
            knobs=knobs,
            characteristics={limit.characteristic: limit for limit in limits},
            special_dice=special_dice,
            purposes=purposes,
            traits={trait.trait: trait for trait in traits.traits} if traits is not None else {},
            resolving={trait.trait: trait for trait in traits.traits if trait.resolves} if traits else {},
            skills={row.skill: row for row in skills.skills} if skills is not None else {},
            traits_elsewhere=traits.elsewhere if traits is not None else {},
            falls=falls.bands if falls is not None else (),
            lowest_fall_inches=falls.lowest_inches if falls is not None else 0,
            leap_rules=falls.leaps if falls is not None else None,
            armour={kind.armour: kind for kind in armour.kinds} if armour is not None else {},
            shield_modifier=armour.shield if armour is not None else 0,
            territories={kind.kind: kind for kind in territories.kinds} if territories is not None else {},
            wound_table={row.comparison: row.needs for row in wounds.rows} if wounds is not None else {},
            experience_awards=self.chapter("experience", combat.ExperienceAwards),
            nerve_rules=self.chapter("nerve", combat.NerveRules),
            skill_action_rules=self.chapter("skill_actions", SkillActionRules),
            condition_rules=self.chapter("conditions", ConditionRules),
            vehicle_rules=self.chapter("vehicles", VehicleRules),
            gang_rules=self.chapter("gangs", GangRules),
            advancement_rules=self.chapter("advancements", AdvancementRules),
            post_battle_rules=self.chapter("post_battle", PostBattleRules),
            mutation_rules=self.chapter("mutations", MutationRules),
            warband_rules=self.chapter("warbands", WarbandRules),
            # Last: what no chapter has taken.
            tables={stem: self.whole(stem, Table) for stem in self.rolled(by_cells=True)},
            charts={stem: self.whole(stem, Chart) for stem in self.rolled(by_cells=False)},
        )

    def rolled(self, *, by_cells: bool) -> list[str]:
        """The files that no chapter reads: D66 tables, or charts."""
        return [
            stem
            for stem in self.files
            if stem in self.rest and (self.files[stem].get("roll") == D66) == by_cells
        ]

    @contextmanager
    def faults_of(self, stem: str) -> Iterator[None]:
        """Turns a ValueError within into a BrokenBook that names this file."""
        try:
            yield
        except ValueError as wrong:
            raise BrokenBook(file=f"{self.where}/{stem}.toml", fault=str(wrong)) from wrong

    def check(self, book: Book) -> None:
        """Checks what files say of each other. Raises BrokenBook."""
        with self.faults_of("knobs"):
            named = [(f"knob {knob.name}, section", knob.section) for knob in book.knobs.values()]
            refuse_unknown(named, book.sections, "section of this book")
        for stem, table in book.tables.items():
            self.check_lines(stem, table.id, table.rows, book)
        for stem, chart in book.charts.items():
            self.check_lines(stem, chart.id, chart.bands, book)
        with self.faults_of("advancements"):
            named = book.advancement_rules.characteristics() if book.advancement_rules is not None else []
            refuse_unknown(named, book.characteristics, "characteristic")
        with self.faults_of("post_battle"):
            steps = book.post_battle_rules.steps if book.post_battle_rules is not None else ()
            named = [(f"step {step.step}, section", step.section) for step in steps]
            refuse_unknown(named, book.sections, "section of this book")
        with self.faults_of("mutations"):
            mutations = book.mutation_rules.mutations if book.mutation_rules is not None else ()
            named = [(f"mutation {mutation.id}, instead_of", mutation.instead_of) for mutation in mutations]
            rows = [row.id for row in book.lasting_injuries.rows] if named else []
            refuse_unknown(named, rows, "row of lasting_injuries.toml")
        with self.faults_of("traits"):
            for trait in book.traits.values():
                _check_dice(trait.trait, trait.effects, book)
        with self.faults_of("skills"):
            for skill in book.skills.values():
                _check_dice(skill.skill, skill.effects, book)
        if book.vehicle_rules is not None:
            with self.faults_of("vehicles"):
                _check_vehicles(book.vehicle_rules, book.special_dice)

    def check_lines(self, stem: str, name: str, lines: Sequence[Row | Band], book: Book) -> None:
        """Checks that a table's file has its name, and that its effects name what exists. Raises
        BrokenBook.
        """
        with self.faults_of(stem):
            if name != stem:
                raise ValueError(f"holds {name}, whose file is {name}.toml")
            for line in lines:
                _check_effects(line, book)


def _special_dice(dice: _Dice, knobs: Mapping[str, Knob]) -> dict[str, dict[str, SpecialDie]]:
    special: dict[str, dict[str, SpecialDie]] = {}
    for die in dice.dice:
        also_called = dict(dice.also_called.get(die.name, {}))
        made = SpecialDie(name=die.name, symbols=die.symbols, also_called=also_called)
        special.setdefault(die.name, {})[die.variant] = made
    for name, variants in special.items():
        knob = knobs.get(die_knob(name))
        choices = set(knob.choices) if knob is not None else set(variants) if len(variants) == 1 else set()
        if choices != set(variants):
            raise ValueError(
                f"the variants of the {name} die are not the choices of the knob {die_knob(name)}"
            )
    return special


def _purpose(purpose: _Purpose, special_dice: Mapping[str, Mapping[str, SpecialDie]]) -> DicePurpose:
    variants = special_dice.get(purpose.die)
    if variants is None and purpose.die not in PLAIN_DICE:
        raise ValueError(f"the purpose {purpose.name} asks for an unknown die {purpose.die}")
    # Every variant shows the same pictures, so any of them reads what was typed.
    special = next(iter(variants.values())) if variants is not None else None
    return DicePurpose(name=purpose.name, die=purpose.die, special=special, about=purpose.about)


def _check_effects(line: Row | Band, book: Book) -> None:
    for effect in line.effects:
        if isinstance(effect, Reduce | Improve):
            named = [(f"{line.id}, effects, characteristic", effect.characteristic)]
            refuse_unknown(named, book.characteristics, "characteristic")
        for purpose, die in _asked(effect):
            if purpose not in book.purposes or book.purposes[purpose].die != die:
                raise ValueError(f"{line.id} asks for {purpose!r} by {die}, which dice.toml does not know")


def _check_dice(name: str, effects: Sequence[DeclaredEffect], book: Book) -> None:
    """Checks that every die of a trait or a skill is in dice.toml."""
    for purpose, die in (asked for effect in effects for asked in effect.purposes()):
        if purpose not in book.purposes or book.purposes[purpose].die != die:
            raise ValueError(f"{name} asks for {purpose!r} by {die}, which dice.toml does not know")


def _asked(effect: Effect) -> Sequence[tuple[str, str]]:
    match effect:
        case Experience():
            return [(effect.purpose, effect.dice)]
        case RollAgain():
            return [(effect.count_purpose, effect.dice), (effect.purpose, D66)]
        case _:
            return ()


def _check_vehicles(vehicles: VehicleRules, special_dice: Mapping[str, Mapping[str, SpecialDie]]) -> None:
    for name in (LOCATION_DIE, DAMAGE_DIE, CONTROL_DIE):
        if name not in special_dice:
            raise ValueError(f"vehicles need a {name} die")
    vehicles.check_cells(_symbols(special_dice[LOCATION_DIE]), _symbols(special_dice[DAMAGE_DIE]))


def _symbols(variants: Mapping[str, SpecialDie]) -> Collection[str]:
    return dict.fromkeys(next(iter(variants.values())).symbols)


def digest_of(content: object) -> str:
    """The SHA-256 of this content, in hexadecimal."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
