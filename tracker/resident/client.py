"""Handing a command over to the resident, where there is one: words, folder, streams, signals.

Imports nothing of this program, and little else: reading in is what is to be saved.
"""

from __future__ import annotations

import os
import sys
from zlib import crc32

NEVER = frozenset({"serve", "daemon"})
"""Commands that stay, and that the resident is managed with."""
OFF = "TRACKER_NO_DAEMON"
SAME_VARIABLES = ("LANG", "LANGUAGE", "LC_", "PYTHON", "TZ")
"""How variables begin that a program reads once, as it starts: the resident's must be the same."""
TAKEN, NOT_TAKEN = b"+", b"-"
ENDED = b"="
KILLED = 137
_LOST = (
    "\nThe command was killed, and nobody knows how far it came. 'arbitrator log show' says what is recorded;"
    " a report that is sent again counts once.\n"
)


def socket_of_resident() -> str:
    """Where this user's resident listens that runs this very program."""
    home = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_CACHE_HOME")
    home = home or os.path.join(os.path.expanduser("~"), ".cache")  # noqa: PTH111, PTH118  # pathlib takes as long as all of this
    program = f"{sys.executable}\n{os.path.dirname(__file__)}\n{sys.version}"  # noqa: PTH120
    return os.path.join(home, "campaign-tracker", f"resident-{crc32(os.fsencode(program)):08x}.sock")  # noqa: PTH118


def run_on_resident(arguments: list[str]) -> int | None:
    """The exit code of the command, run by the resident; None where it is to be run here."""
    if os.environ.get(OFF) or NEVER & {*arguments} or not hasattr(os, "getuid"):
        return None
    place = socket_of_resident()
    try:
        folder = os.stat(os.path.dirname(place))  # noqa: PTH116, PTH120
        listening = os.stat(place)  # noqa: PTH116
    except OSError:
        return None
    mine = folder.st_uid == listening.st_uid == os.getuid()
    if not mine or (folder.st_mode | listening.st_mode) & 0o077:
        return None
    try:
        for stream in (0, 1, 2):
            os.fstat(stream)
    except OSError:  # a stream that is closed cannot be handed on
        return None
    return _request(place, arguments)


def _request(place: str, arguments: list[str]) -> int | None:
    import socket  # not above: most who start this have no resident

    def exactly(count: int) -> bytes:
        """So many bytes, or fewer where it is over."""
        received = b""
        while len(received) < count and (more := resident.recv(count - len(received))):
            received += more
        return received

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as resident:
        try:
            resident.settimeout(2)
            resident.connect(place)
            socket.send_fds(resident, [b"!"], [0, 1, 2])
            resident.sendall(_encoded_request(arguments))
            answer = resident.recv(1)
        except OSError:
            return None
        if answer != TAKEN:
            return None
        resident.settimeout(None)
        _forward_signals(int.from_bytes(exactly(4), "big"))
        end = exactly(1)
        if end != ENDED:
            sys.stderr.write(_LOST)
            return KILLED
        return int.from_bytes(exactly(1), "big")


def _encoded_request(arguments: list[str]) -> bytes:
    """Arguments, folder, file mode and environment, each with its length."""
    mask = os.umask(0o077)
    os.umask(mask)
    settings = [part for pair in os.environb.items() for part in pair]
    parts = [
        os.fsencode(os.getcwd()),  # noqa: PTH109
        b"%d" % mask,
        b"%d" % len(arguments),
        *map(os.fsencode, arguments),
        *settings,
    ]
    encoded = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return len(encoded).to_bytes(4, "big") + encoded


def _forward_signals(process: int) -> None:
    """What a terminal or the system says to this process is meant for the one that runs the command."""
    import signal  # not above: most who start this have no resident

    def passed(number: int, _frame: object) -> None:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            return  # it has ended; its exit code is on the way

    def stopped(_number: int, _frame: object) -> None:
        passed(signal.SIGSTOP, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        passed(signal.SIGCONT, None)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, passed)
    signal.signal(signal.SIGTSTP, stopped)
