"""Archives: export a whole campaign to one file, and import it on another machine or engine.

The manifest is derived from the events alone, so the same campaign makes the same file everywhere. An import
checks the manifest against the events before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec
from sqlalchemy.exc import IntegrityError

from tracker.documents import remote_files
from tracker.errors import BadInput, LogDamaged, Stale
from tracker.log import archive_file, c2sp, database, signed_notes
from tracker.log.appending import Receipt
from tracker.log.archive_file import ArchiveReader
from tracker.log.c2sp import NoteUnreadable
from tracker.log.canonical import canonical_bytes
from tracker.log.chain import leaf_hash
from tracker.log.proofs import Tree
from tracker.log.refusals import RowsRefused
from tracker.log.sealing import Head
from tracker.log.signed_log import SignedHead, read_history
from tracker.log.signed_notes import SignedRow
from tracker.log.store import EventStore, StoredEvent
from tracker.log.verification import ChainWalk, leaves_of, log_end
from tracker.projections import queries
from tracker.records import Record, replace
from tracker.service import archive_reader, clock, fence_store
from tracker.service.archive_reader import COMMAND_BYTES_MAX, CheckedArchive, Manifest
from tracker.service.audit import Audits
from tracker.service.repository import CampaignRepository

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

SIGNED_README = """
signatures/notes.jsonl  keys, signed heads, and who witnessed them: signed notes (C2SP), a line each
proofs/                 that each signed head continues the one before it, and where disputed events stand
verify.html             open it in a browser and give it this file: it says which event is wrong
verify.py               the same without a browser: python verify.py THIS-FILE

