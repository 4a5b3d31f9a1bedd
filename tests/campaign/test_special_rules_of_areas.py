"""Dodge against a Blast or Template: moving out from under it before it hits.

Source: Core Rulebook (2023) · Skills · Dodge; knob dodge.from_area.
"""

from fractions import Fraction

import pytest
from scenario import CLOSING, KRUG, MAGS, VEX, Table, card, hit, older
from shots import armed, gun, shot, there
from special_rules import UNHURT, dice, exactly, purposes

from tracker.campaign import records
from tracker.campaign.rulings import redecision
from tracker.campaign.rulings.redecision import SlotInstruction
from tracker.campaign.state import CampaignState
from tracker.dice import Die, read_die
from tracker.records import replace
from tracker.rules import loader

BLAST = 'Blast (3")'
ON_HIT = {"hit": 6, "firepower": "one_hole"}
WOUNDS = Fraction(4, 6)  # Strength 4 against Toughness 3
GETS_OUT = Fraction(1, 6)


def dodger(fighter: str = KRUG, *more: str) -> records.FighterCard:
    return card(fighter, skills=("Dodge", *more))


def grenade(*traits: str, knobs: dict[str, str] | None = None) -> Table:
    """Mags has a gun with Blast, and Krug and Vex dodge."""
    return armed(gun("gun", BLAST, *traits), knobs=knobs, others=(dodger(), dodger(VEX)))


def test_dodge_before_a_blast_hits_on_a_6_moves_out_from_under_it_and_is_not_hit() -> None:
    """The words put the move before it is seen whether the Blast hits: so no wound roll, and nobody Pinned."""
    away = grenade().when(shot(), *dice(**ON_HIT, dodge=6))
    assert purposes(away) == ["hit", "firepower", "dodge"]
    assert not away.combatant(KRUG).pinned
    assert [event.why for event in away.outcome if isinstance(event, records.RuleNoted)] == [
        "Dodge: out from under it"
    ]


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5])
def test_dodge_below_6_is_hit_and_rolls_no_second_time_when_wounded(face: int) -> None:
    struck = grenade().when(shot(), *dice(**ON_HIT, dodge=face, wound=4, injury="flesh"))
    assert purposes(struck) == ["hit", "firepower", "dodge", "wound", "injury"]
    assert struck.combatant(KRUG).pinned


def test_dodge_of_2_inches_that_do_not_lead_out_does_not_help() -> None:
    corner = shot(stays_beneath=(KRUG,))
    struck = grenade().when(corner, *dice(**ON_HIT, dodge=6, wound=4, injury="flesh"))
    assert struck.combatant(KRUG).flesh_wounds == 1


def test_dodge_is_rolled_for_by_each_who_lies_beneath() -> None:
    both = shot(under_marker=(there(KRUG), there(VEX)))
    done = grenade().when(both, *dice(**ON_HIT, dodge=[6, 5], wound=1))
    assert purposes(done) == ["hit", "firepower", "dodge", "dodge", "wound"]
    assert [done.combatant(name).pinned for name in (KRUG, VEX)] == [False, True]


def test_dodge_out_from_under_a_template_spares_what_follows_the_attack() -> None:
    table = armed(gun("gun", "Template", "Blaze"), others=(dodger(), dodger(VEX)))
    flames = shot(None, range_band=None, under_template=(there(KRUG), there(VEX)))
    done = table.when(flames, *dice(firepower="one_hole", dodge=[6, 2], wound=1, blaze=4))
    assert (done.combatant(KRUG).blaze, done.combatant(VEX).blaze) == (False, True)


