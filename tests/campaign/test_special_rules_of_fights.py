"""Traits and skills in close combat: each with the dice of its row, and what they do when they meet."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest
from fights import HAMMER, KNIFE, PISTOL, at, fight, hit_rolls, moved, weapon
from scenario import DOT, KRUG, MAGS, MESH, REFRACTOR, VEX, Table, before, card, given, older
from special_rules import UNHURT, chance, dice, exactly, purposes

from tracker.campaign import records

BOOKS = ("necromunda_2023", "necromunda_archive")
HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
FOIL = weapon("foil", "Melee", "Parry", strength=None)
DIRK = weapon("dirk", "Melee", "Parry", strength=None)
POWER_FOIL = weapon("power foil", "Melee", "Parry", "Power", strength=None)
POWER_KNIFE = weapon("power knife", "Melee", "Power", strength=None)
WHIP = weapon("whip", "Melee", "Entangle", strength=None)
FLAIL = weapon("flail", "Melee", "Disarm", strength=None)
CLAWS = weapon("claws", "Melee", "Paired", strength=None)
DIGI = weapon("digi laser", "Melee", "Digi", strength=4)
MAUL = weapon("maul", "Melee", "Knockback", strength=None)
SAW = weapon("saw", "Melee", "Reckless", strength=None)
STAFF = weapon("staff", "Melee", "Force", strength=None)
SHIELD = weapon("shield", "Melee", "Energy Shield", strength=None)


@pytest.fixture(params=BOOKS)
def here(request: pytest.FixtureRequest) -> Callable[..., Table]:
    """A battle by each book."""
    return partial(given, book=request.param)


def krug(*skills: str, **more: object) -> records.FighterCard:
    return card(KRUG, **{"skills": skills, "weapons": (KNIFE,), **more})


def mags(*skills: str, **more: object) -> records.FighterCard:
    return card(MAGS, skills=skills, **more)


def shared(table: Table) -> records.AttackDiceShared:
    (found,) = [event for event in table.outcome if isinstance(event, records.AttackDiceShared)]
    return found


def resolved(table: Table) -> records.FightResolved:
    (found,) = [event for event in table.outcome if isinstance(event, records.FightResolved)]
    return found


def attack_dice(table: Table) -> int:
    return sum(share.attack_dice for share in shared(table).shares)


# --- Parry -----------------------------------------------------------------------------------------------


def test_parry_the_attacker_rolls_one_successful_hit_again(here: Callable[..., Table]) -> None:
    table = here(krug(attacks=2), mags(weapons=(FOIL,)))
    parried = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[4, 5], parry=3, wound=1))
    assert purposes(parried) == ["melee_hit", "melee_hit", "parry", "wound"]
    assert [roll.fighter for roll in parried.rolls[:3]] == [KRUG, KRUG, KRUG]
    again = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[4, 1], parry=4, wound=1))
    assert purposes(again) == ["melee_hit", "melee_hit", "parry", "wound"]
    missed = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[1, 3]))
    assert purposes(missed) == ["melee_hit", "melee_hit"]


def test_two_parry_weapons_parry_two_hits_and_a_third_none_more(here: Callable[..., Table]) -> None:
    three = (FOIL, DIRK, weapon("kris", "Melee", "Parry", strength=None))
    for arms, parried in (((FOIL,), 1), ((FOIL, DIRK), 2), (three, 2)):
        table = here(krug(attacks=3), mags(weapons=arms))
        table = table.when(
            fight(KRUG, MAGS, using=("knife",)),
            *dice(melee_hit=[4, 4, 4], parry=[1] * parried, wound=[1] * (3 - parried)),
        )
        assert purposes(table).count("parry") == parried


def test_parry_the_skill_is_as_a_parry_weapon_and_one_more_beside_it(here: Callable[..., Table]) -> None:
    for arms, parried in (((), 1), ((FOIL,), 2), ((FOIL, DIRK), 3)):
        table = here(krug(attacks=3), mags("Parry", weapons=arms))
        table = table.when(
            fight(KRUG, MAGS, using=("knife",)),
            *dice(melee_hit=[4, 4, 4], parry=[1] * parried, wound=[1] * (3 - parried)),
        )
        assert purposes(table).count("parry") == parried


def test_parry_and_power_a_power_weapon_is_parried_by_power_alone(here: Callable[..., Table]) -> None:
    attack = fight(KRUG, MAGS, using=("power knife",))
    plain = here(krug(weapons=(POWER_KNIFE,)), mags("Parry", weapons=(FOIL,)))
    assert purposes(plain.when(attack, *dice(melee_hit=4, wound=1))) == ["melee_hit", "wound"]
    power = here(krug(weapons=(POWER_KNIFE,)), mags(weapons=(FOIL, POWER_FOIL)))
    assert purposes(power.when(attack, *dice(melee_hit=4, parry=1))) == ["melee_hit", "parry"]


def test_what_parries_least_goes_first_so_that_a_power_parry_is_not_wasted() -> None:
    table = given(krug(weapons=(KNIFE, POWER_KNIFE)), mags(weapons=(POWER_FOIL, FOIL)))
    table = table.when(
        fight(KRUG, MAGS, using=("knife", "power knife")), *dice(melee_hit=[4, 4], parry=[1, 1])
    )
    assert purposes(table) == ["melee_hit", "melee_hit", "parry", "parry"]
    assert [roll.outcome.partition(" against")[0] for roll in table.rolls[2:]] == ["knife", "power knife"]


def test_entangle_and_parry_its_hits_are_not_parried_even_by_power(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(WHIP,)), mags("Parry", weapons=(POWER_FOIL,)))
    whipped = table.when(fight(KRUG, MAGS, using=("whip",)), *dice(melee_hit=4, wound=1))
    assert purposes(whipped) == ["melee_hit", "wound"]


def test_a_parry_may_be_declined_and_kept_for_a_weapon() -> None:
    table = given(krug(weapons=(KNIFE, FLAIL)), mags(weapons=(FOIL,)))
    both = ("knife", "flail")
    declined = fight(KRUG, MAGS, using=both, without=("Parry",))
    assert "parry" not in purposes(table.when(declined, *dice(melee_hit=[4, 4], wound=[1, 1])))
    kept = fight(KRUG, at(MAGS, wards_off="flail"), using=both)
    table = table.when(kept, *dice(melee_hit=[4, 4], parry=1, wound=1))
    assert table.rolls[2].outcome == "flail against Mags, Parry: misses"


def test_parry_leaves_half_of_the_hits_of_one_die_and_the_odds_know_it() -> None:
    for skills, wounds in ((("Parry",), HALF * HALF * HALF), ((), HALF * HALF)):
        ends = exactly(given(krug(), mags(*skills)), fight(KRUG, MAGS, using=("knife",)), MAGS)
        assert chance(ends, out_of_action=True) == wounds * SIXTH


def test_parry_of_two_dice_against_every_way_they_fall() -> None:
    table = given(krug(attacks=2), mags("Parry", wounds=3))
    ends = exactly(table, fight(KRUG, MAGS, using=("knife",)), MAGS)
    # Two hits 1/4: one is made again; one hit 1/2: it is made again. A hit wounds in one of two.
    two = Fraction(1, 4) * HALF * Fraction(1, 4)
    assert chance(ends, wounds_left=1) == two
    one = Fraction(1, 4) * (HALF * HALF + HALF * HALF) + HALF * HALF * HALF
    assert chance(ends, wounds_left=2) == one


# --- Step Aside ------------------------------------------------------------------------------------------


def test_step_aside_an_initiative_test_turns_a_hit_to_a_miss(here: Callable[..., Table]) -> None:
    table = here(krug(), mags("Step Aside"))
    aside = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, step_aside=4))
    assert purposes(aside) == ["melee_hit", "step_aside"]
    assert aside.rolls[1].fighter == MAGS
    struck = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, step_aside=3, wound=1))
    assert purposes(struck) == ["melee_hit", "step_aside", "wound"]


def test_step_aside_once_for_each_enemy_in_a_round_of_combat(here: Callable[..., Table]) -> None:
    table = here(krug(attacks=2), mags("Step Aside"))
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[4, 4], step_aside=4, wound=1))
    assert purposes(table) == ["melee_hit", "melee_hit", "step_aside", "wound"]
    other = table.when(fight(VEX, MAGS), *dice(melee_hit=4, step_aside=4))
    assert purposes(other) == ["melee_hit", "step_aside"]


def test_step_aside_and_parry_what_still_hits_after_the_parry_is_stepped_aside_from() -> None:
    """Parry has a successful Hit roll made again, so it comes while attacks are made; Step Aside answers an
    attack that has hit. What the roll made again misses needs no test."""
    table = given(krug(attacks=2), mags("Step Aside", weapons=(FOIL,)))
    attack = fight(KRUG, MAGS, using=("knife",))
    parried = table.when(attack, *dice(melee_hit=[4, 1], parry=1))
    assert purposes(parried) == ["melee_hit", "melee_hit", "parry"]
    hit_again = table.when(attack, *dice(melee_hit=[4, 1], parry=4, step_aside=4))
    assert purposes(hit_again) == ["melee_hit", "melee_hit", "parry", "step_aside"]
    ends = exactly(given(krug(), mags("Step Aside", weapons=(FOIL,))), attack, MAGS)
    assert chance(ends, out_of_action=True) == HALF * HALF * HALF * HALF * SIXTH


def test_step_aside_of_a_concussed_fighter_needs_two_more() -> None:
    table = given(krug(), mags("Step Aside")).when(
        records.StateCondition(condition="concussed", fighter=MAGS)
    )
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, step_aside=5, wound=1))
    assert [roll.target for roll in table.rolls][1] == 6


# --- Disarm, Entangle ------------------------------------------------------------------------------------


def test_disarm_on_a_natural_6_the_target_reacts_unarmed_for_the_rest_of_the_round(
    here: Callable[..., Table],
) -> None:
    table = here(krug(weapons=(FLAIL,)), mags(weapons=(FOIL,)))
    attack = fight(KRUG, MAGS, using=("flail",))
    free = table.when(attack, *dice(melee_hit=5, parry=5, wound=1))
    assert not free.combatant(MAGS).disarmed
    disarmed = table.when(attack, *dice(melee_hit=4, parry=6, wound=1))
    assert disarmed.combatant(MAGS).disarmed
    react = fight(MAGS, KRUG, using=("foil",), reaction=True)
    disarmed.when(react).then_refused(records.DisarmedForReactions, fighter="Mags")
    assert disarmed.when(fight(MAGS, KRUG, reaction=True), *dice(melee_hit=1)).refusal is None
    later = disarmed.when(records.EndRound()).when(react, *dice(melee_hit=1))
    assert later.refusal is None
    assert disarmed.when(fight(MAGS, KRUG, using=("foil",)), *dice(melee_hit=1)).refusal is None


def test_disarm_the_skill_gives_it_to_melee_weapons_and_on_a_5_where_they_have_it(
    here: Callable[..., Table],
) -> None:
    for arm, face, disarms in ((KNIFE, 5, False), (KNIFE, 6, True), (FLAIL, 5, True), (FLAIL, 4, False)):
        table = here(krug("Disarm", weapons=(arm,)))
        table = table.when(fight(KRUG, MAGS, using=(arm.weapon,)), *dice(melee_hit=face, wound=1))
        assert table.combatant(MAGS).disarmed == disarms
    bare = here(krug("Disarm")).when(fight(KRUG, MAGS), *dice(melee_hit=6, wound=1))
    assert not bare.combatant(MAGS).disarmed


def test_disarm_twice_is_disarmed_once() -> None:
    table = given(krug("Disarm", attacks=2, weapons=(FLAIL,)))
    table = table.when(fight(KRUG, MAGS, using=("flail",)), *dice(melee_hit=[6, 6], wound=[1, 1]))
    gained = [event for event in table.outcome if isinstance(event, records.ConditionGained)]
    assert [event.condition for event in gained] == ["disarmed"]


def test_entangle_on_a_natural_6_the_targets_reaction_attacks_are_at_minus_2(
    here: Callable[..., Table],
) -> None:
    table = here(krug(weapons=(WHIP,)), mags(weapons=(KNIFE,)))
    attack = fight(KRUG, MAGS, using=("whip",))
    react = fight(MAGS, KRUG, using=("knife",), reaction=True)
    free = table.when(attack, *dice(melee_hit=5, wound=1)).when(react, *dice(melee_hit=1))
    assert moved(free) == {()}
    bound = table.when(attack, *dice(melee_hit=6, wound=1))
    assert resolved(bound).hampered == {MAGS: -2}
    assert moved(bound.when(react, *dice(melee_hit=1))) == {(("entangled", -2),)}
    own = bound.when(fight(MAGS, KRUG, using=("knife",)), *dice(melee_hit=1))
    assert moved(own) == {()}


def test_entangle_twice_is_minus_2_once() -> None:
    table = given(krug(attacks=2, weapons=(WHIP,)))
    table = table.when(fight(KRUG, MAGS, using=("whip",)), *dice(melee_hit=[6, 6], wound=[1, 1]))
    assert resolved(table).hampered == {MAGS: -2}


# --- Attack dice -----------------------------------------------------------------------------------------


def test_paired_counts_as_two_weapons_and_doubles_the_attacks_of_a_charge(
    here: Callable[..., Table],
) -> None:
    table = here(krug(weapons=(CLAWS,), attacks=3))
    stands = table.when(fight(KRUG, MAGS, using=("claws",)), *dice(melee_hit=[1] * 4))
    assert attack_dice(stands) == 3 + 1
    charges = table.when(fight(KRUG, MAGS, using=("claws",), charging=True), *dice(melee_hit=[1] * 8))
    assert attack_dice(charges) == 2 * 3 + 1 + 1


def test_paired_is_nothing_to_the_mounted(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(CLAWS,), attacks=3, mounted=True))
    table = table.when(fight(KRUG, MAGS, using=("claws",), charging=True), *dice(melee_hit=[1] * 4))
    assert attack_dice(table) == 3 + 1


def test_berserker_one_more_attack_die_when_charging(here: Callable[..., Table]) -> None:
    table = here(krug("Berserker"))
    charge = fight(KRUG, MAGS, using=("knife",), charging=True)
    assert attack_dice(table.when(charge, *dice(melee_hit=[1] * 3))) == 1 + 1 + 1
    stands = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=1))
    assert attack_dice(stands) == 1


def test_berserker_with_paired_the_characteristic_is_doubled_before_the_die_is_added() -> None:
    table = given(krug("Berserker", weapons=(CLAWS,), attacks=2))
    table = table.when(fight(KRUG, MAGS, using=("claws",), charging=True), *dice(melee_hit=[1] * 7))
    assert shared(table).added == tuple(
        records.Modifier(why=why, by=by)
        for why, by in (("Paired", 2), ("two weapons", 1), ("charging", 1), ("Berserker", 1))
    )
    assert attack_dice(table) == 2 * 2 + 1 + 1 + 1


def test_digi_one_attack_more_beside_two_weapons(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(KNIFE, PISTOL, DIGI)))
    attack = fight(KRUG, MAGS, using=("digi laser", "knife", "pistol"))
    table = table.when(attack, *dice(melee_hit=[1, 1, 1], firepower="one"))
    assert [(share.weapon, share.attack_dice) for share in shared(table).shares] == [
        ("digi laser", 1), ("knife", 1), ("pistol", 1)
    ]  # fmt: skip


def test_digi_beside_an_unwieldy_weapon_and_beside_bare_hands(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(HAMMER, DIGI)))
    heavy = table.when(fight(KRUG, MAGS, using=("hammer", "digi laser")), *dice(melee_hit=[1, 1]))
    assert attack_dice(heavy) == 2
    bare = table.when(fight(KRUG, MAGS, using=("digi laser",)), *dice(melee_hit=[1, 1]))
    assert [(share.weapon, share.attack_dice) for share in shared(bare).shares] == [
        ("digi laser", 1),
        ("", 1),
    ]


def test_counter_attack_one_more_die_for_each_attack_that_did_not_hit(here: Callable[..., Table]) -> None:
    table = here(krug(attacks=3), mags("Counter-attack"))
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[1, 2, 4], wound=1))
    assert resolved(table).missed == 2
    table = table.when(fight(MAGS, KRUG, reaction=True), *dice(melee_hit=[1, 1, 1]))
    assert shared(table).added == (records.Modifier(why="Counter-attack", by=2),)


def test_counter_attack_counts_what_was_parried_or_stepped_aside_from() -> None:
    table = given(krug(attacks=2), mags("Counter-attack", "Step Aside", weapons=(FOIL,)))
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[4, 4], parry=1, step_aside=6))
    assert resolved(table).missed == 2


def test_counter_attack_is_for_reactions_alone(here: Callable[..., Table]) -> None:
    table = here(krug(), mags("Counter-attack")).when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=1))
    assert attack_dice(table.when(fight(MAGS, KRUG), *dice(melee_hit=1))) == 1


# --- weapons ---------------------------------------------------------------------------------------------


def test_bulging_biceps_an_unwieldy_weapon_in_one_hand(here: Callable[..., Table]) -> None:
    both = fight(KRUG, MAGS, using=("hammer", "knife"))
    here(krug(weapons=(HAMMER, KNIFE))).when(both).then_refused(
        records.UnwieldyWithAnother, weapon="hammer", other="knife"
    )
    strong = here(krug("Bulging Biceps", weapons=(HAMMER, KNIFE)))
    assert attack_dice(strong.when(both, *dice(melee_hit=[1, 1]))) == 2


# --- blows -----------------------------------------------------------------------------------------------


def test_crushing_blow_one_die_that_hits_is_stronger_by_one_and_harms_by_one_more(
    here: Callable[..., Table],
) -> None:
    table = here(krug("Crushing Blow", attacks=2), mags(wounds=4))
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[4, 4], wound=[3, 4]))
    # Strength 4 against Toughness 3 wounds on a 3, then Strength 3 on a 4.
    assert [roll.target for roll in table.rolls[2:]] == [3, 4]
    assert [event.wounds_left for event in table.outcome if isinstance(event, records.WoundsLost)] == [2, 1]


def test_crushing_blow_missing_is_a_miss_and_the_other_die_is_as_ever() -> None:
    table = given(krug("Crushing Blow", attacks=2), mags(wounds=3))
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=[1, 4], wound=4))
    assert table.rolls[2].target == 4
    assert table.combatant(MAGS).wounds_left == 2


def test_crushing_blow_is_with_the_weapon_named_and_with_no_sidearm(here: Callable[..., Table]) -> None:
    table = here(krug("Crushing Blow", weapons=(KNIFE, FLAIL, PISTOL)), mags(wounds=3))
    flail = fight(KRUG, MAGS, using=("knife", "flail"), named_die="flail")
    struck = table.when(flail, *dice(melee_hit=[4, 4], wound=[1, 1]))
    assert [roll.target for roll in struck.rolls[2:]] == [4, 3]
    shot = fight(KRUG, MAGS, using=("pistol", "knife"), named_die="pistol")
    table.when(shot, *dice(melee_hit=[1, 1], firepower="one")).then_refused(records.NoStrongerDie)
    here(krug()).when(fight(KRUG, MAGS, using=("knife",), named_die="knife")).then_refused(
        records.NoStrongerDie
    )


def test_crushing_blow_in_every_way_its_dice_fall() -> None:
    ends = exactly(given(krug("Crushing Blow"), mags(wounds=2)), fight(KRUG, MAGS, using=("knife",)), MAGS)
    assert chance(ends, out_of_action=True) == HALF * Fraction(4, 6) * SIXTH
    assert ends[UNHURT] == 1 - HALF * Fraction(4, 6)


def test_bull_charge_strength_and_knockback_of_melee_weapons_when_charging(
    here: Callable[..., Table],
) -> None:
    table = here(krug("Bull Charge"))
    charge = fight(KRUG, MAGS, using=("knife",), charging=True)
    thrown = table.when(charge, *dice(melee_hit=[4, 1], wound=2))
    assert thrown.rolls[2].target == 3
    assert resolved(thrown).may_react == ()
    stands = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=1))
    assert stands.rolls[1].target == 4
    assert resolved(stands).may_react == (MAGS,)


def test_bull_charge_with_a_knockback_weapon_moves_or_harms_once() -> None:
    table = given(krug("Bull Charge", weapons=(MAUL,)), mags(wounds=3))
    charge = fight(KRUG, at(MAGS, cannot_be_moved=True), using=("maul",), charging=True)
    table = table.when(charge, *dice(melee_hit=[4, 1], wound=4))
    assert table.combatant(MAGS).wounds_left == 1


def test_knockback_whom_nobody_follows_is_no_longer_engaged(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(MAUL,)), mags(strength=5))
    maul = fight(KRUG, MAGS, using=("maul",))
    assert resolved(table.when(maul, *dice(melee_hit=4, wound=1))).may_react == (MAGS,)
    assert resolved(table.when(maul, *dice(melee_hit=5, wound=1))).may_react == ()
    followed = fight(KRUG, at(MAGS, follows=True), using=("maul",))
    assert resolved(table.when(followed, *dice(melee_hit=5, wound=1))).may_react == (MAGS,)
    held = fight(KRUG, at(MAGS, cannot_be_moved=True), using=("maul",))
    assert resolved(table.when(held, *dice(melee_hit=5, wound=1))).may_react == (MAGS,)


def test_nobody_follows_across_a_barricade() -> None:
    across = fight(KRUG, at(MAGS, follows=True, across="barricade"), using=("maul",))
    given(krug(weapons=(MAUL,))).when(across).then_refused(records.ContradictoryStatement)


def test_backstab_and_by_house_rule_its_ap(here: Callable[..., Table]) -> None:
    behind = fight(KRUG, at(MAGS, behind=True), using=("knife",))
    cards = (krug("Backstab"), mags(armour=MESH))
    plain = here(*cards).when(behind, *dice(melee_hit=4, wound=3, save=5))
    assert [roll.target for roll in plain.rolls] == [4, 3, 5]
    pierced = here(*cards, knobs={"backstab.armour_penetration": "-1"})
    pierced = pierced.when(behind, *dice(melee_hit=4, wound=3, save=5, injury="flesh"))
    assert [roll.target for roll in pierced.rolls][2] == 6
    front = here(*cards, knobs={"backstab.armour_penetration": "-1"})
    front = front.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=4, save=5))
    assert [roll.target for roll in front.rolls] == [4, 4, 5]


def test_backstab_the_skill_on_a_backstab_weapon_is_plus_2(here: Callable[..., Table]) -> None:
    knife = weapon("stiletto", "Melee", "Backstab", strength=None)
    table = here(krug("Backstab", weapons=(knife,)), mags(toughness=5))
    table = table.when(fight(KRUG, at(MAGS, behind=True), using=("stiletto",)), *dice(melee_hit=4, wound=1))
    assert table.rolls[1].target == 4  # Strength 3 + 1 + 1 against Toughness 5


def test_force_is_power_and_sever_in_a_psykers_hands(here: Callable[..., Table]) -> None:
    cards = (krug(weapons=(STAFF,)), mags(armour=MESH, field_armour=REFRACTOR, weapons=(FOIL,)))
    table = here(*cards)
    common = table.when(
        fight(KRUG, MAGS, using=("staff",)), *dice(melee_hit=6, parry=6, wound=4, save=1, injury="flesh")
    )
    assert purposes(common)[-1] == "injury"
    psyker = fight(KRUG, MAGS, using=("staff",), psyker=True)
    severed = table.when(psyker, *dice(melee_hit=6, wound=4, save=1, lasting_injury=["2-1", "2-1"]))
    assert purposes(severed)[:4] == ["melee_hit", "wound", "save", "lasting_injury"]
    assert severed.combatant(MAGS).out_of_action


def test_energy_shield_saves_in_close_combat_from_the_front(here: Callable[..., Table]) -> None:
    table = here(krug(), mags(armour=MESH, weapons=(SHIELD,)))
    front = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=4, save=3))
    assert front.rolls[2].target == 3
    behind = fight(KRUG, at(MAGS, behind=True), using=("knife",))
    assert table.when(behind, *dice(melee_hit=4, wound=4, save=5)).rolls[2].target == 5


# --- who is in it ----------------------------------------------------------------------------------------


def test_combat_master_suffers_no_interference(here: Callable[..., Table]) -> None:
    brawl = fight(KRUG, MAGS, using=("knife",), engaged=((DOT, KRUG),))
    assert moved(here(krug()).when(brawl, *dice(melee_hit=1))) == {(("interference", -1),)}
    assert moved(here(krug("Combat Master")).when(brawl, *dice(melee_hit=1))) == {()}


def test_combat_master_always_assists(here: Callable[..., Table]) -> None:
    brawl = fight(KRUG, MAGS, using=("knife",), engaged=((VEX, MAGS), (VEX, DOT)))
    assert moved(here(krug()).when(brawl, *dice(melee_hit=1))) == {()}
    master = here(krug(), card(VEX, skills=("Combat Master",)))
    assert moved(master.when(brawl, *dice(melee_hit=1))) == {(("assist", 1),)}


def test_impetuous_consolidates_4_inches(here: Callable[..., Table]) -> None:
    attack = fight(KRUG, MAGS, using=("knife",), consolidate=True)
    out = dice(melee_hit=4, wound=4, injury="serious")
    for skills, inches in (((), 2), (("Impetuous",), 4)):
        table = here(krug(*skills)).when(attack, *out)
        assert table.outcome[-1] == records.FighterConsolidated(fighter=KRUG, up_to_inches=inches)


def test_reckless_its_hits_fall_at_random_on_anybody_in_contact(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(SAW,)))
    attack = fight(KRUG, MAGS, using=("saw",), in_contact=(at(VEX), at(DOT)))
    friend = table.when(attack, *dice(melee_hit=4, random_fighter=2, wound=4, injury="serious"))
    assert purposes(friend) == ["melee_hit", "random_fighter", "wound", "injury"]
    assert friend.combatant(VEX).seriously_injured
    enemy = table.when(attack, *dice(melee_hit=4, random_fighter=1, wound=4, injury="serious"))
    assert enemy.combatant(MAGS).seriously_injured
    alone = table.when(fight(KRUG, MAGS, using=("saw",)), *dice(melee_hit=4, wound=1))
    assert purposes(alone) == ["melee_hit", "wound"]


def test_reckless_one_in_three_hits_each_of_three() -> None:
    attack = fight(KRUG, MAGS, using=("saw",), in_contact=(at(VEX), at(DOT)))
    ends = exactly(given(krug(weapons=(SAW,))), attack, VEX)
    assert chance(ends, out_of_action=True) == HALF * THIRD * HALF * SIXTH


def test_reckless_and_parry_who_is_hit_in_the_end_parries() -> None:
    table = given(krug(weapons=(SAW,)), card(DOT, weapons=(FOIL,)))
    attack = fight(KRUG, MAGS, using=("saw",), in_contact=(at(DOT),))
    table = table.when(attack, *dice(melee_hit=4, random_fighter=4, parry=1))
    assert purposes(table) == ["melee_hit", "random_fighter", "parry"]


def test_master_crafted_one_failed_hit_roll_of_a_fight_again() -> None:
    blade = weapon("heirloom", "Melee", "Master-Crafted", strength=None)
    table = given(krug(weapons=(blade,), attacks=2))
    attack = fight(KRUG, MAGS, using=("heirloom",))
    table = table.when(attack, *dice(melee_hit=[1, 4, 1], wound=1))
    assert len(hit_rolls(table)) == 3
    assert len(hit_rolls(table.when(attack, *dice(melee_hit=[1, 1])))) == 2


def test_what_follows_an_attack_follows_a_fight_once_for_each_weapon_and_target() -> None:
    torch = weapon("torch", "Melee", "Blaze", strength=None)
    table = given(krug(weapons=(torch,), attacks=2))
    table = table.when(fight(KRUG, MAGS, using=("torch",)), *dice(melee_hit=[4, 4], wound=[1, 1], blaze=4))
    assert purposes(table)[-1] == "blaze"
    assert table.combatant(MAGS).blaze


# --- by themselves, and in old battles -------------------------------------------------------------------


@pytest.mark.parametrize("skill", ["Berserker", "Bull Charge", "Crushing Blow"])
def test_what_counts_by_itself_is_not_added_again(skill: str) -> None:
    extra = (records.ExtraModifier(why=skill, attack_dice=1),)
    attack = fight(KRUG, MAGS, using=("knife",), charging=True, extra=extra)
    given(krug(skill)).when(attack).then_refused(records.CountsByItself, why=skill)
    instead = fight(KRUG, MAGS, using=("knife",), charging=True, extra=extra, without=(skill,))
    assert given(krug(skill)).when(instead, *dice(melee_hit=[1, 1, 1])).refusal is None


def test_in_a_battle_recorded_before_none_of_them_acts_in_a_fight() -> None:
    table = before(
        krug("Berserker", "Crushing Blow", weapons=(FLAIL,)), mags("Step Aside", "Parry", weapons=(FOIL,))
    )
    charge = fight(KRUG, MAGS, using=("flail",), charging=True)
    table = table.when(charge, *dice(melee_hit=[6, 1], wound=1))
    assert purposes(table) == ["melee_hit", "melee_hit", "wound"]
    assert not table.combatant(MAGS).disarmed


def test_in_a_battle_of_the_stage_before_shots_have_their_rules_and_fights_go_on_as_they_did() -> None:
    table = before(krug(), mags("Step Aside", "Dodge"), stage=1)
    table = table.when(fight(KRUG, MAGS, using=("knife",)), *dice(melee_hit=4, wound=4, dodge=6))
    assert purposes(table) == ["melee_hit", "wound", "dodge"]


# --- a hit in close combat that is recorded by itself -----------------------------------------------------


def blow(**more: object) -> records.ResolveHit:
    """A blow of Mags' knife on Krug that hit on a 4: Strength 3 against Toughness 3."""
    said = {"hit_needs": 4, **more}
    return records.ResolveHit(target=KRUG, attacker=MAGS, weapon="knife", in_close_combat=True, **said)


