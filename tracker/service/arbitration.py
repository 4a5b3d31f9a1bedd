"""Arbitration: disputes opened, rulings previewed and made.

Knows how a ruling becomes one entry. What follows from it is decided in `campaign/rulings.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tracker.campaign import decide as deciding
from tracker.campaign.commands import DisputeRoll, OpenCampaign, RuleOnDispute
from tracker.campaign.decide.decision import Decided
from tracker.campaign.events import DecisionTaken, RollMade, RulingMade, SlotKept, SlotVoided, Verdict
from tracker.campaign.evolve import fold
from tracker.campaign.refusals import NoOpenDispute
from tracker.campaign.rulings import (
    NotARoll,
    Rejudged,
    RuledOnAlready,
    RulingIncomplete,
    Slot,
    Treatment,
    rejudge,
    roll_in_force,
    slots_of,
)
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.dice import Die, read_die
from tracker.rules import shelf
from tracker.rules.rulebook import Book
from tracker.service.play import Plan, Play, Played, digest_of
from tracker.service.refusals import (
    DryRunRollsNothing,
    EntryStands,
    NoFacesGiven,
    NoSuchEvent,
    PreviewStale,
    UnknownPurpose,
)

FIXED = (OpenCampaign, DisputeRoll, RuleOnDispute)
"""Commands whose entries no ruling moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a ruling would do. `head_size` is the log it was made against."""

    dispute: OpenDispute
    verdict: Verdict
    die_before: Die | None
    die_after: Die | None
    rejudged: Rejudged
    before: CampaignState
    after: CampaignState
    head_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the arbitrator says about a dispute, before it is looked at: see `RuleOnDispute`."""

    verdict: Verdict
    reason: str = ""
    faces: str | None = None
    supplied: Mapping[int, Sequence[tuple[str, str]]] = field(default_factory=dict)
    keep: tuple[int, ...] = ()
    void: tuple[int, ...] = ()


