"""Disputes before their ruling: open, comment, confirm, find and withdraw."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import LOG_COMMANDS, Slot, roll_in_force, standing_now
from tracker.campaign.state import OpenDispute
from tracker.dice import FROM_PEOPLE
from tracker.log import database
from tracker.log.refusals import StaleHead
from tracker.people.persons import names_on
from tracker.projections import queries
from tracker.service import refusals
from tracker.service.as_of import is_count
from tracker.service.command_handler import CommandHandler, CommandWithDice, RecordResult
from tracker.service.confusable_names import are_confusable
from tracker.service.log_view import CurrentLogView
from tracker.service.named_gangs import gangs_named_in_dispute
from tracker.service.repository import CampaignRepository
from tracker.service.roll_witnesses import witnesses_of

TRIES: Final = 5
"""The number of attempts to record a statement while others record."""


class Disputes:
    """The operations on disputes before a ruling."""

    def __init__(self, repository: CampaignRepository, commands: CommandHandler) -> None:
        self._repository = repository
        self._commands = commands

    def open(
        self,
        campaign: str,
        address: str,
        *,
        reason: str,
        raised_by: str,
        rule: str | None = None,
        dry_run: bool = False,
    ) -> RecordResult:
        """Dispute an event ('57.3'), or a whole entry ('57'). It stays in force until a ruling."""
        target = self.target_at(campaign, address)
        command = records.DisputeRoll(
            target_seq=target.seq,
            target_entry=target.entry,
            target_position=target.position,
            target_slot=target.slot,
            raised_by=raised_by,
            reason=reason,
            rule=rule,
        )
        return self._commands.play(campaign, [CommandWithDice(command=command)], dry_run=dry_run)

    def withdraw(self, campaign: str, name: str, *, reason: str, dry_run: bool = False) -> RecordResult:
        """Withdraw a dispute: the disputed event stands."""
        dispute = self.find(campaign, name)
        command = records.WithdrawDispute(
            dispute=dispute.dispute, withdrawn_by=self._repository.actor, reason=reason
        )
        return self._commands.play(campaign, [CommandWithDice(command=command)], dry_run=dry_run)

    def comment(
        self, campaign: str, name: str, *, says: str, said_by: str, dry_run: bool = False
    ) -> RecordResult:
        """Comment on an open dispute. The entry names the gangs that the dispute concerns."""
        given = self._repository.sending
        for tries_left in reversed(range(TRIES)):
            dispute = self.find(campaign, name)
            now = CurrentLogView(self._repository, campaign)
            command = records.CommentOnDispute(
                dispute=dispute.dispute,
                said_by=said_by,
                says=says,
                gangs=gangs_named_in_dispute(now, dispute),
            )
            if given.expected_size is None:  # recorded on the same head that the gangs were read from
                self._repository.sending = given._replace(
                    expected_size=now.head.size, expected_leaf=now.head.leaf_hex
                )
            try:
                return self._commands.play(campaign, [CommandWithDice(command=command)], dry_run=dry_run)
            except StaleHead:
                if given.expected_size is not None or not tries_left:
                    raise
            finally:
                self._repository.sending = given
        raise AssertionError("the last try returns or raises")

    def confirm(self, campaign: str, address: str, *, by: str, dry_run: bool = False) -> RecordResult:
        """Record that a second person saw this die. The same confirmation twice, however spelled, is one
        entry.

        Raises OwnWordOnly for a name that reads like that of whoever typed the die in.
        """
        target = self._repository.event_at(campaign, address)
        held = self.slot_now(campaign, target.slot)
        if not isinstance(target.event, records.RollMade):
            what = refusals.plainly(type(target.event).__name__)
            raise records.NotARoll(address=address, what=what)
        roll = roll_in_force(held, target)
        if roll is None or held.header is None:
            raise self._ruled_on_already(campaign, address, held, target)
        if target.event.source not in FROM_PEOPLE:
            raise refusals.RollTypedByNobody(address=address, source=target.event.source)
        if any(are_confusable(by, typed_by) for typed_by in self._called(target)):
            raise records.OwnWordOnly(who=by)
        by = next(
            (
                known
                for known in witnesses_of(self._repository, campaign, target)
                if are_confusable(by, known)
            ),
            by,
        )
        command = records.ConfirmRoll(
            target_seq=target.seq,
            target_entry=target.entry,
            target_position=target.position,
            target_slot=target.slot,
            number=roll[0],
            die=held.header.dice[roll[0]],
            entered_by=target.actor,
            confirmed_by=by,
        )
        key = f"confirm:{target.seq}:{by.casefold()}"
        digest = sha256(key.encode()).hexdigest()
        return self._commands.play(
            campaign, [CommandWithDice(command=command)], key=key, digest=digest, dry_run=dry_run
        )

    def _called(self, recorded: RecordedEvent) -> tuple[str, str]:
        """The actor of an event, as recorded and by the name of that day."""
        with database.reading(self._repository.people_engine) as connection:
            name_on = names_on(connection, [recorded.actor])
        return recorded.actor, name_on(recorded.actor, recorded.at)

    def find(self, campaign: str, name: str) -> OpenDispute:
        """An open dispute, by its number or by the event it is about. Raises NoSuchDispute, DisputeEnded."""
        for dispute in self._repository.state(campaign).disputes.values():
            if name in (str(dispute.dispute), f"{dispute.target_entry}.{dispute.target_position}"):
                return dispute
        row = dispute_row(self._repository, campaign, name)
        entry = row["ruling"]["entry"] if row["ruling"] else row["withdrawn"]["entry"]
        raise refusals.DisputeEnded(dispute=row["dispute"], status=row["status"], entry=entry)

    def target_at(self, campaign: str, address: str) -> RecordedEvent:
        """The event at '57.3'; for '57' the header that fills slot 57 now.

        Refuses superseded events and those that no ruling can change.
        """
        if "." in address:
            target = self._repository.event_at(campaign, address)
            held = self.slot_now(campaign, target.slot)
        else:
            entries = self._repository.store.head(campaign).entries
            if not is_count(address) or not 1 <= int(address) <= entries:
                raise self._repository.no_such_event(campaign, address)
            held = self.slot_now(campaign, int(address))
            if held.header is None:
                raise refusals.EntryIsVoid(address=f"entry {address}", entry=held.entry)
            target = held.events[0]
        header = held.header
        if all(event.seq != target.seq for event in held.events):
            if header is None:
                raise refusals.EntryIsVoid(address=address, entry=held.entry)
            raise self._ruled_on_already(campaign, address, held, target)
        if header is not None and isinstance(header.command, LOG_COMMANDS):
            ruling = isinstance(header.command, records.RuleOnDispute)
            if not ruling or held.entry in self._repository.state(campaign).rulings_taken_back:
                raise refusals.NothingToDispute(entry=held.entry, ruling=ruling)
        return target

    def _ruled_on_already(
        self, campaign: str, address: str, held: Slot, struck: RecordedEvent
    ) -> records.RuledOnAlready:
        entry = self._repository.log.entry(campaign, struck.entry)
        return records.RuledOnAlready(
            address=address, entry=held.entry, now=standing_now(held, entry, struck)
        )

    def slot_now(self, campaign: str, slot: int) -> Slot:
        """The current content of a slot."""
        return CurrentLogView(self._repository, campaign).slot(slot)


def dispute_row(repository: CampaignRepository, campaign: str, name: str) -> dict[str, Any]:
    """A dispute on the board, open or not, by its number or by its event. Raises NoSuchDispute."""
    with database.reading(repository.engine) as connection:
        rows = queries.disputes(connection, campaign)
    named = [row for row in rows if name in (str(row["dispute"]), row["target"])]
    if not named:
        raise refusals.NoSuchDispute(campaign=repository.state(campaign).name, dispute=name)
    return named[-1]
