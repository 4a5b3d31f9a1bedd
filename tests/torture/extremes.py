"""One value of one row at its extreme or another row's, a row gone, doubled or swapped, in every table: each reading
command answers as before or exits 4 and says what to do, and where an answer is another one a verifier says that
something is wrong. Pages and routes of the service are held to the same.

Somebody who owns the file keeps no rule of it: strictness, checks and guards are lifted, and put back behind the edit.
"""

from __future__ import annotations

import gc
import itertools
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import postgres_server
import psycopg
import pytest
from cli_arbitrator import Arbitrator, Ran
from cli_reports import SEASON
from PIL import Image
from psycopg import sql
from sqlalchemy import event
from sqlalchemy.pool import Pool

from tracker import schema
from tracker.log import segments
from tracker.people.records import Role
from tracker.service import log_verdicts
from tracker.service.application import Tracker

from .damaging import output_of
from .inputs import begin, season_in
from .runner import Run

FAR = 2**63 - 1
VALUES: dict[str, Any] = {
    "0": 0, "-1": -1, "2^63-1": FAR, "-2^63": -FAR - 1, "NULL": None, "a text": "krug", "a float": 1.5, "a blob": b"\xff\x00",
}  # fmt: skip
ANOTHERS, GONE, DOUBLED, SWAPPED = "another row's value", "gone", "doubled", "swapped with another"
WHOLE_ROWS = (GONE, DOUBLED, SWAPPED)
PLACES = ("first", "last", "middle", "other campaign's last")
EACH = "th"
LOG = ("events", "heads", "commands", "signed_notes")
CACHES = tuple(table.name for table in schema.CACHES)
TABLES = tuple(schema.metadata.tables)
ANSWERS = {0, 4}
BESIDE = {0, 1, 2, 4}
"""What a command may say where rows beside the log are otherwise: they are the truth themselves."""

ROLES: dict[str, Role] = {"Arbra": "arbitrator", "Robin": "player", "Sam": "spectator"}

WRITTEN = "written"
"""What a command writes to: gone before each."""
READING = [
    ("audit", "verify"), ("audit", "verify", "--deep"), ("boards", "verify"), ("doctor",), ("roster", "show"), ("roster", "show", "--json"),
    ("roster", "show", "--as-of-battle", "b1"), ("roster", "diff", "--from", "battle:b1"), ("gang", "list"), ("gang", "ledger", "iron-skulls"),
    ("gang", "territories"), ("gang", "export", "iron-skulls", "--json"), ("fighter", "show", "krug"), ("standings", "show"),
    ("battle", "list"), ("battle", "show", "b2"), ("log", "show"), ("log", "entry", "10"), ("explain", "krug", "xp"), ("dispute", "list"),
    ("dispute", "preview", "9.2", "--void"), ("rollback", "preview", "--battle", "b2"), ("campaign", "list"), ("campaign", "show"),
    ("policy", "history"), ("audit", "report"), ("audit", "dice"), ("audit", "heads"), ("audit", "key", "show"), ("audit", "witnesses"),
    ("member", "list"), ("member", "invites"), ("member", "token", "list", "Robin"), ("draft", "list"), ("draft", "show", "DRAFT"),
    ("battle", "proposals"), ("battle", "proposal", "PROPOSAL"), ("webhook", "list"), ("webhook", "show", "WEBHOOK"), ("db", "current"),
    ("audit", "verify", "--bytes"), ("audit", "prove", "9.2", "--out", WRITTEN), ("dispute", "show", "DISPUTE"), ("dice", "show"),
    ("standings", "show", "--as-of-battle", "b1"), ("log", "entry", "10", "--json"), ("policy", "what-if", "templates-spill@1"),
    ("campaign", "export", WRITTEN), ("campaign", "publish", WRITTEN), ("db", "backup", WRITTEN), ("host", "cell", "list"),
    ("host", "export", "--parquet", WRITTEN), ("gang", "captives"), ("gang", "show", "iron-skulls"), ("campaign", "recorders"),
    ("campaign", "visibility"), ("campaign", "dice"), ("policy", "list"), ("fighter", "show", "nobody"), ("log", "entry", "900"),
]  # fmt: skip
VERIFYING = READING[:4]


@dataclass(frozen=True)
class Edit:
    """What becomes of one row, or of a value of it."""

    table: str
    column: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column or 'row'}, the {self.place} row: {self.what}"


