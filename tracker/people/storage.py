"""People in the database: rows in and out, one statement each. Decides nothing and opens no transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, delete, func, insert, select, update

from tracker.log import record_rows
from tracker.people.records import Invite, Member, Passkey, Person, SignIn, Token
from tracker.records import Record
from tracker.schema import (
    campaign_invites,
    campaign_members,
    campaign_settings,
    people,
    people_challenges,
    people_identities,
    people_names,
    people_passkeys,
    people_sessions,
    people_tokens,
)

Kind = TypeVar("Kind", bound=Record)
_LISTS = ("gangs", "transports")

ARMOURY = "armoury"
"""The setting of a campaign that is a whole file."""
OF_A_PERSON = (people_names, people_tokens, people_sessions, people_passkeys, people_identities)
"""What is gone when a person is forgotten."""


def _bound(table: Table, record: Record, **more: Any) -> dict[str, Any]:
    """A record as the values of a row."""
    values = record_rows.values_of(record, lists=_LISTS) | more
    return {name: value for name, value in values.items() if name in table.c}


def _record(kind: type[Kind], row: Row[Any]) -> Kind:
    return record_rows.record_of(kind, row, lists=_LISTS)


def _all(connection: Connection, kind: type[Kind], query: Select[Any]) -> tuple[Kind, ...]:
    return tuple(_record(kind, row) for row in connection.execute(query))


def _first(connection: Connection, kind: type[Kind], query: Select[Any]) -> Kind | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else _record(kind, row)


def _by_secret(
    connection: Connection, kind: type[Kind], table: Table, secret_hash: str
) -> tuple[Kind, str] | None:
    row = connection.execute(select(table).where(table.c.secret_hash == secret_hash)).one_or_none()
    return None if row is None else (_record(kind, row), row.secret_hash)


# --- people ------------------------------------------------------------------------------------------------


def add_person(connection: Connection, person: Person) -> None:
    """A new person, whose first name holds from the beginning."""
    connection.execute(insert(people), _bound(people, person))
    name = {"person": person.person, "number": 1, "name": person.name, "since": person.made_at}
    connection.execute(insert(people_names), name)


def person(connection: Connection, person_id: str, *, locked: bool = False) -> Person | None:
    """A person, forgotten ones too. `locked`: nobody else changes theirs until the end."""
    query = select(people).where(people.c.person == person_id)
    return _first(connection, Person, query.with_for_update() if locked else query)


def every_person(connection: Connection) -> tuple[Person, ...]:
    """Who is known and not forgotten, in the order in which they came."""
    query = select(people).where(people.c.forgotten_at.is_(None))
    return _all(connection, Person, query.order_by(people.c.made_at, people.c.person))


def rename(connection: Connection, person_id: str, *, name: str, at: str) -> None:
    """A name that holds from now on; the ones before stay where entries of their time are shown."""
    of_person = people_names.c.person == person_id
    number = connection.execute(select(func.max(people_names.c.number)).where(of_person)).scalar() or 0
    row = {"person": person_id, "number": number + 1, "name": name, "since": at}
    connection.execute(insert(people_names), row)
    connection.execute(update(people).where(people.c.person == person_id).values(name=name))


def forget(connection: Connection, person_id: str, *, name: str, at: str) -> None:
    """Take away all that is kept of a person but the id, and that it was forgotten."""
    # Else what is deleted stays in an SQLite file until its place is needed.
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON").close()
    for table in (*OF_A_PERSON, campaign_members, campaign_invites):
        connection.execute(delete(table).where(table.c.person == person_id))
    changed = update(people).where(people.c.person == person_id).values(name=name, forgotten_at=at)
    connection.execute(changed)


def names_of(connection: Connection, person_ids: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """For each person who is known: since when which name, oldest first. A forgotten person has none."""
    ids = sorted({*person_ids})
    known = connection.execute(select(people.c.person).where(people.c.person.in_(ids))).scalars()
    names: dict[str, list[tuple[str, str]]] = {person_id: [] for person_id in known}
    query = select(people_names).where(people_names.c.person.in_(ids))
    for row in connection.execute(query.order_by(people_names.c.person, people_names.c.number)):
        names[row.person].append((row.since, row.name))
    return names


# --- campaigns ---------------------------------------------------------------------------------------------


def member(connection: Connection, campaign: str, person_id: str) -> Member | None:
    """A person's role in a campaign."""
    return _first(connection, Member, select(campaign_members).where(*_is_member(campaign, person_id)))


