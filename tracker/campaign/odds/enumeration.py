"""Exact odds of one step: every way that its dice can fall, each once, with its exact chance.

Knows dice, branches and states. Knows no rule: the step is the same code that decides an entry, run once for
each branch. What keeps it short: faces that no rule compares share one branch (`symbolic`), an independent
step is enumerated once for each state it begins in, and branches that meet at a merge point go on as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias, cast

from tracker.campaign import records
from tracker.campaign.odds.interning import Interner
from tracker.campaign.odds.masking import mask_fields, unmask_fields
from tracker.campaign.odds.symbolic import Branch, Restrictions, SymbolicTray
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.decision import Decision, Shown
from tracker.campaign.unrolled_dice import showing_alike
from tracker.dice import DiceTray
from tracker.errors import RulesRefuse
from tracker.records import Record, replace
from tracker.rules.rulebook import Rulebook

WORK_MAX = 600_000
"""The work limit of one enumeration: two seconds of a slow processor, well below 100 MB.

Counted, not timed, so that the same odds are refused on every machine: 1 for each part of a state inspected
and each chance added up, `BRANCH_WORK` for each branch.
"""
BRANCH_WORK = 35

Step: TypeAlias = Callable[[Decision], None]
LeafWeights: TypeAlias = tuple[dict[int, int], int]
"""Each leaf's weight by its number in `OutcomeEnumerator.leaves`, and their sum. Faster than fractions."""


class TooManyOutcomes(RulesRefuse):
    """Too many outcomes to enumerate within WORK_MAX."""

    ways: int

    def message(self) -> str:
        return (
            f"These dice have more than {self.ways:,} outcomes that depend on each other, too many to"
            f" follow. Ask for less at once: fewer dice, fewer models under one marker or at risk,"
            f" or one exchange after the other."
        )


class LastingInjuryRolls(Record):
    """Rolls that a fighter still has to make on a lasting injury table ('' if the table is unknown)."""

    fighter: str
    table: str
    rolls: int


class Leaf(Record):
    """The end of a branch: the state, rolls left for after the battle, and what a roll-only step showed."""

    state: CampaignState
    home: tuple[LastingInjuryRolls, ...] = ()
    shown: object = None


class _MergePoint(Exception):
    """The branch has reached a merge point."""

    def __init__(self, key: object) -> None:
        super().__init__()
        self.key = key


class _LastStepsKnown(Exception):
    """The branch has reached its last steps, and their leaves are known."""

    def __init__(self, leaves: LeafWeights) -> None:
        super().__init__()
        self.leaves = leaves


