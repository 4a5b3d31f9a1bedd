"""Whole seasons given to the wizard: it asks for what stands in the files of fixtures, and writes what they say.

An answer that it does not offer fails here, as does a die that it does not ask for. An entry with a key that it
never asks for is typed as YAML, and stands in AS_YAML.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import ROOT, Arbitrator
from test_seasons import SEASONS, commands

from tracker.cli.prompter import Prompter, Quit
from tracker.documents.wizard import writing
from tracker.documents.wizard.forms import battle_forms, post_battle_forms
from tracker.documents.wizard.prompts import prompts_of
from tracker.documents.yaml_reader import read_document

KEY = re.compile(r"\((\w+)(?:, Enter[^)]*)?\)(?: \(with commas, or all\))?$")
DIE = re.compile(r"\((\w+)\).*; r rolls it here$")
REFUSED = re.compile(r"is none of these|not open now|Answer again|^  Type |Dropped|type it as YAML")
FORMS = {"battle-report/1": battle_forms(), "post-battle/1": post_battle_forms()}
AS_YAML = {
    "necromunda_archive": {"shoot.nearer"},
    "trench_crusade": {"injury_chart.result", "injury_chart.spend_blessings"},
}
"""What the wizard does not ask for, of all that a season reported: who stands nearer, results without dice, and so on."""


class ByHand:
    """Answers every question of the wizard out of a file that was written by hand."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.forms = FORMS[said["format"]]
        self.left = list(said.get("entries", []))
        self.stated: dict[str, Any] = {}
        self.counts: list[int] = []
        self.parts: dict[str, Any] = {}
        self.dice: dict[str, list[Any]] = listed(said.get("opening", {}).get("dice", {}))
        self.offered = ""
        self.as_yaml: set[str] = set()
        self.wrong = ""
        self.said_last = ""

    def say(self, text: str = "") -> None:
        before, self.said_last = self.said_last, text
        if REFUSED.search(text) and not self.wrong:
            self.wrong = f"{before}\n{text}\nwhere this was stated: {self.stated}, dice left: {self.dice}"
        if text.startswith("  1 "):
            self.offered = text
        elif (key := KEY.search(text)) and isinstance(self.stated.get(key[1]), dict):
            self.parts = self.stated[key[1]]  # what stands under it is asked for, key by key

    def ask(self, prompt: str, *, default: str = "", more: str = "") -> str:  # noqa: ARG002
        try:
            if not self.wrong:
                return self.answer(prompt)
        except (KeyError, IndexError, StopIteration) as error:
            self.wrong = f"{prompt}: {error!r}\nwhere this was stated: {self.stated}, dice left: {self.dice}"
        raise Quit

    def answer(self, prompt: str) -> str:
        if prompt.startswith(("What happened", "What is done")):
            return self.menu(prompt)
        if die := DIE.search(prompt):
            return str(self.dice[die[1]].pop(0))
        if prompt.startswith("  How many for"):
            return str(self.counts.pop(0))
        if (key := KEY.search(prompt)) and prompt.startswith("  "):
            listed = {**self.stated, **self.parts}.get(key[1])
            self.counts = [*listed.values()] if isinstance(listed, dict) else []
            return as_typed(listed)
        return self.head(prompt)

    def menu(self, prompt: str) -> str:
        if not self.left:
            self.dice = listed(self.said.get("wrap_up", {}).get("dice", {}))
            return "end"
        entry = self.left[0]
        kind = next(key for key in entry if key in self.forms)
        form, lines = self.forms[kind], entry[kind]
        asked = {one.key for one in prompts_of(form)}
        unasked = {*lines} - asked | {key for key in entry if key not in (kind, "dice")}
        unasked |= {key for key, value in lines.items() if isinstance(value, dict) and key == "weapon"}
        if unasked:
            self.as_yaml |= {f"{kind}.{key}" for key in unasked}
            del self.left[0]
            return f"other: {writing.flow(entry)}"
        if kind not in self.offered.split() and "next" in prompt:
            return "next"
        del self.left[0]
        self.stated, self.parts, self.dice = lines, {}, listed(entry.get("dice", {}))
        return kind

    def head(self, prompt: str) -> str:
        gangs = self.said.get("gangs")
        crews = gangs if isinstance(gangs, dict) else dict.fromkeys(gangs or (), "all")
        result = self.said.get("result", {})
        answers: dict[str, Callable[[], str]] = {
            "The battle's id": lambda: self.said["battle"],
            "Which scenario": lambda: self.said["scenario"],
            "The day": lambda: self.said["date"],
            "Which gangs fight": lambda: ", ".join(crews),
            "Who fights for": lambda: as_typed(crews[next(iter(self.crews_asked(crews)))]),
            "After which battle": lambda: self.said["battle"],
            "For which gang": lambda: self.said.get("gang", "every-gang"),
            "Who won": lambda: result.get("winner", "draw"),
            "Record it": lambda: "yes",
        }
        return next(answer() for start, answer in answers.items() if prompt.startswith(start))

    def crews_asked(self, crews: dict[str, Any]) -> Iterator[str]:
        self.crews_left = getattr(self, "crews_left", [*crews])
        yield self.crews_left.pop(0)


