"""Provable dice: a committed seed, contributions, rolls requested before they exist, the revealed seed.

Nothing here rolls. `RollsResolved` holds what a request drew; the dice are in the entries that used them.
"""

from __future__ import annotations

from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import Note
from tracker.campaign.state import CampaignState, Contribution, DiceSession, RollRequest, ToolDice
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record, replace
from tracker.rules.provable_dice import Protocol

_PROTOCOLS: dict[Protocol, str] = {
    "plain": "by the system's randomness",
    "tracker-dice/v1": "so that everybody can check it (tracker-dice/v1)",
}

# --- commands --------------------------------------------------------------------------------------------


@command("SetToolDice", game="every")
class SetToolDice(Command):
    """The campaign chooses how the tool rolls dice from now on."""

    protocol: Protocol
    reason: Note

    def in_words(self, wording: Wording) -> str:
        return f"let the tool roll {_PROTOCOLS[self.protocol]}: {wording.text(self.reason)}"


@command("OpenDiceSession", game="every")
class OpenDiceSession(Command):
    """A dice session begins: its seed is committed to before anybody contributes."""

    sentence = "open dice session {session}"

    campaign: str
    session: int
    commitment: str


@command("CommitContribution", game="every")
class CommitContribution(Command):
    """A player commits to a contribution that nobody else knows yet."""

    sentence = "{who} commits to a contribution"

    session: int
    who: str
    commitment: str


@command("RevealContribution", game="every")
class RevealContribution(Command):
    """A player reveals the words or bytes that they committed to."""

    sentence = "{who} reveals a contribution"

    session: int
    who: str
    contribution: str


@command("WithholdContribution", game="every")
class WithholdContribution(Command):
    """A player does not reveal the contribution that they committed to; the session goes on without it."""

    sentence = "go on without {who}'s contribution: {reason}"

    session: int
    who: str
    reason: Note


@command("RequestRolls", game="every")
class RequestRolls(Command):
    """Rolls are requested before any of them exists, by the digest of everything they are for."""

    sentence = "request rolls for {what}"

    session: int
    what: str
    digest: str


class DrawnDie(Record):
    """A die that used draws: the `number`th of the header of that slot, in that entry."""

    entry: int
    slot: int
    number: int


@command("ResolveRolls", game="every")
class ResolveRolls(Command):
    """What a request drew: the sides and face of each draw in order, and the dice that used them."""

    sentence = "rolls of request {request}"

    request: int
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    dice: tuple[DrawnDie, ...]


@command("AbandonRolls", game="every")
class AbandonRolls(Command):
    """A request for rolls is given up: its dice are not rolled."""

    sentence = "abandon request {request}: {reason}"

    request: int
    reason: Note


@command("CloseDiceSession", game="every")
class CloseDiceSession(Command):
    """A dice session ends: its seed is revealed, so that everybody can recompute every roll."""

    sentence = "close dice session {session}"

    session: int
    seed: str


# --- events ----------------------------------------------------------------------------------------------


@event("ToolDiceSet")
class ToolDiceSet(Event):
    """The way the tool rolls changed; `version` counts the changes."""

    protocol: Protocol
    version: int
    reason: str

    def in_words(self, wording: Wording) -> str:
        how = _PROTOCOLS[self.protocol]
        return f"the tool rolls {how}, setting {self.version}: {wording.text(self.reason)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, tool_dice=ToolDice(protocol=self.protocol, version=self.version))


@event("DiceSessionOpened")
class DiceSessionOpened(Event):
    """A seed was committed to: `commitment` is its hash with the campaign and the session."""

    sentence = "dice session {session} opens: its seed is fixed and sealed ({commitment})"

    campaign: str
    session: int
    commitment: str

    def apply(self, state: CampaignState) -> CampaignState:
        opened = DiceSession(session=self.session, campaign=self.campaign, commitment=self.commitment)
        return replace(state, dice_session=opened, dice_sessions=self.session)


@event("ContributionCommitted")
class ContributionCommitted(Event):
    """A player committed to a contribution."""

    sentence = "{who} commits to a contribution ({commitment})"

    session: int
    who: str
    commitment: str

    def apply(self, state: CampaignState) -> CampaignState:
        session = _session(state)
        added = Contribution(who=self.who, commitment=self.commitment)
        return replace(state, dice_session=replace(session, contributions=(*session.contributions, added)))


@event("ContributionRevealed")
class ContributionRevealed(Event):
    """A player revealed the contribution that they had committed to."""

    sentence = "{who} reveals the contribution: {contribution}"

    session: int
    who: str
    contribution: str

    def apply(self, state: CampaignState) -> CampaignState:
        return _contributed(state, self.who, value=self.contribution)


