"""Shooting, the numbers: modifiers, hit rolls, Firepower dice, strays, as the source text has them."""

from itertools import product

from tables import every

from tracker.rules import loader
from tracker.rules.necromunda import shooting as rules
from tracker.rules.necromunda.shooting import HitNeeded, Nearer
from tracker.rules.rulebook import Rulebook

BOOK = "necromunda_2023"
PRINTED = loader.rulebook(BOOK, ())


def under(**knobs: str) -> Rulebook:
    """The book with knobs moved, dots written as two underscores."""
    return loader.rulebook(
        BOOK, [("test@1", {name.replace("__", "."): value for name, value in knobs.items()})]
    )


# --- the hit roll ----------------------------------------------------------------------------------------


def modifier(**changed: object) -> int:
    facts = {
        "cover": "none", "band": "short", "accuracy": 0, "engaged": False, "prone": False, "point": False,
        "traits": (),
    }  # fmt: skip
    return sum(by for _, by in rules.hit_modifiers(**(facts | changed)))  # type: ignore[arg-type]


@every(
    ("facts", "by"),
    [
        ({}, 0),
        ({"cover": "partial"}, -1),
        ({"cover": "full"}, -2),
        ({"accuracy": 2}, 2),
        ({"accuracy": -1, "band": "long"}, -1),
        ({"engaged": True}, -1),
        ({"prone": True, "band": "long"}, -1),
        ({"prone": True, "band": "short"}, 0),
        ({"point": True}, -2),
        ({"point": True, "traits": ("Smoke",)}, 0),
        ({"point": True, "traits": ('Blast (3")',)}, -2),
        ({"cover": "full", "engaged": True, "accuracy": 1, "band": "long"}, -2),
    ],
)
def test_every_printed_modifier_to_the_hit_roll(facts: dict[str, object], by: int) -> None:
    assert modifier(**facts) == by


def test_modifiers_add_up_in_every_combination() -> None:
    for cover, band, accuracy, engaged, prone, point in product(
        ("none", "partial", "full"),
        ("short", "long"),
        (-2, 0, 3),
        (False, True),
        (False, True),
        (False, True),
    ):
        expected = {"none": 0, "partial": -1, "full": -2}[cover] + accuracy
        expected -= engaged + (prone and band == "long") + 2 * point
        assert expected == modifier(
            cover=cover, band=band, accuracy=accuracy, engaged=engaged, prone=prone, point=point
        )


def test_a_modifier_of_nothing_is_not_shown() -> None:
    assert rules.hit_modifiers(
        cover="none", band="long", accuracy=0, engaged=False, prone=False, point=False, traits=()
    ) == ()  # fmt: skip


def test_a_shot_at_a_point_says_so() -> None:
    listed = rules.hit_modifiers(
        cover="none", band="short", accuracy=0, engaged=False, prone=False, point=True, traits=()
    )
    assert listed == (("at a point", -2),)


@every("skill", range(2, 7))
def test_a_hit_needs_the_skill_less_its_modifiers_and_2_at_best(skill: int) -> None:
    for by in range(-9, 10):
        needed = rules.hit_needed(ballistic_skill=skill, modifiers=(("test", by),))
        assert needed == HitNeeded(face=max(2, skill - by), improbable=skill - by >= 7)


@every(("skill", "by"), [(2, -5), (3, -4), (4, -3), (5, -2), (6, -1)])
def test_a_need_of_7_is_an_improbable_shot_and_6_is_none(skill: int, by: int) -> None:
    assert rules.hit_needed(ballistic_skill=skill, modifiers=(("far", by),)).improbable
    assert not rules.hit_needed(ballistic_skill=skill, modifiers=(("far", by + 1),)).improbable


# --- target priority -------------------------------------------------------------------------------------

FREE, HELD = Nearer(free=True, out_of_arc=False), Nearer(free=False, out_of_arc=False)
BEHIND, BEHIND_FREE = Nearer(free=False, out_of_arc=True), Nearer(free=True, out_of_arc=True)


@every(
    ("closest", "nearer", "printed", "whatever_the_facing"),
    [
        (True, (), False, False),
        (False, (), True, True),
        (False, (FREE,), False, False),
        (False, (FREE, FREE), False, False),
        (False, (FREE, HELD), True, True),
        (True, (BEHIND,), False, True),
        (True, (BEHIND_FREE,), False, False),
        (False, (FREE, BEHIND), False, True),
        (False, (FREE, BEHIND_FREE), False, False),
        (False, (BEHIND,), True, True),
    ],
)
def test_a_cool_test_is_needed_unless_every_nearer_enemy_may_be_skipped(
    closest: bool, nearer: tuple[Nearer, ...], printed: bool, whatever_the_facing: bool
) -> None:
    facing = under(target_priority__needs_vision_arc="false")
    assert rules.priority_test_needed(closest=closest, nearer=nearer, rulebook=PRINTED) is printed
    assert rules.priority_test_needed(closest=closest, nearer=nearer, rulebook=facing) is whatever_the_facing


