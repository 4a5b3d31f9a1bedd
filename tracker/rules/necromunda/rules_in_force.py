"""Rules in force: the traits and skills of an attack, by trigger and with their conditions.

Knows rows and numbers. Knows no campaign and rolls nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, assert_never

from tracker.records import Record
from tracker.rules.necromunda.weapon_traits import trait_keys
from tracker.rules.rulebook import Book
from tracker.rules.special_rules import Bearer, Condition, DeclaredEffect, Trigger, place_of

RangeBand: TypeAlias = Literal["short", "long", "beyond"]
KNOWN_MAX: Final = 4096
"""The number of attacks whose rules are cached, by weapon, attacker and target."""
FIGHTS_AND_ROUNDS: Final = 2
"""The stage of the rules from which on they act in close combat, and battles count rounds (ADR 29)."""
REST_OF_THE_BOOK: Final = 3
"""The stage from which on what was left acts: what stage 1 (shots, hits, conditions) and 2 do not have."""
LATER_READINGS: Final = 4
"""The stage from which on later readings of it count, such as what a fight says against a vehicle."""
FURTHER_READINGS: Final = 5
"""The stage from which on the Mounted retreat better by themselves, and a die at the save is rolled once."""
WHOLE_BOOK: Final = FURTHER_READINGS
"""The stage of the rules by which a battle is played that is recorded now. A later one is a higher number."""


class RuleInForce(Record):
    """One effect of a trait or a skill; `name` as printed, `section` its place in the book."""

    rule: str
    name: str
    bearer: Bearer
    declared: DeclaredEffect
    section: str

    @property
    def is_skill(self) -> bool:
        """Whether it belongs to a skill, the book's or the table's own; else to a trait."""
        return self.section == "skills" or self.section.startswith("skill.")

    def asks_for_none(self, *, vehicle: bool) -> bool:
        """Whether its die needs a number that such a target lacks, as a table's own row may."""
        needs = self.declared.roll.needs if self.declared.roll is not None else None
        if vehicle:
            return needs in ("target_strength", "up_to_strength")
        return needs in ("rear_toughness", "handling")


class SpecialRules:
    """The effects of an attack by the trigger at which they act, in their order."""

    __slots__ = ("_by_trigger", "compared_by")

    def __init__(self, compared_by: tuple[object, ...], rules: list[RuleInForce]) -> None:
        # Two of one book that come from the same names are the same.
        self.compared_by = compared_by
        self._by_trigger: dict[Trigger, tuple[RuleInForce, ...]] = {}
        for rule in rules:
            trigger = rule.declared.when
            self._by_trigger[trigger] = (*self._by_trigger.get(trigger, ()), rule)

    def at(self, trigger: Trigger) -> tuple[RuleInForce, ...]:
        """The effects at a trigger, in order."""
        return self._by_trigger.get(trigger, ())

    def at_any(self) -> tuple[RuleInForce, ...]:
        """The effects at any of these triggers."""
        return tuple(rule for rules in self._by_trigger.values() for rule in rules)

    def ask_about(self, *conditions: Condition) -> bool:
        """Whether any effect depends on one of these conditions."""
        return any(
            condition in rule.declared.conditions for rule in self.at_any() for condition in conditions
        )


_known: dict[tuple[object, ...], SpecialRules | None] = {}


def skill_key(printed: str) -> str:
    """The key of a skill in the book's table: 'True Grit' is 'true_grit'."""
    return printed.partition("(")[0].strip().lower().replace(" ", "_").replace("-", "_")


def special_rules(
    book: Book,
    *,
    traits: tuple[str, ...],
    skills: tuple[str, ...],
    against_skills: tuple[str, ...],
    against_traits: tuple[str, ...],
    stage: int = WHOLE_BOOK,
    against: Literal["fighter", "vehicle"] = "fighter",
) -> SpecialRules | None:
    """The effects of an attack, None without any: those of the weapon's traits, of the skills on both sides,
    and of the traits of what the target carries, as far as they are in effect at this stage (ADR 29).
    """
    key = (book.digest, traits, skills, against_skills, against_traits, stage, against)
    if key not in _known:
        if len(_known) >= KNOWN_MAX:
            _known.clear()
        rules = [
            *_of_traits(book, traits, "attacker"),
            *_of_skills(book, skills, "attacker"),
            *_of_skills(book, against_skills, "target"),
            *_of_traits(book, against_traits, "target"),
        ]
        rules = [rule for rule in rules if rule.declared.acts_in(stage)]
        rules = [rule for rule in rules if rule.declared.against in (against, "any")]
        rules.sort(key=lambda rule: place_of(rule.declared.then))
        _known[key] = SpecialRules(key[1:], rules) if rules else None
    return _known[key]


