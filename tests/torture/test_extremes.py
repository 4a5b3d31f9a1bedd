"""The extreme number, in each column of numbers of the log and in each table: a bounded part of the chapter."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import postgres_server
import psycopg
import pytest
from tables import every

from tracker.log.database import upgrade

from . import extreme_pages, extremes
from .extremes import Edit, Season

ASKED = (
    *extremes.VERIFYING,
    *(("roster", "show"), ("log", "show"), ("log", "entry", "10"), ("gang", "captives")),
    ("policy", "what-if", "templates-spill@1"),
)
NUMBERS = [
    edit
    for edit in extremes.edits(("events", "heads", "commands"), numbers_only=True)
    if edit.place == ("first" if edit.table == "heads" else "last")
]
"""Of the campaign's last rows; its only head is the first."""
SOME = NUMBERS[::3]
"""Of each column a few. The chapter `extremes` tries all of them, and so `rows` what another row holds."""
SOME_PAGES = (
    *("/", "/campaigns/ash-wastes", "/campaigns/ash-wastes/gangs/iron-skulls", "/campaigns/ash-wastes/log"),
    *(
        "/campaigns/ash-wastes/battles/b2",
        "/campaigns/ash-wastes/log/10",
        "/v1/campaigns",
        "/v1/campaigns/ash-wastes",
    ),
    *(
        "/v1/campaigns/ash-wastes/roster",
        "/v1/campaigns/ash-wastes/fighters/krug",
        "/v1/campaigns/ash-wastes/drafts",
    ),
)
OF_THE_LAST_EVENT = [edit for edit in NUMBERS if (edit.table, edit.column) == ("events", "seq")]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Season, bytes]]:
    with pytest.MonkeyPatch.context() as patch:
        made = extremes.season_with_everything(tmp_path_factory.mktemp("extremes"), patch)
        yield made, made.contents()


@pytest.fixture(scope="module")
def on_server(
    tmp_path_factory: pytest.TempPathFactory, postgres_url: str, postgres_home: Path
) -> Iterator[tuple[Season, str]]:
    """The same on PostgreSQL, and where it is; who edits it puts back what was there."""
    at_head = postgres_server.template(postgres_home, "at_head", upgrade)
    with pytest.MonkeyPatch.context() as patch, postgres_server.copy_of(postgres_home, at_head) as url:
        yield extremes.season_with_everything(tmp_path_factory.mktemp("server"), patch, url), url


def tried(season: tuple[Season, bytes], edits: list[Edit]) -> int:
    """How many of these edits there could be; each is checked."""
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    before, count = extremes.answers(arbitrator, ASKED), 0
    for edit in edits:
        arbitrator.file.write_bytes(whole)
        with closing(sqlite3.connect(arbitrator.file)) as connection:
            if not extremes.applied(connection, edit):
                continue
        extremes.check(edit, before, extremes.answers(arbitrator, ASKED))
        count += 1
    return count


def test_an_extreme_number_of_the_last_event_is_damage_and_says_what_to_do(
    season: tuple[Season, bytes],
) -> None:
    assert tried(season, OF_THE_LAST_EVENT) >= 7
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(connection, Edit(table="events", column="seq", place="last", what="2^63-1"))
    ran = arbitrator("-c", "ash-wastes", "audit", "verify")
    assert ran.code == 4
    assert "the event is missing" in ran.out


def test_a_head_of_another_campaign_that_counts_too_much_is_no_fault_of_the_program(
    season: tuple[Season, bytes],
) -> None:
    heads = [edit for edit in extremes.edits(("heads",), numbers_only=True) if edit.column == "size"]
    assert tried(season, heads) >= 12


def test_a_log_whose_first_event_is_hidden_is_damaged_and_not_a_campaign_that_has_not_begun(
    season: tuple[Season, bytes],
) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(connection, Edit(table="events", column="entry", place="first", what="0"))
    ran = arbitrator("-c", "ash-wastes", "policy", "what-if", "templates-spill@1")
    assert ran.code == 4
    assert "the log of campaign ash-wastes is damaged (event 0: its column entry is 0" in ran.err


