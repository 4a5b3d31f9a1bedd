"""A game's own words for what every game has. They decide nothing, so they are no part of a book's digest."""

# ruff: noqa: N802 -- a word with a capital letter is named with one, so that a text reads as it is printed

from __future__ import annotations

import re
from typing import Final

from tracker.records import Record

_NAMED: Final = re.compile(r"\{game\.(\w+)\}")


class GameWords(Record, forbid_unknown_fields=True):
    """One game's words, for reports and pages: 'the {game.gang} pays its {game.credits}'.

    Each field is named by the usual word, which is also the default for a book without `words.toml`.
    """

    source: str = ""
    gang: str = "gang"
    gangs: str = "gangs"
    house: str = "House"
    credit: str = "credit"
    credits: str = "credits"
    has_reputation: bool = True

    @property
    def Gang(self) -> str:
        """The word as it begins a sentence, or heads a column."""
        return self.gang.capitalize()

    @property
    def Gangs(self) -> str:
        """The plural as it begins a sentence, or heads a column."""
        return self.gangs.capitalize()

    @property
    def House(self) -> str:
        """The same as `house`, which is always capitalised."""
        return self.house

    @property
    def Credits(self) -> str:
        """The word as it heads a column of money."""
        return self.credits.capitalize()

    def money(self, amount: int) -> str:
        """'1 credit', '40 ducats'."""
        return f"{amount} {self.credit if amount == 1 else self.credits}"

    def said(self, text: str) -> str:
        """A declared text with the words in braces filled in. Never for what people wrote."""
        return _NAMED.sub(lambda named: str(getattr(self, named[1])), text)


USUAL = GameWords()
"""Where no campaign says which game it is."""
