"""Proposals: reports that a player sends in, others confirm, and the Arbitrator records.

They are stored beside the log; when one is recorded, each of its entries names who proposed and confirmed it.
Knows no document format: the caller provides the parsed plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from sqlalchemy import Connection, Engine

from tracker.campaign import records
from tracker.drafts import proposals as storage
from tracker.drafts import refusals
from tracker.drafts.records import Answer, Proposal, ProposalAnswer
from tracker.log import database
from tracker.people.secrets import new_short_id
from tracker.records import Record
from tracker.service.command_handler import BattlePlanned, CommandHandler, RecordResult
from tracker.service.named_gangs import named_gangs
from tracker.service.repository import CampaignRepository

WAITING_MOST: Final = 50
"""The most open proposals of one campaign."""
WORDS_MAX: Final = 2_000
_PREFIX: Final = "p-"


class PlayerRegistry(Protocol):
    """Looks up the players' gangs, and whether players settle their battles among themselves."""

    def gangs_of(self, campaign: str, person: str) -> frozenset[str]:
        """The gangs that a person plays."""
        ...

    def is_player(self, campaign: str, person: str) -> bool:
        """Whether a person is a player of the campaign and no Arbitrator."""
        ...

    def coaches_settle(self, campaign: str) -> bool:
        """Whether a report counts once a player of every gang that fought has confirmed it."""
        ...


class OpenProposal(Record):
    """A proposal with its answers, and the gangs whose confirmation is missing."""

    proposal: Proposal
    answers: tuple[ProposalAnswer, ...]
    unconfirmed: tuple[str, ...]

    @property
    def confirmed_by(self) -> tuple[str, ...]:
        """Who confirmed it, in order."""
        return tuple(answer.person for answer in self.answers if answer.answer == "confirmed")

    @property
    def objections(self) -> tuple[ProposalAnswer, ...]:
        """Who objects."""
        return tuple(answer for answer in self.answers if answer.answer == "objected")


class SettledProposal(Record):
    """A proposal after an answer; `recorded` if the answer completed it."""

    waiting: OpenProposal
    recorded: RecordResult | None = None


