"""The examples that the 2023 book works through, each played as it is printed, in our own words.

Resolve Hits: one save a hit, mesh against AP -3, mesh and a displacer field in cover, no armour in cover, two
Wounds against three Damage. Shooting: out of range, a Template, a shotgun's profiles, cover under a marker.
Close Combat: a Broken fighter who turns to react, an odd number of Attack dice.
"""

from fights import KNIFE, STUB, SWORD, at, fight, hit_rolls, melee_hit
from scenario import (
    DISPLACER,
    DOT,
    KRUG,
    MAGS,
    MESH,
    REFRACTOR,
    VEX,
    card,
    given,
    hit,
    injury,
    out_of_action,
    save,
    wound,
)
from shots import armed, dice, gun, mode, shot, there
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded, read_die

# --- Resolve Hits ----------------------------------------------------------------------------------------


@every("with_", ["armour", "field_armour"])
def test_who_wears_mesh_and_a_refractor_field_saves_with_one_of_them_and_once(with_: str) -> None:
    table = given(card(VEX, armour=MESH, field_armour=REFRACTOR))
    struck = hit(VEX, by=MAGS, save_with=with_)
    table.when(struck, wound(4), save(4), save(6)).then_refused(DiceNeeded, purpose="injury")
    table.when(struck, wound(4), save(4), injury("flesh"), save(6)).then_refused(DiceLeftOver)
    table.when(struck, wound(4), save(5)).then_nothing_happened()


def test_a_weapon_of_ap_minus_3_leaves_mesh_armour_no_save() -> None:
    table = given(card(VEX, armour=MESH))
    table.when(hit(VEX, by=MAGS, ap=-3), wound(4), save(6), injury("flesh")).then_refused(DiceLeftOver)
    assert len(table.when(hit(VEX, by=MAGS, ap=-3), wound(4), injury("flesh")).rolls) == 2
    # One less and a 7 would be needed: still none. Two less, and a 6 saves.
    table.when(hit(VEX, by=MAGS, ap=-2), wound(4), save(6), injury("flesh")).then_refused(DiceLeftOver)
    table.when(hit(VEX, by=MAGS, ap=-1), wound(4), save(6)).then_nothing_happened()


@every(("with_", "needed"), [("armour", 4), ("field_armour", 4)])
@every("face", range(1, 7))
def test_plus_1_makes_mesh_a_4_and_leaves_a_displacer_field_at_4(with_: str, needed: int, face: int) -> None:
    table = given(card(VEX, armour=MESH, field_armour=DISPLACER))
    struck = hit(VEX, by=MAGS, save_cover="partial", save_with=with_)
    if face >= needed:
        table.when(struck, wound(4), save(face)).then_nothing_happened()
    else:
        assert table.when(struck, wound(4), save(face), injury("flesh")).rolls[1].target == needed


@every(("cover", "needed"), [("full", 5), ("partial", 6)])
@every("face", range(1, 7))
def test_without_armour_plus_2_saves_on_5_and_plus_1_on_6(cover: str, needed: int, face: int) -> None:
    struck = hit(VEX, by=MAGS, save_cover=cover)
    if face >= needed:
        given().when(struck, wound(4), save(face)).then_nothing_happened()
    else:
        assert given().when(struck, wound(4), save(face), injury("flesh")).rolls[1].target == needed


def test_three_damage_on_two_wounds_rolls_two_injury_dice() -> None:
    table = given(card(VEX, wounds=2)).when(hit(VEX, by=MAGS, damage=3), wound(4), injury("flesh", "flesh"))
    assert table.outcome[0] == records.WoundsLost(fighter=VEX, by=MAGS, wounds_lost=2, wounds_left=0)
    assert [roll.purpose for roll in table.rolls] == ["wound", "injury", "injury"]


def test_gas_allows_no_save_whatever_helps() -> None:
    table = given(card(VEX, armour=MESH, field_armour=DISPLACER))
    struck = hit(VEX, by=MAGS, damage=None, traits=("Gas",), save_cover="full")
    table.when(struck, wound(6), save(6)).then_refused(DiceNeeded, purpose="injury")
    assert len(table.when(struck, wound(6), injury("flesh")).rolls) == 2


# --- Shooting --------------------------------------------------------------------------------------------


def test_a_target_out_of_range_is_missed_but_the_firepower_die_is_rolled() -> None:
    armed().when(shot(range_band="beyond")).then_refused(DiceNeeded, purpose="firepower")
    table = armed().when(shot(range_band="beyond"), *dice(firepower="ammo", ammo=1))
    assert [roll.purpose for roll in table.rolls] == ["firepower", "ammo"]
    assert [event.result for event in table.outcome if isinstance(event, records.ShotFired)] == [
        "beyond_range"
    ]
    assert table.combatant(MAGS).out_of_ammo == ("gun",)


