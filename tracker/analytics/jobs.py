"""Jobs: functions that are applied to each campaign in event files, in this process or by Spark.

A campaign's events lie together in the order written, so a job gets one campaign as a whole, and only its
answer moves between processes. Knows no database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec

from tracker.analytics import program, spark
from tracker.analytics.event_files import COLUMNS, EventFilesDamaged, event_files, file_description
from tracker.log.codec import EventUnreadable
from tracker.log.store import StoredEvent
from tracker.records import Record, decoder_of

Answered = TypeVar("Answered", bound=Record)


class Campaign(NamedTuple):
    """A campaign of a file, with all events in the order written."""

    campaign: str
    events: tuple[StoredEvent, ...]


Job: TypeAlias = Callable[[Campaign], Answered]
"""A function of a module or a `partial` of one, so that it can be sent to other machines."""
Tell: TypeAlias = Callable[[int, int], None]


class CampaignAnswer(NamedTuple):
    """A job's answer for a campaign as JSON; or the event that cannot be read, and why."""

    campaign: str
    events: int
    answer: bytes
    unreadable: bytes


ANSWER: Final = "campaign string, events long, answer binary, unreadable binary"
"""The columns of an answer, in Spark's notation."""


def run_job(
    place: Path, job: Job[Answered], kind: type[Answered], *, master: str | None, tell: Tell
) -> list[Answered]:
    """The job's answers for all campaigns in a folder's files, by campaign id; by Spark if `master` is given.

    Raises NoEventFiles, EventFilesDamaged, EventUnreadable, and what the job and Spark raise.
    """
    files = event_files(place)
    expected = Counter(
        (exported.campaign, exported.events)
        for file in files
        if (description := file_description(file)) is not None
        for exported in description.campaigns
    )
    results: list[CampaignAnswer] = []
    if master is None:
        for answer in answers(job, _batches(files)):
            results.append(answer)
            tell(len(results), expected.total())
    else:
        results = [
            CampaignAnswer(*row.values())
            for row in spark.mapped(
                files, job_in_worker(job), COLUMNS_OF_FILES, ANSWER, master=master, tell=tell
            )
        ]
    for answer in results:
        if answer.unreadable:
            raise EventUnreadable(**msgspec.json.decode(answer.unreadable))
    if Counter((answer.campaign, answer.events) for answer in results) != expected:
        raise EventFilesDamaged(place=str(place), why="they do not hold the events that they say they hold")
    decoder = decoder_of(kind)
    return [decoder.decode(answer.answer) for answer in sorted(results, key=attrgetter("campaign"))]


COLUMNS_OF_FILES: Final = "campaign string, seq long, entry long, slot long, type string, body binary"


def answers(job: Job[Any], batches: Iterable[Any]) -> Iterator[CampaignAnswer]:
    """The job's answer for each campaign in batches of rows; a campaign's rows lie together."""
    for campaign in _campaigns(batches):
        size = len(campaign.events)
        try:
            answer = msgspec.json.encode(job(campaign))
        except EventUnreadable as refusal:
            facts = {**refusal.facts(), "why": f"{refusal.why}, in campaign {campaign.campaign}"}
            yield CampaignAnswer(campaign.campaign, size, b"", msgspec.json.encode(facts))
        else:
            yield CampaignAnswer(campaign.campaign, size, answer, b"")


def job_in_worker(job: Job[Any]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The same as a function of batches for other processes. It raises OtherProgram in a process with another
    version of the program.
    """
    here = program.digest()

    def answered(batches: Iterable[Any]) -> Iterator[Any]:
        program.refuse_another(here)
        pyarrow = import_module("pyarrow")
        for answer in answers(job, batches):
            yield pyarrow.RecordBatch.from_pylist([answer._asdict()])

    return answered


def _campaigns(batches: Iterable[Any]) -> Iterator[Campaign]:
    campaign, events = "", list[StoredEvent]()
    for batch in batches:
        for campaign_id, seq, *columns in zip(*batch.to_pydict().values(), strict=True):
            if events and (campaign_id != campaign or seq == 0):
                yield Campaign(campaign, tuple(events))
                events = []
            if seq != len(events):
                raise EventFilesDamaged(place=campaign_id, why=f"event {len(events)} is not where it belongs")
            campaign = campaign_id
            events.append(StoredEvent._make((seq, *columns, b"")))
    if events:
        yield Campaign(campaign, tuple(events))


def _batches(files: Iterable[Path]) -> Iterator[Any]:
    """The rows of the files, one row group after the other."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    for file in files:
        try:
            with parquet.ParquetFile(file) as opened:
                for group in range(opened.num_row_groups):
                    yield from opened.read_row_group(group, columns=list(COLUMNS)).to_batches()
        except (pyarrow.ArrowException, OSError) as wrong:
            raise EventFilesDamaged(place=str(file), why=str(wrong).partition("\n")[0][:200]) from wrong
