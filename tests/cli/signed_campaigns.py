"""Signed campaigns as sceptics get them: archives, spoiled in every way, and the three programs that verify them."""

import io
import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing, redirect_stdout
from pathlib import Path
from runpy import run_path
from typing import Any

from cli_arbitrator import Arbitrator
from resealing import unsealed

from tracker.log.sealing import Head, seal
from tracker.service import standalone_verifier

VERIFIERS = Path(standalone_verifier.__path__[0])

Change = Callable[[dict[str, Any]], None]


def repacked(archive: Path, name: str, change: Callable[[bytes], bytes], *, to: Path) -> Path:
    """The archive with one member changed, packed as another tool would."""
    with zipfile.ZipFile(archive) as before, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as after:
        for member in before.namelist():
            body = before.read(member)
            after.writestr(member, change(body) if member == name else body)
    return to


def changed_event(archive: Path, seq: int, *, to: Path) -> Path:
    """The archive with one face of a die changed in one event, and nothing else."""

    def change(events: bytes) -> bytes:
        lines = events.split(b"\n")
        spoiled = lines[seq].replace(b'"at":"20', b'"at":"21')
        assert spoiled != lines[seq]
        return b"\n".join([*lines[:seq], spoiled, *lines[seq + 1 :]])

    return repacked(archive, "events.jsonl", change, to=to)


def other_signature(body: bytes) -> bytes:
    """What was signed, with another letter in the signature of each head."""
    rows = [json.loads(line) for line in body.splitlines()]
    for row in rows:
        if row["kind"] == "checkpoint":
            head, _, line = row["note"].rpartition(" ")
            row["note"] = f"{head} {line[:40]}{'A' if line[40] != 'A' else 'B'}{line[41:]}"
    return b"".join(
        json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        for row in rows
    )


def without_the_last_line(body: bytes) -> bytes:
    """The end of a log cut off."""
    return b"".join(body.splitlines(keepends=True)[:-1])


def rewritten(table: Arbitrator, seq: int) -> None:
    """Change an event in the database and make every hash after it anew, as who owns the file can."""
    with closing(sqlite3.connect(table.file)) as connection, connection:
        rows = connection.execute("SELECT campaign_id, body FROM events ORDER BY seq").fetchall()
        drafts = []
        for place, (_, body) in enumerate(rows):
            envelope = json.loads(body)
            if place == seq:
                envelope["at"] = "2099-01-01T00:00:00Z"
            drafts.append(unsealed(envelope, causation=envelope["causation"]))
        sealed, head = seal(Head(campaign=rows[0][0]), drafts)
        connection.execute("DROP TRIGGER events_no_update")
        for event in sealed:
            connection.execute(
                "UPDATE events SET body = ?, leaf = ? WHERE seq = ?", (event.body, event.leaf, event.seq)
            )
        connection.execute(
            "UPDATE heads SET leaf = ?, frontier = ?", (sealed[-1].leaf, head.frontier.to_bytes())
        )


def by_us(table: Arbitrator, archive: Path, *options: str) -> tuple[str, int]:
    """The first word of our verdict, and the exit code."""
    ran = table("audit", "verify", str(archive), *options)
    assert ran.err == "", ran.err
    return ran.out.partition(":")[0], ran.code


def by_script(archive: Path, *options: str) -> tuple[str, int, str]:
    """What `verify.py` says, run as a program of its own names, and its exit code."""
    before, out = sys.argv, io.StringIO()
    sys.argv = ["verify.py", str(archive), *options]
    try:
        with redirect_stdout(out):
            run_path(str(VERIFIERS / "verify.py"), run_name="__main__")
    except SystemExit as over:
        return out.getvalue().partition(":")[0], int(str(over.code)), out.getvalue()
    finally:
        sys.argv = before
    raise AssertionError("it ends with a code")


def by_page(archives: Iterable[Path], folder: Path) -> list[str] | None:
    """What the script of `verify.html` says of each, in another language; None where there is no node."""
    node = shutil.which("node")
    if node is None:
        return None
    page = (VERIFIERS / "verify.html").read_text(encoding="utf-8")
    script = page.partition("<script>")[2].partition("</script>")[0]
    script += """
const fs = require("fs");
(async () => {
  for (const file of process.argv.slice(2)) {
    const over = await verifyArchive(new Uint8Array(fs.readFileSync(file)));
    console.log(`${over.word}: ${over.reason}`);
  }
})();
"""
    file = folder / "page.js"
    file.write_text(script, encoding="utf-8")
    ran = subprocess.run(
        [node, str(file), *map(str, archives)], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return ran.stdout.splitlines()
