"""Incomes of territories, and what strikes back. Source: D5.5, D8."""

from aftermaths import LOST, captive, die, fallen, sides
from scenario import KRUG, SAINTS, SKULLS, VEX, Table, enlist, lasting, opening, phrases
from tables import every
from territories import holding, of_house, take

from tracker.campaign import records
from tracker.rules import loader


def income(kind: str, **more) -> records.TakeIncome:
    return records.TakeIncome(territory=kind.replace("_", "-"), **{"reading": 2, **more})


def earned(table: Table) -> int:
    return table.state.gangs[SKULLS].credits - 100


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
    table.when(income("gambling_den")).then_refused(records.IncomeNotSaid)


def test_a_territory_without_income_brings_none() -> None:
    holding("wastes").when(income("wastes")).then_refused(records.NoIncome)


def test_a_captive_at_work_in_the_mine_adds_a_roll() -> None:
    table = captive(table=of_house("Any").when(take("mine_workings", SAINTS)).when(opening(1)))
    table = table.when(records.PutCaptiveToWork(captive=VEX, territory="mine-workings"))
    table = table.when(income("mine_workings"), die("income", 4, 5))
    assert table.state.gangs[SAINTS].credits == 190


def test_a_captive_who_works_a_lost_mine_works_no_more() -> None:
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
    assert [roll.outcome for roll in lucky.rolls] == ["counts", "counts", "80 credits"]
    double = holding("collapsed_dome").when(
        income("collapsed_dome", dice=3, struck=VEX), die("income", 2, 2, 1), lasting(1, 5)
    )
    nothing = "a double: nothing is paid"
    assert [roll.outcome for roll in double.rolls[:3]] == ["counts", nothing, nothing]


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


def test_a_random_fighter_is_never_a_captive_or_dead() -> None:
    table = captive(table=of_house("Any").when(take("refuse_drift")).when(opening(1)))
    table = table.when(income("refuse_drift", struck=VEX), die("income", 4, 4)).then_refused(
        records.CannotBeDrawn
    )
    assert table.when(income("refuse_drift"), die("income", 4, 4)).fighter(KRUG).absent_since == 1
