"""The hall: play, rule, ask. The one place that knows the clock, makes ids and rolls dice.

Knows the order of things: load the state, decide, seal, append with the boards in the same transaction.
Knows no rule and no SQL. Everything the doors do goes through `Tracker`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import msgspec
import uuid_utils
from sqlalchemy import Connection, Engine

from tracker.campaign import decide as deciding
from tracker.campaign import evolve as evolving
from tracker.campaign import events as vocabulary
from tracker.campaign import profiles, state as states
from tracker.campaign.commands import (
    AdoptPolicy,
    Command,
    DisputeRoll,
    OpenCampaign,
    PolicyText,
    RepealPolicy,
    RuleOnDispute,
)
from tracker.campaign.decide import Judgement
from tracker.campaign.decide.decision import Decided
from tracker.campaign.events import BattleClosed, DecisionTaken, RulingMade, SlotKept, SlotVoided, Verdict
from tracker.campaign.evolve import evolve, fold
from tracker.campaign.recorded import Recorded
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
from tracker.dice import DiceLeftOver, DiceNeeded, DiceTray, Die, Roller, read_die
from tracker.errors import BadInput, Refusal, RulesRefuse, nearest
from tracker.log import database
from tracker.log.codec import Codec, EventUnreadable
from tracker.log.reader import LogReader
from tracker.log.refusals import StaleHead
from tracker.log.store import Draft, EventStore, Head, SealedEvent, VerifyReport, seal
from tracker.projections import boards, queries
from tracker.rules import shelf
from tracker.rules.rulebook import Book, Policy, Rulebook

SNAPSHOT_EVERY_ENTRIES = 64
TRIES_WHEN_STALE = 8
Progress = Callable[[int, int], None]


class Planned(Protocol):
    """One decision of a file: what to decide, with which dice, and how to name it to a person."""

    @property
    def command(self) -> Command: ...
    @property
    def dice(self) -> tuple[Die, ...]: ...
    @property
    def label(self) -> str: ...
    @property
    def note(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A decision that comes from no file."""

    command: Command
    dice: tuple[Die, ...] = ()
    label: str = ""
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of playing: the entries with all their events, and the state after. `repeated`: it was
    recorded before and nothing was written now. `dry_run`: nothing was written at all."""

    campaign: str
    entries: tuple[tuple[Recorded, ...], ...]
    state: CampaignState
    repeated: bool = False
    dry_run: bool = False


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What `verify` found. `drifted` are entries that today's program would decide otherwise."""

    log: VerifyReport
    unreadable: str | None = None
    drifted: tuple[tuple[int, str], ...] = ()
    boards: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return self.log.ok and not (
            self.unreadable or self.drifted or self.boards or self.guards or self.snapshots
        )


@dataclass(eq=False)
class UnknownCampaign(BadInput):
    campaign: str
    known: tuple[str, ...]

    def message(self) -> str:
        if not self.known:
            return f"There is no campaign {self.campaign!r}: none has begun. 'arbitrator campaign new NAME' opens one."
        return (
            f"There is no campaign {self.campaign!r}.{nearest(self.campaign, self.known)}"
            f" See 'arbitrator campaign list'."
        )


@dataclass(eq=False)
class CampaignNameTaken(RulesRefuse):
    slug: str

    def message(self) -> str:
        return f"A campaign {self.slug!r} exists already. Choose another name, or 'arbitrator campaign use {self.slug}'."


@dataclass(eq=False)
class EntryRefused(Refusal):
    """One decision among several was refused; none of them was recorded."""

    label: str
    refusal: Refusal

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # the inner refusal's own
        return self.refusal.exit_code

    def facts(self) -> dict[str, Any]:
        return {"where": self.label, "refusal": type(self.refusal).__name__, **self.refusal.facts()}

    def message(self) -> str:
        return f"{self.label}: {self.refusal.message()} Nothing of this file was recorded."


@dataclass(eq=False)
class DryRunRollsNothing(BadInput):
    def message(self) -> str:
        return (
            "A dry run rolls no dice: they would be seen before they count. Leave out --roll to see which die is"
            " missing, or leave out --dry-run."
        )


@dataclass(eq=False)
class NoSuchEvent(BadInput):
    address: str
    entries: int

    def message(self) -> str:
        return (
            f"There is no event {self.address} in this campaign, whose log ends with entry {self.entries}."
            f" An event is named ENTRY.EVENT, such as 57.3; see 'arbitrator log show'."
        )


