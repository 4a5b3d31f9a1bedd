"""`arbitrator judge`: one exchange decided, explained, and forgotten."""

import json
import subprocess
import sys
from typing import Any

import jsonschema
import pytest
from cli_arbitrator import Arbitrator, Command
from exchange_files import EXAMPLE, HEAD, exchange, hit
from tables import every

from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document
from tracker.reports.judgement_data import judgement_schema

SHOWN = jsonschema.Draft202012Validator(judgement_schema())
FULL = hit("wound: [4], save: [2], injury: [serious]")


def judge(table: Arbitrator, text: str, *options: str) -> str:
    return table.done("judge", table.write(text), *options).out


def judged(table: Arbitrator, text: str, *options: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(judge(table, text, *options, "--json"))
    SHOWN.validate(data)
    return data


def refused(table: Arbitrator, text: str, *, code: int = 2) -> str:
    return table.refused(code, "judge", table.write(text))


@pytest.mark.usefixtures("wide")
def test_an_exchange_is_shown_step_by_step_with_its_sections(empty: Arbitrator) -> None:
    said = judge(empty, exchange(FULL))
    assert said == (
        "By necromunda_2023@1. Nothing is recorded.\n"
        "Note: Without a rule here, so played at the table: Deafening (autogun).\n"
        "\n"
        "hit: Krug's autogun on Mags\n"
        "  1  wound roll 4, Strength 4 against Toughness 3 (needs 3+): wounds"
        " [Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll]\n"
        "  2  save roll 2, Mesh armour, AP -1 (needs 6+): not saved"
        " [Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll]\n"
        "  3  Mags loses 1 Wound to Krug: 0 left\n"
        "  4  Injury die: Serious Injury [Core Rulebook (2023) · Resolve Hits · Injury Dice]\n"
        "  5  Mags is Seriously Injured by Krug\n"
        "  6  Krug gains 1 XP: Mags Seriously Injured [Core Rulebook (2023) · Experience · Gaining Experience]\n"
        "\n"
        "End state\n"
        "  Mags: 1 Wound lost, Seriously Injured\n"
        "  Krug: unhurt, +1 XP\n"
    )


def test_programs_get_one_object_with_rolls_events_and_the_end_state(empty: Arbitrator) -> None:
    judgement = judged(empty, exchange(FULL))
    assert judgement["rulebook"]["version"] == "necromunda_2023@1"
    assert judgement["rolls"][1] == {
        "purpose": "save",
        "who": "mags",
        "against": None,
        "rolled_by": "saints",
        "die": "D6",
        "dice": [2],
        "symbol": None,
        "source": "typed",
        "modifiers": [{"why": "AP", "by": -1}],
        "target": 6,
        "passed": False,
        "result": "Mesh armour: not saved",
        "section": "Core Rulebook (2023) · Resolve Hits · 2. Make a Save Roll",
    }
    assert [roll["purpose"] for roll in judgement["rolls"]] == ["wound", "save", "injury"]
    assert [event["type"] for event in judgement["events"]] == [
        "RollMade",
        "RollMade",
        "WoundsLost",
        "RollMade",
        "SeriousInjurySuffered",
        "ExperienceGained",
    ]
    assert set(judgement["end_state"]) == {"krug", "mags"}
    assert judgement["end_state"]["mags"]["condition"]["seriously_injured"] is True
    assert judgement["end_state"]["krug"]["carries_home"] == {"experience": 1}
    assert judgement["exchanges"][0]["asked"] == "hit: Krug's autogun on Mags"


def test_a_hit_with_s_plus_one_is_judged_by_the_strength_of_who_strikes(empty: Arbitrator) -> None:
    maul = "{name: maul, S: S+1, AP: 0, D: 1}"
    on_the_card = HEAD.replace("weapons:\n", f"weapons:\n          - {maul}\n")
    for text in (
        exchange(hit("wound: [2]").replace("autogun", "maul"), head=on_the_card),
        exchange(hit("wound: [2]").replace("autogun", maul)),
    ):
        (judged_hit,) = judged(empty, text)["exchanges"][0]["hits"]
        assert (judged_hit["strength"], judged_hit["toughness"]) == (4, 3)


def test_nothing_is_recorded_and_no_database_is_made(empty: Arbitrator) -> None:
    judge(empty, exchange(FULL))
    assert not empty.file.exists()


def test_the_database_is_not_even_loaded(command: Command, empty: Arbitrator) -> None:
    program = (
        "import sys\nfrom tracker.cli.main import outcome\ncode = outcome(sys.argv[1:])\n"
        "late = {'sqlalchemy', 'alembic', 'rich', 'uuid_utils', 'importlib.metadata'} & set(sys.modules)\n"
        "assert not late, late\nsys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, "judge", empty.write(exchange(FULL))],
        env=command.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("dice", "missing"),
    [
        ("", "a D6 is missing: 'wound' for Mags (wound roll, Strength 4 against Toughness 3, needs 3+)"),
        ("wound: [4]", "a D6 is missing: 'save' for Mags (save roll, Mesh armour, needs 6+)"),
        ("wound: [4], save: [1]", "an injury die is missing: 'injury' for Mags (Injury die)"),
        ("wound: [4], save: [1], injury: [ooa]", "a D66 is missing: 'lasting_injury' for Mags"),
    ],
)
def test_the_next_die_is_asked_for_with_its_reason(empty: Arbitrator, dice: str, missing: str) -> None:
    said = refused(empty, exchange(hit(dice)))
    assert said.startswith(f"arbitrator: the exchange (hit), line 18: {missing}")
    assert "--roll" in said


def test_the_tool_rolls_what_is_missing(empty: Arbitrator) -> None:
    judgement = judged(empty, exchange(hit("wound: [6]")), "--roll")
    assert judgement["rolls"][0]["source"] == "typed"
    assert {roll["source"] for roll in judgement["rolls"][1:]} == {"generated"}


def test_the_example_of_the_page_is_judged(empty: Arbitrator) -> None:
    assert "Mags: 1 Wound lost, 1 Flesh Wound, Seriously Injured\n" in judge(empty, EXAMPLE)
    assert "By necromunda_2023@1 + one-lasting-injury-roll@1." in judge(empty, EXAMPLE)


def test_what_was_played_before_counts(empty: Arbitrator) -> None:
    before = "before:\n  - {flesh_wound: {fighter: mags, by: krug}}\n"
    judgement = judged(empty, exchange(FULL, more=before))
    assert judgement["rolls"][0]["target"] == 2
    assert [one["asked"] for one in judgement["before"]] == ["stated: Mags has a Flesh Wound by Krug"]


def test_stated_conditions_count(empty: Arbitrator) -> None:
    stated = "conditions: {mags: {flesh_wounds: 1, wounds_left: 0, seriously_injured: true}}\n"
    judgement = judged(empty, exchange(FULL, more=stated))
    assert judgement["rolls"][0]["target"] == 2
    # A Serious Injury more is a Flesh Wound, which was one too many for Toughness 3 less one.
    assert judgement["end_state"]["mags"]["condition"]["flesh_wounds"] == 2


def test_several_exchanges_follow_each_other(empty: Arbitrator) -> None:
    out = hit("wound: [4], save: [1], injury: [ooa], lasting_injury: [1-5]")
    judgement = judged(empty, exchange(out, hit()))
    assert [bool(one["passed_over"]) for one in judgement["exchanges"]] == [False, True]
    assert judgement["end_state"]["mags"]["stands"] == ["Out of Action", "Out Cold"]
    # Dice say that it did happen, and then it cannot have.
    assert "Mags went Out of Action earlier" in refused(empty, exchange(out, hit("wound: [1]")), code=1)


def test_where_nobody_is_touched_the_end_state_says_so(empty: Arbitrator) -> None:
    text = exchange("{bottle: {gang: saints}, dice: {bottle: [1]}}", more=DOWN)
    assert empty.done("judge", empty.write(text)).out.endswith("End state\n  everybody stands as before\n")


def test_a_preset_and_house_rules_are_in_force(empty: Arbitrator) -> None:
    text = exchange(FULL, more="preset: a_and_a\n")
    assert "one-lasting-injury-roll@1" in judged(empty, text)["rulebook"]["version"]


def test_standard_input_is_read(empty: Arbitrator) -> None:
    assert "End state" in empty.done("judge", "-", stdin=exchange(FULL)).out


@every(
    ("text", "code", "said"),
    [
        (HEAD, 2, "the key 'exchange' is missing"),
        (exchange(FULL).replace("necromunda_2023", "necromunda_2024"), 2, "Did you mean 'necromunda_2023'"),
        (exchange(FULL, more="policies: [nonsense]\n"), 2, "There is no house rule 'nonsense'"),
        (exchange(FULL, more="preset: nonsense\n"), 2, "There is no preset 'nonsense'"),
        (exchange(FULL, more="preset: a_and_a\npolicies: [older-injury-dice]\n"), 2, "not both"),
        (
            exchange(FULL, more="policies: [older-injury-dice@1, older-injury-dice@1]\n"),
            1,
            "older-injury-dice@1 is in force already",
        ),
        (exchange(FULL, more="colour: red\n"), 2, "colour: unknown key"),
        (exchange(FULL, more="conditions: {nobody: {pinned: true}}\n"), 2, "no such model here"),
        (exchange(FULL, more="conditions: {mags: {pinnned: true}}\n"), 2, "Did you mean 'pinned'"),
        (exchange(FULL, more="conditions: {mags: {pinned: 1}}\n"), 2, "true or false is expected"),
        (exchange(FULL, more="conditions: {mags: {pinned: [1]}}\n"), 2, "true, false, a whole number, a word or a list"),
        (exchange(FULL, more="conditions: {mags: {wounds_left: 2}}\n"), 2, "the card has 1"),
        (exchange(FULL, more="conditions: {mags: {wounds_left: -1}}\n"), 2, "below 0"),
        (exchange(FULL, more="conditions: {mags: {flesh_wounds: 3}}\n"), 2, "Toughness 3 would be gone"),
        (exchange(FULL, more="conditions: {mags: {out_of_action: true}}\n"), 1, "Mags went Out of Action earlier"),
        (exchange(FULL, more="conditions: {krug: {out_of_ammo: autogunn}}\n"), 2, "Did you mean 'autogun'"),
        (exchange(FULL, more="conditions: {mags: {down: true}}\n"), 2, "nobody can be 'down'"),
        (exchange(FULL, more="conditions: {mags: {blood_markers: 2}}\n"), 2, "nobody can be 'blood_markers'"),
        (
            exchange(FULL, more="conditions: {mags: {pinned: true, seriously_injured: true}}\n"),
            2,
            "who is Seriously Injured or Down is not Pinned",
        ),
        (exchange(hit("wound: [7]")), 2, "found 7 on a D6"),
        (exchange(hit("wound: [1], save: [6]")), 2, "dice are left over that no rule asked for: save 6"),
        (exchange("{hit: {attacker: krug, weapon: lasgun, target: mags}}"), 2, "lasgun"),
        (exchange("{hit: {attacker: krug, weapon: autogun, target: krug}}"), 2, "cannot be both attacker and target"),
        (exchange("{note: nothing}"), 2, "nothing happens in this entry"),
        (exchange(FULL).replace("name: Dot", "name: Krug"), 2, "the id 'krug' is taken in skulls"),
        (exchange(FULL).replace("W: 1", "W: 0"), 2, "W 0"),
        (exchange(FULL).replace("W: 1, ", ""), 2, "the key 'W' is missing"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(empty: Arbitrator, text: str, code: int, said: str) -> None:
    assert said in refused(empty, text, code=code)


def test_another_kind_of_file_is_named_as_what_it_is(empty: Arbitrator) -> None:
    said = refused(empty, "format: gang-sheet/1\nname: x\n")
    assert "That is a gang sheet" in said
    assert "Did you mean" in empty.refused(2, "juge", "x")


def test_a_house_rule_for_another_book_is_refused_where_it_stands(empty: Arbitrator) -> None:
    text = exchange(FULL, more="policies: [one-lasting-injury-roll@1, trauma-table-1-0@1]\n")
    said = refused(empty, text.replace("necromunda_2023", "necromunda_archive"))
    assert "policies[2]: trauma-table-1-0@1 does not fit necromunda_archive" in said
    assert "policies[1]" not in said


def test_the_schema_takes_what_the_command_takes(empty: Arbitrator) -> None:
    validator = jsonschema.Draft202012Validator(json_schema("exchange"))
    for text in (EXAMPLE, exchange(FULL), exchange(hit(), hit()), exchange(FULL, more="preset: a_and_a\n")):
        validator.validate(parse_document(text, file="x").root.plain())
    for text in (HEAD, exchange(FULL, more="colour: red\n"), exchange("{note: nothing}")):
        assert not validator.is_valid(parse_document(text, file="x").root.plain())


DOWN = "conditions: {mags: {seriously_injured: true}}\n"
TRENCH = """\
format: exchange/1
rulebook: trench_crusade
gangs:
  iron: {fighters: [{name: Vex, category: elite, characteristics: &c {Mv: 6, Rng: 0, Mel: 0, Arm: 0}}]}
  black: {fighters: [{name: Rat, category: troop, characteristics: {Mv: 6, Rng: 0, Mel: 0, Arm: 0}}]}
conditions: {rat: CONDITION}
exchange: {injury_chart: {attacker: vex, target: rat, result: no_effect}}
""".replace("&c ", "")


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("{pinned: true}", "nobody can be 'pinned'"),
        ("{wounds_left: 0}", "nobody can be 'wounds_left'"),
        ("{blood_markers: 7}", "a model has 6 at most"),
        ("{blessing_markers: 7}", "a model has 6 at most"),
        ("{blood_markers: 6, blessing_markers: 6, down: true, tough_spent: true}", ""),
    ],
)
def test_conditions_are_those_of_the_game_and_markers_end_at_six(
    empty: Arbitrator, condition: str, said: str
) -> None:
    text = TRENCH.replace("CONDITION", condition)
    if said:
        assert said in refused(empty, text)
    else:
        assert judged(empty, text)["end_state"]["rat"]["condition"]["blood_markers"] == 6


@pytest.mark.parametrize("command", ["judge", "odds"])
def test_a_name_is_understood_where_the_card_has_an_id_of_its_own(empty: Arbitrator, command: str) -> None:
    head = HEAD.replace("name: Krug", "id: boss\n        name: Old Krug").replace(
        "name: Mags", "id: m1\n        name: Mags"
    )
    head = head.replace("  saints:\n", "  saints:\n    name: The Rust Saints\n")
    by_name = exchange("hit: {attacker: Old Krug, weapon: autogun, target: Mags}", head=head).replace(
        "exchange: hit:", "exchange:\n  hit:"
    )
    by_id = by_name.replace("attacker: Old Krug", "attacker: boss").replace("target: Mags", "target: m1")
    words = [] if command == "odds" else ["--roll"]
    said = [empty(command, empty.write(text), *words) for text in (by_name, by_id)]
    assert [ran.code for ran in said] == [0, 0], said[0].err
    if command == "odds":
        assert said[0].out == said[1].out
    nobody = by_name.replace("target: Mags", "target: Vesk")
    assert "vesk" in empty.refused(2, command, empty.write(nobody), *words)
