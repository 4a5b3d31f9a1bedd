"""Traits and skills in the resolving of hits: each with the dice of its row, and what they do when they meet."""

from fractions import Fraction

import pytest
from fights import at, fight
from scenario import BOOK, KRUG, MAGS, MESH, REFRACTOR, VEX, before, card, given, hit, injuries, profile
from shots import armed, shot
from special_rules import UNHURT, chance, dice, exactly, odds_ends, purposes

from tracker.campaign import records
from tracker.dice import DiceLeftOver
from tracker.records import replace
from tracker.rules import loader

STAYS = Fraction(5, 6)
FLESH, SERIOUS, OUT = Fraction(2, 6), Fraction(3, 6), Fraction(1, 6)


def skilled(*skills: str, **more: object) -> records.FighterCard:
    return card(VEX, skills=skills, **more)


def test_dodge_on_a_6_a_wound_has_no_further_effect() -> None:
    table = given(skilled("Dodge"))
    dodged = table.when(hit(VEX, by=MAGS), *dice(wound=4, dodge=6))
    assert purposes(dodged) == ["wound", "dodge"]
    dodged.then_nothing_happened()
    struck = table.when(hit(VEX, by=MAGS), *dice(wound=4, dodge=5, injury="flesh"))
    assert struck.combatant(VEX).flesh_wounds == 1
    assert struck.rolls[1].outcome == "Dodge: no effect"


def test_dodge_is_asked_for_before_the_save_and_after_the_wound_roll_alone() -> None:
    table = given(skilled("Dodge", armour=MESH))
    saved = table.when(hit(VEX, by=MAGS), *dice(wound=4, dodge=1, save=5))
    assert purposes(saved) == ["wound", "dodge", "save"]
    assert purposes(table.when(hit(VEX, by=MAGS), *dice(wound=1))) == ["wound"]


def test_dodge_leaves_a_wound_in_five_of_six() -> None:
    ends = exactly(given(skilled("Dodge")), hit(VEX, by=MAGS), VEX)
    wounds = Fraction(4, 6)  # Strength 4 against Toughness 3
    assert ends[UNHURT] == 1 - wounds * STAYS
    assert chance(ends, out_of_action=True) == wounds * STAYS * OUT


def test_dodge_helps_against_no_fall_and_no_injury_dice() -> None:
    table = given(skilled("Dodge")).when(injuries(VEX, dice=1), *dice(injury="flesh"))
    assert purposes(table) == ["injury"]


def test_gas_is_not_dodged_unless_the_table_reads_it_so() -> None:
    """Dodge answers a wound, and Gas makes no wound roll: its D6 brings an Injury roll at once (G-50)."""
    gas = hit(VEX, by=MAGS, traits=("Gas",))
    assert purposes(given(skilled("Dodge")).when(gas, *dice(wound=3, injury="flesh"))) == ["wound", "injury"]
    reading = given(skilled("Dodge"), knobs={"dodge.injury_roll": "dodged"})
    reading.when(gas, *dice(wound=3, dodge=6)).then_nothing_happened()


def test_true_grit_one_injury_die_fewer() -> None:
    table = given(skilled("True Grit")).when(
        hit(VEX, by=MAGS, damage=3), *dice(wound=4, injury=["flesh", "flesh"])
    )
    assert purposes(table) == ["wound", "injury", "injury"]
    assert table.combatant(VEX).flesh_wounds == 2


def test_true_grit_against_damage_1_rolls_two_dice_and_keeps_the_milder() -> None:
    """Damage 1 is a single Injury die, and one fewer would be none: the words ask for two, of which the
    fighter's own player discards one."""
    table = given(skilled("True Grit"))
    kept = table.when(hit(VEX, by=MAGS), *dice(wound=4, injury=["out", "serious"]))
    assert kept.combatant(VEX).seriously_injured
    assert not kept.combatant(VEX).out_of_action
    ends = exactly(table, hit(VEX, by=MAGS), VEX)
    wounds = Fraction(4, 6)
    assert chance(ends, out_of_action=True) == wounds * OUT**2
    assert chance(ends, flesh_wounds=1) == wounds * (1 - (1 - FLESH) ** 2)


def test_true_grit_the_owner_says_which_of_the_two_dice_is_kept() -> None:
    """The fighter's own player discards one; the milder is kept only where the player says nothing."""
    table = given(skilled("True Grit"))
    shown = dice(wound=4, injury=["flesh", "serious"])
    assert not table.when(hit(VEX, by=MAGS), *shown).combatant(VEX).seriously_injured
    kept = table.when(hit(VEX, by=MAGS, keeps="serious_injury"), *shown)
    assert (kept.combatant(VEX).seriously_injured, kept.combatant(VEX).flesh_wounds) == (True, 0)
    not_shown = dice(wound=4, injury=["flesh", "out"])
    assert table.when(hit(VEX, by=MAGS, keeps="serious_injury"), *not_shown).combatant(VEX).flesh_wounds == 1


