"""`python -m bench [PART ...]`: measure, and print the figures with what they were measured on."""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bench import appending, cold, growing, judging, rebuilding
from bench.grown import Grown
from bench.measuring import RUNS

PARTS: dict[str, Callable[[Grown, int], list[str]]] = {
    "append": appending.measure,
    "rebuild": rebuilding.measure,
    "cold": cold.measure,
    "growth": growing.measure,
    "judge": judging.measure,
}
LIBRARIES = ("sqlalchemy", "msgspec", "click", "pydantic", "rich", "ruamel.yaml", "uuid-utils")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What to measure, how often and where."""

    parts: tuple[str, ...]
    runs: int
    folder: Path | None
    sizes: tuple[int, int, int]


def main(arguments: list[str] | None = None) -> None:
    """Measure the parts asked for."""
    asked = read_arguments(arguments)
    start = time.perf_counter()
    print(told_machine())
    with tempfile.TemporaryDirectory(prefix="bench-", dir=asked.folder) as folder:
        grown = Grown(Path(folder), sizes=asked.sizes, told=lambda text: print(text, file=sys.stderr))
        for part in asked.parts:
            for one in PARTS[part](grown, asked.runs):
                print(f"\n{one}", flush=True)
        grown.close()
    print(f"\nMeasured in {time.perf_counter() - start:.0f} s.")


def read_arguments(arguments: list[str] | None) -> Asked:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all when none is named"
    )
    parser.add_argument("--runs", type=int, default=RUNS, help="runs for every figure (%(default)s)")
    parser.add_argument(
        "--sizes",
        default=(100, 10_000, 100_000),
        type=lambda text: tuple(int(part) for part in text.split(",")),
        metavar="S,M,L",
        help="events in the small, middle and large campaign (100,10000,100000)",
    )
    parser.add_argument(
        "--folder", type=Path, help="where the throw-away databases lie: the disk that is measured"
    )
    found = parser.parse_args(arguments)
    unknown = [part for part in found.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if len(found.sizes) != 3 or list(found.sizes) != sorted(found.sizes):
        parser.error("--sizes wants three numbers, the smallest first")
    if found.runs < 1:
        parser.error("--runs wants 1 or more")
    return Asked(
        parts=tuple(found.parts) or tuple(PARTS), runs=found.runs, folder=found.folder, sizes=found.sizes
    )


def told_machine() -> str:
    """What the figures depend on."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return "\n".join(
        (
            f"Machine   {platform.system()} {platform.machine()}, {os.cpu_count()} cores{processor()}",
            f"Python    {platform.python_implementation()} {platform.python_version()}",
            f"SQLite    {sqlite3.sqlite_version}, journal TRUNCATE, synchronous EXTRA",
            f"Libraries {libraries}",
        )
    )


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return f" ({platform.processor()})" if platform.processor() else ""
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f" ({names[0]})" if names else ""


if __name__ == "__main__":
    main()
