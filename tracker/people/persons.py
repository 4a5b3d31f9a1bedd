"""Persons: made, looked up, and called what they were called on the day. Within a transaction of others."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import TypeAlias

from sqlalchemy import Connection

from tracker.people import records, refusals, secrets, storage
from tracker.people.records import Person

NAME_LETTERS_MOST = 60

NameOn: TypeAlias = Callable[[str, str], str]
"""From an actor of the log and a time to the name of that day."""


def usable_name(name: str) -> str:
    """A name as it is kept. Raises PersonNameNotUsable."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    why = ""
    if not name:
        why = "this one is empty"
    elif len(name) > NAME_LETTERS_MOST:
        why = f"this one has {len(name)}"
    elif not name.isprintable() or not any(letter.isalnum() for letter in name):
        why = "this one has none, or signs that nobody sees"
    elif name.lower().startswith(secrets.PERSON_PREFIX) or name.casefold() == records.FORMER_PLAYER:
        why = f"{name!r} stands for somebody else"
    if why:
        raise refusals.PersonNameNotUsable(why, NAME_LETTERS_MOST)
    return name


def added_person(connection: Connection, name: str, *, at: str) -> Person:
    """A new person. Raises PersonNameNotUsable."""
    person = Person(person=secrets.new_person_id(), name=usable_name(name), made_at=at)
    storage.add_person(connection, person)
    return person


def known_person(connection: Connection, person_id: str, *, locked: bool = False) -> Person:
    """Somebody by id. Raises UnknownPerson, PersonForgotten.

    `locked`: nobody else changes what is theirs until the transaction ends.
    """
    person = storage.person(connection, person_id, locked=locked)
    if person is None:
        raise refusals.UnknownPerson(person_id)
    if person.forgotten_at is not None:
        raise refusals.PersonForgotten(person_id)
    return person


def names_on(connection: Connection, actors: Iterable[str]) -> NameOn:
    """The names of these actors. What is no id of a person here, as a name that was typed, stays as it is."""
    ids = {actor for actor in actors if secrets.is_person_id(actor)}
    names = storage.names_of(connection, ids) if ids else {}

    def name_on(actor: str, at: str) -> str:
        if actor not in names:
            return actor
        held = [name for since, name in names[actor] if since <= at]
        first = [name for _, name in names[actor][:1]]
        return [records.FORMER_PLAYER, *first, *held][-1]

    return name_on
