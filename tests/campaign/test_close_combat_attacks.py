"""Close combat, played: weapons, attack dice, targets, hit rolls and hits, in that order and with those dice."""

import pytest
from fights import (
    ARMOURY,
    GUN_BLADE,
    KNIFE,
    LASGUN,
    PISTOL,
    SPEAR,
    STUB,
    SWORD,
    ammo,
    at,
    fight,
    firepower,
    hit_rolls,
    melee_hit,
    moved,
    weapon,
)
from scenario import (
    DOT,
    KRUG,
    MAGS,
    MESH,
    OUT_COLD,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    fall,
    given,
    injury,
    opening,
    save,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.profiles import Armour, Weapon, WeaponProfile
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.records import replace
from tracker.rules import loader

SECTIONS = loader.book("necromunda_2023").sections


def armed(**changes) -> Table:
    """Krug, who has everything, in a battle."""
    return given(card(KRUG, weapons=ARMOURY, **changes))


def misses(count: int) -> tuple:
    return melee_hit(*[1] * count)


def shares(table: Table) -> records.AttackDiceShared:
    (shared,) = [event for event in table.outcome if isinstance(event, records.AttackDiceShared)]
    return shared


def given_out(table: Table) -> dict[str, int]:
    return {share.weapon: share.attack_dice for share in shares(table).shares}


def broken(table: Table, fighter: str) -> Table:
    state = evolve(table.state, records.FighterBroke(fighter=fighter, flight="running_for_cover"))
    return replace(table, state=state)


# --- the whole sequence ----------------------------------------------------------------------------------


def test_a_fight_from_its_dice_to_its_end() -> None:
    table = armed(attacks=2, weapon_skill=3).when(
        fight(KRUG, MAGS, using=("knife",)), melee_hit(3, 2), wound(4), injury("serious")
    )
    assert table.outcome[:1] == (
        records.AttackDiceShared(
            fighter=KRUG,
            attacks=2,
            added=(),
            shares=(records.AttackDiceOfWeapon(weapon="knife", attack_dice=2),),
            section=SECTIONS["attack_dice"],
        ),
    )
    assert table.outcome[1:3] == (
        records.WoundsLost(fighter=MAGS, by=KRUG, wounds_lost=1, wounds_left=0),
        records.SeriousInjurySuffered(fighter=MAGS, by=KRUG, in_close_combat=True),
    )
    assert table.outcome[-1] == records.FightResolved(
        fighter=KRUG,
        reaction=False,
        attacked=(MAGS,),
        may_react=(),
        count_as_turned=(),
        charging=False,
        activation=None,
    )
    assert [roll.outcome for roll in hit_rolls(table)] == [
        "knife against Mags: hits",
        "knife against Mags: misses",
    ]
    assert [(roll.target, roll.fighter, roll.rolled_by) for roll in hit_rolls(table)] == [
        (3, KRUG, SKULLS)
    ] * 2
    assert {roll.section for roll in hit_rolls(table)} == {SECTIONS["melee_hit_roll"]}


@every("weapon_skill", range(2, 7))
def test_hit_rolls_are_made_against_weapon_skill_and_never_ballistic_skill(weapon_skill: int) -> None:
    for ballistic_skill in (2, 6):
        for name, fired in (("knife", ()), ("stub gun", (firepower("one"),))):
            table = given(
                card(
                    KRUG,
                    weapon_skill=weapon_skill,
                    ballistic_skill=ballistic_skill,
                    weapons=(KNIFE, STUB),
                )
            )
            hits = table.when(fight(KRUG, MAGS, using=(name,)), melee_hit(weapon_skill), *fired, wound(1))
            assert hit_rolls(hits)[0].passed
            table.when(fight(KRUG, MAGS, using=(name,)), melee_hit(weapon_skill - 1), *fired)


def test_accuracy_does_not_count_for_a_sidearm_in_close_combat() -> None:
    table = armed().when(fight(KRUG, MAGS, using=("stub gun",)), melee_hit(3), firepower("one"))
    assert moved(table) == {()}
    assert hit_rolls(table)[0].target == 4


def test_a_natural_1_misses_whatever_helps() -> None:
    table = armed(weapon_skill=2).when(
        fight(KRUG, MAGS, using=("knife",), extra=(records.ExtraModifier(why="frenzy", hit=4),)), melee_hit(1)
    )
    assert hit_rolls(table)[0].passed is False


def test_a_close_combat_hit_that_needs_7_misses_on_a_6_and_is_not_rolled_again() -> None:
    table = armed(weapon_skill=6).when(fight(KRUG, MAGS, using=("knife",), turn_to_face=True), melee_hit(6))
    assert (hit_rolls(table)[0].target, hit_rolls(table)[0].passed) == (7, False)


# --- weapons ---------------------------------------------------------------------------------------------


def test_an_unarmed_attack_has_the_fighters_strength_no_ap_and_damage_1() -> None:
    for strength, toughness, lowest in ((3, 3, 4), (4, 2, 2), (1, 3, 6)):
        table = given(card(KRUG, strength=strength), card(MAGS, toughness=toughness, wounds=2, armour=MESH))
        struck = table.when(fight(KRUG, MAGS), melee_hit(4), wound(6), save(4))
        wound_roll, save_roll = struck.rolls[1:]
        assert wound_roll.target == lowest
        assert (save_roll.target, save_roll.modifiers) == (5, ())
        assert struck.combatant(MAGS).wounds_left == 1
        assert given_out(struck) == {"": 1}


def test_a_fighter_may_fight_unarmed_who_has_weapons() -> None:
    assert given_out(armed(attacks=3).when(fight(KRUG, MAGS), misses(3))) == {"": 3}


def test_a_weapon_hits_with_its_own_strength_ap_and_damage_or_with_the_wielders() -> None:
    table = given(
        card(KRUG, weapons=(KNIFE, SWORD), strength=4),
        card(MAGS, toughness=4, wounds=3, armour=Armour(name="Plate", save=4)),
    )
    knife = table.when(fight(KRUG, MAGS, using=("knife",)), melee_hit(4), wound(4), save(3))
    assert [roll.target for roll in knife.rolls[1:]] == [4, 4]
    sword = table.when(fight(KRUG, MAGS, using=("sword",)), melee_hit(4), wound(3), save(4))
    assert [roll.target for roll in sword.rolls[1:]] == [3, 5]


@every(("own", "added", "needs"), [(3, 1, 3), (4, 2, 2), (3, -1, 5), (1, -3, 6)])
def test_s_plus_one_adds_to_the_strength_of_the_wielder(own: int, added: int, needs: int) -> None:
    # Against Toughness 3: half of it 6+, less 5+, more 3+, twice as much 2+; never below Strength 1.
    maul = weapon("maul", "Melee", strength=None, strength_added=added)
    table = given(card(KRUG, weapons=(maul,), strength=own), card(MAGS, toughness=3, wounds=3))
    struck = table.when(fight(KRUG, MAGS, using=("maul",)), melee_hit(4), wound(1))
    assert struck.rolls[1].target == needs
    hit_by = table.when(records.ResolveHit(target=MAGS, attacker=KRUG, weapon="maul"), wound(1))
    assert hit_by.rolls[0].target == needs


def test_three_weapons_are_too_many() -> None:
    armed().when(fight(KRUG, MAGS, using=("knife", "sword", "spear"))).then_refused(records.TooManyWeapons)


@every("second", ["knife", "stub gun", "gun blade"])
def test_an_unwieldy_weapon_is_used_alone(second: str) -> None:
    for pair in (("hammer", second), (second, "hammer")):
        armed().when(fight(KRUG, MAGS, using=pair)).then_refused(
            records.UnwieldyWithAnother, weapon="hammer", other=second
        )
    assert given_out(armed(attacks=2).when(fight(KRUG, MAGS, using=("hammer",)), misses(2))) == {"hammer": 2}


def test_a_weapon_without_melee_or_sidearm_is_no_use() -> None:
    armed().when(fight(KRUG, MAGS, using=("lasgun",))).then_refused(
        records.NoCloseCombatWeapon, weapon="lasgun"
    )


def test_a_weapon_that_is_not_on_the_card_is_refused() -> None:
    armed().when(fight(KRUG, MAGS, using=("chainsword",))).then_refused(records.UnknownWeapon)


def test_one_weapon_cannot_be_used_twice_unless_two_are_carried() -> None:
    armed().when(fight(KRUG, MAGS, using=("knife", "Knife"))).then_refused(
        records.CarriesOnlyOne, weapon="knife"
    )
    two = given(card(KRUG, weapons=(KNIFE, KNIFE))).when(
        fight(KRUG, MAGS, using=("knife", "knife")), misses(2)
    )
    assert [share.attack_dice for share in shares(two).shares] == [1, 1]


def test_a_weapons_numbers_may_be_written_out_for_a_fight() -> None:
    borrowed = records.FightWeapon(
        weapon="borrowed axe", profile=WeaponProfile(strength=6, traits=("Melee",))
    )
    table = given().when(replace(fight(KRUG, MAGS), weapons=(borrowed,)), melee_hit(6), wound(1))
    assert table.rolls[1].outcome == "Strength 6 against Toughness 3: no wound"


def test_of_several_profiles_the_one_for_close_combat_needs_no_name() -> None:
    rifle = Weapon(
        weapon="bayonet rifle",
        profiles=(
            WeaponProfile(name="shot", strength=3, ammo=4),
            WeaponProfile(name="bayonet", strength=5, traits=("Melee",)),
        ),
    )
    table = given(card(KRUG, weapons=(rifle,)))
    struck = table.when(fight(KRUG, MAGS, using=("bayonet rifle",)), melee_hit(4), wound(1))
    assert struck.rolls[1].outcome.startswith("Strength 5 ")
    named = records.FightWeapon(weapon="bayonet rifle", profile_name="shot")
    table.when(replace(fight(KRUG, MAGS), weapons=(named,))).then_refused(records.NoCloseCombatWeapon)


def test_of_several_profiles_for_close_combat_one_must_be_named() -> None:
    staff = Weapon(
        weapon="staff",
        profiles=tuple(WeaponProfile(name=name, strength=4, traits=("Melee",)) for name in ("tip", "butt")),
    )
    table = given(card(KRUG, weapons=(staff,)))
    table.when(fight(KRUG, MAGS, using=("staff",))).then_refused(records.ProfileNotNamed)
    named = records.FightWeapon(weapon="staff", profile_name="butt")
    assert given_out(table.when(replace(fight(KRUG, MAGS), weapons=(named,)), misses(1))) == {"staff": 1}


def test_a_gun_with_several_profiles_is_no_weapon_of_a_fight_and_asks_for_none_of_them() -> None:
    solid, scatter = (
        WeaponProfile(name=name, strength=4, range_long_inches=8, ammo=4) for name in ("solid", "scatter")
    )
    table = given(card(KRUG, weapons=(Weapon(weapon="shotgun", profiles=(solid, scatter)),)))
    table.when(fight(KRUG, MAGS, using=("shotgun",))).then_refused(
        records.NoCloseCombatWeapon, weapon="shotgun"
    )


def test_a_weapon_without_strength_needs_a_trait_that_wounds_without() -> None:
    limp, gassy = weapon("feather", "Melee", strength=0), weapon("gas", "Melee", "Gas", strength=0)
    table = given(card(KRUG, weapons=(limp, gassy)))
    table.when(fight(KRUG, MAGS, using=("feather",))).then_refused(records.NoStrength)
    assert table.when(fight(KRUG, MAGS, using=("gas",)), misses(1)).refusal is None


# --- attack dice -----------------------------------------------------------------------------------------

WEAPONS = {
    (): 0,
    ("knife",): 0,
    ("hammer",): 0,
    ("stub gun",): 0,
    ("gun blade",): 0,
    ("knife", "sword"): 1,
    ("knife", "stub gun"): 1,
    ("gun blade", "knife"): 1,
    ("stub gun", "pistol"): 1,
    ("stub gun", "gun blade"): 1,
}
SIDEARMS = ("stub gun", "pistol", "gun blade")


@every("using", WEAPONS, ids="+".join)
@every("charging", [False, True])
@every("attacks", range(1, 7))
def test_attack_dice_are_shared_among_the_weapons_as_played(
    using: tuple[str, ...], charging: bool, attacks: int
) -> None:
    """The card has no other Melee weapon, so what Sidearms cannot take is unarmed."""
    carried = tuple(weapon for weapon in ARMOURY if weapon.weapon in using)
    dice = attacks + WEAPONS[using] + charging
    if using == ("knife", "sword"):
        share = (dice - dice // 2, dice // 2)
    else:
        share = tuple(
            1 if name in SIDEARMS else dice - sum(weapon in SIDEARMS for weapon in using) for name in using
        )
    share = (*share, dice - sum(share))
    command = fight(KRUG, at(MAGS, *share), using=using, charging=charging)
    guns = [name for name, number in zip(using, share, strict=False) if name in SIDEARMS and number]
    fired = [firepower("one")] * len(guns)
    table = given(card(KRUG, attacks=attacks, weapons=carried)).when(command, misses(dice), *fired)
    assert table.refusal is None, table.refusal
    names = (*using, "")
    assert given_out(table) == {name: number for name, number in zip(names, share, strict=True) if number}
    added = [("two weapons", 1)] * WEAPONS[using] + [("charging", 1)] * charging
    assert shares(table).added == tuple(records.Modifier(why=why, by=by) for why, by in added)


def test_the_player_says_which_weapon_takes_the_odd_dice() -> None:
    table = armed(attacks=2)
    using = ("knife", "sword")
    table.when(fight(KRUG, MAGS, using=using)).then_refused(
        records.DiceShareMissing, dice=3, ways=((2, 1, 0), (1, 2, 0)), options=((2, 1), (1, 2))
    )
    assert given_out(table.when(fight(KRUG, at(MAGS, 1, 2), using=using), misses(3))) == {
        "knife": 1,
        "sword": 2,
    }
    assert given_out(table.when(fight(KRUG, at(MAGS, 2, 1), using=using), misses(3))) == {
        "knife": 2,
        "sword": 1,
    }


@every("share", [(3, 0), (0, 3), (1, 1), (2, 2), (3,), (2, 1, 1), (1, 2, 0, 0), (4, -1)])
def test_a_share_of_attack_dice_that_the_book_does_not_allow_is_refused(share: tuple[int, ...]) -> None:
    armed(attacks=2).when(fight(KRUG, at(MAGS, *share), using=("knife", "sword"))).then_refused(
        records.DiceShareWrong
    )


def test_a_sidearm_takes_no_second_dice() -> None:
    table = armed(attacks=2)
    table.when(fight(KRUG, at(MAGS, 1, 2), using=("knife", "stub gun"))).then_refused(
        records.DiceShareWrong, ways=((2, 1, 0),)
    )


def test_what_a_sidearm_cannot_take_goes_to_a_melee_weapon_at_hand() -> None:
    table = given(card(KRUG, attacks=2, weapons=(STUB, KNIFE, LASGUN)))
    table.when(fight(KRUG, MAGS, using=("stub gun",))).then_refused(
        records.MeleeWeaponAtHand, sidearm="stub gun", weapons=("knife",)
    )
    without = given(card(KRUG, attacks=2, weapons=(STUB, LASGUN)))
    struck = without.when(fight(KRUG, MAGS, using=("stub gun",)), misses(2), firepower("one"))
    assert given_out(struck) == {"stub gun": 1, "": 1}


def test_a_single_attack_dice_may_be_a_sidearms() -> None:
    table = given(card(KRUG, weapons=(STUB, KNIFE)))
    assert given_out(table.when(fight(KRUG, MAGS, using=("stub gun",)), misses(1), firepower("one"))) == {
        "stub gun": 1
    }


def test_a_weapon_with_both_traits_takes_one_dice() -> None:
    table = given(card(KRUG, attacks=3, weapons=(GUN_BLADE,)))
    assert given_out(table.when(fight(KRUG, MAGS, using=("gun blade",)), misses(3), firepower("one"))) == {
        "gun blade": 1,
        "": 2,
    }


def test_attack_dice_of_a_skill_are_counted_and_shared_like_the_rest() -> None:
    rage = records.ExtraModifier(why="Rage", attack_dice=2, hit=-1)
    table = armed().when(fight(KRUG, MAGS, using=("knife",), extra=(rage,)), misses(3))
    assert shares(table).added == (records.Modifier(why="Rage", by=2),)
    assert moved(table) == {(("Rage", -1),)}


@every(("added", "needed", "saved_on"), [((0, 0), 4, 5), ((1, 0), 3, 5), ((1, -1), 3, 6), ((-9, 9), 6, 5)])
def test_in_older_entries_what_a_skill_adds_counts_for_every_attack(
    added: tuple[int, int], needed: int, saved_on: int
) -> None:
    """Strength 3 against Toughness 3, and mesh armour: Strength never falls below 1, AP never helps the save."""
    strength, ap = added
    extra = records.ExtraModifier(why="Backstab", strength=strength, armour_penetration=ap)
    table = given(card(KRUG), card(MAGS, armour=MESH))
    struck = table.when(fight(KRUG, MAGS, extra=(extra,)), melee_hit(6), wound(6), save(1), injury("flesh"))
    wounds, saves = [roll for roll in struck.rolls if roll.purpose in ("wound", "save")]
    assert (wounds.target, saves.target) == (needed, saved_on)
    output = [event.why for event in struck.outcome if isinstance(event, records.RuleNoted)]
    assert output == {
        (0, 0): [],
        (1, 0): ["Backstab: Strength +1"],
        (1, -1): ["Backstab: Strength +1, AP -1"],
    }.get(added, ["Backstab: Strength -9, AP +9"])


def pierced(extra: records.ExtraModifier, *using: str) -> list[tuple[str, int | None]]:
    """Wound and save rolls of one hit with each weapon, Attacks 1 and Toughness 3 in mesh: what each needs."""
    table = given(card(KRUG, weapons=(KNIFE, SWORD)), card(MAGS, armour=MESH, wounds=6))
    hits = max(1, len(using))
    saves = 1 if extra.weapon is None and hits == 2 else hits
    fought = fight(KRUG, MAGS, using=using, extra=(extra,))
    struck = table.when(fought, melee_hit(*[6] * hits), *[wound(6)] * hits, *[save(1)] * saves)
    assert struck.refusal is None, struck.refusal
    return [(roll.purpose, roll.target) for roll in struck.rolls if roll.purpose in ("wound", "save")]


def test_strength_that_a_skill_adds_to_one_weapon_leaves_the_other_alone() -> None:
    """A knife with Strength 3 and no AP, a sword with Strength 5 and AP -1: +1 and -1 for the knife, then for both."""
    knife = records.ExtraModifier(why="Toxin", strength=1, armour_penetration=-1, weapon="Knife")
    assert pierced(knife, "knife", "sword") == [("wound", 3), ("save", 6), ("wound", 3), ("save", 6)]
    assert pierced(replace(knife, weapon=None), "knife", "sword") == [
        ("wound", 3), ("save", 6), ("wound", 2),
    ]  # fmt: skip


def test_unarmed_attacks_use_the_unmodified_strength_and_no_ap_unless_a_rule_names_them() -> None:
    extra = records.ExtraModifier(why="Backstab", strength=1, armour_penetration=-1, spares_unarmed=True)
    assert pierced(extra) == [("wound", 4), ("save", 5)]
    assert pierced(replace(extra, weapon="unarmed")) == [("wound", 3), ("save", 6)]
    assert pierced(extra, "knife") == [("wound", 3), ("save", 6)]


def test_a_modifier_that_does_not_count_for_unarmed_attacks_is_said() -> None:
    extra = records.ExtraModifier(why="Backstab", strength=1, spares_unarmed=True)
    struck = given().when(fight(KRUG, MAGS, extra=(extra,)), melee_hit(1))
    assert [event.why for event in struck.outcome if isinstance(event, records.RuleNoted)] == [
        "Backstab: Strength +1 does not count: unarmed attacks use the unmodified Strength and have no AP"
    ]


def test_a_hit_modifier_of_one_weapon_moves_its_hit_rolls_alone() -> None:
    extra = records.ExtraModifier(why="master-crafted", hit=1, weapon="sword")
    table = given(card(KRUG, weapons=(KNIFE, SWORD)))
    struck = table.when(fight(KRUG, MAGS, using=("knife", "sword"), extra=(extra,)), misses(2))
    assert [[(modifier.why, modifier.by) for modifier in roll.modifiers] for roll in hit_rolls(struck)] == [
        [],
        [("master-crafted", 1)],
    ]


def test_a_modifier_for_a_weapon_that_is_not_used_is_refused_and_so_are_dice_of_one_weapon() -> None:
    table = given(card(KRUG, weapons=(KNIFE, SWORD)))
    absent = records.ExtraModifier(why="Toxin", strength=1, weapon="sword")
    table.when(fight(KRUG, MAGS, using=("knife",), extra=(absent,))).then_refused(
        records.ExtraForNoWeapon, weapons=("knife", "unarmed")
    )
    dice = records.ExtraModifier(why="Frenzy", attack_dice=1, weapon="knife")
    table.when(fight(KRUG, MAGS, using=("knife",), extra=(dice,))).then_refused(
        records.ContradictoryStatement
    )


# --- targets ---------------------------------------------------------------------------------------------


@every("in_arc", [None, True, False])
@every("turned", [True, False])
def test_a_target_out_of_the_vision_arc_must_be_turned_to(in_arc: bool | None, turned: bool) -> None:
    table = armed().when(
        fight(KRUG, at(MAGS, in_arc=in_arc), using=("knife",), turn_to_face=turned), misses(1)
    )
    if in_arc is False and not turned:
        table.then_refused(records.TargetOutOfArc, target="Mags")
    else:
        assert table.refusal is None


def test_attacks_are_split_between_targets_as_the_player_wishes() -> None:
    table = armed(attacks=3)
    struck = table.when(fight(KRUG, at(MAGS, 2), at(DOT, 1), using=("knife",)), misses(3))
    assert [roll.outcome for roll in hit_rolls(struck)] == [
        "knife against Mags: misses",
        "knife against Mags: misses",
        "knife against Dot: misses",
    ]


def test_dice_are_rolled_weapon_by_weapon_and_within_it_target_by_target() -> None:
    command = fight(KRUG, at(DOT, 1, 1), at(MAGS, 1, 1), using=("knife", "sword"))
    struck = armed(attacks=3).when(command, misses(4))
    assert [roll.outcome.partition(":")[0] for roll in hit_rolls(struck)] == [
        "knife against Dot",
        "knife against Mags",
        "sword against Dot",
        "sword against Mags",
    ]


def test_with_several_targets_the_dice_of_each_must_be_given() -> None:
    armed(attacks=2).when(fight(KRUG, MAGS, DOT, using=("knife",))).then_refused(
        records.DiceShareMissing, targets=2
    )
    armed(attacks=2).when(fight(KRUG, at(MAGS, 1), DOT, using=("knife",))).then_refused(
        records.DiceShareMissing
    )


def test_a_target_without_attack_dice_is_no_target() -> None:
    armed(attacks=2).when(fight(KRUG, at(MAGS, 2), at(DOT, 0), using=("knife",))).then_refused(
        records.DiceShareWrong
    )


def test_friends_oneself_the_absent_and_the_unknown_cannot_be_attacked() -> None:
    table = armed()
    table.when(fight(KRUG)).then_refused(records.NobodyAttacked)
    table.when(fight(KRUG, VEX)).then_refused(records.NoEnemy)
    table.when(fight(KRUG, KRUG)).then_refused(records.TargetsSelf)
    table.when(fight(KRUG, MAGS, MAGS)).then_refused(records.TargetNamedTwice)
    table.when(fight(KRUG, "nobody")).then_refused(records.UnknownFighter)
    given(battle=False).when(fight(KRUG, MAGS)).then_refused(records.NoBattleUnderWay)
    absent = given(battle=False).when(opening(1, without=(MAGS,)))
    absent.when(fight(KRUG, MAGS)).then_refused(records.FighterNotInBattle)


def test_nobody_is_engaged_with_a_prone_fighter() -> None:
    table = armed().when(seriously_injured(MAGS))
    table.when(fight(KRUG, MAGS)).then_refused(records.FighterProne, condition="Seriously Injured")
    table.when(fight(MAGS, KRUG)).then_refused(records.FighterProne, condition="Seriously Injured")
    table.when(fight(KRUG, DOT, engaged=((MAGS, KRUG),))).then_refused(records.FighterProne)
    pinned = armed().when(fall(MAGS, hundredths=300), wound(1))
    pinned.when(fight(KRUG, MAGS)).then_refused(records.FighterProne, condition="Pinned")
    pinned.when(fight(MAGS, KRUG)).then_refused(records.FighterProne, condition="Pinned")
    pinned.when(fight(MAGS, KRUG, charging=True)).then_refused(records.FighterProne, condition="Pinned")


def test_a_fighter_out_of_action_does_not_fight() -> None:
    out = armed().when(fight(KRUG, MAGS, using=("knife",)), melee_hit(6), wound(6), injury("ooa"), OUT_COLD)
    out.when(fight(KRUG, MAGS)).then_refused(records.FighterOutOfPlay)
    out.when(fight(MAGS, KRUG)).then_refused(records.FighterOutOfPlay)


def test_nobody_is_engaged_with_crew() -> None:
    table = given(card(MAGS, category="crew"))
    table.when(fight(KRUG, MAGS)).then_refused(records.CrewNotEngaged)
    table.when(fight(KRUG, DOT, engaged=((MAGS, KRUG),))).then_refused(records.CrewNotEngaged)


# --- barricades ------------------------------------------------------------------------------------------


def test_across_a_barricade_everything_fights_and_nothing_is_taken_off() -> None:
    for using in ((), ("knife",)):
        table = armed().when(fight(KRUG, at(MAGS, across="barricade"), using=using), misses(1))
        assert moved(table) == {()}


def test_across_a_wider_obstacle_only_versatile_weapons_fight() -> None:
    table = armed()
    table.when(fight(KRUG, at(MAGS, across="wider"), using=("knife",))).then_refused(
        records.CannotReachAcross, weapon="knife"
    )
    table.when(fight(KRUG, at(MAGS, across="wider"))).then_refused(
        records.CannotReachAcross, weapon="unarmed"
    )
    assert given_out(table.when(fight(KRUG, at(MAGS, across="wider"), using=("spear",)), misses(1))) == {
        "spear": 1
    }
    table.when(fight(KRUG, at(MAGS, across="wider"), using=("spear", "knife"))).then_refused(
        records.CannotReachAcross
    )
    split = fight(KRUG, at(MAGS, 1, 0, across="wider"), at(DOT, 0, 1), using=("spear", "knife"))
    assert table.when(split, misses(2)).refusal is None


# --- modifiers -------------------------------------------------------------------------------------------


def test_turning_to_face_and_charging_unseen_cost_1_each() -> None:
    table = armed()
    assert moved(table.when(fight(KRUG, MAGS, turn_to_face=True), misses(1))) == {(("turned to face", -1),)}
    unseen = fight(KRUG, MAGS, charging=True, charged_unseen=True)
    assert moved(table.when(unseen, misses(2))) == {(("charged out of sight", -1),)}


def test_assists_and_interference_are_distinguished_for_each_target() -> None:
    """Vex is engaged with Mags, so assists against her alone; Mags and Dot hinder attacks on each other."""
    table = armed(attacks=2).when(
        fight(KRUG, at(MAGS, 1), at(DOT, 1), using=("knife",), engaged=((VEX, MAGS),)),
        melee_hit(4, 4),
        wound(1),
        wound(1),
    )
    on_mags, on_dot = hit_rolls(table)
    # Dot fights nobody but Krug and interferes; Mags is engaged with Vex too and does not.
    assert on_mags.modifiers == (
        records.Modifier(why="assist", by=1),
        records.Modifier(why="interference", by=-1),
    )
    assert on_dot.modifiers == ()
    assert [event for event in table.outcome if isinstance(event, records.HelpNotCounted)] == [
        records.HelpNotCounted(
            fighter=MAGS, against=KRUG, interference=True, held_by=(VEX,), section=SECTIONS["interference"]
        )
    ]


def test_a_friend_who_is_engaged_with_another_of_them_gives_no_assist() -> None:
    table = armed().when(fight(KRUG, MAGS, engaged=((VEX, MAGS), (DOT, VEX))), misses(1))
    assert moved(table) == {()}
    assert table.outcome[1] == records.HelpNotCounted(
        fighter=VEX, against=MAGS, interference=False, held_by=(DOT,), section=SECTIONS["assists"]
    )


def test_by_the_looser_reading_every_engaged_enemy_interferes() -> None:
    brawl = ((DOT, KRUG), (DOT, VEX))
    by_definition = given().when(fight(KRUG, MAGS, engaged=brawl), misses(1))
    assert moved(by_definition) == {()}
    table = given(knobs={"melee.interference": "every_enemy"}).when(
        fight(KRUG, MAGS, engaged=brawl), misses(1)
    )
    assert moved(table) == {(("interference", -1),)}
    assert not [event for event in table.outcome if isinstance(event, records.HelpNotCounted)]


def test_engagement_may_be_stated_once_or_twice_alike() -> None:
    brawl = ((VEX, MAGS), (MAGS, VEX), (KRUG, MAGS))
    assert moved(given().when(fight(KRUG, MAGS, engaged=brawl), misses(1))) == {(("assist", 1),)}


def test_friends_are_not_engaged_with_each_other() -> None:
    given().when(fight(KRUG, MAGS, engaged=((KRUG, VEX),))).then_refused(records.NoEnemy)
    given().when(fight(KRUG, MAGS, engaged=((VEX, VEX),))).then_refused(records.TargetsSelf)


def test_contradictory_statements_about_a_fight_are_refused() -> None:
    table = given()
    table.when(fight(KRUG, MAGS, charged_unseen=True)).then_refused(records.ContradictoryStatement)
    table.when(fight(KRUG, MAGS, reaction=True, charging=True)).then_refused(records.ContradictoryStatement)
    table.when(fight(KRUG, MAGS, reaction=True, consolidate=True)).then_refused(
        records.ContradictoryStatement
    )
    table.when(fight(KRUG, MAGS, reaction=True, coup_de_grace=MAGS)).then_refused(
        records.ContradictoryStatement
    )
    table.when(fight(KRUG, MAGS, consolidate=True, coup_de_grace=MAGS)).then_refused(
        records.ContradictoryStatement
    )
    table.when(fight(KRUG, MAGS, coup_de_grace=DOT)).then_refused(records.NotEngaged)


def test_a_broken_fighter_makes_no_attack_but_reactions() -> None:
    broken(given(), KRUG).when(fight(KRUG, MAGS)).then_refused(records.BrokenMayNotAttack)


# --- charging the Prone ----------------------------------------------------------------------------------


def test_a_pinned_fighter_who_is_charged_is_standing_and_engaged() -> None:
    table = (
        given().when(fall(MAGS, hundredths=300), wound(1)).when(fight(KRUG, MAGS, charging=True), misses(2))
    )
    assert table.outcome[0] == records.FighterUnpinned(fighter=MAGS, charged_by=KRUG)
    assert not table.combatant(MAGS).pinned
    resolved = table.outcome[-1]
    assert isinstance(resolved, records.FightResolved)
    assert (resolved.may_react, resolved.count_as_turned) == ((MAGS,), (MAGS,))


def test_a_pinned_bystander_is_not_charged() -> None:
    table = given().when(fall(DOT, hundredths=300), wound(1))
    table.when(fight(KRUG, MAGS, charging=True, engaged=((DOT, VEX),))).then_refused(records.FighterProne)


# --- hits ------------------------------------------------------------------------------------------------


def test_every_hit_is_rolled_before_the_first_is_resolved() -> None:
    table = armed(attacks=2).when(fight(KRUG, MAGS, using=("knife",)), melee_hit(4, 5), wound(1), wound(2))
    assert [roll.purpose for roll in table.rolls] == ["melee_hit", "melee_hit", "wound", "wound"]


def test_a_removed_fighter_takes_no_more_hits() -> None:
    table = armed(attacks=3).when(
        fight(KRUG, MAGS, using=("knife",)), melee_hit(4, 5, 6), wound(6), injury("ooa"), OUT_COLD
    )
    lost = [
        event for event in table.outcome if isinstance(event, records.RuleNoted) and event.fighter == MAGS
    ]
    assert len(lost) == 2
    assert lost[0].why == "Out of Action before this hit (knife) was resolved"


def test_a_seriously_injured_fighter_takes_the_hits_that_were_scored() -> None:
    table = armed(attacks=2).when(
        fight(KRUG, MAGS, using=("knife",)),
        melee_hit(4, 5),
        wound(6),
        injury("serious"),
        wound(6),
        injury("serious"),
    )
    assert table.combatant(MAGS).flesh_wounds == 1


def test_hits_on_another_target_go_on_when_one_is_removed() -> None:
    table = armed(attacks=3).when(
        fight(KRUG, at(MAGS, 2), at(DOT, 1), using=("knife",)),
        melee_hit(5, 5, 6),  # each hinders the attacks on the other: 5 are needed
        wound(6),
        injury("ooa"),
        OUT_COLD,
        wound(6),
        injury("flesh"),
    )
    assert (table.combatant(MAGS).out_of_action, table.combatant(DOT).flesh_wounds) == (True, 1)


def test_a_natural_6_to_hit_reaches_the_weapons_traits() -> None:
    power = weapon("power sword", "Melee", "Power")
    table = given(card(KRUG, weapons=(power,)), card(MAGS, armour=MESH, wounds=3))
    six = table.when(fight(KRUG, MAGS, using=("power sword",)), melee_hit(6), wound(6))
    assert six.combatant(MAGS).wounds_left == 1
    five = table.when(fight(KRUG, MAGS, using=("power sword",)), melee_hit(5), wound(6), save(1))
    assert five.combatant(MAGS).wounds_left == 2


# --- sidearms --------------------------------------------------------------------------------------------


def test_a_sidearm_rolls_its_firepower_die_whether_it_hits_or_misses() -> None:
    for face in (1, 6):
        table = armed().when(
            fight(KRUG, at(MAGS, 1, 1), using=("stub gun", "knife")),
            melee_hit(face),
            firepower("two"),
            melee_hit(1),
            *([wound(1)] if face == 6 else []),
        )
        assert [roll.purpose for roll in table.rolls][:3] == ["melee_hit", "firepower", "melee_hit"]


def test_an_ammo_symbol_calls_for_a_test_at_once_and_the_hit_counts_all_the_same() -> None:
    table = given(card(KRUG, weapons=(STUB,))).when(
        fight(KRUG, MAGS, using=("stub gun",)),
        melee_hit(4),
        firepower("ammo"),
        ammo(3),
        wound(4),
        injury("serious"),
    )
    assert records.WeaponRanOutOfAmmo(fighter=KRUG, weapon="stub gun", slot="stub gun") in table.outcome
    assert table.combatant(MAGS).seriously_injured
    table.when(fight(KRUG, DOT, using=("stub gun",))).then_refused(records.WeaponOutOfAmmo)


def test_a_passed_ammo_test_in_close_combat_changes_nothing() -> None:
    table = given(card(KRUG, weapons=(STUB,))).when(
        fight(KRUG, MAGS, using=("stub gun",)), melee_hit(1), firepower("ammo"), ammo(4)
    )
    assert table.when(fight(KRUG, DOT, using=("stub gun",)), melee_hit(1), firepower("one")).refusal is None


def test_two_sidearms_in_close_combat_roll_a_firepower_die_each() -> None:
    table = given(card(KRUG, weapons=(STUB, PISTOL))).when(
        fight(KRUG, MAGS, using=("stub gun", "pistol")), misses(2), firepower("one"), firepower("two")
    )
    assert [roll.purpose for roll in table.rolls] == ["melee_hit", "firepower", "melee_hit", "firepower"]


def test_two_sidearms_of_one_name_run_dry_each_for_itself() -> None:
    table = given(card(KRUG, weapons=(STUB, STUB))).when(
        fight(KRUG, MAGS, using=("stub gun", "stub gun")),
        misses(2),
        firepower("ammo"),
        ammo(1),
        firepower("one"),
    )
    assert table.combatant(KRUG).out_of_ammo == ("stub gun",)
    assert table.when(fight(KRUG, MAGS, using=("stub gun",)), misses(1), firepower("one")).refusal is None


def test_a_sidearm_without_an_ammo_value_is_refused() -> None:
    bare = weapon("toy gun", "Sidearm")
    given(card(KRUG, weapons=(bare,))).when(fight(KRUG, MAGS, using=("toy gun",))).then_refused(
        records.NotForShooting
    )


# --- dice ------------------------------------------------------------------------------------------------


def test_a_missing_hit_roll_is_asked_for_by_name() -> None:
    with pytest.raises(DiceNeeded) as needed:
        _ = armed(attacks=2).when(fight(KRUG, MAGS, using=("knife",)), melee_hit(1)).events
    assert (needed.value.purpose, needed.value.fighter) == ("melee_hit", KRUG)
    assert needed.value.why == "hit roll, knife against Mags, 2 of 2, needs 4+"


def test_more_dice_than_attacks_are_left_over() -> None:
    with pytest.raises(DiceLeftOver):
        _ = armed(attacks=2).when(fight(KRUG, MAGS, using=("knife",)), melee_hit(1, 1, 1)).events


def test_a_grudge_falls_on_a_gang_that_exists() -> None:
    table = given()
    assert table.when(fight(KRUG, at(MAGS, grudge_against=SAINTS)), misses(1)).refusal is None
    assert table.when(fight(KRUG, at(MAGS, grudge_against="nobody"))).refusal is not None


def test_spears_may_be_used_at_arms_length_too() -> None:
    table = given(card(KRUG, weapons=(SPEAR,)))
    assert given_out(table.when(fight(KRUG, MAGS, using=("spear",)), misses(1))) == {"spear": 1}


def test_of_more_targets_than_dice_it_is_said_that_each_takes_one() -> None:
    struck = armed(attacks=1).when(fight(KRUG, MAGS, DOT, using=("knife",)))
    assert str(struck.refusal).endswith(
        "has 1 Attack die, and each of 2 targets takes one at least: name fewer."
    )