def members(connection: Connection, campaign: str, *, locked: bool = False) -> tuple[Member, ...]:
    """Everybody in a campaign, in the order in which they came."""
    query = select(campaign_members).where(campaign_members.c.campaign_id == campaign)
    query = query.order_by(campaign_members.c.since, campaign_members.c.person)
    return _all(connection, Member, query.with_for_update() if locked else query)


def memberships(connection: Connection, person_id: str) -> tuple[Member, ...]:
    """Every campaign that a person is a member of."""
    query = select(campaign_members).where(campaign_members.c.person == person_id)
    return _all(connection, Member, query.order_by(campaign_members.c.campaign_id))


def add_member(connection: Connection, member: Member) -> None:
    """A new member."""
    connection.execute(insert(campaign_members), _bound(campaign_members, member))


def change_member(connection: Connection, member: Member) -> None:
    """Another role, or other gangs."""
    values = _bound(campaign_members, member)
    changed = update(campaign_members).where(*_is_member(member.campaign, member.person))
    connection.execute(changed.values(role=values["role"], gangs=values["gangs"]))


def remove_member(connection: Connection, campaign: str, person_id: str) -> None:
    """Out of a campaign; the person stays."""
    connection.execute(delete(campaign_members).where(*_is_member(campaign, person_id)))


def _is_member(campaign: str, person_id: str) -> list[ColumnElement[bool]]:
    return [campaign_members.c.campaign_id == campaign, campaign_members.c.person == person_id]


def settings(connection: Connection, campaign: str) -> dict[str, str]:
    """What was set for a campaign, but for its armoury; what was not set is not there."""
    query = select(campaign_settings.c.setting, campaign_settings.c.value)
    of_campaign = [campaign_settings.c.campaign_id == campaign, campaign_settings.c.setting != ARMOURY]
    return {row.setting: row.value for row in connection.execute(query.where(*of_campaign))}


def armoury(connection: Connection, campaign: str) -> str | None:
    """The text of the armoury that a campaign keeps: long, and read only where it is asked for."""
    matches = [campaign_settings.c.campaign_id == campaign, campaign_settings.c.setting == ARMOURY]
    return connection.execute(select(campaign_settings.c.value).where(*matches)).scalar_one_or_none()


def drop_setting(connection: Connection, campaign: str, setting: str) -> None:
    """As if it had never been set."""
    matches = [campaign_settings.c.campaign_id == campaign, campaign_settings.c.setting == setting]
    connection.execute(delete(campaign_settings).where(*matches))


def set_setting(connection: Connection, campaign: str, setting: str, value: str) -> None:
    """Set one, whatever it was."""
    matches = [campaign_settings.c.campaign_id == campaign, campaign_settings.c.setting == setting]
    if connection.execute(update(campaign_settings).where(*matches).values(value=value)).rowcount == 0:
        row = {"campaign_id": campaign, "setting": setting, "value": value}
        connection.execute(insert(campaign_settings), row)


# --- invites -----------------------------------------------------------------------------------------------


def add_invite(connection: Connection, invite: Invite, *, secret_hash: str) -> None:
    """A new invite."""
    connection.execute(insert(campaign_invites), _bound(campaign_invites, invite, secret_hash=secret_hash))


def invites(connection: Connection, campaign: str) -> tuple[Invite, ...]:
    """Every invite of a campaign, used up and revoked ones too, oldest first."""
    query = select(campaign_invites).where(campaign_invites.c.campaign_id == campaign)
    return _all(connection, Invite, query.order_by(campaign_invites.c.made_at, campaign_invites.c.invite))


def invite_by_secret(connection: Connection, secret_hash: str) -> tuple[Invite, str] | None:
    """The invite of a link, and the hash that is kept."""
    return _by_secret(connection, Invite, campaign_invites, secret_hash)


