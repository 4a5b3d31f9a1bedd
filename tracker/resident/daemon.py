"""`arbitrator daemon`: a process that has the program read in, and runs each command in a fork of itself.

It listens on a socket that only its user can open, takes from each command its words, folder, environment and
streams, and ends by itself when nobody asked for a while, or when the program's files change.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import pkgutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, TypeAlias

import click

import tracker
from tracker.cli import main, streams
from tracker.cli.options import show
from tracker.errors import BadInput, Stale
from tracker.resident import client
from tracker.rules import loader

MINUTES: Final = 15
_IMPORTED_PARTS: Final = (
    "cli",
    "documents",
    "reports",
    "service",
    "projections",
    "log",
    "campaign",
    "rules",
    "people",
)
"""The parts of the program that commands use; what few use is read in by these."""
_REQUEST_BYTES_MAX: Final = 8 * 1024 * 1024
_SECONDS: Final = 5.0
State: TypeAlias = dict[str, tuple[int, int]]
"""When each file was changed, and how long it is."""
_OPEN_STREAMS: Final[list[object]] = []
"""Standard streams that others stand on: what nothing holds any more is closed."""


class NoResidentHere(BadInput):
    """The daemon needs Linux or macOS (Unix sockets and fork). Commands work without it."""


class ResidentNotStarted(Stale):
    """The daemon did not start ({why}). Commands work without it."""

    why: str


@click.command("daemon")
@click.option("--stop", is_flag=True, help="Stop it.")
@click.option(
    "--minutes",
    type=click.IntRange(1, 24 * 60),
    default=MINUTES,
    show_default=True,
    help="Stop after this long without a command.",
)
def command(*, stop: bool, minutes: int) -> None:
    """Keep the program loaded, so that commands answer at once.

    It runs in the background, for you alone, and prints what the command would print. It ends when no command
    came for a while, or when the program's files change. TRACKER_NO_DAEMON=1 runs a command without it.

    \b
    arbitrator daemon
    arbitrator daemon --stop
    """
    if not (hasattr(os, "fork") and hasattr(socket, "AF_UNIX") and hasattr(socket, "send_fds")):
        raise NoResidentHere
    place = Path(client.socket_of_resident())
    runs = _process_at(place)
    if stop:
        if runs is not None:
            os.kill(runs, signal.SIGTERM)
            _wait_until_gone(place)
        show("It is ended." if runs is not None else "There was none.")
        return
    if runs is None:
        begin(place, seconds=60 * minutes)
        show(f"Commands are quick from now on. It ends {minutes} minutes after the last, or with --stop.")
    else:
        show("It runs already. 'arbitrator daemon --stop' ends it.")


def begin(place: Path, *, seconds: float) -> None:
    """Start it apart from this process, and wait until it listens. Raises ResidentNotStarted."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.parent.chmod(0o700)
        place.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            listening.bind(str(place))
        finally:
            os.umask(before)
        listening.listen(64)
    except OSError as error:
        raise ResidentNotStarted(why=error.strerror or str(error)) from error
    program = _state_of_files()
    sys.stdout.flush()
    sys.stderr.flush()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.chdir("/")
        _listen(listening, place, seconds, program)
    os.wait()
    listening.close()


