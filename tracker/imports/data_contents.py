"""Contents of data files under a book: their elements, what each says, and the findings about them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from tracker.documents.nodes import shown
from tracker.imports import data_profiles
from tracker.imports.data_choices import Choices, Price, PricedChoice, Prices
from tracker.imports.data_files import ENTRIES, RULES, DataLibrary, Element
from tracker.imports.data_profiles import Info, Lost, Profile, is_hidden
from tracker.imports.findings import Fate, Finding, text_of
from tracker.rules.rulebook import Book

FACT_CHARACTERS_MAX: Final = 120
FINDINGS_MAX: Final = 5_000


class Contents:
    """The elements of all files, and the fate of each one with content."""

    def __init__(self, library: DataLibrary, book: Book) -> None:
        self.library = library
        self.book = book
        self.findings: list[Finding] = []
        self._noted: set[tuple[str, str, str]] = set()
        self._infos: dict[int, Info] = {}
        self.prices = Prices(library, book)
        self.entries = [
            node
            for file in library.files
            for node in file.nodes
            if node.key in ENTRIES and not is_hidden(node)
        ]
        self.choices = Choices(library, self.prices, self.is_fighter)
        self.changed: dict[str, None] = {}
        """The things that the roster builder changes under conditions, by name."""
        for node in (node for file in library.files for node in file.nodes):
            if node.key in ENTRIES and is_hidden(node):
                self.note("left_out", node.name, node.place(), why="hidden: no roster builder shows it")
        for name, place in self.choices.unresolved.items():
            self.note("lost", name, place, why="a link that no file answers")

    @property
    def is_trench(self) -> bool:
        """Whether the cards are those of Trench Crusade."""
        return "ranged" in self.book.characteristics

    def info(self, node: Element) -> Info:
        """An element's profiles and rules."""
        if id(node) not in self._infos:
            self._infos[id(node)] = data_profiles.info_of(node, self.library)
        return self._infos[id(node)]

    def cards(self, node: Element) -> list[Profile]:
        """The profiles with a fighter's numbers."""
        return [profile for profile in self.info(node).profiles if data_profiles.is_card(profile, self.book)]

    def weapons(self, node: Element) -> list[Profile]:
        """The profiles with a weapon's numbers."""
        return [
            profile for profile in self.info(node).profiles if data_profiles.is_weapon(profile, self.book)
        ]

    def is_fighter(self, node: Element) -> bool:
        """Whether it is a fighter: it has a fighter's numbers, or is a model or a unit."""
        return node.text("type") in ("model", "unit") or bool(self.cards(node))

    def is_fighter_card(self, node: Element) -> bool:
        """Whether it is an entry with a fighter's or a weapon's numbers."""
        return node.key in ENTRIES and bool(self.cards(node) or self.weapons(node))

    def price(self, node: Element) -> Price:
        """The price where it stands."""
        return self.prices.of(node)

    def choices_of(self, node: Element) -> list[PricedChoice]:
        """The places where it can be chosen."""
        return self.choices.of(node)

    def note(self, fate: Fate, fact: str, place: str, *, into: str = "", why: str = "") -> None:
        """Note the fate of something, once."""
        key = (fate, fact, why)
        if key in self._noted:
            return
        self._noted.add(key)
        fact = shown(text_of(fact), characters_max=FACT_CHARACTERS_MAX)
        if len(self.findings) < FINDINGS_MAX:
            self.findings.append(Finding(fate=fate, path=place, fact=fact, into=into, why=why))

    def lost_of(self, name: str, place: str) -> Lost:
        """A function that notes the parts of something that are lost."""
        return lambda value, why: self.note("lost", f"{value} of {name}", place, why=why)

    def within(self, listed: list[Any], limit: int, key: str) -> list[Any]:
        """The first `limit` of a list; the others are noted by name."""
        for beyond in listed[limit:]:
            named = str(beyond.get("name") or beyond.get("type") or beyond.get("house"))
            self.note("lost", named, "", into=key, why=f"an armoury lists {limit} {key} at most")
        return listed[:limit]

    def sum_up(self) -> None:
        """Note what holds for many things at once."""
        why = "the roster builder changes it under conditions, which an armoury does not know"
        for name in self.changed:
            self.note("lost", f"what changes {name}", "", why=why)
        descriptions: dict[str, int] = defaultdict(int)
        for file in self.library.files:
            for node in file.nodes:
                if node.key in RULES:
                    descriptions[file.name] += 1
        for name, count in descriptions.items():
            self.note("left_out", f"the texts of {count} rules", name, why="a rule's text is never kept")
