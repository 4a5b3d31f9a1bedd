"""Prints the receipt of every command that records."""

from __future__ import annotations

from tracker.cli.options import show
from tracker.reports.log import receipt_page
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.service.command_handler import RecordResult


def show_receipt(played: RecordResult, *, as_json: bool = False, names: Names | None = None) -> None:
    """Print what was recorded. Give `names` if the state afterwards lacks some of them."""
    show(page_of(played, names), as_json=as_json, paged=False)


def page_of(played: RecordResult, names: Names | None = None) -> Page:
    """The receipt."""
    return receipt_page(
        played.entries,
        names or Names.of_state(played.state),
        repeated=played.repeated,
        dry_run=played.dry_run,
        notes=played.notes,
    )
