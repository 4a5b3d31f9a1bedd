"""An index with holes, through the command line: no wrong answer, damage is named, and made good."""

import json
import sqlite3
from contextlib import closing

import pytest
from cli_arbitrator import Arbitrator
from sqlite_holes import hole


def entry_of(season: Arbitrator, entry: int) -> tuple[int, int]:
    """The seqs of its first and last event."""
    with closing(sqlite3.connect(season.file)) as connection:
        found: tuple[int, int] = connection.execute(
            "SELECT min(seq), max(seq) FROM events WHERE entry = ?", (entry,)
        ).fetchone()
        return found


def test_an_entry_that_its_index_lost_is_not_said_to_be_none(season: Arbitrator) -> None:
    whole = season.done("log", "entry", "8").out
    first, last = entry_of(season, 8)
    assert hole(season.file, "sqlite_autoindex_events_1", f"c1 BETWEEN {first} AND {last}")
    ran = season("log", "entry", "8")
    assert ran.code == 4
    assert "There is no event" not in ran.err
    assert "'arbitrator audit verify' says which" in ran.err
    season.done("boards", "rebuild")
    assert season("log", "entry", "99").code == 2, "that one there never was"
    assert season.done("log", "entry", "8").out == whole


@pytest.mark.parametrize(
    ("index", "where"),
    [
        ("sqlite_autoindex_events_1", "c1 = 40"),
        ("events_event_id", "1"),
        ("sqlite_autoindex_commands_1", "1"),
        ("board_fighters_gang", "1"),
        ("sqlite_autoindex_board_fighters_1", "1"),
    ],
)
@pytest.mark.usefixtures("wide")
def test_both_verifiers_and_the_doctor_name_an_index_with_holes_and_a_rebuild_makes_it_anew(
    index: str, where: str, season: Arbitrator
) -> None:
    assert season.read("audit", "verify")["pages"] == []
    assert hole(season.file, index, where)
    before = season.file.read_bytes()
    for words in (("audit", "verify"), ("boards", "verify")):
        ran = season(*words, "--json")
        assert (ran.code, ran.err) == (4, "")
        assert any(index in finding for finding in ran.json["pages"])
        listed = season(*words)
        assert listed.code == 4
        assert index in listed.out
        assert "'arbitrator boards rebuild' makes indexes" in listed.out
    looked = season("doctor", "--json")
    (pages,) = [finding for finding in json.loads(looked.out)["findings"] if finding["what"] == "pages"]
    assert looked.code != 0
    assert index in pages["found"]
    assert season.file.read_bytes() == before
    assert "Indexes were made anew: " in season.done("boards", "rebuild").out
    assert season.read("audit", "verify")["ok"] is True
    assert season.read("boards", "verify")["ok"] is True
    assert season.done("boards", "rebuild").out == "The boards were made again from the log.\n"


def test_what_a_stranger_put_on_a_table_is_named_by_verifiers_and_doctor(season: Arbitrator) -> None:
    from test_cli_audit import intrude

    intrude(season, "CREATE TRIGGER stranger AFTER INSERT ON commands BEGIN SELECT 1; END")
    for words in (("audit", "verify"), ("boards", "verify")):
        ran = season(*words, "--json")
        assert (ran.code, ran.json["guards"]) == (4, ["trigger stranger on commands: is not ours"])
        assert "trigger stranger on commands" in season(*words).out
    guards = next(
        finding
        for finding in json.loads(season("doctor", "--json").out)["findings"]
        if finding["what"] == "guards"
    )
    assert guards["verdict"] == "fail"
    assert guards["found"] == "trigger stranger on commands: is not ours"
