"""Deciding again: every entry of a log from its own command and its own dice, in the order written.

An entry is decided from what was believed when it was written. A ruling is followed from the first slot that
it filled: what it decided again, and all that came after as it stood then, must follow from its own dice. So
what a later ruling struck out is looked at too. Memory is bounded by the state: a few older states are kept,
the further back the wider apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest

from tracker.campaign.decide import attempt
from tracker.campaign.events import DecisionTaken, SlotKept, SlotReleased
from tracker.campaign.evolve import fold
from tracker.campaign.recorded import Recorded
from tracker.campaign.rulings import WORDS, Slot, slots_of
from tracker.campaign.state import CampaignState
from tracker.dice import DiceTray
from tracker.errors import Refusal
from tracker.log.reader import LogReader
from tracker.records import dataclass
from tracker.rules import shelf
from tracker.service.snapshots import EVERY_ENTRIES, worth_keeping, written_state


@dataclass(frozen=True, slots=True, kw_only=True)
class Drifted:
    """An entry that does not follow from its own dice: `event` is the address of the first that differs."""

    entry: int
    slot: int
    event: str
    why: str

    def __str__(self) -> str:
        return f"entry {self.entry}, event {self.event}: {self.why}"


class DecidedAgain:
    """One pass over a log. Afterwards `drifted` tells; and `snapshots` the SHA-256 of those after the entries
    asked for, None where a ruling reached behind them.
    """

    def __init__(self, log: LogReader, campaign: str, *, snapshots_after: Iterable[int] = ()) -> None:
        self.drifted: list[Drifted] = []
        self.snapshots: dict[int, bytes | None] = dict.fromkeys(snapshots_after)
        self._log = log
        self._campaign = campaign
        self._state = CampaignState()
        self._older: dict[int, CampaignState] = {0: self._state}
        self._kept: set[int] = set()
        self._told: set[tuple[int, int]] = set()

    def run(
        self,
        *,
        last_seq: int | None = None,
        passed: Callable[[tuple[Recorded, ...]], None] = lambda _: None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Read the log to its end, or to that event. `passed` is shown every entry."""
        for entry in _entries(self._log.written(self._campaign, last_seq=last_seq)):
            passed(entry)
            try:
                self._take(entry)
            except (AssertionError, KeyError) as error:
                # Nothing after this can be told apart from its consequences.
                self._drift(
                    Slot(slot=entry[0].slot, entry=entry[0].entry, events=entry), entry[0], str(error)
                )
                return
            progress(entry[-1].seq + 1)

    def _take(self, entry: tuple[Recorded, ...]) -> None:
        number = entry[0].entry
        for one in entry:
            if isinstance(one.event, SlotKept):
                self._kept.add(one.event.kept_slot)
            elif isinstance(one.event, SlotReleased):
                self._kept.discard(one.event.released_slot)
        refilled = [one.slot for one in entry if one.slot != number]
        if refilled:
            self._follow(min(refilled), number)
        else:
            self._decide(Slot(slot=number, entry=number, events=entry), number)
            self._remember(number)
        if number in self.snapshots:
            self.snapshots[number] = sha256(written_state(self._state, self._campaign, number)).digest()

    def _follow(self, first: int, ruling: int) -> None:
        """What a ruling made of the slots from the first it filled, and all that follows."""
        base = max(slot for slot in self._older if slot < first)
        self._older = {slot: state for slot, state in self._older.items() if slot <= base}
        self.snapshots |= dict.fromkeys(entry for entry in self.snapshots if entry >= first)
        self._state = self._older[base]
        for slot in slots_of(self._log.live(self._campaign, after_slot=base, as_of_entry=ruling)):
            if slot.slot < first:
                self._state = fold(self._state, slot.said)
            else:
                self._decide(slot, ruling)
            self._remember(slot.slot)

    def _remember(self, slot: int) -> None:
        if slot % EVERY_ENTRIES == 0:
            self._older[slot] = self._state
            worth = {0, *worth_keeping(self._older)}
            self._older = {one: state for one, state in self._older.items() if one in worth}

    def _decide(self, slot: Slot, as_of: int) -> None:
        """One slot from the state before it; the state goes on as it was written."""
        header, same = slot.header, None
        if header is not None and slot.slot not in self._kept and _decided(slot, as_of):
            same = self._compare(slot, header, as_of)
        self._state = same or fold(self._state, slot.said)

    def _compare(self, slot: Slot, header: DecisionTaken, as_of: int) -> CampaignState | None:
        """The state after a slot, folded from the same events as are written; None where they differ."""
        tray = DiceTray((*header.dice, *header.spare))
        try:
            judgement = attempt(
                self._state,
                header.command,
                tray,
                shelf.rulebook,
                entry=slot.slot,
                note=header.note,
                sent=header.sent,
            )
        except Refusal as refusal:
            self._drift(slot, slot.events[0], f"it would be refused: {refusal.message()}")
            return None
        for recorded, decided in zip_longest(slot.events, judgement.events):
            if recorded is None:
                why = f"it would go on: {type(decided.event).__name__}"
                self._drift(slot, slot.events[-1], why)
            elif decided is None:
                self._drift(slot, recorded, "nothing leads to it")
            elif recorded.event != decided.event:
                self._drift(slot, recorded, _unlike(recorded, decided.event))
            else:
                continue
            return None
        # What comes out the same after a ruling on house rules is not written again, and keeps its stamp.
        if slot.entry == as_of and slot.events[0].policy_version != judgement.rulebook.version:
            stamp = slot.events[0].policy_version
            self._drift(slot, slot.events[0], f"stamped {stamp}, in force was {judgement.rulebook.version}")
        return judgement.state

    def _drift(self, slot: Slot, at: Recorded, why: str) -> None:
        if (slot.entry, slot.slot) not in self._told:  # once, however many rulings come back to it
            self._told.add((slot.entry, slot.slot))
            self.drifted.append(Drifted(entry=slot.entry, slot=slot.slot, event=at.address, why=why))


