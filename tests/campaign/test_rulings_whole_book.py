"""Rulings on battles with traits and skills: a changed die of theirs carries through, an older battle stays without."""

from scenario import CLOSING, MAGS, VEX, Table, before, card, given, hit, injury, lasting, opening, wound
from special_rules import dice

from tracker.campaign import records
from tracker.campaign.rulings import redecision
from tracker.campaign.state import CampaignState
from tracker.dice import Die
from tracker.records import replace
from tracker.rules import loader

DODGER = card(VEX, skills=("Dodge",))
ENFEEBLED = lasting(5, 2)


def ruled(table: Table, entry: int, purpose: str, face: int, *supplied: Die) -> redecision.Redecision:
    """The season decided again with another face of one die."""
    slots = table.slots()
    slot = next(slot for slot in slots if slot.slot == entry)
    assert slot.header is not None
    rolled = slot.header.dice
    number = next(place for place, die in enumerate(rolled) if die.purpose == purpose)
    other = replace(rolled[number], faces=(face,))
    instruction = redecision.SlotInstruction(correct=(number, other), supplied=supplied)
    return redecision.redecide(CampaignState(), slots, {entry: instruction}, loader.rulebook)


def test_a_ruling_that_changes_a_dodge_carries_through_to_the_next_battle() -> None:
    """Enfeebled by the hit that was not dodged, Vex is in Recovery, and the battle that Vex fought next is refused."""
    table = given(DODGER).when(hit(VEX, by=MAGS), *dice(wound=4, dodge=6)).when(CLOSING)
    table = table.when(opening(2))
    found = ruled(table, 5, "dodge", 1, *injury("ooa"), ENFEEBLED)
    assert [(one.slot.slot, one.result) for one in found.slots] == [(5, "changed"), (7, "refused")]


def test_a_ruling_that_changes_a_blaze_die_leaves_nobody_on_fire() -> None:
    flames = hit(VEX, by=MAGS, traits=("Blaze",))
    table = given().when(flames, *dice(wound=1, blaze=4))
    assert table.combatant(VEX).blaze
    table = table.when(records.ActivateBurning(fighter=VEX, engaged=True), *dice(wound=1, blaze_out=1)).when(
        CLOSING
    )
    found = ruled(table, 5, "blaze", 3)
    assert next((one.slot.slot, one.result) for one in found.slots) == (5, "changed")
    (unsettled,) = found.unsettled  # the activation of who does not burn
    assert unsettled.slot.slot == 6


def test_a_ruling_on_a_battle_recorded_before_skills_asked_for_dice_asks_for_none() -> None:
    table = before(DODGER)
    assert table.state.under_way is not None
    assert table.state.under_way.whole_book is None
    table = table.when(hit(VEX, by=MAGS), wound(1)).when(CLOSING)
    (unsettled,) = ruled(table, 5, "wound", 4).unsettled
    assert unsettled.needed is not None
    assert unsettled.needed.purpose == "injury"
