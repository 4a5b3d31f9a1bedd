"""Given, when, then for money, things and advancement: shared by their tests. Everything here is made up."""

from typing import Any

from rides import RIG, vehicle
from scenario import CLOSING, MESH, SKULLS, Table, card, given, lasting, out_of_action

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Item, Weapon, WeaponProfile
from tracker.dice import Die, read_die
from tracker.records import replace

STUB = Weapon(weapon="stub gun", profiles=(WeaponProfile(strength=3, ammo=4),), cost_credits=5)
BOOMER = Weapon(weapon="boomer", profiles=(WeaponProfile(strength=8),), cost_credits=120, counts_as=2)
STUB_ITEM = Item(name="stub gun", kind="weapon", cost_credits=5, weapon=STUB)
BOOMER_ITEM = Item(name="boomer", kind="weapon", cost_credits=120, weapon=BOOMER)
MESH_ITEM = Item(name="Mesh armour", kind="armour", cost_credits=15, armour=MESH)
FLAK_ITEM = Item(
    name="Flak armour", kind="armour", cost_credits=10, armour=Armour(name="Flak armour", save=6)
)
GOGGLES = Item(name="goggles", kind="wargear", cost_credits=20)
STASH = f"stash:{SKULLS}"
FEROCITY = records.SkillSet(
    name="Ferocity", skills=("Gnaw", "Howl", "Lunge", "Maul", "Nettle", "Outlast"), access="primary"
)


def rich(has: int = 1000, **more: Any) -> Table:
    """Krug and Vex of the Skulls, with so many credits, between battles."""

    table = given(battle=False, **more)
    return table.when(records.MoveCredits(source="@campaign", target=SKULLS, amount=has - 100, reason="test"))


def buy(item: Item, market: str = "common", **more: Any) -> records.BuyItem:
    """The Skulls buy it."""
    return records.BuyItem(gang=SKULLS, item=item, market=market, **more)  # type: ignore[arg-type]


def sell(item: str, **more: Any) -> records.SellItem:
    """The Skulls sell it."""
    return records.SellItem(gang=SKULLS, item=item, **more)


def give(item: str, fighter: str, **more: Any) -> records.MoveItem:
    """Out of the stash to a fighter of the Skulls."""
    return records.MoveItem(item=item, source=STASH, target=f"fighter:{fighter}", **more)


def hire(fighter: str, category: str, cost: int = 50, **more: Any) -> records.HireFighter:
    """The Skulls hire somebody."""
    hired = replace(
        card("vex"),
        fighter=fighter,
        name=fighter.capitalize(),
        category=category,
        cost_credits=cost,  # type: ignore[arg-type]
    )
    price, beyond = more.pop("price", None), more.pop("beyond_rules", False)
    return records.HireFighter(gang=SKULLS, card=replace(hired, **more), price=price, beyond_rules=beyond)


def d6(purpose: str, face: int) -> Die:
    """A die of that purpose shows."""
    return read_die(purpose, "D6", face)


def skill(face: int) -> Die:
    """The die for a skill shows."""
    return d6("skill", face)


def two(first: int, second: int) -> Die:
    """The two dice of a Ganger show."""
    return read_die("ganger_advancement", "2D6", [first, second])


def balance(table: Table, gang: str = SKULLS) -> int:
    """A gang's credits."""
    return table.state.gangs[gang].credits


DEATH, HOBBLED = lasting(6, 6), lasting(4, 6)


def fought(*cards: object, dead: tuple[str, ...] = (), hobbled: str | None = None, **more: object) -> Table:
    """A battle in which these died, and all others stayed on the field."""
    table = given(*cards, **more)  # type: ignore[arg-type]
    for fighter in dead:
        table = table.when(out_of_action(fighter), DEATH)
    if hobbled is not None:
        table = table.when(out_of_action(hobbled), HOBBLED)
    return table.when(CLOSING)


def stash(table: Table, gang: str = SKULLS) -> list[str]:
    """What lies in a stash, by name."""
    return [item.name for item in table.state.gangs[gang].stash]


RIDE = vehicle(RIG, cost_credits=100, crew="")
