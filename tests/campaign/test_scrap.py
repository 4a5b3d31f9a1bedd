"""Scrap after a battle, for who alone remained; wrecks in the tally. Source: D5.3."""

from aftermaths import WON, die, fallen, wreck
from rides import RIG, SLED
from scenario import DOT, MAGS, SAINTS, SKULLS, lasting

from tracker.campaign import records

SCRAP = records.ClaimScrap(gang=SAINTS)


def test_scrap_is_d3_times_10_for_each_enemy_wreck() -> None:
    table = wreck().when(SCRAP, die("scrap", 3))
    assert table.state.gangs[SAINTS].credits == 30
    table.when(SCRAP, die("scrap", 3)).then_refused(records.OncePerSequence)


def test_scrap_is_for_enemy_wrecks_and_for_who_remained_alone() -> None:
    table = wreck().when(records.ClaimScrap(gang=SKULLS), die("scrap", 3)).then_refused(records.NoWreck)
    table = table.when(records.ClaimScrap(gang=SAINTS, wrecks=(SLED,)), die("scrap", 3)).then_refused(
        records.NoWreck
    )
    both = fallen((MAGS, lasting(1, 2)), (DOT, lasting(1, 2)), close=WON)
    both.when(SCRAP, die("scrap", 3)).then_refused(records.NotAloneOnField)


def test_scrap_of_a_wreck_that_a_ruling_brought_comes_late_by_the_arbitrators_word() -> None:
    """After the scrap was taken, and after the Saints' next battle: 3 x 10 credits for the wreck that is named."""
    late = records.ClaimScrap(gang=SAINTS, wrecks=(RIG,), late="the ruling of battle 1")
    taken = wreck().when(SCRAP, die("scrap", 1))
    assert taken.when(late, die("scrap", 3)).state.gangs[SAINTS].credits == 10 + 30
    gone_on = wreck().when(records.EndActions(gang=SAINTS))
    assert gone_on.when(SCRAP, die("scrap", 3)).refusal is not None
    assert gone_on.when(late, die("scrap", 3)).state.gangs[SAINTS].credits == 30


def test_late_scrap_names_enemy_vehicles() -> None:
    for wrecks in ((), (RIG, RIG)):
        late = records.ClaimScrap(gang=SAINTS, wrecks=wrecks, late="why not")
        wreck().when(late, die("scrap", 3), die("scrap", 3)).then_refused(records.NoWreck)
    own = records.ClaimScrap(gang=SKULLS, wrecks=(RIG,), late="why not")
    wreck().when(own, die("scrap", 3)).then_refused(records.NoWreck)
    unknown = records.ClaimScrap(gang=SAINTS, wrecks=("ghost",), late="why not")
    wreck().when(unknown, die("scrap", 3)).then_refused(records.UnknownVehicle)
    fighter = records.ClaimScrap(gang=SAINTS, wrecks=(DOT,), late="why not")
    wreck().when(fighter, die("scrap", 3)).then_refused(records.FighterNotVehicle)


def test_a_wrecked_enemy_vehicle_counts_in_the_tally_of_the_gang() -> None:
    assert wreck().state.gangs[SAINTS].enemy_vehicles_wrecked == 1
    assert wreck().state.gangs[SKULLS].enemy_vehicles_wrecked == 0
