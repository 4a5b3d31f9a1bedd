"""Answers: what a person says about a file that the file lacks, and the questions that are still open."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.documents.armoury import ListedThings
from tracker.records import Record


class Answers(Record):
    """The answers given beforehand. `injuries_counted` is None without an answer; `categories` go by type."""

    player: str | None = None
    house: str | None = None
    injuries_counted: bool | None = None
    credits: int | None = None
    categories: Mapping[str, str] = {}
    captives: Mapping[str, str] = {}
    """The captors' gang ids, by the captive's name."""
    columns: Mapping[str, str] = {}
    listed: ListedThings | None = None
    """The items of the table's armoury; None without one."""

    @property
    def weapons(self) -> frozenset[str]:
        """The weapons that it lists."""
        return frozenset(self.listed.weapons) if self.listed is not None else frozenset()


class ImportQuestion(Record):
    """A question that only a person can answer. `guess` is the sheet's value meanwhile, if any."""

    key: str
    text: str
    choices: tuple[str, ...]
    guess: str | None = None
