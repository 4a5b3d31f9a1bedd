"""Campaigns of a database, and one campaign in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.reports.page import Page, Row, Table, Text


def campaigns_page(rows: Sequence[Row]) -> Page:
    """Every campaign, a line each."""
    cells = [(row["slug"], row["name"], row["ruleset"], row["created_at"][:10]) for row in rows]
    columns = ("Campaign", "Name", "Ruleset", "Begun")
    none = "No campaigns yet. Begin one: arbitrator campaign new NAME"
    return Page(
        schema="campaigns",
        blocks=lambda: [[Table(columns, cells) if cells else Text([none])]],
        data=lambda: {"campaigns": list(rows)},
    )


def campaign_page(facts: dict[str, Any], *, next_battle: int, cycle: str) -> Page:
    """The chosen campaign. `cycle` is the name of the cycle under way, empty for none."""
    lines = [
        f"{facts['name']} ({facts['campaign']})",
        f"  Rulebook   {facts['rulebook']}",
        f"  Gangs      {facts['gangs']}, with {facts['fighters']} fighters",
        f"  Battles    {facts['battles']}; the next is battle {next_battle}",
        *([f"  Cycle      {facts['cycle']}, {cycle}"] if cycle else []),
        f"  Disputes   {facts['open_disputes']} open",
        f"  Log        {facts['entries']} entries, {facts['events']} events, head {facts['head'][:16]}",
    ]
    return Page(schema="campaign", blocks=lambda: [[Text(lines)]], data=lambda: facts)
