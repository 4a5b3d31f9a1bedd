"""Traits and skills in shooting: hit rolls, pinning, Ammo tests, what goes on and what follows an attack."""

from fractions import Fraction

import pytest
from scenario import BOOK, DOT, KRUG, MAGS, MESH, REFRACTOR, VEX, Table, card, given, older
from shots import armed, gun, shot, there
from special_rules import UNHURT, chance, dice, exactly, odds_ends, purposes

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Weapon, WeaponProfile
from tracker.rules import loader

MISS, HIT = 1, 5


def target(*skills: str, **more: object) -> records.FighterCard:
    return card(KRUG, skills=skills, **more)


def hit_target(table: Table) -> int | None:
    """What the hit die needed."""
    return next(roll.target for roll in table.rolls if roll.purpose == "hit")


# --- hit rolls -------------------------------------------------------------------------------------------


def test_evade_minus_1_at_short_and_minus_2_at_long_range_in_the_open() -> None:
    table = armed(others=(target("Evade"),))
    miss = dice(hit=1, firepower="one_hole")
    assert hit_target(table.when(shot(), *miss)) == 4 - 1 + 1
    long = armed(gun(accuracy_long=0), others=(target("Evade"),)).when(shot(range_band="long"), *miss)
    assert hit_target(long) == 4 + 2
    covered = armed(gun(accuracy_short=0), others=(target("Evade"),)).when(shot(cover="partial"), *miss)
    assert hit_target(covered) == 4 + 1  # for the cover alone


def test_trick_shot_ignores_engaged_and_partial_cover_and_halves_full_cover() -> None:
    table = armed(gun(accuracy_short=0), skills=("Trick Shot",))
    miss = dice(hit=1, firepower="one_hole")
    assert hit_target(table.when(shot(engaged=True, cover="partial"), *miss)) == 4
    assert hit_target(table.when(shot(cover="full"), *miss)) == 5


def test_gunfighter_fires_two_sidearms_without_the_minus() -> None:
    pistols = (gun("gun", "Sidearm", accuracy_short=0), gun("other", "Sidearm", accuracy_short=0))
    twice = shot(also=records.SecondSidearm(weapon="other", range_band="short"))
    rolled = dice(hit=[1, 1], firepower=["one_hole", "one_hole"])
    assert hit_target(armed(*pistols, skills=("Gunfighter",)).when(twice, *rolled)) == 4
    assert hit_target(armed(*pistols).when(twice, *rolled)) == 5


def test_ballistics_expert_an_intelligence_test_when_aiming_gives_1_more() -> None:
    aiming = shot(modifiers=(records.ShotModifier(why="Aim", by=1),))
    table = armed(gun(accuracy_short=0), skills=("Ballistics Expert",), ballistic_skill=5)
    passed = table.when(aiming, *dice(ballistics_expert="3+4", hit=1, firepower="one_hole"))
    assert (purposes(passed)[:2], hit_target(passed)) == (["ballistics_expert", "hit"], 3)
    failed = table.when(aiming, *dice(ballistics_expert="3+3", hit=1, firepower="one_hole"))
    assert hit_target(failed) == 4
    assert purposes(table.when(shot(), *dice(hit=1, firepower="one_hole")))[0] == "hit"


def test_master_crafted_one_failed_hit_roll_again_once_in_a_battle() -> None:
    table = armed(gun("gun", "Master-crafted"))
    first = table.when(shot(), *dice(hit=[1, 1], firepower="one_hole"))
    assert purposes(first) == ["hit", "hit", "firepower"]
    assert first.combatant(MAGS).rules_used == ("master-crafted|gun",)
    second = first.when(shot(), *dice(hit=1, firepower="one_hole"))
    assert purposes(second) == ["hit", "firepower"]
    kept = table.when(shot(without=("Master-crafted",)), *dice(hit=1, firepower="one_hole"))
    assert purposes(kept) == ["hit", "firepower"]


