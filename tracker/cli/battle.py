"""Battles: record a report, list, show."""

from __future__ import annotations

from dataclasses import dataclass

import click

from tracker.cli.options import as_json, dry_run, paper, pass_session, show
from tracker.cli.session import Session
from tracker.documents.battle_report import battle_plan
from tracker.documents.yaml_reader import read_document
from tracker.errors import BadInput
from tracker.log import database
from tracker.projections import queries
from tracker.reports.battle import battle_json, battle_text, battles_json, battles_text
from tracker.reports.log import struck_out_by_rows
from tracker.reports.names import Names
from tracker.reports.receipt import receipt, receipt_json
from tracker.rules import shelf
from tracker.service import NoSuchBattle


@dataclass(eq=False)
class ReportForAnotherCampaign(BadInput):
    file: str
    named: str
    chosen: str

    def message(self) -> str:
        return (
            f"{self.file} is a report for the campaign {self.named!r}, and {self.chosen!r} is chosen."
            " Nothing was"
            f" recorded. Use --campaign {self.named}, or put the report's 'campaign:' right."
        )


@click.group("battle")
def command() -> None:
    """Record battle reports; list and show battles."""


@command.command("record")
@click.argument("file")
@click.option("--roll", is_flag=True, help="Let the tool roll the dice that the report does not give.")
@dry_run
@as_json
@pass_session
def record(session: Session, file: str, roll: bool, dry_run: bool, as_json: bool) -> None:
    """Record a battle report ('-' reads standard input), whole or not at all.

    The receipt says for every entry what was rolled, needed, decided, and where the rule stands. The same
    report twice is said and changes nothing.
    """
    tracker, slug = session.tracker, session.slug
    campaign = tracker.campaign_id(slug)
    book = shelf.book(tracker.state(campaign).book)
    plan = battle_plan(read_document(file), purposes=book.purposes)
    if plan.campaign is not None and plan.campaign != slug:
        raise ReportForAnotherCampaign(file=file, named=plan.campaign, chosen=slug)
    played = tracker.play(
        campaign,
        plan.decisions,
        key=f"battle:{plan.battle}",
        digest=plan.digest,
        roll=roll,
        dry_run=dry_run,
        actor=plan.recorded_by,
    )
    names = Names.of_state(played.state)
    printed = receipt_json if as_json else receipt
    show(printed(played.entries, names, repeated=played.repeated, dry_run=played.dry_run))


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """The battles of the campaign."""
    tracker, campaign = session.tracker, session.campaign
    names = Names.of_state(tracker.state(campaign))
    with database.reading(tracker.engine) as connection:
        rows = queries.battles(connection, campaign)
    show(battles_json(rows) if as_json else battles_text(rows, names, **paper()))


@command.command("show")
@click.argument("battle")
@as_json
@pass_session
def show_(session: Session, battle: str, as_json: bool) -> None:
    """One battle, by its id or number, entry by entry."""
    tracker, campaign = session.tracker, session.campaign
    names = Names.of_state(tracker.state(campaign))
    with database.reading(tracker.engine) as connection:
        rows = queries.battles(connection, campaign)
        row = next((one for one in rows if battle in (one["battle"], str(one["number"]))), None)
        if row is None:
            raise NoSuchBattle(battle=battle, known=tuple(str(one["battle"]) for one in rows))
        listed = queries.entries(connection, campaign, battle=row["battle"])
    entries = tracker.contents(campaign, [(one["entry"], one["slot"]) for one in listed])
    if as_json:
        show(battle_json(row, entries, names))
    else:
        show(battle_text(row, entries, names, struck=struck_out_by_rows(listed)))
