"""Signing in: invitation links, tokens, sessions, passkeys and external accounts.

Stores only hashes of secrets, and returns each secret once. Passkey signatures are checked by the server.
Every refusal to sign in is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine

from tracker.log import database
from tracker.people import refusals, secrets, storage
from tracker.people.persons import added_person, known_person
from tracker.people.records import Invite, Member, Passkey, Person, Role, Scope, SignIn, Token
from tracker.records import Record
from tracker.service.clock import later

Kind = TypeVar("Kind")

INVITE_USES_MOST = 100
INVITE_DAYS_MOST = 365
INVITE_DAYS = 14
BACK_HOURS = 24
SESSION_DAYS = 30
CHALLENGE_SECONDS = 300
WRITTEN_EVERY = timedelta(minutes=1)
"""The shortest time between two updates of a last use."""


class IssuedSecret(Record):
    """An invite, token or session with its secret, which is shown once and kept nowhere."""

    secret: str


class MadeInvite(IssuedSecret):
    """A link: whoever has the secret may use it."""

    invite: Invite
    is_known: bool = False
    """Whether the same request made it before."""


class MadeToken(IssuedSecret):
    """A token with its secret."""

    token: Token


class MadeSession(IssuedSecret):
    """A session with its secret."""

    session: SignIn


class Arrival(Record):
    """A person who used a link. `member` is None if the link let them sign in again."""

    person: Person
    member: Member | None = None
    is_new: bool = False


class AdmitMember(Protocol):
    """Makes a person a member, or extends their membership."""

    def __call__(
        self,
        connection: Connection,
        campaign: str,
        person: Person,
        *,
        role: Role,
        gangs: tuple[str, ...],
        by: str | None,
    ) -> Member: ...


class Invites:
    """Links that bring people into a campaign, or back to what they had."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str], enter: AdmitMember) -> None:
        self._engine = engine
        self._now = clock
        self._enter = enter

    def new(
        self,
        campaign: str,
        *,
        role: Role,
        gangs: tuple[str, ...] = (),
        uses: int = 1,
        days: int = INVITE_DAYS,
        note: str = "",
        by: str | None = None,
        once: str = "",
    ) -> MadeInvite:
        """Make a link into a campaign. The same `once`, a secret of the request, returns the same link.

        Raises InviteNotUsable, OnlyPlayersHaveGangs.
        """
        if not (1 <= uses <= INVITE_USES_MOST and 1 <= days <= INVITE_DAYS_MOST):
            raise refusals.InviteNotUsable(uses_most=INVITE_USES_MOST, days_most=INVITE_DAYS_MOST)
        if gangs and role != "player":
            raise refusals.OnlyPlayersHaveGangs(role)
        with database.writing(self._engine) as connection:
            return self._made(
                connection,
                Invite(
                    invite=secrets.new_short_id("invite-"),
                    campaign=campaign,
                    role=role,
                    gangs=gangs,
                    note=note,
                    uses_left=uses,
                    made_by=by,
                    made_at=self._now(),
                    expires_at=later(self._now(), timedelta(days=days)),
                ),
                once,
            )

    def back(self, person_id: str, *, by: str | None = None, once: str = "") -> MadeInvite:
        """Make a link that signs a person in once, for somebody who lost their key. An earlier one is
        revoked, unless it was made with the same `once`.

        It gives access to all of the person's campaigns, so `by` must be Arbitrator of each; None is whoever
        is at the machine. Raises UnknownPerson, PersonForgotten, MayNotBringBack.
        """
        with database.writing(self._engine) as connection:
            person = known_person(connection, person_id, locked=True)
            if by is not None and by != person_id:
                ruled = {
                    membership.campaign
                    for membership in storage.memberships(connection, by)
                    if membership.role == "arbitrator"
                }
                theirs = {member.campaign for member in storage.memberships(connection, person_id)}
                if not theirs or not theirs <= ruled:
                    raise refusals.MayNotBringBack(person.name)
            if (known := self._made_before(connection, person_id, once)) is not None:
                return known
            storage.revoke_invites(connection, at=self._now(), person_id=person_id)
            return self._made(
                connection,
                Invite(
                    invite=secrets.new_short_id("invite-"),
                    campaign="",
                    person=person_id,
                    uses_left=1,
                    made_by=by,
                    made_at=self._now(),
                    expires_at=later(self._now(), timedelta(hours=BACK_HOURS)),
                ),
                once,
            )

    def of(self, campaign: str) -> tuple[Invite, ...]:
        """Every invite of a campaign, including used and revoked ones, oldest first."""
        with database.reading(self._engine) as connection:
            return storage.invites(connection, campaign)

    def is_open(self, invite: Invite) -> bool:
        """Whether it would let somebody in now."""
        return invite.uses_left > 0 and invite.revoked_at is None and invite.expires_at > self._now()

    def revoke(self, campaign: str, invite: str) -> None:
        """Revoke a link; members who used it stay. Raises UnknownInvite."""
        with database.writing(self._engine) as connection:
            if not storage.revoke_invites(connection, at=self._now(), campaign=campaign, invite=invite):
                raise refusals.UnknownInvite(invite)

    def look(self, secret: str) -> Invite:
        """The invite of a link; does not use it up. Raises InviteNotValid."""
        with database.reading(self._engine) as connection:
            return self._valid(connection, secret)

    def redeem(
        self,
        secret: str,
        *,
        name: str | None = None,
        person_id: str | None = None,
        identity: str | None = None,
    ) -> Arrival:
        """Use a link, as the signed-in person or as a new person of that name; a link back in, as its person.

        `identity` is an external account, such as 'discord:8035111', to link to the person. Raises
        InviteNotValid, MemberAlready, PersonNameNotUsable, PersonNameTaken, IdentityTaken. A refusal does not
        use it up; of two people who use the last use, one gets in.
        """
        with database.writing(self._engine) as connection:
            invite = self._valid(connection, secret)
            if not storage.use_invite(connection, invite, at=self._now()):
                raise refusals.InviteNotValid
            if invite.person is not None:
                person = known_person(connection, invite.person, locked=True)
                _link(connection, person, identity, at=self._now())
                return Arrival(person=person)
            is_new = person_id is None
            if person_id is None:
                person = added_person(connection, name or "", at=self._now())
            else:
                person = known_person(connection, person_id, locked=True)
            _link(connection, person, identity, at=self._now())
            assert invite.role is not None, "an invite into a campaign has a role"
            member = self._enter(
                connection, invite.campaign, person, role=invite.role, gangs=invite.gangs, by=invite.made_by
            )
            return Arrival(person=person, member=member, is_new=is_new)

    def _made_before(self, connection: Connection, whose: str, once: str) -> MadeInvite | None:
        """The invite that the same request made, if it is still open."""
        if not once:
            return None
        secret = secrets.secret_of(secrets.INVITE_PREFIX, whose, once)
        found = storage.invite_by_secret(connection, secrets.hashed(secret))
        if found is None or not self.is_open(found[0]):
            return None
        return MadeInvite(secret=secret, invite=found[0], is_known=True)

    def _made(self, connection: Connection, invite: Invite, once: str) -> MadeInvite:
        whose = invite.person or invite.campaign
        if (known := self._made_before(connection, whose, once)) is not None:
            return known
        secret = secrets.secret_of(secrets.INVITE_PREFIX, whose, once) if once else ""
        if not secret or storage.invite_by_secret(connection, secrets.hashed(secret)) is not None:
            secret = secrets.new_secret(secrets.INVITE_PREFIX)
        storage.add_invite(connection, invite, secret_hash=secrets.hashed(secret))
        return MadeInvite(secret=secret, invite=invite)

    def _valid(self, connection: Connection, secret: str) -> Invite:
        given = secrets.hashed(secret)
        invite = _same(storage.invite_by_secret(connection, given), given)
        if invite is None or not self.is_open(invite):
            raise refusals.InviteNotValid
        return invite


