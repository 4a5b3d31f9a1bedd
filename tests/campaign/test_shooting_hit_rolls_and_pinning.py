"""A ranged attack, played: range, the hit roll, improbable shots, Pinning, Rapid Fire, who may shoot what."""

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
from shots import armed, dice, fired, gun, mode, shot, there
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Armour
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.rules import loader


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


def test_an_engaged_seriously_injured_or_pinned_fighter_is_not_pinned_by_a_hit() -> None:
    armed().when(shot(engaged=True), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))
    down = armed().when(seriously_injured(KRUG))
    down.when(shot(), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))
    pinned = armed().when(shot(), *dice(hit=6, firepower=1), wound(1))
    pinned.when(shot(), *dice(hit=6, firepower=1), wound(1)).then(fired("hit"))


def test_a_hit_by_gas_does_not_pin() -> None:
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


# --- strays ----------------------------------------------------------------------------------------------


# --- Twin Guns Blazing -----------------------------------------------------------------------------------


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
def test_a_contradictory_shot_is_refused(weapon, facts: dict[str, object], refusal: type) -> None:
    table = armed(weapon).when(shot(**{"target": KRUG, **facts}))  # type: ignore[arg-type]
    table.then_refused(refusal)
    assert "." in table.refusal.message()  # type: ignore[union-attr]


def test_a_pinned_fighter_is_not_engaged() -> None:
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
