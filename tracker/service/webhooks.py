"""Webhooks of a campaign, and the outbox of posts still to be sent.

Outbox rows are written in the transaction of their entry, and sent after it. Knows no message and no
connection. A sender first leases a row, so that two never post the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from sqlalchemy import Connection, Engine, Row, delete, exists, func, insert, select, update

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.errors import BadInput, RulesRefuse
from tracker.log import database, record_rows
from tracker.log.envelopes import Moment
from tracker.log.prepared_statements import PreparedStatement, insertion
from tracker.log.statements import CAMPAIGN
from tracker.people.secrets import new_short_id, signing_key
from tracker.records import Record, replace
from tracker.schema import campaign_fences, campaign_webhooks, heads, webhook_outbox
from tracker.service.clock import later

Kind: TypeAlias = Literal["discord", "json"]
About: TypeAlias = Literal["battles", "standings", "disputes", "rulings"]
ABOUT: Final[tuple[About, ...]] = ("battles", "standings", "disputes", "rulings")

WEBHOOKS_MOST: Final = 10
"""The most webhooks of one campaign."""
SECRET_PREFIX: Final = "whsec_"  # noqa: S105  # how a key begins, by Standard Webhooks
FIRST_WAIT_SECONDS: Final = 5.0
LONGEST_WAIT_SECONDS: Final = 3600.0
GIVEN_UP_AFTER: Final = timedelta(days=3)
HELD: Final = timedelta(seconds=120)
"""The length of a lease. If the sender dies, another takes the row afterwards."""
FAILED_SHOWN: Final = 20

_ABOUT: Final[dict[type[records.Event], tuple[About, ...]]] = {
    records.BattleClosed: ("battles", "standings"),
    records.RollDisputed: ("disputes",),
    records.DisputeWithdrawn: ("disputes",),
    records.RulingMade: ("standings", "rulings"),
}
"""The subjects that an event is posted under."""


class Webhook(Record):
    """A registered webhook. `url` and `secret` are only for posting."""

    campaign: str
    webhook: str
    kind: Kind
    url: str
    secret: str
    about: tuple[About, ...]
    made_at: Moment
    made_by: str | None = None
    sent: int = 0
    last_sent_at: Moment | None = None
    last_failed_at: Moment | None = None
    failure: str | None = None
    gone_at: Moment | None = None

    @property
    def place(self) -> str:
        """The address without its secret part: 'https://discord.com/...'."""
        return place(self.url)


class Delivery(Record):
    """An entry that is to be posted to a webhook."""

    campaign: str
    webhook: str
    entry: int
    about: tuple[About, ...]
    made_at: Moment
    tries: int = 0
    parts_sent: int = 0
    """The number of messages that arrived, of several."""
    next_try_at: Moment | None = None
    failure: str | None = None
    given_up_at: Moment | None = None


class UnknownWebhook(BadInput):
    """There is no webhook {webhook!r} of this campaign.{webhook:nearest} See 'arbitrator webhook list'."""

    webhook: str
    known: tuple[str, ...] = ()


class WebhooksEnough(RulesRefuse):
    """A campaign has {most} webhooks at most. Remove one first: 'arbitrator webhook remove WEBHOOK'."""

    most: int = WEBHOOKS_MOST


def place(url: str) -> str:
    """An address without its secret part."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}/..."


# --- with the entry -----------------------------------------------------------------------------------------

_WHO_LISTENS = PreparedStatement(
    select(campaign_webhooks.c.webhook, campaign_webhooks.c.about).where(
        campaign_webhooks.c.campaign_id == CAMPAIGN, campaign_webhooks.c.gone_at.is_(None)
    )
)
_ADD = insertion(webhook_outbox)


def enqueue(connection: Connection, campaign: str, recorded: Sequence[RecordedEvent]) -> None:
    """Queue the posts about these entries, in the transaction that saves them.

    Most entries need none, and then the database is not queried.
    """
    said: dict[int, tuple[set[About], str]] = {}
    for event in recorded:
        kinds = _ABOUT.get(type(event.event))
        if kinds is not None and event.slot == event.entry:
            said.setdefault(event.entry, (set(), event.at))[0].update(kinds)
    if not said:
        return
    rows = []
    for webhook, listens in _WHO_LISTENS.all(connection, {"campaign": campaign}):
        for entry, (about, at) in said.items():
            wanted = [kind for kind in listens.split() if kind in about]
            if wanted:
                rows.append(_row(campaign, webhook, entry, " ".join(wanted), at))
    _ADD.write(connection, rows)