def test_marksman_needs_no_priority_test_and_doubles_the_damage_on_a_natural_6() -> None:
    table = armed(gun(damage=1), skills=("Marksman",), others=(target(wounds=5),))
    far = shot(closest=False)
    doubled = table.when(far, *dice(hit=6, firepower="one_hole", wound=4))
    assert (purposes(doubled)[0], doubled.combatant(KRUG).wounds_left) == ("hit", 3)
    assert table.when(shot(), *dice(hit=5, firepower="one_hole", wound=4)).combatant(KRUG).wounds_left == 4
    rapid = armed(gun("gun", "Rapid Fire (1)"), skills=("Marksman",), others=(target(wounds=5),))
    burst = rapid.when(shot(), *dice(hit=6, firepower="two_holes", wound=[4, 4]))
    assert burst.combatant(KRUG).wounds_left == 5 - 2 - 1  # the first hit alone


def test_lie_low_is_no_target_beyond_short_range_while_prone() -> None:
    table = armed(others=(target("Lie Low"),))
    prone = table.when(shot(range_band="long", prone=True))
    assert isinstance(prone.refusal, records.TargetOutOfReach)
    near = table.when(shot(prone=True), *dice(hit=1, firepower="one_hole"))
    assert purposes(near) == ["hit", "firepower"]
    standing = table.when(shot(range_band="long"), *dice(hit=1, firepower="one_hole"))
    assert purposes(standing) == ["hit", "firepower"]


# --- on the hit ------------------------------------------------------------------------------------------


def test_nerves_of_steel_a_cool_test_keeps_a_fighter_up() -> None:
    table = armed(others=(target("Nerves of Steel"),))
    up = table.when(shot(), *dice(hit=6, firepower="one_hole", nerves_of_steel="3+4", wound=1))
    assert purposes(up) == ["hit", "firepower", "nerves_of_steel", "wound"]
    assert not up.combatant(KRUG).pinned
    down = table.when(shot(), *dice(hit=6, firepower="one_hole", nerves_of_steel="3+3", wound=1))
    assert down.combatant(KRUG).pinned
    again = down.when(shot(), *dice(hit=6, firepower="one_hole", wound=1))
    assert purposes(again) == ["hit", "firepower", "wound"]  # who is Pinned already is not tested


def test_backstab_from_outside_the_vision_arc_strength_1_more() -> None:
    table = armed(gun("gun", "Backstab", strength=3))
    behind = table.when(shot(behind=True), *dice(hit=6, firepower="one_hole", wound=3, injury="flesh"))
    assert next(roll.target for roll in behind.rolls if roll.purpose == "wound") == 3
    said_nothing = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=3))
    assert next(roll.target for roll in said_nothing.rolls if roll.purpose == "wound") == 4


def test_knockback_on_a_hit_die_of_the_targets_strength_or_more_damage_where_it_cannot_move() -> None:
    table = armed(gun("gun", "Knockback"), others=(target(wounds=3, strength=5),))
    moved = table.when(shot(), *dice(hit=5, firepower="one_hole", wound=4))
    assert moved.combatant(KRUG).wounds_left == 2
    assert 'Knockback: knocked back 1"' in [getattr(event, "why", "") for event in moved.outcome]
    wall = table.when(shot(cannot_be_moved=True), *dice(hit=5, firepower="one_hole", wound=4))
    assert wall.combatant(KRUG).wounds_left == 1
    low = table.when(shot(cannot_be_moved=True), *dice(hit=4, firepower="one_hole", wound=4))
    assert low.combatant(KRUG).wounds_left == 2


def test_knockback_of_a_blast_rolls_a_d6_for_each_fighter_hit() -> None:
    table = armed(gun("gun", 'Blast (3")', "Knockback"), others=(target(wounds=3, strength=4),))
    blast = shot(under_marker=(there(KRUG, cannot_be_moved=True), there(VEX)))
    rolled = table.when(blast, *dice(hit=6, firepower="one_hole", knockback=[4, 1], wound=[4, 1]))
    assert purposes(rolled) == ["hit", "firepower", "knockback", "wound", "knockback", "wound"]
    assert rolled.combatant(KRUG).wounds_left == 1


