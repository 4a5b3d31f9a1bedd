"""What a game calls what every book has. Decides nothing, so that it is no part of a book's digest."""

# ruff: noqa: N802 -- a word with a capital letter is named with one, so that a text reads as it is printed

from __future__ import annotations

import re
from typing import Final

from tracker.records import Record

_NAMED: Final = re.compile(r"\{game\.(\w+)\}")


class GameWords(Record, forbid_unknown_fields=True):
    """One game's words, as every report and page asks for them: 'the {game.gang} pays its {game.credits}'.

    Each is named by the usual word, which a book without `words.toml` says.
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
        """As a sentence begins with it, or stands over a column."""
        return self.gang.capitalize()

    @property
    def Gangs(self) -> str:
        """The same of several."""
        return self.gangs.capitalize()

    @property
    def House(self) -> str:
        """The same as `house`: it is a name everywhere."""
        return self.house

    @property
    def Credits(self) -> str:
        """What stands over a column of money."""
        return self.credits.capitalize()

    def money(self, amount: int) -> str:
        """'1 credit', '40 ducats'."""
        return f"{amount} {self.credit if amount == 1 else self.credits}"

    def said(self, text: str) -> str:
        """A declared text that names these words in braces. Never for what people wrote."""
        return _NAMED.sub(lambda named: str(getattr(self, named[1])), text)


USUAL = GameWords()
"""Where no campaign says which game it is."""
