"""Writes a file as a whole: after a fault, or on a full disk, the file that was there is still there."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, content: bytes, *, mode: int | None = None) -> None:
    """Write a file as a whole. Raises OSError, and ValueError for an invalid name.

    A link stays a link; a terminal or a pipe is written to directly. The file has `mode` from its first byte
    on; None: the mode of the file that it replaces, or the usual one.
    """
    target = Path(os.path.realpath(file))
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    beside = target.with_name(f".arbitrator-{os.urandom(8).hex()}.new")
    try:
        made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode)
        with os.fdopen(made, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is None and target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
