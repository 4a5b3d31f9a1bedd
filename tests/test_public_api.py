"""`tracker.api` is what a program may import: its page names everything, and its program runs as printed."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tracker import api

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "tests" / "typing" / "club_night.py"
PAGE = ROOT / "docs" / "api.md"


def test_the_page_prints_the_program_and_what_it_answers(
    tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    database = f"sqlite:///{tmp_path / 'club.db'}"
    command = [sys.executable, str(PROGRAM), database, str(ROOT / "fixtures")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (ran.returncode, ran.stderr) == (0, "")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition("```python\n")
    after = rest.split("```text\n")[1].partition("```")[2]
    program = PROGRAM.read_text(encoding="utf-8")
    golden(
        "../docs/api.md", f"{before}```python\n{program}```\n\nIt prints:\n\n```text\n{ran.stdout}```{after}"
    )


def test_the_page_names_every_public_name() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in api.__all__ if f"`{name}`" not in text and f"`{name}(" not in text] == []


def test_the_parts_that_the_page_names_are_there() -> None:
    parts = [
        line.split("`")[1] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `tracker.")
    ]
    assert len(parts) >= 6
    assert [part for part in parts if not hasattr(api.Tracker, part.removeprefix("tracker."))] == []


def test_a_battle_and_what_came_after_it_are_recorded_once_each(tmp_path: Path) -> None:
    season = ROOT / "fixtures" / "seasons" / "necromunda_archive"
    with api.open_tracker(f"sqlite:///{tmp_path / 'club.db'}", actor="Robin") as tracker:
        campaign = api.new_campaign(tracker, "Salt", slug="salt", book="necromunda_archive")
        for gang in ("salt-line", "moss-kin"):
            api.add_gang(tracker, campaign, season / f"{gang}.yaml")
        api.record_battle(tracker, campaign, season / "01-salt-stair.yaml")
        for repeated in (False, True):
            recorded = api.record_post_battle(
                tracker, campaign, season / "01-salt-stair.after.yaml", armoury_file=season / "armoury.yaml"
            )
            assert recorded.repeated is repeated
        assert tracker.audit.verify(campaign).ok
