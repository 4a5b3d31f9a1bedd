"""The digest of this program's sources, because a Spark executor may have another release."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from tracker.errors import Stale

PARTS: Final = ("analytics", "campaign", "dice.py", "errors.py", "log", "records.py", "rules", "service")
"""The packages that can affect a job's answer, with books and house rules."""


class OtherProgram(Stale):
    """An executor has another release of this program, or another state of its sources, than whoever asks.
    Install the same on every machine of the cluster.
    """


@cache
def digest(parts: tuple[str, ...] = PARTS) -> str:
    """The digest of the sources here; equal sources have equal digests."""
    sources = hashlib.sha256()
    for part in parts:
        for name, body in _sources(resources.files("tracker") / part, part):
            sources.update(f"{name} {len(body)} ".encode() + body)
    return sources.hexdigest()


def refuse_another(expected: str) -> None:
    """Raises OtherProgram if this program has another digest."""
    if digest() != expected:
        raise OtherProgram


def _sources(place: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    if place.is_dir():
        for child in sorted(place.iterdir(), key=lambda child: child.name):
            yield from _sources(child, f"{name}/{child.name}")
    elif name.endswith((".py", ".toml")):
        yield name, place.read_bytes()
