"""All campaigns of an export: one process, Spark and DuckDB give one answer, and a worker's death changes none.

Java starts once: what needs it is one test.
"""

import os
import signal
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet
import pytest

from bench import everywhere
from tracker.analytics import event_files, jobs, program, replays, spark, statistics, what_ifs
from tracker.analytics.replays import ReplayResult
from tracker.analytics.what_ifs import OtherSeason
from tracker.log.codec import EventUnreadable

CAMPAIGNS = 12
ROOT = Path(__file__).parents[2]


def nobody(done: int, total: int) -> None:
    """Who waits sees nothing."""


def played(place: Path, master: str | None = None) -> list[ReplayResult]:
    return replays.replayed(place, master=master, tell=nobody)


def decided(place: Path, master: str | None = None) -> list[OtherSeason]:
    return what_ifs.what_if_exported(
        place, adopt=[everywhere.POLICY], without=(), from_battle=1, master=master, tell=nobody
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve campaigns of different seeds, in two files of a folder whose name looks like a pattern."""
    folder = tmp_path_factory.mktemp("a [folder]* of {campaigns}")
    return everywhere.exported(folder, CAMPAIGNS)


def test_duckdb_counts_what_the_campaigns_come_to_that_are_played_again(files: Path) -> None:
    campaigns = played(files)
    assert len({campaign.state for campaign in campaigns}) == CAMPAIGNS
    assert sum(campaign.battles for campaign in campaigns) >= CAMPAIGNS
    assert everywhere.differing(statistics.statistics(files, faces_min=1), campaigns) == []


def test_another_count_is_a_difference(files: Path) -> None:
    fewer = played(files)[1:]
    assert "campaigns: 12, not 11" in everywhere.differing(statistics.statistics(files, faces_min=1), fewer)


@pytest.fixture(scope="module")
def java() -> str:
    """Java and PySpark, which `make spark` and .ci/run see to."""
    found = spark.java()
    if found is None:
        pytest.skip("there is no Java on this machine: apt-get install default-jre-headless")
    pytest.importorskip("pyspark", reason="PySpark is not installed here: make spark")
    return found


@pytest.mark.slow
def test_spark_gives_the_answers_of_one_process_also_where_a_worker_is_killed(
    files: Path, java: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    # Each row group is a task of its own: the pieces that files are cut into are smaller than the groups.
    monkeypatch.setitem(spark.SETTINGS, "spark.sql.files.maxPartitionBytes", "4k")
    monkeypatch.setitem(spark.SETTINGS, "spark.sql.files.openCostInBytes", "0")
    master = "local[2,4]"
    tasks = set()
    expected = played(files)
    assert (
        replays.replayed(files, master=master, tell=lambda done, total: tasks.add((done, total))) == expected
    )
    assert decided(files, master) == decided(files)

    victim, witness = expected[CAMPAIGNS // 2].campaign, tmp_path / "killed"

    def dying(exported: jobs.Campaign) -> ReplayResult:
        if exported.campaign == victim and not witness.exists():
            witness.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return replays.replay(exported)

    assert jobs.run_job(files, dying, ReplayResult, master=master, tell=nobody) == expected
    assert int(witness.read_text()) != os.getpid()

    def failing(exported: jobs.Campaign) -> ReplayResult:
        if exported.campaign == victim:
            raise ZeroDivisionError(exported.campaign)
        return replays.replay(exported)

    with pytest.raises(spark.SparkFailed) as refused:
        jobs.run_job(files, failing, ReplayResult, master=master, tell=nobody)
    assert "ZeroDivisionError: 0190a000" in refused.value.why
    assert "\n" not in refused.value.message()

    with pytest.raises(EventUnreadable, match="in campaign 0190a000"):
        played(copied(files, tmp_path / "unreadable", without_body), master)


def test_an_event_that_cannot_be_read_says_of_which_campaign(files: Path, tmp_path: Path) -> None:
    with pytest.raises(EventUnreadable, match=r"Event 4 .* in campaign 0190a000"):
        played(copied(files, tmp_path / "unreadable", without_body))


def without_body(rows: list[dict[str, object]]) -> None:
    rows[4]["body"] = b"{}"


def copied(files: Path, folder: Path, change: Callable[[list[dict[str, object]]], object]) -> Path:
    """The first file with the rows of its first campaign changed."""
    folder.mkdir()
    first = event_files.event_files(files)[0]
    with (
        pa.parquet.ParquetFile(first) as opened,
        pa.parquet.ParquetWriter(folder / first.name, opened.schema_arrow) as writer,
    ):
        for group in range(opened.num_row_groups):
            rows = opened.read_row_group(group).to_pylist()
            if group == 0:
                change(rows)
            writer.write_table(pa.Table.from_pylist(rows, opened.schema_arrow))
    return folder


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda rows: rows.pop(), "do not hold the events that they say"),
        (lambda rows: rows.pop(3), "event 3 is not where it belongs"),
        (lambda rows: rows.reverse(), "event 0 is not where it belongs"),
    ],
    ids=["one too few at the end", "one missing", "out of order"],
)
def test_files_that_do_not_hold_what_they_say_are_no_answer(
    change: Callable[[list[dict[str, object]]], object], why: str, files: Path, tmp_path: Path
) -> None:
    with pytest.raises(event_files.EventFilesDamaged, match=why):
        played(copied(files, tmp_path / "damaged", change))


def test_spark_without_java_or_pyspark_says_what_to_install(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def there(name: str) -> None:
        del name

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(spark, "java", lambda: None)
    monkeypatch.setattr(spark, "import_module", there)
    with pytest.raises(spark.JavaMissing, match="default-jre-headless"):
        played(files, spark.LOCAL)
    monkeypatch.setattr(spark, "import_module", missing)
    with pytest.raises(event_files.AnalyticsMissing, match=r"campaign-tracker\[spark\]"):
        played(files, spark.LOCAL)


NOT_INSTALLED = """An exception was thrown from the Python worker.
Traceback (most recent call last):
  File "worker.py", line 1, in <module>
ModuleNotFoundError: No module named 'tracker'

	at org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:581)
