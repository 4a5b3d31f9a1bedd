"""A ranged attack, played: priority, hiding, range, the hit roll, pinning, strays, Twin Guns Blazing."""

from scenario import (
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    SAINTS,
    VEX,
    card,
    given,
    injury,
    out_of_action,
    save,
    seriously_injured,
    wound,
)
from shots import armed, dice, gun, mode, shot, there
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Armour
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.rules import loader

SECTION = loader.book("necromunda_2023").sections["shooting"]
PRIORITY = loader.book("necromunda_2023").sections["target_priority"]


def fired(result: str, *, hits: int = 1, target: str | None = KRUG) -> records.ShotFired:
    return records.ShotFired(
        fighter=MAGS, weapon="gun", profile="", target=target, result=result, hits=hits, section=SECTION  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_shot_goes_from_hit_roll_and_firepower_die_to_the_wound() -> None:
    table = armed().when(
        shot(activation="1"), *dice(hit=3, firepower="one_hole"), wound(4), injury("serious")
    )
    table.then(
        fired("hit"),
        records.FighterPinned(fighter=KRUG),
        records.WoundsLost(fighter=KRUG, by=MAGS, wounds_lost=1, wounds_left=0),
        records.SeriousInjurySuffered(fighter=KRUG, by=MAGS),
        records.ExperienceGained(
            fighter=MAGS,
            amount=2,
            reason="Krug Seriously Injured (leader)",
            victim=KRUG,
            activation="1",
            section=loader.book("necromunda_2023").sections["experience"],
        ),
    )
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower", "wound", "injury"]
    assert [roll.rolled_by for roll in table.rolls[:2]] == [SAINTS, SAINTS]
    assert [roll.fighter for roll in table.rolls] == [MAGS, MAGS, KRUG, KRUG]


# BS 4+; accuracy +1 at Short, -1 at Long.
@every(
    ("facts", "needed", "modifiers"),
    [
        ({"range_band": "short"}, 3, [("accuracy at short range", 1)]),
        ({"range_band": "long"}, 5, [("accuracy at long range", -1)]),
        ({"cover": "partial"}, 4, [("partial cover", -1), ("accuracy at short range", 1)]),
        ({"cover": "full"}, 5, [("full cover", -2), ("accuracy at short range", 1)]),
        ({"engaged": True}, 4, [("accuracy at short range", 1), ("target engaged", -1)]),
        ({"prone": True}, 3, [("accuracy at short range", 1)]),
        (
            {"prone": True, "range_band": "long"},
            6,
            [("accuracy at long range", -1), ("target prone at long range", -1)],
        ),
        (
            {
                "modifiers": (
                    records.ShotModifier(why="aimed", by=1),
                    records.ShotModifier(why="nothing", by=0),
                )
            },
            2,
            [("accuracy at short range", 1), ("aimed", 1)],
        ),
        (
            {"modifiers": (records.ShotModifier(why="aimed", by=5),)},
            2,
            [("accuracy at short range", 1), ("aimed", 5)],
        ),
    ],
)
def test_the_hit_roll_passes_on_what_it_needs_and_not_below(
    facts: dict[str, object], needed: int, modifiers: list[tuple[str, int]]
) -> None:
    for face in range(1, 7):
        resolved = (wound(1),) if face >= needed else ()
        table = armed().when(shot(**facts), *dice(hit=face, firepower=1), *resolved)  # type: ignore[arg-type]
        roll = table.rolls[0]
        assert (roll.target, roll.passed) == (needed, face >= needed)
        assert [(modifier.why, modifier.by) for modifier in roll.modifiers] == modifiers


@every("first", range(1, 7))
def test_an_improbable_shot_needs_a_6_and_then_the_plain_skill(first: int) -> None:
    facts = {"range_band": "long", "cover": "full"}  # BS 4+ at -3 needs 7
    if first < 6:
        missed = armed().when(shot(**facts), *dice(improbable_hit=first, firepower=1))  # type: ignore[arg-type]
        missed.then(fired("missed"))
        assert (missed.rolls[0].target, missed.rolls[0].passed) == (6, False)
        return
    for second in range(1, 7):
        resolved = (wound(1),) if second >= 4 else ()
        table = armed().when(shot(**facts), *dice(improbable_hit=6, hit=second, firepower=1), *resolved)  # type: ignore[arg-type]
        assert (table.rolls[1].target, table.rolls[1].passed, table.rolls[1].modifiers) == (
            4,
            second >= 4,
            (),
        )


def test_the_second_roll_of_an_improbable_shot_leaves_out_what_helps_too() -> None:
    facts = {"cover": "full", "engaged": True, "modifiers": (records.ShotModifier(why="smoke", by=-2),)}
    table = armed().when(shot(**facts), *dice(improbable_hit=6, hit=3, firepower=1))  # type: ignore[arg-type]
    assert (table.rolls[1].target, table.rolls[1].passed) == (4, False)


# --- range -----------------------------------------------------------------------------------------------


def test_beyond_long_range_misses_without_a_roll_but_for_the_firepower_die() -> None:
    table = (
        armed().when(shot(range_band="beyond"), *dice(firepower="ammo", ammo=4)).then(fired("beyond_range"))
    )
    assert [roll.purpose for roll in table.rolls] == ["firepower", "ammo"]
    armed().when(shot(range_band="beyond")).then_refused(DiceNeeded, purpose="firepower")
    armed().when(shot(range_band="beyond"), *dice(hit=6, firepower=1)).then_refused(DiceLeftOver)


def test_an_automatic_miss_for_range_puts_models_within_long_range_at_risk_unless_a_table_says_no() -> None:
    facts = {"range_band": "beyond", "at_risk": (there(VEX),)}
    strays = armed().when(shot(**facts), *dice(firepower=1, stray=3), wound(1))  # type: ignore[arg-type]
    strays.then(fired("beyond_range"), records.FighterPinned(fighter=VEX))
    none = armed(knobs={"stray_shots.beyond_range": "none"})
    none.when(shot(**facts), *dice(firepower=1)).then(fired("beyond_range"))  # type: ignore[arg-type]


# --- pinning ---------------------------------------------------------------------------------------------


def test_the_hit_pins_though_it_does_not_wound_or_is_saved() -> None:
    armed().when(shot(), *dice(hit=6, firepower=1), wound(1)).then(
        fired("hit"), records.FighterPinned(fighter=KRUG)
    )
    mesh = armed(others=(card(KRUG, armour=Armour(name="Mesh", save=5)),))
    saved = mesh.when(shot(), *dice(hit=6, firepower=1), wound(6), save(5))
    saved.then(fired("hit"), records.FighterPinned(fighter=KRUG))
    assert saved.combatant(KRUG).pinned


def test_who_is_engaged_seriously_injured_or_pinned_already_is_not_pinned() -> None:
    armed().when(shot(engaged=True), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))
    down = armed().when(seriously_injured(KRUG))
    down.when(shot(), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))
    pinned = armed().when(shot(), *dice(hit=6, firepower=1), wound(1))
    pinned.when(shot(), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))


