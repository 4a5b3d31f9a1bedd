"""Verdicts: what a sceptic learns of an archive, by this program, by `verify.py` and by `verify.html`."""

import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from signed_campaigns import (
    VERIFIERS,
    by_page,
    by_script,
    by_us,
    changed_event,
    other_signature,
    repacked,
    rewritten,
    without_the_last_line,
)

from tracker.log import c2sp

AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")
SEQ = 44
"""An event in the middle: what became of Quill in entry 10."""


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def signed(season: Arbitrator) -> Arbitrator:
    """The season, signed to its last event."""
    season.done("audit", "key", "new", "--no-passphrase")
    season.done("audit", "checkpoint", "--out", str(season.folder / "head.txt"))
    return season


def exported(table: Arbitrator, name: str = "ash.zip") -> Path:
    file = table.folder / name
    table.done("campaign", "export", str(file))
    return file


def agreed(table: Arbitrator, archives: dict[str, Path]) -> None:
    """All three programs say this of these archives."""
    for word, archive in archives.items():
        assert by_us(table, archive)[0].split()[0] == word
        assert by_us(table, archive)[1] == by_script(archive)[1]
        assert by_script(archive)[0].split()[0] == word
    said = by_page(archives.values(), table.folder)
    assert said is None or [line.partition(":")[0].split()[0] for line in said] == list(archives)


# --- the verdicts ------------------------------------------------------------------------------------------


def test_three_programs_agree_on_what_is_good_what_was_changed_and_where(signed: Arbitrator) -> None:
    good = exported(signed)
    folder = signed.folder
    spoiled = changed_event(good, SEQ, to=folder / "die.zip")
    packed_again = repacked(good, "README.txt", lambda body: body, to=folder / "same.zip")
    bad_signature = repacked(good, "signatures/notes.jsonl", other_signature, to=folder / "signature.zip")
    (folder / "no.zip").write_bytes(b"PK")
    shutil.copy(signed.file, folder / "before.db")
    rewritten(signed, SEQ)
    other_past = exported(signed, "past.zip")
    shutil.copy(folder / "before.db", signed.file)
    signed.done(*AWARD)
    tail = exported(signed, "tail.zip")
    agreed(
        signed,
        {
            "VALID": packed_again,
            "INVALID-EVENT": spoiled,
            "INVALID-SIGNATURE": bad_signature,
            "DIVERGED": other_past,
            "UNANCHORED": tail,
            "UNVERIFIABLE": folder / "no.zip",
        },
    )
    for said in (
        signed("audit", "verify", str(spoiled)).out,
        by_script(spoiled)[2],
        *(by_page([spoiled], folder) or []),
    ):
        assert f"event {SEQ}" in said


def test_the_last_event_is_named_too_though_no_other_follows_it(signed: Arbitrator) -> None:
    good, folder = exported(signed), signed.folder
    last = signed.head["events"] - 1
    spoiled = changed_event(good, last, to=folder / "last.zip")
    agreed(signed, {"INVALID-EVENT": spoiled})
    for said in (
        signed("audit", "verify", str(spoiled)).out,
        by_script(spoiled)[2],
        *(by_page([spoiled], folder) or []),
    ):
        assert f"event {last}" in said


@pytest.mark.parametrize("by", [0x40, 0x01], ids=["another name", "another packing"])
def test_a_file_whose_signed_heads_cannot_be_read_is_unverifiable(signed: Arbitrator, by: int) -> None:
    good = exported(signed)
    spoiled, content = signed.folder / "spoiled.zip", bytearray(good.read_bytes())
    directory = content.rindex(b"PK\1\2", 0, content.rindex(b"signatures/notes.jsonl"))
    for at in (directory + 46,) if by == 0x40 else (directory + 10,):
        content[at] ^= by
    spoiled.write_bytes(content)
    agreed(signed, {"UNVERIFIABLE": spoiled})


def test_a_file_whose_end_was_cut_off_is_stale_and_never_valid(signed: Arbitrator) -> None:
    good, folder = exported(signed), signed.folder
    cut = repacked(good, "events.jsonl", without_the_last_line, to=folder / "cut.zip")
    agreed(signed, {"STALE": cut})
    assert signed("audit", "verify", str(cut)).out.endswith((folder / "head.txt").read_text())
    elsewhere = ("--db", str(folder / "elsewhere.db"))
    assert "its manifest names" in signed.refused(2, *elsewhere, "campaign", "import", str(cut))