def test_concussion_and_cursed_act_on_the_hit() -> None:
    hurt = armed(gun("gun", "Concussion", "Cursed")).when(
        shot(), *dice(hit=6, firepower="one_hole", cursed="3+3", wound=1)
    )
    assert purposes(hurt) == ["hit", "firepower", "cursed", "wound"]
    assert hurt.rolls[2].outcome == "Cursed: Insane"
    sane = armed(gun("gun", "Cursed")).when(shot(), *dice(hit=6, firepower="one_hole", cursed="3+4", wound=1))
    assert sane.rolls[2].outcome == "Cursed: no effect"


def test_flash_and_chem_delivery_take_the_place_of_the_wound_roll() -> None:
    flash = armed(gun("gun", "Flash"))
    blind = flash.when(shot(), *dice(hit=6, firepower="one_hole", flash=3))
    assert (purposes(blind)[-1], blind.rolls[-1].outcome) == ("flash", "Flash: Blind")
    assert (
        flash.when(shot(), *dice(hit=6, firepower="one_hole", flash=4)).rolls[-1].outcome
        == "Flash: no effect"
    )
    chem = armed(gun("gun", "Chem Delivery"), others=(target(toughness=7),))
    dosed = chem.when(shot(), *dice(hit=5, firepower="one_hole", chem_delivery=6))
    assert dosed.rolls[-1].outcome == "Chem Delivery: takes effect as a dose"
    assert (
        chem.when(shot(), *dice(hit=5, firepower="one_hole", chem_delivery=5)).combatant(KRUG).wounds_left
        == 1
    )


def test_chem_delivery_beside_gas_or_toxin_may_be_left_for_those() -> None:
    """Who fires may use Gas or Toxin instead of the chem; a battle recorded before that had no such choice."""
    table = armed(gun("gun", "Chem Delivery", "Toxin"))
    on_hit = {"hit": 5, "firepower": "one_hole"}
    chem = table.when(shot(), *dice(**on_hit, chem_delivery=3))
    toxin = shot(without=("Chem Delivery",))
    assert purposes(chem)[-1] == "chem_delivery"
    assert purposes(table.when(toxin, *dice(**on_hit, wound=3, injury="flesh")))[-2:] == ["wound", "injury"]
    old = older(table, 4).when(toxin, *dice(**on_hit, chem_delivery=3))
    assert purposes(old)[-1] == "chem_delivery"


def test_blaze_does_not_burn_who_is_said_to_be_spared() -> None:
    """The inorganic: the table says so of the attack."""
    table = armed(gun("gun", "Blaze"))
    hit_once = {"hit": 5, "firepower": "one_hole", "wound": 1}
    burns = table.when(shot(), *dice(**hit_once, blaze=4))
    assert burns.combatant(KRUG).blaze
    spared = table.when(shot(without=("Blaze",)), *dice(**hit_once))
    assert not spared.combatant(KRUG).blaze


def test_graviton_pulse_a_d6_above_the_strength_or_a_6_is_damage_without_armour_save() -> None:
    table = armed(gun("gun", 'Blast (3")', "Graviton Pulse"), others=(target(strength=6, armour=MESH),))
    fails = table.when(shot(), *dice(hit=6, firepower="one_hole", graviton_pulse=6, injury="flesh"))
    assert purposes(fails) == ["hit", "firepower", "graviton_pulse", "injury"]
    assert fails.combatant(KRUG).flesh_wounds == 1
    holds = table.when(shot(), *dice(hit=6, firepower="one_hole", graviton_pulse=5))
    assert purposes(holds)[-1] == "graviton_pulse"


# --- saves -----------------------------------------------------------------------------------------------


def shield(trait: str) -> Weapon:
    return Weapon(weapon="shield", profiles=(WeaponProfile(strength=None, traits=("Melee", trait)),))


def save_needed(table: Table) -> int | None:
    return next((roll.target for roll in table.rolls if roll.purpose == "save"), None)


def test_shields_1_better_against_shots_from_the_front_while_standing() -> None:
    for trait in ("Energy Shield", "Assault Shield"):
        table = armed(others=(target(armour=MESH, weapons=(shield(trait),)),))
        front = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, save=4))
        assert save_needed(front) == 4
        behind = table.when(shot(behind=True), *dice(hit=6, firepower="one_hole", wound=4, save=5))
        assert save_needed(behind) == 5
        prone = table.when(shot(prone=True), *dice(hit=6, firepower="one_hole", wound=4, save=5))
        assert save_needed(prone) == 5


