"""Actions and tests that a skill or a mount gives: Treat Wounds, Headbutt, Hurl, Order, Regroup and so on.

Distances and who is engaged are stated: only the table knows them.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tracker.campaign.cards import on_combatant
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.hits import KeptInjury, SaveWith
from tracker.campaign.records.kinds import Count, FighterId, GangId, Note, Size
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse

Treated: TypeAlias = Literal["wound", "flesh_wound"]
_Broken: TypeAlias = Annotated[tuple[FighterId, ...], Size(lowest=1, highest=100)]


# --- commands --------------------------------------------------------------------------------------------


@command(
    "TreatWounds", part="skills", exchange="treat_wounds", asks="by fighter treats", action=("by", "skills")
)
class TreatWounds(Command):
    """Medicae: a friend near regains a Wound or loses a Flesh Wound. Dice: treat_wounds."""

    by: FighterId
    """Who has Medicae and treats."""
    fighter: FighterId
    """The friend within 1 inch."""
    treats: Treated
    """A wound that is regained, or a flesh_wound that is lost."""

    def in_words(self, wording: Wording) -> str:
        what = {"wound": "a Wound", "flesh_wound": "a Flesh Wound"}[self.treats]
        return f"Treat Wounds: {wording.fighter(self.by)} treats {what} of {wording.fighter(self.fighter)}"


@command(
    "Headbutt", part="skills", exchange="headbutt", asks="attacker target", action=("attacker", "skills")
)
class Headbutt(Command):
    """Headbutt: an enemy engaged, or oneself, is hit. Dice: headbutt, then as for a hit."""

    sentence = "Headbutt: {attacker} against {target}"

    attacker: FighterId
    """Who has Headbutt and is Engaged."""
    target: FighterId
    """The enemy engaged."""
    save_with: SaveWith = "best"
    """What the owner of whoever is hit saves with."""
    activation: Note | None = None
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner of whoever is hit keeps of two Injury dice; None: the milder."""


@command(
    "HurlFighter",
    part="skills",
    exchange="hurl",
    asks="attacker target meets? obstacle?",
    action=("attacker", "skills"),
)
class HurlFighter(Command):
    """Hurl: an enemy engaged is thrown. Dice: hurl, hurl_distance, then as for hits."""

    sentence = "Hurl: {attacker} against {target}"

    attacker: FighterId
    """Who has Hurl and is Engaged."""
    target: FighterId
    """The enemy engaged."""
    meets: FighterId | None = None
    """The fighter whom the enemy is thrown against, if anybody: both are hit."""
    obstacle: bool = False
    """Whether the enemy is thrown against terrain."""
    activation: Note | None = None
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""
    meets_keeps: KeptInjury | None = None
    """The same of the fighter whom the enemy is thrown against."""


@command("GiveOrder", part="skills", exchange="order", asks="fighter friend", action=("fighter", "skills"))
class GiveOrder(Command):
    """Overseer: a friend within 6 inches makes two actions at once. Dice: order."""

    sentence = "Order: {fighter} to {friend}"

    fighter: FighterId
    """Who has Overseer."""
    friend: FighterId
    """The friend within 6 inches."""


@command(
    "RegroupFriends", part="skills", exchange="regroup", asks="fighter friends", action=("fighter", "skills")
)
class RegroupFriends(Command):
    """Regroup, at the end of an activation: Broken friends recover. Dice: regroup."""

    sentence = "Regroup: {fighter} and {friends}"

    fighter: FighterId
    """Who has Regroup."""
    friends: _Broken
    """The Broken friends within 6 inches."""


@command("TakeMentorTest", part="skills", entry="mentor", exchange="mentor", asks="by fighter")
class TakeMentorTest(Command):
    """Mentor: a friend who gained XP within 6 inches gains one more. Dice: mentor."""

    sentence = "Mentor: {by} for {fighter}"

    by: FighterId
    """Who has Mentor."""
    fighter: FighterId
    """The friend within 6 inches who gained XP."""


