"""Webhooks as pages. An address is never shown in full, and a key only when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.reports.cards import counted
from tracker.reports.log import when
from tracker.reports.page import DataTable, Page, Text
from tracker.service.webhooks import GIVEN_UP_AFTER, Delivery, Webhook


def webhooks_page(webhooks: Sequence[Webhook]) -> Page:
    """Every webhook of a campaign on one line."""
    columns = ("Webhook", "Kind", "To", "About", "Posted", "State")
    rows = [
        (
            webhook.webhook,
            webhook.kind,
            webhook.place,
            ", ".join(webhook.about),
            webhook.sent,
            _state(webhook),
        )
        for webhook in webhooks
    ]
    none = "No webhooks: 'arbitrator webhook add' makes one."
    return Page(
        schema="webhooks",
        blocks=lambda: [[DataTable(columns, rows) if rows else Text([none])]],
        data=lambda: {"webhooks": [_data(webhook) for webhook in webhooks]},
    )


def webhook_page(webhook: Webhook, unsent: Sequence[Delivery]) -> Page:
    """One webhook with the posts that wait or were given up."""
    last = "never" if webhook.last_sent_at is None else when(webhook.last_sent_at)
    lines = [
        f"{webhook.webhook} ({webhook.kind}), to {webhook.place}: {', '.join(webhook.about)}",
        f"Posted: {webhook.sent}, last {last}. {_sentence(webhook)}",
    ]
    columns = ("Entry", "About", "Tries", "State", "Why")
    rows = [
        (
            delivery.entry,
            ", ".join(delivery.about),
            delivery.tries,
            _delivery_state(delivery),
            delivery.failure or "",
        )
        for delivery in unsent
    ]
    return Page(
        schema="webhook",
        blocks=lambda: [[Text(lines)], [DataTable(columns, rows) if rows else Text(["Nothing waits."])]],
        data=lambda: {"webhook": _data(webhook), "unsent": [_delivery_data(delivery) for delivery in unsent]},
    )


def made_webhook_page(webhook: Webhook) -> Page:
    """A new webhook, with the key for posts to a program."""
    lines = [f"{webhook.webhook} posts to {webhook.place} from now on: {', '.join(webhook.about)}."]
    data: dict[str, Any] = {"webhook": _data(webhook)}
    if webhook.kind == "json":
        lines += [webhook.secret, "What is posted is signed with this key. It is shown this once."]
        data["secret"] = webhook.secret
    return Page(schema="webhook-made", blocks=lambda: [[Text(lines)]], data=lambda: data)


def removed_webhook_page(webhook: Webhook) -> Page:
    """A removed webhook."""
    line = f"{webhook.webhook} is removed: nothing is posted to {webhook.place} any more."
    return Page(
        schema="webhook-removed", blocks=lambda: [[Text([line])]], data=lambda: {"webhook": webhook.webhook}
    )


def posted_page(posted: int, failed: int) -> Page:
    """The result of posting once."""
    line = f"Posted about {counted(posted, 'entry', 'entries')}, not about {failed}."
    if failed:
        line += " See 'arbitrator webhook list'; it is tried again."
    return Page(
        schema="webhook-sent",
        blocks=lambda: [[Text([line])]],
        data=lambda: {"posted": posted, "failed": failed},
    )


def _state(webhook: Webhook) -> str:
    if webhook.gone_at is not None:
        return "gone"
    return "failing" if webhook.failure else "works" if webhook.sent else "new"


def _sentence(webhook: Webhook) -> str:
    if webhook.gone_at is not None:
        return f"Off since {when(webhook.gone_at)}: {webhook.failure}. Remove it and add another."
    if webhook.failure is not None and webhook.last_failed_at is not None:
        days = GIVEN_UP_AFTER.days
        return f"Failed {when(webhook.last_failed_at)}: {webhook.failure}. It is tried for {days} days."
    return ""


def _delivery_state(delivery: Delivery) -> str:
    if delivery.given_up_at is not None:
        return "given up"
    return f"tried again {when(delivery.next_try_at)}" if delivery.tries and delivery.next_try_at else "waits"


def _data(webhook: Webhook) -> dict[str, Any]:
    return {
        "webhook": webhook.webhook,
        "kind": webhook.kind,
        "to": webhook.place,
        "about": list(webhook.about),
        "made_at": webhook.made_at,
        "made_by": webhook.made_by,
        "posted": webhook.sent,
        "last_posted_at": webhook.last_sent_at,
        "last_failed_at": webhook.last_failed_at,
        "failure": webhook.failure,
        "state": _state(webhook),
    }


def _delivery_data(delivery: Delivery) -> dict[str, Any]:
    return {
        "entry": delivery.entry,
        "about": list(delivery.about),
        "tries": delivery.tries,
        "next_try_at": delivery.next_try_at,
        "failure": delivery.failure,
        "given_up_at": delivery.given_up_at,
    }