def _row(campaign: str, webhook: str, entry: int, about: str, at: str) -> tuple[Any, ...]:
    values = {
        "campaign_id": campaign, "webhook": webhook, "entry": entry, "about": about, "made_at": at,
        "tries": 0, "parts_sent": 0, "next_try_at": at, "failure": None, "given_up_at": None,
    }  # fmt: skip
    return tuple(values[column.name] for column in webhook_outbox.c)


# --- the webhooks of a campaign -----------------------------------------------------------------------------


class Webhooks:
    """The webhooks of one database. Checks no rights."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str]) -> None:
        self._engine = engine
        self._now = clock

    def add(
        self,
        campaign: str,
        url: str,
        *,
        kind: Kind,
        about: Sequence[About] = (),
        by: str | None = None,
        once: str = "",
    ) -> Webhook:
        """Add a webhook for entries recorded from now on. The same `once`, a secret of the request, returns
        the same webhook. Raises WebhooksEnough.
        """
        key = signing_key(SECRET_PREFIX, campaign, once) if once else signing_key()
        made = Webhook(
            campaign=campaign,
            webhook=new_short_id("hook-"),
            kind=kind,
            url=url,
            secret=f"{SECRET_PREFIX}{key}",
            about=tuple(each for each in ABOUT if each in about) or ABOUT,
            made_at=self._now(),
            made_by=by,
        )
        its = select(campaign_webhooks).where(campaign_webhooks.c.campaign_id == campaign)
        with database.writing(self._engine) as connection:
            # One at a time, also if PostgreSQL gets two at once.
            connection.execute(select(heads.c.size).where(heads.c.campaign_id == campaign).with_for_update())
            rows = connection.execute(its).all()
            known = next((row for row in rows if row.secret == made.secret), None)
            if known is not None:
                before: Webhook = _record(Webhook, known)
                return before
            if len(rows) >= WEBHOOKS_MOST:
                raise WebhooksEnough
            connection.execute(insert(campaign_webhooks), _values(made))
        return made

    def of(self, campaign: str) -> tuple[Webhook, ...]:
        """The webhooks of a campaign, in the order of creation."""
        its = select(campaign_webhooks).where(campaign_webhooks.c.campaign_id == campaign)
        with database.reading(self._engine) as connection:
            rows = connection.execute(
                its.order_by(campaign_webhooks.c.made_at, campaign_webhooks.c.webhook)
            ).all()
        return tuple(_record(Webhook, row) for row in rows)

    def webhook(self, campaign: str, name: str) -> Webhook:
        """A webhook. Raises UnknownWebhook."""
        every = self.of(campaign)
        found = next((webhook for webhook in every if webhook.webhook == name), None)
        if found is None:
            raise UnknownWebhook(webhook=name, known=tuple(webhook.webhook for webhook in every))
        return found

    def remove(self, campaign: str, name: str) -> Webhook:
        """Remove a webhook and its waiting posts. Raises UnknownWebhook."""
        gone = self.webhook(campaign, name)
        with database.writing(self._engine) as connection:
            for table in (webhook_outbox, campaign_webhooks):
                connection.execute(
                    delete(table).where(table.c.campaign_id == campaign, table.c.webhook == name)
                )
        return gone

    def unsent(self, campaign: str, name: str) -> tuple[Delivery, ...]:
        """The waiting posts of a webhook, and the newest ones that were given up."""
        its = select(webhook_outbox).where(
            webhook_outbox.c.campaign_id == campaign, webhook_outbox.c.webhook == name
        )
        waiting = its.where(webhook_outbox.c.given_up_at.is_(None)).order_by(webhook_outbox.c.entry)
        failed = its.where(webhook_outbox.c.given_up_at.is_not(None)).order_by(webhook_outbox.c.entry.desc())
        with database.reading(self._engine) as connection:
            rows = [
                *reversed(connection.execute(failed.limit(FAILED_SHOWN)).all()),
                *connection.execute(waiting).all(),
            ]
        return tuple(_record(Delivery, row) for row in rows)


# --- posting ------------------------------------------------------------------------------------------------


class Outbox:
    """The due posts, for the sender that leases them first."""

    def __init__(self, engine: Engine, *, clock: Callable[[], str], jitter: Callable[[], float]) -> None:
        self._engine = engine
        self._now = clock
        self._jitter = jitter
        """A factor from a half to one, so that posts that failed together are not retried together."""

    def due(self) -> tuple[Delivery, ...]:
        """The oldest post of each webhook, if it is due: posts go out in the order of the log."""
        outbox = webhook_outbox.c
        oldest = (
            select(outbox.campaign_id, outbox.webhook, func.min(outbox.entry).label("entry"))
            .where(outbox.given_up_at.is_(None))
            .group_by(outbox.campaign_id, outbox.webhook)
            .subquery()
        )
        query = select(webhook_outbox).join(
            oldest,
            (outbox.campaign_id == oldest.c.campaign_id)
            & (outbox.webhook == oldest.c.webhook)
            & (outbox.entry == oldest.c.entry),
        )
        elsewhere = campaign_fences.c.campaign_id == outbox.campaign_id
        query = query.where(outbox.next_try_at <= self._now()).order_by(outbox.next_try_at)
        query = query.where(~exists().where(elsewhere, campaign_fences.c.kind != "held"))
        with database.reading(self._engine) as connection:
            return tuple(_record(Delivery, row) for row in connection.execute(query))

    def take(self, delivery: Delivery) -> tuple[Webhook, Delivery] | None:
        """Lease a post with its webhook; None if another sender leased it, or it is gone."""
        held = later(self._now(), HELD)
        with database.writing(self._engine) as connection:
            seen = update(webhook_outbox).where(
                *_its(delivery),
                webhook_outbox.c.next_try_at == delivery.next_try_at,
                webhook_outbox.c.tries == delivery.tries,
            )
            taken = connection.execute(seen.values(next_try_at=held, tries=delivery.tries + 1)).rowcount
            if taken != 1:
                return None
            row = connection.execute(select(campaign_webhooks).where(*_of_webhook(delivery))).one_or_none()
        if row is None:
            return None
        return _record(Webhook, row), replace(delivery, tries=delivery.tries + 1, next_try_at=held)

    def part_sent(self, delivery: Delivery, parts: int) -> None:
        """Record that `parts` of its messages arrived, so that they are not posted again."""
        with database.writing(self._engine) as connection:
            connection.execute(
                update(webhook_outbox)
                .where(*_its(delivery))
                .values(parts_sent=parts, next_try_at=later(self._now(), HELD))
            )

    def sent(self, delivery: Delivery) -> None:
        """Record that all of it arrived."""
        with database.writing(self._engine) as connection:
            connection.execute(delete(webhook_outbox).where(*_its(delivery)))
            connection.execute(
                update(campaign_webhooks)
                .where(*_of_webhook(delivery))
                .values(sent=campaign_webhooks.c.sent + 1, last_sent_at=self._now(), failure=None)
            )

    def failed(self, delivery: Delivery, why: str, *, wait_seconds: float = 0.0) -> None:
        """Record a failure: it is retried, later each time, and given up in the end. `wait_seconds` is the
        wait that the receiver asked for.
        """
        now = self._now()
        growing = FIRST_WAIT_SECONDS * 2 ** min(delivery.tries, 20)
        seconds = max(min(growing, LONGEST_WAIT_SECONDS) * self._jitter(), wait_seconds)
        next_try = later(now, timedelta(seconds=max(1, round(min(seconds, LONGEST_WAIT_SECONDS)))))
        over = next_try > later(delivery.made_at, GIVEN_UP_AFTER)
        values = {"failure": why, "next_try_at": None if over else next_try}
        with database.writing(self._engine) as connection:
            connection.execute(
                update(webhook_outbox)
                .where(*_its(delivery))
                .values(**values, given_up_at=now if over else None)
            )
            connection.execute(
                update(campaign_webhooks)
                .where(*_of_webhook(delivery))
                .values(last_failed_at=now, failure=why)
            )

    def gone(self, delivery: Delivery, why: str) -> None:
        """Record that the address no longer exists, and stop posting there."""
        now = self._now()
        waiting = (
            webhook_outbox.c.campaign_id == delivery.campaign,
            webhook_outbox.c.webhook == delivery.webhook,
            webhook_outbox.c.given_up_at.is_(None),
        )
        with database.writing(self._engine) as connection:
            connection.execute(
                update(webhook_outbox).where(*waiting).values(failure=why, next_try_at=None, given_up_at=now)
            )
            connection.execute(
                update(campaign_webhooks)
                .where(*_of_webhook(delivery))
                .values(last_failed_at=now, failure=why, gone_at=now)
            )


def _its(delivery: Delivery) -> tuple[Any, ...]:
    its = webhook_outbox.c
    return (
        its.campaign_id == delivery.campaign, its.webhook == delivery.webhook, its.entry == delivery.entry,
    )  # fmt: skip


def _of_webhook(delivery: Delivery) -> tuple[Any, ...]:
    its = campaign_webhooks.c
    return its.campaign_id == delivery.campaign, its.webhook == delivery.webhook


def _values(webhook: Webhook) -> dict[str, Any]:
    return record_rows.values_of(webhook) | {"about": " ".join(webhook.about)}


def _record(kind: Any, row: Row[Any]) -> Any:
    return record_rows.record_of(kind, row, about=tuple(str(row.about).split()))
