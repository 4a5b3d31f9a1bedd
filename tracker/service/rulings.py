"""Rulings: previews, makes and takes back rulings; rolls battles back; changes house rules from a past battle
on.

Knows how a ruling is appended. `ruling_request` resolves the request, `ruling_effects` works out the
consequences. Adopting or repealing a house rule from a recorded battle on is a ruling: the opening of that
battle is decided again with the change in its command, and every later slot is decided again from its own
dice. A what-if does the same and writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.rulings.dice_forecast import DiceForecast
from tracker.campaign.rulings.outcome_distribution import OutcomeDistribution, outcome_distribution
from tracker.campaign.rulings.owed_rolls import OwedRoll, owed_rolls, reminders
from tracker.campaign.rulings.redecision import Redecision, SlotInstruction, slots_of
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.campaign.verdicts import Verdict
from tracker.dice import DiceTray, Die
from tracker.log import database
from tracker.projections import entry_queries, queries
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.rules.provable_dice import PROTOCOL, ProvableRoller
from tracker.rules.rulebook import Policy
from tracker.service import refusals, ruling_effects, ruling_request
from tracker.service.command_handler import CommandHandler, CommandWithDice, RecordResult, digest_of
from tracker.service.dice_sessions import same_fall
from tracker.service.disputes import Disputes
from tracker.service.drawn_dice import refuse_not_rolled
from tracker.service.log_view import FIXED, CurrentLogView
from tracker.service.repository import CampaignRepository
from tracker.service.roll_source import RollSource, roll_fairly
from tracker.service.what_if import WhatIf, house_rules_changed, what_if

ENTRIES_FOLLOWED = 3
_REQUEST_EVENTS = 2
"""The events that a request for dice adds to the log: a header and the request."""


def chances_of(redecision: Redecision) -> dict[int, OutcomeDistribution | None]:
    """The exact chances of the first slots that need dice, by slot; None: too many outcomes."""
    lacking = (
        (slot, slot.command, slot.state)
        for slot in redecision.slots
        if slot.result == "needs_dice" and slot.command is not None and slot.state is not None
    )
    return {
        slot.slot.slot: outcome_distribution(
            state, command, slot.dice, loader.rulebook, entry=slot.slot.slot, thrown=slot.thrown
        )
        for slot, command, state in islice(lacking, ENTRIES_FOLLOWED)
    }


class Preview(Record):
    """The consequences of a ruling. `head_size` is the size of the log it was made on; `again` means that the
    die would be rerolled first. `own` are the ruling's own events, without the header.
    """

    dispute: OpenDispute
    verdict: Verdict
    die_before: Die | None
    die_after: Die | None
    redecision: Redecision
    before: CampaignState
    after: CampaignState
    head_size: int
    own: tuple[records.Event, ...] = ()
    again: bool = False
    forecast: DiceForecast = DiceForecast()
    owed: tuple[OwedRoll, ...] = ()


class Rulings:
    """The operations on rulings and roll backs."""

    def __init__(self, repository: CampaignRepository, commands: CommandHandler, disputes: Disputes) -> None:
        self._repository = repository
        self._commands = commands
        self._disputes = disputes

    def preview(
        self, campaign: str, name: str | OpenDispute | None, answer: ruling_request.RulingRequest
    ) -> Preview:
        """Everything that a ruling would change. `name` is a dispute, or an event without a dispute; None for
        a ruling on the Arbitrator's own initiative.
        """
        now = CurrentLogView(self._repository, campaign)
        refuse_not_rolled(self._repository.log, now, answer.amended)
        before = now.state
        dispute = self._dispute_or_event(now, name)
        terms = ruling_request.RulingResolver(now).of(dispute, answer)
        redecision = ruling_effects.redecide_slots(now, terms)
        own = ruling_effects.own_events(before, terms, redecision)
        return Preview(
            dispute=dispute,
            verdict=answer.verdict,
            die_before=terms.die_before,
            die_after=terms.command.faces,
            redecision=redecision,
            before=before,
            after=fold(redecision.state, own),
            head_size=now.head.size,
            own=own,
            again=terms.again is not None,
            forecast=ruling_effects.forecast_for(now, terms, redecision),
            owed=owed_rolls(redecision.slots, before, redecision.state, loader.rulebook),
        )

    def rule(
        self,
        campaign: str,
        name: str | OpenDispute | None,
        answer: ruling_request.RulingRequest,
        *,
        roll: bool = False,
        dry_run: bool = False,
        expected_head: int | None = None,
        note: str | None = None,
    ) -> RecordResult:
        """Rule on a dispute: one entry with the ruling and everything it changes, or nothing at all.

        Raises RulingIncomplete if a later slot needs dice or no longer follows and the request does not cover
        it, and PreviewStale if the log has moved on from `expected_head`.
        """
        if roll and dry_run:
            raise refusals.DryRunRollsNothing
        by_the_tool = answer.verdict == "rerolled" and answer.faces is None
        if by_the_tool and roll and answer.strategy == "carry":
            raise refusals.RerollNeedsAnswer
        now = CurrentLogView(self._repository, campaign)
        refuse_not_rolled(self._repository.log, now, answer.amended)
        dispute = self._open_dispute(now, name)
        if expected_head is not None and expected_head != now.head.size:
            since = self._moved_since(campaign, expected_head)
            raise refusals.PreviewStale(expected=expected_head, found=now.head.size, since=since)
        rolls = RollSource(roller=(lambda: self._commands.roller) if roll else None)
        if roll and now.state.tool_dice.protocol == PROTOCOL:
            now, rolls = self._asked(now, dispute, answer)
        roller = rolls.roller() if rolls.roller is not None else None
        terms = ruling_request.RulingResolver(now, roller).of(dispute, answer)
        if terms.again is not None:
            raise refusals.NoFacesGiven(purpose=terms.die_before.purpose if terms.die_before else "disputed")
        redecision = ruling_effects.redecide_slots(now, terms, roller=roller)
        if redecision.unsettled:
            incomplete = _incomplete(now, terms, redecision)
            if rolls.request is None:
                raise incomplete
            raise refusals.RequestRefused(request=rolls.request, why=incomplete.message()) from incomplete
        drawn = roller if isinstance(roller, ProvableRoller) else None
        return self._write(
            now, terms, redecision, dry_run=dry_run, note=note, request=rolls.request, drawn=drawn
        )

    def _asked(
        self, now: CurrentLogView, dispute: OpenDispute, answer: ruling_request.RulingRequest
    ) -> tuple[CurrentLogView, RollSource]:
        """Request the dice of a ruling in the log, if it needs any. Returns the log as it is then.

        The ruling is tried first, with dice that are thrown away, so that a refusal leaves no request behind.
        """
        thrown: list[int] = []

        def tried(sides: int) -> int:
            thrown.append(sides)
            return roll_fairly(sides)

        terms = ruling_request.RulingResolver(now, tried).of(dispute, answer)
        redecision = ruling_effects.redecide_slots(now, terms, roller=tried)
        if redecision.unsettled:
            raise _incomplete(now, terms, redecision)
        if not thrown:
            return now, RollSource()
        asked = ruling_request.RulingResolver(now).of(dispute, answer).command
        what = f"ruling on dispute {dispute.dispute}" if dispute.dispute else "ruling"
        rolls = self._commands.ask_for_rolls(
            now.campaign, now.state, what=what, digest=ruling_effects.asked_digest(asked)
        )
        after = CurrentLogView(self._repository, now.campaign)
        if after.head.size - now.head.size not in (0, _REQUEST_EVENTS):
            since = self._moved_since(now.campaign, now.head.size)
            raise refusals.PreviewStale(expected=now.head.size, found=after.head.size, since=since)
        return after, rolls

    def _write(
        self,
        now: CurrentLogView,
        terms: ruling_request.ResolvedRuling,
        redecision: Redecision,
        *,
        dry_run: bool,
        note: str | None,
        request: int | None = None,
        drawn: ProvableRoller | None = None,
    ) -> RecordResult:
        head = now.head
        command = ruling_effects.command_in_full(terms, redecision)
        own = ruling_effects.own_events(now.state, terms, redecision)
        sending = self._repository.sending
        sent = records.IdempotencyKey(
            key=sending.key or ruling_effects.key_of(command, head.size),
            digest=sending.digest if sending.key else digest_of([CommandWithDice(command=command)]),
        )
        writer = self._repository.entry_writer(head)
        writer.begin_entry()
        written = ruling_effects.fillings(now, command, own, redecision, note=note, sent=sent)
        for filling in written:
            caused_by = None if filling.slot is None else head.size + 1
            writer.add(filling.decided, filling.stamp, slot=filling.slot, caused_by=caused_by)
        after = fold(redecision.state, (decided.event for decided in written[0].decided))
        if request is not None and drawn is not None:
            resolve = records.ResolveRolls(
                request=request,
                sides=tuple(sides for sides, _ in drawn.draws),
                faces=tuple(face for _, face in drawn.draws),
                dice=tuple(_dice_drawn(now, terms, written, entry=head.entries + 1)),
            )
            resolved = decide_keeping_spare_dice(
                after, resolve, DiceTray(), loader.rulebook, entry=head.entries + 2, sent=sent
            )
            writer.begin_entry()
            writer.add(resolved.events, resolved.rulebook)
            after = resolved.state
        called_for = reminders(owed_rolls(redecision.slots, now.state, redecision.state, loader.rulebook))
        if dry_run:
            return RecordResult(
                campaign=head.campaign, entries=writer.entries(), state=after, dry_run=True, owed=called_for
            )
        receipt = self._repository.append(
            writer,
            now.state,
            after,
            sent,
            first_changed_slot=min(
                (filling.slot for filling in written if filling.slot is not None), default=None
            ),
        )
        if receipt.repeated:
            return self._commands.recorded_before(head.campaign, receipt)
        return RecordResult(campaign=head.campaign, entries=writer.entries(), state=after, owed=called_for)

    # --- names ----------------------------------------------------------------------------------------------

    def _open_dispute(self, now: CurrentLogView, name: str | OpenDispute | None) -> OpenDispute:
        if name is None:
            return ruling_request.nobody_asked(self._repository.actor)
        if isinstance(name, OpenDispute):
            if now.state.disputes.get(name.dispute) == name:
                return name
            name = str(name.dispute)
        return self._disputes.find(now.campaign, name)

    def _dispute_or_event(self, now: CurrentLogView, name: str | OpenDispute | None) -> OpenDispute:
        try:
            return self._open_dispute(now, name)
        except refusals.NoSuchDispute:
            if not isinstance(name, str) or "." not in name:
                raise
        target = self._disputes.target_at(now.campaign, name)
        return replace(
            ruling_request.nobody_asked(self._repository.actor),
            target_seq=target.seq,
            target_entry=target.entry,
            target_position=target.position,
            target_slot=target.slot,
        )

    def slot_in_dispute(self, campaign: str, name: str) -> int:
        """The slot that a dispute, or an event nobody disputes yet, is about."""
        return self._dispute_or_event(CurrentLogView(self._repository, campaign), name).target_slot

    def _moved_since(self, campaign: str, size: int) -> tuple[tuple[int, str, str], ...]:
        """The entries written since the log had `size` events: number, actor and command."""
        if not 0 < size < self._repository.store.head(campaign).size:
            return ()
        return tuple(
            (recorded.entry, recorded.actor, type(recorded.event.command).__name__)
            for recorded in self._repository.log.written(campaign, first_seq=size)
            if isinstance(recorded.event, records.DecisionTaken) and recorded.slot == recorded.entry
        )

    # --- roll backs -----------------------------------------------------------------------------------------

    def slots_of_battle(self, campaign: str, name: str, *, aftermath: bool = False) -> tuple[int, ...]:
        """The slots of a battle that still count: those of its report, and those played within it.

        With its `aftermath`, also those of its post-battle files.
        """
        with database.reading(self._repository.engine) as connection:
            rows = queries.battles(connection, campaign)
            row = next((row for row in rows if name in (row["battle"], str(row["number"]))), None)
            if row is None:
                raise refusals.NoSuchBattle(battle=name, known=tuple(str(row["battle"]) for row in rows))
            listed = entry_queries.entries(connection, campaign, battle=row["battle"])
        found = {int(row["slot"]) for row in listed}
        opening = int(row["slot"])
        report = self._commands.report_of(campaign, str(row["battle"]))
        if report is not None and report[0] <= opening <= report[1]:
            found |= set(range(report[0], report[1] + 1))
        after = f"post:{row['battle']}" if aftermath else ""
        return self._counting(campaign, sorted(found), f"battle {row['battle']}", after=after)

    def slots_after(self, campaign: str, entry: int) -> tuple[int, ...]:
        """The slots after an entry that still count."""
        entries = self._repository.store.head(campaign).entries
        if not 1 <= entry <= entries:
            raise self._repository.no_such_event(campaign, entry)
        return self._counting(campaign, range(entry + 1, entries + 1), f"the log after entry {entry}")

    def _counting(
        self, campaign: str, slots: Iterable[int], what: str, *, after: str = ""
    ) -> tuple[int, ...]:
        wanted = set(slots)
        found = tuple(
            slot.slot
            for slot in slots_of(self._repository.log.live(campaign, after_slot=min(wanted, default=1) - 1))
            if slot.header is not None
            and (slot.slot in wanted or _sent_under(slot.header, after))
            and not isinstance(slot.header.command, FIXED)
        )
        if not found:
            raise refusals.NothingToRollBack(what=what)
        return found

    # --- house rules from a past battle on ----------------------------------------------------------------

    def is_past(self, campaign: str, battle: int | None) -> bool:
        """Whether a change from this battle on would change recorded entries."""
        return battle is not None and battle in {
            number for number, _ in CurrentLogView(self._repository, campaign).openings()
        }

    def adoption_ruling(
        self,
        campaign: str,
        *,
        from_battle: int,
        adopt: Sequence[str | Policy] = (),
        repeal: Sequence[str] = (),
        overrides: Sequence[str] = (),
        reason: str = "",
    ) -> records.HouseRules:
        """The change of house rules for a ruling. Raises NoSuchBattle or UnknownPolicy."""
        CurrentLogView(self._repository, campaign).opening(from_battle)
        return house_rules_changed(
            from_battle, adopt=adopt, repeal=repeal, overrides=overrides, reason=reason
        )

    def what_if(
        self,
        campaign: str,
        *,
        from_battle: int = 1,
        adopt: Sequence[str | Policy] = (),
        without: Sequence[str] = (),
        overrides: Sequence[str] = (),
    ) -> WhatIf:
        """Decide the season again under other house rules, and write nothing."""
        return what_if(
            CurrentLogView(self._repository, campaign),
            from_battle=from_battle,
            adopt=adopt,
            without=without,
            overrides=overrides,
        )


def _sent_under(header: records.DecisionTaken, key: str) -> bool:
    """Whether an entry was sent under this key or one that begins with it: 'post:b3', 'post:b3:rats#2'."""
    return (
        bool(key)
        and header.sent is not None
        and re.match(f"{re.escape(key)}(?:[:#]|$)", header.sent.key) is not None
    )


def _incomplete(
    now: CurrentLogView, terms: ruling_request.ResolvedRuling, redecision: Redecision
) -> records.RulingIncomplete:
    return records.RulingIncomplete(
        unsettled=tuple((slot.slot.slot, slot.result, slot.why) for slot in redecision.unsettled),
        foreseen=tuple(
            (die.entry, die.die.in_words(), die.certain)
            for die in ruling_effects.forecast_for(now, terms, redecision).dice
        ),
    )


def _dice_drawn(
    now: CurrentLogView,
    terms: ruling_request.ResolvedRuling,
    written: Sequence[ruling_effects.SlotWrite],
    *,
    entry: int,
) -> Iterator[records.DrawnDie]:
    """The die of the ruling itself, then the new dice of refilled slots."""
    ruled = terms.command.faces
    if ruled is not None and ruled.source == "generated":
        yield records.DrawnDie(entry=entry, slot=entry, number=0)
    for filling in written:
        header = filling.decided[0].event
        if filling.slot is None or not isinstance(header, records.DecisionTaken):
            continue
        instruction = terms.instructions.get(filling.slot, SlotInstruction())
        played = (instruction.restore or now.slot(filling.slot)).header
        before = [] if played is None else [*played.dice, *played.spare]
        again = instruction.correct[0] if instruction.correct is not None else None
        for number, die in enumerate(header.dice):
            if die.source != "generated":
                continue
            known = next((place for place, was in enumerate(before) if same_fall(die, was)), None)
            if known is None and number != again:
                yield records.DrawnDie(entry=entry, slot=filling.slot, number=number)
            elif known is not None:
                before.pop(known)
