"""The replay audit: decides every entry of a log again, from its own command and dice.

Each entry is decided on the state that was believed when it was written. A ruling is made again on the log
before it, and must write exactly the same. So entries that a later ruling superseded are checked too. Memory
is bounded by the state: a few older states are kept, the further back the wider apart. Sentences of the
program itself may differ between releases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import SlotInstruction, dice_for, slots_of
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray, Die, Roller
from tracker.errors import Refusal
from tracker.log.reader import LogReader
from tracker.records import Record, names_of_fields, replace
from tracker.rules import loader
from tracker.service.entry_checks import untrue
from tracker.service.log_view import LogView
from tracker.service.ruling_effects import SlotWrite, command_in_full, fillings, own_events, redecide_slots
from tracker.service.ruling_request import ResolvedRuling, RulingRequest, RulingResolver, nobody_asked
from tracker.service.snapshots import EVERY_ENTRIES, worth_keeping, written_state


class RuledAgain(Record):
    """The writes of a ruling that was made again, and the state after it. `same_from` is the first slot whose
    state the ruling did not change; beyond the log if there is none.
    """

    fillings: tuple[SlotWrite, ...]
    state: CampaignState
    same_from: int


def ruled_again(view: LogView, entry: Sequence[RecordedEvent]) -> RuledAgain:
    """Make a recorded ruling again. Raises what ruling raises, also for entries left open."""
    header = entry[0].event
    assert isinstance(header, records.DecisionTaken), "looked at before"
    command = header.command
    assert isinstance(command, records.RuleOnDispute), "looked at before"
    dispute = view.state.disputes.get(command.dispute) if command.dispute else nobody_asked(entry[0].actor)
    if dispute is None:
        raise records.NoOpenDispute(dispute=str(command.dispute))
    terms = RulingResolver(view, _die_again(command), again=True).of(dispute, _answer(command, entry))
    terms = _with_dice_rolled(view, terms, entry)
    redecision = redecide_slots(view, terms)
    if redecision.unsettled:
        raise records.RulingIncomplete(
            unsettled=tuple(
                (redecided.slot.slot, redecided.result, redecided.why) for redecided in redecision.unsettled
            )
        )
    own = own_events(view.state, terms, redecision)
    written = fillings(
        view, command_in_full(terms, redecision), own, redecision, note=header.note, sent=header.sent
    )
    return RuledAgain(
        fillings=written,
        state=fold(redecision.state, own),
        same_from=view.entries - redecision.beyond if redecision.beyond else view.entries + 1,
    )


def in_other_words(recorded: records.Event, decided: records.Event, command: records.RuleOnDispute) -> bool:
    """Whether two events differ only in a reason that the program worded itself, not the arbitrator."""
    if not isinstance(decided, (records.SlotKept, records.SlotVoided)) or type(recorded) is not type(decided):
        return False
    assert isinstance(recorded, (records.SlotKept, records.SlotVoided)), "of one type"
    ours = decided.reason != command.reason
    return ours and bool(recorded.reason) and replace(recorded, reason=decided.reason) == decided


def _answer(command: records.RuleOnDispute, entry: Sequence[RecordedEvent]) -> RulingRequest:
    """The arbitrator's answer, reconstructed. Entries kept or voided by the strategy are left for it to find
    again.
    """
    supplied = command.supplied or {}
    by_itself: set[int] = set()
    if command.strategy == "keep-later":
        by_itself = {*command.kept} & {*supplied, *command.unkept}
    if command.strategy != "carry":
        by_itself |= {
            recorded.event.voided_slot
            for recorded in entry
            if isinstance(recorded.event, records.SlotVoided)
            and (recorded.event.reason != command.reason or recorded.event.voided_slot in supplied)
        }
    has_faces = command.verdict in ("corrected", "rerolled") and command.faces is not None
    rolled = has_faces and _was_rolled(command)
    return RulingRequest(
        verdict=command.verdict,
        reason=command.reason,
        faces=command.faces.shown() if has_faces and not rolled and command.faces is not None else None,
        outcome=command.outcome,
        supplied={slot: tuple((die.purpose, die.shown()) for die in dice) for slot, dice in supplied.items()},
        keep=tuple(slot for slot in command.kept if slot not in by_itself),
        unkeep=command.unkept,
        void=tuple(slot for slot in command.voided if slot not in by_itself),
        reverses=command.reverses,
        strategy=command.strategy,
        house_rules=command.house_rules,
        amended=command.amended or {},
    )


def _was_rolled(command: records.RuleOnDispute) -> bool:
    return command.verdict == "rerolled" and command.faces is not None and command.faces.source == "generated"


def _die_again(command: records.RuleOnDispute) -> Roller | None:
    """The die that the tool rolled again falls as it did."""
    if not _was_rolled(command) or command.faces is None:
        return None
    faces = chain(command.faces.faces, (0,) * 9)  # too few of them are no roll at all
    return lambda _: next(faces)


def _with_dice_rolled(view: LogView, terms: ResolvedRuling, entry: Sequence[RecordedEvent]) -> ResolvedRuling:
    """The terms, with the dice that the tool rolled for each slot that was decided again."""
    number = entry[0].entry
    instructions = dict(terms.instructions)
    for recorded in entry:
        if recorded.slot == number or not isinstance(recorded.event, records.DecisionTaken):
            continue
        instruction = instructions.get(recorded.slot, SlotInstruction())
        rolled = _rolled(view, recorded, recorded.event, instruction)
        if rolled:
            instructions[recorded.slot] = replace(instruction, supplied=(*instruction.supplied, *rolled))
    return replace(terms, instructions=instructions)


def _rolled(
    view: LogView, recorded: RecordedEvent, header: records.DecisionTaken, instruction: SlotInstruction
) -> list[Die]:
    """The dice of a refilled slot that it had not before and that nobody gave."""
    played = (instruction.restore or view.slot(recorded.slot)).header
    if played is None:
        return []
    there = Counter(_fall(die, die.fighter) for die in dice_for(played, instruction))
    left = [die for die in (*header.spare, *header.dice) if not _taken(there, _fall(die, die.fighter))]
    # A die that was not used yet belonged to nobody.
    left = [die for die in left if not _taken(there, _fall(die, None))]
    return [die for die in left if die.source == "generated"]


def _fall(die: Die, fighter: str | None) -> tuple[object, ...]:
    # The symbol of a face is added when the die is used.
    return (die.purpose, die.die, die.faces or die.symbol, die.source, fighter)


def _taken(there: Counter[tuple[object, ...]], fall: tuple[object, ...]) -> bool:
    there[fall] -= 1
    if there[fall] >= 0:
        return True
    there[fall] = 0
    return False


class ReplayMismatch(Record):
    """An entry that does not follow from its own dice: `event` is the address of the first that differs."""

    entry: int
    slot: int
    event: str
    why: str

    def __str__(self) -> str:
        return f"entry {self.entry}, event {self.event}: {self.why}"


class ReplayAudit:
    """One pass over a log. Afterwards `drifted` has the mismatches, and `snapshots` the SHA-256 of the
    requested states, None if a ruling reached behind them.
    """

    def __init__(self, log: LogReader, campaign: str, *, snapshots_after: Iterable[int] = ()) -> None:
        self.drifted: list[ReplayMismatch] = []
        self.snapshots: dict[int, bytes | None] = dict.fromkeys(snapshots_after)
        self._log = log
        self._campaign = campaign
        self._state = CampaignState()
        self._older: dict[int, CampaignState] = {0: self._state}

    def run(
        self,
        *,
        last_seq: int | None = None,
        on_entry: Callable[[tuple[RecordedEvent, ...]], None] = lambda _: None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Read the log to its end, or to that event. `on_entry` is called with every entry."""
        for entry in _entries(self._log.written(self._campaign, last_seq=last_seq)):
            on_entry(entry)
            try:
                self._take(entry)
            except IMPOSSIBLE as error:
                # Later mismatches could be consequences of this one.
                self._drift(entry[0], f"it cannot be decided again: {_short(error)}")
                return
            progress(entry[-1].seq + 1)

    def _take(self, entry: tuple[RecordedEvent, ...]) -> None:
        header = entry[0]
        first = min((recorded.slot for recorded in entry if recorded.slot != header.entry), default=None)
        if first is not None:
            self.snapshots |= dict.fromkeys(after for after in self.snapshots if after >= first)
        if _is_ruling(header):
            self._ruling(entry, first)
        else:
            self._decision(entry, first)
        if header.entry % EVERY_ENTRIES == 0:
            _keep(self._older, header.entry, self._state)
        if header.entry in self.snapshots:
            state = written_state(self._state, self._campaign, header.entry)
            self.snapshots[header.entry] = sha256(state).digest()

    def _decision(self, entry: tuple[RecordedEvent, ...], first: int | None) -> None:
        header = entry[0]
        if not isinstance(header.event, records.DecisionTaken):
            self._drift(header, f"{_kind(header)} is where its header should be: no command decided it")
        elif first is not None:
            other = next(recorded for recorded in entry if recorded.slot != header.entry)
            self._drift(other, f"it fills slot {other.slot}, and only a ruling fills another than its own")
        elif self._follows(entry, header.event):
            return
        self._as_written(entry, first)

    def _follows(self, entry: tuple[RecordedEvent, ...], header: records.DecisionTaken) -> bool:
        """Whether an entry is what its command decides; if so, updates the state."""
        number = entry[0].entry
        why = untrue(self._view_before(number), entry)
        if why:
            self._drift(entry[0], why)
            return False
        tray = DiceTray((*header.dice, *header.spare))
        try:
            judgement = decide_keeping_spare_dice(
                self._state,
                header.command,
                tray,
                loader.rulebook,
                entry=number,
                note=header.note,
                sent=header.sent,
            )
        except Refusal as refusal:
            self._drift(entry[0], f"it would be refused: {refusal.message()}")
            return False
        own = SlotWrite(slot=None, decided=judgement.events, stamp=judgement.rulebook)
        if not self._same(entry, (own,)):
            return False
        self._state = judgement.state  # folded from the same events as are written
        return True

    def _ruling(self, entry: tuple[RecordedEvent, ...], first: int | None) -> None:
        """Make a ruling again on the log as it was before it."""
        states: dict[int, CampaignState] = {}
        view = self._view_before(entry[0].entry, states)
        try:
            why = untrue(view, entry)
            again = None if why else ruled_again(view, entry)
        except records.RulingIncomplete as left:
            slot, _, lacks = left.unsettled[0]
            why, again = f"it leaves entry {slot} open: {lacks}", None
        except Refusal as refusal:
            if refusal.exit_code not in REFUSED:
                raise
            why, again = f"it would be refused: {refusal.message()}", None
        if again is None:
            self._drift(entry[0], why)
        elif self._same(entry, again.fillings):
            if first is not None:
                self._forget(first, again.same_from)
            for slot, state in sorted(states.items()):
                _keep(self._older, slot, state)
            self._state = again.state
            return
        self._as_written(entry, first)

    def _same(self, entry: tuple[RecordedEvent, ...], fillings: tuple[SlotWrite, ...]) -> bool:
        """Whether an entry holds exactly these fillings, with the right actor, time and rulebook."""
        header, place = entry[0], 0
        for filling in fillings:
            slot = filling.slot or header.entry
            start = header.seq + place
            for nth, decided in enumerate(filling.decided):
                if place == len(entry):
                    return self._drift(entry[-1], f"it would go on: {type(decided.event).__name__}")
                recorded = entry[place]
                led = header.seq + 1 if filling.slot else None
                why = (
                    _elsewhere(recorded, slot)
                    or _unlike(recorded, decided.event, header)
                    or _unsigned(recorded, header, entry[start - header.seq])
                    or _misled(recorded, start + decided.cause if nth else led)
                )
                if not why and not nth and recorded.policy_version != filling.stamp.version:
                    why = f"stamped {recorded.policy_version}, in force was {filling.stamp.version}"
                if why:
                    return self._drift(recorded, why)
                place += 1
        if place < len(entry):
            return self._drift(entry[place], f"nothing leads to it: {_kind(entry[place])}")
        return True

    # --- states -------------------------------------------------------------------------------------------

    def _view_before(self, entry: int, states: dict[int, CampaignState] | None = None) -> LogView:
        """The log as it was before an entry; states on the way are added to `states`."""

        def keep_state(slot: int, state: CampaignState) -> None:
            if states is not None and slot % EVERY_ENTRIES == 0:
                _keep(states, slot, state)

        return LogView(
            self._log,
            self._campaign,
            entries=entry - 1,
            state=self._state,
            nearest=self._nearest,
            on_slot=keep_state,
        )

    def _nearest(self, slot: int) -> tuple[int, CampaignState]:
        base = max(older for older in self._older if older < slot)
        return base, self._older[base]

    def _as_written(self, entry: tuple[RecordedEvent, ...], first: int | None) -> None:
        """Continue from an entry as it is written, although it does not follow."""
        if first is None:
            self._state = fold(self._state, (recorded.event for recorded in entry))
            return
        self._forget(first, entry[0].entry)
        base, state = self._nearest(first)
        for slot in slots_of(self._log.live(self._campaign, after_slot=base, as_of_entry=entry[0].entry)):
            state = fold(state, slot.domain_events)
        self._state = state

    def _forget(self, first: int, same_from: int) -> None:
        """Drop stored states after slots from `first` on, up to the slot from which they are unchanged."""
        self._older = {
            slot: state for slot, state in self._older.items() if slot < first or slot >= same_from
        }

    def _drift(self, at: RecordedEvent, why: str) -> bool:
        self.drifted.append(ReplayMismatch(entry=at.entry, slot=at.slot, event=at.address, why=why))
        return False


