"""Runs, medians and ratios. Knows clocks and how to print a figure; knows nothing of what is measured."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one thing took in several runs, in milliseconds."""

    name: str
    runs_ms: tuple[float, ...]
    per: str = ""

    @property
    def median_ms(self) -> float:
        """The run in the middle."""
        return statistics.median(self.runs_ms)


def in_turn(
    jobs: Mapping[str, Callable[[], int]], *, runs: int, ready: Callable[[], None] = lambda: None
) -> list[Figure]:
    """Time each job `runs` times, one after the other in every round, so that all meet the same weather.

    A job says how many times it did its work; the figure is for one.
    """
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            ready()
            taken[name].append(timed_ms(job))
    return [Figure(name=name, runs_ms=tuple(found)) for name, found in taken.items()]


def timed_ms(job: Callable[[], int]) -> float:
    """Milliseconds for one of the times that the job did its work."""
    gc.collect()
    start = time.perf_counter()
    times = job()
    return (time.perf_counter() - start) * 1000 / times


def table(title: str, figures: Iterable[Figure], *, against: str = "") -> str:
    """Figures in rows, the fastest run, the median and the slowest, and the ratio of the medians to one row."""
    figures = list(figures)
    bar = next((one.median_ms for one in figures if one.name == against), None)
    width = max(len(one.name) for one in figures)
    lines = [title, f"  {'':{width}}  {'min':>10}  {'median':>10}  {'max':>10}    ratio"]
    for one in figures:
        ratio = f"{one.median_ms / bar:8.2f}" if bar else ""
        columns = "  ".join(f"{shown(number):>10}" for number in (min(one.runs_ms), one.median_ms, max(one.runs_ms)))
        lines.append(f"  {one.name:{width}}  {columns} {ratio}")
    if against:
        lines.append(f"  (ratio: medians, to {against!r})")
    return "\n".join(lines)


def shown(milliseconds: float) -> str:
    """A duration with its unit."""
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.2f} s"
    return f"{milliseconds:.2f} ms"
