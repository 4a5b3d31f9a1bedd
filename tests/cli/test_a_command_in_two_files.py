"""A command is written in two files, its record and its handler: everything else follows from the record."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MADE_UP = ROOT / "fixtures/made-up-command"
FILE = "format: post-battle/1\nbattle: sump-bridge\npart: {part}\nentries:\n  - {entry}\n"
WITH_IT = "import records, steps, sys; from tracker.cli.main import run; sys.argv[0] = 'arbitrator'; run()"


Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The command line with the two files loaded, after the first battle of the season in `fixtures/`."""
    folder = tmp_path_factory.mktemp("made-up")
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "TRACKER_DATABASE_URL": f"sqlite:///{folder / 'club.db'}",
        "PYTHONPATH": os.pathsep.join((str(MADE_UP), str(ROOT))),
    }

    def run(*words: str, said: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WITH_IT, *words]
        return subprocess.run(
            command, cwd=ROOT, env=environment, input=said, capture_output=True, text=True, check=False
        )

    for words in (
        ("campaign", "new", "Ash Wastes", "--ruleset", "necromunda_2023"),
        ("gang", "add", "fixtures/gangs/iron-skulls.yaml"),
        ("gang", "add", "fixtures/gangs/gilded-cage.yaml"),
        ("battle", "record", "fixtures/season/01-sump-bridge.yaml"),
    ):
        assert run(*words).returncode == 0, run(*words).stderr
    return run


def test_a_command_in_two_files_is_read_decided_kept_said_and_verified(
    program: Program, tmp_path: Path
) -> None:
    def post(part: str, entry: str) -> subprocess.CompletedProcess[str]:
        file = tmp_path / f"{part}.yaml"
        file.write_text(FILE.format(part=part, entry=entry), encoding="utf-8")
        return program("battle", "post", str(file))

    done = post("one", "paint_captive: {captive: krug, colour: red}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Krug the Anvil is red from now on" in done.stdout

    wrong = post("two", "paint_captive: {captive: krug, color: red}")
    assert wrong.returncode == 2
    assert "Did you mean 'colour'?" in wrong.stderr

    refused = post("three", "paint_captive: {captive: krug, colour: blue}")
    assert (refused.returncode, "one coat is enough" in refused.stderr) == (1, True)

    log = program("log", "entry", "15").stdout
    assert "paint Krug the Anvil red" in log
    schema = json.loads(program("schema", "post-battle").stdout)
    assert schema["$defs"]["PaintCaptive"]["properties"]["colour"]["description"] == "In which colour."
    verified = program("audit", "verify")
    assert verified.returncode == 0, verified.stderr
    assert program("boards", "verify").returncode == 0
