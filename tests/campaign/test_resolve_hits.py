"""Resolve Hits, played: wound roll, save, damage, Injury dice, in that order and with those dice."""

from itertools import product

from scenario import (
    CLOSING,
    DISPLACER,
    DOT,
    KRUG,
    MAGS,
    MESH,
    OUT_COLD,
    REFRACTOR,
    SAINTS,
    SKULLS,
    VEX,
    before,
    card,
    flesh_wound,
    further,
    given,
    hit,
    how_many,
    injuries,
    injury,
    lasting,
    opening,
    out_of_action,
    save,
    seriously_injured,
    succumb,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Weapon, WeaponProfile
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.rules import loader

XP_SECTION = loader.book("necromunda_2023").sections["experience"]


def test_an_ordinary_hit_goes_from_wound_roll_to_serious_injury() -> None:
    given(card(VEX, armour=MESH)).when(
        hit(VEX, by=MAGS, strength=4, ap=-1, damage=1, activation="1"), wound(4), save(5), injury("serious")
    ).then(
        records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=1, wounds_left=0),
        records.SeriousInjurySuffered(fighter=VEX, by=MAGS),
        records.ExperienceGained(
            fighter=MAGS,
            amount=1,
            reason="Vex Seriously Injured",
            victim=VEX,
            activation="1",
            section=XP_SECTION,
        ),
    )


@every(("strength", "needed"), [(6, 2), (4, 3), (3, 4), (2, 5), (1, 6)])
def test_the_wound_roll_passes_on_what_it_needs_and_not_below(strength: int, needed: int) -> None:
    for face in range(1, 7):
        dice = (wound(face), *injury("flesh")) if face >= needed else (wound(face),)
        table = given().when(hit(VEX, by=MAGS, strength=strength), *dice)
        roll = table.rolls[0]
        assert (roll.target, roll.passed, roll.rolled_by, roll.fighter) == (
            needed,
            face >= needed,
            SAINTS,
            VEX,
        )
        if face < needed:
            table.then_nothing_happened()


def test_an_ap_of_plus_1_makes_saves_easier_and_gives_6_without_armour_but_none_to_a_field() -> None:
    """A positive save modifier: mesh 5+ becomes 4+, no armour counts as 7+, field armour stays."""
    for worn, needed in (({"armour": MESH}, 4), ({}, 6), ({"field_armour": REFRACTOR}, 5)):
        table = given(card(VEX, **worn)).when(hit(VEX, by=MAGS, strength=3, ap=1), wound(4), save(needed))
        assert (table.refusal, table.rolls[-1].target, table.rolls[-1].passed) == (None, needed, True)


def test_later_wound_rolls_meet_the_toughness_that_flesh_wounds_left() -> None:
    table = given().when(flesh_wound(VEX)).when(hit(VEX, by=MAGS, strength=4), wound(1))
    assert table.rolls[0].target == 2  # Strength 4 is twice Toughness 2


def test_a_fighter_with_no_strength_on_the_weapon_hits_with_their_own() -> None:
    maul = Weapon(weapon="Maul", profiles=(WeaponProfile(strength=None),))
    table = given(card(MAGS, strength=4, weapons=(maul,))).when(
        records.ResolveHit(target=VEX, attacker=MAGS, weapon="maul"), wound(2)
    )
    assert table.rolls[0].target == 3


# --- saves -----------------------------------------------------------------------------------------------


def test_a_saved_wound_is_not_removed() -> None:
    given(card(VEX, armour=MESH)).when(hit(VEX, by=MAGS), wound(4), save(5)).then_nothing_happened()


@every("armour", [Armour(name="Best", save=2), MESH])
@every("cover", ["none", "partial", "full"])
def test_a_natural_1_never_saves(armour: Armour, cover: str) -> None:
    table = given(card(VEX, armour=armour)).when(
        hit(VEX, by=MAGS, save_cover=cover), wound(4), save(1), injury("flesh")
    )
    assert table.rolls[1].passed is False


def test_a_natural_1_fails_even_where_a_1_would_do() -> None:
    table = given(card(VEX, field_armour=Armour(name="Perfect field", save=1)))
    table = table.when(hit(VEX, by=MAGS), wound(4), save(1), injury("flesh"))
    assert table.rolls[1].passed is False


def test_one_save_is_made_for_each_hit_however_many_items_are_worn() -> None:
    both = given(card(VEX, armour=MESH, field_armour=REFRACTOR))
    both.when(hit(VEX, by=MAGS), wound(4), save(2), save(6), injury("flesh")).then_refused(DiceLeftOver)
    failed = both.when(hit(VEX, by=MAGS), wound(4), save(2), injury("flesh"))
    assert [roll.purpose for roll in failed.rolls] == ["wound", "save", "injury"]


