"""What an amendment changes in an entry: key by key, before all that follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.records import Record
from tracker.reports.escaping import sanitize

NEW, GONE = "besides", "no more"
"""Keys of a whole part that an entry gains or loses; rulings in the log hold these words."""


class AmendedKey(Record):
    """A key that an amendment changes: as recorded and as it should have been."""

    entry: int
    key: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        return f"entry {self.entry}, {self.words()}"

    def words(self) -> str:
        """'by mags -> dot', as the ruling keeps it; a missing value is 'nothing'."""
        if self.key in (NEW, GONE):
            return f"{self.key}: {self.after or self.before}"
        return f"{self.key} {self.before or 'nothing'} -> {self.after or 'nothing'}"


def amended_lines(amended: Sequence[AmendedKey]) -> list[str]:
    """'57  by mags -> dot', key by key."""
    return [f"{line.entry}  {sanitize(_shown(line))}" for line in amended]


def _shown(line: AmendedKey) -> str:
    if line.key == NEW:
        return f"adds {line.after or line.before}"
    if line.key == GONE:
        return f"removes {line.before or line.after}"
    return line.words()
