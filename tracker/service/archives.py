"""Archives: a whole campaign as one file, and read back from one, on another machine or engine.

What an archive says of itself follows from its events alone: the same campaign is the same file everywhere,
and one that is read back is held against what its own events come to before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from sqlalchemy.exc import IntegrityError

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.errors import BadInput, LogDamaged, Stale
from tracker.log import archive_file, database
from tracker.log.appending import Receipt
from tracker.log.archive_file import ArchiveReader, MemberDigest
from tracker.log.canonical import canonical_bytes
from tracker.log.chain import leaf_hash
from tracker.log.codec import Codec, EventUnreadable
from tracker.log.refusals import NotStorable, RowsRefused
from tracker.log.sealing import Head, SealedEvent
from tracker.log.store import EventStore, StoredEvent
from tracker.log.verifying import Walk, log_end
from tracker.projections import queries
from tracker.records import Record, converted, decoder_of
from tracker.service.audit import Audits
from tracker.service.entry_checks import CommandRows
from tracker.service.repository import CampaignRepository

FORMAT: Literal["campaign-archive/1"] = "campaign-archive/1"
COMMAND_BYTES_MAX = 2**24
"""So much a single command may have recorded: it is read back whole, as it was written."""
STAMPS_CHARACTERS_MAX = 2**19
"""So much the versions of its rulebooks may take: a manifest names them all."""
NUMBER_MAX = 2**53 - 1

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]
_Id = Annotated[str, msgspec.Meta(pattern="^[!-~]{1,200}$")]
_Count = Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)]
_Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

README = """\
{name}

This is a whole campaign, exported by the campaign tracker. Read it back with

    arbitrator campaign import THIS-FILE

events.jsonl    every event of its log, a line each, byte for byte as it was sealed
commands.jsonl  which command recorded which events, and under which key
manifest.json   how many there are, the last event's hash (head), and the root over all of them

To check it by hand: the SHA-256 of a zero byte and a line of events.jsonl, without the end of the line, is
that event's hash. Each event names the hash of the one before it as "prev". The root is that of RFC 6962 over
all hashes.

Campaign {campaign}
{events} events in {entries} entries
head {head}
root {root}
"""


class ArchiveTooNew(BadInput):
    """Event {seq} of {file} ({type}) cannot be read by this program: {why}. Nothing was written. Install a
    newer campaign-tracker; the one that exported it can read it.
    """

    file: str
    seq: int
    type: str
    why: str


class CampaignDiverged(BadInput):
    """{campaign} is here already, and the archive is of a copy that went another way: their first {same}
    events are the same, and then they part. Here it ends with head {here} after {here_events} events, in the
    archive with head {there} after {there_events}. Nothing was written. Settle which of them counts; to look
    at the other, import it into a database of its own, with --db.
    """

    campaign: str
    same: int
    here: str
    here_events: int
    there: str
    there_events: int


class NameTakenHere(BadInput):
    """Another campaign here is called {slug!r}, as the one in the archive is. Nothing was written; import it
    into a database of its own, with --db.
    """

    slug: str


class RecordedMeanwhile(Stale):
    """Somebody recorded something in this campaign while the archive was read. Nothing was written; import it
    again.
    """


class NotExported(LogDamaged):
    """The log of this campaign is damaged ({reason}). Nothing was exported; run 'arbitrator audit verify',
    and keep this database.
    """

    reason: str


class Stamp(Record):
    """A rulebook under which events were decided, house rules included, by its digest."""

    version: str
    digest: str
    first_event: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an archive says of itself."""

    format: Literal["campaign-archive/1"] = FORMAT
    campaign: _Id
    slug: _Text
    name: _Text
    ruleset: _Text
    events: _Count
    entries: _Count
    commands: _Count
    head: _Hex64
    root: _Hex64
    rulebooks: tuple[Stamp, ...]
    files: dict[str, MemberDigest]
    proofs: tuple[Any, ...] = ()
    signatures: tuple[Any, ...] = ()


class _CommandRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: _Text
    digest: _Text
    first_seq: _Count
    last_seq: _Count
    first_entry: _Count
    last_entry: _Count


class _Columns(msgspec.Struct, frozen=True):
    """What a row of events keeps beside the bytes."""

    seq: int
    entry: int
    slot: int
    type: str
    id: str


class Exported(Record):
    """A campaign that was written to a file."""

    file: Path
    manifest: Manifest


class Imported(Record):
    """What came of an archive. `slug` is what the campaign is called here; `unread` are members that this
    version leaves alone."""

    manifest: Manifest
    slug: str
    was: Literal["new", "behind", "same", "ahead"]
    """How it stood here before: not at all, with fewer events than the archive, as many, or more."""
    events: int
    entries: int
    unread: tuple[str, ...]


