"""Provable dice, `tracker-dice/v1`: what is hashed, and how bytes become faces.

Knows bytes. Knows no campaign, no file and no source of randomness: seeds and contributions are handed in.
`docs/formats/provable-dice.md` says the same for other languages, with known answers.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

PROTOCOL: Final = "tracker-dice/v1"
Protocol: TypeAlias = Literal["plain", "tracker-dice/v1"]
"""How the tool rolls: by the operating system's randomness alone, or so that everybody can check it."""
SEED_BYTES: Final = 32

_NUL: Final = b"\0"
Contributions: TypeAlias = Sequence[tuple[str, str]]
"""Who contributed and what, in the order in which the contributions were committed to."""


def seed_commitment(campaign: str, session: int, seed: bytes) -> str:
    """The commitment to a seed, published before anybody contributes; hexadecimal."""
    committed = (f"{PROTOCOL} seed".encode(), campaign.encode(), str(session).encode(), seed)
    return hashlib.sha256(_NUL.join(committed)).hexdigest()


def contribution_commitment(campaign: str, session: int, who: str, contribution: str) -> str:
    """The commitment to a player's contribution, published before any is revealed; hexadecimal."""
    committed = (f"{PROTOCOL} contribution", campaign, str(session), who, contribution)
    return hashlib.sha256(_NUL.join(part.encode() for part in committed)).hexdigest()


def packed(contributions: Contributions) -> bytes:
    """Names and contributions, each preceded by its length, so that no two lists give the same bytes."""
    parts = (part.encode() for pair in contributions for part in pair)
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def stream(seed: bytes, contributions: bytes, nonce: int) -> Iterator[int]:
    """The endless bytes of one request: HMAC-SHA256 in counter mode. `nonce` numbers the requests of a
    session.
    """
    begins = PROTOCOL.encode() + _NUL + len(contributions).to_bytes(4, "big") + contributions
    begins += nonce.to_bytes(8, "big")
    counter = 0
    while True:
        yield from hmac.digest(seed, begins + counter.to_bytes(4, "big"), "sha256")
        counter += 1


class ProvableRoller:
    """Faces out of one request's stream, in the order asked for.

    A byte that would favour a face is skipped: 252 to 255 for a D6.
    """

    def __init__(self, seed: bytes, contributions: Contributions, nonce: int) -> None:
        self.draws: list[tuple[int, int]] = []
        self._bytes = stream(seed, packed(contributions), nonce)

    def __call__(self, sides: int) -> int:
        assert 1 <= sides <= 256, f"no byte is fair for {sides} sides"
        unfair = 256 - 256 % sides
        byte = next(byte for byte in self._bytes if byte < unfair)
        self.draws.append((sides, byte % sides + 1))
        return byte % sides + 1
