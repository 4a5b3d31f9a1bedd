"""`python -m bench [PART ...]`: measure, print the figures, and keep them with what they were measured on."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from bench import (
    appending,
    as_of,
    campaigns,
    cells,
    cold,
    everywhere,
    failover,
    growing,
    judging,
    measuring,
    memory,
    pages,
    proofs,
    rebuilding,
    replaying,
    replica,
    reporting,
    results,
    ruling,
    service,
    sizes,
    writers,
)
from bench.grown import ENGINES, Grown, KeptCampaigns
from bench.measuring import RUNS, Table

PARTS: dict[str, Callable[[Grown, int], list[Table]]] = {
    "peers": appending.measure,
    "report": reporting.measure,
    "writers": writers.measure,
    "replay": replaying.measure,
    "rebuild": rebuilding.measure,
    "as-of": as_of.measure,
    "rulings": ruling.measure,
    "growth": growing.measure,
    "campaigns": campaigns.measure,
    "cells": cells.measure,
    "failover": failover.measure,
    "everywhere": everywhere.measure,
    "memory": memory.measure,
    "cold": cold.measure,
    "judge": judging.measure,
    "replica": replica.measure,
    "proofs": proofs.measure,
    "pages": pages.measure,
    "service": service.measure,
    "sizes": sizes.measure,
}
BY_NAME = {"replica", "pages", "service", "everywhere", "failover"}
"""What stands around the log, and waits for browsers, services, Java or votes: measured where it is named,
or where everything is measured at length.
"""
GROWN = Path(__file__).parents[1] / ".cache" / "bench"
QUICK = (1_000, 10_000, 100_000)
FULL = (1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What to measure, how often and where."""

    parts: tuple[str, ...]
    runs: int
    folder: Path | None
    sizes: tuple[int, ...]
    crowds: tuple[int, ...]
    results: Path
    engines: tuple[str, ...]
    grown: Path | None
    is_processor_time: bool
    mode: str
    is_kept: bool


def main(arguments: list[str] | None = None) -> None:
    """Measure the parts asked for."""
    asked = read_arguments(arguments)
    start, taken = time.perf_counter(), dict[str, float]()
    if asked.is_processor_time:
        measuring.count_processor_time()
    machine = results.machine(asked.folder)
    print("\n".join(f"{what:<10}{found}" for what, found in machine.items()))
    with tempfile.TemporaryDirectory(prefix="bench-", dir=asked.folder) as folder:
        grown = Grown(
            Path(folder),
            sizes=asked.sizes,
            crowds=asked.crowds,
            engines=asked.engines,
            kept=asked.grown and KeptCampaigns(asked.grown),
            report=lambda text: print(text, file=sys.stderr, flush=True),
        )
        try:
            for part in asked.parts:
                begun = time.perf_counter()
                tables = PARTS[part](grown, asked.runs)
                seconds = taken[part] = time.perf_counter() - begun
                for table in tables:
                    print(f"\n{table}", flush=True)
                print(f"\n({part}: {seconds:.0f} s)", flush=True)
                if asked.is_kept:
                    results.keep(asked.results, part, asked.mode, machine, tables, seconds=seconds)
        finally:
            grown.close()
    if not asked.is_kept:
        print(f"\nNot kept: bench/results holds {RUNS} runs or more of the usual sizes, by the clock.")
    elif asked.results == results.FOLDER:
        results.summarise()
    dearest = sorted(taken.items(), key=itemgetter(1), reverse=True)
    print(f"\nMeasured in {time.perf_counter() - start:.0f} s: ", end="")
    print(", ".join(f"{part} {seconds:.0f}" for part, seconds in dearest) + ".")


def read_arguments(arguments: list[str] | None) -> Asked:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"{', '.join(PARTS)}; when none is named, all; only with --full {', '.join(sorted(BY_NAME))}",
    )
    parser.add_argument("--full", action="store_true", help="up to 1,000,000 events and 10,000 campaigns")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs for every figure (%(default)s)")
    parser.add_argument(
        "--sizes",
        type=_numbers,
        metavar="S,M,L[,X]",
        help=f"events in the small, middle, large and longest campaign ({_list(QUICK)}; full: {_list(FULL)})",
    )
    parser.add_argument(
        "--crowds",
        type=_numbers,
        metavar="N,N,N",
        help="campaigns in one database (1,100,1000; full: 1,1000,10000)",
    )
    parser.add_argument(
        "--folder", type=Path, help="where the throw-away databases lie: the disk that is measured"
    )
    parser.add_argument(
        "--results", type=Path, default=results.FOLDER, help="where the figures are kept (bench/results)"
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        help="`replay` on this one alone; SQLite and PostgreSQL when none is named",
    )
    parser.add_argument(
        "--grown",
        type=Path,
        default=GROWN,
        help="where long campaigns are kept for later runs (.cache/bench)",
    )
    parser.add_argument("--no-grown", action="store_const", const=None, dest="grown", help="keep none")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="processor time and not the clock's, for a machine that others use too; a server's is left out",
    )
    found = parser.parse_args(arguments)
    unknown = [part for part in found.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    asked_sizes = found.sizes or (FULL if found.full else QUICK)
    if not 3 <= len(asked_sizes) <= 4 or list(asked_sizes) != sorted(asked_sizes):
        parser.error("--sizes wants three or four numbers, the smallest first")
    if found.runs < 1:
        parser.error("--runs wants 1 or more")
    return Asked(
        parts=tuple(found.parts) or tuple(part for part in PARTS if found.full or part not in BY_NAME),
        runs=found.runs,
        folder=found.folder,
        sizes=asked_sizes,
        crowds=found.crowds or ((1, 1_000, 10_000) if found.full else (1, 100, 1_000)),
        results=found.results,
        engines=(found.engine,) if found.engine else ENGINES,
        grown=found.grown,
        is_processor_time=found.cpu,
        mode="full" if found.full else "quick",
        is_kept=found.results != results.FOLDER
        or (found.runs >= RUNS and not (found.sizes or found.crowds or found.cpu)),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _list(numbers: tuple[int, ...]) -> str:
    return ",".join(str(number) for number in numbers)


if __name__ == "__main__":
    main()
