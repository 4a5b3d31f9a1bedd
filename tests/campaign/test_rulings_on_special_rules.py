"""Rulings on the dice of traits and skills: what they change carries through later battles."""

from fights import KNIFE, fight
from scenario import CLOSING, DOT, KRUG, MAGS, VEX, card, given, hit, opening
from special_rules import dice

from tracker.campaign import records
from tracker.campaign.rulings import redecision
from tracker.campaign.rulings.redecision import SlotInstruction
from tracker.campaign.state import CampaignState
from tracker.dice import read_die
from tracker.records import replace
from tracker.rules import loader

HAND_INJURY = "4-5"


def test_a_ruling_that_changes_a_dodge_die_carries_through_later_battles() -> None:
    """Vex dodged in battle 1. Ruled a 5, he was out and his hand hurt; his blow in battle 3 misses."""
    table = (
        given(card(VEX, skills=("Dodge",), weapons=(KNIFE,)))
        .when(hit(VEX, by=MAGS), *dice(wound=4, dodge=6))
        .when(CLOSING)
        .when(opening(2, without=[VEX]))
        .when(CLOSING)
        .when(opening(3))
        .when(fight(VEX, DOT, using=("knife",)), *dice(melee_hit=4, wound=1))
    )
    slots = table.slots()
    (dodged,) = [slot for slot in slots if isinstance(command_of(slot), records.ResolveHit)]
    _, missed_battle = [slot for slot in slots if isinstance(command_of(slot), records.CloseBattle)]
    (struck,) = [slot for slot in slots if isinstance(command_of(slot), records.Fight)]
    dodge = replace(dice_of(dodged)[1], faces=(5,))
    ruled = {
        dodged.slot: SlotInstruction(
            correct=(1, dodge),
            supplied=(
                *dice(injury="out"),
                read_die("lasting_injury", "D66", HAND_INJURY),
            ),
        )
    }
    found = redecision.redecide(CampaignState(), slots, ruled, loader.rulebook)
    assert [(redecided.slot.slot, redecided.result) for redecided in found.slots] == [
        (dodged.slot, "changed"),
        (missed_battle.slot, "changed"),  # the Recovery is over
        (struck.slot, "changed"),
    ]
    rolls = [
        decided.event
        for redecided in found.slots
        if redecided.judgement is not None
        for decided in redecided.judgement.events
        if isinstance(decided.event, records.RollMade)
    ]
    assert [(roll.purpose, roll.passed) for roll in rolls] == [
        ("wound", True), ("dodge", False), ("injury", None), ("lasting_injury", None), ("melee_hit", False),
    ]  # fmt: skip
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert vex.characteristics["weapon_skill"] == 5


def test_a_ruling_that_makes_a_hit_a_natural_6_disarms_and_the_armed_reaction_no_longer_follows() -> None:
    table = (
        given(card(KRUG, skills=("Disarm",), weapons=(KNIFE,)), card(MAGS, weapons=(KNIFE,)))
        .when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=5, wound=1))
        .when(fight(MAGS, KRUG, using=("knife",), reaction=True), *dice(melee_hit=1))
    )
    slots = table.slots()
    first, reaction = [slot for slot in slots if isinstance(command_of(slot), records.Fight)]
    six = replace(dice_of(first)[0], faces=(6,))
    found = redecision.redecide(
        CampaignState(), slots, {first.slot: SlotInstruction(correct=(0, six))}, loader.rulebook
    )
    assert [(redecided.slot.slot, redecided.result) for redecided in found.slots] == [
        (first.slot, "changed"),
        (reaction.slot, "refused"),
    ]


def command_of(slot: redecision.Slot) -> records.Command:
    assert slot.header is not None
    return slot.header.command


def dice_of(slot: redecision.Slot) -> tuple[object, ...]:
    assert slot.header is not None
    return slot.header.dice