def test_gas_does_not_pin() -> None:
    armed(gun("gun", "Gas")).when(shot(), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))


def test_a_miss_does_not_pin() -> None:
    armed().when(shot(), *dice(hit=1, firepower=1)).then(fired("missed"))


def test_stated_posture_becomes_what_the_battle_knows() -> None:
    table = armed().when(shot(prone=True), *dice(hit=1, firepower=1))
    table.then(records.FighterPinned(fighter=KRUG), fired("missed"))
    again = table.when(shot(prone=False), *dice(hit=1, firepower=1))
    again.then(records.FighterUnpinned(fighter=KRUG), fired("missed"))
    assert not again.combatant(KRUG).pinned
    assert not table.when(records.Unpin(fighter=KRUG)).combatant(KRUG).pinned
    armed().when(seriously_injured(KRUG)).when(shot(prone=False)).then_refused(records.PostureContradicted)


# --- target priority -------------------------------------------------------------------------------------


def test_another_target_than_the_closest_takes_a_cool_test_on_two_dice() -> None:
    rest = (*dice(hit=1, firepower=1),)
    for first in range(1, 7):
        for second in range(1, 7):
            passed = first + second >= 7
            table = armed().when(
                shot(closest=False), *dice(priority_cool=f"{first}+{second}"), *(rest if passed else ())
            )
            roll = table.rolls[0]
            assert (roll.purpose, roll.faces, roll.target, roll.passed) == (
                "priority_cool",
                (first, second),
                7,
                passed,
            )
            assert isinstance(table.outcome[0], records.ShotFired if passed else records.RuleNoted)


