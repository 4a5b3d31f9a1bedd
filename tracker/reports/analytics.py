"""Analytics: what was written as columns, and what was counted over many campaigns."""

from __future__ import annotations

from pathlib import Path

from tracker.analytics.event_files import Written
from tracker.reports.cards import counted
from tracker.reports.page import Page, Text


def events_written_page(written: Written, place: Path, *, names: bool) -> Page:
    """What an export of events came to."""
    people = "players by name" if names else "players under pseudonyms"
    lines = [
        f"{counted(written.events, 'event')} of {counted(written.campaigns, 'campaign')}, {people}: {place}",
        f"{counted(len(written.files), 'file')} written, {written.kept} as they should be already.",
    ]
    facts = {
        "place": str(place),
        "campaigns": written.campaigns,
        "events": written.events,
        "names": names,
        "written": [file.name for file in written.files],
        "kept": written.kept,
    }
    return Page(schema="events-export", data=lambda: facts, blocks=lambda: [[Text(lines)]])
