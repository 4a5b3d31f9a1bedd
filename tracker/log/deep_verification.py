"""Deep verification: every row is verified and every segment made again, by two processes for a long log.

A segment records where the log ended when it was sealed, so a second process can start there and verify the
rest. Its report counts only if the first process arrives at exactly the same head.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Self

import msgspec
from sqlalchemy import Engine
from sqlalchemy.engine import URL

from tracker.log import verification, worker_processes
from tracker.log.chain import Frontier
from tracker.log.codec import Codec
from tracker.log.database import engine_for
from tracker.log.sealed_history import SegmentCheck
from tracker.log.sealing import Head
from tracker.log.segments import Segment
from tracker.log.verification import ChainWalk, LogEnd, LogFault, VerifyReport
from tracker.records import Record, packed_decoder_of, replace

WORTH_A_PROCESS = 50_000
"""Below this number of events one process verifies all: another takes as long to start."""


class DeepReport(Record):
    """The verdict on a log, and the number of its segments that are equal when they are made again."""

    log: VerifyReport
    equal: int
    wrong: tuple[str, ...]


class VerifyTask(Record):
    """The request to the second process: verify the rows behind this segment, up to `size` events."""

    is_file: bool
    database: str
    campaign: str
    behind: Segment
    kept: tuple[Segment, ...]
    size: int


class VerifiedPart(Record):
    """The result for a part: where the log ended after its last good row."""

    size: int
    entries: int
    leaf_hex: str
    frontier: bytes
    equal: int
    wrong: tuple[str, ...]
    fault: LogFault | None

    @classmethod
    def to(cls, head: Head, remaking: SegmentCheck, fault: LogFault | None) -> Self:
        """The result of a walk that came to this head."""
        return cls(
            size=head.size,
            entries=head.entries,
            leaf_hex=head.leaf_hex,
            frontier=head.frontier.to_bytes(),
            equal=remaking.equal,
            wrong=tuple(remaking.wrong),
            fault=fault,
        )

    def head(self, campaign: str) -> Head:
        """The end of the log."""
        return Head(
            campaign=campaign,
            size=self.size,
            entries=self.entries,
            leaf_hex=self.leaf_hex,
            frontier=Frontier.from_bytes(self.frontier),
        )


def verify_deep(
    engine: Engine,
    campaign: str,
    codec: Codec,
    end: LogEnd,
    kept: Sequence[Segment],
    progress: Callable[[int, int], None] | None = None,
) -> DeepReport:
    """Verify every row up to that end, and make each of these segments again. Raises EventUnreadable."""
    report_progress, begin = progress or (lambda _done, _total: None), Head(campaign=campaign)
    behind = _half_way(engine, campaign, end, kept)
    if behind is None:
        return _report(
            end, campaign, verify_part(engine, begin, codec, kept, size=end.size, progress=report_progress)
        )
    at = kept.index(behind) + 1
    task = _part(engine, campaign, end, behind, kept[at:])
    with _second_process(task) as second:
        first = verify_part(
            engine,
            begin,
            codec,
            kept[:at],
            size=behind.size,
            progress=lambda done, _: report_progress(done * end.size // behind.size, end.size),
        )
        if first.fault is not None:
            return _report(end, campaign, first)
        reached = first.head(campaign)
        rest = _received(second) if reached == behind.head(campaign) else None
    if rest is None:  # it started at a head that the log never had, or died without an answer
        rest = verify_part(
            engine, reached, codec, kept[at:], behind=behind, size=end.size, progress=report_progress
        )
    both = replace(rest, equal=first.equal + rest.equal, wrong=(*first.wrong, *rest.wrong))
    return _report(end, campaign, both)


def verify_part(
    engine: Engine,
    head: Head,
    codec: Codec,
    kept: Sequence[Segment],
    *,
    size: int,
    behind: Segment | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> VerifiedPart:
    """Verify the rows from that head on, up to `size` events, and make these segments again."""
    walk, remaking = ChainWalk(head), SegmentCheck(head.campaign, codec, kept, behind=behind)
    fault = verification.walk_rows(engine, walk, size, progress, remaking.through)
    if fault is None:
        remaking.ended()
    return VerifiedPart.to(walk.head, remaking, fault)


def _report(end: LogEnd, campaign: str, part: VerifiedPart) -> DeepReport:
    head = part.head(campaign)
    log = VerifyReport.up_to(head, part.fault or verification.head_fault(end.head_row, head))
    return DeepReport(log=log, equal=part.equal, wrong=part.wrong)


def _half_way(engine: Engine, campaign: str, end: LogEnd, kept: Sequence[Segment]) -> Segment | None:
    """The segment behind which a second process starts; None if one process is enough."""
    if end.size < WORTH_A_PROCESS or not worker_processes.is_shareable(engine):
        return None
    nearest = min(kept, key=lambda segment: abs(2 * segment.size - end.size), default=None)
    with suppress(ValueError):  # its frontier is damaged
        if nearest is not None and nearest.head(campaign).size < end.size:
            return nearest
    return None


def _part(engine: Engine, campaign: str, end: LogEnd, behind: Segment, kept: Sequence[Segment]) -> VerifyTask:
    is_file = engine.dialect.name == "sqlite"
    address = str(engine.url.database) if is_file else engine.url.render_as_string(hide_password=False)
    return VerifyTask(
        is_file=is_file,
        database=address,
        campaign=campaign,
        behind=behind,
        kept=tuple(kept),
        size=end.size,
    )


@contextmanager
def _second_process(task: VerifyTask) -> Iterator[subprocess.Popen[bytes]]:
    process = worker_processes.start_worker(__name__, msgspec.msgpack.encode(task))
    try:
        yield process
    finally:
        worker_processes.stop_worker(process)


def _received(process: subprocess.Popen[bytes]) -> VerifiedPart | None:
    output, _ = process.communicate()
    with suppress(msgspec.MsgspecError):
        result: VerifiedPart = packed_decoder_of(VerifiedPart).decode(output)
        return result
    return None


def main() -> None:
    """Verify the part that standard input asks for; write the result to standard output."""
    part: VerifyTask = packed_decoder_of(VerifyTask).decode(sys.stdin.buffer.read())
    url = URL.create("sqlite", database=part.database) if part.is_file else part.database
    engine = engine_for(url, make=False)
    result = verify_part(
        engine,
        part.behind.head(part.campaign),
        Codec(),
        part.kept,
        behind=part.behind,
        size=part.size,
    )
    engine.dispose()
    sys.stdout.buffer.write(msgspec.msgpack.encode(result))


if __name__ == "__main__":
    main()
