"""Keys, signed heads, witnesses and proofs, as they are typed."""

import json
import shlex
import shutil
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON

from tracker.cli.signed_heads import keys_folder
from tracker.log import c2sp
from tracker.log.chain import leaf_hash
from tracker.service import key_files
from tracker.service.application import Tracker
from tracker.service.signing import NotSigned

AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("TRACKER_KEY_PASSPHRASE", raising=False)
    monkeypatch.delenv("TRACKER_KEY_PASSPHRASE_COMMAND", raising=False)


@pytest.fixture
def signer(season: Arbitrator) -> Arbitrator:
    """The season, with a key."""
    season.done("audit", "key", "new", "--no-passphrase")
    return season


def vkey_of(table: Arbitrator) -> str:
    key: str = table.read("audit", "key", "show")["keys"][-1]["key"]
    return key


def head_of(table: Arbitrator) -> c2sp.Note:
    return c2sp.parse_note(table.done("audit", "checkpoint").out)


# --- keys ------------------------------------------------------------------------------------------------


def test_a_key_is_its_owners_alone_and_stands_on_the_campaigns_page(season: Arbitrator) -> None:
    made = season.read("audit", "key", "new", "--no-passphrase")
    (key,) = made["keys"]
    assert (key["began"], key["from_event"]) == ("first", season.head["events"])
    assert key["origin"].startswith("ash-wastes-")
    assert key["key"] in season.done("campaign", "show").out
    assert season.read("campaign", "show")["keys"] == [key["key"]]
    if sys.platform != "win32":
        (file,) = keys_folder().glob("*.key")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "has a key already" in season.refused(1, "audit", "key", "new", "--no-passphrase")