class OutcomeEnumerator:
    """Enumerates steps under one rulebook, and caches the results."""

    def __init__(self, rulebook: Rulebook, *, lasting: bool = False) -> None:
        self.rulebook = rulebook
        self.lasting = lasting
        self.leaves: list[Leaf] = []
        self.branches = 0
        self._sums = 0
        self._leaf_numbers: dict[object, int] = {}
        self._independent: dict[object, LeafWeights] = {}
        self._independent_each: dict[object, LeafWeights] = {}
        self._roll_only: dict[object, tuple[tuple[object, ...], LeafWeights]] = {}
        self._unmasked: dict[object, dict[int, int]] = {}
        self._interner = Interner()

    def enumerate(self, step: Step, start: Leaf) -> dict[int, Fraction]:
        """The chance of each leaf, by its number. Raises the step's own refusals, and TooManyOutcomes."""
        leaves, whole = self._enumerate(step, start)
        return {leaf: Fraction(weight, whole) for leaf, weight in leaves.items()}

    def _enumerate(self, step: Step, start: Leaf) -> LeafWeights:
        return _StepEnumeration(self, step, start).leaves_from((), None)

    def enumerate_independent(self, key: tuple[object, ...], step: Step, start: Leaf) -> LeafWeights:
        """The leaves of a step, enumerated once for each key and start."""
        token = self._interner.token((key, start))
        if token not in self._independent:
            self._independent[token] = self._enumerate(step, start)
        return self._independent[token]

    def enumerate_roll_only(
        self, key: tuple[object, ...], step: Step, start: Leaf
    ) -> tuple[tuple[object, ...], LeafWeights]:
        """The results that a roll-only step can show, with their weights: enumerated once for each key."""
        token = self._interner.token(key)
        if token not in self._roll_only:
            leaves, whole = self._enumerate(step, start)
            before = self._interner.token(start.state)
            unmoved = all(self._interner.token(self.leaves[leaf].state) == before for leaf in leaves)
            assert unmoved, "a step that only rolls changes no state"
            self._roll_only[token] = tuple(self.leaves[leaf].shown for leaf in leaves), (leaves, whole)
        return self._roll_only[token]

    def enumerate_independent_each(
        self, steps: Sequence[tuple[tuple[object, ...], Step]], start: Leaf, settled: Sequence[str]
    ) -> LeafWeights:
        """The leaves of independent steps, one after the other.

        The steps neither read nor write the `settled` fields: these are masked, so that states which differ
        only there are enumerated once.
        """
        state, masked = mask_fields(start.state, settled)
        if not masked:
            return self._in_order(tuple(steps), start)
        leaves, whole = self._in_order(tuple(steps), replace(start, state=state))
        unmasked = self._unmasked.setdefault(self._interner.token(masked), {})
        for number in leaves:
            if number not in unmasked:
                leaf = self.leaves[number]
                unmasked[number] = self.number_of(replace(leaf, state=unmask_fields(leaf.state, masked)))
        return {unmasked[number]: weight for number, weight in leaves.items()}, whole

    def _in_order(self, steps: tuple[tuple[tuple[object, ...], Step], ...], start: Leaf) -> LeafWeights:
        if not steps:
            return {self.number_of(start): 1}, 1
        token = self._interner.token((tuple(key for key, _ in steps), start))
        if token not in self._independent_each:
            before, whole = self._in_order(steps[:-1], start)
            after = _Sum()
            for number, weight in before.items():
                further = self.enumerate_independent(*steps[-1], self.leaves[number])
                self.add_up(len(further[0]))
                after.add_all(weight, whole, further)
            self._independent_each[token] = after.summed()
        return self._independent_each[token]

    def number_of(self, leaf: Leaf) -> int:
        """The number of a leaf. Equal leaves have the same number."""
        number = self._leaf_numbers.setdefault(self._interner.token(leaf), len(self.leaves))
        if number == len(self.leaves):
            self.leaves.append(leaf)
            if number == 0:
                self._interner.keep(leaf)
        return number

    def merge_key(self, facts: tuple[object, ...], leaf: Leaf) -> object:
        """A key that is equal for all branches that may merge at a merge point."""
        return self._interner.token((facts, leaf))

    def token(self, value: Any) -> object:
        """A key that is equal for equal values."""
        return self._interner.token(value)

    def take_as_it_is(self, value: object) -> None:
        """Intern a value by identity, without looking at its parts."""
        self._interner.take_as_it_is(value)

    def count(self) -> None:
        """Count one more branch. Raises TooManyOutcomes."""
        self.branches += 1
        self._refuse_too_many(self.branches)

    def foresee(self, branches: int) -> None:
        """Raises TooManyOutcomes if this many more branches would be too many."""
        self._refuse_too_many(self.branches + branches)

    def add_up(self, chances: int) -> None:
        """Count chances that were added up, as work."""
        self._sums += chances

    def _refuse_too_many(self, branches: int) -> None:
        if branches * BRANCH_WORK + self._interner.inspected + self._sums > WORK_MAX:
            raise TooManyOutcomes(ways=branches - 1)


