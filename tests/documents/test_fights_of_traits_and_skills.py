"""Fights of fighters with traits and skills: what their entries say, and what the wizard asks about them."""

import pytest
from scenario import DOT, KRUG, MAGS, SKULLS, VEX, card, given

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.documents.close_combat_entries import FightWritten
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms
from tracker.rules import loader

KNIFE, MAUL, SAW, STAFF = (
    Weapon(weapon=name, profiles=(WeaponProfile(strength=4, traits=("Melee", *traits)),))
    for name, traits in (
        ("knife", ()), ("maul", ("Knockback",)), ("saw", ("Reckless",)), ("staff", ("Force",)),
    )
)  # fmt: skip
FIGHT = {"attacker": KRUG, "targets": [MAGS]}


def made(**keys: object) -> records.Fight:
    command = FightWritten.model_validate({**FIGHT, **keys}).command("krug, round 1")
    assert isinstance(command, records.Fight)
    return command


def test_what_is_said_of_the_only_target_is_said_of_that_target() -> None:
    command = made(behind=True, follows=True)
    assert command.targets == (records.FightTarget(model=MAGS, behind=True, follows=True),)
    of_its_own = made(targets=[{"fighter": MAGS, "behind": True, "wards_off": "saw"}])
    assert of_its_own.targets == (records.FightTarget(model=MAGS, behind=True, wards_off="saw"),)


def test_with_several_targets_each_says_it_for_itself() -> None:
    with pytest.raises(ValueError, match="of each fighter there"):
        made(targets=[MAGS, DOT], behind=True)


def test_a_written_fight_says_again_what_it_was_told() -> None:
    rig = {"vehicle": "rig", "facing": "side", "mobile": False}
    beside = [VEX, {"fighter": DOT, "behind": True}, rig]
    command = made(weapons=["saw"], named_die="saw", psyker=True, in_contact=beside)
    assert [beside.model for beside in command.in_contact] == [VEX, DOT, "rig"]
    assert command.in_contact[2].vehicle == records.VehicleAttacked(facing="side", mobile=False)
    stated = FightWritten.stated_of(command)
    assert FightWritten.model_validate(stated).command("krug, round 1") == command


@pytest.mark.parametrize(
    ("skills", "arm", "more", "asked"),
    [
        ((), "knife", {}, set()),
        (("Backstab",), "knife", {}, {"behind"}),
        (("Bull Charge",), "knife", {}, set()),
        (("Bull Charge",), "knife", {"charging": True}, {"follows"}),
        ((), "maul", {}, {"follows"}),
        ((), "staff", {}, {"psyker"}),
        ((), "saw", {}, {"in_contact"}),
        (("Crushing Blow",), "knife", {}, set()),
        (("Crushing Blow",), "knife", {"weapons": ["knife", "saw"]}, {"named_die", "in_contact"}),
    ],
)
def test_the_wizard_asks_only_where_a_trait_or_a_skill_makes_it_matter(
    skills: tuple[str, ...], arm: str, more: dict[str, object], asked: set[str]
) -> None:
    table = given(card(KRUG, skills=skills, weapons=(KNIFE, MAUL, SAW, STAFF)))
    there = Context(state=table.state, book=loader.book(table.state.book), gangs=(SKULLS,))
    form = battle_forms()["fight"]
    answers = {**FIGHT, "weapons": [arm], **more}
    keys = ("behind", "follows", "psyker", "named_die", "in_contact")
    assert {key for key in keys if candidates(there, form, key, answers) != ()} == asked
