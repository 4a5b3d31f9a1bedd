"""Blast markers and Flame templates, played: who is hit, scatter, misfires, cover, the house rules."""

from typing import Any

from scenario import DOT, KRUG, MAGS, MESH, OUT_COLD, REFRACTOR, VEX, card, injury, save, wound
from shots import armed, dice, gun, shot, there
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded

FRAG = gun("gun", 'Blast (3")')
FLAMER = gun("gun", "Template", range_short_inches=None, range_long_inches=None)


def result_of(table) -> tuple[str, int]:
    fired = next(event for event in table.outcome if isinstance(event, records.ShotFired))
    return fired.result, fired.hits


def resolved(table) -> list[str | None]:
    """Whose wounds were rolled for, in order."""
    return [roll.fighter for roll in table.rolls if roll.purpose == "wound"]


def template(*under: Any, **more: Any):
    return shot(None, range_band=None, under_template=tuple(under), **more)


# --- Blast -----------------------------------------------------------------------------------------------


def test_a_marker_that_hits_stays_and_hits_everybody_beneath_in_the_order_stated() -> None:
    table = armed(FRAG).when(
        shot(under_marker=(there(VEX), there(KRUG), there(DOT))), *dice(hit=3, firepower=1, wound=[1, 1, 1])
    )
    assert result_of(table) == ("marker_stays", 3)
    assert resolved(table) == [VEX, KRUG, DOT]
    assert [event.fighter for event in table.outcome if isinstance(event, records.FighterPinned)] == [
        VEX,
        KRUG,
        DOT,
    ]


def test_a_marker_that_hits_hits_its_target_at_least() -> None:
    alone = armed(FRAG).when(shot(), *dice(hit=3, firepower=1), wound(1))
    assert resolved(alone) == [KRUG]
    armed(FRAG).when(shot(under_marker=(there(VEX),)), *dice(hit=3, firepower=1)).then_refused(
        records.SituationContradicts
    )


def test_a_target_engaged_is_not_pinned_under_the_marker_either() -> None:
    table = armed(FRAG).when(
        shot(engaged=True, under_marker=(there(KRUG),)), *dice(hit=6, firepower=1), wound(1)
    )
    assert not table.combatant(KRUG).pinned


def test_a_point_is_harder_to_hit_by_2_unless_by_smoke() -> None:
    at_point = shot(None, point=True)
    table = armed(FRAG).when(at_point, *dice(hit=5, firepower=1))
    assert table.rolls[0].target == 5  # BS 4+, Short +1, point -2
    assert result_of(table) == ("marker_stays", 0)
    smoke = armed(gun("gun", 'Blast (5")', "Smoke")).when(at_point, *dice(hit=3, firepower=1))
    assert smoke.rolls[0].target == 3


@every("symbol", ["arrow", "hit"])
@every("inches", range(1, 7))
def test_a_miss_scatters_by_arrow_or_small_arrow_and_hit_with_1_goes_wrong(symbol: str, inches: int) -> None:
    missed = dice(hit=1, firepower=1, scatter=symbol, scatter_distance=inches)
    asked = shot(under_marker=(there(DOT),))
    if (symbol, inches) != ("hit", 1):
        table = armed(FRAG).when(asked, *missed, wound(1))
        assert result_of(table) == ("marker_scatters", 1)
        assert resolved(table) == [DOT]
        return
    armed(FRAG).when(asked, *missed).then_refused(DiceNeeded, purpose="misfire")
    for face in range(2, 7):
        dud = armed(FRAG).when(asked, *missed, *dice(misfire=face))
        assert result_of(dud) == ("dud", 0)
        assert dud.state.under_way == dud.before.under_way
    own = armed(FRAG).when(asked, *missed, *dice(misfire=1), wound(1))
    assert result_of(own) == ("misfire", 1)
    assert resolved(own) == [MAGS]


def test_a_marker_that_scattered_hits_those_who_lie_there_then() -> None:
    asked = shot(under_marker=(there(KRUG), there(VEX)), under_scatter=(there(DOT),))
    assert resolved(armed(FRAG).when(asked, *dice(hit=6, firepower=1, wound=[1, 1]))) == [KRUG, VEX]
    missed = dice(hit=1, firepower=1, scatter="arrow", scatter_distance=3)
    assert resolved(armed(FRAG).when(asked, *missed, wound(1))) == [DOT]
    nobody = shot(under_marker=(there(KRUG),), under_scatter=())
    assert result_of(armed(FRAG).when(nobody, *missed)) == ("marker_scatters", 0)
    same = shot(under_marker=(there(KRUG),))
    assert resolved(armed(FRAG).when(same, *missed, wound(1))) == [KRUG]


