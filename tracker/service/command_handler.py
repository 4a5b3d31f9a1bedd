"""Play: decide commands and append what was decided, all of them or none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Protocol

from sqlalchemy.exc import IntegrityError

from tracker.campaign import records, steps
from tracker.campaign.command_validation import engaged_shooters, validate_new_command
from tracker.campaign.judging import policy_text
from tracker.campaign.post_battle_reminders import unsettled
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement
from tracker.campaign.unknown_traits import unknown_traits
from tracker.dice import FROM_PEOPLE, DiceLeftOver, DiceNeeded, DiceTray, Die
from tracker.errors import Refusal
from tracker.log import database
from tracker.log.appending import Receipt
from tracker.log.campaigns import unlisted
from tracker.log.canonical import in_order
from tracker.log.refusals import ConnectionLost
from tracker.log.store import EventStore
from tracker.projections import queries
from tracker.records import Record
from tracker.rules import loader
from tracker.rules.rulebook import Rulebook
from tracker.service.entries import EntryWriter
from tracker.service.refusals import (
    CampaignNameTaken,
    DirectoryDamaged,
    DryRunRollsNothing,
    EntryRefused,
    PresetForAnotherBook,
)
from tracker.service.repository import Records


class PlannedCommand(Protocol):
    """One decision of a file: what to decide, with which dice, and how to name it to a person."""

    @property
    def command(self) -> records.Command: ...
    @property
    def dice(self) -> tuple[Die, ...]: ...
    @property
    def label(self) -> str: ...
    @property
    def note(self) -> str | None: ...


class CommandWithDice(Record):
    """A decision that comes from no file."""

    command: records.Command
    dice: tuple[Die, ...] = ()
    label: str = ""
    note: str | None = None


class RecordResult(Record):
    """What came of playing: the entries with all their events, and the state after. `repeated`: it was
    recorded before and nothing was written now; `void` are those of its entries that count no more.
    `dry_run`: nothing was written at all."""

    campaign: str
    entries: tuple[tuple[RecordedEvent, ...], ...]
    state: CampaignState
    repeated: bool = False
    void: tuple[int, ...] = ()
    dry_run: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be said aloud: traits of weapons, used or enlisted, that the book does not know."""
        headers = (one.event for entry in self.entries for one in entry)
        commands = [header.command for header in headers if isinstance(header, records.DecisionTaken)]
        book = loader.book(self.state.book)
        void = ", ".join(map(str, self.void))
        return (
            *([f"By a ruling since, these entries count no more: {void}."] if void else []),
            *unknown_traits(commands, self.state, book),
            *engaged_shooters(commands, self.state),
            *unsettled(commands, self.state, book.post_battle_rules),
        )