def edits(tables: Sequence[str] = TABLES, *, numbers_only: bool = False) -> Iterator[Edit]:
    """Every edit there is, table by table."""
    for name in tables:
        columns = schema.metadata.tables[name].columns
        wanted = [column.name for column in columns if not numbers_only or column.type.python_type is int]
        for place in PLACES:
            for column, what in itertools.product(wanted, (*VALUES, ANOTHERS)):
                yield Edit(table=name, column=column, place=place, what=what)
            for what in () if numbers_only else WHOLE_ROWS:
                yield Edit(table=name, column="", place=place, what=what)


def edits_of_each_row(counts: Mapping[str, int]) -> Iterator[Edit]:
    """Each row gone, doubled, and exchanged with the one before, each of its values taken from that one."""
    for name, count in counts.items():
        for place in (f"{number + 1}{EACH}" for number in range(count)):
            for what in WHOLE_ROWS:
                yield Edit(table=name, column="", place=place, what=what)
            for column in schema.metadata.tables[name].columns:
                yield Edit(table=name, column=column.name, place=place, what=ANOTHERS)


def shuffled(edits: Iterable[Edit]) -> list[Edit]:
    """In the same order each time: a run that ends early has tried something of each table."""
    listed = [*edits]
    random.Random("extremes").shuffle(listed)
    return listed


# --- a season with a row in every table that commands write ---------------------------------------------------


class Season(Arbitrator):
    """The command line on a file, or on the database of a server."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        super().__init__(folder)
        self.url = url or f"sqlite:///{self.file}"
        self.ids: dict[str, str] = {}
        """What a draft, a proposal and a webhook are called here."""
        self.token = self.session = ""
        """The Arbitrator's."""

    def where(self, db: str | None) -> list[str]:
        return ["--db", db or self.url]


def season_with_everything(folder: Path, patch: pytest.MonkeyPatch, url: str | None = None) -> Season:
    season = Season(season_in(folder, patch).folder, url)
    if url is not None:
        season.done("db", "upgrade")
        begin(season)
        for report in SEASON[:2]:
            season.record(report)
    patch.setattr(segments, "MOVING_EVENTS", 10)  # a short season has sealed history, too
    with closing(Tracker(season.url, actor="arbitrator")) as tracker:
        ids, season.token, season.session = beside_the_log(tracker)
    robin = ids["Robin"]
    elsewhere = season.write(SEASON[2], name="third.yaml")
    for words in (
        ("audit", "key", "new", "--no-passphrase"),
        ("gang", "emblem", "iron-skulls", picture(season.folder)),
        ("member", "invite", "--role", "player", "--gang", "iron-skulls"),
        ("webhook", "add", "https://example.org/hook", "--kind", "json"),
        ("dispute", "open", "9.2", "--reason", "cocked"),
        ("audit", "checkpoint"),
        ("draft", "begin", "battle"),
        ("--as", robin, "battle", "propose", elsewhere),
        ("campaign", "visibility", "public"),
        ("boards", "rebuild"),
        ("campaign", "new", "Dust Falls", "--ruleset", "necromunda_2023"),
        ("host", "cell", "add", "west", str(season.folder / "west.db")),
        ("host", "move", "dust-falls", "west"),
    ):
        ran = season("-c", "ash-wastes", *words)
        assert ran.code == 0, (words, output_of(ran))
    for word, kind in (
        ("DRAFT", "draft"),
        ("PROPOSAL", "proposal"),
        ("WEBHOOK", "webhook"),
        ("DISPUTE", "dispute"),
    ):
        verb = ("battle", "proposals") if kind == "proposal" else (kind, "list")
        season.ids[word] = str(season.read("-c", "ash-wastes", *verb)[f"{kind}s"][0][kind])
    ran = season("-c", "ash-wastes", "battle", "object", season.ids["PROPOSAL"], "--reason", "not so")
    assert ran.code == 0, output_of(ran)
    return season


def beside_the_log(tracker: Tracker) -> tuple[dict[str, str], str, str]:
    """A row of everything that only a service writes: gives the ids of the people, and the Arbitrator's secrets."""
    people, campaign = tracker.people, tracker.directory.campaign_id("ash-wastes")
    ids, tokens, sessions = {}, [], []
    for name, role in ROLES.items():
        person = ids[name] = people.add(name).person
        people.join(campaign, person, role=role, gangs=("iron-skulls",) if role == "player" else ())
        sessions.append(people.sessions.new(person, label="a browser").secret)
        tokens.append(people.tokens.new(person, label="a script", scope="write", campaign=campaign).secret)
        people.passkeys.add(person, credential=f"key-{name}", public_key=name.encode())
        people.passkeys.link(person, f"discord:{name}")
        people.passkeys.challenge("sign_in", {"who": name})
    people.rename(ids["Sam"], "Samuel")
    return ids, tokens[0], sessions[0]