def test_a_key_has_a_passphrase_unless_somebody_says_no(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "needs a passphrase" in season.refused(2, "audit", "key", "new")
    monkeypatch.setenv("TRACKER_KEY_PASSPHRASE", "sump water")
    season.done("audit", "key", "new")
    (file,) = keys_folder().glob("*.key")
    assert b"ENCRYPTED" in file.read_bytes()
    season.done("audit", "checkpoint")
    season.done(*AWARD)
    monkeypatch.setenv("TRACKER_KEY_PASSPHRASE", "clean water")
    assert "not the passphrase" in season.refused(2, "audit", "checkpoint")
    monkeypatch.delenv("TRACKER_KEY_PASSPHRASE")
    assert "no terminal to ask at" in season.refused(2, "audit", "checkpoint")


def test_the_systems_keyring_gives_the_passphrase_by_a_command(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keyring(prints: str) -> None:
        command = shlex.join([sys.executable, "-c", f"print({prints!r})"])
        monkeypatch.setenv("TRACKER_KEY_PASSPHRASE_COMMAND", command)

    keyring("sump water")
    season.done("audit", "key", "new")
    season.done("audit", "checkpoint")
    season.done(*AWARD)
    keyring("clean water")
    assert "not the passphrase" in season.refused(2, "audit", "checkpoint")
    keyring("")
    assert "it printed nothing" in season.refused(2, "audit", "checkpoint")
    for command in ("no-such-program", "'", " "):
        monkeypatch.setenv("TRACKER_KEY_PASSPHRASE_COMMAND", command)
        assert "printed no passphrase" in season.refused(2, "audit", "checkpoint")


def test_a_campaign_without_a_key_says_how_to_make_one(season: Arbitrator) -> None:
    assert "arbitrator audit key new" in season.refused(2, "audit", "checkpoint")
    assert "arbitrator audit key new" in season.refused(2, "audit", "key", "show")


def test_a_rotated_key_is_signed_by_both_and_signs_from_there_on(signer: Arbitrator) -> None:
    old = c2sp.parse_vkey(vkey_of(signer))
    first = head_of(signer)
    signer.done("audit", "key", "rotate", "--no-passphrase")
    new = c2sp.parse_vkey(vkey_of(signer))
    assert (new.name, new == old) == (old.name, False)
    assert [key["began"] for key in signer.read("audit", "key", "show")["keys"]] == ["first", "rotated"]
    signer.done(*AWARD)
    second = head_of(signer)
    assert (old.signature_on(first) is not None, new.signature_on(first)) == (True, None)
    assert (new.signature_on(second) is not None, old.signature_on(second)) == (True, None)


def test_after_a_lost_key_another_origin_names_the_last_head_of_the_old(signer: Arbitrator) -> None:
    last = c2sp.parse_checkpoint(head_of(signer))
    (file,) = keys_folder().glob("*.key")
    file.unlink()
    assert "There is no key on this machine" in signer.refused(2, "audit", "checkpoint")
    ran = signer.done("audit", "key", "new", "--lost", "--no-passphrase")
    assert "a stranger's" in ran.out
    first, second = signer.read("audit", "key", "show")["keys"]
    assert second["began"] == "replaced"
    assert second["origin"] == first["origin"] + "/2"
    assert second["before"] == {"origin": last.origin, "events": last.size, "root": last.root.hex()}
    signer.done(*AWARD)
    assert c2sp.parse_checkpoint(head_of(signer)).origin == second["origin"]


# --- heads -----------------------------------------------------------------------------------------------


def test_a_signed_head_is_the_root_that_verify_prints_and_fits_a_chat(signer: Arbitrator) -> None:
    note = head_of(signer)
    head = c2sp.parse_checkpoint(note)
    audit = signer.read("audit", "verify")
    assert (head.size, head.root.hex()) == (audit["events"], audit["root"])
    assert c2sp.parse_vkey(vkey_of(signer)).signature_on(note) is not None
    assert len(note.written()) < 300


def test_the_same_log_has_one_head_and_a_longer_one_another(signer: Arbitrator) -> None:
    first = head_of(signer)
    assert head_of(signer) == first
    signer.done(*AWARD)
    second = head_of(signer)
    assert c2sp.parse_checkpoint(second).size > c2sp.parse_checkpoint(first).size


def test_nothing_is_signed_of_an_older_backup_or_of_another_past(signer: Arbitrator) -> None:
    """Threats T4 and T5: last week's backup is put back, and played on otherwise."""
    backup = signer.folder / "backup.db"
    shutil.copy(signer.file, backup)
    signer.done(*AWARD)
    head = c2sp.parse_checkpoint(head_of(signer))
    shutil.copy(backup, signer.file)
    assert f"over {head.size} events" in signer.refused(4, "audit", "checkpoint")
    signer.done("fighter", "award", "krug", "--xp", "2", "--reason", "held on")
    assert signer.head["events"] == head.size
    assert "another head over" in signer.refused(4, "audit", "checkpoint")


def test_nothing_is_signed_of_a_log_that_was_changed(signer: Arbitrator) -> None:
    head_of(signer)
    with closing(sqlite3.connect(signer.file)) as connection, connection:
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute(
            "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'Krug', 'Grug') AS BLOB)"
        )
    assert "Nothing was signed" in signer.refused(4, "audit", "checkpoint")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'held on', 'held up') AS BLOB)",
        "UPDATE events SET leaf = randomblob(32) WHERE seq = (SELECT max(seq) FROM events)",
        "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
        "DELETE FROM events WHERE seq = (SELECT max(seq) - 1 FROM events)",
        "UPDATE heads SET frontier = (SELECT frontier FROM signed_notes WHERE kind = 'checkpoint')",
        "UPDATE heads SET size = size + 1",
        "DELETE FROM heads",
    ],
)
def test_after_a_battle_nothing_is_signed_of_what_changed_since_the_last_head(
    signer: Arbitrator, change: str
) -> None:
    head_of(signer)
    for number in range(2):
        signer.done("fighter", "award", "krug", "--xp", "2", "--reason", f"held on {number}")
    with closing(Tracker(f"sqlite:///{signer.file}", actor="mara")) as tracker:
        campaign = tracker.directory.campaign_id("ash-wastes")
        signing = tracker.signing(keys_folder())
        with closing(sqlite3.connect(signer.file)) as connection, connection:
            connection.execute("DROP TRIGGER events_no_update")
            connection.execute("DROP TRIGGER events_no_delete")
            assert connection.execute(change).rowcount
        before = len(signing.signed(campaign).heads)
        with pytest.raises(NotSigned):
            signing.checkpoint(campaign, lambda: "", whole=False)
        assert len(signing.signed(campaign).heads) == before


