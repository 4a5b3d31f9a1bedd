"""The log, edited past every guard: each edit is found, and at the exact event; a log left alone is never accused."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tracker.errors import Refusal
from tracker.log.store import EventStore
from tracker.projections import sql

from . import club
from .edits import EDITS, another, without_guards
from .runner import Run

STEPS = 40
EDITS_A_LOG = 60


def edits(run: Run) -> None:
    """One edit at a time, each taken back by a fresh copy of the file."""
    file = run.folder / "club.db"
    known = ""
    for dice, campaign, whole in logs_to_edit(run, file):
        if campaign != known:
            known = campaign
            run.count("clean logs")
        file.write_bytes(whole)
        edit = dice.choice(EDITS)
        with closing(sqlite3.connect(file)) as connection:
            without_guards(connection)
            expected = edit(connection, campaign, dice)
            connection.commit()
        _found(file, campaign, edit.__name__, expected)
        run.count(edit.__name__.replace("_", " ").strip())


def command_rows(run: Run) -> None:
    """A row of the command table, edited: `verify` names the command, or the entry that lost its own."""
    file = run.folder / "club.db"
    for dice, campaign, whole in logs_to_edit(run, file):
        file.write_bytes(whole)
        column = dice.choice(["key", "digest", "first_seq", "last_seq", "first_entry", "last_entry", "row"])
        with closing(sqlite3.connect(file)) as connection:
            without_guards(connection)
            rows = connection.execute("SELECT * FROM commands ORDER BY first_seq").fetchall()
            columns = [name for _, name, *_ in _columns(connection, "commands")]
            row = dict(zip(columns, dice.choice(rows), strict=True))
            where, at = "WHERE campaign_id = ? AND key = ?", (row["campaign_id"], row["key"])
            if column == "row":
                connection.execute(f"DELETE FROM commands {where}", at)
                named = f"entry {row['first_entry']} has no command"
            else:
                changed = another(row[column], dice)
                connection.execute(f"UPDATE commands SET {column} = ? {where}", (changed, *at))
                named = f"command {changed if column == 'key' else row['key']!r}"
            connection.commit()
        with club.opened(club.sqlite(file)) as tracker:
            audit = tracker.audit.verify(campaign)
            assert audit.log.ok, "the log itself is whole"
            assert any(finding.startswith(named) for finding in audit.commands), (column, row, audit.commands)
        run.count(f"another {column}" if column != "row" else "a row gone")


def flips(run: Run) -> None:
    """One bit of the file itself: seen, as a verdict or in a clear word, or nothing that counts is otherwise."""
    file = run.folder / "club.db"
    known, root = "", ""
    for dice, campaign, whole in logs_to_edit(run, file):
        if campaign != known:
            known = campaign
            with club.opened(club.sqlite(file)) as tracker:
                root = tracker.audit.verify(campaign).log.root_hex
        changed = bytearray(whole)
        changed[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        file.write_bytes(changed)
        try:
            with club.opened(club.sqlite(file)) as tracker:
                audit = tracker.audit.verify(campaign)
        except Refusal as refusal:
            run.count(f"refused: {type(refusal).__name__}")
            continue
        if audit.ok:
            assert audit.log.root_hex == root, "another log, and nothing seen"
        run.count("nothing that counts" if audit.ok else "seen")


def boards(run: Run) -> None:
    """A row of a board, edited: `verify` names the board, and a rebuild mends it."""
    file = run.folder / "club.db"
    for dice, campaign, whole in logs_to_edit(run, file):
        file.write_bytes(whole)
        board = dice.choice([board.name for board in sql.BOARDS])
        with closing(sqlite3.connect(file)) as connection:
            rows = connection.execute(f"SELECT count(*) FROM {board}").fetchone()[0]
            if not rows:
                continue
            nth = dice.randrange(rows)
            key = ", ".join(f'"{column[1]}"' for column in _columns(connection, board) if column[5])
            at = connection.execute(f"SELECT {key} FROM {board} LIMIT 1 OFFSET {nth}").fetchone()
            where = f"({key}) = ({', '.join('?' * len(at))})"
            change = dice.choice(["a row gone", "a row more", "another value"])
            if change == "a row gone":
                connection.execute(f"DELETE FROM {board} WHERE {where}", at)
            else:
                names = [name for _, name, *_ in _columns(connection, board)]
                row = dict(
                    zip(
                        names,
                        connection.execute(f"SELECT * FROM {board} WHERE {where}", at).fetchone(),
                        strict=True,
                    )
                )
                # A campaign's id is whose row it is: under another one it is gone from this one.
                keys = [name for _, name, *_, in_key in _columns(connection, board) if in_key]
                free = [name for name in names if row[name] is not None and name != "campaign_id"]
                column = dice.choice(
                    [name for name in free if change != "a row more" or name in keys] or free
                )
                row[column] = another(row[column], dice)
                if change == "another value" or board == "board_campaigns":
                    connection.execute(
                        f'UPDATE OR REPLACE {board} SET "{column}" = ? WHERE {where}', (row[column], *at)
                    )
                else:
                    marks = ", ".join("?" * len(row))
                    connection.execute(f"INSERT OR REPLACE INTO {board} VALUES ({marks})", [*row.values()])
            connection.commit()
        with club.opened(club.sqlite(file)) as tracker:
            audit = tracker.audit.verify(campaign)
            assert audit.boards, f"{change} in {board} was not seen"
            assert any(board.removeprefix("board_") in finding for finding in audit.boards), (
                board,
                audit.boards,
            )
            tracker.audit.rebuild_boards(campaign)
            club.everything_holds(tracker, campaign)
        run.count(board)
        run.count(change)


def snapshots(run: Run) -> None:
    """A snapshot, edited: `verify` names the entry that it stands after, and a rebuild mends it."""
    file = run.folder / "club.db"
    known, kept = "", b""
    for dice, campaign, _ in logs_to_edit(run, file):
        if campaign != known:
            known = campaign
            with club.opened(club.sqlite(file)) as tracker:
                tracker.audit.rebuild_boards(campaign)  # which keeps a snapshot at the least
            kept = file.read_bytes()
        file.write_bytes(kept)
        with closing(sqlite3.connect(file)) as connection:
            rows = connection.execute("SELECT entry, body FROM snapshots").fetchall()
            entry, body = dice.choice(rows)
            changed = bytearray(body)
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
            connection.execute("UPDATE snapshots SET body = ? WHERE entry = ?", (bytes(changed), entry))
            connection.commit()
        with club.opened(club.sqlite(file)) as tracker:
            audit = tracker.audit.verify(campaign)
            (finding,) = audit.snapshots
            assert f"after entry {entry} " in finding, (entry, finding)
            tracker.audit.rebuild_boards(campaign)
            club.everything_holds(tracker, campaign)


def logs_to_edit(run: Run, file: Path) -> Iterator[tuple[random.Random, str, bytes]]:
    """Each round's dice with a campaign and its file; another log now and then, whichever round is begun with."""
    campaign, whole, made = "", b"", -1
    for dice in run.each_round():
        if run.at // EDITS_A_LOG != made:
            made = run.at // EDITS_A_LOG
            campaign, whole = a_log(file, random.Random(f"{run.seed}:{run.name}:log {made}"))
        yield dice, campaign, whole


def a_log(file: Path, dice: random.Random) -> tuple[str, bytes]:
    file.unlink(missing_ok=True)
    with club.opened(club.sqlite(file), seed=dice.randrange(10**9)) as tracker:
        campaign = club.begin(tracker)
        for number in range(STEPS):
            club.something(tracker, campaign, dice, key=f"key-{number}")
        club.everything_holds(tracker, campaign)
    return campaign, file.read_bytes()


def _found(file: Path, campaign: str, edit: str, expected: int | None) -> None:
    with club.opened(club.sqlite(file)) as tracker:
        report = EventStore(tracker.engine).verify(campaign)
        assert not report.ok, f"{edit} at event {expected} was not seen"
        assert report.fault is not None
        assert report.fault.seq == expected, (
            f"{edit} at event {expected} was seen at {report.fault.seq}: {report}"
        )


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[int, str, str, int, str, int]]:
    return connection.execute(f"PRAGMA table_info({table})").fetchall()
