"""Checks that the built packages work where nothing else is installed: `make installed`. Needs the network.

Installs the wheel, then the wheel that pip makes of the sdist, each without an extra and with each extra, into an
empty environment, records a battle there, and asks `serve` for what it says where its libraries are missing.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
GANGS = [str(ROOT / "fixtures" / "gangs" / f"{gang}.yaml") for gang in ("iron-skulls", "gilded-cage")]
BATTLE = str(ROOT / "fixtures" / "season" / "01-sump-bridge.yaml")
OF_NO_MACHINE = "192.0.2.1"
"""An address that `serve` refuses, so that nothing stays running."""
TRIED = {
    "": ["roster", "show"],
    "postgres": ["--db", "postgresql+psycopg://nobody@127.0.0.1:1/none", "roster", "show"],
    "xlsx": ["gang", "export", "iron-skulls", "--format", "xlsx", "--to", "iron-skulls.xlsx"],
    "analytics": ["host", "export", "--parquet", "counted"],
    "server": ["serve", "--host", OF_NO_MACHINE],
}
"""A command that needs the extra; without one, any."""
EXPECTED = {"postgres": 2, "server": 2}
"""Its exit code where that is not 0: no server answers there, and that address is refused."""
NEEDS_LIBRARIES = "not installed"


def main() -> int:
    """Install and try every package with every extra. Gives 1 where one of them fails."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        _run(made, sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, str(ROOT))
        for package in sorted(made.glob("campaign_tracker-*")):
            for extra in TRIED:
                fault = _try(package, extra, made / f"{package.suffix[1:]}-{extra or 'alone'}")
                failed |= bool(fault)
                sys.stdout.write(f"{package.name}[{extra}]: {fault or 'works'}\n")
                sys.stdout.flush()
    return int(failed)


def _try(package: Path, extra: str, place: Path) -> str:
    """What is wrong with the package installed with that extra; nothing where it works."""
    venv.create(place / "venv", with_pip=True)
    programs = place / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    wanted = f"{package}[{extra}]" if extra else str(package)
    _run(place, str(programs / "python"), "-m", "pip", "install", "--quiet", wanted)
    tracker = (str(programs / "arbitrator"), "--db", "season.db")
    _run(place, *tracker, "campaign", "new", "Ash Wastes")
    for gang in GANGS:
        _run(place, *tracker, "gang", "add", gang)
    _run(place, *tracker, "battle", "record", BATTLE)
    _run(place, *tracker, "audit", "verify")
    done = _ask(place, *tracker, *TRIED[extra])
    if done.returncode != EXPECTED.get(extra, 0) or NEEDS_LIBRARIES in done.stderr:
        return f"{TRIED[extra]} ended with {done.returncode}: {done.stderr.strip()}"
    without = _ask(place, *tracker, "serve", "--host", OF_NO_MACHINE)
    if extra != "server" and "pipx install --force" not in without.stderr:
        return f"serve does not say how to install its libraries: {without.stderr.strip()}"
    return ""


def _ask(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)


def _run(place: Path, *command: str) -> None:
    done = _ask(place, *command)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
