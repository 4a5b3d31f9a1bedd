"""Arbitration: rulings previewed, made and taken back, and battles rolled back.

Knows how a ruling is appended. What it says is read in `terms`, what it comes to worked out in `ruling`.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.rulings.redecision import Redecision
from tracker.campaign.rulings.refusals import RulingIncomplete
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.dice import Die
from tracker.records import Record, replace
from tracker.service.command_handler import CommandWithDice, RecordResult, digest_of
from tracker.service.past import Present
from tracker.service.refusals import (
    DryRunRollsNothing,
    NoFacesGiven,
    NoSuchDispute,
    PreviewStale,
    RerollNeedsAnswer,
)
from tracker.service.rolling_back import RollingBack
from tracker.service.ruling import command_in_full, fillings, key_of, own_events, rejudged_by
from tracker.service.ruling_request import ResolvedRuling, RulingRequest, RulingResolver, nobody_asked


class Preview(Record):
    """What a ruling would do. `head_size` is the log it was made against; `again` says that the die would
    be rolled again first. `own` is what it would write of itself, header apart."""

    dispute: OpenDispute
    verdict: records.Verdict
    die_before: Die | None
    die_after: Die | None
    rejudged: Redecision
    before: CampaignState
    after: CampaignState
    head_size: int
    own: tuple[records.Event, ...] = ()
    again: bool = False


class Arbitration(RollingBack):
    """What is done about a doubted roll, a battle that should not count, a ruling that was wrong."""

    def preview(self, campaign: str, name: str | None, answer: RulingRequest) -> Preview:
        """All that a ruling would change. `name` is a dispute, or an event that nobody disputes yet; None for
        a ruling that nobody asked for."""
        now = self.now(campaign)
        before = now.state
        dispute = self._dispute_or_event(campaign, name)
        terms = RulingResolver(now).of(dispute, answer)
        rejudged = rejudged_by(now, terms)
        own = own_events(before, terms, rejudged)
        return Preview(
            dispute=dispute,
            verdict=answer.verdict,
            die_before=terms.die_before,
            die_after=terms.command.faces,
            rejudged=rejudged,
            before=before,
            after=fold(rejudged.state, own),
            head_size=now.head.size,
            own=own,
            again=terms.again is not None,
        )

    def rule(
        self,
        campaign: str,
        name: str | None,
        answer: RulingRequest,
        *,
        roll: bool = False,
        dry_run: bool = False,
        expected_head: int | None = None,
        note: str | None = None,
    ) -> RecordResult:
        """Rule on a dispute: one entry that holds the word and everything it changes, or nothing at all.

        Raises RulingIncomplete while a later slot needs dice or no longer follows and nobody said what
        becomes of it, and PreviewStale when the log has moved on from `expected_head`.
        """
        if roll and dry_run:
            raise DryRunRollsNothing
        by_the_tool = answer.verdict == "rerolled" and answer.faces is None
        if by_the_tool and roll and answer.strategy == "carry":
            raise RerollNeedsAnswer
        dispute = self.find_dispute(campaign, name) if name is not None else nobody_asked(self.actor)
        now = self.now(campaign)
        if expected_head is not None and expected_head != now.head.size:
            since = self.moved_since(campaign, expected_head)
            raise PreviewStale(expected=expected_head, found=now.head.size, since=since)
        roller = self.roller if roll else None
        terms = RulingResolver(now, roller).of(dispute, answer)
        if terms.again is not None:
            raise NoFacesGiven(purpose=terms.die_before.purpose if terms.die_before else "disputed")
        rejudged = rejudged_by(now, terms, roller=roller)
        if rejudged.unsettled:
            raise RulingIncomplete(
                unsettled=tuple((one.slot.slot, one.result, one.why) for one in rejudged.unsettled)
            )
        return self._write(now, terms, rejudged, dry_run=dry_run, note=note)

    def _write(
        self,
        now: Present,
        terms: ResolvedRuling,
        rejudged: Redecision,
        *,
        dry_run: bool,
        note: str | None,
    ) -> RecordResult:
        head = now.head
        command = command_in_full(terms, rejudged)
        own = own_events(now.state, terms, rejudged)
        sent = records.Sent(
            key=key_of(command, head.size), digest=digest_of([CommandWithDice(command=command)])
        )
        writer = self.entry_writer(head)
        writer.begin_entry()
        written = fillings(now, command, own, rejudged, note=note, sent=sent)
        for one in written:
            caused_by = None if one.slot is None else head.size + 1
            writer.add(one.decided, one.stamp, slot=one.slot, caused_by=caused_by)
        after = fold(rejudged.state, (decided.event for decided in written[0].decided))
        if dry_run:
            return RecordResult(campaign=head.campaign, entries=writer.entries(), state=after, dry_run=True)
        receipt = self.append(
            writer,
            now.state,
            after,
            sent,
            first_changed_slot=min((one.slot for one in written if one.slot is not None), default=None),
        )
        if receipt.repeated:
            return self.recorded_before(head.campaign, receipt)
        return RecordResult(campaign=head.campaign, entries=writer.entries(), state=after)

    # --- names ----------------------------------------------------------------------------------------------

    def _dispute_or_event(self, campaign: str, name: str | None) -> OpenDispute:
        if name is None:
            return nobody_asked(self.actor)
        try:
            return self.find_dispute(campaign, name)
        except NoSuchDispute:
            if "." not in name:
                raise
        target = self.doubted_at(campaign, name)
        return replace(
            nobody_asked(self.actor),
            target_seq=target.seq,
            target_entry=target.entry,
            target_position=target.position,
            target_slot=target.slot,
        )

    def slot_in_dispute(self, campaign: str, name: str) -> int:
        """The slot that a dispute, or an event nobody disputes yet, is about."""
        return self._dispute_or_event(campaign, name).target_slot
