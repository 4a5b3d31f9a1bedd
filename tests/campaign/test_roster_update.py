"""Updating the roster: the order of its steps, and when it ends. Source: D5.7."""

from __future__ import annotations

from scenario import CLOSING, DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, card, opening
from tables import every
from trading_scenario import GOGGLES, buy, d6, fought, stash

from tracker.campaign import records
from tracker.records import replace


@every(
    ("later", "earlier"),
    [
        (records.RecordRating(gang=SKULLS), records.BuyAdvancement(fighter=KRUG, advancement="cool")),
        (records.BuyAdvancement(fighter=KRUG, advancement="cool"), buy(GOGGLES)),
        (records.MoveItem(item="goggles", source=f"stash:{SKULLS}", target=f"fighter:{KRUG}"), buy(GOGGLES)),
        (buy(GOGGLES), records.CleanHouse(gang=SKULLS)),
        (
            records.MoveItem(item="goggles", source=f"stash:{SKULLS}", target=f"fighter:{KRUG}"),
            records.SellItem(gang=SKULLS, item="goggles"),
        ),
        (
            records.RecordRating(gang=SKULLS),
            records.HireFighter(gang=SKULLS, card=replace(card(VEX), fighter="pip", cost_credits=10)),
        ),
    ],
    ids=lambda command: type(command).__name__,
)
def test_the_steps_of_updating_the_roster_come_in_their_order(later: object, earlier: object) -> None:
    table = fought(card(KRUG, experience=8)).when(buy(GOGGLES, reason="in the stash before"))
    table = table.when(buy(GOGGLES, reason="a second one")).when(later)  # type: ignore[arg-type]
    dice = (d6("sale", 1),) if isinstance(earlier, records.SellItem) else ()
    table.when(earlier, *dice).then_refused(records.StepOutOfOrder)  # type: ignore[arg-type]


def test_a_reason_takes_a_step_out_of_the_order_of_the_roster_update() -> None:
    table = fought().when(records.RecordRating(gang=SKULLS)).when(buy(GOGGLES, reason="forgotten"))
    assert stash(table) == ["goggles"]


def test_the_sequence_of_one_gang_is_not_the_others() -> None:
    table = fought(card(MAGS, experience=4)).when(records.RecordRating(gang=SKULLS))
    assert table.when(records.BuyAdvancement(fighter=MAGS, advancement="cool")).refusal is None


# A further injury at the place of a bionic: 4+ ignores it, then a 1 ruins the bionic and the injury counts.


def test_opening_the_next_battle_ends_the_sequence() -> None:
    table = fought().when(records.RecordRating(gang=SKULLS)).when(opening(2)).when(CLOSING)
    assert table.when(buy(GOGGLES)).refusal is None
    assert table.fighter(DOT).gang == SAINTS
