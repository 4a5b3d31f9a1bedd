"""Ctrl-C, held back for as long as it must not come."""

import _signal  # type: ignore[import-not-found]  # `signal` looks for an enum of each handler: that takes long
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Ctrl-C waits until this block has ended, and comes then; one that fails ends with its own failure."""
    handler = _signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # signals come to the main thread alone; one that is ignored stays ignored
        return
    signals: list[tuple[int, Any]] = []
    _signal.signal(signal.SIGINT, lambda *signalled: signals.append(signalled))
    try:
        yield
    finally:
        _signal.signal(signal.SIGINT, handler)
    if signals:
        handler(*signals[0])
