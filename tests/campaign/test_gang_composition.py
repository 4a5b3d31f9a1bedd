"""Gang composition: one Leader, Gang Fighters, Hangers-on and Brutes by Reputation. Source: rules D6.2."""

from __future__ import annotations

from scenario import SKULLS, VEX, card, given
from tables import every
from trading_scenario import hire, rich

from tracker.campaign import records
from tracker.records import replace


def test_a_gang_has_one_leader() -> None:
    rich().when(hire("pip", "leader")).then_refused(
        records.TroubledGang, trouble="it has 2 Leaders and must have one"
    )


def test_gang_fighters_are_at_least_as_many_as_the_others() -> None:
    # Krug the Leader and Vex the Ganger: one of each.
    rich().when(hire("pip", "champion")).then_refused(records.TroubledGang)
    table = rich().when(hire("pip", "juve")).when(hire("sly", "champion"))
    table.when(hire("tam", "champion")).then_refused(records.TroubledGang)


@every(
    ("reputation", "cap"),
    [(1, 1), (4, 1), (5, 2), (9, 2), (10, 3), (14, 3), (15, 4), (19, 4), (20, 5), (30, 5)],
)
def test_reputation_caps_hangers_on_and_brutes(reputation: int, cap: int) -> None:
    table = rich()
    table = replace(
        table, state=table.state.with_gang(replace(table.state.gangs[SKULLS], reputation=reputation))
    )
    for number in range(cap):
        table = table.when(hire(f"aid-{number}", "hanger_on", 10))
    table.when(hire("one-more", "hanger_on", 10)).then_refused(records.TroubledGang)


@every(("brutes", "allowed"), [("by_reputation", True), ("one", False)])
def test_one_brute_where_the_table_plays_so(brutes: str, allowed: bool) -> None:
    table = rich(knobs={"gang.brutes": brutes})
    gang = replace(table.state.gangs[SKULLS], reputation=10)
    table = replace(table, state=table.state.with_gang(gang))
    table = table.when(hire("pip", "ganger")).when(hire("bob", "brute")).when(hire("tam", "ganger"))
    table = table.when(hire("rob", "brute"))
    assert table.refusal is None if allowed else isinstance(table.refusal, records.TroubledGang)


def test_an_imbalance_of_before_does_not_forbid_hiring_against_it() -> None:
    table = given(card(VEX, category="champion"), battle=False)
    assert table.when(hire("pip", "ganger")).refusal is None
