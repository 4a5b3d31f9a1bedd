"""What single words and numbers of a row say, where no other test would notice their change (docs/mutation.md)."""

import pytest
from fights import KNIFE, PISTOL, at, fight, weapon
from rides import RIG, ram, riding, vehicle
from scenario import KRUG, MAGS, MESH, SAINTS, SKULLS, VEX, Table, card, fall, given, hit, older
from shots import armed, gun, shot, there
from special_rules import dice, purposes

from tracker.campaign import records
from tracker.rules import loader

GUN_BLADE = gun("gun", "Melee", "Sidearm")


def needed(table: Table, purpose: str) -> list[int | None]:
    """What the dice of a purpose needed."""
    return [roll.target for roll in table.rolls if roll.purpose == purpose]


def played(table: Table, command: records.Command, **rolled: object) -> Table:
    """The table after a command that was not refused; a shot rolls a Firepower die."""
    if isinstance(command, records.Shoot):
        rolled.setdefault("firepower", "one_hole")
    done = table.when(command, *dice(**rolled))
    assert done.refusal is None, done.refusal
    return done


def notes(table: Table) -> list[str]:
    return [event.why for event in table.outcome if isinstance(event, records.RuleNoted)]


def krug(*skills: str, **more: object) -> records.FighterCard:
    return card(KRUG, **{"skills": skills, "weapons": (KNIFE, PISTOL), **more})


# --- Bull Charge, Crushing Blow --------------------------------------------------------------------------


def test_bull_charge_and_crushing_blow_add_1_to_strength_and_no_more() -> None:
    """Strength 3 + 1 against Toughness 5 wounds on a 5; 5 against 5 would on a 4."""
    tough = card(MAGS, toughness=5)
    bull = given(krug("Bull Charge"), tough).when(
        fight(KRUG, MAGS, using=("knife",), charging=True), *dice(melee_hit=[4, 1], wound=1)
    )
    assert needed(bull, "wound") == [5]
    blow = given(krug("Crushing Blow"), tough).when(
        fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=1)
    )
    assert needed(blow, "wound") == [5]


def test_bull_charge_is_for_melee_weapons_not_for_fists_or_sidearms() -> None:
    """Strength 3 of a fist against Toughness 3, Strength 4 of a pistol: 4+ and 3+, and nobody is knocked back."""
    bare = given(krug("Bull Charge")).when(fight(KRUG, MAGS, charging=True), *dice(melee_hit=[4, 1], wound=1))
    assert (needed(bare, "wound"), notes(bare)) == ([4], [])
    charge = fight(KRUG, MAGS, using=("pistol",), charging=True)
    armed_so = given(krug("Bull Charge", weapons=(PISTOL,))).when(
        charge, *dice(melee_hit=[4, 1], firepower="one_hole", wound=1)
    )
    assert (needed(armed_so, "wound"), notes(armed_so)) == ([3], [])


def test_bull_charge_knocks_back_1_inch_whose_strength_the_hit_roll_reaches() -> None:
    charge = fight(KRUG, MAGS, using=("knife",), charging=True)
    rolled = dice(melee_hit=[4, 1], wound=1)
    assert notes(given(krug("Bull Charge")).when(charge, *rolled)) == [
        "Bull Charge: Strength +1",
        'Bull Charge: knocked back 1"',
    ]
    strong = given(krug("Bull Charge"), card(MAGS, strength=5)).when(charge, *rolled)
    assert notes(strong) == ["Bull Charge: Strength +1"]


def test_bull_charge_does_1_damage_more_to_who_cannot_be_moved() -> None:
    held = fight(KRUG, at(MAGS, cannot_be_moved=True), using=("knife",), charging=True)
    table = given(krug("Bull Charge"), card(MAGS, wounds=4)).when(held, *dice(melee_hit=[4, 1], wound=6))
    assert table.combatant(MAGS).wounds_left == 2


# --- skills of close combat do nothing to shots, and those of shooting nothing to blows ----------------------


def test_disarm_the_skill_and_the_trait_do_nothing_in_a_shot_even_with_a_melee_weapon() -> None:
    skilled = played(armed(GUN_BLADE, skills=("Disarm",)), shot(), hit=6, wound=1)
    assert not skilled.combatant(KRUG).disarmed
    flail = gun("gun", "Melee", "Sidearm", "Disarm")
    assert not played(armed(flail), shot(), hit=6, wound=1).combatant(KRUG).disarmed
    both = played(armed(flail, skills=("Disarm",)), shot(), hit=6, wound=1)
    assert not both.combatant(KRUG).disarmed


