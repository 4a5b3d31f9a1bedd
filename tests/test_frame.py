"""The frame holds: a real PostgreSQL answers, a home is clean, an expected output is compared."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy
from hypothesis import given
from hypothesis import strategies as st
from tables import every

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("visit", [1, 2])
def test_every_test_meets_an_empty_postgresql_database(postgres_database: str, visit: int) -> None:
    engine = sqlalchemy.create_engine(postgres_database)
    with engine.begin() as connection:
        assert connection.dialect.name == "postgresql"
        connection.execute(sqlalchemy.text("CREATE TABLE gang (name text)"))
    engine.dispose()


def test_the_environment_of_a_test_is_its_own(tmp_path: Path) -> None:
    assert Path.home() == tmp_path / "home"
    assert os.environ["NO_COLOR"] == "1"
    assert not [name for name in os.environ if name.startswith("TRACKER_")]


@given(st.integers())
def test_properties_may_be_stated(number: int) -> None:
    assert number == int(str(number))


def test_a_missing_expected_output_is_shown_with_its_remedy(
    golden: Callable[[str, str], None], request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--update-golden"):
        return  # it would write the file whose absence is the point
    with pytest.raises(pytest.fail.Exception, match="make golden"):
        golden("no/such/file.txt", "")


def test_a_test_over_a_table_tries_every_row_and_names_those_that_fail() -> None:
    tried = []

    @every("other", [0, 1])
    @every("number", [1, 2, pytest.param(3, id="three")])
    def is_small(number: int, other: int) -> None:
        tried.append((number, other))
        assert number < 2

    with pytest.raises(ExceptionGroup, match="2 of 2 rows:\nother 0\nother 1") as failed:
        is_small()
    assert len(tried) == 6
    assert [str(each).partition(" (")[0] for each in failed.value.exceptions] == [
        "2 of 3 rows:\nnumber 2\nthree"
    ] * 2


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import tracker; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "{'tracker'}"
