"""Nerve tests and Rally tests. The entry states the distances: only the table knows them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from tracker.campaign.cards import in_battle, on_combatant
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.hits import symbol_in_words
from tracker.campaign.records.kinds import FighterId, FileKey, Hundredths, Name, Note, RoundNumber
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, ChoiceLeft, ChoiceOption, RulesRefuse

Fate: TypeAlias = Literal["seriously_injured", "out_of_action"]
FlightTaken: TypeAlias = Literal["running_for_cover", "break_for_air", "burn_out"]


def nerve_key(activation: str, tester: str) -> str:
    """The key that remembers, until the battle ends, a fighter's Nerve test in an activation.

    Activation '' is for tests stated without one after the victim had gone Out of Action.
    """
    return f"{activation}|{tester}"


# --- commands --------------------------------------------------------------------------------------------


@command("TakeNerveTest", part="Nerve tests", instead=("CheckMorale", "morale in a battle report"))
class TakeNerveTest(Command):
    """A Nerve test because of a friend's fate or of a wreck.

    Core Rulebook (2023) · Resolve Hits · Nerve Tests.
    """

    fighter: FighterId
    """Who tests; a vehicle by its crew's id."""
    because_of: FighterId | None = None
    """The friend who was Seriously Injured or went Out of Action."""
    wreck: Name | None = None
    """The friendly vehicle that was Wrecked, in words."""
    fate: Fate | None = None
    """Which of the friend's fates is meant, where both have come."""
    friends_near: tuple[FighterId, ...] | None = None
    """Friends within reach; who of them counts is worked out."""
    friends_near_count: int | None = None
    """How many friends within reach count, where they are not named."""
    mobile: bool | None = None
    """For vehicles: whether it is Mobile."""
    inspired_by: FighterId | None = None
    """A friend with Inspirational within 6 inches, who may make up for a failed test."""
    activation: Note | None = None
    distance_hundredths: Annotated[Hundredths, FileKey(name="inches")] | None = None
    """Inches from who tests to the friend or wreck: further away than the book says, no test is due."""
    immune_by: Note | None = None
    """The special rule that spares who would test: no test is due."""

    def in_words(self, wording: Wording) -> str:
        cause = wording.text(self.wreck or "")
        if self.because_of is not None:
            cause = wording.fighter(self.because_of)
        return f"Nerve test: {wording.fighter(self.fighter)} because of {cause}"


@command("TakeRallyTest", part="Rally tests", instead=("CheckMorale", "morale in a battle report"))
class TakeRallyTest(Command):
    """A Rally test of a Broken fighter or vehicle. Core Rulebook (2023) · The End Phase · 4. Rally Tests."""

    sentence = "Rally test: {fighter}"

    fighter: FighterId
    """Who is Broken; a vehicle by its crew's id."""
    friends_near: tuple[FighterId, ...] | None = None
    """Friends within reach; who of them counts is worked out."""
    friends_near_count: int | None = None
    """How many friends within reach count, where they are not named."""
    home_turf: bool = False
    """Whether the {game.gang} fights on its Home Turf."""
    round: RoundNumber | None = None
    """The round: there is one Rally test in each End phase."""
    inspired_by: FighterId | None = None
    """A friend with Inspirational within 6 inches, who may make up for a failed test."""


# --- events ----------------------------------------------------------------------------------------------


@event("NerveTested")
class NerveTested(Event):
    """A Nerve test was taken because of a fighter or of a `wreck`, in words, with the help of
    `friends_near`.
    """

    FATES: ClassVar[dict[str, str]] = {
        "seriously_injured": "Seriously Injured",
        "out_of_action": "Out of Action",
        "wrecked": "Wrecked",
    }

    fighter: FighterId
    because_of: FighterId | None
    wreck: Note | None
    fate: Literal["seriously_injured", "out_of_action", "wrecked"]
    friends_near: int
    passed: bool
    activation: Note | None = None

    def in_words(self, wording: Wording) -> str:
        victim = wording.words(self.wreck or "")
        if self.because_of is not None:
            victim = wording.fighter(self.because_of)
        nerve = "keeps their nerve" if self.passed else "loses their nerve"
        return f"{wording.fighter(self.fighter)} {nerve}: {victim} is {self.FATES[self.fate]}"

    def apply(self, state: CampaignState) -> CampaignState:
        cause = self.because_of or self.wreck
        if state.under_way is None or cause is None:
            return state
        if self.activation is None:
            victim = state.under_way.combatants.get(cause)
            if victim is None or not victim.out_of_action:
                return state
        tested, key = state.under_way.nerve_tested, nerve_key(self.activation or "", self.fighter)
        return in_battle(state, nerve_tested={**tested, key: (*tested.get(key, ()), cause)})