class _StepEnumeration:
    """The enumeration of one step from one start."""

    def __init__(self, enumerator: OutcomeEnumerator, step: Step, start: Leaf) -> None:
        self._enumerator = enumerator
        self._step = step
        self._start = start
        self._from: dict[object, LeafWeights | None] = {}

    def leaves_from(self, first: Restrictions, here: object, merge_points: int = 0) -> LeafWeights:
        """The leaves of every branch with these first restrictions; `here` is the merge point they start
        from.
        """
        leaves = _Sum()
        for branch, weight, whole in self._branches(first, merge_points):
            if isinstance(branch.outcome, int):
                leaves.add(weight, whole, branch.outcome)
                continue
            if isinstance(branch.outcome, tuple):
                self._enumerator.add_up(len(branch.outcome[0]))
                leaves.add_all(weight, whole, branch.outcome)
                continue
            key = branch.outcome.key
            if key == here:
                leaves.add(weight, whole, _AROUND)
                continue
            if key not in self._from:
                self._from[key] = None
                beginning = tuple((die.actual,) for die in branch.dice)
                self._from[key] = self.leaves_from(beginning, key, branch.merge_points)
            further = self._from[key]
            assert further is not None, "two merge points lead to each other: one of them lacks a fact"
            self._enumerator.add_up(len(further[0]))
            leaves.add_all(weight, whole, further)
        summed, total = leaves.summed()
        # A roll that is made again until it stands leads back here with a chance below one.
        return summed, total - summed.pop(_AROUND, 0)

    def _branches(self, first: Restrictions, merge_points: int) -> Iterator[tuple[_StepBranch, int, int]]:
        """Each branch with its weight, and the total weight of all branches with the same beginning."""
        waiting: list[Restrictions] = [first]
        while waiting:
            branch = _StepBranch(self._enumerator, waiting.pop(), merge_points)
            branch.run(self._step, self._start)
            assert len(branch.dice) >= len(branch.restrictions), "a step asked for other dice the second time"
            waiting.extend(branch.others(len(first)))
            yield branch, *branch.weight(len(first))


_AROUND = -1
"""In place of a leaf: the branch has come back to the merge point it started from."""


