"""The evening of moving in runs as its page prints it."""

import shutil
from pathlib import Path

import pytest
from transcript import replay, run_command

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "moving-in.md"


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("moving-in", "armoury"):
        shutil.copytree(ROOT / "fixtures" / kind, tmp_path / "fixtures" / kind)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("evening")
def test_the_evening_runs_as_printed_and_the_past_counts(request: pytest.FixtureRequest) -> None:
    replayed = replay(PAGE.read_text(encoding="utf-8"), answers="where shown")
    assert len(replayed.commands) >= 10
    if request.config.getoption("--update-golden"):
        PAGE.write_text(replayed.now, encoding="utf-8")
    elif replayed.difference():
        pytest.fail(
            replayed.difference() + "\n\nIf this is what it should say now: `make golden`", pytrace=False
        )
    code, said = run_command("arbitrator battle list")
    assert code == 0
    assert "drowned-mill" in said
    _, said = run_command("arbitrator log show --battle drowned-mill")
    assert "counts as Out Cold" in " ".join(said.split())
    _, said = run_command("arbitrator explain brakka-anvil-stone enemies_taken_out")
    assert "from YakTribe, yaktribe.json" in " ".join(said.replace("│", " ").split())
    _, said = run_command("arbitrator gang captives")
    assert "Grit" in said
