"""Thrown Clear: what becomes of who is aboard a wreck. Source: B3."""

from rides import BOOKS, OUT_COLD, SKIDS, clear, control, initiative, lasting_damage, lurch, riding
from scenario import KRUG, VEX, Table, card, injury, wound
from tables import every

from tracker.campaign import records


def a_wreck(*, mobile: bool = True, book: str = "necromunda_2023") -> Table:
    return riding(book=book).when(lurch(mobile=mobile), SKIDS, control("roll"), OUT_COLD, lasting_damage(3))


@every("face", range(1, 7))
def test_an_initiative_test_decides_whether_a_fighter_thrown_clear_lands_well(face: int) -> None:
    table = a_wreck().when(clear(), initiative(face), *([] if face >= 4 else [wound(1)]))
    assert table.rolls[0].target == 4
    assert table.combatant(KRUG).pinned == (face < 4)


@every("book", BOOKS)
@every(("mobile", "strength"), [(False, 3), (True, 4)])
def test_a_fighter_thrown_clear_who_lands_badly_is_pinned_and_hit_as_by_a_fall(
    book: str, mobile: bool, strength: int
) -> None:
    table = a_wreck(mobile=mobile, book=book).when(clear(), initiative(1), wound(1))
    assert records.FighterPinned(fighter=KRUG) in table.outcome
    assert f"Strength {strength} against Toughness 3" in table.rolls[1].outcome


def test_thrown_clear_of_a_mobile_wreck_the_damage_is_1_higher_too() -> None:
    tough = riding(fighters=(card(KRUG, wounds=3),)).when(
        lurch(), SKIDS, control("roll"), OUT_COLD, lasting_damage(3)
    )
    assert tough.when(clear(), initiative(1), wound(6)).combatant(KRUG).wounds_left == 1
    hurt = a_wreck().when(clear(), initiative(1), wound(6), injury("flesh", "flesh"))
    assert hurt.combatant(KRUG).flesh_wounds == 2


def test_thrown_clear_from_less_than_3_inches_pins_and_does_no_harm() -> None:
    table = a_wreck().when(clear(height=299), initiative(1))
    assert records.FighterPinned(fighter=KRUG) in table.outcome
    assert isinstance(table.outcome[-1], records.RuleNoted)


def test_nobody_is_thrown_clear_of_a_vehicle_that_is_no_wreck_or_moved_otherwise() -> None:
    riding().when(clear()).then_refused(records.VehicleNotWrecked)
    a_wreck().when(clear(VEX)).then_refused(records.CrewIsNotThrownClear)
    a_wreck(mobile=False).when(clear(mobile=True)).then_refused(
        records.MobileAndNot, said="Mobile", known="it was Stationary when it was wrecked"
    )
