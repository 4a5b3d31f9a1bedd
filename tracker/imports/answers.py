"""Answers: what a person says of a file that the file does not, and the questions that are still open."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.documents.armoury import ListedThings
from tracker.records import Record


class Answers(Record):
    """What was said beforehand. `injuries_counted` None: nobody said. `categories` go by type."""

    player: str | None = None
    house: str | None = None
    injuries_counted: bool | None = None
    credits: int | None = None
    categories: Mapping[str, str] = {}
    captives: Mapping[str, str] = {}
    """Who holds a fighter, by the fighter's name: a gang's id."""
    columns: Mapping[str, str] = {}
    listed: ListedThings | None = None
    """What the table's armoury lists; None where none was given."""

    @property
    def weapons(self) -> frozenset[str]:
        """The weapons that it lists."""
        return frozenset(self.listed.weapons) if self.listed is not None else frozenset()


class ImportQuestion(Record):
    """What only a person knows. `guess` is what the sheet says meanwhile, if anything."""

    key: str
    text: str
    choices: tuple[str, ...]
    guess: str | None = None