class Play(Records):
    """What an arbitrator records: campaigns, decisions, policies."""

    def rulebook_in_force(self, campaign: str) -> Rulebook:
        """The rulebook that the battle under way, or the next one, is played by."""
        return steps.rulebook_in_force(self.state(campaign), loader.rulebook)

    def open_campaign(
        self, *, name: str, slug: str, book: str, preset: str | None, policies: Sequence[str] = ()
    ) -> RecordResult:
        """Begin a campaign under a book, with policies from the first battle on.

        Of a preset those hold that move knobs of this book, one at least; a policy named by itself must fit.
        """
        fitting = loader.fitting_policies(preset, book)[0] if preset else ()
        if preset and not fitting:
            raise PresetForAnotherBook(preset=preset, book=book)
        listed = (*fitting, *policies)
        loader.book(book)
        texts = tuple(policy_text(loader.policy(one)) for one in dict.fromkeys(listed))
        with database.reading(self.engine) as connection:
            if missing := unlisted(connection):  # the name may be that of one of them
                raise DirectoryDamaged(missing=missing, strange=())
            if queries.campaign_by_slug(connection, slug) is not None:
                raise CampaignNameTaken(slug=slug)
        command = records.OpenCampaign(name=name, slug=slug, book=book, policies=texts)
        try:
            return self.play(self.new_id(), [CommandWithDice(command=command)], key="campaign")
        except IntegrityError as taken:
            # Two people began a campaign of one name at the same moment: the slug is unique.
            raise CampaignNameTaken(slug=slug) from taken

    def play(
        self,
        campaign: str,
        plans: Sequence[PlannedCommand],
        *,
        key: str | None = None,
        digest: str | None = None,
        roll: bool = False,
        dry_run: bool = False,
        actor: str | None = None,
    ) -> RecordResult:
        """Decide all of these, one entry each, and append them together, or refuse and write nothing.

        `key` makes a retry find its first answer; `digest` tells the same command from another under the
        same key. With `roll`, dice nobody gave are rolled here.
        """
        if roll and dry_run:
            raise DryRunRollsNothing
        digest = digest or digest_of(plans)
        if key and (known := self._known(self.store, campaign, key, digest)):
            return self.recorded_before(campaign, known)
        sent = records.Sent(key=key or f"once:{self.new_id()}", digest=digest)
        if dry_run:
            writer, _, after = self._decided(self.store, campaign, plans, sent, roll=False, actor=actor)
            return RecordResult(campaign=campaign, entries=writer.entries(), state=after, dry_run=True)
        if campaign not in self._kept:
            self.load(campaign)  # others need not wait while the end of the log is read
        known = played = None
        try:
            # What is decided on cannot move on meanwhile: nobody decides twice, and nobody is overtaken.
            with self.store.exclusively(campaign) as store:
                if key:  # somebody may have sent the same at the same time
                    known = self._known(store, campaign, key, digest)
                if known is None:
                    writer, before, after = self._decided(
                        store, campaign, plans, sent, roll=roll, actor=actor
                    )
                    self.append(writer, before, after, sent, is_new_key=key is None, store=store)
                    played = RecordResult(campaign=campaign, entries=writer.entries(), state=after)
        except ConnectionLost:
            known = self.store.look_again(campaign, sent.key)
            if known is None:
                raise
            if played is not None and known.first_entry != played.entries[0][0].entry:
                played = None
        if played is not None:
            return played
        assert known is not None, "it was recorded now or before"
        return self.recorded_before(campaign, known)

    def _known(self, store: EventStore, campaign: str, key: str, digest: str) -> Receipt | None:
        """What came of the same command under the same key."""
        known = store.find_command(campaign, key)
        return known if known is not None and known.digest == digest else None

    def _decided(
        self,
        store: EventStore,
        campaign: str,
        plans: Sequence[PlannedCommand],
        sent: records.Sent,
        *,
        roll: bool,
        actor: str | None,
    ) -> tuple[EntryWriter, CampaignState, CampaignState]:
        """The entries that these plans come to, and the states before and after them."""
        head, before = self.load(campaign, store)
        writer = self.entry_writer(head, actor=actor)
        state = before
        for number, plan in enumerate(plans, start=1):
            judgement = self._decide(state, plan, roll=roll, entry=head.entries + number, sent=sent)
            writer.begin_entry()
            writer.add(judgement.events, judgement.rulebook)
            state = judgement.state
        return writer, before, state

    def key_of_battle(self, campaign: str, battle: str) -> str:
        """The key of a battle's report. Where the one recorded under it was voided, the next one of its id
        has a key of its own: 'battle:b3', 'battle:b3#2'. The same report twice is still recorded once.
        """
        keys = list(self.keys_used(campaign, f"battle:{battle}"))
        if keys and battle in self.state(campaign).battles:
            return keys[-1]
        return numbered(f"battle:{battle}", len(keys) + 1)

    def report_of(self, campaign: str, battle: str) -> tuple[int, int] | None:
        """The first and the last entry of a battle's report, the latest if it was recorded again."""
        known = None
        for key in self.keys_used(campaign, f"battle:{battle}"):
            known = self.store.find_command(campaign, key)
        return (known.first_entry, known.last_entry) if known is not None else None

    def keys_used(self, campaign: str, key: str) -> Iterator[str]:
        """A key and those that came after it, as far as something was recorded under them."""
        for number in count(1):
            if self.store.find_command(campaign, numbered(key, number)) is None:
                return
            yield numbered(key, number)

    def void_among(self, campaign: str, known: Receipt) -> tuple[int, ...]:
        """The entries among those recorded that count no more."""
        return tuple(
            entry
            for entry in range(known.first_entry, known.last_entry + 1)
            if not isinstance(self.log.slot(campaign, entry)[0].event, records.DecisionTaken)
        )

    def recorded_before(self, campaign: str, known: Receipt) -> RecordResult:
        """What came of a command that had been sent before, as it was recorded then."""
        entries = tuple(
            self.log.entry(campaign, entry) for entry in range(known.first_entry, known.last_entry + 1)
        )
        return RecordResult(
            campaign=campaign,
            entries=entries,
            state=self.state(campaign),
            repeated=True,
            void=self.void_among(campaign, known),
        )

    def _decide(
        self,
        state: CampaignState,
        plan: PlannedCommand,
        *,
        roll: bool,
        entry: int,
        sent: records.Sent,
    ) -> Judgement:
        tray = DiceTray(plan.dice, roller=self.roller if roll else None)
        try:
            validate_new_command(state, plan.command, loader.rulebook)
            judgement = steps.attempt(
                state, plan.command, tray, loader.rulebook, entry=entry, note=plan.note, sent=sent
            )
            _refuse_typed_left(tray)
        except (DiceNeeded, DiceLeftOver) as wrong:
            wrong.entry = plan.label
            raise
        except Refusal as refusal:
            if plan.label:
                raise EntryRefused(label=plan.label, refusal=refusal) from refusal
            raise
        return judgement

    def adopt_policy(
        self,
        campaign: str,
        name: str,
        *,
        from_battle: int | None,
        reason: str,
        overrides: Sequence[str] = (),
    ) -> RecordResult:
        """Adopt a policy from the shelf, from a battle on (the next one when none is named).

        `overrides` are policies that it is applied after, though both move a knob.
        """
        battle = from_battle if from_battle is not None else self._next_battle(campaign)
        command = adoption(name, from_battle=battle, reason=reason, overrides=overrides)
        return self.play(campaign, [CommandWithDice(command=command)])

    def repeal_policy(
        self, campaign: str, name: str, *, from_battle: int | None, reason: str
    ) -> RecordResult:
        """Repeal a policy from a battle on."""
        battle = from_battle if from_battle is not None else self._next_battle(campaign)
        policy = name.partition("@")[0]
        return self.play(
            campaign,
            [CommandWithDice(command=records.RepealPolicy(policy=policy, from_battle=battle, reason=reason))],
        )

    def _next_battle(self, campaign: str) -> int:
        return self.state(campaign).battle_number


def adoption(
    name: str, *, from_battle: int, reason: str, overrides: Sequence[str] = ()
) -> records.AdoptPolicy:
    """The adoption of a policy as it stands on the shelf."""
    return records.AdoptPolicy(
        text=policy_text(loader.policy(name)),
        from_battle=from_battle,
        reason=reason,
        overrides=tuple(dict.fromkeys(one.partition("@")[0] for one in overrides)),
    )


def numbered(key: str, number: int) -> str:
    """The key of what is recorded for the so-manieth time: 'battle:b3', 'battle:b3#2'."""
    return key if number == 1 else f"{key}#{number}"


def _refuse_typed_left(tray: DiceTray) -> None:
    # A die that was rolled here may turn out not to be needed; one that people gave must be.
    typed_left = tuple(die for die in tray.waiting if die.source in FROM_PEOPLE)
    if typed_left:
        raise DiceLeftOver(left=typed_left)


def digest_of(plans: Sequence[PlannedCommand]) -> str:
    """What these plans say, as a hash: the same commands with the same dice give the same."""
    said = [(type(plan.command).__name__, plan.command, plan.dice) for plan in plans]
    return hashlib.sha256(in_order(said)).hexdigest()
