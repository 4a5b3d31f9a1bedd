"""The clock: times as the log and the tables beside it keep them."""

from datetime import UTC, datetime, timedelta

FORM = "%Y-%m-%dT%H:%M:%SZ"


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).strftime(FORM)


def later(at: str, by: timedelta) -> str:
    """A time after another."""
    return (datetime.fromisoformat(at) + by).strftime(FORM)
