"""Amendments: corrections of recorded entries, as a ruling needs them.

Knows which entries hold what. Reads no file and writes nothing: a ruling does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tracker.campaign import records
from tracker.campaign.rulings.entry_alignment import align_entries
from tracker.campaign.rulings.entry_parts import (
    EntryPart,
    amended_dice,
    amendment_of,
    copy_stated_fields,
    split_parts,
)
from tracker.campaign.state import CampaignState
from tracker.dice import Die
from tracker.errors import BadInput, RulesRefuse
from tracker.log import database
from tracker.projections import queries
from tracker.records import Record, replace
from tracker.service import refusals
from tracker.service.command_handler import BattlePlanned, CommandHandler
from tracker.service.faulty_entries import PlannedCommand
from tracker.service.log_view import FIXED, CurrentLogView
from tracker.service.repository import CampaignRepository


class NothingToAmend(BadInput):
    """{what} already says exactly that, dice included: there is nothing to correct."""

    what: str


class SayWhichPart(BadInput):
    entry: int
    parts: int

    def message(self) -> str:
        if self.parts == 1:
            return f"Entry {self.entry} holds one thing alone: leave out --part."
        return (
            f"Entry {self.entry} holds {self.parts} things, one after the other: say which with --part, from"
            f" 1 to {self.parts}. See 'arbitrator log entry {self.entry}'."
        )


class RecordedSlot(Record):
    """The present content of an entry, and the state before it."""

    entry: int
    header: records.DecisionTaken
    before: CampaignState

    @property
    def parts(self) -> tuple[EntryPart, ...]:
        """Its commands, each with its dice: most entries are one."""
        return split_parts(self.header)

    def part(self, number: int | None) -> EntryPart:
        """One of them, counted from 1; None stands for the only one. Raises SayWhichPart."""
        parts = self.parts
        if number is None and len(parts) > 1:
            raise SayWhichPart(entry=self.entry, parts=len(parts))
        if not 1 <= (number or 1) <= len(parts):
            raise SayWhichPart(entry=self.entry, parts=len(parts))
        return parts[(number or 1) - 1]


class SlotAmendment(Record):
    """A corrected entry and its differences; reports turn its command into words."""

    entry: int
    was: records.DecisionTaken
    amendment: records.Amendment


class PartAmended(Record):
    """A recorded part and the part it should have been; None: none."""

    entry: int
    before: EntryPart | None
    after: EntryPart | None


class NoteAmended(Record):
    """The recorded note of an entry and the note it should have had; None: none."""

    entry: int
    before: str | None
    after: str | None


class BattleAmendment(Record):
    """The changes that a corrected report makes to a recorded battle: amended entries and voided ones."""

    battle: str
    parts: tuple[PartAmended, ...]
    notes: tuple[NoteAmended, ...]
    amended: dict[int, records.Amendment]
    void: tuple[int, ...]


class GangAmendment(Record):
    """The changes that a corrected sheet makes to the entries that enlisted a gang and its fighters."""

    gang: str
    parts: tuple[PartAmended, ...]
    amended: dict[int, records.Amendment]


class NothingBehind(RulesRefuse):
    """Nothing follows entry {entry}, so there is nothing to insert this before. Record what happened next
    with 'arbitrator battle continue' or 'arbitrator battle post'.
    """

    entry: int


class NotFromASheet(RulesRefuse):
    """{fighter} did not join from a {game.gang} sheet but was hired: leave them out of this sheet, and
    correct the entry that hired them. See 'arbitrator log show --fighter {fighter}'.
    """

    fighter: str


class ReportOfAnotherBattle(BadInput):
    """The report is of battle {report!r}, and {battle!r} is to be amended. A battle keeps its id."""

    report: str
    battle: str


class BattleNotClosed(RulesRefuse):
    """Battle {battle} is not closed, so there is no whole report of it to correct. See 'arbitrator battle
    show {battle}'.
    """

    battle: str


class Amendments:
    """Looks up recorded entries and works out what a ruling has to change."""

    def __init__(self, repository: CampaignRepository, commands: CommandHandler) -> None:
        self._repository = repository
        self._commands = commands

    def recorded(self, campaign: str, entry: int) -> RecordedSlot:
        """The present content of an entry. Raises NoSuchEvent, EntryIsVoid or EntryStands."""
        now = CurrentLogView(self._repository, campaign)
        if not 1 <= entry <= now.entries:
            raise now.no_such_event(entry)
        slot = now.slot(entry)
        if slot.header is None:
            raise refusals.EntryIsVoid(address=f"entry {entry}", entry=slot.entry)
        if isinstance(slot.header.command, FIXED):
            raise refusals.EntryStands(entry=entry)
        return RecordedSlot(entry=entry, header=slot.header, before=now.state_before(entry))

    def of_entry(
        self,
        recorded: RecordedSlot,
        command: records.Command,
        given: Sequence[Die] = (),
        *,
        part: int = 1,
        note: str | None = None,
    ) -> SlotAmendment:
        """The entry, or that part of it, with this command and these dice instead of its own.

        `note` replaces its note: "" removes it, None keeps it. Raises NothingToAmend.
        """
        parts = list(recorded.parts)
        was = parts[part - 1]
        parts[part - 1] = EntryPart(command=command, dice=amended_dice(was, command, given))
        amendment = amendment_of(recorded.header, parts, note)
        if amendment is None:
            raise NothingToAmend(what=f"Entry {recorded.entry}")
        return SlotAmendment(entry=recorded.entry, was=recorded.header, amendment=amendment)

    def beside(
        self, recorded: RecordedSlot, added: Sequence[EntryPart], *, before: bool = False
    ) -> SlotAmendment:
        """The entry with more parts after its own, or before them."""
        parts = (*added, *recorded.parts) if before else (*recorded.parts, *added)
        beside = [recorded.header.note, *(part.note for part in added)]
        noted = "; ".join(note for note in (reversed(beside) if before else beside) if note)
        amendment = amendment_of(recorded.header, parts, noted)
        assert amendment is not None, "something was added"
        return SlotAmendment(entry=recorded.entry, was=recorded.header, amendment=amendment)

    def added(
        self,
        campaign: str,
        after: int,
        forgotten: Sequence[PlannedCommand],
        *,
        apart_from: Collection[int] = (),
    ) -> SlotAmendment:
        """The forgotten parts, added after the content of an entry.

        The opening of a battle and entries among `apart_from` stay alone: there the parts go before the
        content of the next entry. Raises as `recorded` does, and NothingBehind.
        """
        added = [
            EntryPart(command=planned.command, dice=planned.dice, note=planned.note) for planned in forgotten
        ]
        if after not in apart_from:
            recorded = self.recorded(campaign, after)
            if not isinstance(recorded.parts[-1].command, records.OpenBattle):
                return self.beside(recorded, added)
        now = CurrentLogView(self._repository, campaign)
        for slot in range(after + 1, now.entries + 1):
            header = now.slot(slot).header
            if header is None or slot in apart_from:
                continue
            if not isinstance(header.command, FIXED):
                return self.beside(self.recorded(campaign, slot), added, before=True)
        raise NothingBehind(entry=after)

    def of_gang(self, campaign: str, sheet: records.EnlistGang) -> GangAmendment:
        """A gang as its sheet should have been. Covers the cards of all its fighters, whichever entry
        enlisted them.

        Raises UnknownGang, NotFromASheet or NothingToAmend.
        """
        now = CurrentLogView(self._repository, campaign)
        headers = _enlisting(now, sheet.gang)
        one_by_one = {
            header.command.card.fighter: slot
            for slot, header in headers.items()
            if isinstance(header.command, records.EnlistFighter)
        }
        whole = next(
            slot for slot, header in headers.items() if isinstance(header.command, records.EnlistGang)
        )
        recorded = headers[whole].command
        assert isinstance(recorded, records.EnlistGang), "looked at before"
        known = {*one_by_one, *(card.fighter for card in recorded.fighters)}
        for card in sheet.fighters:
            if card.fighter not in known and card.fighter in now.state.gang_of:
                raise NotFromASheet(fighter=card.fighter)
        commands: dict[int, records.Command] = {
            whole: replace(
                sheet, fighters=tuple(card for card in sheet.fighters if card.fighter not in one_by_one)
            )
        }
        if _source(recorded) == _source(sheet):
            as_joined = replace(commands[whole], origin=recorded.origin)
            if as_joined == recorded:  # the sheet differs only as text
                commands[whole] = as_joined
        for card in sheet.fighters:
            if card.fighter in one_by_one:
                slot = one_by_one[card.fighter]
                commands[slot] = replace(headers[slot].command, card=card)
        parts = tuple(
            PartAmended(entry=slot, before=before, after=replace(before, command=command))
            for slot, command in sorted(commands.items())
            if (before := split_parts(headers[slot])[0]).command != command
        )
        if not parts:
            raise NothingToAmend(what=f"The enlistment of {sheet.gang}")
        amended = {part.entry: records.Amendment(command=commands[part.entry]) for part in parts}
        return GangAmendment(gang=sheet.gang, parts=parts, amended=amended)

    def joined(self, campaign: str, gang: str) -> tuple[records.EnlistGang, tuple[records.FighterCard, ...]]:
        """The sheet a gang joined with, and the cards of fighters added one by one. Raises UnknownGang."""
        commands = [
            header.command for header in _enlisting(CurrentLogView(self._repository, campaign), gang).values()
        ]
        whole = next(command for command in commands if isinstance(command, records.EnlistGang))
        return whole, tuple(
            command.card for command in commands if isinstance(command, records.EnlistFighter)
        )

    def of_battle(self, campaign: str, battle: str, plan: BattlePlanned) -> BattleAmendment:
        """A recorded battle as a corrected report tells it; entries that came from no report stay unchanged.

        Raises NoSuchBattle, ReportOfAnotherBattle, BattleNotClosed or NothingToAmend.
        """
        row = self._battle(campaign, battle)
        if plan.battle != row["battle"]:
            raise ReportOfAnotherBattle(report=plan.battle, battle=str(row["battle"]))
        now, headers, recorded = self._recorded_battle(campaign, row)
        written = [
            EntryPart(command=decision.command, dice=decision.dice, note=decision.note)
            for decision in plan.decisions
        ]
        before = now.state_before(recorded[0][0])
        written[0] = replace(written[0], command=_opening_again(before, recorded[0][1], written[0]))
        parts, by_slot = _rebuilt(recorded, written)
        amended = {
            slot: amendment
            for slot, listed in by_slot.items()
            if listed and (amendment := amendment_of(headers[slot], listed, _noted(listed))) is not None
        }
        void = tuple(slot for slot, listed in by_slot.items() if not listed)
        if not amended and not void:
            raise NothingToAmend(what=f"Battle {row['battle']}")
        notes = tuple(
            NoteAmended(entry=slot, before=headers[slot].note, after=amendment.note or None)
            for slot, amendment in sorted(amended.items())
            if amendment.note is not None
        )
        return BattleAmendment(
            battle=str(row["battle"]), parts=parts, notes=notes, amended=amended, void=void
        )

    def battle_recorded(self, campaign: str, battle: str) -> tuple[CampaignState, tuple[EntryPart, ...]]:
        """The state before a battle, and the parts of its report as they are now, with the notes of its
        entries.

        Raises NoSuchBattle or BattleNotClosed.
        """
        now, headers, recorded = self._recorded_battle(campaign, self._battle(campaign, battle))
        parts = []
        last: int | None = None
        for slot, part in recorded:
            parts.append(replace(part, note=headers[slot].note) if slot != last else part)
            last = slot
        return now.state_before(recorded[0][0]), tuple(parts)

    def _recorded_battle(
        self, campaign: str, row: queries.Row
    ) -> tuple[CurrentLogView, dict[int, records.DecisionTaken], list[tuple[int, EntryPart]]]:
        now = CurrentLogView(self._repository, campaign)
        headers = self._headers_of(campaign, now, row)
        recorded = [(slot, part) for slot, header in headers.items() for part in split_parts(header)]
        if not recorded or not isinstance(recorded[-1][1].command, records.CloseBattle):
            raise BattleNotClosed(battle=str(row["battle"]))
        return now, headers, recorded

    def _battle(self, campaign: str, battle: str) -> queries.Row:
        with database.reading(self._repository.engine) as connection:
            rows = queries.battles(connection, campaign)
        row = next((listed for listed in rows if battle in (listed["battle"], str(listed["number"]))), None)
        if row is None:
            raise refusals.NoSuchBattle(battle=battle, known=tuple(str(listed["battle"]) for listed in rows))
        return row

    def _headers_of(
        self, campaign: str, now: CurrentLogView, row: queries.Row
    ) -> dict[int, records.DecisionTaken]:
        """The headers of the report's entries that count, by slot."""
        first = int(row["slot"])
        report = self._commands.report_of(campaign, str(row["battle"]))
        last = int(row["closed"]["slot"]) if row["closed"] else first
        if report is not None and report[0] <= first <= report[1]:
            first, last = report
        found = {slot: now.slot(slot).header for slot in range(first, last + 1)}
        return {
            slot: header
            for slot, header in found.items()
            if header is not None and not isinstance(header.command, FIXED)
        }


