"""The file of an archive: what is written into it is what is read, and what its digest says."""

from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from tracker.log import archive_file
from tracker.log.archive_file import ArchiveNotWritten, ArchiveUnreadable, MemberDigest

LINES = (b'{"seq":0}', b'{"seq":1}', b"")


def written(file: Path) -> MemberDigest:
    """An archive with three lines as its events."""
    with archive_file.new_archive(file) as archive:
        digest = archive.member(archive_file.EVENTS, (line + b"\n" for line in LINES))
        archive.member(archive_file.COMMANDS, [])
        archive.member(archive_file.MANIFEST, [b"{", b"}"])
    return digest


def test_what_is_written_in_pieces_is_read_whole_and_has_the_size_and_digest_of_all(tmp_path: Path) -> None:
    file = tmp_path / "season.zip"
    digest = written(file)
    whole = b"".join(line + b"\n" for line in LINES)
    assert digest == MemberDigest(bytes=len(whole), sha256=sha256(whole).hexdigest())
    with archive_file.open_archive(file) as archive:
        assert archive.manifest() == b"{}"
        assert archive.small(archive_file.EVENTS) == whole
        assert tuple(archive.lines(archive_file.EVENTS, digest)) == LINES
        with pytest.raises(ArchiveUnreadable, match="is not the one that its"):
            list(archive.lines(archive_file.EVENTS, MemberDigest(bytes=1, sha256=digest.sha256)))
    with ZipFile(file) as members:
        assert members.testzip() is None


def test_two_archives_of_the_same_bytes_are_the_same_file(tmp_path: Path) -> None:
    for name in ("1.zip", "2.zip"):
        written(tmp_path / name)
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()


def test_an_archive_that_would_be_too_large_is_not_kept_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    monkeypatch.setattr(archive_file, "MEMBER_BYTES_MAX", 20)
    with pytest.raises(ArchiveNotWritten, match="more than 20 bytes"):
        written(folder / "season.zip")
    assert list(folder.iterdir()) == []
