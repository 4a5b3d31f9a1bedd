"""Unknown traits: what has to be said aloud of weapons, because a book's tables do not know it.

Knows commands, cards and a book's lists of traits. Such a trait is kept as a note and never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.rulebook import Book

WEAPONS_NAMED: Final = 3
_Used: TypeAlias = tuple[str, str]
"""A weapon and a trait of it, both as written."""


def unknown_traits(commands: Iterable[records.Command], state: CampaignState, book: Book) -> tuple[str, ...]:
    """What is to be said of traits, of weapons used or enlisted, that the book's tables do not know: in one
    sentence for all of them."""
    used = dict.fromkeys(trait for command in commands for trait in _traits_of_command(command, state))
    weapons: dict[str, list[str]] = {}
    for weapon, trait in used:
        if trait_key(trait) not in book.traits and trait_key(trait) not in book.traits_elsewhere:
            weapons.setdefault(trait, []).append(weapon)
    if not weapons:
        return ()
    listed = [f"{trait} of {' and '.join(_named(carried))}" for trait, carried in weapons.items()]
    alone = len(listed) == 1
    these, them, do = ("this trait", "it", "it does") if alone else ("these traits", "them", "they do")
    said = (
        f"{'; '.join(listed)}: {book.title} has no rule here for {these}, so no dice are asked for by {them}."
    )
    return (f"{said} Play {them} at the table and record what {do}{_as(book)}.",)


def _named(weapons: list[str]) -> list[str]:
    """Weapons by name; of many the first, and how many more have the trait."""
    more = len(weapons) - WEAPONS_NAMED
    return weapons if more <= 1 else [", ".join(weapons[:WEAPONS_NAMED]), f"{more} more"]


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
