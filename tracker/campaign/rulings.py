"""Rulings: deciding slots again after a die was corrected or an entry voided.

Knows slots, the dice in their headers and what follows from what. Every later slot is decided again from
its own command and its own dice; what comes out is sorted into unchanged, changed, in need of dice,
refused. The same function serves the preview and the ruling, so one cannot promise what the other
does not do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tracker.campaign.commands import DisputeRoll, RuleOnDispute
from tracker.campaign.decide import Judgement, Library, attempt
from tracker.campaign.events import BattleOpened, DecisionTaken, Event, FighterEnlisted, RollMade
from tracker.campaign.evolve import fold
from tracker.campaign.recorded import Recorded
from tracker.campaign.state import CampaignState
from tracker.dice import DiceLeftOver, DiceNeeded, DiceTray, Die, Roller
from tracker.errors import BadInput, Refusal, RulesRefuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What fills one place in the order of play: a header and its events, or the word that it is void."""

    slot: int
    entry: int
    events: tuple[Recorded, ...]

    @property
    def header(self) -> DecisionTaken | None:
        """The header, or None for a void slot."""
        first = self.events[0].event
        return first if isinstance(first, DecisionTaken) else None


def slots_of(live: Iterable[Recorded]) -> Iterable[Slot]:
    """Live history, gathered into slots."""
    gathered: list[Recorded] = []
    for recorded in live:
        if gathered and recorded.slot != gathered[0].slot:
            yield Slot(slot=gathered[0].slot, entry=gathered[0].entry, events=tuple(gathered))
            gathered = []
        gathered.append(recorded)
    if gathered:
        yield Slot(slot=gathered[0].slot, entry=gathered[0].entry, events=tuple(gathered))


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """What to do with one slot: other dice, more dice, keep it as played, or void it."""

    correct: tuple[int, Die] | None = None
    supplied: tuple[Die, ...] = ()
    keep: bool = False
    void: bool = False


