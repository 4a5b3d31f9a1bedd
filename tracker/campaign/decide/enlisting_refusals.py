"""Refusals of cards: who is enlisted already, and what the book does not print."""

from __future__ import annotations

from tracker.errors import BadInput


class GangEnlistedAlready(BadInput):
    """A gang {gang!r} is enlisted already. Give this one another 'gang:' id, or see 'arbitrator gang show
    {gang}'.
    """

    gang: str


class FighterEnlistedAlready(BadInput):
    """A fighter {fighter!r} is enlisted already (gang {gang!r}). Ids are unique in a campaign: give this
    fighter an 'id:' of its own.
    """

    fighter: str
    gang: str


class OtherCharacteristics(BadInput):
    fighter: str
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    def message(self) -> str:
        lacks = f" lacks {', '.join(self.missing)}" if self.missing else ""
        has = f" has {', '.join(self.unknown)}, which this book does not print" if self.unknown else ""
        return f"{self.fighter}'s card{lacks}{' and' if lacks and has else ''}{has}."


class RankNotInBook(BadInput):
    """{fighter}: this campaign's book knows no category {rank!r}.{rank:nearest} It has: {known}."""

    fighter: str
    rank: str
    known: tuple[str, ...]


class CharacteristicOutOfRange(BadInput):
    """{fighter}: {characteristic} {value} is not printed by this book, which goes from {worst} to {best}."""

    fighter: str
    characteristic: str
    value: str
    best: str
    worst: str
