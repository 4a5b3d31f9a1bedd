"""Fights as a battle report tells them, and the example of the docs played to its end."""

from functools import partial

import document_examples
import jsonschema
import pytest
from document_examples import GANG_SHEETS, begin, report_of, section_example
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document, read_document
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.refusals import EntryRefused

BOOK = loader.book("necromunda_2023")
plan_of = partial(document_examples.plan_of, purposes=BOOK.purposes)
command_of = partial(document_examples.command_of, purposes=BOOK.purposes)
fault = partial(document_examples.fault, purposes=BOOK.purposes)


# --- as written ------------------------------------------------------------------------------------------


def test_a_fight_entry_without_weapons_is_unarmed() -> None:
    assert command_of("{fight: {attacker: krug, targets: [mags]}}") == records.Fight(
        attacker="krug", targets=(records.FightTarget(model="mags"),)
    )


def test_a_fight_entry_may_tell_everything_of_a_fight() -> None:
    assert command_of(
        "{fight: {attacker: krug, targets: [{fighter: mags, dice: [2, 1], across: wider, save_with: none,"
        " grudge_against: gilded-cage}, {fighter: dot, dice: 1}], weapons: [spear, {weapon: staff, profile: tip}],"
        " charging: true, charged_unseen: true, turn_to_face: true, interference: [ivo], engaged: {vex: [mags, ivo]},"
        " extra: [{why: Frenzy, attack_dice: 1, hit: -1}], after: {coup_de_grace: mags, consolidate: true}},"
        " activation: krug 1}"
    ) == records.Fight(
        attacker="krug",
        targets=(
            records.FightTarget(
                model="mags",
                attack_dice=(2, 1),
                across="wider",
                save_with="none",
                grudge_against="gilded-cage",
            ),
            records.FightTarget(model="dot", attack_dice=(1,)),
        ),
        weapons=(
            records.FightWeapon(weapon="spear"),
            records.FightWeapon(weapon="staff", profile_name="tip"),
        ),
        engaged=(("ivo", "krug"), ("vex", "mags"), ("vex", "ivo")),
        charging=True,
        charged_unseen=True,
        turn_to_face=True,
        extra=(records.ExtraModifier(why="Frenzy", attack_dice=1, hit=-1),),
        coup_de_grace="mags",
        consolidate=True,
        activation="krug 1",
    )


def test_strength_and_ap_that_name_no_weapon_spare_unarmed_attacks() -> None:
    command = command_of(
        "{fight: {attacker: krug, targets: [mags], extra: [{why: Backstab, S: 1}, {why: Toxin, AP: -1, weapon: claw},"
        " {why: Rage, hit: 1}]}}"
    )
    assert isinstance(command, records.Fight)
    assert command.extra == (
        records.ExtraModifier(why="Backstab", strength=1, spares_unarmed=True),
        records.ExtraModifier(why="Toxin", armour_penetration=-1, weapon="claw"),
        records.ExtraModifier(why="Rage", hit=1),
    )


def test_a_weapon_may_be_written_out_with_its_ammo() -> None:
    command = command_of(
        "{fight: {attacker: krug, targets: [mags], weapons:"
        " [{name: borrowed pistol, S: 3, AP: 0, D: 1, ammo: 4+, traits: [Sidearm]}]}}"
    )
    assert isinstance(command, records.Fight)
    pistol = WeaponProfile(strength=3, ammo=4, traits=("Sidearm",))
    assert command.weapons == (records.FightWeapon(weapon="borrowed pistol", profile=pistol),)


def test_assists_and_interference_are_short_for_who_is_engaged() -> None:
    command = command_of("{fight: {attacker: krug, targets: [mags], assists: [vex], interference: [dot]}}")
    assert isinstance(command, records.Fight)
    assert command.engaged == (("vex", "mags"), ("dot", "krug"))


def test_a_fight_entry_tells_consolidation_and_coup_de_grace() -> None:
    head = "{fight: {attacker: krug, targets: [mags], after: "
    consolidates = command_of(head + "consolidate}}")
    assert isinstance(consolidates, records.Fight)
    assert (consolidates.consolidate, consolidates.coup_de_grace) == (True, None)
    strikes = command_of(head + "{coup_de_grace: mags}}}")
    assert isinstance(strikes, records.Fight)
    assert (strikes.consolidate, strikes.coup_de_grace) == (False, "mags")


def test_a_fight_entry_may_attack_a_vehicle() -> None:
    command = command_of(
        "{fight: {attacker: krug, targets: [{vehicle: rig, facing: side, mobile: true, dice: 2, keep_location: [engine],"
        " keep_damage: [catastrophic], kept_by: vehicle, cannot_be_hit: [crew]}]}}"
    )
    assert isinstance(command, records.Fight)
    struck = records.VehicleAttacked(
        facing="side",
        mobile=True,
        keep_location=("engine",),
        keep_damage=("catastrophic",),
        kept_by="vehicle",
        cannot_be_hit=("crew",),
    )
    assert command.targets == (records.FightTarget(model="rig", vehicle=struck, attack_dice=(2,)),)


def test_entries_tell_a_coup_de_grace_and_standing_up() -> None:
    assert command_of(
        "{coup_de_grace: {attacker: krug, target: mags, grudge_against: gilded-cage}, activation: a}"
    ) == (records.CoupDeGrace(attacker="krug", target="mags", grudge_against="gilded-cage", activation="a"))
    assert command_of("{unpin: {fighter: krug}}") == records.Unpin(fighter="krug")


