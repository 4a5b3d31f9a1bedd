"""Proposals in the database: rows in and out, one statement each. Decides nothing."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from tracker.drafts.records import Proposal, ProposalAnswer
from tracker.records import Record, names_of_fields
from tracker.schema import campaign_proposal_answers, campaign_proposals


def _bound(record: Record) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in names_of_fields(record)}
    values["campaign_id"] = values.pop("campaign")
    if "gangs" in values:
        values["gangs"] = json.dumps(values["gangs"], ensure_ascii=True)
    return values


def _values(row: Row[Any]) -> dict[str, Any]:
    values = dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it
    values["campaign"] = values.pop("campaign_id")
    if "gangs" in values:
        values["gangs"] = tuple(json.loads(values["gangs"]))
    return values


def add(connection: Connection, proposal: Proposal) -> None:
    """A new proposal."""
    connection.execute(insert(campaign_proposals), _bound(proposal))


def proposals(connection: Connection, campaign: str, *, state: str) -> tuple[Proposal, ...]:
    """Those in a state, oldest first."""
    its = [campaign_proposals.c.campaign_id == campaign, campaign_proposals.c.state == state]
    query = select(campaign_proposals).where(*its)
    query = query.order_by(campaign_proposals.c.made_at, campaign_proposals.c.proposal)
    return tuple(Proposal(**_values(row)) for row in connection.execute(query))


def proposal(connection: Connection, campaign: str, proposal_id: str) -> Proposal | None:
    """One of them."""
    query = select(campaign_proposals).where(*_is(campaign, proposal_id))
    row = connection.execute(query).one_or_none()
    return None if row is None else Proposal(**_values(row))


def settle(connection: Connection, campaign: str, proposal_id: str, *, state: str, by: str, at: str) -> None:
    """It waits no more."""
    changed = update(campaign_proposals).where(*_is(campaign, proposal_id))
    connection.execute(changed.values(state=state, settled_by=by, settled_at=at))


def answers(connection: Connection, campaign: str, proposal_id: str) -> tuple[ProposalAnswer, ...]:
    """What was said to it, in the order in which it was."""
    table = campaign_proposal_answers
    query = select(table).where(table.c.campaign_id == campaign, table.c.proposal == proposal_id)
    query = query.order_by(table.c.at, table.c.person)
    return tuple(ProposalAnswer(**_values(row)) for row in connection.execute(query))


def say(connection: Connection, answer: ProposalAnswer) -> None:
    """What somebody says to it now, whatever they said before."""
    table, values = campaign_proposal_answers, _bound(answer)
    its = [
        table.c.campaign_id == answer.campaign,
        table.c.proposal == answer.proposal,
        table.c.person == answer.person,
    ]
    if connection.execute(update(table).where(*its).values(**values)).rowcount == 0:
        connection.execute(insert(table), values)


def _is(campaign: str, proposal_id: str) -> list[ColumnElement[bool]]:
    return [campaign_proposals.c.campaign_id == campaign, campaign_proposals.c.proposal == proposal_id]
