"""Break the rows of traits, skills and conditions one small way at a time, and see whether a test notices.

`make mutants-of-rows` runs it (docs/mutation.md). Each mutant is one change of one row: an effect left out, a
condition, a number, a word. It is tried in a child of this process, in which the rulebook is read with that change,
by those tests of `tests/campaign` alone whose file names the row.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import inspect
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pytest

from tracker.campaign import steps
from tracker.campaign.fighters import Fighter
from tracker.rules import loader
from tracker.rules.conversion import BrokenBook

BOOK = "necromunda_2023"
CAMPAIGN = Path(__file__).parent / "campaign"
LEFT_OUT = (
    "test_every_row_has_a_test.py",  # compares the books with each other: any change of one fails it
    "test_rulings_decide_again.py",
    "test_laws_of_decide_and_evolve.py",
)
NUMBERS_OF = {"conditions": "conditions", "skill_actions": "skill_actions"}
SAID = ("id", "name", "set", "at_the_table", "asks_for_nothing", "purpose", "source", "kind", "condition_row")
"""What no number and no word of a rule is: names, and texts for people."""

ACCEPTED = {
    r"skill (bull_charge|crushing_blow): .* without melee$": "who charges, or names a die, is in close combat",
    r"skill (parry|step_aside): .* without melee$": "hits are scored at once in a fight alone",
    r"trait (parry|reckless): effect\[[02]\].if without melee$": "hits are scored at once in a fight alone",
    r"trait reckless: .* without ranged$": "target priority is that of a shot",
    r"skill disarm: effect\[1\].if without melee$": "no shot says whether the weapon has the trait already",
    r"skill combat_master: .* without melee$": "no shot suffers interference",
    r"skill counter_attack: .* without reaction$": "misses are counted for reactions alone",
    r"skill evade: .* without ranged$": "who fights is engaged, so not Active",
    r"skill nerves_of_steel: .* without ranged$": "no blow pins",
    r"skill ballistics_expert: .* without ranged$": "nobody aims in a fight",
    r"skill (heavy_foot|t_bone): .* vehicle as any$": "only vehicles move so, or collide",
    r"trait (assault|energy)-shield: .* without ranged$": "of two bonuses the better counts",
    r"trait (assault|energy)-shield: .* on vehicles too$": "a vehicle carries no shield",
    r"trait shield-breaker: .* on vehicles too$": "a vehicle has no shield and no field to break",
    r"trait disarm: .* on vehicles too$": "no vehicle can be disarmed",
    r"trait backstab: .* on vehicles too$": "of a vehicle a facing is said, and nobody is behind it",
    r"trait (knockback|drag): .* on vehicles too$": "a vehicle has no Strength that the hit or the die could reach",
    r"trait web: saves ": "who is webbed makes no save anyway",
    r"trait (graviton-pulse|flash): effect\[1\].against vehicle as any$": "what replaces the wound roll first does alone",
    r"trait flash: effect\[1\] rolled by": "a Handling test is the vehicle's, whoever asks for it",
    r"trait (flare|smoke): .* rolled by": "the die of a marker is nobody's",
    r"trait chem-delivery: .* rolled by": "no source says whose die it is",
    r"trait blaze: effect\[0\].roll.needs": "who catches fire on what is said by the condition Blaze",
    r"aftermath.escape_artist_retreat": "how the Broken flee stands in the archived book alone",
    r"trait hexagrammatic: .* on vehicles too$": "no vehicle is a psyker",
}
"""Mutants that no test can notice: patterns of their names, and why."""


def accepted(mutant: Mutant) -> str | None:
    """Why nobody need notice a mutant; None for all others."""
    return next((why for name, why in ACCEPTED.items() if re.search(name, mutant.name)), None)


OTHERWISE: dict[str, tuple[str, ...]] = {
    "against": ("fighter", "vehicle", "any"),
    "bearer": ("attacker", "target"),
    "of": ("attacker", "target"),
    "needs": ("toughness", "initiative", "cool"),
    "saves": ("none", "field_only", "any"),
    "condition": ("blind", "concussed", "insane", "on_fire"),
    "location": ("body", "crew", "engine"),
    "damage": ("glancing", "penetrating", "catastrophic"),
    "wound_roll": ("by_strength", "by_toughness"),
    "on_wound": ("damage", "injury_die", "webbed"),
    "but_by": ("power", "none-such"),
}
"""Words that stand for each other."""
NEAR = {
    "natural_6_to_hit": "natural_5_to_hit",
    "natural_5_to_hit": "natural_6_to_hit",
    "short_range": "long_range",
    "long_range": "short_range",
    "behind": "in_front",
    "in_front": "behind",
    "charging": "reaction",
}
"""Conditions that are easily taken for others."""

OF_A_VEHICLES_HIT = ("hit", "wound_roll", "save", "damage", "injured", "after_attack")
"""Where a trait could act on a vehicle; the sheet marks those that do."""

Files = dict[str, dict[str, Any]]
Change = Callable[[Files], None]


class Mutant(NamedTuple):
    """One change: of which row, what it is called, and how it is made."""

    row: str
    words: tuple[str, ...]
    name: str
    change: Change | None
    skill: str = ""


# --- the changes -----------------------------------------------------------------------------------------


def mutants() -> Iterator[Mutant]:
    """Every change of every row, in the order of the book: traits, skills, conditions, actions of skills."""
    files = loader.book_files(BOOK)
    for stem, key in (("traits", "trait"), ("skills", "skill")):
        for place, row in enumerate(files[stem][key]):
            words = (row["id"], row["name"])
            if key == "skill" and "effect" not in row and "asks_for_nothing" not in row:
                yield Mutant(row["id"], words, f"{key} {row['id']}: nobody has it", None, row["id"])
            for where, what, change in changes(row, (stem, key, place)):
                yield Mutant(row["id"], words, f"{key} {row['id']}: {where} {what}", change)
    for stem in NUMBERS_OF:
        numbers = {name: part for name, part in files[stem].items() if name != "condition"}
        for where, what, change in changes(numbers, (stem,)):
            words = tuple(re.split(r"[. ]", where)[:1])
            yield Mutant(stem, (*words, *words_of(where)), f"{stem}: {where} {what}", change)


ASKED_BY = {
    "iron_will": ("Iron Will",), "unstoppable_from": ("Unstoppable",), "treat_wounds_from": ("Medicae",),
    "saddle_blast": ("mounted",), "order_needs_leadership": ("Overseer",), "knocked_down": ("mounted",),
    "aftermath": ("Fixer", "Savvy Trader", "Escape Artist", "Mentor"), "initiative_worst": ("concussed",),
}  # fmt: skip


def words_of(where: str) -> tuple[str, ...]:
    """What the tests of a number call its rule."""
    return ASKED_BY.get(re.split(r"[.\[ ]", where)[0], ())


def changes(part: Any, at: tuple[str | int, ...], named: str = "") -> Iterator[tuple[str, str, Change]]:
    """Every change of a part of a file: where, what, and how."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if key in SAID:
            continue
        here = (*at, key)
        where = f"{named}[{key}]" if isinstance(key, int) else f"{named}.{key}".lstrip(".")
        if key == "effect":
            for place, effect in enumerate(value):
                yield from unsaid(effect, (*here, place), f"{where}[{place}]")
        if isinstance(value, dict):
            if key in ("roll", "on_natural_6_to_hit", "on_natural_6_to_wound", "softer"):
                yield where, "left out", removing(here)
            yield from changes(value, here, where)
        elif key == "if":
            for place, condition in enumerate(value):
                yield where, f"without {condition}", removing((*here, place))
                if condition in NEAR:
                    yield where, f"{condition} as {NEAR[condition]}", setting((*here, place), NEAR[condition])
        elif isinstance(value, list):
            for place in range(len(value)):
                yield f"{where}[{place}]", "left out", removing((*here, place))
            if value and isinstance(value[0], dict):
                yield from changes(value, here, where)
        else:
            yield from ((where, what, change) for what, change in changed(key, value, here))


