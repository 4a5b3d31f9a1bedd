"""Whole seasons given to the wizard: it asks for what stands in the files of fixtures, and writes what they say.

An answer that it does not offer fails here, as does a die that it does not ask for. An entry with a key that it
never asks for is typed as YAML, and stands in AS_YAML.
"""

from pathlib import Path

import pytest
from by_hand import ByHand
from cli_arbitrator import ROOT, Arbitrator
from season_files import SEASONS, commands, normalized, read_file

from tracker.cli.terminal_prompter import TerminalPrompter

pytestmark = [pytest.mark.usefixtures("wide"), pytest.mark.slow]


AS_YAML = {
    "necromunda_archive": {"shoot.nearer"},
    "trench_crusade": {"injury_chart.result"},
}
"""What the wizard does not ask for, of all that a season reported: who stands nearer, results without dice, and so on."""


def tell(table: Arbitrator, monkeypatch: pytest.MonkeyPatch, line: list[str]) -> set[str]:
    """A file given to the wizard instead; gives what had to be typed as YAML."""
    hand = Path(line[2])
    said = normalized(read_file(hand))
    answers = ByHand(said)
    monkeypatch.setattr(TerminalPrompter, "say", lambda _, text="": answers.say(text))
    monkeypatch.setattr(TerminalPrompter, "ask", lambda _, prompt, **more: answers.ask(prompt, **more))
    own = hand.name
    (table.folder / own).unlink(missing_ok=True)
    words = ["battle", "play", own] if line[1] == "record" else ["battle", "post", "--wizard", own, *line[3:]]
    ran = table(*words)
    assert not answers.wrong, f"{own}: {answers.wrong}"
    assert (ran.code, ran.err) == (0, ""), ran.err
    written = read_file(table.folder / own)
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
