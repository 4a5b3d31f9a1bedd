"""What the End phase brings, within a battle."""

from __future__ import annotations

from tracker.records import Record


class GangBottled(Record):
    """The gang has bottled out, for the rest of the battle. `forfeit`: and so has lost it."""

    gang: str
    voluntary: bool
    forfeit: bool


class FighterFled(Record):
    """Left the battlefield; Seriously Injured, the fighter may still succumb in the Wrap-up."""

    fighter: str
    voluntary: bool


class RecoveryAssisted(Record):
    """A friend gave up the moment to assist a Recovery test. `round` tells End phases apart, where stated."""

    fighter: str
    by: str
    round: int | None


class SeriousInjuryOvercome(Record):
    """Seriously Injured no more, but Prone and Pinned."""

    fighter: str


class WebShed(Record):
    """Webbed no more, but Prone and Pinned."""

    fighter: str