def test_the_owner_chooses_which_item_saves() -> None:
    both = given(card(VEX, armour=MESH, field_armour=DISPLACER))
    for choice, target in (("best", 4), ("field_armour", 4), ("armour", 5)):
        table = both.when(hit(VEX, by=MAGS, save_with=choice), wound(4), save(target))
        assert (table.rolls[1].target, table.rolls[1].passed) == (target, True)
        assert table.rolls[1].rolled_by == SKULLS


def test_the_owner_may_leave_the_save_unrolled() -> None:
    table = given(card(VEX, armour=MESH)).when(hit(VEX, by=MAGS, save_with="none"), wound(4), injury("flesh"))
    assert [roll.purpose for roll in table.rolls] == ["wound", "injury"]


def test_an_item_that_is_not_worn_or_pierced_cannot_be_chosen() -> None:
    given().when(hit(VEX, by=MAGS, save_with="field_armour"), wound(4)).then_refused(
        records.SaveNotAvailable, available=()
    )
    given(card(VEX, armour=MESH, field_armour=DISPLACER)).when(
        hit(VEX, by=MAGS, ap=-3, save_with="armour"), wound(4)
    ).then_refused(records.SaveNotAvailable, available=("field_armour",))


def test_the_modifiers_of_a_save_are_kept_apart_from_its_face() -> None:
    table = given(card(VEX, armour=MESH)).when(hit(VEX, by=MAGS, ap=-1, save_cover="full"), wound(4), save(4))
    roll = table.rolls[1]
    assert (roll.faces, roll.target, roll.passed) == ((4,), 4, True)
    assert roll.modifiers == (records.Modifier(why="cover", by=2), records.Modifier(why="AP", by=-1))


def test_a_save_that_armour_penetration_takes_away_is_said_and_not_rolled() -> None:
    table = given(card(VEX, armour=MESH)).when(hit(VEX, by=MAGS, ap=-3), wound(4), injury("flesh"))
    assert isinstance(table.outcome[0], records.RuleNoted)
    assert "AP" in table.outcome[0].why


# --- damage ----------------------------------------------------------------------------------------------


def test_damage_below_the_wounds_left_rolls_no_injury_dice() -> None:
    given(card(VEX, wounds=3)).when(hit(VEX, by=MAGS, damage=2), wound(4)).then(
        records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=2, wounds_left=1)
    )


def test_two_wounds_and_three_damage_roll_two_injury_dice() -> None:
    given(card(VEX, wounds=2)).when(
        hit(VEX, by=MAGS, damage=3, attack=False), wound(4), injury("flesh", "serious")
    ).then(
        records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=2, wounds_left=0),
        records.SeriousInjurySuffered(fighter=VEX, by=MAGS),
        records.FleshWoundsSuffered(fighter=VEX, by=MAGS, flesh_wounds=1, toughness=2),
    )


@every(("knob", "dice"), [("die_per_point", 3), ("one_die", 1)])
def test_a_hit_at_0_wounds_takes_no_wound_and_rolls_as_the_table_plays_it(knob: str, dice: int) -> None:
    table = (
        given(card(VEX, toughness=6), knobs={"damage.at_zero_wounds": knob})
        .when(hit(VEX, by=MAGS, strength=6), wound(4), injury("flesh"))
        .when(hit(VEX, by=MAGS, strength=6, damage=3), wound(4), injury(*["flesh"] * dice))
    )
    assert table.outcome == (
        records.FleshWoundsSuffered(fighter=VEX, by=MAGS, flesh_wounds=dice, toughness=5 - dice),
    )


def test_a_fighter_at_0_wounds_with_flesh_wounds_only_fights_on() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("flesh"))
    assert table.combatant(VEX).wounds_left == 0
    table.when(hit(MAGS, by=VEX), wound(1)).then_nothing_happened()


def test_damage_dash_takes_no_wounds_and_rolls_no_injury_dice_by_itself() -> None:
    table = given().when(hit(VEX, by=MAGS, damage=None), wound(6))
    assert [type(event) for event in table.outcome] == [records.RuleNoted]
    assert table.combatant(VEX).wounds_left == 1


# --- traits ----------------------------------------------------------------------------------------------