@every(
    "table, asked, says",
    [
        (
            "board_battles",
            ("battle", "show", "b2"),
            "board of battles is damaged (the log has b2, and it is not",
        ),
        ("board_battles", ("standings", "show", "--as-of-battle", "b2"), "board of battles is damaged"),
        (
            "board_disputes",
            ("dispute", "show", "DISPUTE"),
            "board of disputes is damaged (entry 13 of the log",
        ),
    ],
)
def test_a_battle_or_dispute_that_only_its_board_lost_is_damage_and_not_unknown(
    season: tuple[Season, bytes], table: str, asked: tuple[str, ...], says: str
) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    unknown = (*asked[:-1], "999")
    assert extremes.answers(arbitrator, [unknown])[unknown].code == 2
    place = "first" if table == "board_disputes" else "last"
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(connection, Edit(table=table, column="", place=place, what=extremes.GONE))
    ran = extremes.answers(arbitrator, [asked])[asked]
    assert ran.code == 4
    assert says in ran.err
    assert "'arbitrator boards" in ran.err
    arbitrator.done("-c", "ash-wastes", "boards", "rebuild")
    assert extremes.answers(arbitrator, [asked])[asked].code == 0


@every(
    "table, column, what, asked",
    [
        ("campaign_members", "gangs", "a text", ("member", "list")),
        ("campaign_members", "person", "NULL", ("member", "list")),
        ("campaign_members", "role", "a text", ("member", "list")),
        ("campaign_invites", "gangs", "a float", ("member", "invites")),
        ("campaign_drafts", "kind", "a text", ("draft", "list")),
        ("campaign_drafts", "lines", "0", ("draft", "show", "DRAFT")),
        ("campaign_proposals", "state", "a text", ("battle", "proposal", "PROPOSAL")),
        ("campaign_webhooks", "kind", "a blob", ("webhook", "show", "WEBHOOK")),
    ],
)
def test_a_row_beside_the_log_that_cannot_be_is_damage_and_says_to_restore_it(
    season: tuple[Season, bytes], table: str, column: str, what: str, asked: tuple[str, ...]
) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(connection, Edit(table=table, column=column, place="first", what=what))
    ran = extremes.answers(arbitrator, [asked])[asked]
    assert ran.code == 4
    assert "is damaged" in ran.err
    assert "a backup" in ran.err


@every(
    "column, what, why",
    [
        ("note", "NULL", "Expected `str`, got `null`"),
        ("frontier", "NULL", "Expected `bytes`, got `null`"),
        ("frontier", "a blob", "2 bytes cannot be the frontier of 65280 leaves"),
        ("size", "a text", "Expected `int`, got `str`"),
        ("kind", "a text", "Invalid enum value 'krug'"),
    ],
)
def test_what_was_signed_and_cannot_be_read_is_damage_and_says_to_restore_it(
    season: tuple[Season, bytes], column: str, what: str, why: str
) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(connection, Edit("signed_notes", column, "first", what))
    for words, ran in extremes.answers(arbitrator, [("audit", "verify"), ("audit", "heads")]).items():
        assert ran.code == 4, words
        assert f"A row that holds a signed note is damaged ({why}" in ran.err, words
        assert "restore it from a backup" in ran.err


def test_where_the_list_of_campaigns_names_another_one_nobody_is_sent_to_the_cell_of_that_one(
    season: tuple[Season, bytes],
) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(connection, Edit("board_campaigns", "", "first", extremes.SWAPPED))
    ran = arbitrator("-c", "ash-wastes", "roster", "show")
    assert ran.code == 4
    assert "The list of campaigns is damaged" in ran.err
    assert "'arbitrator boards rebuild' rebuilds it" in ran.err


def test_a_proposal_of_somebody_who_is_not_there_any_more_is_shown(season: tuple[Season, bytes]) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        connection.execute("DELETE FROM people")
        connection.commit()
    asked = ("battle", "proposals")
    assert extremes.answers(arbitrator, [asked])[asked].code == 0


