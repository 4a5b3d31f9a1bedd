"""Doctor: what is set up, what is not, what to do."""

from __future__ import annotations

import platform
import shutil
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import click
import sqlalchemy

import tracker
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session, chosen_campaign
from tracker.errors import Refusal
from tracker.log import database
from tracker.reports.paper import json_text, safe

MINIMUM_FREE_BYTES = 50 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at."""

    what: str
    verdict: Literal["ok", "warn", "fail"]
    found: str
    mend: str = ""


@click.command("doctor")
@as_json
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Look over the set-up. Leaves with 1 when something fails; writes nothing to the log."""
    findings = [*_program(), *_database(session)]
    failed = any(one.verdict == "fail" for one in findings)
    if as_json:
        show(json_text("doctor", {"ok": not failed, "findings": [asdict(one) for one in findings]}))
    else:
        for one in findings:
            show(
                f"{one.verdict:<5} {one.what}: {safe(one.found)}"
                + (f" -> {safe(one.mend)}" if one.mend else "")
            )
    if failed:
        ctx.exit(1)


def _program() -> list[Finding]:
    return [
        Finding(what="program", verdict="ok", found=f"campaign-tracker {tracker.__version__}"),
        Finding(what="Python", verdict="ok", found=platform.python_version()),
        Finding(what="SQLite", verdict="ok", found=sqlite3.sqlite_version),
        Finding(what="SQLAlchemy", verdict="ok", found=sqlalchemy.__version__),
    ]


def _database(session: Session) -> list[Finding]:
    findings = []
    file = _sqlite_file(session)
    if file is not None:
        if not file.exists():
            mend = "it is made by the first 'arbitrator campaign new NAME'"
            return [Finding(what="database", verdict="warn", found=f"{file} does not exist yet", mend=mend)]
        free = shutil.disk_usage(file.parent).free
        enough = free >= MINIMUM_FREE_BYTES
        findings.append(
            Finding(
                what="free space",
                verdict="ok" if enough else "warn",
                found=f"{free // 2**20:,} MiB",
                mend="" if enough else "make room: a full disk refuses every entry",
            )
        )
    try:
        revision, newest = database.current(session.url)
        shown = database.shown(sqlalchemy.make_url(session.url))
        if revision != newest:
            mend = "arbitrator db upgrade"
            findings.append(
                Finding(
                    what="database",
                    verdict="warn",
                    found=f"{shown}, revision {revision}, not {newest}",
                    mend=mend,
                )
            )
            return findings
        findings.append(Finding(what="database", verdict="ok", found=f"{shown}, revision {revision}"))
        findings += _contents(session)
    except Refusal as refusal:
        findings.append(Finding(what="database", verdict="fail", found=refusal.message()))
    return findings


def _sqlite_file(session: Session) -> Path | None:
    """The file that is, or can be made; None when opening it will say what is wrong with the address."""
    try:
        address = database.address_of(session.url)
        if address.get_backend_name() != "sqlite" or not address.database:
            return None
        file = Path(address.database)
        return file if file.exists() or file.parent.is_dir() or session.makes_folder else None
    except (Refusal, ValueError, OSError):
        return None


def _contents(session: Session) -> list[Finding]:
    tracker_ = session.tracker
    wrong = database.guards_wrong(tracker_.engine)
    findings = [
        Finding(
            what="guards",
            verdict="fail" if wrong else "ok",
            found=", ".join(wrong) if wrong else "the database refuses changes to the log",
            mend="somebody altered the database; restore a backup" if wrong else "",
        )
    ]
    slugs = tracker_.campaign_slugs()
    chosen = chosen_campaign()
    if not slugs:
        return [
            *findings,
            Finding(what="campaigns", verdict="warn", found="none", mend="arbitrator campaign new NAME"),
        ]
    findings.append(Finding(what="campaigns", verdict="ok", found=", ".join(slugs)))
    findings.append(
        Finding(
            what="chosen campaign",
            verdict="ok" if chosen in slugs or len(slugs) == 1 else "warn",
            found=chosen or "none",
            mend="" if chosen in slugs or len(slugs) == 1 else "arbitrator campaign use NAME",
        )
    )
    for slug in slugs:
        audit = tracker_.verify(tracker_.campaign_id(slug))
        findings.append(
            Finding(
                what=f"campaign {slug}",
                verdict="ok" if audit.ok else "fail",
                found=f"{audit.log.events} events verified" if audit.ok else "does not verify",
                mend="" if audit.ok else f"arbitrator -c {slug} audit verify",
            )
        )
    return findings
