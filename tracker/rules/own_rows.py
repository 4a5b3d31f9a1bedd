"""Own rows: a table's own traits and skills, made of the triggers and effects of the books' rows.

A house rule's patch holds each as JSON under 'skill.<id>' or 'trait.<id>', beside the settings that it moves.
So a row is adopted, repealed, ordered and logged like a setting. Knows no campaign and no file.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import field

from tracker.errors import BadInput, nearest
from tracker.records import Record, converted, decoder_of, replace
from tracker.rules import special_rules as rules
from tracker.rules.book_reading import digest_of
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.conversion import BookTable, Misfit, misfit_of
from tracker.rules.necromunda.rules_in_force import skill_key
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.rulebook import Book
from tracker.rules.special_rules import FORMER_KINDS, ON_TWO_DICE, DeclaredEffect, SkillRow

RowKind: TypeAlias = Literal["trait", "skill"]
ROW_KINDS: Final[tuple[RowKind, ...]] = ("trait", "skill")
OWN_DIE: Final = "own_rule"
OWN_TEST: Final = "own_test"
DRAG_DIE: Final = "drag_inches"
"""The purposes of a row's dice, if it names no purpose of the book."""
NUMBER_MAX: Final = 20
"""The largest number in a row; the smallest is its negative."""
TEXT_MAX: Final = 10_000


class OwnTrait(BookTable):
    """A weapon trait. `replaces`: it replaces the book's row of that name."""

    name: str
    replaces: bool = False
    effects: tuple[DeclaredEffect, ...] = field(name="effect", default=())
    at_the_table: str = ""


class OwnSkill(OwnTrait):
    """A skill, and the set that it is learned from, if any."""

    of_set: str = field(name="set", default="")


_FORMS: Final[Mapping[RowKind, type[OwnTrait]]] = {"trait": OwnTrait, "skill": OwnSkill}


class OwnRow(Record):
    """One row of a house rule, with the version of that rule."""

    kind: RowKind
    id: str
    row: OwnTrait
    policy: str = ""

    @property
    def name(self) -> str:
        """The row's key in a patch."""
        return f"{self.kind}.{self.id}"


class OwnRowRefused(BadInput):
    """The {kind} {row!r}: {fault}. See docs/formats/house-rule.md."""

    kind: str
    row: str
    fault: str


def split(patch: Mapping[str, str]) -> tuple[dict[str, str], tuple[OwnRow, ...]]:
    """The settings that a patch moves, and the rows that it holds. Raises OwnRowRefused."""
    settings = {name: value for name, value in patch.items() if kind_of(name) is None}
    return settings, tuple(_rows(patch))


def kind_of(name: str) -> RowKind | None:
    """The kind of row that a key of a patch stands for; None for a setting."""
    kind, dot, _ = name.partition(".")
    return next((known for known in ROW_KINDS if dot and kind == known), None)


def _rows(patch: Mapping[str, str]) -> Iterator[OwnRow]:
    for name, text in patch.items():
        kind = kind_of(name)
        if kind is None:
            continue
        row_id = name.partition(".")[2]
        try:
            content = decoder_of(dict[str, Any]).decode(text[:TEXT_MAX])
        except (msgspec.DecodeError, RecursionError) as wrong:
            raise OwnRowRefused(kind=kind, row=row_id, fault="its row is no table") from wrong
        fault = fault_in(kind, content)
        if fault is not None:
            raise OwnRowRefused(kind=kind, row=row_id, fault=fault.said())
        own = own_row(kind, content)
        if own.id != row_id:
            raise OwnRowRefused(kind=kind, row=row_id, fault=f"its name {own.row.name!r} has another id")
        yield own


def own_row(kind: RowKind, content: Mapping[str, Any]) -> OwnRow:
    """The row of this content, which must have been checked."""
    row: OwnTrait = converted(_as_called_now(content), _FORMS[kind])
    return OwnRow(kind=kind, id=id_of(kind, row.name), row=row)


