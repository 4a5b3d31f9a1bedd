"""An event without `apply` informs only: on purpose, so each stands here."""

from __future__ import annotations

from tracker.campaign import evolve, records

INFORMING = {
    records.DecisionTaken,
    records.RollMade,
    records.RuleNoted,
    records.CharacteristicKept,
    records.ChartRead,
    records.AttackDiceShared,
    records.HelpNotCounted,
    records.FighterConsolidated,
    records.FighterHurled,
    records.FlightMade,
    records.OrderGiven,
    records.ShotFired,
    records.ReinforcementsCalled,
    records.WarbandExplored,
    records.VehicleDamaged,
    records.VehicleLostControl,
    records.VehiclesCollided,
    records.DisputeCommentedOn,
    records.RollConfirmed,
    records.SlotVoided,
}


def test_every_other_event_says_what_it_does_to_the_state() -> None:
    assert evolve.INFORMING == INFORMING