def use_invite(connection: Connection, invite: Invite, *, at: str) -> bool:
    """Take one use, if there is one: of two who take the last, one gets it."""
    changed = (
        update(campaign_invites)
        .where(
            campaign_invites.c.campaign_id == invite.campaign,
            campaign_invites.c.invite == invite.invite,
            campaign_invites.c.uses_left > 0,
            campaign_invites.c.revoked_at.is_(None),
            campaign_invites.c.expires_at > at,
        )
        .values(uses_left=campaign_invites.c.uses_left - 1)
    )
    return connection.execute(changed).rowcount == 1


def revoke_invites(
    connection: Connection,
    *,
    at: str,
    campaign: str | None = None,
    invite: str | None = None,
    made_by: str | None = None,
    person_id: str | None = None,
) -> int:
    """Revoke those that are all of what is given; says how many were not revoked before."""
    conditions = {"campaign_id": campaign, "invite": invite, "made_by": made_by, "person": person_id}
    matches = [campaign_invites.c[name] == value for name, value in conditions.items() if value is not None]
    assert matches, "never every invite there is"
    changed = update(campaign_invites).where(*matches, campaign_invites.c.revoked_at.is_(None))
    return connection.execute(changed.values(revoked_at=at)).rowcount


# --- tokens and sessions -----------------------------------------------------------------------------------


def add_token(connection: Connection, token: Token, *, secret_hash: str) -> None:
    """A new token."""
    connection.execute(insert(people_tokens), _bound(people_tokens, token, secret_hash=secret_hash))


def tokens(connection: Connection, person_id: str) -> tuple[Token, ...]:
    """Every token of a person, expired and revoked ones too, oldest first."""
    query = select(people_tokens).where(people_tokens.c.person == person_id)
    return _all(connection, Token, query.order_by(people_tokens.c.made_at, people_tokens.c.token))


def token_by_secret(connection: Connection, secret_hash: str) -> tuple[Token, str] | None:
    """The token of a secret, and the hash that is kept."""
    return _by_secret(connection, Token, people_tokens, secret_hash)


def token_used(connection: Connection, token: Token, *, at: str, unless_since: str) -> None:
    """Write down when a token was used, unless that was written after `unless_since`."""
    used = people_tokens.c.last_used_at
    changed = update(people_tokens).where(
        people_tokens.c.person == token.person,
        people_tokens.c.token == token.token,
        used.is_(None) | (used <= unless_since),
    )
    connection.execute(changed.values(last_used_at=at))


def revoke_tokens(connection: Connection, person_id: str, *, at: str, token: str | None = None) -> int:
    """Revoke one token of a person, or all; says how many were not revoked before."""
    changed = update(people_tokens).where(
        people_tokens.c.person == person_id, people_tokens.c.revoked_at.is_(None)
    )
    if token is not None:
        changed = changed.where(people_tokens.c.token == token)
    return connection.execute(changed.values(revoked_at=at)).rowcount


def add_session(connection: Connection, session: SignIn, *, secret_hash: str) -> None:
    """A new session; those of the person that ended are gone."""
    ended = people_sessions.c.expires_at <= session.made_at
    connection.execute(delete(people_sessions).where(people_sessions.c.person == session.person, ended))
    connection.execute(insert(people_sessions), _bound(people_sessions, session, secret_hash=secret_hash))


def sessions(connection: Connection, person_id: str) -> tuple[SignIn, ...]:
    """Every session of a person, oldest first."""
    query = select(people_sessions).where(people_sessions.c.person == person_id)
    return _all(connection, SignIn, query.order_by(people_sessions.c.made_at, people_sessions.c.session))


def session_by_secret(connection: Connection, secret_hash: str) -> tuple[SignIn, str] | None:
    """The session of a secret, and the hash that is kept."""
    return _by_secret(connection, SignIn, people_sessions, secret_hash)


def session_seen(connection: Connection, session: SignIn, *, at: str, unless_since: str) -> None:
    """Write down when a session was seen, unless that was written after `unless_since`."""
    changed = update(people_sessions).where(
        people_sessions.c.person == session.person,
        people_sessions.c.session == session.session,
        people_sessions.c.last_seen_at <= unless_since,
    )
    connection.execute(changed.values(last_seen_at=at))


