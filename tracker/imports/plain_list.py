"""A gang as people write it down, one fighter on a line, turned into a table.

    Iron Dogs - House Goliath
    Grimm, Forge Tyrant (leader), 170 credits: stub cannon, power hammer

A line is a fighter's where a price stands on it. What stands before the first is the gang's; a line without a
price below a fighter's is what that fighter carries.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Final

_BULLET: Final = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_PRICE: Final = re.compile(
    r"(?:[(\[]\s*)?\b(\d{1,4})\s*(?:credits?|creds?|crs?|c|points|pts|ducats)\b\.?(?:\s*[)\]])?",
    re.IGNORECASE,
)
_PARTED: Final = re.compile(r"\s*(?:[,;:|(\[)\]]|\s[-–—]\s)\s*")
_CELLS: Final = re.compile(r"[,;\t]")
_THINGS: Final = re.compile(r"\s*[,;|]\s*")
_RANKS: Final = (
    "leader", "champion", "specialist", "ganger", "prospect", "juve", "crew", "brute", "hanger on",
    "exotic beast", "hired gun",
)  # fmt: skip
_NAMES_OF_FIGHTERS: Final = ("name", "fighter", "fighter name", "fighter_name", "model")
HEAD: Final = ("Gang", "House", "Name", "Type", "Rank", "Cost", "Weapons")
EXAMPLE: Final = "Grimm, Forge Tyrant (leader), 170 credits: stub cannon, power hammer"
EXAMPLE_OF_WARBANDS: Final = "Anselm, Prior, 80 ducats: trench shotgun, mace"


def table_of_lines(text: str) -> str:
    """The list as a table with a head; empty where the text has a head itself, or no fighter is on it."""
    written = [line for line in text.splitlines() if line.strip()]
    if not written or {cell.strip().casefold() for cell in _CELLS.split(written[0])} & {*_NAMES_OF_FIGHTERS}:
        return ""
    # One space for many: what looks for a sign with spaces around it looks through each run from each place.
    lines = [_BULLET.sub("", " ".join(line.split())) for line in written]
    gang, house = "", ""
    fighters: list[list[str]] = []
    for line in lines:
        price = _PRICE.search(line)
        if price is not None:
            before, behind = line[: price.start()], line[price.end() :]
            fighters.append([*_called(before.strip()), price[1], *_things(behind)])
        elif fighters:
            fighters[-1] += _things(line)
        elif not gang:
            gang, _, house = _PARTED.sub("\t", line).strip().partition("\t")
    as_csv = io.StringIO()
    table = csv.writer(as_csv, lineterminator="\n")
    table.writerow(HEAD)
    for row, (name, kind, rank, cost, *things) in enumerate(fighters):
        of_gang = ("", "") if row else (gang, house.strip())
        table.writerow((*of_gang, name, kind, rank, cost, "; ".join(things)))
    return as_csv.getvalue() if fighters else ""


def _called(words: str) -> tuple[str, str, str]:
    """Name, type and rank, as far as they are said."""
    said = [part for part in _PARTED.split(words) if part]
    rank = next((part for part in said[1:] if part.casefold() in _RANKS), "")
    rest = [part for part in said if part != rank or not rank]
    return rest[0] if rest else "", " ".join(rest[1:]), rank.capitalize()


def _things(words: str) -> list[str]:
    return [thing for part in _THINGS.split(words.strip(" :-–—,;.")) if (thing := part.strip(" .-–—"))]