def _opening_again(before: CampaignState, was: EntryPart, written: EntryPart) -> records.OpenBattle:
    """The opening as a corrected report states it.

    If the report leaves a gang's crew open, the gang keeps its recorded crew. The battle keeps its number and
    the house rules that a ruling put there. Vehicles come with their crews.
    """
    recorded, stated = was.command, written.command
    assert isinstance(recorded, records.OpenBattle), "looked at before"
    assert isinstance(stated, records.OpenBattle), "a report begins with its opening"
    crews = {gang: crew or recorded.crews.get(gang, ()) for gang, crew in stated.crews.items()}
    again = replace(recorded, scenario=stated.scenario, date=stated.date, crews=crews)
    here = {fighter for crew in crews.values() for fighter in crew}
    there = {fighter for crew in recorded.crews.values() for fighter in crew}
    come = [
        card
        for vehicle in before.vehicle_of
        if (card := before.vehicle(vehicle)) is not None and not card.gone and card.crew in here
        if card.vehicle in (recorded.vehicles or ()) or not (card.crew in there or card.in_repair)
    ]
    started = [
        card.vehicle
        for card in come
        if (card.unreliable if card.crew not in there else card.vehicle in (recorded.unreliable or ()))
    ]
    if {card.vehicle for card in come} == {*(recorded.vehicles or ())}:
        return again
    vehicles = tuple(card.vehicle for card in come)
    return replace(again, vehicles=vehicles or None, unreliable=tuple(started) or None)