def test_shield_breaker_ignores_shields_and_rolls_two_dice_for_fields() -> None:
    breaker = gun("gun", "Shield Breaker")
    carried = target(armour=MESH, weapons=(shield("Energy Shield"),))
    broken = armed(breaker, others=(carried,))
    assert save_needed(broken.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, save=5))) == 5
    field = armed(breaker, others=(target(field_armour=Armour(name="Field", save=3)),))
    rolled = field.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, save=[3, 2], injury="flesh"))
    assert purposes(rolled).count("save") == 2
    saved = field.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, save=[3, 3]))
    assert saved.combatant(KRUG).flesh_wounds == 0


def test_phase_allows_no_save_of_armour_or_field() -> None:
    table = armed(gun("gun", "Phase"), others=(target(armour=MESH, field_armour=REFRACTOR),))
    struck = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, injury="flesh"))
    assert "save" not in purposes(struck)


# --- injuries and after the attack -----------------------------------------------------------------------


def test_sever_each_injury_die_is_out_of_action() -> None:
    gone = armed(gun("gun", "Sever")).when(
        shot(), *dice(hit=6, firepower="one_hole", wound=4, lasting_injury=15)
    )
    assert gone.combatant(KRUG).out_of_action
    assert "injury" not in purposes(gone)


def test_fear_a_nerve_test_at_minus_2_in_place_of_the_injury_roll() -> None:
    table = armed(gun("gun", "Fear"))
    broken = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, fear="4+4"))
    assert (purposes(broken)[-1], broken.combatant(KRUG).broken) == ("fear", True)
    calm = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, fear="4+5"))
    assert (calm.combatant(KRUG).broken, calm.combatant(KRUG).flesh_wounds) == (False, 0)


def test_pulverise_a_flesh_wound_becomes_a_serious_injury() -> None:
    table = armed(gun("gun", "Pulverise"))
    hurt = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, injury="flesh", pulverise=3))
    assert (hurt.combatant(KRUG).seriously_injured, hurt.combatant(KRUG).flesh_wounds) == (True, 0)
    spared = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, injury="flesh", pulverise=2))
    assert spared.combatant(KRUG).flesh_wounds == 1
    serious = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, injury="serious"))
    assert "pulverise" not in purposes(serious)


def test_rad_phage_one_more_flesh_wound_when_every_hit_is_resolved() -> None:
    table = armed(gun("gun", "Rad-phage", "Rapid Fire (1)"))
    burst = table.when(shot(), *dice(hit=6, firepower="two_holes", wound=[1, 1], rad_phage=4))
    assert purposes(burst) == ["hit", "firepower", "wound", "wound", "rad_phage"]
    assert burst.combatant(KRUG).flesh_wounds == 1
    gone = armed(gun("gun", "Rad-phage", "Sever")).when(
        shot(), *dice(hit=6, firepower="one_hole", wound=4, lasting_injury=15)
    )
    assert "rad_phage" not in purposes(gone)


def test_drag_pulls_by_a_d3_on_the_targets_strength() -> None:
    table = armed(gun("gun", "Drag"))
    pulled = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=1, drag=3, drag_inches=2))
    assert pulled.rolls[-1].outcome == 'Drag: 2" towards the attacker'
    left = table.when(shot(without=("Drag",)), *dice(hit=6, firepower="one_hole", wound=1))
    assert purposes(left) == ["hit", "firepower", "wound"]


def test_impale_goes_on_to_the_next_in_line_with_1_strength_less() -> None:
    table = armed(gun("gun", "Impale"), others=(target(), card(VEX)))
    line = shot(next_in_line=(there(VEX),))
    on = table.when(
        line, *dice(hit=6, firepower="one_hole", wound=[4, 4], injury=["flesh", "flesh"], impale=3)
    )
    assert purposes(on) == ["hit", "firepower", "wound", "injury", "impale", "wound", "injury"]
    assert [roll.target for roll in on.rolls if roll.purpose == "wound"] == [3, 4]
    assert (on.combatant(VEX).flesh_wounds, on.combatant(VEX).pinned) == (1, True)
    stuck = table.when(line, *dice(hit=6, firepower="one_hole", wound=4, injury="flesh", impale=2))
    assert not stuck.combatant(VEX).pinned


