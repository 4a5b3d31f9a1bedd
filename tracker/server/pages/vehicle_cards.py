"""Vehicles as cards: on the page of their gang, and to print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.reports import cards
from tracker.reports.dispute_marks import in_dispute
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.weapons import weapons_table
from tracker.rules.rulebook import Book


def vehicle_cards(gang: Row, names: Names, book: Book) -> list[Mapping[str, Any]]:
    """The vehicles of a gang's row, each with the words of its card."""
    rules = book.vehicle_rules
    hull = rules.hit_points_name if rules is not None else "Hull Points"
    return [_card(vehicle, gang, names, hull) for vehicle in gang.get("vehicles", ())]


def _card(row: Row, gang: Row, names: Names, hull: str) -> dict[str, Any]:
    armament = row.get("armament", ())
    numbered = {weapon["weapon"] for weapon in armament}
    # S is the Strength of whoever fires it.
    carrier = {"name": row["name"], "weapons": armament, "characteristics": {"strength": None}}
    status, tone = _status(row)
    return {
        **row,
        "name": in_dispute(row["name"], gang, f"vehicles/{row['vehicle']}"),
        "driver": names.fighter(row["crew"]) if row["crew"] else "",
        "status_words": status,
        "tone": tone,
        "numbers": _numbers(row, hull),
        "weapons_table": weapons_table([carrier], named=False),
        "weapon_words": [weapon for weapon in row["weapons"] if weapon not in numbered],
        "fitted_words": [cards.lowercase_id(item) for item in row.get("fitted", ())],
        "damage_words": [cards.display_name(damage) for damage in row["lasting_damage"]],
        "cost": names.money(row["cost_credits"]),
    }


def _status(row: Row) -> tuple[str, str]:
    if row["in_repair"]:
        return "in Repair", "warn"
    return ("ready", "good") if row["crew"] else ("in the stash", "")


def _numbers(row: Row, hull: str) -> list[tuple[str, str, str]]:
    """Each number of the card with its heading and its meaning."""
    front, side, rear = row["toughness"]
    return [
        ("M", "Movement", f'{row["movement"]}"'),
        ("Front", "Toughness of the front", str(front)),
        ("Side", "Toughness of the sides", str(side)),
        ("Rear", "Toughness of the rear", str(rear)),
        ("".join(word[0] for word in hull.split()), hull, str(row["hit_points"])),
        ("Hnd", "Handling", f"{row['handling']}+"),
        ("Sv", "Save", f"{row['save']}+" if row["save"] is not None else "-"),
    ]
