"""Resolves the request for a ruling into an event to write and one instruction for each slot: redecide, keep,
void or restore; a change of house rules changes commands.

Decides nothing: `campaign/rulings/redecision.py` finds the consequences, and `rulings` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from msgspec import field

from tracker.campaign import records, steps
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import Slot, SlotInstruction, roll_in_force, standing_now
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.campaign.verdicts import Verdict
from tracker.dice import Die, Roller, sides_of
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.service import refusals
from tracker.service.corrected_die import die_that_comes_out, read_die_for
from tracker.service.log_view import FIXED, LogView


def changed_opening(
    view: LogView, change: records.HouseRules, *, without: AbstractSet[str] = frozenset()
) -> tuple[int, records.OpenBattle]:
    """The slot of the battle's opening, and its command with the change. Raises what refuses the change.

    `without` are policies that an earlier ruling made the battle adopt, and that it should not.
    """
    slot, command = view.opening(change.from_battle)
    mine = {rule.policy for rule in change.repealing} | without
    adopted = tuple(rule for rule in command.adopting or () if rule.text.policy not in mine)
    undone = {rule.text.policy for rule in command.adopting or ()} & mine
    repealed = tuple(rule for rule in change.repealing if rule.policy not in undone)
    changed = replace(
        command,
        adopting=(*adopted, *change.adopting) or None,
        repealing=(*(command.repealing or ()), *repealed) or None,
    )
    steps.rulebook_for(view.state_before(slot), changed, loader.rulebook)
    return slot, changed


def later_changes(
    view: LogView, first: int, *, adopted: AbstractSet[str], repealed: AbstractSet[str]
) -> dict[int, records.OpenBattle | None]:
    """The later slots that adopt ('id' or 'id@version') or repeal one of these. None for a slot that does
    nothing else; the command without it for a battle's opening.
    """
    found: dict[int, records.OpenBattle | None] = {}
    for slot in view.policy_slots():
        if slot <= first:
            continue
        header = view.slot(slot).header
        command = header.command if header is not None else None
        if (isinstance(command, records.AdoptPolicy) and _is_one_of(command.text, adopted)) or (
            isinstance(command, records.RepealPolicy) and command.policy in repealed
        ):
            found[slot] = None
        elif isinstance(command, records.OpenBattle):
            fewer = replace(
                command,
                adopting=tuple(rule for rule in command.adopting or () if not _is_one_of(rule.text, adopted))
                or None,
                repealing=tuple(rule for rule in command.repealing or () if rule.policy not in repealed)
                or None,
            )
            if fewer != command:
                found[slot] = fewer
    return found


def commands_changed(view: LogView, change: records.HouseRules) -> dict[int, records.OpenBattle]:
    """The commands of a ruling that changes house rules, by slot."""
    slot, command = changed_opening(view, change)
    # A later battle that adopts the same rule by ruling need not: it holds already.
    again = later_changes(view, slot, adopted={_id(rule.text) for rule in change.adopting}, repealed=set())
    return {number: changed for number, changed in {**again, slot: command}.items() if changed is not None}


def words_of(change: records.HouseRules) -> str:
    """'from battle 2 on: adopts templates-spill@1, repeals stray-shots-on-a-6'."""
    said = [f"adopts {_id(rule.text)}" for rule in change.adopting]
    said += [f"repeals {rule.policy}" for rule in change.repealing]
    return f"from battle {change.from_battle} on: {', '.join(said)}"


def _id(text: records.PolicyText) -> str:
    return f"{text.policy}@{text.version}"


def _is_one_of(text: records.PolicyText, named: AbstractSet[str]) -> bool:
    return text.policy in named or _id(text) in named


class RulingRequest(Record):
    """The arbitrator's answer, not yet checked: see `RuleOnDispute`. `reverses` names a ruling to
    take back where no dispute does; `supplied_here` are dice for the disputed slot itself."""

    verdict: Verdict
    reason: str = ""
    faces: str | None = None
    outcome: str | None = None
    supplied: Mapping[int, Sequence[tuple[str, str]]] = field(default_factory=dict)
    supplied_here: Sequence[tuple[str, str]] = ()
    keep: tuple[int, ...] = ()
    unkeep: tuple[int, ...] = ()
    void: tuple[int, ...] = ()
    reverses: int | None = None
    strategy: records.Strategy = "carry"
    house_rules: records.HouseRules | None = None
    amended: Mapping[int, records.Amendment] = field(default_factory=dict)


class ResolvedRuling(Record):
    """A ruling's event and the instructions for slots. `kept` are the slots kept by earlier rulings.

    `again` is the number of a die that is still to be rerolled; `disputes` are events about other disputes
    that the ruling opens or settles.
    """

    command: records.RuleOnDispute
    instructions: Mapping[int, SlotInstruction]
    kept: Mapping[int, bool]
    die_before: Die | None = None
    again: tuple[Slot, int] | None = None
    turns: tuple[int, ...] = ()
    disputes: tuple[records.DisputeReopened | records.DisputeSettledAgain, ...] = ()

    @property
    def word(self) -> records.RulingMade:
        """The event of the ruling."""
        return records.RulingMade(
            dispute=self.command.dispute,
            verdict=self.command.verdict,
            reason=self.command.reason,
            before=self.die_before,
            after=self.command.faces,
            outcome=self.command.outcome,
            reverses=self.command.reverses,
            turns=self.turns,
        )


class RulingResolver:
    """Checks a request on the log on which the ruling is made. `again`: a recorded ruling is made again."""

    def __init__(self, view: LogView, roller: Roller | None = None, *, again: bool = False) -> None:
        self._view = view
        self._roller = roller
        self._again = again

    def of(self, dispute: OpenDispute, answer: RulingRequest) -> ResolvedRuling:
        """The resolved request. Refuses a face that fits no die, entries that do not exist, and rulings that
        are none.
        """
        state = self._view.state
        slot = self._view.slot(dispute.target_slot) if dispute.target_slot else None
        if answer.supplied_here:
            here = [*answer.supplied.get(dispute.target_slot, ()), *answer.supplied_here]
            answer = replace(answer, supplied={**answer.supplied, dispute.target_slot: here})
        self._check_entries(dispute, answer)
        moved = {*answer.supplied, *answer.amended}
        if answer.verdict in ("corrected", "rerolled", "set"):
            moved.add(dispute.target_slot)
        for both in sorted(moved & {*answer.keep}):
            raise refusals.KeptAndRedecided(entry=both)
        for both in sorted({*answer.keep} & {*answer.void, *answer.unkeep}):
            raise refusals.KeptAndVoided(entry=both, voided=both in answer.void)
        for both in sorted({*answer.amended} & {*answer.void}):
            raise refusals.AmendedAndVoided(entry=both)
        # A corrected or added die means that a kept entry is to be decided again: release it.
        unkept = _once((*answer.unkeep, *sorted(moved & {*state.kept})))
        book = loader.book(state.book)
        command = records.RuleOnDispute(
            dispute=dispute.dispute,
            verdict=answer.verdict,
            reason=answer.reason,
            outcome=answer.outcome,
            supplied={
                number: tuple(read_die_for(book, purpose, value) for purpose, value in listed)
                for number, listed in answer.supplied.items()
            }
            or None,
            kept=answer.keep,
            unkept=unkept,
            voided=_once((*answer.void, *((dispute.target_slot,) if answer.verdict == "voided" else ()))),
            strategy=answer.strategy,
            amended=dict(answer.amended) or None,
        )
        kept = {number: how for number, how in state.kept.items() if number not in unkept}
        terms = ResolvedRuling(command=command, instructions={}, kept=kept)
        if answer.verdict == "reversed":
            terms = self._reversing(dispute, answer, terms)
        elif slot is not None and answer.verdict != "amended":
            terms = self._about_a_die(dispute, slot, answer, terms)
        instructions = dict(terms.instructions)
        for number, insisted in terms.kept.items():
            instructions[number] = replace(
                instructions.get(number, SlotInstruction()), held=True, insisted=insisted
            )
        for number, amendment in answer.amended.items():
            instructions[number] = replace(
                instructions.get(number, SlotInstruction()),
                command=amendment.command,
                dice=amendment.dice,
                note=amendment.note,
                amended=True,
                new=not self._again,
            )
        for number, dice in (command.supplied or {}).items():
            instructions[number] = replace(instructions.get(number, SlotInstruction()), supplied=dice)
        for number in command.kept:
            instructions[number] = replace(instructions.get(number, SlotInstruction()), keep=True)
        for number in command.voided:
            instructions[number] = replace(instructions.get(number, SlotInstruction()), void=True)
        terms = replace(terms, instructions=instructions)
        return terms if answer.house_rules is None else self._with_house_rules(answer.house_rules, terms)

    # --- a die ---------------------------------------------------------------------------------------------

    def _about_a_die(
        self,
        dispute: OpenDispute,
        slot: Slot,
        answer: RulingRequest,
        terms: ResolvedRuling,
    ) -> ResolvedRuling:
        address = f"{dispute.target_entry}.{dispute.target_position}"
        disputed = self._view.event_at(address)
        found = roll_in_force(slot, disputed)
        before = slot.header.dice[found[0]] if found is not None and slot.header is not None else None
        terms = replace(terms, die_before=before)
        if answer.verdict not in ("corrected", "rerolled", "set"):
            return terms
        if not isinstance(disputed.event, records.RollMade):
            what = refusals.plainly(type(disputed.event).__name__)
            raise records.NotARoll(address=address, what=what)
        if before is None or found is None:
            entry = self._view.entry(disputed.entry)
            raise records.RuledOnAlready(
                address=address, entry=slot.entry, now=standing_now(slot, entry, disputed)
            )
        if answer.verdict == "set":
            state = self._view.state_before(slot.slot)
            die = die_that_comes_out(state, slot, found[0], before, answer.outcome or "")
        elif answer.faces is not None:
            book = loader.book(self._view.state.book)
            die = read_die_for(book, before.purpose, answer.faces)
        elif answer.verdict == "rerolled" and self._roller is not None:
            faces = tuple(self._roller(sides) for sides in sides_of(before.die))
            die = Die(purpose=before.purpose, die=before.die, faces=faces, source="generated")
        elif answer.verdict == "rerolled":
            return replace(terms, again=(slot, found[0]))
        else:
            raise refusals.NoFacesGiven(purpose=before.purpose)
        die = replace(die, fighter=before.fighter)
        return replace(
            terms,
            command=replace(terms.command, faces=die),
            instructions={dispute.target_slot: SlotInstruction(correct=(found[0], die))},
        )

    # --- house rules ---------------------------------------------------------------------------------------

    def _with_house_rules(self, change: records.HouseRules, terms: ResolvedRuling) -> ResolvedRuling:
        instructions = dict(terms.instructions)
        for number, changed in commands_changed(self._view, change).items():
            instructions[number] = replace(instructions.get(number, SlotInstruction()), command=changed)
        return replace(
            terms,
            instructions=instructions,
            command=replace(terms.command, house_rules=change, outcome=words_of(change)),
        )

    # --- a ruling taken back -------------------------------------------------------------------------------

    def _reversing(
        self, dispute: OpenDispute, answer: RulingRequest, terms: ResolvedRuling
    ) -> ResolvedRuling:
        state = self._view.state
        number = answer.reverses or dispute.target_entry
        entry = self._view.entry(number)
        word = next(
            (recorded.event for recorded in entry if isinstance(recorded.event, records.RulingMade)), None
        )
        if word is None:
            raise refusals.NotARuling(address=f"Entry {number}")
        if number in state.rulings_taken_back:
            raise refusals.RulingTakenBack(ruling=number)
        kept = dict(state.kept)
        for recorded in reversed(entry):
            if isinstance(recorded.event, records.SlotKept):
                kept.pop(recorded.event.kept_slot, None)
            elif isinstance(recorded.event, records.SlotReleased):
                kept[recorded.event.released_slot] = recorded.event.insisted
        for slot in terms.command.unkept:
            kept.pop(slot, None)
        instructions = {}
        for slot in sorted({recorded.slot for recorded in entry if recorded.slot != number}):
            before = self._filled_before(number, slot)
            if before is not None:
                instructions[slot] = SlotInstruction(restore=before)
        # A slot that was voided since has nothing left to keep.
        for slot in {*kept} - {*state.kept} - {*instructions}:
            if isinstance(self._view.slot(slot).events[0].event, records.SlotVoided):
                kept.pop(slot)
        # Slots that it kept are decided again too, although it wrote nothing there.
        for slot in {*state.kept, *kept}:
            if (slot in kept) != (slot in state.kept):
                instructions.setdefault(slot, SlotInstruction())
        return replace(
            terms,
            command=replace(terms.command, reverses=number),
            instructions=instructions,
            kept=kept,
            turns=tuple(self._turned(number)),
            disputes=self._disputes_of(state, entry, word),
        )

    def _filled_before(self, ruling: int, slot: int) -> Slot | None:
        """The content of a slot before a ruling; None if a later ruling changed the slot and this one did
        not.
        """
        slots = self._view.fillings(slot)
        place = next(place for place, filling in enumerate(slots) if filling.entry == ruling)
        before, its, now = slots[place - 1], slots[place], slots[-1]
        if now.has_same_inputs(its):
            return before
        if its.has_same_inputs(before):
            return None
        by = next(
            later.entry
            for earlier, later in zip(slots[place:], slots[place + 1 :], strict=False)
            if not later.has_same_inputs(earlier)
        )
        raise refusals.RulingBuiltUpon(ruling=ruling, slot=slot, by=by)

    def _disputes_of(
        self, state: CampaignState, entry: Sequence[RecordedEvent], word: records.RulingMade
    ) -> tuple[records.DisputeReopened | records.DisputeSettledAgain, ...]:
        """The dispute that it settled opens again; those that it had opened again are settled again."""
        found: list[records.DisputeReopened | records.DisputeSettledAgain] = []
        events = [recorded.event for recorded in entry]
        again = [event.dispute for event in events if isinstance(event, records.DisputeSettledAgain)]
        # A dispute that another ruling opened again is open already.
        for number in sorted({word.dispute, *again} - {0} - {*state.disputes}):
            asked = self._view.entry(number)
            opened = next(
                recorded.event for recorded in asked if isinstance(recorded.event, records.RollDisputed)
            )
            found.append(
                records.DisputeReopened(
                    dispute=opened.dispute,
                    target_seq=opened.target_seq,
                    target_entry=opened.target_entry,
                    target_position=opened.target_position,
                    target_slot=opened.target_slot,
                    raised_by=opened.raised_by,
                    reason=opened.reason,
                    rule=opened.rule,
                )
            )
        found += [
            records.DisputeSettledAgain(dispute=event.dispute, ruling=word.reverses or 0)
            for event in events
            if isinstance(event, records.DisputeReopened) and event.dispute in state.disputes
        ]
        return tuple(found)

    def _turned(self, ruling: int) -> Iterator[int]:
        """A ruling, the ruling that it took back, the one that that took back, and so on."""
        turned: int | None = ruling
        while turned is not None:
            yield turned
            entry = self._view.entry(turned)
            turned = next(
                recorded.event.reverses
                for recorded in entry
                if isinstance(recorded.event, records.RulingMade)
            )

    def _check_entries(self, dispute: OpenDispute, answer: RulingRequest) -> None:
        """Refuse entries that do not exist or that no ruling can change."""
        voided = {*answer.void, *((dispute.target_slot,) if answer.verdict == "voided" else ())}
        for entry in sorted({*voided, *answer.keep, *answer.unkeep, *answer.supplied, *answer.amended}):
            if not 1 <= entry <= self._view.entries:
                raise self._view.no_such_event(entry)
            held = self._view.slot(entry)
            if held.header is not None and isinstance(held.header.command, FIXED):
                raise refusals.EntryStands(entry=entry)
            if held.header is None and entry in answer.amended:
                raise refusals.EntryIsVoid(address=f"entry {entry}", entry=held.entry)


def _once(numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))


def nobody_asked(actor: str) -> OpenDispute:
    """A stand-in for the dispute of a ruling that nobody asked for: number 0, about nothing."""
    return OpenDispute(
        dispute=0,
        target_seq=0,
        target_entry=0,
        target_position=0,
        target_slot=0,
        raised_by=actor,
        reason="",
        rule=None,
    )
