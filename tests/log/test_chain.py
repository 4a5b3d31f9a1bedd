"""Leaf, node, root and frontier against RFC 6962's published values and its recursive definition."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rfc_6962 import LEAVES, ROOTS, merkle_tree_hash
from tables import every

from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, Frontier, leaf_hash, node_hash


def grown(leaves: list[bytes]) -> Frontier:
    frontier = EMPTY_FRONTIER
    for leaf in leaves:
        frontier = frontier.append(leaf_hash(leaf))
    return frontier


@every("size", range(9))
def test_the_published_roots_come_out(size: int) -> None:
    assert grown(LEAVES[:size]).root().hex() == ROOTS[size]


def test_the_first_event_follows_the_hash_of_nothing() -> None:
    assert sha256(b"").hexdigest() == EMPTY_PREV


def test_a_leaf_is_never_a_node() -> None:
    assert leaf_hash(b"ab") != node_hash(b"a", b"b")


@given(st.lists(st.binary(max_size=4), max_size=70))
def test_the_frontier_is_the_tree(leaves: list[bytes]) -> None:
    frontier = grown(leaves)
    assert frontier.root() == merkle_tree_hash(leaves)
    assert frontier == EMPTY_FRONTIER.append(*map(leaf_hash, leaves))
    assert len(frontier.hashes) == len(leaves).bit_count()
    assert Frontier.from_bytes(frontier.to_bytes()) == frontier


@every("kept", [b"", b"x", b"\0" * 9, (3).to_bytes(8, "big") + b"x" * 32, b"\xff" * 40])
def test_bytes_that_are_no_frontier_are_refused(kept: bytes) -> None:
    if kept == b"":
        assert Frontier.from_bytes((0).to_bytes(8, "big")) == EMPTY_FRONTIER
    with pytest.raises(ValueError, match="frontier"):
        Frontier.from_bytes(kept)
