"""Hashes a log in worker processes and compares it with the head row, while this process does something else.

It shows that each event's bytes hash to its leaf, and the leaves to the root. It does not check that bytes
are canonical, name the event before, or agree with the columns: `verify_log` does.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Engine

from tracker.log import hashing_worker, verification
from tracker.log.chain import EMPTY_FRONTIER, Frontier
from tracker.log.hashing_worker import CHUNK, HashResult, HashTask, hash_rows
from tracker.log.sealing import Head
from tracker.log.verification import LogEnd, LogFault, VerifyReport
from tracker.log.worker_processes import is_shareable, start_worker, stop_worker

WORTH_A_PROCESS = 20_000
"""Below this number of events this process hashes: another takes longer to start."""
PROCESSES = 2
_REASONS = {"gap": "the event is missing", "leaf": "its bytes do not hash to its leaf"}


class HashingRun:
    """A hashing run in progress; `report` waits for its end."""

    def __init__(self, engine: Engine, campaign: str, end: LogEnd, processes: int) -> None:
        self._engine, self._campaign, self._end = engine, campaign, end
        in_processes = end.size >= WORTH_A_PROCESS and is_shareable(engine)
        self._parts = [*_parts(engine, campaign, end.size, processes if in_processes else 1)]
        self._running = [
            start_worker(hashing_worker.__name__, json.dumps(part._asdict()).encode())
            for part in self._parts
            if in_processes
        ]

    def report(self) -> VerifyReport:
        """The verdict on the log as it was when the run began."""
        if not self._running:
            rows = verification.bytes_and_leaves(self._engine, self._campaign, self._end.size)
            results = [hash_rows(rows, 0, self._end.size)]
        else:
            results = [self._result(*running) for running in zip(self._running, self._parts, strict=True)]
        faulty = next((part for part in results if part.wrong is not None), None)
        row = self._end.head_row
        head = Head(
            campaign=self._campaign,
            size=self._end.size,
            entries=row.entries if row is not None else 0,
            leaf_hex=row.leaf.hex() if row is not None else "",
            frontier=_joined(results, self._end.size) if faulty is None else EMPTY_FRONTIER,
        )
        if faulty is not None:
            fault: LogFault | None = LogFault(
                seq=faulty.wrong, kind=faulty.kind, reason=_REASONS[faulty.kind]
            )
        else:
            fault = verification.head_fault(row, head)
        return VerifyReport.up_to(head, fault)

    def _result(self, process: subprocess.Popen[bytes], part: HashTask) -> HashResult:
        output, _ = process.communicate()
        with suppress(ValueError):
            return HashResult(**json.loads(output))
        # The worker died or the database refused it: hash its part here.
        rows = verification.bytes_and_leaves(self._engine, self._campaign, part.end, first=part.first)
        return hash_rows(rows, part.first, part.end)

    def close(self) -> None:
        """Stop the workers that still run."""
        for process in self._running:
            stop_worker(process)


@contextmanager
def start_hashing(
    engine: Engine, campaign: str, end: LogEnd, *, processes: int = PROCESSES
) -> Iterator[HashingRun]:
    """Hash all bytes up to that end while the block runs."""
    hashing = HashingRun(engine, campaign, end, processes)
    try:
        yield hashing
    finally:
        hashing.close()


def _parts(engine: Engine, campaign: str, size: int, processes: int) -> Iterator[HashTask]:
    """One part for each process, each of whole chunks except the end of the last."""
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
    """The frontier over all parts: equal subtrees are joined as leaves are."""
    roots = [bytes.fromhex(root) for part in parts for root in part.roots]
    rest = [bytes.fromhex(node) for node in parts[-1].rest]
    return Frontier(size, (*EMPTY_FRONTIER.append(*roots).hashes, *rest))