@every("trait", ["Gas", "Toxin"])
@every("toughness", range(1, 7))
def test_gas_and_toxin_must_reach_the_toughness_and_a_6_always_does(trait: str, toughness: int) -> None:
    for face in range(1, 7):
        reaches = face >= toughness or face == 6
        dice = (wound(face), *injury("serious")) if reaches else (wound(face),)
        table = given(card(VEX, toughness=toughness, wounds=3)).when(
            hit(VEX, by=MAGS, strength=1, damage=None, traits=(trait,), attack=False), *dice
        )
        assert table.outcome == ((records.SeriousInjurySuffered(fighter=VEX, by=MAGS),) if reaches else ())
        assert table.combatant(VEX).wounds_left == 3


def test_gas_allows_no_save_by_armour_field_or_cover() -> None:
    table = given(card(VEX, armour=MESH, field_armour=DISPLACER)).when(
        hit(VEX, by=MAGS, damage=None, traits=("Gas",), save_cover="full"), wound(6), injury("flesh")
    )
    assert [roll.purpose for roll in table.rolls] == ["wound", "injury"]


def test_a_save_against_toxin_comes_before_any_injury_die() -> None:
    toxin = hit(VEX, by=MAGS, damage=None, traits=("Toxin",))
    worn = given(card(VEX, armour=MESH))
    worn.when(toxin, wound(3), save(5)).then_nothing_happened()
    worn.when(toxin, wound(3), save(4), injury("flesh")).then(
        records.FleshWoundsSuffered(fighter=VEX, by=MAGS, flesh_wounds=1, toughness=2)
    )


def test_web_binds_without_wound_save_or_injury() -> None:
    table = given(card(VEX, armour=MESH)).when(hit(VEX, by=MAGS, traits=("Web",)), wound(3))
    table.then(records.FighterWebbed(fighter=VEX, by=MAGS))
    assert table.combatant(VEX).wounds_left == 1
    assert table.combatant(VEX).webbed


@every("hit_roll", [None, 2, 5])
def test_power_below_a_natural_6_is_an_ordinary_hit(hit_roll: int | None) -> None:
    given(card(VEX, armour=MESH, wounds=2)).when(
        hit(VEX, by=MAGS, traits=("Power",), hit_roll=hit_roll), wound(4), save(2)
    ).then(records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=1, wounds_left=1))


def test_power_on_a_natural_6_leaves_field_saves_only_and_adds_1_damage() -> None:
    power = hit(VEX, by=MAGS, traits=("Power",), hit_roll=6)
    table = given(card(VEX, armour=MESH, wounds=3)).when(power, wound(4))
    assert table.outcome[-1] == records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=2, wounds_left=1)
    shielded = given(card(VEX, armour=Armour(name="Best", save=2), field_armour=REFRACTOR))
    saved = shielded.when(power, wound(4), save(5)).then_nothing_happened()
    assert saved.rolls[1].target == 5


def test_seismic_on_a_natural_6_to_wound_allows_no_save() -> None:
    seismic = hit(VEX, by=MAGS, traits=("Seismic",))
    worn = given(card(VEX, armour=MESH, field_armour=DISPLACER))
    assert [roll.purpose for roll in worn.when(seismic, wound(6), injury("flesh")).rolls] == [
        "wound",
        "injury",
    ]
    assert [roll.purpose for roll in worn.when(seismic, wound(5), save(4)).rolls] == ["wound", "save"]


def test_graviton_pulse_allows_no_armour_save_in_battles_from_before_its_own_die_too() -> None:
    pulse = hit(VEX, by=MAGS, traits=("Graviton Pulse",), save_cover="full")
    before(card(VEX, armour=MESH, wounds=2)).when(pulse, wound(4)).then(
        records.RuleNoted(
            fighter=VEX,
            why="no save: graviton-pulse allows none",
            section=loader.book("necromunda_2023").sections["save_roll"],
        ),
        records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=1, wounds_left=1),
    )
    shielded = before(card(VEX, armour=MESH, field_armour=REFRACTOR))
    shielded.when(pulse, wound(4), save(5)).then_nothing_happened()


def test_a_trait_that_changes_no_hit_changes_nothing() -> None:
    given().when(hit(VEX, by=MAGS, traits=("Rapid Fire (1)", "Knockback")), wound(2)).then_nothing_happened()


# --- Injury dice -----------------------------------------------------------------------------------------

WORDS = ("flesh", "serious", "ooa")
BATCHES = [batch for size in range(1, 5) for batch in product(WORDS, repeat=size)]


