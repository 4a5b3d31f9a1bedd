"""Webhook delivery: sends each request and records the result."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import tracker
from tracker.errors import Refusal
from tracker.records import Record
from tracker.service import webhook_client
from tracker.service.webhooks import SECRET_PREFIX, Delivery, Outbox, Webhook

GONE: Final = {"discord": frozenset({404, 410}), "json": frozenset({410})}
"""The statuses of a deleted address. Discord answers 404 for a webhook that was deleted there."""


class WebhookPost(Record):
    """One request."""

    body: bytes
    media_type: str
    id: str
    """An id that is the same for every attempt."""


class PostingResult(Record):
    """The number of entries that were posted, and of those that failed."""

    posted: int = 0
    failed: int = 0


Write = Callable[[Webhook, Delivery], Sequence[WebhookPost]]
"""Returns the requests about an entry; raises Refusal if the log cannot be read."""


def post_due(
    outbox: Outbox,
    write: Write,
    *,
    allowed: frozenset[str],
    post: Callable[..., webhook_client.WebhookResponse] = webhook_client.post,
    stopping: Callable[[], bool] = lambda: False,
) -> PostingResult:
    """Post everything that is due, each webhook in the order of the log."""
    posted = failed = 0
    while True:
        due = outbox.due()
        tried = 0
        for delivery in due:
            if stopping():
                return PostingResult(posted=posted, failed=failed)
            taken = outbox.take(delivery)
            if taken is None:
                continue
            tried += 1
            if _post(outbox, *taken, write, lambda url, body, headers: post(url, body, headers, allowed)):
                posted += 1
            else:
                failed += 1
        if not tried:
            return PostingResult(posted=posted, failed=failed)


def _post(
    outbox: Outbox,
    webhook: Webhook,
    delivery: Delivery,
    write: Write,
    post: Callable[[str, bytes, dict[str, str]], webhook_client.WebhookResponse],
) -> bool:
    """Post all messages of an entry; returns whether all of them arrived."""
    try:
        requests = write(webhook, delivery)
    except Refusal as refusal:
        outbox.failed(delivery, f"it could not be written: {refusal.code}")
        return False
    for number, posting in enumerate(requests, start=1):
        if number <= delivery.parts_sent:
            continue
        try:
            answer = post(_url(webhook), posting.body, _headers(webhook, posting))
        except webhook_client.Unreachable as unreachable:
            outbox.failed(delivery, str(unreachable))
            return False
        except webhook_client.WebhookNotUsable as refused:
            outbox.failed(delivery, refused.why)
            return False
        if answer.status in GONE[webhook.kind]:
            outbox.gone(delivery, f"it no longer exists (HTTP {answer.status})")
            return False
        if not 200 <= answer.status < 300:
            wait = retry_seconds(answer.retry_after)
            outbox.failed(delivery, f"it answered HTTP {answer.status}", wait_seconds=wait)
            return False
        outbox.part_sent(delivery, number)
    outbox.sent(delivery)
    return True


def _url(webhook: Webhook) -> str:
    """The address; Discord confirms a message only if the query asks it to wait."""
    if webhook.kind != "discord":
        return webhook.url
    parts = urlsplit(webhook.url)
    query = f"{parts.query}&wait=true" if parts.query else "wait=true"
    return urlunsplit(parts._replace(query=query, fragment=""))


def _headers(webhook: Webhook, posting: WebhookPost) -> dict[str, str]:
    headers = {
        "Content-Type": posting.media_type,
        "User-Agent": f"arbitrator/{tracker.__version__}",
        "webhook-id": posting.id,
    }
    if webhook.kind == "json":
        headers |= signed(posting, webhook.secret, int(datetime.now(UTC).timestamp()))
    return headers


def signed(posting: WebhookPost, secret: str, at: int) -> dict[str, str]:
    """The signature headers of a request, by the shared key (Standard Webhooks)."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    said = b".".join([posting.id.encode(), str(at).encode(), posting.body])
    signature = base64.b64encode(hmac.new(key, said, hashlib.sha256).digest()).decode()
    return {"webhook-timestamp": str(at), "webhook-signature": f"v1,{signature}"}


def retry_seconds(header: str | None) -> float:
    """The wait that the receiver asks for, in seconds; reads seconds or a date."""
    if not header:
        return 0.0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, (until - datetime.now(until.tzinfo or UTC)).total_seconds())
