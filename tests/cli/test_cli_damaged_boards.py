"""Boards, snapshots and the list of campaigns, damaged: reported as damage, and mended by a rebuild."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import GANG_SHEETS

from tracker.log.canonical import canonical_bytes
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, leaf_hash
from tracker.schema import HEAD_REVISION

CACHES = (
    "board_campaigns", "board_gangs", "board_fighters", "board_battles", "board_disputes", "board_entries",
)  # fmt: skip


@pytest.fixture
def two(season: Arbitrator) -> Arbitrator:
    """A second campaign in the same file, with one gang."""
    season.done("campaign", "new", "Sump City")
    season.done("gang", "add", str(GANG_SHEETS[0]))
    return season


def changed(file: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for one in statement.split("; "):
            assert connection.execute(one, values).rowcount != 0, one


def caches(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        its = "WHERE campaign_id <> 'another'"  # what nobody has may stay: nobody reads it
        return {name: sorted(connection.execute(f"SELECT * FROM {name} {its}"), key=repr) for name in CACHES}


def id_of(file: Path, slug: str) -> str:
    with closing(sqlite3.connect(file)) as connection:
        ((campaign,),) = connection.execute("SELECT campaign_id FROM board_campaigns WHERE slug = ?", (slug,))
        return str(campaign)


# --- the list of campaigns -----------------------------------------------------------------------------


def test_a_campaign_without_its_row_is_reached_by_its_id(two: Arbitrator) -> None:
    campaign = id_of(two.file, "ash-wastes")
    shown = two.done("-c", "ash-wastes", "roster", "show", "--json").out
    changed(two.file, "DELETE FROM board_campaigns WHERE slug = 'ash-wastes'")
    assert two.done("-c", campaign, "roster", "show", "--json").out == shown.replace("ash-wastes", campaign)
    two.done("-c", campaign, "fighter", "rename", "krug", "--name", "Krugg")


def test_a_campaign_without_its_row_is_asked_for_by_its_name_and_shown_as_damage(two: Arbitrator) -> None:
    campaign = id_of(two.file, "ash-wastes")
    changed(two.file, "DELETE FROM board_campaigns WHERE slug = 'ash-wastes'")
    said = two.refused(4, "-c", "ash-wastes", "roster", "show")
    assert f"{campaign} has a log and is not in it" in said
    assert "'arbitrator boards rebuild'" in said
    assert two.refused(4, "campaign", "list") == said


def test_the_doctor_suggests_no_new_campaign_where_the_list_is_empty(two: Arbitrator) -> None:
    changed(two.file, "DELETE FROM board_campaigns")
    ran = two("doctor")
    assert ran.code == 1
    assert "campaign new" not in ran.out
    assert "-> arbitrator boards rebuild" in ran.out


def test_a_name_whose_row_is_lost_is_not_given_to_another_campaign(two: Arbitrator) -> None:
    changed(two.file, "DELETE FROM board_campaigns WHERE slug = 'ash-wastes'")
    assert "'arbitrator boards rebuild'" in two.refused(4, "campaign", "new", "Ash Wastes")


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM board_campaigns",
        "DELETE FROM board_campaigns WHERE slug = 'sump-city'",
        "UPDATE board_campaigns SET slug = iif(slug = 'ash-wastes', 'sump-city-', 'ash-wastes-')",
        "UPDATE board_campaigns SET campaign_id = 'another' WHERE slug = 'sump-city'",
        "UPDATE board_gangs SET campaign_id = 'another' WHERE gang_id = 'gilded-cage'",
        "INSERT INTO board_campaigns VALUES ('another', 'another', 'Another', 'necromunda_2023', '2026', 3)",
        "DROP TABLE board_gangs",
        "DROP INDEX board_campaigns_slug",
        "DROP INDEX board_campaigns_slug; UPDATE board_campaigns SET slug = 'ash-wastes'",
    ],
)
def test_the_list_and_the_boards_are_made_anew_from_the_logs(two: Arbitrator, damage: str) -> None:
    before = caches(two.file)
    changed(two.file, damage)
    for campaign in ("ash-wastes", "sump-city"):
        two.done("-c", campaign, "boards", "rebuild")
    assert caches(two.file) == before
    two.done("doctor")


def test_exchanged_names_are_seen_and_put_right(two: Arbitrator) -> None:
    before = caches(two.file)
    for one, other in (("ash-wastes", "x"), ("sump-city", "ash-wastes"), ("x", "sump-city")):
        changed(two.file, "UPDATE board_campaigns SET slug = ? WHERE slug = ?", other, one)
    assert two("-c", "ash-wastes", "boards", "verify").code == 4
    assert two("-c", "ash-wastes", "audit", "verify").code == 4
    assert two("doctor").code == 1
    two.done("-c", "ash-wastes", "boards", "rebuild")
    assert caches(two.file) == before


def test_two_logs_of_one_name_are_both_reached(two: Arbitrator) -> None:
    """As when one was opened while the other's row was lost, by a program that did not look."""
    changed(two.file, "UPDATE board_campaigns SET slug = 'lost' WHERE slug = 'ash-wastes'")
    two.done("campaign", "new", "Ash Wastes")
    assert two("-c", "lost", "boards", "rebuild").code == 2, "the list is put right first"
    two.done("-c", "ash-wastes", "roster", "show", "krug")
    (second,) = two.read("campaign", "list")["campaigns"][:1]
    assert second["slug"] == second["campaign"]
    for name in ("ash-wastes", second["slug"]):
        two.done("-c", name, "boards", "verify")
    two.done("doctor")
    assert "There is no campaign 'lots'" in two.refused(2, "-c", "lots", "roster", "show"), (
        "nothing is damaged"
    )


