"""The tutorial is played: every command as typed, every answer as printed."""

from pathlib import Path

import pytest
from transcript import replay

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorial.md"


def test_the_tutorial_answers_as_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("TRACKER_DATABASE_URL", "TRACKER_ACTOR"):
        monkeypatch.setenv(name, "")  # the page sets them; this puts them back afterwards
    replayed = replay(TUTORIAL.read_text(encoding="utf-8"), answers="all")
    assert len(replayed.commands) >= 15
    if request.config.getoption("--update-golden"):
        TUTORIAL.write_text(replayed.now, encoding="utf-8")
    elif replayed.difference():
        pytest.fail(
            replayed.difference() + "\n\nIf this is what it should say now: `make golden`", pytrace=False
        )
