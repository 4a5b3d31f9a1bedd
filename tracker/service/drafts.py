"""Drafts: unfinished reports and sheets, stored beside the log.

Two people may fill one: a change names the revision that it saw, and is refused if that is not the newest.
Knows no question: the caller provides the content.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from tracker.drafts import refusals, storage
from tracker.drafts.records import Draft, Kind
from tracker.log import database
from tracker.people.secrets import new_short_id, short_id_of
from tracker.records import replace
from tracker.service.clock import later

DRAFTS_MOST: Final = 40
"""The most drafts of one campaign."""
CHARACTERS_MAX: Final = 256 * 1024
LINES_MAX: Final = 200
DAYS_KEPT: Final = 60
"""The lifetime of a draft after its last change."""
_SAID_MAX: Final = 20_000
_PREFIX: Final = "d-"


class Drafts:
    """The drafts of one database. Checks no rights: `tracker.rights` says who may."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str]) -> None:
        self._engine = engine
        self._now = clock

    def of(self, campaign: str) -> tuple[Draft, ...]:
        """The drafts of a campaign, oldest first."""
        with database.reading(self._engine) as connection:
            drafts = storage.drafts(connection, campaign)
        oldest = self._oldest()
        return tuple(draft for draft in drafts if draft.changed_at >= oldest)

    def draft(self, campaign: str, draft_id: str) -> Draft:
        """One of them. Raises UnknownDraft."""
        with database.reading(self._engine) as connection:
            draft = storage.draft(connection, campaign, draft_id)
        if draft is None:
            raise refusals.UnknownDraft(draft_id)
        return draft

    @staticmethod
    def new_seed() -> str:
        """A seed for the tool's dice of a new draft."""
        return secrets.token_hex(16)

    def begin(
        self,
        campaign: str,
        kind: Kind,
        *,
        by: str,
        seed: str = "",
        text: str = "",
        lines: tuple[str, ...] = (),
        page: str = "",
    ) -> Draft:
        """A new draft, empty or with first answers.

        `page` is the secret of the page that begins it; a page begins only one draft. Raises TooManyDrafts,
        DraftTooLong, and DraftMovedOn if the page has begun one already.
        """
        at = self._now()
        draft = Draft(
            campaign=campaign,
            draft=draft_of_page(page, by=by) if page else new_short_id(_PREFIX),
            kind=kind,
            revision=1,
            seed=seed or self.new_seed(),
            made_by=by,
            made_at=at,
            changed_by=by,
            changed_at=at,
            text=text,
            lines=lines,
        )
        _check_length(draft)
        try:
            with database.writing(self._engine) as connection:
                storage.discard_older(connection, campaign, than=self._oldest())
                begun = storage.draft(connection, campaign, draft.draft)
                if begun is None:
                    if storage.count(connection, campaign) >= DRAFTS_MOST:
                        raise refusals.TooManyDrafts(DRAFTS_MOST)
                    storage.add(connection, draft)
        except IntegrityError:  # on PostgreSQL two requests may begin it at once
            begun = self.draft(campaign, draft.draft)
        if begun is not None:
            raise self.moved_on(campaign, begun.draft, 0)
        return draft

    def change(self, draft: Draft, *, by: str) -> Draft:
        """Replace the revision that this draft was made from.

        Raises DraftMovedOn, UnknownDraft, DraftTooLong.
        """
        _check_length(draft)
        changed = replace(
            draft,
            revision=draft.revision + 1,
            changed_by=by,
            changed_at=self._now(),
            decided=draft.decided[:_SAID_MAX],
        )
        with database.writing(self._engine) as connection:
            done = storage.change(connection, changed, seen=draft.revision)
        if not done:
            raise self.moved_on(draft.campaign, draft.draft, draft.revision)
        return changed

    def discard(self, campaign: str, draft_id: str, *, seen: int) -> None:
        """Delete a draft. Raises DraftMovedOn, UnknownDraft."""
        with database.writing(self._engine) as connection:
            done = storage.discard(connection, campaign, draft_id, seen=seen)
        if not done:
            raise self.moved_on(campaign, draft_id, seen)

    def moved_on(self, campaign: str, draft_id: str, seen: int) -> refusals.DraftMovedOn:
        """Why a change of that revision is refused. Raises UnknownDraft."""
        now = self.draft(campaign, draft_id)
        return refusals.DraftMovedOn(
            draft=draft_id, seen=seen, now=now.revision, by=now.changed_by, at=now.changed_at
        )

    def _oldest(self) -> str:
        return later(self._now(), -timedelta(days=DAYS_KEPT))


def draft_of_page(page: str, *, by: str) -> str:
    """The id of the draft that a page begins, known before it exists."""
    return short_id_of(_PREFIX, page, by)


def _check_length(draft: Draft) -> None:
    size = len(draft.text) + sum(map(len, draft.lines))
    if size > CHARACTERS_MAX or len(draft.lines) > LINES_MAX:
        raise refusals.DraftTooLong(CHARACTERS_MAX, LINES_MAX)
