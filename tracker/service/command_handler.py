"""The command handler: decides commands and appends their events, all or none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, takewhile
from typing import Literal, Protocol

from sqlalchemy.exc import IntegrityError

from tracker.campaign import records, steps
from tracker.campaign.card_notes import beyond_printed
from tracker.campaign.command_validation import contradicted_claims, engaged_shooters
from tracker.campaign.missing_dice import explain
from tracker.campaign.post_battle_reminders import of_skills, under_way, unsettled
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement
from tracker.campaign.steps.provable_dice import refuse_outstanding
from tracker.campaign.unknown_traits import unknown_traits
from tracker.dice import DiceLeftOver, DiceNeeded, DiceTray, Die, Roller
from tracker.errors import Asks, FilePosition, RulesRefuse
from tracker.log import appending, database
from tracker.log.campaigns import unlisted
from tracker.log.canonical import sorted_json
from tracker.log.refusals import ConnectionLost
from tracker.log.store import EventStore
from tracker.projections import queries
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.rules.provable_dice import PROTOCOL, ProvableRoller
from tracker.rules.rulebook import Policy, Rulebook
from tracker.service import refusals
from tracker.service.battle_dates import date_warnings
from tracker.service.campaign_opening import adoption, opening_commands
from tracker.service.drawn_dice import nonce_of, resolve_drawn
from tracker.service.faulty_entries import PlannedCommand, decided, faulty_entries
from tracker.service.optimistic_decision import DecisionOutcome, OptimisticDecision, decide_optimistically
from tracker.service.refusals import EntryRefused
from tracker.service.repository import CampaignRepository
from tracker.service.roll_source import RollSource, dice_of, is_rolled_now, resolve_request, roll_fairly
from tracker.service.sealed_seeds import SealedSeeds


class BattlePlanned(Protocol):
    """A battle report as it was read."""

    @property
    def battle(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def recorded_by(self) -> str | None: ...
    @property
    def decisions(self) -> Sequence[PlannedCommand]: ...


class PostBattlePlanned(BattlePlanned, Protocol):
    """A post-battle file as it was read."""

    @property
    def gang(self) -> str | None: ...
    @property
    def part(self) -> str | None: ...
    @property
    def key(self) -> str: ...


class CommandWithDice(Record):
    """A decision that comes from no file."""

    command: records.Command
    dice: tuple[Die, ...] = ()
    label: str = ""
    in_file: FilePosition = FilePosition()
    note: str | None = None
    asks: Asks | None = None


class RecordResult(Record):
    """The result of recording: the entries with all their events, and the state after them. `repeated`:
    recorded before, nothing was written now; `void` are its entries that no longer count. `dry_run`: nothing
    was written at all. `contradicted` are claims that the record contradicts, `dates` remarks on a battle's
    date, `owed` what a ruling newly requires at the table.
    """

    campaign: str
    entries: tuple[tuple[RecordedEvent, ...], ...]
    state: CampaignState
    repeated: bool = False
    void: tuple[int, ...] = ()
    dry_run: bool = False
    contradicted: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    owed: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the user: weapon traits, used or enlisted, that the book does not know."""
        headers = (recorded.event for entry in self.entries for recorded in entry)
        commands = [header.command for header in headers if isinstance(header, records.DecisionTaken)]
        book = (rulebook := steps.rulebook_in_force(self.state, loader.rulebook)).book
        void = ", ".join(map(str, self.void))
        return (
            *([f"A later ruling struck out these entries: {void}."] if void else []),
            *beyond_printed(commands, book),
            *unknown_traits(commands, self.state, book),
            *engaged_shooters(commands, self.state),
            *self.contradicted,
            *self.dates,
            *self.owed,
            *under_way(self.state),
            *of_skills(commands, self.state, rulebook),
            *unsettled(commands, self.state, book.post_battle_rules),
        )


