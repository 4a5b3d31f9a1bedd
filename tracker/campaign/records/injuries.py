"""What a fighter carries home: lasting injuries, experience, death."""

from __future__ import annotations

from tracker.campaign.records.declaring import Event, event


@event("LastingInjurySuffered")
class LastingInjurySuffered(Event):
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


@event("WentIntoConvalescence")
class WentIntoConvalescence(Event):
    """No post-battle action and no territory work; free to fight the next battle."""

    fighter: str


@event("ConvalescenceEnded")
class ConvalescenceEnded(Event):
    """A battle of the gang began, and Convalescence was over."""

    fighter: str


@event("WentIntoRecovery")
class WentIntoRecovery(Event):
    """Misses this post-battle sequence and the gang's next battle. `battle` is where it started."""

    fighter: str
    battle: int


@event("RecoveryEnded")
class RecoveryEnded(Event):
    """The battle that Recovery cost is over."""

    fighter: str


@event("CharacteristicChanged")
class CharacteristicChanged(Event):
    """The printed number moved for good. The fighter's cost does not follow."""

    fighter: str
    characteristic: str
    before: int
    after: int
    why: str


@event("CharacteristicKept")
class CharacteristicKept(Event):
    """The number stood at its limit already, so the change is not applied; all else is.

    `with_characteristic` is another one that stood at its limit, where that spares this one too.
    """

    fighter: str
    characteristic: str
    value: int
    why: str
    with_characteristic: str | None = None


@event("SkillGained")
class SkillGained(Event):
    """A skill by injury. `against` limits it to battles against one gang."""

    fighter: str
    skill: str
    against: str | None
    why: str


@event("CapturePending")
class CapturePending(Event):
    """The fighter might be captured: an escape roll in the Wrap-up decides. Blocks play until then."""

    fighter: str
    captor: str | None


@event("CriticalInjuryPending")
class CriticalInjuryPending(Event):
    """Dies unless the Doc treats it in the post-battle sequence. Blocks play until then."""

    fighter: str


@event("FighterDied")
class FighterDied(Event):
    """Dead, for good."""

    fighter: str
    why: str


@event("ExperienceGained")
class ExperienceGained(Event):
    """XP with its cause. `victim` and `activation` keep one activation from paying twice."""

    fighter: str
    amount: int
    reason: str
    victim: str | None = None
    activation: str | None = None
    section: str = ""