def notes(table) -> list[str]:
    return [event.why for event in table.outcome if isinstance(event, records.RuleNoted)]


def test_a_fighter_behind_solid_terrain_under_a_marker_is_not_hit() -> None:
    under = (there(KRUG), there(VEX, shielded=True), there(DOT))
    table = armed(FRAG).when(shot(under_marker=under), *dice(hit=3, firepower=1, wound=[1, 1]))
    assert result_of(table) == ("marker_stays", 2)
    assert resolved(table) == [KRUG, DOT]
    assert "not hit: solid terrain stands between" in notes(table)
    assert not table.combatant(VEX).pinned


def test_a_fighter_behind_solid_terrain_under_a_template_is_not_hit() -> None:
    table = armed(FLAMER).when(template(there(KRUG), there(DOT, shielded=True)), *dice(firepower=1, wound=1))
    assert resolved(table) == [KRUG]


@every(
    ("stopped_after", "said"),
    [
        (2, 'the marker stops after 2" of 4", at something solid'),
        (4, 'the marker is said to stop after 4", and scatters 4" only'),
        (5, 'the marker is said to stop after 5", and scatters 4" only'),
        (None, None),
    ],
)
def test_a_scatter_that_is_stopped_short_is_stated_and_checked_against_the_die(
    stopped_after: int | None, said: str | None
) -> None:
    scattered = shot(under_scatter=(), stopped_after=stopped_after)
    table = armed(FRAG).when(scattered, *dice(hit=1, firepower=1, scatter="arrow", scatter_distance=4))
    assert result_of(table)[0] == "marker_scatters"
    assert notes(table) == ([said] if said else [])


def test_a_blast_marker_that_stays_is_not_stopped_short() -> None:
    table = armed(FRAG).when(shot(stopped_after=2), *dice(hit=3, firepower=1), wound(1))
    assert notes(table) == []


def test_a_misfire_hits_the_shooter_and_whoever_stands_by_wounded_by_the_opponent() -> None:
    table = armed(FRAG).when(
        shot(under_misfire=(there(DOT),)),
        *dice(hit=1, firepower=1, scatter="hit", scatter_distance=1, misfire=1, wound=[4, 1]),
        injury("ooa"),
        OUT_COLD,
    )
    assert resolved(table) == [MAGS, DOT]
    assert {roll.rolled_by for roll in table.rolls if roll.purpose == "wound"} == {"skulls"}
    assert table.combatant(MAGS).out_of_action
    assert table.fighter(MAGS).experience == 0


def test_a_blast_beyond_range_slides_back_and_is_not_missed_for_it() -> None:
    table = armed(FRAG).when(shot(range_band="beyond"), *dice(hit=5, firepower=1), wound(1))
    assert (table.rolls[0].target, result_of(table)) == (5, ("marker_stays", 1))


def test_a_missed_blast_causes_no_strays() -> None:
    armed(FRAG).when(shot(at_risk=(there(VEX),))).then_refused(records.SituationContradicts)


@every(("cover", "to_save"), [("none", 5), ("partial", 4), ("full", 3)])
def test_cover_from_the_centre_helps_the_save_and_cover_on_the_line_the_hit_roll(
    cover: str, to_save: int
) -> None:
    mesh = armed(FRAG, others=(card(KRUG, armour=MESH),))
    table = mesh.when(
        shot(cover="partial", under_marker=(there(KRUG, cover=cover),)),  # type: ignore[arg-type]
        *dice(hit=4, firepower=1),
        wound(6),
        save(6),
    )
    assert [roll.target for roll in table.rolls] == [4, None, 3, to_save]


def test_cover_lends_a_fighter_without_armour_a_save_and_never_helps_a_field() -> None:
    bare = armed(FRAG).when(
        shot(under_marker=(there(KRUG, cover="partial"),)), *dice(hit=6, firepower=1), wound(6), save(6)
    )
    assert bare.rolls[3].target == 6
    field = armed(FRAG, others=(card(KRUG, field_armour=REFRACTOR),)).when(
        shot(under_marker=(there(KRUG, cover="full"),)), *dice(hit=6, firepower=1), wound(6), save(5)
    )
    assert field.rolls[3].target == 5


def test_smoke_hits_nobody_and_leaves_its_cloud() -> None:
    smoke = armed(gun("gun", 'Blast (5")', "Smoke", strength=0))
    table = smoke.when(shot(under_marker=(there(KRUG), there(VEX))), *dice(hit=6, firepower=1))
    assert [type(event) for event in table.outcome] == [
        records.ShotFired,
        records.RuleNoted,
        records.MarkerLeft,
    ]
    assert not table.combatant(KRUG).pinned


