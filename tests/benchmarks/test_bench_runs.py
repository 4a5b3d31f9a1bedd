"""Every benchmark runs, at a tiny size, and prints what it promises. How long anything takes is not asked."""

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import forked
import msgspec
import pytest

from bench import __main__ as bench
from bench import (
    appending,
    everywhere,
    fair_peer,
    growing,
    judging,
    measuring,
    memory,
    pages,
    peers,
    proofs,
    results,
    service,
    writers,
)
from bench.grown import Grown, KeptCampaigns, grown_by
from bench.measuring import Bar, Figure, Stopwatch, in_turn, table
from bench.season import Season, hits_of_ten_events, open_tracker
from tracker.log.database import reading
from tracker.projections import queries

TITLES = {
    "peers": "One decision of ten events, PostgreSQL",
    "report": "A battle report of 100 decisions",
    "writers": "Eight writers, PostgreSQL",
    "replay": "events replayed, PostgreSQL",
    "rebuild": "Rebuild all boards",
    "as-of": "The state as of a point",
    "rulings": "Preview of a ruling at depth",
    "growth": "One append at the end of a campaign",
    "campaigns": "One append, among other campaigns",
    "cells": "moved between two SQLite files",
    "everywhere": "decided again with",
    "memory": "Peak memory",
    "cold": "A cold roster",
    "judge": "An exchange judged, cold",
    "replica": "Read after write, through a replica",
    "proofs": "A bundle of",
    "pages": "10 pages of",
    "service": "The JSON of a roster",
    "sizes": "events on disk",
}


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grown]:
    """The campaigns and the server that all parts of one run work on."""
    folder = tmp_path_factory.mktemp("grown")
    grown = Grown(folder, sizes=(70, 90, 110), crowds=(1, 3), report=lambda _: None)
    yield grown
    grown.close()


def forked_anew(program: str, *words: str) -> str:
    """The same from a fork, which has everything imported: eleven starts take longer than what they measure."""
    done = forked.program(program, words, os.environ).ended()
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("part", [part for part in bench.PARTS if part not in bench.BY_NAME])
def test_a_part_runs_prints_its_figures_and_keeps_them(
    part: str,
    grown: Grown,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench, "Grown", lambda *_, **__: grown)
    monkeypatch.setattr(grown, "close", lambda: None)
    folder = tmp_path / "disk"
    folder.mkdir()
    monkeypatch.setattr(appending, "DECISIONS", 3)
    monkeypatch.setattr(growing, "PREVIEWS", 1)
    monkeypatch.setattr(judging, "SHOTS", 20)
    # tests/analytics has Java at work for the same.
    monkeypatch.setattr(everywhere, "IS_THERE", False)
    monkeypatch.setattr(pages, "BROWSED", ())
    monkeypatch.setattr(proofs, "DECISIONS_A_RUN", 3)
    monkeypatch.setattr(proofs, "BROWSERS", proofs.BROWSERS[::-1])  # without windows it opens sooner
    monkeypatch.setattr(memory, "anew", forked_anew)
    monkeypatch.setattr(service, "SETTLED_SECONDS", 0.1)
    for name, few in (
        ("REQUESTS", 200), ("APPENDS", 1), ("LISTENERS", 3), ("HEARD", 2), ("WRITERS", 2), ("WORKERS", 1),
    ):  # fmt: skip
        monkeypatch.setattr(service, name, few)
    monkeypatch.setattr(writers, "WRITERS", 2)
    monkeypatch.setattr(writers, "APPENDS", 2)
    where = ["--folder", str(folder), "--results", str(tmp_path / "results")]
    bench.main([part, "--runs", "1", "--sizes", "70,90,110", "--crowds", "1,3", *where])

    output = capsys.readouterr().out
    assert all(word in output for word in ("Machine", "Python", "SQLite", "sqlalchemy", TITLES[part]))
    assert re.search(r"^ +1\.00  .* (ms|µs|s|MB)$", output, re.MULTILINE)
    assert list(folder.iterdir()) == []
    (kept,) = results.kept(tmp_path / "results")
    assert (kept["part"], kept["mode"]) == (part, "quick")
    assert f"({part}: {kept['seconds']} s)" in output
    assert f"### {part}" in results.summary(tmp_path / "results")
    if part in {"peers", "replay"} and not peers.AVAILABLE:
        assert peers.MISSING in output
        pytest.skip(f"measured without the peer: {peers.MISSING}")


def test_the_page_says_what_the_kept_figures_say() -> None:
    page = results.PAGE.read_text(encoding="utf-8")
    text = page.partition(results.BEGIN)[2].partition(results.END)[0]
    assert text.strip() == results.summary(results.FOLDER).strip()


OURS = Figure(name="ours", runs=(4.0, 2.0, 6.0))
THEIRS = Figure(name="theirs", runs=(1.0, 2000.0, 2.0))
WRITTEN, DECIDED = Figure(name="written", runs=(0.5,)), Figure(name="decided", runs=(1.0,))


def test_figures_are_shown_with_ratio_fastest_median_slowest_and_bars() -> None:
    bars = [Bar(of="ours", against="theirs", at_most=2.0), Bar(of="ours", against="theirs", at_most=1.6)]
    assert str(table("Title", [OURS, THEIRS], against="theirs", bars=bars)).splitlines() == [
        "Title",
        "   ratio                 min      median         max",
        "    2.00  ours       2.00 ms     4.00 ms     6.00 ms",
        "    1.00  theirs     1.00 ms     2.00 ms      2.00 s",
        "  bar: ours / theirs: 2.00, at most 2.00: met",
        "  bar: ours / theirs: 2.00, at most 1.60: NOT met, by 25%",
    ]