def test_disarm_the_skill_on_a_5_is_for_melee_weapons_with_disarm_alone() -> None:
    """A Sidearm with Disarm, used in close combat: the trait disarms on a 6, the skill adds nothing on a 5."""
    pistol = weapon("pistol", "Sidearm", "Disarm", strength=4, ammo=4)
    table = given(krug("Disarm", weapons=(pistol,)))
    table = table.when(
        fight(KRUG, MAGS, using=("pistol",)), *dice(melee_hit=5, firepower="one_hole", wound=1)
    )
    assert table.refusal is None
    assert not table.combatant(MAGS).disarmed


@pytest.mark.parametrize("knob", ["0", "-1"])
def test_backstab_the_skill_is_for_melee_weapons_in_close_combat_alone(knob: str) -> None:
    """From behind, Strength 4 against 3 wounds on a 3 by a shot; a fist of Strength 3 on a 4."""
    knobs = {"backstab.armour_penetration": knob}
    shot_at = armed(GUN_BLADE, skills=("Backstab",), knobs=knobs, others=(card(KRUG, toughness=4),))
    shot_at = played(shot_at, shot(behind=True), hit=6, wound=1)
    assert (needed(shot_at, "wound"), notes(shot_at)) == ([4], [])
    bare = given(krug("Backstab"), knobs=knobs)
    bare = bare.when(fight(KRUG, at(MAGS, behind=True)), *dice(melee_hit=4, wound=1))
    assert (needed(bare, "wound"), notes(bare)) == ([4], [])


def test_marksman_and_precision_shot_do_nothing_in_a_fight() -> None:
    table = given(krug("Marksman", "Precision Shot"), card(MAGS, wounds=3, armour=MESH))
    struck = played(table, fight(KRUG, MAGS, using=("knife",)), melee_hit=6, wound=6, save=1)
    assert struck.combatant(MAGS).wounds_left == 2


def test_marksman_doubles_no_damage_of_a_blast() -> None:
    """A natural 6 to hit with a Blast is none for Marksman: Damage 1 of 3 Wounds leaves 2."""
    blast = gun("gun", 'Blast (3")')
    table = armed(blast, skills=("Marksman",), others=(card(KRUG, wounds=3),))
    assert played(table, shot(), hit=6, wound=6).combatant(KRUG).wounds_left == 2


def test_precision_shot_leaves_the_save_against_a_blast() -> None:
    blast = gun("gun", 'Blast (3")')
    table = armed(blast, skills=("Precision Shot",), others=(card(KRUG, armour=MESH),))
    assert purposes(played(table, shot(), hit=6, wound=6, save=6))[-1] == "save"


# --- Dodge ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [3, 2])
def test_dodge_is_no_help_in_a_fall(stage: int) -> None:
    fell = older(given(card(KRUG, skills=("Dodge",))), stage).when(
        fall(KRUG, hundredths=400), *dice(wound=6, injury="flesh")
    )
    assert "dodge" not in purposes(fell)


@pytest.mark.parametrize("stage", [3, 2])
@pytest.mark.parametrize("knob", ["before_the_hit", "when_wounded"])
def test_dodge_is_no_help_against_a_hit_that_is_no_attack(stage: int, knob: str) -> None:
    table = older(given(card(VEX, skills=("Dodge",)), knobs={"dodge.from_area": knob}), stage)
    for traits in ((), ("Template",)):
        burnt = played(table, hit(VEX, attack=False, traits=traits), wound=6, injury="flesh")
        assert purposes(burnt) == ["wound", "injury"]


def test_dodge_in_a_battle_of_the_stage_before_is_one_die_on_a_6_whatever_hits() -> None:
    table = older(given(card(VEX, skills=("Dodge",))), 2)
    for traits in ((), ('Blast (3")',)):
        struck = table.when(hit(VEX, by=MAGS, traits=traits), *dice(wound=6, dodge=5, injury="flesh"))
        assert struck.combatant(VEX).flesh_wounds == 1
        away = table.when(hit(VEX, by=MAGS, traits=traits), *dice(wound=6, dodge=6))
        assert purposes(away) == ["wound", "dodge"]


def test_dodge_when_wounded_is_one_die_against_what_is_no_area() -> None:
    table = given(card(VEX, skills=("Dodge",)), knobs={"dodge.from_area": "when_wounded"})
    struck = table.when(hit(VEX, by=MAGS), *dice(wound=6, dodge=5, injury="flesh"))
    assert purposes(struck) == ["wound", "dodge", "injury"]


