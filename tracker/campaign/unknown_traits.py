"""Unknown traits: what has to be said aloud of weapons, because a book's tables do not know it.

Knows commands, cards and a book's lists of traits. Such a trait is kept as a note and never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.rules.necromunda.hits import trait_key
from tracker.rules.rulebook import Book

_Used: TypeAlias = tuple[str, str]
"""A weapon and a trait of it, both as written."""


def unknown_traits(commands: Iterable[records.Command], state: CampaignState, book: Book) -> tuple[str, ...]:
    """A sentence for each trait, of a weapon used or enlisted, that the book's tables do not know."""
    used = dict.fromkeys(trait for command in commands for trait in _traits_of_command(command, state))
    return tuple(
        f"{trait} of {weapon}: {book.title} has no rule here for this trait, so no dice are asked for by it."
        f" Play it at the table and record what it does{_as(book)}."
        for weapon, trait in used
        if trait_key(trait) not in book.traits and trait_key(trait) not in book.traits_elsewhere
    )


def _as(book: Book) -> str:
    """The entries that record an outcome as the table saw it."""
    if book.warband_rules is not None:
        return ", as an injury_chart entry with its result"
    return (
        ": the outcome (flesh_wound, seriously_injured, out_of_action), or the hit with the numbers"
        " that it makes of the weapon"
    )


def _traits_of_command(command: records.Command, state: CampaignState) -> Iterator[_Used]:
    match command:
        case records.EnlistGang():
            for card in command.fighters:
                yield from _traits_on_card(card.weapons)
            for vehicle in command.vehicles:
                yield from _traits_on_card(vehicle.armament)
        case records.EnlistFighter():
            yield from _traits_on_card(command.card.weapons)
        case records.Fight():
            for weapon in command.weapons:
                yield from _traits_of_use(weapon, command.attacker, state)
        case _:
            attacker = getattr(command, "attacker", None)
            for used in (command, getattr(command, "also", None)):
                yield from _traits_of_use(used, attacker, state)


def _traits_on_card(weapons: Iterable[Weapon]) -> Iterator[_Used]:
    for weapon in weapons:
        for profile in weapon.profiles:
            yield from ((weapon.weapon, trait) for trait in profile.traits)


def _traits_of_use(used: Any, fighter: str | None, state: CampaignState) -> Iterator[_Used]:
    """What a command says of a weapon: the numbers of a `profile`, or a name on the fighter's card."""
    profile = getattr(used, "profile", None)
    named: Any = getattr(used, "weapon", None)
    if isinstance(profile, WeaponProfile):
        yield from ((str(named or profile.name or "the weapon"), trait) for trait in profile.traits)
        return
    attacker = state.fighter(fighter or "")
    vehicle = state.vehicle(getattr(used, "from_vehicle", None) or "")
    weapons = (*(vehicle.armament if vehicle else ()), *(attacker.weapons if attacker else ()))
    for carried in weapons if isinstance(named, str) else ():
        if carried.weapon.lower() == named.lower():
            wanted = getattr(used, "profile_name", None)
            for candidate in carried.profiles:
                if wanted is None or candidate.name == wanted:
                    yield from ((carried.weapon, trait) for trait in candidate.traits)
