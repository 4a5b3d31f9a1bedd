"""Spark: applies a function to event files in several processes, on this machine or a cluster.

Knows PySpark and Java, and nothing of campaigns: files in, rows out. Java and Python exchange only Arrow
data, and nothing is shuffled: one process reads a row group.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tracker.analytics.event_files import AnalyticsMissing
from tracker.errors import BadInput, Stale

LOCAL: Final = "local[*,4]"
"""All cores of this machine. A failed task is tried four times in all; Spark's own default on one machine is
once.
"""
SETTINGS: Final = {
    "spark.app.name": "arbitrator",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.catalogImplementation": "in-memory",
    # The only expression is Python's, because compiling Java for it takes five seconds of processor time.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    # A task has some twenty thousand events; smaller files share one.
    "spark.sql.files.maxPartitionBytes": "2m",
    "spark.sql.files.openCostInBytes": "64k",
}
JAVA_MINIMUM: Final = 17
_LOOK_SECONDS: Final = 0.2


class JavaMissing(BadInput):
    """Spark runs on Java, and there is none on this machine. Install {minimum} or newer (on Debian: apt-get
    install default-jre-headless), or leave --spark out: one process does the same work.
    """

    minimum: int = JAVA_MINIMUM


class SparkFailed(Stale):
    """Spark at {master} did not do the work: {why}. Nothing was written; one process does the same work
    without --spark.
    """

    master: str
    why: str


def mapped(
    files: Sequence[Path],
    work: Callable[[Iterable[Any]], Iterator[Any]],
    columns: str,
    answer: str,
    *,
    master: str,
    tell: Callable[[int, int], None],
) -> list[dict[str, Any]]:
    """The rows that `work` makes of the files' batches. `tell` is called with (tasks done, tasks in all).

    `columns` and `answer` are the schemas of both, in Spark's notation. Raises AnalyticsMissing, JavaMissing,
    SparkFailed.
    """
    with _translated_failures(master):
        session = _session(master)
        frame = session.read.schema(columns).parquet(*map(_address, files))
        answered = _watched(session, frame.mapInArrow(work, answer).toArrow, tell)
    rows: list[dict[str, Any]] = answered.to_pylist()
    return rows


@contextmanager
def _translated_failures(master: str) -> Iterator[None]:
    try:
        import_module("pandas")  # Spark needs pandas, even to exchange only Arrow data
        spark_errors, java_errors = import_module("pyspark.errors"), import_module("py4j.protocol")
    except ModuleNotFoundError as missing:
        raise AnalyticsMissing(missing=missing.name or "pyspark", extra="spark") from missing
    if java() is None:
        raise JavaMissing
    try:
        yield
    except (spark_errors.PySparkException, java_errors.Py4JError, ConnectionError) as wrong:
        raise SparkFailed(master=master, why=_cause(str(wrong))) from wrong


def _address(file: Path) -> str:
    """The file's address, escaped so that Spark finds no patterns in it."""
    return "file://" + re.sub(r"([\\{}\[\]*?])", r"\\\1", str(file.absolute()))


def _watched(session: Any, job: Callable[[], Any], tell: Callable[[int, int], None]) -> Any:
    tracked = session.sparkContext.statusTracker()
    with futures.ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(job)
        while futures.wait([waiting], _LOOK_SECONDS).not_done:
            for number in tracked.getActiveStageIds():
                stage = tracked.getStageInfo(number)
                if stage is not None:
                    tell(stage.numCompletedTasks, stage.numTasks)
        return waiting.result()


_running: dict[str, Any] = {}


def _session(master: str) -> Any:
    """The session of this process; starting one takes seconds, and there can be only one."""
    if master not in _running:
        stop()
        pyspark, sql = import_module("pyspark"), import_module("pyspark.sql")
        settings = {**SETTINGS, "spark.master": master}
        if master.startswith("local"):
            settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        # Otherwise Spark would use whatever `python3` is on an executor.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        conf = pyspark.SparkConf().setAll(list(settings.items()))
        _running[master] = sql.SparkSession(pyspark.SparkContext(conf=conf, gateway=_java()))
        atexit.register(stop)
    return _running[master]


def stop() -> None:
    """End the session of this process, if there is one."""
    for master in [*_running]:
        _running.pop(master).stop()


@lru_cache(maxsize=1)
def _java() -> Any:
    """Java with Spark in it, which ends with this process. Its other output goes to a file."""
    with tempfile.TemporaryFile() as said:
        return import_module("pyspark.java_gateway").launch_gateway(popen_kwargs={"stderr": said})


def java() -> str | None:
    """The version of the Java that Spark would use; its path if it does not say."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=str(Path(home, "bin")) if home else None)
    if program is None:
        return None
    try:
        said = (Path(program).resolve().parents[1] / "release").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, IndexError):
        said = ""
    version = re.search(r'^JAVA_VERSION="([^"]+)"', said, re.MULTILINE)
    return version[1] if version else program


def _cause(said: str) -> str:
    """The cause of a Spark error: the last exception that it quotes, in one line."""
    if "No module named 'tracker'" in said:
        python = os.environ["PYSPARK_PYTHON"]
        return f"this program is not installed for {python} at an executor (PYSPARK_PYTHON names another)"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    quoted = [
        line
        for line in lines
        if re.match(r"(Caused by: )?[\w.]+(Error|Exception|Missing|Damaged|OtherProgram)\b", line)
    ]
    return (quoted or lines or ["it does not say why"])[-1][:300]
