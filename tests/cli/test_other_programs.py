"""Somebody else's program accepts what this one writes: Go's own checksum-database code, where Go is.

`tests/outside/main.go` knows the formats and `golang.org/x/mod/sumdb` (Debian: golang-go and golang-golang-x-mod-dev).
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator
from signed_campaigns import changed_event, repacked

SOURCE = ROOT / "tests" / "outside" / "main.go"
DEBIAN = Path("/usr/share/gocode")
"""Where Debian puts the sources of Go's packages."""
AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")


@pytest.fixture(scope="module")
def go(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The program, built; None where there is no Go, or not its module."""
    found = shutil.which("go")
    if found is None or not (DEBIAN / "src/golang.org/x/mod/sumdb/tlog").is_dir():
        return None
    folder = tmp_path_factory.mktemp("go")
    environment = {
        **os.environ,
        "GO111MODULE": "off",
        "GOPATH": str(DEBIAN),
        "GOCACHE": str(folder / "cache"),
    }
    built = folder / "outside"
    subprocess.run([found, "build", "-o", str(built), str(SOURCE)], env=environment, check=True, timeout=300)
    return built


def said(go: Path, *words: str) -> dict[str, int]:
    """What it counted. Raises CalledProcessError where it accepts something not."""
    ran = subprocess.run([str(go), *words], capture_output=True, text=True, check=True, timeout=60)
    counted: dict[str, int] = json.loads(ran.stdout)
    return counted


@pytest.fixture
def checked(go: Path | None, capsys: pytest.CaptureFixture[str]) -> Path | None:
    if go is None:
        with capsys.disabled():
            print("\nNOT CHECKED by Go's x/mod/sumdb: it is not installed here.")  # noqa: T201  # said aloud
    return go


def test_go_accepts_heads_and_proofs_of_a_bundle_and_nothing_changed(
    season: Arbitrator, checked: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if checked is None:
        return
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    key = season.read("audit", "key", "new", "--no-passphrase")["keys"][0]["key"]
    sam = season.read("audit", "key", "new", "--witness", "sam", "--no-passphrase")["key"]
    season.done("audit", "witnesses", "--want", "1", sam)
    for event in ("10.2", "10.8", "11.2"):
        season.done("dispute", "open", event, "--by", "Robin", "--reason", "cocked die")
        season.done("audit", "checkpoint")
        season.done("audit", "cosign")
    season.done(*AWARD)
    season.done("audit", "checkpoint")
    good = tmp_path / "good.zip"
    season.done("campaign", "export", str(good))
    assert said(checked, "bundle", str(good), key) == {
        "events": season.head["events"], "heads": 4, "consistency": 3, "events proved": 3,
    }  # fmt: skip
    bad = [
        changed_event(good, 30, to=tmp_path / "event.zip"),
        repacked(good, "proofs/10.8.tlog-proof", _another_index, to=tmp_path / "proof.zip"),
        repacked(good, "proofs/consistency.txt", _another_size, to=tmp_path / "consistency.zip"),
    ]
    for archive in bad:
        with pytest.raises(subprocess.CalledProcessError):
            said(checked, "bundle", str(archive), key)
    with pytest.raises(subprocess.CalledProcessError):
        said(checked, "bundle", str(good), sam)


def _another_index(body: bytes) -> bytes:
    return re.sub(rb"index (\d+)", lambda found: b"index %d" % (int(found[1]) + 1), body)


def _another_size(body: bytes) -> bytes:
    return re.sub(rb"old (\d+)", lambda found: b"old %d" % (int(found[1]) - 1), body, count=1)


def test_go_comes_to_the_same_dice(checked: Path | None, tmp_path: Path) -> None:
    if checked is None:
        return
    page = (ROOT / "docs" / "formats" / "provable-dice.md").read_text(encoding="utf-8")
    (answers,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "known.json"
    file.write_text(answers, encoding="utf-8")
    known = json.loads(answers)
    assert said(checked, "dice", str(file)) == {"dice": sum(len(roll["faces"]) for roll in known["rolls"])}
    known["rolls"][2]["faces"][0] += 1
    file.write_text(json.dumps(known), encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        said(checked, "dice", str(file))
