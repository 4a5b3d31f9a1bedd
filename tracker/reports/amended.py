"""What an amendment says otherwise: key by key, before all that follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.records import Record
from tracker.reports.escaping import sanitize

NEW, GONE = "besides", "no more"
"""Keys of a whole thing that an entry holds besides, or holds no more."""


class AmendedKey(Record):
    """What an entry says otherwise by an amendment: a key, as recorded and as it should have been."""

    entry: int
    key: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        return f"entry {self.entry}, {self.words()}"

    def words(self) -> str:
        """'by mags -> dot'; what is not said is nothing."""
        if self.key in (NEW, GONE):
            return f"{self.key}: {self.after or self.before}"
        return f"{self.key} {self.before or 'nothing'} -> {self.after or 'nothing'}"


def amended_lines(amended: Sequence[AmendedKey]) -> list[str]:
    """'57  by mags -> dot', key by key."""
    return [f"{line.entry}  {sanitize(line.words())}" for line in amended]
