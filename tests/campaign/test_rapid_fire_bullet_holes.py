"""Rapid Fire: bullet holes as hits of one hit roll, or as shots of their own (G-38), and the chances of a burst."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb

from scenario import KRUG, VEX, card
from shots import armed, dice, gun, shot, there
from tables import every

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import odds_from
from tracker.rules import loader

SHOTS = {"rapid_fire.bullet_holes": "shots"}
BURST = gun("gun", "Rapid Fire (1)")


def purposes(table) -> list[str]:
    return [roll.purpose for roll in table.rolls]


def fired(table) -> list[tuple[str, int]]:
    return [(event.result, event.hits) for event in table.outcome if isinstance(event, records.ShotFired)]


# --- G-38 ------------------------------------------------------------------------------------------------


@every("faces", list(product((1, 2, 3, 6), repeat=3)))
def test_where_holes_are_shots_each_has_a_hit_roll_of_its_own(faces: tuple[int, ...]) -> None:
    hits = sum(face >= 3 for face in faces)
    table = armed(BURST, knobs=SHOTS).when(
        shot(), *dice(firepower="three_holes", hit=list(faces), wound=[1] * hits)
    )
    assert purposes(table) == ["firepower", "hit", "hit", "hit", *["wound"] * hits]
    assert fired(table) == [("hit", hits) if hits else ("missed", 3)]


@every("face", [1, 2, 3, 6])
def test_where_holes_are_hits_one_hit_roll_decides_for_all(face: int) -> None:
    hits = 3 if face >= 3 else 0
    table = armed(BURST).when(shot(), *dice(hit=face, firepower="three_holes", wound=[1] * hits))
    assert purposes(table) == ["hit", "firepower", *["wound"] * hits]
    assert fired(table) == [("hit" if hits else "missed", 3)]


def test_each_shot_of_a_burst_that_misses_goes_astray_by_itself() -> None:
    table = armed(BURST, knobs=SHOTS).when(
        shot(at_risk=(there(VEX),)),
        *dice(firepower="three_holes", hit=[6, 1, 1], wound=[1, 1], stray=[3, 4]),
    )
    assert purposes(table) == ["firepower", "hit", "hit", "hit", "wound", "stray", "wound", "stray"]
    assert [roll.fighter for roll in table.rolls if roll.purpose == "wound"] == [KRUG, VEX]


def test_the_hits_of_a_burst_are_allotted_in_order_and_its_misses_take_none_of_them() -> None:
    table = armed(BURST, knobs=SHOTS).when(
        shot(hits_on=(there(KRUG), there(VEX))),
        *dice(firepower="three_holes", hit=[6, 1, 6], wound=[1, 1]),
    )
    assert [roll.fighter for roll in table.rolls if roll.purpose == "wound"] == [KRUG, VEX]


def test_a_burst_beyond_range_rolls_firepower_and_no_hit_roll() -> None:
    table = armed(BURST, knobs=SHOTS).when(shot(range_band="beyond"), *dice(firepower="two_holes"))
    assert purposes(table) == ["firepower"]
    assert fired(table) == [("beyond_range", 2)]


def test_an_improbable_burst_rolls_for_each_shot_whether_it_may_hit() -> None:
    table = armed(BURST, knobs=SHOTS).when(
        shot(range_band="long", cover="full"),
        *dice(firepower="two_holes", improbable_hit=[6, 5], hit=4, wound=1),
    )
    assert purposes(table) == ["firepower", "improbable_hit", "hit", "improbable_hit", "wound"]


def test_other_weapons_shoot_as_ever() -> None:
    table = armed(knobs=SHOTS).when(shot(), *dice(hit=6, firepower="three_holes", wound=1))
    assert purposes(table) == ["hit", "firepower", "wound"]


def test_of_two_sidearms_only_the_rapid_one_fires_a_burst() -> None:
    pair = (gun("gun", "Sidearm"), gun("spray", "Sidearm", "Rapid Fire (1)"))
    table = armed(*pair, knobs=SHOTS).when(
        shot(also=records.SecondSidearm(weapon="spray", range_band="short")),
        *dice(hit=[6, 6, 1], firepower=["one_hole", "two_holes"], wound=[1, 1]),
    )
    assert purposes(table) == ["hit", "firepower", "firepower", "hit", "hit", "wound", "wound"]


# --- the chances of a burst --------------------------------------------------------------------------------


def wounds_lost(holes: tuple[int, ...], *, shots: bool) -> dict[int, Fraction]:
    """By hand: each face of the Firepower die, then a binomial. Krug is hit on 3+ and wounded on 2+."""
    hits, wounds = Fraction(4, 6), Fraction(5, 6)
    lost: defaultdict[int, Fraction] = defaultdict(Fraction)
    for count in holes:
        face = Fraction(1, len(holes))
        for wounded in range(count + 1):
            ways = comb(count, wounded)
            each = hits * wounds if shots else wounds
            chance = ways * each**wounded * (1 - each) ** (count - wounded)
            lost[wounded] += face * chance if shots else face * hits * chance
        if not shots:
            lost[0] += face * (1 - hits)
    return {wounded: chance for wounded, chance in lost.items() if chance}


@every("shots", [True, False])
def test_the_chances_of_a_burst_are_those_of_the_reading_in_force(shots: bool) -> None:
    (special,) = loader.book("necromunda_2023").special_dice["firepower"].values()
    holes = tuple(
        {"ammo": 1, "one_hole": 1, "two_holes": 2, "three_holes": 3}[symbol] for symbol in special.symbols
    )
    burst = gun("gun", "Rapid Fire (1)", strength=8)
    state = armed(burst, knobs=SHOTS if shots else None, others=(card(KRUG, wounds=6),)).state
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    (krug,) = [model for model in odds_from(state, [shot()], loader.rulebook).models if model.model == KRUG]
    for changes, chance in krug.ends:
        left = next((after for name, _, after in changes if name == "wounds_left"), 6)
        found[6 - left] += chance
    assert dict(found) == wounds_lost(holes, shots=shots)
