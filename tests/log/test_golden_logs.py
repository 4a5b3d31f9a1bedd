"""Golden logs: every shape that ever shipped is in one, and each still verifies, reads and decides as it did.

They were written when their shapes shipped. `make golden` rewrites what the program prints today and leaves these
alone. When a golden log fails here, mend the code or write an upcast; never edit the log. A new shape gets a new
log: play a campaign that holds it and call `golden_logs.keep`.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import golden_logs
import msgspec
import pytest
import rfc8785

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.members import as_dict
from tracker.campaign.rulings.redecision import SlotInstruction, redecide, slots_of
from tracker.campaign.state import CampaignState
from tracker.log.codec import HEADER
from tracker.log.upcasts import SHIPPED
from tracker.rules import loader
from tracker.service.application import Tracker

each_log = pytest.mark.parametrize("name", golden_logs.names())


@pytest.fixture
def tracker(tmp_path: Path) -> Iterator[Tracker]:
    tracker = Tracker(f"sqlite:///{tmp_path / 'golden.db'}", actor="test")
    yield tracker
    tracker.close()


def leaves(name: str) -> list[bytes]:
    """Leaf hashes by the standard library alone."""
    return [sha256(b"\x00" + body).digest() for body in golden_logs.bodies(name)]


def missing_from(golden: Any, today: Any, place: str = "state") -> list[str]:
    """What the golden value says and today's does not. Today's may say more."""
    if isinstance(golden, dict) and isinstance(today, dict):
        return [
            line
            for key, value in golden.items()
            for line in (
                missing_from(value, today[key], f"{place}.{key}")
                if key in today
                else [f"{place}.{key} is gone"]
            )
        ]
    if isinstance(golden, list) and isinstance(today, list) and len(golden) == len(today):
        pairs = zip(golden, today, strict=True)
        return [
            line for at, pair in enumerate(pairs) for line in missing_from(pair[0], pair[1], f"{place}[{at}]")
        ]
    return [] if golden == today else [f"{place} was {golden!r} and is {today!r}"]


def test_every_shipped_shape_is_in_a_golden_log() -> None:
    found = set()
    for name in golden_logs.names():
        for envelope in golden_logs.envelopes(name):
            found.add((envelope["type"], envelope["shape"]))
            if envelope["type"] == HEADER:
                command = envelope["data"]["command"]
                found.add((command["name"], command["shape"]))

    shipped = {
        (name, shape)
        for name in (*records.EVENTS, *records.COMMANDS)
        for shape in range(1, SHIPPED.shape_of(name) + 1)
    }

    assert shipped - found == set(), "tests/log/golden_logs.py makes a golden log of a campaign that has them"


@each_log
def test_a_golden_log_holds_together_without_this_program(name: str) -> None:
    prev, entry = sha256(b"").hexdigest(), 0
    for seq, body in enumerate(golden_logs.bodies(name)):
        envelope = json.loads(body)
        assert rfc8785.dumps(envelope) == body
        assert (envelope["seq"], envelope["prev"]) == (seq, prev)
        assert envelope["entry"] in (entry, entry + 1)
        entry = envelope["entry"]
        prev = sha256(b"\x00" + body).hexdigest()


@each_log
def test_a_golden_log_verifies_and_every_entry_would_be_decided_the_same_today(
    name: str, tracker: Tracker
) -> None:
    campaign = golden_logs.put_into(tracker.engine, name, leaves(name))
    tracker.audit.rebuild_boards(campaign)

    audit = tracker.audit.verify(campaign)

    assert audit.ok, audit
    assert audit.log.events == len(golden_logs.bodies(name))


@each_log
def test_only_what_a_ruling_kept_would_be_decided_otherwise(name: str, tracker: Tracker) -> None:
    campaign = golden_logs.put_into(tracker.engine, name, leaves(name))
    live = list(tracker.repository.log.live(campaign))
    kept: set[int] = set()
    for recorded in live:
        if isinstance(recorded.event, records.SlotKept):
            kept.add(recorded.event.kept_slot)
        elif isinstance(recorded.event, records.SlotReleased):
            kept.discard(recorded.event.released_slot)

    redecision = redecide(
        CampaignState(), slots_of(live), {slot: SlotInstruction(keep=True) for slot in kept}, loader.rulebook
    )

    assert [(redecided.slot.slot, redecided.result) for redecided in redecision.slots] == [
        (slot, "kept") for slot in sorted(kept)
    ]
    assert all(redecided.why for redecided in redecision.slots)


@each_log
def test_a_golden_log_adds_up_to_the_recorded_state(name: str, tracker: Tracker) -> None:
    campaign = golden_logs.put_into(tracker.engine, name, leaves(name))
    state = fold(CampaignState(), (recorded.event for recorded in tracker.repository.log.live(campaign)))
    assert fold(CampaignState(), tracker.repository.log.moving(campaign)) == state
    golden = json.loads(golden_logs.state_file(name).read_bytes())

    assert missing_from(golden, json.loads(msgspec.json.encode(state, enc_hook=as_dict))) == []


def test_what_a_golden_state_says_and_today_does_not_is_shown_with_its_place() -> None:
    golden = {"gangs": {"skulls": {"won": 1, "crew": ["krug", "vex"]}}, "gone": 1}
    today = {"gangs": {"skulls": {"won": 2, "crew": ["krug", "pip"], "new": 0}}}
    assert missing_from(golden, today) == [
        "state.gangs.skulls.won was 1 and is 2",
        "state.gangs.skulls.crew[1] was 'vex' and is 'pip'",
        "state.gone is gone",
    ]


def test_a_golden_log_is_never_written_again(tracker: Tracker) -> None:
    before = {name: golden_logs.bodies(name) for name in golden_logs.names()}
    for name in before:
        with pytest.raises(FileExistsError):
            golden_logs.keep(tracker, golden_logs.campaign(name), name)
    assert {name: golden_logs.bodies(name) for name in golden_logs.names()} == before


def test_a_kept_log_is_the_campaign_and_its_state(
    tracker: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = golden_logs.put_into(tracker.engine, "nerve", leaves("nerve"))
    log, state = golden_logs.bodies("nerve"), json.loads(golden_logs.state_file("nerve").read_bytes())
    monkeypatch.setattr(golden_logs, "LOGS", tmp_path)
    golden_logs.keep(tracker, campaign, "kept")
    assert golden_logs.bodies("kept") == log
    assert missing_from(state, json.loads(golden_logs.state_file("kept").read_bytes())) == []
