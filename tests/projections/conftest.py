"""What the boards' tests start from."""

from collections.abc import Iterator

import pytest
from board_history import History, boards_database


@pytest.fixture
def history() -> Iterator[History]:
    """A campaign log that holds nothing yet, its boards in memory."""
    engine = boards_database()
    with engine.begin() as connection:
        yield History(connection)
    engine.dispose()
