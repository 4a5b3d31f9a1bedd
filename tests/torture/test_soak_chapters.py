"""A small share of every chapter of `make soak`: the same code, a few rounds."""

import json
from argparse import Namespace
from pathlib import Path

import pytest
from command_lines import COMMANDS
from sqlite_holes import hole

from . import club, crashes, power_cut, tampering
from .__main__ import _played, result_lines
from .chapters import CHAPTERS
from .races import Answer, nothing_overtook
from .runner import Chapter, Run, Unable, play, played_to_the_end, write_down
from .writing import ELSEWHERE, READING, WRITING

SEED = 20261121


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, chapter in CHAPTERS.items() if chapter.few])
def test_every_chapter_of_the_soak_holds_for_a_few_rounds(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("tests", "tests/cli", "tests/server"):  # for what runs in processes of its own
        monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / folder))
    chapter = CHAPTERS[name]
    try:
        run = play(chapter, seed=SEED, rounds=chapter.few, folder=tmp_path)
    except Unable as lacking:
        pytest.skip(f"this machine cannot try it: {lacking}")
    assert run.counted["rounds"] == chapter.few


@pytest.mark.slow
def test_a_chapter_of_the_soak_is_played_in_another_process_however_it_is_declared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for folder in ("tests", "tests/cli", "tests/server"):
        monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / folder))
    arguments = Namespace(workers=1, rounds=1, first=0, budget=1)
    (ended,) = _played([CHAPTERS["extremes"]], arguments, SEED)
    assert (ended.result, ended.run.counted["rounds"]) == ("held", 1)


def test_a_round_is_named_so_that_it_can_be_played_again(tmp_path: Path) -> None:
    seen: list[float] = []

    def third_breaks(run: Run) -> None:
        for dice in run.each_round():
            seen.append(dice.random())
            assert run.at != 2, "broken"

    chapter = Chapter("third", "breaks in its third round", third_breaks, few=5, many=5)
    with pytest.raises(AssertionError) as caught:
        play(chapter, seed=7, rounds=5, folder=tmp_path)
    assert caught.value.__notes__ == ["again: make soak SOAK_ARGS='third --seed 7 --first 2 --rounds 1'"]
    with pytest.raises(AssertionError):
        play(chapter, seed=7, rounds=1, first=2, folder=tmp_path)
    assert seen[-1] == seen[2], "the same round has the same dice"


def test_a_failed_chapter_is_shown_and_stands_in_the_ledger_with_what_it_had_counted(tmp_path: Path) -> None:
    def third_breaks(run: Run) -> None:
        for _ in run.each_round():
            run.count("tries")
            assert run.at != 2, "broken"

    chapter = Chapter("tampering", "breaks in its third round", third_breaks, few=5, many=5)
    ended = played_to_the_end(chapter, 7, 5, 0, None)
    assert "AssertionError: broken" in ended.failed
    assert "--seed 7 --first 2 --rounds 1" in ended.failed
    write_down(ended.run, wanted=5, seconds=1, result=ended.result, ledger=tmp_path / "ledger.jsonl")
    line = json.loads((tmp_path / "ledger.jsonl").read_text())
    assert (line["result"], line["counted"]) == ("failed", {"rounds": 2, "tries": 3})
    printed = result_lines(ended, 5)
    assert printed.startswith("tampering       failed")
    assert "2 of 5 rounds" in printed


def test_cells_are_not_run_where_there_is_no_etcd_and_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _program: None)
    with pytest.raises(Unable, match="apt-get install etcd-server"):
        play(CHAPTERS["cells"], seed=SEED, rounds=1, folder=tmp_path)


def test_every_command_that_writes_is_one_that_faults_are_tried_on() -> None:
    known = {asked.words[: len(path)] for asked in WRITING for path, _ in COMMANDS} & {
        path for path, _ in COMMANDS
    }
    assert known | READING | {*ELSEWHERE} == {path for path, _ in COMMANDS}
    assert not known & (READING | {*ELSEWHERE})