def test_dodge_moves_2_inches_out_from_under_a_blast() -> None:
    flames = shot(None, range_band=None, under_template=(there(KRUG),))
    table = armed(gun("gun", "Template"), others=(card(KRUG, skills=("Dodge",)),))
    away = played(table, flames, firepower="one_hole", dodge=6)
    assert [roll.outcome for roll in away.rolls][-1] == 'Dodge: moves up to 2"'
    wounded = given(card(VEX, skills=("Dodge",)), knobs={"dodge.from_area": "when_wounded"})
    away = wounded.when(hit(VEX, by=MAGS, traits=("Template",)), *dice(wound=6, dodge=6))
    assert [roll.outcome for roll in away.rolls][-1] == 'Dodge: moves up to 2"'


# --- Evade, Ballistics Expert, shields, Jink ---------------------------------------------------------------


def test_evade_is_for_who_is_active_and_without_cover() -> None:
    """Ballistic Skill 4 at +1 at Short range: 3+, and against Evade 4+; at Long range with nothing 4+, and 6+."""
    rifle = gun("gun", accuracy_long=0)
    shy = card(KRUG, skills=("Evade",))
    table = armed(rifle, others=(shy,))
    assert needed(played(table, shot(), hit=1), "hit") == [4]
    assert needed(played(table, shot(range_band="long"), hit=1), "hit") == [6]
    prone = table.when(fall(KRUG, hundredths=300), *dice(wound=1))
    assert prone.combatant(KRUG).pinned
    for band in ("short", "long"):
        lying = played(prone, shot(range_band=band), hit=1)
        bare = armed(rifle).when(fall(KRUG, hundredths=300), *dice(wound=1))
        assert needed(lying, "hit") == needed(played(bare, shot(range_band=band), hit=1), "hit")
        hidden = played(table, shot(range_band=band, cover="partial"), hit=1)
        plain = played(armed(rifle), shot(range_band=band, cover="partial"), hit=1)
        assert needed(hidden, "hit") == needed(plain, "hit")


def test_ballistics_expert_goes_by_intelligence_and_the_shooter_rolls() -> None:
    aiming = shot(modifiers=(records.ShotModifier(why="Aim", by=1),))
    table = armed(gun("gun"), skills=("Ballistics Expert",), cool=3, intelligence=9)
    failed = played(table, aiming, ballistics_expert="4+4", hit=1)
    assert needed(failed, "ballistics_expert") == [9]
    assert failed.rolls[0].fighter == MAGS


@pytest.mark.parametrize("trait", ["Assault Shield", "Energy Shield"])
def test_assault_shield_and_energy_shield_are_no_help_to_the_prone_in_close_combat(trait: str) -> None:
    carrier = card(MAGS, weapons=(weapon("kit", "Melee", trait, strength=None),))
    table = played(given(carrier), fall(MAGS, hundredths=300), wound=1)
    assert table.combatant(MAGS).pinned
    blow = hit(MAGS, by=KRUG, in_close_combat=True)
    assert purposes(played(table, blow, wound=6, injury="flesh")) == ["wound", "injury"]


def test_jink_is_of_vehicles_and_saves_no_driver_on_foot() -> None:
    on_foot = given(card(VEX, skills=("Jink",))).when(hit(VEX, by=MAGS), *dice(wound=1))
    assert purposes(on_foot) == ["wound"]


# --- who rolls ---------------------------------------------------------------------------------------------


def test_impale_is_rolled_by_the_attacker() -> None:
    table = armed(gun("gun", "Impale"))
    line = shot(next_in_line=(there(VEX),))
    gone = played(table, line, hit=6, wound=6, impale=1, injury="flesh")
    assert [roll.fighter for roll in gone.rolls if roll.purpose == "impale"] == [MAGS]


def test_dodge_is_rolled_by_who_is_hit() -> None:
    table = given(card(VEX, skills=("Dodge",)))
    assert table.when(hit(VEX, by=MAGS), *dice(wound=6, dodge=6)).rolls[1].fighter == VEX


