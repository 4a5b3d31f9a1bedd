"""A clock for tests of what lasts, expires or is asked later."""

from datetime import timedelta

from tracker.service.clock import later


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = "2026-03-01T20:00:00Z"

    def __call__(self) -> str:
        return self.at

    def pass_by(self, **times: float) -> None:
        self.at = later(self.at, timedelta(**times))
