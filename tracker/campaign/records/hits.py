"""Commands of the chapter on resolving hits. `attacker` is a fighter or nobody."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records.declaring import Command, command

Cover: TypeAlias = Literal["none", "partial", "full"]
SaveWith: TypeAlias = Literal["best", "armour", "field_armour", "none"]


@command("ResolveHit")
class ResolveHit(Command):
    """A hit that struck: wound roll, save, damage, injury. Core Rulebook (2023) · Resolve Hits.

    `weapon` is a name on the attacker's card, or `profile` gives the weapon's numbers. `save_bonus` is a
    positive save modifier from cover against Blast or Template. `hit_roll` is the natural hit die, told
    where a trait asks for it. `attack` is False for hits that no Attack action caused; `reaction` tells a
    Reaction attack, the only kind that a Broken fighter may make.
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
    reaction: bool = False
    activation: str | None = None
    grudge_against: str | None = None


@command("RollInjuryDice")
class RollInjuryDice(Command):
    """Injury dice for any reason that is no wounding hit. A save comes first where one is allowed."""

    target: str
    injury_dice: int
    why: str
    attacker: str | None = None
    save_with: SaveWith = "none"
    armour_penetration: int = 0
    in_close_combat: bool = False
    attack: bool = False
    reaction: bool = False
    activation: str | None = None
    grudge_against: str | None = None


@command("StateOutcome")
class StateOutcome(Command):
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
    reaction: bool = False
    activation: str | None = None
    grudge_against: str | None = None


@command("ResolveFall", game="every")
class ResolveFall(Command):
    """A fall of so many hundredths of an inch. Core Rulebook (2023) · Resolve Hits · Falling.

    Where injuries are read off a chart: whether it was `voluntary`, and what markers are spent on the roll.
    """

    target: str
    distance_hundredths: int
    save_with: SaveWith = "best"
    grudge_against: str | None = None
    voluntary: bool = False
    spend_markers: int = 0
    spend_blessings: int = 0


HitCommand: TypeAlias = ResolveHit | RollInjuryDice | StateOutcome | ResolveFall