# --- Force, Entangle, Flare ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("psyker", "face", "saves", "left"), [
    (True, 6, False, 1), (True, 5, True, 2), (False, 6, True, 2),
])  # fmt: skip
def test_force_takes_the_armour_save_and_adds_1_damage_on_a_6_of_a_psyker_alone(
    psyker: bool,
    face: int,
    saves: bool,
    left: int,
) -> None:
    """As Power: a natural 6 to hit leaves no save but that of a field, and harms by one more."""
    staff = weapon("staff", "Melee", "Force", strength=None)
    table = given(krug(weapons=(staff,)), card(MAGS, armour=MESH, wounds=3))
    strike = fight(KRUG, MAGS, using=("staff",), psyker=psyker)
    more = {"save": 1} if saves else {}
    done = played(table, strike, melee_hit=face, wound=6, **more)
    assert purposes(done) == ["melee_hit", "wound", *more]
    assert done.combatant(MAGS).wounds_left == left


def test_force_of_a_psyker_is_parried_by_power_alone() -> None:
    staff = weapon("staff", "Melee", "Force", strength=None)
    strike = fight(KRUG, MAGS, using=("staff",), psyker=True)
    for traits, parried in ((("Parry",), []), (("Parry", "Power"), ["parry"])):
        foil = weapon("foil", "Melee", *traits, strength=None)
        table = given(krug(weapons=(staff,)), card(MAGS, weapons=(foil,)))
        rolled = {"parry": 1} if parried else {"wound": 1}
        assert purposes(played(table, strike, melee_hit=4, **rolled)) == [
            "melee_hit",
            *(parried or ["wound"]),
        ]


def test_entangle_leaves_no_condition_behind_and_nothing_in_a_shot() -> None:
    whip = weapon("whip", "Melee", "Entangle", strength=None)
    bound = played(given(krug(weapons=(whip,))), fight(KRUG, MAGS, using=("whip",)), melee_hit=6, wound=1)
    now = bound.combatant(MAGS)
    assert (now.concussed, now.insane, now.blind, now.disarmed) == (False, False, False, False)
    thrown = armed(gun("gun", "Melee", "Sidearm", "Entangle"))
    assert notes(played(thrown, shot(), hit=6, wound=1)) == []


def test_flare_reveals_whom_it_hits_and_sets_nobody_on_fire() -> None:
    hidden = armed(gun("gun", "Flare")).when(records.StateCondition(condition="hidden", fighter=KRUG))
    assert hidden.combatant(KRUG).hidden
    now = played(hidden, shot(), hit=6, wound=1).combatant(KRUG)
    assert (now.hidden, now.blaze) == (False, False)


# --- against vehicles, which never react --------------------------------------------------------------------


@pytest.mark.parametrize("trait", ["Disarm", "Entangle"])
def test_disarm_and_entangle_do_nothing_to_a_vehicle(trait: str) -> None:
    arm = weapon("arm", "Melee", trait, strength=None)
    table = riding(fighters=(card(MAGS, weapons=(arm,)),))
    struck = records.FightTarget(model=RIG, vehicle=records.VehicleAttacked(facing="side", mobile=False))
    done = played(table, fight(MAGS, struck, using=("arm",)), melee_hit=6, wound=1)
    assert notes(done) == []
    assert not [event for event in done.outcome if isinstance(event, records.ConditionGained)]


# --- stages -------------------------------------------------------------------------------------------------

STAGES = (
    ("trait", "gas", (2,)),
    ("trait", "toxin", (2,)),
    ("trait", "power", (2,)),
    ("trait", "seismic", (2, 2)),
    ("trait", "graviton-pulse", (1, 2, 3)),
    ("trait", "melta", (1, 2)),
    ("trait", "flash", (1, 2)),
    ("trait", "pulverise", (1, 2)),
    ("trait", "reckless", (3, 3, 2)),
    ("trait", "burrowing", (3,)),
    ("trait", "digi", (2,)),
    ("trait", "disarm", (2,)),
    ("trait", "entangle", (2, 2)),
    ("trait", "flare", (3, 3)),
    ("trait", "force", (2, 2, 2, 2)),
    ("trait", "hexagrammatic", (3,)),
    ("trait", "paired", (2, 2)),
    ("trait", "parry", (2,)),
    ("trait", "smoke", (3,)),
    ("skill", "dodge", (1, 3, 3, 3)),
    ("skill", "bull_charge", (2, 2)),
    ("skill", "bulging_biceps", (2,)),
    ("skill", "crushing_blow", (2, 2)),
    ("skill", "combat_master", (2, 2)),
    ("skill", "counter_attack", (2,)),
    ("skill", "disarm", (2, 2)),
    ("skill", "parry", (2,)),
    ("skill", "step_aside", (2,)),
    ("skill", "backstab", (1, 2)),
    ("skill", "overwatch", (3,)),
    ("skill", "jink", (2,)),
    ("skill", "heavy_foot", (3,)),
    ("skill", "t_bone", (3,)),
    ("skill", "berserker", (2,)),
    ("skill", "impetuous", (2,)),
)
"""What acts since a later stage than the first, effect by effect."""


