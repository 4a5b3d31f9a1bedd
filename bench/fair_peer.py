"""The fair peer: PyPI `eventsourcing` with an aggregate that decides a hit, folds it, and keeps boards in the
save's own transaction.

Knows one branch of the rules (a hit that wounds, is not saved and takes its target out) and no other: that
flatters it. Its boards are those that ours were when events were repeated on them: the rosters of gangs and
fighters, rolls, injuries, experience and entries, as JSON beside the columns that somebody asks by. It keeps
no chain, no canonical bytes and no command keys.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench import peers

Row = tuple[str, tuple[Any, ...]]
"""A statement, and what it is given."""

TABLES = {
    "board_gangs": "gang TEXT, row TEXT NOT NULL, PRIMARY KEY (log, gang)",
    "board_fighters": "fighter TEXT, gang TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (log, fighter)",
    "board_rolls": "seq BIGINT, fighter TEXT, purpose TEXT, row TEXT NOT NULL, PRIMARY KEY (log, seq)",
    "board_injuries": "fighter TEXT, seq BIGINT, row TEXT NOT NULL, PRIMARY KEY (log, fighter, seq)",
    "board_experience": "seq BIGINT, fighter TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (log, seq)",
    "board_entries": "entry BIGINT, battle TEXT, row TEXT NOT NULL, PRIMARY KEY (log, entry)",
}
INDEXES = {
    "board_fighters": "log, gang",
    "board_rolls": "log, fighter, seq",
    "board_experience": "log, fighter, seq",
}
MAKING = (
    *(f"CREATE TABLE {name} (log TEXT, {columns})" for name, columns in TABLES.items()),
    *(f"CREATE INDEX {name}_by ON {name} ({columns})" for name, columns in INDEXES.items()),
)
GANG = "UPDATE board_gangs SET row = ? WHERE log = ? AND gang = ?"
FIGHTER = "UPDATE board_fighters SET row = ? WHERE log = ? AND fighter = ?"
NEW_GANG = "INSERT INTO board_gangs VALUES (?, ?, ?)"
NEW_FIGHTER = "INSERT INTO board_fighters VALUES (?, ?, ?, ?)"
BY_EVENT = {
    "RollMade": "INSERT INTO board_rolls VALUES (?, ?, ?, ?, ?)",
    "LastingInjurySuffered": "INSERT INTO board_injuries VALUES (?, ?, ?, ?)",
    "ExperienceGained": "INSERT INTO board_experience VALUES (?, ?, ?, ?)",
}
ENTRY = "INSERT INTO board_entries VALUES (?, ?, ?, ?)"

_json = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder().decode


@contextmanager
def on_sqlite(file: Path, settings: Sequence[tuple[str, str]], *, whole: bool) -> Iterator[Any]:
    """The application on an SQLite file, with empty boards; `whole`: not the rosters alone."""
    with peers.on_sqlite(file, settings, recorder=_recorder("sqlite")) as application:
        with application.recorder.datastore.transaction(commit=True) as cursor:
            for making in MAKING:
                cursor.execute(making)
        yield FairPeer(application, whole=whole)


@contextmanager
def on_postgres(folder_of_socket: Path, database: str, *, whole: bool) -> Iterator[Any]:
    """The same on a database of a PostgreSQL that listens in this folder."""
    with peers.on_postgres(folder_of_socket, database, recorder=_recorder("postgres")) as application:
        with application.recorder.datastore.get_connection() as connection:
            for making in MAKING:
                connection.execute(making)
        yield FairPeer(application, whole=whole)


class FairPeer:
    """An application and its one aggregate, held in memory between saves as the tracker holds its state."""

    def __init__(self, application: Any, *, whole: bool) -> None:
        self._application = application
        self._whole = whole
        self.club = _club_class()()
        self._name = str(self.club.id)
        self._seq = self._entry = 0

    def fill(self, file: Path, events: int) -> None:
        """As many events as one of our logs has, its fighters and gangs as they stand, and rows for all."""
        with closing(sqlite3.connect(file)) as connection:
            stored = connection.execute(
                "SELECT entry, type, body FROM events ORDER BY campaign_id, seq LIMIT ?", (events,)
            )
            while page := stored.fetchmany(100):
                boards: list[Row] = []
                for entry, kind, body in page:
                    self._entry, payload = entry, peers.payload_of(bytes(body))
                    self.club.noted(kind, payload)
                    boards += self._rows_of(kind, payload)
                    if kind == "DecisionTaken":
                        boards += self._entry_row("", [kind], [])
                self._application.save(self.club, boards=boards)
            rosters = [
                (NEW_GANG, (self._name, gang, row))
                for gang, row in connection.execute("SELECT gang_id, row FROM board_gangs")
            ]
            self.club.gangs = {given[1]: _read(given[2]) for _, given in rosters}
            for fighter, gang, row in connection.execute(
                "SELECT fighter_id, gang_id, row FROM board_fighters"
            ):
                rosters.append((NEW_FIGHTER, (self._name, fighter, gang, row)))
                self.club.fighters[fighter] = _read(row)
        self.club.noted("Filled", "{}")
        self._application.save(self.club, boards=rosters)

    def hit(self, attacker: str, target: str, faces: Sequence[int]) -> None:
        """One decision of ten events, with the rows of its boards in the same transaction."""
        self._entry += 1
        before = len(self.club.pending_events)
        self.club.resolve_hit(attacker, target, faces)
        boards: list[Row] = []
        kinds = []
        for event in self.club.pending_events[before:]:
            kinds.append(event.kind)
            boards += self._rows_of(event.kind, event.payload)
        for name in (attacker, target):
            card = self.club.fighters[name]
            boards.append((FIGHTER, (_json(card).decode(), self._name, name)))
            gang = card["gang"]
            boards.append((GANG, (_json(self.club.gangs[gang]).decode(), self._name, gang)))
        boards += self._entry_row("ResolveHit", kinds, [attacker, target])
        self._application.save(self.club, boards=boards)

    def _rows_of(self, kind: str, payload: str) -> list[Row]:
        self._seq += 1
        if not self._whole or kind not in BY_EVENT:
            return []
        fields = _read(payload)
        place = {"entry": self._entry, "seq": self._seq, "at": "2026-11-21T09:50:34Z", "struck_by": None}
        row = _json(place | fields).decode()
        fighter = fields["fighter"]
        given: tuple[Any, ...] = (self._name, self._seq, fighter, row)
        if kind == "RollMade":
            given = (self._name, self._seq, fighter, fields["purpose"], row)
        elif kind == "LastingInjurySuffered":
            given = (self._name, fighter, self._seq, row)
        return [(BY_EVENT[kind], given)]

    def _entry_row(self, command: str, kinds: Sequence[str], fighters: Sequence[str]) -> list[Row]:
        if not self._whole:
            return []
        row = {
            "entry": self._entry,
            "seq": self._seq,
            "at": "2026-11-21T09:50:34Z",
            "actor": "bench",
            "command": command,
            "events": list(dict.fromkeys(kinds)),
            "fighters": list(fighters),
            "struck_by": None,
        }
        return [(ENTRY, (self._name, self._entry, "battle", _json(row).decode()))]


def _club_class() -> Any:
    global _CLUB  # noqa: PLW0603  # made once, and only where the library is there
    if _CLUB is None:
        from eventsourcing.domain import Aggregate
        from eventsourcing.domain import event as on

        class Club(Aggregate):
            """Fighters and gangs as their boards show them; what is recorded travels in the events."""

            def __init__(self) -> None:
                self.fighters: dict[str, dict[str, Any]] = {}
                self.gangs: dict[str, dict[str, Any]] = {}

            def resolve_hit(self, attacker: str, target: str, faces: Sequence[int]) -> None:
                """Decide a hit from its dice: to wound, to save, the injury die and the lasting injury."""
                shooter, victim = self.fighters[attacker], self.fighters[target]
                for kind, fields in decided(shooter, victim, faces):
                    self.happened(kind, _json(fields).decode())

            @on("Noted")
            def noted(self, kind: str, payload: str) -> None:
                """What was there before the clock runs: the cards are put in as they stand at its end."""

            @on("Happened")
            def happened(self, kind: str, payload: str) -> None:
                if kind == "FighterWentOutOfAction":
                    fields = _read(payload)
                    card = self.fighters[fields["fighter"]]
                    card["times_out_of_action"] += 1
                    self.gangs[card["gang"]]["times_out_of_action"] += 1
                    attacker = self.fighters[fields["by"]]
                    attacker["enemies_taken_out"] += 1
                    self.gangs[attacker["gang"]]["enemies_taken_out"] += 1
                elif kind == "ExperienceGained":
                    fields = _read(payload)
                    card = self.fighters[fields["fighter"]]
                    card["experience"] += fields["amount"]
                    self.gangs[card["gang"]]["experience"] += fields["amount"]
                elif kind == "LastingInjurySuffered":
                    fields = _read(payload)
                    # A card of ours lists each injury that lasts; this one does not stay on it.
                    self.fighters[fields["fighter"]]["convalescing"] = True
                elif kind == "WentIntoConvalescence":
                    card = self.fighters[_read(payload)["fighter"]]
                    counts = self.gangs[card["gang"]]["fighters"]
                    counts[card["status"]] -= 1
                    card["status"] = "convalescing"
                    counts["convalescing"] += 1

        Club.__qualname__ = "Club"
        globals()["Club"] = Club
        _CLUB = Club
    return _CLUB


_CLUB: Any = None


def decided(
    shooter: dict[str, Any], victim: dict[str, Any], faces: Sequence[int]
) -> list[tuple[str, dict[str, Any]]]:
    """The events of a hit that wounds, is not saved and takes its target out."""
    wound, save, tens, units = faces
    weapon = shooter["weapons"][0]
    strength, toughness = weapon["profiles"][0]["strength"], victim["characteristics"]["toughness"]
    needed = 4 - (strength > toughness) + (strength < toughness)
    needed += (strength < toughness and strength * 2 <= toughness) - (strength >= toughness * 2)
    saves = victim["armour"]["save"]
    assert wound >= needed, "it wounds"
    assert save < saves, "it is not saved"
    name, by, cell = victim["fighter"], shooter["fighter"], f"{tens}{units}"
    book = "Core Rulebook (2023)"

    def roll(number: int, purpose: str, die: str, shown: Sequence[int], **more: Any) -> dict[str, Any]:
        fields = {
            "number": number,
            "purpose": purpose,
            "die": die,
            "faces": shown,
            "symbol": None,
            "source": "typed",
        }
        fields |= {
            "fighter": name,
            "rolled_by": shooter["gang"],
            "modifiers": [],
            "target": None,
            "passed": None,
        }
        return fields | more

    command = {
        "target": name,
        "attacker": by,
        "weapon": weapon["weapon"],
        "profile_name": None,
        "profile": None,
        "save_cover": "none",
        "save_with": "best",
        "keeps": None,
        "in_close_combat": False,
        "hit_roll": None,
        "hit_needs": None,
        "range_band": None,
        "behind": None,
        "cannot_be_moved": False,
        "stays_beneath": False,
        "target_psyker": False,
        "inspired_by": None,
        "without": [],
        "attack": True,
        "reaction": False,
        "activation": None,
        "grudge_against": None,
    }
    dice = [
        {"purpose": purpose, "die": die, "faces": shown, "symbol": None, "fighter": name, "source": "typed"}
        for purpose, die, shown in (
            ("wound", "D6", [wound]),
            ("save", "D6", [save]),
            ("injury", "injury", []),
            ("lasting_injury", "D66", [tens, units]),
        )
    ]
    hits, table = f"{book} · Resolve Hits", f"{book} · Lasting Injury Table"
    injury = {"table": "lasting_injuries", "cell": cell, "injury": "convalescence", "name": "Convalescence"}
    return [
        (
            "DecisionTaken",
            {"command": {"name": "ResolveHit", "given": command}, "dice": dice, "spare": [], "note": None},
        ),
        (
            "RollMade",
            roll(0, "wound", "D6", [wound], target=needed, passed=True)
            | {"outcome": f"Strength {strength} against Toughness {toughness}: wounds"}
            | {"section": f"{hits} · 1. Make Wound Roll"},
        ),
        (
            "RollMade",
            roll(1, "save", "D6", [save], target=saves, passed=False)
            | {
                "outcome": f"{victim['armour']['name']}: not saved",
                "section": f"{hits} · 2. Make a Save Roll",
            },
        ),
        ("WoundsLost", {"fighter": name, "by": by, "wounds_lost": 1, "wounds_left": 0}),
        (
            "RollMade",
            roll(2, "injury", "injury", [], symbol="out_of_action")
            | {"outcome": "Out of Action", "section": f"{hits} · Injury Dice"},
        ),
        (
            "FighterWentOutOfAction",
            {
                "fighter": name,
                "by": by,
                "reason": "injury_dice",
                "out_of_action_dice": 1,
                "lasting_injury_rolls": 1,
            },
        ),
        (
            "ExperienceGained",
            {"fighter": by, "amount": 2, "reason": f"{victim['name']} Out of Action", "victim": name}
            | {"activation": None, "section": f"{book} · Experience · Gaining Experience"},
        ),
        (
            "RollMade",
            roll(3, "lasting_injury", "D66", [tens, units]) | {"outcome": "Convalescence", "section": table},
        ),
        (
            "LastingInjurySuffered",
            {"fighter": name, "by": by, "counts_as": None, "occurrence": 1, "within": None, "battle": 78}
            | injury
            | {"section": table},
        ),
        ("WentIntoConvalescence", {"fighter": name}),
    ]


def _recorder(engine: str) -> str:
    """The topic of a recorder that writes the rows that it is given with the events of a save."""
    name = f"{engine.title()}Boards"
    if name not in globals():
        if engine == "sqlite":
            from eventsourcing.sqlite import SQLiteApplicationRecorder

            class SqliteBoards(SQLiteApplicationRecorder):  # type: ignore[misc, unused-ignore]
                def _insert_events(
                    self, c: Any, stored_events: Any, boards: Sequence[Row] = (), **more: Any
                ) -> Any:
                    for statement, given in boards:
                        c.execute(statement, given)
                    return super()._insert_events(c, stored_events, **more)

            made: Any = SqliteBoards
        else:
            from eventsourcing.postgres import PostgresApplicationRecorder

            class PostgresBoards(PostgresApplicationRecorder):  # type: ignore[misc, unused-ignore]
                def _insert_events(
                    self, curs: Any, stored_events: Any, boards: Sequence[Row] = (), **more: Any
                ) -> None:
                    for statement, given in boards:
                        curs.execute(statement.replace("?", "%s"), given, prepare=True)
                    super()._insert_events(curs, stored_events, **more)

            made = PostgresBoards
        made.__qualname__ = name
        globals()[name] = made
    return f"{__name__}:{name}"