def test_the_ledger_tells_what_was_run_and_on_which_commit(tmp_path: Path) -> None:
    run = Run(name="crash-sqlite", seed=3, rounds=2, folder=tmp_path)
    run.count("rounds", by=2)
    write_down(run, wanted=9, seconds=61.4, result="held", ledger=tmp_path / "ledger.jsonl")
    data = json.loads((tmp_path / "ledger.jsonl").read_text())
    assert (data["chapter"], data["seed"], data["counted"], data["seconds"]) == (
        "crash-sqlite",
        3,
        {"rounds": 2},
        61,
    )
    assert data["commit"]


def test_a_part_of_the_log_that_is_given_for_the_whole_fails_the_chapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.log.store.refuse_partial_entry", lambda *_: None)
    monkeypatch.setattr("torture.holes._hole", lambda file, *_: hole(file, "sqlite_autoindex_events_1", "1"))
    with pytest.raises(AssertionError, match="given for the whole"):
        play(CHAPTERS["holes-sqlite"], seed=SEED, rounds=1, folder=tmp_path)


def test_an_entry_that_a_stranger_swallowed_fails_the_chapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.log.appending._refuse_different", lambda *_: None)
    monkeypatch.setattr("tracker.log.prepared_statements._SentRows.refuse_fewer", lambda _: None)
    swallowing = "CREATE TRIGGER stranger BEFORE INSERT ON commands BEGIN SELECT RAISE(IGNORE); END"
    monkeypatch.setattr("torture.strangers.ON_SQLITE", {"swallows": [swallowing]})
    with pytest.raises(AssertionError):
        play(CHAPTERS["strangers-sqlite"], seed=SEED, rounds=3, folder=tmp_path)


def test_an_edit_that_is_not_seen_fails_the_chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def edits_nothing(*_: object) -> int:
        return 0

    monkeypatch.setattr(tampering, "EDITS", [edits_nothing])
    with pytest.raises(AssertionError, match="was not seen"):
        play(CHAPTERS["tampering"], seed=SEED, rounds=1, folder=tmp_path)


APPENDS = [Answer("append", 10, 20, 4), Answer("append", 30, 40, 5), Answer("append", 35, 60, 6)]
LEAVES = {3: "c", 4: "d", 5: "e", 6: "f"}


@pytest.mark.parametrize(
    ("reads", "why"),
    [
        ([Answer("log", 21, 22, 3, "c")], "stale"),
        ([Answer("board", 41, 42, 4)], "stale"),
        ([Answer("log", 21, 29, 5, "e")], "not begun"),
        ([Answer("log", 41, 42, 5, "d")], "no beginning"),
        ([Answer("log", 36, 37, 6, "f"), Answer("log", 38, 39, 4, "d")], "not there again"),
    ],
)
def test_a_reader_who_is_shown_what_was_not_so_fails_the_race(reads: list[Answer], why: str) -> None:
    nothing_overtook(APPENDS, [Answer("log", 36, 37, 4, "d"), Answer("log", 41, 42, 6, "f")], 3, LEAVES)
    with pytest.raises(AssertionError, match=why):
        nothing_overtook(APPENDS, reads, 3, LEAVES)


def test_an_entry_that_overtook_another_fails_the_race() -> None:
    with pytest.raises(AssertionError, match="overtook"):
        nothing_overtook([Answer("append", 10, 20, 5), Answer("append", 30, 40, 4)], [], 3, LEAVES)


@pytest.mark.parametrize(("line", "why"), [("key-9 99", "entry 99"), ("key-9 2", "the key key-9")])
def test_an_acknowledged_entry_that_is_not_there_fails_the_crash(tmp_path: Path, line: str, why: str) -> None:
    with club.opened(club.sqlite(tmp_path / "club.db")) as tracker:
        campaign = club.begin(tracker)
        crashes.nothing_is_lost(tracker, campaign, ["gang:skulls 2"])
        with pytest.raises(AssertionError, match=f"acknowledged and lost: .*{why}"):
            crashes.nothing_is_lost(tracker, campaign, [line])


def test_the_power_cut_harness_would_catch_us_if_our_settings_lost_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power_cut, "OURS", {"journal_mode": "delete", "synchronous": "full"})
    with pytest.raises(AssertionError, match="acknowledged events lost"):
        play(CHAPTERS["power-cut"], seed=SEED, rounds=2, folder=tmp_path)
