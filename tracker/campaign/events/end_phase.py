"""What the End phase brings, within a battle."""

from __future__ import annotations

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GangBottled:
    """The gang has bottled out, for the rest of the battle. `forfeit`: and so has lost it."""

    gang: str
    voluntary: bool
    forfeit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterFled:
    """Left the battlefield; Seriously Injured, the fighter may still succumb in the Wrap-up."""

    fighter: str
    voluntary: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryAssisted:
    """A friend gave up the moment to assist a Recovery test. `round` tells End phases apart, where stated."""

    fighter: str
    by: str
    round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriousInjuryOvercome:
    """Seriously Injured no more, but Prone and Pinned."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebShed:
    """Webbed no more, but Prone and Pinned."""

    fighter: str
