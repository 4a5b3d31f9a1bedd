"""What a fighter carries home: lasting injuries, experience, death."""

from __future__ import annotations

from tracker.records import dataclass


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
    """A battle of the gang began, and Convalescence was over."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WentIntoRecovery:
    """Misses this post-battle sequence and the gang's next battle. `battle` is where it started."""

    fighter: str
    battle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryEnded:
    """The battle that Recovery cost is over."""

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
    """The number stood at its limit already, so the change is not applied; all else is.

    `with_characteristic` is another one that stood at its limit, where that spares this one too.
    """

    fighter: str
    characteristic: str
    value: int
    why: str
    with_characteristic: str | None = None


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
    """Dead, for good."""

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