def test_beside_damage_the_refusal_itself_is_told_too(season: tuple[Season, bytes]) -> None:
    arbitrator, whole = season
    arbitrator.file.write_bytes(whole)
    with closing(sqlite3.connect(arbitrator.file)) as connection:
        assert extremes.applied(
            connection, Edit(table="heads", column="leaf", place="first", what="another row's value")
        )
    ran = arbitrator("-c", "ash-wastes", "fighter", "show", "nobody")
    assert ran.code == 4
    assert "No fighter 'nobody' is enlisted" in ran.err
    assert "is damaged" in ran.err


@pytest.mark.slow
def test_each_number_of_the_log_at_each_extreme_is_damage_or_makes_no_difference(
    season: tuple[Season, bytes],
) -> None:
    # Sequence 0 is taken, and the row before has the same entry and slot, one less as sequence: four of all cannot be.
    assert len({(edit.table, edit.column) for edit in SOME}) == len(
        {(edit.table, edit.column) for edit in NUMBERS}
    )
    assert tried(season, SOME) >= len(SOME) - 4


@pytest.mark.slow
def test_a_row_gone_or_doubled_in_any_table_is_damage_or_makes_no_difference(
    season: tuple[Season, bytes],
) -> None:
    rows = [edit for edit in extremes.edits() if not edit.column and edit.place == "last"]
    assert tried(season, rows[::2]) > 10


@pytest.mark.slow
def test_what_another_row_holds_in_any_row_of_the_log_is_damage_or_makes_no_difference(
    season: tuple[Season, bytes],
) -> None:
    of_rows = extremes.shuffled(extremes.edits_of_each_row({"events": 61, "heads": 2, "commands": 8}))
    assert tried(season, of_rows[:15]) > 5


@pytest.mark.slow
def test_the_extreme_numbers_of_a_log_on_postgresql(on_server: tuple[Season, str]) -> None:
    season, url = on_server
    before = extremes.answers(season, ASKED)
    let = 0
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        for edit in [edit for edit in NUMBERS if edit.what in ("0", "2^63-1")][::3]:
            with extremes.edited_on_server(connection, edit) as there:
                if there:
                    extremes.check(edit, before, extremes.answers(season, ASKED))
                    let += 1
    assert let > 3


@pytest.mark.slow
def test_a_row_of_the_log_gone_doubled_or_swapped_on_postgresql_is_damage(
    on_server: tuple[Season, str],
) -> None:
    """Guards, checks and NOT NULL are lifted and put back, as the owner of the database may."""
    season, url = on_server
    before = extremes.answers(season, ASKED)
    edits = [Edit("events", "", "last", what) for what in extremes.WHOLE_ROWS]
    edits += [Edit("events", "leaf", "last", "NULL"), Edit("signed_notes", "frontier", "first", "NULL")]
    edits += [Edit("commands", "last_entry", "last", "NULL")]
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        for edit in edits:
            with extremes.edited_on_server(connection, edit) as there:
                assert there, edit
                now = extremes.answers(season, ASKED)
                extremes.check(edit, before, now)
                assert now[ASKED[0]].code == 4, edit
            assert extremes.answers(season, ASKED[:1])[ASKED[0]].out == before[ASKED[0]].out, edit


@pytest.mark.slow
def test_pages_over_a_damaged_row_say_so_and_none_takes_the_blame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits = [
        Edit("events", "type", "middle", "a text"),
        Edit("heads", "size", "first", "2^63-1"),
        Edit("board_gangs", "", "first", extremes.SWAPPED),
        Edit("board_entries", "struck_by", "first", "2^63-1"),
        Edit("people_tokens", "last_used_at", "first", "-1"),
        Edit("campaign_drafts", "lines", "first", "0"),
    ]
    with extremes.on_sqlite(tmp_path, monkeypatch) as ground:
        pages = extreme_pages.Pages(ground, [*SOME_PAGES])
        for edit in edits:
            with ground.edited(edit) as there:
                assert there, edit
                pages.look(edit)
