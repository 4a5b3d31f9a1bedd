"""A gang as it joined, as a gang sheet: what is put right when its enlistment is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.campaign import records
from tracker.campaign.records import FighterSoFar, GangSoFar
from tracker.documents.derived_forms import part_of
from tracker.documents.gang_sheet import FORMAT_WITH_PAST
from tracker.documents.written_cards import armour_written, item_written, type_written, weapon_written
from tracker.exports.gang_sheet import vehicle_written
from tracker.rules.rulebook import Book


def sheet_as_joined(
    joined: records.EnlistGang, later: Sequence[records.FighterCard], book: Book
) -> dict[str, Any]:
    """The sheet that would enlist it so; `later` are the cards of who was added to it from a sheet."""
    so_far = part_of(GangSoFar).stated_of(joined.so_far) if joined.so_far is not None else {}
    stated: dict[str, Any] = {
        "format": FORMAT_WITH_PAST,
        "gang": joined.gang,
        "name": joined.name,
        "house": joined.house,
        "player": joined.player,
        "credits": joined.credits,
        "reputation": joined.reputation,
        "brought_from": joined.origin.source if joined.origin is not None else None,
        "stash": [item_written(item) for item in joined.stash],
        "so_far": so_far,
        "fighters": [_card(card, book) for card in (*joined.fighters, *later)],
        "vehicles": [vehicle_written(vehicle) for vehicle in joined.vehicles],
    }
    return {key: value for key, value in stated.items() if value not in (None, [], {})}


def _card(card: records.FighterCard, book: Book) -> dict[str, Any]:
    so_far = part_of(FighterSoFar).stated_of(card.so_far) if card.so_far is not None else {}
    stated: dict[str, Any] = {
        "id": card.fighter,
        "name": card.name,
        **type_written(card, book.characteristics),
        "xp": card.experience or None,
        "field_armour": armour_written(card.field_armour) if card.field_armour is not None else None,
        "weapons": [weapon_written(weapon) for weapon in card.weapons],
        "so_far": so_far,
    }
    return {key: value for key, value in stated.items() if value not in (None, [], {})}