def unsaid(
    effect: dict[str, Any], at: tuple[str | int, ...], where: str
) -> Iterator[tuple[str, str, Change]]:
    """What an effect does not say, said otherwise than its default is."""
    if "against" not in effect and at[0] == "traits" and effect["when"] in OF_A_VEHICLES_HIT:
        yield where, "on vehicles too", setting((*at, "against"), "any")
    if "roll" in effect and "on_failure" not in effect:
        yield where, "on a failure", setting((*at, "on_failure"), value=True)
    if "roll" in effect and "of" not in effect["roll"]:
        yield where, "rolled by the attacker", setting((*at, "roll", "of"), "attacker")


def changed(key: str | int, value: Any, here: tuple[str | int, ...]) -> Iterator[tuple[str, Change]]:
    """Every change of one number or word."""
    if isinstance(value, bool):
        yield f"{not value}", setting(here, not value)
    elif isinstance(value, int):
        for other in (value - 1, value + 1):
            yield f"{value} as {other}", setting(here, other)
    elif key in OTHERWISE:
        for word in OTHERWISE[key]:
            if word != value:
                yield f"{value} as {word}", setting(here, word)
    if key == "then":
        raise AssertionError("an effect is a table")


def removing(at: tuple[str | int, ...]) -> Change:
    def change(files: Files) -> None:
        del parent(files, at)[at[-1]]

    return change


def setting(at: tuple[str | int, ...], value: Any) -> Change:
    def change(files: Files) -> None:
        parent(files, at)[at[-1]] = value

    return change


