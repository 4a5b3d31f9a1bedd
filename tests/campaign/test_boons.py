"""Boons of territories beside income: recruits, equipment, what goes when the territory goes; patronage. Source: D8."""

from itertools import product

from aftermaths import LOST, WON, die, fallen, sides
from scenario import KRUG, MAGS, SAINTS, SKULLS, VEX, Table, card, given, opening
from tables import every
from territories import holding, of_house, take
from trading_scenario import GOGGLES, hire, sell

from tracker.campaign import records
from tracker.campaign.holdings import rating
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.necromunda import post_battle as rules


def somebody(name: str, category: str, kind: str = "Fighter") -> records.FighterCard:
    return replace(
        card(VEX), fighter=name, name=name.capitalize(), category=category, kind=kind, cost_credits=30
    )


JUVE, GANGER = somebody("pip", "juve"), somebody("gil", "ganger")
BOTH = records.TakeRecruit(territory="settlement", cards=(JUVE, GANGER))


def gang(table: Table, name: str = SKULLS) -> set[str]:
    return {
        fighter.fighter
        for fighter in table.state.gangs[name].fighters.values()
        if fighter.standing == "enlisted"
    }


# --- recruits --------------------------------------------------------------------------------------------


@every("faces", list(product(range(1, 7), repeat=2)))
def test_a_settlement_brings_a_juve_on_any_6_and_a_ganger_on_two(faces: tuple[int, int]) -> None:
    table = holding("settlement").when(BOTH, die("recruit", *faces))
    came = {(6, 6): {"gil"}}.get(faces, {"pip"} if 6 in faces else set())
    assert gang(table) == {KRUG, VEX} | came


def test_a_recruit_costs_nothing_and_counts_in_the_rating() -> None:
    before = holding("settlement")
    table = before.when(BOTH, die("recruit", 6, 1))
    assert table.state.gangs[SKULLS].credits == before.state.gangs[SKULLS].credits
    assert rating(table.state.gangs[SKULLS]) == rating(before.state.gangs[SKULLS]) + 30


def test_a_recruit_is_rolled_for_once_after_each_battle() -> None:
    table = (
        holding("settlement")
        .when(BOTH, die("recruit", 1, 2))
        .when(BOTH)
        .then_refused(records.OncePerSequence)
    )
    table = table.when(opening(2)).when(LOST)
    assert "pip" in gang(table.when(BOTH, die("recruit", 6, 2)))


def test_a_recruit_who_was_not_named_does_not_come() -> None:
    table = holding("settlement").when(records.TakeRecruit(territory="settlement"), die("recruit", 6, 6))
    assert gang(table) == {KRUG, VEX}
    assert table.rolls[-1].outcome == "a Ganger or a Juve for nothing: nobody was named"


def test_with_two_sixes_a_juve_may_come_where_no_ganger_is_named() -> None:
    juve = records.TakeRecruit(territory="settlement", cards=(JUVE,))
    assert gang(holding("settlement").when(juve, die("recruit", 6, 6))) == {KRUG, VEX, "pip"}


def test_only_ranks_that_the_territory_brings_are_recruited() -> None:
    champion = records.TakeRecruit(territory="settlement", cards=(somebody("ace", "champion"),))
    holding("settlement").when(champion).then_refused(records.RecruitOfAnotherKind)


def test_a_slag_furnace_recruits_for_goliath_alone() -> None:
    furnace = replace(BOTH, territory="slag-furnace")
    holding("slag_furnace").when(furnace).then_refused(records.NoSuchBoon)
    goliath = holding("slag_furnace", house="House Goliath")
    assert "pip" in gang(goliath.when(furnace, die("recruit", 2, 6)))


