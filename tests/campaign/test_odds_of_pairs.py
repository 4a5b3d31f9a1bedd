"""Pairs of skills and traits that meet: their chances by hand, by the odds, and by every way that the dice fall.

The order of their dice is argued in the tests of each pair, and in docs/sources.md. Strength 4 wounds Toughness 3 on
3+; of the Injury die two faces are a Flesh Wound, three a Serious Injury, one Out of Action.
"""

from collections import defaultdict
from fractions import Fraction
from math import comb

import pytest
from fights import KNIFE, fight, melee_hit, weapon
from scenario import KRUG, MAGS, REFRACTOR, VEX, card, given, hit, wound
from shots import gun, shot
from special_rules import UNHURT, chance, dice, exactly, odds_ends
from tables import every

from tracker.campaign.profiles import Armour

BOOKS = ("necromunda_2023", "necromunda_archive")
WOUNDS = Fraction(4, 6)
FLESH, SERIOUS, OUT = Fraction(2, 6), Fraction(3, 6), Fraction(1, 6)
DODGED = Fraction(1, 6)
BLAST = 'Blast (3")'
HALF = Fraction(1, 2)


def skilled(*skills: str, **more):
    return card(VEX, skills=skills, **more)


def wounds_lost(ends) -> dict[int, Fraction]:
    """How likely it is that a fighter of many Wounds lost so many."""
    lost: defaultdict[int, Fraction] = defaultdict(Fraction)
    for changes, part in ends.items():
        lost[next((was - now for name, was, now in changes if name == "wounds_left"), 0)] += part
    return dict(lost)


@pytest.mark.slow
@every("book", BOOKS)
def test_dodge_and_rapid_fire_each_wound_is_dodged_by_itself(book: str) -> None:
    """Strength 4 against Toughness 8: a wound on a 6. Hit on a 3+ at Short range; a Firepower die shows one hole or
    the Ammo symbol with one on three faces, two on two, three on one."""
    burst = card(MAGS, weapons=(gun("gun", "Rapid Fire (1)"),))
    table = given(burst, card(KRUG, skills=("Dodge",), wounds=4, toughness=8), book=book)
    lost = wounds_lost(exactly(table, shot(), KRUG))
    each, hits = Fraction(1, 6) * (1 - DODGED), Fraction(4, 6)
    holes = {1: Fraction(3, 6), 2: Fraction(2, 6), 3: Fraction(1, 6)}
    for count in (1, 2, 3):
        assert lost[count] == hits * sum(
            part * comb(most, count) * each**count * (1 - each) ** (most - count)
            for most, part in holes.items()
        )
    assert sum(lost.values()) == 1


@every("book", BOOKS)
def test_true_grit_and_damage_1_two_dice_of_which_the_milder_counts(book: str) -> None:
    ends = exactly(given(skilled("True Grit"), book=book), hit(VEX, by=MAGS), VEX)
    assert chance(ends, flesh_wounds=1) == WOUNDS * (1 - (1 - FLESH) ** 2)
    assert chance(ends, out_of_action=True) == WOUNDS * OUT**2
    assert chance(ends, seriously_injured=True) == WOUNDS * ((SERIOUS + OUT) ** 2 - OUT**2)


@every("book", BOOKS)
def test_step_aside_and_parry_each_leave_half_of_the_hits(book: str) -> None:
    """Weapon Skill 4+ and Initiative 4+: hit, hit again, not stepped aside from, and wounded by Strength 3."""
    foil = weapon("foil", "Melee", "Parry", strength=None)
    warded = card(MAGS, skills=("Step Aside",), weapons=(foil,))
    table = given(card(KRUG, weapons=(KNIFE,)), warded, book=book)
    ends = exactly(table, fight(KRUG, MAGS, using=("knife",)), MAGS)
    assert 1 - ends[UNHURT] == HALF**4