ARCHIVED = {("skill", "t_bone"): (3, 4)}
"""Where the archived book has other ones: its T-Bone was once a round at stage 3."""


def stages(book: str) -> dict[tuple[str, str], tuple[int, ...]]:
    found = loader.book(book)
    kinds = {"trait": found.traits, "skill": found.skills}
    return {
        (kind, name): tuple(effect.since for effect in row.effects)
        for kind, rows in kinds.items()
        for name, row in rows.items()
        if row.effects
    }


@pytest.mark.parametrize(("kind", "name", "since"), STAGES, ids=str)
def test_an_effect_acts_since_the_stage_with_which_it_was_shipped(
    kind: str, name: str, since: tuple[int, ...]
) -> None:
    """Battles recorded at an earlier stage decide as they did (ADR 29): no stage is ever moved."""
    assert stages("necromunda_2023")[kind, name] == since
    assert stages("necromunda_archive")[kind, name] == ARCHIVED.get((kind, name), since)


def test_every_other_effect_acts_since_the_first_stage_and_none_ended_but_these() -> None:
    later = {(kind, name) for kind, name, _ in STAGES}
    for book in ("necromunda_2023", "necromunda_archive"):
        assert {key for key, since in stages(book).items() if set(since) != {1}} == later
        found = loader.book(book)
        ended = [
            (row.name, effect.until)
            for row in (*found.traits.values(), *found.skills.values())
            for effect in row.effects
            if effect.until is not None
        ]
        assert ended == [("Dodge", 2), *([("T-Bone", 3)] if book == "necromunda_archive" else [])]


# --- whose die it is -------------------------------------------------------------------------------------

CURSED = hit(VEX, by=MAGS, traits=("Cursed",))
OF_FIGHTERS = {
    "cursed": (CURSED, {"cursed": "3+4", "wound": 1}, VEX),
    "graviton_pulse": (hit(VEX, by=MAGS, traits=("Graviton Pulse",)), {"graviton_pulse": 1}, VEX),
    "knockback": (
        hit(VEX, by=MAGS, traits=("Knockback", 'Blast (3")')), {"knockback": 1, "wound": 1}, MAGS
    ),
    "pulverise": (
        hit(VEX, by=MAGS, traits=("Pulverise",)), {"wound": 6, "injury": "flesh", "pulverise": 1}, MAGS
    ),
    "rad_phage": (hit(VEX, by=MAGS, traits=("Rad-Phage",)), {"wound": 1, "rad_phage": 1}, MAGS),
    "blaze": (hit(VEX, by=MAGS, traits=("Blaze",)), {"wound": 1, "blaze": 1}, MAGS),
    "drag": (hit(VEX, by=MAGS, traits=("Drag",)), {"wound": 1, "drag": 1}, MAGS),
    "dodge": (hit(VEX, by=MAGS), {"wound": 6, "dodge": 6}, VEX),
}  # fmt: skip
OF_VEHICLES = {
    "gas_on_vehicle": (ram(by=MAGS, traits=("Gas",)), {"gas_on_vehicle": 1}, MAGS),
    "graviton_pulse": (ram(by=MAGS, traits=("Graviton Pulse",)), {"graviton_pulse": 1}, MAGS),
    "jink": (ram(by=MAGS), {"jink": 6}, RIG),
}
GANG_OF_MODEL = {MAGS: SAINTS, VEX: SKULLS, RIG: SKULLS}


def rolled_for(table: Table, purpose: str) -> tuple[str | None, str | None]:
    """Whose die it was, and which gang rolled it."""
    (roll,) = [roll for roll in table.rolls if roll.purpose == purpose]
    return roll.fighter, roll.rolled_by


@pytest.mark.parametrize("purpose", OF_FIGHTERS)
def test_a_test_and_a_choice_of_who_is_hit_is_theirs_and_what_a_weapon_does_its_bearers(purpose: str) -> None:
    command, rolled, whose = OF_FIGHTERS[purpose]
    table = given(card(VEX, skills=("Dodge",) if purpose == "dodge" else ())).when(command, *dice(**rolled))
    assert rolled_for(table, purpose) == (whose, GANG_OF_MODEL[whose])


