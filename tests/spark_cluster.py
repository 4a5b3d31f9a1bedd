"""A Spark cluster as a host runs one: a master and workers as processes of this machine, each executor a JVM of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from tracker.analytics import spark

START_SECONDS = 180
"""A loaded machine takes long to start Java."""
MEMORY = "512m"
WORKER, EXECUTOR = "org.apache.spark.deploy.worker.Worker", "CoarseGrainedExecutorBackend"
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": MEMORY,
    # Each campaign is a task of its own: the pieces that files are cut into are smaller than row groups.
    "spark.sql.files.maxPartitionBytes": "4k",
    "spark.sql.files.openCostInBytes": "0",
}
"""What a session of the bench or the soak asks of the cluster."""
What: TypeAlias = Literal["executor", "machine"]


class Unable(Exception):
    """This machine cannot run it; the text says what is missing and how it is installed."""


class Cluster:
    """A master, and workers of one core each, which begin again when `mend` is called."""

    def __init__(self, folder: Path, workers: int, modules: Path) -> None:
        if spark.java() is None:
            raise Unable("there is no Java here: apt-get install default-jre-headless, and run this again")
        try:
            import pyspark
        except ModuleNotFoundError as missing:
            raise Unable("PySpark is not installed here: make spark, and run this again") from missing
        self._folder = folder
        self._program = Path(pyspark.__file__).parent / "bin" / "spark-class"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SPARK_")},
            "SPARK_LOCAL_IP": "127.0.0.1",
            "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "PYTHONPATH": os.pathsep.join([str(modules), *sys.path]),
        }
        self._started = 0
        self.master = ""
        self._master = self._begin("master", "org.apache.spark.deploy.master.Master", "--port", "0")
        self._workers = list[subprocess.Popen[bytes]]()
        self._wanted = workers

    def wait_until_there(self) -> None:
        """Its master listens, and as many workers as are wanted have registered with it."""
        port = self._said("master", r"service 'sparkMaster' on port (\d+)", 1)[0]
        self.master = f"spark://127.0.0.1:{port}"
        self.mend()

    def mend(self) -> None:
        """Workers in the place of those that were killed."""
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        while len(self._workers) < self._wanted:
            self._started += 1
            home = self._folder / f"worker-{self._started}"
            options = ("--cores", "1", "--memory", MEMORY, "--work-dir", str(home), self.master)
            self._workers.append(self._begin(home.name, WORKER, *options))
        self._said("master", r"Registering worker", self._started)

    def close(self) -> None:
        """All of it ends, and what it started."""
        for process in (*self._workers, self._master):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _begin(self, name: str, what: str, *options: str) -> subprocess.Popen[bytes]:
        words = [str(self._program), what, "--host", "127.0.0.1", "--webui-port", "0", *options]
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._folder,
                env=self._environment, start_new_session=True,
            )  # fmt: skip

    def _said(self, name: str, what: str, times: int) -> list[str]:
        until = time.monotonic() + START_SECONDS
        while True:
            said = (self._folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
            found = re.findall(what, said)
            if len(found) >= times:
                return found
            assert time.monotonic() < until, f"the {name} of the cluster has not begun: {said[-500:]}"
            time.sleep(0.2)


@contextmanager
def running(folder: Path, *, modules: Path, workers: int = 2) -> Iterator[Cluster]:
    """A cluster that waits for work; what runs on it finds further modules in `modules`. Raises Unable."""
    cluster = Cluster(folder, workers, modules)
    try:
        cluster.wait_until_there()
        yield cluster
    finally:
        spark.stop()
        cluster.close()


def kill_from_within(what: What) -> None:
    """Kill the executor that this process works for, or all of its machine: the worker first, this process last."""
    daemon = os.getppid()
    executor = _parent(daemon)
    assert EXECUTOR in _words(executor), "what works for an executor is a child of its daemon"
    if what == "machine":
        worker = _parent(executor)
        assert WORKER in _words(worker)
        os.kill(worker, signal.SIGKILL)
    os.kill(executor, signal.SIGKILL)
    if what == "machine":
        os.kill(daemon, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)


def _parent(process: int) -> int:
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return int(stat.rpartition(")")[2].split()[1])


def _words(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
