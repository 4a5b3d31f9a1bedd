"""CloudEvents 1.0, structured as JSON: recorded events for other programs."""

from __future__ import annotations

import json
from typing import Any, Final

MEDIA_TYPE: Final = "application/cloudevents+json"
BATCH_MEDIA_TYPE: Final = "application/cloudevents-batch+json"
VERSION: Final = "1.0"
TYPES: Final = "arbitrator."
"""The prefix of every `type` of ours."""


def source(campaign: str) -> str:
    """The source of a campaign's events, the same wherever it is served."""
    return f"urn:arbitrator:campaign:{campaign}"


def cloud_event(
    *, name: str, source: str, kind: str, subject: str, time: str, data: Any, **extensions: str
) -> dict[str, Any]:
    """One event with its attributes. `source` and `name` together are unique."""
    return {
        "specversion": VERSION,
        "id": name,
        "source": source,
        "type": f"{TYPES}{kind}",
        "subject": subject,
        "time": time,
        "datacontenttype": "application/json",
        **extensions,
        "data": data,
    }


def as_cloud_event(campaign: str, seq: int, body: bytes) -> dict[str, Any]:
    """An event of the log. Its `data` is the stored JSON, so that somebody with all events can verify
    them.
    """
    stored = json.loads(body)
    return cloud_event(
        name=stored["id"],
        source=source(campaign),
        kind=stored["type"],
        subject=str(stored["entry"]),
        time=stored["at"],
        data=stored,
        sequence=f"{seq + 1:012d}",  # CloudEvents' extension of that name: it sorts as text
    )