def test_a_failed_cool_test_leaves_the_shot_unmade() -> None:
    table = armed().when(shot(closest=False), *dice(priority_cool="1+2"))
    assert [type(event) for event in table.outcome] == [records.RuleNoted]
    assert table.state.under_way == table.before.under_way
    armed().when(shot(closest=False), *dice(priority_cool="1+2", hit=6, firepower=1)).then_refused(
        DiceLeftOver
    )


def test_the_closest_is_skipped_freely_when_seriously_injured_wrecked_or_harder_to_hit() -> None:
    rest = dice(hit=1, firepower=1)
    hard = records.NearerEnemy(model=VEX, because="harder_to_hit")
    armed().when(shot(closest=False, nearer=(hard,)), *rest).then(fired("missed"))
    down = armed().when(seriously_injured(VEX))
    down.when(
        shot(closest=False, nearer=(records.NearerEnemy(model=VEX, because="seriously_injured"),)), *rest
    ).then(fired("missed"))
    wreck = records.NearerEnemy(model="rust-buggy", because="wrecked")
    armed().when(shot(closest=False, nearer=(wreck, hard)), *rest).then(fired("missed"))


def test_one_nearer_enemy_who_is_not_free_to_skip_asks_for_the_test() -> None:
    wreck, held = records.NearerEnemy(model="rust-buggy", because="wrecked"), records.NearerEnemy(model=VEX)
    armed().when(shot(closest=False, nearer=(wreck, held))).then_refused(DiceNeeded, purpose="priority_cool")


def test_a_free_skip_that_the_battle_contradicts_is_refused() -> None:
    for model, because in ((VEX, "seriously_injured"), (VEX, "wrecked")):
        nearer = (records.NearerEnemy(model=model, because=because),)  # type: ignore[arg-type]
        armed().when(shot(closest=False, nearer=nearer)).then_refused(records.SkipNotFree, because=because)
    nobody = (records.NearerEnemy(model="nobody", because="seriously_injured"),)
    armed().when(shot(closest=False, nearer=nobody)).then_refused(records.UnknownFighter)


def test_nearer_enemies_are_enemies_in_play_and_not_the_target() -> None:
    def asked(model: str):
        return shot(closest=False, nearer=(records.NearerEnemy(model=model, because="harder_to_hit"),))

    armed().when(asked(DOT)).then_refused(records.ShootsOwnGang)
    armed().when(asked(KRUG)).then_refused(records.SituationContradicts)
    armed().when(out_of_action(VEX), OUT_COLD).when(asked(VEX)).then_refused(records.FighterOutOfPlay)
    armed().when(shot(nearer=(records.NearerEnemy(model=VEX),))).then_refused(records.SituationContradicts)


def test_an_enemy_behind_the_shooter_counts_under_the_house_rule_alone() -> None:
    behind = shot(nearer=(records.NearerEnemy(model=VEX, out_of_arc=True),))
    armed().when(behind, *dice(hit=1, firepower=1)).then(fired("missed"))
    house = armed(knobs={"target_priority.needs_vision_arc": "false"})
    house.when(behind).then_refused(DiceNeeded, purpose="priority_cool")
    house.when(behind, *dice(priority_cool="3+4", hit=1, firepower=1)).then(fired("missed"))
    failed = house.when(behind, *dice(priority_cool="3+3"))
    assert "turned to" in failed.outcome[0].why  # type: ignore[union-attr]


def test_a_skill_may_waive_the_test() -> None:
    table = armed().when(shot(closest=False, priority_waived="Marksman"), *dice(hit=1, firepower=1))
    table.then(
        records.RuleNoted(fighter=MAGS, why="no Cool test for target priority: Marksman", section=PRIORITY),
        fired("missed"),
    )
    armed().when(shot(priority_waived="Marksman"), *dice(hit=1, firepower=1)).then(fired("missed"))