@every("already", [False, True])
@every("toughness", [1, 2, 3, 4])
@every("rolls", ["each_out_of_action", "once"])
def test_every_batch_of_injury_dice_ends_as_one_die_at_a_time_would(
    toughness: int, already: bool, rolls: str
) -> None:
    start = given(card(VEX, toughness=toughness), knobs={"lasting_injuries.rolls": rolls})
    if already:
        start = start.when(seriously_injured(VEX))
    for batch in BATCHES:
        serious, left, out_dice = already, toughness, 0
        for symbol in batch:
            if symbol == "ooa":
                out_dice += 1
            elif symbol == "serious" and not serious:
                serious = True
            else:
                left = max(left - 1, 0)
        gone = out_dice > 0 or left == 0
        lasting_rolls = (1 if rolls == "once" else max(1, out_dice)) if gone else 0
        table = start.when(injuries(VEX, dice=len(batch)), injury(*batch), *[OUT_COLD] * lasting_rolls)
        combatant = table.combatant(VEX)
        assert (combatant.seriously_injured, combatant.out_of_action) == (serious, gone)
        assert max(toughness - combatant.flesh_wounds, 0) == left
        assert len(table.fighter(VEX).injuries) == lasting_rolls


def test_a_serious_injury_in_close_combat_opens_the_way_to_a_coup_de_grace() -> None:
    near = given().when(seriously_injured(VEX, by=MAGS, in_close_combat=True))
    assert near.combatant(VEX).seriously_injured_in_close_combat
    far = given().when(seriously_injured(VEX, by=MAGS))
    assert far.combatant(VEX).seriously_injured
    assert not far.combatant(VEX).seriously_injured_in_close_combat


def test_toughness_0_puts_out_of_action_with_one_lasting_injury_roll() -> None:
    table = given(card(VEX, toughness=1)).when(injuries(VEX, dice=1), injury("flesh"), OUT_COLD)
    assert (
        records.FighterWentOutOfAction(
            fighter=VEX, by=None, reason="toughness", out_of_action_dice=0, lasting_injury_rolls=1
        )
        in table.outcome
    )


def test_toughness_0_beside_two_out_of_action_dice_makes_two_lasting_injury_rolls() -> None:
    table = given(card(VEX, toughness=1)).when(
        injuries(VEX, dice=3), injury("flesh", "ooa", "ooa"), OUT_COLD, OUT_COLD
    )
    assert (
        records.FighterWentOutOfAction(
            fighter=VEX, by=None, reason="injury_dice", out_of_action_dice=2, lasting_injury_rolls=2
        )
        in table.outcome
    )


def test_every_lasting_injury_of_several_rolls_is_applied() -> None:
    given().when(injuries(VEX, dice=2), injury("ooa", "ooa"), lasting(4, 6), lasting(5, 1)).then_phrases(
        "hobbled", "recovery from battle 1", "movement 5 to 4", "spinal_injury", "strength 3 to 2"
    )


def test_the_a_and_a_house_rule_applies_one_lasting_injury_only() -> None:
    house = given(knobs={"lasting_injuries.rolls": "once"})
    house.when(injuries(VEX, dice=2), injury("ooa", "ooa"), lasting(4, 6)).then_phrases(
        "hobbled", "recovery from battle 1", "movement 5 to 4"
    )
    house.when(injuries(VEX, dice=2), injury("ooa", "ooa"), lasting(4, 6), lasting(5, 1)).then_refused(
        DiceLeftOver
    )


def test_the_a_and_a_house_rule_leaves_the_further_rolls_of_multiple_injuries() -> None:
    given(knobs={"lasting_injuries.rolls": "once"}).when(
        injuries(VEX, dice=2), injury("ooa", "ooa"), lasting(5, 4), how_many(2), further(4, 6), further(5, 1)
    ).then_phrases(
        "multiple_injuries",
        "hobbled within multiple_injuries",
        "recovery from battle 1",
        "movement 5 to 4",
        "spinal_injury within multiple_injuries",
        "strength 3 to 2",
    )


def test_a_coup_de_grace_makes_one_lasting_injury_roll() -> None:
    table = given().when(out_of_action(VEX, by=MAGS, coup_de_grace=True, out_of_action_dice=3), OUT_COLD)
    assert table.outcome[0] == records.FighterWentOutOfAction(
        fighter=VEX, by=MAGS, reason="coup_de_grace", out_of_action_dice=0, lasting_injury_rolls=1
    )


def test_the_opponent_rolls_to_wound_for_injury_and_for_lasting_injury() -> None:
    attacked = given().when(hit(VEX, by=MAGS), wound(4), injury("ooa"), OUT_COLD)
    assert [roll.rolled_by for roll in attacked.rolls] == [SAINTS] * 3
    by_a_friend = given().when(hit(VEX, by=KRUG), wound(4), injury("ooa"), OUT_COLD)
    assert [roll.rolled_by for roll in by_a_friend.rolls] == [SAINTS] * 3
    by_nobody = given().when(hit(VEX), wound(4), injury("ooa"), OUT_COLD)
    assert [roll.rolled_by for roll in by_nobody.rolls] == [SAINTS] * 3


