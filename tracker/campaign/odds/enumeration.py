"""Walking: every way that the dice of one step can fall, each once, with its exact chance.

Knows throws, ways and states. Knows no rule: the step is the same code that decides an entry, run once for
each way that differs. What keeps it short: faces that no rule told apart are one way (`watched`), a step that
stands apart is walked once for each state it begins in, and ways that meet at a milestone go on as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, lcm, prod
from typing import Any, TypeAlias, cast

from tracker.campaign import records
from tracker.campaign.odds.interning import Shorthand
from tracker.campaign.odds.masking import put_back, set_aside
from tracker.campaign.odds.symbolic import Throw, Watched
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.decision import Decision, Shown
from tracker.dice import DiceTray, Die, SpecialDie
from tracker.errors import RulesRefuse
from tracker.records import Record, replace
from tracker.rules.rulebook import Rulebook

WORK_MAX = 600_000
"""How much is looked at before odds are refused: two seconds of a slow processor, well below 100 MB.
Counted and not timed, so that the same odds are refused everywhere: one for each part of a state that is
looked at and each chance added up, `WAY_WORK` for each way.
"""
WAY_WORK = 35

Step: TypeAlias = Callable[[Decision], None]
Choices: TypeAlias = tuple[tuple[int, ...], ...]
"""For each throw of a way, the outcomes it is restricted to."""
Ends: TypeAlias = tuple[dict[int, int], int]
"""What each end weighs, by its number in `Walker.ends`, and what all of them do: quicker than fractions."""


class TooManyWays(RulesRefuse):
    """The dice can fall in more ways than anybody would wait for."""

    ways: int

    def message(self) -> str:
        return (
            f"These dice can fall in more than {self.ways:,} ways that differ and hang together, too many to"
            f" follow. Ask for less at once: fewer dice, fewer models under one marker or at risk,"
            f" or one exchange after the other."
        )


class LastingInjuryRolls(Record):
    """What a fighter still has to roll: so many rolls on a table of the book ('' where that is not known)."""

    fighter: str
    table: str
    rolls: int


class End(Record):
    """Where a way ends: the state, the rolls carried home when they are asked for, what a draw showed."""

    state: CampaignState
    home: tuple[LastingInjuryRolls, ...] = ()
    shown: object = None


class _Met(Exception):
    """A way has come to a milestone."""

    def __init__(self, key: object) -> None:
        super().__init__()
        self.key = key


class _Ended(Exception):
    """A way has come to the last steps, whose ends are known."""

    def __init__(self, ends: Ends) -> None:
        super().__init__()
        self.ends = ends


class Walker:
    """Walks steps under one rulebook and remembers what it has walked."""

    def __init__(self, rulebook: Rulebook, *, lasting: bool = False) -> None:
        self.rulebook = rulebook
        self.lasting = lasting
        self.ends: list[End] = []
        self.ways = 0
        self._sums = 0
        self._end_numbers: dict[object, int] = {}
        self._apart: dict[object, Ends] = {}
        self._in_turn: dict[object, Ends] = {}
        self._drawn: dict[object, tuple[tuple[object, ...], Ends]] = {}
        self._back: dict[object, dict[int, int]] = {}
        self._short = Shorthand()

    def walk(self, step: Step, start: End) -> dict[int, Fraction]:
        """The chance of every end of a step, by its number. Raises what the step refuses, and TooManyWays."""
        ends, whole = self._walk(step, start)
        return {end: Fraction(weight, whole) for end, weight in ends.items()}

    def _walk(self, step: Step, start: End) -> Ends:
        return _Walk(self, step, start).ends_from((), None)

    def walk_apart(self, key: tuple[object, ...], step: Step, start: End) -> Ends:
        """The ends of a step, once for each key and start."""
        known = self._short.of((key, start))
        if known not in self._apart:
            self._apart[known] = self._walk(step, start)
        return self._apart[known]

    def draw(self, key: tuple[object, ...], step: Step, start: End) -> tuple[tuple[object, ...], Ends]:
        """What a draw can show, each with its chance. Once for each key, whatever the state."""
        known = self._short.of(key)
        if known not in self._drawn:
            ends, whole = self._walk(step, start)
            before = self._short.of(start.state)
            unmoved = all(self._short.of(self.ends[end].state) == before for end in ends)
            assert unmoved, "a draw changes no state"
            self._drawn[known] = tuple(self.ends[end].shown for end in ends), (ends, whole)
        return self._drawn[known]

    def walk_in_turn(
        self, steps: Sequence[tuple[tuple[object, ...], Step]], start: End, settled: Sequence[str]
    ) -> Ends:
        """The chance of every end of steps that each stand by themselves, one after the other.

        `settled` is no business of theirs: it is set aside, so that they are walked once whatever it is.
        """
        state, aside = set_aside(start.state, settled)
        if not aside:
            return self._in_order(tuple(steps), start)
        ends, whole = self._in_order(tuple(steps), replace(start, state=state))
        back = self._back.setdefault(self._short.of(aside), {})
        for end in ends:
            if end not in back:
                found = self.ends[end]
                back[end] = self.number_of(replace(found, state=put_back(found.state, aside)))
        return {back[end]: weight for end, weight in ends.items()}, whole

    def _in_order(self, steps: tuple[tuple[tuple[object, ...], Step], ...], start: End) -> Ends:
        if not steps:
            return {self.number_of(start): 1}, 1
        known = self._short.of((tuple(key for key, _ in steps), start))
        if known not in self._in_turn:
            before, whole = self._in_order(steps[:-1], start)
            after = _Sum()
            for end, weight in before.items():
                further = self.walk_apart(*steps[-1], self.ends[end])
                self.add_up(len(further[0]))
                after.add_ends(weight, whole, further)
            self._in_turn[known] = after.ends()
        return self._in_turn[known]

    def number_of(self, end: End) -> int:
        """The number of an end: equal ends have one."""
        known = self._end_numbers.setdefault(self._short.of(end), len(self.ends))
        if known == len(self.ends):
            self.ends.append(end)
            if known == 0:
                self._short.keep(end)
        return known

    def met(self, facts: tuple[object, ...], end: End) -> object:
        """What ways have in common that meet at a milestone."""
        return self._short.of((facts, end))

    def token(self, value: Any) -> object:
        """What equal values have in common."""
        return self._short.of(value)

    def take_as_it_is(self, value: object) -> None:
        """A value that has no parts to look at, and is equal to itself alone."""
        self._short.take_as_it_is(value)

    def count(self) -> None:
        """One more way."""
        self.ways += 1
        self._refuse_too_many(self.ways)

    def foresee(self, ways: int) -> None:
        """So many ways are still to come, at the least: too many are refused before the first."""
        self._refuse_too_many(self.ways + ways)

    def add_up(self, chances: int) -> None:
        """So many chances are added up."""
        self._sums += chances

    def _refuse_too_many(self, ways: int) -> None:
        if ways * WAY_WORK + self._short.looked + self._sums > WORK_MAX:
            raise TooManyWays(ways=ways - 1)


class _Walk:
    """One step from one state."""

    def __init__(self, walker: Walker, step: Step, start: End) -> None:
        self._walker = walker
        self._step = step
        self._start = start
        self._from: dict[object, Ends | None] = {}

    def ends_from(self, passed: Choices, here: object, milestones: int = 0) -> Ends:
        """The ends of every way that begins so; `here` is the milestone it stands at."""
        ends = _Sum()
        for way, weight, whole in self._ways(passed, milestones):
            if isinstance(way.outcome, int):
                ends.add(weight, whole, way.outcome)
                continue
            if isinstance(way.outcome, tuple):
                self._walker.add_up(len(way.outcome[0]))
                ends.add_ends(weight, whole, way.outcome)
                continue
            key = way.outcome.key
            if key == here:
                ends.add(weight, whole, _AROUND)
                continue
            if key not in self._from:
                self._from[key] = None
                beginning = tuple((throw.actual,) for throw in way.throws)
                self._from[key] = self.ends_from(beginning, key, way.milestones)
            further = self._from[key]
            assert further is not None, "two milestones lead to each other: one of them says too little"
            self._walker.add_up(len(further[0]))
            ends.add_ends(weight, whole, further)
        found, all_ways = ends.ends()
        # A roll that is made again until it stands leads back here with a chance below one.
        return found, all_ways - found.pop(_AROUND, 0)

    def _ways(self, passed: Choices, milestones: int) -> Iterator[tuple[_Way, int, int]]:
        """Each way, what it weighs, and what all do that fall as it did."""
        waiting: list[Choices] = [passed]
        while waiting:
            choices = waiting.pop()
            way = _Way(self._walker, choices, milestones)
            way.go(self._step, self._start)
            assert len(way.throws) >= len(choices), "a step asked for other dice after the same answers"
            lives = tuple(throw.live for throw in way.throws)
            for place, throw in enumerate(way.throws[len(passed) :], start=len(passed)):
                among = choices[place] if place < len(choices) else tuple(range(len(throw.weights)))
                others = tuple(one for one in among if one not in throw.live)
                if others:
                    # Faces told apart late leave the later throws of this way restricted as they were.
                    waiting.append((*lives[:place], others, *choices[place + 1 :]))
            own = way.throws[len(passed) :]
            yield way, prod(throw.weight for throw in own), prod(throw.total for throw in own)


_AROUND = -1
"""In place of an end: the way has come back to the milestone it began at."""


class _Sum:
    """Ends that come together from several ways."""

    def __init__(self) -> None:
        self._by_whole: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))

    def add(self, weight: int, whole: int, end: int) -> None:
        """An end that comes about in `weight` of `whole` cases."""
        self._by_whole[whole][end] += weight

    def add_ends(self, weight: int, whole: int, further: Ends) -> None:
        """Ends that follow in `weight` of `whole` cases."""
        ends, all_of_them = further
        found = self._by_whole[whole * all_of_them]
        for end, part in ends.items():
            found[end] += weight * part

    def ends(self) -> Ends:
        """All of them, in whole numbers as small as can be."""
        common = lcm(*self._by_whole)
        found: defaultdict[int, int] = defaultdict(int)
        for whole, ends in self._by_whole.items():
            for end, weight in ends.items():
                found[end] += weight * (common // whole)
        smaller = gcd(common, *found.values())
        return {end: weight // smaller for end, weight in found.items()}, common // smaller


class _Way:
    """One way through a step: the throws on it, and the end or milestone it came to."""

    def __init__(self, walker: Walker, choices: Choices, milestones: int) -> None:
        self.walker = walker
        self.throws: list[Throw] = []
        self.milestones = 0
        self.outcome: int | Ends | _Met = -1
        self.home: tuple[LastingInjuryRolls, ...] = ()
        self._choices = choices
        self._milestones_passed = milestones

    def go(self, step: Step, start: End) -> None:
        """Run the step."""
        self.walker.count()
        self.home = start.home
        decision = _Walked(start.state, self)
        try:
            step(decision)
        except _Met as met:
            self.outcome = met
        except _Ended as ended:
            self.outcome = ended.ends
        else:
            end = End(state=decision.state, home=self.home, shown=decision.shown)
            self.outcome = self.walker.number_of(end)

    def throw(self, weights: Sequence[Any], total: Any) -> Throw:
        """The next throw, restricted as this way is."""
        place = len(self.throws)
        among = self._choices[place] if place < len(self._choices) else tuple(range(len(weights)))
        thrown = Throw(weights, among, total)
        self.throws.append(thrown)
        return thrown

    def meet(self, facts: tuple[object, ...], decision: Decision) -> None:
        """A milestone: passed by on the way to where this walk begins, else the way ends here."""
        self.milestones += 1
        if self.milestones > self._milestones_passed:
            raise _Met(self.walker.met(facts, End(state=decision.state, home=self.home)))


class _Walked(Decision):
    """A decision whose dice are thrown by a way, and whose separate steps are taken at their chances."""

    def __init__(self, state: CampaignState, way: _Way) -> None:
        super().__init__(state, way.walker.rulebook, _ThrownTray(way))
        self.shown: object = None
        self._way = way

    def note(self, event: records.Event, *, cause: int = 0) -> int:
        # Experience, and tallies of who was taken out, move nothing within a battle: they would only make
        # equal ends differ.
        if isinstance(event, records.ExperienceGained):
            return 0
        cards = self.state.gangs
        place = super().note(event, cause=cause)
        if isinstance(event, records.FighterWentOutOfAction | records.VehicleWrecked):
            self.state = replace(self.state, gangs=cards)
        return place

    def apart(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        ends = self._way.walker.walk_apart(
            _known_by(step, facts, named), lambda decision: step(decision, *facts, **named), self._here()
        )
        end = self._way.walker.ends[tuple(ends[0])[self._thrown(ends)]]
        self.state, self._way.home = end.state, end.home

    def drawn(self, step: Callable[..., Shown], *facts: object, **named: object) -> Shown:
        def show(decision: Decision) -> None:
            assert isinstance(decision, _Walked)
            decision.shown = step(decision, *facts, **named)

        shown, ends = self._way.walker.draw(_known_by(step, facts, named), show, self._here())
        return cast("Shown", shown[self._thrown(ends)])

    def in_turn(
        self, step: Callable[..., None], each: Sequence[object], *facts: object, settled: Sequence[str]
    ) -> None:
        def one_step(one: object) -> Step:
            return lambda decision: step(decision, one, *facts)

        steps = [(_known_by(step, (one, *facts), {}), one_step(one)) for one in each]
        raise _Ended(self._way.walker.walk_in_turn(steps, self._here(), settled))

    def _here(self) -> End:
        return End(state=self.state, home=self._way.home)

    def _thrown(self, ends: Ends) -> int:
        """One of several ends, by its place; each is a way of its own."""
        weights, whole = ends
        thrown = self._way.throw(tuple(weights.values()), whole)
        thrown.settle()
        return thrown.actual

    def milestone(self, *facts: object) -> None:
        self._way.meet(facts, self)

    def carried_home(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        if not self._way.walker.lasting:
            return
        gone = next(
            one.event
            for one in reversed(self.events)
            if isinstance(one.event, records.FighterWentOutOfAction)
        )
        rolls = LastingInjuryRolls(
            fighter=gone.fighter,
            table=_table_of(self, lambda decision: step(decision, *facts, **named)),
            rolls=gone.lasting_injury_rolls,
        )
        self._way.home = (*self._way.home, rolls)


def _known_by(
    step: Callable[..., object], facts: tuple[object, ...], named: dict[str, object]
) -> tuple[object, ...]:
    """By what a separate step is known: all that is handed to it but where the log says it comes from."""
    values = {name: fact for name, fact in named.items() if name != "cause"}
    return (step.__module__, step.__qualname__, facts, values)


def _table_of(decision: Decision, step: Step) -> str:
    """The table that is rolled on: whichever it is that the step reads with the lowest faces."""
    trial = Decision(decision.state, decision.rulebook, DiceTray(roller=lambda _: 1))
    step(trial)
    read = (one.event.table for one in trial.events if isinstance(one.event, records.LastingInjurySuffered))
    return next(read, "")


class _ThrownTray(DiceTray):
    """A tray whose faces are watched. A special die shows its symbol only, as one that was typed may."""

    def __init__(self, way: _Way) -> None:
        super().__init__()
        self._way = way

    def _next(
        self,
        purpose: str,
        die: str,
        *,
        why: str,  # noqa: ARG002 -- the tray's own signature
        fighter: str | None,
        sides: tuple[int, ...],
        special: SpecialDie | None = None,
    ) -> Die:
        if special is not None:
            symbols = tuple(dict.fromkeys(special.symbols))
            thrown = self._way.throw(tuple(map(special.symbols.count, symbols)), len(special.symbols))
            thrown.settle()
            found = Die(purpose=purpose, die=die, symbol=symbols[thrown.actual], fighter=fighter)
        else:
            count, columns = outcomes(sides)
            thrown = self._way.throw((1,) * count, count)
            faces = tuple(Watched(thrown, values) for values in columns)
            found = Die(purpose=purpose, die=die, faces=cast("tuple[int, ...]", faces), fighter=fighter)
        self._handed_out.append(found)
        return found


@cache
def outcomes(sides: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """How many ways dice of so many sides can fall, and for each die its face in every one of them."""
    ways = tuple(product(*(range(1, count + 1) for count in sides)))
    return len(ways), tuple(zip(*ways, strict=True))
