"""One value of one row at its extreme, a row gone or doubled, in every table: each reading command answers as before
or exits 4 and says what to do, and where an answer is another one a verifier says that something is wrong.

Somebody who owns the file keeps no rule of it: strictness, checks and guards are lifted, and put back behind the edit.
"""

from __future__ import annotations

import gc
import itertools
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import postgres_server
import psycopg
import pytest
from cli_arbitrator import Arbitrator, Ran
from cli_reports import SEASON
from psycopg import sql
from sqlalchemy import event
from sqlalchemy.pool import Pool

from tracker import schema
from tracker.log import segments
from tracker.service import log_verdicts
from tracker.service.application import Tracker

from .damaging import output_of
from .inputs import begin, season_in
from .runner import Run

FAR = 2**63 - 1
VALUES: dict[str, Any] = {
    "0": 0, "-1": -1, "2^63-1": FAR, "-2^63": -FAR - 1, "NULL": None, "a text": "krug", "a float": 1.5, "a blob": b"\xff\x00",
}  # fmt: skip
ANOTHERS, GONE, DOUBLED = "another row's value", "gone", "doubled"
PLACES = ("first", "last", "middle", "other campaign's last")
LOG = ("events", "heads", "commands", "signed_notes")
CACHES = tuple(table.name for table in schema.CACHES)
TABLES = tuple(schema.metadata.tables)
ANSWERS = {0, 4}
BESIDE = {0, 1, 2, 4}
"""What a command may say where rows beside the log are otherwise: they are the truth themselves."""

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
            for what in () if numbers_only else (GONE, DOUBLED):
                yield Edit(table=name, column="", place=place, what=what)


# --- a season with a row in every table that commands write ---------------------------------------------------


class Season(Arbitrator):
    """The command line on a file, or on the database of a server."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        super().__init__(folder)
        self.url = url or f"sqlite:///{self.file}"
        self.ids: dict[str, str] = {}
        """What a draft, a proposal and a webhook are called here."""

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
        ids = beside_the_log(tracker)
    robin = ids["Robin"]
    elsewhere = season.write(SEASON[2], name="third.yaml")
    for words in (
        ("audit", "key", "new", "--no-passphrase"),
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


def beside_the_log(tracker: Tracker) -> dict[str, str]:
    """A row of everything that only a service writes: gives the ids of the people."""
    people, campaign = tracker.people, tracker.directory.campaign_id("ash-wastes")
    ids = {}
    for name, role in (("Arbra", "arbitrator"), ("Robin", "player"), ("Sam", "spectator")):
        person = ids[name] = people.add(name).person
        people.join(campaign, person, role=role, gangs=("iron-skulls",) if role == "player" else ())
        people.sessions.new(person, label="a browser")
        people.tokens.new(person, label="a script", campaign=campaign)
        people.passkeys.add(person, credential=f"key-{name}", public_key=name.encode())
        people.passkeys.link(person, f"discord:{name}")
        people.passkeys.challenge("sign_in", {"who": name})
    people.rename(ids["Sam"], "Samuel")
    return ids


# --- the edits --------------------------------------------------------------------------------------------


def applied(connection: sqlite3.Connection, edit: Edit) -> bool:
    """Whether there was such a row, which is now otherwise."""
    with _lenient(connection):
        keys = [column.name for column in schema.metadata.tables[edit.table].primary_key]
        rows = connection.execute(f"SELECT * FROM {edit.table} ORDER BY {', '.join(keys)}")
        names = [column[0] for column in rows.description]
        found = [dict(zip(names, row, strict=True)) for row in rows]
        at = _place(edit, found)
        if at is None:
            return False
        row, other = found[at], found[at - 1]
        return _change(connection, edit, row, other, keys)


def _place(edit: Edit, found: Sequence[dict[str, Any]]) -> int | None:
    """Which row it is; None where there is none, or it is one that another place names before."""
    first = found[0].get("campaign_id") if found else None
    own = [at for at, row in enumerate(found) if row.get("campaign_id") == first]
    others = [at for at, row in enumerate(found) if row.get("campaign_id") != first]
    places = dict(zip(PLACES, [own[:1], own[-1:], own[len(own) // 2 :][:1], others[-1:]], strict=True))
    before = [places[place] for place in PLACES[: PLACES.index(edit.place)]]
    at = places[edit.place]
    return at[0] if at and at not in before else None


def _change(
    connection: sqlite3.Connection, edit: Edit, row: dict[str, Any], other: dict[str, Any], keys: list[str]
) -> bool:
    where = " AND ".join(f'"{key}" = ?' for key in keys)
    at = [row[key] for key in keys]
    if edit.what == GONE:
        connection.execute(f"DELETE FROM {edit.table} WHERE {where}", at)
        return True
    if edit.what == DOUBLED:
        double = double_of(row, keys)
        marks = ", ".join("?" * len(double))
        connection.execute(f"INSERT INTO {edit.table} VALUES ({marks})", [*double.values()])
        return True
    value = other[edit.column] if edit.what == ANOTHERS else VALUES[edit.what]
    if value == row[edit.column] and type(value) is type(row[edit.column]):
        return False
    try:
        connection.execute(f'UPDATE {edit.table} SET "{edit.column}" = ? WHERE {where}', (value, *at))
    except sqlite3.IntegrityError:  # two rows of one key: that no table can hold
        return False
    return True


def double_of(row: dict[str, Any], keys: list[str]) -> dict[str, Any]:
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
    read: set[str] = set()

    def note(_action: int, name: str | None, *_rest: str | None) -> int:
        read.add(name or "")
        return sqlite3.SQLITE_OK

    def listen(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_authorizer(note)

    found: dict[str, list[tuple[str, ...]]] = {table: [*VERIFYING] for table in TABLES}
    event.listen(Pool, "connect", listen)
    try:
        for words in READING[len(VERIFYING) :]:
            read.clear()
            _asked(season, words)
            for table in read & set(TABLES):
                found[table].append(words)
    finally:
        event.remove(Pool, "connect", listen)
    return found


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


def sqlite(run: Run) -> None:
    """One edit a round, in the order of the tables, each on a fresh copy of the file."""
    with pytest.MonkeyPatch.context() as patch:
        season = season_with_everything(run.folder, patch)
        whole, before, every, asked = season.contents(), answers(season), [*edits()], readers(season)
        for _ in run.each_round():
            edit = every[run.at % len(every)]
            gc.collect()  # a fault that was not let go of may hold a read of the file open
            season.file.write_bytes(whole)
            with closing(sqlite3.connect(season.file)) as connection:
                there = applied(connection, edit)
            now = answers(season, asked[edit.table]) if there else {}
            run.count(check(edit, before, now) if there else "no such row")


def postgres(run: Run) -> None:
    """The same on PostgreSQL, as far as its types and checks let the owner of the database, guards asleep."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        with (
            pytest.MonkeyPatch.context() as patch,
            psycopg.connect(url.replace("+psycopg", "")) as connection,
        ):
            # The same commands read the same tables there.
            asked = readers(season_with_everything(run.folder, patch))
            season = season_with_everything(run.folder, patch, url)
            before, every = answers(season), [*edits()]
            for _ in run.each_round():
                edit = every[run.at % len(every)]
                undo = applied_on_server(connection, edit)
                now = answers(season, asked[edit.table]) if undo else {}
                run.count(check(edit, before, now) if undo else "not let, or no such row")
                for words, values in undo:
                    connection.execute(words, values)
                connection.commit()
    finally:
        postgres_server.discard(home)


