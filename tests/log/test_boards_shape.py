"""What the boards hold has a shape with a number, so that boards of an older release are found and made anew."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import golden_logs
import pytest
from alembic import command
from sqlalchemy import Engine, Table, select, text

from tracker import schema
from tracker.log import database
from tracker.log.chain import leaf_hash
from tracker.log.schema_check import schema_faults
from tracker.projections.row_json import read_row
from tracker.projections.sql import BOARDS
from tracker.service.application import Tracker


@pytest.fixture
def tracker(tmp_path: Path) -> Iterator[Tracker]:
    tracker = Tracker(f"sqlite:///{tmp_path / 'boards.db'}", actor="test")
    yield tracker
    tracker.close()


def rows(tracker: Tracker, board: Table) -> list[tuple[object, ...]]:
    query = select(board).order_by(*board.primary_key.columns)
    with database.reading(tracker.engine) as connection:
        return [tuple(row) for row in connection.execute(query)]


def in_the_log(tracker: Tracker, name: str) -> str:
    return in_the_log_of(tracker.engine, name)


def in_the_log_of(engine: Engine, name: str) -> str:
    leaves = [leaf_hash(body) for body in golden_logs.bodies(name)]
    return golden_logs.put_into(engine, name, leaves)


@pytest.mark.parametrize("name", golden_logs.names())
def test_the_boards_of_a_golden_log_are_those_of_their_shape(
    name: str, tracker: Tracker, golden: Callable[[str, str], None]
) -> None:
    """Red after a change to what a board's row holds: raise `BOARDS_SHAPE`, then `make golden` writes new files."""
    tracker.audit.rebuild_boards(in_the_log(tracker, name))
    rows_here = []
    for board in BOARDS:
        held = rows(tracker, board)
        rows_here.append(f"{board.name} {len(held)} rows {sha256(repr(held).encode()).hexdigest()[:16]}\n")
    golden(f"boards/shape-{schema.BOARDS_SHAPE}/{name}.txt", "".join(rows_here))


@pytest.mark.parametrize("name", golden_logs.names())
def test_a_row_is_read_back_as_it_was_written(name: str, tracker: Tracker) -> None:
    tracker.audit.rebuild_boards(in_the_log(tracker, name))
    for board in BOARDS:
        if "row" in board.c:
            with database.reading(tracker.engine) as connection:
                for row in connection.execute(select(board.c.row)).scalars():
                    assert read_row(board.name, row) == json.loads(row)


def test_boards_of_another_release_are_made_anew_when_their_campaign_is_named(tracker: Tracker) -> None:
    campaign = in_the_log(tracker, "injuries")
    tracker.audit.rebuild_boards(campaign)
    whole = rows(tracker, schema.board_fighters)
    with database.writing(tracker.engine) as connection:
        slug = connection.execute(select(schema.board_campaigns.c.slug)).scalar_one()
        connection.execute(text("UPDATE board_campaigns SET shape = 1"))
        connection.execute(text("UPDATE board_fighters SET row = '{}'"))
    other = Tracker(str(tracker.engine.url), actor="test")
    assert other.directory.campaign_id(slug) == campaign
    other.close()
    assert rows(tracker, schema.board_fighters) == whole
    with database.reading(tracker.engine) as connection:
        assert connection.execute(text("SELECT shape FROM board_campaigns")).scalar() == schema.BOARDS_SHAPE


def test_a_log_from_before_the_index_of_entries_has_the_same_boards_once_it_is_named(
    tracker: Tracker, tmp_path: Path, postgres_database: str
) -> None:
    campaign = in_the_log(tracker, "injuries")
    tracker.audit.rebuild_boards(campaign)
    caches_lost = ("board_fighters", "board_rolls")
    for url, lost in (
        (f"sqlite:///{tmp_path / 'older.db'}", ()),
        (f"sqlite:///{tmp_path / 'damaged.db'}", caches_lost),
        (postgres_database, ()),
    ):
        engine = database.engine_for(url, make=True)
        with database.writing(engine) as connection:
            command.upgrade(database._alembic_config(connection), "0008")
        assert in_the_log_of(engine, "injuries") == campaign
        with database.writing(engine) as connection:
            connection.execute(
                text("INSERT INTO board_campaigns VALUES (:id, 'ash', 'Ash', 'necromunda_2023', '', 5)"),
                {"id": campaign},
            )
            connection.execute(
                text("INSERT INTO board_fighters VALUES (:id, 'hob', 'g', 1, 'sold', 7, '{}')"),
                {"id": campaign},
            )
            for table in lost:
                connection.execute(text(f"DROP TABLE {table}"))
        database.upgrade(url)
        with database.reading(engine) as connection:
            kept = connection.execute(text("SELECT fighter_id, xp, gone, row FROM board_fighters")).all()
        assert kept == ([] if "board_fighters" in lost else [("hob", 7, 1, "{}")])
        assert schema_faults(engine) == ()
        engine.dispose()
        later = Tracker(url, actor="test")
        assert later.directory.campaign_id("ash") == campaign
        for board in BOARDS:
            if board is not schema.board_campaigns:
                assert rows(later, board) == rows(tracker, board)
        assert later.audit.verify(campaign).ok
        later.close()
