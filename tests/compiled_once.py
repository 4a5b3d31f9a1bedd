"""Processes of one run that find no compiled tests, as in a fresh clone, share the work of compiling them.

To compile them all, asserts rewritten, takes longer than to collect them, and all processes would do so at once. Here
each compiles a part first and reads the others' from the cache, as it does in every later run.
"""

import importlib.util
import py_compile
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite  # no public name

ROOT = Path(__file__).parent.parent


def share(config: pytest.Config) -> None:
    """Compile what falls to this process: one file of so many as there are processes."""
    given = getattr(config, "workerinput", None)
    if given is None or sys.dont_write_bytecode:
        return
    files = [file for part in ("tracker", "bench", "tests") for file in sorted((ROOT / part).rglob("*.py"))]
    for file in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
        if file.name.startswith("test_") or file.name == "conftest.py":
            _rewrite(file, config)
        elif not Path(importlib.util.cache_from_source(str(file))).exists():
            py_compile.compile(str(file))


def _rewrite(file: Path, config: pytest.Config) -> None:
    compiled = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
    if not compiled.exists() and rewrite.try_makedirs(compiled.parent):
        source, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, compiled)