# --- rows ----------------------------------------------------------------------------------------------

DEEP = '{"name":' + "[" * 50_000 + "]" * 50_000 + "}"


@pytest.mark.parametrize(
    "row",
    ["", "{}", "[]", "null", '"krug"', DEEP, '{"fighter": 5}', "json_set(row, '$.cost_credits', 'many')", "json_remove(row, '$.kind')"],
)  # fmt: skip
def test_a_damaged_row_is_shown_and_mended(season: Arbitrator, row: str) -> None:
    before = caches(season.file)
    if row.startswith("json_"):
        changed(season.file, f"UPDATE board_fighters SET row = {row} WHERE fighter_id = 'krug'")
    else:
        changed(season.file, "UPDATE board_fighters SET row = ? WHERE fighter_id = 'krug'", row)
    for words in (("roster", "show"), ("fighter", "show", "krug")):
        said = season.refused(4, *words)
        assert "A row of the board of fighters is damaged" in said
        assert "'arbitrator boards rebuild'" in said
    assert season("boards", "verify").code == 4
    season.done("boards", "rebuild")
    assert caches(season.file) == before


def test_a_damaged_snapshot_is_shown_and_mended(season: Arbitrator) -> None:
    season.done("boards", "rebuild")
    changed(
        season.file,
        "UPDATE snapshots SET body = CAST(substr(body, 1, 99) || x'00' || substr(body, 101) AS BLOB)",
    )
    said = season.refused(4, "fighter", "rename", "pip", "--name", "Pippa")
    assert "The snapshot after entry" in said
    assert "'arbitrator boards rebuild'" in said
    season.done("boards", "rebuild")
    season.done("fighter", "rename", "pip", "--name", "Pippa")


def test_a_ruling_goes_through_no_slots_that_nobody_played(season: Arbitrator) -> None:
    changed(
        season.file,
        "UPDATE board_battles SET row = json_set(row, '$.closed.slot', ?) WHERE battle_id = 'b2'",
        2**62,
    )
    season.done("rollback", "rule", "--battle", "b2", "--force", "nobody minds", "--reason", "x")
    season.done("boards", "rebuild")
    season.done("audit", "verify")


