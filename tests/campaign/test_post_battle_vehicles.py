"""Vehicles after a battle: scrap for who alone remained, and repairs. Wrecks count for the standings."""

from aftermaths import WON, die, fallen, with_credits
from rides import RIG, SLED, damage, handling, location, on_card, ram, riding, vehicle
from scenario import BOOK, DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, lasting, wound
from tables import every

from tracker.campaign import records
from tracker.dice import Die

SCRAP = records.ClaimScrap(gang=SAINTS)
REPAIRS = records.NegotiateRepairs(vehicle=RIG, by=KRUG)


def wreck(lasting_damage: int = 6, *, book: str = BOOK) -> Table:
    """The rig is wrecked by Mags, Vex its driver is Out Cold, the battle is lost."""
    table = riding(vehicle(RIG, hit_points=1), vehicle(SLED), book=book)
    struck: tuple[Die | tuple[Die, ...], ...] = (
        wound(6),
        location("engine"),
        damage("penetrating"),
        handling(6, 6),
        die("crew_injury", "1-2", book=book),
        die("lasting_damage", lasting_damage, book=book),
    )
    return fallen(table=table.when(ram(by=MAGS), *struck))


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


def test_scrap_that_comes_late_names_enemy_vehicles() -> None:
    for wrecks in ((), (RIG, RIG)):
        late = records.ClaimScrap(gang=SAINTS, wrecks=wrecks, late="why not")
        wreck().when(late, die("scrap", 3), die("scrap", 3)).then_refused(records.NoWreck)
    own = records.ClaimScrap(gang=SKULLS, wrecks=(RIG,), late="why not")
    wreck().when(own, die("scrap", 3)).then_refused(records.NoWreck)
    unknown = records.ClaimScrap(gang=SAINTS, wrecks=("ghost",), late="why not")
    wreck().when(unknown, die("scrap", 3)).then_refused(records.UnknownVehicle)


def test_who_wrecks_an_enemy_vehicle_has_it_in_the_tally_of_the_gang() -> None:
    assert wreck().state.gangs[SAINTS].enemy_vehicles_wrecked == 1
    assert wreck().state.gangs[SKULLS].enemy_vehicles_wrecked == 0


@every(
    ("book", "face", "cost", "rattles"),
    [
        ("necromunda_2023", 1, 40, 1),
        ("necromunda_2023", 3, 40, 1),
        ("necromunda_2023", 4, 40, 0),
        ("necromunda_2023", 5, 40, 0),
        ("necromunda_2023", 6, 15, 0),
        ("necromunda_archive", 3, 75, 1),
        ("necromunda_archive", 5, 75, 0),
        ("necromunda_archive", 6, 40, 0),
    ],
)
def test_repairs_cost_a_part_of_150_rounded_up_to_5_and_may_leave_a_rattle(
    book: str, face: int, cost: int, rattles: int
) -> None:
    table = with_credits(wreck(4, book=book), 100)
    assert on_card(table).movement == 6
    table = table.when(REPAIRS, die("repairs", face, book=book))
    assert table.state.gangs[SKULLS].credits == 100 - cost
    rig = on_card(table)
    assert (rig.movement, rig.rattles) == (7, rattles)
    assert [one.damage for one in rig.lasting_damage] == ["persistent_rattle"] * rattles


def test_only_vehicle_and_upgrades_count_for_the_price_of_a_repair() -> None:
    table = with_credits(wreck(4), 100).when(
        records.NegotiateRepairs(vehicle=RIG, by=KRUG, worth=101), die("repairs", 4)
    )
    assert table.state.gangs[SKULLS].credits == 100 - 30


def test_a_repair_is_paid_for_or_not_made() -> None:
    wreck(4).when(REPAIRS, die("repairs", 4)).then_refused(records.NotEnoughCredits)


def test_a_repair_is_of_a_damaged_vehicle_by_an_action_of_its_own_gang() -> None:
    table = with_credits(wreck(4), 100)
    table = table.when(records.NegotiateRepairs(vehicle=SLED, by=MAGS), die("repairs", 4)).then_refused(
        records.NothingToRepair
    )
    table = table.when(records.NegotiateRepairs(vehicle=RIG, by=MAGS), die("repairs", 4)).then_refused(
        records.NotOfOneGang
    )
    table.when(records.NegotiateRepairs(vehicle=RIG, by=VEX), die("repairs", 4)).then_refused(
        records.CannotAct
    )