def test_who_is_prone_and_in_cover_cannot_be_targeted() -> None:
    for cover in ("partial", "full"):
        armed().when(shot(cover=cover, prone=True)).then_refused(records.TargetHides)
        armed().when(seriously_injured(KRUG)).when(shot(cover=cover)).then_refused(records.TargetHides)
        armed().when(shot(cover=cover, prone=False), *dice(hit=1, firepower=1)).then(fired("missed"))
    armed().when(seriously_injured(KRUG)).when(shot(), *dice(hit=1, firepower=1)).then(fired("missed"))


# --- strays ----------------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_a_miss_hits_whom_it_passes_on_1_to_3(face: int) -> None:
    table = armed().when(
        shot(at_risk=(there(VEX),)), *dice(hit=1, firepower=1, stray=face), *((wound(1),) if face < 4 else ())
    )
    struck = (records.FighterPinned(fighter=VEX),) if face < 4 else ()
    table.then(fired("missed"), *struck)
    assert (table.rolls[2].fighter, table.rolls[2].passed) == (VEX, face < 4)


@every("face", range(1, 7))
def test_under_the_house_rule_a_stray_hits_on_6_only(face: int) -> None:
    house = armed(knobs={"stray_shots.hits_on": "6"})
    table = house.when(
        shot(at_risk=(there(VEX),)),
        *dice(hit=1, firepower=1, stray=face),
        *((wound(1),) if face == 6 else ()),
    )
    assert table.rolls[2].passed is (face == 6)


def test_strays_go_from_the_nearest_on_and_stop_at_the_first_hit() -> None:
    row = shot(at_risk=(there(DOT), there(VEX, engaged=True)))
    armed().when(row, *dice(hit=1, firepower=1, stray=[4, 3]), wound(1)).then(fired("missed"))
    first = armed().when(row, *dice(hit=1, firepower=1, stray=1), wound(1))
    first.then(fired("missed"), records.FighterPinned(fighter=DOT))
    armed().when(row, *dice(hit=1, firepower=1, stray=[1, 1]), wound(1)).then_refused(DiceLeftOver)
    armed().when(row, *dice(hit=1, firepower=1, stray=[5, 6])).then(fired("missed"))


def test_a_friend_hit_by_a_stray_is_wounded_by_the_enemy_and_earns_nothing() -> None:
    table = armed().when(
        shot(at_risk=(there(DOT),)), *dice(hit=1, firepower=1, stray=1), wound(4), injury("serious")
    )
    assert not [event for event in table.outcome if isinstance(event, records.ExperienceGained)]
    assert table.rolls[3].rolled_by == "skulls"


def test_a_hit_puts_nobody_at_risk() -> None:
    armed().when(shot(at_risk=(there(VEX),)), *dice(hit=6, firepower=1, stray=1), wound(1)).then_refused(
        DiceLeftOver
    )


def test_every_hit_that_a_rapid_fire_miss_would_have_scored_goes_astray_by_itself() -> None:
    burst = armed(gun("gun", "Rapid Fire (1)"))
    row = shot(at_risk=(there(DOT), there(VEX)))
    table = burst.when(row, *dice(hit=1, firepower=3, stray=1, ammo=6), wound(1))
    assert [roll.purpose for roll in table.rolls] == ["hit", "firepower", "ammo", "stray", "wound"]
    three = burst.when(row, *dice(hit=1, firepower=6, stray=[4, 4, 4, 2, 1], wound=[1, 1]))
    assert [(roll.purpose, roll.fighter) for roll in three.rolls[2:]] == [
        ("stray", DOT), ("stray", VEX), ("stray", DOT), ("stray", VEX), ("wound", VEX), ("stray", DOT), ("wound", DOT),
    ]  # fmt: skip


def test_a_fighter_who_is_removed_by_one_stray_is_not_rolled_for_again() -> None:
    burst = armed(gun("gun", "Rapid Fire (1)"))
    table = burst.when(
        shot(at_risk=(there(VEX),)), *dice(hit=1, firepower=4, stray=1), wound(4), injury("ooa"), OUT_COLD
    )
    assert [roll.purpose for roll in table.rolls].count("stray") == 1


