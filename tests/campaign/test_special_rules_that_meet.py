"""Traits and skills that had no test named as them, and those that meet, each with dice of the sheet."""

from fractions import Fraction

import pytest
from fights import KNIFE, fight, weapon
from scenario import KRUG, MAGS, MESH, Table, card, given, hit
from shots import armed, gun, shot
from special_rules import UNHURT, dice, exactly, purposes

from tracker.campaign import records
from tracker.campaign.profiles import Armour

BOOKS = ("necromunda_2023", "necromunda_archive")
THIRD, HALF = Fraction(1, 3), Fraction(1, 2)


def needed(table: Table, purpose: str) -> int | None:
    """What the first die of a purpose needed."""
    return next((roll.target for roll in table.rolls if roll.purpose == purpose), None)


# --- Iron Jaw --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_iron_jaw_adds_2_to_toughness_against_close_combat_without_ap(book: str) -> None:
    table = given(card(KRUG, weapons=(KNIFE,)), card(MAGS, skills=("Iron Jaw",)), book=book)
    struck = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=1))
    assert needed(struck, "wound") == 5  # Strength 3 against Toughness 3 + 2
    bare = table.when(fight(KRUG, MAGS), *dice(melee_hit=4, wound=1))
    assert needed(bare, "wound") == 5


def test_iron_jaw_is_no_help_against_ap_nor_against_shots() -> None:
    sword = weapon("sword", "Melee", strength=3, armour_penetration=-1)
    table = given(card(KRUG, weapons=(sword,)), card(MAGS, skills=("Iron Jaw",)))
    pierced = table.when(fight(KRUG, MAGS, using=("sword",)), *dice(melee_hit=4, wound=1))
    assert needed(pierced, "wound") == 4
    shot_at = armed(gun(strength=3), others=(card(KRUG, skills=("Iron Jaw",)),))
    shot_at = shot_at.when(shot(), *dice(hit=6, firepower="one_hole", wound=1))
    assert needed(shot_at, "wound") == 4


def test_iron_jaw_halves_what_wounds_and_the_odds_know_it() -> None:
    attack = fight(KRUG, MAGS, using=("knife",))
    for skills, wounds in (((), HALF), (("Iron Jaw",), THIRD)):
        ends = exactly(given(card(KRUG, weapons=(KNIFE,)), card(MAGS, skills=skills)), attack, MAGS)
        assert 1 - ends[UNHURT] == HALF * wounds


def test_iron_jaw_counts_for_what_goes_by_toughness_in_place_of_a_wound_roll() -> None:
    toxic = weapon("fang", "Melee", "Toxin", strength=None)
    table = given(card(KRUG, weapons=(toxic,)), card(MAGS, skills=("Iron Jaw",)))
    bitten = table.when(fight(KRUG, MAGS, using=("fang",)), *dice(melee_hit=4, wound=4))
    assert bitten.refusal is None, bitten.refusal
    assert needed(bitten, "wound") == 5


# --- shields in close combat -----------------------------------------------------------------------------


@pytest.mark.parametrize("trait", ["Assault Shield", "Energy Shield"])
def test_assault_shield_and_energy_shield_save_2_better_in_close_combat_from_the_front(trait: str) -> None:
    carried = (weapon("shield", "Melee", trait, strength=None),)
    table = given(card(KRUG, weapons=(KNIFE,)), card(MAGS, armour=MESH, weapons=carried))
    at_front = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=4, save=3))
    assert needed(at_front, "save") == 5 - 2
    from_behind = records.FightTarget(model=MAGS, behind=True)
    at_back = table.when(fight(KRUG, from_behind, using=("knife",)), *dice(melee_hit=4, wound=4, save=5))
    assert needed(at_back, "save") == 5


@pytest.mark.parametrize("trait", ["Assault Shield", "Energy Shield"])
def test_assault_shield_and_energy_shield_never_save_better_than_on_a_2(trait: str) -> None:
    plate = Armour(name="plate", save=3)
    carried = (weapon("shield", "Melee", trait, strength=None),)
    table = given(card(KRUG, weapons=(KNIFE,)), card(MAGS, armour=plate, weapons=carried))
    struck = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=4, save=2))
    assert needed(struck, "save") == 2


def test_shield_breaker_in_close_combat_ignores_an_assault_shield() -> None:
    breaker = weapon("claw", "Melee", "Shield Breaker", strength=None)
    carried = (weapon("shield", "Melee", "Assault Shield", strength=None),)
    table = given(card(KRUG, weapons=(breaker,)), card(MAGS, armour=MESH, weapons=carried))
    struck = table.when(fight(KRUG, MAGS, using=("claw",)), *dice(melee_hit=4, wound=4, save=5))
    assert needed(struck, "save") == 5


# --- Seismic, Backstab, Power ----------------------------------------------------------------------------


def test_seismic_pins_whoever_stands_and_nerves_of_steel_roll_nothing() -> None:
    table = armed(gun("gun", "Seismic"), others=(card(KRUG, skills=("Nerves of Steel",)),))
    struck = table.when(shot(), *dice(hit=5, firepower="one_hole", wound=1))
    assert purposes(struck) == ["hit", "firepower", "wound"]
    assert struck.combatant(KRUG).pinned
    engaged = table.when(shot(engaged=True), *dice(hit=6, firepower="one_hole", wound=1))
    assert not engaged.combatant(KRUG).pinned