def test_parry_of_a_single_hit_rolls_its_hit_roll_again(here: Callable[..., Table]) -> None:
    table = here(krug(weapons=(FOIL,)), mags(weapons=(KNIFE,)))
    missed = table.when(blow(), *dice(parry=3))
    assert (purposes(missed), missed.rolls[0].target) == (["parry"], 4)
    missed.then_nothing_happened()
    assert purposes(table.when(blow(), *dice(parry=4, wound=1))) == ["parry", "wound"]
    assert table.when(blow(hit_needs=6), *dice(parry=5)).rolls[0].target == 6
    assert purposes(table.when(blow(without=("Parry",)), *dice(wound=1))) == ["wound"]


def test_parry_of_a_single_hit_knows_power_and_entangle() -> None:
    whips = given(krug(weapons=(FOIL,)), mags(weapons=(WHIP, POWER_KNIFE)))
    for name in ("whip", "power knife"):
        hit = records.ResolveHit(target=KRUG, attacker=MAGS, weapon=name, in_close_combat=True, hit_needs=4)
        assert purposes(whips.when(hit, *dice(wound=1))) == ["wound"]


def test_step_aside_from_a_single_hit_by_an_initiative_test(here: Callable[..., Table]) -> None:
    table = here(krug("Step Aside"), mags(weapons=(KNIFE,)))
    table.when(blow(), *dice(step_aside=4)).then_nothing_happened()
    assert purposes(table.when(blow(), *dice(step_aside=3, wound=1))) == ["step_aside", "wound"]