def _decided(slot: Slot, as_of: int) -> bool:
    """Whether a slot was decided by the rules: rulings are words, and a dispute was opened in its own day."""
    assert slot.header is not None, "looked at before"
    if not isinstance(slot.header.command, WORDS):
        return True
    return slot.entry == as_of and type(slot.header.command).__name__ != "RuleOnDispute"


def _unlike(recorded: Recorded, decided: object) -> str:
    """Which field of an event says something else than its dice give."""
    kind = type(recorded.event).__name__
    if type(decided) is not type(recorded.event):
        return f"{kind} is written, {type(decided).__name__} would be decided"
    for name in recorded.event.__dataclass_fields__:
        was, now = getattr(recorded.event, name), getattr(decided, name)
        if was != now:
            return f"{kind}.{name} is {_short(was)}, decided again {_short(now)}"
    raise AssertionError("unequal events differ in a field")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _entries(written: Iterable[Recorded]) -> Iterator[tuple[Recorded, ...]]:
    gathered: list[Recorded] = []
    for one in written:
        if gathered and one.entry != gathered[0].entry:
            yield tuple(gathered)
            gathered = []
        gathered.append(one)
    if gathered:
        yield tuple(gathered)


class CommandRows:
    """The table of command keys held against the entries: a row names whole ones, and each has one row."""

    def __init__(self, rows: Iterable[Mapping[str, object]]) -> None:
        self.wrong: list[str] = []
        self._rows = iter(rows)
        self._row: Mapping[str, object] | None = None

    def passed(self, entry: tuple[Recorded, ...]) -> None:
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

    def _held_against(self, header: Recorded) -> None:
        """The row says what the header of each of its entries says; an old header says nothing of it."""
        assert self._row is not None, "asked of a row"
        sent = header.event.sent if isinstance(header.event, DecisionTaken) else None
        if sent is None:
            return
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
