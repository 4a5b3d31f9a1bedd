"""Golden logs: the shipped shapes as they were written, in fixtures/logs. Reads them; never writes one."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from tracker.log.chain import leaf_hash
from tracker.log.sealing import Head, SealedEvent
from tracker.log.store import EventStore

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
    told: str = envelopes(name)[0]["campaign"]
    return told


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
            said = envelope["data"].get("sent", made_up)
            sent = (said["key"], said["digest"])
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