class Proposals:
    """The proposals of one host, in the database of its people, wherever a campaign's log is kept."""

    def __init__(
        self,
        repository: CampaignRepository,
        commands: CommandHandler,
        playing: PlayerRegistry,
        engine: Engine,
        *,
        clock: Callable[[], str],
    ) -> None:
        self._repository, self._commands, self._playing = repository, commands, playing
        self._engine, self._now = engine, clock

    @property
    def _actor(self) -> str:
        return self._repository.actor

    # --- reading -------------------------------------------------------------------------------------------

    def waiting(self, campaign: str) -> tuple[OpenProposal, ...]:
        """The open proposals, oldest first."""
        with database.reading(self._engine) as connection:
            found = storage.proposals(connection, campaign, state="waiting")
            answers = {
                proposal.proposal: storage.answers(connection, campaign, proposal.proposal)
                for proposal in found
            }
        return tuple(self._waiting(proposal, answers[proposal.proposal]) for proposal in found)

    def proposal(self, campaign: str, proposal_id: str) -> OpenProposal:
        """A proposal, settled or not. Raises UnknownProposal."""
        with database.reading(self._engine) as connection:
            return self._one(connection, campaign, proposal_id)

    def _one(self, connection: Connection, campaign: str, proposal_id: str) -> OpenProposal:
        found = storage.proposal(connection, campaign, proposal_id)
        if found is None:
            raise refusals.UnknownProposal(proposal_id)
        return self._waiting(found, storage.answers(connection, campaign, proposal_id))

    def _waiting(self, proposal: Proposal, answers: Sequence[ProposalAnswer]) -> OpenProposal:
        behind = [proposal.made_by, *(answer.person for answer in answers if answer.answer == "confirmed")]
        theirs = {gang for who in behind for gang in self._playing.gangs_of(proposal.campaign, who)}
        lacking = tuple(gang for gang in proposal.gangs if gang not in theirs)
        return OpenProposal(proposal=proposal, answers=tuple(answers), unconfirmed=lacking)

    # --- writing -------------------------------------------------------------------------------------------

    def propose(self, campaign: str, plan: BattlePlanned, *, document: str) -> OpenProposal:
        """Propose a report, after a trial that the rules accept it.

        The same report is stored once. Raises TooManyProposals, AlreadyRecorded and the refusals of a report.
        """
        played = self._commands.record_battle(campaign, plan, dry_run=True)
        if played.repeated:
            raise refusals.AlreadyRecorded(battle=plan.battle)
        gangs = self._allowed(campaign, plan)
        with database.writing(self._engine) as connection:
            waiting = storage.proposals(connection, campaign, state="waiting")
            same = [other for other in waiting if (other.digest, other.made_by) == (plan.digest, self._actor)]
            if same:
                return self._one(connection, campaign, same[0].proposal)
            if len(waiting) >= WAITING_MOST:
                raise refusals.TooManyProposals(WAITING_MOST)
            made = Proposal(
                campaign=campaign,
                proposal=new_short_id(_PREFIX),
                format="battle-report",
                about=plan.battle,
                gangs=gangs,
                document=document,
                digest=plan.digest,
                made_by=self._actor,
                made_at=self._now(),
            )
            storage.add(connection, made)
        return self._waiting(made, ())

    def answer(
        self, campaign: str, proposal_id: str, plan: BattlePlanned, *, answer: Answer, words: str = ""
    ) -> SettledProposal:
        """Confirm it, or object with a reason; each person's last answer counts.

        If the campaign's players settle their battles, the last missing confirmation records it. Raises
        UnknownProposal, ProposalSettled, OwnProposal, WordsTooLong and what refuses the report.
        """
        if len(words) > WORDS_MAX:
            raise refusals.WordsTooLong(WORDS_MAX)
        self._allowed(campaign, plan)
        said = ProposalAnswer(
            campaign=campaign,
            proposal=proposal_id,
            person=self._actor,
            answer=answer,
            words=words,
            at=self._now(),
        )
        with database.writing(self._engine) as connection:
            found = self._open(connection, campaign, proposal_id)
            if found.proposal.made_by == self._actor:
                raise refusals.OwnProposal(proposal_id)
            storage.say(connection, said)
            now = self._one(connection, campaign, proposal_id)
        enough = not now.unconfirmed and not now.objections
        if answer == "confirmed" and enough and self._playing.coaches_settle(campaign):
            return self._taken_in(campaign, now, plan)
        return SettledProposal(waiting=now)

    def take_in(self, campaign: str, proposal_id: str, plan: BattlePlanned) -> SettledProposal:
        """Record a proposal, so that it counts. Raises UnknownProposal, ProposalSettled, and what
        refuses it.
        """
        with database.reading(self._engine) as connection:
            found = self._open(connection, campaign, proposal_id)
        return self._taken_in(campaign, found, plan)

    def withdraw(self, campaign: str, proposal_id: str, plan: BattlePlanned) -> OpenProposal:
        """Withdraw it, as its proposer, or turn it down, as an Arbitrator.

        Raises UnknownProposal, ProposalSettled, NotYourProposal.
        """
        self._allowed(campaign, plan)
        with database.writing(self._engine) as connection:
            found = self._open(connection, campaign, proposal_id)
            is_own = found.proposal.made_by == self._actor
            if not is_own and self._playing.is_player(campaign, self._actor):
                raise refusals.NotYourProposal(proposal_id)
            storage.settle(
                connection, campaign, proposal_id, state="withdrawn", by=self._actor, at=self._now()
            )
            return self._one(connection, campaign, proposal_id)

    def _taken_in(self, campaign: str, found: OpenProposal, plan: BattlePlanned) -> SettledProposal:
        agreed = records.Agreed(proposed_by=found.proposal.made_by, confirmed_by=found.confirmed_by)
        self._repository.sending = self._repository.sending._replace(agreed=agreed)
        recorded = self._commands.record_battle(campaign, plan)
        with database.writing(self._engine) as connection:
            storage.settle(
                connection,
                campaign,
                found.proposal.proposal,
                state="taken_in",
                by=self._actor,
                at=self._now(),
            )
            now = self._one(connection, campaign, found.proposal.proposal)
        return SettledProposal(waiting=now, recorded=recorded)

    def _open(self, connection: Connection, campaign: str, proposal_id: str) -> OpenProposal:
        found = self._one(connection, campaign, proposal_id)
        if found.proposal.state != "waiting":
            state = found.proposal.state.replace("_", " ")
            raise refusals.ProposalSettled(proposal=proposal_id, state=state)
        return found

    def _allowed(self, campaign: str, plan: BattlePlanned) -> tuple[str, ...]:
        """The gangs that it is about. Raises NotAllowed if the caller may not answer for them."""
        state = self._repository.state(campaign)
        commands = [decision.command for decision in plan.decisions]
        self._repository.sending.allow(commands, state)
        return tuple(gang for gang in state.gangs if gang in named_gangs(commands, state))
