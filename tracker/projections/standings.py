"""The standings: one row for each gang, and the order in which a campaign names them.

Knows a gang's record and adds up its fighters'. Knows no single battle.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

import msgspec

from tracker.campaign.after_battle import Territory
from tracker.campaign.holdings import rating, wealth
from tracker.campaign.state import Gang, Vehicle
from tracker.projections.roster import STATUSES, Status, status
from tracker.projections.row_json import FieldCache, as_json, plain_items, plain_weapons


class VehicleOnRoster(TypedDict):
    """A vehicle as the roster shows it."""

    vehicle: str
    name: str
    kind: str
    crew: str
    cost_credits: int
    movement: int
    toughness: list[int]
    hit_points: int
    handling: int
    save: int | None
    weapons: list[str]
    armament: list[dict[str, Any]]
    lasting_damage: list[str]
    in_repair: bool
    times_wrecked: int
    fitted: list[str]


class TerritoryHeld(TypedDict):
    """A territory as the standings show it."""

    territory: str
    kind: str
    name: str


class GangRow(TypedDict):
    """A gang as the standings show it. `fighters` counts them by status, including dead and retired ones.

    `rating_credits` is the cost of vehicles and of enlisted living fighters, including one whose capture is
    still pending. `rating_recorded` is the rating that was computed after the last battle. `wealth_credits`
    adds credits and stash. `threshold_ducats` and `field_strength` belong to a warband, and are None until it
    is raised.
    """

    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int
    rating_credits: int
    rating_recorded: int | None
    wealth_credits: int
    stash: list[dict[str, Any]]
    fighters: dict[Status, int]
    fighters_enlisted: int
    battles: int
    won: int
    drawn: int
    lost: int
    experience: int
    enemies_taken_out: int
    times_out_of_action: int
    vehicles: list[VehicleOnRoster]
    alignment: str | None
    allegiance: str | None
    alliances: list[str]
    patrons: list[str]
    brought: dict[str, Any] | None
    territories: list[TerritoryHeld]
    enemy_vehicles_wrecked: int
    corrupted: bool
    warband: bool
    glory: int
    threshold_ducats: int | None
    field_strength: int | None


_WARBAND_RANKS = ("elite", "troop")
"""Ranks that only models of a warband have."""


def gang_row(gang: Gang) -> GangRow:
    """A gang's row of the board."""
    parts = {
        "stash": plain_items(gang.stash),
        "alliances": list(gang.alliances),
        "patrons": list(gang.patrons),
        "brought": msgspec.to_builtins(gang.brought),
        "territories": _territories(gang.territories),
    }
    return _row(gang, parts)


def gang_text(gang: Gang) -> str:
    """A gang's row as the JSON that the board stores."""
    return as_json(_row(gang, _CACHED.fields_of(gang.gang, gang)))


def _row(gang: Gang, parts: Mapping[str, Any]) -> GangRow:
    # One pass, because this is written with every decision about a gang. Its dead are added up already.
    gone = gang.members.tally
    by_status = {name: gone.standings.get(name, 0) for name in STATUSES}
    experience, enemies_taken_out = gone.experience, gone.enemies_taken_out
    times_out_of_action = gone.times_out_of_action
    rated = rating(gang)
    warband = any(gone.categories.get(rank) for rank in _WARBAND_RANKS)
    for fighter in gang.enlisted.values():
        by_status[status(fighter)] += 1
        experience += fighter.experience
        enemies_taken_out += fighter.enemies_taken_out
        times_out_of_action += fighter.times_out_of_action
        warband = warband or fighter.category in _WARBAND_RANKS
    return GangRow(
        gang=gang.gang,
        name=gang.name,
        house=gang.house,
        player=gang.player,
        credits=gang.credits,
        reputation=gang.reputation,
        rating_credits=rated,
        rating_recorded=gang.rating_recorded,
        wealth_credits=wealth(gang, rated),
        stash=parts["stash"],
        fighters=by_status,
        fighters_enlisted=len(gang.enlisted),
        battles=gang.battles,
        won=gang.won,
        drawn=gang.drawn,
        lost=gang.lost,
        experience=experience,
        enemies_taken_out=enemies_taken_out,
        times_out_of_action=times_out_of_action,
        alignment=gang.alignment,
        allegiance=gang.allegiance,
        alliances=parts["alliances"],
        patrons=parts["patrons"],
        brought=parts["brought"],
        territories=parts["territories"],
        enemy_vehicles_wrecked=gang.enemy_vehicles_wrecked,
        corrupted=gang.corrupted,
        warband=warband,
        glory=gang.glory,
        threshold_ducats=gang.threshold_ducats,
        field_strength=gang.field_strength,
        vehicles=[_vehicle_row(vehicle) for vehicle in gang.vehicles.values() if not vehicle.gone],
    )


def _territories(territories: Iterable[Territory]) -> list[TerritoryHeld]:
    return [
        TerritoryHeld(territory=territory.territory, kind=territory.kind, name=territory.name)
        for territory in territories
    ]


def _vehicle_row(vehicle: Vehicle) -> VehicleOnRoster:
    return VehicleOnRoster(
        vehicle=vehicle.vehicle,
        name=vehicle.name,
        kind=vehicle.kind,
        crew=vehicle.crew,
        cost_credits=vehicle.cost_credits,
        movement=vehicle.movement,
        toughness=[vehicle.toughness_front, vehicle.toughness_side, vehicle.toughness_rear],
        hit_points=vehicle.hit_points,
        handling=vehicle.handling,
        save=vehicle.save,
        weapons=list(vehicle.weapons),
        armament=plain_weapons(vehicle.armament),
        lasting_damage=[damage.name for damage in vehicle.lasting_damage],
        in_repair=vehicle.in_repair,
        times_wrecked=vehicle.times_wrecked,
        fitted=[item.name for item in vehicle.fitted],
    )


_CACHED = FieldCache(
    "stash",
    "alliances",
    "patrons",
    "brought",
    "territories",
    rows={"territories": _territories, "stash": plain_items},
)

GONE = ("retired", "dead", "sold")
"""The statuses of fighters who left for good."""


def gone_from(gang: Mapping[str, Any]) -> int:
    """How many fighters of the gang in this row left for good."""
    return sum(int(gang["fighters"][status]) for status in GONE)


def in_order(rows: Iterable[GangRow]) -> list[GangRow]:
    """The rows by battles won, then drawn, then Reputation, then enemies taken out, then enlistment.

    Takes the rows in order of enlistment.
    """
    return sorted(
        rows,
        key=lambda row: (row["won"], row["drawn"], row["reputation"], row["enemies_taken_out"]),
        reverse=True,
    )
