"""People: their identities, their roles in campaigns, and their names over time.

Links, tokens, sessions and keys are in `sign_in`. Knows no route, no cookie and no rule of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

from sqlalchemy import Connection, Engine

from tracker.log import campaigns, database
from tracker.people import persons, records, refusals, storage
from tracker.people.persons import added_person, known_person, usable_name
from tracker.people.records import (
    GANG_TO_COME,
    CampaignStanding,
    DiceFrom,
    Member,
    Person,
    Recorders,
    Role,
    Visibility,
)
from tracker.records import replace
from tracker.rights import NotAllowed
from tracker.service.confusable_names import are_confusable
from tracker.service.sign_in import Invites, Passkeys, Sessions, Tokens

MACHINE_IDENTITY = "machine:arbitrator"
"""The identity of the person who keeps this machine's database."""

Clock: TypeAlias = Callable[[], str]


class People:
    """The people of one database. Checks no rights: `tracker.rights` says who may."""

    def __init__(self, engine: Engine, *, clock: Clock) -> None:
        self._engine = engine
        self._now = clock

    @cached_property
    def invites(self) -> Invites:
        """Links that bring people in, and back."""
        return Invites(self._engine, clock=self._now, enter=self._enter)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of programs."""
        return Tokens(self._engine, clock=self._now)

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions of browsers."""
        return Sessions(self._engine, clock=self._now)

    @cached_property
    def passkeys(self) -> Passkeys:
        """Passkeys, external accounts, and the second steps of signing in with them."""
        return Passkeys(self._engine, clock=self._now)

    # --- people --------------------------------------------------------------------------------------------

    def add(self, name: str) -> Person:
        """A new person, member of nothing. Raises PersonNameNotUsable."""
        with database.writing(self._engine) as connection:
            return added_person(connection, name, at=self._now())

    def person(self, person_id: str) -> Person:
        """A person by id. Raises UnknownPerson, PersonForgotten."""
        with database.reading(self._engine) as connection:
            return known_person(connection, person_id)

    def everybody(self) -> tuple[Person, ...]:
        """Every known person, member of a campaign or not."""
        with database.reading(self._engine) as connection:
            return storage.every_person(connection)

    def named(self, word: str, *, campaign: str | None = None) -> Person:
        """A person by id or by name, of a campaign or of all. Raises UnknownPerson, PersonNameAmbiguous."""
        with database.reading(self._engine) as connection:
            people = storage.every_person(connection)
            if campaign is not None:
                ids = {member.person for member in storage.members(connection, campaign)}
                people = tuple(person for person in people if person.person in ids)
        typed = word.casefold()
        alike = [person for person in people if word == person.person or typed == person.name.casefold()]
        if not alike:
            raise refusals.UnknownPerson(word, tuple(person.name for person in people))
        if len(alike) > 1:
            raise refusals.PersonNameAmbiguous(word, tuple(person.person for person in alike))
        return alike[0]

    def rename(self, person_id: str, name: str) -> Person:
        """Give a person another name from now on; earlier entries show the name of their day.

        Raises UnknownPerson, PersonForgotten, PersonNameNotUsable, PersonNameTaken.
        """
        with database.writing(self._engine) as connection:
            person = known_person(connection, person_id, locked=True)
            name = usable_name(name)
            for member in storage.memberships(connection, person_id):
                _refuse_a_taken_name(connection, member.campaign, name, but=person_id)
            if name != person.name:
                storage.rename(connection, person_id, name=name, at=self._now())
        return replace(person, name=name)

    def forget(self, person_id: str) -> None:
        """Delete names, roles, links, tokens, sessions, keys and accounts. The id stays, so every proof still
        holds.

        Raises UnknownPerson, PersonForgotten.
        """
        with database.writing(self._engine) as connection:
            known_person(connection, person_id, locked=True)
            storage.revoke_invites(connection, at=self._now(), made_by=person_id)
            storage.forget(connection, person_id, name=records.FORMER_PLAYER, at=self._now())

    def of_machine(self, name: str) -> Person:
        """The person who keeps this machine's database, created if missing: Arbitrator of campaigns without
        one.
        """
        with database.writing(self._engine) as connection:
            person_id = storage.person_of(connection, MACHINE_IDENTITY)
            if person_id is None:
                person = added_person(connection, name, at=self._now())
                storage.add_identity(connection, MACHINE_IDENTITY, person.person, at=self._now())
            else:
                person = known_person(connection, person_id)
            for campaign in campaigns.with_a_log(connection):
                self._make_arbitrator_of_none(connection, campaign, person)
        return person

    def keeps_machine(self, person_id: str) -> bool:
        """Whether this person keeps this machine's database."""
        with database.reading(self._engine) as connection:
            return storage.person_of(connection, MACHINE_IDENTITY) == person_id

    # --- names ----------------------------------------------------------------------------------------------

    def names(self, actors: Iterable[str]) -> Callable[[str, str], str]:
        """A function that maps an actor of the log and a time to the person's name at that time.

        Other actors, such as names typed at a terminal, stay unchanged.
        """
        with database.reading(self._engine) as connection:
            return persons.names_on(connection, actors)

    # --- campaigns ----------------------------------------------------------------------------------------

    def standing(self, campaign: str, person_id: str | None) -> CampaignStanding:
        """A person's membership of a campaign; None stands for an unknown person."""
        with database.reading(self._engine) as connection:
            kept = storage.settings(connection, campaign)
            member = None if person_id is None else storage.member(connection, campaign, person_id)
        return CampaignStanding(
            person=person_id,
            role=None if member is None else member.role,
            gangs=() if member is None else member.gangs,
            public=kept.get("visibility") == "public",
            players_record=kept.get("battles") == "players",
            coaches_settle=kept.get("battles") == "coaches",
        )

    def members(self, campaign: str) -> tuple[Member, ...]:
        """Everybody in a campaign, in the order in which they joined."""
        with database.reading(self._engine) as connection:
            return storage.members(connection, campaign)

    def memberships(self, person_id: str) -> tuple[Member, ...]:
        """Every campaign that a person is a member of."""
        with database.reading(self._engine) as connection:
            return storage.memberships(connection, person_id)

    def join(
        self, campaign: str, person_id: str, *, role: Role, gangs: tuple[str, ...] = (), by: str | None = None
    ) -> Member:
        """Make a person a member without a link; so the opener of a campaign becomes its Arbitrator.

        Raises UnknownPerson, PersonForgotten, MemberAlready, PersonNameTaken, OnlyPlayersHaveGangs.
        """
        with database.writing(self._engine) as connection:
            person = known_person(connection, person_id, locked=True)
            return self._enter(connection, campaign, person, role=role, gangs=gangs, by=by)

    def set_role(
        self, campaign: str, person_id: str, *, role: Role, gangs: tuple[str, ...] | None = None
    ) -> Member:
        """Another role; `gangs` None leaves a player's as they are. Raises NoMember, LastArbitrator,
        OnlyPlayersHaveGangs.
        """
        with database.writing(self._engine) as connection:
            member = _member(connection, campaign, person_id)
            if role != "arbitrator":
                self._refuse_the_last(connection, member)
                storage.revoke_invites(connection, at=self._now(), campaign=campaign, made_by=person_id)
            kept = (member.gangs if role == "player" else ()) if gangs is None else gangs
            changed = replace(member, role=role, gangs=_of_players(role, kept))
            storage.change_member(connection, changed)
        return changed

    def remove(self, campaign: str, person_id: str) -> None:
        """Remove a member, and revoke the links that they made. Raises NoMember, LastArbitrator."""
        with database.writing(self._engine) as connection:
            self._refuse_the_last(connection, _member(connection, campaign, person_id))
            storage.revoke_invites(connection, at=self._now(), campaign=campaign, made_by=person_id)
            storage.remove_member(connection, campaign, person_id)

    def visibility(self, campaign: str) -> Visibility:
        """Who may read a campaign: its members, or everybody."""
        with database.reading(self._engine) as connection:
            kept = storage.settings(connection, campaign).get("visibility")
        return "public" if kept == "public" else "private"

    def set_visibility(self, campaign: str, visibility: Visibility) -> None:
        """Set who may read a campaign: its members, or everybody."""
        with database.writing(self._engine) as connection:
            storage.set_setting(connection, campaign, "visibility", visibility)

    def armoury(self, campaign: str) -> str | None:
        """The text of the campaign's armoury, or None."""
        with database.reading(self._engine) as connection:
            return storage.armoury(connection, campaign)

    def keep_armoury(self, campaign: str, text: str | None) -> None:
        """Replace or remove the campaign's armoury."""
        with database.writing(self._engine) as connection:
            if text is None:
                storage.drop_setting(connection, campaign, storage.ARMOURY)
            else:
                storage.set_setting(connection, campaign, storage.ARMOURY, text)

    def set_who_records(self, campaign: str, who: Recorders) -> None:
        """Set who records battles: Arbitrators; also players whose gang fought; or these if all agree."""
        with database.writing(self._engine) as connection:
            storage.set_setting(connection, campaign, "battles", who)

    def who_records(self, campaign: str) -> Recorders:
        """Who records battles."""
        with database.reading(self._engine) as connection:
            kept = storage.settings(connection, campaign).get("battles")
        return next((who for who in records.RECORDERS if who == kept), "arbitrators")

    def set_dice(self, campaign: str, dice: DiceFrom) -> None:
        """Set the default dice: those on the table, or the tool's."""
        with database.writing(self._engine) as connection:
            storage.set_setting(connection, campaign, "dice", dice)

    def dice(self, campaign: str) -> DiceFrom:
        """Whose dice are the default."""
        with database.reading(self._engine) as connection:
            kept = storage.settings(connection, campaign).get("dice")
        return "tool" if kept == "tool" else "table"

    def bring_gangs(
        self, campaign: str, person_id: str, gangs: Sequence[str], connection: Connection | None
    ) -> None:
        """Give a player the gang that they were allowed to begin, now that it is enlisted.

        Does nothing for Arbitrators and for others without that right. If people are in another database and
        the append fails, the player may still enlist the claimed gang. Raises NotAllowed if another request
        has begun the gang meanwhile.
        """
        if connection is None:
            with database.writing(self._engine) as own:
                self.bring_gangs(campaign, person_id, gangs, own)
            return
        for gang in gangs:
            member = storage.member(connection, campaign, person_id)
            if member is None or gang in member.gangs:
                continue
            if GANG_TO_COME in member.gangs:
                held = tuple(gang if known == GANG_TO_COME else known for known in member.gangs)
                storage.change_member(connection, replace(member, gangs=held))
            elif member.role == "player":
                raise NotAllowed(operation="gang add", why=f"{gang} is not yours")

    def coaches_settle(self, campaign: str) -> bool:
        """Whether a report counts once a player of every gang that fought has confirmed it."""
        return self.who_records(campaign) == "coaches"

    def is_player(self, campaign: str, person: str) -> bool:
        """Whether a person is a player of the campaign and no Arbitrator."""
        return self.standing(campaign, person).role == "player"

    def gangs_of(self, campaign: str, person: str) -> frozenset[str]:
        """The gangs that a person plays in a campaign."""
        return frozenset(self.standing(campaign, person).gangs)

    def _enter(
        self,
        connection: Connection,
        campaign: str,
        person: Person,
        *,
        role: Role,
        gangs: tuple[str, ...],
        by: str | None,
    ) -> Member:
        """Add a member, or extend a membership: the higher role, and the gangs of both."""
        _refuse_a_taken_name(connection, campaign, person.name, but=person.person)
        was = storage.member(connection, campaign, person.person)
        if was is None:
            member = Member(
                campaign=campaign,
                person=person.person,
                role=role,
                gangs=_of_players(role, gangs),
                since=self._now(),
                invited_by=by,
            )
            storage.add_member(connection, member)
            return member
        higher = min(role, was.role, key=records.ROLES.index)
        more = tuple(dict.fromkeys((*was.gangs, *gangs))) if higher == "player" else ()
        member = replace(was, role=higher, gangs=more)
        if member == was:
            raise refusals.MemberAlready(person.name, was.role)
        storage.change_member(connection, member)
        return member

    def _make_arbitrator_of_none(self, connection: Connection, campaign: str, person: Person) -> None:
        members = storage.members(connection, campaign, locked=True)
        if any(member.role == "arbitrator" for member in members):
            return
        storage.remove_member(connection, campaign, person.person)
        member = Member(campaign=campaign, person=person.person, role="arbitrator", since=self._now())
        storage.add_member(connection, member)

    def _refuse_the_last(self, connection: Connection, member: Member) -> None:
        """Refuse to remove the last Arbitrator. If two leave at the same time, the second waits and is
        refused.
        """
        members = storage.members(connection, member.campaign, locked=True)
        others = [other for other in members if other.role == "arbitrator" and other.person != member.person]
        if member.role == "arbitrator" and not others:
            raise refusals.LastArbitrator(known_person(connection, member.person).name)


def _member(connection: Connection, campaign: str, person_id: str) -> Member:
    member = storage.member(connection, campaign, person_id)
    if member is None:
        raise refusals.NoMember(person_id)
    return member


def _of_players(role: Role, gangs: tuple[str, ...]) -> tuple[str, ...]:
    if gangs and role != "player":
        raise refusals.OnlyPlayersHaveGangs(role)
    return gangs


def _refuse_a_taken_name(connection: Connection, campaign: str, name: str, *, but: str) -> None:
    for member in storage.members(connection, campaign):
        other = storage.person(connection, member.person)
        if member.person != but and other is not None and are_confusable(name, other.name):
            raise refusals.PersonNameTaken(name, campaign)
