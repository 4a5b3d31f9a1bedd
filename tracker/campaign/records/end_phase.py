"""Commands of the End phase: Bottle checks, fleeing, Recovery tests. Core Rulebook (2023) · The End Phase."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.records.declaring import Command, Event, command, event

PickedDie: TypeAlias = Literal[1, 2]


@command("CheckBottle")
class CheckBottle(Command):
    """A Bottle check, or (`voluntary`) one that the gang fails of its own will.

    Of the gang's crew in this battle `reinforcements` began in reserve, and `reinforcements_arrived` of them
    have come so far (None: all). `others_eligible` may take part too but stand in no crew; `vehicles` and
    `vehicles_wrecked` are those that stand in no crew either.
    """

    gang: str
    reinforcements: int = 0
    reinforcements_arrived: int | None = None
    others_eligible: int = 0
    vehicles: int = 0
    vehicles_wrecked: int = 0
    home_turf: bool = False
    voluntary: bool = False


@command("TakeFleeingTests")
class TakeFleeingTests(Command):
    """Each fighter of a bottled gang, in the order tested: a Cool test, or flight.

    `near` names for a fighter with Gang Hierarchy the friends whom the example reaches.
    """

    gang: str
    fighters: tuple[str, ...]
    near: dict[str, tuple[str, ...]]


@command("FleeBattlefield")
class FleeBattlefield(Command):
    """Fighters of a bottled gang leave at the start of an Action phase; those `engaged` must break away."""

    gang: str
    fighters: tuple[str, ...]
    engaged: tuple[str, ...] = ()


@command("TakeRecoveryTest")
class TakeRecoveryTest(Command):
    """A Recovery test of a fighter who is Seriously Injured or Webbed.

    `picked` is the die taken when a friend assists (None: the kinder). `round` tells End phases apart: a
    friend assists once in each. `grudge_against` is the gang a grudge falls on, where none did the injury.
    """

    fighter: str
    assisted_by: str | None = None
    picked: PickedDie | None = None
    round: int | None = None
    grudge_against: str | None = None


EndPhaseCommand: TypeAlias = CheckBottle | TakeFleeingTests | FleeBattlefield | TakeRecoveryTest


@event("GangBottled")
class GangBottled(Event):
    """The gang has bottled out, for the rest of the battle. `forfeit`: and so has lost it."""

    gang: str
    voluntary: bool
    forfeit: bool


@event("FighterFled")
class FighterFled(Event):
    """Left the battlefield; Seriously Injured, the fighter may still succumb in the Wrap-up."""

    fighter: str
    voluntary: bool


@event("RecoveryAssisted")
class RecoveryAssisted(Event):
    """A friend gave up the moment to assist a Recovery test. `round` tells End phases apart, where stated."""

    fighter: str
    by: str
    round: int | None


@event("SeriousInjuryOvercome")
class SeriousInjuryOvercome(Event):
    """Seriously Injured no more, but Prone and Pinned."""

    fighter: str


@event("WebShed")
class WebShed(Event):
    """Webbed no more, but Prone and Pinned."""

    fighter: str
