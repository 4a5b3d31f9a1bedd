"""Between battles, on the command line: XP in bulk, recruits, Downtime's promotions, what is said aloud."""

from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator

SEASON = ROOT / "fixtures" / "seasons" / "necromunda_2023"
TRENCHES = ROOT / "fixtures" / "trench-season"
GANGS = ("tin-wardens", "ash-choir", "glass-court", "dust-haulers")
ARMOURY = ("--armoury", str(SEASON / "armoury.yaml"))

AFTER = """\
format: post-battle/1
battle: pipe-seven
entries:
  - took_part: {gang: tin-wardens}
  - took_part: {gang: ash-choir, amount: 2, without: [alto], reason: Pipe Dreams}
  - awards: {fighters: [bolt, rivet], amount: 1, reason: the pipe was held}
  - recruit: {territory: settlement, who: [{type: Warden, name: Nut}]}
    dice: {recruit: [6, 6]}
"""


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    """Four gangs; Tin Wardens and Ash Choir have fought the first battle."""
    empty.done("campaign", "new", "Rust Row", "--ruleset", "necromunda_2023")
    for name in GANGS:
        empty.done("gang", "add", str(SEASON / f"{name}.yaml"))
    founding = ("--id", "settlement", "--kind", "settlement", "--reason", "founded")
    empty.done("gang", "territory", "tin-wardens", *founding)
    empty.done("battle", "record", str(SEASON / "01-pipe-seven.yaml"))
    return empty


def written(folder: Path, text: str = AFTER) -> str:
    file = folder / "after.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_file_gives_xp_in_bulk_and_brings_a_recruit(table: Arbitrator, tmp_path: Path) -> None:
    table.done("battle", "post", written(tmp_path), *ARMOURY)
    roster = table.roster()
    experience = {name: one["experience"] for name, one in roster.items()}
    assert {name: experience[name] for name in ("bolt", "rivet", "cog", "basso", "treble", "alto")} == {
        "bolt": 3 + 1 + 1,  # a Ganger Out of Action and an award before, then the part and the pipe
        "rivet": 2 + 1 + 1,
        "cog": 10 + 1,  # 10 as enlisted
        "basso": 4 + 2,
        "treble": 2,
        "alto": 9,  # who took no part
    }
    assert roster["nut"]["kind"] == "Warden"
    statement = table.done("fighter", "show", "cog").out
    assert "+1  took part in the battle" in statement
    table.done("audit", "verify")
    table.done("boards", "verify")


def test_a_recorded_file_is_shown_so_without_its_armoury(table: Arbitrator, tmp_path: Path) -> None:
    file = written(tmp_path)
    assert table("battle", "post", file).code == 2  # a Warden is in no armoury
    table.done("battle", "post", file, *ARMOURY)
    assert "Recorded before" in table.done("battle", "post", file).out


def test_a_gang_that_was_not_in_the_battle_is_not_shown_of(table: Arbitrator, tmp_path: Path) -> None:
    elsewhere = written(
        tmp_path, AFTER.replace("took_part: {gang: tin-wardens}", "took_part: {gang: glass-court}")
    )
    refused = table("battle", "post", elsewhere, *ARMOURY)
    assert (refused.code, "glass-court was not in battle pipe-seven" in refused.err) == (2, True)


def test_single_corrections_give_xp_to_several(table: Arbitrator) -> None:
    table.done("fighter", "award", "cog", "spanner", "--xp", "2", "--reason", "bravely done")
    table.done("gang", "took-part", "tin-wardens", "--without", "cog", "--reason", "no XP in this scenario")
    again = table("gang", "took-part", "tin-wardens", "--reason", "once more")
    assert (again.code, "It is done once" in again.err) == (1, True)
    roster = table.roster()
    assert (roster["cog"]["experience"], roster["spanner"]["experience"]) == (12, 3)


def test_downtime_promotes_on_the_way(table: Arbitrator) -> None:
    cycle = ("campaign", "cycle", "--reason", "half-time", "--promote", "cog=ganger:Warden", *ARMOURY)
    too_early = table(*cycle, "--phase", "downtime")
    assert (too_early.code, "needs 3" in too_early.err) == (1, True)
    table.done("fighter", "award", "cog", "--xp", "9", "--reason", "a long winter")
    for _ in range(3):
        table.done("fighter", "advance", "cog", "willpower", "--reason", "winter")
    assert "only in Downtime" in table(*cycle, "--phase", "occupation").err
    table.done("campaign", "cycle", "--reason", "it begins", "--phase", "occupation")
    alone = ("fighter", "promote", "cog", "ganger", "--type", "Warden", "--reason", "a long winter")
    assert "Nobody is promoted in Occupation, only in Downtime" in table.refused(1, *alone)
    assert "Cog" in table.done(*alone, "--beyond-rules", "--dry-run").out
    table.done(*cycle, "--phase", "downtime")
    assert table.roster()["cog"]["category"] == "ganger"
    assert table("campaign", "cycle", "--reason", "x", "--promote", "cog").code == 2


def test_patronage_is_refused_where_nobody_plays_with_it(table: Arbitrator) -> None:
    asked = ("gang", "patronage", "tin-wardens", "--against", "glass-court", "--reason", "please")
    assert "underdog.patronage" in table(*asked).err
    table.done("policy", "adopt", "house-patronage@1", "--reason", "club vote")
    assert "400 behind" in table(*asked).err


def test_who_is_left_captured_or_critical_is_shown_when_the_next_battle_opens(
    table: Arbitrator, tmp_path: Path
) -> None:
    report = (
        "format: battle-report/1\nbattle: rerun\nscenario: Rerun\ndate: 2026-02-01\n"
        "gangs: [tin-wardens, ash-choir]\nentries: []\nresult: {winner: ash-choir}\n"
    )
    file = written(tmp_path, report)
    output = table("battle", "record", file, "--roll").out
    assert "Note: Treble was still Captured without an escape roll" in output
    assert "Note: Washer was still Critically Injured" in output


def test_standings_name_the_gangs_and_count_in_singular_and_plural(table: Arbitrator) -> None:
    triumphs = table.done("standings", "show").out
    assert "Dominator: Tin Wardens, 1 territory\n" in triumphs
    assert "Warmonger: Tin Wardens and Ash Choir, 1 battle\n" in triumphs


@pytest.mark.usefixtures("wide")
def test_a_warband_is_shown_of_in_its_own_words(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "Crater", "--ruleset", "trench_crusade")
    for name in ("iron-procession", "black-vigil"):
        empty.done("gang", "add", str(TRENCHES / f"{name}.yaml"))
    empty.done("battle", "record", str(TRENCHES / "01-crater.yaml"))
    empty.done(
        "battle", "post", str(TRENCHES / "01-crater.after.yaml"), "--armoury", str(TRENCHES / "armoury.yaml")
    )
    shown = empty.done("gang", "show", "iron-procession").out
    assert "Glory 1 · Threshold 800 ducats, Field Strength 11" in shown
    assert "worth 270 ducats" in shown
    assert "Reputation" not in shown
    assert "redits" not in shown
