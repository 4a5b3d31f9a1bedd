"""Armouries: things with prices and numbers, house lists, skills, types of fighter."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.documents.armoury import Armoury, Offer
from tracker.reports import cards
from tracker.reports.page import Block, Cell, DataTable, Heading, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.reports.weapons import weapons_table
from tracker.rules.glossary import USUAL, GameWords


def armoury_page(armoury: Armoury, game: GameWords = USUAL) -> Page:
    """The content of an armoury."""
    return Page(
        schema="armoury",
        blocks=lambda: _blocks(armoury, game),
        data=lambda: {
            "name": armoury.name,
            "items": [
                {**plain_data(offer.item), "market": offer.market, "number": offer.number}
                for offer in armoury.offers
            ],
            "lists": {house: dict(prices) for house, prices in armoury.lists.items()},
            "skills": {skill_set.name: list(skill_set.skills) for skill_set in armoury.skill_sets},
            "fighters": [
                {
                    **plain_data(listed.card),
                    "house": listed.house,
                    "primary": list(listed.primary),
                    "secondary": list(listed.secondary),
                }
                for listed in armoury.types
            ],
        },
    )


def _blocks(armoury: Armoury, game: GameWords) -> Iterator[Block]:
    yield [Heading(armoury.name)]
    if armoury.offers:
        rows = [_row(offer) for offer in armoury.offers]
        yield [Heading("Things", 2), DataTable(("Name", "Kind", game.Credits, "Where", "Save"), rows)]
    yield from _profiles(armoury)
    if armoury.lists:
        lines = [
            f"{house.title()}: " + ", ".join(f"{name} {cost}" for name, cost in prices.items())
            for house, prices in armoury.lists.items()
        ]
        yield [Heading(f"{game.house} lists", 2), Text(lines)]
    if armoury.skill_sets:
        lines = [f"{skill_set.name}: {', '.join(skill_set.skills)}" for skill_set in armoury.skill_sets]
        yield [Heading("Skills", 2), Text(lines)]
    if armoury.types:
        rows = [
            (
                listed.card.kind,
                listed.house or "anybody",
                cards.display_name(listed.card.category),
                listed.card.cost_credits,
            )
            for listed in armoury.types
        ]
        yield [Heading("Types of fighter", 2), DataTable(("Type", game.house, "Rank", game.Credits), rows)]


def _row(offer: Offer) -> tuple[Cell, ...]:
    item = offer.item
    where = offer.market.capitalize() + (f" ({offer.number})" if offer.number is not None else "")
    save = f"{item.armour.save}+" if item.armour is not None else ""
    return item.name, cards.lowercase_id(item.kind), item.cost_credits, where, save


def _profiles(armoury: Armoury) -> Iterator[Block]:
    """The numbers of all weapons, as on cards."""
    weapons = [plain_data(offer.item.weapon) for offer in armoury.offers if offer.item.weapon is not None]
    table = weapons_table([{"name": "", "weapons": weapons, "characteristics": {"strength": 0}}], named=False)
    if table is not None:
        yield [Heading("Weapons", 2), table]
