"""What happens in close combat beside the dice. All of it is gone when the battle ends."""

from __future__ import annotations

from tracker.campaign.events.entries import Modifier
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterUnpinned:
    """No longer Prone and Pinned. `charged_by`: Standing and Engaged, because somebody charged."""

    fighter: str
    charged_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackDiceOfWeapon:
    """So many Attack dice with one weapon; '' is unarmed."""

    weapon: str
    attack_dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackDiceShared:
    """How many Attack dice a fighter has, what was added to `attacks`, and who rolls them."""

    fighter: str
    attacks: int
    added: tuple[Modifier, ...]
    shares: tuple[AttackDiceOfWeapon, ...]
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpNotCounted:
    """Somebody engaged in the brawl gives no assist, or no interference: `held_by` keep them busy."""

    fighter: str
    against: str
    interference: bool
    held_by: tuple[str, ...]
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FightResolved:
    """The hits of a Fight are resolved. `may_react` are those who may now make Reaction attacks against it.

    `count_as_turned` were charged while Prone. A reaction lets nobody react; `charging` and `activation`
    are as stated.
    """

    fighter: str
    reaction: bool
    attacked: tuple[str, ...]
    may_react: tuple[str, ...]
    count_as_turned: tuple[str, ...]
    charging: bool
    activation: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterConsolidated:
    """Moved up to `up_to_inches` after a Fight that left no enemy standing."""

    fighter: str
    up_to_inches: int
