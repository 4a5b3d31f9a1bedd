"""Numbers and names as a sheet has them, for files that write them otherwise."""

from __future__ import annotations

import re

from tracker.rules.rulebook import Book


def whole_number(written: object) -> int:
    """5", 4+, +1 DICE and 3 as numbers; a dash is 0."""
    match = re.match(r"[-+]?[0-9]+", str(written if written is not None else ""))
    return int(match[0]) if match else 0


def injury_names(book: Book) -> dict[str, str]:
    """The book's names of lasting injuries, by row; of several tables the last one's."""
    tables = [
        table for name, table in sorted(book.tables.items()) if "lasting_inj" in name or "trauma" in name
    ]
    return {row.id: row.name for table in tables for row in table.rows}
