"""Thrown dice: every die once, however often rulings decided it again, with its fate."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Literal, TypeAlias

from tracker.campaign import records
from tracker.dice import Source
from tracker.records import Record
from tracker.service.repository import CampaignRepository

Fate: TypeAlias = Literal["kept", "voided", "corrected"]
"""It counts; a ruling superseded it or had it rerolled; or a ruling says it was recorded wrongly."""
Fall: TypeAlias = tuple[str, str, tuple[int, ...], str | None, str | None, Source]
Face: TypeAlias = tuple[str, tuple[int, ...] | str | None]
"""The purpose and the faces or symbol: a die has a symbol only once it is used."""


class ThrownDie(Record):
    """One die that fell. `rolled_by` is the gang whose roll it is by the book, if the event says so."""

    address: str
    slot: int
    typed_in_by: str
    rolled_by: str | None
    fighter: str | None
    purpose: str
    die: str
    faces: tuple[int, ...]
    symbol: str | None
    source: Source
    fate: Fate = "kept"
    witnessed: bool = False


class _Slot:
    """The dice of one slot, over all its versions."""

    def __init__(self) -> None:
        self.thrown: list[tuple[Fall, records.RollMade, str, str]] = []
        self.now: Counter[Fall] = Counter()
        self.entry = 0
        self.witnesses: Counter[Face] = Counter()

    def fill(self, entry: int) -> None:
        if entry != self.entry:
            self.entry, self.now = entry, Counter()

    def roll(self, made: records.RollMade, *, address: str, typed_in_by: str) -> None:
        fall = _fall(made)
        self.now[fall] += 1
        if self.now[fall] > sum(known == fall for known, *_ in self.thrown):
            self.thrown.append((fall, made, address, typed_in_by))


def thrown_dice(repository: CampaignRepository, campaign: str) -> Iterator[ThrownDie]:
    """Every die of the log, in the order of the slots. Dice set by a ruling fell nowhere and are left out.

    A die that was recorded wrongly fell as the ruling says; the recorded face is marked corrected.
    """
    slots: defaultdict[int, _Slot] = defaultdict(_Slot)
    disputed: dict[int, int] = {}
    corrections: list[tuple[int, records.RulingMade]] = []
    taken_back: set[int] = set()
    for recorded in repository.log.written(campaign):
        slot = slots[recorded.slot]
        slot.fill(recorded.entry)
        match recorded.event:
            case records.RollMade(source=source) if source != "ruling":
                slot.roll(recorded.event, address=recorded.address, typed_in_by=recorded.actor)
            case records.RollConfirmed(target_slot=target, die=die):
                slots[target].witnesses[die.purpose, die.faces or die.symbol] += 1
            case records.RollDisputed(dispute=dispute, target_slot=target):
                disputed[dispute] = target
            case records.RulingMade(verdict="corrected"):
                corrections.append((recorded.entry, recorded.event))
            case records.RulingMade(turns=turns) if turns:
                taken_back ^= {*turns}
    wrong: Counter[tuple[int, Face]] = Counter()
    for entry, ruling in corrections:
        # A correction that was taken back is the wrong one; otherwise what was recorded before it.
        never = ruling.after if entry in taken_back else ruling.before
        if never is not None:
            wrong[disputed.get(ruling.dispute, 0), (never.purpose, never.faces or never.symbol)] += 1
    for number, slot in sorted(slots.items()):
        yield from _dice_of(number, slot, wrong)


def _dice_of(number: int, slot: _Slot, wrong: Counter[tuple[int, Face]]) -> Iterator[ThrownDie]:
    standing, seen = +slot.now, +slot.witnesses
    for fall, made, address, typed_in_by in slot.thrown:
        face = (made.purpose, made.faces or made.symbol)
        fate: Fate = "voided"
        if standing[fall]:
            standing[fall] -= 1
            fate = "kept"
        elif wrong[number, face]:
            wrong[number, face] -= 1
            fate = "corrected"
        witnessed = seen[face] > 0
        seen[face] -= witnessed
        yield ThrownDie(
            address=address,
            slot=number,
            typed_in_by=typed_in_by,
            rolled_by=made.rolled_by,
            fighter=made.fighter,
            purpose=made.purpose,
            die=made.die,
            faces=made.faces,
            symbol=made.symbol,
            source=made.source,
            fate=fate,
            witnessed=witnessed,
        )


def _fall(made: records.RollMade) -> Fall:
    return (made.purpose, made.die, made.faces, made.symbol, made.fighter, made.source)
