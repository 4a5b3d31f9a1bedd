"""Traits, skills and conditions by their printed names: what each does here, in our own words.

Knows the rows of a book as they act now. Knows no campaign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from tracker.campaign.steps.effect_words import words_for
from tracker.records import Record, replace
from tracker.reports.cards import display_name
from tracker.reports.page import Page, Text
from tracker.reports.plain_data import plain_data
from tracker.rules import special_rules as rules
from tracker.rules.combat_tables import Natural6, WeaponTrait
from tracker.rules.necromunda.rules_in_force import WHOLE_BOOK, skill_key
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.rulebook import Book
from tracker.rules.special_rules import Condition, DeclaredEffect, SkillRow, Trigger

Kind: TypeAlias = Literal["trait", "skill", "condition"]

_WHEN: Final[Mapping[Trigger, str]] = {
    "weapons": "at the choice of weapons for close combat",
    "attack_dice": "at the Attack dice",
    "assist": "where a friend assists",
    "target_priority": "before target priority",
    "hit_roll": "at the hit roll",
    "missed": "on a miss",
    "hits_scored": "when all hit rolls of a fight are made",
    "ammo_test": "at an Ammo test",
    "beneath": "before a Blast or Template hits who lies beneath",
    "pinning": "where a hit would pin",
    "hit": "on the hit",
    "wound_roll": "in place of the wound roll",
    "wounded": "on a wound roll that passed",
    "save": "at the save",
    "unsaved": "when nothing saved",
    "damage": "at the Damage",
    "injury_dice": "before the Injury dice",
    "injured": "after the Injury dice",
    "after_attack": "when the attack is over",
    "consolidation": "at the consolidation",
    "end_phase": "in the End phase",
    "vehicle_moves": "at a Move or Ram of the vehicle",
    "head_on": "when the vehicle collides head-on",
}
_IF: Final[Mapping[Condition, str]] = {
    "attack": "by an attack, not a fall",
    "melee": "in close combat",
    "ranged": "by a shot",
    "short_range": "within Short range (at any, if the weapon has none)",
    "long_range": "beyond Short range",
    "area": "by a Blast or Template",
    "no_area": "by no Blast or Template",
    "behind": "from outside the target's vision arc",
    "in_front": "from within the target's vision arc",
    "standing": "the target stands",
    "active": "the target stands and is not engaged",
    "prone": "the target is Prone",
    "in_the_open": "the target has no cover",
    "first_hit": "the first hit of the roll",
    "no_armour_penetration": "without AP",
    "charging": "the attacker charges",
    "reaction": "as a Reaction",
    "on_foot": "the attacker is not Mounted",
    "psyker": "the attacker is a psyker",
    "against_psyker": "the target is a psyker",
    "aiming": "the attacker aims",
    "interrupting": "as an interruption",
    "named_die": "with the die named before the roll",
    "natural_6_to_hit": "a natural 6 to hit",
    "natural_5_to_hit": "a natural 5 or 6 to hit",
    "natural_6_to_wound": "a natural 6 to wound",
    "hit_reaches_strength": "the hit die is at least the target's Strength",
    "hit_last": "the attack hit nobody after the target",
    "wielder_of_melee": "with a Melee weapon",
    "has_it_already": "the weapon has the trait already",
}
_NEEDS: Final[Mapping[rules.Needs, str]] = {
    "toughness": "at least the target's Toughness, a natural 6 always",
    "rear_toughness": "at least the Toughness of the rear, a natural 6 always",
    "up_to_strength": "at most the target's Strength, a natural 6 never",
    "target_strength": "at least the target's Strength",
    "initiative": "an Initiative test",
    "cool": "a Cool test",
    "willpower": "a Willpower test",
    "intelligence": "an Intelligence test",
    "leadership": "a Leadership test",
    "handling": "a Handling test",
}
_DECIDED_BY: Final[Mapping[rules.DecidedBy, str]] = {
    "movement": "movement",
    "sight": "sight",
    "order_of_play": "the order of play",
    "setting_up": "setting up",
    "equipment": "equipment",
    "scenery": "the scenario's scenery",
}


class NamedRule(Record):
    """A trait, skill or condition of a book. `does` is a sentence for each of its effects."""

    kind: Kind
    id: str
    name: str
    set: str | None
    source: str
    does: tuple[str, ...]
    at_the_table: str | None
    asks_for_nothing: rules.DecidedBy | None
    books: tuple[str, ...]


def names_of_rules(book: Book) -> Iterator[str]:
    """The names of a book's traits, skills and conditions."""
    for rule in _of_book(book):
        yield rule.id