def test_attacker_and_target_are_at_no_risk() -> None:
    for fighter in (MAGS, KRUG):
        armed().when(shot(at_risk=(there(fighter),))).then_refused(records.SituationContradicts)
    armed().when(shot(at_risk=(there(VEX), there(VEX)))).then_refused(records.FighterListedTwice)
    armed().when(shot(at_risk=(there("nobody"),))).then_refused(records.UnknownFighter)


# --- Twin Guns Blazing -----------------------------------------------------------------------------------

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


# --- skills and actions ----------------------------------------------------------------------------------


@every(
    ("skill", "knobs", "by"),
    [
        ("fast_shot", {}, 0),
        ("fast_shot", {"fast_shot.hit_modifier": "-1"}, -1),
        ("hip_shooting", {}, -1),
        ("hip_shooting", {"hip_shooting.hit_modifier": "-2"}, -2),
    ],
)
def test_fast_shot_and_hip_shooting_cost_what_the_rules_in_force_say(
    skill: str, knobs: dict[str, str], by: int
) -> None:
    table = armed(skills=("Fast Shot", "Hip Shooting"), knobs=knobs).when(
        shot(using=(skill,)), *dice(hit=1, firepower=1)
    )
    assert table.rolls[0].target == 3 - by
    armed().when(shot(using=(skill,))).then_refused(records.SkillNotHeld)


def test_an_unwieldy_weapon_is_fired_by_a_double_action_or_under_the_house_rule_at_1_less() -> None:
    heavy = gun("gun", "Unwieldy")
    armed(heavy).when(shot(action="basic")).then_refused(records.UnwieldyNeedsDouble)
    for knobs, action, needed in (
        ({}, "double", 3),
        ({}, None, 3),
        ({"unwieldy.basic_action": "minus_1"}, "basic", 4),
        ({"unwieldy.basic_action": "minus_1"}, "double", 3),
    ):
        table = armed(heavy, knobs=knobs).when(shot(action=action), *dice(hit=1, firepower=1))
        assert table.rolls[0].target == needed
    armed().when(shot(action="basic"), *dice(hit=1, firepower=1)).then(fired("missed"))


# --- refused ---------------------------------------------------------------------------------------------


@every(
    ("weapon", "facts", "refusal"),
    [
        (gun(), {"target": None}, records.NothingShotAt),
        (gun(), {"range_band": None}, records.RangeNotStated),
        (gun(range_short_inches=None), {}, records.SituationContradicts),
        (gun(range_short_inches=30), {}, records.SituationContradicts),
        (gun(range_long_inches=None), {"range_band": "long"}, records.NotForShooting),
        (gun(ammo=None), {}, records.NotForShooting),
        (gun(strength=0), {}, records.NoStrength),
        (gun(), {"weapon": "cannon"}, records.UnknownWeapon),
        (gun(profiles=(mode("solid"), mode("scatter"))), {}, records.ProfileNotNamed),
        (gun(), {"target": MAGS}, records.TargetsSelf),
        (gun(), {"target": DOT}, records.ShootsOwnGang),
        (gun(), {"target": "nobody"}, records.UnknownFighter),
        (gun(), {"firepower_dice": 2}, records.TooManyFirepowerDice),
        (gun("gun", "Rapid Fire (2)"), {"firepower_dice": 3}, records.TooManyFirepowerDice),
        (gun("gun", "Rapid Fire (2)"), {"firepower_dice": 0}, records.TooManyFirepowerDice),
        (gun(), {"hits_on": (there(KRUG),)}, records.SituationContradicts),
        (gun("gun", "Rapid Fire (1)"), {"hits_on": (there(VEX),)}, records.SituationContradicts),
        (gun("gun", "Rapid Fire (1)"), {"hits_on": (there(KRUG), there(DOT))}, records.ShootsOwnGang),
        (gun(), {"engaged": True, "prone": True}, records.SituationContradicts),
        (gun(), {"target": None, "point": True}, records.SituationContradicts),
        (gun(), {"under_marker": (there(KRUG),)}, records.SituationContradicts),
        (gun(), {"under_template": (there(KRUG),)}, records.SituationContradicts),
        (gun(), {"unseen": "smoke"}, records.SituationContradicts),
        (gun(), {"using": ("fast_shot", "fast_shot")}, records.SituationContradicts),
        (gun(), {"at_risk": (there(VEX, engaged=True, prone=True),)}, records.SituationContradicts),
        (gun(), {"at_risk": (there(VEX, engaged_with=(KRUG,)),)}, records.SituationContradicts),
    ],
)
def test_a_situation_that_contradicts_itself_is_refused(
    weapon, facts: dict[str, object], refusal: type
) -> None:
    table = armed(weapon).when(shot(**{"target": KRUG, **facts}))  # type: ignore[arg-type]
    table.then_refused(refusal)
    assert "." in table.refusal.message()  # type: ignore[union-attr]


