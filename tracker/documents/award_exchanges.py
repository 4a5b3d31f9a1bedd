"""Awards to several at once, as a post-battle file tells them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tracker.campaign import records
from tracker.documents.armoury import Counter
from tracker.documents.card_numbers import ExperienceAward
from tracker.documents.text import Note, Slug
from tracker.documents.trading_exchanges import Affair


class Awards(Affair):
    """The same XP for each of several fighters, by the scenario or the Arbitrator."""

    fighters: Annotated[list[Slug], Field(min_length=1, max_length=100)]
    """Who gets it."""
    amount: ExperienceAward
    """How much each."""
    reason: Note
    """What for."""

    def command_at(self, counter: Counter) -> records.Command:  # noqa: ARG002  # one signature for all
        """As asked of the campaign."""
        return records.AwardSeveral(fighters=tuple(self.fighters), amount=self.amount, reason=self.reason)


class TookPart(Affair):
    """XP for everybody of a gang's crew who took part in the battle, once."""

    gang: Slug
    """The gang."""
    amount: ExperienceAward | None = None
    """What the scenario gives for it; left out where it gives none, which leaves the book's 1."""
    without: list[Slug] = Field(default=[], max_length=100)
    """Who of the crew took no part after all, such as reinforcements that never came."""
    reason: Note | None = None
    """Anything to be told with it, such as the scenario."""

    def command_at(self, counter: Counter) -> records.Command:  # noqa: ARG002  # one signature for all
        """As asked of the campaign."""
        return records.AwardTakingPart(
            gang=self.gang, amount=self.amount, without=tuple(self.without), reason=self.reason
        )


class Best(Affair):
    """By house rule: XP for the best of a gang, as the opponent names them. What is rolled: mvp."""

    fighter: Slug
    """Who it is."""

    def command_at(self, counter: Counter) -> records.Command:  # noqa: ARG002  # one signature for all
        """As asked of the campaign."""
        return records.RollPraise(fighter=self.fighter, praise="mvp")


class Painted(Affair):
    """By house rule: XP for a model that is painted, once. What is rolled: painted."""

    fighter: Slug
    """Whose model it is."""

    def command_at(self, counter: Counter) -> records.Command:  # noqa: ARG002  # one signature for all
        """As asked of the campaign."""
        return records.RollPraise(fighter=self.fighter, praise="painted")