def _of_traits(book: Book, printed: tuple[str, ...], bearer: Bearer) -> Iterator[RuleInForce]:
    known = book.traits
    for key in dict.fromkeys(trait_keys(printed)):
        row = known.get(key)
        for declared in row.effects if row is not None else ():
            if declared.bearer == bearer:
                name = (row.name if row is not None else "") or key
                section = _section(book, f"trait.{key}", "weapon_traits")
                yield RuleInForce(rule=key, name=name, bearer=bearer, declared=declared, section=section)


def _of_skills(book: Book, printed: tuple[str, ...], bearer: Bearer) -> Iterator[RuleInForce]:
    known = book.skills
    for key in dict.fromkeys(map(skill_key, printed)):
        row = known.get(key)
        for declared in row.effects if row is not None else ():
            if declared.bearer == bearer:
                name = row.name if row is not None else key
                section = _section(book, f"skill.{key}", "skills")
                yield RuleInForce(rule=key, name=name, bearer=bearer, declared=declared, section=section)


def _section(book: Book, own: str, printed: str) -> str:
    """The section of a row; for a table's own row its house rule."""
    return own if own in book.sections else printed


class Situation(Record):
    """The facts that conditions ask about: stated ones, and those that the battle knew before the hit.

    `band` None: not stated, or there is none. `behind`: the attacker, or a marker's centre, is outside the
    target's vision arc; None, not stated, counts as from the front. `traits` are the weapon's own.
    `by_nobody`: a fall, an impact or a fire, without a shot or a weapon.
    """

    attack: bool = True
    by_nobody: bool = False
    melee: bool = False
    band: RangeBand | None = None
    any_range_is_short: bool = False
    area: bool = False
    behind: bool | None = None
    prone: bool = False
    engaged: bool = False
    cover: bool = False
    first_hit: bool = True
    charging: bool = False
    reaction: bool = False
    mounted: bool = False
    psyker: bool = False
    against_psyker: bool = False
    interrupting: bool = False
    aiming: bool = False
    named_die: bool = False
    melee_weapon: bool = False
    traits: tuple[str, ...] = ()
    armour_penetration: int = 0
    hit_face: int | None = None
    wound_face: int | None = None
    target_strength: int = 0
    hit_last: bool = True


def holds(condition: Condition, now: Situation, rule: RuleInForce) -> bool:
    """Whether a condition of a rule is met."""
    match condition:
        case "attack":
            return now.attack
        case "melee":
            return now.melee
        case "ranged":
            return not now.melee and not now.by_nobody
        case "short_range":
            return not now.melee and (now.any_range_is_short or now.band == "short")
        case "long_range":
            return not now.melee and now.band in ("long", "beyond")
        case "area":
            return now.area
        case "no_area":
            return not now.area
        case "behind":
            return now.behind is True
        case "in_front":
            return now.behind is not True
        case "standing":
            return not now.prone
        case "active":
            return not now.prone and not now.engaged
        case "prone":
            return now.prone
        case "in_the_open":
            return not now.cover
        case "first_hit":
            return now.first_hit
        case "no_armour_penetration":
            return now.armour_penetration == 0 and not now.by_nobody
        case "charging":
            return now.charging
        case "reaction":
            return now.reaction
        case "on_foot":
            return not now.mounted
        case "psyker":
            return now.psyker
        case "against_psyker":
            return now.against_psyker
        case "interrupting":
            return now.interrupting
        case "named_die":
            return now.named_die
        case "natural_5_to_hit":
            return now.hit_face is not None and now.hit_face >= 5
        case "aiming":
            return now.aiming
        case "natural_6_to_hit":
            return now.hit_face is not None and now.hit_face == 6
        case "natural_6_to_wound":
            return now.wound_face is not None and now.wound_face == 6
        case "hit_reaches_strength":
            return now.hit_face is not None and now.hit_face >= now.target_strength
        case "hit_last":
            return now.hit_last
        case "wielder_of_melee":
            return now.melee_weapon
        case "has_it_already":
            return rule.rule in map(skill_key, now.traits)
    assert_never(condition)


def all_hold(rule: RuleInForce, now: Situation) -> bool:
    """Whether every condition of a rule is met."""
    return all(holds(condition, now, rule) for condition in rule.declared.conditions)
