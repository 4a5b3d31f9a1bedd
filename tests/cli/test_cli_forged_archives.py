"""Archives forged by whoever holds the file, the campaign's key, or both: witnesses cannot be made up."""

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from signed_campaigns import by_script, by_us, repacked
from test_cli_verdicts import AWARD, exported

Rows = list[dict[str, Any]]
NOTES = "signatures/notes.jsonl"


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


class Signed:
    """A log with two heads, of which Sam witnessed the first; two witnesses are wanted. Eve is nobody's witness."""

    def __init__(self, table: Arbitrator) -> None:
        self.table = table
        table.done("audit", "key", "new", "--no-passphrase")
        self.sam, self.kim, self.eve = (
            table.read("audit", "key", "new", "--witness", name, "--no-passphrase")["key"]
            for name in ("sam", "kim", "eve")
        )
        table.done("audit", "witnesses", "--want", "2", self.sam, self.kim)
        table.done("audit", "checkpoint")
        for name in ("sam", "eve"):
            table.done("audit", "cosign", "--witness", name, "--out", str(table.folder / f"{name}.txt"))
        self.eves = (table.folder / "eve.txt").read_text(encoding="utf-8").splitlines()[-1] + "\n"
        table.done(*AWARD)
        table.done("audit", "checkpoint")
        self.archive = exported(table)
        self.heads = [int(row["size"]) for row in self.rows() if row["kind"] == "checkpoint"]

    def rows(self) -> Rows:
        with zipfile.ZipFile(self.archive) as packed:
            return [json.loads(line) for line in packed.read(NOTES).splitlines()]

    def forged(self, change: Callable[[Rows], Rows]) -> Path:
        """The archive with other rows of what was signed, and their digest in its manifest."""
        words = [
            json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            for row in change(self.rows())
        ]
        notes = "".join(f"{line}\n" for line in words).encode()
        with zipfile.ZipFile(self.archive) as packed:
            manifest = json.loads(packed.read("manifest.json"))
        manifest["files"][NOTES] = {"bytes": len(notes), "sha256": sha256(notes).hexdigest()}
        said = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        half = repacked(self.archive, NOTES, lambda _: notes, to=self.table.folder / "half.zip")
        return repacked(half, "manifest.json", lambda _: said, to=self.table.folder / "forged.zip")

    def verdict(self, change: Callable[[Rows], Rows], *options: str) -> tuple[str, int]:
        """What both programs say."""
        archive = self.forged(change)
        ours = by_us(self.table, archive, *options)
        assert by_script(archive, *options)[:2] == ours
        return ours


@pytest.fixture
def signed(season: Arbitrator) -> Signed:
    return Signed(season)


def cosigned(signed: Signed, rows: Rows, **changes: Any) -> Rows:
    """These rows with Sam's signature of the first head once more, changed so."""
    (sams,) = (row for row in rows if row["kind"] == "cosignature" and row["signer"] == signed.sam)
    return [*rows, sams | changes]


def test_no_witness_can_be_made_up_by_whoever_holds_the_file_and_the_key(signed: Signed) -> None:
    first, last = signed.heads
    few = ("VALID", 10)
    assert signed.verdict(lambda rows: rows) == few

    # A signature of the first head is none of the last.
    assert signed.verdict(lambda rows: cosigned(signed, rows, size=last)) == few
    # Sam once is Sam once, whatever the row or the line calls them.
    for name in ("kim", "sam"):
        (note,) = {
            row["note"].replace("— sam", f"— {name}") for row in signed.rows() if row["signer"] == signed.sam
        }
        assert (
            signed.verdict(lambda rows, note=note: cosigned(signed, rows, signer=signed.kim, note=note))
            == few
        )
    # Eve's good signature counts for nobody who was named, under no name.
    for name, signer in (("sam", signed.sam), ("kim", signed.kim), ("eve", signed.kim)):
        note = signed.eves.replace("— eve", f"— {name}")
        forged = signed.verdict(
            lambda rows, note=note, signer=signer: cosigned(signed, rows, signer=signer, note=note)
        )
        assert forged == few
    assert first < last


def test_what_the_campaign_wants_of_witnesses_is_signed(signed: Signed) -> None:
    def wants(number: str) -> Callable[[Rows], Rows]:
        return lambda rows: [
            row | {"note": row["note"].replace("wanted 2", f"wanted {number}")} for row in rows
        ]

    for number in ("0", "1"):
        assert signed.verdict(wants(number)) == ("INVALID-SIGNATURE", 11)
    assert signed.verdict(wants("3"))[1] in (11, 15)
    # Kim's key in the statement is another's.
    swapped = signed.verdict(
        lambda rows: [row | {"note": row["note"].replace(signed.kim, signed.eve)} for row in rows]
    )
    assert swapped == ("INVALID-SIGNATURE", 11)


def test_who_leaves_out_what_was_wanted_is_shown_by_whoever_holds_a_witness_key(signed: Signed) -> None:
    def left_out(rows: Rows) -> Rows:
        return [row for row in rows if row["kind"] not in ("witnesses", "cosignature")]

    assert signed.verdict(left_out) == ("VALID", 0), "nothing in the file says that anybody was wanted"
    for key in (signed.sam, signed.kim):
        assert signed.verdict(left_out, "--witness", key) == ("VALID", 10)


def test_the_last_head_left_out_covers_no_end(signed: Signed) -> None:
    first, last = signed.heads
    assert signed.verdict(lambda rows: [row for row in rows if row["size"] != last]) == ("UNANCHORED", 14)
    assert signed.verdict(lambda rows: [row for row in rows if row["size"] not in (first, last)])[1] == 14
    # The first head's note under the size of the last: its own line says how much it covers.
    moved = signed.forged(
        lambda rows: [
            row | ({"size": last} if row["kind"] == "checkpoint" and row["size"] == first else {})
            for row in rows
            if row["size"] != last
        ]
    )
    assert by_us(signed.table, moved) == ("INVALID-SIGNATURE", 11)
    assert by_script(moved)[:2] == ("UNANCHORED", 14)