class Tokens:
    """The tokens of programs."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str]) -> None:
        self._engine = engine
        self._now = clock

    def new(
        self,
        person_id: str,
        *,
        label: str,
        scope: Scope = "read",
        campaign: str | None = None,
        days: int | None = None,
        once: str = "",
    ) -> MadeToken:
        """Make a token with its person's rights, or only to read; `days` None: until revoked.

        The same `once`, a secret of the request, returns the same token. Raises UnknownPerson,
        PersonForgotten, NoMember.
        """
        with database.writing(self._engine) as connection:
            person = known_person(connection, person_id, locked=True)
            if campaign is not None and storage.member(connection, campaign, person_id) is None:
                raise refusals.NoMember(person.name)
            token = Token(
                token=secrets.new_short_id("token-"),
                person=person_id,
                campaign=campaign,
                scope=scope,
                label=label,
                made_at=self._now(),
                expires_at=None if days is None else later(self._now(), timedelta(days=days)),
            )
            secret = secrets.secret_of(secrets.TOKEN_PREFIX, person_id, once) if once else ""
            known = storage.token_by_secret(connection, secrets.hashed(secret)) if secret else None
            if known is not None and self.is_in_force(known[0]):
                return MadeToken(secret=secret, token=known[0])
            if known is not None or not secret:
                secret = secrets.new_secret(secrets.TOKEN_PREFIX)
            storage.add_token(connection, token, secret_hash=secrets.hashed(secret))
        return MadeToken(secret=secret, token=token)

    def of(self, person_id: str) -> tuple[Token, ...]:
        """Every token of a person, including expired and revoked ones, oldest first."""
        with database.reading(self._engine) as connection:
            return storage.tokens(connection, person_id)

    def is_in_force(self, token: Token) -> bool:
        """Whether it would sign its person in now."""
        return token.revoked_at is None and (token.expires_at is None or token.expires_at > self._now())

    def revoke(self, person_id: str, token: str) -> None:
        """Revoke a token. Raises UnknownToken."""
        with database.writing(self._engine) as connection:
            if not storage.revoke_tokens(connection, person_id, at=self._now(), token=token):
                raise refusals.UnknownToken(person_id, token)

    def check(self, secret: str) -> Token:
        """The token of a secret; writes nothing (see `touch`). Raises TokenNotValid for any fault."""
        given = secrets.hashed(secret)
        with database.reading(self._engine) as connection:
            token = _same(storage.token_by_secret(connection, given), given)
        if token is None or not self.is_in_force(token):
            raise refusals.TokenNotValid
        return token

    def is_due(self, token: Token) -> bool:
        """Whether `touch` would write: a minute has passed since the last time."""
        return token.last_used_at is None or later(token.last_used_at, WRITTEN_EVERY) <= self._now()

    def touch(self, token: Token) -> None:
        """Record its use, at most once a minute."""
        if self.is_due(token):
            at = self._now()
            with database.writing(self._engine) as connection:
                storage.token_used(connection, token, at=at, unless_since=later(at, -WRITTEN_EVERY))


class Sessions:
    """The sessions of browsers and other clients."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str]) -> None:
        self._engine = engine
        self._now = clock

    def new(self, person_id: str, *, label: str = "", days: int = SESSION_DAYS) -> MadeSession:
        """A session; its secret goes into a cookie. Raises UnknownPerson, PersonForgotten."""
        at = self._now()
        with database.writing(self._engine) as connection:
            known_person(connection, person_id, locked=True)
            session = SignIn(
                session=secrets.new_short_id("session-"),
                person=person_id,
                label=label,
                made_at=at,
                expires_at=later(at, timedelta(days=days)),
                last_seen_at=at,
            )
            secret = secrets.new_secret(secrets.SESSION_PREFIX)
            storage.add_session(connection, session, secret_hash=secrets.hashed(secret))
        return MadeSession(secret=secret, session=session)

    def of(self, person_id: str) -> tuple[SignIn, ...]:
        """The sessions of a person, oldest first."""
        with database.reading(self._engine) as connection:
            return storage.sessions(connection, person_id)

    def check(self, secret: str) -> SignIn:
        """The session of a secret; writes nothing (see `touch`). Raises SessionNotValid."""
        given = secrets.hashed(secret)
        with database.reading(self._engine) as connection:
            session = _same(storage.session_by_secret(connection, given), given)
        if session is None or session.revoked_at is not None or session.expires_at <= self._now():
            raise refusals.SessionNotValid
        return session

    def is_due(self, session: SignIn) -> bool:
        """Whether `touch` would write: a minute has passed since the last time."""
        return later(session.last_seen_at, WRITTEN_EVERY) <= self._now()

    def touch(self, session: SignIn) -> None:
        """Record that it was seen, at most once a minute."""
        if self.is_due(session):
            at = self._now()
            with database.writing(self._engine) as connection:
                storage.session_seen(connection, session, at=at, unless_since=later(at, -WRITTEN_EVERY))

    def end(self, person_id: str, session: str | None = None) -> int:
        """End one session, or all; returns how many."""
        with database.writing(self._engine) as connection:
            return storage.revoke_sessions(connection, person_id, at=self._now(), session=session)


