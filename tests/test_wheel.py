"""The wheel is whole: built, installed into an empty environment, it does the main job far from the checkout.

Needs no network. The build backend comes from the development environment, pip from Python's own `ensurepip`, run out
of its archive where that holds it: to install pip itself takes three seconds more; and the libraries are those of the development environment, named in a `.pth` file: a folder named so lends its
packages, while its own `.pth` files, and with them the editable checkout, are not followed.
"""

import ensurepip
import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"

END = "--- that was the answer ---"
ONE_BY_ONE = f"""\
import json, sys
from tracker.cli.main import outcome
for words in json.loads(sys.argv[1]):
    code = outcome(words)
    print({END!r})
    if code: sys.exit(code)
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    ran(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and nothing of the checkout. Gives the folder of its programs."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    archive = next(Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl"), None)
    venv.create(folder, with_pip=archive is None)
    pip = ("-m", "pip") if archive is None else (str(archive / "pip"),)
    scripts, packages = (
        Path(sysconfig.get_path(name, "venv", {"base": str(folder), "platbase": str(folder)}))
        for name in ("scripts", "purelib")
    )
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    ran(str(scripts / "python"), *pip, "install", "--no-index", "--no-deps", str(wheel))
    return scripts


def ran(*command: str, cwd: Path | None = None) -> str:
    """Run a program that has to work; gives what it printed."""
    outside = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=outside)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_wheel_carries_every_file_that_is_no_code(wheel: Path) -> None:
    carried = set(zipfile.ZipFile(wheel).namelist())

    package = ROOT / "tracker"
    data = {
        f"tracker/{file.relative_to(package).as_posix()}"
        for file in package.rglob("*")
        if file.is_file() and file.suffix not in {".py", ".pyc"}
    }
    migrations = {f"tracker/migrations/{file.name}" for file in (ROOT / "migrations").glob("*.py")} | {
        f"tracker/migrations/versions/{file.name}" for file in (ROOT / "migrations" / "versions").glob("*.py")
    }
    assert {Path(name).suffix for name in data} >= {".toml"}
    assert any("/books/necromunda_2023/" in name for name in data)
    assert any("/policies/" in name for name in data)
    assert len(migrations) > 1
    assert (data | migrations) - carried == set()


def test_the_wheel_carries_no_test_and_no_fixture(wheel: Path) -> None:
    folders = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"tracker"}


def test_the_installed_program_is_not_the_checkout(environment: Path, tmp_path: Path) -> None:
    listed = ran(
        str(environment / "python"),
        "-c",
        "import sys, tracker; print(tracker.__file__); print(*sys.path, sep='\\n')",
        cwd=tmp_path,
    )
    package, *path = listed.splitlines()
    assert Path(package).is_relative_to(environment.parent)
    assert str(ROOT) not in path


def test_the_installed_program_does_the_main_job(environment: Path, tmp_path: Path) -> None:
    database = tmp_path / "campaigns.db"

    where = ("--db", str(database))
    new = ("campaign", "new", "Ash Season", "--preset", "a_and_a")
    assert "Ash Season" in ran(str(environment / "arbitrator"), *where, *new, cwd=tmp_path)
    # The others one after another in one process of that environment: to start takes longer than to answer.
    commands = [
        *(
            ("gang", "add", str(FIXTURES / "gangs" / f"{gang}.yaml"))
            for gang in ("iron-skulls", "gilded-cage")
        ),
        ("battle", "record", str(FIXTURES / "season" / "01-sump-bridge.yaml")),
        *(("roster", "show"), ("log", "show"), ("schema", "battle-report"), ("audit", "verify")),
        ("boards", "rebuild"),
    ]
    typed = json.dumps([[*where, *words] for words in commands])
    answers = ran(str(environment / "python"), "-c", ONE_BY_ONE, typed, cwd=tmp_path).split(END)
    _, _, receipt, roster, log, schema, audit, boards, _ = answers
    assert "Lesson Learned" in receipt
    assert "Thimble" in roster
    assert "hit" in log.lower()
    assert schema.lstrip().startswith("{")
    assert audit.strip()
    assert boards.strip()
