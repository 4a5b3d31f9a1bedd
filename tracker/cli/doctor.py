"""Doctor: what is set up, what is not, what to do."""

from __future__ import annotations

import click

from tracker.cli import backups
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session, chosen_campaign
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.plain_data import plain_data
from tracker.service.diagnostics import Finding, database_findings, program_findings


@click.command("doctor")
@as_json
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Look over the set-up. Leaves with 1 when something fails; writes nothing to the log."""
    findings = [
        *program_findings(),
        *database_findings(session, chosen=chosen_campaign(), last_backup=backups.last_of),
    ]
    failed = any(one.verdict == "fail" for one in findings)
    if as_json:
        show(json_text("doctor", {"ok": not failed, "findings": [plain_data(one) for one in findings]}))
    else:
        for one in findings:
            show(_line(one))
    if failed:
        ctx.exit(1)


def _line(one: Finding) -> str:
    mend = f" -> {sanitize(one.mend)}" if one.mend else ""
    return f"{one.verdict:<5} {one.what}: {sanitize(one.found)}{mend}"
