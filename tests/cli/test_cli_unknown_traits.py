"""Traits that the book does not know are said aloud wherever a weapon is enlisted or used, never guessed."""

import json

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report
from exchange_files import exchange, hit

SHEET = """\
format: gang-sheet/1
gang: ash-rats
name: Ash Rats
house: Nobody's
player: Sam
credits: 10
fighters:
  - &rat
    id: rat
    name: Rat
    category: leader
    type: Boss
    cost: 50
    characteristics: {M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}
    weapons:
      - {name: sling, S: 3, AP: 0, D: 1, range: {short: 4, long: 12}, ammo: 4+, traits: [Plentiful, Humming, Rapid Fire (1)]}
"""
SHEET = SHEET.replace("  - &rat\n    id", "  - id")


def line(trait: str, weapon: str) -> str:
    return f"Note: Without a rule here, so played at the table: {trait} ({weapon})."


def notes(said: str) -> list[str]:
    return [one for one in said.splitlines() if one.startswith("Note: ")]


@pytest.mark.parametrize("option", [(), ("--dry-run",)])
@pytest.mark.usefixtures("wide")
def test_a_gang_sheet_s_unknown_traits_are_said_and_its_known_ones_are_not(
    arbitrator: Arbitrator, option: tuple[str, ...]
) -> None:
    said = arbitrator.done("gang", "add", arbitrator.write(SHEET), *option).out
    assert notes(said) == [line("Humming", "sling")]


@pytest.mark.parametrize("trait", ["Demolitions", "Demolition", "Demolition(s)"])
def test_demolitions_are_known_however_an_armoury_spells_them(arbitrator: Arbitrator, trait: str) -> None:
    sheet = SHEET.replace("[Plentiful, Humming, ", f"[Plentiful, {trait}, ")
    assert notes(arbitrator.done("gang", "add", arbitrator.write(sheet)).out) == []
    assert "Demolitions (trait)" in arbitrator.done("rules", "show", trait).out


@pytest.mark.usefixtures("wide")
def test_many_unknown_traits_are_one_line(arbitrator: Arbitrator) -> None:
    listed = ", ".join(f"Odd{nth}" for nth in range(8))
    weapon = f"      - {{name: saw, S: 3, AP: 0, D: 1, range: {{short: 4}}, traits: [{listed}]}}\n"
    (note,) = notes(arbitrator.done("gang", "add", arbitrator.write(SHEET + weapon)).out)
    assert note == (
        "Note: Without a rule here, so played at the table: Humming (sling), Odd0 (saw), Odd1 (saw), Odd2 (saw),"
        " Odd3 (saw), Odd4 (saw), 3 more."
    )


@pytest.mark.usefixtures("wide")
def test_an_unknown_trait_is_named_once_in_a_campaign(arbitrator: Arbitrator) -> None:
    arbitrator.done("gang", "add", arbitrator.write(SHEET))
    others = (
        SHEET.replace("ash-rats", "soot-rats")
        .replace("id: rat", "id: sooty")
        .replace("Ash Rats", "Soot Rats")
    )
    again = others.replace("Humming", "Humming, Odd")
    said = arbitrator.done("gang", "add", arbitrator.write(again)).out
    assert notes(said) == [line("Odd", "sling")]


@pytest.mark.usefixtures("wide")
def test_a_trait_of_the_table_s_own_is_known(arbitrator: Arbitrator) -> None:
    rule = """\
format = "house-rule/1"
id = "hum"
version = 1
title = "Hum"
about = "A trait that is made up."

[[trait]]
name = "Humming"
at_the_table = "hums"
"""
    arbitrator.done("policy", "adopt", arbitrator.write(rule, name="hum.toml"), "--reason", "voted")
    assert notes(arbitrator.done("gang", "add", arbitrator.write(SHEET)).out) == []


def test_programs_get_the_notes_too(arbitrator: Arbitrator) -> None:
    output = json.loads(arbitrator.done("gang", "add", arbitrator.write(SHEET), "--json").out)
    assert output["notes"] == [line("Humming", "sling").removeprefix("Note: ")]


SHOT = (
    "shoot: {attacker: rat, weapon: sling, target: krug, range: short}\n    dice: {hit: [1], firepower: [1]}"
)
HIT = "hit: {attacker: rat, weapon: sling, target: krug}\n    dice: {wound: [1]}"
FIST = (
    "fight: {attacker: rat, weapons: [{name: hook, S: 3, AP: 0, D: 1, traits: [Melee, Grasping]}], targets: [krug]}\n"
    "    dice: {melee_hit: [1]}"
)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((SHOT,), []),
        ((HIT, SHOT), []),
        ((FIST,), [line("Grasping", "hook")]),
        (("out_of_action: {fighter: krug, by: rat, lasting_injury: 2-1}",), []),
    ],
)
@pytest.mark.usefixtures("wide")
def test_a_report_names_unknown_traits_of_weapons_that_are_on_no_card(
    arbitrator: Arbitrator, entries: tuple[str, ...], said: list[str]
) -> None:
    arbitrator.done("gang", "add", arbitrator.write(SHEET))
    text = report("b1", *entries, gangs="[iron-skulls, ash-rats]", result="draw: true")
    assert notes(arbitrator.record(text).out) == said
    again = arbitrator.record(text).out
    assert notes(again) == said


@pytest.mark.usefixtures("wide")
def test_dice_left_over_are_explained_by_a_trait_that_the_book_does_not_know(arbitrator: Arbitrator) -> None:
    """A true die, rolled by the words of a trait, is refused with where it belongs."""
    arbitrator.done("gang", "add", arbitrator.write(SHEET))
    rent = HIT.replace("[1]}", "[6], save: [2], injury: [flesh, flesh]}")
    text = report("b1", rent, gangs="[iron-skulls, ash-rats]", result="draw: true")
    said = arbitrator.refused(2, "battle", "record", arbitrator.write(text))
    assert "dice are left over that no rule asked for" in said
    assert line("Humming", "sling").removeprefix("Note: ") in said
    known = text.replace("weapon: sling", "weapon: {name: rock, S: 3, AP: 0, D: 1}")
    assert "Humming" not in arbitrator.refused(2, "battle", "record", arbitrator.write(known))


@pytest.mark.usefixtures("wide")
def test_a_judge_explains_them_so_too(empty: Arbitrator) -> None:
    blazing = exchange(hit("wound: [1], save: [2]"))
    said = empty.refused(2, "judge", empty.write(blazing))
    assert "save 2" in said
    assert line("Deafening", "autogun").removeprefix("Note: ") in said
