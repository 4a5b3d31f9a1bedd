"""Ammunition, played: Firepower dice, Ammo tests, Out of Ammo, Reloads, profiles that are used up."""

from typing import Any

from scenario import CLOSING, KRUG, MAGS, OUT_COLD, VEX, injury, opening, out_of_action, wound
from shots import armed, dice, gun, mode, shot, there
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded

OUT = records.WeaponRanOutOfAmmo(fighter=MAGS, weapon="gun", slot="gun")


def spent(
    profile: str = "", *, why: str = "ammo_test", limited: bool = False, slot: str = "gun"
) -> records.AmmoSpent:
    return records.AmmoSpent(fighter=MAGS, weapon="gun", profile=profile, slot=slot, why=why, limited=limited)  # type: ignore[arg-type]


def reload(profile: str | None = None, *, weapon: str = "gun", fighter: str = MAGS) -> records.Reload:
    return records.Reload(fighter=fighter, weapon=weapon, profile_name=profile)


def after_shot(table, *, profile: str | None = None, ammo: Any = 1, **more: Any):
    """A miss with an Ammo symbol and these Ammo tests."""
    return table.when(shot(profile_name=profile, **more), *dice(hit=1, firepower="ammo", ammo=ammo))


# --- the test --------------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_an_ammo_symbol_asks_for_an_ammo_test_whether_the_shot_hits_or_misses(face: int) -> None:
    for hit, resolved in ((1, ()), (6, (wound(1),))):
        table = armed().when(shot(), *dice(hit=hit, firepower="ammo", ammo=face), *resolved)
        roll = table.rolls[2]
        assert (roll.purpose, roll.target, roll.passed) == ("ammo", 4, face >= 4)
        assert (OUT in table.outcome) is (face < 4)
        assert (records.FighterPinned(fighter=KRUG) in table.outcome) is (hit == 6)


def test_bullet_holes_alone_ask_for_no_test() -> None:
    for face in (1, 2, 4, 5, 6):
        armed().when(shot(), *dice(hit=1, firepower=face, ammo=1)).then_refused(DiceLeftOver)
        assert armed().when(shot(), *dice(hit=1, firepower=face)).combatant(MAGS).out_of_ammo == ()


def test_the_firepower_die_may_be_shown_by_symbol() -> None:
    for word in ("ammo", "ammo+1", "Ammo"):
        armed().when(shot(), *dice(hit=1, firepower=word)).then_refused(DiceNeeded, purpose="ammo")


def test_the_attack_that_ran_dry_is_resolved_as_normal() -> None:
    table = armed().when(shot(), *dice(hit=6, firepower="ammo", ammo=1), wound(4), injury("flesh"))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower", "ammo", "wound", "injury"]


# --- Out of Ammo and Reload ------------------------------------------------------------------------------


def test_a_weapon_out_of_ammo_is_not_fired_until_it_is_reloaded() -> None:
    dry = after_shot(armed())
    dry.when(shot()).then_refused(records.WeaponOutOfAmmo, weapon="gun")
    again = dry.when(reload(), *dice(ammo=3))
    again.then_nothing_happened()
    ready = again.when(reload(), *dice(ammo=4))
    ready.then(records.WeaponReloaded(fighter=MAGS, weapon="gun", slot="gun"))
    ready.when(shot(), *dice(hit=1, firepower=1))
    assert ready.combatant(MAGS).out_of_ammo == ()


def test_only_a_weapon_that_is_out_of_ammo_is_reloaded() -> None:
    armed().when(reload()).then_refused(records.NothingToReload)
    armed().when(reload(weapon="cannon")).then_refused(records.UnknownWeapon)
    after_shot(armed()).when(out_of_action(MAGS), OUT_COLD).when(reload()).then_refused(
        records.FighterOutOfPlay
    )


def test_a_weapon_on_no_card_is_reloaded_by_the_numbers_it_was_fired_with() -> None:
    borrowed = mode("", ammo=5)
    dry = armed().when(shot(weapon="lent", profile=borrowed), *dice(hit=1, firepower="ammo", ammo=4))
    assert dry.combatant(MAGS).out_of_ammo == ("lent",)
    dry.when(reload(weapon="lent")).then_refused(records.UnknownWeapon)
    again = dry.when(records.Reload(fighter=MAGS, weapon="lent", profile=borrowed), *dice(ammo=4))
    again.then_nothing_happened()
    ready = again.when(records.Reload(fighter=MAGS, weapon="lent", profile=borrowed), *dice(ammo=5))
    assert ready.combatant(MAGS).out_of_ammo == ()
    ready.when(records.Reload(fighter=MAGS, weapon="lent", profile=borrowed)).then_refused(
        records.NothingToReload
    )


