"""Shooting as a battle report writes it, read into commands and played on a database."""

import pytest
from document_examples import REPORT_HEAD, ROOT, section_example
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.refusals import DocumentRefused
from tracker.documents.yaml_reader import parse_document, read_document
from tracker.rules.loader import book
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice
from tracker.service.ruling_request import RulingRequest

PURPOSES = book("necromunda_2023").purposes


def plan_of(*entries: str) -> BattlePlan:
    listed = "".join(f"  - {entry}\n" for entry in entries)
    return battle_plan(
        parse_document(f"{REPORT_HEAD}entries:\n{listed}", file="report.yaml"), purposes=PURPOSES
    )


def asked(entry: str):
    """The command of a report's only entry."""
    return plan_of(entry).decisions[1].command


def test_a_shot_at_the_closest_says_no_more_than_it_must() -> None:
    written = "{shoot: {attacker: krug, weapon: autogun, target: quill, range: short}, activation: krug 1}"
    assert asked(written) == records.Shoot(
        attacker="krug", weapon="autogun", target="quill", range_band="short", activation="krug 1"
    )


def test_a_shot_keeps_everything_that_was_seen_at_the_table() -> None:
    written = (
        "{shoot: {attacker: krug, weapon: autogun, profile: burst, target: quill, range: long, cover: partial,"
        " engaged: true, prone: false, nearer: [{model: wren, because: harder_to_hit}, {model: ash, out_of_arc: true}],"
        " priority_waived: Marksman, action: basic, using: [fast_shot], modifiers: [{why: aimed, by: +1}],"
        " firepower_dice: 2, hits_on: [quill, {fighter: wren, prone: true}],"
        " at_risk: [{fighter: vex, engaged: true}, sable], save_with: armour, grudge_against: rats}}"
    )
    assert asked(written) == records.Shoot(
        attacker="krug",
        weapon="autogun",
        profile_name="burst",
        target="quill",
        range_band="long",
        cover="partial",
        engaged=True,
        prone=False,
        closest=False,
        nearer=(
            records.NearerEnemy(model="wren", because="harder_to_hit"),
            records.NearerEnemy(model="ash", out_of_arc=True),
        ),
        priority_waived="Marksman",
        action="basic",
        using=("fast_shot",),
        modifiers=(records.ShotModifier(why="aimed", by=1),),
        firepower_dice=2,
        hits_on=(records.ModelThere(fighter="quill"), records.ModelThere(fighter="wren", prone=True)),
        at_risk=(records.ModelThere(fighter="vex", engaged=True), records.ModelThere(fighter="sable")),
        save_with="armour",
        grudge_against="rats",
    )


@every(
    ("written", "closest"),
    [
        ("", True),
        (", closest: true", True),
        (", closest: false", False),
        (", nearer: [{model: wren}]", False),
        (", nearer: [{model: wren, out_of_arc: true}]", True),
        (", closest: false, nearer: [{model: wren, out_of_arc: true}]", False),
    ],
)
def test_the_target_is_the_closest_unless_somebody_in_the_arc_is_nearer(written: str, closest: bool) -> None:
    command = asked(f"{{shoot: {{attacker: krug, weapon: autogun, target: quill, range: short{written}}}}}")
    assert isinstance(command, records.Shoot)
    assert command.closest is closest


def test_a_shot_entry_tells_markers_templates_and_second_sidearms() -> None:
    blast = asked(
        "{shoot: {attacker: vex, weapon: launcher, point: true, range: long, unseen: smoke,"
        " under_marker: [{fighter: wren, cover: full}], under_misfire: [hob]}}"
    )
    assert blast == records.Shoot(
        attacker="vex",
        weapon="launcher",
        point=True,
        range_band="long",
        unseen="smoke",
        under_marker=(records.ModelThere(fighter="wren", cover="full"),),
        under_misfire=(records.ModelThere(fighter="hob"),),
    )
    flame = asked(
        "{shoot: {attacker: vex, weapon: flamer, under_template: [{fighter: wren, engaged_with: [hob]}]}}"
    )
    under = (records.ModelThere(fighter="wren", engaged=True, engaged_with=("hob",)),)
    assert flame == records.Shoot(attacker="vex", weapon="flamer", under_template=under)
    twins = asked(
        "{shoot: {attacker: pip, weapon: stub, target: wren, range: short, also: {weapon: stub, profile: dum}}}"
    )
    also = records.SecondSidearm(weapon="stub", profile_name="dum", range_band="short")
    assert twins == records.Shoot(attacker="pip", weapon="stub", target="wren", range_band="short", also=also)


