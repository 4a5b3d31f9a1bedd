"""The page about traits and skills of one's own runs as it is printed."""

from pathlib import Path

import pytest
from transcript import replay

PAGE = Path(__file__).parent.parent / "docs" / "own-skills.md"


def test_the_skill_on_the_page_is_adopted_judged_and_has_its_odds(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    replayed = replay(PAGE.read_text(encoding="utf-8"), answers="all")
    assert len(replayed.commands) == 4
    if request.config.getoption("--update-golden"):
        PAGE.write_text(replayed.now, encoding="utf-8")
    elif replayed.difference():
        pytest.fail(
            replayed.difference() + "\n\nIf this is what it should say now: `make golden`", pytrace=False
        )
