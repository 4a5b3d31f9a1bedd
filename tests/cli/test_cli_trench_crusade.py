"""A campaign of another game through the command line: warbands, a battle, rosters, a disputed die, an audit."""

from __future__ import annotations

import pytest
from cli_arbitrator import Arbitrator
from tables import every

PILGRIMS = """\
format: gang-sheet/1
name: Iron Procession
house: Trench Pilgrims
player: Dana
fighters:
  - name: Anselm
    category: elite
    type: War Prophet
    cost: 80
    characteristics: {Mv: 6", Rng: +1 DICE, Mel: +2 DICE, Arm: -2}
    skills: [Tough]
    wargear: [Reinforced Armour, Trench Shield]
  - {name: Odo, category: troop, type: Pilgrim, cost: 30, characteristics: {Mv: 6, Rng: 0, Mel: -1, Arm: 0}}
"""
HERETICS = """\
format: gang-sheet/1
name: Black Vigil
house: Heretic Legion
player: Robin
fighters:
  - {name: Vex, category: elite, type: Heretic Priest, cost: 80, characteristics: {Mv: 6, Rng: 2, Mel: 2, Arm: -1}}
  - {name: Rat, category: troop, type: Trooper, cost: 30, characteristics: {Mv: 6, Rng: 0, Mel: 0, Arm: 0}}
"""
REPORT = """\
format: battle-report/1
battle: crater
scenario: Hunt for Heroes
date: 2026-11-21
gangs: [iron-procession, black-vigil]
entries:
  - injury_chart: {attacker: vex, target: anselm, plus_dice: [critical hit]}
    dice: {injury_chart: [6, 5, 2]}
  - injury_chart: {attacker: rat, target: anselm}
    dice: {injury_chart: [1, 4, 3]}
  - blood_markers: {fighter: anselm, count: 1, use: action}
  - stand: {fighter: anselm, risky: true}
    dice: {risky_stand: [6, 4, 5]}
  - injury_chart: {attacker: anselm, target: vex}
    dice: {injury_chart: [6, 5]}
  - injury_chart: {attacker: rat, target: odo, result: minor_hit}
  - injury_chart: {attacker: rat, target: odo, result: out_of_action}
  - trauma: {fighter: vex}
    dice: {trauma: 1-5}
result: {winner: iron-procession}
wrap_up:
  dice: {troop_fate: [3]}
"""


@pytest.fixture
def trench(empty: Arbitrator) -> Arbitrator:
    """The campaign with both warbands and no battle yet."""
    empty.done("campaign", "new", "No Man's Land", "--ruleset", "trench_crusade")
    for name, sheet in (("pilgrims", PILGRIMS), ("heretics", HERETICS)):
        empty.done("gang", "add", empty.write(sheet, name=f"{name}.yaml"))
    return empty


@pytest.mark.usefixtures("wide")
def test_a_battle_is_shown_die_by_die_and_read_off_the_chart(trench: Arbitrator) -> None:
    output = trench.record(REPORT).out
    # 6+5 of 6-5-2, reinforced armour and shield: 8.
    assert "6-5-2, critical hit +1 DICE; 6+5, Reinforced Armour -2, Trench Shield -1 = 8: Down" in output
    # Down: one die more; 4+3-3 = 4.
    assert (
        "1-4-3, target is Down +1 DICE; 4+3, Reinforced Armour -2, Trench Shield -1 = 4: Minor Hit" in output
    )
    # The lowest two of three make 9, which is 7 or more.
    assert "Action Chart for Anselm: 6-4-5, Down -1 DICE; 4+5 = 9: success" in output
    # 6+5-1 = 10.
    assert "6-5; 6+5, Standard Armour -1 = 10: Out of Action" in output
    assert "Vex is taken Out of Action by Anselm [" not in output
    assert "Vex: Ranged +2 DICE -> +1 DICE (Lost Eye)" in output
    assert "Odo: fate roll 3: recovers" in output
    assert "Lasting Injury roll" not in output