def test_true_grit_and_the_choice_of_the_owner_are_as_likely_as_every_die_says() -> None:
    ends = exactly(given(skilled("True Grit")), hit(VEX, by=MAGS, keeps="serious_injury"), VEX)
    wounds = Fraction(4, 6)
    assert chance(ends, seriously_injured=True) == wounds * (1 - (1 - SERIOUS) ** 2)
    assert chance(ends, out_of_action=True) == wounds * OUT**2


def test_true_grit_keeps_what_its_owner_says_in_shots_fights_falls_and_injury_dice() -> None:
    shown = {"injury": ["flesh", "serious"]}
    stubborn = card(KRUG, skills=("True Grit",))
    fallen = records.ResolveFall(target=KRUG, distance_hundredths=500, keeps="serious_injury")
    for command, first in (
        (shot(keeps="serious_injury"), {"hit": 6, "firepower": "one_hole", "wound": 6}),
        (fight(MAGS, at(KRUG, keeps="serious_injury")), {"melee_hit": 6, "wound": 6}),
        (fallen, {"wound": 6}),
        (injuries(KRUG, dice=1, keeps="serious_injury"), {}),
    ):
        kept = armed(others=(stubborn,)).when(command, *dice(**first, **shown))
        assert kept.combatant(KRUG).seriously_injured, command


def test_true_grit_in_a_fall_is_as_likely_as_every_die_says() -> None:
    """A fall of 5 inches is one hit of Damage 1: two Injury dice, of which one counts, though nobody attacked."""
    fallen = records.ResolveFall(target=KRUG, distance_hundredths=500)
    table = given(card(KRUG, skills=("True Grit",)))
    plain = chance(exactly(given(), fallen, KRUG), out_of_action=True) / OUT
    ends = exactly(table, fallen, KRUG)
    assert chance(ends, out_of_action=True) == plain * OUT**2
    old = before(card(KRUG, skills=("True Grit",)))
    assert purposes(old.when(fallen, *dice(wound=6, injury="flesh"))) == ["wound", "injury"]


def test_true_grit_keeps_the_serious_injury_where_a_flesh_wound_would_take_the_last_toughness() -> None:
    table = given(skilled("True Grit", toughness=1))
    kept = table.when(hit(VEX, by=MAGS), *dice(wound=4, injury=["flesh", "serious"]))
    assert kept.combatant(VEX).seriously_injured
    assert not kept.combatant(VEX).out_of_action


def test_true_grit_and_a_single_die_of_greater_damage_is_a_reading() -> None:
    one_die = hit(VEX, by=MAGS, damage=2)
    two = given(skilled("True Grit", wounds=2)).when(one_die, *dice(wound=4, injury=["out", "flesh"]))
    assert two.combatant(VEX).flesh_wounds == 1
    letter = given(skilled("True Grit", wounds=2), knobs={"true_grit.single_die": "not_rolled"})
    assert purposes(letter.when(one_die, *dice(wound=4))) == ["wound"]
    assert purposes(letter.when(hit(VEX, by=MAGS), *dice(wound=4))) == ["wound"]


def test_melta_at_short_range_is_out_of_action_without_injury_dice() -> None:
    melta = hit(VEX, by=MAGS, damage=3, traits=("Melta",), range_band="short")
    gone = given().when(melta, *dice(wound=4, lasting_injury=[15, 15, 15]))
    assert purposes(gone) == ["wound", "lasting_injury", "lasting_injury", "lasting_injury"]
    assert gone.combatant(VEX).out_of_action
    left = hit(VEX, by=MAGS, traits=("Melta",), range_band="short")
    assert purposes(given(card(VEX, wounds=2)).when(left, *dice(wound=4))) == ["wound"]


def test_melta_counts_at_short_range_and_without_one_at_any() -> None:
    ranged = replace(profile(traits=("Melta",)), range_short_inches=6, range_long_inches=12)
    far = records.ResolveHit(target=VEX, attacker=MAGS, profile=ranged, range_band="long")
    assert purposes(given().when(far, *dice(wound=4, injury="flesh"))) == ["wound", "injury"]
    near = replace(far, range_band="short")
    assert purposes(given().when(near, *dice(wound=4, lasting_injury=15))) == ["wound", "lasting_injury"]
    template = replace(far, profile=profile(traits=("Melta",)))
    assert purposes(given().when(template, *dice(wound=4, lasting_injury=15))) == ["wound", "lasting_injury"]


