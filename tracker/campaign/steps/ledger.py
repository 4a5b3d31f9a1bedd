"""The ledger: credits and items change hands, always with both sides, and never below zero.

For every rule that pays, gives or takes. Each function notes its events and returns the place of the last
one; if nothing moves, it returns `cause`. Source: Core Rulebook (2023) · The Post-battle Sequence.
"""

from __future__ import annotations

from tracker.campaign import holdings, records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Item
from tracker.campaign.state import Vehicle
from tracker.campaign.steps.decision import Decision


def move_credits(
    decision: Decision,
    source: str,
    target: str,
    amount: int,
    *,
    why: str,
    section: str,
    fighter: str | None = None,
    item: str | None = None,
    cause: int = 0,
    overdraw: bool = False,
) -> int:
    """Move credits from one account to another; `section` is one of the book's. Raises NotEnoughCredits.

    `overdraw`: the Arbitrator allows a debt.
    """
    if amount == 0 and source != target:
        return cause
    currency = decision.rulebook.book.words.credit
    if amount < 0 or source == target:
        raise records.NothingMoves(amount=amount, source=source, target=target, currency=currency)
    for account in (source, target):
        if account not in (holdings.OUTSIDE if holdings.is_outside(account) else decision.state.gangs):
            raise records.UnknownAccount(account=account, known=(*decision.state.gangs, *holdings.OUTSIDE))
    if not holdings.is_outside(source) and not overdraw:
        payer = decision.gang(source)
        if payer.credits < amount:
            raise records.NotEnoughCredits(
                gang=payer.name, credits=payer.credits, needed=amount, why=why, currency=currency
            )
    return decision.emit(
        records.CreditsMoved(
            source=source,
            target=target,
            amount=amount,
            why=why,
            section=decision.rulebook.section(section),
            fighter=fighter,
            item=item,
        ),
        cause=cause,
    )


def hand_over(
    decision: Decision,
    item: Item,
    source: str,
    target: str,
    *,
    why: str,
    section: str,
    cause: int = 0,
    beyond_rules: bool = False,
    cost_follows: bool = True,
    worth: int | None = None,
) -> int:
    """Move one item between places, and adjust the cost of its old and new bearer.

    Refuses weapons over the limit (unless `beyond_rules`), a second suit of armour, and a weapon without a
    profile. With `cost_follows` False the old bearer, dead or gone, keeps the cost. `worth` is the item's
    worth at its new place; if its price was unknown, also at the old one.
    """
    for place in (source, target):
        _known(decision, place)
    _refuse_uncarried(decision, item, target, section=section, beyond_rules=beyond_rules)
    moved = decision.emit(
        records.ItemMoved(
            item=item,
            source=source,
            target=target,
            source_gang=gang_of_place(decision, source),
            target_gang=gang_of_place(decision, target),
            why=why,
            section=decision.rulebook.section(section),
            worth=worth,
        ),
        cause=cause,
    )
    if cost_follows:
        after = item.cost_credits if worth is None else worth
        change_cost(decision, source, -(item.cost_credits or after), why=f"{item.name} gone", cause=moved)
        change_cost(decision, target, after, why=item.name, cause=moved)
    return moved


def change_cost(decision: Decision, place: str, by: int, *, why: str, cause: int) -> int:
    """Change the cost of a fighter or vehicle. Raises BelowZero."""
    kind, whose = holdings.split_place(place)
    if not by or kind not in ("fighter", "vehicle"):
        return cause
    card = _bearer(decision, place)
    before, after = card.cost_credits, card.cost_credits + by
    if after < 0:
        currency = decision.rulebook.book.words.credit
        raise records.BelowZero(who=card.name, cost=before, by=-by, currency=currency)
    changed = (
        records.FighterCostChanged(fighter=whose, before=before, after=after, why=why)
        if kind == "fighter"
        else records.VehicleCostChanged(vehicle=whose, before=before, after=after, why=why)
    )
    return decision.emit(changed, cause=cause)