def test_templates_leave_out_priority_and_under_the_house_rule_smoke_alone_does() -> None:
    house = under(templates__skip_target_priority="smoke_only")
    assert rules.template_skips_priority(("Template",), PRINTED)
    assert not rules.template_skips_priority(("Template",), house)
    assert rules.template_skips_priority(("Template", "Smoke"), house)


# --- Firepower dice --------------------------------------------------------------------------------------


def test_each_face_of_the_firepower_die_has_its_bullet_holes() -> None:
    symbols = PRINTED.special_die("firepower").symbols
    assert [rules.bullet_holes([symbol], PRINTED) for symbol in symbols] == [1, 1, 1, 2, 2, 3]
    none_on_ammo = under(firepower__ammo_face="no_hole")
    assert [rules.bullet_holes([symbol], none_on_ammo) for symbol in symbols] == [1, 1, 0, 2, 2, 3]


def test_bullet_holes_count_for_rapid_fire_only() -> None:
    symbols = PRINTED.special_die("firepower").symbols
    holes = {"one_hole": 1, "ammo": 1, "two_holes": 2, "three_holes": 3}
    for thrown in product(symbols, repeat=2):
        total = sum(holes[die] for die in thrown)
        assert rules.hits_scored(thrown, traits=("Rapid Fire (2)",), rulebook=PRINTED) == total
        assert rules.hits_scored(thrown, traits=("Knockback",), rulebook=PRINTED) == 1


@every(
    ("traits", "allowed"),
    [((), 1), (("Rapid Fire (1)",), 1), (("Rapid Fire (3)",), 3), (("Scarce", "Rapid Fire (2)"), 2), (("Rapid Fire",), 1)],
)  # fmt: skip
def test_rapid_fire_names_how_many_firepower_dice_there_may_be(traits: tuple[str, ...], allowed: int) -> None:
    assert rules.firepower_dice_allowed(traits) == allowed


@every(("trait", "dice"), [("Rapid Fire (10)", 10), ("Rapid Fire (X)", 1)])
def test_rapid_fire_is_read_to_its_last_digit(trait: str, dice: int) -> None:
    assert rules.firepower_dice_allowed((trait,)) == dice


@every(
    ("failed", "rapid", "ordinary"),
    [(0, "none", "none"), (1, "out_of_ammo", "out_of_ammo"), (2, "jammed", "out_of_ammo"), (3, "jammed", "out_of_ammo")],
)  # fmt: skip
def test_one_failed_ammo_test_is_out_of_ammo_and_two_jam_rapid_fire(
    failed: int, rapid: str, ordinary: str
) -> None:
    assert rules.ammo_trouble(failed, traits=("Rapid Fire (3)",)) == rapid
    assert rules.ammo_trouble(failed, traits=()) == ordinary


def test_scarce_and_limited_profiles_are_spent_by_a_failed_test() -> None:
    assert rules.spent_when_failed(("Scarce",))
    assert rules.spent_when_failed(("Limited", "Blaze"))
    assert not rules.spent_when_failed(("Plentiful",))


# --- misses ----------------------------------------------------------------------------------------------


def test_stray_shots_hit_on_1_to_3_and_under_the_house_rule_on_6() -> None:
    assert rules.stray_hits_on(PRINTED, vehicle=False) == (1, 2, 3)
    assert rules.stray_hits_on(under(stray_shots__hits_on="6"), vehicle=False) == (6,)


def test_a_blast_goes_wrong_on_a_hit_with_a_1_and_on_nothing_else() -> None:
    wrong = [(s, d) for s in ("arrow", "hit") for d in range(1, 7) if rules.misfires(scatter=s, distance=d)]
    assert wrong == [("hit", 1)]


@every("preset", ["necrodamus", "a_and_a"])
def test_both_presets_hold_the_house_rules_of_shooting(preset: str) -> None:
    policies = [loader.policy(name) for name in loader.preset(preset).policies]
    rulebook = loader.rulebook(BOOK, [(policy.id, policy.patch) for policy in policies])
    moved = {name: rulebook.knob(name) for name in (
        "target_priority.needs_vision_arc", "stray_shots.hits_on", "templates.skip_target_priority",
        "templates.spill_to_engaged", "unwieldy.basic_action", "blast.unseen", "fast_shot.hit_modifier",
        "hip_shooting.hit_modifier",
    )}  # fmt: skip
    assert list(moved.values()) == ["false", "6", "smoke_only", "4+", "minus_1", "scatters", "-1", "-2"]