def test_a_weapon_on_nobodys_card_is_written_with_range_and_ammo() -> None:
    command = asked(
        "{shoot: {attacker: krug, target: quill, range: long, weapon: {name: borrowed, S: 4, AP: -1, D: 2,"
        ' range: {short: 8, long: 24"}, accuracy: {short: +1, long: "-"}, ammo: 5+, traits: [Scarce]}}}'
    )
    assert command == records.Shoot(
        attacker="krug",
        weapon="borrowed",
        target="quill",
        range_band="long",
        profile=WeaponProfile(
            strength=4,
            armour_penetration=-1,
            damage=2,
            traits=("Scarce",),
            range_short_inches=8,
            range_long_inches=24,
            accuracy_short=1,
            ammo=5,
        ),
    )


def test_a_reload_names_the_profile_it_is_made_by() -> None:
    assert asked("{reload: {fighter: vex, weapon: bore cannon, profile: solid}}") == records.Reload(
        fighter="vex", weapon="bore cannon", profile_name="solid"
    )


@every(
    ("entry", "expected"),
    [
        ("{shoot: {attacker: krug, weapon: autogun, target: quill, range: far}}", "one of short, long, beyond"),
        ("{shoot: {attacker: krug, weapon: autogun, target: quill, cover: some}}", "one of none, partial, full"),
        ("{shoot: {attacker: krug, target: quill}}", "'weapon' is missing"),
        ("{shoot: {attacker: krug, weapon: autogun, targt: quill}}", "Did you mean 'target'"),
        ("{shoot: {attacker: krug, weapon: autogun, closest: true, nearer: [{model: wren}]}}", "does not go with"),
        ("{shoot: {attacker: krug, weapon: {name: x, S: 3, AP: 0, D: 1}, profile: a}}", "take `profile` out"),
        ("{shoot: {attacker: krug, weapon: autogun, unseen: yes}}", "darkness, smoke or false"),
        ("{shoot: {attacker: krug, weapon: autogun, firepower_dice: 0}}", "from 1 to 9"),
        ("{shoot: {attacker: krug, weapon: autogun}, dice: {firepower: [seven]}}", "firepower die"),
        ("{shoot: {attacker: krug, weapon: autogun}, dice: {scatter: [left]}}", "scatter die"),
        ("{shoot: {attacker: krug, weapon: autogun}, dice: {priority_cool: [7]}}", "both faces"),
        ("{reload: {weapon: autogun}}", "'fighter' is missing"),
    ],
)  # fmt: skip
def test_a_shot_written_wrongly_is_refused_with_what_was_expected(entry: str, expected: str) -> None:
    with pytest.raises(DocumentRefused) as refused:
        plan_of(entry)
    assert expected in refused.value.message()


# --- played ----------------------------------------------------------------------------------------------


