"""Faulty entries: a refused file gets all its faults at once, not only the first.

Knows plans, states and refusals. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from tracker.campaign import records, steps
from tracker.campaign.command_validation import validate_new_command
from tracker.campaign.holdings import split_place
from tracker.campaign.missing_dice import as_if_rolled, explain
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement
from tracker.campaign.unknown_traits import unknown_traits
from tracker.dice import FROM_PEOPLE, DiceLeftOver, DiceNeeded, DiceTray, Die
from tracker.errors import Asks, FilePosition, Refusal
from tracker.records import Record, names_of_fields
from tracker.rules import loader
from tracker.service.refusals import EntriesRefused, EntryRefused

EXPLAINED_MAX: Final = 20
"""The most entries with missing dice that are tried with every face, because a refusal must come at once."""

_NAMES: Final = ("fighter", "patient", "by", "captive", "for_captive", "vehicle", "territory", "crew", "item")
"""Fields of a command that name whom or what it is about; no gangs, because those exist in any case."""
_NAMING: Final = frozenset({
    "attacker", "target", "fighter", "by", "because_of", "assisted_by", "fighters", "targets", "assists",
    "model",
})  # fmt: skip


class PlannedCommand(Protocol):
    """One decision of a file: what to decide, with which dice, and how to name it to a person."""

    @property
    def command(self) -> records.Command: ...
    @property
    def dice(self) -> tuple[Die, ...]: ...
    @property
    def label(self) -> str: ...
    @property
    def in_file(self) -> FilePosition: ...
    @property
    def note(self) -> str | None: ...
    @property
    def asks(self) -> Asks | None: ...


def decided(
    state: CampaignState,
    plan: PlannedCommand,
    tray: DiceTray,
    *,
    entry: int,
    sent: records.IdempotencyKey | None = None,
) -> Judgement:
    """The events of one command. Raises DiceNeeded or DiceLeftOver, which name the entry, or EntryRefused."""
    try:
        validate_new_command(state, plan.command, loader.rulebook)
        judgement = steps.decide_keeping_spare_dice(
            state,
            plan.command,
            tray,
            loader.rulebook,
            entry=entry,
            note=plan.note,
            sent=sent,
            asks=plan.asks,
        )
        _refuse_typed_left(tray)
    except (DiceNeeded, DiceLeftOver) as wrong:
        wrong.entry, wrong.in_file = plan.label, plan.in_file
        if isinstance(wrong, DiceLeftOver) and state.is_open:
            wrong.notes = unknown_traits(
                [plan.command], state, steps.rulebook_in_force(state, loader.rulebook).book, again=True
            )
        raise
    except Refusal as refusal:
        if plan.label:
            raise _refused(plan, refusal) from refusal
        raise
    return judgement


def _refuse_typed_left(tray: DiceTray) -> None:
    # A die that was rolled here may turn out not to be needed; one that people gave must be.
    typed_left = tuple(die for die in tray.waiting if die.source in FROM_PEOPLE)
    if typed_left:
        raise DiceLeftOver(left=typed_left)


def faulty_entries(state: CampaignState, plans: Sequence[PlannedCommand], *, roll: bool) -> Refusal | None:
    """The refusals of all entries of a file that are refused by themselves, as one; None if there are none.

    Each entry is tried on the state after those before it. If a die is missing, later entries are tried as if
    it had fallen so that least happens, and refusals that this may cause are left out. An entry about
    somebody of whom an earlier one was refused is passed over, unless it lacks a die itself.
    """
    trial = _Trial(state, roll=roll)
    for plan in plans:
        trial.add(plan)
        if trial.ended:
            break
    return trial.refusal()


class _Trial:
    """The trial so far: the state, the refusals, and the fighters and things that these name."""

    def __init__(self, state: CampaignState, *, roll: bool) -> None:
        self.ended = False
        self._state = state
        self._roll = roll
        self._refused: list[Refusal] = []
        self._affected: set[str] = set()
        self._in_vain: set[str] = set()
        self._passed_over = 0
        self._is_report = False

    def add(self, plan: PlannedCommand) -> None:
        """Try the next entry."""
        fields = msgspec.to_builtins(plan.command, str_keys=True)
        named = {*_named(fields), *_fighters_named(plan.command)}
        opening = isinstance(plan.command, records.OpenBattle)
        self._is_report |= opening
        try:
            self._state = decided(self._state, plan, DiceTray(plan.dice), entry=1).state
        except DiceNeeded as needed:
            if isinstance(plan.command, records.CloseBattle) and needed.fighter in self._affected:
                return  # whether it needs one depends on earlier missing dice
            self._lacks(needed)
            self._affected |= named | set(_brought(fields))
        except (EntryRefused, DiceLeftOver) as refused:
            self._refuses(refused, plan, named)
            self._in_vain |= set(_brought(fields))
            self._affected |= named | self._in_vain
            self.ended = opening  # without a battle nothing of its report can be looked at

    def refusal(self) -> Refusal | None:
        """The refusals as one; the refusal itself if there is only one."""
        if len(self._refused) == 1 and not self._passed_over:
            return self._refused[0]
        entries = tuple(_in_entry(refused) for refused in self._refused)
        return EntriesRefused(refused=entries, passed_over=self._passed_over) if entries else None

    def _lacks(self, needed: DiceNeeded) -> None:
        if self._roll and not self._is_report:
            self.ended = True  # its outcome is unknown: credits, things
            return
        if not self._roll:
            if len(self._refused) < EXPLAINED_MAX:
                explain(needed, loader.rulebook)
            self._refused.append(needed)
        rolled = as_if_rolled(needed.asked, loader.rulebook)
        self._state = rolled.state if rolled is not None else self._state

    def _refuses(self, refused: EntryRefused | DiceLeftOver, plan: PlannedCommand, named: set[str]) -> None:
        reason = refused.itself()
        closing = isinstance(plan.command, records.CloseBattle)
        if isinstance(reason, records.UnknownFighter) and reason.fighter not in self._in_vain:
            self._refused.extend(self._unknown(plan, reason))
        elif named & self._affected or (closing and self._affected):
            self._passed_over += 1
        else:
            self._refused.append(refused)

    def _unknown(self, plan: PlannedCommand, reason: records.UnknownFighter) -> Iterator[EntryRefused]:
        """One refusal for each unknown fighter that the entry names; no earlier entry can be the cause."""
        known = (*self._state.gang_of, *self._state.vehicle_of)
        unknown = [name for name in dict.fromkeys(_fighters_named(plan.command)) if name not in known]
        for fighter in unknown or [reason.fighter]:
            yield _refused(plan, records.UnknownFighter(fighter=fighter, known=reason.known))


def _refused(plan: PlannedCommand, refusal: Refusal) -> EntryRefused:
    refused = EntryRefused(label=plan.label, refusal=refusal)
    refused.in_file = plan.in_file
    return refused


def _in_entry(refused: Refusal) -> EntryRefused:
    """The refusal without its entry, which the list names before it."""
    if isinstance(refused, EntryRefused):
        return refused
    assert isinstance(refused, DiceNeeded | DiceLeftOver), "the refusals that name their entry themselves"
    among = EntryRefused(label=refused.entry, refusal=refused)
    among.in_file, refused.entry = refused.in_file, ""
    return among


def _named(fields: Mapping[str, object]) -> Iterator[str]:
    """The fighters, vehicles, territories and things that a command is about."""
    for key in _NAMES:
        value = fields.get(key)
        if isinstance(value, str):
            yield value
    for key in ("source", "target"):
        value = fields.get(key)
        if isinstance(value, str):
            kind, whose = split_place(value)
            if kind in ("fighter", "vehicle"):
                yield whose


def _brought(fields: Mapping[str, object]) -> Iterator[str]:
    """The hired fighters and bought things, which do not exist if the entry is refused."""
    for key in ("card", "item"):
        value = fields.get(key)
        if isinstance(value, dict):
            yield str(value.get("fighter") or value.get("vehicle") or value.get("name"))


def _fighters_named(command: Any) -> Iterator[str]:
    for name in names_of_fields(command):
        if name == "nearer":  # the nearer target may not belong to this campaign
            continue
        value = getattr(command, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Record):
                yield from _fighters_named(part)
            elif isinstance(part, str) and name in _NAMING:
                yield part