@dataclass(eq=False)
class NoSuchBattle(BadInput):
    battle: str
    known: tuple[str, ...]

    def message(self) -> str:
        return f"There is no battle {self.battle!r}.{nearest(self.battle, self.known)} See 'arbitrator battle list'."


@dataclass(eq=False)
class PreviewStale(Refusal):
    expected: int
    found: int

    exit_code = 3

    def message(self) -> str:
        return (
            f"The log moved on since that preview: it had {self.expected} events then and has {self.found} now."
            f" Look at 'arbitrator dispute preview' again."
        )


def roll_fairly(sides: int) -> int:
    """A face from 1 to `sides`, from the operating system's randomness."""
    return secrets.randbelow(sides) + 1


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Tracker:
    """One database, and all that can be done with the campaigns in it."""

    def __init__(
        self,
        url: str,
        *,
        actor: str,
        migrate: bool = True,
        clock: Callable[[], str] = now,
        new_id: Callable[[], str] = lambda: str(uuid_utils.uuid7()),
        roller: Roller = roll_fairly,
    ) -> None:
        self.engine: Engine = database.open_database(url, migrate=migrate)
        self.store = EventStore(self.engine)
        self.codec = Codec()
        self.log = LogReader(self.store, self.codec)
        self._actor = actor
        self._clock = clock
        self._new_id = new_id
        self._roller = roller
        self._kept: dict[str, tuple[Head, CampaignState]] = {}

    def close(self) -> None:
        """Let the database go."""
        self.engine.dispose()

    # --- campaigns -----------------------------------------------------------------------------------------

    def campaign_id(self, slug: str) -> str:
        """The id of a campaign by the name people use. Raises UnknownCampaign."""
        with database.reading(self.engine) as connection:
            row = queries.campaign_by_slug(connection, slug)
            if row is None:
                known = tuple(str(one["slug"]) for one in queries.campaigns(connection))
                raise UnknownCampaign(campaign=slug, known=known)
        return str(row["campaign"])

    def campaign_slugs(self) -> tuple[str, ...]:
        """The names of every campaign in this database."""
        with database.reading(self.engine) as connection:
            return tuple(str(one["slug"]) for one in queries.campaigns(connection))

    def rulebook_in_force(self, campaign: str) -> Rulebook:
        """The rulebook that the battle under way, or the next one, is played by."""
        return deciding.rulebook_in_force(self.state(campaign), shelf.rulebook)

    def open_campaign(
        self, *, name: str, slug: str, book: str, preset: str | None, policies: Sequence[str] = ()
    ) -> Played:
        """Begin a campaign under a book, with a preset's policies and others from the first battle on."""
        shelf.book(book)
        listed = (*(shelf.preset(preset).policies if preset else ()), *policies)
        texts = tuple(policy_text(shelf.policy(one)) for one in dict.fromkeys(listed))
        with database.reading(self.engine) as connection:
            if queries.campaign_by_slug(connection, slug) is not None:
                raise CampaignNameTaken(slug=slug)
        command = OpenCampaign(name=name, slug=slug, book=book, policies=texts)
        return self.play(self._new_id(), [Plan(command=command)], key="campaign")

    # --- play ----------------------------------------------------------------------------------------------

    def play(
        self,
        campaign: str,
        plans: Sequence[Planned],
        *,
        key: str | None = None,
        digest: str | None = None,
        roll: bool = False,
        dry_run: bool = False,
        actor: str | None = None,
    ) -> Played:
        """Decide all of these, one entry each, and append them together, or refuse and write nothing.

        `key` makes a retry find its first answer; `digest` tells the same command from another under the
        same key. With `roll`, dice nobody gave are rolled here.
        """
        if roll and dry_run:
            raise DryRunRollsNothing()
        key = key or f"once:{self._new_id()}"
        digest = digest or _digest_of(plans)
        known = self.store.find_command(campaign, key)
        if known is not None and known.digest == digest:
            entries = tuple(
                self.log.entry(campaign, entry) for entry in range(known.first_entry, known.last_entry + 1)
            )
            return Played(campaign=campaign, entries=entries, state=self.state(campaign), repeated=True)
        dice = [plan.dice for plan in plans]
        for tries_left in reversed(range(TRIES_WHEN_STALE)):
            head, before = self.load(campaign)
            writer = _EntryWriter(self, head, actor=actor)
            state = before
            for number, plan in enumerate(plans):
                judgement = self._decide(
                    state, plan, dice[number], roll=roll, entry=head.entries + 1 + number
                )
                header = judgement.events[0].event
                assert isinstance(header, DecisionTaken), "an entry begins with its header"
                # Should the log have moved on, these dice count again: nobody rolls twice.
                dice[number] = header.dice
                writer.begin_entry()
                writer.add(judgement.events, judgement.rulebook)
                state = judgement.state
            if dry_run:
                return Played(campaign=campaign, entries=writer.entries(), state=state, dry_run=True)
            try:
                self._append(writer, before, state, key=key, digest=digest)
            except StaleHead:
                if not tries_left:
                    raise
                continue
            return Played(campaign=campaign, entries=writer.entries(), state=state)
        raise AssertionError("the loop returns or raises")

    def _decide(
        self, state: CampaignState, plan: Planned, dice: tuple[Die, ...], *, roll: bool, entry: int
    ) -> Judgement:
        tray = DiceTray(dice, roller=self._roller if roll else None)
        try:
            judgement = deciding.attempt(
                state, plan.command, tray, shelf.rulebook, entry=entry, note=plan.note
            )
            typed_left = tuple(die for die in tray.waiting if die.source == "typed")
            if typed_left:
                raise DiceLeftOver(left=typed_left)
        except (DiceNeeded, DiceLeftOver) as wrong:
            wrong.entry = plan.label
            raise
        except Refusal as refusal:
            if plan.label:
                raise EntryRefused(label=plan.label, refusal=refusal) from refusal
            raise
        return judgement

    # --- policies ------------------------------------------------------------------------------------------

    def adopt_policy(self, campaign: str, name: str, *, from_battle: int | None, reason: str) -> Played:
        """Adopt a policy from the shelf, from a battle on (the next one when none is named)."""
        text = policy_text(shelf.policy(name))
        battle = from_battle if from_battle is not None else self._next_battle(campaign)
        return self.play(campaign, [Plan(command=AdoptPolicy(text=text, from_battle=battle, reason=reason))])

    def repeal_policy(self, campaign: str, name: str, *, from_battle: int | None, reason: str) -> Played:
        """Repeal a policy from a battle on."""
        battle = from_battle if from_battle is not None else self._next_battle(campaign)
        policy = name.partition("@")[0]
        return self.play(
            campaign, [Plan(command=RepealPolicy(policy=policy, from_battle=battle, reason=reason))]
        )

    def _next_battle(self, campaign: str) -> int:
        return self.state(campaign).battle_number

    # --- disputes and rulings --------------------------------------------------------------------------------

    def event_at(self, campaign: str, address: str) -> Recorded:
        """The event that people call '57.3'. Raises NoSuchEvent."""
        entry_text, _, position_text = address.partition(".")
        head = self.store.head(campaign)
        if not (_is_count(entry_text) and _is_count(position_text)):
            raise NoSuchEvent(address=address, entries=head.entries)
        events = self.log.entry(campaign, int(entry_text)) if int(entry_text) <= head.entries else ()
        position = int(position_text)
        if not 1 <= position <= len(events):
            raise NoSuchEvent(address=address, entries=head.entries)
        return events[position - 1]

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
        """What a ruling would change, all of it. `name` is a dispute, or an event that nobody disputes yet."""
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
                raised_by=self._actor,
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

        Raises RulingIncomplete while a later slot needs dice or no longer follows and nobody said what becomes
        of it, and PreviewStale when the log has moved on from `expected_head`.
        """
        if roll and dry_run:
            raise DryRunRollsNothing()
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
        writer = _EntryWriter(self, head)
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
        self._append(
            writer,
            before,
            after,
            key=f"ruling:{dispute.dispute}",
            digest=_digest_of([Plan(command=command)]),
            first_changed_slot=min(changed, default=None),
        )
        return Played(campaign=campaign, entries=writer.entries(), state=after)

    def _ruling_command(
        self, campaign: str, dispute: OpenDispute, answer: Answer
    ) -> tuple[RuleOnDispute, Die | None]:
        address = f"{dispute.target_entry}.{dispute.target_position}"
        doubted = self.event_at(campaign, address)
        slot = self._slot(campaign, dispute.target_slot)
        found = roll_in_force(slot, doubted)
        book = shelf.book(self.state(campaign).book)
        faces = None
        die_before = slot.header.dice[found[0]] if found is not None and slot.header is not None else None
        if answer.verdict == "corrected":
            if not isinstance(doubted.event, vocabulary.RollMade):
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
        base, state = self._snapshot_before(campaign, first)
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
            roller=self._roller if roll else None,
        )

    def _slot(self, campaign: str, slot: int) -> Slot:
        """What fills a slot now."""
        events = self.log.slot(campaign, slot)
        return Slot(slot=slot, entry=events[0].entry, events=events)

    def slot_in_dispute(self, campaign: str, name: str) -> int:
        """The slot that a dispute, or an event nobody disputes yet, is about."""
        if "." in name:
            return self.event_at(campaign, name).slot
        return self.find_dispute(campaign, name).target_slot

    # --- reading -------------------------------------------------------------------------------------------

    def contents(self, campaign: str, places: Sequence[tuple[int, int]]) -> list[tuple[Recorded, ...]]:
        """The events at these (entry, slot) places, in the order asked for."""
        entries: dict[int, tuple[Recorded, ...]] = {}
        found = []
        for entry, slot in places:
            if entry not in entries:
                entries[entry] = self.log.entry(campaign, entry)
            found.append(tuple(one for one in entries[entry] if one.slot == slot))
        return found

    def events_about(
        self, campaign: str, fighter: str, places: Iterable[tuple[int, int]]
    ) -> tuple[Recorded, ...]:
        """The events at these places that name a fighter, in the order of play."""
        ordered = sorted(places, key=lambda place: (place[1], place[0]))
        return tuple(
            one
            for entry in self.contents(campaign, ordered)
            for one in entry
            if fighter in (getattr(one.event, "fighter", None), getattr(one.event, "by", None))
        )

    def battle_of_slot(self, campaign: str, slot: int) -> str | None:
        """The battle that a slot belongs to, or None."""
        with database.reading(self.engine) as connection:
            rows = queries.entries(connection, campaign, slot=slot)
        return rows[0]["battle"] if rows else None

    # --- state ---------------------------------------------------------------------------------------------

    def load(self, campaign: str) -> tuple[Head, CampaignState]:
        """The head and the state it stands for, from the nearest snapshot."""
        head = self.store.head(campaign)
        kept = self._kept.get(campaign)
        if kept is not None and kept[0] == head:
            return kept
        base, state = self._snapshot_before(campaign, head.entries + 1)
        state = fold(
            state,
            (
                recorded.event
                for recorded in self.log.live(campaign, after_slot=base, as_of_entry=head.entries)
            ),
        )
        self._kept[campaign] = (head, state)
        return head, state

    def state(
        self, campaign: str, *, as_of_entry: int | None = None, as_of_battle: str | None = None
    ) -> CampaignState:
        """The state now; as it was believed after an entry; or as it stands today up to a battle's end."""
        if as_of_entry is not None:
            head = self.store.head(campaign)
            if not 1 <= as_of_entry <= head.entries:
                raise NoSuchEvent(address=str(as_of_entry), entries=head.entries)
            base, state = self._snapshot_before(campaign, as_of_entry + 1)
            live = self.log.live(campaign, after_slot=base, as_of_entry=as_of_entry)
            return fold(state, (recorded.event for recorded in live))
        if as_of_battle is not None:
            return self._state_after_battle(campaign, as_of_battle)
        return self.load(campaign)[1]

    def _state_after_battle(self, campaign: str, battle: str) -> CampaignState:
        with database.reading(self.engine) as connection:
            rows = queries.battles(connection, campaign)
        row = next((one for one in rows if battle in (one["battle"], str(one["number"]))), None)
        if row is None:
            raise NoSuchBattle(battle=battle, known=tuple(str(one["battle"]) for one in rows))
        base, state = self._snapshot_before(campaign, int(row["slot"]))
        for recorded in self.log.live(campaign, after_slot=base):
            state = evolve(state, recorded.event)
            if isinstance(recorded.event, BattleClosed) and recorded.event.battle == row["battle"]:
                break
        return state

    def _snapshot_before(self, campaign: str, slot: int) -> tuple[int, CampaignState]:
        """The nearest kept state before a slot, and the slot it stands after."""
        found = self.store.nearest_snapshot(campaign, fingerprint(), at_most_entry=slot - 1)
        if found is None:
            return 0, CampaignState()
        return found[0], read_state(found[1])

    # --- trust ---------------------------------------------------------------------------------------------

    def verify(self, campaign: str, *, progress: Progress | None = None) -> Audit:
        """Everything that must hold: bytes and chain, every event readable, every entry decided the same today,
        boards and snapshots equal to a fold, the database's own guards in place. Writes nothing."""
        log = self.store.verify(campaign, progress)
        guards = database.guards_wrong(self.engine)
        if not log.ok:
            return Audit(log=log, guards=tuple(guards))
        try:
            drifted = self._drifted(campaign)
            on_boards = tuple(self.board_differences(campaign))
            snapshots = self._wrong_snapshots(campaign)
        except EventUnreadable as unreadable:
            return Audit(log=log, unreadable=unreadable.message(), guards=tuple(guards))
        return Audit(log=log, drifted=drifted, boards=on_boards, guards=tuple(guards), snapshots=snapshots)

    def _drifted(self, campaign: str) -> tuple[tuple[int, str], ...]:
        kept = {
            recorded.event.kept_slot
            for recorded in self.log.live(campaign)
            if isinstance(recorded.event, SlotKept)
        }
        treatments = {slot: Treatment(keep=True) for slot in kept}
        found = rejudge(CampaignState(), slots_of(self.log.live(campaign)), treatments, shelf.rulebook)
        return tuple(
            (one.slot.slot, one.why or "decided otherwise") for one in found.slots if one.result != "kept"
        )

    def _wrong_snapshots(self, campaign: str) -> tuple[str, ...]:
        found = self.store.nearest_snapshot(campaign, fingerprint())
        if found is None:
            return ()
        entry, body = found
        live = self.log.live(campaign, as_of_entry=entry)
        refolded = fold(CampaignState(), (recorded.event for recorded in live))
        return (
            ()
            if written_state(refolded) == body
            else (f"the snapshot after entry {entry} is not what the log folds to",)
        )

    def board_differences(self, campaign: str) -> list[str]:
        """Rows that a rebuild would write otherwise; empty when the boards hold."""
        with database.reading(self.engine) as connection:
            return boards.differences(connection, campaign, **self._for_boards(campaign))

    def rebuild_boards(self, campaign: str, *, progress: Progress | None = None) -> None:
        """Throw the campaign's boards and snapshots away and make the boards again from the log."""
        with self.store.exclusively(campaign) as connection:
            self.store.drop_snapshots(connection, campaign, 0)
            boards.rebuild(connection, campaign, **self._for_boards(campaign), progress=progress)

    def _for_boards(self, campaign: str) -> dict[str, Any]:
        first = self.log.entry(campaign, 1)
        opened = next(one for one in first if isinstance(one.event, vocabulary.CampaignOpened))
        assert isinstance(opened.event, vocabulary.CampaignOpened), "looked for"
        return {
            "live": self.log.live(campaign),
            "struck": self.log.struck(campaign),
            "fold": evolve,
            "slug": opened.event.slug,
            "created_at": opened.at,
        }

    # --- writing -------------------------------------------------------------------------------------------

    def _append(
        self,
        writer: _EntryWriter,
        before: CampaignState,
        after: CampaignState,
        *,
        key: str,
        digest: str,
        first_changed_slot: int | None = None,
    ) -> None:
        sealed, head = seal(writer.head, writer.drafts)
        recorded = writer.recorded
        opening = recorded[0].event if not writer.head.size else None

        def also(connection: Connection, _: tuple[SealedEvent, ...]) -> None:
            created = next(
                (one.event.slug for one in recorded if isinstance(one.event, vocabulary.CampaignOpened)), None
            )
            boards.update(
                connection,
                head.campaign,
                before=before,
                after=after,
                recorded=recorded,
                created_slug=created if opening is not None else None,
                created_at=recorded[0].at,
            )
            if first_changed_slot is not None:
                self.store.drop_snapshots(connection, head.campaign, first_changed_slot)
            due = head.entries // SNAPSHOT_EVERY_ENTRIES > writer.head.entries // SNAPSHOT_EVERY_ENTRIES
            if due or first_changed_slot is not None:
                self.store.save_snapshot(
                    connection, head.campaign, head.entries, fingerprint(), written_state(after)
                )

        self.store.append(writer.head, sealed, head, key=key, digest=digest, also=also)
        self._kept[head.campaign] = (head, after)

    def stamp(self) -> tuple[str, str]:
        """Who and when."""
        return self._actor, self._clock()

    def new_id(self) -> str:
        """A fresh id that sorts by time."""
        return self._new_id()


