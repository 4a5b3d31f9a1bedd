"""A command is written in two files, its record and its handler: everything else follows from the record."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_arbitrator import Ran

ROOT = Path(__file__).parents[2]
MADE_UP = ROOT / "fixtures/made-up-command"
FILE = "format: post-battle/1\nbattle: sump-bridge\npart: {part}\nentries:\n  - {entry}\n"
WITH_IT = """\
import contextlib, io, json, records, steps, sys
from tracker.cli.main import outcome
for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = outcome(json.loads(line))
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""
"""A process of its own, for the two files stay loaded to its end: it runs the commands that it reads."""

Program = Callable[..., Ran]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The command line with the two files loaded, after the first battle of the season in `fixtures/`."""
    folder = tmp_path_factory.mktemp("made-up")
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "TRACKER_DATABASE_URL": f"sqlite:///{folder / 'club.db'}",
        "PYTHONPATH": os.pathsep.join((str(MADE_UP), str(ROOT))),
    }

    process = subprocess.Popen(
        [sys.executable, "-c", WITH_IT],
        cwd=ROOT,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def run(*words: str) -> Ran:
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps(words), file=process.stdin, flush=True)
        return Ran(*json.loads(process.stdout.readline()))

    for words in (
        ("campaign", "new", "Ash Wastes", "--ruleset", "necromunda_2023"),
        ("gang", "add", "fixtures/gangs/iron-skulls.yaml"),
        ("gang", "add", "fixtures/gangs/gilded-cage.yaml"),
        ("battle", "record", "fixtures/season/01-sump-bridge.yaml"),
    ):
        ran = run(*words)
        assert ran.code == 0, ran.err
    yield run
    process.communicate(timeout=60)


def test_a_command_in_two_files_is_read_decided_kept_said_and_verified(
    program: Program, tmp_path: Path
) -> None:
    def post(part: str, entry: str) -> Ran:
        file = tmp_path / f"{part}.yaml"
        file.write_text(FILE.format(part=part, entry=entry), encoding="utf-8")
        return program("battle", "post", str(file))

    done = post("one", "paint_captive: {captive: krug, colour: red}")
    assert (done.code, done.err) == (0, "")
    assert "Krug the Anvil is red from now on" in done.out

    wrong = post("two", "paint_captive: {captive: krug, color: red}")
    assert wrong.code == 2
    assert "Did you mean 'colour'?" in wrong.err

    refused = post("three", "paint_captive: {captive: krug, colour: blue}")
    assert (refused.code, "one coat is enough" in refused.err) == (1, True)

    log = program("log", "entry", "15").out
    assert "paint Krug the Anvil red" in log
    schema = json.loads(program("schema", "post-battle").out)
    assert schema["$defs"]["PaintCaptive"]["properties"]["colour"]["description"] == "In which colour."
    verified = program("audit", "verify")
    assert verified.code == 0, verified.err
    assert program("boards", "verify").code == 0