REFUSED = (1, 2)
"""The exceptions that mean a refusal; others are no verdict on an entry."""
IMPOSSIBLE = (AssertionError, LookupError, StopIteration)
"""The exceptions of folding events that no decision gives."""


def _keep(states: dict[int, CampaignState], slot: int, state: CampaignState) -> None:
    """Store a state, and drop others that are no longer worth it."""
    states[slot] = state
    worth = {0, *worth_keeping(states)}
    for gone in [entry for entry in states if entry not in worth]:
        del states[gone]


def _is_ruling(header: RecordedEvent) -> bool:
    return isinstance(header.event, records.DecisionTaken) and isinstance(
        header.event.command, records.RuleOnDispute
    )


def _kind(recorded: RecordedEvent) -> str:
    return type(recorded.event).__name__


def _elsewhere(recorded: RecordedEvent, slot: int) -> str:
    return (
        "" if recorded.slot == slot else f"it fills slot {recorded.slot}, where slot {slot} would be filled"
    )


def _unlike(recorded: RecordedEvent, decided: records.Event, header: RecordedEvent) -> str:
    """The field of an event that differs from what its dice give."""
    if recorded.event == decided:
        return ""
    kind = _kind(recorded)
    if type(decided) is not type(recorded.event):
        return f"{kind} is written, {type(decided).__name__} would be decided"
    assert isinstance(header.event, records.DecisionTaken), "looked at before"
    if isinstance(header.event.command, records.RuleOnDispute) and in_other_words(
        recorded.event, decided, header.event.command
    ):
        return ""
    for name in names_of_fields(recorded.event):
        was, now = getattr(recorded.event, name), getattr(decided, name)
        if was != now:
            return f"{kind}.{name} is {_short(was)}, decided again {_short(now)}"
    raise AssertionError("unequal events differ in a field")


def _unsigned(recorded: RecordedEvent, header: RecordedEvent, first: RecordedEvent) -> str:
    """The fault if an entry has several actors, times or, within a slot, rulebooks; else ''."""
    if recorded.actor != header.actor:
        return f"it is {recorded.actor}'s, and its entry {header.actor}'s"
    if recorded.at != header.at:
        return f"it is of {recorded.at}, and its entry of {header.at}"
    if (recorded.policy_version, recorded.policy_digest) != (first.policy_version, first.policy_digest):
        return "it is stamped with another rulebook than the event before it"
    return ""


def _misled(recorded: RecordedEvent, cause: int | None) -> str:
    if recorded.causation == cause:
        return ""
    return f"it names event {recorded.causation} as its cause, decided again {cause}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _entries(written: Iterable[RecordedEvent]) -> Iterator[tuple[RecordedEvent, ...]]:
    gathered: list[RecordedEvent] = []
    for recorded in written:
        if gathered and recorded.entry != gathered[0].entry:
            yield tuple(gathered)
            gathered = []
        gathered.append(recorded)
    if gathered:
        yield tuple(gathered)