def test_a_file_whose_end_was_cut_off_is_never_called_unanchored_where_nothing_was_signed(
    season: Arbitrator,
) -> None:
    cut = season.folder / "cut.zip"
    repacked(exported(season), "events.jsonl", without_the_last_line, to=cut)
    agreed(season, {"UNVERIFIABLE": cut})


def test_a_witnessed_log_says_so_and_a_log_with_too_few_witnesses_leaves_with_another_code(
    signed: Arbitrator,
) -> None:
    sam = signed.read("audit", "key", "new", "--witness", "sam", "--no-passphrase")["key"]
    signed.done("audit", "witnesses", "--want", "1", sam)
    few = exported(signed, "few.zip")
    assert by_us(signed, few) == ("VALID", 10)
    assert by_script(few)[:2] == ("VALID", 10)
    signed.done("audit", "cosign")
    full = exported(signed, "full.zip")
    assert by_us(signed, full) == ("VALID-WITNESSED 1/1", 0)
    assert by_script(full)[:2] == ("VALID-WITNESSED 1/1", 0)
    said = by_page([few, full], signed.folder)
    assert said is None or [line.partition(":")[0] for line in said] == ["VALID", "VALID-WITNESSED 1/1"]
    assert signed.read("audit", "verify")["signed"]["verdict"] == "VALID-WITNESSED"


def test_only_the_key_that_somebody_holds_counts(signed: Arbitrator) -> None:
    key = signed.read("audit", "key", "show")["keys"][0]["key"]
    archive = exported(signed)
    assert by_us(signed, archive, "--vkey", key) == ("VALID", 0)
    assert by_script(archive, "--vkey", key)[:2] == ("VALID", 0)
    signed.done("audit", "key", "new", "--witness", "eve", "--no-passphrase")
    (signed.folder / "other").mkdir()
    other = Arbitrator(signed.folder / "other")
    other.done("campaign", "new", "Elsewhere")
    other.done("audit", "key", "new", "--no-passphrase")
    strange = other.read("audit", "key", "show")["keys"][0]["key"]
    assert by_us(signed, archive, "--vkey", strange) == ("INVALID-SIGNATURE", 11)
    assert by_script(archive, "--vkey", strange)[:2] == ("INVALID-SIGNATURE", 11)


def test_a_key_that_was_handed_on_counts_for_who_holds_the_old_one_and_one_that_replaced_it_does_not(
    signed: Arbitrator,
) -> None:
    old = signed.read("audit", "key", "show")["keys"][0]["key"]
    signed.done("audit", "key", "rotate", "--no-passphrase")
    signed.done(*AWARD)
    signed.done("audit", "checkpoint")
    archive = exported(signed, "rotated.zip")
    assert by_us(signed, archive, "--vkey", old) == ("VALID", 0)
    assert by_script(archive, "--vkey", old)[:2] == ("VALID", 0)
    for file in (signed.folder.parent / "data" / "campaign-tracker" / "keys").glob("*.key"):
        file.unlink()
    signed.done("audit", "key", "new", "--lost", "--no-passphrase")
    signed.done(*AWARD)
    signed.done("audit", "checkpoint")
    archive = exported(signed, "lost.zip")
    assert by_us(signed, archive, "--vkey", old) == ("UNANCHORED", 14)
    assert by_script(archive, "--vkey", old)[:2] == ("UNANCHORED", 14)
    assert by_us(signed, archive) == ("VALID", 0)