def test_a_borrowed_weapon_whose_ammunition_is_used_up_is_not_reloaded() -> None:
    for trait in ("Scarce", "Limited"):
        borrowed = mode("", trait)
        dry = armed().when(shot(weapon="lent", profile=borrowed), *dice(hit=1, firepower="ammo", ammo=1))
        command = records.Reload(fighter=MAGS, weapon="lent", profile=borrowed)
        dry.when(command).then_refused(records.WeaponDoneForBattle)


def test_plentiful_reloads_without_a_test() -> None:
    table = after_shot(armed(gun("gun", "Plentiful"))).when(reload())
    assert [type(event) for event in table.outcome] == [records.RuleNoted, records.WeaponReloaded]
    assert table.rolls == ()


def test_ammunition_is_whole_again_in_the_next_battle() -> None:
    table = after_shot(armed()).when(CLOSING).when(opening(2))
    assert table.combatant(MAGS).out_of_ammo == ()
    table.when(shot(), *dice(hit=1, firepower=1))


def test_a_fighter_with_two_weapons_of_a_name_fires_the_one_that_has_ammunition() -> None:
    table = after_shot(armed(gun(), gun()))
    second = table.when(shot(), *dice(hit=1, firepower="ammo", ammo=1))
    assert second.combatant(MAGS).out_of_ammo == ("gun", "gun (2)")
    second.when(shot()).then_refused(records.WeaponOutOfAmmo)
    assert second.when(reload(), *dice(ammo=6)).combatant(MAGS).out_of_ammo == ("gun (2)",)


# --- Rapid Fire ------------------------------------------------------------------------------------------


@every(
    ("tests", "out", "jammed"),
    [([4, 4], (), ()), ([3, 4], ("gun",), ()), ([4, 3], ("gun",), ()), ([3, 3], (), ("gun",))],
)
def test_two_failed_tests_of_rapid_fire_jam_it_for_the_battle(
    tests: list[int], out: tuple[str, ...], jammed: tuple[str, ...]
) -> None:
    burst = armed(gun("gun", "Rapid Fire (2)"))
    table = burst.when(shot(firepower_dice=2), *dice(hit=1, firepower=["ammo", "ammo"], ammo=tests))
    assert (table.combatant(MAGS).out_of_ammo, table.combatant(MAGS).jammed) == (out, jammed)
    if jammed:
        assert records.WeaponJammed(fighter=MAGS, weapon="gun", slot="gun") in table.outcome
        table.when(shot()).then_refused(records.WeaponDoneForBattle)
        table.when(reload()).then_refused(records.WeaponDoneForBattle)


# --- several profiles ------------------------------------------------------------------------------------

SHOTGUN = gun(profiles=(mode("solid"), mode("scatter", ammo=2), mode("hot", "Scarce", ammo=5)))


def test_a_test_failed_by_one_profile_empties_the_weapon_and_any_profile_reloads_it() -> None:
    dry = after_shot(armed(SHOTGUN), profile="solid")
    for profile in ("solid", "scatter", "hot"):
        dry.when(shot(profile_name=profile)).then_refused(records.WeaponOutOfAmmo)
    dry.when(reload("solid"), *dice(ammo=3)).then_nothing_happened()
    ready = dry.when(reload("scatter"), *dice(ammo=2))
    for profile in ("solid", "scatter", "hot"):
        ready.when(shot(profile_name=profile), *dice(hit=1, firepower=1))


def test_a_reload_of_several_profiles_says_by_which_and_never_by_scarce_ammunition() -> None:
    dry = after_shot(armed(SHOTGUN), profile="solid")
    dry.when(reload()).then_refused(records.ProfileNotNamed)
    dry.when(reload("hot")).then_refused(records.WeaponDoneForBattle)
    one_left = gun(profiles=(mode("solid"), mode("hot", "Scarce")))
    after_shot(armed(one_left), profile="solid").when(reload(), *dice(ammo=4)).then(
        records.WeaponReloaded(fighter=MAGS, weapon="gun", slot="gun")
    )


def test_scarce_ammunition_that_fails_is_gone_for_the_battle_and_the_rest_is_reloaded() -> None:
    dry = after_shot(armed(SHOTGUN), profile="hot", ammo=4)
    assert dry.outcome[:2] == (OUT, spent("hot"))
    dry.when(shot(profile_name="hot")).then_refused(records.WeaponDoneForBattle)
    dry.when(reload("hot")).then_refused(records.WeaponDoneForBattle)
    ready = dry.when(reload("solid"), *dice(ammo=4))
    ready.when(shot(profile_name="hot")).then_refused(records.WeaponDoneForBattle)
    ready.when(shot(profile_name="solid"), *dice(hit=1, firepower=1))


