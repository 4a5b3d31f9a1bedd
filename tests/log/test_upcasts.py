"""Upcasts, by a worked example: `FighterRenamed` changed its shape twice, and logs of every age are still read.

The shapes are made up; the mechanism is not. Shape 1 knew only the new name. Shape 2 added the old one. Shape 3 is
what the program writes: the fields are called `before` and `after`.
"""

from typing import Any

import msgspec
import pytest
from log_events import sealed
from tables import every

from tracker.campaign import records
from tracker.log.chain import leaf_hash
from tracker.log.codec import Codec, EventUnreadable
from tracker.log.store import StoredEvent
from tracker.log.upcasts import Upcasts


def old_name_unknown(data: dict[str, Any]) -> dict[str, Any]:
    """From shape 1 to 2: nobody wrote the old name down."""
    return {**data, "old": "?"}


def before_and_after(data: dict[str, Any]) -> dict[str, Any]:
    """From shape 2 to 3: other names for the same."""
    return {"fighter": data["fighter"], "before": data["old"], "after": data["new"]}


RENAMED_TWICE = Upcasts(
    current={"FighterRenamed": 3},
    steps={("FighterRenamed", 1): old_name_unknown, ("FighterRenamed", 2): before_and_after},
)
SHAPES = {
    1: {"fighter": "vex", "new": "Vex the Red"},
    2: {"fighter": "vex", "old": "Vex", "new": "Vex the Red"},
    3: {"fighter": "vex", "before": "Vex", "after": "Vex the Red"},
}


def stored(type_: str, shape: int, data: dict[str, Any]) -> StoredEvent:
    """One event as a log holds it."""
    event = sealed(data, type_=type_, shape=shape)
    return StoredEvent(event.seq, event.entry, event.slot, event.type, event.body, event.leaf)


@every(("shape", "before"), [(1, "?"), (2, "Vex"), (3, "Vex")])
def test_an_event_of_any_shape_is_read_as_the_newest(shape: int, before: str) -> None:
    read = Codec(RENAMED_TWICE).read(stored("FighterRenamed", shape, SHAPES[shape]), 1)
    assert read.event == records.FighterRenamed(fighter="vex", before=before, after="Vex the Red")


def test_reading_an_old_shape_changes_neither_bytes_nor_hash() -> None:
    old = stored("FighterRenamed", 1, SHAPES[1])
    body, leaf = bytes(old.body), bytes(old.leaf)

    Codec(RENAMED_TWICE).read(old, 1)

    assert (old.body, old.leaf) == (body, leaf)
    assert leaf_hash(old.body) == leaf
    assert msgspec.json.decode(old.body)["data"] == SHAPES[1]


def test_the_newest_shape_is_written() -> None:
    event = records.FighterRenamed(fighter="vex", before="Vex", after="Vex the Red")
    assert Codec(RENAMED_TWICE).name_of(event) == ("FighterRenamed", 3)
    assert msgspec.json.decode(Codec(RENAMED_TWICE).written(event)) == SHAPES[3]


def test_a_command_in_a_header_is_lifted_by_its_own_steps() -> None:
    upcasts = Upcasts(
        current={"RenameFighter": 2},
        steps={("RenameFighter", 1): lambda data: {"fighter": data["fighter"], "name": data["called"]}},
    )
    command = {"name": "RenameFighter", "shape": 1, "given": {"fighter": "vex", "called": "Vex the Red"}}
    data = {"command": command, "dice": [], "spare": [], "note": None}

    read = Codec(upcasts).read(stored("DecisionTaken", 1, data), 1)

    assert read.event == records.DecisionTaken(
        command=records.RenameFighter(fighter="vex", name="Vex the Red")
    )


def test_a_header_is_lifted_too() -> None:
    upcasts = Upcasts(
        current={"DecisionTaken": 2}, steps={("DecisionTaken", 1): lambda data: {**data, "spare": []}}
    )
    command = {"name": "RenameFighter", "shape": 1, "given": {"fighter": "vex", "name": "Vex the Red"}}

    read = Codec(upcasts).read(stored("DecisionTaken", 1, {"command": command, "dice": [], "note": None}), 1)

    assert read.event == records.DecisionTaken(
        command=records.RenameFighter(fighter="vex", name="Vex the Red")
    )


def test_an_upcast_step_that_lacks_a_field_is_reported_with_its_event() -> None:
    with pytest.raises(EventUnreadable, match=r"Event 0 of the log \(FighterRenamed\)"):
        Codec(RENAMED_TWICE).read(stored("FighterRenamed", 2, {"fighter": "vex"}), 1)


@every(
    "steps",
    [
        {},
        {("FighterRenamed", 2): before_and_after},
        {("FighterRenamed", 1): old_name_unknown},
        {**RENAMED_TWICE.steps, ("FighterRenamed", 3): before_and_after},
        {**RENAMED_TWICE.steps, ("FighterDied", 1): before_and_after},
    ],
)
def test_a_gap_or_a_surplus_in_the_upcast_steps_is_refused(steps: Any) -> None:
    with pytest.raises(AssertionError, match="steps missing or too many"):
        Upcasts(current={"FighterRenamed": 3}, steps=steps)