class Checked(NamedTuple):
    """An archive that was read to its end, and found to hold what its manifest says."""

    archive: ArchiveReader
    manifest: Manifest


@contextmanager
def checked(file: Path) -> Iterator[Checked]:
    """Look at all of an archive; no database is needed for it. Raises ArchiveUnreadable, ArchiveTooNew."""
    with archive_file.open_archive(file) as archive:
        manifest = _manifest(archive)
        content = _Content(Codec(), manifest.campaign, map(msgspec.structs.asdict, _rows(archive, manifest)))
        try:
            for _ in content.passed(_events(archive, manifest)):
                pass
        except EventUnreadable as newer:
            raise ArchiveTooNew(file=str(file), seq=newer.seq, type=newer.type, why=newer.why) from newer
        if content.wrong:
            raise archive.refusal(content.wrong)
        found = content.manifest(manifest.files)
        for name in Manifest.__struct_fields__:
            claimed, holds = getattr(manifest, name), getattr(found, name)
            if claimed != holds and name not in ("proofs", "signatures"):
                reason = (
                    f"its manifest says {name} {str(claimed)[:80]}, and its events come to {str(holds)[:80]}"
                )
                raise archive.refusal(reason)
        yield Checked(archive, manifest)


class Archives:
    """Campaigns to and from files."""

    def __init__(self, repository: CampaignRepository, audit: Audits) -> None:
        self._repository = repository
        self._audit = audit

    # --- out ---------------------------------------------------------------------------------------------

    def export(self, campaign: str, file: Path) -> Exported:
        """Write the campaign's log as it stands at this moment.

        Raises ArchiveExists, ArchiveNotWritten, NotExported, EventUnreadable.
        """
        store = self._repository.store
        with database.reading(self._repository.engine) as connection:
            end = log_end(connection, campaign)
        verified = store.verify(campaign, end=end)
        if not verified.ok:
            raise NotExported(reason=str(verified.fault))
        content = _Content(
            self._repository.codec, campaign, store.command_rows(campaign, before_seq=end.size)
        )
        stored = store.read(campaign, last_seq=end.size - 1)
        with archive_file.new_archive(file) as archive:
            files = {archive_file.EVENTS: archive.member(archive_file.EVENTS, _lines(content.passed(stored)))}
            if content.wrong:
                raise NotExported(reason=content.wrong)
            rows = store.command_rows(campaign, before_seq=end.size)
            files[archive_file.COMMANDS] = archive.member(archive_file.COMMANDS, map(_command_line, rows))
            manifest = content.manifest(files)
            if manifest.root != verified.root_hex:
                raise NotExported(reason="it was read differently a second time")
            body = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
            archive.member(archive_file.MANIFEST, [body])
            facts = {name: getattr(manifest, name) for name in manifest.__struct_fields__}
            archive.member(archive_file.README, [README.format(**facts).encode()])
        return Exported(file=file, manifest=manifest)

    # --- in ----------------------------------------------------------------------------------------------

    def import_(self, checked: Checked) -> Imported:
        """Read a campaign back, all of it or nothing; of one that is here and behind, what it lacks.

        Raises ArchiveUnreadable, CampaignDiverged, NameTakenHere, RecordedMeanwhile.
        """
        manifest = checked.manifest
        here = self._repository.store.head(manifest.campaign)
        self._refuse_diverged(checked, here)
        if here.size < manifest.events:
            self._take(checked.archive, manifest, here)
        with database.reading(self._repository.engine) as connection:
            rows = queries.campaigns(connection)
        called = (str(row["slug"]) for row in rows if row["campaign"] == manifest.campaign)
        return Imported(
            manifest=manifest,
            slug=next(called, manifest.slug),
            was=_standing(here, manifest),
            events=max(0, manifest.events - here.size),
            entries=max(0, manifest.entries - here.entries),
            unread=checked.archive.later,
        )

    def _refuse_diverged(self, checked: Checked, here: Head) -> None:
        manifest, same = checked.manifest, 0
        ours = self._repository.store.read(manifest.campaign) if here.size else iter(())
        for body, own in zip(_bodies(checked.archive, manifest), ours, strict=False):
            if not leaf_hash(body) == own.leaf == leaf_hash(own.body):
                break
            same += 1
        if same < min(here.size, manifest.events):
            raise CampaignDiverged(
                campaign=manifest.name,
                same=same,
                here=here.leaf_hex,
                here_events=here.size,
                there=manifest.head,
                there_events=manifest.events,
            )

    def _take(self, archive: ArchiveReader, manifest: Manifest, here: Head) -> None:
        """Append what is not here, command by command as it was first appended, and make the boards."""
        with self._repository.store.exclusively(manifest.campaign) as store:
            if store.head(manifest.campaign) != here:
                raise RecordedMeanwhile
            if queries.is_called(store.connection, manifest.slug, but=manifest.campaign) and not here.size:
                raise NameTakenHere(slug=manifest.slug)
            taken = self._appended(store, archive, manifest, here)
            if (taken.leaf_hex, taken.frontier.root().hex()) != (manifest.head, manifest.root):
                raise archive.refusal("it changed while it was read")
            try:
                self._audit.rebuild_within(store, manifest.campaign)
            except (
                AssertionError,
                LookupError,
                AttributeError,
                TypeError,
                ValueError,
                IntegrityError,
            ) as wrong:
                reason = str(wrong).partition("\n")[0] or type(wrong).__name__
                raise archive.refusal(f"its events do not follow from each other ({reason})") from wrong
            store.saved.clear()
            store.saved.append(
                Receipt(
                    campaign=manifest.campaign,
                    first_seq=here.size,
                    last_seq=manifest.events - 1,
                    first_entry=here.entries + 1,
                    last_entry=manifest.entries,
                    digest="",
                    repeated=False,
                )
            )
        self._repository.forget(manifest.campaign)

    def _appended(self, store: EventStore, archive: ArchiveReader, manifest: Manifest, here: Head) -> Head:
        walk, events = Walk(Head(campaign=manifest.campaign)), _bodies(archive, manifest)
        head = here
        for row in _rows(archive, manifest):
            sealed, size = [], 0
            for _ in range(row.last_seq - row.first_seq + 1):
                sealed.append(_sealed(archive, manifest.campaign, next(events, b"")))
                size += len(sealed[-1].body)
                if size > COMMAND_BYTES_MAX:
                    raise archive.refusal(f"a command of it recorded more than {COMMAND_BYTES_MAX} bytes")
            _follow(archive, walk, sealed)
            if row.last_seq < here.size:
                continue
            if row.first_seq < here.size:
                raise archive.refusal(f"a command of it, {row.key!r}, recorded more than it did here")
            try:
                store.append(head, sealed, walk.head, key=row.key, digest=row.digest, is_new_key=True)
            except RowsRefused as refused:
                raise archive.refusal(f"the database does not take it ({refused.reason})") from refused
            head = walk.head
        return walk.head