def named_rules(name: str, books: Sequence[Book]) -> tuple[NamedRule, ...]:
    """Every trait, skill and condition of that name; identical ones of several books are listed once."""
    found: dict[NamedRule, tuple[str, ...]] = {}
    for book in books:
        wanted = {skill_key(name), skill_key(book.trait_spelt(trait_key(name)))}
        for rule in _of_book(book):
            if wanted & {skill_key(rule.id), skill_key(rule.name)}:
                found[rule] = (*found.get(rule, ()), book.title)
    return tuple(replace(rule, books=titles) for rule, titles in found.items())


def named_rules_page(found: Sequence[NamedRule]) -> Page:
    """The rules of a name: their kind, their books, and their effects."""
    return Page(
        schema="named-rules",
        blocks=lambda: [[Text(list(_lines(rule)))] for rule in found],
        data=lambda: {"rules": [plain_data(rule) for rule in found]},
    )


def _lines(rule: NamedRule) -> Iterator[str]:
    kind = f"{display_name(rule.set)} skill" if rule.set else rule.kind
    yield f"{rule.name} ({kind}) · {', '.join(rule.books)}"
    yield f"Source: {rule.source}"
    yield from (f"  {sentence}" for sentence in rule.does)
    if rule.at_the_table is not None:
        yield f"  At the table: {rule.at_the_table}."
    if rule.asks_for_nothing is not None:
        yield f"  It asks for no dice here: {_DECIDED_BY[rule.asks_for_nothing]} alone decides it."


def _of_book(book: Book) -> Iterator[NamedRule]:
    for trait in book.traits.values():
        yield _of_row(book, "trait", trait.trait, trait, "weapon_traits", _of_hits(trait))
    for key, elsewhere in book.traits_elsewhere.items():
        if key not in book.traits:
            yield NamedRule(
                kind="trait",
                id=key,
                name=display_name(key.replace("-", "_")),
                set=None,
                source=book.sections[elsewhere.section],
                does=(_sentence(elsewhere.does),),
                at_the_table=None,
                asks_for_nothing=None,
                books=(),
            )
    for skill in book.skills.values():
        yield _of_row(book, "skill", skill.skill, skill, "skills", ())
    conditions = book.condition_rules
    for row in conditions.rows if conditions is not None else ():
        assert conditions is not None, "it has rows"
        yield NamedRule(
            kind="condition",
            id=row.condition,
            name=row.name,
            set=None,
            source=f"{book.sections['conditions']} · {row.name}",
            does=(_sentence(conditions.words_for(row)),),
            at_the_table=None,
            asks_for_nothing=None,
            books=(),
        )


