"""`make demo`: the demonstration does what it says, and the season under fixtures/ is what it plays."""

import os
import subprocess
import sys
import tempfile
from http import HTTPStatus
from pathlib import Path
from shlex import quote

import pytest
from starlette.testclient import TestClient
from transcript import run_command

from tracker.documents.battle_report import battle_plan
from tracker.documents.yaml_reader import read_document
from tracker.rules import loader
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"


@pytest.mark.slow
def test_the_demo_runs_to_its_end_and_leaves_its_season_to_be_served(tmp_path: Path) -> None:
    # Sockets of the service lie in it: pytest's own folder is too long a path for them after a hundred runs.
    with tempfile.TemporaryDirectory() as brief:
        done = subprocess.run(
            [sys.executable, str(FIXTURES / "demo.py"), str(tmp_path / "left")],
            check=False,
            capture_output=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, "TMPDIR": brief, "PYTHONUTF8": "1"},
        )
        assert not done.stderr, done.stderr
        assert done.returncode == 0
        assert not list(Path(brief).glob("arbitrator-demo-*"))
    file = tmp_path / "left" / "demo.db"
    assert f"arbitrator --db {quote(str(file))} serve\n" in done.stdout
    served = Tracker(f"sqlite:///{file}", actor="the machine")
    with TestClient(application(served, MemberAccess(served)), base_url="http://localhost:8000") as browser:
        link = served.people.invites.back(served.people.of_machine("the Arbitrator").person)
        joined = browser.post(f"/join/{link.secret}", headers={"Sec-Fetch-Site": "same-origin"})
        assert joined.status_code == HTTPStatus.OK
        for page, says in (("", "The Gilded Cage"), ("/battles/back-alley", "struck out")):
            assert says in browser.get(f"/campaigns/ash-wastes{page}").text
    served.close()


def test_the_season_is_six_battles_of_three_gangs() -> None:
    purposes = loader.book("necromunda_2023").purposes
    plans = [
        battle_plan(read_document(str(file)), purposes=purposes)
        for file in sorted((FIXTURES / "season").glob("*.yaml"))
    ]
    assert [plan.battle for plan in plans] == [
        "sump-bridge", "cold-forge", "ash-chapel", "glass-garden", "rust-tithe", "last-light",
    ]  # fmt: skip


def test_the_friendly_is_recorded_with_dice_that_the_tool_rolls(tmp_path: Path) -> None:
    db = f"--db {quote(str(tmp_path / 'friendly.db'))}"
    for command in (
        "campaign new Friendly",
        f"gang add {quote(str(FIXTURES / 'gangs' / 'iron-skulls.yaml'))}",
        f"gang add {quote(str(FIXTURES / 'gangs' / 'gilded-cage.yaml'))}",
    ):
        assert run_command(f"arbitrator {db} {command}")[0] == 0
    report = quote(str(FIXTURES / "friendly" / "back-room.yaml"))
    code, said = run_command(f"arbitrator {db} battle record {report}")
    assert code == 2
    assert "an injury die is missing" in said
    code, said = run_command(f"arbitrator {db} battle record {report} --roll")
    assert code == 0
    assert "rolled by the tool" in said
