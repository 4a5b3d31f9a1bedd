"""Statistics over all campaigns: every die that counts once, p for the number of tests, nobody accused."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import ROOT, Arbitrator
from cli_reports import report

from tracker.analytics import statistics
from tracker.rules import fairness


def stats(table: Arbitrator, folder: Path, *options: str) -> dict[str, Any]:
    table.done("host", "export", "--parquet", str(folder), *options)
    return table.read("host", "stats", str(folder), "--at-least", "1")


def faces(found: dict[str, Any], by: str, what: str) -> dict[str, dict[str, int]]:
    return {row["die"]: row["counts"] for row in found["dice"] if (row["by"], row["what"]) == (by, what)}


def test_the_dice_are_those_that_the_audit_of_one_campaign_counts(season: Arbitrator, tmp_path: Path) -> None:
    audited: dict[tuple[str, str], int] = {}
    for row in season.read("audit", "dice")["fairness"]:
        audited[row["who"], row["die"]] = audited.get((row["who"], row["die"]), 0) + row["faces"]
    found = stats(season, tmp_path / "all", "--names")
    counted = {
        (row["what"], row["die"]): row["faces"]
        for row in found["dice"]
        if row["by"] == "player" and row["faces"]
    }
    assert counted == audited


def test_each_family_holds_every_die(season: Arbitrator, tmp_path: Path) -> None:
    found = stats(season, tmp_path / "all")
    totals = {
        by: sum(row["faces"] for row in found["dice"] if row["by"] == by)
        for by in ("purpose", "source", "player", "campaign")
    }
    assert len(set(totals.values())) == 1
    assert totals["campaign"] > 0
    people = {row["what"] for row in found["dice"] if row["by"] == "player"} - {statistics.TOOL}
    assert people
    assert all(re.fullmatch(r"player-\d+ of Ash Wastes", person) for person in people)


def test_p_is_corrected_for_the_number_of_all_tests(season: Arbitrator, tmp_path: Path) -> None:
    rows = stats(season, tmp_path / "all")["dice"]
    tested = [row for row in rows if row["p"] is not None]
    for row in tested:
        counts, weights = tuple(row["counts"].values()), tuple(row["weights"].values())
        assert row["p"] == pytest.approx(fairness.p_value(counts, weights))
    assert [row["p_holm"] for row in tested] == pytest.approx(fairness.holm([row["p"] for row in tested]))


def test_dice_that_fall_on_one_face_are_worth_a_look_and_few_are_too_few(
    arbitrator: Arbitrator, tmp_path: Path
) -> None:
    hit = "hit: {attacker: hob, weapon: autogun, target: quill}\n    dice: {wound: [1]}"
    arbitrator.record(report("b1", *[hit] * 30))
    folder = tmp_path / "all"
    arbitrator.done("host", "export", "--parquet", str(folder))
    few = arbitrator.read("host", "stats", str(folder))["dice"]
    assert {row["test"] for row in few} == {"too few to tell"}
    many = arbitrator.read("host", "stats", str(folder), "--at-least", "30")["dice"]
    (wounds,) = [row for row in many if (row["by"], row["what"]) == ("purpose", "wound")]
    assert (wounds["faces"], wounds["counts"]["1"], wounds["test"]) == (30, 30, "worth a look")
    assert "cheat" not in arbitrator.done("host", "stats", str(folder)).out


def test_what_a_ruling_replaced_is_counted_no_more(season: Arbitrator, tmp_path: Path) -> None:
    before = stats(season, tmp_path / "before")
    head = season.head["events"]
    season.done(
        "rollback",
        "rule",
        "--battle",
        "b2",
        "--reason",
        "played by the wrong rules",
        "--expect-head",
        str(head),
    )
    after = stats(season, tmp_path / "after")
    suffered = [{row["injury"]: row["suffered"] for row in found["injuries"]} for found in (before, after)]
    assert sum(suffered[1].values()) < sum(suffered[0].values())
    assert after["battles"] == before["battles"] - 1
    assert sum(row["faces"] for row in after["dice"]) < sum(row["faces"] for row in before["dice"])


def test_injuries_survival_and_house_rules_are_those_of_the_campaigns(
    season: Arbitrator, tmp_path: Path
) -> None:
    season.done("fighter", "retire", "pip", "--reason", "gone")
    season.done("policy", "adopt", "one-lasting-injury-roll", "--from-battle", "3", "--reason", "vote")
    found = stats(season, tmp_path / "all")
    rows = season.roster().values()
    assert sum(row["suffered"] for row in found["injuries"]) >= sum(len(row["injuries"]) for row in rows)
    by_category = {row["category"]: row for row in found["survival"]}
    for category, counted in by_category.items():
        own = [row for row in rows if row["category"] == category]
        assert counted["enlisted"] == len(own)
        assert counted["died"] == sum(row["standing"] == "dead" for row in own)
        assert counted["retired"] == sum(row["standing"] == "retired" for row in own)
    assert [(row["policy"], row["campaigns"]) for row in found["policies"]] == [
        ("one-lasting-injury-roll", 1)
    ]


def test_as_a_page_it_has_pictures_and_no_script(season: Arbitrator, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    season.done("host", "export", "--parquet", str(folder))
    page = season.done("host", "stats", str(folder), "--at-least", "1", "--format", "html").out
    assert page.count("<svg") > 3
    assert "<script" not in page
    known = re.findall(r'<title id="([^"]+)"', page)
    assert len(known) == len(set(known))


def test_injuries_survival_and_house_rules_have_pictures_of_their_own(
    season: Arbitrator, tmp_path: Path
) -> None:
    season.done("policy", "adopt", "one-lasting-injury-roll", "--from-battle", "3", "--reason", "vote")
    folder = tmp_path / "all"
    found = stats(season, folder)
    page = season.done("host", "stats", str(folder), "--format", "html").out
    said = dict(re.findall(r'<desc id="([a-z]+)(?:-0)?-desc">([^<]*)</desc>', page))
    assert said["injuries"].split("; ") == [
        f"{row['injury']}: {row['suffered']}" for row in found["injuries"]
    ]
    assert said["survival"].split("; ") == [
        f"{row['category']}: {row['enlisted'] - row['died']}, {row['enlisted']} enlisted"
        for row in found["survival"]
    ]
    assert said["policies"] == "one-lasting-injury-roll@1: 1"


def test_a_folder_without_files_of_events_is_refused(season: Arbitrator, tmp_path: Path) -> None:
    assert "host export" in season.refused(2, "host", "stats", str(tmp_path))


def test_a_name_longer_than_names_may_be_is_refused_as_a_folder_without_them(season: Arbitrator) -> None:
    assert "holds no files of events" in season.refused(2, "host", "stats", "x" * 5000)


def test_files_that_were_damaged_are_named_and_no_fault_of_the_program(
    season: Arbitrator, tmp_path: Path
) -> None:
    folder = tmp_path / "a [folder]*"
    season.done("host", "export", "--parquet", str(folder))
    (file,) = folder.iterdir()
    season.done("host", "stats", str(folder))
    content = bytearray(file.read_bytes())
    content[200 : len(content) // 2] = bytes(len(content) // 2 - 200)
    file.write_bytes(content)
    assert "host export" in season.refused(2, "host", "stats", str(folder)).replace("\n  ", " ")


def test_without_duckdb_it_says_what_to_install(
    season: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season.done("host", "export", "--parquet", str(tmp_path / "all"))

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(statistics, "import_module", missing)
    assert "campaign-tracker[analytics]" in season.refused(2, "host", "stats", str(tmp_path / "all"))


def test_the_program_ends_without_a_word_of_its_libraries(season: Arbitrator, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    season.done("host", "export", "--parquet", str(folder))
    words = [sys.executable, "-m", "tracker", "host", "stats", str(folder)]
    ran = subprocess.run(
        words,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
