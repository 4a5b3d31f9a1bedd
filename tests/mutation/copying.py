"""The copy of the checkout in which faults are tried, and the tests that are run there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
HOME = ROOT / ".cache" / "mutation"
COPY = HOME / "copy"
"""Stays as it is: tests are measured here, and faults are tried in copies of it."""


class Ran(NamedTuple):
    """How a run of tests ended."""

    result: str
    """`passed`, `failed` or `never ended`."""
    first_failure: str
    seconds: float


def copy_checkout(copy: Path = COPY) -> None:
    """Brings a copy up to date: what git knows of, and what is new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    wanted = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
    if copy.exists():
        for file in copy.rglob("*"):
            if (
                "__pycache__" not in file.parts
                and not file.is_dir()
                and str(file.relative_to(copy)) not in wanted
            ):
                file.unlink()
    for name in wanted:
        source, target = ROOT / name, copy / name
        if not target.exists() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def run_tests(
    tests: list[str], *options: str, seconds_max: float, where: Path = COPY, watch: Path | None = None
) -> Ran:
    """The tests of these names, or of these files, in the copy; one process, until one fails."""
    # Programs that a test starts import the copy, too. Bytecode is not kept: a fault of the same length, written in the
    # same second, would not be seen.
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(where), str(where / "tests")]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_PROFILE": "check",
    }
    if watch:
        environment["MUTANTS_WATCH"] = str(watch)
    chosen = HOME / f"{where.name}.txt"
    chosen.write_text("\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *options, f"@{chosen}"]
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds_max)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 15)
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
        return Ran("never ended", "", time.monotonic() - began)
    failures = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    # 5: none was chosen. All else that is not 0 is a failure, an import that fails among them.
    result = "passed" if process.returncode in (0, 5) else "failed"
    return Ran(
        result, failures[0].split(" ", 1)[1].split(" - ")[0] if failures else "", time.monotonic() - began
    )