def test_a_head_that_was_kept_shows_a_cut_tail_and_another_past(signed: Arbitrator) -> None:
    """Threats T3 to T5, where the file's owner holds the key and has taken away every trace."""
    shutil.copy(signed.file, signed.folder / "before.db")
    older = exported(signed, "older.zip")
    signed.done(*AWARD)
    kept = signed.folder / "kept.txt"
    signed.done("audit", "checkpoint", "--out", str(kept))
    held = ("--known-head", str(kept))
    assert by_us(signed, older, *held) == ("STALE", 13)
    assert by_script(older, *held)[:2] == ("STALE", 13)
    shutil.copy(signed.folder / "before.db", signed.file)
    signed.done("fighter", "award", "krug", "--xp", "2", "--reason", "held on")
    for journal in (signed.folder.parent / "data" / "campaign-tracker" / "keys").glob("*.signed"):
        journal.unlink()
    signed.done("audit", "checkpoint")
    other = exported(signed, "other.zip")
    assert by_us(signed, other) == ("VALID", 0)
    ran = signed("audit", "verify", str(other), *held, "--json")
    assert (ran.json["verdict"], ran.code) == ("DIVERGED", 12)
    assert [c2sp.parse_checkpoint(c2sp.parse_note(one)).size for one in ran.json["evidence"]] == [
        signed.head["events"]
    ] * 2
    assert kept.read_text() in ran.json["evidence"]
    assert by_script(other, *held)[:2] == ("DIVERGED", 12)
    assert signed("audit", "verify", *held).code == 12


def test_this_database_is_judged_by_its_own_heads(signed: Arbitrator) -> None:
    assert signed.done("audit", "verify").out.count("signed     VALID: ") == 1
    signed.done(*AWARD)
    ran = signed("audit", "verify")
    assert ran.code == 14
    assert "signed     UNANCHORED: " in ran.out
    rewritten(signed, SEQ)
    ran = signed("audit", "verify", "--json")
    assert (ran.json["signed"]["verdict"], ran.code) == ("DIVERGED", 4)  # guards are off, too


def test_a_campaign_that_was_never_signed_is_never_called_valid_and_verifies_as_before(
    season: Arbitrator,
) -> None:
    shown = season.read("audit", "verify")
    assert (shown["ok"], shown["signed"]["verdict"]) == (True, "UNANCHORED")
    archive = exported(season)
    with zipfile.ZipFile(archive) as members:
        assert members.namelist() == ["events.jsonl", "commands.jsonl", "manifest.json", "README.txt"]
    assert by_us(season, archive) == ("UNANCHORED", 14)
    assert by_script(archive)[:2] == ("UNANCHORED", 14)


def test_one_event_is_proved_without_the_log(signed: Arbitrator) -> None:
    key = signed.read("audit", "key", "show")["keys"][0]["key"]
    file = signed.folder / "10.2.tlog-proof"
    signed.done("audit", "prove", "10.2", "--out", str(file))
    assert by_us(signed, file) == ("UNVERIFIABLE", 15)
    assert by_us(signed, file, "--vkey", key) == ("VALID", 0)
    body = Path(f"{file}.json")
    body.write_bytes(body.read_bytes().replace(b'"at":"20', b'"at":"21'))
    assert by_us(signed, file, "--vkey", key) == ("INVALID-EVENT", 4)
    body.unlink()
    assert by_us(signed, file, "--vkey", key) == ("UNVERIFIABLE", 15)


def test_a_proof_under_a_key_that_yours_was_handed_on_to_is_followed_by_the_statements(
    signed: Arbitrator,
) -> None:
    old = signed.read("audit", "key", "show")["keys"][0]["key"]
    before, after = signed.folder / "before.tlog-proof", signed.folder / "after.tlog-proof"
    signed.done("audit", "prove", "10.2", "--out", str(before))
    signed.done("audit", "key", "rotate", "--no-passphrase")
    signed.done(*AWARD)
    signed.done("audit", "checkpoint")
    signed.done("audit", "prove", "10.2", "--out", str(after))
    new = signed.read("audit", "key", "show")["keys"][1]["key"]
    statements = signed.folder / "keys.txt"
    statements.write_text(signed.done("audit", "key", "show", "--statements").out)
    along = ("--keys", str(statements))
    assert by_us(signed, after, "--vkey", old) == ("INVALID-SIGNATURE", 11)
    assert by_us(signed, after, "--vkey", old, *along) == ("VALID", 0)
    assert by_us(signed, before, "--vkey", new, *along) == ("VALID", 0), (
        "a key stands for the one before it, too"
    )
    assert by_us(signed, after, *along) == ("UNVERIFIABLE", 15), "statements alone vouch for nothing"


