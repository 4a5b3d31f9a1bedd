"""`make soak`: every chapter for its share of the time, or chapters by name; the ledger keeps what was run.

Chapters run side by side, one for each worker, the longest first; `--budget` is the time on the clock.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from .chapters import CHAPTERS
from .runner import Chapter, Ended, played_to_the_end, write_down


def main() -> int:
    """Run the chapters; 0 when all held, 1 when one did not."""
    arguments = _arguments()
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(2**31)
    chosen = [CHAPTERS[name] for name in arguments.chapters] or list(CHAPTERS.values())
    print(f"seed {seed}", flush=True)
    failed = False
    for ended in _played(chosen, arguments, seed):
        failed = failed or bool(ended.failed)
        if ended.failed:
            print(f"{ended.name:16} FAILED\n{ended.failed}", flush=True)
        elif ended.run is None:
            print(f"{ended.name:16} not run: {ended.lacking}", flush=True)
        else:
            told = ", ".join(f"{count} {what}" for what, count in sorted(ended.run.counted.items()))
            print(f"{ended.name:16} held   {ended.seconds:6.0f} s   {told}", flush=True)
            if arguments.ledger:
                write_down(ended.run, seconds=ended.seconds, result="held")
    return int(failed)


def _played(chosen: list[Chapter], arguments: argparse.Namespace, seed: int) -> Iterator[Ended]:
    """Each chapter as it ends. A chapter gets its share of all workers' time together."""
    workers = min(arguments.workers, len(chosen))
    one_share = 60 * workers * arguments.budget / sum(chapter.share for chapter in chosen)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        playing = [
            pool.submit(
                played_to_the_end,
                chapter,
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