def test_a_template_hits_without_a_roll_but_the_firepower_die_is_rolled() -> None:
    flamer = armed(gun("gun", "Template"))
    burning = shot(None, range_band=None, under_template=(there(KRUG), there(VEX)))
    flamer.when(burning).then_refused(DiceNeeded, purpose="firepower")
    table = flamer.when(burning, *dice(firepower="one_hole", wound=[1, 1]))
    assert [roll.purpose for roll in table.rolls] == ["firepower", "wound", "wound"]


SHOTGUN = gun("shotgun", profiles=(mode("solid"), mode("scatter"), mode("executioner", "Limited", ammo=6)))


@every("fired", ["solid", "scatter", "executioner"])
@every("reloaded", ["solid", "scatter"])
def test_a_shotgun_empties_with_any_of_its_rounds_and_is_reloaded_by_any_that_are_left(
    fired: str, reloaded: str
) -> None:
    table = armed(SHOTGUN).when(
        shot(weapon="shotgun", profile_name=fired), *dice(hit=1, firepower="ammo", ammo=1)
    )
    for profile in ("solid", "scatter", "executioner"):
        gone = profile == fired == "executioner"
        refused = table.when(shot(weapon="shotgun", profile_name=profile))
        refused.then_refused(records.WeaponDoneForBattle if gone else records.WeaponOutOfAmmo)
    ready = table.when(records.Reload(fighter=MAGS, weapon="shotgun", profile_name=reloaded), *dice(ammo=4))
    for profile in ("solid", "scatter", "executioner"):
        again = shot(weapon="shotgun", profile_name=profile)
        if profile == fired == "executioner":
            ready.when(again).then_refused(records.WeaponDoneForBattle)
        else:
            ready.when(again, *dice(hit=1, firepower="one_hole"))


@every(("armour", "needed"), [(MESH, 4), (None, 6)])
@every("face", range(1, 7))
def test_partial_cover_from_a_marker_makes_mesh_a_4_and_no_armour_a_6(armour, needed: int, face: int) -> None:
    table = given(card(MAGS, weapons=(gun("frag", 'Blast (3")'),)), card(KRUG, armour=armour))
    thrown = shot(weapon="frag", under_marker=(there(KRUG, cover="partial"),))
    saved = face >= needed
    table = table.when(
        thrown,
        *dice(hit=6, firepower="one_hole", wound=4, save=face),
        *(() if saved else injury("flesh")),
    )
    roll = next(roll for roll in table.rolls if roll.purpose == "save")
    assert (roll.target, roll.passed) == (needed, saved)


# --- Close Combat ----------------------------------------------------------------------------------------


def test_a_broken_fighter_who_turns_to_react_hits_at_minus_3() -> None:
    table = given(card(VEX, weapon_skill=3)).when(
        out_of_action(KRUG, by=MAGS), read_die("lasting_injury", "D66", [2, 1])
    )
    table = table.when(
        records.TakeNerveTest(fighter=VEX, because_of=KRUG, friends_near_count=0),
        read_die("nerve", "2D6", "1+1"),
    )
    table = table.when(fight(VEX, MAGS, reaction=True, turn_to_face=True), melee_hit(5))
    (roll,) = hit_rolls(table)
    assert (sum(modifier.by for modifier in roll.modifiers), roll.target, roll.passed) == (-3, 6, False)


@every("share", [(2, 1), (1, 2)])
def test_the_odd_one_of_three_attack_dice_goes_to_the_weapon_that_its_player_chooses(
    share: tuple[int, int],
) -> None:
    """Two Attacks and one for two weapons are three dice: evenly, but for the odd one."""
    table = given(card(VEX, attacks=2, weapons=(KNIFE, SWORD)))
    table = table.when(fight(VEX, at(MAGS, *share), using=("knife", "sword")), melee_hit(1, 1, 1))
    (shared,) = [event for event in table.outcome if isinstance(event, records.AttackDiceShared)]
    assert tuple(share.attack_dice for share in shared.shares) == share


def test_a_pistol_at_close_quarters_takes_one_dice_and_fists_the_rest() -> None:
    table = given(card(VEX, attacks=3, weapons=(STUB,)))
    table = table.when(
        fight(VEX, DOT, using=("stub gun",)), *melee_hit(1), *dice(firepower="one_hole"), *melee_hit(1, 1)
    )
    (shared,) = [event for event in table.outcome if isinstance(event, records.AttackDiceShared)]
    assert [(share.weapon, share.attack_dice) for share in shared.shares] == [("stub gun", 1), ("", 2)]
