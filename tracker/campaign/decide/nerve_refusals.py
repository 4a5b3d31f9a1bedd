"""Refusals of the chapter on nerve and of the End phase, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class NerveCauseUnclear(BadInput):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter}'s Nerve test needs one cause: because_of (the friend who was hurt) or wreck (the"
            " vehicle, in words)."
        )


@dataclass(eq=False)
class NotAFriend(BadInput):
    fighter: str
    friend: str

    def message(self) -> str:
        return f"{self.friend} is no friend of {self.fighter}: they fight for different gangs."


@dataclass(eq=False)
class OwnFate(BadInput):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} takes no Nerve test because of what befell {self.fighter}."


@dataclass(eq=False)
class NothingBefell(RulesRefuse):
    fighter: str
    victim: str
    fate: str

    def message(self) -> str:
        return (
            f"{self.victim} is not {self.fate} in this battle, so {self.fighter} takes no Nerve test for it."
            " Record what befell first."
        )


@dataclass(eq=False)
class NoNerveTestFor(RulesRefuse):
    fighter: str
    why: str

    def message(self) -> str:
        return f"{self.fighter} takes no Nerve test: {self.why} (Resolve Hits · Nerve Tests)."


@dataclass(eq=False)
class NerveTestedAlready(RulesRefuse):
    fighter: str
    activation: str
    why: str

    def message(self) -> str:
        taken = f"{self.fighter} has taken a Nerve test in the activation {self.activation!r} already"
        return f"{taken}: {self.why}."


@dataclass(eq=False)
class NerveTestedTwice(RulesRefuse):
    fighter: str
    victim: str

    def message(self) -> str:
        return (
            f"{self.fighter} has taken a Nerve test for {self.victim} already, and a Serious Injury that"
            " becomes Out of Action in one activation asks for no second. If they were two activations, give"
            " each entry its 'activation'."
        )


@dataclass(eq=False)
class ActivationNotStated(BadInput):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter}'s Nerve test needs 'activation': by this campaign's policies there is one test"
            " for each attack, and only the label tells attacks apart."
        )


@dataclass(eq=False)
class FriendsNearUnclear(BadInput):
    fighter: str
    why: str

    def message(self) -> str:
        return f"friends_near of {self.fighter}: {self.why}."


@dataclass(eq=False)
class MovingOrNot(BadInput):
    fighter: str
    is_vehicle: bool

    def message(self) -> str:
        if self.is_vehicle:
            return f"{self.fighter} is in a vehicle: say mobile: true or mobile: false."
        return f"{self.fighter} is no vehicle's crew: take mobile out."


@dataclass(eq=False)
class NotBroken(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is not Broken, so there is nothing to rally from."


@dataclass(eq=False)
class RalliedAlready(RulesRefuse):
    fighter: str
    round: int

    def message(self) -> str:
        return (
            f"{self.fighter} has taken the Rally test of round {self.round} already: there is one in each End"
            " phase (The End Phase · 4. Rally Tests)."
        )


@dataclass(eq=False)
class BrokenMayNotAttack(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} is Broken and makes no attack but Reaction attacks. If it was one, say reaction:"
            " true; if no Attack action did it, attack: false."
        )


@dataclass(eq=False)
class GangTakesNoPart(BadInput):
    gang: str
    battle: str

    def message(self) -> str:
        return f"{self.gang} takes no part in battle {self.battle!r}."


@dataclass(eq=False)
class BottledAlready(RulesRefuse):
    gang: str

    def message(self) -> str:
        return f"{self.gang} has bottled out already, and stays so until the battle ends."


@dataclass(eq=False)
class NoReasonToBottle(RulesRefuse):
    gang: str

    def message(self) -> str:
        return (
            f"{self.gang} has nobody Seriously Injured or Out of Action and no vehicle Wrecked, so there is"
            " no Bottle check, and no failing one of its own will."
        )


@dataclass(eq=False)
class CrewDoesNotAddUp(BadInput):
    gang: str
    why: str

    def message(self) -> str:
        return f"The Bottle check of {self.gang} does not add up: {self.why}."


@dataclass(eq=False)
class NotBottled(RulesRefuse):
    gang: str

    def message(self) -> str:
        return f"{self.gang} has not bottled out, so none of its fighters may flee."


@dataclass(eq=False)
class FleeingListWrong(BadInput):
    gang: str
    why: str

    def message(self) -> str:
        return f"Who flees of {self.gang}: {self.why}."


@dataclass(eq=False)
class NoRecoveryTest(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is neither Seriously Injured nor Webbed, so there is no Recovery test."


@dataclass(eq=False)
class CannotAssist(RulesRefuse):
    helper: str
    fighter: str
    why: str

    def message(self) -> str:
        return f"{self.helper} cannot assist {self.fighter}'s Recovery test: {self.why}."


@dataclass(eq=False)
class NothingToPick(BadInput):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter}'s Recovery test has one die, so there is none to pick: choose needs assisted_by."
        )


@dataclass(eq=False)
class BattleLostByBottling(RulesRefuse):
    gang: str

    def message(self) -> str:
        return (
            f"{self.gang} failed a Bottle check of its own will, which by this campaign's policies loses the"
            " battle: it can neither win nor draw."
        )
