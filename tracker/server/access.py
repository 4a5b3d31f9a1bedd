"""Access control: authenticates callers, and authorizes them by the table of rights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import Connection

from tracker import rights
from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli.session import Row
from tracker.people import refusals
from tracker.people.records import CampaignStanding
from tracker.records import replace
from tracker.server.rate_limits import Kind, NoLimits, RateLimits, whose
from tracker.service.application import Tracker
from tracker.service.named_gangs import changed_gangs
from tracker.service.refusals import UnknownCampaign

Allow = Callable[[Sequence[records.Command], CampaignState], None]
Claim = Callable[[Sequence[str], Connection | None], None]


_GIVE_UP: Final = frozenset({"draft discard", "battle withdraw"})
"""The operations that may give up dice which only the discarded draft or report asked for."""


class Unauthorized(Exception):
    """The credentials are missing or not valid."""


class Forbidden(Exception):
    """The caller is known but may not do that."""


class SentCredentials(NamedTuple):
    """The credentials of a request: a header, and the secret of a cookie."""

    authorization: str | None = None
    session: str | None = None
    address: str = ""
    """The address of the client."""
    may_write: bool = False

    @property
    def is_bearer(self) -> bool:
        """Whether the request has a token, valid or not: then the cookie is ignored."""
        return (self.authorization or "").partition(" ")[0].lower() == "bearer"

    @property
    def token(self) -> str:
        """The token, or nothing."""
        return (self.authorization or "").partition(" ")[2].strip() if self.is_bearer else ""


class Caller(NamedTuple):
    """The person behind a request."""

    actor: str
    """The actor of recorded entries: the person's id; empty without a sign-in."""
    name: str = ""
    """The person's present name."""
    reads_only: bool = False
    campaign: str | None = None
    """The only campaign of the token, if it is limited to one."""
    session: str | None = None
    """The id of the browser session; None with a token."""


class SignedInMember(NamedTuple):
    """A caller with a campaign that they may see."""

    campaign: str
    """Its id."""
    require: Callable[[str], None]
    """Raises Forbidden if the caller's role may not do that in it."""


STRANGER: Final = Caller(actor="")
"""The caller without a sign-in: a member of nothing."""


class Access(Protocol):
    """Authenticates and authorizes callers, and limits their rate."""

    limits: RateLimits

    def caller(self, sent: SentCredentials) -> Caller:
        """The caller of a request. Raises NotSignedIn."""
        ...

    def campaign(self, caller: Caller, named: str, operation: str) -> str:
        """The campaign's id, if the caller's role may do that in it. Raises UnknownCampaign, Forbidden."""
        ...

    def entered(self, caller: Caller, named: str) -> SignedInMember:
        """The campaign's id, for a request of several operations. Raises UnknownCampaign."""
        ...

    def still(self, sent: SentCredentials, campaign: str, operation: str) -> bool:
        """Whether the caller may still do it; for open streams, without counting as a use of the token or
        session.
        """
        ...

    def anywhere(self, caller: Caller, operation: str) -> None:
        """Authorize an operation outside all campaigns. Raises Forbidden."""
        ...

    def allow(self, caller: Caller, campaign: str, operation: str, given: Mapping[str, Any]) -> Allow:
        """A function that refuses decided commands which the caller may not give."""
        ...

    def claim(self, caller: Caller, campaign: str) -> Claim:
        """A function that gives the caller the gangs that they enlist."""
        ...

    def sees(self, caller: Caller, row: Row) -> bool:
        """Whether the caller may know that this campaign exists."""
        ...

    def began(self, caller: Caller, campaign: str) -> None:
        """Make the caller the Arbitrator of the campaign that they began."""
        ...


def let_in(
    access: Access, sent: SentCredentials, named: str | None, operation: str
) -> tuple[Caller, str | None]:
    """The caller and the id of the named campaign.

    Without credentials it is a stranger, if the operation is open to strangers. Raises UnknownCampaign,
    Forbidden; NotSignedIn for a stranger, for private campaigns and unknown ones alike.
    """
    try:
        caller = access.caller(sent)
    except Unauthorized:
        if sent.is_bearer or sent.session is not None or not rights.is_for_strangers(operation):
            raise
        caller = STRANGER
    try:
        if named is not None:
            return caller, access.campaign(caller, named, operation)
        access.anywhere(caller, operation)
    except (Forbidden, UnknownCampaign):
        if caller == STRANGER:
            raise Unauthorized from None
        raise
    return caller, None