class _EntryWriter:
    """Turns decided events into drafts and recorded events, numbering as it goes."""

    def __init__(self, tracker: Tracker, head: Head, *, actor: str | None = None) -> None:
        self.head = head
        self.drafts: list[Draft] = []
        self.recorded: list[Recorded] = []
        self._tracker = tracker
        login, self._at = tracker.stamp()
        self._actor = actor or login
        self._entry = head.entries
        self._entry_start = head.size

    def begin_entry(self) -> None:
        self._entry += 1
        self._entry_start = self.head.size + len(self.drafts)

    def add(
        self,
        decided: Iterable[Decided],
        rulebook: Rulebook,
        *,
        slot: int | None = None,
        caused_by: int | None = None,
    ) -> None:
        first_seq = self.head.size + len(self.drafts)
        for number, one in enumerate(decided):
            seq = first_seq + number
            name, shape = self._tracker.codec.name_of(one.event)
            causation = first_seq + one.cause if number else caused_by
            self.drafts.append(
                Draft(
                    type=name,
                    shape=shape,
                    entry=self._entry,
                    slot=slot or self._entry,
                    event_id=self._tracker.new_id(),
                    at=self._at,
                    actor=self._actor,
                    policy_version=rulebook.version,
                    policy_digest=rulebook.digest,
                    causation=causation,
                    data=self._tracker.codec.written(one.event),
                )
            )
            self.recorded.append(
                Recorded(
                    seq=seq,
                    entry=self._entry,
                    position=seq - self._entry_start + 1,
                    slot=slot or self._entry,
                    at=self._at,
                    actor=self._actor,
                    policy_version=rulebook.version,
                    policy_digest=rulebook.digest,
                    causation=causation,
                    event=one.event,
                )
            )

    def entries(self) -> tuple[tuple[Recorded, ...], ...]:
        gathered: dict[int, list[Recorded]] = {}
        for one in self.recorded:
            gathered.setdefault(one.entry, []).append(one)
        return tuple(tuple(events) for events in gathered.values())