def test_the_roster_has_the_columns_of_this_books_cards(trench: Arbitrator) -> None:
    trench.record(REPORT)
    text = trench.done("roster", "show").out
    assert "Fighter  Rank   Status     Mv  Rng      Mel      Arm  XP" in text
    assert 'Anselm   Elite  available  6"  +1 DICE  +2 DICE  -2    0' in text
    head, *lines = trench.done("roster", "show", "--format", "csv").out.splitlines()
    assert "status,movement,ranged,melee,armour_modifier,experience" in head
    assert len(lines) == 4
    assert ">Mv</th>" in trench.done("roster", "show", "--format", "html").out
    assert "| Mv | Rng | Mel | Arm |" in trench.done("roster", "show", "--format", "md").out
    assert trench.roster()["vex"]["characteristics"]["ranged"] == 1
    assert 'Mv 6" Rng +1 DICE Mel +2 DICE Arm -1' in trench.done("fighter", "show", "vex").out


def test_a_die_of_the_chart_is_disputed_and_the_ruling_carries_through(trench: Arbitrator) -> None:
    trench.record(REPORT)
    disputed = next(
        event["address"]
        for entry in trench.read("battle", "show", "crater")["entries"]
        for event in entry["events"]
        if event["type"] == "RollMade" and event["data"]["fighter"] == "vex"
    )
    trench.done("dispute", "open", disputed, "--reason", "cocked die")
    # 1+5-1 = 5: a Minor Hit, so Vex never went Out of Action and has no fate to decide.
    preview = trench.done("dispute", "preview", disputed, "--faces", "1").out
    assert "Vex did not go Out of Action" in preview
    fate = str(int(disputed.partition(".")[0]) + 3)
    ruled = ("dispute", "rule", disputed, "--faces", "1", "--reason", "seen by both")
    trench.done(*ruled, "--void-entry", fate, *trench.seen())
    vex = trench.roster()["vex"]
    assert (vex["injuries"], vex["characteristics"]["ranged"], vex["times_out_of_action"]) == ([], 2, 0)
    assert "log        whole" in trench.done("audit", "verify").out


def test_a_dispute_is_withdrawn_and_a_roll_confirmed_under_this_book_too(trench: Arbitrator) -> None:
    trench.record(REPORT)
    roll = next(
        event["address"]
        for entry in trench.read("battle", "show", "crater")["entries"]
        for event in entry["events"]
        if event["type"] == "RollMade"
    )
    trench.done("dispute", "open", roll, "--reason", "cocked die")
    trench.done("dispute", "withdraw", roll, "--reason", "it lay flat")
    assert [row["status"] for row in trench.read("dispute", "list")["disputes"]] == ["withdrawn"]
    trench.done("log", "confirm", roll, "--by", "Robin")
    assert "log        whole" in trench.done("audit", "verify").out


def test_the_log_is_whole_after_a_battle(trench: Arbitrator) -> None:
    trench.record(REPORT)
    assert trench.record(REPORT).out.startswith("Recorded before")
    trench.done("boards", "rebuild")
    assert "every entry is decided the same from its own dice" in trench.done("audit", "verify").out


def test_dice_that_are_missing_are_asked_for_by_name(trench: Arbitrator) -> None:
    said = trench.refused(
        2, "battle", "record", trench.write(REPORT.replace("dice: {injury_chart: [6, 5]}", "note: no dice"))
    )
    assert "'injury_chart' for Vex (die 1 of 2 on the Injury Chart)" in said


def test_the_tool_rolls_what_the_report_does_not_give(trench: Arbitrator) -> None:
    bare = "\n".join(line for line in REPORT.split("\n") if "dice:" not in line and "wrap_up" not in line)
    bare = bare.split("  - blood_markers")[0] + "result: {draw: true}\n"
    assert "rolled by the tool" in trench.record(bare, "--roll").out
    assert "log        whole" in trench.done("audit", "verify").out