@event("ContributionWithheld")
class ContributionWithheld(Event):
    """A player never revealed the contribution that they had committed to."""

    sentence = "{who} WITHHOLDS the contribution that was committed to: {reason}"

    session: int
    who: str
    reason: str

    def apply(self, state: CampaignState) -> CampaignState:
        return _contributed(state, self.who, withheld=True)


@event("RollsRequested")
class RollsRequested(Event):
    """Rolls were requested that do not exist yet. `request` is this entry, `digest` that of everything they
    are for. `nonce` counts the requests of the session from 1: entries in between change no roll.
    """

    sentence = "request {request}: rolls for {what}"

    request: int
    session: int
    nonce: int
    what: str
    digest: str

    def apply(self, state: CampaignState) -> CampaignState:
        session = _session(state)
        asked = RollRequest(request=self.request, what=self.what, digest=self.digest)
        requests = {**session.requests, self.request: asked}
        return replace(state, dice_session=replace(session, requests=requests, asked=self.nonce))


@event("RollsResolved")
class RollsResolved(Event):
    """What a request drew, in order, and the dice that used it."""

    request: int
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    dice: tuple[DrawnDie, ...]

    def in_words(self, wording: Wording) -> str:
        faces = ", ".join(map(str, self.faces))
        return f"request {self.request} drew {wording.counted(len(self.faces), 'face')}: {faces}"

    def apply(self, state: CampaignState) -> CampaignState:
        return _without(state, self.request)


@event("RollsAbandoned")
class RollsAbandoned(Event):
    """A request was abandoned."""

    sentence = "request {request} is ABANDONED, its dice never rolled: {reason}"

    request: int
    reason: str

    def apply(self, state: CampaignState) -> CampaignState:
        return _without(state, self.request)


@event("DiceSessionClosed")
class DiceSessionClosed(Event):
    """A dice session ended: the seed, as it had been committed to."""

    sentence = "dice session {session} closes, its seed was {seed}"

    session: int
    seed: str

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, dice_session=None)


def _session(state: CampaignState) -> DiceSession:
    # A log may hold whatever somebody wrote into it: applying never refuses.
    return state.dice_session or DiceSession(session=0, campaign="", commitment="")


def _contributed(
    state: CampaignState, who: str, *, value: str | None = None, withheld: bool = False
) -> CampaignState:
    session = _session(state)
    contributions = tuple(
        replace(given, value=value, withheld=withheld) if given.who == who else given
        for given in session.contributions
    )
    return replace(state, dice_session=replace(session, contributions=contributions))


def _without(state: CampaignState, request: int) -> CampaignState:
    session = _session(state)
    requests = {number: asked for number, asked in session.requests.items() if number != request}
    return replace(state, dice_session=replace(session, requests=requests))


# --- refusals --------------------------------------------------------------------------------------------


class NoDiceSession(RulesRefuse):
    """No dice session is open, and the tool rolls provably in this campaign. Open one first: 'arbitrator dice
    open'. Or give the dice that you rolled yourself.
    """


class DiceSessionOpen(RulesRefuse):
    """Dice session {session} is open: close it first with 'arbitrator dice close'."""

    session: int


class WrongDiceSession(RulesRefuse):
    """That is for dice session {session}, and session {now} is the one that counts now. See 'arbitrator dice
    show'.
    """

    session: int
    now: int


class ContributionsFixed(RulesRefuse):
    """Contributions to dice session {session} are fixed, since {why}: a later player could choose. The next
    session takes new ones.
    """

    session: int
    why: str


class ContributedAlready(RulesRefuse):
    """{who} has committed to a contribution already, and it stands."""

    who: str


class NothingToReveal(RulesRefuse):
    """{who} has no contribution to reveal in dice session {session}. See 'arbitrator dice show'."""

    who: str
    session: int


class AnotherContribution(RulesRefuse):
    """That is not what {who} committed to. Give exactly the same words, or let the Arbitrator go on without
    it: 'arbitrator dice withheld'.
    """

    who: str


class ContributionsOutstanding(RulesRefuse):
    """Nothing is rolled before every contribution is revealed: {who} still {owe}. 'arbitrator dice reveal',
    or 'arbitrator dice withheld' to go on without.
    """

    who: str
    owe: str


class NoSuchRequest(RulesRefuse):
    """There is no open request {request}. See 'arbitrator dice show'."""

    request: int


class RequestsOpen(RulesRefuse):
    """Dice session {session} has requests that nobody finished: {requests}. Send the same file again to
    finish one with the dice that it was going to have, or say why not: 'arbitrator dice abandon'.
    """

    session: int
    requests: str


class AnotherSeed(BadInput):
    """That is not the seed that dice session {session} committed to."""

    session: int


class NotACommitment(BadInput):
    """{given!r} is no commitment: 64 digits 0-9a-f of a SHA-256 are needed."""

    given: str


class ContributionTooShort(BadInput):
    """A contribution needs {least} letters at least, so that nobody finds it from its hash: some words that
    nobody else would think of.
    """

    least: int
