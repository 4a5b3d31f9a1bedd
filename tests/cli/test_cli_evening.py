"""An evening's typing: a battle of twelve exchanges with its whole aftermath, counted key by key and question by
question. `make evening` prints it.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from by_hand import Typist, keys, seconds
from cli_arbitrator import ROOT, Arbitrator, begin
from season_files import normalized, read_file

from tracker.cli.terminal_prompter import TerminalPrompter

EVENING = ROOT / "fixtures" / "evening"
SHEETS = [ROOT / "fixtures" / "gangs" / f"{gang}.yaml" for gang in ("iron-skulls", "gilded-cage")]
PARTS = {"night.yaml": ("battle", "play"), "night.after.yaml": ("battle", "post", "--wizard")}

MINUTES_MAX = 5


class Evening(NamedTuple):
    """The table where both files were typed, and what was typed for each."""

    table: Arbitrator
    typists: dict[str, Typist]


def sit_down(table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gangs before their first battle, and the table's armoury."""
    begin(table, sheets=SHEETS)
    monkeypatch.chdir(table.folder)
    monkeypatch.setenv("TRACKER_ARMOURY", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Typed once; the wizard wrote exactly what the files say."""
    table = Arbitrator(tmp_path_factory.mktemp("evening"))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(table.folder / "data"))
        sit_down(table, monkeypatch)
        return Evening(table, typists(table, monkeypatch))


def typists(table: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> dict[str, Typist]:
    found = {}
    for name, words in PARTS.items():
        said = normalized(read_file(EVENING / name))
        typist = found[name] = Typist(said)
        with monkeypatch.context() as patched:
            patched.setattr(TerminalPrompter, "say", lambda _, text="", by=typist: by.say(text))
            patched.setattr(
                TerminalPrompter, "ask", lambda _, prompt, by=typist, **more: by.ask(prompt, **more)
            )
            ran = table(*words, name)
        assert (ran.code, ran.err, typist.wrong, typist.as_yaml) == (0, "", "", set())
        assert normalized(read_file(table.folder / name)) == said
    return found


def test_battle_and_aftermath_are_typed_in_five_minutes(evening: Evening) -> None:
    found = evening.typists
    one_by_one = [line for typist in found.values() for line in typist.lines]
    strung = [line for typist in found.values() for line in typist.strung]
    for what, lines in (("question by question", one_by_one), ("answers typed ahead", strung)):
        took = seconds(lines)
        sys.stdout.write(
            f"{what}: {len(lines)} lines, {keys(lines)} keys, {int(took // 60)} min {took % 60:.0f} s\n"
        )
    assert seconds(one_by_one) <= MINUTES_MAX * 60
    assert seconds(strung) <= MINUTES_MAX * 60


@pytest.mark.parametrize("way", ["lines", "strung"])
def test_what_the_typist_typed_gives_the_same_evening(
    evening: Evening, empty: Arbitrator, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    typed = {name: getattr(typist, way) for name, typist in evening.typists.items()}
    again = empty
    sit_down(again, monkeypatch)
    for name, words in PARTS.items():
        ran = again(*words, name, stdin="".join(f"{line}\n" for line in typed[name]))
        assert (ran.code, ran.err) == (0, ""), ran.out
        assert "Recorded: entries" in ran.out
        assert _entries(again, name) == _entries(evening.table, name)


def _entries(table: Arbitrator, name: str) -> object:
    return normalized(read_file(Path(table.folder) / name))
