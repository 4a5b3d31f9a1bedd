"""A long way is folded in containers that are written in place: every state on it is the one that copying gives."""

import golden_logs
import pytest
from msgspec.json import encode

from tracker.campaign import evolve
from tracker.campaign.containers import OwnedDict, put
from tracker.campaign.evolve import fold, fold_in_place
from tracker.campaign.members import Members, as_dict
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.log.chain import leaf_hash
from tracker.service.application import Tracker


def written(name: str) -> list[RecordedEvent]:
    tracker = Tracker("sqlite://", actor="test")
    campaign = golden_logs.put_into(tracker.engine, name, list(map(leaf_hash, golden_logs.bodies(name))))
    live = list(tracker.repository.log.live(campaign))
    tracker.close()
    return live


@pytest.mark.parametrize("name", golden_logs.names())
def test_every_event_does_the_same_in_place(name: str) -> None:
    copied = CampaignState()
    in_place = evolve._with_containers(copied, OwnedDict)
    for recorded in written(name):
        copied = recorded.event.apply(copied)
        in_place = recorded.event.apply(in_place)
        assert in_place == copied, recorded.address
        for gang in in_place.gangs.values():
            assert (type(gang.fighters), type(gang.members.enlisted)) == (Members, OwnedDict), (
                recorded.address
            )
    assert encode(evolve._with_containers(in_place, dict), enc_hook=as_dict) == encode(
        copied, enc_hook=as_dict
    )


def test_where_it_begins_stays_as_it_was_and_none_of_its_containers_comes_out() -> None:
    events = [recorded.event for recorded in written("aftermath")]
    middle = fold(CampaignState(), events[: len(events) // 2])
    before = encode(middle, enc_hook=as_dict)

    end = fold_in_place(middle, events[len(events) // 2 :])

    assert encode(middle, enc_hook=as_dict) == before
    assert end == fold(CampaignState(), events)
    held = [end.gangs, end.vehicle_of]
    held += [part for gang in end.gangs.values() for part in (gang.enlisted, gang.vehicles)]
    held += [end.under_way.combatants] if end.under_way is not None else []
    assert {type(container) for container in held} == {dict}


def test_what_no_fold_owns_is_copied() -> None:
    held = {"krug": 1}
    assert put(held, "vex", 2) == {"krug": 1, "vex": 2}
    assert held == {"krug": 1}
