"""What is kept of people: records of rows, without any secret."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.log.envelopes import Moment
from tracker.records import Record

Role: TypeAlias = Literal["arbitrator", "player", "spectator"]
Scope: TypeAlias = Literal["read", "write"]
Visibility: TypeAlias = Literal["private", "public"]
Recorders: TypeAlias = Literal["arbitrators", "players", "coaches"]
DiceFrom: TypeAlias = Literal["table", "tool"]

ROLES: tuple[Role, ...] = ("arbitrator", "player", "spectator")
"""The role that may do more comes first."""
SCOPES: tuple[Scope, ...] = ("read", "write")
VISIBILITIES: tuple[Visibility, ...] = ("private", "public")
RECORDERS: tuple[Recorders, ...] = ("arbitrators", "players", "coaches")
"""Coaches: the players of all gangs that fought, once they agree on a report."""
DICE_FROM: tuple[DiceFrom, ...] = ("table", "tool")
"""Whose dice a campaign uses where nobody says otherwise: those on the table, or the tool's."""

GANG_TO_COME = "+"
"""Among a player's gangs: one that they begin themselves. No gang has this id; the first gang that the player
enlists takes its place.
"""

FORMER_PLAYER = "a former player"
"""What a person is called who was forgotten."""


class Person(Record):
    """Somebody, by an id that never changes."""

    person: str
    name: str
    made_at: Moment
    forgotten_at: Moment | None = None


class Member(Record):
    """A person's role in a campaign; `gangs` are those that a player plays."""

    campaign: str
    person: str
    role: Role
    since: str
    gangs: tuple[str, ...] = ()
    invited_by: str | None = None


class Invite(Record):
    """A link that brings somebody into a campaign, or a person back who lost their key.

    With `person` it signs in that person, whatever they are a member of, and `campaign` and `role` are empty.
    """

    invite: str
    campaign: str
    uses_left: int
    made_at: Moment
    expires_at: Moment
    person: str | None = None
    role: Role | None = None
    gangs: tuple[str, ...] = ()
    note: str = ""
    made_by: str | None = None
    revoked_at: Moment | None = None


class Token(Record):
    """What a program signs in with. `campaign` is None where it serves for all campaigns of its person."""

    token: str
    person: str
    scope: Scope
    label: str
    made_at: Moment
    campaign: str | None = None
    expires_at: Moment | None = None
    last_used_at: Moment | None = None
    revoked_at: Moment | None = None


class SignIn(Record):
    """A session of a browser or another client in which a person signed in."""

    session: str
    person: str
    label: str
    made_at: Moment
    expires_at: Moment
    last_seen_at: Moment
    revoked_at: Moment | None = None


class Passkey(Record):
    """A public key of a person, as WebAuthn registered it. `credential` is its id in base64url."""

    credential: str
    person: str
    public_key: bytes
    sign_count: int
    label: str
    made_at: Moment
    transports: tuple[str, ...] = ()
    last_used_at: Moment | None = None


class CampaignStanding(Record):
    """What somebody is in a campaign. Without a role: a visitor where it is public, else nobody."""

    person: str | None = None
    role: Role | None = None
    gangs: tuple[str, ...] = ()
    public: bool = False
    players_record: bool = False
    """Whether the campaign lets players record the battles of their own gangs."""
    coaches_settle: bool = False
    """Whether a report counts once a player of every gang that fought confirms it."""
    may_begin: bool = True
    """Whether they may begin campaigns: a host may keep that to who keeps the machine."""
    by_token: bool = False
    """Whether a token signed them in: it makes no other token, and nothing that opens more than it does."""
    machine: bool = False
    """Whoever sits at the machine that keeps the database: they could change the file itself."""


AT_THE_MACHINE = CampaignStanding(machine=True)
