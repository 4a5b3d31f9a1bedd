"""The stories of docs/rulings.md are played: every command as typed, every answer as printed."""

from pathlib import Path

import pytest
from tables import every
from transcript import replay

ROOT = Path(__file__).parent.parent
STORIES = ROOT / "docs" / "rulings.md"


def test_the_stories_answer_as_they_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    for name in ("TRACKER_DATABASE_URL", "TRACKER_ACTOR"):
        monkeypatch.setenv(name, "")  # the page sets them; this puts them back afterwards
    replayed = replay(STORIES.read_text(encoding="utf-8"), answers="where shown")
    assert sum("preview" in command for command in replayed.commands) >= 10
    assert sum("audit verify" in command for command in replayed.commands) >= 3
    if request.config.getoption("--update-golden"):
        STORIES.write_text(replayed.now, encoding="utf-8")
    elif replayed.difference():
        pytest.fail(
            replayed.difference() + "\n\nIf this is what it should say now: `make golden`", pytrace=False
        )


@every(
    "title",
    [
        "The dead man fought on",
        "A ruling on a ruling",
        "The living man was missing from two battles",
        "The captive was sold",
        "The credits are spent",
        "The XP bought an advancement",
        "The kill's XP belonged to another gang",
        "Two disputes touch one chain",
        "The wrong name was typed",
        "The whole report was wrong",
        "Something was forgotten",
        "A house rule adopted in between",
        "A Multiple Injuries roll inside",
        "A Recovery that moves a battle",
    ],
)
def test_every_unresolved_entry_has_its_story(title: str) -> None:
    assert f"\n## {title}\n" in STORIES.read_text(encoding="utf-8")