@every(
    ("entry", "code", "said"),
    [
        ("hit: {attacker: vex, weapon: rifle, target: odo}", 1, "has no Injury die"),
        ("out_of_action: {fighter: odo, by: vex}", 1, "Use injury_chart with its result in a battle report"),
        ("fall: {fighter: odo, inches: 2, spend_markers: 1}", 2, "No roll is made for this fall of Odo"),
        ("blessing_spent: {fighter: odo}", 1, "Odo has 0 Blessing Markers"),
        ("morale: {gang: black-vigil, turn: 1}", 1, "0 of 2 models Down or Out of Action"),
        ("stand: {fighter: odo}", 1, "Odo is not Down"),
        ("blood_markers: {fighter: odo, count: 1, use: attack}", 1, "Odo has 0 Blood Markers"),
        ("injury_chart: {target: odo, bloodbath: true}", 1, "6 would be spent"),
        ("trauma: {fighter: odo}", 1, "did not go Out of Action"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    trench: Arbitrator, entry: str, code: int, said: str
) -> None:
    head, _, _ = REPORT.partition("entries:")
    report = f"{head}entries:\n  - {entry}\nresult: {{draw: true}}\n"
    assert said in trench.refused(code, "battle", "record", trench.write(report))


def test_exchanges_of_this_game_are_refused_in_the_other(arbitrator: Arbitrator) -> None:
    report = (
        "format: battle-report/1\nbattle: b\nscenario: s\ndate: 2026-11-21\ngangs: [iron-skulls, gilded-cage]\n"
        "entries:\n  - injury_chart: {target: krug, result: down}\nresult: {draw: true}\n"
    )
    assert "has no Injury Chart" in arbitrator.refused(1, "battle", "record", arbitrator.write(report))


@every(
    ("words", "said"),
    [
        (
            ("gang", "reputation", "black-vigil", "--by", "1"),
            "has no Reputation, so this cannot be decided by it. Use",
        ),
        (("campaign", "cycle"), "has no campaign phases, so this cannot be decided by it."),
        (
            ("gang", "release", "vex"),
            "has no captives to let go, so this cannot be decided by it. Use ransom in",
        ),
        (
            ("fighter", "promote", "rat", "champion", "--type", "Trooper"),
            "Use promotions in a post-battle file",
        ),
        (("gang", "territory", "black-vigil", "--id", "mill", "--kind", "old_ruins"), "has no territories"),
    ],
)
def test_a_verb_that_this_game_does_not_know_is_refused_with_the_reason(
    trench: Arbitrator, words: tuple[str, ...], said: str
) -> None:
    refusal = trench.refused(1, *words, "--reason", "we say so")
    assert said in refusal
    assert "injury" not in refusal.lower()


def test_ranks_and_numbers_of_the_other_game_are_refused(trench: Arbitrator) -> None:
    sheet = HERETICS.replace("name: Black Vigil", "name: Others").replace("Vex", "Vix").replace("Rat", "Rot")
    leader = trench.write(sheet.replace("category: elite", "category: leader"), name="leader.yaml")
    assert "has no category 'leader'" in trench.refused(2, "gang", "add", leader)
    twelve = trench.write(sheet.replace("Mv: 6", "M: 6"), name="twelve.yaml")
    assert "unknown key. Did you mean 'Mv'?" in trench.refused(2, "gang", "add", twelve)
    far = trench.write(sheet.replace("Arm: -1", "Arm: -4"), name="far.yaml")
    assert (
        "Vix: Arm -4 is kept as the card has it; the book prints 0 to -3."
        in trench.done("gang", "add", far).out
    )


def test_a_house_rule_of_this_game_moves_its_knob(trench: Arbitrator) -> None:
    trench.done("policy", "adopt", "machine-armour-withstands-down", "--reason", "club vote")
    card = "{name: Hulk, category: troop, type: Heavy, cost: 105, characteristics: {Mv: 6, Rng: 0, Mel: 0, Arm: -3}}"
    sheet = "".join(HERETICS.splitlines(keepends=True)[:5]) + f"  - {card}\n"
    trench.done("fighter", "add", trench.write(sheet, name="hulk.yaml"))
    head, _, _ = REPORT.partition("entries:")
    trench.record(
        f"{head}entries:\n  - injury_chart: {{target: hulk}}\n    dice: {{injury_chart: [6, 5]}}\nresult: {{draw: true}}\n"
    )
    assert trench.refused(2, "policy", "adopt", "one-lasting-injury-roll", "--reason", "no such knob here")
