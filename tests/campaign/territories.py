"""Territories taken, for the tests of incomes and cycles."""

from aftermaths import LOST, fallen
from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, campaign, card, enlist, opening

from tracker.campaign import records


def take(kind: str, gang: str = SKULLS, **more) -> records.GainTerritory:
    """The gang takes a territory of that kind, whose id is its kind."""
    return records.GainTerritory(gang=gang, territory=kind.replace("_", "-"), kind=kind, why="test", **more)


def of_house(house: str, **knobs: str) -> Table:
    """The two gangs before any battle, the Skulls of a house of the book."""
    return campaign(
        enlist(SKULLS, card(KRUG), card(VEX), credits=100, house=house),
        enlist(SAINTS, card(MAGS), card(DOT), credits=100, house="Any"),
        knobs=knobs,
    )


def holding(*kinds: str, house: str = "Any", close=LOST, table: Table | None = None, **more) -> Table:
    """The Skulls, of that house, hold these after a battle."""
    table = table or of_house(house)
    for kind in kinds:
        table = table.when(take(kind))
    return fallen(table=table.when(opening(1)), close=close)
