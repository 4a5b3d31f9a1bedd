"""A vehicle's Nerve test: told by the vehicle and the wreck, taken as every Nerve test is, by its crew.

Source: Core Rulebook (2023) · Vehicles · Nerve Tests; Archived rules · Resolve Hits · Nerve Tests.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.handlers import handles
from tracker.campaign.steps.nerve import take_nerve_test
from tracker.campaign.steps.vehicle_control import condition_of, say_mobile, vehicle_of


@handles(records.TakeVehicleNerveTest)
def take_vehicle_nerve_test(decision: Decision, command: records.TakeVehicleNerveTest) -> None:
    """A vehicle tests because another of its own side was wrecked in this battle, and for nothing else."""
    card, lost = vehicle_of(decision, command.vehicle), vehicle_of(decision, command.wreck)
    condition_of(decision, command.vehicle, what="a Nerve test")
    fate = decision.battle("a Nerve test").vehicles.get(command.wreck)
    if lost.gang != card.gang:
        raise records.NoWreckToTestFor(vehicle=card.name, wreck=lost.name, why="is no friend's")
    if fate is None or not fate.wrecked:
        raise records.NoWreckToTestFor(
            vehicle=card.name, wreck=lost.name, why="is not wrecked in this battle"
        )
    say_mobile(decision, command.vehicle, mobile=command.mobile, what="a Nerve test")
    test = records.TakeNerveTest(
        fighter=card.crew,
        wreck=lost.name,
        friends_near_count=command.friends_near,
        mobile=command.mobile,
        activation=command.activation,
    )
    take_nerve_test(decision, test)