def picture(folder: Path) -> str:
    file = folder / "skulls.png"
    Image.new("RGB", (64, 64), "red").save(file)
    return str(file)


# --- the edits --------------------------------------------------------------------------------------------


def applied(connection: sqlite3.Connection, edit: Edit) -> bool:
    """Whether there was such a row, which is now otherwise."""
    with _lenient(connection):
        rows = connection.execute(f"SELECT * FROM {edit.table} ORDER BY {', '.join(_keys(edit.table))}")
        names = [column[0] for column in rows.description]
        change = change_of(edit, [dict(zip(names, row, strict=True)) for row in rows])
        if change is None:
            return False
        connection.execute("SAVEPOINT edit")
        try:
            for row in change.taken:
                where = " AND ".join(f"{key} IS ?" for key in _keys(edit.table))
                connection.execute(
                    f"DELETE FROM {edit.table} WHERE {where}", [row[key] for key in _keys(edit.table)]
                )
            for row in change.put:
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {edit.table} VALUES ({marks})", [*row.values()])
        except sqlite3.IntegrityError:  # two rows of one key: that no table can hold
            connection.execute("ROLLBACK TO edit")
            return False
    return True


Row = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """The rows that are not there any more, and those that are there instead."""

    taken: list[Row]
    put: list[Row]


def change_of(edit: Edit, found: Sequence[Row]) -> Change | None:
    """What the edit does to the rows of its table; None where there is no such row, or nothing changes."""
    at = _place(edit, found)
    if at is None:
        return None
    row, other, keys = found[at], found[at - 1], _keys(edit.table)
    if edit.what == GONE:
        return Change([row], [])
    if edit.what == DOUBLED:
        return Change([], [double_of(row, keys)])
    if edit.what == SWAPPED:
        change = Change(
            [row, other], [other | {key: row[key] for key in keys}, row | {key: other[key] for key in keys}]
        )
        return None if same(change.put[0], row) else change
    value = other[edit.column] if edit.what == ANOTHERS else VALUES[edit.what]
    changed = row | {edit.column: value}
    return None if same(changed, row) else Change([row], [changed])


def same(row: Row, other: Row) -> bool:
    return all(value == other[name] and type(value) is type(other[name]) for name, value in row.items())


def _keys(table: str) -> list[str]:
    return [column.name for column in schema.metadata.tables[table].primary_key]