The key in it is the campaign's by its own word alone. Compare it with the one that you got from the
Arbitrator's own hand, and the heads with those in your group chat.
"""


class CampaignDiverged(BadInput):
    """{campaign} is here already, and the archive is of a copy with other entries: their first {same} events
    are the same, and the rest differ. Here it ends with head {here} after {here_events} events, in the
    archive with head {there} after {there_events}. Nothing was written. Decide which of them counts. To
    look at the other, import it into a database of its own, with --db.
    """

    campaign: str
    same: int
    here: str
    here_events: int
    there: str
    there_events: int
    evidence: tuple[str, ...] = ()

    def message(self) -> str:
        if not self.evidence:
            return super().message()
        return (
            f"{super().message()} Both were signed; keep these notes, which anybody can check:\n\n"
            + "\n".join(self.evidence)
        )


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


class ArchiveExport(Record):
    """A campaign that was written to a file."""

    file: Path
    manifest: Manifest


class ArchiveImport(Record):
    """The result of an import. `slug` is the campaign's name here; `unread` are members that this version
    ignores.
    """

    manifest: Manifest
    slug: str
    was: Literal["new", "behind", "same", "ahead"]
    """How the campaign stood here before: unknown, with fewer events than the archive, as many, or more."""
    events: int
    entries: int
    unread: tuple[str, ...]


def keep_archive(content: bytes, file: Path) -> None:
    """Write an archive that was made elsewhere. Raises ArchiveExists, ArchiveNotWritten."""
    with archive_file.new_file(file) as stream:
        stream.write(content)


class Archives:
    """Campaigns to and from files."""

    def __init__(self, repository: CampaignRepository, audit: Audits) -> None:
        self._repository = repository
        self._audit = audit

    # --- export
    # ----------------------------------------------------------------------------------------------

    def export(self, campaign: str, file: Path) -> ArchiveExport:
        """Write the campaign's log as it is now; for a remote caller, into the answer.

        Raises ArchiveExists, ArchiveNotWritten, NotExported, EventUnreadable.
        """
        if not remote_files.is_collecting():
            return self._export(campaign, file)
        with TemporaryDirectory(prefix="arbitrator-") as folder:
            exported = self._export(campaign, Path(folder) / "archive.zip")
            if exported.file.stat().st_size > remote_files.BYTES_MAX:
                raise remote_files.AnswerTooLarge(file=str(file))
            remote_files.collect(str(file), exported.file.read_bytes())
        return replace(exported, file=file)

    def _export(self, campaign: str, file: Path) -> ArchiveExport:
        store = self._repository.store
        with database.reading(self._repository.engine) as connection:
            end = log_end(connection, campaign)
        verified = store.verify(campaign, end=end)
        if not verified.ok:
            raise NotExported(reason=str(verified.fault))
        content = archive_reader.Content(
            self._repository.codec, campaign, store.command_rows(campaign, before_seq=end.size)
        )
        stored = store.read(campaign, last_seq=end.size - 1)
        with archive_file.new_archive(file) as archive:
            files = {
                archive_file.EVENTS: archive.member(archive_file.EVENTS, _lines(content.checked(stored)))
            }
            if content.wrong:
                raise NotExported(reason=content.wrong)
            rows = store.command_rows(campaign, before_seq=end.size)
            files[archive_file.COMMANDS] = archive.member(archive_file.COMMANDS, map(_command_line, rows))
            signed, beside = self._beside(campaign, end.size)
            signed_readme = SIGNED_README if signed else ""
            if signed:
                files[archive_file.SIGNED] = archive.member(archive_file.SIGNED, map(_signed_line, signed))
            manifest = content.manifest(files)
            if manifest.root != verified.root_hex:
                raise NotExported(reason="it was read differently a second time")
            body = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
            archive.member(archive_file.MANIFEST, [body])
            facts = {name: getattr(manifest, name) for name in manifest.__struct_fields__}
            archive.member(archive_file.README, [(README.format(**facts) + signed_readme).encode()])
            for name, body in beside:
                archive.member(name, [body])
        return ArchiveExport(file=file, manifest=manifest)

    def _beside(self, campaign: str, size: int) -> tuple[tuple[SignedRow, ...], list[tuple[str, bytes]]]:
        """The signed notes of the log and the members that prove them; none without a signature, so that the
        archive of an unsigned campaign does not change.

        Raises NotExported.
        """
        engine = self._repository.engine
        with database.reading(engine) as connection:
            rows = tuple(row for row in signed_notes.rows(connection, campaign) if not _is_later(row, size))
            targets = [str(row["target"]) for row in queries.disputes(connection, campaign)]
        if not rows:
            return (), []
        try:
            heads = read_history(campaign, rows).heads
        except NoteUnreadable as wrong:
            raise NotExported(reason=f"its signed notes are damaged: {wrong}") from wrong
        members: list[tuple[str, bytes]] = []
        if heads:
            tree = Tree(list(leaves_of(engine, campaign, heads[-1].head.size)))
            texts = [
                c2sp.ConsistencyProof(old, new, tree.consistency(old, new)).written()
                for old, new in pairwise(sorted({found.head.size for found in heads}))
            ]
            if texts:
                members.append((archive_file.CONSISTENCY, "\n".join(texts).encode()))
            members += self._event_proofs(campaign, tree, heads[-1], targets)
        return rows, [*members, *_verifiers()]

    def _event_proofs(
        self, campaign: str, tree: Tree, last: SignedHead, targets: Sequence[str]
    ) -> Iterator[tuple[str, bytes]]:
        """A proof of each disputed event, for people who keep only that."""
        for address in dict.fromkeys(target for target in targets if "." in target):
            seq = self._repository.event_at(campaign, address).seq
            if seq < last.head.size:
                note = c2sp.Note(last.note.text, last.note.signatures[:1])
                proof = c2sp.InclusionProof(seq, tree.inclusion(seq, last.head.size), note)
                yield f"proofs/{address}{archive_file.EVENT_PROOF}", proof.written().encode()

    # --- import
    # ----------------------------------------------------------------------------------------------

    def import_(self, checked: CheckedArchive, *, past_the_fence: bool = False) -> ArchiveImport:
        """Import a campaign, all of it or nothing; of a campaign that is here but shorter, only the missing
        entries.

        `past_the_fence`: for a move between cells. Raises CampaignHeld, CampaignMoved,
        ArchiveUnreadable, CampaignDiverged, NameTakenHere, RecordedMeanwhile.
        """
        manifest = checked.manifest
        here = self._repository.store.head(manifest.campaign)
        self._refuse_diverged(checked, here)
        self._refuse_other_keys(checked)
        if here.size < manifest.events:
            self._take(checked.archive, manifest, here, past_the_fence=past_the_fence)
        if checked.rows:
            with database.writing(self._repository.engine) as connection:
                signed_notes.add(connection, manifest.campaign, checked.rows)
        with database.reading(self._repository.engine) as connection:
            rows = queries.campaigns(connection)
        called = (str(row["slug"]) for row in rows if row["campaign"] == manifest.campaign)
        return ArchiveImport(
            manifest=manifest,
            slug=next(called, manifest.slug),
            was=_standing(here, manifest),
            events=max(0, manifest.events - here.size),
            entries=max(0, manifest.entries - here.entries),
            unread=checked.archive.later,
        )

    def _refuse_diverged(self, checked: CheckedArchive, here: Head) -> None:
        manifest, same = checked.manifest, 0
        ours = self._repository.store.read(manifest.campaign) if here.size else iter(())
        for body, own in zip(archive_reader.bodies(checked.archive, manifest), ours, strict=False):
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
                evidence=self._signed_both(checked),
            )

    def _signed_both(self, checked: CheckedArchive) -> tuple[str, ...]:
        """The newest signed head of each copy; none where either was never signed."""
        with database.reading(self._repository.engine) as connection:
            rows = signed_notes.rows(connection, checked.manifest.campaign)
        try:
            ours = read_history(checked.manifest.campaign, rows).last
        except NoteUnreadable:
            return ()
        theirs = checked.signed.last
        return (ours.note.written(), theirs.note.written()) if ours and theirs else ()

    def _refuse_other_keys(self, checked: CheckedArchive) -> None:
        """Refuse keys that are not those of this campaign here: they sign another chain."""
        with database.reading(self._repository.engine) as connection:
            here = signed_notes.rows(connection, checked.manifest.campaign)
        numbered = {row[:4]: row.note for row in here if row.kind in ("key", "witnesses", "checkpoint")}
        for row in checked.rows:
            if numbered.get(row[:4], row.note) != row.note:
                evidence = "\n".join((numbered[row[:4]], row.note))
                what = (
                    f"its {row.kind} {row.size} is not the one that is here. Both are signed:\n\n{evidence}\n"
                )
                raise archive_reader.SignedWrong(file=str(checked.archive.file), reason=what)

    def _take(self, archive: ArchiveReader, manifest: Manifest, here: Head, *, past_the_fence: bool) -> None:
        """Append the missing entries, command by command as they were first appended, and make the boards."""
        with self._repository.store.exclusively(manifest.campaign) as store:
            if store.head(manifest.campaign) != here:
                raise RecordedMeanwhile
            if not past_the_fence:
                fence_store.refuse_writing(store.connection, manifest.campaign, clock.now)
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
        walk, events = ChainWalk(Head(campaign=manifest.campaign)), archive_reader.bodies(archive, manifest)
        head = here
        for row in archive_reader.command_rows(archive, manifest):
            sealed, size = [], 0
            for _ in range(row.last_seq - row.first_seq + 1):
                sealed.append(archive_reader.sealed_event(archive, manifest.campaign, next(events, b"")))
                size += len(sealed[-1].body)
                if size > COMMAND_BYTES_MAX:
                    raise archive.refusal(f"a command of it recorded more than {COMMAND_BYTES_MAX} bytes")
            archive_reader.follow(archive, walk, sealed)
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


def _lines(stored: Iterable[StoredEvent]) -> Iterator[bytes]:
    for event in stored:
        yield event.body + b"\n"


def _command_line(row: Mapping[str, Any]) -> bytes:
    return (
        canonical_bytes({name: row[name] for name in archive_reader.ArchivedCommand.__struct_fields__})
        + b"\n"
    )


def _signed_line(row: SignedRow) -> bytes:
    return (
        archive_reader.signed_json(
            {name: getattr(row, name) for name in archive_reader.SignedLine.__struct_fields__}
        )
        + b"\n"
    )


def _is_later(row: SignedRow, size: int) -> bool:
    """Whether a note covers events that were appended while the archive was written."""
    return row.kind in ("checkpoint", "cosignature") and row.size > size


def _verifiers() -> Iterator[tuple[str, bytes]]:
    for name in archive_file.VERIFIERS:
        yield name, (resources.files("tracker.service") / "standalone_verifier" / name).read_bytes()