class Arbitration(Play):
    """What is done about a doubted roll."""

    def open_dispute(
        self, campaign: str, address: str, *, reason: str, raised_by: str, rule: str | None = None
    ) -> Played:
        """Doubt an event. It stays in force until a ruling."""
        target = self.event_at(campaign, address)
        held = self._slot(campaign, target.slot)
        if all(one.seq != target.seq for one in held.events):
            raise RuledOnAlready(address=address, entry=held.entry)
        command = DisputeRoll(
            target_seq=target.seq,
            target_entry=target.entry,
            target_position=target.position,
            target_slot=target.slot,
            raised_by=raised_by,
            reason=reason,
            rule=rule,
        )
        return self.play(campaign, [Plan(command=command)])

    def find_dispute(self, campaign: str, name: str) -> OpenDispute:
        """An open dispute, by its number or by the event it is about. Raises NoOpenDispute."""
        open_disputes = self.state(campaign).disputes
        for dispute in open_disputes.values():
            if name in (str(dispute.dispute), f"{dispute.target_entry}.{dispute.target_position}"):
                return dispute
        raise NoOpenDispute(dispute=name)

    def preview(self, campaign: str, name: str, answer: Answer) -> Preview:
        """All that a ruling would change. `name` is a dispute, or an event that nobody disputes yet."""
        head, before = self.load(campaign)
        try:
            dispute = self.find_dispute(campaign, name)
        except NoOpenDispute:
            if "." not in name:
                raise
            target = self.event_at(campaign, name)
            dispute = OpenDispute(
                dispute=0,
                target_seq=target.seq,
                target_entry=target.entry,
                target_position=target.position,
                target_slot=target.slot,
                raised_by=self.actor,
                reason="",
                rule=None,
            )
        command, die_before = self._ruling_command(campaign, dispute, answer)
        rejudged = self._rejudge(campaign, before, dispute, command, roll=False)
        return Preview(
            dispute=dispute,
            verdict=answer.verdict,
            die_before=die_before,
            die_after=command.faces,
            rejudged=rejudged,
            before=before,
            after=rejudged.state,
            head_size=head.size,
        )

    def rule(
        self,
        campaign: str,
        name: str,
        answer: Answer,
        *,
        roll: bool = False,
        dry_run: bool = False,
        expected_head: int | None = None,
    ) -> Played:
        """Rule on a dispute: one entry that holds the word and everything it changes, or nothing at all.

        Raises RulingIncomplete while a later slot needs dice or no longer follows and nobody said what
        becomes of it, and PreviewStale when the log has moved on from `expected_head`.
        """
        if roll and dry_run:
            raise DryRunRollsNothing
        dispute = self.find_dispute(campaign, name)
        head, before = self.load(campaign)
        if expected_head is not None and expected_head != head.size:
            raise PreviewStale(expected=expected_head, found=head.size)
        command, die_before = self._ruling_command(campaign, dispute, answer)
        rejudged = self._rejudge(campaign, before, dispute, command, roll=roll)
        if rejudged.unsettled:
            raise RulingIncomplete(
                unsettled=tuple((one.slot.slot, one.result, one.why) for one in rejudged.unsettled)
            )
        writer = self.entry_writer(head)
        writer.begin_entry()
        rulebook = deciding.rulebook_for(before, command, shelf.rulebook)
        ruling = RulingMade(
            dispute=dispute.dispute,
            verdict=answer.verdict,
            reason=answer.reason,
            before=die_before,
            after=command.faces,
        )
        kept = [one for one in rejudged.slots if one.result == "kept"]
        own = (
            Decided(event=DecisionTaken(command=command), cause=0),
            Decided(event=ruling, cause=0),
            *(Decided(event=SlotKept(kept_slot=one.slot.slot, reason=one.why), cause=1) for one in kept),
        )
        ruling_seq = head.size + 1
        writer.add(own, rulebook)
        for one in rejudged.slots:
            if one.result == "voided":
                void = SlotVoided(voided_slot=one.slot.slot, reason=answer.reason)
                writer.add(
                    (Decided(event=void, cause=0),), rulebook, slot=one.slot.slot, caused_by=ruling_seq
                )
            elif one.result == "changed":
                assert one.judgement is not None, "what changed was decided"
                writer.add(
                    one.judgement.events, one.judgement.rulebook, slot=one.slot.slot, caused_by=ruling_seq
                )
        after = fold(rejudged.state, (decided.event for decided in own))
        if dry_run:
            return Played(campaign=campaign, entries=writer.entries(), state=after, dry_run=True)
        changed = [one.slot.slot for one in rejudged.slots if one.result in ("voided", "changed")]
        receipt = self.append(
            writer,
            before,
            after,
            key=f"ruling:{dispute.dispute}",
            digest=digest_of([Plan(command=command)]),
            first_changed_slot=min(changed, default=None),
        )
        if receipt.repeated:
            return self.recorded_before(campaign, receipt)
        return Played(campaign=campaign, entries=writer.entries(), state=after)

    def _ruling_command(
        self, campaign: str, dispute: OpenDispute, answer: Answer
    ) -> tuple[RuleOnDispute, Die | None]:
        address = f"{dispute.target_entry}.{dispute.target_position}"
        doubted = self.event_at(campaign, address)
        slot = self._slot(campaign, dispute.target_slot)
        found = roll_in_force(slot, doubted)
        self._check_entries(campaign, dispute, answer)
        book = shelf.book(self.state(campaign).book)
        faces = None
        die_before = slot.header.dice[found[0]] if found is not None and slot.header is not None else None
        if answer.verdict == "corrected":
            if not isinstance(doubted.event, RollMade):
                raise NotARoll(address=address, what=type(doubted.event).__name__)
            if die_before is None:
                raise RuledOnAlready(address=address, entry=slot.entry)
            if answer.faces is None:
                raise NoFacesGiven(purpose=die_before.purpose)
            faces = replace(_read_die_for(book, die_before.purpose, answer.faces), fighter=die_before.fighter)
        voided = (*answer.void, dispute.target_slot) if answer.verdict == "voided" else answer.void
        supplied = {
            slot_number: tuple(_read_die_for(book, purpose, value) for purpose, value in listed)
            for slot_number, listed in answer.supplied.items()
        }
        command = RuleOnDispute(
            dispute=dispute.dispute,
            verdict=answer.verdict,
            reason=answer.reason,
            faces=faces,
            supplied=supplied or None,
            kept=answer.keep,
            voided=tuple(dict.fromkeys(voided)),
        )
        return command, die_before

    def _rejudge(
        self,
        campaign: str,
        now_state: CampaignState,
        dispute: OpenDispute,
        command: RuleOnDispute,
        *,
        roll: bool,
    ) -> Rejudged:
        if command.verdict == "confirmed":
            return Rejudged(slots=(), state=now_state)
        first = min((dispute.target_slot, *command.voided, *command.kept, *(command.supplied or ())))
        base, state = self.snapshot_before(campaign, first)
        slots = slots_of(self.log.live(campaign, after_slot=base))
        treatments: dict[int, Treatment] = {}
        if command.verdict == "corrected" and command.faces is not None:
            doubted = self.event_at(campaign, f"{dispute.target_entry}.{dispute.target_position}")
            found = roll_in_force(self._slot(campaign, dispute.target_slot), doubted)
            assert found is not None, "looked at when the command was made"
            treatments[dispute.target_slot] = Treatment(correct=(found[0], command.faces))
        for slot, dice in (command.supplied or {}).items():
            treatments[slot] = replace(treatments.get(slot, Treatment()), supplied=dice)
        for slot in command.kept:
            treatments[slot] = replace(treatments.get(slot, Treatment()), keep=True)
        for slot in command.voided:
            treatments[slot] = replace(treatments.get(slot, Treatment()), void=True)
        return rejudge(
            *_skip_until(state, slots, first),
            treatments,
            shelf.rulebook,
            roller=self.roller if roll else None,
        )

    def _check_entries(self, campaign: str, dispute: OpenDispute, answer: Answer) -> None:
        """Refuse to speak for entries that do not exist, or that no ruling moves."""
        voided = {*answer.void, *((dispute.target_slot,) if answer.verdict == "voided" else ())}
        entries = self.store.head(campaign).entries
        for entry in sorted({*voided, *answer.keep, *answer.supplied}):
            if not 1 <= entry <= entries:
                raise NoSuchEvent(address=str(entry), entries=entries)
            header = self._slot(campaign, entry).header
            if header is not None and isinstance(header.command, FIXED):
                raise EntryStands(entry=entry)

    def _slot(self, campaign: str, slot: int) -> Slot:
        """What fills a slot now."""
        events = self.log.slot(campaign, slot)
        return Slot(slot=slot, entry=events[0].entry, events=events)

    def slot_in_dispute(self, campaign: str, name: str) -> int:
        """The slot that a dispute, or an event nobody disputes yet, is about."""
        if "." in name:
            return self.event_at(campaign, name).slot
        return self.find_dispute(campaign, name).target_slot


def _read_die_for(book: Book, purpose: str, value: object) -> Die:
    known = book.purposes.get(purpose)
    if known is None:
        raise UnknownPurpose(purpose=purpose, known=tuple(book.purposes))
    return read_die(purpose, known.die, value, special=known.special)


def _skip_until(
    state: CampaignState, slots: Iterable[Slot], first: int
) -> tuple[CampaignState, Iterator[Slot]]:
    """Fold the slots before `first` as they are; gives the state there and the slots from there on."""
    iterator = iter(slots)
    for slot in iterator:
        if slot.slot >= first:
            return state, _chained(slot, iterator)
        state = fold(state, (recorded.event for recorded in slot.events))
    return state, iter(())


def _chained(first: Slot, rest: Iterator[Slot]) -> Iterator[Slot]:
    yield first
    yield from rest
