"""Markers until the End phase: Smoke and Flare by a die, Graviton Pulse with the round, Burrowing strikes then.

Source: Core Rulebook (2023) · Weapon Traits · Smoke; Flare; Graviton Pulse; Burrowing.
"""

from fractions import Fraction

import pytest
from scenario import KRUG, MAGS, VEX, Table, card, given, older
from shots import gun, shot
from special_rules import UNHURT, dice, exactly, purposes

from tracker.campaign import records
from tracker.campaign.state import AreaMarker

BLAST = 'Blast (3")'
BOOKS = ("necromunda_2023", "necromunda_archive")
ON_HIT = {"hit": 6, "firepower": "one_hole"}


def with_gun(*traits: str, book: str = "necromunda_2023") -> Table:
    return given(card(MAGS, weapons=(gun("gun", *traits),)), book=book)


def markers(table: Table) -> tuple[AreaMarker, ...]:
    assert table.state.under_way is not None
    return table.state.under_way.markers


def at_a_point(**more: object) -> records.Shoot:
    return shot(None, point=True, range_band="short", **more)


def end_phase(marker: int = 1, *under: str) -> records.EndPhaseOfMarker:
    return records.EndPhaseOfMarker(marker=marker, under=under)


# --- Smoke -----------------------------------------------------------------------------------------------


def smoking(book: str = "necromunda_2023") -> Table:
    return with_gun(BLAST, "Smoke", book=book).when(at_a_point(), *dice(book, **ON_HIT))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("face", range(1, 7))
def test_smoke_is_gone_in_the_end_phase_on_a_4_or_less(book: str, face: int) -> None:
    table = smoking(book)
    assert [(marker.marker, marker.trait, marker.by) for marker in markers(table)] == [(1, "smoke", MAGS)]
    done = table.when(end_phase(), *dice(book, smoke=face))
    assert purposes(done) == ["smoke"]
    assert bool(markers(done)) == (face > 4)


def test_each_smoke_marker_has_a_die_of_its_own_and_keeps_its_number() -> None:
    two = smoking().when(at_a_point(), *dice(**ON_HIT))
    assert [marker.marker for marker in markers(two)] == [1, 2]
    first_gone = two.when(end_phase(1), *dice(smoke=1))
    third = first_gone.when(at_a_point(), *dice(**ON_HIT))
    assert [marker.marker for marker in markers(third)] == [2, 3]


def test_smoke_that_is_a_dud_leaves_no_marker() -> None:
    dud = with_gun(BLAST, "Smoke").when(
        at_a_point(), *dice(hit=1, firepower="one_hole", scatter="hit", scatter_distance=1, misfire=2)
    )
    assert markers(dud) == ()


def test_a_marker_that_is_not_there_has_no_die() -> None:
    assert isinstance(given().when(end_phase()).refusal, records.NoSuchMarker)
    assert isinstance(smoking().when(end_phase(2)).refusal, records.NoSuchMarker)
    assert isinstance(smoking().when(end_phase(1, KRUG)).refusal, records.MarkerTouchesNobody)


def test_a_battle_of_an_earlier_stage_keeps_no_markers() -> None:
    table = older(with_gun(BLAST, "Smoke"), 2).when(at_a_point(), *dice(**ON_HIT))
    assert markers(table) == ()


# --- Flare -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(1, 7))
def test_flare_goes_out_in_the_end_phase_on_a_4(face: int) -> None:
    lit = with_gun(BLAST, "Flare").when(at_a_point(), *dice(**ON_HIT))
    assert bool(markers(lit.when(end_phase(), *dice(flare=face)))) == (face < 4)


def test_flare_reveals_who_is_hit() -> None:
    hidden = with_gun("Flare").when(records.StateCondition(fighter=KRUG, condition="hidden"))
    lit = hidden.when(shot(), *dice(**ON_HIT, wound=1))
    assert (hidden.combatant(KRUG).hidden, lit.combatant(KRUG).hidden) == (True, False)
    assert markers(lit) == ()  # without Blast nothing stays
    unlit = older(hidden, 2).when(shot(), *dice(**ON_HIT, wound=1))
    assert unlit.combatant(KRUG).hidden


