"""The application service: one database, and every operation on its campaigns.

Its parts are imported and made on first use: reading a board needs neither events nor rules nor SQLAlchemy,
so a roster appears at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.log.board_source import BoardSource, open_with_stdlib
from tracker.people.secrets import is_person_id
from tracker.service import clock
from tracker.service.boards import Boards
from tracker.service.campaign_directory import CampaignDirectory

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from tracker.dice import Roller
    from tracker.log.appending import Receipt
    from tracker.service.amendments import Amendments
    from tracker.service.archives import Archives
    from tracker.service.audit import Audits
    from tracker.service.cells import CellDirectory
    from tracker.service.command_handler import CommandHandler
    from tracker.service.continuation import BattleContinuation
    from tracker.service.disputes import Disputes
    from tracker.service.drafts import Drafts
    from tracker.service.gang_emblems import GangEmblems
    from tracker.service.people import People
    from tracker.service.proposals import Proposals
    from tracker.service.provable_dice import ProvableDice
    from tracker.service.repository import CampaignRepository, RemoteRequest
    from tracker.service.rulings import Rulings
    from tracker.service.signing import CampaignSigning
    from tracker.service.webhooks import Outbox, Webhooks


class Tracker:
    """The parts of the service on one database. Clock, ids and dice are the system's if left out.

    `plainly`: read the boards of an SQLite file with the standard library as long as nothing else is needed.
    """

    def __init__(
        self,
        url: str,
        *,
        actor: str,
        migrate: bool = True,
        make: bool | None = None,
        clock: Callable[[], str] | None = None,
        new_id: Callable[[], str] | None = None,
        roller: Roller | None = None,
        seeds: Path | None = None,
        home: Engine | None = None,
        plainly: bool = False,
    ) -> None:
        self._url, self._migrate, self._make = url, migrate, make
        self.source = BoardSource(lambda: self.engine, plain=open_with_stdlib(url) if plainly else None)
        """The source that boards are read from."""
        if not self.source.is_plain:
            self.engine  # noqa: B018  # what there is to say of a database is said when it is opened
        self.actor = actor
        self._clock = clock
        self._new_id = new_id
        self._roller = roller
        self._seeds = seeds
        self._home = home
        """The database of people, if this is a cell of a host."""

    @cached_property
    def engine(self) -> Engine:
        """The opened database; made or brought to head if so requested."""
        from tracker.log import database

        self.source.leave_plain()
        return database.open_database(self._url, migrate=self._migrate, make=self._make)

    def of_cell(self, url: str, *, migrate: bool = True) -> Tracker:
        """Another database of the same host, with the people of this one."""
        return Tracker(
            url,
            actor=self.actor,
            migrate=migrate,
            make=False,
            clock=self._clock,
            new_id=self._new_id,
            roller=self._roller,
            seeds=self._seeds,
            home=self.engine,
        )

    def on_behalf_of(self, actor: str, sending: RemoteRequest | None = None) -> Tracker:
        """The same database for one person's request: entries are recorded under their name."""
        from tracker.service.repository import RemoteRequest

        other = object.__new__(Tracker)
        other.engine, other.actor = self.engine, actor
        other.source = BoardSource(lambda: other.engine)
        other._clock, other._new_id, other._roller = self._clock, self._new_id, self._roller
        other._seeds, other._home = self._seeds, self._home
        vars(other)["repository"] = self.repository.on_behalf_of(actor, sending or RemoteRequest())
        return other

    @property
    def sent_once(self) -> str:
        """The secret of the form behind this request, equal if it is sent twice; empty without a form."""
        return self.repository.sending.once if "repository" in vars(self) else ""

    def now(self) -> str:
        """The time, by this program's clock."""
        return (self._clock or clock.now)()

    def only_reads(self) -> None:
        """Refuse to write to this database from now on."""
        from tracker.log import database

        database.make_read_only(self.engine)

    def check_answers(self) -> None:
        """Raises a refusal unless the database answers and has the revision that this program needs."""
        from tracker.log import database

        database.check_answers(self.engine)

    def close(self) -> None:
        """Close the database and its cells."""
        if "cells" in vars(self):
            self.cells.close()
        self.source.leave_plain()
        if "engine" in vars(self):
            self.engine.dispose()

    @property
    def saved(self) -> tuple[Receipt, ...]:
        """The receipts of the last append through this service that is committed."""
        return tuple(self.repository.store.saved) if "repository" in vars(self) else ()

    @cached_property
    def directory(self) -> CampaignDirectory:
        """The campaigns of the database, by name and by id."""
        return CampaignDirectory(self.source, audit=lambda: self.audit)

    @cached_property
    def boards(self) -> Boards:
        """The reads that reports need."""
        return Boards(self.source, repository=lambda: self.repository)

    @cached_property
    def repository(self) -> CampaignRepository:
        """Logs and the states they fold to."""
        from tracker.service.repository import CampaignRepository

        return CampaignRepository(
            self.engine, actor=self.actor, clock=self._clock, new_id=self._new_id, people=self._home
        )

    @cached_property
    def commands(self) -> CommandHandler:
        """Commands that people record: battle reports, post-battle files, single commands."""
        from tracker.service.command_handler import CommandHandler
        from tracker.service.sealed_seeds import SealedSeeds

        return CommandHandler(self.repository, roller=self._roller, seeds=SealedSeeds(self._seeds))

    @cached_property
    def continuation(self) -> BattleContinuation:
        """Further entries of a battle that a roll back left under way."""
        from tracker.service.continuation import BattleContinuation

        return BattleContinuation(self.repository, self.commands)

    @cached_property
    def disputes(self) -> Disputes:
        """Disputes of rolls and entries, until a ruling."""
        from tracker.service.disputes import Disputes

        return Disputes(self.repository, self.commands)

    @cached_property
    def rulings(self) -> Rulings:
        """Rulings previewed and made: on disputes, roll backs, house rules from a past battle on."""
        from tracker.service.rulings import Rulings

        return Rulings(self.repository, self.commands, self.disputes)

    @cached_property
    def dice(self) -> ProvableDice:
        """Dice sessions, contributions and requests."""
        from tracker.service.provable_dice import ProvableDice

        return ProvableDice(self.repository, self.commands)

    @cached_property
    def amendments(self) -> Amendments:
        """Corrections of recorded entries."""
        from tracker.service.amendments import Amendments

        return Amendments(self.repository, self.commands)

    @cached_property
    def audit(self) -> Audits:
        """Verification of the log and everything derived from it."""
        from tracker.service.audit import Audits

        return Audits(self.repository)

    def signing(self, keys: Path) -> CampaignSigning:
        """Keys and signed heads; private keys lie in that folder."""
        from tracker.service.signing import CampaignSigning

        return CampaignSigning(self.repository, keys)

    @cached_property
    def people(self) -> People:
        """People, their roles and their ways to sign in; stored beside the log."""
        from tracker.service.people import People

        return People(self._home or self.engine, clock=self._clock or clock.now)

    @cached_property
    def cells(self) -> CellDirectory[Tracker]:
        """The databases that keep the campaigns of this host, this one among them."""
        from tracker.service.cells import CellDirectory

        return CellDirectory(self, clock=self._clock or clock.now)

    @cached_property
    def webhooks(self) -> Webhooks:
        """The webhooks; stored beside the log."""
        from tracker.service.webhooks import Webhooks

        return Webhooks(self.engine, clock=self._clock or clock.now)

    @cached_property
    def outbox(self) -> Outbox:
        """The posts to webhooks that are still to be sent."""
        from tracker.service.webhooks import Outbox

        return Outbox(
            self.engine, clock=self._clock or clock.now, jitter=lambda: 0.5 + secrets.randbelow(1000) / 2000
        )

    @cached_property
    def drafts(self) -> Drafts:
        """Unfinished reports and sheets; stored beside the log."""
        from tracker.service.drafts import Drafts

        return Drafts(self._home or self.engine, clock=self._clock or clock.now)

    @cached_property
    def emblems(self) -> GangEmblems:
        """Pictures of gangs, beside the log."""
        from tracker.service.gang_emblems import GangEmblems

        return GangEmblems(self.repository, self._home or self.engine)

    @cached_property
    def proposals(self) -> Proposals:
        """Reports that players send in, until they are recorded."""
        from tracker.service.proposals import Proposals

        now = self._clock or clock.now
        return Proposals(self.repository, self.commands, self.people, self._home or self.engine, clock=now)

    def name_on(self, actor: str, at: str) -> str:
        """The name that the maker of an entry had at that time.

        An actor of the log is a person's id, or a name that was typed at a terminal.
        """
        if not is_person_id(actor):
            return actor
        known = self._names.get(actor)
        if known is None:
            known = self._names[actor] = self.people.names([actor])
        return known(actor, at)

    @cached_property
    def _names(self) -> dict[str, Callable[[str, str], str]]:
        return {}

    @cached_property
    def archives(self) -> Archives:
        """Whole campaigns to and from files."""
        from tracker.service.archives import Archives

        return Archives(self.repository, self.audit)
