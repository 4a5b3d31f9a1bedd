"""Doctor: checks the set-up and says what to do."""

from __future__ import annotations

import click

from tracker.analytics.findings import analytics_findings
from tracker.cli import db
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session, chosen_campaign
from tracker.reports.health import findings_page
from tracker.service.diagnostics import database_findings, program_findings


@click.command("doctor")
@as_json
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Check the set-up, and say what to do.

    Exits with 1 if something fails; writes nothing to the log.

    \b
    arbitrator doctor
    """
    findings = [
        *program_findings(),
        *analytics_findings(),
        *database_findings(session, chosen=chosen_campaign(session.url), last_backup=db.last_of),
    ]
    show(findings_page(findings), as_json=as_json)
    if any(finding.verdict == "fail" for finding in findings):
        ctx.exit(1)