def _process_at(place: Path) -> int | None:
    """The process that listens there, or none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(str(place))
        except OSError:
            return None
    for _ in range(200):  # it listens before it has read everything in
        with contextlib.suppress(OSError, ValueError):
            return int(_pid_file(place).read_text())
        time.sleep(0.05)
    return None


def _wait_until_gone(place: Path) -> None:
    for _ in range(200):
        if not place.exists():
            return
        time.sleep(0.01)


def _pid_file(place: Path) -> Path:
    return place.with_suffix(".pid")


def _listen(listening: socket.socket, place: Path, seconds: float, program: State) -> NoReturn:
    """Take one command after the other, until it is time to go."""
    signal.signal(signal.SIGTERM, lambda *_: _quit(place))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(
        signal.SIGCHLD, signal.SIG_IGN
    )  # nobody waits for them: their exit codes go to whoever began them
    _pid_file(place).write_text(str(os.getpid()))
    _import_program()
    gc.freeze()
    listening.settimeout(seconds)
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:  # nobody asked for so long
            _quit(place)
        if os.fork() == 0:
            listening.close()
            _serve(connection, program)
        connection.close()


def _quit(place: Path) -> NoReturn:
    for file in (place, _pid_file(place)):
        with contextlib.suppress(OSError):
            file.unlink()
    os._exit(0)


def _import_program() -> None:
    for part in _IMPORTED_PARTS:
        package = importlib.import_module(f"tracker.{part}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for book in loader.book_names():
        loader.book(book)


def _state_of_files() -> State:
    """When each file of the program, and each folder that libraries are installed in, was changed."""
    folders = [Path(folder) for folder in sys.path if folder]
    files = [file for file in Path(tracker.__file__).parent.rglob("*") if file.suffix in (".py", ".toml")]
    return {str(file): (stat.st_mtime_ns, stat.st_size) for file, stat in _file_stats([*files, *folders])}


def _file_stats(files: list[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    for file in files:
        with contextlib.suppress(OSError):
            yield file, file.stat()


# --- one command -----------------------------------------------------------------------------------------


class _CommandRequest(NamedTuple):
    """A command as it was typed elsewhere."""

    arguments: list[str]
    folder: bytes
    mask: int
    settings: dict[bytes, bytes]
    streams: list[int]


def _serve(connection: socket.socket, program: State) -> NoReturn:
    """In a fork: take the command and become the process that runs it."""
    resident = os.getppid()
    for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(ending, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        connection.settimeout(_SECONDS)
        request = _received_request(connection)
        is_same = program == _state_of_files()
        if not is_same:
            os.kill(resident, signal.SIGTERM)
        if not is_same or _startup_variables(request.settings) != _startup_variables(dict(os.environb)):
            connection.sendall(client.NOT_TAKEN)
            os._exit(0)
        os.chdir(request.folder)
        connection.sendall(client.TAKEN + os.getpid().to_bytes(4, "big"))
        connection.settimeout(None)
    except (OSError, ValueError, IndexError):  # who asked hears that nothing was taken: it is over
        os._exit(0)
    for number, descriptor in enumerate(request.streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.umask(request.mask)
    os.environb.clear()
    os.environb.update(request.settings)
    sys.argv = ["arbitrator", *request.arguments]
    _renew_streams()
    code = _run()
    with contextlib.suppress(OSError):
        connection.sendall(client.ENDED + bytes([code & 0xFF]))
    os._exit(0)


def _run() -> int:
    try:
        main.run()
    except SystemExit as over:
        code = over.code if isinstance(over.code, int) else int(over.code is not None)
    else:
        code = 0
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, streams.NotShown):
            stream.flush()
    return code


def _renew_streams() -> None:
    """Standard streams as Python makes them when it starts."""
    _OPEN_STREAMS.extend((sys.stdin, sys.stdout, sys.stderr))
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "r", closefd=False)), sys.stdin.encoding)
    sys.stdout = _output(1, sys.stdout.encoding, "strict")
    sys.stderr = _output(2, sys.stderr.encoding, "backslashreplace", line_buffering=True)
    _OPEN_STREAMS.extend((sys.stdin, sys.stdout, sys.stderr))


def _output(number: int, encoding: str, errors: str, *, line_buffering: bool = False) -> io.TextIOWrapper:
    raw = io.FileIO(number, "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding, errors, line_buffering=line_buffering or raw.isatty()
    )


def _received_request(connection: socket.socket) -> _CommandRequest:
    """Raises OSError, ValueError, IndexError for what is no request."""
    _, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
    count = int.from_bytes(_received_bytes(connection, 4), "big")
    if count > _REQUEST_BYTES_MAX or len(descriptors) != 3:
        raise ValueError
    parts = list(_parts(_received_bytes(connection, count)))
    end = 3 + int(parts[2])
    arguments = [os.fsdecode(word) for word in parts[3:end]]
    settings = dict(zip(parts[end::2], parts[end + 1 :: 2], strict=True))
    return _CommandRequest(
        arguments, folder=parts[0], mask=int(parts[1]), settings=settings, streams=descriptors
    )


def _parts(request: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(request):
        length = int.from_bytes(request[at : at + 4], "big")
        yield request[at + 4 : at + 4 + length]
        at += 4 + length


def _received_bytes(connection: socket.socket, count: int) -> bytes:
    received = bytearray()
    while len(received) < count:
        more = connection.recv(min(65_536, count - len(received)))
        if not more:
            raise OSError
        received += more
    return bytes(received)


def _startup_variables(settings: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """What a program reads once, as it starts."""
    prefixes = tuple(prefix.encode() for prefix in client.SAME_VARIABLES)
    return {name: value for name, value in settings.items() if name.startswith(prefixes)}
