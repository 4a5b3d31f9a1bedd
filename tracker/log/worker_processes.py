"""Worker processes that share a long reading of a log.

They get their request on standard input, because an address may hold a password and others can read a command
line. They answer once, at their end.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine

import tracker
from tracker.log.database import in_memory


def is_shareable(engine: Engine) -> bool:
    """Whether another process finds this database by its address."""
    is_sqlite = engine.dialect.name == "sqlite"
    return not (is_sqlite and (in_memory(engine.url) or str(engine.url.database).startswith("file:")))


def start_worker(module: str, request: bytes) -> subprocess.Popen[bytes]:
    """Start a process that runs a module and reads its request from standard input."""
    # It finds this program in the same place.
    folder = str(Path(tracker.__file__).parent.parent)
    paths = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(  # noqa: S603  # this program itself
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert process.stdin is not None, "asked for"
    with suppress(BrokenPipeError), process.stdin as asked:  # it may have died already
        asked.write(request)
    process.stdin = None
    return process


def stop_worker(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait for its end."""
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
