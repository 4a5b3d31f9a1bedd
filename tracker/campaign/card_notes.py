"""Card notes: numbers of a card that its book does not print.

The card belongs to its owner, so they are kept, with a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tracker.campaign import records
from tracker.records import Record, names_of_fields
from tracker.rules.rulebook import Book


def beyond_printed(commands: Iterable[records.Command], book: Book) -> tuple[str, ...]:
    """One sentence for each number that the book does not print, on the cards that join by these commands."""
    return tuple(note for command in commands for card in _cards(command) for note in _notes(card, book))


def _cards(thing: Any) -> Iterator[records.FighterCard | records.VehicleCard]:
    if isinstance(thing, records.FighterCard | records.VehicleCard):
        yield thing
    elif isinstance(thing, Record):
        for name in names_of_fields(thing):
            yield from _cards(getattr(thing, name))
    elif isinstance(thing, tuple):
        for part in thing:
            yield from _cards(part)


def _notes(card: records.FighterCard | records.VehicleCard, book: Book) -> Iterator[str]:
    if isinstance(card, records.FighterCard):
        for name, limits in book.characteristics.items():
            value = card.characteristics.get(name)
            if value is not None and not limits.allows(value):
                yield _note(card.name, limits.short, limits.shown, value, limits.worst, limits.best)
    elif book.vehicle_rules is not None:
        rules = book.vehicle_rules
        for number, short, mark in (
            ("movement", "M", '"'),
            ("toughness_front", "T (front)", ""),
            ("toughness_side", "T (side)", ""),
            ("toughness_rear", "T (rear)", ""),
            ("hit_points", rules.hit_points_name, ""),
            ("handling", "Hnd", "+"),
        ):
            limited, value = (
                number.partition("_")[0] if "toughness" in number else number,
                getattr(card, number),
            )
            if not rules.allows(limited, value):
                yield _note(card.name, short, f"{{}}{mark}".format, value, *rules.limits[limited])


def _note(name: str, short: str, shown: Any, value: int, worst: int, best: int) -> str:
    printed = f"the book prints {shown(worst)} to {shown(best)}"
    return f"{name}: {short} {shown(value)} is kept as the card has it; {printed}."