class _Sum:
    """Adds up the leaves of several branches."""

    def __init__(self) -> None:
        self._by_whole: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))

    def add(self, weight: int, whole: int, leaf: int) -> None:
        """Add a leaf that is reached in `weight` of `whole` cases."""
        self._by_whole[whole][leaf] += weight

    def add_all(self, weight: int, whole: int, further: LeafWeights) -> None:
        """Add the leaves of a step that is reached in `weight` of `whole` cases."""
        leaves, total = further
        sums = self._by_whole[whole * total]
        for leaf, part in leaves.items():
            sums[leaf] += weight * part

    def summed(self) -> LeafWeights:
        """The sum of all, reduced to the smallest whole numbers."""
        common = lcm(*self._by_whole)
        sums: defaultdict[int, int] = defaultdict(int)
        for whole, leaves in self._by_whole.items():
            for leaf, weight in leaves.items():
                sums[leaf] += weight * (common // whole)
        divisor = gcd(common, *sums.values())
        return {leaf: weight // divisor for leaf, weight in sums.items()}, common // divisor


class _StepBranch(Branch):
    """One branch of a step, and the leaf or merge point it reached."""

    def __init__(self, enumerator: OutcomeEnumerator, restrictions: Restrictions, merge_points: int) -> None:
        super().__init__(restrictions)
        self.enumerator = enumerator
        self.merge_points = 0
        self.outcome: int | LeafWeights | _MergePoint = -1
        self.home: tuple[LastingInjuryRolls, ...] = ()
        self._merge_points_passed = merge_points

    def run(self, step: Step, start: Leaf) -> None:
        self.enumerator.count()
        self.home = start.home
        decision = _BranchDecision(start.state, self)
        try:
            step(decision)
        except _MergePoint as reached:
            self.outcome = reached
        except _LastStepsKnown as known:
            self.outcome = known.leaves
        else:
            leaf = Leaf(state=decision.state, home=self.home, shown=decision.shown)
            self.outcome = self.enumerator.number_of(leaf)

    def reach_merge_point(self, facts: tuple[object, ...], decision: Decision) -> None:
        """Pass the merge points before the one where this enumeration starts; end the branch at any other."""
        self.merge_points += 1
        if self.merge_points > self._merge_points_passed:
            leaf = Leaf(state=decision.state, home=self.home)
            raise _MergePoint(self.enumerator.merge_key(facts, leaf))


class _BranchDecision(Decision):
    """A decision that takes its dice from a branch, and independent steps by the chances of their leaves."""

    def __init__(self, state: CampaignState, branch: _StepBranch) -> None:
        super().__init__(state, branch.enumerator.rulebook, SymbolicTray(branch))
        self.annotations = None
        self.shown: object = None
        self._branch = branch

    def emit(self, event: records.Event, *, cause: int = 0) -> int:
        # Experience and casualty counts change nothing in a battle, and would only make equal ends differ.
        if isinstance(event, records.ExperienceGained):
            return 0
        cards = self.state.gangs
        place = super().emit(event, cause=cause)
        if isinstance(event, records.FighterWentOutOfAction | records.VehicleWrecked):
            self.goes_on_from(replace(self.state, gangs=cards))
        return place

    def independent(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        leaves = self._branch.enumerator.enumerate_independent(
            _step_key(step, facts, named), lambda decision: step(decision, *facts, **named), self._here()
        )
        leaf = self._branch.enumerator.leaves[tuple(leaves[0])[self._throw_leaf(leaves)]]
        self.goes_on_from(leaf.state)
        self._branch.home = leaf.home

    def roll_only(self, step: Callable[..., Shown], *facts: object, **named: object) -> Shown:
        def show(decision: Decision) -> None:
            assert isinstance(decision, _BranchDecision)
            decision.shown = step(decision, *facts, **named)

        shown, leaves = self._branch.enumerator.enumerate_roll_only(
            _step_key(step, facts, named), show, self._here()
        )
        return cast("Shown", shown[self._throw_leaf(leaves)])

    def independent_each(
        self, step: Callable[..., None], each: Sequence[object], *facts: object, settled: Sequence[str]
    ) -> None:
        def step_for(member: object) -> Step:
            return lambda decision: step(decision, member, *facts)

        steps = [(_step_key(step, (member, *facts), {}), step_for(member)) for member in each]
        raise _LastStepsKnown(
            self._branch.enumerator.enumerate_independent_each(steps, self._here(), settled)
        )

    def _here(self) -> Leaf:
        return Leaf(state=self.state, home=self._branch.home)

    def _throw_leaf(self, leaves: LeafWeights) -> int:
        """The place of one of several leaves, thrown like a die: each leaf is a branch of its own."""
        weights, whole = leaves
        thrown = self._branch.throw(tuple(weights.values()), whole)
        thrown.settle()
        return thrown.actual

    def merge_point(self, *facts: object) -> None:
        self._branch.reach_merge_point(facts, self)

    def after_battle_only(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        if not self._branch.enumerator.lasting:
            return
        gone = next(
            decided.event
            for decided in reversed(self.events)
            if isinstance(decided.event, records.FighterWentOutOfAction)
        )
        rolls = LastingInjuryRolls(
            fighter=gone.fighter,
            table=_table_of(self, lambda decision: step(decision, *facts, **named)),
            rolls=gone.lasting_injury_rolls,
        )
        self._branch.home = (*self._branch.home, rolls)


def _step_key(
    step: Callable[..., object], facts: tuple[object, ...], named: dict[str, object]
) -> tuple[object, ...]:
    """The key of an independent step: all of its arguments except its cause in the log."""
    values = {name: fact for name, fact in named.items() if name != "cause"}
    return (step.__module__, step.__qualname__, facts, values)


def _table_of(decision: Decision, step: Step) -> str:
    """The id of the table that the step rolls on, found by a trial with the lowest faces."""
    trial = Decision(decision.state, decision.rulebook, DiceTray(roller=showing_alike(1)))
    step(trial)
    read = (
        event.event.table for event in trial.events if isinstance(event.event, records.LastingInjurySuffered)
    )
    return next(read, "")