@every(
    ("entry", "expected"),
    [
        ("{fight: {targets: [mags]}}", "attacker"),
        ("{fight: {attacker: krug}}", "targets"),
        ("{fight: {attacker: krug, targets: []}}", "targets"),
        ("{fight: {attacker: krug, targets: [mags], charge: true}}", "charging"),
        ("{fight: {attacker: krug, targets: [mags], charging: 1}}", "charging"),
        ("{fight: {attacker: krug, targets: [{fighter: mags, dice: []}]}}", "dice"),
        ("{fight: {attacker: krug, targets: [{fighter: mags, dice: -1}]}}", "whole number"),
        ("{fight: {attacker: krug, targets: [{fighter: mags, across: river}]}}", "across"),
        (
            "{fight: {attacker: krug, targets: [mags], after: run}}",
            "consolidate, or {coup_de_grace: FIGHTER}",
        ),
        ("{fight: {attacker: krug, targets: [mags, dot], assists: [vex]}}", "say under `engaged`"),
        (
            "{fight: {attacker: krug, targets: [{vehicle: rig, facing: side, mobile: true}], assists: [vex]}}",
            "take `assists` out",
        ),
        ("{fight: {attacker: krug, targets: [{vehicle: rig, facing: up, mobile: true}]}}", "facing"),
        ("{fight: {attacker: krug, targets: [mags], extra: [{attack_dice: 1}]}}", "why"),
        ("{fight: {attacker: krug, targets: [mags], weapons: [{weapon: staff}]}}", "profile"),
        ("{coup_de_grace: {attacker: krug}}", "target"),
        ("{unpin: {fighter: krug, why: tired}}", "why"),
    ],
)
def test_a_wrong_fight_entry_is_refused_with_its_place(entry: str, expected: str) -> None:
    assert expected in fault(entry)


# --- played ----------------------------------------------------------------------------------------------


@pytest.fixture
def campaign(tracker: Tracker) -> str:
    """The Iron Skulls and the Gilded Cage, before their first battle."""
    return begin(tracker, book=BOOK.book)


def test_the_close_combat_example_in_the_docs_is_played_and_its_log_verifies(
    tracker: Tracker, campaign: str
) -> None:
    plain = parse_document(section_example("## Close combat"), file="report.yaml").root.plain()
    jsonschema.Draft202012Validator(json_schema("battle-report")).validate(plain)
    played = tracker.commands.play(campaign, plan_of(section_example("## Close combat")).decisions)
    needed = [
        [
            event.event.target
            for event in entry
            if isinstance(event.event, records.RollMade) and event.event.purpose == "melee_hit"
        ]
        for entry in played.entries
    ]
    # Pip's 5+ with an assist; Mags's 3+ with interference from the other; Dross's 4+ with an assist.
    assert [targets for targets in needed if targets] == [[4, 4, 4], [4, 4, 4, 4], [3]]
    fighters = {name: played.state.fighter(name) for name in ("pip", "wren", "tallow", "sable", "dross")}
    assert [fighter.experience - before for fighter, before in zip(
        (fighters["pip"], fighters["sable"]), (experience_of("pip"), experience_of("sable")), strict=True
    )] == [2, 3]  # fmt: skip
    assert [suffered.injury for suffered in fighters["wren"].injuries] == ["hobbled"]
    assert len(fighters["tallow"].injuries) == 1
    audit = tracker.audit.verify(campaign)
    assert audit.ok, audit


def experience_of(fighter: str) -> int:
    """What the sheets say."""
    cards = [card for sheet in GANG_SHEETS for card in gang_sheet_command(read_document(sheet)).fighters]
    return next(card.experience for card in cards if card.fighter == fighter)


def refused(tracker: Tracker, campaign: str, entry: str) -> Exception:
    head = len(tuple(tracker.repository.log.live(campaign)))
    with pytest.raises((EntryRefused, DiceNeeded, DiceLeftOver)) as raised:
        tracker.commands.play(campaign, plan_of(report_of(entry)).decisions)
    assert len(tuple(tracker.repository.log.live(campaign))) == head
    return raised.value


def test_a_fight_that_cannot_be_is_refused_and_nothing_is_written(tracker: Tracker, campaign: str) -> None:
    for entry, refusal in (
        ("{fight: {attacker: krug, targets: [vex]}}", records.NoEnemy),
        ("{fight: {attacker: krug, targets: [mags], weapons: [autogun]}}", records.NoCloseCombatWeapon),
        ("{fight: {attacker: krug, targets: [mags], charged_unseen: true}}", records.ContradictoryStatement),
        ("{coup_de_grace: {attacker: krug, target: mags}}", records.NoCoupDeGrace),
        ("{unpin: {fighter: krug}}", records.NotPinned),
    ):
        wrong = refused(tracker, campaign, entry)
        assert isinstance(wrong, EntryRefused)
        assert type(wrong.refusal) is refusal
        assert wrong.message().startswith("entry 1")
    short = refused(
        tracker, campaign, "{fight: {attacker: krug, targets: [mags]}, dice: {melee_hit: [1, 1]}}"
    )
    assert isinstance(short, DiceNeeded)
    more = refused(
        tracker, campaign, "{fight: {attacker: krug, targets: [mags]}, dice: {melee_hit: [1, 1, 1, 1]}}"
    )
    assert isinstance(more, DiceLeftOver)