def test_a_blast_that_went_out_of_ammo_is_still_resolved() -> None:
    table = armed(FRAG).when(shot(), *dice(hit=6, firepower="ammo", ammo=1), wound(1))
    assert table.combatant(MAGS).out_of_ammo == ("gun",)
    assert resolved(table) == [KRUG]


def test_an_improbable_blast_is_rolled_like_any_other() -> None:
    table = armed(FRAG).when(
        shot(None, point=True, range_band="long"),
        *dice(improbable_hit=5, firepower=1, scatter=1, scatter_distance=3),
    )
    assert result_of(table) == ("marker_scatters", 0)


# --- the house rule on what is not seen ------------------------------------------------------------------


def test_a_blast_unseen_is_as_normal_unless_the_house_rule_scatters_it() -> None:
    armed(FRAG).when(shot(unseen="darkness"), *dice(hit=3, firepower=1), wound(1))
    house = armed(FRAG, knobs={"blast.unseen": "scatters"})
    near = house.when(shot(unseen="darkness"), *dice(firepower=1, scatter=1, scatter_distance=2))
    assert [roll.purpose for roll in near.rolls] == ["firepower", "scatter", "scatter_distance"]
    far = house.when(
        shot(unseen="darkness", range_band="long"),
        *dice(firepower=1, scatter="hit", scatter_distance_far="1+1"),
    )
    assert result_of(far) == ("marker_scatters", 0)
    smoke = house.when(
        shot(unseen="smoke", range_band="long"), *dice(firepower=1, scatter=1, scatter_distance=2)
    )
    assert smoke.rolls[2].purpose == "scatter_distance"


@every("face", range(1, 7))
def test_a_template_unseen_hits_on_4_by_the_house_rule(face: int) -> None:
    armed(FLAMER).when(template(there(KRUG), unseen="smoke"), *dice(firepower=1), wound(1))
    house = armed(FLAMER, knobs={"blast.unseen": "scatters"})
    table = house.when(
        template(there(KRUG), unseen="smoke"),
        *dice(firepower=1, unseen_template=face),
        *((wound(1),) if face >= 4 else ()),
    )
    assert result_of(table) == ("template", int(face >= 4))


# --- Templates -------------------------------------------------------------------------------------------


def test_a_template_hits_everybody_beneath_without_a_hit_roll_but_with_a_firepower_die() -> None:
    table = armed(FLAMER).when(
        template(there(VEX, cover="partial"), there(DOT), there(KRUG, engaged=True)),
        *dice(firepower="ammo", ammo=6, wound=[1, 1, 1]),
    )
    assert [roll.purpose for roll in table.rolls] == ["firepower", "ammo", "wound", "wound", "wound"]
    assert resolved(table) == [VEX, DOT, KRUG]
    assert [event.fighter for event in table.outcome if isinstance(event, records.FighterPinned)] == [
        VEX,
        DOT,
    ]


def test_cover_from_the_attacker_helps_the_save_against_a_template() -> None:
    mesh = armed(FLAMER, others=(card(KRUG, armour=MESH),))
    for cover, needed in (("none", 5), ("partial", 4), ("full", 3)):
        table = mesh.when(template(there(KRUG, cover=cover)), *dice(firepower=1), wound(6), save(6))
        assert table.rolls[2].target == needed


def test_a_template_that_touches_nobody_still_rolls_its_firepower_die() -> None:
    armed(FLAMER).when(template()).then_refused(DiceNeeded, purpose="firepower")
    assert result_of(armed(FLAMER).when(template(), *dice(firepower=1))) == ("template", 0)


def test_a_template_leaves_out_target_priority_unless_the_house_rule_asks() -> None:
    asked = template(there(KRUG), closest=False)
    armed(FLAMER).when(asked, *dice(firepower=1), wound(1))
    house = armed(FLAMER, knobs={"templates.skip_target_priority": "smoke_only"})
    house.when(asked).then_refused(DiceNeeded, purpose="priority_cool")
    house.when(asked, *dice(priority_cool="3+4", firepower=1), wound(1))
    failed = house.when(asked, *dice(priority_cool="1+1"))
    assert [type(event) for event in failed.outcome] == [records.RuleNoted]
    house.when(template(there(KRUG)), *dice(firepower=1), wound(1))  # it touches the closest


