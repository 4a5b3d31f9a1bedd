"""Cycles of a campaign: Occupation, Downtime, Takeover. Source: D8."""

from aftermaths import LOST, captive, fallen, names
from scenario import KRUG, SAINTS, SKULLS, VEX, Table, card, given, lasting, opening
from tables import every
from territories import of_house, take

from tracker.campaign import records
from tracker.campaign.holdings import rating
from tracker.records import replace

NEXT = records.BeginCycle(reason="a month has passed")


def test_a_campaign_has_three_cycles_of_occupation_one_of_downtime_and_three_of_takeover() -> None:
    table = of_house("Any")
    phases = []
    for _ in range(7):
        table = table.when(NEXT)
        assert table.state.cycle is not None
        phases.append(table.state.cycle.phase)
    assert phases == [*["occupation"] * 3, "downtime", *["takeover"] * 3]
    table = table.when(NEXT).then_refused(records.CampaignIsOver)
    table.when(records.BeginCycle(reason="more", phase="holiday")).then_refused(records.UnknownPhase)
    assert table.when(records.BeginCycle(reason="more", phase="takeover")).state.cycle is not None


def downtime(table: Table) -> Table:
    return table.when(records.BeginCycle(reason="test", phase="downtime"))


def test_downtime_clears_recoveries() -> None:
    assert downtime(fallen((VEX, lasting(4, 4)))).fighter(VEX).recovering_since is None


def test_in_downtime_captives_go_home_and_the_holder_has_half_their_value_rounded_up_to_5() -> None:
    table = given(replace(card(VEX), cost_credits=111))
    table = downtime(captive(table=table))
    assert table.fighter(VEX).held_by is None
    assert rating(table.state.gangs[SKULLS]) == 211
    assert table.state.gangs[SAINTS].credits == 100 + 60 + 250


def test_downtime_grants_250_credits_and_what_is_not_spent_lapses() -> None:
    table = downtime(of_house("Any"))
    assert table.state.gangs[SKULLS].credits == 350
    table = table.when(records.MoveCredits(source=SKULLS, target="@hiring", amount=100, reason="a ganger"))
    table = table.when(NEXT)
    assert table.state.gangs[SKULLS].credits == 100
    assert table.state.gangs[SAINTS].credits == 100


def test_a_gang_that_spends_more_than_the_downtime_grant_pays_the_rest() -> None:
    table = downtime(of_house("Any"))
    table = table.when(
        records.MoveCredits(source=SKULLS, target="@hiring", amount=300, reason="a brute")
    ).when(NEXT)
    assert table.state.gangs[SKULLS].credits == 50


def test_the_reputation_of_a_lost_stake_counts_after_the_gains() -> None:
    table = of_house("Any").when(take("drinking_hole")).when(opening(1))
    table = fallen(table=table, close=LOST)
    table = table.when(
        records.GainTerritory(gang=SAINTS, territory="drinking-hole", why="stake", staked=True)
    )
    table = table.when(records.ChangeReputation(gang=SKULLS, by=2, why="test"))
    assert table.state.gangs[SKULLS].reputation == 3  # 2 before, +2, -1


def rising(fighter: str = VEX, **more) -> records.PromoteFighter:
    return records.PromoteFighter(fighter=fighter, category="ganger", kind="Ganger", **more)


def grown(advancements: int) -> Table:
    """Vex is a Juve with so many advancements."""
    table = given(card(VEX, category="juve", experience=3 * advancements), battle=False)
    for _ in range(advancements):
        table = table.when(records.BuyAdvancement(fighter=VEX, advancement="willpower"))
    return table


@every(("advancements", "rises"), [(2, False), (3, True), (4, True)])
def test_in_downtime_juves_with_3_advancements_may_rise(advancements: int, rises: bool) -> None:
    before = grown(advancements)
    table = before.when(records.BeginCycle(reason="test", phase="downtime", promotions=(rising(),)))
    if not rises:
        table.then_refused(records.NotYetPromoted)
        return
    vex, was = table.fighter(VEX), before.fighter(VEX)
    assert (vex.category, vex.kind) == ("ganger", "Ganger")
    assert (vex.cost_credits, vex.characteristics) == (was.cost_credits, was.characteristics)


def test_the_steps_of_downtime_come_in_their_order() -> None:
    table = fallen((KRUG, lasting(4, 4)), table=given(card(VEX, category="juve", experience=9)))
    for _ in range(3):
        table = table.when(records.BuyAdvancement(fighter=VEX, advancement="willpower"))
    table = table.when(records.BeginCycle(reason="test", phase="downtime", promotions=(rising(),)))
    kinds = [kind for kind in names(table.outcome) if kind != "CreditsMoved"]
    assert kinds == ["CycleBegan", "RecoveryEnded", "FighterPromoted", *["SpendingGranted"] * 2]


def test_nobody_is_promoted_as_another_phase_than_downtime_begins() -> None:
    begin = records.BeginCycle(reason="test", phase="occupation", promotions=(rising(),))
    grown(3).when(begin).then_refused(records.NoPromotionsNow)
