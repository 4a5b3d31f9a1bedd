"""Falling: the hit for a distance. Source: Core Rulebook (2023) · Resolve Hits · Falling."""

from __future__ import annotations

from tracker.rules.combat_tables import FallBand
from tracker.rules.rulebook import Rulebook


def halved(distance_hundredths: int) -> int:
    """Half of a fall, rounded up to a whole inch. Source: Core Rulebook (2023) · Skills · Catfall."""
    return -(-distance_hundredths // 200) * 100


def fall_hit(distance_hundredths: int, *, rulebook: Rulebook) -> FallBand | None:
    """The automatic hit for a fall of this many hundredths of an inch, or None if it is too short to hurt.

    The row is picked by the distance rounded up to a whole inch. Source: Core Rulebook (2023) · Falling.
    """
    inches = -(-distance_hundredths // 100)
    lowest = rulebook.book.lowest_fall_inches
    hurts = (
        distance_hundredths >= lowest * 100
        if rulebook.knob("falling.threshold") == "real_distance"
        else inches >= lowest
    )
    if not hurts:
        return None
    for band in rulebook.book.falls:
        if band.to_inches is None or inches <= band.to_inches:
            return band
    raise AssertionError("the last band has no end")


def jump_modifier(distance_hundredths: int, *, rulebook: Rulebook) -> int:
    """The modifier of an Initiative test to jump down this far (hundredths of an inch): none for the first
    inches.

    Source: Core Rulebook (2023) · Terrain · Jumping Down.
    """
    leaps = rulebook.book.leaps
    further = max(0, distance_hundredths - leaps.jump_free_inches * 100)
    return leaps.jump_modifier * -(-further // (leaps.jump_step_inches * 100))
