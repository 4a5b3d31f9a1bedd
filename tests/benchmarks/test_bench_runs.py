"""Every benchmark runs, at a tiny size, and prints what it promises. How long anything takes is not asked."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench.measuring import Figure, table
from bench.season import Season, open_tracker

TITLES = {
    "append": "Append one decision of ten events",
    "rebuild": "Rebuild all boards",
    "cold": "A cold roster",
    "growth": "One append at the end of a campaign",
    "judge": "An exchange judged, cold",
}


@pytest.mark.slow
@pytest.mark.parametrize("part", bench.PARTS)
def test_a_part_runs_and_prints_its_figures_and_ratios(
    part: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    bench.main([part, "--runs", "1", "--sizes", "70,90,110", "--folder", str(folder)])

    told = capsys.readouterr().out
    assert all(word in told for word in ("Machine", "Python", "SQLite", "sqlalchemy", TITLES[part]))
    assert re.search(r"\d ms .* 1\.00$", told, re.MULTILINE)
    assert list(folder.iterdir()) == []


def test_figures_are_told_with_fastest_median_slowest_and_ratio() -> None:
    figures = [
        Figure(name="ours", runs_ms=(4.0, 2.0, 6.0)),
        Figure(name="theirs", runs_ms=(1.0, 2000.0, 2.0)),
    ]
    assert table("Title", figures, against="theirs").splitlines() == [
        "Title",
        "                 min      median         max   ratio",
        "  ours       2.00 ms     4.00 ms     6.00 ms    2.00",
        "  theirs     1.00 ms     2.00 ms      2.00 s    1.00",
    ]


@pytest.fixture
def seasons(tmp_path: Path) -> Iterator[tuple[Season, Season]]:
    pair = (Season(open_tracker(tmp_path / "one.db")), Season(open_tracker(tmp_path / "other.db")))
    yield pair
    for one in pair:
        one.tracker.close()


def test_a_season_of_one_length_is_the_same_to_the_last_byte(seasons: tuple[Season, Season]) -> None:
    for one in seasons:
        one.grow(300)
    heads = {one.tracker.store.head(one.campaign) for one in seasons}
    assert len(heads) == 1
    assert seasons[0].events >= 300


@pytest.mark.parametrize("words", [["sprint"], ["--sizes", "9,8,7"], ["--sizes", "1"], ["--runs", "0"]])
def test_what_cannot_be_measured_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(words)
