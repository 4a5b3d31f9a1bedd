"""Worker processes for long reads, so that no request starves the others.

A limited number run at once, each with limits on time and memory; the others wait in a queue, for a limited
time. A process that is killed or crashes is replaced. Each has the database open read-only.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

import click

from tracker.errors import BadInput, Refusal, Stale
from tracker.server import problems
from tracker.server.access import Access, MemberAccess
from tracker.service.application import Tracker

Answer = TypeVar("Answer")
Job = Callable[[Tracker, Access], Answer]

_LOG: Final = logging.getLogger(__name__)

WAITING_MAX: Final = 32
"""The most requests that wait for a process."""
JOBS_EACH: Final = 200
"""The number of jobs after which a process is replaced, to free its caches."""
START_SECONDS: Final = 60
_PRELOADED: Final = "tracker.server.app"
"""The module that each process imports before its first job."""


class WorkLimits(NamedTuple):
    """The limits of long reads."""

    processes: int = 2
    seconds: float = 20
    megabytes: int = 512
    wait_seconds: float = 30
    """The seconds that a request waits for its turn."""


class WorkTooLong(BadInput):
    """This took longer than {seconds} seconds and was stopped. Ask for less: a smaller exchange, fewer house
    rules at once, a later point to begin at. On the machine that keeps the campaign, 'arbitrator' works it
    out without a limit.
    """

    seconds: int


class WorkTooLarge(BadInput):
    """This needed more than {megabytes} MB of memory and was stopped. Ask for less: a smaller exchange, fewer
    house rules at once, a later point to begin at. On the machine that keeps the campaign, 'arbitrator' works
    it out without a limit.
    """

    megabytes: int


class WorkWaits(Stale):
    """Too many requests are waiting, and this did not get its turn. Try again in a minute."""


class WorkBroken(Stale):
    """The process that worked this out ended before it had an answer. Nothing was written. Try again."""


class WorkRefused(Exception):
    """A refusal of a process, as a problem."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__()
        self.problem = problem


class WorkFault(Exception):
    """A fault of the program in a process, with the lines of its traceback."""


class _Result(NamedTuple):
    """The message of a process."""

    kind: str
    """'answer', 'problem', 'too large' or 'fault'."""
    what: Any


