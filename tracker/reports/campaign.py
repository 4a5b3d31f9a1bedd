"""Campaigns of a database, and one campaign in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.reports.cards import counted
from tracker.reports.page import DataTable, Page, Row, Text
from tracker.rules.glossary import USUAL, GameWords
from tracker.service.archive_reader import Manifest
from tracker.service.archives import ArchiveExport, ArchiveImport


def campaigns_page(rows: Sequence[Row]) -> Page:
    """Every campaign, a line each."""
    cells = [(row["slug"], row["name"], row["ruleset"], row["created_at"][:10]) for row in rows]
    columns = ("Campaign", "Name", "Ruleset", "Begun")
    none = "No campaigns yet. Begin one: arbitrator campaign new NAME"
    return Page(
        schema="campaigns",
        blocks=lambda: [[DataTable(columns, cells) if cells else Text([none])]],
        data=lambda: {"campaigns": list(rows)},
    )


def campaign_page(facts: dict[str, Any], *, next_battle: int, cycle: str, game: GameWords = USUAL) -> Page:
    """The chosen campaign. `cycle` is the name of the cycle under way, empty for none."""
    lines = [
        f"{facts['name']} ({facts['campaign']})",
        f"  Rulebook   {facts['rulebook']}",
        f"  {game.Gangs:10} {facts['gangs']}, with {facts['fighters']} fighters",
        f"  Battles    {facts['battles']}; the next is battle {next_battle}",
        *([f"  Cycle      {facts['cycle']}, {cycle}"] if cycle else []),
        f"  Disputes   {facts['open_disputes']} open",
        f"  Log        {facts['entries']} entries, {facts['events']} events, head {facts['head'][:16]}",
        *(line for vkey in facts["keys"][-1:] for line in ("  Signed with the key:", vkey)),
    ]
    return Page(schema="campaign", blocks=lambda: [[Text(lines)]], data=lambda: facts)


def exported_page(exported: ArchiveExport) -> Page:
    """The result of an export, and what to note down."""
    manifest = exported.manifest
    lines = [
        f"Exported {manifest.name}, {_size(manifest.entries, manifest.events)}: {exported.file}",
        f"  Head  {manifest.head}",
        f"  Root  {manifest.root}",
    ]
    return Page(
        schema="campaign-export",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {"file": str(exported.file), **_facts(manifest)},
    )


def imported_page(imported: ArchiveImport, *, verify: str) -> Page:
    """The result of an import, and the command that verifies every entry."""
    manifest = imported.manifest
    size = _size(imported.entries, imported.events)
    match imported.was:
        case "new":
            outcome = f"Imported {manifest.name}, {size}. It is called {imported.slug} here."
        case "behind":
            outcome = f"{manifest.name} was here and behind: it now has {size} more."
        case "same":
            outcome = f"{manifest.name} is here already, with the same head. There was nothing to do."
        case _:
            outcome = (
                f"{manifest.name} is here already, with more than this archive. There was nothing to do."
            )
    lines = [outcome, f"  Head  {manifest.head}", f"  Root  {manifest.root}"]
    if imported.unread:
        lines.append(f"  Not checked by this version: {', '.join(imported.unread)}")
    if imported.events:
        lines.append(f"Every entry is decided again by: {verify}")
    return Page(
        schema="campaign-import",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {
            "was": imported.was,
            "called": imported.slug,
            "taken": {"events": imported.events, "entries": imported.entries},
            "unread": list(imported.unread),
            **_facts(manifest),
        },
    )


def _size(entries: int, events: int) -> str:
    return f"{counted(entries, 'entry', 'entries')} with {counted(events, 'event')}"


def _facts(manifest: Manifest) -> dict[str, Any]:
    return {
        "campaign": manifest.slug,
        "id": manifest.campaign,
        "name": manifest.name,
        "ruleset": manifest.ruleset,
        "entries": manifest.entries,
        "events": manifest.events,
        "head": manifest.head,
        "root": manifest.root,
    }
