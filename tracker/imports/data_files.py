"""Data files of New Recruit and BattleScribe: game systems and catalogues, as nodes that link to each other.

Knows how the files are found, read and linked. Knows no game and no armoury. Each file is read within the
bounds of every other import; links are followed by who asks for them, one at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tracker.documents.nodes import shown
from tracker.documents.yaml_reader import is_from_afar
from tracker.errors import BadInput
from tracker.imports.bounds import SourceUnreadable
from tracker.imports.findings import text_of
from tracker.imports.source_files import read_source

ENDINGS: Final = (".gst", ".cat", ".gstz", ".catz", ".json")
FILES_MAX: Final = 200
FILE_VALUES_MAX: Final = 500_000
"""The most elements of one file. The largest catalogues that people share have some 300,000."""
ALL_VALUES_MAX: Final = 1_500_000
NOT_ONE: Final = "it is no data file of New Recruit or BattleScribe (.gst, .cat, .gstz, .catz or their JSON)"
ENTRIES: Final = ("selectionEntries", "sharedSelectionEntries")
GROUPS: Final = ("selectionEntryGroups", "sharedSelectionEntryGroups")
PROFILES: Final = ("profiles", "sharedProfiles")
RULES: Final = ("rules", "sharedRules")
_BRANCHES: Final = frozenset({
    *ENTRIES, *GROUPS, *PROFILES, *RULES, "entryLinks", "infoLinks", "infoGroups", "sharedInfoGroups",
    "categoryLinks", "categoryEntries", "costs", "costTypes", "profileTypes", "characteristicTypes",
    "characteristics", "constraints", "modifiers", "modifierGroups", "catalogueLinks",
})  # fmt: skip
_CONDITIONS: Final = ("conditions", "conditionGroups", "localConditionGroups", "repeats")


class NoDataFiles(BadInput):
    """{folder} holds no file that ends in .gst, .cat, .gstz, .catz or .json. Name the folder with the data
    files, or the files themselves. Nothing was written.
    """

    folder: str


class TooManyDataFiles(BadInput):
    """{found} files are more than {most} at once. Name fewer. Nothing was written."""

    found: int
    most: int = FILES_MAX


class Element:
    """An element of a data file: its values, its place, and its children."""

    __slots__ = ("data", "file", "key", "members", "parent")

    def __init__(self, data: dict[str, Any], key: str, parent: Element | None, file: DataFile) -> None:
        self.data = data
        self.key = key
        self.parent = parent
        self.file = file
        self.members: dict[str, list[Element]] = {}

    def under(self, *keys: str) -> Iterator[Element]:
        """The children under these keys."""
        for key in keys:
            yield from self.members.get(key, ())

    def text(self, *keys: str) -> str:
        """The first non-empty value of these keys, on one line."""
        for key in keys:
            value = self.data.get(key)
            if (
                isinstance(value, str | int | float)
                and not isinstance(value, bool)
                and (said := text_of(value))
            ):
                return said
        return ""

    def says(self, key: str) -> bool:
        """Whether the value of a key is true, as XML or JSON writes it."""
        return self.data.get(key) in (True, "true")

    @property
    def name(self) -> str:
        """The name of the element."""
        return self.text("name")

    @property
    def is_conditional(self) -> bool:
        """Whether a change is made only under conditions, or repeatedly."""
        return any(self.data.get(key) for key in _CONDITIONS)

    def above(self) -> Iterator[Element]:
        """The elements around it, nearest first."""
        around = self.parent
        while around is not None:
            yield around
            around = around.parent

    def changes(self) -> Iterator[tuple[Element, bool]]:
        """Each modifier, and whether it holds only under conditions."""
        waiting = [(self, False)]
        while waiting:
            here, conditional = waiting.pop()
            for modifier in here.under("modifiers"):
                yield modifier, conditional or modifier.is_conditional
            groups = here.under("modifierGroups")
            waiting.extend((group, conditional or group.is_conditional) for group in groups)

    def place(self) -> str:
        """The element's place, in the words of the file."""
        trail = [around.name for around in self.above() if around.name and around.parent is not None]
        return shown(": ".join([self.file.name, *reversed(trail)]), characters_max=200)


class DataFile:
    """One file: a game system or a catalogue."""

    def __init__(self, file: str, kind: str, data: dict[str, Any]) -> None:
        self.file = file
        self.is_system = kind == "gameSystem"
        self.root = Element(data, kind, None, self)
        self.nodes = [*_grown(self.root)]
        self.id = self.root.text("id")
        self.name = self.root.name or file
        self.system = self.root.text("gameSystemId")
        self.is_library = self.root.says("library")
        self.ids: dict[str, Element] = {}
        for node in self.nodes:
            if identifier := node.text("id"):
                self.ids.setdefault(identifier, node)

    @property
    def links(self) -> list[Element]:
        """The links to other catalogues."""
        return [*self.root.under("catalogueLinks")]


