"""Refusals of cards: who is enlisted already, and what the book does not print."""

from __future__ import annotations

from tracker.errors import BadInput, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class GangEnlistedAlready(BadInput):
    gang: str

    def message(self) -> str:
        return (
            f"A gang {self.gang!r} is enlisted already. Give this one another 'gang:' id, or see"
            f" 'arbitrator gang show {self.gang}'."
        )


@dataclass(eq=False)
class FighterEnlistedAlready(BadInput):
    fighter: str
    gang: str

    def message(self) -> str:
        return (
            f"A fighter {self.fighter!r} is enlisted already (gang {self.gang!r}). Ids are unique in a"
            " campaign:"
            f" give this fighter an 'id:' of its own."
        )


@dataclass(eq=False)
class OtherCharacteristics(BadInput):
    fighter: str
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    def message(self) -> str:
        lacks = f" lacks {', '.join(self.missing)}" if self.missing else ""
        has = f" has {', '.join(self.unknown)}, which this book does not print" if self.unknown else ""
        return f"{self.fighter}'s card{lacks}{' and' if lacks and has else ''}{has}."


@dataclass(eq=False)
class RankNotInBook(BadInput):
    fighter: str
    rank: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.fighter}: this campaign's book knows no category {self.rank!r}."
            f"{nearest(self.rank, self.known)} It has: {', '.join(self.known)}."
        )


@dataclass(eq=False)
class CharacteristicOutOfRange(BadInput):
    fighter: str
    characteristic: str
    value: str
    best: str
    worst: str

    def message(self) -> str:
        return (
            f"{self.fighter}: {self.characteristic} {self.value} is not printed by this book, which"
            f" goes from {self.worst} to {self.best}."
        )
