"""Injury Chart, Blood Markers, standing up and fates as reports write them; the sheets of that game."""

from functools import partial

import document_examples
import jsonschema
import pytest
from document_examples import report_of
from tables import every

from tracker.campaign import records
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.refusals import DocumentRefused
from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document
from tracker.rules import loader

BOOK = loader.book("trench_crusade")
plan_of = partial(document_examples.plan_of, purposes=BOOK.purposes)
command_of = partial(document_examples.command_of, purposes=BOOK.purposes)
fault = partial(document_examples.fault, purposes=BOOK.purposes)


# --- what is read ----------------------------------------------------------------------------------------


def test_an_injury_roll_may_say_no_more_than_who_was_hit() -> None:
    assert command_of("{injury_chart: {target: odo}}") == records.RollInjuryChart(target="odo")


def test_an_injury_roll_may_say_all_there_is_to_say() -> None:
    written = (
        "{injury_chart: {target: odo, attacker: vex, pool: 3, plus_dice: [critical hit, blessed], minus_dice: cover,"
        " modifiers: [{why: heavy weapon, by: +1}], spend_markers: 2, bloodbath: true, armour: machine,"
        " shield: false, tough: true}}"
    )
    assert command_of(written) == records.RollInjuryChart(
        target="odo",
        attacker="vex",
        pool=3,
        plus_dice=("critical hit", "blessed"),
        minus_dice=("cover",),
        modifiers=(records.StatedModifier(why="heavy weapon", by=1),),
        spend_markers=2,
        bloodbath=True,
        armour="machine",
        shield=False,
        tough=True,
    )


def test_injury_chart_dice_may_be_given_as_a_bare_number() -> None:
    assert command_of(
        "{injury_chart: {target: odo, plus_dice: 2, minus_dice: 0}}"
    ) == records.RollInjuryChart(target="odo", plus_dice=("as stated", "as stated"))


def test_the_chart_may_be_given_by_its_result() -> None:
    assert command_of(
        "{injury_chart: {target: odo, attacker: vex, result: out_of_action}}"
    ) == records.RollInjuryChart(target="odo", attacker="vex", result="out_of_action")


def test_blood_markers_standing_up_and_fates_are_read() -> None:
    assert command_of("{blood_markers: {fighter: odo, count: 2, use: action}}") == records.SpendBloodMarkers(
        fighter="odo", count=2, use="action"
    )
    assert command_of("{stand: {fighter: odo}}") == records.StandUp(fighter="odo")
    assert command_of(
        "{stand: {fighter: odo, risky: true, minus_dice: [mud], spend_markers: 1}}"
    ) == records.StandUp(fighter="odo", risky=True, minus_dice=("mud",), spend_markers=1)
    assert command_of("{stand: {fighter: odo, risky: true, stood: false}}") == records.StandUp(
        fighter="odo", risky=True, stood=False
    )
    assert command_of(
        "{trauma: {fighter: vex, ransom: paid, grudge_against: pilgrims}}"
    ) == records.DecideFate(fighter="vex", ransom="paid", grudge_against="pilgrims")


def test_dice_are_read_by_the_purposes_of_the_book() -> None:
    text = report_of(
        "{injury_chart: {target: odo}, dice: {injury_chart: [6, 2]}}",
        "{trauma: {fighter: vex}, dice: {trauma: 1-3}}",
    )
    chart, fate = plan_of(text).decisions[1:3]
    assert [(die.purpose, die.faces) for die in chart.dice] == [
        ("injury_chart", (6,)),
        ("injury_chart", (2,)),
    ]
    assert [(die.purpose, die.faces) for die in fate.dice] == [("trauma", (1, 3))]


# --- what is refused -------------------------------------------------------------------------------------


@every(
    ("entry", "expected"),
    [
        ("{injury_chart: {target: odo, pool: 0}}", "expected a whole number from 1 to 6."),
        ("{injury_chart: {target: odo, spend_markers: 7}}", "expected a whole number from 1 to 6."),
        ("{injury_chart: {target: odo, plus_dice: 11}}", "expected a list."),
        ("{injury_chart: {target: odo, plus_dice: true}}", "expected a list."),
        ("{injury_chart: {target: odo, armour: plate}}", "expected one of none, standard, reinforced, machine."),
        ("{injury_chart: {target: odo, modifiers: [{why: x, by: 10}]}}", "from -9 to 9, such as +1 or -1."),
        (
            "{injury_chart: {target: odo, result: down, pool: 3, plus_dice: 1}}",
            "`result` says what came of it: take plus_dice, pool out.",
        ),
        ("{injury_chart: {target: odo, result: down, pool: 2}}", "`result` says what came of it: take pool out."),
        ("{stand: {fighter: odo, plus_dice: 0}}", "there is no roll to stand up: take plus_dice out."),
        ("{stand: {fighter: odo, stood: true}}", "without `risky: true` there is no roll to stand up: take stood out."),
        (
            "{stand: {fighter: odo, risky: true, stood: true, plus_dice: 1}}",
            "`stood` says what came of it: take plus_dice out.",
        ),
        ("{blood_markers: {fighter: odo, count: 1, use: injury}}", "expected one of action, attack."),
        ("{trauma: {fighter: odo, ransom: later}}", "expected one of paid, unpaid."),
        ("{injury_chart: {target: odo}, dice: {wound: [4]}}", "no die is rolled for this. Known here: injury_chart,"),
    ],
)  # fmt: skip
def test_a_contradictory_entry_of_trench_crusade_is_refused(entry: str, expected: str) -> None:
    assert expected in fault(entry)


