"""Awards: XP for several fighters at once, or by a die of a house rule."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tracker.campaign.records.declaring import Command, Wording, command
from tracker.campaign.records.kinds import ExperienceAward, FighterId, GangId, Note, Size
from tracker.errors import BadInput, RulesRefuse

Praise: TypeAlias = Literal["mvp", "painted"]


# --- commands --------------------------------------------------------------------------------------------


@command("AwardSeveral", game="every", entry="awards")
class AwardSeveral(Command):
    """The same XP for each of several fighters, by the scenario or the Arbitrator."""

    sentence = "award: {amount} XP each for {fighters}: {reason}"

    fighters: Annotated[tuple[FighterId, ...], Size(highest=100)]
    """Who gets it."""
    amount: ExperienceAward
    """How much each."""
    reason: Note
    """What for."""


@command(
    "AwardTakingPart",
    part="XP for taking part",
    instead=("AwardBattleExperience", "battle_experience in a post-battle file"),
    entry="took_part",
    whose="gang",
    asks="gang amount? without?",
)
class AwardTakingPart(Command):
    """XP for everybody of a {game.gang}'s crew who took part in the battle, once."""

    gang: GangId
    """The {game.gang}."""
    amount: ExperienceAward | None = None
    """What the scenario gives for it; left out where it gives none, which leaves the book's 1."""
    without: Annotated[tuple[FighterId, ...], Size(lowest=0, highest=100)] = ()
    """Who of the crew took no part after all, such as reinforcements that never came."""
    reason: Note | None = None
    """Anything to be shown with it, such as the scenario."""

    def in_words(self, wording: Wording) -> str:
        amount = f", {self.amount} XP by the scenario" if self.amount is not None else ""
        return f"XP for taking part, {wording.gang(self.gang)}{amount}"


@command(
    "RollPraise",
    part="XP for the best fighter or a painted model",
    instead=("AwardExperience", "experience in a post-battle file"),
    whose="fighter",
)
class RollPraise(Command):
    """XP by a die for one fighter: the best of a battle, as the opponent says, or a painted model."""

    fighter: FighterId
    praise: Praise

    def in_words(self, wording: Wording) -> str:
        what = "a painted model" if self.praise == "painted" else f"the best of the {wording.game.gang}"
        return f"XP for {what}: {wording.fighter(self.fighter)}"


# --- refusals --------------------------------------------------------------------------------------------


class AwardedTwice(BadInput):
    """{fighter} is named twice in one award: name everybody once, and award again for more."""

    fighter: str


class TookNoPart(RulesRefuse):
    """{fighter} was not in the crew of {gang} in battle {battle!r}: take the name out. See 'arbitrator battle
    show'.
    """

    fighter: str
    gang: str
    battle: str


class NobodyTookPart(RulesRefuse):
    """Nobody of {gang} who was in battle {battle!r} and is still there gains XP: leave the entry out."""

    gang: str
    battle: str


class PraiseNotInForce(RulesRefuse):
    """XP for {what} is a house rule that this campaign does not play by. Adopt one first: arbitrator rules
    show {knob}.
    """

    what: str
    knob: str


class PaintedBefore(RulesRefuse):
    """{fighter} has had the XP for a painted model already: each model gets it once."""

    fighter: str
