"""The archive reader: checks a whole archive before any of it is used.

Opens no database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.errors import BadInput
from tracker.log import archive_file, c2sp
from tracker.log.archive_file import ArchiveReader, ArchiveUnreadable, MemberDigest
from tracker.log.c2sp import Note, NoteUnreadable, Verifier
from tracker.log.canonical import canonical_bytes
from tracker.log.chain import leaf_hash
from tracker.log.codec import Codec, EventUnreadable
from tracker.log.proofs import is_consistent
from tracker.log.refusals import NotStorable
from tracker.log.sealing import Head, SealedEvent
from tracker.log.signed_log import SignedHistory, read_history
from tracker.log.signed_notes import SignedRow
from tracker.log.store import StoredEvent
from tracker.log.verification import ChainWalk
from tracker.records import Record, converted, decoder_of
from tracker.service.entry_checks import CommandRows
from tracker.service.log_verdicts import LogVerdict, unverifiable, verdict_on

FORMAT: Literal["campaign-archive/1"] = "campaign-archive/1"
COMMAND_BYTES_MAX = 2**24
"""The most bytes that a single command may have recorded: it is read back whole."""
STAMPS_CHARACTERS_MAX = 2**19
"""The most bytes of all rulebook versions, which the manifest lists."""
NUMBER_MAX = 2**53 - 1
SIGNED_MAX = 100_000
"""The most notes in an archive."""

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]
_Id = Annotated[str, msgspec.Meta(pattern="^[!-~]{1,200}$")]
_Count = Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)]
_Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class ArchiveTooNew(BadInput):
    """Event {seq} of {file} ({type}) cannot be read by this program: {why}. Nothing was written. Install a
    newer campaign-tracker; the one that exported it can read it.
    """

    file: str
    seq: int
    type: str
    why: str


class EventWrong(ArchiveUnreadable):
    """{file} is not a readable campaign archive: {reason}. Nothing was written. Ask for it to be
    exported and sent again.
    """

    seq: int


class EndMissing(ArchiveUnreadable):
    """{file} is not a readable campaign archive: {reason}. Nothing was written. Ask for it to be
    exported and sent again.
    """

    events: int
    """The number of events that are there."""


class SignedWrong(ArchiveUnreadable):
    """{file} cannot be trusted: {reason}. Nothing was written. Keep it, and ask for it to be exported and
    sent again.
    """


class RulebookStamp(Record):
    """A rulebook under which events were decided, house rules included, by its digest."""

    version: str
    digest: str
    first_event: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The manifest of an archive."""

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
    rulebooks: tuple[RulebookStamp, ...]
    files: dict[str, MemberDigest]
    proofs: tuple[Any, ...] = ()
    signatures: tuple[Any, ...] = ()


class ArchivedCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: _Text
    digest: _Text
    first_seq: _Count
    last_seq: _Count
    first_entry: _Count
    last_entry: _Count


class SignedLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Literal["key", "witnesses", "checkpoint", "cosignature"]
    origin: Annotated[str, msgspec.Meta(max_length=500)]
    size: _Count
    signer: Annotated[str, msgspec.Meta(max_length=500)]
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=2**15)]


class _Columns(msgspec.Struct, frozen=True):
    """The columns of an event's row beside its bytes."""

    seq: int
    entry: int
    slot: int
    type: str
    id: str


class CheckedArchive(NamedTuple):
    """An archive that was read to its end and holds what its manifest says."""

    archive: ArchiveReader
    manifest: Manifest
    rows: tuple[SignedRow, ...]
    signed: SignedHistory
    roots: Mapping[int, bytes]
    """The roots over the first events, at the requested sizes that the archive reaches."""
    missing: EndMissing | None = None
    """The size at which its events end too early. Nothing after them was checked."""


@contextmanager
def opened(file: Path, sizes: Iterable[int] = ()) -> Iterator[CheckedArchive]:
    """Check a whole archive, except whether its signatures count; needs no database.

    `sizes`: also compute the root over this many first events. Raises ArchiveUnreadable, EventWrong,
    SignedWrong, ArchiveTooNew.
    """
    with archive_file.open_archive(file) as archive:
        manifest = _manifest(archive)
        try:
            rows = tuple(_signed_rows(archive, manifest))
            signed = read_history(manifest.campaign, rows)
        except ArchiveUnreadable as wrong:
            raise SignedWrong(file=str(file), reason=wrong.reason) from wrong
        except NoteUnreadable as wrong:
            raise SignedWrong(file=str(file), reason=f"among its signatures {wrong}") from wrong
        content = Content(
            Codec(), manifest.campaign, map(msgspec.structs.asdict, command_rows(archive, manifest))
        )
        content.wanted = {*sizes, *(found.head.size for found in signed.heads)}
        try:
            for _ in content.checked(_events(archive, manifest)):
                pass
        except EndMissing as missing:
            yield CheckedArchive(archive, manifest, rows, signed, content.roots, missing)
            return
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
        yield CheckedArchive(archive, manifest, rows, signed, content.roots)


