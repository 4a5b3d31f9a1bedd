"""Books with one thing wrong in them, for the tests of what loading refuses."""

import copy
from typing import Any

import made_up_book

from tracker.rules import loader

Files = dict[str, dict[str, Any]]
MADE_UP = made_up_book.BOOK
MOOD = {
    "id": "mood", "title": "Mood", "source": "S", "roll": "2D6",
    "band": [{"id": "low", "name": "Low", "totals": "3-"}, {"id": "high", "name": "High", "totals": "4+"}],
}  # fmt: skip
WHOLE: dict[str, Files] = {name: dict(loader.book_files(name)) for name in loader.book_names()}
WHOLE[MADE_UP] = {**made_up_book.files(), "mood": MOOD}
GONE, TWICE = object(), object()


def spoiled(book: str, path: str, value: object = GONE) -> Files:
    """The files with another value at 'falls/band/1/from_inches', none, or the same row once more at the end.
    A row is named by its place, id or name.
    """
    files = copy.deepcopy(WHOLE[book])
    at: Any = files
    *way, last = path.split("/")
    for step in way:
        at = at[_place(at, step)]
    if value is TWICE:
        at.append(at[_place(at, last)])
    elif value is GONE:
        del at[_place(at, last)]
    else:
        at[_place(at, last)] = value
    return files


def _place(at: Any, step: str) -> str | int:
    if isinstance(at, dict):
        return step
    names = [row.get("id", row.get("name")) if isinstance(row, dict) else None for row in at]
    return names.index(step) if step in names else int(step)