def test_a_proof_under_a_key_that_replaced_a_lost_one_is_not_followed(signed: Arbitrator) -> None:
    old = signed.read("audit", "key", "show")["keys"][0]["key"]
    for file in (signed.folder.parent / "data" / "campaign-tracker" / "keys").glob("*.key"):
        file.unlink()
    signed.done("audit", "key", "new", "--lost", "--no-passphrase")
    signed.done(*AWARD)
    signed.done("audit", "checkpoint")
    proof, statements = signed.folder / "10.2.tlog-proof", signed.folder / "keys.txt"
    signed.done("audit", "prove", "10.2", "--out", str(proof))
    statements.write_text(signed.done("audit", "key", "show", "--statements").out)
    assert by_us(signed, proof, "--vkey", old, "--keys", str(statements)) == ("INVALID-SIGNATURE", 11)


# --- import ------------------------------------------------------------------------------------------------


@pytest.fixture
def other(tmp_path: Path) -> Arbitrator:
    """Another machine, where there is no database yet."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return Arbitrator(folder)


def test_what_was_signed_goes_along_and_comes_out_the_same(signed: Arbitrator, other: Arbitrator) -> None:
    signed.done("dispute", "open", "10.8", "--by", "Robin", "--reason", "cocked die", "--rule", "Core · Dice")
    signed.done("audit", "checkpoint")
    archive = exported(signed)
    with zipfile.ZipFile(archive) as members:
        assert "proofs/10.8.tlog-proof" in members.namelist()
        assert "proofs/consistency.txt" in members.namelist()
        assert "verify.html" in members.namelist()
    assert other.read("campaign", "import", str(archive))["unread"] == []
    other.done("audit", "verify")
    again = other.folder / "again.zip"
    other.done("campaign", "export", str(again))
    assert again.read_bytes() == archive.read_bytes()
    assert other.read("audit", "key", "show")["keys"] == signed.read("audit", "key", "show")["keys"]


@pytest.mark.parametrize("member", ["proofs/consistency.txt", "proofs/10.8.tlog-proof"])
def test_an_archive_whose_proofs_prove_nothing_is_not_imported(
    signed: Arbitrator, other: Arbitrator, member: str
) -> None:
    signed.done("dispute", "open", "10.8", "--by", "Robin", "--reason", "cocked die", "--rule", "Core · Dice")
    signed.done("audit", "checkpoint")
    archive = exported(signed)
    spoiled = repacked(archive, member, _other_step, to=other.folder / "bad.zip")
    assert "cannot be trusted" in other.refused(2, "campaign", "import", str(spoiled))
    assert not other.file.exists()


def _other_step(body: bytes) -> bytes:
    lines = body.split(b"\n")
    lines[3] = b"A" * 43 + b"="
    return b"\n".join(lines)


def test_a_copy_that_was_written_anew_is_not_imported(signed: Arbitrator, other: Arbitrator) -> None:
    rewritten(signed, SEQ)
    archive = exported(signed)
    refused = other.refused(2, "campaign", "import", str(archive))
    assert "DIVERGED" in refused
    assert not other.file.exists()


def test_a_copy_that_went_another_way_is_refused_with_both_signed_heads(
    signed: Arbitrator, other: Arbitrator
) -> None:
    other.done("campaign", "import", str(exported(signed)))
    keys = signed.folder.parent / "data" / "campaign-tracker" / "keys"
    signed.done(*AWARD)
    ours = signed.done("audit", "checkpoint").out
    apart = exported(signed, "apart.zip")
    for journal in keys.glob("*.signed"):
        journal.unlink()
    other.done("fighter", "award", "krug", "--xp", "2", "--reason", "held on")
    theirs = other.done("audit", "checkpoint").out
    refused = other.refused(2, "campaign", "import", str(apart))
    assert ours in refused
    assert theirs in refused
    ran = other("campaign", "import", str(apart), "--json")
    assert ran.json["facts"]["evidence"] == [theirs, ours]


def test_the_verifier_that_travels_is_short_and_needs_nothing_of_this_program() -> None:
    script = (VERIFIERS / "verify.py").read_text(encoding="utf-8")
    assert len(script.splitlines()) < 300
    imported = {
        line.split()[1].partition(".")[0]
        for line in script.splitlines()
        if line.startswith(("import ", "from "))
    }
    assert imported - sys.stdlib_module_names == {"cryptography"}
    page = (VERIFIERS / "verify.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "")