@command("EarnAsFixer", part="skills", entry="fixer", activity="rewards", whose="by", asks="by")
class EarnAsFixer(Command):
    """Fixer: {game.credits} for the {game.gang}, once after each battle. Dice: fixer."""

    sentence = "{by} earns as a Fixer"

    by: FighterId
    """Who has Fixer, and is neither Captured nor in Recovery; they need not have fought."""


@command("StandUpByTest", part="skills", exchange="stand_up", asks="fighter", action=("fighter", "skills"))
class StandUpByTest(Command):
    """Standing up by an Initiative test, with Spring Up or Mounted. Dice: stand_up."""

    sentence = "stand up by a test: {fighter}"

    fighter: FighterId
    """Who is Pinned, and has Spring Up or is Mounted."""


@command("FaceFearsome", part="skills", exchange="fearsome", asks="fighter target")
class FaceFearsome(Command):
    """Fearsome: a fighter tests Willpower before charging such an enemy. Dice: fearsome."""

    sentence = "Fearsome: {fighter} would charge {target}"

    fighter: FighterId
    """Who would charge."""
    target: FighterId
    """The enemy who has Fearsome."""


@command("StayInSaddle", part="mounts", exchange="saddle", asks="fighter inches blast_or_knockback?")
class StayInSaddle(Command):
    """A mounted fighter whom a ranged attack hit tests Initiative instead of being Pinned.

    Dice: saddle, then as for a hit.
    """

    sentence = "in the saddle? {fighter}"

    fighter: FighterId
    """Who is Mounted and was hit."""
    inches: Count
    """How far the fighter moved in the last activation, rounded up."""
    blast_or_knockback: bool = False
    """Whether the attack had Blast or Knockback."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""


# --- events ----------------------------------------------------------------------------------------------


@event("WoundRegained")
class WoundRegained(Event):
    """A lost Wound is back."""

    fighter: FighterId
    by: FighterId | None
    wounds_left: int

    def in_words(self, wording: Wording) -> str:
        return (
            f"{wording.fighter(self.fighter)} regains a Wound{wording.by(self.by)}: {self.wounds_left} left"
        )

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, wounds_left=self.wounds_left)


@event("FleshWoundLost")
class FleshWoundLost(Event):
    """One Flesh Wound fewer; `toughness` is what the fighter has now."""

    fighter: FighterId
    by: FighterId | None
    toughness: int

    def in_words(self, wording: Wording) -> str:
        treated = wording.by(self.by)
        return f"{wording.fighter(self.fighter)} loses a Flesh Wound{treated}: Toughness {self.toughness}"

    def apply(self, state: CampaignState) -> CampaignState:
        if state.under_way is None or self.fighter not in state.under_way.combatants:
            return state
        left = state.under_way.combatants[self.fighter].flesh_wounds - 1
        return on_combatant(state, self.fighter, flesh_wounds=max(left, 0))


@event("FighterHurled")
class FighterHurled(Event):
    """A fighter was thrown this many inches in a direction that the thrower chose, and is Prone."""

    fighter: FighterId
    by: FighterId
    inches: int

    def in_words(self, wording: Wording) -> str:
        return f'{wording.fighter(self.fighter)} is hurled {self.inches}"{wording.by(self.by)}'


@event("OrderGiven")
class OrderGiven(Event):
    """A friend makes two actions at once, by order."""

    sentence = "{fighter} makes two actions at once by order of {by}"

    fighter: FighterId
    by: FighterId


# --- refusals --------------------------------------------------------------------------------------------


class CannotUseSkill(RulesRefuse):
    """{fighter} cannot use {skill:words} now: {why}."""

    fighter: str
    skill: str
    why: str


class MayNotActSo(RulesRefuse):
    """{fighter} is {condition} and cannot do this: {action}."""

    fighter: str
    condition: str
    action: str


class NothingToTreat(RulesRefuse):
    """{fighter} has {nothing}, so there is nothing to treat."""

    fighter: str
    nothing: str


class NotNeeded(RulesRefuse):
    """{fighter} {why}, so there is no test."""

    fighter: str
    why: str


class ActsOnSelf(BadInput):
    """{fighter} does this for another fighter, not for themselves."""

    fighter: str