def _rebuilt(
    recorded: Sequence[tuple[int, EntryPart]], written: Sequence[EntryPart]
) -> tuple[tuple[PartAmended, ...], dict[int, list[EntryPart]]]:
    """The differences, and the new parts of each slot; no parts for a slot that no longer counts.

    A new part goes into the entry before it; after the opening, which stays alone, into the entry after it.
    """
    first, last = recorded[0][0], recorded[-1][0]
    by_slot: dict[int, list[EntryPart]] = {slot: [] for slot, _ in recorded}
    pairs = align_entries([part for _, part in recorded[1:-1]], written[1:-1])
    shifted = [
        (0, 0),
        *((_next(old), _next(new)) for old, new in pairs),
        (len(recorded) - 1, len(written) - 1),
    ]
    differing: list[PartAmended] = []
    waiting: list[EntryPart] = []  # behind the opening, for the next entry that stays
    here = first
    for old, new in shifted:
        slot, was = recorded[old] if old is not None else (here, None)
        now = written[new] if new is not None else None
        if was is not None and now is not None:
            now = _amended(was, now)
            here = slot
        if now is not None and here == first and was is None:
            waiting.append(now)
            continue
        if now is not None:
            differing += [PartAmended(entry=here, before=None, after=new) for new in waiting]
            by_slot[here] += [*waiting, now]
            waiting = []
        if was is None or now is None or was != replace(now, note=None):
            differing.append(PartAmended(entry=slot, before=was, after=now))
    assert not waiting, f"the closing of {last} takes what is left"
    return tuple(differing), by_slot


