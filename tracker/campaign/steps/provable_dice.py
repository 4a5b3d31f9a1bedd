"""Provable dice: who may commit, reveal, ask and close, and when. Rolls nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.state import CampaignState, DiceSession
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.dice import Die
from tracker.rules import provable_dice

LEAST_LETTERS = 12


@handles(records.SetToolDice)
def set_tool_dice(decision: Decision, command: records.SetToolDice) -> None:
    """Change how the tool rolls. Refuses while a session is open, because its promise must hold."""
    session = decision.state.dice_session
    if session is not None:
        raise records.DiceSessionOpen(session=session.session)
    decision.emit(
        records.ToolDiceSet(
            protocol=command.protocol,
            version=decision.state.tool_dice.version + 1,
            reason=command.reason,
        )
    )


@handles(records.OpenDiceSession)
def open_dice_session(decision: Decision, command: records.OpenDiceSession) -> None:
    """Commit to a seed. One session at a time."""
    session = decision.state.dice_session
    if session is not None:
        raise records.DiceSessionOpen(session=session.session)
    expected = decision.state.dice_sessions + 1
    if command.session != expected:
        raise records.WrongDiceSession(session=command.session, now=expected)
    _check_commitment(command.commitment)
    decision.emit(
        records.DiceSessionOpened(
            campaign=command.campaign, session=command.session, commitment=command.commitment
        )
    )


@handles(records.CommitContribution)
def commit_contribution(decision: Decision, command: records.CommitContribution) -> None:
    """Commit to a contribution. Refused once one is revealed or a roll requested: the last player could
    choose.
    """
    session = _open(decision, command.session)
    _check_commitment(command.commitment)
    if any(given.value is not None or given.withheld for given in session.contributions):
        raise records.ContributionsFixed(session=session.session, why="the first was revealed")
    if session.asked:
        raise records.ContributionsFixed(session=session.session, why="rolls were asked for")
    if any(given.who == command.who for given in session.contributions):
        raise records.ContributedAlready(who=command.who)
    decision.emit(
        records.ContributionCommitted(session=session.session, who=command.who, commitment=command.commitment)
    )


@handles(records.RevealContribution)
def reveal_contribution(decision: Decision, command: records.RevealContribution) -> None:
    """Reveal a contribution. Refuses one that was not committed to."""
    session = _open(decision, command.session)
    given = _outstanding(session, command.who)
    if len(command.contribution) < LEAST_LETTERS:
        raise records.ContributionTooShort(least=LEAST_LETTERS)
    commitment = provable_dice.contribution_commitment(
        session.campaign, session.session, command.who, command.contribution
    )
    if commitment != given:
        raise records.AnotherContribution(who=command.who)
    decision.emit(
        records.ContributionRevealed(
            session=session.session, who=command.who, contribution=command.contribution
        )
    )


@handles(records.WithholdContribution)
def withhold_contribution(decision: Decision, command: records.WithholdContribution) -> None:
    """Go on without a contribution that its player does not reveal. The log shows it for good."""
    session = _open(decision, command.session)
    _outstanding(session, command.who)
    decision.emit(
        records.ContributionWithheld(session=session.session, who=command.who, reason=command.reason)
    )


@handles(records.RequestRolls)
def request_rolls(decision: Decision, command: records.RequestRolls) -> None:
    """Request rolls before they exist. Refused while a contribution is outstanding."""
    session = _open(decision, command.session)
    refuse_outstanding(session)
    decision.emit(
        records.RollsRequested(
            request=decision.entry,
            session=session.session,
            nonce=session.asked + 1,
            what=command.what,
            digest=command.digest,
        )
    )


@handles(records.ResolveRolls)
def resolve_rolls(decision: Decision, command: records.ResolveRolls) -> None:
    """Record what a request drew. Once the seed is revealed everybody can check it."""
    session = decision.state.dice_session
    if session is None or command.request not in session.requests:
        raise records.NoSuchRequest(request=command.request)
    decision.emit(
        records.RollsResolved(
            request=command.request, sides=command.sides, faces=command.faces, dice=command.dice
        )
    )


@handles(records.AbandonRolls)
def abandon_rolls(decision: Decision, command: records.AbandonRolls) -> None:
    """Abandon a request. The log shows it for good."""
    session = decision.state.dice_session
    if session is None or command.request not in session.requests:
        raise records.NoSuchRequest(request=command.request)
    decision.emit(records.RollsAbandoned(request=command.request, reason=command.reason))


@handles(records.CloseDiceSession)
def close_dice_session(decision: Decision, command: records.CloseDiceSession) -> None:
    """Reveal the seed. Refuses a seed that was not committed to, and while a request is open."""
    session = _open(decision, command.session)
    if session.requests:
        raise records.RequestsOpen(
            session=session.session, requests=", ".join(map(str, sorted(session.requests)))
        )
    if not _is_seed_of(session, command.seed):
        raise records.AnotherSeed(session=session.session)
    decision.emit(records.DiceSessionClosed(session=session.session, seed=command.seed))


def refuse_outstanding(session: DiceSession) -> None:
    """Raises ContributionsOutstanding while somebody who committed has not revealed."""
    waiting = [given.who for given in session.contributions if given.value is None and not given.withheld]
    if waiting:
        owe = "owes one" if len(waiting) == 1 else "owe theirs"
        raise records.ContributionsOutstanding(who=", ".join(waiting), owe=owe)


def refuse_undrawn(state: CampaignState, dice: Sequence[Die]) -> None:
    """Refuse a die that names a request which is not open. Raises NoSuchRequest."""
    for die in dice:
        if die.request is not UNSET and (
            state.dice_session is None or die.request not in state.dice_session.requests
        ):
            raise records.NoSuchRequest(request=die.request)


def _open(decision: Decision, number: int) -> DiceSession:
    session = decision.state.dice_session
    if session is None:
        raise records.NoDiceSession
    if session.session != number:
        raise records.WrongDiceSession(session=number, now=session.session)
    return session


def _outstanding(session: DiceSession, who: str) -> str:
    for given in session.contributions:
        if given.who == who and given.value is None and not given.withheld:
            return given.commitment
    raise records.NothingToReveal(who=who, session=session.session)


def _is_seed_of(session: DiceSession, written: str) -> bool:
    if not _is_hex(written) or len(written) != 2 * provable_dice.SEED_BYTES:
        return False
    seed = bytes.fromhex(written)
    return provable_dice.seed_commitment(session.campaign, session.session, seed) == session.commitment


def _check_commitment(written: str) -> None:
    if len(written) != 64 or not _is_hex(written):
        raise records.NotACommitment(given=written)


def _is_hex(written: str) -> bool:
    return set(written) <= set("0123456789abcdef")
