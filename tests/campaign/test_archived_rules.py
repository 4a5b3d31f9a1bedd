"""The archived rules, played: hits, Injury dice and the End phase, where they differ and where not."""

import pytest
from archived_scenario import ARCHIVE, archived
from lasting_injuries import carried_home
from scenario import (
    KRUG,
    MAGS,
    MESH,
    OUT_COLD,
    SKULLS,
    VEX,
    card,
    hit,
    injuries,
    injury,
    lasting,
    out_of_action,
    save,
    seriously_injured,
    wound,
)

from tracker.campaign import records
from tracker.campaign.steps import decide
from tracker.dice import DiceTray, read_die
from tracker.rules import loader

# --- what it shares with the 2023 book -------------------------------------------------------------------


def test_a_hit_goes_from_wound_roll_to_lasting_injury_under_the_archived_sections() -> None:
    table = archived(card(VEX, armour=MESH)).when(
        hit(VEX, by=MAGS, strength=4, ap=-1), wound(4), save(1), injury("ooa"), lasting(4, 6)
    )
    assert [(roll.purpose, roll.section) for roll in table.rolls] == [
        ("wound", "Archived rules · Resolve Hits · 1. Wound Roll"),
        ("save", "Archived rules · Resolve Hits · 2. Save Roll"),
        ("injury", "Archived rules · Resolve Hits · Injuries"),
        ("lasting_injury", "Archived rules · Lasting Injuries and Damage · Injury Tables"),
    ]


def test_each_out_of_action_die_brings_a_lasting_injury_roll() -> None:
    table = archived().when(injuries(VEX, dice=2), injury("ooa", "ooa"), OUT_COLD, lasting(3, 1))
    table.then_phrases("out_cold", "grievous_injury", "recovery from battle 1")


def test_by_house_rule_one_lasting_injury_roll_is_enough() -> None:
    knobs = dict(loader.policy("one-lasting-injury-roll").patch)
    archived(knobs=knobs).when(injuries(VEX, dice=2), injury("ooa", "ooa"), OUT_COLD).then(
        records.FighterWentOutOfAction(
            fighter=VEX, by=None, reason="injury_dice", out_of_action_dice=2, lasting_injury_rolls=1
        ),
        *archived().when(injuries(VEX, dice=1), injury("ooa"), OUT_COLD).outcome[1:],
    )


def test_a_further_serious_injury_is_a_flesh_wound_or_by_knob_nothing() -> None:
    two = (injuries(VEX, dice=2), injury("serious", "serious"))
    assert archived().when(*two).combatant(VEX).flesh_wounds == 1
    nothing = {"injury_dice.further_serious_injury": "nothing"}
    assert archived(knobs=nothing).when(*two).combatant(VEX).flesh_wounds == 0


def test_a_lasting_injury_of_the_2023_table_cannot_be_named() -> None:
    table = archived()
    named = read_die("lasting_injury", "D66", "old_battle_wound")
    with pytest.raises(Exception, match="has no row 'old_battle_wound'"):
        decide(table.state, out_of_action(VEX), DiceTray((named,)), loader.rulebook, entry=1)


# --- the End phase where it differs ----------------------------------------------------------------------


def test_a_fighter_who_fled_counts_as_out_of_action_for_the_scenario() -> None:
    table = archived().when(seriously_injured(KRUG)).when(records.CheckBottle(gang=SKULLS, voluntary=True))
    fled = table.when(
        records.TakeFleeingTests(gang=SKULLS, fighters=(VEX,), near={}), read_die("flee", "2D6", "1+1")
    )
    assert fled.outcome == (
        records.FighterFled(fighter=VEX, voluntary=False),
        records.RuleNoted(
            fighter=VEX,
            why="counts as Out of Action for the scenario, unless it says otherwise",
            section="Archived rules · End Phase · Fleeing the Battlefield",
        ),
    )
    assert not fled.combatant(VEX).out_of_action


def test_out_of_action_while_webbed_is_a_lasting_injury_roll_as_for_any_reason() -> None:
    webbed = archived().when(hit(VEX, by=MAGS, damage=None, traits=("Web",)), wound(6))
    special = loader.book(ARCHIVE).injury_dice["two_three_one"]
    lost = webbed.when(
        records.TakeRecoveryTest(fighter=VEX),
        read_die("recovery", "injury", "out_of_action", special=special),
        lasting(5, 2),
    )
    assert carried_home(lost) == ("eye_injury", "recovery from battle 1", "ballistic_skill 4 to 5")