@every("face", range(1, 7))
def test_a_template_spills_onto_who_is_engaged_with_the_hit_on_4_by_the_house_rule(face: int) -> None:
    asked = template(there(KRUG, engaged=True, engaged_with=(DOT,)))
    armed(FLAMER).when(asked, *dice(firepower=1), wound(1))
    house = armed(FLAMER, knobs={"templates.spill_to_engaged": "4+"})
    hit = face >= 4
    table = house.when(asked, *dice(firepower=1, template_spill=face, wound=[1, 1] if hit else [1]))
    assert resolved(table) == ([KRUG, DOT] if hit else [KRUG])
    spill = next(roll for roll in table.rolls if roll.purpose == "template_spill")
    assert (spill.fighter, spill.target, spill.passed) == (DOT, 4, hit)
    assert not table.combatant(DOT).pinned


def test_nobody_is_hit_twice_by_one_template() -> None:
    house = armed(FLAMER, knobs={"templates.spill_to_engaged": "4+"})
    beneath = house.when(
        template(
            there(KRUG, engaged=True, engaged_with=(DOT,)), there(DOT, engaged=True, engaged_with=(KRUG,))
        ),
        *dice(firepower=1, wound=[1, 1]),
    )
    assert resolved(beneath) == [KRUG, DOT]
    once = house.when(
        template(
            there(KRUG, engaged=True, engaged_with=(DOT,)), there(VEX, engaged=True, engaged_with=(DOT,))
        ),
        *dice(firepower=1, template_spill=6, wound=[1, 1, 1]),
    )
    assert resolved(once) == [KRUG, DOT, VEX]


@every(
    ("weapon", "asked", "refusal"),
    [
        (FLAMER, shot(range_band=None), records.SituationContradicts),
        (FLAMER, shot(None, under_template=(there(KRUG),)), records.SituationContradicts),
        (FLAMER, template(there(KRUG), modifiers=(records.ShotModifier(why="aim", by=1),)), records.SituationContradicts),
        (FLAMER, template(there(KRUG), at_risk=(there(VEX),)), records.SituationContradicts),
        (FLAMER, template(there(KRUG), cover="full"), records.SituationContradicts),
        (FLAMER, template(there(MAGS)), records.TargetsSelf),
        (FLAMER, template(there(KRUG), there(KRUG)), records.ModelNamedTwice),
        (FLAMER, template(there("nobody")), records.UnknownFighter),
        (FLAMER, template(there(KRUG, engaged=True, engaged_with=("nobody",))), records.UnknownFighter),
        (FLAMER, template(there(KRUG, engaged=True, engaged_with=(KRUG,))), records.TargetsSelf),
        (FRAG, shot(point=True), records.SituationContradicts),
        (FRAG, shot(None), records.NothingShotAt),
        (FRAG, shot(None, point=True, cover="full"), records.SituationContradicts),
        (FRAG, shot(None, point=True, closest=False), records.SituationContradicts),
        (FRAG, shot(also=records.SecondSidearm(weapon="gun")), records.SituationContradicts),
        (FRAG, shot(under_misfire=(there(MAGS),)), records.SituationContradicts),
        (FRAG, shot(hits_on=(there(KRUG),)), records.SituationContradicts),
        (FRAG, shot(under_scatter=(there(VEX), there(VEX))), records.ModelNamedTwice),
        (FLAMER, template(there(KRUG), under_scatter=()), records.SituationContradicts),
        (gun(), shot(under_scatter=(there(VEX),)), records.SituationContradicts),
        (gun(), shot(stopped_after=2), records.SituationContradicts),
        (gun(), shot(at_risk=(there(VEX, shielded=True),)), records.SituationContradicts),
        (FRAG, shot(under_marker=(there(KRUG, shielded=True),)), records.SituationContradicts),
        (FRAG, shot(in_sight=True, unseen="smoke"), records.SituationContradicts),
        (FRAG, shot(None, point=True, in_sight=False), records.NotEligible),
        (FLAMER, template(there(KRUG), in_arc=False), records.NotEligible),
        (gun(), shot(in_arc=False), records.NotEligible),
        (gun(), shot(in_sight=False), records.NotEligible),
    ],
)  # fmt: skip
def test_a_marker_or_template_that_contradicts_itself_is_refused(weapon, asked, refusal: type) -> None:
    weapons = (weapon, weapon) if asked.also is not None else (weapon,)
    armed(*weapons).when(asked).then_refused(refusal)


def test_dice_of_a_marker_that_stayed_are_left_over() -> None:
    armed(FRAG).when(shot(), *dice(hit=6, firepower=1, scatter=1), wound(1)).then_refused(DiceLeftOver)