def _grown(root: Element) -> Iterator[Element]:
    """Every node in the file's order, attached to its parent. Not recursive, because files may be deep."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        for key, members in node.data.items():
            if key in _BRANCHES and isinstance(members, list):
                node.members[key] = [
                    Element(each, key, node, node.file) for each in members if isinstance(each, dict)
                ]
        waiting.extend(reversed([child for children in node.members.values() for child in children]))


class MissingFile:
    """A file that others refer to and that was not given."""

    def __init__(self, name: str, needed_by: str) -> None:
        self.name = name
        self.needed_by = needed_by


class DataLibrary:
    """The given files, which resolves their links."""

    def __init__(self, files: list[DataFile]) -> None:
        self.files = files
        self._by_id = {file.id: file for file in reversed(files) if file.id}
        self._scopes: dict[str, list[DataFile]] = {}

    def resolve(self, link: Element) -> Element | None:
        """The target of a link: in its own file, else in those that it links to, else in any that has it."""
        target = link.text("targetId")
        if not target:
            return None
        return next((file.ids[target] for file in self._scope(link.file) if target in file.ids), None)

    def missing(self) -> list[MissingFile]:
        """The files that others refer to and that were not given."""
        found: dict[str, MissingFile] = {}
        for file in self.files:
            if file.system and file.system not in self._by_id:
                name = f"the game system (.gst) with the id {shown(file.system)}"
                found.setdefault(file.system, MissingFile(name, file.name))
            for link in file.links:
                target = link.text("targetId")
                if target and target not in self._by_id:
                    name = (
                        f"the catalogue {link.name}"
                        if link.name
                        else f"the catalogue with the id {shown(target)}"
                    )
                    found.setdefault(target, MissingFile(name, file.name))
        return [*found.values()]

    def linked(self, file: DataFile, *, roots_only: bool = False) -> list[DataFile]:
        """The catalogues that a file links to, directly or not. `roots_only`: only those whose entries it
        shows as its own.
        """
        found: dict[str, DataFile] = {}
        waiting = [file]
        while waiting:
            for link in waiting.pop().links:
                other = self._by_id.get(link.text("targetId"))
                wanted = link.says("importRootEntries") or not roots_only
                if other is not None and wanted and other is not file and other.id not in found:
                    found[other.id] = other
                    waiting.append(other)
        return [*found.values()]

    def _scope(self, file: DataFile) -> list[DataFile]:
        if file.file not in self._scopes:
            system = [self._by_id[file.system]] if file.system in self._by_id else []
            near = [file, *self.linked(file), *system]
            self._scopes[file.file] = [*dict.fromkeys([*near, *self.files])]
        return self._scopes[file.file]


def no_progress(done: int, total: int) -> None:
    """Ignore the progress of reading."""


def read_library(
    names: Iterable[str], progress: Callable[[int, int], None] = no_progress
) -> tuple[DataLibrary, list[tuple[str, str]]]:
    """The data files of these names and in these folders, and the files passed over, with the reason.

    Raises SourceUnreadable, NoDataFiles or TooManyDataFiles.
    """
    found = _found(names)
    if len(found) > FILES_MAX:
        raise TooManyDataFiles(found=len(found))
    files: list[DataFile] = []
    passed: list[tuple[str, str]] = []
    values = 0
    for done, (name, from_folder) in enumerate(found.items()):
        progress(done, len(found))
        file = shown(name, characters_max=200)
        read = _read(name, file, from_folder=from_folder)
        if read is None:
            passed.append((file, NOT_ONE))
            continue
        values += len(read.nodes)
        if values > ALL_VALUES_MAX:
            raise SourceUnreadable(
                file=file, why=f"with it all files hold more than {ALL_VALUES_MAX} elements"
            )
        same = next((known for known in files if read.id and known.id == read.id), None)
        if same is None:
            files.append(read)
        else:
            passed.append((file, f"{shown(same.file, characters_max=200)} is the same one, and counts"))
    progress(len(found), len(found))
    return DataLibrary(files), passed


def _found(names: Iterable[str]) -> dict[str, bool]:
    """The files to read, and whether each was found in a folder."""
    found: dict[str, bool] = {}
    for name in names:
        try:
            folder = not is_from_afar() and Path(name).is_dir()
            within = sorted(
                str(path)
                for path in (Path(name).iterdir() if folder else ())
                if path.suffix.casefold() in ENDINGS and not path.name.startswith(".") and path.is_file()
            )
        except (OSError, ValueError) as wrong:
            why = getattr(wrong, "strerror", None) or "its name cannot be a file's"
            raise SourceUnreadable(file=shown(name, characters_max=200), why=why) from wrong
        if folder and not within:
            raise NoDataFiles(folder=shown(name, characters_max=200))
        for path in within or [os.fspath(name)]:
            found.setdefault(path, folder)
    return found


def _read(name: str, file: str, *, from_folder: bool) -> DataFile | None:
    """The data file; None for JSON in a folder that is not a data file."""
    data = read_source(name, values_max=FILE_VALUES_MAX)
    for kind in ("gameSystem", "catalogue"):
        content = data.get(kind) if isinstance(data, dict) else None
        if isinstance(content, dict):
            if str(content.get("battleScribeVersion", "")).startswith("1."):
                why = (
                    "it was written by BattleScribe 1; save it with a newer BattleScribe or with New Recruit"
                )
                raise SourceUnreadable(file=file, why=why)
            return DataFile(file, kind, content)
    if isinstance(data, dict) and "roster" in data:
        raise SourceUnreadable(file=file, why="it is a gang's roster, which 'arbitrator gang import' reads")
    if from_folder and name.casefold().endswith(".json"):
        return None
    raise SourceUnreadable(file=file, why=NOT_ONE)
