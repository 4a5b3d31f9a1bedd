"""Runs, medians and ratios. Knows clocks and how to print a figure; knows nothing of what is measured."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

RUNS = 5
SLOW_SECONDS = 2
"""What takes so long a run is run three times: it hardly varies."""
SLOW_RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one thing took in several runs: milliseconds, or another unit that is said."""

    name: str
    runs: tuple[float, ...]
    unit: str = "ms"

    @property
    def median(self) -> float:
        """The run in the middle."""
        return statistics.median(self.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What the project promised: the median of one row over that of another is at most so much.

    `floor` names rows of work that is done in any case: their sum is as low as it goes.
    """

    of: str
    against: str
    at_most: float
    floor: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Figures that were measured together, each with its ratio to one of them; the bars; what else there is
    to say.
    """

    title: str
    figures: tuple[Figure, ...]
    against: str
    bars: tuple[Bar, ...] = ()
    notes: tuple[str, ...] = ()

    def figure(self, name: str) -> Figure:
        """The row of that name."""
        (found,) = (figure for figure in self.figures if figure.name == name)
        return found

    def ratio(self, of: str, against: str) -> float:
        """One median over another."""
        return self.figure(of).median / self.figure(against).median

    def floor(self, bar: Bar) -> float | None:
        """The ratio of a program that takes no longer than the rows of the floor; None without."""
        return sum(self.ratio(name, bar.against) for name in bar.floor) if bar.floor else None

    def __str__(self) -> str:
        width = max(len(figure.name) for figure in self.figures)
        lines = [self.title, f"   ratio  {'':{width}}  {'min':>10}  {'median':>10}  {'max':>10}"]
        for figure in self.figures:
            columns = (
                shown(number, figure.unit) for number in (min(figure.runs), figure.median, max(figure.runs))
            )
            ratio = self.ratio(figure.name, self.against)
            lines.append(
                f"  {ratio:6.2f}  {figure.name:{width}}  " + "  ".join(f"{text:>10}" for text in columns)
            )
        lines += [f"  {told_bar(self, bar)}" for bar in self.bars]
        lines += [f"  {note}" for note in self.notes]
        return "\n".join(lines)


def told_bar(table: Table, bar: Bar) -> str:
    """A bar, and whether it is met."""
    ratio = table.ratio(bar.of, bar.against)
    verdict = "met" if ratio <= bar.at_most else f"NOT met, by {ratio / bar.at_most - 1:.0%}"
    floor = table.floor(bar)
    least = "" if floor is None else f" (floor {floor:.2f})"
    return f"bar: {bar.of} / {bar.against}: {ratio:.2f}, at most {bar.at_most:.2f}: {verdict}{least}"


class Stopwatch:
    """Adds up the spans it is held over, and how many there were."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.spans = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what happens within."""
        start = _now()
        yield
        self.seconds += _now() - start
        self.spans += 1


_now: Callable[[], float] = time.perf_counter


def count_processor_time() -> None:
    """From now on watches count what processors do for this process, and for those that it waited for."""
    global _now  # noqa: PLW0603  # said once, before anything is measured
    _now = _processor_seconds


def _processor_seconds() -> float:
    waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited_for.ru_utime + waited_for.ru_stime


def as_a_user_has_it() -> dict[str, str]:
    """The environment of a process that is timed: nobody's campaign, no colour, Python may keep its bytecode.

    Some build machines forbid the last, and every start there compiles every module anew.
    """
    unwanted = ("TRACKER_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: report for name, report in os.environ.items() if not name.startswith(unwanted)}
    return kept | {"NO_COLOR": "1", "TRACKER_NO_DAEMON": "1"}


def in_turn(jobs: Mapping[str, Callable[[Stopwatch], None]], *, runs: int) -> list[Figure]:
    """Run each job `runs` times, one after the other in every round, so that all meet the same weather.

    A job holds the watch over what it measures; a run's figure is the mean of its spans. Rounds are whole:
    a job may repeat what another one did. Once a run is slow, all of them end after `SLOW_RUNS` rounds.
    """
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    is_slow = False
    for played in range(runs):
        if is_slow and played >= SLOW_RUNS:
            break
        for name, job in jobs.items():
            gc.collect()
            watch = Stopwatch()
            job(watch)
            taken[name].append(watch.seconds * 1000 / watch.spans)
            is_slow = is_slow or watch.seconds >= SLOW_SECONDS
    return [Figure(name=name, runs=tuple(found)) for name, found in taken.items()]


def table(
    title: str,
    figures: Iterable[Figure],
    *,
    against: str,
    bars: Sequence[Bar] = (),
    notes: Sequence[str] = (),
) -> Table:
    """Figures in rows: the ratio of the medians to one row, fastest run, median, slowest run."""
    return Table(title=title, figures=tuple(figures), against=against, bars=tuple(bars), notes=tuple(notes))


def shown(number: float, unit: str = "ms") -> str:
    """A duration or a size with its unit."""
    if unit != "ms":
        return f"{number:.1f} {unit}"
    if number >= 1000:
        return f"{number / 1000:.2f} s"
    return f"{number:.2f} ms" if number >= 0.1 else f"{number * 1000:.1f} µs"
