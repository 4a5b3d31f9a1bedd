"""Signed heads from afar: who witnesses needs a client and a key of their own, and nothing of the machine."""

import sys
from pathlib import Path

import pytest
from afar import Afar
from cli_arbitrator import Arbitrator
from served import Served

from tracker.log import c2sp

AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")


@pytest.fixture
def signed(table: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """The campaign that is served, with a head over all of it and Sam as the witness whom it wants."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table.done("audit", "key", "new", "--no-passphrase")
    sam = table.read("audit", "key", "new", "--witness", "sam", "--no-passphrase")["key"]
    table.done("audit", "witnesses", "--want", "1", sam)
    table.done("audit", "checkpoint")
    return table


def cosigned(table: Arbitrator, written: str, *options: str) -> str:
    """The head as Sam sends it back."""
    vkey = table.read("audit", "key", "show")["keys"][-1]["key"]
    return table.done("audit", "cosign", table.write(written), "--vkey", vkey, *options).out


def test_a_witness_reads_the_head_and_the_proof_and_sends_the_signature(
    served: Served, signed: Arbitrator
) -> None:
    (head,) = served.get("/audit/heads").json()["heads"]
    assert (head["events"], head["witnesses"], head["wanted"]) == (signed.head["events"], [], 1)
    sent = served.ask("POST", "/audit/cosignatures", content=cosigned(signed, head["note"]))
    assert (sent.status_code, sent.json()["witnesses"]) == (200, ["sam"]), sent.text
    signed.done(*AWARD)
    signed.done("audit", "checkpoint")
    later = served.get("/audit/heads").json()["heads"][-1]
    proof = served.get(f"/audit/consistency?from={head['events']}", headers={"Accept": "text/plain"}).text
    with_proof = ("--proof", signed.write(proof, name="proof.txt"))
    again = served.ask("POST", "/audit/cosignatures", content=cosigned(signed, later["note"], *with_proof))
    assert again.json()["witnesses"] == ["sam"], again.text
    assert [one["witnesses"] for one in served.get("/audit/heads").json()["heads"]] == [["sam"], ["sam"]]
    key = served.get("/audit/key").json()["keys"][0]
    assert c2sp.parse_vkey(key["key"]).signature_on(c2sp.parse_note(key["statement"])) is not None


def test_a_head_without_a_good_signature_of_a_witness_is_refused(served: Served, signed: Arbitrator) -> None:
    (head,) = served.get("/audit/heads").json()["heads"]
    for content in (head["note"], "no note", ""):
        answer = served.ask("POST", "/audit/cosignatures", content=content)
        assert answer.status_code == 422, answer.text


@pytest.mark.parametrize("query", ["file=/etc/hostname", "known_head=/etc/hostname", "out=/tmp/x"])
def test_no_request_names_a_file_of_the_machine(served: Served, signed: Arbitrator, query: str) -> None:
    for path in ("/audit/verify", "/audit/consistency"):
        assert served.get(f"{path}?{query}").status_code == 422


def test_an_archive_is_verified_here_and_a_head_that_somebody_kept_is_sent(
    afar: Afar, signed: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRACKER_SERVICE")
    archive, head = tmp_path / "season.zip", tmp_path / "kept.txt"
    signed.done("audit", "cosign")
    signed.done("campaign", "export", str(archive))
    head.write_text(signed.done("audit", "checkpoint").out)
    monkeypatch.setenv("TRACKER_SERVICE", "https://club.example/")
    afar.sent.clear()
    assert afar.done("audit", "verify", str(archive), "--known-head", str(head)).out.startswith("VALID")
    assert afar.sent == []
    assert "VALID" in afar.done("audit", "verify", "--known-head", str(head)).out
    ran = afar("audit", "verify", "--known-head", str(tmp_path / "nowhere.txt"))
    assert (ran.code, ran.out) == (2, "")
    out = tmp_path / "proof.txt"
    events = str(signed.head["events"])
    proof = afar.done("audit", "consistency", "--from", events, "--out", str(out)).out
    assert out.read_text().strip() == proof.strip()


def test_nobody_is_asked_for_a_passphrase_where_the_service_runs(
    served: Served, table: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TRACKER_KEY_PASSPHRASE", "sump water")
    table.done("audit", "key", "new")
    monkeypatch.delenv("TRACKER_KEY_PASSPHRASE")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    answer = served.post("/audit/witnesses", json={"want": 0})
    assert (answer.status_code, answer.json()["code"]) == (422, "passphrase_needed"), answer.text
