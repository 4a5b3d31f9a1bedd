"""Every event is folded by one chapter of `evolve`, or says itself what it does, or only informs."""

from __future__ import annotations

from collections import Counter
from typing import get_args

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
    records.FlightMade,
    records.ShotFired,
    records.ReinforcementsCalled,
    records.WarbandExplored,
    records.VehicleDamaged,
    records.VehicleLostControl,
}


def test_every_event_is_folded_in_one_place_or_only_informs() -> None:
    unions = [value for name, value in vars(evolve).items() if name.endswith("Event") and name != "Event"]
    claimed = Counter(kind for union in unions for kind in get_args(union))
    by_itself = [kind for kind in records.EVENTS.values() if "apply" in vars(kind)]
    assert claimed + Counter(by_itself) + Counter(INFORMING) == Counter(records.EVENTS.values())
    assert evolve._CHAPTER_OF.keys() == claimed.keys()
    assert evolve.INFORMING == INFORMING
