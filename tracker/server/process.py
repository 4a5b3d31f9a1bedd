"""Starts and stops the processes of the service.

A process that is asked to stop takes no further requests, ends its streams, waits a limited time for running
requests, and then exits. The database rolls back an unfinished write: an entry is there whole or not at all.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from multiprocessing import connection
from types import FrameType
from typing import Final, NamedTuple

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors.multiprocess import Multiprocess

from tracker.errors import BadInput
from tracker.server import discord_sign_in, logs, metrics, request_limits
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.rate_limits import NoLimits, PerMinute
from tracker.server.settings import Settings
from tracker.server.worker_processes import WorkerPool, WorkLimits
from tracker.service.application import Tracker

_AT_LAST: Final = 1.8
"""A stop takes as long as requests are given, and a share of that for the rest: nine seconds by default."""
_STOPS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGBREAK") if hasattr(signal, name)
)
_BACKLOG: Final = 2048
_HEALTH_SECONDS: Final = 30
"""The seconds in which a process must answer its supervisor; generous, because many may share a processor."""


class PortTaken(BadInput):
    """{host}:{port} cannot be listened on: {why}. Name another port with --port, or stop the program that
    uses it.
    """

    host: str
    port: int
    why: str


class OneWriterPerFile(BadInput):
    """An SQLite file has one writer at a time. Of several processes, some would wait for seconds and be
    refused in the end. Serve it with --workers 1, or keep the campaigns in PostgreSQL.
    """


class ApplicationFactory(NamedTuple):
    """Makes the application in whichever process runs it."""

    url: str
    actor: str
    address: str
    """The address at which people reach the service."""
    settings: Settings

    def __call__(self) -> FastAPI:
        """The application over a database of its own."""
        logs.settle(as_json=self.settings.log_json)
        tracker = Tracker(self.url, actor=self.actor, make=False)
        settings = self.settings
        limits = NoLimits() if settings.no_limits else PerMinute()
        work = WorkerPool(
            self.url, WorkLimits(settings.work_processes, settings.work_seconds, settings.work_megabytes)
        )
        return application(
            tracker,
            MemberAccess(tracker, limits, closed=settings.closed),
            address=self.address,
            discord=discord_sign_in.from_environment(),
            work=work,
            at_start=self.started,
        )

    def started(self, app: FastAPI) -> None:
        """In the main thread of its process: end live streams on a stop signal, and stop with the
        supervisor.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        if multiprocessing.parent_process() is not None:
            threading.Thread(target=_stop_with_parent, daemon=True).start()
        loop = asyncio.get_running_loop()
        for number in _STOPS:
            before = signal.getsignal(number)

            def stop(number: int, frame: FrameType | None, before: object = before) -> None:
                loop.call_soon_threadsafe(app.state.live.stop)
                _end_at_last(self.settings.grace_seconds * _AT_LAST)
                if callable(before):
                    before(number, frame)

            signal.signal(number, stop)


def _end_at_last(seconds: float) -> None:
    ending = threading.Timer(seconds, os._exit, [0])
    ending.daemon = True
    ending.start()


def _stop_with_parent() -> None:
    """Stop the process once its supervisor is gone, because nothing else would."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a supervised process has a parent"
    connection.wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections. Raises PortTaken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two programs have one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)  # early connections wait for the application
    except OSError as wrong:
        listener.close()
        raise PortTaken(host=host, port=port, why=wrong.strerror or str(wrong)) from wrong
    listener.set_inheritable(True)
    return listener


def run(made: ApplicationFactory, listener: socket.socket) -> None:
    """Serve until asked to stop."""
    settings = made.settings
    config = uvicorn.Config(
        made.__call__,
        factory=True,
        http=request_limits.HeaderLimits,
        workers=settings.workers,
        log_config=None,
        log_level="info" if settings.workers > 1 else "warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=settings.grace_seconds,
        timeout_worker_healthcheck=_HEALTH_SECONDS,
    )
    signal.signal(signal.SIGTERM, _asked_to_stop)  # the server raises it again when everything is done
    if settings.workers == 1:
        server = uvicorn.Server(config)
        server.run(sockets=[listener])
        if not server.started:
            sys.exit(1)
        return
    with tempfile.TemporaryDirectory(prefix="arbitrator-numbers-", ignore_cleanup_errors=True) as numbers:
        os.environ[metrics.SHARED_FOLDER] = numbers
        Supervisor(config, sockets=[listener]).run()


class Supervisor(Multiprocess):
    """Keeps as many processes as were asked for."""

    def keep_subprocess_alive(self) -> None:
        """Replace processes that ended.

        Closes this process's copy of each pipe's other end, so that a process that dies while it is asked for
        its state breaks the pipe, instead of seeming slow.
        """
        for process in self.processes:
            process.child_conn.close()
        super().keep_subprocess_alive()


def _asked_to_stop(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the server has stopped already."""