def test_a_head_is_signed_by_itself_after_each_battle_where_that_was_chosen(signer: Arbitrator) -> None:
    signer.record(SEASON[2])
    before = signer.read("audit", "checkpoint", "--after-battles")["events"]
    ran = signer("battle", "record", "-", stdin=SEASON[3])
    assert (ran.code, ran.err) == (0, "")
    note = c2sp.parse_note(ran.out.partition("see it:\n\n")[2])
    head = c2sp.parse_checkpoint(note)
    assert (head.size, head.size > before) == (signer.head["events"], True)
    assert head_of(signer) == note
    (file,) = keys_folder().glob("*.key")
    file.rename(signer.folder / "elsewhere.key")
    ran = signer("battle", "record", "-", stdin=SEASON[4])
    assert ran.code == 0
    assert "The head is not signed: There is no key on this machine" in ran.err
    (signer.folder / "elsewhere.key").rename(file)
    signer.done("audit", "checkpoint", "--not-after-battles")
    assert "Signed" not in signer("battle", "record", "-", stdin=SEASON[5]).out


# --- witnesses -------------------------------------------------------------------------------------------


@pytest.fixture
def sam(tmp_path: Path) -> str:
    """A witness on this machine; gives the public key."""
    key: str = Arbitrator(tmp_path).read("audit", "key", "new", "--witness", "sam", "--no-passphrase")["key"]
    return key


def test_a_witness_signs_what_continues_what_they_saw_and_the_campaign_keeps_it(
    signer: Arbitrator, sam: str
) -> None:
    signer.done("audit", "witnesses", "--want", "1", sam)
    sent = signer.folder / "head.txt"
    signer.done("audit", "checkpoint", "--out", str(sent))
    back = signer.folder / "back.txt"
    ran = signer.done("audit", "cosign", str(sent), "--vkey", vkey_of(signer), "--out", str(back))
    note = c2sp.parse_note(back.read_text())
    assert ran.out == note.written()
    assert c2sp.parse_vkey(sam).signature_on(note) is not None
    kept = signer.read("audit", "checkpoint", "--add", str(back))
    assert (kept["witnesses"], kept["wanted"]) == (["sam"], 1)


def test_a_witness_wants_a_proof_that_the_log_continues(signer: Arbitrator, sam: str) -> None:
    first, second, proof = (signer.folder / name for name in ("1.txt", "2.txt", "proof.txt"))
    signer.done("audit", "checkpoint", "--out", str(first))
    signer.done("audit", "cosign", str(first), "--vkey", vkey_of(signer))
    seen = c2sp.parse_checkpoint(c2sp.parse_note(first.read_text())).size
    signer.done(*AWARD)
    signer.done("audit", "checkpoint", "--out", str(second))
    assert f"--from {seen} --to" in signer.refused(2, "audit", "cosign", str(second))
    signer.done("audit", "consistency", "--from", str(seen), "--out", str(proof))
    signer.done("audit", "cosign", str(second), "--proof", str(proof))
    assert "you have seen one over" in signer.refused(3, "audit", "cosign", str(first))


def test_a_witness_follows_a_key_that_was_handed_on_by_its_statement(signer: Arbitrator, sam: str) -> None:
    first, second, third, keys, proof = (signer.folder / f"{name}.txt" for name in (1, 2, 3, "keys", "proof"))
    old = vkey_of(signer)
    signer.done("audit", "checkpoint", "--out", str(first))
    signer.done("audit", "cosign", str(first), "--vkey", old)
    signer.done("audit", "key", "rotate", "--no-passphrase")
    signer.done(*AWARD)
    signer.done("audit", "checkpoint", "--out", str(second))
    seen = c2sp.parse_checkpoint(c2sp.parse_note(first.read_text())).size
    signer.done("audit", "consistency", "--from", str(seen), "--out", str(proof))
    proved = ("--proof", str(proof))
    assert "--statements" in signer.refused(2, "audit", "cosign", str(second), *proved)
    keys.write_text(signer.done("audit", "key", "show", "--statements").out)
    note = c2sp.parse_note(signer.done("audit", "cosign", str(second), *proved, "--keys", str(keys)).out)
    assert c2sp.parse_vkey(sam).signature_on(note) is not None
    signer.done("audit", "cosign", str(second))  # from now on the new key is the one that is known
    (file,) = (one for one in keys_folder().glob("*.key") if not one.name.startswith("witness"))
    file.unlink()
    signer.done("audit", "key", "new", "--lost", "--no-passphrase")
    signer.done(*AWARD)
    signer.done("audit", "checkpoint", "--out", str(third))
    keys.write_text(signer.done("audit", "key", "show", "--statements").out)
    strange = ("audit", "cosign", str(third), "--keys", str(keys))
    assert "have not seen" in signer.refused(2, *strange)
    assert "not signed with the key that you know" in signer.refused(2, *strange, "--vkey", old)


