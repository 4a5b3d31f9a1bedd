"""Health: the state of the log, the boards and the set-up, and how to repair them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tracker.reports.page import Page, Text
from tracker.reports.plain_data import plain_data
from tracker.reports.provable_dice import dice_alerts, dice_lines
from tracker.reports.signed_heads import verdict_data, verdict_lines
from tracker.service.audit import Audit, BytesAudit
from tracker.service.diagnostics import CheckResult
from tracker.service.log_verdicts import LogVerdict


def verify_page(audit: Audit, noted: Mapping[int, str], verdict: LogVerdict) -> Page:
    """The result of an audit of the log, and the verdict of its signed heads; `noted` are the roots to
    compare, by number of events.
    """
    return Page(
        schema="audit",
        blocks=lambda: [
            [
                Text([*_audit_lines(audit, noted), *(_signed_lines(verdict) if audit.log.ok else ())]),
                *dice_alerts(audit.dice),
            ]
        ],
        data=lambda: {
            "ok": audit.ok,
            "events": audit.log.events,
            "entries": audit.log.entries,
            "root": audit.log.root_hex,
            "fault": plain_data(audit.log.fault),
            "unreadable": audit.unreadable,
            "drifted": plain_data(list(audit.drifted)),
            **{
                part: list(getattr(audit, part))
                for part in ("commands", "boards", "snapshots", "guards", "pages")
            },
            "dice": {
                "faces": dict(audit.dice.dice),
                "open_requests": [request.request for request in audit.dice.open_requests],
                "wrong": list(audit.dice.wrong),
            },
            **_segments_data(audit),
            "noted": {"roots": len(noted), "wrong": list(audit.noted)},
            "signed": verdict_data(verdict),
        },
    )


def _segments_data(audit: Audit) -> dict[str, object]:
    if audit.segments_equal is None:
        return {}
    return {
        "segments": {"equal": audit.segments_equal, "wrong": list(audit.segments)},
        "touches": list(audit.touches),
    }


def bytes_page(audit: BytesAudit, verdict: LogVerdict) -> Page:
    """The result of hashing a log's bytes, and the verdict of its signed heads."""
    log = audit.log
    return Page(
        schema="audit-bytes",
        blocks=lambda: [[Text([*_bytes_lines(audit, verdict)])]],
        data=lambda: {
            "ok": audit.ok,
            "events": log.events,
            "entries": log.entries,
            "root": log.root_hex if log.ok else None,
            "fault": plain_data(log.fault),
            "state_as_in_snapshot": audit.same,
            "signed": verdict_data(verdict),
        },
    )


def _bytes_lines(audit: BytesAudit, verdict: LogVerdict) -> Iterator[str]:
    log = audit.log
    if log.ok:
        yield f"{log.entries} entries, {log.events} events, root {log.root_hex}"
        yield "bytes      hash to their leaves, and the leaves to this root"
    else:
        yield f"bytes      DAMAGED at {log.fault}"
    if audit.same is not None:
        yield _line(
            "state",
            () if audit.same else ("a replay of sealed history differs from the newest snapshot",),
            "a replay of sealed history equals the newest snapshot",
        )
    if log.ok:
        yield from _signed_lines(verdict)
    if audit.same is False:
        yield "'audit verify --deep' says which is wrong; 'boards rebuild' makes both anew."
    yield "Nothing else was checked: 'audit verify' checks that everything follows from its dice."


def _signed_lines(verdict: LogVerdict) -> Iterator[str]:
    first, *rest = verdict_lines(verdict)
    yield f"signed     {first}"
    yield from rest


def _audit_lines(audit: Audit, noted: Mapping[int, str]) -> Iterator[str]:
    log = audit.log
    yield f"{log.entries} entries, {log.events} events, root {log.root_hex}"
    yield f"log        {'whole' if log.ok else f'DAMAGED at {log.fault}'}"
    if audit.pages:
        yield (
            "           What follows from the log was not checked. 'arbitrator boards rebuild' makes indexes"
            " anew: then verify again."
        )
    elif not log.ok:
        yield "           What follows from the log was not checked. Restore a backup; keep this file."
    elif audit.unreadable:
        yield f"events     UNREADABLE: {audit.unreadable}"
    else:
        yield _line("decisions", audit.drifted, "every entry is decided the same from its own dice")
        yield _line("commands", audit.commands, "each belongs to the entries that it recorded")
        yield _line("boards", audit.boards, "equal a replay of the log")
        yield _line("snapshots", audit.snapshots, "equal a replay of the log")
        if audit.segments_equal is not None:
            yield _line(
                "segments", audit.segments, f"{audit.segments_equal} made again from the rows are equal"
            )
        if audit.touches:
            yield _line("touches", audit.touches, "")
        yield from dice_lines(audit.dice)
    yield _line("guards", audit.guards, "the database refuses changes to the log")
    yield _line("pages", audit.pages, "the database finds its pages and indexes whole")
    if noted and log.ok:
        yield _line("noted", audit.noted, "this log begins with what was noted")
    if audit.boards or audit.snapshots:
        yield "The log itself is whole: 'arbitrator boards rebuild' makes boards and snapshots anew."
    elif audit.segments:
        yield "The log itself is whole: 'arbitrator boards rebuild' makes the segments anew."
    elif audit.touches:
        yield "The log itself is whole: 'arbitrator boards rebuild' makes this anew."


def _line(what: str, wrong: Sequence[object], well: str) -> str:
    if not wrong:
        return f"{what:<10} {well}"
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return f"{what:<10} WRONG: {wrong[0]}{more}"


def boards_page(differing: Sequence[str], pages: Sequence[str], guards: Sequence[str]) -> Page:
    """The differences between boards and log, and the faults of the database's pages and guards."""
    return Page(
        schema="boards",
        blocks=lambda: [[Text([*_board_lines(differing, pages, guards)])]],
        data=lambda: {
            "ok": not (differing or pages or guards),
            "differing": list(differing),
            "pages": list(pages),
            "guards": list(guards),
        },
    )


def _board_lines(differing: Sequence[str], pages: Sequence[str], guards: Sequence[str]) -> Iterator[str]:
    yield from differing
    if differing:
        yield "'arbitrator boards rebuild' makes them anew."
    elif not pages:
        yield "The boards equal a replay of the log."
    yield from pages
    if pages:
        yield "The boards were not compared. 'arbitrator boards rebuild' makes indexes and boards anew."
    yield from guards
    if guards:
        yield "Somebody altered the database: remove what this program did not make."


def findings_page(findings: Sequence[CheckResult]) -> Page:
    """The doctor's findings, each with advice."""
    lines = [
        f"{finding.verdict:<5} {finding.what}: {finding.found}"
        + (f" -> {finding.mend}" if finding.mend else "")
        for finding in findings
    ]
    return Page(
        schema="doctor",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {
            "ok": all(finding.verdict != "fail" for finding in findings),
            "findings": [plain_data(finding) for finding in findings],
        },
    )


def revision_page(revision: str | None, newest: str | None) -> Page:
    """The revision of the database, and the one that this program needs."""
    return Page(
        schema="database",
        blocks=lambda: [[Text([f"revision {revision or 'none'}; this program needs {newest}"])]],
        data=lambda: {"revision": revision, "newest": newest, "current": revision == newest},
    )