# --- Graviton Pulse --------------------------------------------------------------------------------------


def test_the_marker_of_graviton_pulse_stays_to_the_end_of_the_round_without_a_die() -> None:
    pulse = with_gun(BLAST, "Graviton Pulse").when(at_a_point(), *dice(**ON_HIT))
    assert len(markers(pulse)) == 1
    assert markers(pulse.when(records.EndRound())) == ()
    assert markers(pulse.when(end_phase())) == ()
    assert len(markers(smoking().when(records.EndRound()))) == 1


# --- Burrowing -------------------------------------------------------------------------------------------


def burrowing(**rolled: object) -> Table:
    fired = shot(None, point=True, in_sight=False, range_band=None)
    return with_gun("Burrowing").when(fired, *dice(firepower="one_hole", **rolled))


def test_burrowing_at_a_place_beyond_sight_rolls_no_hit_roll_and_moves_2d6() -> None:
    moved = burrowing(scatter="arrow", burrowing_distance="3+4")
    assert purposes(moved) == ["firepower", "scatter", "burrowing_distance"]
    stays = burrowing(scatter="hit")
    assert purposes(stays) == ["firepower", "scatter"]
    assert [marker.trait for marker in markers(moved)] == ["burrowing"]


def test_burrowing_hits_whom_its_marker_touches_at_the_start_of_the_end_phase_and_is_gone() -> None:
    table = burrowing(scatter="hit")
    struck = table.when(end_phase(1, KRUG, VEX), *dice(wound=[4, 1], injury="flesh"))
    assert purposes(struck) == ["wound", "injury", "wound"]
    assert (struck.combatant(KRUG).flesh_wounds, struck.combatant(VEX).pinned) == (1, True)
    assert markers(struck) == ()
    assert markers(table.when(end_phase())) == ()  # it touches nobody


def test_burrowing_off_the_table_is_lost() -> None:
    fired = shot(None, point=True, in_sight=False, range_band=None, off_the_table=True)
    rolled = dice(firepower="one_hole", scatter="arrow", burrowing_distance="6+6")
    assert markers(with_gun("Burrowing").when(fired, *rolled)) == ()


def test_burrowing_strikes_even_when_who_fired_it_is_out() -> None:
    out = burrowing(scatter="hit").when(
        records.StateOutcome(target=MAGS, outcome="out_of_action"), *dice(lasting_injury="1-5")
    )
    assert out.when(end_phase(1, KRUG), *dice(wound=1)).combatant(KRUG).pinned


def test_burrowing_is_dodged_like_any_marker() -> None:
    fired = shot(None, point=True, in_sight=False, range_band=None)
    table = given(card(MAGS, weapons=(gun("gun", "Burrowing", BLAST),)), card(KRUG, skills=("Dodge",))).when(
        fired, *dice(firepower="one_hole", scatter="hit")
    )
    assert not table.when(end_phase(1, KRUG), *dice(dodge=6)).combatant(KRUG).pinned


def test_only_burrowing_is_fired_at_what_is_out_of_sight() -> None:
    beyond = shot(None, point=True, in_sight=False, range_band="short")
    assert isinstance(with_gun(BLAST).when(beyond).refusal, records.NotEligible)
    assert isinstance(older(with_gun("Burrowing"), 2).when(beyond).refusal, records.SituationContradicts)


def test_burrowing_wounds_as_often_as_every_die_says() -> None:
    ends = exactly(burrowing(scatter="hit"), end_phase(1, KRUG), KRUG)
    assert UNHURT not in ends  # hit, and Pinned at least
    only_pinned = next(part for changes, part in ends.items() if {name for name, *_ in changes} == {"pinned"})
    assert 1 - only_pinned == Fraction(4, 6)
