"""A database for the documents that are played."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tracker.service.application import Tracker


@pytest.fixture
def tracker(tmp_path: Path) -> Iterator[Tracker]:
    tracker = Tracker(f"sqlite:///{tmp_path / 'played.db'}", actor="test")
    yield tracker
    tracker.close()
