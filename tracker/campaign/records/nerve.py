"""Commands of the chapter on nerve. Who stands within which distance is stated: only the table knows it.

A vehicle is named by its crew's id. `friends_near` lists friends within reach (who of them counts is worked
out), or `friends_near_count` says how many of them count.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.errors import BadInput, RulesRefuse

Fate: TypeAlias = Literal["seriously_injured", "out_of_action"]


@command("TakeNerveTest")
class TakeNerveTest(Command):
    """A Nerve test because of a friend's fate (`because_of`) or of a wreck, named in words.

    `fate` says which of a victim's two fates is meant, where both have come by now. `mobile` is for
    vehicles. Core Rulebook (2023) · Resolve Hits · Nerve Tests.
    """

    fighter: str
    because_of: str | None = None
    wreck: str | None = None
    fate: Fate | None = None
    friends_near: tuple[str, ...] | None = None
    friends_near_count: int | None = None
    mobile: bool | None = None
    activation: str | None = None


@command("TakeRallyTest")
class TakeRallyTest(Command):
    """A Rally test of a Broken fighter or vehicle. `round` tells End phases apart: there is one in each.

    Core Rulebook (2023) · The End Phase · 4. Rally Tests.
    """

    fighter: str
    friends_near: tuple[str, ...] | None = None
    friends_near_count: int | None = None
    home_turf: bool = False
    round: int | None = None


NerveCommand: TypeAlias = TakeNerveTest | TakeRallyTest


FlightTaken: TypeAlias = Literal["running_for_cover", "break_for_air", "burn_out"]


@event("NerveTested")
class NerveTested(Event):
    """A Nerve test was taken because of a fighter or of a `wreck`, in words; `friends_near` helped."""

    fighter: str
    because_of: str | None
    wreck: str | None
    fate: Literal["seriously_injured", "out_of_action", "wrecked"]
    friends_near: int
    passed: bool
    activation: str | None = None


@event("FighterBroke")
class FighterBroke(Event):
    """Broken: any Ready marker is lost, and the model activates at once for `flight` and nothing else."""

    fighter: str
    flight: FlightTaken


@event("RallyTestTaken")
class RallyTestTaken(Event):
    """The one Rally test of a round's End phase was taken, however it ended."""

    fighter: str
    round: int


@event("FighterRallied")
class FighterRallied(Event):
    """Broken no more."""

    fighter: str


class NerveCauseUnclear(BadInput):
    """{fighter}'s Nerve test needs one cause: because_of (the friend who was hurt) or wreck (the vehicle, in
    words).
    """

    fighter: str


class NotAFriend(BadInput):
    """{friend} is no friend of {fighter}: they fight for different gangs."""

    fighter: str
    friend: str


class OwnFate(BadInput):
    """{fighter} takes no Nerve test because of what befell {fighter}."""

    fighter: str


class NothingBefell(RulesRefuse):
    """{victim} is not {fate} in this battle, so {fighter} takes no Nerve test for it. Record what befell
    first.
    """

    fighter: str
    victim: str
    fate: str


class NoNerveTestFor(RulesRefuse):
    """{fighter} takes no Nerve test: {why} (Resolve Hits · Nerve Tests)."""

    fighter: str
    why: str


class NerveTestedAlready(RulesRefuse):
    fighter: str
    activation: str
    why: str

    def message(self) -> str:
        taken = f"{self.fighter} has taken a Nerve test in the activation {self.activation!r} already"
        return f"{taken}: {self.why}."


class NerveTestedTwice(RulesRefuse):
    """{fighter} has taken a Nerve test for {victim} already, and a Serious Injury that becomes Out of Action
    in one activation asks for no second. If they were two activations, give each entry its 'activation'.
    """

    fighter: str
    victim: str


class ActivationNotStated(BadInput):
    """{fighter}'s Nerve test needs 'activation': by this campaign's policies there is one test for each
    attack, and only the label tells attacks apart.
    """

    fighter: str


class FriendsNearUnclear(BadInput):
    """friends_near of {fighter}: {why}."""

    fighter: str
    why: str


class MovingOrNot(BadInput):
    fighter: str
    is_vehicle: bool

    def message(self) -> str:
        if self.is_vehicle:
            return f"{self.fighter} is in a vehicle: say mobile: true or mobile: false."
        return f"{self.fighter} is no vehicle's crew: take mobile out."


class NotBroken(RulesRefuse):
    """{fighter} is not Broken, so there is nothing to rally from."""

    fighter: str


class RalliedAlready(RulesRefuse):
    """{fighter} has taken the Rally test of round {round} already: there is one in each End phase (The End
    Phase · 4. Rally Tests).
    """

    fighter: str
    round: int


class BrokenMayNotAttack(RulesRefuse):
    """{fighter} is Broken and makes no attack but Reaction attacks. If it was one, say reaction: true; if no
    Attack action did it, attack: false.
    """

    fighter: str


class GangTakesNoPart(BadInput):
    """{gang} takes no part in battle {battle!r}."""

    gang: str
    battle: str


class BottledAlready(RulesRefuse):
    """{gang} has bottled out already, and stays so until the battle ends."""

    gang: str


class NoReasonToBottle(RulesRefuse):
    """{gang} has nobody Seriously Injured or Out of Action and no vehicle Wrecked, so there is no Bottle
    check, and no failing one of its own will.
    """

    gang: str


class CrewDoesNotAddUp(BadInput):
    """The Bottle check of {gang} does not add up: {why}."""

    gang: str
    why: str


class NotBottled(RulesRefuse):
    """{gang} has not bottled out, so none of its fighters may flee."""

    gang: str


class FleeingListWrong(BadInput):
    """Who flees of {gang}: {why}."""

    gang: str
    why: str


class NoRecoveryTest(RulesRefuse):
    """{fighter} is neither Seriously Injured nor Webbed, so there is no Recovery test."""

    fighter: str


class CannotAssist(RulesRefuse):
    """{helper} cannot assist {fighter}'s Recovery test: {why}."""

    helper: str
    fighter: str
    why: str


class NothingToPick(BadInput):
    """{fighter}'s Recovery test has one die, so there is none to pick: choose needs assisted_by."""

    fighter: str


class BattleLostByBottling(RulesRefuse):
    """{gang} failed a Bottle check of its own will, which by this campaign's policies loses the battle: it
    can neither win nor draw.
    """

    gang: str
