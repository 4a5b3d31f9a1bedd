"""The dice forecast: every die that a ruling will ask for, over all entries, before the first is rolled.

Follows each possible roll of the missing dice through the later entries, within a time limit. Reports the
dice that will be asked for, and the entries that could then not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.odds.interning import Interner
from tracker.campaign.rulings.outcome_distribution import (
    DecisionBudget,
    MissingDie,
    certain_and_possible,
    outcome_distribution,
)
from tracker.campaign.rulings.redecision import (
    RedecidedSlot,
    Slot,
    SlotInstruction,
    redecide_slot,
    state_after,
)
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library
from tracker.dice import DiceLeftOver
from tracker.records import Record

COURSES_MAX = 60
"""The most courses followed: the likeliest."""
LOOKED_AT_MAX = 1_500
"""The most commands decided: a preview must come at once."""
_Course: TypeAlias = tuple[Fraction, CampaignState]
_Asked: TypeAlias = tuple[tuple[MissingDie, ...], tuple[MissingDie, ...]]


class ForecastDie(Record):
    """A die that an entry will ask for: `certain` however the dice before it fall, else perhaps."""

    entry: int
    die: MissingDie
    certain: bool


class DiceForecast(Record):
    """The forecast, in the order of play. `refused` are entries that could not follow after some rolls, and
    why. `whole`: every entry was followed with every roll; `last` is the last entry followed.
    """

    dice: tuple[ForecastDie, ...] = ()
    refused: tuple[tuple[int, str], ...] = ()
    whole: bool = True
    first: int = 0
    last: int = 0

    def asks_no_more(self, entry: int) -> bool:
        """Whether an entry that was followed needs no dice, and is refused after no roll."""
        asks = any(die.entry == entry for die in self.dice)
        return self.first < entry <= self.last and not asks and all(slot != entry for slot, _ in self.refused)


def forecast_dice(
    first: RedecidedSlot,
    slots: Iterable[Slot],
    instructions: Mapping[int, SlotInstruction],
    library: Library,
    *,
    strategy: records.Strategy = "carry",
) -> DiceForecast:
    """The dice of `first`, the first slot that needs any, and of the `slots` after it."""
    looking = _Lookahead(instructions, library, strategy)
    looking.begin(first)
    last = first.slot.slot
    for slot in slots:
        if slot.slot <= first.slot.slot:
            continue
        if not looking.may_go_on_to(slot):
            break
        looking.follow(slot)
        last = slot.slot
    return DiceForecast(
        dice=tuple(looking.dice),
        refused=tuple(looking.refused.items()),
        whole=looking.whole,
        first=first.slot.slot,
        last=last,
    )


class _Lookahead:
    """The courses that play may take, each with its chance."""

    def __init__(
        self,
        instructions: Mapping[int, SlotInstruction],
        library: Library,
        strategy: records.Strategy,
    ) -> None:
        self.dice: list[ForecastDie] = []
        self.refused: dict[int, str] = {}
        self.whole = True
        self._instructions = instructions
        self._library = library
        self._strategy = strategy
        self._courses: list[_Course] = []
        self._budget = DecisionBudget(LOOKED_AT_MAX)
        # One for all entries: what a state shares with that before it is inspected once.
        self._interner = Interner(keeps=100_000)

    def begin(self, first: RedecidedSlot) -> None:
        """Start from the possible ends of the first entry that needs dice."""
        ends, asked = self._ends(first, Fraction(1))
        self._note(first.slot.slot, [asked])
        self._go_on_from(ends)

    def may_go_on_to(self, slot: Slot) -> bool:
        """Whether there are courses left, and budget to follow them through this entry."""
        if not self._courses:
            return False
        enough = self._budget.spend(len(self._courses) * _commands_of(slot, self._instructions))
        self.whole = self.whole and enough
        return enough

    def follow(self, slot: Slot) -> None:
        """Follow one more entry in every course."""
        instruction = self._instructions.get(slot.slot, SlotInstruction())
        asked: list[_Asked] = []
        after: list[_Course] = []
        for chance, state in self._courses:
            try:
                judged = redecide_slot(state, slot, instruction, self._library, None, self._strategy)
            except DiceLeftOver as left:  # in this course nothing asks for the dice that the ruling brings
                judged = RedecidedSlot(slot=slot, result="refused", why=left.message())
            if judged.result == "needs_dice":
                ends, dice = self._ends(judged, chance)
                after += ends
                asked.append(dice)
                continue
            asked.append(((), ()))
            if judged.result == "refused":
                self.refused.setdefault(slot.slot, judged.why)
            after.append((chance, state_after(state, judged)))
        self._note(slot.slot, asked)
        self._go_on_from(after)

    def _ends(self, judged: RedecidedSlot, chance: Fraction) -> tuple[list[_Course], _Asked]:
        assert judged.command is not None, "what needs dice has a command"
        assert judged.state is not None, "and stood on a state"
        found = outcome_distribution(
            judged.state,
            judged.command,
            judged.dice,
            self._library,
            entry=judged.slot.slot,
            thrown=judged.thrown,
            budget=self._budget,
        )
        if found is None:
            self.whole = False
            needed = judged.needed
            assert needed is not None, "what needs dice names the first"
            missing = MissingDie(
                purpose=needed.purpose, die=needed.die, fighter=needed.fighter, why=needed.why
            )
            return [], ((() if judged.thrown is not None else (missing,)), ())
        self.whole = self.whole and found.whole and not any(end.further for end in found.ends)
        ends = [(chance * end.chance, end.state) for end in found.ends if not end.refused]
        return ends, (found.needed, found.perhaps)

    def _note(self, entry: int, asked: list[_Asked]) -> None:
        sure, some = certain_and_possible([needed for needed, _ in asked])
        maybe = (*some, *(die for _, perhaps in asked for die in perhaps))
        once = {(die.purpose, die.fighter): die for die in maybe}
        self.dice += [ForecastDie(entry=entry, die=die, certain=True) for die in sure]
        self.dice += [ForecastDie(entry=entry, die=die, certain=False) for die in once.values()]

    def _go_on_from(self, after: list[_Course]) -> None:
        merged: dict[object, tuple[Fraction, CampaignState]] = {}
        for chance, state in after:
            key = self._interner.token(state)
            before = merged[key][0] if key in merged else Fraction(0)
            merged[key] = (chance + before, state)
        courses = sorted(merged.values(), key=lambda course: -course[0])
        self.whole = self.whole and len(courses) <= COURSES_MAX
        self._courses = courses[:COURSES_MAX]


def _commands_of(slot: Slot, instructions: Mapping[int, SlotInstruction]) -> int:
    """The number of commands that an entry decides; PlayInTurn holds several."""
    instruction = instructions.get(slot.slot)
    amended = instruction.command if instruction is not None else None
    command = amended or (slot.header.command if slot.header is not None else None)
    return len(command.commands) if isinstance(command, records.PlayInTurn) else 1
