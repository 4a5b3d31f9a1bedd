"""The storeys of the house: the import contracts of pyproject.toml hold."""

import os
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_arrows_run_down_only_and_the_core_is_pure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    broken = lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=os.fspath(tmp_path))
    assert not broken, capsys.readouterr().out
