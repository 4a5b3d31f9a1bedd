"""Boons of territories taken, and a model whose painting was rewarded."""

from __future__ import annotations

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BoonTaken:
    """A gang has this of a territory, and only as long as it holds it: a recruit, or things by name."""

    gang: str
    territory: str
    name: str
    recruit: str | None
    items: tuple[str, ...]
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPainted:
    """A fighter's model is painted, and has had its XP for it."""

    fighter: str
