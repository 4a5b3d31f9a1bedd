"""Territories: who takes the stake, who loses it, and the Reputation that comes with it. Source: D5.5, D8."""

from aftermaths import DRAWN, LOST, WON, fallen, names
from scenario import SAINTS, SKULLS, opening
from tables import every
from territories import of_house, take

from tracker.campaign import records


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
    assert [territory.territory for territory in table.state.gangs[SKULLS].territories] == ["old-ruins"]
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
