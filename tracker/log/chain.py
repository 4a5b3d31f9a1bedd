"""The chain: leaf and node hashes and the Merkle frontier, exactly RFC 6962.

Knows bytes and SHA-256. Knows no event, no campaign and no database.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Self

HASH_BYTES = 32

EMPTY_ROOT = sha256(b"").digest()
"""The root of a tree without leaves (RFC 6962, 2.1)."""

EMPTY_PREV = EMPTY_ROOT.hex()
"""The `prev` of the first event of a campaign."""


def leaf_hash(body: bytes) -> bytes:
    """The hash of one event's bytes."""
    return sha256(b"\x00" + body).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """A Merkle tree of `size` leaves, kept as the roots of its full subtrees, largest first."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def append(self, *leaves: bytes) -> "Frontier":
        """The frontier with more leaf hashes."""
        hashes = list(self.hashes)
        for size, carried in enumerate(leaves, start=self.size):
            while size & 1:
                carried = sha256(b"\x01" + hashes.pop() + carried).digest()  # a node_hash, millions of times
                size >>= 1
            hashes.append(carried)
        return Frontier(self.size + len(leaves), tuple(hashes))

    def root(self) -> bytes:
        """The root of the whole tree."""
        if not self.hashes:
            return EMPTY_ROOT
        *rest, root = self.hashes
        for left in reversed(rest):
            root = node_hash(left, root)
        return root

    def to_bytes(self) -> bytes:
        """Eight bytes of size, then the hashes."""
        return self.size.to_bytes(8, "big") + b"".join(self.hashes)

    @classmethod
    def from_bytes(cls, stored: bytes) -> Self:
        """The frontier that `to_bytes` wrote. ValueError when the bytes cannot be one."""
        size = int.from_bytes(stored[:8], "big")
        if len(stored) != 8 + HASH_BYTES * size.bit_count():
            raise ValueError(f"{len(stored)} bytes cannot be the frontier of {size} leaves")
        return cls(size, tuple(stored[at : at + HASH_BYTES] for at in range(8, len(stored), HASH_BYTES)))


EMPTY_FRONTIER = Frontier()