@every(("kind", "who"), [("rogue_doc_shop", "Rogue Doc"), ("workshop", "Ammo-jack")])
def test_a_law_abiding_gang_has_its_hanger_on_for_nothing_beside_those_that_reputation_allows(
    kind: str, who: str
) -> None:
    territory, doc = kind.replace("_", "-"), somebody("doc", "hanger_on", who)
    recruit = records.TakeRecruit(territory=territory, cards=(doc,))
    outlaws = sides(holding(kind), skulls="outlaw")
    outlaws.when(recruit).then_refused(records.NoSuchBoon)
    table = sides(holding(kind), skulls="law_abiding").when(recruit)
    assert gang(table) == {KRUG, VEX, "doc"}
    second = replace(recruit, cards=(somebody("sly", "hanger_on", who),))
    table.when(second).then_refused(records.BoonTakenBefore)
    wrong = replace(recruit, cards=(somebody("sly", "hanger_on", "Dome Runner"),))
    table.when(wrong).then_refused(records.RecruitOfAnotherKind)
    # Reputation 1 allows one Hanger-on, and that one may still be hired.
    hired = table.when(replace(hire("sly", "hanger_on", 10), reason="test"))
    assert "sly" in gang(hired)
    hired.when(replace(hire("jo", "hanger_on", 10), reason="test")).then_refused(records.TroubledGang)


def test_a_recruit_of_a_territory_leaves_with_it_but_gang_fighters_stay() -> None:
    table = sides(holding("rogue_doc_shop", "settlement"), skulls="law_abiding")
    table = table.when(
        records.TakeRecruit(territory="rogue-doc-shop", cards=(somebody("doc", "hanger_on", "Rogue Doc"),))
    )
    table = table.when(BOTH, die("recruit", 6, 1))
    table = table.when(records.LoseTerritory(territory="rogue-doc-shop", why="burnt"))
    table = table.when(records.LoseTerritory(territory="settlement", why="burnt"))
    assert gang(table) == {KRUG, VEX, "pip"}
    # Taken again, it brings another.
    table = table.when(take("rogue_doc_shop"))
    assert "sly" in gang(
        table.when(
            records.TakeRecruit(
                territory="rogue-doc-shop", cards=(somebody("sly", "hanger_on", "Rogue Doc"),)
            )
        )
    )


def test_a_fighting_pit_brings_two_hive_scum_and_no_third() -> None:
    scum = tuple(somebody(name, "hired_gun", "Hive Scum") for name in ("ed", "ned", "ted"))
    pit = records.TakeRecruit(territory="fighting-pit", cards=scum[:2])
    table = holding("fighting_pit").when(replace(pit, cards=scum)).then_refused(records.BoonTakenBefore)
    table = table.when(pit)
    assert gang(table) == {KRUG, VEX, "ed", "ned"}
    table.when(replace(pit, cards=scum[2:])).then_refused(records.BoonTakenBefore)


def test_a_territory_of_nobody_or_of_the_tables_own_brings_no_recruit() -> None:
    own = of_house("Any").when(
        records.GainTerritory(gang=SKULLS, territory="settlement", name="Home", why="test")
    )
    own = fallen(table=own.when(opening(1)))
    own.when(BOTH).then_refused(records.NoSuchBoon)
    lost = holding("rogue_doc_shop").when(records.LoseTerritory(territory="rogue-doc-shop", why="burnt"))
    lost.when(records.TakeRecruit(territory="rogue-doc-shop")).then_refused(records.HeldByNobody)


# --- equipment -------------------------------------------------------------------------------------------


CHARGES = replace(GOGGLES, name="incendiary charges", cost_credits=40)
TAKEN = records.TakeEquipment(territory="promethium-cache", item=CHARGES)


@every("kind", ["promethium_cache", "sludge_sea"])
def test_the_three_items_of_a_territory_come_with_it_once(kind: str) -> None:
    equipment = records.TakeEquipment(territory=kind.replace("_", "-"), item=CHARGES)
    table = holding(kind).when(equipment)
    assert [item.name for item in table.state.gangs[SKULLS].stash] == ["incendiary charges"] * 3
    table.when(equipment).then_refused(records.BoonTakenBefore)


