"""Processes of their own that cost no start: forks of this one, which has everything imported.

A command that is started anew spends a second of processor time on its imports. A fork has its own streams, its own
environment and its own end, as one that was started.
"""

import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, NoReturn

from tracker.cli import main

SECONDS_MAX = 60
_REDIRECTED = re.compile(r"([012]?)([<>])(&-|.+)")


class Forked:
    """A process under way. Its standard input is empty unless `streams` says otherwise."""

    def __init__(
        self,
        run: Callable[[], object],
        environment: Mapping[str, str] | None = None,
        *,
        redirected: str = "",
        streams: Mapping[int, int] | None = None,
    ) -> None:
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  # closed when read
        self.process = os.fork()
        if not self.process:
            files = {1: self._out.fileno(), 2: self._err.fileno(), **(streams or {})}
            _live(run, dict(os.environ if environment is None else environment), redirected, files)

    def ended(self) -> subprocess.CompletedProcess[bytes]:
        """Its exit code, and what it wrote."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return subprocess.CompletedProcess([], code, _read(self._out), _read(self._err))


def command(words: Sequence[str], environment: Mapping[str, str], **how: Any) -> Forked:
    """The command line with these words. `redirected` is said as to a shell: '>&- 2>/dev/full'."""
    return Forked(lambda: _typed(words), environment, **how)


def program(text: str, words: Sequence[str], environment: Mapping[str, str]) -> Forked:
    """Other code, as after `python -c`."""

    def run() -> None:
        sys.argv = ["-c", *words]
        exec(compile(text, "-c", "exec"), {"__name__": "__main__"})  # noqa: S102  # a test's own

    return Forked(run, environment)


def at_once(works: Sequence[Callable[[], object]]) -> list[tuple[int, str]]:
    """Each in a process of its own, all at the same time: what each left with, and what it complained of."""
    ended = [process.ended() for process in [Forked(work) for work in works]]
    return [(done.returncode, done.stderr.decode()) for done in ended]


def _typed(words: Sequence[str]) -> None:
    sys.argv = ["arbitrator", *words]
    main.run()


def _read(file: IO[bytes]) -> bytes:
    with file:
        file.seek(0)
        return file.read()


def _live(
    run: Callable[[], object], environment: Mapping[str, str], redirected: str, files: Mapping[int, int]
) -> NoReturn:
    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS_MAX)  # what hangs is ended, and the test says so
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(environment)
        _redirect({0: os.open(os.devnull, os.O_RDONLY), **files}, redirected)
        _open_streams()
        run()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001  # as Python itself ends
        with suppress(Exception):
            traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(code)


def _redirect(files: Mapping[int, int], redirected: str) -> None:
    for number, file in files.items():
        os.dup2(file, number)
    for word in redirected.split():
        said = _REDIRECTED.fullmatch(word)
        assert said is not None, word
        number = int(said[1] or (said[2] == ">"))
        os.close(number)
        if said[3] != "&-":
            opened = os.open(said[3], os.O_WRONLY if said[2] == ">" else os.O_RDONLY)
            os.dup2(opened, number)


def _open_streams() -> None:
    """As Python does when it starts: of what is closed there is none."""
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")
    sys.stdin = sys.__stdin__ = _stream(0, "r", encoding, errors or "strict")  # type: ignore[assignment, misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w", encoding, errors or "strict")  # type: ignore[assignment, misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w", encoding, "backslashreplace")  # type: ignore[assignment, misc]


def _stream(number: int, mode: str, encoding: str, errors: str) -> io.TextIOWrapper | None:
    try:
        os.fstat(number)
    except OSError:
        return None
    raw = io.FileIO(number, mode, closefd=False)
    buffer = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw)
    return io.TextIOWrapper(
        buffer, encoding=encoding, errors=errors, line_buffering=number == 2 or raw.isatty()
    )
