"""Proposed reports as pages: who confirmed them, who objects, and which gangs have not confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.reports import people
from tracker.reports.log import when
from tracker.reports.page import DataTable, Page, Text
from tracker.service.proposals import OpenProposal

_STATES = {"waiting": "waits", "taken_in": "taken in", "withdrawn": "withdrawn"}


def proposals_page(waiting: Sequence[OpenProposal]) -> Page:
    """Every report that does not count yet."""
    rows = [
        (
            item.proposal.proposal,
            item.proposal.about,
            people.person(item.proposal.made_by),
            when(item.proposal.made_at),
            _said(item),
        )
        for item in waiting
    ]
    return Page(
        schema="proposals",
        blocks=lambda: [
            [DataTable(("Report", "Battle", "Sent in by", "At", "Stands"), rows) if rows else Text([_NONE])]
        ],
        data=lambda: {"proposals": [_data(item) for item in waiting]},
    )


_NONE = "No report waits. A player sends one in with 'arbitrator battle propose FILE'."


def proposal_page(
    item: OpenProposal,
    *,
    report: str | None = None,
    receipt: Page | None = None,
    would: Page | str | None = None,
) -> Page:
    """A proposed report.

    `report` is its text, `receipt` the record if it was recorded just now, `would` the receipt of its dry run
    or the refusal.
    """
    proposal = item.proposal
    refused = f"As the campaign stands now it would be refused: {would}" if isinstance(would, str) else None
    lines = [
        f"Report {proposal.proposal}, battle {proposal.about}: it {_STATES[proposal.state]}.",
        f"Sent in by {people.person(proposal.made_by)}, {when(proposal.made_at)}.",
        *(
            f"{people.person(answer.person)} {answer.answer} it{f': {answer.words}' if answer.words else '.'}"
            for answer in item.answers
        ),
        *([f"Not confirmed for {', '.join(item.unconfirmed)}."] if item.unconfirmed else []),
    ]
    return Page(
        schema="proposal",
        blocks=lambda: [
            [Text(lines)],
            *([[Text(report.splitlines())]] if report is not None else []),
            *([[Text(refused.splitlines())]] if refused is not None else []),
            *(would.blocks() if isinstance(would, Page) else []),
            *(receipt.blocks() if receipt is not None else []),
        ],
        data=lambda: {
            **_data(item),
            **({"document": report} if report is not None else {}),
            **({"would_be_refused": would} if isinstance(would, str) else {}),
            **({"would_record": would.data()} if isinstance(would, Page) else {}),
            **({"receipt": receipt.data()} if receipt is not None else {}),
        },
    )


def _said(item: OpenProposal) -> str:
    if item.objections:
        return "objected to"
    return f"not confirmed for {', '.join(item.unconfirmed)}" if item.unconfirmed else "confirmed"


def _data(item: OpenProposal) -> dict[str, Any]:
    proposal = item.proposal
    return {
        "proposal": proposal.proposal,
        "battle": proposal.about,
        "gangs": [*proposal.gangs],
        "state": proposal.state,
        "made_by": proposal.made_by,
        "made_by_name": people.person(proposal.made_by),
        "made_at": proposal.made_at,
        "unconfirmed": [*item.unconfirmed],
        "answers": [
            {
                "person": answer.person,
                "name": people.person(answer.person),
                "answer": answer.answer,
                "words": answer.words,
                "at": answer.at,
            }
            for answer in item.answers
        ],
    }
