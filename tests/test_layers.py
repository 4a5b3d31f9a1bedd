"""The layers: the import contracts of pyproject.toml hold, and no modules import each other in a circle."""

import os
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
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


def test_no_modules_import_each_other_in_a_circle_not_even_for_their_types() -> None:
    graph = grimp.build_graph("tracker", cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))