Undo = list[tuple[Any, list[Any]]]


def applied_on_server(connection: psycopg.Connection[Any], edit: Edit) -> Undo:
    """What takes the edit back; nothing where there is no such row, or the server does not let it."""
    connection.execute("SET session_replication_role = replica")
    keys = [column.name for column in schema.metadata.tables[edit.table].primary_key]
    rows = connection.execute(sql.SQL("SELECT * FROM {} ORDER BY {}").format(
        sql.Identifier(edit.table), sql.SQL(", ").join(map(sql.Identifier, keys))
    ))  # fmt: skip
    names = [column.name for column in rows.description or ()]
    found = [dict(zip(names, row, strict=True)) for row in rows]
    at = _place(edit, found)
    if at is None:
        return []
    row, other = found[at], found[at - 1]
    insert, delete = _insert(edit.table, row), _delete(edit.table, keys, row)
    if edit.what == GONE:
        doing, undo = [delete], [insert]
    else:
        value = other.get(edit.column) if edit.what == ANOTHERS else VALUES.get(edit.what)
        changed = double_of(row, keys) if edit.what == DOUBLED else row | {edit.column: value}
        if changed == row:
            return []
        doing, undo = [_insert(edit.table, changed)], [_delete(edit.table, keys, changed)]
        if edit.what != DOUBLED:
            doing, undo = [delete, *doing], [*undo, insert]
    try:
        for words, values in doing:
            connection.execute(words, values)
        connection.commit()
    except psycopg.Error:
        connection.rollback()
        return []
    return undo


def _insert(table: str, row: dict[str, Any]) -> tuple[Any, list[Any]]:
    marks = sql.SQL(", ").join([sql.Placeholder()] * len(row))
    names = sql.SQL(", ").join(map(sql.Identifier, row))
    words = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, marks)
    return words, [*row.values()]


def _delete(table: str, keys: list[str], row: dict[str, Any]) -> tuple[Any, list[Any]]:
    where = sql.SQL(" AND ").join(
        sql.SQL("{} = {}").format(sql.Identifier(key), sql.Placeholder()) for key in keys
    )
    return sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), where), [row[key] for key in keys]


EVERY_EDIT = len([*edits()])
