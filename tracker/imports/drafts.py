"""Drafts: a gang sheet as it grows out of a source, with its questions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from tracker.campaign.profiles import CATEGORIES
from tracker.documents.text import TextRefused, clean_name, slug_of
from tracker.imports.answers import Answers, Question
from tracker.imports.findings import Fact, Findings
from tracker.imports.ranks import rank_of
from tracker.rules.rulebook import Book
from tracker.rules.tables import Row, Table

_ROLL: Final = re.compile(r"\s*\[(?P<roll>[0-9/ -]{1,7})\]\s*$")
"""The roll that some tools write behind a name: Leg Wound [31]."""


class Draft:
    """One gang's sheet so far: what a reader puts together."""

    def __init__(self, book: Book, answers: Answers, findings: Findings) -> None:
        self.book = book
        self.answers = answers
        self.findings = findings
        self.sheet: dict[str, Any] = {"format": "gang-sheet/2", "fighters": []}
        self.questions: list[Question] = []
        self._ids: set[str] = set()

    def ask(self, key: str, text: str, choices: Iterable[str], guess: str | None = None) -> None:
        """A question that is still open, once."""
        if key not in {question.key for question in self.questions}:
            self.questions.append(Question(key=key, text=text, choices=tuple(choices), guess=guess))

    def name(self, fact: Fact, usual: str) -> str:
        """A name as the sheet may keep it: what cannot stand in one is left away."""
        return tidy_name(fact.text) or usual

    def id_for(self, name: str, usual: str) -> str:
        """An id of its own for a name: transliterated where it can be, numbered where it is taken."""
        base = slug_of(name) or usual
        known, number = base, 1
        while known in self._ids:
            number += 1
            known = f"{base[:36]}-{number}"
        self._ids.add(known)
        return known

    def category(self, fact: Fact, into: str) -> str:
        """The category of a type: as said, by the gang lists, or a question with a guess."""
        kind = fact.text
        said = self.answers.categories.get(kind) or self.answers.categories.get(kind.casefold())
        if said is not None:
            fact.taken(into, f"its category is {said}, as was said")
            return said
        likely = rank_of(kind)
        if likely is not None:
            fact.guessed(into, f"its category is {likely[0]}: {likely[1]}")
            return likely[0]
        self.ask(f"category {kind}", f"Which category is {kind}?", self.categories, guess="ganger")
        fact.asked(into, "its category is not in the file: the sheet says ganger for now")
        return "ganger"

    def injury(self, fact: Fact, into: str) -> dict[str, Any] | None:
        """A lasting injury by its row in the book; None where the book has none of that name."""
        named = _ROLL.sub("", fact.text)
        rolled = _ROLL.search(fact.text)
        row = row_called(self.injuries, named)
        if row is None:
            fact.lost(f"no lasting injury of {self.book.title} is called so")
            return None
        noted = f"its roll {rolled['roll'].strip()} is no roll of this campaign" if rolled else ""
        fact.taken(into, noted)
        self._ask_whether_counted()
        return {"injury": row.id}

    @property
    def categories(self) -> tuple[str, ...]:
        """The ranks that the book knows; all there are where it names none."""
        return self.book.categories or CATEGORIES

    @property
    def injuries(self) -> Table:
        """The book's table of lasting injuries."""
        tables = self.book.tables
        return tables.get("lasting_injuries") or tables[max(name for name in tables if "trauma" in name)]

    def _ask_whether_counted(self) -> None:
        if self.answers.injuries_counted is not None:
            self.sheet["injuries_counted"] = self.answers.injuries_counted
            return
        if not any(question.key == "injuries" for question in self.questions):
            self.findings.say(
                "asked",
                "lasting injuries",
                into="injuries_counted",
                why="the file does not say whether the cards' numbers have them already",
            )
        self.ask("injuries", "Do the numbers on the cards have the injuries already?", ("yes", "no"))


def tidy_name(text: str) -> str:
    """A text as a name that a sheet may hold; empty where nothing is left of it."""
    visible = "".join(character for character in text if character.isprintable())
    try:
        return clean_name(visible[:80])
    except TextRefused:
        return ""


def row_called(table: Table, named: str) -> Row | None:
    """The row of a table by id or name, whatever its case, spaces and hyphens; None where there is none."""
    wanted = _plain(named)
    return next((row for row in table.rows if wanted in (_plain(row.id), _plain(row.name))), None)


def _plain(named: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", named.casefold())
