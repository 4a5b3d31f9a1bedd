"""A test over a table: its rows are tried in one test, and every row that fails is named.

To set a test up, name it and report it takes pytest longer than to look a number up in a book.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

SHOWN = 5
"""So many failures are shown whole; of the others there is the row."""
NAME = 200
"""Characters of a row's name: a row may hold a whole report."""


Ids = Callable[[Any], Any] | Sequence[str] | None
Test = Callable[..., None]


def every(names: str | Sequence[str], rows: Iterable[Any], ids: Ids = None) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, for a test that leaves nothing behind which its next row would meet."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    table = [_row(keys, row, ids[at] if isinstance(ids, Sequence) else ids) for at, row in enumerate(rows)]
    assert table, "a table without rows holds nothing"

    def over(test: Test) -> Test:
        @functools.wraps(test)
        def whole(*fixtures: Any, **more: Any) -> None:
            __tracebackhide__ = True
            wrong: list[str] = []
            failures: list[BaseException] = []
            for name, row in table:
                try:
                    test(*fixtures, **more, **row)
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001  # raised below
                    failure.add_note(f"The row: {name}")
                    wrong.append(name)
                    failures.append(failure)
            if failures:
                listed = "\n".join(wrong)
                raise BaseExceptionGroup(f"{len(wrong)} of {len(table)} rows:\n{listed}", failures[:SHOWN])

        signature = inspect.signature(test)
        fixtures = [given for name, given in signature.parameters.items() if name not in keys]
        whole.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return whole

    return over


def _row(keys: list[str], row: Any, ids: str | Callable[[Any], Any] | None) -> tuple[str, dict[str, Any]]:
    """What a row is called, and its values by name."""
    named = ids if isinstance(ids, str) else None
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row has no marks"
        values, named = row.values, row.id
    else:
        values = (row,) if len(keys) == 1 else row
    given = dict(zip(keys, values, strict=True))
    if not isinstance(named, str):
        words = ((ids(value) if callable(ids) else None) or repr(value) for value in values)
        named = ", ".join(f"{key} {word}" for key, word in zip(keys, words, strict=True))
    return named[:NAME], given