def in_stash(decision: Decision, gang: str, name: str) -> Item:
    """The item of that name in a gang's stash, in any case of letters. Raises ItemNotThere."""
    stash = decision.gang(gang).stash
    return _named(stash, name, place=f"in the stash of {decision.gang(gang).name}")


def on_card(decision: Decision, fighter: str, name: str) -> Item:
    """The item of that name on a fighter's card. Raises ItemNotThere."""
    card = decision.fighter(fighter)
    return _named(things_of(card), name, place=f"on the card of {card.name}")


def on_wheels(decision: Decision, vehicle: str, name: str) -> Item:
    """The item of that name on a vehicle's card. Raises ItemNotThere."""
    card = decision.vehicle(vehicle)
    return _named(things_of_vehicle(card), name, place=f"on {card.name}")


def at_place(decision: Decision, place: str, name: str) -> Item:
    """The item of that name at a place inside a gang. Raises ItemNotThere."""
    kind, whose = holdings.split_place(place)
    _known(decision, place)
    if kind == "stash":
        return in_stash(decision, whose, name)
    return on_card(decision, whose, name) if kind == "fighter" else on_wheels(decision, whose, name)


def things_of(fighter: Fighter) -> tuple[Item, ...]:
    """Everything on a fighter's card as items, at known prices."""
    things = [
        Item(name=weapon.weapon, kind="weapon", cost_credits=weapon.cost_credits, weapon=weapon)
        for weapon in fighter.weapons
    ]
    left = {name: list(prices) for name, prices in fighter.prices.items()}

    def price(name: str) -> int:
        return left[name].pop(0) if left.get(name) else 0

    if fighter.armour is not None:
        name = fighter.armour.name
        things.append(Item(name=name, kind="armour", cost_credits=price(name), armour=fighter.armour))
    if fighter.field_armour is not None:
        name = fighter.field_armour.name
        worn = fighter.field_armour
        things.append(Item(name=name, kind="field_armour", cost_credits=price(name), armour=worn))
    things += [Item(name=name, kind="wargear", cost_credits=price(name)) for name in fighter.wargear]
    return tuple(things)


def things_of_vehicle(vehicle: Vehicle) -> tuple[Item, ...]:
    """Everything on a vehicle's card as items: upgrades bought for it, then weapons without a profile."""
    bought = [item.name for item in vehicle.fitted if item.kind == "weapon"]
    printed = []
    for name in vehicle.weapons:
        if name in bought:
            bought.remove(name)
        else:
            armed = next((weapon for weapon in vehicle.armament if weapon.weapon == name), None)
            worth = armed.cost_credits if armed is not None else 0
            printed.append(Item(name=name, kind="weapon", cost_credits=worth, weapon=armed))
    return (*vehicle.fitted, *printed)


def worth_without_weapons(vehicle: Vehicle) -> int:
    """The cost of a vehicle and its upgrades, without weapons and wargear."""
    carried = (item.cost_credits for item in things_of_vehicle(vehicle) if item.kind != "vehicle_upgrade")
    return max(0, vehicle.cost_credits - sum(carried))


def weapons_limit(decision: Decision, fighter: Fighter) -> int:
    """How many weapons a fighter may carry. Source: Core Rulebook (2023) · Distribute Equipment."""
    limits = decision.rulebook.book.gangs.weapons_limit
    if fighter.mounted:
        return limits["mounted"]
    return limits.get(fighter.category, limits["fighter"])


def gang_of_place(decision: Decision, place: str) -> str | None:
    """The gang whose place it is; None outside."""
    kind, whose = holdings.split_place(place)
    if kind == "outside":
        return None
    return whose if kind == "stash" else _bearer(decision, place).gang


