"""Given, when, then under the archived book."""

from scenario import Table, given

ARCHIVE = "necromunda_archive"


def archived(*cards: object, **more: object) -> Table:
    """The two gangs, under the archived book."""
    return given(*cards, book=ARCHIVE, **more)  # type: ignore[arg-type]