def _next(place: int | None) -> int | None:
    return None if place is None else place + 1


def _amended(was: EntryPart, written: EntryPart) -> EntryPart:
    """A recorded part as it is written now; a part of another kind keeps no dice of the old one."""
    if type(was.command) is not type(written.command):
        return written
    command = copy_stated_fields(written.command, was.command)
    return replace(written, command=command, dice=amended_dice(was, command, written.dice))


def _noted(parts: Sequence[EntryPart]) -> str:
    """The notes of an entry's parts in one text; "" for none."""
    return "; ".join(part.note for part in parts if part.note)


def dice_without(dice: Sequence[Die], others: Sequence[Die]) -> tuple[Die, ...]:
    """The dice without those that `others` also show, each counted once; ignores whose dice they are."""
    left = Counter((die.purpose, die.shown()) for die in others)
    found = []
    for die in dice:
        left[die.purpose, die.shown()] -= 1
        if left[die.purpose, die.shown()] < 0:
            found.append(die)
    return tuple(found)


def _source(sheet: records.EnlistGang) -> str | None:
    """The source of earlier history that the sheet names."""
    return sheet.origin.source if sheet.origin is not None else None


def _enlisting(now: CurrentLogView, gang: str) -> dict[int, records.DecisionTaken]:
    """The entries that enlisted a gang and its fighters. Raises UnknownGang."""
    if gang not in now.state.gangs:
        raise records.UnknownGang(gang=gang, known=tuple(now.state.gangs))
    headers: dict[int, records.DecisionTaken] = {}
    for slot in now.slots_enlisting():
        header = now.slot(slot).header
        if header is not None and getattr(header.command, "gang", None) == gang:
            headers[slot] = header
    return headers
