"""A campaign in its fifth week moves in: two sheets with a past, the first battle here, and what explains it."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

ROOT = Path(__file__).parents[2]
NUMBERS = '{M: 4", WS: 4+, BS: 4+, S: 4, T: 4, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 6+, Wil: 8+, Int: 8+}'
RIVALS = f"""\
format: gang-sheet/2
name: Chrome Saints
house: Wheel Cult
player: Ash
so_far: {{battles: 5, won: 1, drawn: 1, lost: 3}}
fighters:
  - name: Vesk
    category: leader
    type: Deacon
    cost: 150
    characteristics: {NUMBERS}
"""
BATTLE = """\
format: battle-report/1
battle: the-mill
scenario: Ambush
date: 2026-03-01
gangs: [rust-dogs, chrome-saints]
result: {winner: chrome-saints}
entries:
  - seriously_injured: {fighter: yol, by: vesk}
"""


@pytest.fixture
def moved_in(empty: Arbitrator, tmp_path: Path) -> Arbitrator:
    page = (ROOT / "docs" / "formats" / "gang-sheet.md").read_text(encoding="utf-8")
    sheet = page.split("```yaml\n")[3].split("```")[0]
    yol = f"""\
  - name: Yol
    category: ganger
    type: Forge Hand
    cost: 60
    characteristics: {NUMBERS}
"""
    (tmp_path / "dogs.yaml").write_text(sheet + yol)
    (tmp_path / "saints.yaml").write_text(RIVALS)
    empty.done("campaign", "new", "Ash Wastes", "--after-battle", "5")
    empty.done("gang", "add", str(tmp_path / "dogs.yaml"))
    empty.done("gang", "add", str(tmp_path / "saints.yaml"))
    return empty


def test_standings_count_on_and_the_next_battle_is_the_sixth(moved_in: Arbitrator, tmp_path: Path) -> None:
    assert moved_in.read("campaign", "show")["battles"] == 0
    assert "the next is battle 6" in moved_in.done("campaign", "show").out
    (tmp_path / "battle.yaml").write_text(BATTLE)
    moved_in.done("battle", "record", str(tmp_path / "battle.yaml"), "--roll")
    listed = moved_in.read("battle", "list")["battles"]
    assert [battle["number"] for battle in listed] == [6]
    record = {
        row["gang"]: (row["battles"], row["won"], row["lost"])
        for row in moved_in.read("standings", "show")["gangs"]
    }
    assert record == {"rust-dogs": (6, 3, 2), "chrome-saints": (6, 2, 3)}


def test_a_number_explains_that_it_was_brought_along_and_from_where(moved_in: Arbitrator) -> None:
    kills = moved_in.done("explain", "brakka", "enemies_taken_out").out
    assert "brings" in kills
    assert "from our spreadsheet, week 5" in kills
    assert "Hobbled" in moved_in.done("explain", "brakka", "movement").out


@pytest.mark.usefixtures("wide")
def test_the_log_says_what_was_brought_along_and_the_roster_shows_it(moved_in: Arbitrator) -> None:
    rows = {
        row["fighter"]: row for row in moved_in.read("roster", "show", "rust-dogs")["gangs"][0]["fighters"]
    }
    assert rows["brakka"]["status"] == "in_recovery"
    assert [injury["name"] for injury in rows["brakka"]["injuries"]] == ["Eye Injury", "Hobbled"]
    assert rows["mik"]["status"] == "dead"
    assert "The Rust Dogs bring 5 battles (3 won, 1 drawn, 1 lost)" in moved_in.done("log", "show").out


def test_the_same_sheet_twice_changes_nothing(moved_in: Arbitrator, tmp_path: Path) -> None:
    before = moved_in.read("campaign", "show")["head"]
    moved_in.done("gang", "add", str(tmp_path / "dogs.yaml"))
    assert moved_in.read("campaign", "show")["head"] == before


def test_boards_rebuilt_from_the_log_are_the_same(moved_in: Arbitrator) -> None:
    moved_in.done("boards", "verify")
    moved_in.done("audit", "verify")


def test_the_statement_of_xp_adds_up_with_what_was_spent_before(moved_in: Arbitrator, tmp_path: Path) -> None:
    veteran = f"""\