@contextmanager
def checked(file: Path) -> Iterator[CheckedArchive]:
    """Check a whole archive with its signatures and proofs. Raises ArchiveUnreadable, ArchiveTooNew."""
    with opened(file) as archive:
        if archive.missing is not None:
            raise archive.missing
        _check_proofs(archive)
        verdict = verdict_on_archive(archive)
        if verdict.word not in ("VALID", "VALID-WITNESSED", "UNANCHORED"):
            raise SignedWrong(file=str(file), reason=f"{verdict.word}, {verdict.reason}")
        yield archive


def verdict_on_archive(
    archive: CheckedArchive,
    *,
    pinned: Sequence[Verifier] = (),
    known: Sequence[Note] = (),
    witnesses: Sequence[Verifier] | None = None,
) -> LogVerdict:
    """The verdict on an archive that was opened with the sizes of the `known` heads."""
    missing = archive.missing
    verdict = verdict_on(
        archive.signed,
        size=archive.manifest.events if missing is None else missing.events,
        root_at=lambda size: archive.roots[size],
        pinned=pinned,
        known=known,
        witnesses=witnesses,
    )
    if missing is not None and verdict.word not in ("INVALID-SIGNATURE", "DIVERGED", "STALE"):
        return unverifiable(missing.reason)
    return verdict


def _check_proofs(archive: CheckedArchive) -> None:
    """Raises SignedWrong."""
    reader, heads = archive.archive, {found.head.size: found.head for found in archive.signed.heads}

    def refuse(name: str, why: str) -> SignedWrong:
        return SignedWrong(file=str(reader.file), reason=f"its {name} {why}")

    for name in reader.names:
        try:
            if name == archive_file.CONSISTENCY:
                for text in reader.small(name).decode().split("\n\n"):
                    proof = c2sp.parse_consistency(text.strip("\n") + "\n")
                    old, new = heads.get(proof.old), heads.get(proof.new)
                    if old is None or new is None or not is_consistent(*old[1:], *new[1:], proof.path):
                        raise refuse(name, f"does not prove that {proof.new} events begin with {proof.old}")
            elif name.startswith(archive_file.LATER) and name.endswith(archive_file.EVENT_PROOF):
                event = c2sp.parse_inclusion(reader.small(name).decode())
                head = c2sp.parse_checkpoint(event.note)
                if heads.get(head.size) != head or not event.proves(_leaf_of(archive, event.index)):
                    raise refuse(name, f"does not prove event {event.index}")
        except (NoteUnreadable, UnicodeDecodeError) as wrong:
            raise refuse(name, f"cannot be read: {wrong}") from wrong


def _leaf_of(archive: CheckedArchive, index: int) -> bytes:
    events = bodies(archive.archive, archive.manifest)
    return leaf_hash(next(islice(events, index, index + 1), b""))