def _as_called_now(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with today's names of kinds of effects. A patch keeps the names that it was written
    with.
    """
    row = copy.deepcopy(dict(content))
    effects = row.get("effect")
    for effect in effects if isinstance(effects, list) else ():
        then = effect.get("then") if isinstance(effect, dict) else None
        if isinstance(then, dict) and isinstance(then.get("kind"), str):
            then["kind"] = FORMER_KINDS.get(then["kind"], then["kind"])
    return row


# --- as a file writes them --------------------------------------------------------------------------------


def id_of(kind: RowKind, name: str) -> str:
    """The id of a row by its name, by which cards find it."""
    return trait_key(name) if kind == "trait" else skill_key(name)


def with_purposes(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content as written, with a purpose for each die without one."""
    row = copy.deepcopy(dict(content))
    effects = row.get("effect")
    for effect in effects if isinstance(effects, list) else ():
        if not isinstance(effect, dict):
            continue
        roll, then = effect.get("roll"), effect.get("then")
        if isinstance(roll, dict):
            needs = roll.get("needs")
            two = isinstance(needs, str) and needs in ON_TWO_DICE
            roll.setdefault("purpose", OWN_TEST if two else OWN_DIE)
        if isinstance(then, dict) and then.get("kind") in ("wound_rolls", "dragged_along"):
            then.setdefault("purpose", OWN_DIE if then["kind"] == "wound_rolls" else DRAG_DIE)
    return row


def as_text(content: Mapping[str, Any]) -> str:
    """The row as a patch holds it."""
    return msgspec.json.encode(content, order="sorted").decode()


def fault_in(kind: RowKind, content: Mapping[str, Any]) -> Misfit | None:
    """The fault of a row by itself and its place in the row, or None."""
    content = _as_called_now(content)
    wrong = misfit_of(content, _FORMS[kind])
    if wrong is not None:
        return wrong
    row: OwnTrait = converted(content, _FORMS[kind])
    if not id_of(kind, row.name) or "(" in row.name:
        return Misfit(
            path=("name",), what=f"{row.name!r} is no name for a {kind}: expected words without brackets"
        )
    if not row.effects and not row.at_the_table:
        return Misfit(
            path=(), what="has no `effect`, and says nothing in `at_the_table`: expected one of them"
        )
    far = next(_numbers_too_large(content, ()), None)
    if far is not None:
        return far
    return next((wrong for place, effect in enumerate(row.effects) if (wrong := _odd(effect, place))), None)


def _numbers_too_large(content: Any, path: tuple[str | int, ...]) -> Iterator[Misfit]:
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _numbers_too_large(value, (*path, key))
    elif isinstance(content, list):
        for place, value in enumerate(content):
            yield from _numbers_too_large(value, (*path, place))
    elif type(content) is int and not -NUMBER_MAX <= content <= NUMBER_MAX:
        yield Misfit(
            path=path, what=f"found {content}, expected a whole number from -{NUMBER_MAX} to {NUMBER_MAX}"
        )


def _odd(effect: DeclaredEffect, place: int) -> Misfit | None:
    """Numbers that no die and no rule can use."""
    path: tuple[str | int, ...] = ("effect", place)
    if effect.roll is not None and isinstance(effect.roll.needs, int) and not 2 <= effect.roll.needs <= 6:
        what = f"found {effect.roll.needs}, expected a face from 2 to 6, or what is tested"
        return Misfit(path=(*path, "roll", "needs"), what=what)
    for key in ("times", "inches"):
        number = getattr(effect.then, key, 1)
        if number < 1:
            return Misfit(path=(*path, "then", key), what=f"found {number}, expected a number from 1 on")
    return None


_NO_DIE_AT: Final = frozenset({
    "weapons", "attack_dice", "assist", "target_priority", "ammo_test", "consolidation",
})  # fmt: skip
"""The triggers at which nothing rolls a die of a row."""


def unheeded(kind: RowKind, content: Mapping[str, Any]) -> Misfit | None:
    """Where a row without a fault has a die or a condition that nobody would heed, or lacks a die it needs.

    Only for new rows: those of older house rules act as they did.
    """
    for place, effect in enumerate(own_row(kind, content).row.effects):
        named = f"{effect.then.kind} at {effect.when}"
        if _acts_by_a_die(effect):
            if effect.roll is None:
                return Misfit(path=("effect", place), what=f"{named} comes about by a die: expected `roll`")
        elif effect.roll is not None and _rolls_none(effect):
            what = f"no die is rolled for {named}, so it would always act: take `roll` out"
            return Misfit(path=("effect", place, "roll"), what=what)
        if effect.when == "ammo_test" and effect.conditions:
            what = f"no condition is looked at for {named}, so it would always act: take `if` out"
            return Misfit(path=("effect", place, "if"), what=what)
    return None


def _acts_by_a_die(effect: DeclaredEffect) -> bool:
    wards_off = effect.when == "hits_scored" and isinstance(effect.then, rules.NoFurtherEffect)
    return wards_off or isinstance(effect.then, rules.NerveTestInstead)


def _rolls_none(effect: DeclaredEffect) -> bool:
    return effect.when in (*_NO_DIE_AT, "hits_scored") or isinstance(effect.then, rules.WoundRolls)


# --- beside a book ----------------------------------------------------------------------------------------


def check_rows(book: Book, rows: tuple[OwnRow, ...]) -> None:
    """Raises OwnRowRefused when a row does not go with this book."""
    for own in rows:
        wrong = fault_beside(book, own)
        if wrong is not None:
            raise OwnRowRefused(kind=own.kind, row=own.row.name, fault=wrong.said())


def fault_beside(book: Book, own: OwnRow) -> Misfit | None:
    """The reason why a row does not go with a book, and its place in the row; or None."""
    if not book.skills:
        return Misfit(path=("name",), what=f"{book.title} has no traits and skills as rows")
    known = book.traits if own.kind == "trait" else book.skills
    if own.kind == "trait" and (own.id in book.traits_elsewhere or own.id in book.resolving):
        what = f"{own.row.name} is resolved in places of its own by this program, so no row can replace it"
        return Misfit(path=("name",), what=f"{what}: give yours another name")
    if own.id in known and not own.row.replaces:
        what = f"{own.row.name} is a {own.kind} of {book.title}: give yours another name, or write"
        return Misfit(path=("name",), what=f"{what} `replaces = true` to play yours in its place")
    if own.row.replaces and own.id not in known:
        near = nearest(own.id, known).strip()
        what = f"{book.title} has no {own.kind} {own.row.name!r} to replace"
        return Misfit(path=("replaces",), what=f"{what}. {near}".strip(" ?.") + ("?" if near else ""))
    for place, effect in enumerate(own.row.effects):
        for purpose, die in effect.purposes():
            if purpose not in book.purposes or book.purposes[purpose].die != die:
                dice = [name for name, known_die in book.purposes.items() if known_die.die == die]
                near = nearest(purpose, dice).strip()
                what = (
                    f"{purpose!r} is nothing that {book.title} rolls a {die} for. {near or 'Leave it out.'}"
                )
                return Misfit(path=("effect", place), what=what.rstrip("."))
    return None


def with_rows(book: Book, rows: tuple[OwnRow, ...]) -> Book:
    """The book with rows of a table's own beside its own, or in their place."""
    if not rows:
        return book
    traits, skills = dict(book.traits), dict(book.skills)
    for own in rows:
        row = own.row
        if isinstance(row, OwnSkill):
            skills[own.id] = SkillRow(
                skill=own.id,
                name=row.name,
                of_set=row.of_set,
                effects=row.effects,
                at_the_table=row.at_the_table,
            )
        else:
            traits[own.id] = WeaponTrait(
                trait=own.id, name=row.name, effects=row.effects, at_the_table=row.at_the_table
            )
    # Attacks are remembered by the digest of the book that their rules come from.
    digest = digest_of({"book": book.digest, "own_rows": {own.name: repr(own) for own in rows}})
    sections = {**book.sections, **{own.name: f"House rule {own.policy}" for own in rows}}
    return replace(book, traits=traits, skills=skills, digest=digest, sections=sections, without_own=book)


# --- in words ---------------------------------------------------------------------------------------------


def in_words(own: OwnRow) -> tuple[str, ...]:
    """A row as people read it: its name, then a line for each effect and for what the table decides."""
    row = own.row
    of_set = f" ({row.of_set})" if isinstance(row, OwnSkill) and row.of_set else ""
    place = ", in place of the book's" if row.replaces else ""
    lines = [f"{own.kind} {row.name}{of_set}{place}"]
    lines += [f"    {effect_in_words(effect)}" for effect in row.effects]
    return (*lines, *([f"    at the table: {row.at_the_table}"] if row.at_the_table else []))


def effect_in_words(effect: DeclaredEffect) -> str:
    """'wounded, as the target, if attack: D6 5+: no_further_effect'."""
    parts: list[str] = [effect.when]
    if effect.bearer == "target":
        parts.append("as the target")
    if effect.conditions:
        parts.append(f"if {' and '.join(effect.conditions)}")
    named = ((name, getattr(effect.then, name)) for name in effect.then.__struct_fields__)
    numbers = [f"{name} {number}" for name, number in named if number is not None]
    then = f"{effect.then.kind} ({', '.join(numbers)})" if numbers else effect.then.kind
    if effect.roll is None:
        return f"{', '.join(parts)}: {then}"
    needs = f"{effect.roll.needs}+" if isinstance(effect.roll.needs, int) else effect.roll.needs
    modifier = f" at {effect.roll.modifier:+d}" if effect.roll.modifier else ""
    failed = ", failed" if effect.on_failure else ""
    return f"{', '.join(parts)}: {effect.roll.die} {needs}{modifier}{failed}: {then}"


def patch_in_words(patch: Mapping[str, str], printed: Mapping[str, str] | None = None) -> list[str]:
    """A patch line by line: 'knob: printed -> played', and each row that it holds."""
    settings, rows = split(patch)
    moved = [
        f"{name}: {printed.get(name, '?')} -> {value}" if printed is not None else f"{name} = {value}"
        for name, value in sorted(settings.items())
    ]
    return [*moved, *(line for own in rows for line in in_words(own))]