class Passkeys:
    """Public keys and external accounts, and data for second steps. Checks no signature."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str]) -> None:
        self._engine = engine
        self._now = clock

    def add(
        self,
        person_id: str,
        *,
        credential: str,
        public_key: bytes,
        sign_count: int = 0,
        transports: tuple[str, ...] = (),
        label: str = "",
    ) -> Passkey:
        """Keep a key that was verified. Raises UnknownPerson, PersonForgotten, PasskeyTaken."""
        with database.writing(self._engine) as connection:
            known_person(connection, person_id, locked=True)
            if storage.passkey(connection, credential) is not None:
                raise refusals.PasskeyTaken
            passkey = Passkey(
                credential=credential,
                person=person_id,
                public_key=public_key,
                sign_count=sign_count,
                transports=transports,
                label=label,
                made_at=self._now(),
            )
            storage.add_passkey(connection, passkey)
        return passkey

    def of(self, person_id: str) -> tuple[Passkey, ...]:
        """Every passkey of a person, oldest first."""
        with database.reading(self._engine) as connection:
            return storage.passkeys(connection, person_id)

    def by_credential(self, credential: str) -> Passkey:
        """The key to verify with. Raises PasskeyNotValid."""
        with database.reading(self._engine) as connection:
            passkey = storage.passkey(connection, credential)
        if passkey is None:
            raise refusals.PasskeyNotValid
        return passkey

    def used(self, credential: str, *, sign_count: int) -> None:
        """Store the count of a verified signature. Raises PasskeyNotValid if it did not increase, because the
        key may be a copy.
        """
        with database.writing(self._engine) as connection:
            if not storage.passkey_used(connection, credential, sign_count=sign_count, at=self._now()):
                raise refusals.PasskeyNotValid

    def remove(self, person_id: str, credential: str) -> None:
        """Take a key away. Raises PasskeyNotValid."""
        with database.writing(self._engine) as connection:
            if not storage.remove_passkey(connection, person_id, credential):
                raise refusals.PasskeyNotValid

    # --- external accounts ---------------------------------------------------------------------------------

    def link(self, person_id: str, identity: str) -> None:
        """Link an external account, such as 'discord:8035111', to a person. Raises UnknownPerson,
        IdentityTaken.
        """
        with database.writing(self._engine) as connection:
            person = known_person(connection, person_id, locked=True)
            _link(connection, person, identity, at=self._now())

    def unlink(self, person_id: str, identity: str) -> bool:
        """Unlink an external account; False if it was not linked."""
        with database.writing(self._engine) as connection:
            return storage.remove_identity(connection, identity, person_id)

    def person_of(self, identity: str) -> Person | None:
        """The person of an external account, or None."""
        with database.reading(self._engine) as connection:
            person_id = storage.person_of(connection, identity)
            return None if person_id is None else storage.person(connection, person_id)

    def identities(self, person_id: str) -> tuple[str, ...]:
        """The external accounts of a person."""
        with database.reading(self._engine) as connection:
            return storage.identities(connection, person_id)

    # --- second steps --------------------------------------------------------------------------------------

    def challenge(self, purpose: str, row: Mapping[str, Any]) -> str:
        """Store plain data for the second step of a sign-in. Returns a secret that fetches it once, within
        five minutes.
        """
        secret, at = secrets.new_secret(secrets.CHALLENGE_PREFIX), self._now()
        with database.writing(self._engine) as connection:
            storage.put_challenge(
                connection,
                secret_hash=secrets.hashed(secret),
                purpose=purpose,
                row=row,
                at=at,
                expires_at=later(at, timedelta(seconds=CHALLENGE_SECONDS)),
            )
        return secret

    def answer(self, purpose: str, secret: str) -> dict[str, Any]:
        """Fetch the stored data of this purpose once. Raises ChallengeNotValid."""
        with database.writing(self._engine) as connection:
            row = storage.take_challenge(
                connection, secret_hash=secrets.hashed(secret), purpose=purpose, at=self._now()
            )
        if row is None:
            raise refusals.ChallengeNotValid
        return dict(row)


def _link(connection: Connection, person: Person, identity: str | None, *, at: str) -> None:
    """Raises IdentityTaken."""
    if identity is None:
        return
    found = storage.person_of(connection, identity)
    if found not in (None, person.person):
        raise refusals.IdentityTaken(identity)
    if found is None:
        storage.add_identity(connection, identity, person.person, at=at)


def _same(found: tuple[Kind, str] | None, given: str) -> Kind | None:
    """Compare the found hash in constant time; compares also if nothing was found."""
    record, kept = (None, given) if found is None else found
    return record if secrets.same(kept, given) else None
