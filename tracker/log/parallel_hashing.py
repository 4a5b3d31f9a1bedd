"""A log's bytes hashed against the head row in processes of their own, while this one does something else.

It shows that each event's bytes hash to its leaf, and the leaves to the root. It does not look whether bytes
are canonical, whether they name the event before, or whether columns say what they say: `verify_log` does.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Engine

from tracker.log import hashing_worker, verification
from tracker.log.chain import EMPTY_FRONTIER, Frontier
from tracker.log.hashing_worker import CHUNK, HashResult, HashTask, hashed
from tracker.log.sealing import Head
from tracker.log.verification import LogEnd, LogFault, VerifyReport
from tracker.log.worker_processes import is_shareable, start_worker, stop_worker

WORTH_A_PROCESS = 20_000
"""Fewer events than this are hashed here: a process takes longer to begin."""
PROCESSES = 2
_REASONS = {"gap": "the event is missing", "leaf": "its bytes do not hash to its leaf"}


class HashingRun:
    """Hashing under way; `report` waits for its end."""

    def __init__(self, engine: Engine, campaign: str, end: LogEnd, processes: int) -> None:
        self._engine, self._campaign, self._end = engine, campaign, end
        apart = end.size >= WORTH_A_PROCESS and is_shareable(engine)
        self._parts = [*_parts(engine, campaign, end.size, processes if apart else 1)]
        self._running = [
            start_worker(hashing_worker.__name__, json.dumps(part._asdict()).encode())
            for part in self._parts
            if apart
        ]

    def report(self) -> VerifyReport:
        """What holds of the log: as many events as were there when it began, and the head row of then."""
        if not self._running:
            rows = verification.bytes_and_leaves(self._engine, self._campaign, self._end.size)
            came = [hashed(rows, 0, self._end.size)]
        else:
            came = [self._came(*running) for running in zip(self._running, self._parts, strict=True)]
        wrong = next((part for part in came if part.wrong is not None), None)
        row = self._end.head_row
        head = Head(
            campaign=self._campaign,
            size=self._end.size,
            entries=row.entries if row is not None else 0,
            leaf_hex=row.leaf.hex() if row is not None else "",
            frontier=_joined(came, self._end.size) if wrong is None else EMPTY_FRONTIER,
        )
        if wrong is not None:
            fault: LogFault | None = LogFault(seq=wrong.wrong, kind=wrong.kind, reason=_REASONS[wrong.kind])
        else:
            fault = verification.head_fault(row, head)
        return VerifyReport(
            campaign=self._campaign,
            events=self._end.size,
            entries=head.entries,
            root_hex=head.frontier.root().hex(),
            fault=fault,
        )

    def _came(self, process: subprocess.Popen[bytes], part: HashTask) -> HashResult:
        output, _ = process.communicate()
        with suppress(ValueError):
            return HashResult(**json.loads(output))
        # It ended without a word: killed, or the database would not answer it. Then it is done here.
        rows = verification.bytes_and_leaves(self._engine, self._campaign, part.end, first=part.first)
        return hashed(rows, part.first, part.end)

    def close(self) -> None:
        """End what still runs."""
        for process in self._running:
            stop_worker(process)


@contextmanager
def start_hashing(
    engine: Engine, campaign: str, end: LogEnd, *, processes: int = PROCESSES
) -> Iterator[HashingRun]:
    """Hash all bytes up to that end, while what is done within is done."""
    hashing = HashingRun(engine, campaign, end, processes)
    try:
        yield hashing
    finally:
        hashing.close()


def _parts(engine: Engine, campaign: str, size: int, processes: int) -> Iterator[HashTask]:
    """As many parts as processes, each of whole chunks but for the end of the last."""
    is_sqlite = engine.dialect.name == "sqlite"
    address = engine.url if is_sqlite else engine.url.set(drivername="postgresql")
    database = str(engine.url.database) if is_sqlite else address.render_as_string(hide_password=False)
    chunks = size // CHUNK
    ends = [chunks * number // processes * CHUNK for number in range(1, processes)]
    first = 0
    for end in (*ends, size):
        yield HashTask(engine.dialect.name, database, campaign, first, end)
        first = end


def _joined(parts: list[HashResult], size: int) -> Frontier:
    """The frontier over all of it: subtrees of one size are put together as leaves are."""
    roots = [bytes.fromhex(root) for part in parts for root in part.roots]
    rest = [bytes.fromhex(node) for node in parts[-1].rest]
    return Frontier(size, (*EMPTY_FRONTIER.append(*roots).hashes, *rest))