def test_who_dodges_out_of_an_area_is_as_safe_as_one_face_in_six_says() -> None:
    table = armed(gun("gun", "Template"), others=(dodger(),))
    flames = shot(None, range_band=None, under_template=(there(KRUG),))
    assert exactly(table, flames, KRUG)[UNHURT] == GETS_OUT  # else Pinned at least
    single = exactly(armed(others=(dodger(),)), hit(KRUG, by=MAGS, traits=(BLAST,)), KRUG)
    assert single[UNHURT] == GETS_OUT + (1 - GETS_OUT) * (1 - WOUNDS)
    when_wounded = armed(others=(dodger(),), knobs={"dodge.from_area": "when_wounded"})
    assert (
        exactly(when_wounded, hit(KRUG, by=MAGS, traits=(BLAST,)), KRUG) == single
    )  # the order alone differs


def test_dodge_when_wounded_is_a_reading_by_which_the_hit_was_made() -> None:
    table = grenade(knobs={"dodge.from_area": "when_wounded"})
    dodged = table.when(shot(), *dice(**ON_HIT, wound=4, dodge=6))
    assert purposes(dodged) == ["hit", "firepower", "wound", "dodge"]
    assert (dodged.combatant(KRUG).pinned, dodged.combatant(KRUG).flesh_wounds) == (True, 0)
    stays = shot(stays_beneath=(KRUG,))
    assert (
        table.when(stays, *dice(**ON_HIT, wound=4, dodge=6, injury="flesh")).combatant(KRUG).flesh_wounds == 1
    )


def test_gas_and_dodge_meet_under_a_blast_and_in_a_single_hit() -> None:
    """Gas asks for no wound roll, and Dodge answers a wound (G-50); but who has moved out from under the cloud
    before it hits has breathed none of it, so under a Blast the die of Dodge comes first and counts."""
    under = grenade("Gas").when(shot(), *dice(**ON_HIT, dodge=6))
    assert purposes(under) == ["hit", "firepower", "dodge"]
    jet = armed(gun("gun", "Gas"), others=(dodger(),))
    assert purposes(jet.when(shot(), *dice(**ON_HIT, wound=3, injury="flesh"))) == [
        "hit", "firepower", "wound", "injury",
    ]  # fmt: skip
    reading = grenade("Gas", knobs={"dodge.from_area": "when_wounded"})
    assert purposes(reading.when(shot(), *dice(**ON_HIT, wound=3, injury="flesh")))[-1] == "injury"


def test_a_battle_of_an_earlier_stage_dodges_the_wound_of_a_blast_as_it_did() -> None:
    old = older(grenade(), 2).when(shot(), *dice(**ON_HIT, wound=4, dodge=6))
    assert purposes(old) == ["hit", "firepower", "wound", "dodge"]
    assert old.rolls[-1].outcome == "Dodge: no further effect"
    assert old.combatant(KRUG).pinned


def test_a_ruling_that_changes_a_dodge_out_of_a_blast_carries_through() -> None:
    """Krug got out from under the Blast. Ruled a 5, he is hit, Pinned and out; what he did later falls away."""
    table = grenade().when(shot(), *dice(**ON_HIT, dodge=6))
    table = table.when(shot(), *dice(**ON_HIT, dodge=1, wound=1)).when(CLOSING)
    slots = table.slots()
    first, second = [slot for slot in slots if isinstance(_command(slot), records.Shoot)]
    ruled = {
        first.slot: SlotInstruction(
            correct=(2, replace(_dice(first)[2], faces=(5,))),
            supplied=(*dice(wound=4, injury="out"), read_die("lasting_injury", "D66", "1-5")),
        )
    }
    found = redecision.redecide(CampaignState(), slots, ruled, loader.rulebook)
    results = {redecided.slot.slot: redecided.result for redecided in found.slots}
    assert results[first.slot] == "changed"
    assert results[second.slot] == "refused"  # nobody shoots at who is Out of Action


def _command(slot: redecision.Slot) -> records.Command:
    assert slot.header is not None
    return slot.header.command


def _dice(slot: redecision.Slot) -> tuple[Die, ...]:
    assert slot.header is not None
    return slot.header.dice
