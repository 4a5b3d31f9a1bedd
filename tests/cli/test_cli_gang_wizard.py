"""`gang new`: a gang made question by question, its sheet written and the gang enlisted."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator

pytestmark = pytest.mark.usefixtures("wide")


MARKET = ("--armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
NUMBERS = "4 4+ 4+ 4 3 2 4+ 2 5+ 6+ 7+ 8+"
HEAD = ("Rust Dogs", "Iron Clan", "Robin", "100", "", "")
BOSS = ("Krug", "leader", "Boss", "120", NUMBERS, "", "Iron Will", "")
CARD = """\
  - name: Krug
    category: leader
    type: Boss
    cost: 120
    characteristics: {M: 4, WS: "4+", BS: "4+", S: 4, T: 3, W: 2, I: "4+", A: 2, Ld: "5+", Cl: "6+", Wil: "7+", Int: "8+"}
    skills: [Iron Will]
"""
SHEET = f"""\
format: gang-sheet/2
name: Rust Dogs
house: Iron Clan
player: Robin
credits: 100
fighters:
{CARD}"""


@pytest.fixture
def table(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """A campaign without a gang, in a folder of its own."""
    empty.done("campaign", "new", "Ash Wastes")
    monkeypatch.chdir(empty.folder)
    return empty


def transcript(table: Arbitrator, *answers: str, options: tuple[str, ...] = (), code: int = 0) -> str:
    ran = table("gang", "new", "dogs.yaml", *options, stdin="".join(f"{answer}\n" for answer in answers))
    assert (ran.code, ran.err) == (code, ""), ran.err + ran.out[-2000:]
    return ran.out


def sheet(table: Arbitrator) -> str:
    return Path(table.folder / "dogs.yaml").read_text(encoding="utf-8")


def test_a_gang_is_asked_for_shown_and_enlisted_after_a_yes(table: Arbitrator) -> None:
    said = transcript(table, *HEAD, *BOSS, "", "y")
    assert sheet(table) == SHEET
    assert SHEET in said
    assert said.index(SHEET) < said.index("Enlist them?") < said.index("Recorded: entry 2.")
    krug = table.roster()["krug"]
    assert (krug["category"], krug["cost_credits"], krug["skills"]) == ("leader", 120, ["Iron Will"])
    assert table.read("gang", "list")["gangs"][0]["credits"] == 100


def test_without_a_yes_nothing_is_recorded_and_the_sheet_stays(table: Arbitrator) -> None:
    before = table.head
    said = transcript(table, *HEAD, *BOSS, "", "n")
    assert "enlist it as it is: arbitrator gang add dogs.yaml" in said
    assert table.head == before
    table.done("gang", "add", "dogs.yaml")
    assert "krug" in table.roster()


def test_several_of_a_kind_are_one_answer_and_like_takes_over_a_card(table: Arbitrator) -> None:
    transcript(table, *HEAD, *BOSS, "Bo, Nib like: Krug", "Sprat", "like Krug", "", "y")
    assert sheet(table) == SHEET + "  - names: [Bo, Nib]\n    like: Krug\n  - name: Sprat\n    like: Krug\n"
    assert [*table.roster()] == ["krug", "bo", "nib", "sprat"]


def test_types_and_weapons_come_from_the_armoury(table: Arbitrator) -> None:
    said = transcript(
        table, "Forge Kin", "1", "Robin", "", "", "", "Tom, Jo", "Forge Hand", "nail gun", "", "goggles", "", "y",
        options=MARKET,
    )  # fmt: skip
    assert "1 Forge Clans" in said
    assert "1 Forge Hand, 55 credits" in said
    assert "weapons: [nail gun]" in sheet(table)
    assert "house: Forge Clans" in sheet(table)
    tom, jo = table.roster().values()
    assert (tom["cost_credits"], tom["wargear"]) == (55, ["goggles"])
    assert jo["wargear"] == ["goggles"]
    assert "nail gun" in table.done("fighter", "show", "jo").out + table.done("roster", "show").out


def test_who_comes_from_a_running_campaign_comes_as_they_are_today(table: Arbitrator) -> None:
    today = (*HEAD[:-1], "y", "y", "old ruins, settlement")
    past = ("4", "9", "2", "1", "", "3", "eye_injury")
    said = transcript(table, *today, *BOSS, *past, "", "y")
    assert "Advancements so far: [0] 2" in said, "asked for by what the record says of itself"
    assert "xp: 4" in sheet(table)
    assert "injuries_counted: true" in sheet(table)
    held = {row["kind"] for row in table.read("gang", "show", "rust-dogs")["gangs"][0]["territories"]}
    assert held == {"old_ruins", "settlement"}
    past_written = (
        "so_far: {xp_spent: 9, advances: 2, kills: 1, battles: 3, injuries: [{injury: eye_injury}]}"
    )
    assert past_written in sheet(table)
    shown = table.done("fighter", "show", "krug").out
    assert "Eye Injury" in shown
    assert "XP left of 13" in shown


def test_back_from_the_first_fighter_of_today_asks_for_the_territories_again(table: Arbitrator) -> None:
    said = transcript(table, *HEAD[:-1], "y", "y", "old ruins", "back", "nobody", "quit")
    assert said.count("Which territories do they hold?") == 2
    assert said.count("have all injuries already?") == 1
    assert "so_far" not in sheet(table)


def test_what_is_wrong_is_said_at_once_and_asked_again(table: Arbitrator) -> None:
    said = transcript(
        table,
        *HEAD,
        "Krug",
        "leader",
        "Boss",
        "120",
        "4 4+",
        NUMBERS,
        "{name: x}",
        "",
        "Iron Will",
        "",
        "",
        "n",
    )
    assert "12 numbers are asked for, and these are 2." in said
    assert "weapons[1]: the key 'S' is missing." in said
    assert sheet(table) == SHEET


def test_back_goes_back_one_answer_and_to_the_fighter_before(table: Arbitrator) -> None:
    transcript(table, "Rust Dogs", "Iron", "back", *HEAD[1:], *BOSS, "Bo like: Krug", "back", "", "n")
    assert sheet(table) == SHEET
    said = transcript(table, "back", "quit")
    assert "Removed: Krug: Boss" in said
    assert "fighters" not in sheet(table)


def test_back_from_the_first_fighter_asks_the_last_question_of_the_head_again(table: Arbitrator) -> None:
    said = transcript(table, *HEAD, "back", "", *BOSS, "", "n")
    assert said.count("Has the gang fought before") == 2
    assert sheet(table) == SHEET


def test_stopping_anywhere_gives_the_same_sheet(table: Arbitrator) -> None:
    answers = [*HEAD, *BOSS, "", "n"]
    for cut in range(1, len(answers) - 1):
        Path(table.folder / "dogs.yaml").unlink(missing_ok=True)
        assert "Go on with: arbitrator gang new dogs.yaml" in transcript(table, *answers[:cut], "quit")
        transcript(table, *answers[cut:])
        assert sheet(table) == SHEET, answers[:cut]


def test_answers_are_typed_ahead_and_explained(table: Arbitrator) -> None:
    said = transcript(table, *HEAD, "Krug", "leader Boss", "120", "?", NUMBERS, "", "Iron Will", "", "", "n")
    assert "As the card prints them, with spaces between them." in said
    assert sheet(table) == SHEET


def test_a_file_that_is_no_sheet_is_left_alone(table: Arbitrator) -> None:
    report = "format: battle-report/1\nbattle: night\n"
    table.write(report, name="dogs.yaml")
    said = table.refused(2, "gang", "new", "dogs.yaml")
    assert "dogs.yaml exists and is not a gang sheet" in said
    assert sheet(table) == report
