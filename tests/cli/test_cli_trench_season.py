"""A season of warbands on the command line, through every step: its numbers are worked out by hand in the files."""

import re
from collections.abc import Callable

import pytest
from cli_arbitrator import ROOT, Arbitrator

FILES = ROOT / "fixtures" / "trench-season"
BATTLES = ("01-crater", "02-mill", "03-ford")
PROCESSION, VIGIL = "iron-procession", "black-vigil"


@pytest.fixture
def begun(empty: Arbitrator) -> Arbitrator:
    """Both warbands, and no battle yet."""
    empty.done("campaign", "new", "Mud and Lanterns", "--ruleset", "trench_crusade")
    for sheet in (PROCESSION, VIGIL):
        empty.done("gang", "add", str(FILES / f"{sheet}.yaml"))
    return empty


def play(table: Arbitrator, battle: str) -> str:
    table.done("battle", "record", str(FILES / f"{battle}.yaml"))
    after = (str(FILES / f"{battle}.after.yaml"), "--armoury", str(FILES / "armoury.yaml"))
    return " ".join(table.done("battle", "post", *after).out.split())


def warband(table: Arbitrator, name: str) -> tuple[int, int]:
    """Its ducats and its rating."""
    shown = next(gang for gang in table.read("standings", "show")["gangs"] if gang["gang"] == name)
    return shown["credits"], shown["rating_credits"]


def test_a_season_through_every_step_comes_to_the_numbers_worked_out_by_hand(
    begun: Arbitrator, golden: Callable[[str, str], None]
) -> None:
    output = play(begun, "01-crater")
    assert "Iron Procession explore: 6+5+1 = 12, loot of 120 ducats" in output
    assert "[Trench Crusade (1.6) · Campaign · Looting and Exploration]" in output
    assert "Iron Procession, game 2: Threshold 800 ducats, Field Strength 11" in output
    assert warband(begun, PROCESSION) == (
        40 + 50 + 120 - 35 - 25 - 15 + 8,  # ransom, loot, Joss, plate, lamp bought and sold
        80 + 70 + 30 + 30 + 35 + 25,  # with the plate on Odo
    )
    assert warband(begun, VIGIL) == (60 - 50 + 90, 80 + 30 + 30)
    roster = begun.roster()
    assert [
        roster[name]["rank"] if "rank" in roster[name] else roster[name]["category"] for name in ("rat",)
    ] == ["elite"]
    assert roster["maud"]["status"] != "available"

    output = play(begun, "02-mill")
    assert "call Reinforcements for 660 ducats: Threshold 900, less 240 of the warband" in output
    assert "545 ducats, Iron Procession -> lost: left over of Reinforcements" in output
    assert warband(begun, PROCESSION) == (0, 80 + 70 + 55 + 35 + 35 + 80)
    assert warband(begun, VIGIL) == (100 + 140 - 25, 80 + 30 + 25)

    output = play(begun, "03-ford")
    assert "Odo is promoted: the die after 5 failed ones" in output
    assert warband(begun, PROCESSION)[0] == 40
    assert warband(begun, VIGIL)[0] == 215 + 150
    xp = {name: row["experience"] for name, row in begun.roster().items() if row["experience"]}
    assert xp == {"anselm": 1 + 2 + 1 + 1, "maud": 1 + 2, "perpetua": 2 + 1, "vex": 3, "rat": 2 + 1}

    procession, vigil = begun.read("gang", "warband")["warbands"]
    assert (procession["glory"], procession["threshold_ducats"], procession["field_strength"]) == (
        1,
        1000,
        13,
    )
    assert (procession["elite"], procession["promotion_failures"]) == (4, 0)
    assert (vigil["glory"], vigil["elite"], vigil["may_learn"], vigil["held_for_ransom"]) == (0, 2, [], [])
    golden("trench-season/warbands.txt", begun.done("gang", "warband").out)
    golden("trench-season/roster.txt", begun.done("roster", "show").out)
    ledgers = "".join(begun.done("gang", "ledger", name).out for name in (PROCESSION, VIGIL))
    golden("trench-season/ledger.txt", re.sub(r"(?m)^\d{4}-\d\d-\d\d", "----------", ledgers))
    begun.done("audit", "verify")
    begun.done("boards", "verify")


