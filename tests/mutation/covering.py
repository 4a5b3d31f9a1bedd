"""Which tests run which line: one measurement for each test file, made anew when that file changes."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path

import coverage

from .copying import COPY, HOME, run_tests

MAP = HOME / "map"
SECONDS_MAX = 1200.0


class Covering:
    """Test names by the line of the program that they run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._by_file: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._moved: set[str] = set()
        """Files that have changed since some test was measured: their lines are elsewhere."""

    def add(self, measured: Path) -> None:
        seconds: dict[str, float] = json.loads(measured.with_suffix(".json").read_text(encoding="utf-8"))
        self.seconds.update(seconds)
        data = coverage.CoverageData(str(measured))
        data.read()
        sources: dict[str, str] = json.loads(measured.with_suffix(".sources").read_text(encoding="utf-8"))
        for name in data.measured_files():
            path = str(Path(name).relative_to(COPY))
            if sources[path] != _digest(path):
                self._moved.add(path)
            lines = self._by_file[path]
            for line, tests in data.contexts_by_lineno(name).items():
                lines[line].update(test for test in tests if test in seconds)

    def of_lines(self, path: str, lines: range) -> set[str]:
        """The tests that run any of these lines."""
        if path in self._moved and lines:
            return self.of_file(path)
        return {test for line in lines for test in self._by_file[path].get(line, ())}

    def of_file(self, path: str) -> set[str]:
        return set().union(*self._by_file[path].values())


def covering(test_files: list[str]) -> Covering:
    """What these test files run, measured where that is not known or the file has changed since."""
    MAP.mkdir(parents=True, exist_ok=True)
    result = Covering()
    for name in test_files:
        measured = _measured(name)
        if measured is not None:
            result.add(measured)
    return result


def _measured(name: str) -> Path | None:
    file = MAP / f"{name.replace('/', '.')}.{_digest(name)}.coverage"
    if not file.with_suffix(".sources").exists():
        file.unlink(missing_ok=True)
        ran = run_tests([name], "-p", "mutation.watching", seconds_max=SECONDS_MAX, watch=file)
        print(f"measured {name}: {ran.result} in {ran.seconds:.0f} s {ran.first_failure}", flush=True)
        if not file.exists():
            return None
        data = coverage.CoverageData(str(file))
        data.read()
        paths = sorted(str(Path(each).relative_to(COPY)) for each in data.measured_files())
        sources = {path: _digest(path) for path in paths}
        file.with_suffix(".sources").write_text(json.dumps(sources), encoding="utf-8")
    return file


def _digest(path: str) -> str:
    file = COPY / path
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.exists() else ""