def test_a_scarce_weapon_is_never_reloaded() -> None:
    dry = after_shot(armed(gun("gun", "Scarce")))
    dry.when(reload()).then_refused(records.WeaponDoneForBattle)
    dry.when(shot()).then_refused(records.WeaponDoneForBattle)
    assert dry.when(CLOSING).fighter(MAGS).weapons == (gun("gun", "Scarce"),)


# --- Limited ---------------------------------------------------------------------------------------------


def test_limited_ammunition_that_fails_leaves_the_card_when_the_battle_ends() -> None:
    limited = gun(profiles=(mode("solid"), mode("hot", "Limited")))
    dry = after_shot(armed(limited), profile="hot")
    assert dry.outcome[:2] == (OUT, spent("hot", limited=True))
    assert dry.fighter(MAGS).weapons == (limited,)
    ended = dry.when(CLOSING)
    ended.then(
        records.LimitedAmmoDeleted(
            fighter=MAGS, weapon="gun", profile="hot", weapon_gone=False, cost_credits=100
        ),
        records.BattleClosed(battle="battle-1", winner=None, drawn=True),
    )
    assert [profile.name for profile in ended.fighter(MAGS).weapons[0].profiles] == ["solid"]
    ended.when(opening(2)).when(shot(profile_name="hot")).then_refused(records.ProfileNotNamed)


def test_a_weapon_goes_with_its_last_profile_and_lowers_the_cost() -> None:
    both = gun(profiles=(mode("cold", "Limited"), mode("hot", "Limited")))
    table = after_shot(armed(both, gun("spare")), profile="hot")
    table = table.when(reload("cold"), *dice(ammo=4))
    ended = after_shot(table, profile="cold").when(CLOSING)
    assert [event.weapon_gone for event in ended.outcome[:2]] == [False, True]  # type: ignore[union-attr]
    assert [weapon.weapon for weapon in ended.fighter(MAGS).weapons] == ["spare"]
    assert ended.fighter(MAGS).cost_credits == 80


def test_a_table_may_leave_limited_ammunition_on_the_card() -> None:
    table = after_shot(armed(gun("gun", "Limited"), knobs={"ammo.limited": "battle_only"}))
    ended = table.when(CLOSING)
    ended.then(records.BattleClosed(battle="battle-1", winner=None, drawn=True))
    assert ended.fighter(MAGS).weapons == (gun("gun", "Limited"),)


def test_limited_ammunition_that_holds_stays() -> None:
    ended = after_shot(armed(gun("gun", "Limited")), ammo=6).when(CLOSING)
    assert ended.fighter(MAGS).weapons == (gun("gun", "Limited"),)


# --- Single Shot, combi, Unstable ------------------------------------------------------------------------


@every("face", range(1, 7))
def test_a_single_shot_rolls_its_firepower_die_and_is_one_shot_a_battle_without_an_ammo_test(
    face: int,
) -> None:
    table = armed(gun("gun", "Single Shot", ammo=None)).when(shot(), *dice(hit=1, firepower=face))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower"]
    assert table.outcome[0] == spent(why="single_shot")
    table.when(shot()).then_refused(records.WeaponDoneForBattle)
    table.when(reload()).then_refused(records.WeaponDoneForBattle)
    table.when(CLOSING).when(opening(2)).when(shot(), *dice(hit=1, firepower=face))


def test_no_ranged_weapon_is_fired_without_its_firepower_die() -> None:
    for traits in (
        (),
        ("Single Shot",),
        ("Plentiful",),
        ("Scarce",),
        ("Limited",),
        ("Combi",),
        ("Unstable",),
    ):
        armed(gun("gun", *traits)).when(shot(), *dice(hit=1)).then_refused(DiceNeeded, purpose="firepower")
    beyond = armed(gun("gun", "Single Shot")).when(shot(range_band="beyond"))
    beyond.then_refused(DiceNeeded, purpose="firepower")


@every("face", range(1, 7))
def test_an_unstable_single_shot_may_take_its_user_out_too(face: int) -> None:
    harmed = (OUT_COLD,) if face <= 3 else ()
    table = armed(gun("gun", "Single Shot", "Unstable")).when(
        shot(), *dice(hit=1, firepower="ammo", unstable=face), *harmed
    )
    assert table.combatant(MAGS).out_of_action is (face <= 3)


