"""What happens in close combat beside the dice. All of it is gone when the battle ends."""

from __future__ import annotations

from tracker.campaign.events.entries import Modifier
from tracker.records import Record


class FighterUnpinned(Record):
    """No longer Prone and Pinned. `charged_by`: Standing and Engaged, because somebody charged."""

    fighter: str
    charged_by: str | None = None


class AttackDiceOfWeapon(Record):
    """So many Attack dice with one weapon; '' is unarmed."""

    weapon: str
    attack_dice: int


class AttackDiceShared(Record):
    """How many Attack dice a fighter has, what was added to `attacks`, and who rolls them."""

    fighter: str
    attacks: int
    added: tuple[Modifier, ...]
    shares: tuple[AttackDiceOfWeapon, ...]
    section: str


class HelpNotCounted(Record):
    """Somebody engaged in the brawl gives no assist, or no interference: `held_by` keep them busy."""

    fighter: str
    against: str
    interference: bool
    held_by: tuple[str, ...]
    section: str


class FightResolved(Record):
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


class FighterConsolidated(Record):
    """Moved up to `up_to_inches` after a Fight that left no enemy standing."""

    fighter: str
    up_to_inches: int
