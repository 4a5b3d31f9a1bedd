"""Unknown traits: notes about weapon traits that the book has no rule for.

Knows commands, cards and a book's lists of traits. An unknown trait stays on the card as a note; its effect
is never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.rulebook import Book

TRAITS_NAMED: Final = 6
"""With more traits than this the line gives only their number."""
_Used: TypeAlias = tuple[str, str]
"""A weapon and a trait of it, both as written."""


def unknown_traits(
    commands: Iterable[records.Command], state: CampaignState, book: Book, *, again: bool = False
) -> tuple[str, ...]:
    """One line about traits that the book does not know, of weapons enlisted, bought or used.

    Each trait is named once in a campaign: not if another card has it already, unless `again`.
    """
    asked = tuple(commands)
    weapons: dict[str, str] = {}
    for command in asked:
        for weapon, trait in _traits_of_command(command, state):
            key = book.trait_spelt(trait_key(trait))
            if key not in book.traits and key not in book.traits_elsewhere:
                weapons.setdefault(trait, weapon)
    if weapons and not again:
        said_before = _on_cards(state, _joining(asked))
        weapons = {trait: weapon for trait, weapon in weapons.items() if trait_key(trait) not in said_before}
    if not weapons:
        return ()
    listed = [f"{trait} ({weapon})" for trait, weapon in list(weapons.items())[:TRAITS_NAMED]]
    more = [f"{len(weapons) - TRAITS_NAMED} more"] if len(weapons) > TRAITS_NAMED else []
    return (f"Without a rule here, so played at the table: {', '.join([*listed, *more])}.",)


def _joining(commands: Iterable[records.Command]) -> frozenset[str]:
    """The fighters whose cards come in with these commands."""
    cards: list[str] = []
    for command in commands:
        match command:
            case records.EnlistGang():
                cards += [card.fighter for card in command.fighters]
                cards += [card.vehicle for card in command.vehicles]
            case records.EnlistFighter() | records.HireFighter():
                cards.append(command.card.fighter)
            case _:
                pass
    return frozenset(cards)


def _on_cards(state: CampaignState, but: frozenset[str]) -> frozenset[str]:
    """The traits on the cards of a campaign, without some fighters: theirs were named when they came in."""
    carried: list[Weapon] = []
    for gang in state.gangs.values():
        for fighter in gang.enlisted.values():
            carried += fighter.weapons if fighter.fighter not in but else ()
        for vehicle in gang.vehicles.values():
            carried += vehicle.armament if vehicle.vehicle not in but else ()
    return frozenset(trait_key(trait) for _, trait in _traits_on_card(carried))


def _traits_of_command(command: records.Command, state: CampaignState) -> Iterator[_Used]:
    match command:
        case records.EnlistGang():
            for card in command.fighters:
                yield from _traits_on_card(card.weapons)
            for vehicle in command.vehicles:
                yield from _traits_on_card(vehicle.armament)
        case records.EnlistFighter() | records.HireFighter():
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
    """The traits of a weapon that a command uses: of its written `profile`, or of the fighter's card."""
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