def test_who_is_pinned_is_not_engaged() -> None:
    pinned = armed().when(shot(), *dice(hit=6, firepower=1), wound(1))
    pinned.when(shot(engaged=True)).then_refused(records.SituationContradicts)
    pinned.when(shot(engaged=True, prone=False), *dice(hit=1, firepower=1)).then(
        records.FighterUnpinned(fighter=KRUG), fired("missed")
    )


def test_nobody_shoots_outside_a_battle_or_out_of_action() -> None:
    given(battle=False).when(shot()).then_refused(records.NoBattleUnderWay)
    armed().when(out_of_action(MAGS), OUT_COLD).when(shot()).then_refused(records.FighterOutOfPlay)
    armed().when(out_of_action(KRUG), OUT_COLD).when(shot()).then_refused(records.FighterOutOfPlay)
    armed().when(seriously_injured(MAGS)).when(shot()).then_refused(records.ShooterDown)


def test_a_weapon_on_nobodys_card_is_fired_by_its_numbers() -> None:
    table = armed().when(
        shot(weapon="borrowed", profile=mode("")), *dice(hit=3, firepower=1), wound(4), injury("flesh")
    )
    assert table.rolls[2].target == 3
    bare = armed().when(
        shot(weapon="thrown", profile=mode("", strength=None)), *dice(hit=3, firepower=1), wound(1)
    )
    assert bare.rolls[2].target == 4  # the thrower's own Strength 3
    axe = mode("", strength=None, strength_added=1)
    thrown = armed().when(shot(weapon="axe", profile=axe), *dice(hit=3, firepower=1), wound(1))
    assert thrown.rolls[2].target == 3


# --- Rapid Fire ------------------------------------------------------------------------------------------


def test_rapid_fire_scores_a_hit_for_each_bullet_hole_of_one_hit_roll() -> None:
    burst = armed(gun("gun", "Rapid Fire (2)"), others=(card(KRUG, wounds=6),))
    table = burst.when(shot(firepower_dice=2), *dice(hit=6, firepower=[6, 4], wound=[1] * 5))
    assert table.outcome[0] == fired("hit", hits=5)
    assert [roll.purpose for roll in table.rolls].count("hit") == 1
    assert [roll.purpose for roll in table.rolls].count("wound") == 5


def test_hits_of_rapid_fire_are_allotted_and_resolved_in_the_order_stated() -> None:
    burst = armed(gun("gun", "Rapid Fire (1)"))
    table = burst.when(shot(hits_on=(there(KRUG), there(VEX))), *dice(hit=6, firepower=6, wound=[1, 1, 1]))
    assert [roll.fighter for roll in table.rolls[2:]] == [KRUG, VEX, KRUG]
    fewer = burst.when(shot(hits_on=(there(KRUG), there(VEX))), *dice(hit=6, firepower=1), wound(1))
    assert [roll.fighter for roll in fewer.rolls[2:]] == [KRUG]


def test_each_hit_is_an_injury_roll_of_its_own_and_who_is_removed_takes_no_more() -> None:
    burst = armed(gun("gun", "Rapid Fire (1)"))
    table = burst.when(shot(), *dice(hit=6, firepower=6, wound=[4, 4]), injury("flesh", "ooa"), OUT_COLD)
    assert [roll.purpose for roll in table.rolls[2:]] == [
        "wound",
        "injury",
        "wound",
        "injury",
        "lasting_injury",
    ]
    assert isinstance(table.outcome[-1], records.RuleNoted)