def test_melta_against_true_grit_leaves_one_out_of_action_die_fewer() -> None:
    """True Grit counts the dice before they are rolled; Melta says what each of them shows. So the count comes
    first, and every die that is left is Out of Action unrolled."""
    melta = hit(VEX, by=MAGS, damage=3, traits=("Melta",), range_band="short")
    gone = given(skilled("True Grit")).when(melta, *dice(wound=4, lasting_injury=[15, 15]))
    assert gone.combatant(VEX).out_of_action
    assert purposes(gone).count("lasting_injury") == 2
    single = hit(VEX, by=MAGS, traits=("Melta",), range_band="short")
    gone = given(skilled("True Grit")).when(single, *dice(wound=4, lasting_injury=15))
    assert gone.combatant(VEX).out_of_action


def test_rending_a_6_to_wound_adds_1_damage() -> None:
    rending = hit(VEX, by=MAGS, traits=("Rending",))
    table = given(card(VEX, wounds=3))
    assert table.when(rending, *dice(wound=6)).combatant(VEX).wounds_left == 1
    assert table.when(rending, *dice(wound=5)).combatant(VEX).wounds_left == 2
    ends = exactly(table, rending, VEX)
    assert (chance(ends, wounds_left=1), chance(ends, wounds_left=2)) == (Fraction(1, 6), Fraction(3, 6))


def test_shock_a_natural_6_to_hit_wounds_without_a_wound_roll() -> None:
    shock = hit(VEX, by=MAGS, traits=("Shock",), hit_roll=6)
    assert purposes(given().when(shock, *dice(injury="flesh"))) == ["injury"]
    five = hit(VEX, by=MAGS, traits=("Shock",), hit_roll=5)
    assert purposes(given().when(five, *dice(wound=1))) == ["wound"]


def test_scattershot_rolls_so_many_times_to_wound_and_rending_counts_for_each() -> None:
    """Scattershot makes several wound rolls of one hit before any is made; Rending looks at each wound roll by
    itself. So each natural 6 adds Damage to its own wound alone."""
    scatter = hit(VEX, by=MAGS, traits=("Scattershot", "Rending"))
    table = given(card(VEX, wounds=9)).when(scatter, *dice(scattershot=4, wound=[6, 1, 6, 3]))
    assert purposes(table) == ["scattershot", "wound", "wound", "wound", "wound"]
    assert table.combatant(VEX).wounds_left == 9 - 2 - 2 - 1
    plain = hit(VEX, by=MAGS, traits=("Scattershot",))
    unhurt = sum((Fraction(1, 6) * Fraction(1, 3) ** rolls for rolls in range(1, 7)), Fraction(0))
    assert odds_ends(given(card(VEX, wounds=9)), plain, VEX)[UNHURT] == unhurt


def test_precision_shot_leaves_a_field_armour_save() -> None:
    """Precision Shot takes the armour save away, and a field is no armour: what it looks at, the hit die, has
    fallen before the save, and the save that is left is the field's."""
    shot = hit(VEX, by=MAGS, hit_roll=6)
    marksman = card(MAGS, skills=("Precision Shot",))
    both = given(marksman, card(VEX, armour=MESH, field_armour=REFRACTOR)).when(shot, *dice(wound=4, save=5))
    assert both.rolls[1].outcome == "Refractor field: saved"
    none = given(marksman, card(VEX, armour=MESH)).when(shot, *dice(wound=4, injury="flesh"))
    assert purposes(none) == ["wound", "injury"]


def test_a_battle_recorded_before_traits_and_skills_asked_for_dice_asks_for_none() -> None:
    old = before(skilled("Dodge", "True Grit"))
    assert old.state.under_way is not None
    assert old.state.under_way.whole_book is None
    scatter = hit(VEX, by=MAGS, traits=("Scattershot", "Shock", "Melta"), hit_roll=6, range_band="short")
    assert purposes(old.when(scatter, *dice(wound=4, injury="flesh"))) == ["wound", "injury"]
    assert isinstance(
        old.when(hit(VEX, by=MAGS), *dice(wound=4, dodge=6, injury="flesh")).refusal, DiceLeftOver
    )


@pytest.mark.parametrize("book", [BOOK, "necromunda_archive"])
def test_every_universal_skill_is_known_by_six_in_nine_sets(book: str) -> None:
    rows = list(loader.book(book).skills.values())
    sets = [row.of_set for row in rows]
    assert len(rows) == 54
    assert {name: sets.count(name) for name in sets} == dict.fromkeys(
        ("agility", "brawn", "combat", "cunning", "driving", "ferocity", "leadership", "savant", "shooting"),
        6,
    )
    assert all(row.effects or row.at_the_table for row in rows)


def test_a_hit_names_who_declines_a_rule() -> None:
    declined = hit(VEX, by=MAGS, without=("Dodge",))
    assert purposes(given(skilled("Dodge")).when(declined, *dice(wound=1))) == ["wound"]
    assert isinstance(declined, records.ResolveHit)
