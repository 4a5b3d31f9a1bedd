"""Exchanges outside any campaign: judged cold and in process, and their exact odds."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable

from bench.grown import Grown
from bench.measuring import Stopwatch, Table, as_a_user_has_it, in_turn, table
from tracker.campaign.judging import Setting, begun
from tracker.campaign.odds.exchange_odds import odds
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.documents.judge_file import setting_of
from tracker.documents.yaml_reader import parse_document
from tracker.rules import loader

SHOTS = 2_000
NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 4, W: 2, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
WEAPON = (
    "{name: gun, S: 4, AP: -1, D: %d, traits: [%s], range: {short: 8, long: 24},"
    " accuracy: {short: 1}, ammo: 4+}"
)
EXCHANGE = f"""\
format: exchange/1
rulebook: necromunda_2023
gangs:
  skulls:
    fighters: [{{name: Krug, characteristics: {NUMBERS}, weapons: [%s]}}]
  saints:
    fighters: [{{name: Mags, characteristics: {NUMBERS}, armour: {{name: Mesh, save: 5+}}}}]
exchange:
  shoot: {{attacker: krug, weapon: gun, target: mags, range: short%s}}
"""
SINGLE = EXCHANGE % (WEAPON % (1, ""), "")
RAPID = EXCHANGE % (WEAPON % (3, "Rapid Fire (3)"), ", firepower_dice: 3")


def measure(grown: Grown, runs: int) -> list[Table]:
    """The three tables of this part."""
    file = grown.folder / "exchange.yaml"
    file.write_text(SINGLE, encoding="utf-8")
    imports = [sys.executable, "-c", "import pydantic, click; pydantic.BaseModel"]
    cold = in_turn(
        {
            "arbitrator judge --roll": _process(
                sys.executable, "-m", "tracker", "judge", str(file), "--roll"
            ),
            "arbitrator odds": _process(sys.executable, "-m", "tracker", "odds", str(file)),
            "python: import pydantic, click": _process(*imports),
        },
        runs=runs,
    )
    single, rapid = _setting(SINGLE), _setting(RAPID)
    process = in_turn({f"{SHOTS} shots of one Firepower die": lambda watch: _shoot(single, watch)}, runs=runs)
    per_second = SHOTS / (process[0].median / 1000)
    exact = in_turn(
        {
            "one hit of Damage 1": lambda watch: _odds(single, watch),
            "Rapid Fire (3), Damage 3": lambda watch: _odds(rapid, watch),
        },
        runs=runs,
    )
    return [
        table("An exchange judged, cold", cold, against="python: import pydantic, click"),
        table(f"Shots decided in process: {per_second:,.0f} a second", process, against=process[0].name),
        table("Exact odds in process", exact, against="one hit of Damage 1"),
    ]


def _setting(text: str) -> Setting:
    return setting_of(parse_document(text, file="exchange.yaml"))


def _shoot(setting: Setting, watch: Stopwatch) -> None:
    """The same shot again and again, each with dice of its own, from the same state."""
    _, state = begun(setting, loader.rulebook)
    command, dice = setting.exchanges[0].command, random.Random(7)

    def roll(sides: int) -> int:
        return dice.randint(1, sides)

    with watch.running():
        for _ in range(SHOTS):
            decide_keeping_spare_dice(state, command, DiceTray(roller=roll), loader.rulebook, entry=1)


def _odds(setting: Setting, watch: Stopwatch) -> None:
    with watch.running():
        odds(setting, loader.rulebook)


def _process(*command: str) -> Callable[[Stopwatch], None]:
    environment = as_a_user_has_it()

    def run(watch: Stopwatch) -> None:
        with watch.running():
            subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)

    return run
