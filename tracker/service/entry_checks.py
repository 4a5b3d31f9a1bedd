"""Checks of an entry beyond its replay: possible dice, disputed events, house rules, command keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import roll_in_force
from tracker.dice import D66, FROM_PEOPLE, PLAIN_DICE, Die, sides_of
from tracker.rules import loader
from tracker.service.log_view import LogView
from tracker.service.named_gangs import gangs_named_in_dispute
from tracker.service.ruling_effects import key_of


def untrue(view: LogView, entry: Sequence[RecordedEvent]) -> str:
    """A contradiction between an entry's headers and the log before it; '' if there is none."""
    header = entry[0].event
    assert isinstance(header, records.DecisionTaken), "looked at before"
    return next(_untrue(view, entry, header), "")


def _untrue(view: LogView, entry: Sequence[RecordedEvent], header: records.DecisionTaken) -> Iterator[str]:
    command = header.command
    for recorded in entry:
        if isinstance(recorded.event, records.DecisionTaken):
            for die in (*recorded.event.dice, *recorded.event.spare):
                if not _can_fall(die):
                    yield f"no {die.die} shows {die.shown()!r} ({die.purpose})"
    left = [die for die in header.spare if die.source in FROM_PEOPLE]
    if left:
        yield f"it holds a die that people gave and nothing asked for: {left[0].purpose} {left[0].shown()}"
    for text in _policies(command):
        name = f"{text.policy}@{text.version}"
        printed = loader.policies().get(name)
        if printed is not None and dict(printed.patch) != text.patch:
            yield f"its house rule {name} sets {text.patch}, and in this program {dict(printed.patch)}"
    if isinstance(command, records.OpenBattle) and (command.adopting or command.repealing):
        yield "it changes house rules for a battle, and only a ruling does"
    if isinstance(command, records.RuleOnDispute):
        yield from _of_a_ruling(entry[0], header, command)
    if isinstance(command, (records.DisputeRoll, records.ConfirmRoll)):
        yield from _of_a_target(view, command)
    if isinstance(command, records.CommentOnDispute):
        yield from _of_a_statement(view, command)


def _can_fall(die: Die) -> bool:
    sides = sides_of(die.die)
    if die.faces:
        fits = len(die.faces) == len(sides) and all(
            1 <= face <= most for face, most in zip(die.faces, sides, strict=True)
        )
        return fits and not (die.symbol and die.die in PLAIN_DICE)
    # A table row is named instead of a D66, a symbol instead of a special die's face.
    return bool(die.symbol) and (die.die == D66 or die.die not in PLAIN_DICE)


def _policies(command: records.Command) -> Iterator[records.PolicyText]:
    match command:
        case records.OpenCampaign():
            yield from command.policies
        case records.AdoptPolicy():
            yield command.text
        case records.RuleOnDispute(house_rules=records.HouseRules() as change):
            yield from (adoption.text for adoption in change.adopting)
        case _:
            pass


def _of_a_ruling(
    recorded: RecordedEvent, header: records.DecisionTaken, command: records.RuleOnDispute
) -> Iterator[str]:
    key = key_of(command, recorded.seq)
    if header.sent is not None and header.sent.key != key:
        yield f"it was sent under the key {header.sent.key!r}, and its key is {key!r}"
    change = command.house_rules
    if change is None:
        return
    for battle in (
        *(adoption.from_battle for adoption in change.adopting),
        *(repeal.from_battle for repeal in change.repealing),
    ):
        if battle != change.from_battle:
            yield f"its house rules hold from battle {change.from_battle}, and one from battle {battle}"


def _of_a_target(view: LogView, command: records.DisputeRoll | records.ConfirmRoll) -> Iterator[str]:
    events = view.entry(command.target_entry)
    place = command.target_position
    address = f"{command.target_entry}.{place}"
    if not 1 <= place <= len(events):
        yield f"it is about event {address}, and there was none"
        return
    target = events[place - 1]
    if (target.seq, target.slot) != (command.target_seq, command.target_slot):
        yield (
            f"it is about event {address}, and names event {command.target_seq} of slot"
            f" {command.target_slot} for it"
        )
    elif isinstance(command, records.ConfirmRoll):
        yield from _of_a_witness(view, target, command)


def _of_a_witness(view: LogView, target: RecordedEvent, command: records.ConfirmRoll) -> Iterator[str]:
    if not isinstance(target.event, records.RollMade):
        yield f"it confirms event {target.address}, which is no roll"
        return
    if command.entered_by != target.actor:
        yield f"it says that {command.entered_by} entered the roll of {target.address}, it was {target.actor}"
    held = view.slot(target.slot)
    roll = roll_in_force(held, target)
    if roll is None or held.header is None:
        yield f"it confirms the roll of {target.address}, which did not count any more"
    elif (command.number, command.die) != (roll[0], held.header.dice[roll[0]]):
        yield f"it confirms another die than that of {target.address}"


def _of_a_statement(view: LogView, command: records.CommentOnDispute) -> Iterator[str]:
    dispute = view.state.disputes.get(command.dispute)
    if dispute is None:
        return  # refused where it is decided again
    concerned = gangs_named_in_dispute(view, dispute)
    if command.gangs != concerned:
        named, right = (", ".join(gangs) or "nobody" for gangs in (command.gangs, concerned))
        yield f"it says that dispute {command.dispute} concerns {named}, and it concerns {right}"


_NUMBERS = ("first_entry", "last_entry", "first_seq", "last_seq")


class CommandRows:
    """Compares the table of command keys with the entries: a row names whole entries, each in one row."""

    def __init__(self, rows: Iterable[Mapping[str, object]]) -> None:
        self.wrong: list[str] = []
        self._rows = self._with_numbers(rows)
        self._row: Mapping[str, object] | None = None
        self._sent = False

    def check(self, entry: tuple[RecordedEvent, ...]) -> None:
        """Check the next entry of the log."""
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
        """Compare the row with the headers of its entries; headers of older programs have no key."""
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
        """Check that the log has ended with the rows."""
        if self._row is not None:
            self._say(f"ends with entry {self._int('last_entry')}, which is not in the log")
        for row in self._rows:
            self._row = row
            self._say(f"stands for entry {self._int('first_entry')}, which is not in the log")

    def _with_numbers(self, rows: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
        """The rows with all numbers; the owner of a database may have dropped NOT NULL."""
        for row in rows:
            missing = [name for name in _NUMBERS if not isinstance(row[name], int)]
            if not missing:
                yield row
                continue
            self.wrong.append(f"command {row['key']!r} has no number in {', '.join(missing)}")

    def _int(self, name: str) -> int:
        assert self._row is not None, "asked of a row"
        value = self._row[name]
        assert isinstance(value, int), "rows without numbers are left out"
        return value

    def _say(self, what: str) -> None:
        assert self._row is not None, "asked of a row"
        self.wrong.append(f"command {self._row['key']!r} {what}")


def _is_digest(text: object) -> bool:
    return isinstance(text, str) and len(text) == 64 and not set(text) - set("0123456789abcdef")
