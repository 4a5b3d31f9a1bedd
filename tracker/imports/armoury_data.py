"""The community's data files as an armoury: fighters, things, house lists and sets of skills.

Every name of a fighter, a thing or a set of skills in the files is in the armoury, or named with why it is
not. Rules' texts are never kept. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tracker.documents.armoury import FORMAT, read_armoury
from tracker.documents.nodes import shown
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.refusals import FileTooLarge, TooManyValues
from tracker.documents.yaml_reader import parse_document
from tracker.errors import BadInput
from tracker.imports import data_fighters, data_items, data_profiles
from tracker.imports.data_contents import Contents
from tracker.imports.data_files import PROFILES, DataFile, DataLibrary, no_progress, read_library
from tracker.imports.findings import Finding
from tracker.imports.sheet_draft import tidy_name
from tracker.records import Record
from tracker.rules import loader

NECROMUNDA, TRENCH_CRUSADE = "necromunda_2023", "trench_crusade"
BOOKS: Final = {"necromunda": NECROMUNDA, "trench crusade": TRENCH_CRUSADE}
KEPT_MAX: Final = {"items": 1000, "fighters": 300, "lists": 50, "skills": 100}


class NoArmouryInData(BadInput):
    """The files hold no fighter, weapon or thing that an armoury could list.{missing} Nothing was written."""

    missing: str


class DataOfAnotherGame(BadInput):
    """{file} is for {game}, and only data of Necromunda and Trench Crusade are read here. Nothing was
    written.
    """

    file: str
    game: str


class GameNotSaid(BadInput):
    """The files do not say which game they are for: name the game system's file (.gst) too, or the rulebook
    with --ruleset. Nothing was written.
    """


class NoSuchCatalogue(BadInput):
    """None of the files is the catalogue {named!r}.{named:nearest or They are} Nothing was written."""

    named: str
    known: tuple[str, ...]


class ArmouryTooLarge(BadInput):
    """An armoury of all this would be larger than one may be: {why}. Take one catalogue at a time, such as
    --catalogue {example!r}. Nothing was written.
    """

    why: str
    example: str


class ArmouryImport(Record):
    """The result of an import: the armoury as plain data, and the fate of every other fact."""

    book: str
    games: tuple[str, ...]
    files: tuple[str, ...]
    catalogues: tuple[str, ...]
    armoury: dict[str, Any]
    missing: tuple[tuple[str, str], ...]
    """Files that are missing, by name, each with the file that needs it."""
    findings: tuple[Finding, ...]


def armoury_of(
    names: Iterable[str],
    *,
    book: str | None = None,
    name: str | None = None,
    catalogues: Sequence[str] = (),
    categories: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] = no_progress,
) -> ArmouryImport:
    """The armoury in data files under a book; None: the book of their game. Raises BadInput."""
    whole, passed = read_library(names, progress)
    library = _chosen(whole, catalogues)
    missing = library.missing()
    named = book or _book_of(library)
    rules = loader.book(named)
    contents = Contents(library, rules)
    for file, why in passed:
        contents.note("left_out", file, "", why=why)
    for missed in missing:
        contents.note(
            "lost", f"what is in {missed.name}", "", why=f"{missed.needed_by} needs that file; name it too"
        )
    sets = data_fighters.skill_sets_of(contents)
    items = data_items.items_of(contents, sets.skills)
    fighters = data_fighters.fighters_of(contents, items, sets, categories or {})
    lists = data_items.lists_of(contents, items)
    contents.sum_up()
    parts = {"items": items.listed, "lists": lists, "skills": sets.listed, "fighters": fighters}
    if not (items.listed or fighters):
        said = "".join(f" It lacks {missed.name}, which {missed.needed_by} needs." for missed in missing[:5])
        lost = [each for each in contents.findings if each.fate == "lost" and each.path]
        said += "".join(f" {each.fact}: {each.why}." for each in lost[:3])
        raise NoArmouryInData(missing=said)
    titles = [file.name for file in library.files if not file.is_system and not file.is_library]
    called = name or " and ".join(titles or [file.name for file in library.files])
    armoury: dict[str, Any] = {"format": FORMAT, "name": tidy_name(called) or "Imported armoury"}
    for key, listed in parts.items():
        if kept := contents.within(listed, KEPT_MAX[key], key):
            armoury[key] = kept
    _refuse_too_large(armoury, rules.characteristics, titles)
    return ArmouryImport(
        book=named,
        games=tuple(file.name for file in library.files if file.is_system),
        files=tuple(shown(file.file, characters_max=200) for file in library.files),
        catalogues=tuple(titles),
        armoury=armoury,
        missing=tuple((missed.name, missed.needed_by) for missed in missing),
        findings=tuple(contents.findings),
    )


def _chosen(library: DataLibrary, catalogues: Sequence[str]) -> DataLibrary:
    """The library, or only the named catalogues with the files that these need."""
    if not catalogues:
        return library
    by_name = {file.name.casefold(): file for file in library.files if not file.is_system}
    chosen: list[DataFile] = []
    for named in catalogues:
        file = by_name.get(named.casefold())
        if file is None:
            raise NoSuchCatalogue(named=named, known=tuple(each.name for each in by_name.values()))
        chosen += [file, *library.linked(file)]
    systems = {file.system for file in chosen}
    return DataLibrary([
        file for file in library.files if file in chosen or (file.is_system and file.id in systems)
    ])  # fmt: skip


def _book_of(library: DataLibrary) -> str:
    """The book of the files' game: by the game system's name, else by their profiles."""
    for file in library.files:
        if file.is_system:
            known = next((book for game, book in BOOKS.items() if game in file.name.casefold()), None)
            if known is None:
                raise DataOfAnotherGame(file=shown(file.file, characters_max=200), game=shown(file.name))
            return known
    for book in BOOKS.values():
        rules = loader.book(book)
        for file in library.files:
            for node in file.nodes:
                if node.key in PROFILES:
                    profile = data_profiles.profile_of(node, (), library)
                    if data_profiles.is_card(profile, rules) or data_profiles.tells_game(profile, rules):
                        return book
    raise GameNotSaid


def _refuse_too_large(armoury: dict[str, Any], characteristics: Any, titles: Sequence[str]) -> None:
    """Parse the armoury, as every command that takes one will."""
    try:
        read_armoury(parse_document(as_yaml(armoury), file="the armoury"), characteristics=characteristics)
    except (TooManyValues, FileTooLarge) as refusal:
        counts = ", ".join(f"{len(armoury[key])} {key}" for key in KEPT_MAX if key in armoury)
        raise ArmouryTooLarge(why=counts, example=titles[0] if titles else "NAME") from refusal
