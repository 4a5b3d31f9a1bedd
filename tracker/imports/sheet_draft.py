"""Drafts: a gang sheet that is built from a source, with its questions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

from tracker.campaign.profiles import CATEGORIES
from tracker.documents.text import NAME_CHARACTERS_MAX, TextRefused, clean_name
from tracker.imports.answers import Answers, ImportQuestion
from tracker.imports.findings import Fact, Findings
from tracker.imports.ranks import rank_of
from tracker.rules.rulebook import Book
from tracker.rules.tables import Row, Table

DASHES: Final = ("-", "–", "—", "n/a", "none")
CARRIED_MAX, WEAPONS_MAX, SKILLS_MAX, INJURIES_MAX, FIGHTERS_MAX, STASH_MAX = 50, 30, 50, 50, 100, 100
ELITE, TROOP = "elite", "troop"
_ROLL: Final = re.compile(r"\s*\[(?P<roll>[0-9/ -]{1,7})\]\s*$")
"""The roll that some tools write after a name: Leg Wound [31]."""


class SheetDraft:
    """The sheet of one gang so far."""

    def __init__(self, book: Book, answers: Answers, findings: Findings) -> None:
        self.book = book
        self.answers = answers
        self.findings = findings
        self.sheet: dict[str, Any] = {"format": "gang-sheet/2", "fighters": []}
        self.questions: list[ImportQuestion] = []
        self.armoury: dict[str, dict[str, Any]] = {}
        """The weapons whose profiles the file has, by their names in lower case."""

    def ask(self, key: str, text: str, choices: Iterable[str], guess: str | None = None) -> None:
        """Ask an open question, once."""
        if key not in {question.key for question in self.questions}:
            self.questions.append(ImportQuestion(key=key, text=text, choices=tuple(choices), guess=guess))

    def name(self, fact: Fact, into: str, usual: str = "") -> str:
        """A name that the sheet can hold; notes what had to be changed."""
        name = tidy_name(fact.text)
        if not name:
            said = f": the sheet says {usual!r}" if usual else ""
            fact.lost(f"no name of 1 to 80 characters{said}")
        elif name == clean_spaces(fact.text):
            fact.taken(into)
        else:
            fact.guessed(into, f"shortened to what a name can hold: {name}")
        return name or usual

    def count(self, fact: Fact, into: str) -> int:
        """A whole number of 0 or more; anything else is noted as lost, and 0 is used."""
        number = fact.number
        if number is None or number < 0:
            fact.lost("no whole number of 0 or more: the sheet says 0")
            return 0
        fact.taken(into)
        return number

    def dashed(self, fact: Fact, into: str) -> int | str:
        """A number on a card; a dash if the source has 0, a dash or N/A."""
        number = fact.number
        if number:
            fact.taken(into)
            return number
        if number == 0 or fact.text.casefold() in DASHES:
            fact.taken(into, "a dash on the card")
        else:
            fact.lost("no number: the card has a dash instead")
        return "-"

    def player(self, fact: Fact | None = None) -> None:
        """The player: from the answers, the file, or a question."""
        named = self.name(fact, "player") if fact is not None and fact.is_there else ""
        player = self.answers.player or named
        if not player:
            self.ask("player", "Who plays the gang?", ())
            self.findings.say("asked", "the player", into="player", why="the file does not name one")
        self.sheet["player"] = player or "unknown"

    def house(self, fact: Fact | None = None) -> None:
        """The house or list: from the file, the answers, or a question."""
        named = self.name(fact, "house") if fact is not None and fact.is_there else ""
        house = named or self.answers.house
        if not house:
            self.ask("house", "Which house or list is it?", ())
            self.findings.say("asked", "the house or list", into="house", why="the file does not name it")
        self.sheet["house"] = house or "unknown"

    def add(self, listed: list[Any], thing: Any, times: int, limit: int, into: str) -> None:
        """Add an item `times` times, as far as the sheet has room; the rest is noted once."""
        room = max(limit - len(listed), 0)
        listed += [thing] * min(times, room)
        if times > room:
            named = thing["name"] if isinstance(thing, dict) else thing
            why = f"the sheet holds {limit} of these"
            self.findings.say("lost", f"{times - room} more: {named}", into=into, why=why)

    def credits_left(self, why: str) -> None:
        """The money left, if the file does not state it: from the answers, or a question."""
        said = self.answers.credits
        self.sheet["credits"] = said or 0
        if said is None:
            money = f"{self.book.words.credits}"
            whose = "gang" if money == "credits" else "warband"
            self.ask("credits", f"How many {money} has the {whose} left?", ())
            self.findings.say("asked", f"{money} left", into="credits", why=why)

    def within(self, listed: list[Any], limit: int, what: str, into: str) -> list[Any]:
        """The first items of a list, as many as a sheet may hold; the others are lost by name."""
        for beyond in listed[limit:]:
            named = beyond["name"] if isinstance(beyond, dict) else beyond
            self.findings.say("lost", str(named), into=into, why=f"{what} holds {limit} of these")
        return listed[:limit]

    def cost_of_one(self, cost: int, times: int, name: str, into: str) -> int:
        """The cost of one of several items that a source counts together; a remainder is noted as lost."""
        each, left = divmod(max(cost, 0), times)
        if left:
            why = f"{cost} is not {times} times a whole number: {left} are lost"
            self.findings.say("guessed", f"the cost of {name}", into=into, why=why)
        return each

    def check_sum(self, fact: Fact, summed: int, whose: str) -> None:
        """Compare a sum in the file with the sum of what was imported."""
        if fact.number == summed:
            fact.taken("", f"{whose} add up to it: {summed}")
        else:
            fact.guessed("", f"{whose} add up to {summed}: look for what is missing")

    def category(self, fact: Fact, into: str) -> str:
        """The category of a type: from the answers, the gang lists, or a question with a guess."""
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
        """A lasting injury as its row in the book; None if the book has none of that name."""
        named = without_roll(fact.text)
        rolled = _ROLL.search(fact.text)
        row = row_called(self.injuries, named)
        if row is None:
            fact.lost(
                f"no lasting injury of {self.book.title} is called so: if it stays, write it under `flags`"
            )
            return None
        noted = f"its roll {rolled['roll'].strip()} is no roll of this campaign" if rolled else ""
        fact.taken(into, noted)
        self._ask_whether_counted()
        return {"injury": row.id}

    @property
    def categories(self) -> tuple[str, ...]:
        """The ranks of the book; if it names none, every rank that no other book claims."""
        return self.book.categories or tuple(rank for rank in CATEGORIES if rank not in (ELITE, TROOP))

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


def without_roll(text: str) -> str:
    """A name without the roll that some tools write after it."""
    return _ROLL.sub("", text)


def clean_spaces(text: str) -> str:
    """A text with the spaces of a name, of any length."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def tidy_name(text: str) -> str:
    """A text as a name that a sheet may hold; empty if nothing is left."""
    visible = "".join(character for character in text if character.isprintable())
    try:
        return clean_name(up_to_a_word(visible))
    except TextRefused:
        return ""


def up_to_a_word(text: str, most: int = NAME_CHARACTERS_MAX) -> str:
    """At most `most` characters of a text, ended at a word; a single long word is cut."""
    if len(text) <= most:
        return text
    whole = text[: most + 1].rpartition(" ")[0].rstrip(" ,;:(–—-&/")
    return whole if len(whole) * 2 >= most else text[:most]


def row_called(table: Table, named: str) -> Row | None:
    """The row of a table by id or name, ignoring case, spaces and hyphens; None if there is none."""
    wanted = _normalized(named)
    return next((row for row in table.rows if wanted in (_normalized(row.id), _normalized(row.name))), None)


def _normalized(named: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", named.casefold())
