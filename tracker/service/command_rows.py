"""Command rows: whether each key of a command stands for the entries that it recorded.

Knows rows and headers. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent


class CommandRows:
    """The table of command keys held against the entries: a row names whole ones, and each has one row."""

    def __init__(self, rows: Iterable[Mapping[str, object]]) -> None:
        self.wrong: list[str] = []
        self._rows = iter(rows)
        self._row: Mapping[str, object] | None = None
        self._sent = False

    def passed(self, entry: tuple[RecordedEvent, ...]) -> None:
        """The next entry of the log."""
        number, first, last = entry[0].entry, entry[0].seq, entry[-1].seq
        if self._row is None:
            self._row = next(self._rows, None)
            while self._row is not None and self._int("first_entry") < number:
                self._say(f"stands for entry {self._int('first_entry')}, which another command recorded")
                self._row = next(self._rows, None)
            if self._row is None or self._int("first_entry") > number:
                self.wrong.append(f"entry {number} has no command that recorded it")
                return
            if self._int("first_seq") != first:
                self._say(
                    f"begins with event {self._int('first_seq')}, its entry {number} with event {first}"
                )
            if not _is_digest(self._row["digest"]):
                self._say("has no SHA-256 of what was sent")
        self._held_against(entry[0])
        if self._int("last_entry") <= number:
            if (self._int("last_entry"), self._int("last_seq")) != (number, last):
                self._say(
                    f"ends with event {self._int('last_seq')} of entry {self._int('last_entry')},"
                    f" the log has event {last} of entry {number}"
                )
            self._row = None

    def _held_against(self, header: RecordedEvent) -> None:
        """The row says what the header of each of its entries says; headers of older programs say nothing."""
        assert self._row is not None, "asked of a row"
        sent = header.event.sent if isinstance(header.event, records.DecisionTaken) else None
        if sent is None:
            if self._sent:
                self._say(f"stands for entry {header.entry}, which does not say how it was sent")
            return
        self._sent = True
        if sent.key != self._row["key"]:
            self._say(f"stands for entry {header.entry}, which was sent under the key {sent.key!r}")
        elif sent.digest != self._row["digest"] and _is_digest(self._row["digest"]):
            self._say(f"has another digest than entry {header.entry}, which it stands for, was sent with")

    def ended(self) -> None:
        """The log is at its end."""
        if self._row is not None:
            self._say(f"ends with entry {self._int('last_entry')}, which is not in the log")
        for row in self._rows:
            self._row = row
            self._say(f"stands for entry {self._int('first_entry')}, which is not in the log")

    def _int(self, name: str) -> int:
        assert self._row is not None, "asked of a row"
        value = self._row[name]
        assert isinstance(value, int), "a column of numbers"
        return value

    def _say(self, what: str) -> None:
        assert self._row is not None, "told of a row"
        self.wrong.append(f"command {self._row['key']!r} {what}")


def _is_digest(text: object) -> bool:
    return isinstance(text, str) and len(text) == 64 and not set(text) - set("0123456789abcdef")
