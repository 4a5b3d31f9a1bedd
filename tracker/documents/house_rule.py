"""A table's own house rule: a TOML file like those of the program, with its `format`.

Knows its format, the knobs of the books, and the format of a table's own traits and skills. Knows no
campaign: adopting the rule checks whether it fits the book.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from tracker.documents.nodes import Document, Node, Path, Place, shown
from tracker.documents.refusals import Misplaced
from tracker.documents.text import Name, Note, Slug, expected
from tracker.documents.validation import Problems, StrictModel, fault, read_as
from tracker.documents.yaml_reader import read_text
from tracker.errors import nearest
from tracker.rules import loader, own_rows
from tracker.rules.conversion import Misfit
from tracker.rules.rulebook import Book, Policy

FORMAT: Final = "house-rule/1"
SUFFIX: Final = ".toml"
VERSION_MAX: Final = 999

_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_.-]+))\s*=""")
_HEAD = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_-]+(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*\]")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class NotToml(Misplaced):
    """this is not TOML: {what}. Text stands in quotes; a list stands in [ ]."""

    what: str


def _version(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= VERSION_MAX:
        raise expected(f"a whole number from 1 to {VERSION_MAX}, without quotes")
    return given


ROWS_MAX: Final = 50


class HouseRuleContent(StrictModel):
    """What a house rule changes: settings, weapon traits and skills."""

    patch: dict[str, str] = Field(default={}, max_length=50)
    """Settings and their values, as `arbitrator rules list` prints them."""
    trait: list[dict[str, Any]] = Field(default=[], max_length=ROWS_MAX)
    """Weapon traits of the table's own: `name`, `effect` or `at_the_table`, and `replaces` where it takes the
    place of the book's."""
    skill: list[dict[str, Any]] = Field(default=[], max_length=ROWS_MAX)
    """Skills of the table's own, written as traits are, with their `set`."""

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not (self.patch or self.trait or self.skill):
            raise fault("it changes nothing: write a `patch`, a `trait` or a `skill`.")
        return self


class HouseRuleFile(HouseRuleContent):
    """A house rule of a table's own."""

    format: Literal["house-rule/1"]
    """Always house-rule/1."""
    id: Slug
    """What commands call it, such as no-stray-shots; none of the program's own."""
    version: Annotated[int, BeforeValidator(_version), Field(ge=1, le=VERSION_MAX)]
    """1 for the first. Who changes the rule raises it: a version that was adopted stays as it is."""
    title: Name
    """What people call it."""
    about: Note
    """What it says, in a sentence or two."""
    source: Name = "House rule"
    """Whose it is, or where it is written."""
    tags: list[Name] = Field(default=[], max_length=10)
    """Words to find it by."""


def is_house_rule_file(named: str) -> bool:
    """Whether a house rule was named by its file."""
    return named.casefold().endswith(SUFFIX)


def policy_called(named: str) -> Policy:
    """The program's house rule of that name, or the one in that TOML file.

    Raises UnknownPolicy, or refuses the file.
    """
    return read_house_rule(named) if is_house_rule_file(named) else loader.policy(named)


def read_house_rule(path: str) -> Policy:
    """The house rule in a file. Refuses what is not written as one, and what no book has."""
    file, text = read_text(path)
    document = _document(text, file)
    written = read_as(HouseRuleFile, document, version=FORMAT, what="house rule", begin='format = "{}"')
    problems = Problems(document, "house rule")
    shipped = {policy.policy for policy in loader.policies().values()}
    if written.id in shipped:
        problems.add(("id",), f"{written.id!r} is a house rule of the program: give yours another id.")
    books = [loader.book(name) for name in loader.book_names()]
    patch = patch_of(written, books, (), problems)
    problems.refuse()
    return Policy(
        policy=written.id,
        version=written.version,
        title=written.title,
        about=written.about,
        source=written.source,
        tags=tuple(written.tags),
        patch=patch,
    )


def patch_of(
    written: HouseRuleContent, books: Sequence[Book], path: Path, problems: Problems
) -> dict[str, str]:
    """Settings and rows as one patch; `path` leads to them in the document. Notes what fits no book."""
    _check_settings(written.patch, books, path, problems)
    patch = dict(written.patch)
    for kind in own_rows.ROW_KINDS:
        for place, content in enumerate(getattr(written, kind)):
            row = own_rows.with_purposes(content)
            wrong = own_rows.fault_in(kind, row) or own_rows.unheeded(kind, row)
            wrong = wrong or _beside_every(books, kind, row)
            if wrong is not None:
                problems.add((*path, kind, place, *wrong.path), f"{wrong.what}.")
                continue
            name = f"{kind}.{own_rows.id_of(kind, row['name'])}"
            if name in patch:
                problems.add((*path, kind, place, "name"), f"the {kind} {row['name']!r} stands twice.")
            patch[name] = own_rows.as_text(row)
    return patch


def _beside_every(books: Sequence[Book], kind: own_rows.RowKind, content: Mapping[str, Any]) -> Misfit | None:
    """Why a row goes with none of these books; None where it goes with one."""
    own = own_rows.own_row(kind, content)
    faults = [own_rows.fault_beside(book, own) for book in books]
    return None if None in faults else max(faults, key=lambda wrong: len(wrong.path) if wrong else 0)


def _check_settings(patch: Mapping[str, str], books: Sequence[Book], path: Path, problems: Problems) -> None:
    known = list(dict.fromkeys(knob for book in books for knob in book.knobs))
    for name, value in patch.items():
        knobs = [book.knobs[name] for book in books if name in book.knobs]
        choices = list(dict.fromkeys(choice for knob in knobs for choice in knob.choices))
        if not knobs:
            where = nearest(name, known) or " See 'arbitrator rules list'."
            problems.add((*path, "patch"), f"no book has the setting {shown(name)!r}.{where}", key=name)
        elif value not in choices:
            problems.add_expected((*path, "patch", name), f"one of {', '.join(choices)}")


# --- TOML with its places ---------------------------------------------------------------------------------


def _document(text: str, file: str) -> Document:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        at = _AT.search(str(wrong))
        place = Place(int(at[1]), int(at[2])) if at and at[1] else Place(text.count("\n") + 1, 1)
        what = str(wrong)[: at.start()] if at else str(wrong)
        raise NotToml(file=file, place=place, what=shown(what[:1].lower() + what[1:])) from wrong
    except RecursionError as wrong:
        raise NotToml(file=file, place=Place(1, 1), what="lists stand in lists too deeply") from wrong
    places = dict(_places(text))
    patch = content.get("patch")
    if isinstance(patch, dict):  # without quotes, a knob's name reads as tables within tables
        content["patch"] = dict(_flat(patch))
    return Document(file=file, root=_node(content, (), places, Place(1, 1)))


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", str(value) if type(value) is int else value


def _places(text: str) -> Iterator[tuple[Path, Place]]:
    """Where each key of the file and of its tables stands, and each table of a list on its own line."""
    counts: dict[Path, int] = {}
    table: Path = ()
    listed: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        indented = len(line) - len(line.lstrip())
        if head := _HEAD.match(line):
            table, listed = _table_at(head[2].split("."), counts, is_one_of_many=head[1] == "[["), ()
            yield table, Place(number, head.start(2) + 1)
        elif key := _KEY.match(line):
            found = next(group for group in key.groups() if group is not None)
            listed = (*table, found)
            yield listed, Place(number, indented + 1)
        elif listed and line.lstrip().startswith("{"):
            counts[listed] = counts.get(listed, -1) + 1
            yield (*listed, counts[listed]), Place(number, indented + 1)


def _table_at(parts: Sequence[str], counts: dict[Path, int], *, is_one_of_many: bool) -> Path:
    """The path of a table by its head: of tables in a list, the one begun last."""
    path: Path = ()
    for place, part in enumerate(parts, start=1):
        path = (*path, part.strip())
        if place == len(parts) and is_one_of_many:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _node(content: Any, path: Path, places: Mapping[Path, Place], around: Place) -> Node:
    place = places.get(path, around)
    if isinstance(content, dict):
        inside = {key: _node(value, (*path, key), places, place) for key, value in content.items()}
        return Node(content=inside, place=place, keys={key: node.place for key, node in inside.items()})
    if isinstance(content, list):
        listed = enumerate(content)
        return Node(
            content=tuple(_node(value, (*path, nth), places, place) for nth, value in listed), place=place
        )
    if isinstance(content, float):
        content = Decimal(str(content))
    elif not isinstance(content, bool | int | str):
        content = str(content)  # a date or a time, which no key of a house rule takes
    return Node(content=content, place=place)
