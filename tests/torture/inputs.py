"""Inputs, hammered: any command line and any file gets an answer with a documented exit code, in time, and a file
takes no more memory than it should.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import FIRST, GANG_SHEETS, SEASON
from command_lines import WORDS, fits, mutated, typed
from exchange_files import EXAMPLE, NUMBERS

from .runner import Run
from .writing import AFTER, FIXTURES

EVERY = 60
"""Lines typed at one campaign before it is looked at whole and a new one begun."""
HANGS_SECONDS = 120
"""Nothing takes so long; what does is stopped, and reported."""
ANSWER_SECONDS = 5
FILE_SECONDS = 2
"""What an answer may take of the processor; the wall's clock goes on while others use the machine."""
HOSTILE_SECONDS = 6
"""What is made to take long is refused after one to three, while others use the machine too."""
SHEET_BYTES = 1024 * 1024
TRAITS = ("Rapid Fire (3)", "Scarce", "Unstable", "Toxin", "Web", "Seismic", "Power")
FILE_MEGABYTES = 256
"""What all files together may add to the memory of this process."""
SETTINGS = ("TRACKER_CAMPAIGN", "TRACKER_ACTOR", "TERM", "COLUMNS", "LANG")
ARMOURY = FIXTURES / "armoury" / "sump-market.yaml"


def arguments(run: Run) -> None:
    """Command lines that are half right."""
    with pytest.MonkeyPatch.context() as patch:
        season = None
        for dice in run.each_round():
            if season is None or run.at % EVERY == 0:
                _look(season)
                season = season_in(run.folder, patch)
                files = [season.write(text, name=f"{at}.yaml") for at, text in enumerate(SEASON)]
                files += [*map(str, GANG_SHEETS), "new.db", str(season.folder)]
            words = typed(dice, files)
            with pytest.MonkeyPatch.context() as around, in_time(ANSWER_SECONDS, words):
                if dice.random() < 0.2:
                    setting = dice.choice(SETTINGS)
                    around.setenv(setting, dice.choice(WORDS))
                    run.count(f"another {setting}")
                ran = season(*words, stdin=dice.choice([b"", FIRST.encode(), b"\xff"]))
            fits(ran.code, ran.out, ran.err, words)
            run.count(f"exit {ran.code}")
        _look(season)


def files(run: Run) -> None:
    """Good files of every format with a few letters changed: taken whole, or refused and nothing written."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.MonkeyPatch.context() as patch:
        season = None
        for dice in run.each_round():
            if season is None or run.at % EVERY == 0:
                _look(season)
                season = season_in(run.folder, patch)
            what, listed, *words = _file(dice)
            file = season.write(mutated(dice, listed), name="changed.yaml")
            before = season.contents()
            words = [file if word == "FILE" else word for word in words]
            with in_time(FILE_SECONDS, [*words, listed]):
                ran = season(*words)
            fits(ran.code, ran.out, ran.err, words)
            if ran.code or what in ("exchange", "armoury"):
                assert season.contents() == before, "refused, and yet something was written"
            run.count(f"{what}: exit {ran.code}")
        _look(season)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    assert more < FILE_MEGABYTES, f"reading files took {more:.0f} MB"


def hostile(run: Run) -> None:
    """Files as large as may be read, made to take long; and exchanges made to have too many ends."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.MonkeyPatch.context() as patch:
        season = season_in(run.folder, patch)
        before = season.contents()
        for dice in run.each_round():
            listed, *words = dice.choice([_endless_sheet, _endless_exchange])(dice)
            file = season.write(listed, name="hostile.yaml")
            words = [file if word == "FILE" else word for word in words]
            with in_time(HOSTILE_SECONDS, [*words, listed[:2_000]]):
                ran = season(*words)
            fits(ran.code, ran.out, ran.err, words)
            assert season.contents() == before, "something was written"
            run.count(f"{words[0]}: exit {ran.code}")
        _look(season)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    assert more < FILE_MEGABYTES, f"reading files took {more:.0f} MB"


