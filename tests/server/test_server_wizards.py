"""The wizards from afar: the same words, the same questions and answers, and the file here."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from afar import Afar
from cli_arbitrator import ROOT, Arbitrator, Ran
from served import TOKEN

from tracker.cli.session import RemoteService

Both = Callable[..., tuple[Ran, Ran]]

MARKET = str(ROOT / "fixtures" / "armoury" / "sump-market.yaml")
HEAD = ("third", "Lamps in the Gutter", "2025-03-07", "1,2", "")
HIT = ("hit krug autogun wren 4 out 4-6",)
BATTLE = (*HEAD, *HIT, "experience", "pip", "2", "held: the bridge", "end", "gilded-cage")
CARD = ("leader", "Boss", "120", "4 4+ 4+ 4 3 2 4+ 2 5+ 6+ 7+ 8+", "", "Iron Will", "")
GANG = ("Rust Dogs", "Iron Clan", "Robin", "100", "", "", "Bo", *CARD, "")


@pytest.fixture
def both(afar: Afar, table: Arbitrator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Both:
    """Hold a conversation from afar, then the same on a copy of the database as it was, with a file as it was."""
    shutil.copy(table.file, tmp_path / "before.db")
    monkeypatch.chdir(tmp_path)

    def held(*words: str, lines: tuple[str, ...], file: Path) -> tuple[Ran, Ran]:
        typed = "".join(f"{line}\n" for line in lines)
        before = file.read_text() if file.exists() else None
        there = afar(*words, stdin=typed)
        written = file.read_text()
        file.unlink()
        if before is not None:
            file.write_text(before)
        with monkeypatch.context() as signed_out:
            signed_out.delenv("TRACKER_SERVICE")
            here = table(*words, stdin=typed, db=str(tmp_path / "before.db"))
        assert file.read_text() == written
        return there, here

    return held


@pytest.mark.parametrize(
    ("words", "lines", "file", "ends"),
    [
        (("battle", "play", "night.yaml"), (*BATTLE, "y"), "night.yaml", "Recorded: entries 13 to 16."),
        (("battle", "play"), (*BATTLE, "y"), "ash-wastes-battle-3.yaml", "Recorded: entries 13 to 16."),
        (("battle", "play", "night.yaml"), (*HEAD, *HIT, "quit"), "night.yaml", "battle play night.yaml"),
        (("battle", "play", "night.yaml"), (*HEAD, "hit", "krug"), "night.yaml", "battle play night.yaml"),
        (
            ("battle", "play", "night.yaml"),
            ("?", "night", "back", "third", *HEAD[1:], "shoot nobody", "hti", *HIT, "undo", *HIT, "quit"),
            "night.yaml",
            "battle play night.yaml",
        ),
        (("battle", "play", "night.yaml"), (*BATTLE, "n"), "night.yaml", "battle play night.yaml"),
        (("battle", "play", "night.yaml"), (*BATTLE, "back", "quit"), "night.yaml", "battle play night.yaml"),
        (("gang", "new", "dogs.yaml"), (*GANG, "y"), "dogs.yaml", "Recorded: entry 13."),
        (("gang", "new", "dogs.yaml", "--armoury", MARKET), (*GANG, "n"), "dogs.yaml", "dogs.yaml"),
        (("battle", "post", "after.yaml", "--wizard"), ("quit",), "after.yaml", "battle post"),
    ],
    ids=[
        *("recorded", "without a name", "quit", "end of input", "back, undo and what is no answer", "no"),
        *("back from the end", "gang", "gang not enlisted", "aftermath"),
    ],
)
def test_a_conversation_is_the_same_there_as_here(
    both: Both, tmp_path: Path, words: tuple[str, ...], lines: tuple[str, ...], file: str, ends: str
) -> None:
    there, here = both(*words, lines=lines, file=tmp_path / file)
    assert there == here
    assert ends in there.out.splitlines()[-1]


def test_a_conversation_goes_on_with_its_file_in_another_sitting(afar: Afar, tmp_path: Path) -> None:
    file = str(tmp_path / "night.yaml")
    afar.done("battle", "play", file, stdin="\n".join((*HEAD, *HIT, "quit")))
    said = afar.done("battle", "play", "--resume", file, stdin="\n".join((*BATTLE[len(HEAD) + 1 :], "y"))).out
    assert "Going on with" in said
    assert "Recorded: entries 13 to 16." in said
    assert "nothing new was written" in afar.done("battle", "record", file).out


def test_a_lost_answer_to_the_yes_is_asked_for_again_and_recorded_once(
    afar: Afar, table: Arbitrator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lost: list[str] = []

    def flaky(service: RemoteService, path: str, body: bytes | None) -> tuple[int, Any]:
        answer = afar.connected(service, path, body)
        talk = json.loads(body or b"{}").get("talk") or {}
        if talk.get("record") and not lost:
            lost.append(path)
            raise OSError("the connection broke")
        return answer

    monkeypatch.setattr("tracker.cli.remote.connected", flaky)
    monkeypatch.setattr("tracker.cli.remote.time.sleep", lambda _: None)
    for words, lines, entries in (
        (("battle", "play", str(tmp_path / "night.yaml")), BATTLE, "Recorded: entries 13 to 16."),
        (("gang", "new", str(tmp_path / "dogs.yaml")), GANG, "Recorded: entry 17."),
    ):
        lost.clear()
        assert entries in afar.done(*words, stdin="\n".join((*lines, "y"))).out
        assert lost
    assert (len(table.read("battle", "list")["battles"]), len(table.read("gang", "list")["gangs"])) == (3, 4)


def test_nothing_is_recorded_in_the_middle_of_a_conversation(afar: Afar, table: Arbitrator) -> None:
    before = table.contents()
    talk = {"lines": [*BATTLE, "y"]}
    request = {"command": "battle play", "words": [], "campaign": "ash-wastes", "talk": talk}
    answer = afar.client.post("/v1/command-line", json=request, headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.json()["talked"]["records"]
    assert table.contents() == before


def test_a_die_that_the_wizard_rolls_stays_as_it_fell(afar: Afar, tmp_path: Path) -> None:
    """Every line goes along each time, and a die must not fall again with the next."""
    file = tmp_path / "night.yaml"
    afar.done(
        "battle", "play", str(file), stdin="\n".join((*HEAD, "hit krug autogun wren 4 out", "r", "quit"))
    )
    shown = file.read_text()
    assert "rolled:" in shown
    said = afar.done("battle", "play", str(file), stdin="quit\n").out
    assert "Going on with" in said
    assert file.read_text() == shown


@pytest.mark.parametrize("command", ["roster show", "battle record", "db backup"])
def test_only_a_wizard_holds_a_conversation(afar: Afar, command: str) -> None:
    request = {"command": command, "words": ["--", "x"], "campaign": "ash-wastes", "talk": {}}
    answer = afar.client.post("/v1/command-line", json=request, headers={"Authorization": f"Bearer {TOKEN}"})
    assert "does not run remotely" in answer.json()["misused"]