@pytest.mark.parametrize("purpose", OF_VEHICLES)
def test_of_a_vehicle_the_driver_jinks_and_the_attacker_rolls_for_a_weapon(purpose: str) -> None:
    command, rolled, whose = OF_VEHICLES[purpose]
    table = riding(fighters=(card(VEX, skills=("Jink",) if purpose == "jink" else ()),))
    assert rolled_for(table.when(command, *dice(**rolled)), purpose) == (whose, GANG_OF_MODEL[whose])


@pytest.mark.parametrize(("knob", "purposes_then"), [
    ("before_the_hit", ["firepower", "dodge"]), ("when_wounded", ["firepower", "wound", "dodge"]),
])  # fmt: skip
def test_a_dodge_from_under_a_template_is_rolled_by_who_dodges(knob: str, purposes_then: list[str]) -> None:
    dodger = card(KRUG, skills=("Dodge",))
    table = armed(gun("gun", "Template"), others=(dodger,), knobs={"dodge.from_area": knob})
    more = {"wound": 6} if "wound" in purposes_then else {}
    burst = shot(None, range_band=None, under_template=(there(KRUG),))
    done = table.when(burst, *dice(firepower="one_hole", dodge=6, **more))
    assert purposes(done) == purposes_then
    assert rolled_for(done, "dodge") == (KRUG, SKULLS)


def test_dodge_of_the_first_stage_is_rolled_by_who_dodges() -> None:
    table = older(given(card(VEX, skills=("Dodge",))), 2).when(hit(VEX, by=MAGS), *dice(wound=6, dodge=6))
    assert rolled_for(table, "dodge") == (VEX, SKULLS)


def test_cursed_tests_the_targets_own_willpower() -> None:
    strong = given(card(VEX, willpower=6, cool=9), card(MAGS, willpower=9))
    assert strong.when(CURSED, *dice(cursed="2+4", wound=1)).rolls[0].target == 6


@pytest.mark.parametrize("trait", ["Chem Delivery", "Rad-Phage", "Scattershot"])
def test_chem_delivery_rad_phage_and_scattershot_roll_nothing_against_a_vehicle(trait: str) -> None:
    assert purposes(riding().when(ram(by=MAGS, traits=(trait,)), *dice(wound=1))) == ["wound"]


def test_pulverise_of_a_vehicle_is_rolled_by_the_attacker() -> None:
    struck = {"wound": 6, "location": "engine", "vehicle_damage": "glancing", "pulverise": 1}
    table = riding().when(ram(by=MAGS, traits=("Pulverise",)), *dice(**struck))
    assert rolled_for(table, "pulverise") == (MAGS, SAINTS)


# --- what their dice need --------------------------------------------------------------------------------


@pytest.mark.parametrize("purpose", ["knockback", "drag"])
def test_knockback_of_a_blast_and_drag_need_the_targets_strength_not_its_toughness(purpose: str) -> None:
    command, rolled, _ = OF_FIGHTERS[purpose]
    table = given(card(VEX, strength=5, toughness=2)).when(command, *dice(**rolled))
    assert needed(table, purpose) == [5]


def test_flash_on_a_vehicle_needs_its_handling_not_the_drivers_cool() -> None:
    table = riding(vehicle(RIG, handling=9), fighters=(card(VEX, cool=5),))
    assert needed(table.when(ram(by=MAGS, traits=("Flash",)), *dice(handling="4+5")), "handling") == [9]


def test_graviton_pulse_strikes_the_body_of_a_vehicle() -> None:
    pulse = ram(by=MAGS, traits=("Graviton Pulse",))
    table = riding().when(pulse, *dice(graviton_pulse=6, vehicle_damage="glancing", handling="6+6"))
    assert [event.location for event in table.outcome if isinstance(event, records.VehicleDamaged)] == [
        "body"
    ]


def test_fear_breaks_by_a_test_that_fails_and_says_so() -> None:
    """Cool 7 at -2 needs a 9."""
    scared = hit(VEX, by=MAGS, traits=("Fear",))
    for rolled, broken, outcome in (("4+4", True, "Fear: breaks"), ("4+5", False, "Fear: no effect")):
        table = given().when(scared, *dice(wound=6, fear=rolled))
        assert [roll.outcome for roll in table.rolls if roll.purpose == "fear"] == [outcome]
        assert table.combatant(VEX).broken == broken
