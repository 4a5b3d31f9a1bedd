"""What happens to a fighter within a battle, and is gone when it ends."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

OutOfActionReason: TypeAlias = Literal[
    "injury_dice",
    "toughness",
    "stated",
    "coup_de_grace",
    "recovery_test",
    "succumbed",
    "webbed",
    "injury_chart",
    "vehicle_wrecked",
]


class BattleOpened(Record):
    """A battle starts: the campaign's `number`th, with the fighters of each gang that take part."""

    battle: str
    number: int
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]
    vehicles: tuple[str, ...] = ()


class BattleClosed(Record):
    """The Wrap-up is done. `winner` is a gang, or None for a draw or no result."""

    battle: str
    winner: str | None
    drawn: bool = False


class RuleNoted(Record):
    """A rule made itself felt without a die: no save against this, too short a fall. `why` says it."""

    fighter: str
    why: str
    section: str


class WoundsLost(Record):
    """Wounds were lost, and some are left."""

    fighter: str
    by: str | None
    wounds_lost: int
    wounds_left: int


class FleshWoundsSuffered(Record):
    """Toughness falls by `flesh_wounds` until the battle ends; `toughness` is what is left."""

    fighter: str
    by: str | None
    flesh_wounds: int
    toughness: int


class SeriousInjurySuffered(Record):
    """Prone and Seriously Injured. In close combat this opens the way to a Coup de Grace."""

    fighter: str
    by: str | None
    in_close_combat: bool = False


class FighterWebbed(Record):
    """Held by a web until an End phase frees them, or takes them out."""

    fighter: str
    by: str | None


class FighterPinned(Record):
    """Prone and Pinned, as after a fall."""

    fighter: str


class FighterWentOutOfAction(Record):
    """Removed from this battle. `out_of_action_dice` is how many Injury dice said so."""

    fighter: str
    by: str | None
    reason: OutOfActionReason
    out_of_action_dice: int
    lasting_injury_rolls: int
