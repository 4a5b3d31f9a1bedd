"""Weapon traits as written on a card, and those that change the resolution of a hit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.rulebook import Rulebook


def trait_key(printed: str) -> str:
    """The key of a trait in the book's table: 'Rapid Fire (1)' is 'rapid-fire'."""
    return printed.partition("(")[0].strip().lower().replace(" ", "-")


@lru_cache(maxsize=1024)  # plain text; a weapon is asked for its traits a dozen times a shot
def trait_keys(traits: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of all traits of a card."""
    return tuple(trait_key(printed) for printed in traits)


def resolving_traits(traits: Sequence[str], rulebook: Rulebook) -> tuple[WeaponTrait, ...]:
    """The traits of a weapon that change the resolution of its hits."""
    if not traits:
        return ()
    known = rulebook.book.resolving
    return tuple([known[key] for key in trait_keys(tuple(traits)) if key in known])