class MemberAccess:
    """Access for people with tokens or sessions, by their roles in each campaign."""

    def __init__(self, tracker: Tracker, limits: RateLimits | None = None, *, closed: bool = False) -> None:
        self._tracker = tracker
        self._closed = closed
        """Whether only the machine's keeper may begin campaigns."""
        self.limits: RateLimits = limits or NoLimits()

    def caller(self, sent: SentCredentials) -> Caller:
        """The caller of the token if there is one, else of the session. Raises NotSignedIn, TooOften."""
        kind: Kind = "writes" if sent.may_write else "reads"
        try:
            caller = self._known(sent, is_use=True)
        except refusals.NotSignedIn as wrong:
            is_stranger = not sent.is_bearer and sent.session is None
            self.limits.count(kind if is_stranger else "sign-in", whose(sent.address))
            raise Unauthorized from wrong
        self.limits.count(kind, caller.actor)
        return caller

    def still(self, sent: SentCredentials, campaign: str, operation: str) -> bool:
        """Not rate limited: the service checks on its own."""
        try:
            self.campaign(self._known(sent, is_use=False), campaign, operation)
        except (
            refusals.NotSignedIn, refusals.UnknownPerson, refusals.PersonForgotten, UnknownCampaign, Forbidden
        ):  # fmt: skip
            return False
        return True

    def _known(self, sent: SentCredentials, *, is_use: bool) -> Caller:
        if sent.is_bearer:
            return self._with_token(sent.token, is_use=is_use)
        return self._with_session(sent.session, is_use=is_use)

    def _with_token(self, secret: str, *, is_use: bool) -> Caller:
        people = self._tracker.people
        token = people.tokens.check(secret)
        if is_use and people.tokens.is_due(token):
            people.tokens.touch(token)
        person = people.person(token.person)
        return Caller(person.person, person.name, token.scope == "read", token.campaign)

    def _with_session(self, secret: str | None, *, is_use: bool) -> Caller:
        people = self._tracker.people
        session = people.sessions.check(secret or "")
        if is_use and people.sessions.is_due(session):
            people.sessions.touch(session)
        person = people.person(session.person)
        return Caller(person.person, person.name, session=session.session)

    def campaign(self, caller: Caller, named: str, operation: str) -> str:
        """Raises UnknownCampaign, Forbidden."""
        entered = self.entered(caller, named)
        entered.require(operation)
        return entered.campaign

    def entered(self, caller: Caller, named: str) -> SignedInMember:
        """Raises UnknownCampaign. A person who may not read a campaign must not learn that it exists."""
        campaign = self._tracker.directory.found(named)
        standing = self._standing(
            caller, campaign or named
        )  # also for an unknown campaign, so that the time does not reveal it
        if campaign is None or not (standing.role or standing.public):
            raise UnknownCampaign(campaign=named, known=())  # suggest no names of other people's campaigns
        return SignedInMember(campaign, partial(self._require, caller, standing))

    def anywhere(self, caller: Caller, operation: str) -> None:
        """Raises Forbidden."""
        standing = CampaignStanding(
            person=caller.actor or None,
            by_token=caller.session is None,
            may_begin=not self._closed or self._tracker.people.keeps_machine(caller.actor),
        )
        self._require(caller, standing, operation)

    def allow(self, caller: Caller, campaign: str, operation: str, given: Mapping[str, Any]) -> Allow:
        """Returns a function that raises NotAllowed; raises it at once for options that need a browser
        session.
        """
        standing = self._standing(caller, campaign)
        options = frozenset(f"--{name.replace('_', '-')}" for name, value in given.items() if value)
        if rights.RIGHTS[operation].in_person:
            rights.require(standing, operation, rights.AccessRequest(options=options))

        def allow(commands: Sequence[records.Command], state: CampaignState) -> None:
            if commands and all(isinstance(command, records.RequestRolls) for command in commands):
                return  # allowed before the dice were requested
            if operation in _GIVE_UP and all(
                isinstance(command, records.AbandonRolls) for command in commands
            ):
                return  # the person may discard what the dice were for
            request = rights.AccessRequest(
                gangs=changed_gangs(commands, state),
                beginning=frozenset(_enlisted(commands)) - state.gangs.keys(),
                person=_person(caller, commands, state),
                opened_by=_opened_by(caller, commands, state),
                options=options,
            )
            rights.require(standing, operation, request)

        return allow

    def claim(self, caller: Caller, campaign: str) -> Claim:
        """A function that gives a player the gang that they may begin, with the append that enlists it."""
        return partial(self._tracker.people.bring_gangs, campaign, caller.actor)

    def sees(self, caller: Caller, row: Row) -> bool:
        """Whether the caller is a member, or the campaign is public."""
        standing = self._standing(caller, str(row["campaign"]))
        return bool(standing.role or standing.public)

    def began(self, caller: Caller, campaign: str) -> None:
        """Make the caller the Arbitrator; does nothing if the request is sent again."""
        with suppress(refusals.MemberAlready):
            self._tracker.people.join(campaign, caller.actor, role="arbitrator")

    def _standing(self, caller: Caller, campaign: str) -> CampaignStanding:
        if caller.campaign not in (None, campaign):
            return CampaignStanding(person=caller.actor, by_token=True)
        standing = self._tracker.people.standing(campaign, caller.actor or None)
        return replace(standing, by_token=caller.session is None)

    def _require(self, caller: Caller, standing: CampaignStanding, operation: str) -> None:
        right = rights.RIGHTS.get(operation)
        if caller.reads_only and (right is None or right.writes):
            raise Forbidden("This token may only read.")
        why = rights.why_not(standing, operation)
        if why:
            raise Forbidden(f"You may not ask for {operation!r} here: {why}.")


def _enlisted(commands: Sequence[records.Command]) -> list[str]:
    return [command.gang for command in commands if isinstance(command, records.EnlistGang)]


def _person(caller: Caller, commands: Sequence[records.Command], state: CampaignState) -> str | None:
    """The person behind these commands or the disputes that they end: the caller's id if it is theirs."""
    for command in commands:
        match command:
            case records.DisputeRoll():
                named = command.raised_by
            case records.CommentOnDispute():
                named = command.said_by
            case records.ConfirmRoll():
                named = command.confirmed_by
            case records.WithdrawDispute():
                opened = state.disputes.get(command.dispute)
                named = opened.raised_by if opened is not None else ""
            case _:
                continue
        if named not in (caller.actor, caller.name):
            return named
    return caller.actor


def _opened_by(caller: Caller, commands: Sequence[records.Command], state: CampaignState) -> str | None:
    """The person who opened the dispute that is commented on: the caller's id if they did."""
    for command in commands:
        if isinstance(command, records.CommentOnDispute) and command.dispute in state.disputes:
            opener = state.disputes[command.dispute].raised_by
            return caller.actor if opener in (caller.actor, caller.name) else opener
    return None