Result: TypeAlias = Literal["unchanged", "changed", "needs_dice", "refused", "voided", "kept"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotJudged:
    """One slot decided again. `judgement` is there for what changed; `why` tells a need or a refusal."""

    slot: Slot
    result: Result
    judgement: Judgement | None = None
    why: str = ""
    needed: DiceNeeded | None = None
    refusal: Refusal | None = None

    @property
    def settled(self) -> bool:
        """Whether a ruling may be made with this."""
        return self.result not in ("needs_dice", "refused")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """All the slots looked at, in the order of play, and the state they now lead to.

    Where a slot is not settled, the state goes on as if it were kept as played.
    """

    slots: tuple[SlotJudged, ...]
    state: CampaignState
    looked_at: int = 0

    @property
    def unsettled(self) -> tuple[SlotJudged, ...]:
        """What somebody must still decide."""
        return tuple(judged for judged in self.slots if not judged.settled)


def rejudge(
    state: CampaignState,
    slots: Iterable[Slot],
    treatments: Mapping[int, Treatment],
    library: Library,
    *,
    roller: Roller | None = None,
) -> Rejudged:
    """Decide slots again, in the order of play, from the state before the first of them.

    Gives those that did not come out unchanged. Refusals of single slots are results, not exceptions.
    Raises DiceLeftOver for supplied dice that nothing asks for.
    """
    found: list[SlotJudged] = []
    looked_at = 0
    for slot in slots:
        looked_at += 1
        judged = _judge(state, slot, treatments.get(slot.slot, Treatment()), library, roller)
        if judged.result != "unchanged":
            found.append(judged)
        if judged.judgement is not None and judged.result in ("changed", "unchanged"):
            state = judged.judgement.state
        elif judged.result != "voided" and not _strangers(state, slot):
            state = fold(state, (recorded.event for recorded in slot.events))
    return Rejudged(slots=tuple(found), state=state, looked_at=looked_at)


def _judge(
    state: CampaignState, slot: Slot, treatment: Treatment, library: Library, roller: Roller | None
) -> SlotJudged:
    header = slot.header
    if header is None or isinstance(header.command, (DisputeRoll, RuleOnDispute)):
        return SlotJudged(slot=slot, result="unchanged")
    if treatment.void:
        _refuse_left_over(slot, treatment.supplied, treatment)
        return SlotJudged(slot=slot, result="voided")
    strangers = _strangers(state, slot)
    tray = DiceTray(_dice_for(header, treatment), roller=roller)
    try:
        judgement = attempt(state, header.command, tray, library, entry=slot.slot, note=header.note)
    except DiceNeeded as needed:
        if treatment.keep and not strangers:
            return SlotJudged(slot=slot, result="kept", why=needed.why)
        return SlotJudged(slot=slot, result="needs_dice", why=needed.message(), needed=needed)
    except Refusal as refusal:
        if treatment.keep and not strangers:
            return SlotJudged(slot=slot, result="kept", why=refusal.message())
        return SlotJudged(slot=slot, result="refused", why=refusal.message(), refusal=refusal)
    _refuse_left_over(slot, tray.waiting, treatment)
    if treatment.keep and not strangers:
        return SlotJudged(slot=slot, result="kept", why="kept by the ruling")
    same = _said(slot) == tuple(decided.event for decided in judgement.events)
    return SlotJudged(slot=slot, result="unchanged" if same else "changed", judgement=judgement)


def _refuse_left_over(slot: Slot, waiting: tuple[Die, ...], treatment: Treatment) -> None:
    """Dice that a ruling brings are asked for, or they are a slip."""
    left = tuple(die for die in waiting if any(die is brought for brought in treatment.supplied))
    if left:
        raise DiceLeftOver(left=left, entry=f"entry {slot.slot}")


def _said(slot: Slot) -> tuple[Event, ...]:
    return tuple(recorded.event for recorded in slot.events)


def _dice_for(header: DecisionTaken, treatment: Treatment) -> tuple[Die, ...]:
    """The dice of a slot, one of them corrected perhaps, the spare ones after it, then what is supplied."""
    dice = list(header.dice)
    if treatment.correct is not None:
        number, corrected = treatment.correct
        was = dice[number]
        dice[number] = replace(corrected, purpose=was.purpose, die=was.die, fighter=was.fighter)
    return (*dice, *header.spare, *treatment.supplied)


def _strangers(state: CampaignState, slot: Slot) -> bool:
    """Whether the slot's events name a fighter who, by now, never enlisted: such a slot cannot be kept."""
    enlisting = {one.event.fighter for one in slot.events if isinstance(one.event, FighterEnlisted)}
    return any(
        name not in state.gang_of and name not in enlisting
        for recorded in slot.events
        for name in _fighters_named(recorded.event)
    )


def _fighters_named(event: Event) -> tuple[str, ...]:
    if isinstance(event, BattleOpened):
        return tuple(name for crew in event.crews.values() for name in crew)
    fighter = getattr(event, "fighter", None)
    return (fighter,) if isinstance(fighter, str) else ()


@dataclass(eq=False)
class NotARoll(BadInput):
    address: str
    what: str

    def message(self) -> str:
        return (
            f"{self.address} is no roll ({self.what}), so it has no faces to correct. Dispute the roll"
            " behind it,"
            f" or rule with --void to strike the whole entry."
        )


@dataclass(eq=False)
class RuledOnAlready(RulesRefuse):
    address: str
    entry: int

    def message(self) -> str:
        return (
            f"{self.address} counts no more: entry {self.entry} decided it again. Dispute what stands"
            " there now."
        )


@dataclass(eq=False)
class RulingIncomplete(RulesRefuse):
    """The ruling leaves slots that somebody must say something about."""

    unsettled: tuple[tuple[int, str, str], ...]

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # dice missing is a matter of input
        return 2 if any(result == "needs_dice" for _, result, _ in self.unsettled) else 1

    def message(self) -> str:
        lines = []
        for entry, result, why in self.unsettled:
            if result == "needs_dice":
                lines.append(f"entry {entry} needs dice that were never rolled: {why}")
            else:
                lines.append(f"entry {entry} no longer follows: {why}")
        return (
            "The ruling is not complete; nothing was changed. "
            + " ".join(f"({number}) {line}" for number, line in enumerate(lines, start=1))
            + " For each say --dice ENTRY:PURPOSE=FACES (or --roll), --keep ENTRY, or --void-entry ENTRY."
        )


def roll_in_force(slot: Slot, doubted: Recorded) -> tuple[int, RollMade] | None:
    """The doubted roll as the slot holds it now, with its die's place in the header; None if there is none.

    A ruling may have decided the slot again since: then the roll of the same purpose and fighter, the same in
    their order and with the same faces, is the one that was meant.
    """
    rolls = [one for one in slot.events if isinstance(one.event, RollMade)]
    for one in rolls:
        if one.seq == doubted.seq and isinstance(one.event, RollMade):
            return one.event.number, one.event
    if not isinstance(doubted.event, RollMade):
        return None
    for one in rolls:
        if isinstance(one.event, RollMade) and _same_die(one.event, doubted.event):
            return one.event.number, one.event
    return None


def _same_die(one: RollMade, other: RollMade) -> bool:
    return (one.purpose, one.fighter, one.number, one.faces, one.symbol) == (
        other.purpose,
        other.fighter,
        other.number,
        other.faces,
        other.symbol,
    )