def _of_row(
    book: Book, kind: Kind, key: str, row: WeaponTrait | SkillRow, section: str, of_hits: tuple[str, ...]
) -> NamedRule:
    name = row.name or display_name(key.replace("-", "_"))
    acting = [effect for effect in row.effects if effect.acts_in(WHOLE_BOOK)]
    return NamedRule(
        kind=kind,
        id=key,
        name=name,
        set=row.of_set if isinstance(row, SkillRow) else None,
        source=f"{book.sections[section]} · {name}" if section in book.sections else book.title,
        does=(*of_hits, *map(effect_in_sentence, acting)),
        at_the_table=row.at_the_table or None,
        asks_for_nothing=row.asks_for_nothing,
        books=(),
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def effect_in_sentence(effect: DeclaredEffect) -> str:
    """'On a wound roll that passed, of who has it as the target, if by an attack: a D6 of 6+: no effect.'"""
    parts = [_WHEN[effect.when]]
    if effect.bearer == "target":
        parts.append("of who is attacked" if effect.against == "fighter" else "of the vehicle's driver")
    elif effect.against == "vehicle":
        parts.append("against a vehicle")
    if effect.conditions:
        parts.append(f"if {' and '.join(_IF[condition] for condition in effect.conditions)}")
    then = _then(effect)
    if effect.once_a_round:
        then += ", once a round"
    return _sentence(f"{', '.join(parts)}: {_die(effect)}{then}")


def _then(effect: DeclaredEffect) -> str:
    """The effect, with numbers that the record's words leave out."""
    match effect.then:
        case rules.RollsAgain(once_a_battle=True):
            return "rolled again, once a battle"
        case rules.ChangesAttackDice(times=times, by=by, each_miss=each_miss, as_weapons=weapons):
            words = [f"the Attacks characteristic times {times}"] if times > 1 else []
            words += [f"{by:+d} Attack dice"] if by else []
            words += (
                [f"{each_miss:+d} Attack dice for each attack of the enemy that missed"] if each_miss else []
            )
            words += [f"counts as {weapons} weapons"] if weapons > 1 else []
            return ", ".join(words)
        case rules.BesideTheWeapons(attack_dice=dice):
            return f"used beside other weapons, {dice:+d} Attack dice"
        case rules.WithoutModifiers(without=without, softer=softer):
            words = [f"no modifier for {' or '.join(without)}"] if without else []
            return ", ".join([*words, *(f"{by:+d} alone for {why}" for why, by in softer.items())])
        case rules.CannotBeParried(but_by=but_by) if but_by is not None:
            return f"parried by no weapon but one with {display_name(but_by)}"
        case rules.Parries(weapons_max=weapons) if weapons > 1:
            return f"a successful hit roll is made again for each such weapon, of {weapons} at most"
        case rules.KnockedBack(inches=inches, else_damage=damage):
            return f'knocked back {inches}", or Damage {damage:+d} where that cannot be'
        case rules.Inflicts(condition="concussed") if effect.against != "fighter":
            return "Initiative 2 worse, a vehicle's Handling tests at -2, to the end of the round"
        case rules.ChangesRoll(by=by) if effect.when == "save":
            return f"{by:+d} to the save, which is 2+ at best"
        case rules.NoFurtherEffect() if effect.when == "hits_scored":
            return "misses; once in each fight"
        case rules.Wounds(location=location, damage=damage) if location is not None and damage is not None:
            return f"hits the {location}, as by a Damage die of {display_name(damage)}"
        case rules.Inflicts(condition="entangled", reactions=by):
            return f"Reaction attacks against this at {by:+d}"
        case rules.WoundRolls():
            return "a D6 says how many wound rolls are made"
        case rules.HitsNext(strength=by):
            return f"goes on to the next in line with Strength {by:+d}"
        case rules.ChangesArmourPenetration():
            return "AP as the setting backstab.armour_penetration says"
        case rules.ChangesDamage(by=by) if effect.against == "vehicle":
            return f"{by:+d} Damage dice"
        case rules.FewerInjuryDice(by=by):
            return f"Injury dice {-by:+d}; a single one becomes two, of which the owner keeps one"
        case rules.NerveTestInstead():
            return "breaks; no Injury roll is made either way"
        case rules.OutOfActionUnrolled():
            return "each Injury die of who comes to 0 Wounds is Out of Action, unrolled"
        case rules.DraggedAlong():
            return "pulled a D3 in inches towards the attacker"
        case rules.MarkerGoes(strikes=True):
            return "the marker hits whom it touches, and goes"
        case rules.MovesFurther(location=location, damage=damage):
            return f"a D3 in inches further, a natural 1: a {display_name(damage)} Hit to the {location}"
        case rules.HardensFront():
            return "Front Toughness higher by a D3"
        case _:
            return words_for(effect)


def _die(effect: DeclaredEffect) -> str:
    """'a D6 of 6+: '; empty if no die decides."""
    if effect.roll is None:
        return ""
    needs = effect.roll.needs
    words = f"a {effect.roll.die} of {needs}+" if isinstance(needs, int) else _NEEDS[needs]
    if not isinstance(needs, int) and "test" not in words:
        words = f"a {effect.roll.die} of {words}"
    modifier = f" at {effect.roll.modifier:+d}" if effect.roll.modifier else ""
    return f"{words}{modifier}, {'failed' if effect.on_failure else 'passed'}: "


def _of_hits(trait: WeaponTrait) -> tuple[str, ...]:
    """The changes that a trait makes to a hit in every battle."""
    does: list[str] = []
    if not trait.pins:
        does.append("its hits do not pin")
    if trait.wound_roll == "by_toughness":
        does.append("in place of the wound roll a D6 of at least the target's Toughness, a natural 6 always")
    if trait.on_wound == "injury_die":
        does.append("who is wounded rolls an Injury die, whatever their Wounds")
    if trait.on_wound == "webbed":
        does.append("who is wounded is Webbed, without a save or an Injury die")
    if trait.saves != "any" and trait.on_wound != "webbed":
        does.append(_SAVES[trait.saves])
    for natural, what in ((trait.on_natural_6_to_hit, "to hit"), (trait.on_natural_6_to_wound, "to wound")):
        if natural != Natural6():
            changes = [_SAVES[natural.saves]] if natural.saves != "any" else []
            changes += [f"Damage {natural.extra_damage:+d}"] if natural.extra_damage else []
            does.append(f"on a natural 6 {what}: {', '.join(changes)}")
    return tuple(map(_sentence, does))


_SAVES: Final = {"none": "no save is made", "field_only": "no save but that of field armour is made"}
