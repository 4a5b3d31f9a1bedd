"""Arbitration: rulings previewed, made and taken back, and battles rolled back.

Knows how a ruling becomes one entry. What follows from it is decided in `campaign/rulings.py`, what it says
in `terms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tracker.campaign import decide as deciding
from tracker.campaign import records
from tracker.campaign.decide.decision import Decided
from tracker.campaign.evolve import fold
from tracker.campaign.ruling_refusals import RulingIncomplete
from tracker.campaign.rulings import (
    End,
    Rejudged,
    Slot,
    SlotJudged,
    Treatment,
    rejudge,
    slots_of,
)
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.dice import DiceNeeded, Die
from tracker.log.sealing import Head
from tracker.records import Record, replace
from tracker.rules import shelf
from tracker.service.play import Plan, Played, digest_of
from tracker.service.refusals import (
    DryRunRollsNothing,
    NoFacesGiven,
    NoSuchDispute,
    PreviewStale,
    RerollNeedsAnswer,
)
from tracker.service.rolling_back import RollingBack
from tracker.service.terms import Answer, RulingTerms, Terms

__all__ = ["Answer", "Arbitration", "Preview"]


class Preview(Record):
    """What a ruling would do. `head_size` is the log it was made against; `again` says that the die would
    be rolled again first. `own` is what it would write of itself, header apart."""

    dispute: OpenDispute
    verdict: records.Verdict
    die_before: Die | None
    die_after: Die | None
    rejudged: Rejudged
    before: CampaignState
    after: CampaignState
    head_size: int
    own: tuple[records.Event, ...] = ()
    again: bool = False


class _Stamp(Record):
    version: str
    digest: str


class Arbitration(RulingTerms, RollingBack):
    """What is done about a doubted roll, a battle that should not count, a ruling that was wrong."""

    def preview(self, campaign: str, name: str | None, answer: Answer) -> Preview:
        """All that a ruling would change. `name` is a dispute, or an event that nobody disputes yet; None for
        a ruling that nobody asked for."""
        head, before = self.load(campaign)
        dispute = self._dispute_or_event(campaign, name)
        terms = self.terms(campaign, before, dispute, answer, roll=False)
        rejudged = self._rejudge(head, before, terms, roll=False)
        own = _own(before, terms, rejudged)
        return Preview(
            dispute=dispute,
            verdict=answer.verdict,
            die_before=terms.die_before,
            die_after=terms.command.faces,
            rejudged=rejudged,
            before=before,
            after=fold(rejudged.state, own),
            head_size=head.size,
            own=own,
            again=terms.again is not None,
        )

    def rule(
        self,
        campaign: str,
        name: str | None,
        answer: Answer,
        *,
        roll: bool = False,
        dry_run: bool = False,
        expected_head: int | None = None,
        note: str | None = None,
    ) -> Played:
        """Rule on a dispute: one entry that holds the word and everything it changes, or nothing at all.

        Raises RulingIncomplete while a later slot needs dice or no longer follows and nobody said what
        becomes of it, and PreviewStale when the log has moved on from `expected_head`.
        """
        if roll and dry_run:
            raise DryRunRollsNothing
        by_the_tool = answer.verdict == "rerolled" and answer.faces is None
        if by_the_tool and roll and answer.strategy == "carry":
            raise RerollNeedsAnswer
        dispute = self.find_dispute(campaign, name) if name is not None else _nobody_asked(self.actor)
        head, before = self.load(campaign)
        if expected_head is not None and expected_head != head.size:
            since = self.moved_since(campaign, expected_head)
            raise PreviewStale(expected=expected_head, found=head.size, since=since)
        terms = self.terms(campaign, before, dispute, answer, roll=roll)
        if terms.again is not None:
            raise NoFacesGiven(purpose=terms.die_before.purpose if terms.die_before else "disputed")
        rejudged = self._rejudge(head, before, terms, roll=roll)
        if rejudged.unsettled:
            raise RulingIncomplete(
                unsettled=tuple((one.slot.slot, one.result, one.why) for one in rejudged.unsettled)
            )
        return self._write(campaign, head, before, terms, rejudged, dry_run=dry_run, note=note)

    def _write(
        self,
        campaign: str,
        head: Head,
        before: CampaignState,
        terms: Terms,
        rejudged: Rejudged,
        *,
        dry_run: bool,
        note: str | None,
    ) -> Played:
        writer = self.entry_writer(head)
        writer.begin_entry()
        # What was kept or voided is listed, so that nobody has to find it again under other code.
        command = replace(
            terms.command,
            kept=tuple(one.slot.slot for one in rejudged.slots if one.result == "kept"),
            voided=tuple(
                sorted(
                    {*terms.command.voided}
                    | {one.slot.slot for one in rejudged.slots if one.result == "voided"}
                )
            ),
        )
        rulebook = deciding.rulebook_for(before, command, shelf.rulebook)
        said = _own(before, terms, rejudged)
        # A dispute may be ruled on more than once, when a ruling was taken back.
        sent = records.Sent(
            key=f"ruling:{command.dispute}:{head.size}", digest=digest_of([Plan(command=command)])
        )
        header = Decided(event=records.DecisionTaken(command=command, note=note, sent=sent), cause=0)
        words = (Decided(event=event, cause=min(place, 1)) for place, event in enumerate(said))
        own = (header, *words)
        ruling_seq = head.size + 1
        writer.add(own, rulebook)
        for one in rejudged.slots:
            slot = one.slot.slot
            if one.result == "voided":
                void = records.SlotVoided(voided_slot=slot, reason=one.why or command.reason)
                writer.add((Decided(event=void, cause=0),), rulebook, slot=slot, caused_by=ruling_seq)
            elif one.fill is not None:
                stamp = _Stamp(version=one.stamp[0], digest=one.stamp[1])
                writer.add(one.fill, stamp, slot=slot, caused_by=ruling_seq)
        after = fold(rejudged.state, (decided.event for decided in own))
        if dry_run:
            return Played(campaign=campaign, entries=writer.entries(), state=after, dry_run=True)
        filled = [one.slot.slot for one in rejudged.slots if one.result == "voided" or one.fill is not None]
        receipt = self.append(
            writer,
            before,
            after,
            sent,
            first_changed_slot=min(filled, default=None),
        )
        if receipt.repeated:
            return self.recorded_before(campaign, receipt)
        return Played(campaign=campaign, entries=writer.entries(), state=after)

    def _rejudge(self, head: Head, now_state: CampaignState, terms: Terms, *, roll: bool) -> Rejudged:
        campaign, command = head.campaign, terms.command
        if terms.again is not None:
            return self._rolled_again(campaign, now_state, *terms.again)
        asked = {slot for slot, one in terms.treatments.items() if not one.held or one.restore}
        asked |= {*command.unkept, *command.kept, *command.voided, *(command.supplied or ())}
        if command.verdict == "confirmed" or not asked:
            return Rejudged(slots=(), state=now_state)
        first = min(asked)
        base, state = self.snapshot_before(campaign, first)
        slots = slots_of(self.log.live(campaign, after_slot=base))
        # Whatever is spoken of is decided, though it be let go only: the season may be what it was by then.
        return rejudge(
            *skip_until(state, slots, first),
            {**dict.fromkeys(asked, Treatment()), **terms.treatments},
            shelf.rulebook,
            roller=self.roller if roll else None,
            strategy=command.strategy,
            end=End(entry=head.entries, state=now_state),
        )

    def _rolled_again(self, campaign: str, now_state: CampaignState, slot: Slot, number: int) -> Rejudged:
        """A die that is to be rolled again leaves its slot open; what follows depends on how it falls."""
        header = slot.header
        assert header is not None, "a slot with a die has a header"
        die = header.dice[number]
        needed = DiceNeeded(
            purpose=die.purpose, die=die.die, fighter=die.fighter, why="rolled again by the ruling"
        )
        judged = SlotJudged(
            slot=slot,
            result="needs_dice",
            why=needed.lacking(),
            needed=needed,
            command=header.command,
            state=self.state_before(campaign, slot.slot),
            dice=(*header.dice, *header.spare),
            thrown=number,
        )
        return Rejudged(slots=(judged,), state=now_state, looked_at=1)

    # --- names ----------------------------------------------------------------------------------------------

    def _dispute_or_event(self, campaign: str, name: str | None) -> OpenDispute:
        if name is None:
            return _nobody_asked(self.actor)
        try:
            return self.find_dispute(campaign, name)
        except NoSuchDispute:
            if "." not in name:
                raise
        target = self.doubted_at(campaign, name)
        return replace(
            _nobody_asked(self.actor),
            target_seq=target.seq,
            target_entry=target.entry,
            target_position=target.position,
            target_slot=target.slot,
        )

    def slot_in_dispute(self, campaign: str, name: str) -> int:
        """The slot that a dispute, or an event nobody disputes yet, is about."""
        return self._dispute_or_event(campaign, name).target_slot


def _nobody_asked(actor: str) -> OpenDispute:
    """The dispute of a ruling that nobody asked for: number 0, about nothing."""
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


def _own(before: CampaignState, terms: Terms, rejudged: Rejudged) -> tuple[records.Event, ...]:
    """What the ruling writes of itself: its word, disputes opened again, slots let go and slots kept."""
    kept = dict(terms.kept)
    judged = {one.slot.slot: one for one in rejudged.slots}
    for slot, one in judged.items():
        if one.result in ("changed", "voided", "freed"):
            kept.pop(slot, None)
        elif one.result == "kept":
            kept[slot] = one.insisted
    released = [
        records.SlotReleased(released_slot=slot, reason=terms.command.reason, insisted=insisted)
        for slot, insisted in before.kept.items()
        if kept.get(slot) != insisted
    ]
    keeping = [
        records.SlotKept(
            kept_slot=slot,
            reason=judged[slot].why if slot in judged else terms.command.reason,
            insisted=insisted,
            restored=slot in judged and judged[slot].fill is not None,
        )
        for slot, insisted in sorted(kept.items())
        if before.kept.get(slot) != insisted
    ]
    # Words on other slots come last: each is shown with its own slot.
    keeping.sort(key=lambda one: not one.restored)
    return (terms.word, *terms.disputes, *released, *keeping)


def skip_until(
    state: CampaignState, slots: Iterable[Slot], first: int
) -> tuple[CampaignState, Iterator[Slot]]:
    """Fold the slots before `first` as they are; gives the state there and the slots from there on."""
    iterator = iter(slots)
    for slot in iterator:
        if slot.slot >= first:
            return state, _chained(slot, iterator)
        state = fold(state, slot.said)
    return state, iter(())


def _chained(first: Slot, rest: Iterator[Slot]) -> Iterator[Slot]:
    yield first
    yield from rest
