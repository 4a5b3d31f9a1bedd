"""Vehicles in the End phase and after a wreck: Restart tests, drivers, a wreck that rolls on.

Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart; Vehicles.
"""

from __future__ import annotations

from typing import Annotated

from tracker.campaign.cards import on_combat_vehicle
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FieldKind, VehicleId
from tracker.campaign.state import CampaignState
from tracker.errors import RulesRefuse


@command("RestartVehicle", part="vehicles", exchange="restart")
class RestartVehicle(Command):
    """A Restart test in the End phase. Dice: restart."""

    sentence = "Restart test: {vehicle}"

    vehicle: VehicleId
    """The vehicle that is Stationary and Stalled."""
    smoke_markers: Annotated[int, FieldKind(name="number", highest=20)] = 0
    """Smoke markers that it placed when it Burned Out: they hinder the test where the book says so."""


@command("CheckDriver", part="vehicles", exchange="driver")
class CheckDriver(Command):
    """A vehicle's driver in the End phase, wounded or unconscious. Dice: driver."""

    sentence = "End phase of the driver of {vehicle}"

    vehicle: VehicleId
    """Whose driver."""


@command("MoveRollingVehicle", part="vehicles", exchange="rolls_on")
class MoveRollingVehicle(Command):
    """A vehicle that rolled over while Mobile goes on. Dice: rolling_scatter, rolling_distance."""

    sentence = "rolls on: {vehicle}"

    vehicle: VehicleId
    """Which wreck."""


@event("VehicleRestarted")
class VehicleRestarted(Event):
    """A vehicle is Mobile again."""

    sentence = "{vehicle} starts again and is Mobile"

    vehicle: VehicleId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, mobile=True, stalled=False, turned_over=False)


@event("DriverRecovered")
class DriverRecovered(Event):
    """The driver lost one Flesh Wound; `flesh_wounds` are left."""

    vehicle: VehicleId
    flesh_wounds: int

    def in_words(self, wording: Wording) -> str:
        left = wording.counted(self.flesh_wounds, "Flesh Wound") if self.flesh_wounds else "none"
        return f"the driver of {wording.fighter(self.vehicle)} recovers from a Flesh Wound: {left} left"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, driver_flesh_wounds=self.flesh_wounds)


@event("DriverWokeUp")
class DriverWokeUp(Event):
    """The driver is no longer unconscious."""

    sentence = "the driver of {vehicle} wakes up"

    vehicle: VehicleId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, driver_blacked_out=False)


@event("VehicleHitPointsRegained")
class VehicleHitPointsRegained(Event):
    """A vehicle regained Hull Points. `called` is the book's name for them: Hull Points, Wounds."""

    vehicle: VehicleId
    regained: int
    left: int
    called: str

    def in_words(self, wording: Wording) -> str:
        regained = wording.counted(self.regained, self.called.removesuffix("s"), self.called)
        return f"{wording.fighter(self.vehicle)} regains {regained}: {self.left} left"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, hit_points_left=self.left)


@event("VehicleRolledOn")
class VehicleRolledOn(Event):
    """A vehicle that rolled over while Mobile went on: several rolls of some inches each."""

    vehicle: VehicleId
    rolls: int
    inches_each: int

    def in_words(self, wording: Wording) -> str:
        rolls = wording.counted(self.rolls, "time")
        return f'{wording.fighter(self.vehicle)} rolls on {rolls}, {self.inches_each}" each'

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combat_vehicle(state, self.vehicle, rolling=False)


class NeedsNoRestart(RulesRefuse):
    """{vehicle} is Mobile: only a vehicle that is Stationary and Stalled takes a Restart test."""

    vehicle: str


class DriverUnhurt(RulesRefuse):
    """The driver of {vehicle} is neither wounded nor unconscious: nothing is rolled."""

    vehicle: str


class DoesNotRoll(RulesRefuse):
    """{vehicle} does not roll on: only a vehicle that rolled over while Mobile does, once and at once."""

    vehicle: str
