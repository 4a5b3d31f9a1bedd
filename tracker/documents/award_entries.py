"""XP by a die of a house rule, as a post-battle file tells it: one command under two keys."""

from __future__ import annotations

from tracker.campaign import records
from tracker.documents.checking import Strict
from tracker.documents.text import Slug


class Best(Strict):
    """By house rule: XP for the best of a gang, as the opponent names them. What is rolled: mvp."""

    fighter: Slug
    """Who it is."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.RollPraise(fighter=self.fighter, praise="mvp")


class Painted(Strict):
    """By house rule: XP for a model that is painted, once. What is rolled: painted."""

    fighter: Slug
    """Whose model it is."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.RollPraise(fighter=self.fighter, praise="painted")
