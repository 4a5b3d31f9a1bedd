"""A plugin of pytest that writes down which lines each test runs, and for how long: `-p mutation.watching`.

`MUTANTS_WATCH` names the file that coverage writes, with one context for each test. How long each took, and which
failed, comes beside it as JSON. What runs in processes that a test starts anew is not seen.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

FILE = Path(os.environ["MUTANTS_WATCH"])
COVERAGE = coverage.Coverage(
    data_file=str(FILE),
    config_file=False,
    include=["tracker/*"],
    omit=[
        f"tracker/{layer}/*"
        for layer in ("rules", "campaign/steps", "campaign/records", "reports", "documents", "cli")
    ],
)
_seconds: dict[str, float] = {}
_failed: set[str] = set()


def pytest_configure() -> None:
    COVERAGE.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    COVERAGE.switch_context(item.nodeid)
    try:
        return (yield)
    finally:
        COVERAGE.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_unconfigure() -> None:
    COVERAGE.stop()
    COVERAGE.save()
    passed = {test: round(seconds, 3) for test, seconds in _seconds.items() if test not in _failed}
    FILE.with_suffix(".json").write_text(json.dumps(passed), encoding="utf-8")