def _place(edit: Edit, found: Sequence[Row]) -> int | None:
    """Which row it is; None where there is none, or it is one that another place names before."""
    if edit.place not in PLACES:
        number = int(edit.place.removesuffix(EACH)) - 1
        return number if number < len(found) else None
    first = found[0].get("campaign_id") if found else None
    own = [at for at, row in enumerate(found) if row.get("campaign_id") == first]
    others = [at for at, row in enumerate(found) if row.get("campaign_id") != first]
    places = dict(zip(PLACES, [own[:1], own[-1:], own[len(own) // 2 :][:1], others[-1:]], strict=True))
    before = [places[place] for place in PLACES[: PLACES.index(edit.place)]]
    at = places[edit.place]
    return at[0] if at and at not in before else None


def double_of(row: Row, keys: list[str]) -> Row:
    """The row once more, under a key of its own."""
    last = row[keys[-1]]
    double = row | {keys[-1]: last + 1_000 if isinstance(last, int) else f"{last}x"}
    unique = {"event_id", "secret_hash", "slug"} - {keys[-1]}
    return double | {name: f"{double[name]}x" for name in unique & set(double)}


@contextmanager
def _lenient(connection: sqlite3.Connection) -> Iterator[None]:
    """The tables without what they refuse; with it again afterwards, whatever they hold by then."""
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    declared = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT NULL"
    ).fetchall()
    guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        connection.execute(f"DROP TRIGGER {name}")
    for name, words in declared:
        loose = re.sub(r",?\s*STRICT\b", "", words.replace(" NOT NULL", ""))
        connection.execute(
            "UPDATE sqlite_master SET sql = ? WHERE name = ? AND type = 'table'", (loose, name)
        )
    _reread(connection)
    try:
        yield
    finally:
        for name, words in declared:
            connection.execute(
                "UPDATE sqlite_master SET sql = ? WHERE name = ? AND type = 'table'", (words, name)
            )
        _reread(connection)
        for _, words in guards:
            connection.execute(words)
        connection.commit()


def _reread(connection: sqlite3.Connection) -> None:
    connection.commit()
    (version,) = connection.execute("PRAGMA schema_version").fetchone()
    connection.execute(f"PRAGMA schema_version = {version + 1}")


# --- what is asked of it -----------------------------------------------------------------------------------


def answers(season: Season, commands: Sequence[tuple[str, ...]] = READING) -> dict[tuple[str, ...], Ran]:
    return {words: _asked(season, words) for words in commands}


def _asked(season: Season, words: tuple[str, ...]) -> Ran:
    for written in season.folder.glob(f"{WRITTEN}*"):
        shutil.rmtree(written) if written.is_dir() else written.unlink()
    return season("-c", "ash-wastes", *(season.ids.get(word, word) for word in words))


def readers(season: Season) -> dict[str, list[tuple[str, ...]]]:
    """Which commands read a table of the file, as SQLite says: no other answers otherwise when it does.

    A verifier is asked of each: it looks at the pages of all.
    """
    found: dict[str, list[tuple[str, ...]]] = {table: [*VERIFYING] for table in TABLES}
    for words in READING[len(VERIFYING) :]:
        with tables_read() as read:
            _asked(season, words)
        for table in read & set(TABLES):
            found[table].append(words)
    return found


@contextmanager
def tables_read() -> Iterator[set[str]]:
    """The tables that are read of files meanwhile, by connections made meanwhile."""
    read: set[str] = set()

    def note(_action: int, name: str | None, *_rest: str | None) -> int:
        read.add(name or "")
        return sqlite3.SQLITE_OK

    def listen(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_authorizer(note)

    event.listen(Pool, "connect", listen)
    try:
        yield read
    finally:
        event.remove(Pool, "connect", listen)


def check(edit: Edit, before: dict[tuple[str, ...], Ran], now: dict[tuple[str, ...], Ran]) -> str:
    """What came of it, in a word. Asserts that nobody is told anything wrong in silence."""
    beside = edit.table not in (*LOG, *CACHES)
    for words, ran in now.items():
        allowed = (
            BESIDE if beside else ANSWERS | {before[words].code} | ({1} if words == ("doctor",) else set())
        )
        if edit.table == "signed_notes":
            allowed = BESIDE | {*log_verdicts.EXIT_CODES.values(), log_verdicts.FEWER_WITNESSES}
        assert ran.code in allowed, (str(edit), words, output_of(ran))
        if ran.code == 4:
            assert "arbitrator" in ran.err or "backup" in ran.err or ran.out, (str(edit), words, ran.err)
    if beside or edit.table == "signed_notes":
        return "beside the log"
    # What a verifier finds may be told otherwise: how much of a cache could be read.
    otherwise = [
        words
        for words, ran in now.items()
        if ran.code == 0
        and ran.out != before[words].out
        and words not in (*VERIFYING, ("audit", "verify", "--bytes"))
    ]
    seen = any(now[words].code != before[words].code for words in VERIFYING if words in now)
    assert seen or not otherwise, (str(edit), "no verifier says so", otherwise)
    return "seen" if seen else "nothing that counts"


@contextmanager
def edited_on_server(connection: psycopg.Connection[Any], edit: Edit) -> Iterator[bool]:
    """The database with this edit until the end: whether there was such a row, and its types let the edit."""
    change = _changed_on_server(connection, edit)
    try:
        yield change is not None
    finally:  # or the next edits are judged for this one
        if change is not None:
            _replace_on_server(connection, edit.table, Change(taken=change.put, put=change.taken))


def _changed_on_server(connection: psycopg.Connection[Any], edit: Edit) -> Change | None:
    """What the edit did to the rows, as the server holds them."""
    table, order = sql.Identifier(edit.table), _names(_keys(edit.table))
    rows = connection.execute(sql.SQL("SELECT * FROM {} ORDER BY {}").format(table, order))
    names = [column.name for column in rows.description or ()]
    change = change_of(edit, [dict(zip(names, row, strict=True)) for row in rows])
    connection.commit()
    if change is None:
        return None
    try:
        return Change(change.taken, _replace_on_server(connection, edit.table, change))
    except psycopg.Error:
        connection.rollback()
        return None


def _replace_on_server(connection: psycopg.Connection[Any], table: str, change: Change) -> list[Row]:
    """The rows that were put, as the server holds them then: a number may have become a text."""
    put = []
    with _lenient_server(connection):
        for row in change.taken:
            where = sql.SQL(" AND ").join(
                sql.SQL("{} IS NOT DISTINCT FROM {}").format(sql.Identifier(key), sql.Placeholder())
                for key in _keys(table)
            )
            words = sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), where)
            connection.execute(words, [row[key] for key in _keys(table)])
        for row in change.put:
            marks = sql.SQL(", ").join([sql.Placeholder()] * len(row))
            words = sql.SQL("INSERT INTO {} ({}) VALUES ({}) RETURNING {}").format(
                sql.Identifier(table), _names(row), marks, _names(row)
            )
            held = connection.execute(words, [*row.values()]).fetchone()
            put.append(dict(zip(row, held or (), strict=True)))
    return put


@contextmanager
def _lenient_server(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """One transaction without what tables refuse, which the catalog lists again afterwards."""
    ours = [*TABLES, *schema.POSTGRES_PARTS]
    of_ours = "= ANY(%s::regclass[])"
    columns = connection.execute(
        f"SELECT attrelid, attnum FROM pg_attribute WHERE attnotnull AND attnum > 0 AND attrelid {of_ours}",
        [ours],
    ).fetchall()
    checks = connection.execute(f"SELECT relchecks, oid FROM pg_class WHERE oid {of_ours}", [ours]).fetchall()
    connection.execute(
        f"UPDATE pg_attribute SET attnotnull = false WHERE attnum > 0 AND attrelid {of_ours}", [ours]
    )
    connection.execute(f"UPDATE pg_trigger SET tgenabled = 'D' WHERE tgrelid {of_ours}", [ours])
    connection.execute(f"UPDATE pg_class SET relchecks = 0 WHERE oid {of_ours}", [ours])
    yield
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE pg_attribute SET attnotnull = true WHERE attrelid = %s AND attnum = %s", columns
        )
        cursor.execute(f"UPDATE pg_trigger SET tgenabled = 'A' WHERE tgrelid {of_ours}", [ours])
        cursor.executemany("UPDATE pg_class SET relchecks = %s WHERE oid = %s", checks)
    connection.commit()


def _names(columns: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


# --- the chapters -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ground:
    """A season that is edited, and as it was again after each edit."""

    season: Season
    edited: Callable[[Edit], AbstractContextManager[bool]]
    on_file: Season
    """The same season on SQLite, which says who reads which table."""
    counts: dict[str, int]


@contextmanager
def on_sqlite(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Ground]:
    season = season_with_everything(folder, patch)
    whole = season.contents()

    @contextmanager
    def edited(edit: Edit) -> Iterator[bool]:
        gc.collect()  # a fault that was not let go of may hold a read of the file open
        season.file.write_bytes(whole)
        with closing(sqlite3.connect(season.file)) as connection:
            there = applied(connection, edit)
        yield there
        season.file.write_bytes(whole)

    with closing(sqlite3.connect(season.file)) as connection:
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES
        }
    yield Ground(season, edited, season, counts)


@contextmanager
def on_postgres(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Ground]:
    """As far as its types let the owner of the database."""
    on_file, home = season_with_everything(folder, patch), postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        season = season_with_everything(folder, patch, url)
        with psycopg.connect(url.replace("+psycopg", "")) as connection:
            counts = {}
            for table in TABLES:
                counted = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
                (counts[table],) = counted.fetchone() or (0,)
            connection.commit()
            yield Ground(season, partial(edited_on_server, connection), on_file, counts)
    finally:
        postgres_server.discard(home)


class Asked(Protocol):
    """Who is asked of an edited season."""

    def look(self, edit: Edit) -> str:
        """What came of it, in a word. Asserts that nobody is told anything wrong in silence."""
        ...


class Commands:
    """Every command that reads the table."""

    def __init__(self, ground: Ground) -> None:
        self._season, self._before, self._of = ground.season, answers(ground.season), readers(ground.on_file)

    def look(self, edit: Edit) -> str:
        return check(edit, self._before, answers(self._season, self._of[edit.table]))


def chapter(
    engine: Engine, asked: Callable[[Ground], Asked], *, each_row: bool = False
) -> Callable[[Run], None]:
    """One edit a round: values of a few rows of each table, or each row; in the same order each time."""

    def play(run: Run) -> None:
        with pytest.MonkeyPatch.context() as patch, engine(run.folder, patch) as ground:
            who = asked(ground)
            every = shuffled(edits_of_each_row(ground.counts) if each_row else edits())
            for _ in run.each_round():
                edit = every[run.at % len(every)]
                with ground.edited(edit) as there:
                    run.count(who.look(edit) if there else "no such row, or not let")

    return play


Engine: TypeAlias = Callable[[Path, pytest.MonkeyPatch], AbstractContextManager[Ground]]
EVERY_EDIT = len([*edits()])
