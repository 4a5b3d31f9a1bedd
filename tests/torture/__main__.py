"""`make soak`: every chapter for its share of the time, or chapters by name; the ledger keeps what was run."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
import traceback

from .chapters import CHAPTERS
from .runner import Unable, play, write_down


def main() -> int:
    """Run the chapters; 0 when all held, 1 when one did not."""
    arguments = _arguments()
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(2**31)
    chosen = [CHAPTERS[name] for name in arguments.chapters] or list(CHAPTERS.values())
    shares = sum(chapter.share for chapter in chosen)
    print(f"seed {seed}")
    failed = False
    for chapter in chosen:
        seconds = None if arguments.rounds else arguments.budget * 60 * chapter.share / shares
        begun = time.monotonic()
        try:
            run = play(
                chapter,
                seed=seed,
                rounds=arguments.rounds or chapter.many,
                first=arguments.first,
                seconds=seconds,
            )
        except Unable as lacking:
            print(f"{chapter.name:16} not run: {lacking}")
            continue
        except Exception:
            failed = True
            print(f"{chapter.name:16} FAILED")
            traceback.print_exc()
            continue
        took = time.monotonic() - begun
        told = ", ".join(f"{count} {what}" for what, count in sorted(run.counted.items()))
        print(f"{chapter.name:16} held   {took:6.0f} s   {told}", flush=True)
        if arguments.ledger:
            write_down(run, seconds=took, result="held")
    return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument(
        "chapters", nargs="*", choices=[[], *CHAPTERS], metavar="CHAPTER", help=", ".join(CHAPTERS)
    )
    parser.add_argument("--seed", type=int, help="the seed of every round; printed when none is given")
    parser.add_argument(
        "--budget", type=float, default=70, metavar="MINUTES", help="for all chapters together (70)"
    )
    parser.add_argument("--rounds", type=int, help="so many rounds of each, however long it takes")
    parser.add_argument("--first", type=int, default=0, help="the number of the first round (0)")
    parser.add_argument("--ledger", action="store_true", help="write a line for each chapter into the ledger")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