def listed(dice: dict[str, Any]) -> dict[str, list[Any]]:
    """Dice by purpose, each purpose a list of its own."""
    return {name: [*faces] if isinstance(faces, list) else [faces] for name, faces in dice.items()}


def as_typed(entries: Any) -> str:
    if entries is None:
        return ""
    if isinstance(entries, bool):
        return "yes" if entries else "no"
    return ", ".join(str(entry) for entry in entries) if isinstance(entries, list | dict) else str(entries)


def plain(file: Path) -> dict[str, Any]:
    said = read_document(file).root.plain()
    assert isinstance(said, dict)
    return said


def in_one_way(said: dict[str, Any]) -> dict[str, Any]:
    """A file with everything that has two ways of being written in one of them."""
    tidy = {key: value for key, value in said.items() if key != "recorded_by"}
    if isinstance(tidy.get("gangs"), dict) and set(map(str, tidy["gangs"].values())) == {"all"}:
        tidy["gangs"] = [*tidy["gangs"]]
    entries = []
    for entry in said.get("entries", []):
        kind = next(iter(entry))
        lines, dice = dict(entry[kind]), dict(entry.get("dice", {}))
        if kind == "out_of_action" and "lasting_injury" in lines:
            dice["lasting_injury"] = lines.pop("lasting_injury")
        entries.append({**entry, kind: lines, **({"dice": listed(dice)} if dice else {})})
    for key in ("opening", "wrap_up"):
        if key in tidy:
            tidy[key] = {"dice": listed(tidy[key]["dice"])}
    return {**tidy, "entries": entries}


def tell(table: Arbitrator, monkeypatch: pytest.MonkeyPatch, line: list[str]) -> set[str]:
    """A file given to the wizard instead; gives what had to be typed as YAML."""
    hand = Path(line[2])
    said = in_one_way(plain(hand))
    answers = ByHand(said)
    monkeypatch.setattr(Prompter, "say", lambda _, text="": answers.say(text))
    monkeypatch.setattr(Prompter, "ask", lambda _, prompt, **more: answers.ask(prompt, **more))
    own = hand.name
    (table.folder / own).unlink(missing_ok=True)
    words = ["battle", "play", own] if line[1] == "record" else ["battle", "post", "--wizard", own, *line[3:]]
    ran = table(*words)
    assert not answers.wrong, f"{own}: {answers.wrong}"
    assert (ran.code, ran.err) == (0, ""), ran.err
    written = plain(table.folder / own)
    written.setdefault("entries", [])
    for wrote, hand_wrote in zip(written.pop("entries"), said.pop("entries"), strict=True):
        assert wrote == hand_wrote
    assert written == {key: value for key, value in said.items() if key != "campaign"}
    return answers.as_yaml


@pytest.mark.parametrize("book", ["necromunda_2023", "necromunda_archive"])
def test_a_whole_season_is_shown_to_the_wizard(
    book: str, empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SEASONS / book
    monkeypatch.chdir(empty.folder)
    monkeypatch.setenv("TRACKER_ARMOURY", str(folder / "armoury.yaml"))
    as_yaml: set[str] = set()
    for line in commands(folder):
        if line[0] == "battle":
            as_yaml |= tell(empty, monkeypatch, line)
        else:
            empty.done(*line)
    assert as_yaml == AS_YAML.get(book, set())


def test_a_season_of_warbands_is_shown_to_the_wizard(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ROOT / "fixtures" / "trench-season"
    monkeypatch.chdir(empty.folder)
    monkeypatch.setenv("TRACKER_ARMOURY", str(folder / "armoury.yaml"))
    empty.done("campaign", "new", "Mud and Lanterns", "--ruleset", "trench_crusade")
    for sheet in ("iron-procession", "black-vigil"):
        empty.done("gang", "add", str(folder / f"{sheet}.yaml"))
    as_yaml: set[str] = set()
    for battle in ("01-crater", "02-mill", "03-ford"):
        as_yaml |= tell(empty, monkeypatch, ["battle", "record", str(folder / f"{battle}.yaml")])
        as_yaml |= tell(empty, monkeypatch, ["battle", "post", str(folder / f"{battle}.after.yaml")])
    assert as_yaml == AS_YAML["trench_crusade"]