def test_a_single_shot_with_rapid_fire_rolls_its_firepower_dice() -> None:
    burst = armed(gun("gun", "Single Shot", "Rapid Fire (1)"))
    table = burst.when(shot(), *dice(hit=6, firepower=4, wound=[1, 1]))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower", "wound", "wound"]


COMBI = gun(profiles=(mode("bolt", "Combi"), mode("flare", "Combi")))


@every("tests", [[4, 4], [4, 3], [3, 4], [3, 3]])
def test_a_combi_weapon_tests_twice_keeps_the_worse_and_counts_for_each_half(tests: list[int]) -> None:
    table = after_shot(armed(COMBI), profile="bolt", ammo=tests)
    if min(tests) >= 4:
        assert table.combatant(MAGS).out_of_ammo == ()
        return
    assert table.combatant(MAGS).out_of_ammo == ("gun: bolt",)
    table.when(shot(profile_name="bolt")).then_refused(records.WeaponOutOfAmmo)
    table.when(shot(profile_name="flare"), *dice(hit=1, firepower=1))
    table.when(reload("flare")).then_refused(records.NothingToReload)
    table.when(reload("bolt"), *dice(ammo=[4, 4])).then(
        records.WeaponReloaded(fighter=MAGS, weapon="gun", slot="gun: bolt")
    )


@every("face", range(1, 7))
def test_an_unstable_weapon_takes_its_user_out_on_1_to_3_after_the_attack(face: int) -> None:
    harmed = face <= 3
    table = armed(gun("gun", "Unstable")).when(
        shot(),
        *dice(hit=6, firepower="ammo", ammo=4, unstable=face),
        wound(1),
        *((OUT_COLD,) if harmed else ()),
    )
    gone = [event for event in table.outcome if isinstance(event, records.FighterWentOutOfAction)]
    assert [(event.fighter, event.by) for event in gone] == ([(MAGS, None)] if harmed else [])
    assert [roll.purpose for roll in table.rolls][:5] == ["hit", "firepower", "ammo", "unstable", "wound"]


def test_bullet_holes_of_an_unstable_weapon_harm_nobody() -> None:
    armed(gun("gun", "Unstable")).when(shot(), *dice(hit=1, firepower=1, unstable=1)).then_refused(
        DiceLeftOver
    )


def test_an_unstable_template_is_resolved_before_its_user_goes() -> None:
    sweep = gun("gun", "Unstable", "Template", range_long_inches=None, range_short_inches=None)
    table = armed(sweep).when(
        shot(None, range_band=None, under_template=(there(KRUG), there(VEX))),
        *dice(firepower="ammo", ammo=6, unstable=1, wound=[1, 1]),
        OUT_COLD,
    )
    assert [type(event) for event in table.outcome[:3]] == [
        records.ShotFired,
        records.FighterPinned,
        records.FighterPinned,
    ]
    assert table.combatant(MAGS).out_of_action


def test_two_unstable_sidearms_take_their_user_out_once() -> None:
    wild = (gun("gun", "Unstable", "Sidearm"), gun("stub", "Unstable", "Sidearm"))
    table = armed(*wild).when(
        shot(also=records.SecondSidearm(weapon="stub", range_band="short")),
        *dice(hit=[1, 1], firepower=["ammo", "ammo"], ammo=[6, 6], unstable=[1, 1]),
        OUT_COLD,
    )
    assert sum(isinstance(event, records.FighterWentOutOfAction) for event in table.outcome) == 1


# --- Trick Shot ------------------------------------------------------------------------------------------


TRICK = {"trick_shot.ammo_modifier": "1"}


@every(
    ("knobs", "skills", "needed"),
    [(None, ("Trick Shot",), 4), (TRICK, (), 4), (TRICK, ("Trick Shot",), 3)],
)
@every("face", range(1, 7))
def test_by_house_rule_trick_shot_adds_1_to_ammo_tests(
    knobs: dict[str, str] | None, skills: tuple[str, ...], needed: int, face: int
) -> None:
    table = armed(knobs=knobs, skills=skills).when(shot(), *dice(hit=1, firepower="ammo", ammo=face))
    assert (table.combatant(MAGS).out_of_ammo == ()) is (face >= needed)
    assert [(modifier.why, modifier.by) for modifier in table.rolls[2].modifiers] == (
        [("Trick Shot", 1)] if needed == 3 else []
    )
    if face < needed:
        again = table.when(records.Reload(fighter=MAGS, weapon="gun"), *dice(ammo=3))
        assert (again.combatant(MAGS).out_of_ammo == ()) is (needed == 3)
