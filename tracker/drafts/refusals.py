"""What is refused about drafts."""

from tracker.errors import BadInput, RulesRefuse, Stale


class UnknownDraft(BadInput):
    """This campaign has no draft {draft!r}: it may be recorded, or discarded. See 'arbitrator draft list'."""

    draft: str


class DraftMovedOn(Stale):
    """Draft {draft} is at revision {now} by now, and this was meant for {seen}. Nothing was changed. Look at
    what stands there ('arbitrator draft show {draft}'), and answer that.
    """

    draft: str
    seen: int
    now: int
    by: str
    at: str


class DraftTooLong(RulesRefuse):
    """A draft holds {characters_max:,} characters and {lines_max} answers in one entry at most. Record what
    stands there, or begin another.
    """

    characters_max: int
    lines_max: int


class TooManyDrafts(RulesRefuse):
    """This campaign has {most} drafts already. Record or discard one first: 'arbitrator draft list'."""

    most: int
