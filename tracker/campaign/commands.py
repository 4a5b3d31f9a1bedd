"""Commands: what may be asked of a campaign. Imperative; each may be refused, none rolls a die.

Knows what a person states. Situation that only eyes at the table know (cover, who made the attack, how
far somebody fell) is stated here and never guessed. A command is kept whole in its entry's header, so
that a ruling can decide it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon, WeaponProfile
from tracker.dice import Die

Cover: TypeAlias = Literal["none", "partial", "full"]
SaveWith: TypeAlias = Literal["best", "armour", "field_armour", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyText:
    """A policy as it stood on the shelf when it was adopted: the log never looks it up again."""

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCampaign:
    name: str
    slug: str
    book: str
    policies: tuple[PolicyText, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptPolicy:
    text: PolicyText
    from_battle: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RepealPolicy:
    policy: str
    from_battle: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterCard:
    """A fighter as written on a gang sheet."""

    fighter: str
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
class EnlistGang:
    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int
    fighters: tuple[FighterCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnlistFighter:
    """One more fighter for a gang that is already enlisted."""

    gang: str
    card: FighterCard


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireFighter:
    fighter: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameFighter:
    fighter: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBattle:
    """`crews` gives the fighters of each gang; an empty crew means everybody who is available.

    `number` is filled in when the battle is first recorded, so that a battle keeps it when an earlier one
    is voided; None takes the next.
    """

    battle: str
    scenario: str
    date: str
    crews: dict[str, tuple[str, ...]]
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveHit:
    """A hit that struck: wound roll, save, damage, injury. Core Rulebook (2023) · Resolve Hits.

    `weapon` is a name on the attacker's card, or `profile` gives the weapon's numbers. `save_bonus` is a
    positive save modifier from cover against Blast or Template. `hit_roll` is the natural hit die, told
    where a trait asks for it. `attack` is False for hits that no Attack action caused.
    """

    target: str
    attacker: str | None = None
    weapon: str | None = None
    profile_name: str | None = None
    profile: WeaponProfile | None = None
    save_cover: Cover = "none"
    save_with: SaveWith = "best"
    in_close_combat: bool = False
    hit_roll: int | None = None
    attack: bool = True
    activation: str | None = None
    grudge_against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollInjuryDice:
    """Injury dice for any reason that is no wounding hit. A save comes first where one is allowed."""

    target: str
    injury_dice: int
    why: str
    attacker: str | None = None
    save_with: SaveWith = "none"
    armour_penetration: int = 0
    in_close_combat: bool = False
    attack: bool = False
    activation: str | None = None
    grudge_against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOutcome:
    """What the notes say happened, without the dice that led there.

    `out_of_action_dice` is how many Injury dice showed Out of Action (1 when nobody remembers).
    """

    target: str
    outcome: Literal["flesh_wound", "serious_injury", "out_of_action"]
    attacker: str | None = None
    out_of_action_dice: int = 1
    in_close_combat: bool = False
    coup_de_grace: bool = False
    attack: bool = True
    activation: str | None = None
    grudge_against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveFall:
    """A fall of so many hundredths of an inch. Core Rulebook (2023) · Resolve Hits · Falling."""

    target: str
    distance_hundredths: int
    save_with: SaveWith = "best"
    grudge_against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardExperience:
    """XP that the scenario or the arbitrator gives."""

    fighter: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBattle:
    """The end of a battle and its Wrap-up."""

    winner: str | None = None
    drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRoll:
    """Doubt one event, named by its place in the log."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnDispute:
    """The arbitrator's ruling: the verdict, corrected faces, dice newly supplied, and what becomes of slots
    that no longer follow (`kept` and `voided`)."""

    dispute: int
    verdict: Literal["confirmed", "corrected", "voided"]
    reason: str
    faces: Die | None = None
    supplied: dict[int, tuple[Die, ...]] | None = None
    kept: tuple[int, ...] = ()
    voided: tuple[int, ...] = ()


Command: TypeAlias = (
    OpenCampaign
    | AdoptPolicy
    | RepealPolicy
    | EnlistGang
    | EnlistFighter
    | RetireFighter
    | RenameFighter
    | OpenBattle
    | ResolveHit
    | RollInjuryDice
    | StateOutcome
    | ResolveFall
    | AwardExperience
    | CloseBattle
    | DisputeRoll
    | RuleOnDispute
)
