"""One fault at a time in the copy: the nearest tests first, then the rest of those that run its line."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .copying import COPY, run_tests
from .covering import Covering
from .making import Fault, before_and_after, changed, faults_in

NEAREST_SECONDS = 12.0
"""How long the nearest tests of a fault take, as measured."""
START_SECONDS, SLOWER = 20.0, 4
"""What a run may take of the processor to start, and how often what was measured, before it never ends."""


class Part(NamedTuple):
    """What faults are put into, and whose tests must notice."""

    sources: tuple[str, ...]
    own: tuple[str, ...]
    """Its own tests. They come first."""
    wider: tuple[str, ...] = ()
    """Tests of other folders that are asked when its own notice nothing."""


class Tried(NamedTuple):
    """What became of one fault."""

    fault: Fault
    result: str
    """`noticed`, `noticed elsewhere`, `never ended`, `kept` or `survived`."""
    noticed_by: str
    run: int
    """How many tests were run: all that run its line, unless one noticed or there was no time for more."""
    tests: int
    """How many run its line."""
    seconds: float


class Kept(NamedTuple):
    """A fault that stays unnoticed, with the argument."""

    path: str
    where: str
    before: str
    after: str
    why: str


def kept_faults() -> list[Kept]:
    with Path(__file__).with_name("kept.toml").open("rb") as file:
        return [Kept(**row) for row in tomllib.load(file).get("kept", [])]


def drawn(part: Part, count: int, seed: int) -> list[Fault]:
    """So many faults by chance. What there is much of comes seldom, so that each kind has its turn."""
    found = [
        fault
        for pattern in part.sources
        for file in sorted(COPY.glob(pattern))
        for fault in faults_in(str(file.relative_to(COPY)), file.read_bytes())
    ]
    many = Counter(fault.kind for fault in found)
    chance = random.Random(seed)
    by_lot = sorted(found, key=lambda fault: chance.random() ** (many[fault.kind] ** 0.5), reverse=True)
    return by_lot[:count]


def test_files(patterns: tuple[str, ...]) -> list[str]:
    return [str(file.relative_to(COPY)) for pattern in patterns for file in sorted(COPY.glob(pattern))]


def tried(
    fault: Fault, part: Part, covering: Covering, kept: list[Kept], where: Path, seconds_most: float
) -> Tried:
    """Put it in, run the tests that run its line, so many seconds of them, and put it right again."""
    file = where / fault.path
    source = file.read_bytes()
    before, after = before_and_after(source, fault)
    if any((fault.path, fault.where, before, after) == each[:-1] for each in kept):
        return Tried(fault, "kept", "", 0, 0, 0.0)
    own, tests = test_files(part.own), _by_nearness(fault, part, covering)
    run, seconds = 0, 0.0
    try:
        file.write_bytes(changed(source, fault))
        for cached in file.parent.glob(f"__pycache__/{file.stem}.*"):
            cached.unlink()
        for chosen in _in_turns(tests, covering, seconds_most):
            expected = sum(covering.seconds[test] for test in chosen)
            ran = run_tests(chosen, "-x", seconds_max=START_SECONDS + SLOWER * expected, where=where)
            seconds += ran.seconds
            run += len(chosen)
            if ran.result != "passed":
                elsewhere = ran.first_failure and ran.first_failure.partition("::")[0] not in own
                result = (
                    ran.result
                    if ran.result == "never ended"
                    else "noticed elsewhere"
                    if elsewhere
                    else "noticed"
                )
                return Tried(fault, result, ran.first_failure, run, len(tests), seconds)
    finally:
        file.write_bytes(source)
    return Tried(fault, "survived", "", run, len(tests), seconds)


def _by_nearness(fault: Fault, part: Part, covering: Covering) -> list[str]:
    """The tests that run its line; where none does, those of its function, of who names it, of its file."""
    # What stands in a signature runs when the module is imported, and matters when the function is called.
    own_lines = range(fault.line, fault.last + 1) if fault.line in fault.function else range(0)
    found = covering.of_lines(fault.path, own_lines)
    found = found or covering.of_lines(fault.path, fault.function)
    own, words = set(test_files(part.own)), {*Path(fault.path).stem.split("_")}
    if not fault.function:
        # What is at the top of a module: who names it, and tests that are named as the module and look at it themselves.
        naming = _naming(fault.name) if fault.name else ()
        found = {test for path, line in naming for test in covering.of_lines(path, range(line, line + 1))}
        found |= {
            test for test in covering.seconds if test.partition("::")[0] in own and words & _words_of(test)
        }
    found = found or covering.of_file(fault.path)
    found = found or {test for test in covering.seconds if test.partition("::")[0] in own}

    def nearness(test: str) -> tuple[bool, bool, float]:
        file = test.partition("::")[0]
        return file not in own, not words & _words_of(test), covering.seconds[test]

    return sorted(found, key=nearness)


def _words_of(test: str) -> set[str]:
    """The words of the name of a test's file."""
    return {*re.split(r"[_./]", test.partition("::")[0].removeprefix("tests/"))}


def _naming(name: str) -> Iterator[tuple[str, int]]:
    whole = re.compile(rf"\b{re.escape(name)}\b")
    for file in sorted(COPY.glob("tracker/**/*.py")):
        text = file.read_text(encoding="utf-8")
        if name in text:
            for number, line in enumerate(text.splitlines(), 1):
                if whole.search(line):
                    yield str(file.relative_to(COPY)), number


def _in_turns(tests: list[str], covering: Covering, seconds_most: float) -> Iterator[list[str]]:
    """The nearest few; then the rest, as far as time allows."""
    nearest: list[str] = []
    spent = 0.0
    for test in tests:
        if nearest and spent + covering.seconds[test] > NEAREST_SECONDS:
            break
        nearest.append(test)
        spent += covering.seconds[test]
    if nearest:
        yield nearest
    rest: list[str] = []
    for test in sorted(tests[len(nearest) :], key=covering.seconds.__getitem__):
        spent += covering.seconds[test]
        if spent > seconds_most:
            break
        rest.append(test)
    if rest:
        yield rest