# --- the revision --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE alembic_version",
        "DELETE FROM alembic_version",
        "UPDATE alembic_version SET version_num = x'00ff'",
        "UPDATE alembic_version SET version_num = '0001'",
        "UPDATE alembic_version SET version_num = '0002'",
    ],
)
@pytest.mark.usefixtures("wide")
def test_a_lost_revision_is_shown_and_written_down_again(season: Arbitrator, damage: str) -> None:
    changed(season.file, damage)
    for words in (
        ("roster", "show"),
        ("fighter", "rename", "krug", "--name", "x"),
        ("db", "upgrade"),
        ("db", "current"),
    ):
        said = season.refused(4, *words)
        assert f"its tables are those of {HEAD_REVISION}" in said
        assert "`arbitrator boards rebuild`" in said
    ran = season("doctor")
    assert ran.code == 1
    assert f"its tables are those of {HEAD_REVISION}" in ran.out
    season.done("boards", "rebuild")
    season.done("audit", "verify")
    assert (
        season.done("db", "current").out == f"revision {HEAD_REVISION}; this program needs {HEAD_REVISION}\n"
    )


# --- an event that can be read and cannot be so ----------------------------------------------------------


def sealed_anew(file: Path, was: bytes, now: bytes) -> None:
    """The whole log with other words in its bodies, and every hash made anew."""
    with closing(sqlite3.connect(file)) as connection, connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        frontier, prev = EMPTY_FRONTIER, EMPTY_PREV
        rows = connection.execute("SELECT seq, type, body FROM events ORDER BY seq").fetchall()
        for seq, kind, body in rows:
            envelope = json.loads(body.replace(was, now) if kind != "FighterEnlisted" else body)
            new = canonical_bytes(envelope | {"prev": prev})
            leaf = leaf_hash(new)
            frontier, prev = frontier.append(leaf), leaf.hex()
            connection.execute("UPDATE events SET body = ?, leaf = ? WHERE seq = ?", (new, leaf, seq))
        connection.execute("UPDATE heads SET leaf = ?, frontier = ?", (leaf, frontier.to_bytes()))
        for _, wording in guards:
            connection.execute(wording)


def test_an_event_that_names_an_unknown_fighter_is_shown_as_a_damaged_log(season: Arbitrator) -> None:
    season.done("boards", "rebuild")
    sealed_anew(season.file, b'"fighter":"krug"', b'"fighter":"nobody"')
    for words in (
        ("roster", "show", "--as-of-battle", "b2"),
        ("roster", "diff", "--from", "entry:9"),
        ("boards", "verify"),
        ("boards", "rebuild"),
    ):
        said = season.refused(4, *words)
        assert "the log of campaign ash-wastes is damaged (entry" in said
        assert "restore a backup" in said
    ran = season("audit", "verify")
    assert ran.code == 4
    assert "nobody" in ran.out
    assert season("doctor").code == 1


def test_a_row_that_names_a_ruling_in_an_entry_without_one_is_refused_as_damage(season: Arbitrator) -> None:
    changed(season.file, "UPDATE board_entries SET events = events || ' RulingMade' WHERE entry = 10")
    said = season.refused(4, "audit", "report")
    assert "entry 10 does not hold in slot 10 what it names" in said
    assert "'arbitrator boards rebuild'" in " ".join(said.split())
    season.done("boards", "rebuild")
    season.done("audit", "report")


def test_who_is_not_found_at_an_earlier_entry_and_is_on_no_roster_now_is_damage(season: Arbitrator) -> None:
    asked = ("fighter", "show", "krug", "--as-of-entry", "1")
    season.refused(2, *asked)
    changed(season.file, "DELETE FROM board_fighters WHERE fighter_id = 'krug'")
    assert "the log has krug, and it is not there" in " ".join(season.refused(4, *asked).split())