def test_equipment_of_a_territory_goes_with_it_from_stash_and_cards() -> None:
    table = holding("promethium_cache").when(TAKEN)
    table = table.when(records.MoveItem(item=CHARGES.name, source="stash:skulls", target=f"fighter:{VEX}"))
    assert table.fighter(VEX).cost_credits == 140
    table = table.when(records.GainTerritory(gang=SAINTS, territory="promethium-cache", why="taken"))
    assert table.state.gangs[SKULLS].stash == ()
    assert (table.fighter(VEX).wargear, table.fighter(VEX).cost_credits) == ((), 100)
    assert table.state.territories["promethium-cache"].holder == SAINTS
    assert table.state.territories["promethium-cache"].equipment == ()


def test_equipment_of_a_territory_is_neither_sold_nor_given_away() -> None:
    table = holding("promethium_cache").when(TAKEN)
    table.when(sell(CHARGES.name, reason="test")).then_refused(records.BoonNotSold)
    away = records.MoveItem(item=CHARGES.name, source="stash:skulls", target="stash:saints", reason="a gift")
    table.when(away).then_refused(records.BoonNotSold)


def test_a_territory_without_equipment_has_none() -> None:
    holding("old_ruins").when(replace(TAKEN, territory="old-ruins")).then_refused(records.NoSuchBoon)


# --- what a house makes of it ----------------------------------------------------------------------------


@every(
    ("kind", "house", "reputation"),
    [
        ("settlement", "Any", 1), ("gambling_den", "Any", 1), ("gambling_den", "Delaque", 2),
        ("drinking_hole", "Any", 1), ("drinking_hole", "Delaque", 2), ("refuse_drift", "Cawdor", 1),
        ("corpse_farm", "Cawdor", 1), ("bone_shrine", "Cawdor", 2), ("narco_den", "Escher", 1),
        ("synth_still", "Escher", 1), ("stinger_mould", "Escher", 1), ("slag_furnace", "Goliath", 2),
        ("fighting_pit", "Goliath", 2), ("mine_workings", "Orlock", 2), ("tunnels", "Orlock", 1),
        ("generatorium", "Van Saar", 1), ("archaeotech_device", "Van Saar", 2), ("tech_bazaar", "Van Saar", 1),
        ("fighting_pit", "Any", 0), ("tunnels", "Any", 0), ("archaeotech_device", "Any", 0),
    ],
)  # fmt: skip
def test_the_reputation_of_a_territory(kind: str, house: str, reputation: int) -> None:
    assert of_house(house).when(take(kind)).state.gangs[SKULLS].reputation == 1 + reputation


# --- patronage -------------------------------------------------------------------------------------------


@every(("behind", "pays"), [(-100, 0), (0, 0), (399, 0), (400, 400), (499, 400), (500, 500), (1234, 1200)])
def test_patronage_is_100_for_each_full_100_once_400_behind(behind: int, pays: int) -> None:
    assert rules.patronage(rating=1000, against=1000 + behind) == pays


def uneven(**knobs: str) -> Table:
    """The Saints are worth 450 more."""
    return given(card(MAGS, cost_credits=550), battle=False, knobs=knobs)


PATRONAGE = records.TakePatronage(gang=SKULLS, against=SAINTS)


def test_patronage_is_a_house_rule_and_the_underdogs_alone() -> None:
    uneven().when(PATRONAGE).then_refused(records.NoPatronage)
    table = uneven(**{"underdog.patronage": "credits"})
    assert table.when(PATRONAGE).state.gangs[SKULLS].credits == 100 + 400
    table.when(records.TakePatronage(gang=SAINTS, against=SKULLS)).then_refused(records.NoPatronage)


def test_patronage_comes_once_before_a_battle() -> None:
    table = uneven(**{"underdog.patronage": "credits"}).when(opening(1)).when(WON).when(PATRONAGE)
    table.when(PATRONAGE).then_refused(records.OncePerSequence)


def test_the_policy_puts_patronage_in_force() -> None:
    assert loader.policy("house-patronage@1").patch == {"underdog.patronage": "credits"}
