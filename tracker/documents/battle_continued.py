"""Further entries of a battle under way, `battle-continued/1`: what came after a roll back into its middle.

Knows the entries of a battle report. The campaign knows which battle is under way and what has happened in
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from tracker.campaign.state import CampaignState
from tracker.documents import battle_report as reports
from tracker.documents.known_names import KnownNames
from tracker.documents.nodes import Document
from tracker.documents.planned_decisions import DiceReader, digest_of_document
from tracker.documents.report_entries import refuse_second_tests
from tracker.documents.text import Name, Slug
from tracker.documents.validation import Problems, StrictModel, fault, read_as
from tracker.rules.rulebook import DicePurpose

FORMAT: Final = "battle-continued/1"
WHAT: Final = "continued battle"


def continuation_plan(
    document: Document, *, purposes: Mapping[str, DicePurpose], state: CampaignState | None = None
) -> reports.BattlePlan:
    """The decisions that the file asks for: entry by entry, and the Wrap-up where it gives the result. In a
    `state` people are called as they are called there.

    Raises FormatNotExpected or DocumentRefused.
    """
    written = read_as(BattleContinued, document, version=FORMAT, what=WHAT, context=KnownNames(state))
    problems = Problems(document, WHAT)
    refuse_second_tests(reports.exchanges_of("entries", written.entries), problems)
    dice = DiceReader(problems, purposes)
    decisions = [
        reports.entry_decision(entry, ("entries", position), document, dice, called=f"entry {position + 1}")
        for position, entry in enumerate(written.entries)
    ]
    if written.result is not None:
        decisions.append(reports.closing_decision(written.result, written.wrap_up, document, dice))
    problems.refuse()
    return reports.BattlePlan(
        battle=written.battle,
        campaign=written.campaign,
        recorded_by=written.recorded_by,
        decisions=tuple(decisions),
        digest=digest_of_document(document),
    )


class BattleContinued(StrictModel):
    """What happened further in a battle under way, in order of play."""

    format: Literal["battle-continued/1"]
    """Always battle-continued/1."""
    battle: Slug
    """The id of the battle that is under way."""
    campaign: Slug | None = None
    """The campaign it belongs to; else the one in use."""
    recorded_by: Name | None = None
    """Who wrote this down."""
    entries: list[reports.Entry] = Field(default=[], max_length=reports.ENTRIES_MAX)
    """What happened, in order of play."""
    result: reports.Result | None = None
    """Who won; left out while the battle goes on."""
    wrap_up: reports.WrapUp | None = None
    """The Wrap-up's own dice."""

    @model_validator(mode="after")
    def _something_happens(self) -> Self:
        if not self.entries and self.result is None:
            raise fault("nothing happens in this file: write `entries`, or how the battle ended (`result`).")
        if self.wrap_up is not None and self.result is None:
            raise fault("a battle without a `result` has no Wrap-up: say how it ended, or take wrap_up out.")
        return self
