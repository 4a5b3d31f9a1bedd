"""Rulings: deciding slots again after a die was corrected, an entry voided or a ruling taken back.

Knows slots, the dice in their headers, and dependencies. `selective_replay` says which later slots the change
can affect. Each of them is decided again from its own command and dice; the result is unchanged, changed, in
need of dice, or refused. The same function serves preview and ruling, so a preview shows what it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeAlias

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.command_validation import validate_new_command
from tracker.campaign.evolve import fold
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.absences import Absence, AbsenceCollector
from tracker.campaign.rulings.convergence import StateComparison
from tracker.campaign.rulings.keep_as_recorded import replay_recorded
from tracker.campaign.rulings.selective_replay import LogTail, SelectiveReplay
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement, Library, decide_keeping_spare_dice, dispatch, rulebook_for
from tracker.campaign.steps.decision import DecidedEvent, Decision
from tracker.dice import DiceLeftOver, DiceNeeded, DiceTray, Die, Roller
from tracker.errors import Refusal
from tracker.records import Record, replace

LOG_COMMANDS = (
    *(records.DisputeRoll, records.CommentOnDispute, records.WithdrawDispute),
    *(records.ConfirmRoll, records.RuleOnDispute),
    *(records.SetToolDice, records.OpenDiceSession, records.CloseDiceSession),
    *(records.CommitContribution, records.RevealContribution, records.WithholdContribution),
    *(records.RequestRolls, records.ResolveRolls, records.AbandonRolls),
)
"""Commands about the log itself: no ruling decides their entries again."""


READ_AHEAD = 31
"""How many likely next slots are read together with the current one."""

VERDICTS = (1, 2)
"""Exit codes of refusals by rules, state or input. A damaged file, say, is no verdict on an entry."""


class Slot(Record):
    """What fills one place in the order of play: a header and its events, or a `SlotVoided`."""

    slot: int
    entry: int
    events: tuple[RecordedEvent, ...]

    @property
    def header(self) -> records.DecisionTaken | None:
        """The header, or None for a void slot."""
        first = self.events[0].event
        return first if isinstance(first, records.DecisionTaken) else None

    @property
    def domain_events(self) -> tuple[records.Event, ...]:
        """The events, header first."""
        return tuple(recorded.event for recorded in self.events)

    def has_same_inputs(self, other: Slot) -> bool:
        """Whether both have the same command, note and dice, so that no ruling in between was about this
        slot.
        """
        mine, theirs = self.header, other.header
        if mine is None or theirs is None:
            return mine is theirs
        return (mine.command, mine.note) == (theirs.command, theirs.note) and _all_dice(mine) == _all_dice(
            theirs
        )


def _all_dice(header: records.DecisionTaken) -> Counter[Die]:
    return Counter((*header.dice, *header.spare))


def slots_of(live: Iterable[RecordedEvent]) -> Iterable[Slot]:
    """Live history, grouped by slot."""
    gathered: list[RecordedEvent] = []
    for recorded in live:
        if gathered and recorded.slot != gathered[0].slot:
            yield Slot(slot=gathered[0].slot, entry=gathered[0].entry, events=tuple(gathered))
            gathered = []
        gathered.append(recorded)
    if gathered:
        yield Slot(slot=gathered[0].slot, entry=gathered[0].entry, events=tuple(gathered))


class SlotInstruction(Record):
    """What to do with one slot: another die, more dice, another command; keep it as played, or void it.

    `amended`: the entry gets this `command`, and these `dice` and this `note` unless they are None ("" is no
    note). `new`: the command still has to pass `validate_new_command`.

    `held`: an earlier ruling kept the slot, so it stays unless the rules can decide it again; with
    `insisted`, even then. `restore` is the content before a ruling that is taken back: it is decided, or
    kept, from there.
    """

    correct: tuple[int, Die] | None = None
    supplied: tuple[Die, ...] = ()
    command: records.Command | None = None
    dice: tuple[Die, ...] | None = None
    note: str | None = None
    amended: bool = False
    new: bool = False
    keep: bool = False
    void: bool = False
    held: bool = False
    insisted: bool = False
    restore: Slot | None = None


class RollRead(Record):
    """A roll of a slot as it was recorded, and its meaning now."""

    was: records.RollMade
    now: records.RollMade


Result: TypeAlias = Literal[
    "unchanged", "changed", "needs_dice", "refused", "voided", "kept", "held", "freed"
]


class RedecidedSlot(Record):
    """One slot decided again. `judgement` is set for a changed slot; `why` explains a need or a refusal.

    `held`: kept by an earlier ruling. `freed`: it was kept, and the rules now decide it as it was played.
    `fill` is the new content, None if it stays, and `stamp` its rulebook's version and digest. `state` is the
    state before a slot that needs dice, `dice` the dice it has, and `thrown` the place among them of one to
    be rolled again. `keepable`: it could be kept as played and is not itself disputed; `as_played` is the
    state if it is kept.

    The reason why a slot needs dice: `otherwise` is a roll that now means something else; without one, the
    state before the slot when it was recorded (`recorded_from`) differs from `state`.
    """

    slot: Slot
    result: Result
    judgement: Judgement | None = None
    why: str = ""
    needed: DiceNeeded | None = None
    refusal: Refusal | None = None
    fill: tuple[DecidedEvent, ...] | None = None
    stamp: tuple[str, str] = ("", "")
    insisted: bool = False
    command: records.Command | None = None
    state: CampaignState | None = None
    dice: tuple[Die, ...] = ()
    thrown: int | None = None
    keepable: bool = True
    as_played: CampaignState | None = None
    otherwise: RollRead | None = None
    recorded_from: CampaignState | None = None

    @property
    def settled(self) -> bool:
        """Whether a ruling can be made with this result."""
        return self.result not in ("needs_dice", "refused")


class Redecision(Record):
    """The slots that did not come out unchanged, in the order of play, and the state after all of them.

    A slot that is not settled counts as kept as played. `absences` are the battles that the rules keep
    somebody out of, before or now. `beyond` counts the slots not looked at because the state before them is
    the same, `skipped` those in between that access nothing that differs.
    """

    slots: tuple[RedecidedSlot, ...]
    state: CampaignState
    looked_at: int = 0
    beyond: int = 0
    skipped: int = 0
    absences: tuple[Absence, ...] = ()

    @property
    def unchanged(self) -> int:
        """The number of slots that stay as they are."""
        return self.looked_at + self.beyond + self.skipped - len(self.slots)

    @property
    def unsettled(self) -> tuple[RedecidedSlot, ...]:
        """The slots that still need a decision by the Arbitrator."""
        return tuple(judged for judged in self.slots if not judged.settled)


class ReplayEnd(Record):
    """The last entry of a log, and the state after it as recorded."""

    entry: int
    state: CampaignState


def redecide(
    state: CampaignState,
    slots: Iterable[Slot],
    instructions: Mapping[int, SlotInstruction],
    library: Library,
    *,
    roller: Roller | None = None,
    strategy: records.Strategy = "carry",
    end: ReplayEnd | None = None,
    tail: LogTail | None = None,
    on_slot: Callable[[int, CampaignState], None] = lambda _slot, _state: None,
) -> Redecision:
    """Decide slots again, in the order of play, from the state before the first of them.

    Returns the slots that did not come out unchanged. Refusals of single slots are results, not exceptions.
    `on_slot` is called for each slot with the state after it.

    With `end`, it stops after the last instruction as soon as the state equals the recorded one, unless
    somebody missed other battles than before: all of those are listed. With `tail`, it skips slots that
    access nothing that differs. Raises DiceLeftOver for supplied dice that nothing asks for.
    """
    courses, treated = StateComparison(), max(instructions, default=0)
    found: list[RedecidedSlot] = []
    missed = AbsenceCollector(library)
    replay = None
    if tail is not None and end is not None:
        replay = SelectiveReplay(tail, treated=instructions, missed=missed, last=end.entry, end=end.state)
    was = state
    looked_at = beyond = skipped = 0
    waiting = iter(slots)
    while (slot := next(waiting, None)) is not None:
        looked_at += 1
        instruction = instructions.get(slot.slot, SlotInstruction())
        judged = redecide_slot(state, slot, instruction, library, roller, strategy)
        if judged.result == "needs_dice":
            judged = replace(judged, recorded_from=was)
        if judged.result != "unchanged":
            found.append(judged)
        before = state
        state = state_after(state, judged)
        on_slot(slot.slot, state)
        if judged.result == "unchanged" and was is before:
            was = state
        else:
            said = slot.domain_events
            by_now = said if judged.result == "unchanged" else _by_now(judged)
            missed.add_battle(said, by_now, was, before)
            was = fold(was, said)
        if end is None:
            continue
        if (
            slot.slot >= treated
            and not missed.changed
            and (judged.result != "unchanged" or was.under_way is None)
            and courses.equal(was, state)
        ):
            state, beyond = end.state, end.entry - slot.slot
            break
        resume = replay.resume_after(slot.slot, was, state) if replay is not None else None
        if resume is not None and tail is not None:
            was, state = resume.was, resume.now
            skipped += (resume.next_slot or end.entry + 1) - slot.slot - 1
            if resume.next_slot is None:
                break
            waiting = _one_by_one(tail, resume.next_slot, end.entry)
    return Redecision(
        slots=tuple(found),
        state=state,
        looked_at=looked_at,
        beyond=beyond,
        skipped=skipped,
        absences=missed.absences(),
    )


def _one_by_one(tail: LogTail, first: int, last: int) -> Iterator[Slot]:
    """The slots from `first` to `last`, each read when needed: mostly few are."""
    for number in range(first, last + 1):
        yield from slots_of(tail.slot(number, tail.accesses.likely_after(number, READ_AHEAD)))


def state_after(state: CampaignState, judged: RedecidedSlot) -> CampaignState:
    """The state after a slot. One that is not settled counts as played, or as void if that is impossible."""
    if judged.judgement is not None and judged.result in ("changed", "unchanged", "freed"):
        return judged.judgement.state
    if judged.result == "voided":
        return state
    filling = [decided.event for decided in judged.fill] if judged.fill else judged.slot.domain_events
    stays = replay_recorded(state, filling)
    return state if isinstance(stays, str) else stays


def _by_now(judged: RedecidedSlot) -> tuple[records.Event, ...]:
    """The events that fill a slot now; the header may be left out."""
    if judged.result == "voided":
        return ()
    filling = judged.fill or (judged.judgement.events if judged.judgement is not None else None)
    return judged.slot.domain_events if filling is None else tuple(recorded.event for recorded in filling)


def redecide_slot(
    state: CampaignState,
    slot: Slot,
    instruction: SlotInstruction,
    library: Library,
    roller: Roller | None,
    strategy: records.Strategy,
) -> RedecidedSlot:
    """Decide one slot again in this state, following its instruction."""
    played = instruction.restore or slot
    header = played.header
    if (
        header is None
        or isinstance(header.command, LOG_COMMANDS)
        or (instruction.void and slot.header is None)
    ):
        void_again = header is None and slot.header is not None
        return RedecidedSlot(slot=slot, result="voided" if void_again else "unchanged")
    if instruction.void:
        _refuse_left_over(slot, instruction.supplied, instruction)
        return RedecidedSlot(slot=slot, result="voided")
    # The strategy is an answer for later entries only: the disputed entry needs its own.
    at_stake = instruction.correct is not None or instruction.amended
    keeping = _Keeping(state, slot, played, instruction, "carry" if at_stake else strategy)
    # A kept slot stays as played: no die is rolled for it that nobody would ever see.
    tray = DiceTray(dice_for(header, instruction), roller=None if instruction.keep else roller)
    command = instruction.command or header.command
    note = header.note if instruction.note is None else instruction.note or None
    try:
        if instruction.new:
            validate_new_command(state, command, library)
        judgement = decide_keeping_spare_dice(
            state, command, tray, library, entry=slot.slot, note=note, sent=header.sent
        )
    except DiceNeeded as needed:
        return keeping.instead(needed.lacking()) or RedecidedSlot(
            slot=slot,
            result="needs_dice",
            why=keeping.unless_kept(needed.lacking()),
            needed=needed,
            command=command,
            state=state,
            dice=dice_for(header, instruction),
            keepable=keeping.possible and not instruction.amended,
            as_played=keeping.as_played,
            otherwise=_read_otherwise(slot, state, command, dice_for(header, instruction), library),
        )
    except Refusal as refusal:
        if refusal.exit_code not in VERDICTS:
            raise
        return keeping.instead(refusal.message()) or RedecidedSlot(
            slot=slot,
            result="refused",
            why=keeping.unless_kept(refusal.message()),
            refusal=refusal,
            keepable=keeping.possible and not instruction.amended,
        )
    _refuse_left_over(slot, tray.waiting, instruction)
    if instruction.keep or (instruction.held and instruction.insisted):
        kept = keeping.kept("kept by the ruling", insisted=True)
        if kept is not None:
            return kept
    same = slot.domain_events == tuple(decided.event for decided in judgement.events)
    rulebook = judgement.rulebook
    return RedecidedSlot(
        slot=slot,
        result=("freed" if instruction.held else "unchanged") if same else "changed",
        judgement=judgement,
        fill=None if same else judgement.events,
        stamp=(rulebook.version, rulebook.digest),
    )


def _read_otherwise(
    slot: Slot, state: CampaignState, command: records.Command, dice: tuple[Die, ...], library: Library
) -> RollRead | None:
    """The first roll that now means something else, before the missing die."""
    decision = Decision(state, rulebook_for(state, command, library), DiceTray(dice), entry=slot.slot)
    with suppress(DiceNeeded):
        dispatch(decision, command)
    was = [event for event in slot.domain_events if isinstance(event, records.RollMade)]
    now = [recorded.event for recorded in decision.events if isinstance(recorded.event, records.RollMade)]
    for then, by_now in zip(was, now, strict=False):
        if (then.purpose, then.fighter) != (by_now.purpose, by_now.fighter):
            return None
        if (then.outcome, then.faces, then.symbol) != (by_now.outcome, by_now.faces, by_now.symbol):
            return RollRead(was=then, now=by_now)
    return None


class _Keeping:
    """Decides whether a slot that the rules cannot decide is kept as played, or voided."""

    def __init__(
        self,
        state: CampaignState,
        slot: Slot,
        played: Slot,
        instruction: SlotInstruction,
        strategy: records.Strategy,
    ) -> None:
        self._state = state
        self._slot = slot
        self._played = played
        self._instruction = instruction
        self._strategy = strategy
        self._cannot = ""

    def instead(self, why: str) -> RedecidedSlot | None:
        """The slot kept or voided; None if the Arbitrator has to say."""
        if self._instruction.keep or self._instruction.held or self._strategy == "keep-later":
            kept = self.kept(why, insisted=False)
            if kept is not None:
                return kept
        if self._strategy == "void-later" or (self._strategy == "keep-later" and self._cannot):
            return RedecidedSlot(slot=self._slot, result="voided", why=self.unless_kept(why))
        stays = replay_recorded(self._state, self._played.domain_events)
        self._cannot = stays if isinstance(stays, str) else ""
        return None

    def kept(self, why: str, *, insisted: bool) -> RedecidedSlot | None:
        """The slot kept as played; None if that is impossible."""
        stays = replay_recorded(self._state, self._played.domain_events)
        if isinstance(stays, str):
            self._cannot = stays
            return None
        first = self._played.events[0]
        fill = None
        if self._played.domain_events != self._slot.domain_events:
            fill = tuple(
                DecidedEvent(
                    event=recorded.event, cause=(recorded.causation or first.seq) - first.seq if place else 0
                )
                for place, recorded in enumerate(self._played.events)
            )
        held = self._instruction.held and not self._instruction.keep
        return RedecidedSlot(
            slot=self._slot,
            result="held" if held else "kept",
            why=why,
            fill=fill,
            stamp=(first.policy_version, first.policy_digest),
            insisted=self._instruction.insisted if held else insisted,
        )

    @property
    def possible(self) -> bool:
        """Whether it could be kept, after `instead` returned None."""
        return not self._cannot

    @property
    def as_played(self) -> CampaignState | None:
        """The state after the slot as played, if that is possible."""
        stays = replay_recorded(self._state, self._played.domain_events)
        return None if isinstance(stays, str) else stays

    def unless_kept(self, why: str) -> str:
        """The reason, with the reason why it is not kept."""
        return f"{why} It cannot be kept as played: {self._cannot}." if self._cannot else why


def _refuse_left_over(slot: Slot, waiting: tuple[Die, ...], instruction: SlotInstruction) -> None:
    """Raises DiceLeftOver for dice of the ruling that nothing asked for: they are a slip."""
    brought = [*instruction.supplied]
    if instruction.dice is not None:
        # An amendment may change whose die it is and its part, but a die that fell before is not new.
        fell = {_fallen(die) for die in (_all_dice(slot.header) if slot.header else ())}
        brought += [die for die in instruction.dice if _fallen(die) not in fell]
    left = tuple(die for die in waiting if any(die is new for new in brought))
    if left:
        raise DiceLeftOver(left=left, entry=f"entry {slot.slot}")


def _fallen(die: Die) -> Die:
    return replace(die, fighter=None, part=UNSET)


def dice_for(header: records.DecisionTaken, instruction: SlotInstruction) -> tuple[Die, ...]:
    """The dice of a slot with one perhaps corrected, then its spare dice, then the supplied ones."""
    if instruction.dice is not None:
        return (*instruction.dice, *instruction.supplied)
    dice = list(header.dice)
    if instruction.correct is not None:
        number, corrected = instruction.correct
        was = dice[number]
        dice[number] = replace(corrected, purpose=was.purpose, die=was.die, fighter=was.fighter)
    return (*dice, *header.spare, *instruction.supplied)


def roll_in_force(slot: Slot, disputed: RecordedEvent) -> tuple[int, records.RollMade] | None:
    """The disputed roll as the slot holds it now, with its die's place in the header; None if it is gone.

    If a ruling has decided the slot again, this is the roll with the same purpose, fighter, place and faces.
    """
    rolls = [event for event in slot.events if isinstance(event.event, records.RollMade)]
    for recorded in rolls:
        if recorded.seq == disputed.seq and isinstance(recorded.event, records.RollMade):
            return recorded.event.number, recorded.event
    if not isinstance(disputed.event, records.RollMade):
        return None
    for recorded in rolls:
        if isinstance(recorded.event, records.RollMade) and _same_die(recorded.event, disputed.event):
            return recorded.event.number, recorded.event
    return None


def standing_now(slot: Slot, entry: Sequence[RecordedEvent], struck: RecordedEvent) -> str:
    """The address of the event that now stands in place of a struck event of `entry`: the nth of the same
    kind and fighter, else the slot as a whole.
    """
    before = [recorded for recorded in entry if recorded.slot == struck.slot and recorded.seq < struck.seq]
    number = sum(_kind_of(recorded.event) == _kind_of(struck.event) for recorded in before)
    alike = [recorded for recorded in slot.events if _kind_of(recorded.event) == _kind_of(struck.event)]
    found = alike[number] if number < len(alike) else None
    return str(slot.slot) if found is None or found is slot.events[0] else found.address


def _kind_of(event: records.Event) -> tuple[object, ...]:
    return type(event), getattr(event, "purpose", None), getattr(event, "fighter", None)


def _same_die(die: records.RollMade, other: records.RollMade) -> bool:
    return (die.purpose, die.fighter, die.number, die.faces, die.symbol) == (
        other.purpose,
        other.fighter,
        other.number,
        other.faces,
        other.symbol,
    )