def _standing(here: Head, manifest: Manifest) -> Literal["new", "behind", "same", "ahead"]:
    if not here.size:
        return "new"
    if here.size == manifest.events:
        return "same"
    return "behind" if here.size < manifest.events else "ahead"


class _Content:
    """What the events of a log come to, gathered as they pass by."""

    def __init__(self, codec: Codec, campaign: str, rows: Iterable[Mapping[str, object]]) -> None:
        self._codec = codec
        self._head = Head(campaign=campaign)
        self._commands = 0
        self._given = self._counted(rows)
        self._rows = CommandRows(self._given)
        self._stamps: dict[tuple[str, str], Stamp] = {}
        self._stamped = 0
        self._opened: records.CampaignOpened | None = None
        self._entry: list[RecordedEvent] = []
        self._fault = ""

    @property
    def wrong(self) -> str:
        """The first thing that does not hold of what has passed by."""
        return next(iter(self._rows.wrong), "") or self._fault

    def passed(self, stored: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
        """The same events. Raises EventUnreadable."""
        for event in stored:
            if self._entry and self._entry[0].entry != event.entry:
                self._entry_ended()
            recorded = self._codec.read(event, len(self._entry) + 1)
            self._entry.append(recorded)
            stamp = (recorded.policy_version, recorded.policy_digest)
            if stamp not in self._stamps:
                self._stamps[stamp] = Stamp(version=stamp[0], digest=stamp[1], first_event=event.seq)
                self._stamped += len(stamp[0]) + len(stamp[1])
                if self._stamped > STAMPS_CHARACTERS_MAX:
                    self._fault = "it was decided under more rulebooks than an archive can name"
            if self._opened is None and isinstance(recorded.event, records.CampaignOpened):
                self._opened = recorded.event
            self._head = Head(
                campaign=self._head.campaign,
                size=event.seq + 1,
                entries=event.entry,
                leaf_hex=event.leaf.hex(),
                frontier=self._head.frontier.append(event.leaf),
            )
            yield event
            if self.wrong:
                return
        if self._entry:
            self._entry_ended()
        if self._opened is None:
            self._fault = "it does not begin with the campaign's opening"
        elif next(self._given, None) is not None:
            self._fault = "it names a command that recorded nothing of it"
        else:
            self._rows.ended()

    def manifest(self, files: dict[str, MemberDigest]) -> Manifest:
        """What is to be said of them."""
        assert self._opened is not None, "looked at before"
        return Manifest(
            campaign=self._head.campaign,
            slug=self._opened.slug,
            name=self._opened.name,
            ruleset=self._opened.book,
            events=self._head.size,
            entries=self._head.entries,
            commands=self._commands,
            head=self._head.leaf_hex,
            root=self._head.frontier.root().hex(),
            rulebooks=tuple(self._stamps.values()),
            files=files,
        )

    def _entry_ended(self) -> None:
        self._rows.passed(tuple(self._entry))
        if self._opened is None:
            self._fault = "it does not begin with the campaign's opening"
        self._entry = []

    def _counted(self, rows: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
        for row in rows:
            self._commands += 1
            yield row


def _lines(stored: Iterable[StoredEvent]) -> Iterator[bytes]:
    for event in stored:
        yield event.body + b"\n"


def _command_line(row: Mapping[str, Any]) -> bytes:
    return canonical_bytes({name: row[name] for name in _CommandRow.__struct_fields__}) + b"\n"


# --- what an archive says, read one after the other --------------------------------------------------------


def _manifest(archive: ArchiveReader) -> Manifest:
    body = archive.manifest()
    try:
        plain = msgspec.json.decode(body)
        said = plain.get("format") if isinstance(plain, dict) else None
        if said != FORMAT:
            raise archive.refusal(f"its manifest says the format {said!r}, and this program reads {FORMAT}")
        manifest: Manifest = converted(plain, Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        raise archive.refusal(f"its manifest cannot be read ({wrong})") from wrong
    if set(manifest.files) != {archive_file.EVENTS, archive_file.COMMANDS}:
        raise archive.refusal("its manifest names other files than it has")
    return manifest


def _rows(archive: ArchiveReader, manifest: Manifest) -> Iterator[_CommandRow]:
    """The commands; each begins where the one before it ended."""
    seq = entries = 0
    for number, line in enumerate(
        archive.lines(archive_file.COMMANDS, manifest.files[archive_file.COMMANDS]), start=1
    ):
        try:
            row: _CommandRow = decoder_of(_CommandRow).decode(line)
            is_canonical = canonical_bytes(msgspec.structs.asdict(row)) == line
        except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError) as wrong:
            raise archive.refusal(f"line {number} of its {archive_file.COMMANDS}: {wrong}") from wrong
        if not is_canonical:
            raise archive.refusal(f"line {number} of its {archive_file.COMMANDS} is not canonical JSON")
        follows = (row.first_seq, row.first_entry) == (seq, entries + 1)
        if not (follows and row.first_seq <= row.last_seq and row.first_entry <= row.last_entry):
            raise archive.refusal(
                f"line {number} of its {archive_file.COMMANDS} does not follow the one before"
            )
        seq, entries = row.last_seq + 1, row.last_entry
        yield row


def _bodies(archive: ArchiveReader, manifest: Manifest) -> Iterator[bytes]:
    return archive.lines(archive_file.EVENTS, manifest.files[archive_file.EVENTS])


def _events(archive: ArchiveReader, manifest: Manifest) -> Iterator[StoredEvent]:
    """The events, each verified to follow the one before it."""
    walk, entry, entry_bytes = Walk(Head(campaign=manifest.campaign)), 0, 0
    for body in _bodies(archive, manifest):
        sealed = _sealed(archive, manifest.campaign, body)
        _follow(archive, walk, [sealed])
        entry_bytes = len(body) + (entry_bytes if sealed.entry == entry else 0)
        entry = sealed.entry
        if entry_bytes > COMMAND_BYTES_MAX:
            raise archive.refusal(f"its entry {entry} takes more than {COMMAND_BYTES_MAX} bytes")
        yield StoredEvent(sealed.seq, sealed.entry, sealed.slot, sealed.type, sealed.body, sealed.leaf)


def _sealed(archive: ArchiveReader, campaign: str, body: bytes) -> SealedEvent:
    try:
        columns: _Columns = decoder_of(_Columns).decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        raise archive.refusal(f"a line of its {archive_file.EVENTS} is no event ({wrong})") from wrong
    return SealedEvent(
        campaign=campaign,
        seq=columns.seq,
        entry=columns.entry,
        slot=columns.slot,
        event_id=columns.id,
        type=columns.type,
        body=body,
        leaf=leaf_hash(body),
    )


def _follow(archive: ArchiveReader, walk: Walk, sealed: Iterable[SealedEvent]) -> None:
    fault = walk.through(
        [
            (event.seq, event.entry, event.slot, event.type, event.event_id, event.body, event.leaf)
            for event in sealed
        ]
    )
    if fault is not None:
        raise archive.refusal(str(fault))
