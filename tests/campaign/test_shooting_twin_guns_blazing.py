"""Twin Guns Blazing, played: two Sidearms fired together."""

from scenario import MAGS, OUT_COLD, injury, wound
from shots import armed, dice, gun, shot

from tracker.campaign import records

PISTOL, STUB = gun("pistol", "Sidearm"), gun("stub", "Sidearm", strength=3)


def twins(**more: object) -> records.Shoot:
    return shot(weapon="pistol", also=records.SecondSidearm(weapon="stub", range_band="short"), **more)  # type: ignore[arg-type]


def test_two_sidearms_are_fired_at_1_less_each_and_both_rolled_before_anything_is_resolved() -> None:
    table = armed(PISTOL, STUB).when(twins(), *dice(hit=[4, 4], firepower=[1, 1], wound=[1, 1]))
    assert [roll.purpose for roll in table.rolls] == [
        "hit",
        "hit",
        "firepower",
        "firepower",
        "wound",
        "wound",
    ]
    assert [roll.target for roll in table.rolls] == [4, 4, None, None, 3, 4]  # Strength 4, then 3
    assert ("Twin Guns Blazing", -1) in [(modifier.why, modifier.by) for modifier in table.rolls[1].modifiers]


def test_each_of_two_sidearms_has_its_own_firepower_die_and_ammunition() -> None:
    table = armed(PISTOL, STUB).when(twins(), *dice(hit=[1, 1], firepower=["one_hole", "ammo"], ammo=3))
    assert table.combatant(MAGS).out_of_ammo == ("stub",)


def test_each_of_two_sidearms_has_its_own_range() -> None:
    far = shot(weapon="pistol", also=records.SecondSidearm(weapon="stub", range_band="beyond"))
    table = armed(PISTOL, STUB).when(far, *dice(hit=1, firepower=[1, 1]))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower", "firepower"]


def test_a_fighter_removed_by_the_first_weapon_takes_no_hit_of_the_second() -> None:
    table = armed(PISTOL, STUB).when(
        twins(), *dice(hit=[6, 6], firepower=[1, 1]), wound(4), injury("ooa"), OUT_COLD
    )
    assert [roll.purpose for roll in table.rolls].count("wound") == 1
    assert isinstance(table.outcome[-1], records.RuleNoted)


def test_two_weapons_of_one_name_are_fired_together_only_by_who_carries_two() -> None:
    both = shot(weapon="pistol", also=records.SecondSidearm(weapon="pistol", range_band="short"))
    table = armed(PISTOL, PISTOL).when(both, *dice(hit=[1, 1], firepower=["ammo", "ammo"], ammo=[1, 1]))
    assert table.combatant(MAGS).out_of_ammo == ("pistol", "pistol (2)")
    armed(PISTOL).when(both).then_refused(records.UnknownWeapon)


def test_only_two_sidearms_are_fired_together() -> None:
    rifle = armed(PISTOL, gun("rifle"))
    rifle.when(
        shot(weapon="pistol", also=records.SecondSidearm(weapon="rifle", range_band="short"))
    ).then_refused(records.NotASidearm, weapon="rifle")
