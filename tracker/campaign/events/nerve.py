"""Nerve kept and lost, within a battle."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

FlightTaken: TypeAlias = Literal["running_for_cover", "break_for_air", "burn_out"]


class NerveTested(Record):
    """A Nerve test was taken because of a fighter or of a `wreck`, in words; `friends_near` helped."""

    fighter: str
    because_of: str | None
    wreck: str | None
    fate: Literal["seriously_injured", "out_of_action", "wrecked"]
    friends_near: int
    passed: bool
    activation: str | None = None


class FighterBroke(Record):
    """Broken: any Ready marker is lost, and the model activates at once for `flight` and nothing else."""

    fighter: str
    flight: FlightTaken


class RallyTestTaken(Record):
    """The one Rally test of a round's End phase was taken, however it ended."""

    fighter: str
    round: int


class FighterRallied(Record):
    """Broken no more."""

    fighter: str