@event("FighterBroke")
class FighterBroke(Event):
    """A model is Broken: it loses any Ready marker, and activates at once for `flight` and nothing else."""

    FLIGHTS: ClassVar[dict[str, str]] = {
        "running_for_cover": "Running for Cover (Double)",
        "break_for_air": "Break For Air (Double)",
        "burn_out": "Burn Out (Double)",
    }

    fighter: FighterId
    flight: FlightTaken

    def in_words(self, wording: Wording) -> str:
        at_once = f"loses any Ready marker and activates at once: {self.FLIGHTS[self.flight]}"
        return f"{wording.fighter(self.fighter)} is Broken, {at_once}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, broken=True)


@event("RallyTestTaken")
class RallyTestTaken(Event):
    """The one Rally test in a round's End phase was taken, whatever its result."""

    sentence = "{fighter} has taken the Rally test of round {round}"

    fighter: FighterId
    round: int

    def apply(self, state: CampaignState) -> CampaignState:
        if state.under_way is None:
            return state
        taken = state.under_way.rally_tests
        return in_battle(
            state, rally_tests={**taken, self.fighter: (*taken.get(self.fighter, ()), self.round)}
        )


@event("FighterRallied")
class FighterRallied(Event):
    """A model is no longer Broken."""

    sentence = "{fighter} rallies and is no longer Broken"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, broken=False)


# --- refusals --------------------------------------------------------------------------------------------


class NerveCauseUnclear(BadInput):
    """{fighter}'s Nerve test needs one cause: because_of (the friend who was hurt) or wreck (the vehicle, in
    words).
    """

    fighter: str


class NotAFriend(BadInput):
    """{friend} is not a friend of {fighter}: they fight for different {game.gangs}."""

    fighter: str
    friend: str


class OwnFate(BadInput):
    """{fighter} takes no Nerve test for their own injury."""

    rules_out = True
    fighter: str


class NothingBefell(RulesRefuse):
    """{victim} is not {fate} in this battle, so {fighter} takes no Nerve test for it. Record what happened
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
    """{fighter} has taken a Nerve test for {victim} already; a Serious Injury that becomes Out of Action in
    the same activation needs no second test. If they were two activations, give each entry its 'activation'.
    """

    fighter: str
    victim: str


class ActivationNotStated(BadInput):
    """{fighter}'s Nerve test needs 'activation': by this campaign's house rules there is one test for each
    attack, and only the label tells attacks apart.
    """

    fighter: str


class FriendsNearUnclear(BadInput):
    """The friends_near of {fighter} are wrong: {why}."""

    rules_out = True
    fighter: str
    why: str


class MovingOrNot(BadInput):
    fighter: str
    is_vehicle: bool

    def message(self) -> str:
        if self.is_vehicle:
            return f"{self.fighter} is in a vehicle: say whether it is Mobile (mobile)."
        return f"{self.fighter} is not in a vehicle, so nothing of theirs is Mobile: leave that out."


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
    """{fighter} is Broken and makes only Reaction attacks. If it was one, write reaction: true; if no Attack
    action did it, attack: false.
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
    check, and it cannot bottle out by choice.
    """

    gang: str


class CrewDoesNotAddUp(BadInput):
    """The Bottle check of {gang} does not add up: {why}."""

    gang: str
    why: str


class NobodyBottles(RulesRefuse):
    """{gang} takes no Bottle check: nobody of its crew counts for one."""

    gang: str


class NotBottled(RulesRefuse):
    """{gang} has not bottled out, so none of its fighters may flee."""

    gang: str


class FleeingListWrong(BadInput):
    """The list of fleeing fighters of {gang} is wrong: {why}."""

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


class RecoveryDieNotPicked(ChoiceLeft):
    """{fighter}'s Recovery test shows {rolled}, and one die is picked: `choose` says which. Left out, it is
    the kinder one, {kept}.
    """

    key = "choose"

    fighter: str
    rolled: tuple[str, ...]
    kept: str

    def question(self) -> str:
        return f"{self.fighter}'s Recovery test: which die is picked?"

    def offered(self) -> list[ChoiceOption]:
        return [
            ChoiceOption(said=place, words=symbol_in_words(symbol))
            for place, symbol in enumerate(self.rolled, start=1)
        ]

    def usual(self) -> int:
        return self.rolled.index(self.kept) + 1


class BattleLostByBottling(RulesRefuse):
    """{gang} bottled out by choice, which by this campaign's house rules loses the battle: it can neither win
    nor draw.
    """

    gang: str