def _endless_sheet(dice: random.Random) -> tuple[str, ...]:
    """A gang sheet with one thing in it so often as there is room."""
    length = dice.choice([1, 5, 80, 1_990])
    word = dice.choice(["a", "1", "\\u0041", "é", "- "]) * length
    again = dice.choice(
        [
            f"- {{name: N, category: ganger, type: T, cost: 5, characteristics: {NUMBERS}}}\n",
            *("- {}\n", "- 1\n", "- []\n", "- a: b\n", "- |\n  a\n", "\n", "#\n", "  a\n"),
            *(f'- "{word}"\n', f"# {word}\n", f"- {{{word}: 1, {word}b: 1}}\n", f"- {word}\n"),
            *(f"- {{name: N, skills: [{word}, {word}]}}\n", f"{word}: {word}\n"),
        ]
    )
    head = "format: gang-sheet/1\nname: X\nhouse: Y\nplayer: Z\nfighters:\n"
    count = dice.choice([100, 101, 3_000, SHEET_BYTES]) if dice.random() < 0.5 else SHEET_BYTES
    return head + again * min(count, (SHEET_BYTES - len(head)) // len(again.encode())), "gang", "add", "FILE"


def _endless_exchange(dice: random.Random) -> tuple[str, ...]:
    """An exchange with as many models, dice and traits as somebody may write."""
    count = dice.choice([2, 5, 12, 40])
    numbers = NUMBERS.replace("W: 1", f"W: {dice.randint(1, 4)}").replace("T: 3", f"T: {dice.randint(3, 6)}")
    armour = dice.choice(["", ", armour: {name: Mesh armour, save: 5+}"])
    blast = dice.random() < 0.5
    traits = ", ".join([*dice.sample(TRAITS, dice.randint(0, 3)), *(["Blast (5)"] if blast else [])])
    gun = f"{{name: gun, S: 4, AP: -1, D: {dice.choice([1, 3, 12])}, traits: [{traits}], range: {{short: 8, long: 24}}, ammo: 4+}}"
    head = "format: exchange/1\nrulebook: necromunda_2023\ngangs:\n"
    for gang in ("a", "b"):
        head += f"  gang-{gang}:\n    fighters:\n" + "".join(
            f"      - {{name: {gang}{n}, characteristics: {numbers}{armour}, weapons: [{gun}]}}\n"
            for n in range(count)
        )
    under = [f"{{fighter: b{n}}}" for n in range(dice.randint(1, min(count, 30)))]
    others = f"under_marker: [{', '.join(under)}]" if blast else f"at_risk: [{', '.join(under[1:])}]"
    asked = [
        dice.choice(
            [
                f"hit: {{attacker: a{n}, weapon: gun, target: b{n}}}",
                f"hit: {{attacker: a0, weapon: gun, target: b{dice.randrange(count)}}}",
                f"shoot: {{attacker: a{n}, weapon: gun, target: b0, range: short, {others}}}",
                f"fight: {{attacker: a{n}, targets: [{{fighter: b{n}}}]}}",
            ]
        )
        for n in range(dice.randint(1, count))
    ]
    lasting = dice.choice([(), ("--lasting",)])
    return (
        head + "exchange:\n" + "".join(f"  - {{{exchange}}}\n" for exchange in asked),
        "odds",
        "FILE",
        *lasting,
    )


def _file(dice: random.Random) -> tuple[str, ...]:
    """A kind of file, a good one, and the command that reads FILE."""
    sheets = [sheet.read_text() for sheet in GANG_SHEETS]
    again = [sheet.replace("id: ", "id: new-").replace("gang: ", "gang: new-") for sheet in sheets]
    why = ("--reason", "because")
    return dice.choice(
        [
            ("report", dice.choice(SEASON), "battle", "record", "FILE", "--roll"),
            ("report", dice.choice(SEASON), "battle", "record", "FILE", "--roll"),
            ("sheet", dice.choice(again), "gang", "add", "FILE"),
            ("after", AFTER, "battle", "post", "FILE", "--roll"),
            ("exchange", EXAMPLE, "judge", "FILE", "--roll"),
            ("armoury", ARMOURY.read_text(),
             *("gang", "buy", "iron-skulls", "goggles", "--given", "--dry-run", "--armoury", "FILE", *why)),
        ]
    )  # fmt: skip


class Hangs(BaseException):
    """No answer at all. No exception that the program would take for a fault of its own and report."""


@contextmanager
def in_time(seconds: int, words: list[str]) -> Iterator[None]:
    # For so long the timer of pytest-timeout stands still: a process has one.
    def hangs(*_: Any) -> None:
        raise Hangs(f"no answer to {words}")

    usual = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS_SECONDS)
    begun = time.process_time()
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, usual)
    assert time.process_time() - begun < seconds, f"no answer in {seconds} seconds to {words}"


def season_in(folder: Path, patch: pytest.MonkeyPatch) -> Arbitrator:
    here = Path(tempfile.mkdtemp(dir=folder))
    for name in [name for name in os.environ if name.startswith("TRACKER_")]:
        patch.delenv(name)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        patch.setenv(name, str(here / "home"))
    patch.setenv("NO_COLOR", "1")
    patch.chdir(here)
    season = Arbitrator(here)
    begin(season)
    for report in SEASON[:2]:
        season.record(report)
    return season


def _look(season: Arbitrator | None) -> None:
    if season is not None:
        season.done("-c", "ash-wastes", "audit", "verify")
        shutil.rmtree(season.folder)
