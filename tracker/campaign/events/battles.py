"""What happens to a fighter within a battle, and is gone when it ends."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOpened:
    """A battle starts: the campaign's `number`th, with the fighters of each gang that take part."""

    battle: str
    number: int
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]
    vehicles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleClosed:
    """The Wrap-up is done. `winner` is a gang, or None for a draw or no result."""

    battle: str
    winner: str | None
    drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleNoted:
    """A rule made itself felt without a die: no save against this, too short a fall. `why` says it."""

    fighter: str
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundsLost:
    """Wounds were lost, and some are left."""

    fighter: str
    by: str | None
    wounds_lost: int
    wounds_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FleshWoundsSuffered:
    """Toughness falls by `flesh_wounds` until the battle ends; `toughness` is what is left."""

    fighter: str
    by: str | None
    flesh_wounds: int
    toughness: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriousInjurySuffered:
    """Prone and Seriously Injured. In close combat this opens the way to a Coup de Grace."""

    fighter: str
    by: str | None
    in_close_combat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterWebbed:
    """Held by a web until an End phase frees them, or takes them out."""

    fighter: str
    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterPinned:
    """Prone and Pinned, as after a fall."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterWentOutOfAction:
    """Removed from this battle. `out_of_action_dice` is how many Injury dice said so."""

    fighter: str
    by: str | None
    reason: OutOfActionReason
    out_of_action_dice: int
    lasting_injury_rolls: int