class Content:
    """Totals over the events of a log, gathered in one pass."""

    def __init__(self, codec: Codec, campaign: str, rows: Iterable[Mapping[str, object]]) -> None:
        self._codec = codec
        self._head = Head(campaign=campaign)
        self._commands = 0
        self._given = self._counted(rows)
        self._rows = CommandRows(self._given)
        self._stamps: dict[tuple[str, str], RulebookStamp] = {}
        self._stamped = 0
        self._opened: records.CampaignOpened | None = None
        self._entry: list[RecordedEvent] = []
        self._fault = ""
        self.wanted: set[int] = set()
        self.roots: dict[int, bytes] = {}
        """The roots over the first events, at the requested sizes."""

    @property
    def wrong(self) -> str:
        """The first fault of the events so far."""
        return next(iter(self._rows.wrong), "") or self._fault

    def checked(self, stored: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
        """The same events. Raises EventUnreadable."""
        for event in stored:
            if self._entry and self._entry[0].entry != event.entry:
                self._entry_ended()
            recorded = self._codec.read(event, len(self._entry) + 1)
            self._entry.append(recorded)
            stamp = (recorded.policy_version, recorded.policy_digest)
            if stamp not in self._stamps:
                self._stamps[stamp] = RulebookStamp(version=stamp[0], digest=stamp[1], first_event=event.seq)
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
            if self._head.size in self.wanted:
                self.roots[self._head.size] = self._head.frontier.root()
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
        """The manifest of these events."""
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
        self._rows.check(tuple(self._entry))
        if self._opened is None:
            self._fault = "it does not begin with the campaign's opening"
        self._entry = []

    def _counted(self, rows: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
        for row in rows:
            self._commands += 1
            yield row


# --- the members of an archive, read in order --------------------------------------------------------------


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
    wanted = {archive_file.EVENTS, archive_file.COMMANDS, *({archive_file.SIGNED} & {*archive.names})}
    if set(manifest.files) != wanted:
        raise archive.refusal("its manifest names other files than it has")
    return manifest


def command_rows(archive: ArchiveReader, manifest: Manifest) -> Iterator[ArchivedCommand]:
    """The commands; each begins where the one before it ended."""
    seq = entries = 0
    for number, line in enumerate(
        archive.lines(archive_file.COMMANDS, manifest.files[archive_file.COMMANDS]), start=1
    ):
        try:
            row: ArchivedCommand = decoder_of(ArchivedCommand).decode(line)
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


def signed_json(row: dict[str, Any]) -> bytes:
    """A line of the signed notes. A note has several lines, which no text of the log may have."""
    return msgspec.json.encode(row, order="sorted")


def _signed_rows(archive: ArchiveReader, manifest: Manifest) -> Iterator[SignedRow]:
    if archive_file.SIGNED not in archive.names:
        return
    lines = archive.lines(archive_file.SIGNED, manifest.files[archive_file.SIGNED])
    for number, line in enumerate(lines, start=1):
        try:
            row: SignedLine = decoder_of(SignedLine).decode(line)
            is_canonical = signed_json(msgspec.structs.asdict(row)) == line
        except (msgspec.MsgspecError, NotStorable, ValueError, RecursionError) as wrong:
            raise archive.refusal(f"line {number} of its {archive_file.SIGNED}: {wrong}") from wrong
        if not is_canonical or number > SIGNED_MAX:
            raise archive.refusal(f"line {number} of its {archive_file.SIGNED} is not as it is written")
        yield SignedRow(row.kind, row.origin, row.size, row.signer, row.note)


def bodies(
    archive: ArchiveReader, manifest: Manifest, at_end: Callable[[], None] = lambda: None
) -> Iterator[bytes]:
    return archive.lines(archive_file.EVENTS, manifest.files[archive_file.EVENTS], at_end=at_end)


def _events(archive: ArchiveReader, manifest: Manifest) -> Iterator[StoredEvent]:
    """The events, each verified to follow the one before it."""
    walk, entry, entry_bytes = ChainWalk(Head(campaign=manifest.campaign)), 0, 0

    def ended() -> None:
        head, file = walk.head, str(archive.file)
        if head.size < manifest.events:
            reason = f"it holds {head.size} events, and its manifest names {manifest.events}"
            raise EndMissing(file=file, reason=reason, events=head.size)
        if head.size == manifest.events and head.leaf_hex != manifest.head:
            # Nothing follows the last event that could name it.
            reason = f"event {head.size - 1} is not the last one that its manifest names"
            raise EventWrong(file=file, reason=reason, seq=head.size - 1)

    for body in bodies(archive, manifest, ended):
        sealed = sealed_event(archive, manifest.campaign, body)
        follow(archive, walk, [sealed])
        entry_bytes = len(body) + (entry_bytes if sealed.entry == entry else 0)
        entry = sealed.entry
        if entry_bytes > COMMAND_BYTES_MAX:
            raise archive.refusal(f"its entry {entry} takes more than {COMMAND_BYTES_MAX} bytes")
        yield StoredEvent(sealed.seq, sealed.entry, sealed.slot, sealed.type, sealed.body, sealed.leaf)


def sealed_event(archive: ArchiveReader, campaign: str, body: bytes) -> SealedEvent:
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


def follow(archive: ArchiveReader, walk: ChainWalk, sealed: Iterable[SealedEvent]) -> None:
    fault = walk.through(
        [
            (event.seq, event.entry, event.slot, event.type, event.event_id, event.body, event.leaf)
            for event in sealed
        ]
    )
    if fault is not None:
        if fault.kind == "chain" and fault.seq:
            # The event before it is not the one whose hash it names.
            reason = f"event {fault.seq - 1} is not the one that event {fault.seq} follows"
            raise EventWrong(file=str(archive.file), reason=reason, seq=fault.seq - 1)
        raise EventWrong(file=str(archive.file), reason=str(fault), seq=fault.seq or 0)
