"""Commands of how the Broken flee: Running for Cover, Break For Air, Burn Out. Who is engaged is stated."""

from __future__ import annotations

from tracker.records import Record


class InitiativeModifier(Record):
    """What a skill or a condition adds to the Initiative test of who retreats."""

    why: str
    by: int


class TakeFlight(Record):
    """A Broken model is activated and does what the Broken do. A vehicle is named by its crew's id.

    `engaged` are the enemies engaged with a fighter, who retreats; `reacting` are those of them who try to
    make Reaction attacks, None for all. `mobile` is for vehicles.
    Archived rules · Resolve Hits · Broken.
    """

    fighter: str
    engaged: tuple[str, ...] = ()
    reacting: tuple[str, ...] | None = None
    modifiers: tuple[InitiativeModifier, ...] = ()
    mobile: bool | None = None
