"""Defers Ctrl-C while it must not interrupt."""

import _signal  # type: ignore[import-not-found]  # `signal` looks up an enum for each handler, which is slow
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Defer Ctrl-C until this block has ended; an exception of the block takes precedence."""
    handler = _signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # only the main thread gets signals; an ignored one stays ignored
        return
    signals: list[tuple[int, Any]] = []
    _signal.signal(signal.SIGINT, lambda *signalled: signals.append(signalled))
    try:
        yield
    finally:
        _signal.signal(signal.SIGINT, handler)
    if signals:
        handler(*signals[0])