REPORTS = (
    *(("roster", "show", "--format", form) for form in ("text", "md", "html")),
    ("standings", "show", "--format", "html"),
    ("roster", "show", PROCESSION),
    ("roster", "diff", "--from", "battle:1"),
    ("gang", "show", PROCESSION),
    ("gang", "warband"),
    ("gang", "ledger", PROCESSION),
    ("gang", "stash", PROCESSION),
    ("fighter", "show", "odo"),
    ("fighter", "show", "odo", "--format", "md"),
    ("explain", PROCESSION, "credits"),
    ("explain", PROCESSION, "ducats"),
    ("explain", PROCESSION, "wealth"),
    ("explain", PROCESSION, "threshold"),
    ("explain", "odo", "cost"),
    ("battle", "show", "1"),
    ("battle", "show", "1", "--format", "html"),
    ("log", "show", "--all"),
)
"""Every page that says of money."""


def test_every_page_calls_money_by_the_books_word(begun: Arbitrator) -> None:
    output = [play(begun, "01-crater"), *(begun.done(*words).out for words in REPORTS)]
    short = begun("gang", "credits", PROCESSION, VIGIL, "1000", "--reason", "a wager")
    assert [page for page in (*output, short.err) if re.search("credit", page, re.IGNORECASE)] == []
    assert f"Iron Procession has {warband(begun, PROCESSION)[0]} ducats and needs 1000" in short.err
    without = [words for words, page in zip(REPORTS, output[1:], strict=True) if "ucat" not in page]
    assert without == []


def test_programs_read_the_same_names_of_money_in_every_book(begun: Arbitrator) -> None:
    assert "cost_credits" in begun.done("roster", "show", "--format", "csv").out.splitlines()[0]
    assert "wealth_credits" in begun.done("standings", "show", "--format", "csv").out.splitlines()[0]


def test_what_waits_to_be_done_is_shown_by_the_page_of_the_warband(begun: Arbitrator) -> None:
    begun.done("battle", "record", str(FILES / "01-crater.yaml"))
    entry = "  - battle_experience: {gang: iron-procession}\n"
    begun.done(
        "battle", "post", begun.write(f"format: post-battle/1\nbattle: crater\npart: xp\nentries:\n{entry}")
    )
    (procession,) = begun.read("gang", "warband", PROCESSION)["warbands"]
    assert procession["may_learn"] == ["Anselm"]  # 1 XP from the sheet and 1 for the battle
    assert (procession["threshold_ducats"], procession["field_strength"]) == (700, 10)
    (vigil,) = begun.read("gang", "warband", VIGIL)["warbands"]
    assert vigil["held_for_ransom"] == ["Vex"]


def test_the_same_file_again_changes_nothing(begun: Arbitrator) -> None:
    play(begun, "01-crater")
    before = begun.head
    after = (str(FILES / "01-crater.after.yaml"), "--armoury", str(FILES / "armoury.yaml"))
    assert "Recorded before" in begun.done("battle", "post", *after).out
    assert begun.head == before


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("battle_experience: {gang: black-vigil, deeds: [grub]}", "XP is for ELITE models"),
        ("learn: {fighter: vex, tables: [melee, ranged], choose: melee}", "learns the next skill at 2"),
        ("promotions: {gang: black-vigil, troops: {grub: 2}}", "has 1 promotion die, and 2 are shared out"),
        ("reinforcements: {gang: black-vigil}", "write `threshold` first"),
        ("explore: {gang: black-vigil, rerolls: [1, 2]}", "may re-roll 1 of its dice"),
        ("glory: {gang: black-vigil, by: -1, why: relic}", "has 0 Glory"),
        ("ransom: {fighter: vex, ducats: 61}", "61"),
        ("shell_shock: {fighter: vex}", "not Shell Shocked"),
        ("escape: {fighter: vex}", "has no escape rolls, so this cannot be decided by it. Use ransom in"),
    ],
)
def test_what_the_rules_refuse_is_refused_and_nothing_is_written(
    begun: Arbitrator, entry: str, said: str
) -> None:
    begun.done("battle", "record", str(FILES / "01-crater.yaml"))
    wrong = begun.write(f"format: post-battle/1\nbattle: crater\nentries:\n  - {entry}\n")
    assert said in begun.refused(1, "battle", "post", wrong)


def test_an_exchange_file_takes_an_ordinary_model_for_a_troop(empty: Arbitrator) -> None:
    numbers = "characteristics: {Mv: 6, Rng: 0, Mel: 0, Arm: 0}"
    text = (
        "format: exchange/1\nrulebook: trench_crusade\ngangs:\n"
        f"  pilgrims:\n    fighters:\n      - {{name: Odo, {numbers}}}\n"
        f"  heretics:\n    fighters:\n      - {{name: Rat, {numbers}}}\n"
        "exchange:\n"
        "  - injury_chart: {attacker: rat, target: odo}\n    dice: {injury_chart: [6, 5]}\n"
        "  - trauma: {fighter: odo}\n    dice: {troop_fate: [4]}\n"
    )
    assert "recovers" in empty.done("judge", empty.write(text, name="exchange.yaml")).out
