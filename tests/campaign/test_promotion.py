"""Promotion: Juves and Prospects after so many advancements. Source: rules D3.4, B8."""

from __future__ import annotations

from advancing import buy, with_xp
from scenario import KRUG, VEX
from tables import every

from tracker.campaign import records
from tracker.records import replace

ARCHIVE = "necromunda_archive"


@every(("book", "needed"), [("necromunda_2023", 3), (ARCHIVE, 5)])
@every("category", ["juve", "prospect"])
def test_juves_and_prospects_are_promoted_after_so_many_advancements(
    book: str, needed: int, category: str
) -> None:
    promote = records.PromoteFighter(fighter=KRUG, category="champion", kind="Boss")
    table = with_xp(KRUG, 100, book=book, category=category)
    for number in range(needed - 1):
        table = table.when(buy(KRUG, ("willpower", "cool")[number % 2]))
    table.when(promote).then_refused(records.NotYetPromoted, advancements=needed - 1, needed=needed)
    table = table.when(buy(KRUG, "willpower")).when(promote)
    assert (table.fighter(KRUG).category, table.fighter(KRUG).kind) == ("champion", "Boss")


def test_no_ganger_is_promoted_but_by_the_arbitrator() -> None:
    promote = records.PromoteFighter(fighter=VEX, category="champion", kind="Boss")
    with_xp(VEX, 0).when(promote).then_refused(records.NotYetPromoted, needed=None)
    by_word = replace(promote, reason="agreed", beyond_rules=True)
    assert with_xp(VEX, 0).when(by_word).fighter(VEX).category == "champion"
