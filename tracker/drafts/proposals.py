"""Proposals in the database: rows in and out, one statement each. Decides nothing."""

from __future__ import annotations

from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from tracker.drafts.records import Proposal, ProposalAnswer
from tracker.log import record_rows
from tracker.records import Record
from tracker.schema import campaign_proposal_answers, campaign_proposals

Kind = TypeVar("Kind", Proposal, ProposalAnswer)
_LISTS = ("gangs",)


def _bound(record: Record) -> dict[str, Any]:
    return record_rows.values_of(record, lists=_LISTS)


def _record(kind: type[Kind], row: Row[Any]) -> Kind:
    return record_rows.record_of(kind, row, lists=_LISTS)


def add(connection: Connection, proposal: Proposal) -> None:
    """A new proposal."""
    connection.execute(insert(campaign_proposals), _bound(proposal))


def proposals(connection: Connection, campaign: str, *, state: str) -> tuple[Proposal, ...]:
    """Those in a state, oldest first."""
    matches = [campaign_proposals.c.campaign_id == campaign, campaign_proposals.c.state == state]
    query = select(campaign_proposals).where(*matches)
    query = query.order_by(campaign_proposals.c.made_at, campaign_proposals.c.proposal)
    return tuple(_record(Proposal, row) for row in connection.execute(query))


def proposal(connection: Connection, campaign: str, proposal_id: str) -> Proposal | None:
    """One of them."""
    query = select(campaign_proposals).where(*_matches(campaign, proposal_id))
    row = connection.execute(query).one_or_none()
    return None if row is None else _record(Proposal, row)


def settle(connection: Connection, campaign: str, proposal_id: str, *, state: str, by: str, at: str) -> None:
    """It waits no more."""
    changed = update(campaign_proposals).where(*_matches(campaign, proposal_id))
    connection.execute(changed.values(state=state, settled_by=by, settled_at=at))


def answers(connection: Connection, campaign: str, proposal_id: str) -> tuple[ProposalAnswer, ...]:
    """What was said to it, in the order in which it was."""
    table = campaign_proposal_answers
    query = select(table).where(table.c.campaign_id == campaign, table.c.proposal == proposal_id)
    query = query.order_by(table.c.at, table.c.person)
    return tuple(_record(ProposalAnswer, row) for row in connection.execute(query))


def say(connection: Connection, answer: ProposalAnswer) -> None:
    """What somebody says to it now, whatever they said before."""
    table, values = campaign_proposal_answers, _bound(answer)
    matches = [
        table.c.campaign_id == answer.campaign,
        table.c.proposal == answer.proposal,
        table.c.person == answer.person,
    ]
    if connection.execute(update(table).where(*matches).values(**values)).rowcount == 0:
        connection.execute(insert(table), values)


def _matches(campaign: str, proposal_id: str) -> list[ColumnElement[bool]]:
    return [campaign_proposals.c.campaign_id == campaign, campaign_proposals.c.proposal == proposal_id]