# --- sheets ----------------------------------------------------------------------------------------------

NUMBERS = '{Mv: 6", Rng: +1 DICE, Mel: -1, Arm: -2}'
SHEET = f"""\
format: gang-sheet/1
name: Iron Procession
house: Trench Pilgrims
player: Dana
fighters:
  - name: Anselm
    category: elite
    type: War Prophet
    cost: 80
    characteristics: {NUMBERS}
    skills: [Tough]
    wargear: [Reinforced Armour, Trench Shield]
"""


def warband_of(text: str) -> records.EnlistGang:
    return gang_sheet_command(parse_document(text, file="sheet.yaml"), characteristics=BOOK.characteristics)


def sheet_faults(text: str) -> list[str]:
    with pytest.raises(DocumentRefused) as raised:
        warband_of(text)
    return raised.value.message().splitlines()[1:]


def test_a_card_has_the_numbers_of_the_campaigns_book_by_its_short_names() -> None:
    (card,) = warband_of(SHEET).fighters
    assert card.characteristics == {"movement": 6, "ranged": 1, "melee": -1, "armour_modifier": -2}
    assert (card.category, card.skills, card.skills_learned) == ("elite", ("Tough",), True)


@every(
    "numbers",
    ["{Mv: 6, Rng: 1, Mel: -1, Arm: -2}", '{Arm: "-2", Mel: "-1 DICE", Rng: "+1", Mv: "6"}'],
)
def test_numbers_may_be_written_as_the_cards_print_them(numbers: str) -> None:
    assert warband_of(SHEET.replace(NUMBERS, numbers)) == warband_of(SHEET)


def test_a_number_that_the_book_does_not_print_is_refused_with_the_nearest() -> None:
    assert sheet_faults(SHEET.replace("Rng:", "Rngd:")) == [
        "  sheet.yaml:10:22 fighters[1].characteristics: the key 'Rng' is missing.",
        "  sheet.yaml:10:31 fighters[1].characteristics.Rngd: unknown key. Did you mean 'Rng'?",
    ]


def test_the_usual_twelve_are_no_numbers_of_this_book() -> None:
    listed = sheet_faults(SHEET.replace(NUMBERS, "{Mv: 6, Rng: 0, Mel: 0, Arm: 0, WS: 4}"))
    assert listed == [
        "  sheet.yaml:10:54 fighters[1].characteristics.WS: unknown key. Known here: Mv, Rng, Mel, Arm."
    ]


@every("written", ["five", "+1 dices", "[1]", "true", "100", "1.5", "null"])
def test_a_characteristic_that_is_no_number_is_refused_where_it_stands(written: str) -> None:
    (line,) = sheet_faults(SHEET.replace("Rng: +1 DICE", f"Rng: {written}"))
    assert "fighters[1].characteristics.Rng: found" in line
    assert line.endswith('expected a whole number from -99 to 99, such as +1 or -1, or "-" for none.')


@every("written", ["6", "[Mv, 6]", "text"])
def test_a_card_without_a_map_of_characteristics_is_refused(written: str) -> None:
    (line,) = sheet_faults(SHEET.replace(NUMBERS, written))
    assert line.endswith("expected a map (key: value).")


def test_a_sheet_of_this_game_is_refused_where_the_twelve_are_wanted() -> None:
    with pytest.raises(DocumentRefused, match=r"characteristics\.Mv: unknown key"):
        gang_sheet_command(parse_document(SHEET, file="sheet.yaml"))


def test_the_schema_takes_the_twelve_or_other_numbers_and_no_mixture() -> None:
    validator = jsonschema.Draft202012Validator(json_schema("gang-sheet"))
    assert validator.is_valid(parse_document(SHEET, file="sheet.yaml").root.plain())
    for mixed in ("{Mv: 6, Rng: 1, Mel: 0, Arm: 0, WS: 4}", "{Mv: [6]}", "{}"):
        text = SHEET.replace(NUMBERS, mixed)
        assert not validator.is_valid(parse_document(text, file="sheet.yaml").root.plain())
