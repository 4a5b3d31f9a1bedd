"""Runs, medians and ratios. Knows clocks and how to print a figure; knows nothing of what is measured."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one thing took in several runs, in milliseconds."""

    name: str
    runs_ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        """The run in the middle."""
        return statistics.median(self.runs_ms)


class Stopwatch:
    """Adds up the spans it is held over, and how many there were."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.spans = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what happens within."""
        start = time.perf_counter()
        yield
        self.seconds += time.perf_counter() - start
        self.spans += 1


def in_turn(jobs: Mapping[str, Callable[[Stopwatch], None]], *, runs: int) -> list[Figure]:
    """Run each job `runs` times, one after the other in every round, so that all meet the same weather.

    A job holds the watch over what it measures; a run's figure is the mean of its spans.
    """
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            gc.collect()
            watch = Stopwatch()
            job(watch)
            taken[name].append(watch.seconds * 1000 / watch.spans)
    return [Figure(name=name, runs_ms=tuple(found)) for name, found in taken.items()]


def table(title: str, figures: Iterable[Figure], *, against: str) -> str:
    """Figures in rows: fastest run, median, slowest run, and the ratio of the medians to one row."""
    figures = list(figures)
    (bar,) = (one.median_ms for one in figures if one.name == against)
    width = max(len(one.name) for one in figures)
    lines = [title, f"  {'':{width}}  {'min':>10}  {'median':>10}  {'max':>10}   ratio"]
    for one in figures:
        numbers = (min(one.runs_ms), one.median_ms, max(one.runs_ms))
        columns = "  ".join(f"{shown(number):>10}" for number in numbers)
        lines.append(f"  {one.name:{width}}  {columns}  {one.median_ms / bar:6.2f}")
    return "\n".join(lines)


def shown(milliseconds: float) -> str:
    """A duration with its unit."""
    return f"{milliseconds / 1000:.2f} s" if milliseconds >= 1000 else f"{milliseconds:.2f} ms"