def test_a_kept_figure_comes_back_as_it_was_the_full_one_beside_the_quick(tmp_path: Path) -> None:
    quick = table("Quick", [OURS, THEIRS], against="theirs")
    bar = Bar(of="ours", against="theirs", at_most=1.6, floor=("written", "decided"))
    full = table("Full", [OURS, THEIRS, WRITTEN, DECIDED], against="theirs", bars=[bar])
    assert "NOT met, by 25% (floor 0.75)" in str(full)
    for mode, figures in (("quick", quick), ("full", full)):
        results.keep(tmp_path, "peers", mode, {"Machine": "one"}, [figures], seconds=61.4)
    listed = results.summary(tmp_path)
    assert listed.index("### peers, full") < listed.index("**Full**") < listed.index("**Quick**")
    assert "| Full: ours | theirs | 2.00 | 1.60 | 0.75 | **missed by 25%** |" in listed
    assert "| 1.00 | theirs | 1.00 ms | 2.00 ms | 2.00 s |" in listed
    assert ", quick, measured in 61 s. Machine: one." in listed


def test_what_takes_long_is_run_three_times_with_all_that_it_is_compared_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gc.collect", int)  # nothing is timed

    def taking(seconds: float) -> Callable[[Stopwatch], None]:
        def run(watch: Stopwatch) -> None:
            watch.seconds, watch.spans = watch.seconds + seconds, watch.spans + 1

        return run

    slow, fast = in_turn({"slow": taking(2.0), "fast": taking(1.9)}, runs=5)
    assert slow.runs == (2000.0,) * 3
    assert fast.runs == (1900.0,) * 3, "a round is whole: what one did, another may repeat"
    assert in_turn({"fast": taking(1.9)}, runs=5)[0].runs == (1900.0,) * 5
    assert len(in_turn({"slow": taking(2.0)}, runs=2)[0].runs) == 2


def test_processor_time_leaves_out_what_somebody_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_now", measuring._now)
    watches = Stopwatch(), Stopwatch()
    for watch in watches:
        with watch.running():
            time.sleep(0.05)
        measuring.count_processor_time()
    assert watches[0].seconds >= 0.05 > watches[1].seconds


@pytest.fixture
def seasons(tmp_path: Path) -> Iterator[tuple[Season, Season]]:
    pair = (Season(open_tracker(tmp_path / "one.db")), Season(open_tracker(tmp_path / "other.db")))
    yield pair
    for season in pair:
        season.tracker.close()


def test_a_season_of_one_length_is_the_same_to_the_last_byte(seasons: tuple[Season, Season]) -> None:
    for season in seasons:
        season.grow(300)
    heads = {season.tracker.repository.store.head(season.campaign) for season in seasons}
    assert len(heads) == 1
    assert seasons[0].events >= 300


def test_a_long_campaign_is_grown_once_by_one_code_and_found_by_later_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, said = KeptCampaigns(tmp_path / "kept", events_min=90), list[str]()

    def grown_files(name: str) -> list[bytes]:
        (tmp_path / name).mkdir()
        grown = Grown(tmp_path / name, sizes=(70, 90, 110), kept=kept, report=said.append)
        seasons = [grown.season(events) for events in (70, 90)]
        heads = [season.tracker.repository.store.head(season.campaign) for season in seasons]
        grown.close()
        assert [head.size >= events for head, events in zip(heads, (70, 90), strict=True)] == [True, True]
        return [grown.file(events).read_bytes() for events in (70, 90)]

    def sources() -> list[str]:
        return sorted(str(file.relative_to(tmp_path / "kept")) for file in tmp_path.glob("kept/*/*"))

    assert grown_files("first") == grown_files("second")
    assert ["kept by" in line for line in said] == [False, False, False, True]
    assert sources() == [f"{grown_by()}/90.db"]
    monkeypatch.setattr("bench.grown.grown_by", lambda: "another")
    grown_files("third")
    assert "grown in" in said[-1]
    assert sources() == ["another/90.db"]


def test_the_fair_peer_decides_the_hit_that_is_measured_and_tells_as_much_of_it(tmp_path: Path) -> None:
    season = Season(open_tracker(tmp_path / "hit.db"))
    season.grow(20)
    (played,) = season.tracker.commands.play(
        season.campaign, [next(hits_of_ten_events(season.tracker, season.campaign))]
    ).entries
    command = played[0].event.command
    with reading(season.tracker.engine) as connection:
        cards = {row["fighter"]: row for row in queries.roster(connection, season.campaign)}
    ours = [
        peers.payload_of(stored.body)
        for stored in season.tracker.repository.store.read_entry(season.campaign, played[0].entry)
    ]
    season.tracker.close()
    hit = fair_peer.decided(cards[command.attacker], cards[command.target], [6, 1, 3, 1])
    assert [kind for kind, _ in hit] == [type(event.event).__name__ for event in played]
    decoded = [msgspec.json.decode(payload) for payload in ours]
    for (_, said), its in zip(hit[1:], decoded[1:], strict=True):
        assert said.keys() == its.keys()
    length = sum(len(msgspec.json.encode(said)) for _, said in hit)
    assert 0.85 < length / sum(map(len, ours)) < 1.15


def test_what_waits_for_browsers_services_or_elections_is_measured_where_somebody_names_it() -> None:
    assert bench.PARTS.keys() >= bench.BY_NAME
    assert bench.BY_NAME.isdisjoint(bench.read_arguments([]).parts)
    assert bench.read_arguments(["failover"]).parts == ("failover",)
    assert bench.read_arguments(["--full"]).parts == (*bench.PARTS,)


@pytest.mark.parametrize(
    "words", [["sprint"], ["--sizes", "9,8,7"], ["--sizes", "1"], ["--runs", "0"], ["--sizes", "1,2,3,4,5"]]
)
def test_what_cannot_be_measured_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(words)
