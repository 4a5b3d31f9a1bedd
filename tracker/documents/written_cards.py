"""Writes weapons, things and characteristics of a campaign as a sheet has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Characteristics, Item, Weapon
from tracker.documents.weapon_sheet import ProfileNumbers
from tracker.rules.rulebook import CharacteristicLimits


def characteristics_written(
    numbers: Characteristics, book: Mapping[str, CharacteristicLimits]
) -> dict[str, int | str]:
    """A card's numbers by the book's short names, as it prints them."""
    return {
        limits.short: number if limits.kind in ("number", "modifier") else limits.shown(number)
        for name, limits in book.items()
        if (number := numbers.get(name)) is not None
    }


def type_written(card: records.FighterCard, book: Mapping[str, CharacteristicLimits]) -> dict[str, Any]:
    """The card of a type in an armoury, as a sheet writes it: without a name."""
    written: dict[str, Any] = {
        "category": card.category,
        "type": card.kind,
        "cost": card.cost_credits,
        "characteristics": characteristics_written(card.characteristics, book),
    }
    worn = {"armour": card.armour, "field_armour": card.field_armour}
    written |= {key: armour_written(piece) for key, piece in worn.items() if piece is not None}
    listed = {"skills": card.skills, "wargear": card.wargear}
    written |= {key: [*names] for key, names in listed.items() if names}
    if card.mounted:
        written["mounted"] = True
    if card.gang_fighter is not None:
        written["gang_fighter"] = card.gang_fighter
    return written


def weapon_written(weapon: Weapon) -> dict[str, Any]:
    """A weapon on a card: one profile beside its name, or all of them under `profiles`."""
    written: dict[str, Any] = {"name": weapon.weapon}
    if weapon.cost_credits:
        written["cost"] = weapon.cost_credits
    if weapon.counts_as != 1:
        written["counts_as"] = weapon.counts_as
    return written | _numbers(weapon)


def armour_written(armour: Armour) -> dict[str, Any]:
    """Armour or a field on a card."""
    return {"name": armour.name, "save": f"{armour.save}+"}


def item_written(item: Item) -> dict[str, Any]:
    """A thing in a stash. Without its numbers a weapon or armour is a thing of another kind."""
    unknown = (item.kind == "weapon" and item.weapon is None) or (
        item.kind in ("armour", "field_armour") and item.armour is None
    )
    written: dict[str, Any] = {
        "name": item.name,
        "kind": "other" if unknown else item.kind,
        "cost": item.cost_credits,
    }
    if item.weapon is not None:
        if item.weapon.counts_as != 1:
            written["counts_as"] = item.weapon.counts_as
        written["weapon"] = _numbers(item.weapon)
    if item.armour is not None:
        written["save"] = f"{item.armour.save}+"
    return written


def _numbers(weapon: Weapon) -> dict[str, Any]:
    if len(weapon.profiles) == 1 and not weapon.profiles[0].name:
        return ProfileNumbers.stated_of(weapon.profiles[0])
    return {
        "profiles": [
            {**({"name": profile.name} if profile.name else {}), **ProfileNumbers.stated_of(profile)}
            for profile in weapon.profiles
        ]
    }
