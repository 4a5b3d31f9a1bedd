"""What is kept of drafts and proposals: records of rows."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from tracker.log.envelopes import Moment
from tracker.records import Record

Kind: TypeAlias = Literal["battle", "post-battle", "gang"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Draft(Record):
    """A report or a sheet that is being answered, whoever answers it.

    `text` is the file as an entry was settled last, and `lines` what was answered since; `said` and `decided`
    are what the last answer was met with. `taken_out` are the numbers of entries that no longer stand in the
    text: those after them keep theirs, and with them their dice. `revision` grows by one with each change.
    `seed` is what the tool's dice fall by: nobody is shown it.
    """

    campaign: str
    draft: str
    kind: Kind
    revision: int
    seed: str
    made_by: str
    made_at: Moment
    changed_by: str
    changed_at: Moment
    text: str = ""
    lines: tuple[str, ...] = ()
    taken_out: tuple[int, ...] = ()
    said: tuple[str, ...] = ()
    decided: str = ""


Answer: TypeAlias = Literal["confirmed", "objected"]
ProposalState: TypeAlias = Literal["waiting", "taken_in", "withdrawn"]


class Proposal(Record):
    """A report that a player sent in. `about` is the battle, `gangs` those that fought it."""

    campaign: str
    proposal: str
    format: str
    about: str
    gangs: tuple[str, ...]
    document: str
    digest: str
    made_by: str
    made_at: Moment
    state: ProposalState = "waiting"
    settled_by: str | None = None
    settled_at: Moment | None = None


class ProposalAnswer(Record):
    """What somebody says to a proposal."""

    campaign: str
    proposal: str
    person: str
    answer: Answer
    words: str
    at: str
