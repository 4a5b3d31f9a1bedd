"""Event files: logs as Parquet, one row for each event, for counting over many campaigns.

Each campaign is one row group, and a file has ten campaigns, so that a program which replays them reads each
in place and shuffles nothing. The file's metadata names its campaigns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from tracker.analytics.pseudonyms import Pseudonyms
from tracker.errors import BadInput
from tracker.log import database
from tracker.log.store import StoredEvent
from tracker.log.verification import log_end
from tracker.records import Record, decoder_of
from tracker.service.archives import NotExported
from tracker.service.repository import CampaignRepository

FORMAT: Final = "campaign-events/1"
CAMPAIGNS_A_FILE: Final = 10
EVENTS_A_BATCH: Final = 5_000
KEY: Final = b"campaign-tracker"
COLUMNS: Final = ("campaign", "seq", "entry", "slot", "type", "body")


class AnalyticsMissing(BadInput):
    """This needs packages that are not installed ({missing}): pip install 'campaign-tracker[{extra}]'."""

    missing: str
    extra: str


class EventFileExists(BadInput):
    """{file} already exists and an export never overwrites. Choose another name."""

    file: str


class EventFileNotWritten(BadInput):
    """{file} could not be written: {reason}. Nothing of it was kept; name another place."""

    file: str
    reason: str


class NoEventFiles(BadInput):
    """{place} holds no files of events. Write some: arbitrator host export --parquet {place}"""

    place: str


class EventFilesDamaged(BadInput):
    """The files of events in {place} cannot be read: {why}. Write them again with 'arbitrator host
    export'.
    """

    place: str
    why: str


class ExportedCampaign(Record):
    """A campaign in an event file. `head` is missing if its events differ from the sealed ones."""

    campaign: str
    events: int
    head: str | None = None


class EventFile(Record):
    """The metadata of a file, in the order of its row groups."""

    names: bool
    campaigns: tuple[ExportedCampaign, ...]
    format: Literal["campaign-events/1"] = FORMAT


class ExportResult(Record):
    """The result of an export: files written, files that were complete already, and what they hold."""

    files: tuple[Path, ...]
    kept: int
    campaigns: int
    events: int


def export_campaign(
    repository: CampaignRepository, campaign: str, file: Path, *, names: bool
) -> ExportResult:
    """Export one campaign to one file. Raises EventFileExists, EventFileNotWritten, NotExported."""
    if file.exists() or file.is_symlink():
        raise EventFileExists(file=str(file))
    held = _campaigns_held(repository, campaign, names=names)
    _write(repository, file, EventFile(names=names, campaigns=(held,)), lambda _: None)
    return ExportResult(files=(file,), kept=0, campaigns=1, events=held.events)


def export_all(
    repository: CampaignRepository,
    campaigns: Iterable[str],
    folder: Path,
    *,
    names: bool,
    tell: Callable[[int, int], None],
) -> ExportResult:
    """Export every campaign, ten to a file. A complete file is left alone, so that an interrupted export
    continues where it stopped, and a repeated one writes only changes.

    Raises EventFileNotWritten, NotExported.
    """
    ordered = sorted(campaigns)
    written: list[Path] = []
    kept = events = done = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob(".campaigns-*.unfinished"):
            leftover.unlink()
    except OSError as wrong:
        raise EventFileNotWritten(file=str(folder), reason=wrong.strerror or str(wrong)) from wrong
    wanted = set()
    for number, group in enumerate(_tens(ordered), start=1):
        file = folder / f"campaigns-{number:05}.parquet"
        wanted.add(file)
        holds = EventFile(
            names=names,
            campaigns=tuple(_campaigns_held(repository, campaign, names=names) for campaign in group),
        )
        events += sum(held.events for held in holds.campaigns)
        if file_description(file) == holds:
            kept += 1
            done += len(group)
            tell(done, len(ordered))
        else:
            before = done

            def count(more: int, before: int = before) -> None:
                tell(before + more, len(ordered))

            _write(repository, file, holds, count)
            done += len(group)
            written.append(file)
    for beyond in sorted(folder.glob("campaigns-*.parquet")):
        if beyond not in wanted and file_description(beyond) is not None:
            beyond.unlink()
    return ExportResult(files=tuple(written), kept=kept, campaigns=len(ordered), events=events)


def file_description(file: Path) -> EventFile | None:
    """The metadata of a file; None if it is missing or no event file."""
    pyarrow, parquet = _libraries()
    try:
        metadata = parquet.read_metadata(file)
        said: EventFile = decoder_of(EventFile).decode((metadata.metadata or {}).get(KEY, b""))
    except (OSError, pyarrow.ArrowException, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return said if metadata.num_row_groups == len(said.campaigns) else None


def event_files(place: Path) -> list[Path]:
    """The event files in a folder, or the file itself. Raises NoEventFiles."""
    try:
        found = [place] if place.is_file() else sorted(place.glob("*.parquet"))
    except OSError as wrong:  # a name that is too long
        raise NoEventFiles(place=str(place)) from wrong
    files = [file for file in found if file_description(file) is not None]
    if not files:
        raise NoEventFiles(place=str(place))
    return files


def _tens(ordered: Sequence[str]) -> Iterator[tuple[str, ...]]:
    remaining = iter(ordered)
    while group := tuple(islice(remaining, CAMPAIGNS_A_FILE)):
        yield group


def _campaigns_held(repository: CampaignRepository, campaign: str, *, names: bool) -> ExportedCampaign:
    head = repository.store.head(campaign)
    return ExportedCampaign(campaign=campaign, events=head.size, head=head.leaf_hex if names else None)


def _write(
    repository: CampaignRepository, file: Path, holds: EventFile, count: Callable[[int], None]
) -> None:
    """Write the file, whole or not at all."""
    pyarrow, parquet = _libraries()
    schema = _schema(pyarrow).with_metadata({KEY: msgspec.json.encode(holds)})
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.unfinished")
    try:
        with parquet.ParquetWriter(
            unfinished, schema, compression="zstd", use_dictionary=["campaign", "type"]
        ) as writer:
            for done, held in enumerate(holds.campaigns, start=1):
                table = pyarrow.Table.from_batches(
                    _batches(pyarrow, schema, repository, held, names=holds.names), schema
                )
                writer.write_table(table, row_group_size=max(1, table.num_rows))
                count(done)
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())
        unfinished.rename(file)
    except OSError as wrong:
        raise EventFileNotWritten(file=str(file), reason=wrong.strerror or str(wrong)) from wrong
    finally:
        unfinished.unlink(missing_ok=True)


def _batches(
    pyarrow: Any, schema: Any, repository: CampaignRepository, held: ExportedCampaign, *, names: bool
) -> Iterator[Any]:
    """The campaign's events up to the head that the file names, after they were verified."""
    with database.reading(repository.engine) as connection:
        end = log_end(connection, held.campaign)
    verified = repository.store.verify(held.campaign, end=end)
    if not verified.ok:
        raise NotExported(reason=f"campaign {held.campaign}: {verified.fault}")
    last = held.events - 1
    known = () if names else (event.body for event in repository.store.read(held.campaign, last_seq=last))
    pseudonyms = Pseudonyms(known)
    stored = repository.store.read(held.campaign, last_seq=last)
    while events := list(islice(stored, EVENTS_A_BATCH)):
        bodies = [event.body if names else pseudonyms.without_names(event.body) for event in events]
        yield pyarrow.RecordBatch.from_arrays(_columns(pyarrow, held.campaign, events, bodies), schema=schema)


def _columns(pyarrow: Any, campaign: str, events: Sequence[StoredEvent], bodies: list[bytes]) -> list[Any]:
    numbers = [
        pyarrow.array([getattr(event, name) for event in events], pyarrow.int64()) for name in COLUMNS[1:4]
    ]
    types = pyarrow.array([event.type for event in events], pyarrow.string()).dictionary_encode()
    return [
        pyarrow.array([campaign] * len(events), pyarrow.string()),
        *numbers,
        types,
        pyarrow.array(bodies, pyarrow.binary()),
    ]


def _schema(pyarrow: Any) -> Any:
    return pyarrow.schema(
        [
            ("campaign", pyarrow.string()),
            *((name, pyarrow.int64()) for name in ("seq", "entry", "slot")),
            ("type", pyarrow.dictionary(pyarrow.int32(), pyarrow.string())),
            ("body", pyarrow.binary()),
        ]
    )


def _libraries() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError as missing:
        raise AnalyticsMissing(missing=missing.name or "pyarrow", extra="analytics") from missing
