"""What is refused about drafts and proposals."""

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


class BoardMovedOn(Stale):
    """{by} answered first, so your tap does not count. The board shows how it stands now: tap again if it is
    still right.
    """

    by: str


class DraftTooLong(RulesRefuse):
    """A draft holds {characters_max} characters and {lines_max} answers in one entry at most. Record what
    stands there, or begin another.
    """

    characters_max: int
    lines_max: int


class TooManyDrafts(RulesRefuse):
    """This campaign has {most} drafts already. Record or discard one first: 'arbitrator draft list'."""

    most: int


class UnknownProposal(BadInput):
    """This campaign has no proposal {proposal!r}. See 'arbitrator battle proposals'."""

    proposal: str


class ProposalSettled(RulesRefuse):
    """Proposal {proposal} is settled: it is {state}. See 'arbitrator battle proposals'."""

    proposal: str
    state: str


class OwnProposal(RulesRefuse):
    """You proposed {proposal} yourself: another player confirms it, or objects. 'arbitrator battle withdraw
    {proposal}' takes it back.
    """

    proposal: str


class AlreadyRecorded(RulesRefuse):
    """The battle {battle} is recorded already, with these words. See 'arbitrator battle show {battle}'."""

    battle: str


class TooManyProposals(RulesRefuse):
    """{most} reports wait in this campaign already. The Arbitrator takes them in or turns them down first:
    'arbitrator battle proposals'.
    """

    most: int


class WordsTooLong(BadInput):
    """A comment on a report has at most {most} characters. Shorten it."""

    most: int


class NotYourProposal(RulesRefuse):
    """{proposal} is somebody else's: confirm it, or object. Only the Arbitrator turns it down."""

    proposal: str