def revoke_sessions(connection: Connection, person_id: str, *, at: str, session: str | None = None) -> int:
    """End one session of a person, or all; says how many had not ended so before."""
    changed = update(people_sessions).where(
        people_sessions.c.person == person_id, people_sessions.c.revoked_at.is_(None)
    )
    if session is not None:
        changed = changed.where(people_sessions.c.session == session)
    return connection.execute(changed.values(revoked_at=at)).rowcount


# --- passkeys and identities -------------------------------------------------------------------------------


def add_passkey(connection: Connection, passkey: Passkey) -> None:
    """A new passkey."""
    connection.execute(insert(people_passkeys), _bound(people_passkeys, passkey))


def passkeys(connection: Connection, person_id: str) -> tuple[Passkey, ...]:
    """Every passkey of a person, oldest first."""
    query = select(people_passkeys).where(people_passkeys.c.person == person_id)
    return _all(connection, Passkey, query.order_by(people_passkeys.c.made_at, people_passkeys.c.credential))


def passkey(connection: Connection, credential: str) -> Passkey | None:
    """The passkey of a credential."""
    query = select(people_passkeys).where(people_passkeys.c.credential == credential)
    return _first(connection, Passkey, query)


def passkey_used(connection: Connection, credential: str, *, sign_count: int, at: str) -> bool:
    """Keep its count of signatures. False where it does not go up, and is not always 0: it may be a copy."""
    counted = people_passkeys.c.sign_count < sign_count
    if sign_count == 0:
        counted = people_passkeys.c.sign_count == 0
    changed = update(people_passkeys).where(people_passkeys.c.credential == credential, counted)
    return connection.execute(changed.values(sign_count=sign_count, last_used_at=at)).rowcount == 1


def remove_passkey(connection: Connection, person_id: str, credential: str) -> bool:
    """Take a passkey away; False where the person has no such one."""
    matches = [people_passkeys.c.person == person_id, people_passkeys.c.credential == credential]
    return connection.execute(delete(people_passkeys).where(*matches)).rowcount == 1


def add_identity(connection: Connection, identity: str, person_id: str, *, at: str) -> None:
    """Somebody elsewhere is this person."""
    row = {"identity": identity, "person": person_id, "made_at": at}
    connection.execute(insert(people_identities), row)


def person_of(connection: Connection, identity: str) -> str | None:
    """Who somebody elsewhere is here."""
    query = select(people_identities.c.person).where(people_identities.c.identity == identity)
    return connection.execute(query).scalar()


def identities(connection: Connection, person_id: str) -> tuple[str, ...]:
    """Who a person is elsewhere."""
    query = select(people_identities.c.identity).where(people_identities.c.person == person_id)
    return tuple(connection.execute(query.order_by(people_identities.c.identity)).scalars())


def remove_identity(connection: Connection, identity: str, person_id: str) -> bool:
    """No longer; False where it was not so."""
    matches = [people_identities.c.identity == identity, people_identities.c.person == person_id]
    return connection.execute(delete(people_identities).where(*matches)).rowcount == 1


# --- challenges --------------------------------------------------------------------------------------------


def put_challenge(
    connection: Connection,
    *,
    secret_hash: str,
    purpose: str,
    row: Mapping[str, Any],
    at: str,
    expires_at: str,
) -> None:
    """Keep what a sign-in needs at its second step; what expired is gone."""
    connection.execute(delete(people_challenges).where(people_challenges.c.expires_at <= at))
    values = {"secret_hash": secret_hash, "purpose": purpose, "expires_at": expires_at}
    connection.execute(insert(people_challenges), values | {"row": json.dumps(row, ensure_ascii=True)})


def take_challenge(connection: Connection, *, secret_hash: str, purpose: str, at: str) -> Any | None:
    """What was kept, once; None where there is no such challenge, or its time is over."""
    matches = [people_challenges.c.secret_hash == secret_hash, people_challenges.c.purpose == purpose]
    query = (
        delete(people_challenges)
        .where(*matches)
        .returning(people_challenges.c.row, people_challenges.c.expires_at)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None or row.expires_at <= at else json.loads(row.row)
