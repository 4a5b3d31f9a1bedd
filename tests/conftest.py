"""What every test may ask for: expected outputs, a clean home, and a real PostgreSQL."""

import difflib
import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import migrated_once
import postgres_server
import pytest
import sqlalchemy
from sqlalchemy.engine import URL

from tracker.documents import yaml_reader
from tracker.documents.nodes import Node
from tracker.log import database
from tracker.log.database import upgrade

FIXTURES = Path(__file__).parent.parent / "fixtures"

# `ci` is the default and repeats itself exactly: a red run is red again. `HYPOTHESIS_PROFILE=search` goes
# looking for new trouble. `make check` tries fewer of the same examples, `make merge` and .ci/run all sixty: who always
# repeats the same finds no more in a hundred. No deadline in any: a slow machine is not a wrong rule.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, database=None, max_examples=60)
hypothesis.settings.register_profile("check", hypothesis.settings.get_profile("ci"), max_examples=40)
hypothesis.settings.register_profile("search", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# Every commit of a test's database waits for the disk; in memory the whole suite takes a third of the time.
if in_memory := postgres_server.memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(in_memory))

# Twelve thousand tests and all they import stay to the end: to look through them for waste again and again took a
# tenth of a run.
gc.set_threshold(50_000, 20, 50)

# A command opens its database anew, and a new engine has compiled no statement: to compile the same ones for every
# command of a test took a third of the time of tests/cli. So the engines on SQLite files share what is compiled.
SQLITE = sqlalchemy.create_engine("sqlite://")
SQLITE.connect().close()  # its dialect looks once what SQLite can do


def _sharing_engine(address: URL, **options: Any) -> sqlalchemy.Engine:
    engine = sqlalchemy.create_engine(address, **options)
    engine.dialect = SQLITE.dialect
    engine._compiled_cache = SQLITE._compiled_cache  # no public name
    return engine


database.create_engine = _sharing_engine  # type: ignore[assignment]
database._upgrade = migrated_once.upgrade

# A pager waits for a key that nobody types: no test starts one, nor any program that a test starts on a terminal.
os.environ["PAGER"] = "cat"
os.environ["TRACKER_NO_DAEMON"] = "1"  # whoever runs the tests may have one

# Tests record the same reports again and again, and to parse one takes longer than to judge it. What is read is never
# changed, so each text is parsed once; what is refused is read again, since its refusal names the file.
PARSED_CHARACTERS, PARSED_KEPT = 20_000, 1_000
_compose = yaml_reader._Composer.compose
_parsed: dict[str, Node] = {}


def _composing_once(composer: Any, text: str) -> Node:
    root = _parsed.get(text) or _compose(composer, text)
    if len(text) < PARSED_CHARACTERS and len(_parsed) < PARSED_KEPT:
        _parsed[text] = root
    return root


yaml_reader._Composer.compose = _composing_once  # type: ignore[method-assign]

POSTGRES_HOME = pytest.StashKey[Path]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the expected outputs under fixtures/"
    )


# --- expected outputs ------------------------------------------------------------------------------------


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("reports/roster.txt", text)`: the text is what fixtures/reports/roster.txt says."""

    def compare(name: str, actual: str) -> None:
        __tracebackhide__ = True
        file = FIXTURES / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(actual, encoding="utf-8", newline="")
            return
        if not file.exists():
            pytest.fail(f"fixtures/{name} does not exist yet; `make golden` writes it", pytrace=False)
        # Bytes decoded, not read_text: a changed line ending is a changed output.
        expected = file.read_bytes().decode("utf-8")
        if actual != expected:
            difference = difflib.unified_diff(
                expected.splitlines(), actual.splitlines(), f"fixtures/{name}", "now", lineterm=""
            )
            text = "\n".join(difference) or "only line endings differ"
            pytest.fail(f"{text}\n\nIf this is what it should say now: `make golden`", pytrace=False)

    return compare


# --- a clean home ----------------------------------------------------------------------------------------


@pytest.fixture
def wide(clean_environment: None, monkeypatch: pytest.MonkeyPatch) -> None:  # it comes first
    """Lines are as long as they come: for tests of what is said, not of how it is laid out."""
    monkeypatch.setenv("COLUMNS", "1000")


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's own campaigns, settings or terminal reach a test, and no test reaches them."""
    home = tmp_path / "home"
    for name in [name for name in os.environ if name.startswith("TRACKER_")]:
        monkeypatch.delenv(name)
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "LINES", "NO_PAGER", "LESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)  # where their resident would listen
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PAGER", "cat")
    monkeypatch.setenv("TZ", "UTC")
    home.mkdir()


# --- PostgreSQL: one server for all processes of a run, one database for each test ------------------------


def pytest_configure(config: pytest.Config) -> None:
    # Under xdist the workers share the home that the controller made, and only the controller removes it.
    shared = getattr(config, "workerinput", {}).get("postgres_home")
    config.stash[POSTGRES_HOME] = Path(shared) if shared else postgres_server.make_home()
    if not shared:
        # A cancelled run ends like Ctrl-C does, so that it too stops its server.
        signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    node.workerinput["postgres_home"] = str(node.config.stash[POSTGRES_HOME])  # type: ignore[attr-defined]


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and POSTGRES_HOME in config.stash:
        postgres_server.discard(config.stash[POSTGRES_HOME])


@pytest.fixture(scope="session")
def postgres_home(pytestconfig: pytest.Config) -> Path:
    """The home of the running server, for `postgres_server`."""
    home = pytestconfig.stash[POSTGRES_HOME]
    postgres_server.server_url(home)
    return home


@pytest.fixture(scope="session")
def postgres_url(postgres_home: Path) -> str:
    """The server's own database `postgres`. For making databases; a test wants `postgres_database`."""
    return postgres_server.server_url(postgres_home)


@pytest.fixture
def postgres_database(postgres_url: str, postgres_home: Path) -> Iterator[str]:
    """A SQLAlchemy URL of an empty PostgreSQL database that is this test's alone."""
    with postgres_server.copy_of(postgres_home, "template0") as url:
        yield url


@pytest.fixture
def postgres_at_head(postgres_url: str, postgres_home: Path) -> Iterator[str]:
    """The same with every migration done: a copy of one that is made once for all processes of a run."""
    with postgres_server.copy_of(
        postgres_home, postgres_server.template(postgres_home, "at_head", upgrade)
    ) as url:
        yield url


class _Turned(pytest.Dir):
    """A folder whose files come in another order in each process of a run."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:  # type: ignore[override]
        found = list(super().collect())
        given: Any = getattr(self.config, "workerinput", {"workerid": "gw0", "workercount": 1})
        first = len(found) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
        return found[first:] + found[:first]


# Tests are compiled when they are collected, which in a fresh clone takes longer than to collect them. Each process of
# a run begins with other files, and reads of the rest what the others have compiled.
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector:
    return _Turned.from_parent(parent, path=path)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        names = getattr(item, "fixturenames", ())
        if "postgres_url" in names:
            item.add_marker(pytest.mark.postgres)
        if "browser" in names:
            item.add_marker(pytest.mark.slow)
    # First what waits most: what is left at the end is short, and no process waits for another's last test. Then by
    # file, whichever a process collected first.
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, item.path))
