"""Negotiate Repairs: what each face costs and leaves behind, both books. Source: D5.6, B8."""

from aftermaths import die, with_credits, wreck
from rides import RIG, SLED, on_card
from scenario import KRUG, MAGS, SKULLS, VEX
from tables import every

from tracker.campaign import records

REPAIRS = records.NegotiateRepairs(vehicle=RIG, by=KRUG)


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
    assert [suffered.damage for suffered in rig.lasting_damage] == ["persistent_rattle"] * rattles


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
