"""Provable dice: opens and closes sessions, records contributions, abandons requests.

Seeds stay sealed in `sealed_seeds`; `command_handler` rolls.
"""

from __future__ import annotations

import unicodedata

from tracker.campaign import records
from tracker.campaign.state import DiceSession
from tracker.campaign.steps.provable_dice import LEAST_LETTERS, refuse_outstanding
from tracker.rules import provable_dice
from tracker.service import refusals
from tracker.service.command_handler import CommandHandler, CommandWithDice, RecordResult
from tracker.service.dice_sessions import DiceSessions, read_dice_sessions
from tracker.service.repository import CampaignRepository
from tracker.service.roll_source import RollSource


class ProvableDice:
    """Operations on provable dice other than rolling."""

    def __init__(self, repository: CampaignRepository, commands: CommandHandler) -> None:
        self._repository = repository
        self._commands = commands

    def history(self, campaign: str) -> DiceSessions:
        """Every session with its requests, verified from the log."""
        return read_dice_sessions(campaign, self._repository.log.written(campaign))

    def use(self, campaign: str, protocol: provable_dice.Protocol, *, reason: str) -> RecordResult:
        """Choose how the tool rolls from now on."""
        return self._play(campaign, records.SetToolDice(protocol=protocol, reason=reason))

    def open(self, campaign: str) -> RecordResult:
        """Commit to a new seed. Raises DiceSessionOpen."""
        state = self._repository.state(campaign)
        if state.dice_session is not None:
            raise records.DiceSessionOpen(session=state.dice_session.session)
        session = state.dice_sessions + 1
        commitment = self._commands.seeds.make(campaign, session)
        return self._play(
            campaign, records.OpenDiceSession(campaign=campaign, session=session, commitment=commitment)
        )

    def commitment(self, campaign: str, who: str, contribution: str) -> str:
        """The commitment to a contribution, which a player may publish. Raises ContributionTooShort."""
        session, tidy = self._session(campaign), unicodedata.normalize("NFC", contribution)
        if len(tidy) < LEAST_LETTERS:
            raise records.ContributionTooShort(least=LEAST_LETTERS)
        return provable_dice.contribution_commitment(session.campaign, session.session, who, tidy)

    def contribute(self, campaign: str, who: str, commitment: str) -> RecordResult:
        """Record a player's commitment to a contribution."""
        session = self._session(campaign).session
        return self._play(
            campaign, records.CommitContribution(session=session, who=who, commitment=commitment.lower())
        )

    def reveal(self, campaign: str, who: str, contribution: str) -> RecordResult:
        """Record a player's contribution."""
        session, tidy = self._session(campaign).session, unicodedata.normalize("NFC", contribution)
        return self._play(campaign, records.RevealContribution(session=session, who=who, contribution=tidy))

    def withhold(self, campaign: str, who: str, *, reason: str) -> RecordResult:
        """Go on without a contribution that was committed to."""
        session = self._session(campaign).session
        return self._play(campaign, records.WithholdContribution(session=session, who=who, reason=reason))

    def abandon(self, campaign: str, request: int, *, reason: str) -> RecordResult:
        """Give up a request."""
        return self._play(campaign, records.AbandonRolls(request=request, reason=reason))

    def close(self, campaign: str) -> RecordResult:
        """Reveal the seed. Raises RequestsOpen, ContributionsOutstanding, SeedMissing."""
        session = self._session(campaign)
        if session.requests:
            raise records.RequestsOpen(
                session=session.session, requests=", ".join(map(str, sorted(session.requests)))
            )
        refuse_outstanding(session)
        seed = self._commands.seeds.read(session.campaign, session.session, session.commitment)
        return self._play(campaign, records.CloseDiceSession(session=session.session, seed=seed.hex()))

    def draw(self, campaign: str, *, what: str, digest: str, asks: bool) -> RollSource:
        """Draw dice for an entry of a report that is still being written, by a request.

        The request stays open until the report is recorded, which resolves it. Raises NoDiceSession,
        ContributionsOutstanding, SeedMissing; DieNotDrawn if `asks` is false and there is no open request.
        """
        state = self._repository.state(campaign)
        session = state.dice_session
        open_now = session.requests.values() if session is not None else ()
        if not asks and all(asked.digest != digest for asked in open_now):
            raise refusals.DieNotDrawn(what=what)
        key = f"draw:{digest}:{session.asked if session is not None else 0}"
        return self._commands.ask_for_rolls(campaign, state, what=what, digest=digest, key=key)

    def _session(self, campaign: str) -> DiceSession:
        session = self._repository.state(campaign).dice_session
        if session is None:
            raise records.NoDiceSession
        return session

    def _play(self, campaign: str, command: records.Command) -> RecordResult:
        return self._commands.play(campaign, [CommandWithDice(command=command)])
