"""Signing: signs heads of a campaign's log with its key, names witnesses, and hands keys on.

It verifies the log again before it signs. It never signs a second head of one size, nor a head of a shorter
log than one it has signed: a journal beside the key holds all its heads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracker.errors import BadInput, LogDamaged, RulesRefuse
from tracker.log import c2sp, database, signed_notes, verification
from tracker.log.c2sp import Checkpoint, ConsistencyProof, InclusionProof, Note, NoteUnreadable
from tracker.log.chain import Frontier
from tracker.log.proofs import Tree
from tracker.log.sealing import Head
from tracker.log.signed_log import SignedHead, SignedHistory, read_history
from tracker.log.signed_notes import SignedRow
from tracker.log.signed_statements import KeyStatement, WitnessStatement, parse_witnesses
from tracker.log.store import StoredEvent
from tracker.service import key_files, log_verdicts
from tracker.service.file_verification import TrustAnchors
from tracker.service.key_files import Passphrase, SigningKey
from tracker.service.log_verdicts import LogVerdict
from tracker.service.repository import CampaignRepository


class NoKeyYet(BadInput):
    """This campaign has no key, and nothing of its log is signed. Make one: arbitrator audit key new."""


class CampaignHasKey(RulesRefuse):
    """This campaign has a key already: {vkey}. 'audit key rotate' replaces it; 'audit key new --lost'
    replaces a lost key.
    """

    vkey: str


class NotTheCampaignsKey(BadInput):
    """The key in {file} is not the one that signs for this campaign, which is {vkey}. Nothing was signed."""

    file: str
    vkey: str


class NothingToSign(RulesRefuse):
    """Nothing was recorded yet. There is no head to sign."""


class NotSigned(LogDamaged):
    """The log has changed: {reason}. Nothing was signed. Keep this database, and compare
    it with a backup.
    """

    reason: str


class SignedNotesDamaged(LogDamaged):
    """The signed notes of this campaign are damaged ({reason}). Nothing was signed. Restore a backup."""

    reason: str


class NotCovered(RulesRefuse):
    """No signed head covers event {address} yet. Sign one: arbitrator audit checkpoint."""

    address: str


class NoSuchHead(BadInput):
    """No head over {size} events was signed here. There are heads over: {known:or none}."""

    size: int
    known: tuple[int, ...]


class NoHeadYet(BadInput):
    """No head of this campaign was signed yet. The Arbitrator signs one: arbitrator audit checkpoint."""


class NoSuchSize(BadInput):
    """There is no log of {size} events here: it has {events}."""

    size: int
    events: int


class SecondHead(LogDamaged):
    """Two heads of one size are signed with one key."""

    size: int
    ours: str
    theirs: str

    def message(self) -> str:
        return (
            f"Two heads over {self.size} events are signed with one key: this log was shown in two versions."
            f" Keep both notes: they prove it to anybody who knows the key.\n\n{self.ours}\n{self.theirs}"
        )


class NoCosignature(BadInput):
    """No witness of this campaign has a valid signature on this head. 'audit witnesses' lists them."""


class WitnessUnreadable(BadInput):
    """{why}. 'audit key show --witness NAME' prints a witness's key, one word."""

    why: str


@dataclass(frozen=True)
class WitnessCount:
    """The number of witnesses that a head needs, and the named ones that signed it."""

    wanted: int
    good: tuple[c2sp.Verifier, ...]


def witnessed(signed: SignedHistory, found: SignedHead) -> WitnessCount:
    """The named witnesses that signed a head."""
    wanted, witnesses = signed.witnesses(found.head.size)
    return WitnessCount(wanted, c2sp.good_witnesses(found.note, witnesses))


