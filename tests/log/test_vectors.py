"""The frozen bytes: recomputed with hashlib and the RFC 8785 reference, without a line of the tracker."""

import json
from hashlib import sha256
from typing import Any

import rfc8785
from make_vectors import VECTORS, vectors

FROZEN: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))


def tree(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + tree(leaves[:split]) + tree(leaves[split:])).digest()


def full_subtrees(leaves: list[bytes]) -> list[bytes]:
    found = []
    while leaves:
        size = 1 << len(leaves).bit_length() - 1
        found.append(tree(leaves[:size]))
        leaves = leaves[size:]
    return found


def test_todays_code_still_makes_the_frozen_bytes() -> None:
    assert vectors() == FROZEN


def test_the_frozen_bytes_hold_together_without_this_program() -> None:
    prev, leaves = sha256(b"").hexdigest(), []
    for append in FROZEN["appends"]:
        for event in append["events"]:
            body = event["body"].encode()
            envelope = json.loads(body)
            assert rfc8785.dumps(envelope) == body
            assert set(envelope) == {
                "v", "campaign", "seq", "entry", "slot", "id", "type",
                "shape", "at", "actor", "policy", "causation", "prev", "data",
            }  # fmt: skip
            assert (envelope["v"], envelope["campaign"]) == (1, FROZEN["campaign"])
            assert envelope["seq"] == len(leaves)
            assert envelope["prev"] == prev
            leaf = sha256(b"\x00" + body)
            assert leaf.hexdigest() == event["leaf"]
            prev = leaf.hexdigest()
            leaves.append(leaf.digest())
        assert append["head"] == {
            "size": len(leaves),
            "entries": envelope["entry"],
            "leaf": prev,
            "frontier": (len(leaves).to_bytes(8, "big") + b"".join(full_subtrees(leaves))).hex(),
            "root": tree(leaves).hex(),
        }
