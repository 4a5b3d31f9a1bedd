"""Standard input, output and error as the command uses them: what happens when one is closed, full or gone.

Knows streams and Ctrl-C. Knows no command.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import signal
import sys
from types import FrameType
from typing import Any, TextIO

ESCAPED = "arbitrator.escaped"


class NotShown(Exception):
    """Standard output takes no more."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why


def settle() -> None:
    """Wrap the streams so that a fault raises NotShown, and let Ctrl-C interrupt only once."""
    codecs.register_error(ESCAPED, _escaped)
    _fill_closed()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(_Closed()))
    sys.stdout = _stream(sys.stdout, tell=True)
    sys.stderr = _stream(sys.stderr, tell=False)
    if callable(signal.getsignal(signal.SIGINT)):
        signal.signal(signal.SIGINT, _stop)


def refuse_unread() -> None:
    """Raise NotShown if a pipe's reader left before everything was written."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Output) and raw.reader_left:
        raise NotShown("nobody reads it any more")


def no_more_stops() -> None:
    """Ignore Ctrl-C from now on: the answer is final."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    no_more_stops()  # a second one would interrupt the end that the first one began
    raise KeyboardInterrupt


def _fill_closed() -> None:
    """Open closed standard streams: otherwise the database could get the number of standard output."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _stream(stream: TextIO | None, *, tell: bool) -> TextIO:
    buffer = getattr(stream, "buffer", None)
    if stream is not None and buffer is None:
        return stream  # not the system's stream, but a replacement
    raw = getattr(buffer, "raw", buffer) or _Closed()  # unbuffered, the buffer is the raw end itself
    return io.TextIOWrapper(
        io.BufferedWriter(_Output(raw, tell=tell)),
        encoding=getattr(stream, "encoding", "utf-8"),
        errors=ESCAPED,
        line_buffering=getattr(stream, "line_buffering", False),
    )


class _Closed(io.RawIOBase):
    """A stream that was closed before the command began."""

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, _buffer: Any) -> int:
        raise OSError(errno.EBADF, "it is closed")

    def write(self, _data: Any) -> int:
        raise OSError(errno.EBADF, "it is closed")


class _Output(io.RawIOBase):
    """A raw output that raises at most once if it cannot be written.

    After that it discards everything, or Python would raise again at exit. A pipe's reader may leave at any
    time: the command still goes on to its end.
    """

    def __init__(self, raw: io.RawIOBase, *, tell: bool) -> None:
        super().__init__()
        self._raw = raw
        self._tell = tell
        self._gone = False
        self.reader_left = False

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._raw.isatty()

    def fileno(self) -> int:
        return self._raw.fileno()

    def write(self, data: Any) -> int:
        if self._gone:
            return len(data)
        try:
            while (written := self._raw.write(data)) is None:  # somebody set it not to wait by itself
                select.select((), (self._raw.fileno(),), ())
        except OSError as error:
            self._gone = True
            self.reader_left = isinstance(error, BrokenPipeError)
            if self._tell and not self.reader_left:
                raise NotShown(error.strerror or "no reason given") from error
            return len(data)
        return written


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Writes letters that a stream's encoding lacks as JSON escapes, which a program can still read."""
    assert isinstance(error, UnicodeEncodeError), "only what is written is escaped"
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end