def test_the_record_counts_battles_enemies_taken_out_and_times_out_of_action() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), OUT_COLD).when(out_of_action(DOT, by=MAGS), OUT_COLD)
    table = table.when(CLOSING).when(opening(2, without=[DOT]))
    counts = {
        name: (fighter.battles_fought, fighter.enemies_taken_out, fighter.times_out_of_action)
        for name in (KRUG, VEX, MAGS, DOT)
        if (fighter := table.fighter(name))
    }
    assert counts == {KRUG: (2, 0, 0), VEX: (2, 0, 1), MAGS: (2, 1, 0), DOT: (1, 0, 1)}


# --- refusals --------------------------------------------------------------------------------------------


def test_a_fighter_out_of_action_takes_no_further_part_in_the_battle() -> None:
    table = given().when(out_of_action(VEX, by=MAGS), OUT_COLD)
    table.when(hit(VEX, by=MAGS), wound(4)).then_refused(records.FighterOutOfPlay, fighter="Vex")
    table.when(hit(MAGS, by=VEX), wound(4)).then_refused(records.FighterOutOfPlay, fighter="Vex")
    table.when(flesh_wound(VEX)).then_refused(records.FighterOutOfPlay)


def test_a_fighter_who_takes_no_part_is_neither_hit_nor_hits() -> None:
    table = given(battle=False).when(opening(1, without=[VEX]))
    table.when(hit(VEX, by=MAGS), wound(4)).then_refused(records.FighterNotInBattle)
    table.when(hit(MAGS, by=VEX), wound(4)).then_refused(records.FighterNotInBattle)


def test_a_hit_needs_a_battle_two_fighters_and_a_weapon() -> None:
    given(battle=False).when(hit(VEX, by=MAGS), wound(4)).then_refused(records.NoBattleUnderWay)
    given().when(hit("vix", by=MAGS), wound(4)).then_refused(records.UnknownFighter)
    given().when(hit(VEX, by=VEX), wound(4)).then_refused(records.TargetsSelf)
    given().when(records.ResolveHit(target=VEX, attacker=MAGS), wound(4)).then_refused(records.WeaponMissing)
    given().when(records.ResolveHit(target=VEX, attacker=MAGS, weapon="Maul"), wound(4)).then_refused(
        records.UnknownWeapon
    )
    given().when(
        records.ResolveHit(target=VEX, profile=WeaponProfile(name="Maul", strength=None)), wound(4)
    ).then_refused(records.StrengthMissing)


def test_a_weapon_of_several_profiles_must_be_given_which() -> None:
    combi = Weapon(
        weapon="Combi",
        profiles=(WeaponProfile(name="bolter", strength=4), WeaponProfile(name="melta", strength=8)),
    )
    table = given(card(MAGS, weapons=(combi,)))
    table.when(records.ResolveHit(target=VEX, attacker=MAGS, weapon="Combi"), wound(1)).then_refused(
        records.ProfileNotNamed
    )
    chosen = table.when(
        records.ResolveHit(target=VEX, attacker=MAGS, weapon="Combi", profile_name="melta"), wound(1)
    )
    assert chosen.rolls[0].target == 2


def test_a_missing_die_refuses_the_whole_hit() -> None:
    given().when(hit(VEX, by=MAGS), wound(4)).then_refused(DiceNeeded, purpose="injury", fighter=VEX)
    given(card(VEX, armour=MESH)).when(hit(VEX, by=MAGS), wound(4)).then_refused(DiceNeeded, purpose="save")
    given().when(out_of_action(VEX, by=MAGS)).then_refused(DiceNeeded, purpose="lasting_injury")


def test_flesh_wounds_serious_injuries_and_lost_wounds_are_gone_with_the_battle() -> None:
    table = (
        given(card(VEX, wounds=2))
        .when(hit(VEX, by=MAGS), wound(4))
        .when(flesh_wound(VEX))
        .when(seriously_injured(VEX))
        .when(hit(DOT, by=KRUG, traits=("Web",)), wound(3))
        .when(CLOSING, succumb(3))
    )
    assert table.state.under_way is None
    again = table.when(opening(2))
    fresh = given(card(VEX, wounds=2))
    assert again.state.under_way is not None
    assert fresh.state.under_way is not None
    assert again.state.under_way.combatants == fresh.state.under_way.combatants
