"""Audit: is the log what was written, and does everything follow from it?"""

from __future__ import annotations

import click

from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.paper import json_text
from tracker.service import Audit


@click.group("audit")
def command() -> None:
    """Verify the log and everything that rests on it."""


@command.command("verify")
@as_json
@pass_session
@click.pass_context
def verify(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Check hashes and chain, that every event reads, that every entry would be decided the same today, and
    that boards and snapshots are what the log adds up to. Leaves with 4 when something does not hold.

    The chain shows that the log was not edited since you last saw its head; note the head it prints.
    """
    tracker, campaign = session.tracker, session.campaign
    with progress("verifying") as tell:
        found = tracker.verify(campaign, progress=tell)
    show(json_text("audit", _facts(found)) if as_json else _text(found))
    if not found.ok:
        ctx.exit(4)


def _facts(found: Audit) -> dict[str, object]:
    fault = found.log.fault
    return {
        "ok": found.ok,
        "events": found.log.events,
        "entries": found.log.entries,
        "root": found.log.root_hex,
        "fault": None if fault is None else {"seq": fault.seq, "kind": fault.kind, "reason": fault.reason},
        "unreadable": found.unreadable,
        "drifted": [{"entry": entry, "why": why} for entry, why in found.drifted],
        "boards": list(found.boards),
        "snapshots": list(found.snapshots),
        "guards": list(found.guards),
    }


def _text(found: Audit) -> str:
    log = found.log
    lines = [f"{log.entries} entries, {log.events} events, root {log.root_hex}"]
    lines.append(f"log        {'holds' if log.ok else f'DAMAGED at {log.fault}'}")
    if not log.ok:
        lines.append(
            "           What follows from the log was not looked at. Restore a backup; keep this file."
        )
    elif found.unreadable:
        lines.append(f"events     UNREADABLE: {found.unreadable}")
    else:
        lines.append(_line("decisions", found.drifted, "every entry is decided the same from its own dice"))
        lines.append(_line("boards", found.boards, "equal what the log adds up to"))
        lines.append(_line("snapshots", found.snapshots, "equal what the log adds up to"))
    lines.append(_line("guards", found.guards, "the database refuses changes to the log"))
    if found.boards or found.snapshots:
        lines.append("The log itself is whole: 'arbitrator boards rebuild' makes boards and snapshots anew.")
    return "\n".join(lines)


def _line(what: str, wrong: tuple[object, ...], well: str) -> str:
    if not wrong:
        return f"{what:<10} {well}"
    first = wrong[0]
    told = f"entry {first[0]}: {first[1]}" if isinstance(first, tuple) else str(first)
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return f"{what:<10} WRONG: {told}{more}"