@dataclass(eq=False)
class NoFacesGiven(BadInput):
    purpose: str

    def message(self) -> str:
        return f"Say what the {self.purpose} die should have shown: --faces 2 (a D66 as 4-6), or --confirm, or --void."


@dataclass(eq=False)
class UnknownPurpose(BadInput):
    purpose: str
    known: tuple[str, ...]

    def message(self) -> str:
        return f"No die is rolled for {self.purpose!r}.{nearest(self.purpose, self.known)} Known: {', '.join(self.known)}."


def policy_text(policy: Policy) -> PolicyText:
    """A policy of the shelf as the log keeps it."""
    return PolicyText(
        policy=policy.policy,
        version=policy.version,
        title=policy.title,
        source=policy.source,
        patch=dict(policy.patch),
    )


@cache
def fingerprint() -> str:
    """Names the code that folds: a snapshot made by other code is not used."""
    digest = hashlib.sha256()
    for module in (evolving, states, profiles, vocabulary):
        assert module.__file__ is not None, "the folding code lies in files"
        digest.update(Path(module.__file__).read_bytes())
    return digest.hexdigest()


def written_state(state: CampaignState) -> bytes:
    """A state as a snapshot keeps it."""
    return msgspec.json.encode(state)


@cache
def _state_decoder() -> msgspec.json.Decoder[CampaignState]:
    return msgspec.json.Decoder(CampaignState)


def read_state(body: bytes) -> CampaignState:
    """A state from a snapshot."""
    return _state_decoder().decode(body)


def _read_die_for(book: Book, purpose: str, value: object) -> Die:
    known = book.purposes.get(purpose)
    if known is None:
        raise UnknownPurpose(purpose=purpose, known=tuple(book.purposes))
    return read_die(purpose, known.die, value, special=known.special)


def _digest_of(plans: Sequence[Planned]) -> str:
    said = [(type(plan.command).__name__, plan.command, plan.dice) for plan in plans]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


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


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
