"""The posts to webhooks about an entry: chat messages, or a CloudEvent for programs.

Everything is as of that entry, so that a repeated post is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.reports import log, people
from tracker.reports.board_pages import battle_board_page
from tracker.reports.cloud_events import MEDIA_TYPE, cloud_event, source
from tracker.reports.discord import page_messages
from tracker.reports.names import Names
from tracker.reports.page import Page, Text
from tracker.reports.people import page_with_names
from tracker.reports.standings import standings_board_page
from tracker.service.application import Tracker
from tracker.service.as_of import AsOf
from tracker.service.webhook_delivery import WebhookPost
from tracker.service.webhooks import Delivery, Webhook

POSTED: Final = "entry.posted"
"""The type of posts to programs, after the program's own name."""


def webhook_posts(tracker: Tracker, webhook: Webhook, delivery: Delivery) -> list[WebhookPost]:
    """All requests about an entry, in order."""
    name = f"{webhook.webhook}-{delivery.entry}"
    if webhook.kind == "json":
        body = json.dumps(_for_programs(tracker, delivery), ensure_ascii=False).encode()
        return [WebhookPost(body=body, media_type=MEDIA_TYPE, id=name)]
    messages = [
        message
        for page in _pages(tracker, delivery)
        for message in page_messages(page_with_names(page, tracker.name_on))
    ]
    return [
        WebhookPost(
            # Text from players must not ping anybody.
            body=json.dumps({"content": message, "allowed_mentions": {"parse": []}}).encode(),
            media_type="application/json",
            id=f"{name}-{number}",
        )
        for number, message in enumerate(messages, start=1)
    ]


def _for_programs(tracker: Tracker, delivery: Delivery) -> dict[str, Any]:
    events = tracker.repository.store.read_entry(delivery.campaign, delivery.entry)
    bodies = [json.loads(event.body) for event in events]
    state = tracker.repository.state(delivery.campaign)
    return cloud_event(
        name=f"entry-{delivery.entry}",
        source=source(delivery.campaign),
        kind=POSTED,
        subject=str(delivery.entry),
        time=bodies[0]["at"],
        data={
            "campaign": delivery.campaign,
            "name": state.name,
            "entry": delivery.entry,
            "about": list(delivery.about),
            "events": bodies,
        },
    )


def _pages(tracker: Tracker, delivery: Delivery) -> Iterator[Page]:
    entry = tracker.repository.log.entry(delivery.campaign, delivery.entry)
    closed = next(
        (recorded.event for recorded in entry if isinstance(recorded.event, records.BattleClosed)), None
    )
    if closed is not None and "battles" in delivery.about:
        board = tracker.boards.battle(delivery.campaign, closed.battle, as_of_entry=delivery.entry)
        yield battle_board_page(board)
    if {"disputes", "rulings"} & {*delivery.about}:
        yield _dispute_or_ruling(tracker, delivery, entry)
    if "standings" in delivery.about:
        yield _standings(tracker, delivery)


def _standings(tracker: Tracker, delivery: Delivery) -> Page:
    point = AsOf(clock="entry", value=str(delivery.entry))
    heading = f"{tracker.repository.state(delivery.campaign).name}: standings"
    return standings_board_page(tracker.boards.standings(delivery.campaign, point), heading=heading)


def _dispute_or_ruling(tracker: Tracker, delivery: Delivery, entry: tuple[RecordedEvent, ...]) -> Page:
    """A dispute or a ruling, as the log shows it."""
    state = tracker.repository.state(delivery.campaign)
    at = entry[0].at
    line = people.in_text(log.happened(entry, Names.of_state(state)), at)
    kind = "ruling" if "rulings" in delivery.about else "dispute"
    title = f"{state.name}: {kind}, entry {delivery.entry}"
    return Page(schema="posting", title=title, blocks=lambda: [[Text([line])]], data=dict)