class CampaignSigning:
    """Keys and signed heads of the campaigns in one database."""

    def __init__(self, repository: CampaignRepository, keys: Path) -> None:
        self._repository = repository
        self._keys = keys

    # --- keys --------------------------------------------------------------------------------------------

    def key_file(self, campaign: str) -> Path:
        """The path of the campaign's key file on this machine."""
        return self._keys / f"{campaign}.key"

    def signed(self, campaign: str) -> SignedHistory:
        """The signed history of a campaign. Raises SignedNotesDamaged."""
        with database.reading(self._repository.engine) as connection:
            rows = signed_notes.rows(connection, campaign)
        try:
            return read_history(campaign, rows)
        except NoteUnreadable as wrong:
            raise SignedNotesDamaged(reason=str(wrong)) from wrong

    def statements(self, campaign: str) -> tuple[Note, ...]:
        """The statements of the campaign's keys, oldest first, for witnesses to follow. Raises
        SignedNotesDamaged.
        """
        with database.reading(self._repository.engine) as connection:
            rows = signed_notes.rows(connection, campaign)
        try:
            read_history(campaign, rows)
            return tuple(c2sp.parse_note(row.note) for row in rows if row.kind == "key")
        except NoteUnreadable as wrong:
            raise SignedNotesDamaged(reason=str(wrong)) from wrong

    def new_key(
        self, campaign: str, *, origin: str, passphrase: str | None, lost: bool = False
    ) -> KeyStatement:
        """Make the campaign's key on this machine; with `lost`, another under an origin of its own.

        Raises CampaignHasKey, NoKeyYet, KeyExists, WitnessUnreadable.
        """
        signed = self.signed(campaign)
        if signed.keys and not lost:
            raise CampaignHasKey(vkey=signed.keys[-1].verifier.vkey())
        if lost and not signed.keys:
            raise NoKeyYet
        end, frontier = self._verified(campaign, signed, whole=True)
        before = None
        if lost:
            old = signed.keys[-1].statement
            origin = f"{signed.keys[0].verifier.name}/{len(signed.keys) + 1}"
            last = [found.head for found in signed.heads if found.head.origin == old.key.name]
            before = last[-1] if last else Checkpoint(old.key.name, old.size, old.root)
        try:
            private, verifier = key_files.make_key(origin, c2sp.LOG_KEY)
        except NoteUnreadable as wrong:
            raise WitnessUnreadable(why=str(wrong)) from wrong
        statement = KeyStatement(campaign, len(signed.keys), verifier, end.size, frontier.root(), before)
        text = statement.text()
        note = Note(text, (c2sp.sign(private, verifier.name, text),))
        key_files.keep_key(self.key_file(campaign), private, verifier, passphrase)
        self._add(campaign, SignedRow("key", "", statement.number, "", note.written()))
        return statement

    def rotate(self, campaign: str, *, old: Passphrase, passphrase: str | None) -> KeyStatement:
        """Hand on from the campaign's key to a new one, by a statement that both sign."""
        signed, key = self._opened(campaign, old)
        end, frontier = self._verified(campaign, signed, whole=True)
        private, verifier = key_files.make_key(key.name, c2sp.LOG_KEY)
        statement = KeyStatement(campaign, len(signed.keys), verifier, end.size, frontier.root())
        text = statement.text()
        signatures = (c2sp.sign(key.private, key.name, text), c2sp.sign(private, key.name, text))
        file = self.key_file(campaign)
        fresh = file.with_name(f"{file.name}.new")
        key_files.keep_key(fresh, private, verifier, passphrase)
        self._add(campaign, SignedRow("key", "", statement.number, "", Note(text, signatures).written()))
        file.replace(file.with_name(f"{file.name}.{key.verifier.key_id.hex()}"))
        fresh.replace(file)
        return statement

    # --- heads -------------------------------------------------------------------------------------------

    def checkpoint(self, campaign: str, passphrase: Passphrase, *, whole: bool = True) -> SignedHead:
        """Sign the head of the log as it stands; a signed head is returned again.

        Reads and hashes the rows again: all of them, or without `whole` those since the last signed head.
        Raises NoKeyYet, KeyMissing, PassphraseWrong, NotTheCampaignsKey, NothingToSign, NotSigned.
        """
        signed, key = self._opened(campaign, passphrase)
        end, frontier = self._verified(campaign, signed, whole=whole)
        if not end.size:
            raise NothingToSign
        head = Checkpoint(key.name, end.size, frontier.root())
        for found in signed.heads:
            if (found.head.origin, found.head.size) == (head.origin, head.size):
                return found  # its root was compared
        self._refuse_unlike_journal(key, head, frontier)
        key_files.note_down(key.file, head)
        note = Note(head.text(), (c2sp.sign(key.private, key.name, head.text()),))
        self._add(
            campaign, SignedRow("checkpoint", head.origin, head.size, "", note.written(), frontier=frontier)
        )
        return SignedHead(head, note, frontier)

    def want_witnesses(
        self, campaign: str, passphrase: Passphrase, *, wanted: int, vkeys: Sequence[str]
    ) -> WitnessStatement:
        """State how many of which witnesses this campaign wants on a head, from now on."""
        signed, key = self._opened(campaign, passphrase)
        end, frontier = self._verified(campaign, signed, whole=False)
        try:
            witnesses = tuple(map(c2sp.parse_vkey, vkeys))
            statement = WitnessStatement(
                campaign, len(signed.statements), key.name, wanted, witnesses, end.size, frontier.root()
            )
            parse_witnesses(Note(statement.text(), ()))
        except NoteUnreadable as wrong:
            raise WitnessUnreadable(why=str(wrong)) from wrong
        text = statement.text()
        note = Note(text, (c2sp.sign(key.private, key.name, text),))
        self._add(campaign, SignedRow("witnesses", "", statement.number, "", note.written()))
        return statement

    def take_cosignatures(self, campaign: str, note: Note) -> SignedHead:
        """Store the signatures of named witnesses on one of our heads; returns that head.

        Raises NoSuchHead, SecondHead, NoCosignature.
        """
        signed = self.signed(campaign)
        head = c2sp.parse_checkpoint(note)
        ours = next((found for found in signed.heads if found.head[:2] == head[:2]), None)
        if ours is None:
            raise NoSuchHead(size=head.size, known=tuple(found.head.size for found in signed.heads))
        if ours.head != head:
            if any(key.verifier.signature_on(note) for key in signed.keys):
                raise SecondHead(size=head.size, ours=ours.note.written(), theirs=note.written())
            raise NoCosignature
        # A witness that is named now may have signed an earlier head; the verdict decides what counts there.
        named = tuple(
            dict.fromkeys(witness for statement in signed.statements for witness in statement.witnesses)
        )
        good = c2sp.good_witnesses(note, named)
        if not good:
            raise NoCosignature
        rows = []
        for witness in good:
            signature = witness.signature_on(note)
            assert signature is not None, "looked at"
            rows.append(SignedRow("cosignature", head.origin, head.size, witness.vkey(), signature.line()))
        self._add(campaign, *rows)
        return next(found for found in self.signed(campaign).heads if found.head == head)

    # --- proofs ------------------------------------------------------------------------------------------

    def prove(self, campaign: str, address: str) -> tuple[InclusionProof, StoredEvent]:
        """The proof of an event under the newest signed head. Raises NoSuchEvent, NotCovered."""
        recorded = self._repository.event_at(campaign, address)
        signed = self.signed(campaign)
        if signed.last is None or signed.last.head.size <= recorded.seq:
            raise NotCovered(address=address)
        tree = self._tree(campaign, signed.last.head)
        path = tree.inclusion(recorded.seq, signed.last.head.size)
        (stored,) = self._repository.store.read(campaign, first_seq=recorded.seq, last_seq=recorded.seq)
        # Only the campaign's own signature, so that the proof of one event stays short.
        note = Note(signed.last.note.text, signed.last.note.signatures[:1])
        return InclusionProof(recorded.seq, path, note), stored

    def consistency(self, campaign: str, old: int, new: int | None = None) -> ConsistencyProof:
        """The proof that the log of `new` events (None: the newest signed head's) begins with that of
        `old`.
        """
        signed = self.signed(campaign)
        if new is None:
            if signed.last is None:
                raise NoHeadYet
            new = signed.last.head.size
        events = self._repository.store.head(campaign).size
        if not 0 < old <= new <= events:
            raise NoSuchSize(size=new if new > events else old, events=events)
        tree = Tree(list(verification.leaves_of(self._repository.engine, campaign, new)))
        return ConsistencyProof(old, new, tree.consistency(old, new))

    def roots(self, campaign: str) -> Callable[[int], bytes | None]:
        """A function that returns the root over the log's first events; None if there are fewer."""
        engine = self._repository.engine

        def root_at(size: int) -> bytes | None:
            root = verification.root_over(engine, campaign, size)
            return None if root is None else bytes.fromhex(root)

        return root_at

    def verdict(self, campaign: str, log: verification.VerifyReport, held: TrustAnchors) -> LogVerdict:
        """The verdict of the signed heads on a log that was just read."""
        if log.fault is not None:
            return log_verdicts.invalid_event(log.fault.seq, log.events, log.fault.reason)
        with database.reading(self._repository.engine) as connection:
            rows = signed_notes.rows(connection, campaign)
        try:
            signed = read_history(campaign, rows)
        except NoteUnreadable as wrong:
            return log_verdicts.invalid_signature(log.events, str(wrong))
        sizes = [found.head.size for found in signed.heads]
        sizes += [c2sp.parse_checkpoint(note).size for note in held.heads]
        reached = verification.frontiers_over(
            verification.leaves_of(self._repository.engine, campaign, log.events), sizes
        )
        return log_verdicts.verdict_on(
            signed,
            size=log.events,
            root_at=lambda size: reached[size].root(),
            pinned=held.keys,
            known=held.heads,
            witnesses=held.witnesses,
        )

    def _tree(self, campaign: str, head: Checkpoint) -> Tree:
        tree = Tree(list(verification.leaves_of(self._repository.engine, campaign, head.size)))
        if tree.root() != head.root:
            raise NotSigned(reason=f"its first {head.size} events are not those that were signed")
        return tree

    # --- steps -------------------------------------------------------------------------------------------

    def _opened(self, campaign: str, passphrase: Passphrase) -> tuple[SignedHistory, SigningKey]:
        signed = self.signed(campaign)
        if not signed.keys:
            raise NoKeyYet
        key = key_files.open_key(self.key_file(campaign), passphrase)
        if key.verifier != signed.keys[-1].verifier:
            raise NotTheCampaignsKey(file=str(key.file), vkey=signed.keys[-1].verifier.vkey())
        return signed, key

    def _verified(
        self, campaign: str, signed: SignedHistory, *, whole: bool
    ) -> tuple[verification.LogEnd, Frontier]:
        """The end of the log, read again and compared with every signed head. Raises NotSigned."""
        engine, last = self._repository.engine, signed.last
        with database.reading(engine) as connection:
            end = verification.log_end(connection, campaign)
        if last is not None and last.head.size > end.size:
            raise NotSigned(
                reason=f"a head over {last.head.size} events was signed, and there are {end.size}"
            )
        start = None if whole or last is None or not last.frontier.size else self._start(campaign, last)
        # Events after the last signed head were checked in full when appended: hash their bytes again.
        if start is None or not verification.hashes_hold(engine, campaign, end, start=start):
            report = verification.verify_log(engine, campaign, end, start=start)
            if not report.ok:
                raise NotSigned(reason=str(report.fault))
        frontier = Frontier.from_bytes(end.head_row.frontier) if end.size else Frontier()
        if start is None and signed.heads:
            heads = [found.head for found in signed.heads]
            leaves = verification.leaves_of(engine, campaign, end.size)
            reached = verification.frontiers_over(leaves, [head.size for head in heads])
            unlike = [head.size for head in heads if reached[head.size].root() != head.root]
            if unlike:
                raise NotSigned(reason=f"its first {unlike[0]} events are not those that were signed")
        return end, frontier

    def _start(self, campaign: str, last: SignedHead) -> Head:
        """The end of the log when its last head was signed; its frontier has the signed root."""
        at = last.head.size - 1
        stored = next(self._repository.store.read(campaign, first_seq=at, last_seq=at), None)
        if stored is None:
            raise NotSigned(reason=f"event {at} was signed, and its head row no longer counts it")
        return Head(
            campaign=campaign,
            size=last.head.size,
            entries=stored.entry,
            leaf_hex=stored.leaf.hex(),
            frontier=last.frontier,
        )

    def _refuse_unlike_journal(self, key: SigningKey, head: Checkpoint, frontier: Frontier) -> None:
        assert frontier.size == head.size, "of the same log"
        for before in key_files.signed_so_far(key.file):
            if before.origin != head.origin:
                continue
            if before.size > head.size:
                reason = (
                    f"this key has signed a head over {before.size} events, and there are {head.size}: it was"
                    " cut off, or a backup was put back"
                )
                raise NotSigned(reason=reason)
            if before.size == head.size and before.root != head.root:
                raise NotSigned(reason=f"this key has signed another head over {head.size} events")

    def _add(self, campaign: str, *rows: SignedRow) -> None:
        with database.writing(self._repository.engine) as connection:
            signed_notes.add(connection, campaign, rows)
            there = {row[:4]: row for row in signed_notes.rows(connection, campaign)}
        if any(row.kind != "cosignature" and there.get(row[:4]) != row for row in rows):
            raise SignedNotesDamaged(reason="the database keeps another note in its place")
