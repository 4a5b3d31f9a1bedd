"""Territories: who takes the stake, what each brings in, what strikes back, and the campaign's cycles."""

from aftermaths import DRAWN, LOST, WON, captive, die, fallen, names, sides
from scenario import (
    DOT,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    campaign,
    card,
    enlist,
    given,
    lasting,
    opening,
    phrases,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.holdings import rating
from tracker.records import replace
from tracker.rules import loader


def take(kind: str, gang: str = SKULLS, **more) -> records.GainTerritory:
    """The gang takes a territory of that kind, whose id is its kind."""
    return records.GainTerritory(gang=gang, territory=kind.replace("_", "-"), kind=kind, why="test", **more)


def income(kind: str, **more) -> records.TakeIncome:
    return records.TakeIncome(territory=kind.replace("_", "-"), **{"reading": 2, **more})


def holding(*kinds: str, house: str = "Any", close=LOST, table: Table | None = None, **more) -> Table:
    """The Skulls, of that house, hold these after a battle."""
    table = table or of_house(house)
    for kind in kinds:
        table = table.when(take(kind))
    return fallen(table=table.when(opening(1)), close=close)


def of_house(house: str, **knobs: str) -> Table:
    """The two gangs before any battle, the Skulls of a house of the book."""
    return campaign(
        enlist(SKULLS, card(KRUG), card(VEX), credits=100, house=house),
        enlist(SAINTS, card(MAGS), card(DOT), credits=100, house="Any"),
        knobs=knobs,
    )


def earned(table: Table) -> int:
    return table.state.gangs[SKULLS].credits - 100


# --- taking ----------------------------------------------------------------------------------------------


def test_the_winner_takes_the_stake_and_nobody_else_does() -> None:
    stake = take("old_ruins", staked=True)
    assert fallen(close=WON).when(stake).state.territories["old-ruins"].holder == SKULLS
    fallen(close=LOST).when(stake).then_refused(records.StakeNotWon, result="lost")
    fallen(close=DRAWN).when(stake).then_refused(records.StakeNotWon, result="drawn")


def test_a_staked_territory_changes_hands_and_both_sides_agree() -> None:
    table = of_house("Any").when(take("old_ruins", SAINTS)).when(opening(1))
    table = fallen(close=WON, table=table).when(
        records.GainTerritory(gang=SKULLS, territory="old-ruins", why="stake", staked=True)
    )
    assert names(table.outcome) == ["StepReached", "TerritoryLost", "TerritoryGained"]
    assert [one.territory for one in table.state.gangs[SKULLS].territories] == ["old-ruins"]
    assert table.state.gangs[SAINTS].territories == ()


def test_a_settlement_is_never_lost_to_another_gang() -> None:
    table = of_house("Any").when(take("settlement", SAINTS))
    table.when(records.GainTerritory(gang=SKULLS, territory="settlement", why="greed")).then_refused(
        records.TerritoryFixed
    )


def test_a_territory_is_taken_once_and_of_a_kind_that_the_book_knows_or_the_tables_own() -> None:
    table = of_house("Any").when(take("old_ruins"))
    table = table.when(take("old_ruins")).then_refused(records.TerritoryHeldAlready)
    table = table.when(take("old_ruin")).then_refused(records.UnknownTerritoryKind)
    table = table.when(records.GainTerritory(gang=SKULLS, territory="x", why="test")).then_refused(
        records.UnknownTerritory
    )
    own = table.when(records.GainTerritory(gang=SKULLS, territory="x", name="The Pit", why="test"))
    assert own.state.territories["x"].kind == "own"


def test_the_reputation_of_a_territory_comes_and_goes_with_it() -> None:
    table = of_house("Any").when(take("drinking_hole"))
    assert table.state.gangs[SKULLS].reputation == 2
    assert (
        table.when(records.LoseTerritory(territory="drinking-hole", why="test"))
        .state.gangs[SKULLS]
        .reputation
        == 1
    )


@every(
    ("house", "kind", "reputation"),
    [
        ("House Delaque", "drinking_hole", 2),
        ("Cawdor", "bone_shrine", 2),
        ("Cawdor", "corpse_farm", 1),
        ("Goliath", "slag_furnace", 2),
        ("Orlock", "mine_workings", 2),
        ("Van Saar", "tech_bazaar", 1),
        ("Escher", "narco_den", 1),
        ("Orlock", "narco_den", 0),
        ("Delaque", "gambling_den", 2),
        ("Orlock", "gambling_den", 1),
        ("Orlock", "settlement", 1),
    ],
)
def test_the_houses_own_boon_replaces_the_plain_one(house: str, kind: str, reputation: int) -> None:
    table = of_house(house).when(take(kind))
    assert table.state.gangs[SKULLS].reputation == 1 + reputation


# --- income ----------------------------------------------------------------------------------------------


@every(
    ("kind", "house", "faces", "brings"),
    [
        ("settlement", "Any", (4,), 40),
        ("bone_shrine", "Any", (3, 5), 40),
        ("bone_shrine", "Cawdor", (1, 2, 3, 4), 50),
        ("narco_den", "Any", (6,), 30),
        ("narco_den", "Escher", (6, 1), 35),
        ("slag_furnace", "Goliath", (6,), 30),
        ("smelting_works", "Any", (2,), 10),
        ("smelting_works", "Goliath", (2, 3), 25),
        ("toll_crossing", "Any", (3,), 15),
        ("tech_bazaar", "Van Saar", (3,), 30),
        ("refuse_drift", "Any", (1, 6), 35),
        ("refuse_drift", "Cawdor", (5, 5), 50),
        ("collapsed_dome", "Any", (1, 6), 70),
        ("mine_workings", "Any", (5,), 50),
    ],
)
def test_a_territory_brings_in_its_dice(kind: str, house: str, faces: tuple[int, ...], brings: int) -> None:
    assert earned(holding(kind, house=house).when(income(kind), die("income", *faces))) == brings


def test_a_second_territory_may_enhance_the_first() -> None:
    table = holding("narco_den", "synth_still", house="Escher")
    assert earned(table.when(income("narco_den"), die("income", 6, 1))) == 70
    table = holding("tech_bazaar", "archaeotech_device", house="Van Saar")
    assert earned(table.when(income("tech_bazaar"), die("income", 6, 1))) == 70
    table = holding("smelting_works", "slag_furnace", house="Goliath")
    assert earned(table.when(income("smelting_works"), die("income", 6, 1))) == 70


def test_old_ruins_bring_1_more_on_the_d3_for_each_dome_runner() -> None:
    table = holding("old_ruins")
    assert earned(table.when(income("old_ruins"), die("income_d3", 2))) == 20
    assert earned(table.when(income("old_ruins", counted=2), die("income_d3", 2))) == 40


def test_a_corpse_farm_pays_for_each_fighter_deleted() -> None:
    table = holding("corpse_farm")
    assert earned(table.when(income("corpse_farm"))) == 0
    assert earned(table.when(income("corpse_farm", counted=2), die("income", 2, 5))) == 70
    cawdor = holding("corpse_farm", house="Cawdor")
    assert earned(cawdor.when(income("corpse_farm", counted=1), die("income", 2, 5))) == 70


def test_only_outlaws_have_the_income_of_a_rogue_doc_shop() -> None:
    table = holding("rogue_doc_shop")
    outlaw = sides(table)
    assert earned(outlaw.when(income("rogue_doc_shop"), die("income", 3))) == 30
    sides(table, skulls="law_abiding").when(income("rogue_doc_shop"), die("income", 3)).then_refused(
        records.NoIncome
    )


def test_a_gambling_den_pays_what_the_cards_say() -> None:
    table = holding("gambling_den")
    assert earned(table.when(income("gambling_den", amount=45))) == 45
    table.when(income("gambling_den")).then_refused(records.IncomeWrong)


def test_a_territory_without_income_brings_none() -> None:
    holding("wastes").when(income("wastes")).then_refused(records.NoIncome)


def test_a_captive_at_work_in_the_mine_adds_a_roll() -> None:
    table = captive(table=of_house("Any").when(take("mine_workings", SAINTS)).when(opening(1)))
    table = table.when(records.PutCaptiveToWork(captive=VEX, territory="mine-workings"))
    table = table.when(income("mine_workings"), die("income", 4, 5))
    assert table.state.gangs[SAINTS].credits == 190


def test_who_works_a_lost_mine_works_no_more() -> None:
    table = captive(table=of_house("Any").when(take("mine_workings", SAINTS)).when(opening(1)))
    table = table.when(records.PutCaptiveToWork(captive=VEX, territory="mine-workings"))
    table = table.when(records.LoseTerritory(territory="mine-workings", why="test"))
    assert (table.fighter(VEX).works_at, table.fighter(VEX).held_by) == (None, SAINTS)


def test_an_income_is_taken_once_in_a_sequence_and_before_the_actions() -> None:
    table = holding("settlement", "toll_crossing").when(income("settlement"), die("income", 1))
    table = table.when(income("settlement"), die("income", 1)).then_refused(records.OncePerSequence)
    table = table.when(records.EndActions(gang=SKULLS))
    table.when(income("toll_crossing"), die("income", 1)).then_refused(records.StepOutOfOrder)


def test_the_convalescent_work_no_territory() -> None:
    table = fallen((VEX, lasting(3, 1)), table=of_house("Any").when(take("settlement")).when(opening(1)))
    table.when(income("settlement", worked_by=VEX), die("income", 1)).then_refused(records.CannotWork)
    assert earned(table.when(income("settlement", worked_by=KRUG), die("income", 1))) == 10


def test_the_critically_injured_work_territory_unless_a_house_rule_bars_them() -> None:
    def critical(**knobs: str) -> Table:
        table = of_house("Any", **knobs).when(take("settlement")).when(opening(1))
        table = fallen((VEX, lasting(6, 1)), table=table)
        return table.when(income("settlement", worked_by=VEX), die("income", 1))

    assert earned(critical()) == 10
    barred = loader.policy("the-critically-injured-do-not-act").patch
    critical(**barred).then_refused(records.CannotWork, why="Critically Injured")


# --- what strikes back -----------------------------------------------------------------------------------


@every("dice", [2, 3, 4, 5, 6])
def test_a_collapsed_dome_rolls_as_many_dice_as_its_owner_dares(dice: int) -> None:
    faces = tuple(range(1, dice + 1))
    table = holding("collapsed_dome").when(income("collapsed_dome", dice=dice), die("income", *faces))
    assert earned(table) == sum(faces) * 10


def test_a_collapsed_dome_refuses_fewer_than_two_and_more_than_six_dice() -> None:
    table = holding("collapsed_dome")
    for dice in (1, 7):
        table.when(income("collapsed_dome", dice=dice)).then_refused(records.IncomeWrong)


def test_a_double_at_a_collapsed_dome_brings_nothing_and_a_lasting_injury_outside_any_battle() -> None:
    table = holding("collapsed_dome").when(
        income("collapsed_dome", dice=3, struck=VEX), die("income", 2, 5, 2), lasting(4, 6)
    )
    assert earned(table) == 0
    assert phrases(table.events) == ("hobbled", "recovery from battle 1", "movement 5 to 4")
    # It happened after battle 1, so battle 2 is the one that is missed, and no more than that.
    table = table.when(opening(2)).then_refused(records.FighterCannotTakePart)
    table = table.when(opening(2, without=(VEX,))).when(LOST)
    assert table.fighter(VEX).recovering_since is None


def test_bitter_enmity_from_a_collapsed_dome_is_out_cold_unless_a_gang_is_named() -> None:
    double = die("income", 2, 2)
    nobody = holding("collapsed_dome").when(income("collapsed_dome", struck=VEX), double, lasting(1, 4))
    assert phrases(nobody.events) == ("bitter_enmity counts as out_cold",)
    named = holding("collapsed_dome").when(
        income("collapsed_dome", struck=VEX, grudge_against=SAINTS), double, lasting(1, 4)
    )
    assert phrases(named.events) == ("bitter_enmity", f"skill berserker against {SAINTS}")


def test_a_double_at_a_refuse_drift_costs_a_random_fighter_the_next_battle() -> None:
    table = holding("refuse_drift").when(
        income("refuse_drift"), die("income", 4, 4), die("random_fighter", 6)
    )
    assert earned(table) == 40  # its credits are not lost
    missing = next(name for name in (KRUG, VEX) if table.fighter(name).absent_since == 1)
    table = table.when(opening(2)).then_refused(records.FighterCannotTakePart)
    table = table.when(opening(2, without=(missing,))).when(LOST)
    assert table.fighter(missing).absent_since is None


def test_entries_from_before_the_second_reading_keep_equal_dice_without_credits() -> None:
    double = (die("income", 4, 4), die("random_fighter", 6))
    table = holding("refuse_drift").when(income("refuse_drift", reading=1), *double)
    assert earned(table) == 0


def test_the_dice_of_a_collapsed_dome_name_no_credits_before_all_of_them_lie() -> None:
    lucky = holding("collapsed_dome").when(income("collapsed_dome", dice=3), die("income", 2, 5, 1))
    assert [one.outcome for one in lucky.rolls] == ["counts", "counts", "80 credits"]
    double = holding("collapsed_dome").when(
        income("collapsed_dome", dice=3, struck=VEX), die("income", 2, 2, 1), lasting(1, 5)
    )
    nothing = "a double: nothing is paid"
    assert [one.outcome for one in double.rolls[:3]] == ["counts", nothing, nothing]


def working() -> Table:
    """Vex, a captive of the Saints, works in their Mine Workings."""
    table = captive().when(take("mine_workings", gang=SAINTS))
    return table.when(records.PutCaptiveToWork(captive=VEX, territory="mine-workings"))


def test_captives_work_on_for_who_takes_their_mine() -> None:
    hawks = enlist("hawks", house="Any")
    table = working().when(hawks).when(take("mine_workings", gang="hawks"))
    vex = table.fighter(VEX)
    assert (vex.held_by, vex.works_at) == ("hawks", "mine-workings")


@every(("to", "holder"), [("hawks", "hawks"), (SKULLS, None)])
def test_a_captive_who_is_traded_away_works_in_the_mine_no_more(to: str, holder: str | None) -> None:
    hawks = enlist("hawks", credits=50, house="Any")
    price = 50 if to == "hawks" else 0
    table = working().when(hawks).when(records.TradeCaptive(captive=VEX, to=to, price=price))
    vex = table.fighter(VEX)
    assert (vex.held_by, vex.works_at) == (holder, None)
    before = table.state.gangs[SAINTS].credits
    table = table.when(income("mine_workings"), die("income", 5))  # one die: nobody works there now
    assert table.state.gangs[SAINTS].credits == before + 50


def test_a_captive_is_home_whose_own_gang_takes_the_mine() -> None:
    vex = working().when(take("mine_workings", gang=SKULLS)).fighter(VEX)
    assert (vex.held_by, vex.works_at) == (None, None)


def test_captives_work_no_more_in_a_mine_that_is_nobodys() -> None:
    vex = working().when(records.LoseTerritory(territory="mine-workings", why="flooded")).fighter(VEX)
    assert (vex.held_by, vex.works_at) == (SAINTS, None)


def test_who_is_held_or_dead_is_not_drawn() -> None:
    table = captive(table=of_house("Any").when(take("refuse_drift")).when(opening(1)))
    table = table.when(income("refuse_drift", struck=VEX), die("income", 4, 4)).then_refused(
        records.CannotBeDrawn
    )
    assert table.when(income("refuse_drift"), die("income", 4, 4)).fighter(KRUG).absent_since == 1


# --- cycles ----------------------------------------------------------------------------------------------

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


def test_who_spends_more_than_the_grant_pays_the_rest() -> None:
    table = downtime(of_house("Any"))
    table = table.when(
        records.MoveCredits(source=SKULLS, target="@hiring", amount=300, reason="a brute")
    ).when(NEXT)
    assert table.state.gangs[SKULLS].credits == 50


def test_what_a_lost_stake_costs_in_reputation_counts_after_the_gains() -> None:
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


def test_nobody_rises_as_another_phase_begins() -> None:
    begin = records.BeginCycle(reason="test", phase="occupation", promotions=(rising(),))
    grown(3).when(begin).then_refused(records.NoPromotionsNow)
