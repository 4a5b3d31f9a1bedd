"""Receipts: what was recorded, as every command that records prints it."""

from __future__ import annotations

from tracker.cli.options import show
from tracker.reports.names import Names
from tracker.reports.receipt import receipt, receipt_json
from tracker.service.command_handler import RecordResult


def show_receipt(played: RecordResult, *, as_json: bool) -> None:
    """Print what came of playing, with what has to be said aloud beside it."""
    printed = receipt_json if as_json else receipt
    names = Names.of_state(played.state)
    show(printed(played.entries, names, repeated=played.repeated, dry_run=played.dry_run, notes=played.notes))