def test_a_battle_of_shots_is_played_stored_and_verified(tracker: Tracker) -> None:
    campaign = tracker.commands.open_campaign(
        name="Ash", slug="ash", book="necromunda_2023", preset="necrodamus"
    ).campaign
    for sheet in ("iron-skulls", "gilded-cage"):
        command = gang_sheet_command(read_document(ROOT / "fixtures" / "gangs" / f"{sheet}.yaml"))
        tracker.commands.play(campaign, [CommandWithDice(command=command)])
    plan = plan_of(
        "{shoot: {attacker: krug, weapon: autogun, target: quill, range: short, at_risk: [wren]},"
        " dice: {hit: [1], firepower: [ammo], ammo: [2], stray: [5]}}",
        "{reload: {fighter: krug, weapon: autogun}, dice: {ammo: [4]}}",
        "{shoot: {attacker: krug, weapon: autogun, target: quill, range: short, closest: false},"
        " dice: {priority_cool: [1+3]}}",
        "{shoot: {attacker: vex, weapon: bore cannon, profile: frag shell, target: wren, range: long,"
        " under_marker: [wren]}, dice: {hit: [1], firepower: [1], scatter: [hit], scatter_distance: [1], misfire: [4]}}",
        "{shoot: {attacker: dross, weapon: slag thrower, under_template: [{fighter: wren, cover: partial}]},"
        " dice: {firepower: [2], wound: [1], blaze: [3]}}",
        "{shoot: {attacker: pip, target: quill, range: short, weapon: {name: spitter, S: 3, AP: 0, D: 1,"
        " range: {short: 6, long: 12}, ammo: 4+, traits: [Limited]}}, dice: {hit: [1], firepower: [ammo], ammo: [1]}}",
    )
    tracker.commands.play(
        campaign,
        [CommandWithDice(command=decision.command, dice=decision.dice) for decision in plan.decisions],
    )

    events = [recorded.event for recorded in tracker.repository.log.live(campaign)]
    assert [type(event).__name__ for event in events if "Weapon" in type(event).__name__] == [
        "WeaponRanOutOfAmmo",
        "WeaponReloaded",
        "WeaponRanOutOfAmmo",
    ]
    # What was borrowed stands on no card, so nothing is deleted from one.
    assert not [event for event in events if isinstance(event, records.LimitedAmmoDeleted)]
    assert tracker.repository.state(campaign).under_way is None
    assert tracker.audit.verify(campaign).ok


def test_the_shooting_example_in_the_docs_is_read() -> None:
    plan = battle_plan(
        parse_document(REPORT_HEAD + section_example("## Shooting"), file="report.yaml"), purposes=PURPOSES
    )
    commands = [type(decision.command) for decision in plan.decisions[1:-1]]
    assert commands == [records.Shoot, records.Shoot, records.Reload, records.Shoot, records.Shoot]


def test_a_disputed_hit_roll_is_decided_again_with_the_dice_that_follow(tracker: Tracker) -> None:
    campaign = tracker.commands.open_campaign(
        name="Ash", slug="ash", book="necromunda_2023", preset=None
    ).campaign
    for sheet in ("iron-skulls", "gilded-cage"):
        command = gang_sheet_command(read_document(ROOT / "fixtures" / "gangs" / f"{sheet}.yaml"))
        tracker.commands.play(campaign, [CommandWithDice(command=command)])
    plan = plan_of(
        "{shoot: {attacker: krug, weapon: autogun, target: quill, range: short},"
        " dice: {hit: [1], firepower: [ammo], ammo: [2]}}",
    )
    played = tracker.commands.play(
        campaign,
        [CommandWithDice(command=decision.command, dice=decision.dice) for decision in plan.decisions],
    )
    shot = played.entries[1][0].entry
    tracker.disputes.open(campaign, f"{shot}.2", reason="cocked die", raised_by="Dana", rule=None)
    supplied = {shot: (("wound", "1"),)}
    tracker.rulings.rule(
        campaign,
        f"{shot}.2",
        RulingRequest(verdict="corrected", reason="it lay on 5", faces="5", supplied=supplied),
    )
    kinds = [
        type(recorded.event).__name__
        for recorded in tracker.repository.log.live(campaign)
        if recorded.slot == shot
    ]
    assert kinds == [
        "DecisionTaken",
        "RollMade",
        "RollMade",
        "RollMade",
        "WeaponRanOutOfAmmo",
        "ShotFired",
        "FighterPinned",
        "RollMade",
    ]
    assert tracker.audit.verify(campaign).ok
