"""Writes fixtures/vectors/log.json: what the bytes of a log are, for ever.

Run once, when the envelope is decided: python tests/log/make_vectors.py. A vector that was released is
never written again: code that no longer makes these bytes is wrong, whatever it makes instead.
"""

import json
from pathlib import Path
from typing import Any

from tracker.log.sealing import Head, UnsealedEvent, seal

VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors" / "log.json"


def vector_draft(
    number: int, *, entry: int, slot: int, kind: str, shape: int = 1, **rest: Any
) -> UnsealedEvent:
    return UnsealedEvent(
        type=kind,
        shape=shape,
        entry=entry,
        slot=slot,
        event_id=f"0190a000-0000-7000-8000-{number:012x}",
        at=f"2026-11-21T09:50:{number:02d}Z",
        actor=rest.pop("actor", "arbitrator"),
        policy_version=rest.pop("policy_version", "core@1"),
        policy_digest=rest.pop("policy_digest", "5e" * 32),
        causation=rest.pop("causation", None),
        data=rest,
    )


# Each shows something that an encoder could get wrong.
DRAFTS = (
    vector_draft(0, entry=1, slot=1, kind="CampaignFounded"),
    vector_draft(
        1, entry=1, slot=1, kind="GangEnlisted", name="Die Krähen 🎲 «Ж» 日本", zeal="", a=0, Z=1, _=2
    ),
    vector_draft(2, entry=2, slot=2, kind="RollMade", faces=[4, 6], modifiers={"hip": -1}, causation=1),
    vector_draft(3, entry=2, slot=2, kind="NoteTaken", note='"quoted" \\ / & < > \u2028 \u200f', shape=2),
    vector_draft(
        4,
        entry=3,
        slot=3,
        kind="StashCounted",
        credits_most=9007199254740991,
        credits_least=-9007199254740991,
        empty=[[], {}, None, True, False],
        policy_version="one-lasting-injury-roll@2",
    ),
    vector_draft(5, entry=4, slot=4, kind="RulingMade", actor="Ärbitrator", voids=[2]),
    vector_draft(6, entry=4, slot=2, kind="RollMade", faces=[2, 6], causation=5),
)


def vectors() -> dict[str, Any]:
    head, listed = Head(campaign="0190a000-0000-7000-9000-000000000001"), []
    by_entry: dict[int, list[UnsealedEvent]] = {}
    for draft in DRAFTS:
        by_entry.setdefault(draft.entry, []).append(draft)
    for drafts in by_entry.values():
        sealed, head = seal(head, drafts)
        listed.append(
            {
                "events": [{"body": event.body.decode(), "leaf": event.leaf.hex()} for event in sealed],
                "head": {
                    "size": head.size,
                    "entries": head.entries,
                    "leaf": head.leaf_hex,
                    "frontier": head.frontier.to_bytes().hex(),
                    "root": head.frontier.root().hex(),
                },
            }
        )
    return {
        "about": "Envelopes as kept, their leaf hashes, and the head after each append. Never edited.",
        "campaign": head.campaign,
        "appends": listed,
    }


if __name__ == "__main__":
    VECTORS.write_text(
        json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
    )