def parent(files: Files, at: tuple[str | int, ...]) -> Any:
    part: Any = files
    for key in at[:-1]:
        part = part[key]
    return part


# --- the tests -------------------------------------------------------------------------------------------


def spellings(words: tuple[str, ...]) -> tuple[str, ...]:
    """How names and texts of tests may spell a row."""
    low = [word.lower() for word in words]
    gaps = ("-", "_", " ")
    spelled = [re.sub("[-_ ]", gap, word) for word in low for gap in gaps]
    return tuple(dict.fromkeys(spelled))


def text_of(item: pytest.Item) -> str:
    """A test's name with its parameters, and its lines, all in small letters."""
    if item.nodeid not in _texts:
        function = inspect.unwrap(getattr(item, "function", main))
        _texts[item.nodeid] = f"{item.name}\n{inspect.getsource(function)}".lower()
    return _texts[item.nodeid]


_texts: dict[str, str] = {}
REFUSED, SURVIVED, NO_TEST = "the book is refused", "SURVIVED", "NO TEST NAMES IT"
BROKE_OFF = "THE RUN BROKE OFF"  # proves nothing: its child ended without an answer, or a test took too long


class Trials:
    """In place of pytest's run of the tests it found: each mutant in a child, by the tests that name its row."""

    def __init__(self, chosen: list[Mutant], out: TextIO) -> None:
        self.chosen = chosen
        self.out = out
        self.left = 0
        self.failed = ""
        self.timed_out = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for mutant in self.chosen:
            began = time.monotonic()
            why = accepted(mutant)
            found = f"accepted: {why}" if why is not None else self.tried(mutant, session)
            self.left += found in (SURVIVED, NO_TEST, BROKE_OFF)
            print(f"{time.monotonic() - began:5.1f} s  {mutant.name}: {found}", file=self.out, flush=True)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None and str(call.excinfo.value).startswith("Timeout"):
            self.timed_out = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid.rpartition("/")[2]

    def tried(self, mutant: Mutant, session: pytest.Session) -> str:
        """Which test notices a mutant: tried in a child, which alone has the broken book."""
        words = spellings(mutant.words)
        items = [item for item in session.items if any(word in text_of(item) for word in words)]
        if not items:
            return NO_TEST
        items.sort(key=lambda item: not any(word in item.name.lower() for word in words))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with contextlib.suppress(BaseException):
                os.write(writing, self.in_the_child(mutant, items).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as said:
            answer = said.read()
        os.waitpid(child, 0)
        return answer or BROKE_OFF

    def in_the_child(self, mutant: Mutant, items: list[pytest.Item]) -> str:
        """The book is read with the change, and the tests run until one fails."""
        if not make(mutant):
            return REFUSED
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.timed_out:
                return BROKE_OFF
            if self.failed:
                return f"noticed by {self.failed}"
        return SURVIVED


def make(mutant: Mutant) -> bool:
    """Break the book of this process so; False where no such book is read."""
    if mutant.change is None:
        has = Fighter.has_skill
        Fighter.has_skill = lambda self, skill: skill != mutant.skill and has(self, skill)  # type: ignore[method-assign]
        return True
    # Scenes that test files set up when they were read have been decided by the whole book.
    read = (loader.book, loader.policies, loader.presets, loader._rulebook, steps._rulebook_with)
    for remembered in read:
        remembered.cache_clear()
    files = copy.deepcopy(loader.book_files(BOOK))
    mutant.change(files)
    printed = loader.book_files
    loader.book_files = lambda name: files if name == BOOK else printed(name)  # type: ignore[assignment]
    try:
        loader.book(BOOK)
    except BrokenBook:
        return False
    return True


def main() -> int:
    """Try the mutants whose names hold a text, and list those that no test notices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("named", nargs="?", default="", help="a pattern that the names of mutants hold")
    parser.add_argument("--list", action="store_true", help="only list them")
    parser.add_argument("--after", default="", help="begin after the last mutant whose name begins so")
    asked = parser.parse_args()
    chosen = [mutant for mutant in mutants() if re.search(asked.named, mutant.name)]
    if asked.after:
        last = max(place for place, mutant in enumerate(chosen) if mutant.name.startswith(asked.after))
        chosen = chosen[last + 1 :]
    if asked.list:
        sys.stdout.write("".join(f"{mutant.name}\n" for mutant in chosen))
        return 0
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what pytest says of its own run
    trials = Trials(chosen, out)
    files = [str(file) for file in sorted(CAMPAIGN.glob("test_*.py")) if file.name not in LEFT_OUT]
    quietly = ["-qq", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow", "--tb=no"]
    pytest.main([*quietly, *files], plugins=[trials])
    print(f"{len(chosen)} mutants, {trials.left} not noticed", file=out)
    return trials.left > 0


if __name__ == "__main__":
    sys.exit(main())