def test_step_aside_and_parry_of_a_single_hit_parry_first_and_chances_multiply() -> None:
    """As in a Fight: Parry asks for the Hit roll again while attacks are made; only what has hit then is stepped
    aside from. Each leaves half of the hits here."""
    table = given(krug("Step Aside", "Parry"), mags(weapons=(KNIFE,)))
    both = table.when(blow(), *dice(parry=4, step_aside=3, wound=1))
    assert purposes(both) == ["parry", "step_aside", "wound"]
    assert exactly(table, blow(), KRUG)[UNHURT] == 1 - HALF * HALF * HALF


def test_a_single_hit_that_says_nothing_of_its_hit_roll_is_what_parry_and_step_aside_left() -> None:
    table = given(krug("Step Aside", "Parry"), mags(weapons=(KNIFE,)))
    assert purposes(table.when(blow(hit_needs=None), *dice(wound=1))) == ["wound"]


def test_a_single_hit_is_warded_off_in_no_fall_no_shot_and_no_older_battle() -> None:
    table = given(krug("Step Aside", "Parry"), mags(weapons=(KNIFE,)))
    shot_at = records.ResolveHit(target=KRUG, attacker=MAGS, weapon="knife", hit_needs=4)
    assert purposes(table.when(shot_at, *dice(wound=1))) == ["wound"]
    assert purposes(table.when(blow(attack=False), *dice(wound=1))) == ["wound"]
    assert purposes(older(table, 2).when(blow(), *dice(wound=1))) == ["wound"]


def test_disarm_goes_by_the_die_of_a_parried_single_hit() -> None:
    table = given(krug(weapons=(FOIL,)), mags("Disarm", weapons=(KNIFE,)))
    again = table.when(blow(hit_roll=6), *dice(parry=5, wound=1))
    assert not again.combatant(KRUG).disarmed
    assert table.when(blow(hit_roll=4), *dice(parry=6, wound=1)).combatant(KRUG).disarmed