def test_the_old_key_signs_nothing_more_for_who_has_its_statement(signer: Arbitrator, sam: str) -> None:
    """Threat T10: a key that was stolen after it was handed on."""
    keys, stolen = signer.folder / "keys.txt", signer.folder / "stolen.txt"
    old = vkey_of(signer)
    signer.done("audit", "key", "rotate", "--no-passphrase")
    keys.write_text(signer.done("audit", "key", "show", "--statements").out)
    (kept,) = keys_folder().glob("*.key.*")
    private = key_files.open_key(kept, lambda: "")
    head = c2sp.Checkpoint(private.name, signer.head["events"] + 1, bytes(32))
    stolen.write_text(
        c2sp.Note(head.text(), (c2sp.sign(private.private, private.name, head.text()),)).written()
    )
    asked = ("audit", "cosign", str(stolen), "--vkey", old)
    assert "not signed with the key that you know" in signer.refused(2, *asked, "--keys", str(keys))


def test_a_file_that_says_nothing_of_keys_is_refused(signer: Arbitrator, sam: str) -> None:
    head = signer.folder / "head.txt"
    signer.done("audit", "checkpoint", "--out", str(head))
    assert "no statement of a key" in signer.refused(2, "audit", "cosign", str(head), "--keys", str(head))


def test_a_witness_refuses_another_past_and_shows_both_heads(signer: Arbitrator, sam: str) -> None:
    """Threat T5: the Arbitrator, with the key, shows two players two histories."""
    copy, other_keys = signer.folder / "copy.db", signer.folder / "journal"
    shutil.copy(signer.file, copy)
    signer.done(*AWARD)
    first = signer.folder / "1.txt"
    signer.done("audit", "checkpoint", "--out", str(first))
    signer.done("audit", "cosign", str(first), "--vkey", vkey_of(signer))
    shutil.copy(copy, signer.file)
    signer.done("fighter", "award", "krug", "--xp", "2", "--reason", "held on")
    for journal in keys_folder().glob("*.signed"):  # whoever owns the machine can take that away
        journal.rename(other_keys)
    second = signer.folder / "2.txt"
    signer.done("audit", "checkpoint", "--out", str(second))
    refused = signer.refused(4, "audit", "cosign", str(second))
    assert first.read_text() in refused
    assert second.read_text() in refused


def test_a_key_signs_no_second_past_whatever_else_it_has_signed(signer: Arbitrator) -> None:
    """A backup is put back; the journal beside the key remembers, and other logs of the key hide nothing."""
    copy = signer.folder / "copy.db"
    shutil.copy(signer.file, copy)
    signer.done(*AWARD)
    signed = head_of(signer)
    (journal,) = keys_folder().glob("*.signed")
    origin = c2sp.parse_checkpoint(signed).origin
    (line,) = journal.read_text().splitlines()
    journal.write_text(f"{line.replace(origin, 'sump-city-0001')}\n{line}\n")
    shutil.copy(copy, signer.file)
    assert "this key has signed a head over" in signer.refused(4, "audit", "checkpoint")
    signer.done("fighter", "award", "krug", "--xp", "2", "--reason", "held on")
    assert "this key has signed another head over" in signer.refused(4, "audit", "checkpoint")
    journal.write_text(f"{line.replace(origin, 'sump-city-0001')}\n")
    signer.done("audit", "checkpoint")


def test_a_witness_of_the_same_database_needs_no_files(signer: Arbitrator, sam: str) -> None:
    signer.done("audit", "witnesses", "--want", "1", sam)
    signer.done("audit", "checkpoint")
    signer.done("audit", "cosign")
    assert signer.read("audit", "checkpoint")["witnesses"] == ["sam"]
    signer.done("audit", "key", "rotate", "--no-passphrase")
    signer.done(*AWARD)
    signer.done("audit", "checkpoint")
    signer.done("audit", "cosign")
    assert signer.read("audit", "checkpoint")["witnesses"] == ["sam"]


