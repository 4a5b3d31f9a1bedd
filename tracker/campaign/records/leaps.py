"""Leaps, jumps down and edges: Initiative tests against a fall.

The entry states the width of a gap and the height of an edge: only the table sees them.
"""

from __future__ import annotations

from typing import Annotated

from tracker.campaign.records.declaring import Command, Wording, command
from tracker.campaign.records.hits import KeptInjury, SaveWith
from tracker.campaign.records.kinds import FighterId, FileKey, GangId, Hundredths


@command("LeapGap", part="leaps", exchange="leap", asks="fighter height gap?")
class LeapGap(Command):
    """A leap over a gap wider than the base. Dice: leap, then as for a fall."""

    fighter: FighterId
    """Who leaps."""
    height_hundredths: Annotated[Hundredths, FileKey(name="height")]
    """How far it is down to the next level, in inches, with up to two decimals."""
    gap_hundredths: Annotated[Hundredths, FileKey(name="gap")] | None = None
    """How wide the gap is, in inches: with Mighty Leap a narrow one needs no test."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""

    def in_words(self, wording: Wording) -> str:
        wide = f' of {wording.inches(self.gap_hundredths)}"' if self.gap_hundredths is not None else ""
        over = f'{wide}, {wording.inches(self.height_hundredths)}" above the next level'
        return f"leap: {wording.fighter(self.fighter)} over a gap{over}"


@command("JumpDown", part="leaps", exchange="jump", asks="fighter height")
class JumpDown(Command):
    """A jump down to a lower level, or off a vehicle. Dice: jump, then as for a fall."""

    fighter: FighterId
    """Who jumps."""
    height_hundredths: Annotated[Hundredths, FileKey(name="height")]
    """How far down, in inches, with up to two decimals."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""

    def in_words(self, wording: Wording) -> str:
        return f'jump: {wording.fighter(self.fighter)} jumps down {wording.inches(self.height_hundredths)}"'


@command("KeepBalance", part="leaps", exchange="edge", asks="fighter height railing? on_vehicle?")
class KeepBalance(Command):
    """A fighter who went down within half an inch of an edge, or stands on a vehicle that moves. What is
    rolled: edge, then as for a fall.
    """

    fighter: FighterId
    """Who may fall."""
    height_hundredths: Annotated[Hundredths, FileKey(name="height")]
    """How far it is down, in inches, with up to two decimals."""
    railing: bool = False
    """Whether the edge has a railing at least half an inch tall."""
    on_vehicle: bool = False
    """Whether it is a vehicle that moves, swerves or jackknifes, and the fighter is in no transport space."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""

    def in_words(self, wording: Wording) -> str:
        where = "on a vehicle that moves" if self.on_vehicle else "at an edge"
        return f'{where}: {wording.fighter(self.fighter)}, {wording.inches(self.height_hundredths)}" up'
