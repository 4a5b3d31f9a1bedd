"""The copy of the checkout in which faults are tried, and the tests that are run there."""

from __future__ import annotations

import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

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


def load_what_tests_import() -> None:
    """Imports what is not ours and every run of tests would import, once: a run is a fork of this process."""
    listed = subprocess.run(
        [sys.executable, "-c", "import sys, tracker.cli, tracker.server.app; print(*sys.modules)"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listed.stdout.split():
        if name.partition(".")[0] not in ("tracker", "__main__"):
            with suppress(ImportError):
                importlib.import_module(name)


def run_tests(
    tests: list[str], *options: str, seconds_max: float, where: Path = COPY, watch: Path | None = None
) -> Ran:
    """The tests of these names, or of these files, in a copy; one process, until one fails.

    `seconds_max` is processor time, so that on a busy machine none takes too long; of the clock's it is eight times.
    """
    chosen, output = HOME / f"{where.name}-{os.getpid()}.txt", HOME / f"{where.name}-{os.getpid()}.out"
    chosen.write_text("\n".join(tests), encoding="utf-8")
    began = time.monotonic()
    process = os.fork()
    if not process:
        # A plugin of pytest that is loaded already is no fault of ours.
        quiet = ["-q", "-n0", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds_max), int(seconds_max) + 5))
        _run_and_end([*quiet, *options, f"@{chosen}"], where, output, watch)
    while not (ended := os.waitpid(process, os.WNOHANG))[0]:
        if time.monotonic() - began > 8 * seconds_max:
            _end(process)
            return Ran("never ended", "", time.monotonic() - began)
        time.sleep(0.05)
    code = os.waitstatus_to_exitcode(ended[1])
    if code == -signal.SIGXCPU:
        return Ran("never ended", "", time.monotonic() - began)
    failures = [
        line
        for line in output.read_text("utf-8", "replace").splitlines()
        if line.startswith(("FAILED tests", "ERROR tests"))
    ]
    # 5: none was chosen. All else that is not 0 is a failure, an import that fails among them.
    result = "passed" if code in (0, 5) else "failed"
    first = failures[0].split(" ", 1)[1].split(" - ")[0] if failures else ""
    return Ran(result, first, time.monotonic() - began)


def _run_and_end(arguments: list[str], where: Path, output: Path, watch: Path | None) -> NoReturn:
    """In the fork: programs that a test starts import the copy, too."""
    code = 1
    try:
        os.setsid()
        os.chdir(where)
        with output.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        paths = [str(where), str(where / "tests")]
        sys.path[:0] = paths
        os.environ |= {"PYTHONPATH": os.pathsep.join(paths), "HYPOTHESIS_PROFILE": "check"}
        # Bytecode is not kept: a fault of the same length, written in the same second, would not be seen.
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        if watch:
            os.environ["MUTANTS_WATCH"] = str(watch)
        code = int(pytest.main(arguments))
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        os._exit(code)


def _end(process: int) -> None:
    """All that the fork started ends with it."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGTERM)
        time.sleep(5)
        os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
