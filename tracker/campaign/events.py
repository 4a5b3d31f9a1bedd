"""Events: what has happened. Past tense, outcome included, never changed.

Knows the vocabulary of the log. Knows no table: an event says what a roll meant, so that it can be
read when the book it was decided under is long gone. The names below stand in logs for ever (see
`log/codec.py`); a new meaning is a new shape or a new event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracker.campaign.commands import Command
from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon
from tracker.dice import Die

KnobValue: TypeAlias = str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionTaken:
    """The header of every entry: what was asked, and the dice as they were given, in the order used.

    `spare` are dice that an earlier deciding of this slot used and this one did not. `note` is what the
    report said beside it.
    """

    command: Command
    dice: tuple[Die, ...] = ()
    spare: tuple[Die, ...] = ()
    note: str | None = None


# The campaign


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignOpened:
    name: str
    slug: str
    book: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyAdopted:
    """A house rule holds from battle number `from_battle` on. It carries its whole patch."""

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, KnobValue]
    from_battle: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRepealed:
    """A house rule holds no more from battle number `from_battle` on."""

    policy: str
    version: int
    from_battle: int
    reason: str


# Gangs and fighters


@dataclass(frozen=True, slots=True, kw_only=True)
class GangEnlisted:
    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterEnlisted:
    """A fighter joins a gang with the card that the user typed. Saves are the lowest D6 that saves."""

    fighter: str
    gang: str
    name: str
    category: Category
    kind: str
    cost_credits: int
    characteristics: Characteristics
    experience: int = 0
    skills: tuple[str, ...] = ()
    armour: Armour | None = None
    field_armour: Armour | None = None
    weapons: tuple[Weapon, ...] = ()
    wargear: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterRetired:
    fighter: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterRenamed:
    fighter: str
    before: str
    after: str


# A battle


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOpened:
    """A battle starts: the campaign's `number`th, with the fighters of each gang that take part."""

    battle: str
    number: int
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleClosed:
    """The Wrap-up is done. `winner` is a gang, or None for a draw or no result."""

    battle: str
    winner: str | None
    drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifier:
    """One reason why a target number or a result moved, apart from the raw faces."""

    why: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RollMade:
    """One die (or D66) fell. `number` is its place among the dice of the entry's header, from 0.

    `target` is the lowest total that passes, after `modifiers`; `passed` is None where nothing is
    passed or failed; `outcome` says what it meant; `section` names the rule in the book.
    """

    number: int
    purpose: str
    die: str
    faces: tuple[int, ...]
    symbol: str | None
    source: Literal["typed", "generated"]
    fighter: str | None
    rolled_by: str | None
    modifiers: tuple[Modifier, ...] = ()
    target: int | None = None
    passed: bool | None = None
    outcome: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundRollSkipped:
    """A hit that cannot wound, or a save that nobody may make: said, since no die shows it."""

    fighter: str
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundsLost:
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
    fighter: str
    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterPinned:
    """Prone and Pinned, as after a fall."""

    fighter: str


OutOfActionReason: TypeAlias = Literal["injury_dice", "toughness", "stated", "coup_de_grace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterWentOutOfAction:
    """Removed from this battle. `out_of_action_dice` is how many Injury dice said so."""

    fighter: str
    by: str | None
    reason: OutOfActionReason
    out_of_action_dice: int
    lasting_injury_rolls: int


# What a fighter carries home


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingInjurySuffered:
    """One row of a lasting injury table, applied. `counts_as` names the row it became, if another.

    `within` is the row that caused a sub-roll ('multiple_injuries'). `occurrence` counts from 1.
    """

    fighter: str
    by: str | None
    table: str
    cell: str | None
    injury: str
    name: str
    counts_as: str | None
    occurrence: int
    within: str | None
    battle: int | None
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WentIntoConvalescence:
    """No post-battle action and no territory work; free to fight the next battle."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvalescenceEnded:
    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WentIntoRecovery:
    """Misses this post-battle sequence and the gang's next battle. `battle` is where it started."""

    fighter: str
    battle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryEnded:
    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacteristicChanged:
    """The printed number moved for good. The fighter's cost does not follow."""

    fighter: str
    characteristic: str
    before: int
    after: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacteristicKept:
    """The number stood at its limit already, so the change is not applied; all else is."""

    fighter: str
    characteristic: str
    value: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillGained:
    """A skill by injury. `against` limits it to battles against one gang."""

    fighter: str
    skill: str
    against: str | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturePending:
    """The fighter might be captured: an escape roll in the Wrap-up decides. Blocks play until then."""

    fighter: str
    captor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalInjuryPending:
    """Dies unless the Doc treats it in the post-battle sequence. Blocks play until then."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterDied:
    fighter: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceGained:
    """XP with its cause. `victim` and `activation` keep one activation from paying twice."""

    fighter: str
    amount: int
    reason: str
    victim: str | None = None
    activation: str | None = None
    section: str = ""


# Disputes and rulings


@dataclass(frozen=True, slots=True, kw_only=True)
class RollDisputed:
    """Somebody doubts an event. It stays in force until a ruling. `dispute` is this entry's number."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


Verdict: TypeAlias = Literal["confirmed", "corrected", "voided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMade:
    """The arbitrator's word on a dispute. What it changes follows in the same entry, stamped with its slots.

    `before` and `after` are the disputed die as it was taken and as it is taken now.
    """

    dispute: int
    verdict: Verdict
    reason: str
    before: Die | None = None
    after: Die | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotVoided:
    """This slot counts for nothing any more. What it held stays in the log."""

    voided_slot: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotKept:
    """The rules would not decide this slot so any more, and the ruling keeps it as it was played."""

    kept_slot: int
    reason: str


Event: TypeAlias = (
    DecisionTaken
    | CampaignOpened
    | PolicyAdopted
    | PolicyRepealed
    | GangEnlisted
    | FighterEnlisted
    | FighterRetired
    | FighterRenamed
    | BattleOpened
    | BattleClosed
    | RollMade
    | WoundRollSkipped
    | WoundsLost
    | FleshWoundsSuffered
    | SeriousInjurySuffered
    | FighterWebbed
    | FighterPinned
    | FighterWentOutOfAction
    | LastingInjurySuffered
    | WentIntoConvalescence
    | ConvalescenceEnded
    | WentIntoRecovery
    | RecoveryEnded
    | CharacteristicChanged
    | CharacteristicKept
    | SkillGained
    | CapturePending
    | CriticalInjuryPending
    | FighterDied
    | ExperienceGained
    | RollDisputed
    | RulingMade
    | SlotVoided
    | SlotKept
)