def test_seismic_in_close_combat_pins_nobody_who_is_engaged() -> None:
    quake = weapon("quake maul", "Melee", "Seismic", strength=None)
    table = given(card(KRUG, weapons=(quake,)), card(MAGS))
    struck = table.when(fight(KRUG, MAGS, using=("quake maul",)), *dice(melee_hit=4, wound=1))
    assert not struck.combatant(MAGS).pinned


def test_backstab_the_skill_is_for_melee_weapons_and_no_shot() -> None:
    table = armed(gun(strength=3), skills=("Backstab",))
    behind = table.when(shot(behind=True), *dice(hit=6, firepower="one_hole", wound=1))
    assert needed(behind, "wound") == 4


@pytest.mark.parametrize(("face", "save"), [(5, 5), (6, None)])
def test_power_a_natural_6_to_hit_leaves_no_armour_save_and_adds_1_damage(
    face: int, save: int | None
) -> None:
    blade = weapon("blade", "Melee", "Power", strength=None)
    table = given(card(KRUG, weapons=(blade,)), card(MAGS, wounds=3, armour=MESH))
    more = {"save": 1} if save is not None else {}
    struck = table.when(fight(KRUG, MAGS, using=("blade",)), *dice(melee_hit=face, wound=4, **more))
    assert needed(struck, "save") == save
    assert struck.combatant(MAGS).wounds_left == (2 if face == 5 else 1)


@pytest.mark.parametrize(("face", "moved"), [(2, False), (3, True)])
def test_knockback_of_a_blast_goes_by_its_own_die_and_not_by_the_hit_roll(face: int, *, moved: bool) -> None:
    table = armed(gun("gun", 'Blast (3")', "Knockback"), others=(card(KRUG, strength=3),))
    struck = table.when(shot(), *dice(hit=6, firepower="one_hole", knockback=face, wound=1))
    words = [getattr(event, "why", "") for event in struck.outcome]
    assert ('Knockback: knocked back 1"' in words) == moved


@pytest.mark.parametrize(("face", "outcome"), [(3, "takes effect as a dose"), (2, "no effect")])
def test_chem_delivery_needs_the_toughness(face: int, outcome: str) -> None:
    table = armed(gun("gun", "Chem Delivery")).when(
        shot(), *dice(hit=5, firepower="one_hole", chem_delivery=face)
    )
    assert table.rolls[-1].outcome == f"Chem Delivery: {outcome}"


# --- what meets ------------------------------------------------------------------------------------------


def test_dodge_and_scattershot_each_wound_is_dodged_by_itself() -> None:
    table = armed(gun("gun", "Scattershot"), others=(card(KRUG, skills=("Dodge",), wounds=4),))
    struck = table.when(shot(), *dice(hit=5, firepower="one_hole", scattershot=2, wound=[4, 4], dodge=[6, 1]))
    assert purposes(struck) == ["hit", "firepower", "scattershot", "wound", "dodge", "wound", "dodge"]
    assert struck.combatant(KRUG).wounds_left == 3


def test_dodge_and_impale_who_dodges_is_not_gone_through() -> None:
    line = (records.ModelThere(fighter="vex"),)
    table = armed(gun("gun", "Impale"), others=(card(KRUG, skills=("Dodge",)),))
    struck = table.when(shot(next_in_line=line), *dice(hit=5, firepower="one_hole", wound=4, dodge=6))
    assert purposes(struck) == ["hit", "firepower", "wound", "dodge"]


def test_shock_and_dodge_the_wound_without_a_roll_is_dodged_as_any() -> None:
    table = armed(gun("gun", "Shock"), others=(card(KRUG, skills=("Dodge",)),))
    struck = table.when(shot(), *dice(hit=6, firepower="one_hole", dodge=6))
    assert purposes(struck) == ["hit", "firepower", "dodge"]
    assert struck.combatant(KRUG).wounds_left == 1


def test_true_grit_and_pulverise_the_symbol_that_is_kept_may_be_worsened() -> None:
    table = given(card(MAGS, skills=("True Grit",)))
    hurt = table.when(
        hit(MAGS, by=KRUG, traits=("Pulverise",)), *dice(wound=4, injury=["flesh", "ooa"], pulverise=3)
    )
    assert purposes(hurt) == ["wound", "injury", "injury", "pulverise"]
    assert (hurt.combatant(MAGS).seriously_injured, hurt.combatant(MAGS).flesh_wounds) == (True, 0)


def test_marksman_and_rending_the_damage_is_doubled_before_1_is_added() -> None:
    table = armed(gun("gun", "Rending"), skills=("Marksman",), others=(card(KRUG, wounds=6),))
    struck = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=6))
    assert struck.combatant(KRUG).wounds_left == 6 - (1 * 2 + 1)


def test_fear_and_true_grit_no_injury_die_is_rolled_so_none_is_taken_away() -> None:
    table = armed(gun("gun", "Fear"), others=(card(KRUG, skills=("True Grit",)),))
    calm = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, fear="4+5"))
    assert purposes(calm) == ["hit", "firepower", "wound", "fear"]


def test_phase_and_shields_a_shield_adds_to_no_save_that_is_not_made() -> None:
    shield = weapon("shield", "Melee", "Energy Shield", strength=None)
    table = armed(gun("gun", "Phase"), others=(card(KRUG, armour=MESH, weapons=(shield,)),))
    struck = table.when(shot(), *dice(hit=6, firepower="one_hole", wound=4, injury="flesh"))
    assert "save" not in purposes(struck)