"""
ANOTHER = """Job aborted due to stage failure
Traceback (most recent call last):
tracker.analytics.program.OtherProgram: An executor has another release of this program

	at org.apache.spark.scheduler.Task.run(Task.scala:141)
"""


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (NOT_INSTALLED, r"not installed for /opt/python at an executor \(PYSPARK_PYTHON names another\)"),
        (ANOTHER, "OtherProgram: An executor has another release"),
        ("", "it does not say why"),
    ],
    ids=["not installed", "another", "nothing"],
)
def test_what_is_wrong_at_an_executor_is_said_in_one_line(
    said: str, why: str, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(master: str) -> None:
        raise SparkError(said)

    class SparkError(Exception):
        """As PySpark raises it."""

    libraries = SimpleNamespace(PySparkException=SparkError, Py4JError=SparkError)
    monkeypatch.setattr(spark, "java", lambda: "17")
    monkeypatch.setattr(spark, "import_module", lambda _name: libraries)
    monkeypatch.setattr(spark, "_session", failing)
    monkeypatch.setenv("PYSPARK_PYTHON", "/opt/python")
    with pytest.raises(spark.SparkFailed, match=why) as refused:
        played(files, "spark://head:7077")
    assert "\n" not in refused.value.message()


def test_an_executor_with_another_program_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    here = jobs.job_in_worker(replays.replay)
    assert list(here([])) == []
    monkeypatch.setattr(program, "digest", lambda: "another")
    with pytest.raises(program.OtherProgram, match="Install the same on every machine"):
        list(here([]))


def test_java_that_is_none_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert spark.java() is None
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert spark.java() is None


def test_what_make_spark_installs_is_what_the_extra_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extra = project["project"]["optional-dependencies"]["spark"]
    assert {*extra} == {*project["dependency-groups"]["spark"]} | {
        needed for needed in project["dependency-groups"]["dev"] if needed.startswith("pyarrow")
    }
