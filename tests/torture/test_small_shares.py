"""A small share of every chapter of `make soak`: the same code, a few rounds."""

import json
from pathlib import Path

import pytest

from . import power_cut, tampering
from .chapters import CHAPTERS
from .runner import Chapter, Run, Unable, play, write_down

SEED = 20261121


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_small_share_holds(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("tests", "tests/cli"):  # for what runs in processes of its own
        monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / folder))
    chapter = CHAPTERS[name]
    try:
        run = play(chapter, seed=SEED, rounds=chapter.few, folder=tmp_path)
    except Unable as lacking:
        pytest.skip(f"this machine cannot try it: {lacking}")
    assert run.counted["rounds"] == chapter.few


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


def test_the_ledger_tells_what_was_run_and_on_which_commit(tmp_path: Path) -> None:
    run = Run(name="crash-sqlite", seed=3, rounds=2, folder=tmp_path)
    run.count("rounds", by=2)
    write_down(run, seconds=61.4, result="held", ledger=tmp_path / "ledger.jsonl")
    told = json.loads((tmp_path / "ledger.jsonl").read_text())
    assert (told["chapter"], told["seed"], told["counted"], told["seconds"]) == (
        "crash-sqlite",
        3,
        {"rounds": 2},
        61,
    )
    assert told["commit"]


def test_an_edit_that_is_not_seen_fails_the_chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def edits_nothing(*_: object) -> int:
        return 0

    monkeypatch.setattr(tampering, "EDITS", [edits_nothing])
    with pytest.raises(AssertionError, match="was not seen"):
        play(CHAPTERS["tampering"], seed=SEED, rounds=1, folder=tmp_path)


def test_the_power_cut_harness_would_catch_us_if_our_settings_lost_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power_cut, "OURS", {"journal_mode": "delete", "synchronous": "full"})
    with pytest.raises(AssertionError, match="acknowledged events lost"):
        play(CHAPTERS["power-cut"], seed=SEED, rounds=2, folder=tmp_path)
