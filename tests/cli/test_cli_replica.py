"""What docs/scale.md says of a replica: boards are read there, it follows, and it says plainly that it takes no writes."""

import time
from collections.abc import Iterator
from pathlib import Path

import postgres_server
import pytest
from cli_arbitrator import Arbitrator, Ran, begin_anew

from tracker.log import database

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


class At(Arbitrator):
    """The command line on one server."""

    def __init__(self, folder: Path, home: Path) -> None:
        super().__init__(folder)
        self.url = postgres_server.database_url(home, "postgres")

    def __call__(self, *args: str, stdin: str | bytes = b"", db: str | None = None) -> Ran:
        return super().__call__(*args, stdin=stdin, db=db or self.url)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[At, At]]:
    """The command line on a primary, and on its replica."""
    home = postgres_server.make_home()
    database.upgrade(postgres_server.server_url(home))
    replica = postgres_server.replica_of(home)
    yield At(tmp_path, home), At(tmp_path, replica)
    postgres_server.discard(replica)
    postgres_server.discard(home)


def said_by_both(primary: At, replica: At, *words: str) -> str:
    """What the primary says, once the replica says it too."""
    wanted = primary.done(*words).out
    for _ in range(200):
        if replica(*words).out == wanted:
            return wanted
        time.sleep(0.02)
    pytest.fail(f"the replica never said {wanted!r}")


def test_a_replica_shows_the_boards_and_refuses_to_be_written_to(pair: tuple[At, At]) -> None:
    primary, replica = pair
    begin_anew(primary)
    roster = said_by_both(primary, replica, "roster", "show")
    assert "Krug" in roster
    said_by_both(primary, replica, "audit", "verify")

    for words in (["boards", "rebuild"], ["campaign", "new", "Elsewhere"]):
        refused = replica(*words)
        assert (refused.code, refused.out) == (2, "")
        assert "is read-only: it is a replica" in refused.err
        assert "Nothing was written" in refused.err
        assert "name the primary with --db" in refused.err
    assert said_by_both(primary, replica, "roster", "show") == roster
