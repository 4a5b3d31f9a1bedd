"""Files are written whole: nobody is left with half of one, and what was there is lost by no fault."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from tracker.service.whole_files import write_whole


def test_on_a_full_disk_the_old_file_stays_and_nothing_lies_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(stream: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = tmp_path / "kept"
    folder.mkdir()
    write_whole(folder / "kept.json", b"old")
    monkeypatch.setattr(os, "fsync", full)
    for name in ("kept.json", "other.json"):
        with pytest.raises(OSError, match="No space left"):
            write_whole(folder / name, b"new")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"kept.json": b"old"}


def test_a_file_keeps_its_mode_and_a_secret_is_never_readable_by_others(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    write_whole(file, b"old")
    file.chmod(0o640)
    write_whole(file, b"new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    write_whole(file, b"secret", mode=0o600)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    file, link = tmp_path / "kept.json", tmp_path / "link.json"
    write_whole(file, b"old")
    link.symlink_to(file)
    write_whole(link, b"new")
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"all of it")
    reader.join()
    assert read == [b"all of it"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