class WorkerPool:
    """The processes, and the queue for them."""

    def __init__(self, url: str, limits: WorkLimits) -> None:
        self._url, self._limits = url, limits
        methods = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if self._context.get_start_method() == "forkserver":
            self._context.set_forkserver_preload([_PRELOADED])
        self._threads = ThreadPoolExecutor(limits.processes, thread_name_prefix="work")
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._waiting = 0
        self._has_begun = False
        self._closed = False

    def start(self) -> None:
        """Start the processes in the background."""
        for _ in range(self._limits.processes):
            self._threads.submit(self._begin)

    async def run(self, job: Job[Answer]) -> Answer:
        """The answer of a job. Raises WorkTooLong, WorkTooLarge, WorkWaits, WorkBroken, WorkRefused,
        WorkFault.
        """
        if self._waiting >= WAITING_MAX:
            raise WorkWaits
        self._waiting += 1
        until = time.monotonic() + self._limits.wait_seconds + (0 if self._has_begun else START_SECONDS)
        done = asyncio.get_running_loop().run_in_executor(self._threads, self._worked, job, until)
        done.add_done_callback(self._left)
        longest = until - time.monotonic() + START_SECONDS + self._limits.seconds
        try:
            came = await asyncio.wait_for(asyncio.shield(done), max(longest, 0))
        except TimeoutError:  # a process is starting and does not answer
            raise WorkWaits from None
        match came.kind:
            case "answer":
                answer: Answer = came.what
                return answer
            case "problem":
                raise WorkRefused(came.what)
            case "too large":
                raise WorkTooLarge(megabytes=self._limits.megabytes)
            case _:
                raise WorkFault(came.what)

    def _left(self, done: asyncio.Future[_Result]) -> None:
        self._waiting -= 1
        if not done.cancelled():
            done.exception()  # retrieved, even if the client is gone

    def close(self) -> None:
        """Kill all processes."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in [*_Process.living]:
            if process.work is self:
                process.end()

    def _begin(self) -> None:
        """Start a spare process. If that fails, the next job starts one and gets the error."""
        try:
            self._idle.put(_Process(self))
        except (OSError, EOFError):
            _LOG.exception("A process for long reading could not be begun.")

    def _worked(self, job: Job[Answer], until: float) -> _Result:
        """In a thread, one of as many as there are processes, so a job without a ready process may
        start one.
        """
        if time.monotonic() > until:
            raise WorkWaits
        try:
            process = self._idle.get_nowait()
        except Empty:
            process = self._new_process()
        try:
            process.wait_until_begun()
            self._has_begun = True
            return process.ask(job)
        finally:
            if process.is_usable:
                self._idle.put(process)
            else:
                process.end()
                if not self._closed:
                    self._begin()

    def _new_process(self) -> _Process:
        try:
            return _Process(self)
        except (OSError, EOFError) as failed:
            raise WorkBroken from failed

    @property
    def limits(self) -> WorkLimits:
        """The limits of each process."""
        return self._limits

    def process(self, there: Connection) -> multiprocessing.process.BaseProcess:
        """A process that answers at the other end of that connection."""
        return self._context.Process(  # type: ignore[attr-defined,no-any-return]
            target=_serve, args=(there, self._url, self._limits.megabytes), daemon=True
        )


class _Process:
    """A worker process."""

    living: Final[set[_Process]] = set()

    def __init__(self, work: WorkerPool) -> None:
        self.work = work
        self._here, there = multiprocessing.Pipe()
        self._process = work.process(there)
        self._process.start()
        there.close()
        self._jobs = 0
        self._is_broken = False
        self.living.add(self)

    @property
    def is_usable(self) -> bool:
        """Whether it may get another job."""
        return not self._is_broken and self._jobs < JOBS_EACH

    def wait_until_begun(self) -> None:
        """Raises WorkBroken."""
        if self._jobs:
            return
        try:
            if self._here.poll(START_SECONDS):
                self._here.recv()
                return
        except (EOFError, OSError):
            pass
        self._is_broken = True
        raise WorkBroken

    def ask(self, job: Job[Answer]) -> _Result:
        """Run a job. Raises WorkTooLong, WorkBroken."""
        self._jobs += 1
        seconds = self.work.limits.seconds
        try:
            self._here.send(job)
            if not self._here.poll(seconds):
                self._is_broken = True
                raise WorkTooLong(seconds=int(seconds))
            came: _Result = self._here.recv()
        except (EOFError, OSError) as ended:
            self._is_broken = True
            raise WorkBroken from ended
        self._is_broken = came.kind == "too large"
        return came

    def end(self) -> None:
        """Kill the process."""
        self.living.discard(self)
        self._here.close()
        self._process.kill()
        self._process.join()


# --- within a process --------------------------------------------------------------------------------------


def _serve(there: Connection, url: str, megabytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the service's: it ends this one
    tracker = Tracker(url, actor="work", migrate=False)
    tracker.only_reads()
    access = MemberAccess(tracker)
    there.send(None)
    _limit_memory(megabytes)
    with contextlib.suppress(EOFError, OSError):  # the service is gone
        while True:
            came = _done(there.recv(), tracker, access)
            there.send(came)


def _done(job: Job[Any], tracker: Tracker, access: Access) -> _Result:
    try:
        return _Result("answer", job(tracker, access))
    except MemoryError:
        return _Result("too large", None)
    except Refusal as refusal:
        return _Result("problem", problems.of_refusal(refusal))
    except click.ClickException as wrong:
        return _Result("problem", problems.of_misuse(wrong))
    except Exception as fault:  # noqa: BLE001  # named to the service, which logs it
        frames = traceback.extract_tb(fault.__traceback__)[-8:]
        places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        return _Result("fault", f"{type(fault).__name__} at {', '.join(places)}")


def _limit_memory(megabytes: int) -> None:
    """Limit the memory beyond what the program itself takes, if the system supports it."""
    try:
        import resource
    except ImportError:
        return
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return
    most = pages * os.sysconf("SC_PAGE_SIZE") + megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