class CommandHandler:
    """Decides what an arbitrator records (campaigns, battles, single commands) and appends it."""

    def __init__(
        self,
        repository: CampaignRepository,
        *,
        roller: Roller | None = None,
        seeds: SealedSeeds | None = None,
    ) -> None:
        self._repository = repository
        self.roller: Roller = roller or roll_fairly
        self.seeds = seeds or SealedSeeds()

    def rulebook_in_force(self, campaign: str) -> Rulebook:
        """The rulebook of the battle under way, or of the next one."""
        return steps.rulebook_in_force(self._repository.state(campaign), loader.rulebook)

    def open_campaign(
        self,
        *,
        name: str,
        slug: str,
        book: str,
        preset: str | None,
        policies: Sequence[str | Policy] = (),
        after_battle: int = 0,
        cycle: int | None = None,
    ) -> RecordResult:
        """Begin a campaign under a book, with policies from the first battle on.

        A preset needs at least one policy for this book; the others are left out. A policy named by itself
        must fit. `after_battle` is the number of battles before the campaign was kept here, `cycle` its
        present cycle.
        """
        commands = opening_commands(
            name=name,
            slug=slug,
            book=book,
            preset=preset,
            policies=policies,
            after_battle=after_battle,
            cycle=cycle,
        )
        with database.reading(self._repository.engine) as connection:
            if missing := unlisted(connection):  # the name may be that of one of them
                raise refusals.DirectoryDamaged(missing=missing, strange=())
            taken = queries.campaign_by_slug(connection, slug)
        if taken is not None:
            if (known := self.recorded_as(str(taken["campaign"]))) is not None:  # the same, sent again
                return known
            raise refusals.CampaignNameTaken(slug=slug)
        plans = [CommandWithDice(command=command) for command in commands]
        key = None if self._repository.sending.key else "campaign"
        try:
            return self.play(self._repository.new_id(), plans, key=key)
        except IntegrityError as lost:
            # Two people began campaigns with the same name at the same time: the slug is unique.
            raise refusals.CampaignNameTaken(slug=slug) from lost

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
        explained: bool = True,
    ) -> RecordResult:
        """Decide all of these, one entry each, and append them together, or refuse and write nothing.

        `key` makes a retry return its first receipt; `digest` tells the same command from another under the
        same key. With `roll`, missing dice are rolled here; if the campaign uses provable dice, by a request
        that is recorded first. Unless `explained`, a refusal for a missing die names only that die, because
        finding the others takes a while.
        """
        try:
            return self._played(
                campaign, plans, key=key, digest=digest, roll=roll, dry_run=dry_run, actor=actor
            )
        except DiceNeeded as needed:
            if explained:
                explain(needed, loader.rulebook, from_file=bool(needed.entry))
            raise

    def _played(
        self,
        campaign: str,
        plans: Sequence[PlannedCommand],
        *,
        key: str | None,
        digest: str | None,
        roll: bool,
        dry_run: bool,
        actor: str | None,
    ) -> RecordResult:
        if roll and dry_run:
            raise refusals.DryRunRollsNothing
        digest = digest or digest_of(plans)
        sending = self._repository.sending
        if not key and sending.key:
            key, digest = sending.key, sending.digest
        sent = records.IdempotencyKey(key=key or "", digest=digest, agreed=sending.agreed)
        first: OptimisticDecision | None = None
        if not dry_run and self._decides_first(campaign, roll=roll):
            sent = replace(sent, key=key or f"once:{self._repository.new_id()}")
            first = decide_optimistically(
                self._repository,
                campaign,
                lambda store, rolls: self._decided(store, campaign, plans, sent, rolls=rolls, actor=actor),
                sent,
                roller=self.roller,
                roll=roll,
                entries=len(plans),
            )
            if first.is_recorded and first.outcome is not None:
                return _recorded(campaign, first.outcome)
            if first.earlier is not None:
                return self.recorded_before(campaign, first.earlier)
        known = self._repository.store.find_command(campaign, key) if key else None
        if known is not None and known.digest == digest:
            return self.recorded_before(campaign, known)
        again = self.roller if first is None else first.dice.again(self.roller)
        rolls = RollSource(roller=(lambda: again) if roll else None)
        if roll and self._repository.state(campaign).tool_dice.protocol == PROTOCOL:
            rolls = self._request(campaign, plans, what=key, digest=digest, actor=actor)
        if not sent.key:
            sent = replace(sent, key=f"once:{self._repository.new_id()}")
        if dry_run:
            outcome = self._decided(
                self._repository.store, campaign, plans, sent, rolls=rolls, actor=actor, records_drawn=False
            )
            sending.allow([plan.command for plan in plans], outcome[1])  # as an actual recording would
            return replace(_recorded(campaign, outcome), dry_run=True)
        decide = partial(self._decided, campaign=campaign, plans=plans, sent=sent, rolls=rolls, actor=actor)
        asks = sent.key if key or first is not None else None
        return self._decided_locked(campaign, decide, sent, first, asks)

    def _decided_locked(
        self,
        campaign: str,
        decide: Callable[[EventStore], DecisionOutcome],
        sent: records.IdempotencyKey,
        first: OptimisticDecision | None,
        asks: str | None,
    ) -> RecordResult:
        """Decide and append under the lock of the log's head, unless `asks` names a key that was recorded."""
        self._repository.load_once(campaign)  # others need not wait while the log is read
        found = known = played = None
        try:
            # Under the lock the log cannot change, so this attempt is the last.
            with self._repository.exclusively(campaign, key=asks) as store:
                if asks:  # somebody may have sent the same at the same time, or it was sent and not answered
                    found = store.find_command(campaign, sent.key)
                    known = found if found is not None and found.digest == sent.digest else None
                if known is None:
                    outcome = (
                        first.at(store.head(campaign), partial(decide, store)) if first else decide(store)
                    )
                    writer, before, after, _ = outcome
                    self._repository.append_within(
                        store, writer, before, after, sent, is_new_key=found is None
                    )
                    played = _recorded(campaign, outcome)
        except ConnectionLost:
            known = self._repository.store.look_again(campaign, sent.key)
            if known is None:
                raise
            if played is not None and known.first_entry != played.entries[0][0].entry:
                played = None
        if played is not None:
            return played
        assert known is not None, "it was recorded now or before"
        return self.recorded_before(campaign, known)

    def _decides_first(self, campaign: str, *, roll: bool) -> bool:
        """Whether to decide before the log is locked; not if dice are requested in the log first."""
        repository = self._repository
        if not repository.decides_first:
            return False
        return repository.load_once(campaign).tool_dice.protocol != PROTOCOL or not roll

    def _decided(
        self,
        store: EventStore,
        campaign: str,
        plans: Sequence[PlannedCommand],
        sent: records.IdempotencyKey,
        *,
        rolls: RollSource,
        actor: str | None,
        records_drawn: bool = True,
    ) -> DecisionOutcome:
        """The entries that these plans lead to, the states before and after them, and contradicted claims."""
        head, before = self._repository.load(campaign, store)
        writer = self._repository.entry_writer(head, actor=actor)
        state = before
        contradicted: list[str] = []
        roller = rolls.roller() if rolls.roller is not None else None
        try:
            for number, plan in enumerate(plans, start=1):
                contradicted += contradicted_claims(state, plan.command)
                judgement = self._decide(state, plan, roller, entry=head.entries + number, sent=sent)
                writer.begin_entry()
                writer.add(judgement.events, judgement.rulebook)
                state = judgement.state
        except (EntryRefused, DiceNeeded, DiceLeftOver, RulesRefuse) as refused:
            if rolls.request is None:
                raise
            raise refusals.RequestRefused(request=rolls.request, why=refused.message()) from refused
        played = writer.entries()
        resolving: list[records.ResolveRolls] = []
        if records_drawn:
            resolving += resolve_drawn(self._repository.log, self.seeds, before, played)
        if isinstance(roller, ProvableRoller) and rolls.request is not None:
            resolving.append(resolve_request(rolls.request, roller, played))
        for number, resolved in enumerate(resolving, start=len(plans) + 1):
            resolve = CommandWithDice(command=resolved)
            judgement = self._decide(state, resolve, None, entry=head.entries + number, sent=sent)
            writer.begin_entry()
            writer.add(judgement.events, judgement.rulebook)
            state = judgement.state
        return writer, before, state, tuple(contradicted)

    def _request(
        self,
        campaign: str,
        plans: Sequence[PlannedCommand],
        *,
        what: str | None,
        digest: str,
        actor: str | None,
    ) -> RollSource:
        """Request the dice that these plans need in the log, unless that was done before.

        The plans are tried first, with dice that are thrown away, so that a refusal for another reason leaves
        no request behind.
        """
        tried = records.IdempotencyKey(key="tried", digest=digest)
        trial = RollSource(roller=lambda: roll_fairly)
        writer, state, *_ = self._decided(
            self._repository.store, campaign, plans, tried, rolls=trial, actor=actor, records_drawn=False
        )
        if not any(is_rolled_now(die) for entry in writer.entries() for die in dice_of(entry)):
            return RollSource()
        # Check rights before the request, so that somebody who may not record leaves none behind.
        self._repository.sending.allow([plan.command for plan in plans], self._repository.state(campaign))
        names = ", ".join(dict.fromkeys(type(plan.command).__name__ for plan in plans))
        return self.ask_for_rolls(campaign, state, what=what or names, digest=digest, actor=actor)

    def ask_for_rolls(
        self,
        campaign: str,
        state: CampaignState,
        *,
        what: str,
        digest: str,
        actor: str | None = None,
        key: str = "",
    ) -> RollSource:
        """Record a request, or find the open one for the very same. Raises NoDiceSession, SeedMissing."""
        session = state.dice_session
        if session is None:
            raise records.NoDiceSession
        refuse_outstanding(session)
        seed = self.seeds.read(session.campaign, session.session, session.commitment)
        open_now = (asked.request for asked in session.requests.values() if asked.digest == digest)
        request = next(open_now, None)
        if request is None:
            command = records.RequestRolls(session=session.session, what=what, digest=digest)
            played = self.play(
                campaign,
                [CommandWithDice(command=command)],
                key=key or f"request:{self._repository.new_id()}",
                actor=actor,
            )
            request = played.entries[0][0].entry
        nonce = nonce_of(self._repository.log, campaign, request)
        revealed = session.revealed
        return RollSource(roller=lambda: ProvableRoller(seed, revealed, nonce), request=request)

    def record_battle(
        self, campaign: str, plan: BattlePlanned, *, roll: bool = False, dry_run: bool = False
    ) -> RecordResult:
        """Record a battle report, whole or not at all. The same report again changes nothing.

        Raises EntryRefused, or EntriesRefused with every unknown fighter.
        """
        with database.reading(self._repository.engine) as connection:
            battles = queries.battles(connection, campaign)
        key = self.key_of(campaign, "battle", plan.battle)
        played = self.play_report(campaign, plan, key=key, roll=roll, dry_run=dry_run)
        dates = () if played.repeated else tuple(date_warnings(played.entries[0], battles))
        return replace(played, dates=dates)

    def play_report(
        self, campaign: str, plan: BattlePlanned, *, key: str, roll: bool, dry_run: bool
    ) -> RecordResult:
        """Record a report under this key. If an entry is refused, the refusal names every faulty entry."""
        try:
            return self.play(
                campaign,
                plan.decisions,
                key=key,
                digest=plan.digest,
                roll=roll,
                dry_run=dry_run,
                actor=plan.recorded_by,
                explained=False,
            )
        except (EntryRefused, DiceNeeded, DiceLeftOver) as refused:
            faulty = faulty_entries(self._repository.state(campaign), plan.decisions, roll=roll)
            # Dice that were rolled here may lead to a refusal that other dice would not.
            known = () if faulty is None else (faulty.in_file, *(entry.in_file for entry in faulty.each()))
            raise (faulty if faulty is not None and refused.in_file in known else refused) from refused

    def key_of(self, campaign: str, kind: Literal["battle", "gang"], named: str) -> str:
        """The key of a report or sheet: 'battle:b3', or 'battle:b3#2' if the one recorded under it is
        void.
        """
        keys = [*self.keys_used(campaign, f"{kind}:{named}")]
        if keys and named in getattr(self._repository.state(campaign), f"{kind}s"):
            return keys[-1]
        return numbered(f"{kind}:{named}", len(keys) + 1)

    def report_of(self, campaign: str, battle: str) -> tuple[int, int] | None:
        """The first and the last entry of a battle's report; of the latest one if it was recorded again."""
        keys = [*self.keys_used(campaign, f"battle:{battle}")]
        known = self._repository.store.find_command(campaign, keys[-1]) if keys else None
        return (known.first_entry, known.last_entry) if known is not None else None

    def keys_used(self, campaign: str, key: str) -> Iterator[str]:
        """A key and its numbered successors that something was recorded under."""
        every = (numbered(key, number) for number in count(1))
        return takewhile(lambda one: self._repository.store.find_command(campaign, one) is not None, every)

    def void_among(self, campaign: str, known: appending.Receipt) -> tuple[int, ...]:
        """The recorded entries that no longer count."""
        return tuple(
            entry
            for entry in range(known.first_entry, known.last_entry + 1)
            if not isinstance(self._repository.log.slot(campaign, entry)[0].event, records.DecisionTaken)
        )

    def recorded_as(self, campaign: str) -> RecordResult | None:
        """The result of this same request if it was sent before. Raises CommandKeyReused for another one."""
        sending = self._repository.sending
        known = self._repository.store.find_command(campaign, sending.key) if sending.key else None
        if known is None:
            return None
        appending.repeated_receipt(known, sending.key or "", sending.digest)
        return self.recorded_before(campaign, known)

    def recorded_before(self, campaign: str, known: appending.Receipt) -> RecordResult:
        """The first result of a command that was sent again."""
        entries = tuple(
            self._repository.log.entry(campaign, entry)
            for entry in range(known.first_entry, known.last_entry + 1)
        )
        return RecordResult(
            campaign=campaign,
            entries=entries,
            state=self._repository.state(campaign),
            repeated=True,
            void=self.void_among(campaign, known),
        )

    def _decide(
        self,
        state: CampaignState,
        plan: PlannedCommand,
        roller: Roller | None,
        *,
        entry: int,
        sent: records.IdempotencyKey,
    ) -> Judgement:
        return decided(state, plan, DiceTray(plan.dice, roller=roller), entry=entry, sent=sent)

    def adopt_policy(
        self,
        campaign: str,
        policy: str | Policy,
        *,
        from_battle: int | None,
        reason: str,
        overrides: Sequence[str] = (),
    ) -> RecordResult:
        """Adopt a house rule, from a battle on (the next one if none is named).

        A policy of the program is given by name, the table's own as a whole. `overrides` are policies that it
        is applied after although both change a setting.
        """
        battle = from_battle if from_battle is not None else self._next_battle(campaign)
        command = adoption(policy, from_battle=battle, reason=reason, overrides=overrides)
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
        return self._repository.state(campaign).battle_number

    # --- after a battle -----------------------------------------------------------------------------------

    def is_recorded(self, campaign: str, plan: PostBattlePlanned) -> bool:
        """Whether a file of this battle, gang and part was recorded, and counts."""
        return self._repository.store.find_command(campaign, self._key_of(campaign, plan)) is not None

    def _key_of(self, campaign: str, plan: PostBattlePlanned) -> str:
        # As with a battle's report: where all that was recorded was voided, it may be recorded again.
        keys = list(self.keys_used(campaign, plan.key))
        last = self._repository.store.find_command(campaign, keys[-1]) if keys else None
        if last is None or len(self.void_among(campaign, last)) > last.last_entry - last.first_entry:
            return numbered(plan.key, len(keys) + 1)
        return keys[-1]

    def play_post_battle(
        self, campaign: str, plan: PostBattlePlanned, *, roll: bool = False, dry_run: bool = False
    ) -> RecordResult:
        """Record a post-battle file, whole or not at all. The same file again changes nothing.

        Raises NotAfterThatBattle, AnotherFileRecorded, or EntriesRefused with every entry that is refused by
        itself.
        """
        key = self._key_of(campaign, plan)
        known = self._repository.store.find_command(campaign, key)
        if known is None:
            state = self._repository.state(campaign)
            _refuse_another_battle(state, plan)
            faulty = faulty_entries(state, plan.decisions, roll=roll)
            if faulty is not None:
                raise faulty
        elif known.digest != plan.digest:
            raise refusals.AnotherFileRecorded(
                battle=plan.battle, gang=plan.gang, part=plan.part, entry=known.first_entry
            )
        return self.play(
            campaign,
            plan.decisions,
            key=key,
            digest=plan.digest,
            roll=roll,
            dry_run=dry_run,
            actor=plan.recorded_by,
        )


def _recorded(campaign: str, outcome: DecisionOutcome) -> RecordResult:
    writer, _, after, contradicted = outcome
    return RecordResult(campaign=campaign, entries=writer.entries(), state=after, contradicted=contradicted)


def numbered(key: str, number: int) -> str:
    """The key of the nth recording: 'battle:b3', 'battle:b3#2'."""
    return key if number == 1 else f"{key}#{number}"


def digest_of(plans: Sequence[PlannedCommand]) -> str:
    """A hash of these plans: the same commands with the same dice have the same digest."""
    said = [(type(plan.command).__name__, plan.command, plan.dice) for plan in plans]
    return hashlib.sha256(sorted_json(said)).hexdigest()


def _refuse_another_battle(state: CampaignState, plan: PostBattlePlanned) -> None:
    open_now = {gang: after.battle for gang, after in state.after_battle.items()}
    fits = open_now.get(plan.gang) == plan.battle if plan.gang else plan.battle in open_now.values()
    if not fits:
        raise refusals.NotAfterThatBattle(battle=plan.battle, gang=plan.gang, open_now=open_now)