def test_impale_sets_on_fire_and_poisons_whom_it_hits_further_along() -> None:
    """Blaze and Rad-Phage ask for a die for each model that the attack hit, when all its hits are resolved."""
    for trait, purpose in (("Blaze", "blaze"), ("Rad-Phage", "rad_phage")):
        table = armed(gun("gun", "Impale", trait), others=(target(), card(VEX)))
        on = table.when(
            shot(next_in_line=(there(VEX),)),
            *dice(hit=6, firepower="one_hole", wound=[4, 4], injury=["flesh", "flesh"], impale=3),
            *dice(**{purpose: [4, 3]}),
        )
        assert purposes(on)[-3:] == ["injury", purpose, purpose]
        if trait == "Blaze":
            assert (on.combatant(VEX).blaze, on.combatant(KRUG).blaze) == (True, False)
        else:
            assert (on.combatant(VEX).flesh_wounds, on.combatant(KRUG).flesh_wounds) == (2, 1)


def test_impale_drags_only_the_last_one_hit() -> None:
    table = armed(gun("gun", "Impale", "Drag"), others=(target(), card(VEX), card(DOT)))
    line = shot(next_in_line=(there(VEX), there(DOT)))
    through = table.when(
        line,
        *dice(hit=6, firepower="one_hole", wound=[4, 4], injury=["flesh", "flesh"], impale=[3, 2]),
        *dice(drag=6, drag_inches=2),
    )
    assert [roll.fighter for roll in through.rolls if roll.purpose == "drag_inches"] == [VEX]
    stuck = table.when(
        line, *dice(hit=6, firepower="one_hole", wound=4, injury="flesh", impale=2, drag=6, drag_inches=2)
    )
    assert [roll.fighter for roll in stuck.rolls if roll.purpose == "drag_inches"] == [KRUG]


def test_impale_with_rad_phage_is_as_likely_as_every_die_says() -> None:
    table = armed(gun("gun", "Impale", "Rad-Phage"), others=(target(), card(VEX)))
    line = shot(next_in_line=(there(VEX),))
    struck = odds_ends(table, line, VEX)
    reached = Fraction(4, 6) ** 3  # 3+ to hit, Strength 4 against 3, Impale on a 3+
    # Strength 3 against 3 wounds half the time; 2 of 6 Injury faces are Flesh Wounds, half of Rad-Phage's one more.
    assert chance(struck, flesh_wounds=2) == reached * Fraction(1, 2) * Fraction(2, 6) * Fraction(1, 2)


def test_impale_of_an_older_battle_drags_the_target_alone() -> None:
    """What battles recorded before decide, they decide again (ADR 29)."""
    table = older(armed(gun("gun", "Impale", "Drag"), others=(target(), card(VEX))), stage=2)
    through = table.when(
        shot(next_in_line=(there(VEX),)),
        *dice(hit=6, firepower="one_hole", wound=[4, 4], injury=["flesh", "flesh"], impale=3),
        *dice(drag=6, drag_inches=2),
    )
    assert [roll.fighter for roll in through.rolls if roll.purpose == "drag_inches"] == [KRUG]


# --- ammunition ------------------------------------------------------------------------------------------


def test_twin_linked_and_munitioneer_make_a_failed_ammo_test_again() -> None:
    rolled = dice(hit=1, firepower="ammo", ammo=[1, 4])
    twin = armed(gun("gun", "Twin-linked")).when(shot(), *rolled)
    assert (purposes(twin), twin.combatant(MAGS).out_of_ammo) == (["hit", "firepower", "ammo", "ammo"], ())
    own = armed(skills=("Munitioneer",)).when(shot(), *rolled)
    assert (purposes(own), own.combatant(MAGS).out_of_ammo) == (["hit", "firepower", "ammo", "ammo"], ())
    friend = armed(others=(card(DOT, skills=("Munitioneer",)),))
    helped = friend.when(shot(munitioneer=DOT), *rolled)
    assert helped.combatant(MAGS).out_of_ammo == ()
    assert isinstance(armed().when(shot(munitioneer=DOT)).refusal, records.HelpsNoAmmoTest)
    failed = armed(gun("gun", "Twin-linked")).when(shot(), *dice(hit=1, firepower="ammo", ammo=[1, 3]))
    assert failed.combatant(MAGS).out_of_ammo == ("gun",)


