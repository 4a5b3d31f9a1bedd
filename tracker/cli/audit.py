"""Audit: is the log what was written, and does everything follow from it?"""

from __future__ import annotations

import click

from tracker.campaign import records
from tracker.cli.options import as_json, form_of, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.audit import TypedRoll, audit_page, dice_audit_page
from tracker.reports.escaping import json_text
from tracker.reports.names import Names
from tracker.service.as_of import is_count
from tracker.service.audit import Audit


@click.group("audit")
def command() -> None:
    """Verify the log and everything that rests on it; report disputes and rulings."""


@command.command("verify")
@click.option(
    "--noted",
    metavar="EVENTS:ROOT",
    multiple=True,
    callback=lambda _ctx, _param, given: dict(_noted(one) for one in given),
    help="A root that was printed before, after so many events: are they still those? May be repeated.",
)
@as_json
@pass_session
@click.pass_context
def verify(ctx: click.Context, session: Session, noted: dict[int, str], as_json: bool) -> None:
    """Check hashes and chain, that every event reads, that every entry would be decided the same today, that
    boards and snapshots are what the log adds up to, and that tables, triggers, pages and indexes are as
    they should be. Leaves with 4 when something does not hold.

    Who owns the file can write a whole log anew, every hash with it. So note elsewhere how many events and
    which root it prints: --noted tells later whether this log still begins with those.
    """
    tracker, campaign = session.tracker, session.campaign
    with progress("verifying") as tell:
        found = tracker.audit.verify(campaign, progress=tell, noted=noted)
    show(json_text("audit", _facts(found, noted)) if as_json else _text(found, noted))
    if not found.ok:
        ctx.exit(4)


@command.command("report")
@form_of("text", "md", "json")
@as_json
@pass_session
def report(session: Session, form: str, as_json: bool) -> None:
    """The season's disputes and rulings: who doubted what, how it ended, and what each ruling did."""
    board = session.tracker.boards.rulings(session.campaign)
    page = audit_page(
        board.disputes,
        board.targets,
        board.rulings,
        Names.of_state(board.state),
        heading=f"{session.slug}: disputes and rulings",
        taken_back=board.state.rulings_taken_back,
    )
    show(page, form, as_json=as_json)


@command.command("dice")
@as_json
@pass_session
def dice(session: Session, as_json: bool) -> None:
    """Dice that were typed in: by whom, how many a second person confirmed, and those that nobody did.

    An unwitnessed roll counts as any other; 'log confirm' adds the word of somebody who saw it.
    """
    typed, state = session.tracker.boards.typed_rolls(session.campaign)
    names = Names.of_state(state)
    rolls = [
        TypedRoll(
            address=one.address,
            typed_in_by=who,
            purpose=one.event.purpose,
            shown=seen.shown(),
            fighter=one.event.fighter,
            witnesses=list(witnesses),
            struck_by=struck,
        )
        for one, who, seen, witnesses, struck in typed
        if isinstance(one.event, records.RollMade)
    ]
    show(dice_audit_page(rolls, names), as_json=as_json)


def _noted(given: str) -> tuple[int, str]:
    events, _, root = given.partition(":")
    if not (is_count(events) and len(root) == 64 and set(root) <= set("0123456789abcdef")):
        raise click.BadParameter(
            f"{given!r} is not EVENTS:ROOT as 'audit verify' prints it, such as 44:5e..."
        )
    return int(events), root


def _facts(found: Audit, noted: dict[int, str]) -> dict[str, object]:
    fault = found.log.fault
    return {
        "ok": found.ok,
        "events": found.log.events,
        "entries": found.log.entries,
        "root": found.log.root_hex,
        "fault": None if fault is None else {"seq": fault.seq, "kind": fault.kind, "reason": fault.reason},
        "unreadable": found.unreadable,
        "drifted": [
            {"entry": one.entry, "slot": one.slot, "event": one.event, "why": one.why}
            for one in found.drifted
        ],
        "commands": list(found.commands),
        "boards": list(found.boards),
        "snapshots": list(found.snapshots),
        "guards": list(found.guards),
        "pages": list(found.pages),
        "noted": {"roots": len(noted), "wrong": list(found.noted)},
    }


def _text(found: Audit, noted: dict[int, str]) -> str:
    log = found.log
    lines = [f"{log.entries} entries, {log.events} events, root {log.root_hex}"]
    lines.append(f"log        {'holds' if log.ok else f'DAMAGED at {log.fault}'}")
    if found.pages:
        lines.append(
            "           What follows from the log was not looked at. 'arbitrator boards rebuild' makes"
            " indexes anew: then verify again."
        )
    elif not log.ok:
        lines.append(
            "           What follows from the log was not looked at. Restore a backup; keep this file."
        )
    elif found.unreadable:
        lines.append(f"events     UNREADABLE: {found.unreadable}")
    else:
        lines.append(_line("decisions", found.drifted, "every entry is decided the same from its own dice"))
        lines.append(_line("commands", found.commands, "each stands for the entries that it recorded"))
        lines.append(_line("boards", found.boards, "equal what the log adds up to"))
        lines.append(_line("snapshots", found.snapshots, "equal what the log adds up to"))
    lines.append(_line("guards", found.guards, "the database refuses changes to the log"))
    lines.append(_line("pages", found.pages, "the database finds its pages and indexes whole"))
    if noted and log.ok:
        lines.append(_line("noted", found.noted, "this log begins with what was noted"))
    if found.boards or found.snapshots:
        lines.append("The log itself is whole: 'arbitrator boards rebuild' makes boards and snapshots anew.")
    return "\n".join(lines)


def _line(what: str, wrong: tuple[object, ...], well: str) -> str:
    if not wrong:
        return f"{what:<10} {well}"
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return f"{what:<10} WRONG: {wrong[0]}{more}"