format: gang-sheet/2
name: Old Hands
house: Wheel Cult
player: Kim
fighters:
  - name: Sorrel
    category: leader
    type: Deacon
    cost: 150
    xp: 4
    so_far: {{xp_spent: 9, advances: 2}}
    characteristics: {NUMBERS}
"""
    (tmp_path / "hands.yaml").write_text(veteran)
    moved_in.done("gang", "add", str(tmp_path / "hands.yaml"))
    said = moved_in.done("fighter", "show", "sorrel").out
    statement = [
        line.strip().removeprefix("- ").strip().split("  ", 1)
        for line in said.splitlines()
        if "(4." in line or "XP left" in line
    ]
    assert [(number.strip(), words.partition(" (")[0]) for number, words in statement] == [
        ("13", "brought along in all"),
        ("-9", "spent before joining"),
        ("4", "XP left of 13"),
    ]
    experience = moved_in.read("fighter", "show", "sorrel")["experience"]
    assert (experience["start"], experience["spent_before"], experience["total"]) == (4, 9, 4)


def test_what_no_rule_counts_is_shown_with_gang_and_fighter_as_brought_along(
    moved_in: Arbitrator, tmp_path: Path
) -> None:
    veterans = f"""\
format: gang-sheet/2
name: Old Hands
house: Wheel Cult
player: Kim
brought_from: Kim's notebook
so_far:
  {{battles: 2, won: 2, alignment: law_abiding, allegiance: the Spire, alliances: [Water Guild], patrons: [Lady Hex]}}
fighters:
  - name: Sorrel
    category: champion
    type: Deacon
    cost: 150
    so_far: {{promoted_from: Juve, flags: [Frenzy], injuries: [{{injury: Eye Injury, counted: true}}]}}
    characteristics: {NUMBERS}
"""
    (tmp_path / "hands.yaml").write_text(veterans)
    moved_in.done("gang", "add", str(tmp_path / "hands.yaml"))
    page = " ".join(moved_in.done("roster", "show", "old-hands").out.split())
    assert (
        "Law-abiding · allegiance: the Spire · allied with Water Guild · patron Lady Hex Brought along: 2 battles"
        " (2 won, 0 drawn, 0 lost), from Kim's notebook"
    ) in page
    assert "Frenzy" in page
    standings = " ".join(moved_in.done("standings", "show").out.split())
    assert "Brought along: Old Hands, 2 battles (2 won, 0 drawn, 0 lost), from Kim's notebook" in standings
    card = moved_in.done("fighter", "show", "sorrel").out
    assert "Promoted from: Juve" in card
    assert "Brought along from: Kim's notebook" in card
    assert "Sorrel brings Eye Injury, already in the characteristics" in " ".join(card.split())
    for form in ("html", "md", "discord"):
        assert "Water Guild" in moved_in.done("roster", "show", "old-hands", "--format", form).out
    again = moved_in.read("gang", "export", "old-hands")
    assert again["content"]["so_far"]["alliances"] == ["Water Guild"]
    assert again["content"]["fighters"][0]["so_far"]["flags"] == ["Frenzy"]
    assert not [fact for fact in again["not_held"] if fact["fact"] in ("flags", "promoted_from", "alliances")]
    moved_in.done("boards", "verify")


def test_an_earlier_injury_stays_on_the_fighters_page_beside_a_new_injury(
    moved_in: Arbitrator, tmp_path: Path
) -> None:
    fall = "out_of_action: {fighter: brakka, by: vesk, lasting_injury: 4-4}"
    second = BATTLE.replace("the-mill", "the-ford").replace(
        "seriously_injured: {fighter: yol, by: vesk}", fall
    )
    for name, text in (("sixth.yaml", BATTLE), ("seventh.yaml", second)):  # the sixth ends Brakka's Recovery
        (tmp_path / name).write_text(text)
        moved_in.done("battle", "record", str(tmp_path / name), "--roll")
    card = " ".join(moved_in.done("fighter", "show", "brakka").out.split())
    assert "Brakka brings Eye Injury" in card
    assert "(4-4)" in card