@every(("damage", "rolls"), [(1, 1), (2, 1), (3, 2)])
def test_melta_and_true_grit_whoever_is_wounded_is_out(damage: int, rolls: int) -> None:
    """One Wound and Damage 3 are three Injury dice, of which True Grit takes one: two Lasting Injuries."""
    table = given(skilled("True Grit"))
    melta = hit(VEX, by=MAGS, damage=damage, traits=("Melta",), range_band="short")
    ends = exactly(table, melta, VEX)
    assert ends == {UNHURT: 1 - WOUNDS, gone(ends): WOUNDS}
    lasting = {"lasting_injury": [15] * rolls} if rolls > 1 else {"lasting_injury": 15}
    assert table.when(melta, *dice(wound=3, **lasting)).combatant(VEX).out_of_action


def gone(ends):
    (end,) = [changes for changes in ends if ("out_of_action", False, True) in changes]
    return end


def test_rending_and_scattershot_each_natural_6_adds_1_to_its_own_wound() -> None:
    """All that six wound rolls can lose, counted here over every face of every roll: none on 1 and 2, two on a 6."""
    table = given(card(VEX, wounds=13))
    once = {0: Fraction(2, 6), 1: Fraction(3, 6), 2: Fraction(1, 6)}
    lost: defaultdict[int, Fraction] = defaultdict(Fraction)
    so_far = {0: Fraction(1)}
    for _ in range(6):
        further: defaultdict[int, Fraction] = defaultdict(Fraction)
        for before, part in so_far.items():
            for more, likely in once.items():
                further[before + more] += part * likely
        so_far = dict(further)
        for total, part in so_far.items():
            lost[total] += part / 6
    scatter = hit(VEX, by=MAGS, traits=("Scattershot", "Rending"))
    assert wounds_lost(odds_ends(table, scatter, VEX)) == dict(lost)


@every(("face", "saved"), [(6, Fraction(2, 6)), (5, Fraction(4, 6))])
def test_precision_shot_and_field_armour_the_field_alone_saves_on_a_6_to_hit(
    face: int, saved: Fraction
) -> None:
    """A refractor field of 5+ beside plate of 3+."""
    plated = skilled(armour=Armour(name="Plate", save=3), field_armour=REFRACTOR)
    table = given(card(MAGS, skills=("Precision Shot",)), plated)
    ends = exactly(table, hit(VEX, by=MAGS, hit_roll=face), VEX)
    assert ends[UNHURT] == 1 - WOUNDS * (1 - saved)


@every("book", BOOKS)
def test_gas_and_dodge_the_cloud_is_dodged_under_a_blast_alone(book: str) -> None:
    """Gas needs the Toughness itself, 3+ here, and its Injury roll is no wound."""
    table = given(skilled("Dodge"), book=book)
    jet = exactly(table, hit(VEX, by=MAGS, traits=("Gas",)), VEX)
    assert 1 - jet[UNHURT] == WOUNDS
    assert jet == exactly(given(book=book), hit(VEX, by=MAGS, traits=("Gas",)), VEX)
    cloud = exactly(table, hit(VEX, by=MAGS, traits=("Gas", BLAST)), VEX)
    assert 1 - cloud[UNHURT] == (1 - DODGED) * WOUNDS


def test_entangle_and_a_reaction_the_odds_know_the_minus_2() -> None:
    """Weapon Skill 4+ at -2 hits on a 6; Strength 3 wounds Toughness 3 on a 4+."""
    whip = weapon("whip", "Melee", "Entangle", strength=None)
    table = given(card(KRUG, weapons=(whip,)), card(MAGS, weapons=(KNIFE,)))
    back = fight(MAGS, KRUG, using=("knife",), reaction=True)
    for face, hits in ((6, Fraction(1, 6)), (5, HALF)):
        bound = table.when(fight(KRUG, MAGS, using=("whip",)), melee_hit(face), wound(1))
        assert 1 - exactly(bound, back, KRUG)[UNHURT] == hits * HALF
