"""Golden logs: the shipped shapes as they were written, in fixtures/logs. Never writes over one."""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Engine

from tracker.api import open_tracker
from tracker.campaign.members import as_dict
from tracker.log.chain import leaf_hash
from tracker.log.sealing import Head, SealedEvent
from tracker.log.store import EventStore
from tracker.service.application import Tracker

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"


def names() -> list[str]:
    """Every golden log there is."""
    return sorted(file.name.removesuffix(".jsonl") for file in LOGS.glob("*.jsonl"))


def log_file(name: str) -> Path:
    """The bodies, one to a line."""
    return LOGS / f"{name}.jsonl"


def state_file(name: str) -> Path:
    """What the log added up to when it was written, and must add up to for ever."""
    return LOGS / f"{name}.state.json"


def bodies(name: str) -> list[bytes]:
    """The events of a golden log, byte for byte."""
    return log_file(name).read_bytes().splitlines()


def envelopes(name: str) -> list[dict[str, Any]]:
    """The events of a golden log, read by the standard library."""
    return [json.loads(body) for body in bodies(name)]


def campaign(name: str) -> str:
    """The id of the campaign in a golden log."""
    return str(envelopes(name)[0]["campaign"])


def keep(tracker: Tracker, campaign: str, name: str) -> None:
    """Write a campaign as a golden log with its state. Refuses a name that is taken."""
    with log_file(name).open("xb") as log:
        log.writelines(event.body + b"\n" for event in tracker.repository.store.read(campaign))
    state = msgspec.json.encode(tracker.repository.state(campaign), enc_hook=as_dict)
    state_file(name).write_bytes(msgspec.json.format(state, indent=1) + b"\n")


def put_into(engine: Engine, name: str, leaves: list[bytes]) -> str:
    """Append a golden log to a database as it stands. Gives the campaign."""
    store = EventStore(engine)
    head = Head(campaign=campaign(name))
    by_command: dict[tuple[str, str], list[SealedEvent]] = {}
    sent = ("", "")
    for body, envelope, leaf in zip(bodies(name), envelopes(name), leaves, strict=True):
        if envelope["entry"] == envelope["slot"] and "command" in envelope["data"]:
            # Headers of older logs do not say under which key their command was sent.
            made_up = {"key": f"golden:{envelope['entry']}", "digest": leaf_hash(body).hex()}
            idempotency = envelope["data"].get("sent", made_up)
            sent = (idempotency["key"], idempotency["digest"])
        by_command.setdefault(sent, []).append(
            SealedEvent(
                campaign=envelope["campaign"],
                seq=envelope["seq"],
                entry=envelope["entry"],
                slot=envelope["slot"],
                event_id=envelope["id"],
                type=envelope["type"],
                body=body,
                leaf=leaf,
            )
        )
    for (key, digest), sealed in by_command.items():
        frontier = head.frontier
        for event in sealed:
            frontier = frontier.append(event.leaf)
        moved = Head(
            campaign=head.campaign,
            size=frontier.size,
            entries=sealed[-1].entry,
            leaf_hex=sealed[-1].leaf.hex(),
            frontier=frontier,
        )
        store.append(head, sealed, moved, key=key, digest=digest)
        head = moved
    return head.campaign


if __name__ == "__main__":
    database, slug, called = sys.argv[1:]
    with open_tracker(f"sqlite:///{database}", actor="golden log") as opened:
        keep(opened, opened.directory.campaign_id(slug), called)
