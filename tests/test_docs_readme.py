"""The README's session runs as printed, and what it says of commands and exit codes is so."""

import re
import shutil
from pathlib import Path

import pytest
from transcript import replay

from tracker.cli.main import EXIT_CODES

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def test_the_session_runs_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    monkeypatch.chdir(tmp_path)
    replayed = replay(README.read_text(encoding="utf-8"), answers="where shown")
    assert len(replayed.commands) >= 10
    if request.config.getoption("--update-golden"):
        README.write_text(replayed.now, encoding="utf-8")
    elif replayed.difference():
        pytest.fail(
            replayed.difference() + "\n\nIf this is what it should say now: `make golden`", pytrace=False
        )


def test_the_targets_it_names_are_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"`make (\w+)`", README.read_text(encoding="utf-8")))
    assert {"demo", "test", "help"} <= named
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_a_merge_passes_every_test_and_only_a_check_leaves_out_the_slow_ones() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"^(\w+):[^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.MULTILINE))
    assert [target for target, recipe in recipes.items() if "slow" in recipe] == ["check"]
    assert re.search(r"\btypes test$", recipes["merge"].strip())
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1].split()[-1] == "merge"


def test_the_exit_codes_are_those_of_the_program() -> None:
    words = " ".join(README.read_text(encoding="utf-8").split())
    codes = " ".join(EXIT_CODES.replace("\b", "").split()).removeprefix("Exit codes: ")
    assert codes in words
