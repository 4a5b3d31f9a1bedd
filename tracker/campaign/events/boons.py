"""Boons of territories taken, and a model whose painting was rewarded."""

from __future__ import annotations

from tracker.records import Record


class BoonTaken(Record):
    """A gang has this of a territory, and only as long as it holds it: a recruit, or things by name."""

    gang: str
    territory: str
    name: str
    recruit: str | None
    items: tuple[str, ...]
    section: str


class ModelPainted(Record):
    """A fighter's model is painted, and has had its XP for it."""

    fighter: str