def test_a_grenade_rolls_no_firepower_die_and_is_gone_when_its_ammo_test_fails() -> None:
    grenade = armed(gun("gun", "Grenade", 'Blast (3")'))
    thrown = grenade.when(shot(), *dice(hit=6, ammo=4, wound=1))
    assert purposes(thrown) == ["hit", "ammo", "wound"]
    last = grenade.when(shot(), *dice(hit=6, ammo=3, wound=1))
    assert last.combatant(MAGS).ammo_spent == ("gun|",)
    assert isinstance(last.when(shot()).refusal, records.WeaponDoneForBattle)
    assert isinstance(
        last.when(records.Reload(fighter=MAGS, weapon="gun")).refusal,
        records.NothingToReload | records.WeaponDoneForBattle,
    )


# --- what meets, and exact chances -----------------------------------------------------------------------


def test_each_hit_of_rapid_fire_is_dodged_by_itself() -> None:
    """Rapid Fire scores several hits by one hit roll, each resolved by itself; Dodge answers a wound. So each
    hit that wounds has a die of its own, and a dodged one leaves the others as they are."""
    table = armed(gun("gun", "Rapid Fire (1)"), others=(target("Dodge", wounds=4),))
    burst = table.when(shot(), *dice(hit=5, firepower="two_holes", wound=[4, 4], dodge=[6, 1]))
    assert purposes(burst) == ["hit", "firepower", "wound", "dodge", "wound", "dodge"]
    assert burst.combatant(KRUG).wounds_left == 3


def test_a_dodged_shot_still_pins() -> None:
    dodged = armed(others=(target("Dodge"),)).when(
        shot(), *dice(hit=5, firepower="one_hole", wound=4, dodge=6)
    )
    assert dodged.combatant(KRUG).pinned


EXACT = (
    (("Rending",), (), ("Dodge",)),
    (("Shock", "Melta"), ("Precision Shot",), ("True Grit",)),
    (("Knockback", "Pulverise"), (), ()),
    (("Rad-phage",), ("Marksman",), ("Nerves of Steel",)),
    (("Master-crafted", "Graviton Pulse"), (), ("Evade",)),
    (("Shield Breaker", "Phase"), (), ("Dodge", "True Grit")),
)


@pytest.mark.slow
def test_the_odds_of_a_shot_are_those_of_every_die_with_traits_and_skills_on_both_sides() -> None:
    for traits, skills, against in EXACT:
        weapon, others = gun("gun", *traits, "Single Shot"), (target(*against),)
        # On a 5+: more hits are more of the same.
        table = armed(weapon, skills=skills, others=others, ballistic_skill=6)
        ends = exactly(table, shot(), KRUG)
        assert len(ends) > 2, traits


def test_impale_and_its_line_are_as_likely_as_every_die_says() -> None:
    table = armed(gun("gun", "Impale"), others=(target(), card(VEX)))
    line = shot(next_in_line=(there(VEX),))
    hits, wounds = Fraction(4, 6), Fraction(4, 6)  # 3+ to hit at Short range; Strength 4 against 3
    struck = odds_ends(table, line, VEX)
    assert 1 - struck[UNHURT] == hits * wounds * Fraction(
        4, 6
    )  # Impale on a 3+; whoever it reaches is Pinned
    assert chance(struck, out_of_action=True) == hits * wounds * Fraction(4, 6) * Fraction(1, 2) * Fraction(
        1, 6
    )


def test_a_shot_of_fighters_without_skills_asks_for_what_it_always_did() -> None:
    plain = given(card(MAGS, weapons=(gun(),))).when(
        shot(), *dice(hit=6, firepower="one_hole", wound=4, injury="flesh")
    )
    assert purposes(plain) == ["hit", "firepower", "wound", "injury"]
    assert loader.book(BOOK).traits["melta"].effects