def test_a_signature_is_kept_and_stands_in_the_list_of_heads(signer: Arbitrator, sam: str) -> None:
    assert "No head was signed yet" in signer.done("audit", "heads").out
    signer.done("audit", "witnesses", "--want", "1", sam)
    sent = signer.folder / "head.txt"
    signer.done("audit", "checkpoint", "--out", str(sent))
    cosigned = signer.done("audit", "cosign", str(sent), "--vkey", vkey_of(signer)).out
    (head,) = signer.read("audit", "heads")["heads"]
    assert (head["events"], head["witnesses"], head["wanted"]) == (signer.head["events"], [], 1)
    assert signer.done("audit", "cosigned", "-", stdin=cosigned).out.strip() == cosigned.strip()
    (head,) = signer.read("audit", "heads")["heads"]
    assert (head["witnesses"], head["note"]) == (["sam"], cosigned)
    assert "1 of 1" in signer.done("audit", "heads").out
    assert "No witness of this campaign has a valid signature" in signer.refused(
        2, "audit", "cosigned", str(sent)
    )


def test_who_may_witness_is_a_version_with_a_point_from_which_it_holds(signer: Arbitrator, sam: str) -> None:
    assert "No witnesses are named" in signer.done("audit", "witnesses").out
    signer.done("audit", "witnesses", "--want", "1", sam)
    signer.done(*AWARD)
    signer.done("audit", "witnesses", "--want", "0")
    versions = signer.read("audit", "witnesses")["versions"]
    assert [(one["version"], one["wanted"], one["witnesses"]) for one in versions] == [
        (1, 1, [sam]),
        (2, 0, []),
    ]
    assert versions[0]["from_event"] < versions[1]["from_event"]
    assert "does not say which witnesses" in signer.refused(2, "audit", "witnesses", "--want", "2", sam)


def test_a_signature_of_nobody_who_is_named_is_not_kept(signer: Arbitrator, sam: str) -> None:
    sent, back = signer.folder / "head.txt", signer.folder / "back.txt"
    signer.done("audit", "checkpoint", "--out", str(sent))
    signer.done("audit", "cosign", str(sent), "--vkey", vkey_of(signer), "--out", str(back))
    assert "No witness of this campaign has a valid signature" in signer.refused(
        2, "audit", "checkpoint", "--add", str(back)
    )


# --- proofs ----------------------------------------------------------------------------------------------


def test_a_proof_of_one_event_is_short_and_proves_its_bytes(signer: Arbitrator) -> None:
    signer.done("audit", "checkpoint")
    file = signer.folder / "10.2.tlog-proof"
    ran = signer.read("audit", "prove", "10.2", "--out", str(file))
    proof = c2sp.parse_inclusion(file.read_text())
    body = Path(f"{file}.json").read_bytes()
    assert ran["bytes"] == len(file.read_bytes()) < 1_000
    assert (json.loads(body)["seq"], json.loads(body)["entry"]) == (proof.index, 10)
    assert proof.proves(leaf_hash(body))
    assert not proof.proves(leaf_hash(body.replace(b"Krug", b"Grug") + b" "))
    assert c2sp.parse_vkey(vkey_of(signer)).signature_on(proof.note) is not None


def test_an_event_after_the_last_signed_head_is_not_proved(signer: Arbitrator) -> None:
    assert "No signed head covers event 10.2" in signer.refused(1, "audit", "prove", "10.2")
    signer.done("audit", "checkpoint")
    signer.done(*AWARD)
    entry = signer.head["entries"]
    assert "No signed head covers" in signer.refused(1, "audit", "prove", f"{entry}.1")
    assert "99.9" in signer.refused(2, "audit", "prove", "99.9")


def test_a_proof_is_never_written_over_another_file(signer: Arbitrator) -> None:
    signer.done("audit", "checkpoint")
    taken = signer.folder / "taken"
    taken.write_text("mine")
    assert "never overwritten" in signer.refused(2, "audit", "prove", "10.2", "--out", str(taken))
    assert taken.read_text() == "mine"


def test_before_the_first_head_a_proof_between_heads_says_how_one_is_signed(signer: Arbitrator) -> None:
    said = " ".join(signer.refused(2, "audit", "consistency", "--from", "3").split())
    assert "No head of this campaign was signed yet" in said
    signer.done("audit", "checkpoint")
    signer.done("audit", "consistency", "--from", "3")
