"""Laws of the ledger: after whatever was asked, sums equal balances, nothing is made or lost, nothing is below zero."""

from __future__ import annotations

from collections import Counter

from hypothesis import given as supposing
from hypothesis import settings
from hypothesis import strategies as st
from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, given
from trading_scenario import BOOMER_ITEM, FLAK_ITEM, GOGGLES, MESH_ITEM, RIDE, STUB_ITEM, d6

from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.holdings import rating, stash_value, wealth
from tracker.campaign.profiles import Item
from tracker.campaign.state import CampaignState, Gang
from tracker.campaign.steps.ledger import things_of, things_of_vehicle
from tracker.records import replace

GANGS = (SKULLS, SAINTS)
ITEMS = (STUB_ITEM, BOOMER_ITEM, MESH_ITEM, FLAK_ITEM, GOGGLES, replace(GOGGLES, cost_credits=35))
FIGHTERS = (KRUG, VEX, MAGS, DOT)
PLACES = (
    *(f"stash:{gang}" for gang in GANGS),
    *(f"fighter:{fighter}" for fighter in FIGHTERS),
    "vehicle:rig",
    "@lost",
)
CHEAP_RIDE = replace(RIDE, cost_credits=40)


def what_lies(state: CampaignState) -> dict[str, list[str]]:
    """Every place that holds something, and what."""
    found = {f"stash:{gang.gang}": [item.name for item in gang.stash] for gang in state.gangs.values()}
    for gang in state.gangs.values():
        for fighter in gang.fighters.values():
            found[f"fighter:{fighter.fighter}"] = [item.name for item in things_of(fighter)]
        for vehicle in gang.vehicles.values():
            found[f"vehicle:{vehicle.vehicle}"] = [item.name for item in things_of_vehicle(vehicle)]
    return {place: names for place, names in found.items() if names}


def a_command(data: st.DataObject, state: CampaignState) -> records.Command:
    """Something that mostly can be done."""
    gang = data.draw(st.sampled_from(GANGS))
    own = [name for name in FIGHTERS if state.gang_of[name] == gang]
    kind = data.draw(
        st.sampled_from(("buy", "buy", "fit", "move", "move", "move", "sell", "pay", "leave", "ride"))
    )
    lying = what_lies(state)
    if kind == "move" and lying:
        source = data.draw(st.sampled_from(sorted(lying)))
        return records.MoveItem(
            item=data.draw(st.sampled_from(lying[source])),
            source=source,
            target=data.draw(st.sampled_from(PLACES)),
            worth=data.draw(st.sampled_from((None, None, 3))),
            replaces=data.draw(st.sampled_from((None, None, None, "Flak armour", "goggles"))),
            reason="word",
            beyond_rules=True,
        )
    if kind == "sell" and f"stash:{gang}" in lying:
        return records.SellItem(gang=gang, item=data.draw(st.sampled_from(lying[f"stash:{gang}"])))
    if kind == "pay":
        source, target = data.draw(st.permutations((*GANGS, "@rewards")))[:2]
        return records.MoveCredits(
            source=source, target=target, amount=data.draw(st.integers(0, 120)), reason="word"
        )
    if kind == "leave":
        fighter = data.draw(st.sampled_from(FIGHTERS))
        return records.RetireFighter(fighter=fighter, reason="old", gear_to_stash=True)
    if kind == "ride":
        if "rig" not in state.vehicle_of:
            return records.BuyVehicle(gang=gang, card=CHEAP_RIDE)
        return records.CrewVehicle(vehicle="rig", fighter=data.draw(st.sampled_from((None, *FIGHTERS))))
    return records.BuyItem(
        gang=gang,
        item=data.draw(st.sampled_from(ITEMS)),
        market="own_list" if kind == "fit" else data.draw(st.sampled_from(("common", "given", "rare"))),
        number=7,
        found=data.draw(st.sampled_from((None, 5, 7))),
        fighter=data.draw(st.sampled_from(own)) if kind == "fit" else None,
        price=data.draw(st.sampled_from((None, 0, 7))),
    )


def things(state: CampaignState) -> Counter[str]:
    """Every thing inside the gangs, by name."""
    found: Counter[str] = Counter()
    for gang in state.gangs.values():
        found.update(item.name for item in gang.stash)
        for fighter in gang.fighters.values():
            found.update(item.name for item in things_of(fighter))
        for vehicle in gang.vehicles.values():
            found.update(item.name for item in things_of_vehicle(vehicle))
    return found


def balances(table: Table) -> Counter[str]:
    """What the events of every entry add up to, for each gang."""
    sums: Counter[str] = Counter()
    for judged in table.judgements:
        for decided in judged.events:
            if isinstance(decided.event, records.GangEnlisted):
                sums[decided.event.gang] += decided.event.credits
            elif isinstance(decided.event, records.CreditsMoved):
                sums[decided.event.source] -= decided.event.amount
                sums[decided.event.target] += decided.event.amount
    return sums


@settings(max_examples=60, deadline=None)
@supposing(data=st.data(), steps=st.integers(1, 25))
def test_whatever_is_asked_sums_equal_balances_and_nothing_is_made_lost_or_below_zero(
    data: st.DataObject, steps: int
) -> None:
    table = given(battle=False)
    moved: Counter[str] = Counter()
    for _ in range(steps):
        command = a_command(data, table.state)
        dice = (d6("sale", data.draw(st.integers(1, 6))),) if isinstance(command, records.SellItem) else ()
        after = table.when(command, *dice)
        if after.refusal is not None:
            continue
        table = after
        for event in table.outcome:
            if isinstance(event, records.ItemMoved):
                moved[event.item.name] += int(event.source.startswith("@"))
                moved[event.item.name] -= int(event.target.startswith("@"))
        sums = balances(table)
        for gang in table.state.gangs.values():
            assert gang.credits == sums[gang.gang] >= 0
            assert rating(gang) + gang.credits + stash_value(gang) == wealth(gang)
            for fighter in gang.fighters.values():
                carried = sum(item.cost_credits for item in things_of(fighter))
                assert fighter.cost_credits >= 0
                if fighter.standing == "enlisted":
                    # An ordinary fighter cost 100 and carried nothing: the rest is what was handed to them.
                    assert fighter.cost_credits == 100 + carried
        assert things(table.state) == +moved


def test_a_gang_owes_only_by_what_a_ruling_kept() -> None:
    # Evolve never refuses: a movement that a ruling keeps may leave a gang below zero, and says so.
    state = CampaignState(gangs={SKULLS: _poor()})
    kept = records.CreditsMoved(source=SKULLS, target="@doc", amount=30, why="kept", section="S")
    assert evolve(state, kept).gangs[SKULLS].credits == -20


def _poor() -> Gang:
    return Gang(gang=SKULLS, name="Skulls", house="House", player="p", credits=10, reputation=1)


def test_the_same_item_twice_is_two_things() -> None:
    twin = Item(name="rope", kind="wargear", cost_credits=5)
    state = CampaignState(gangs={SKULLS: _poor()})
    for _ in range(2):
        state = evolve(
            state,
            records.ItemMoved(
                item=twin,
                source="@trading_post",
                target=f"stash:{SKULLS}",
                source_gang=None,
                target_gang=SKULLS,
                why="bought",
                section="S",
            ),
        )
    assert state.gangs[SKULLS].stash == (twin, twin)