def called(decision: Decision, place: str) -> str:
    """A place inside a gang as people call it: 'The stash of Iron Skulls', 'Krug'."""
    kind, whose = holdings.split_place(place)
    return f"The stash of {decision.gang(whose).name}" if kind == "stash" else _bearer(decision, place).name


def _bearer(decision: Decision, place: str) -> Fighter | Vehicle:
    kind, whose = holdings.split_place(place)
    return decision.fighter(whose) if kind == "fighter" else decision.vehicle(whose)


def _known(decision: Decision, place: str) -> None:
    kind, whose = holdings.split_place(place)
    match kind:
        case "outside":
            if place not in holdings.OUTSIDE:
                raise records.UnknownAccount(account=place, known=(*decision.state.gangs, *holdings.OUTSIDE))
        case "stash":
            decision.gang(whose)
        case "fighter":
            decision.fighter(whose)
        case "vehicle":
            decision.vehicle(whose)
        case _:
            raise records.UnknownAccount(account=place, known=(*decision.state.gangs, *holdings.OUTSIDE))


def _refuse_uncarried(
    decision: Decision, item: Item, target: str, *, section: str, beyond_rules: bool
) -> None:
    if holdings.split_place(target)[0] not in ("fighter", "vehicle"):
        return
    bearer = _bearer(decision, target)
    why = _why_not_carried(item, bearer)
    if why is not None:
        raise records.CannotCarry(item=item.name, who=bearer.name, why=why)
    if isinstance(bearer, Vehicle) or item.kind != "weapon" or item.weapon is None:
        return
    if decision.rulebook.book.gang_rules is None:
        return  # Warbands: what a model may carry is on its list.
    carried = sum(weapon.counts_as for weapon in bearer.weapons) + item.weapon.counts_as
    limit = weapons_limit(decision, bearer)
    if carried > limit and not beyond_rules:
        where = decision.rulebook.section(section)
        raise records.WeaponsOverTheLimit(fighter=bearer.name, weapons=carried, limit=limit, section=where)


def _why_not_carried(item: Item, bearer: Fighter | Vehicle) -> str | None:
    is_armour = item.kind in ("armour", "field_armour")
    if isinstance(bearer, Vehicle):
        return "only fighters wear it" if is_armour else None
    if item.kind == "vehicle_upgrade":
        return "it is fitted to vehicles"
    if is_armour:
        if item.armour is None:
            return "nobody has said what it saves on"
        worn = bearer.armour if item.kind == "armour" else bearer.field_armour
        return f"{worn.name} is worn already: say that it is replaced" if worn is not None else None
    if item.kind == "weapon" and item.weapon is None:
        return "nobody has said what the weapon does"
    return None


def _named(items: tuple[Item, ...], name: str, *, place: str) -> Item:
    exact = next((item for item in items if item.name == name), None)
    item = exact or next((item for item in items if item.name.casefold() == name.casefold()), None)
    if item is None:
        raise records.ItemNotThere(item=name, place=place, known=tuple(item.name for item in items))
    return item


# --- Reinforcements (Trench Crusade) ------------------------------------------------------------------


REINFORCED = "reinforcements"


def end_reinforcements(decision: Decision, gang: str) -> None:
    """What is left of Reinforcements vanishes when the warband goes on to another step or battle."""
    after = decision.state.after_battle.get(gang)
    sequence = decision.rulebook.book.post_battle_rules
    if after is None or sequence is None or REINFORCED not in after.done:
        return
    if after.step == sequence.at.get("reinforcements"):
        give_up(decision, gang, why="left over of Reinforcements", cause=0)


def give_up(decision: Decision, gang: str, *, why: str, cause: int) -> None:
    """All ducats and all unassigned items are lost."""
    card = decision.gang(gang)
    for item in card.stash:
        hand_over(
            decision, item, holdings.stash_of(gang), "@lost", why=why, section="reinforcements", cause=cause
        )
    if card.credits > 0:
        move_credits(decision, gang, "@lost", card.credits, why=why, section="reinforcements", cause=cause)
