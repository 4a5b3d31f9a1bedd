"""Files that a command makes for a remote caller: collected for the answer, not written on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tracker.errors import BadInput

BYTES_MAX = 64 * 1024 * 1024

_COLLECTED: ContextVar[dict[str, bytes] | None] = ContextVar("made", default=None)


class AnswerTooLarge(BadInput):
    """{file} would take more than {most} MiB, too much for one answer. Ask for the archive itself: GET
    /v1/campaigns/CAMPAIGN/archive.
    """

    file: str
    most: int = BYTES_MAX // 2**20


@contextmanager
def collecting() -> Iterator[dict[str, bytes]]:
    """What is made within, by the name that it was asked for under."""
    files: dict[str, bytes] = {}
    token = _COLLECTED.set(files)
    try:
        yield files
    finally:
        _COLLECTED.reset(token)


def is_collecting() -> bool:
    """Whether files are made for somebody elsewhere."""
    return _COLLECTED.get() is not None


def collect(name: str, content: bytes) -> bool:
    """Keep a file for who asked from afar; False where it is to be written here. Raises AnswerTooLarge."""
    files = _COLLECTED.get()
    if files is None:
        return False
    if sum(map(len, files.values())) + len(content) > BYTES_MAX:
        raise AnswerTooLarge(file=name)
    files[name] = content
    return True
