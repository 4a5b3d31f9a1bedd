"""Weapon traits as they are written on a card, and which of them change how a hit is resolved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.rulebook import Rulebook


def trait_key(printed: str) -> str:
    """A trait as printed on a card, as the book's table names it: 'Rapid Fire (1)' is 'rapid-fire'."""
    return printed.partition("(")[0].strip().lower().replace(" ", "-")


@lru_cache(maxsize=1024)  # plain text; a weapon is asked for its traits a dozen times a shot
def trait_keys(traits: tuple[str, ...]) -> tuple[str, ...]:
    """All traits of a card, as the book's table names them."""
    return tuple(trait_key(printed) for printed in traits)


def resolving_traits(traits: Sequence[str], rulebook: Rulebook) -> tuple[WeaponTrait, ...]:
    """Those of a weapon's traits that change how its hits are resolved."""
    if not traits:
        return ()
    known = rulebook.book.resolving
    return tuple([known[key] for key in trait_keys(tuple(traits)) if key in known])
