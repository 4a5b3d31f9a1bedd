"""What docs/scale.md says of the schema: a campaign never needs another campaign's rows, and lies in one place."""

import json
import re
from pathlib import Path

import pytest
from log_events import write_entry
from sqlalchemy import text
from tables import every

from tracker import schema
from tracker.log import database
from tracker.log.schema_check import schema_faults
from tracker.log.store import EventStore

OF_NO_CAMPAIGN = {
    # The directory of campaigns: one small row each, found by the name that people use.
    "board_campaigns_slug",
    # Whoever opens a link has only its secret; whoever signs in asks for all campaigns of theirs.
    "campaign_invites_secret",
    "campaign_members_person",
}
PEOPLE = [table for table in schema.metadata.sorted_tables if table.name.startswith("people")]
"""The second exception: a person plays in several campaigns, and is one person."""
HOST = schema.host_cells
"""The third: a handful of rows that say which databases a host has."""


@every(
    "table",
    [table for table in schema.metadata.sorted_tables if table not in (*PEOPLE, HOST)],
    ids=lambda table: table.name,
)
def test_the_campaign_leads_every_key_and_every_index(table: schema.Table) -> None:
    assert next(iter(table.primary_key.columns)).name == "campaign_id"
    for index in table.indexes:
        if index.name not in OF_NO_CAMPAIGN:
            assert next(iter(index.columns)).name == "campaign_id", index.name


def test_no_row_refers_to_another_table() -> None:
    assert not [key for table in schema.metadata.sorted_tables for key in table.foreign_keys]


@pytest.mark.postgres
def test_the_campaign_leads_every_unique_rule_of_the_database_itself(postgres_at_head: str) -> None:
    engine = database.open_database(postgres_at_head, migrate=False)
    with database.reading(engine) as connection:
        rows = connection.execute(
            text(
                "SELECT i.indexrelid::regclass::text, a.attname::text FROM pg_index i"
                " JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = 'public'::regnamespace"
                " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
                " WHERE i.indisunique"
            )
        ).all()
    engine.dispose()
    assert len(rows) > len(schema.metadata.tables), "one key a table at least"
    without = {name for name, first in rows if first != "campaign_id"}
    of_people = {f"{table.name}_pkey" for table in PEOPLE} | {
        "people_tokens_secret",
        "people_sessions_secret",
        "host_cells_pkey",
    }
    assert without == OF_NO_CAMPAIGN - {"campaign_members_person"} | of_people | {"alembic_version_pkc"}


def citus_statements() -> str:
    """The block of docs/scale.md that a coordinator is given."""
    page = Path(__file__).parent.parent.parent / "docs" / "scale.md"
    (block,) = re.findall(
        r"^```sql\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    return str(block)


def test_the_page_distributes_every_table_once_and_all_but_the_directory_by_campaign() -> None:
    by_campaign = re.findall(r"create_distributed_table\('(\w+)', 'campaign_id'", citus_statements())
    everywhere = re.findall(r"create_reference_table\('(\w+)'\)", citus_statements())
    of_people = ["campaign_members", "campaign_invites", *sorted(table.name for table in PEOPLE), HOST.name]
    assert everywhere == ["board_campaigns", "alembic_version", *of_people]
    assert sorted([*by_campaign, "board_campaigns", *of_people]) == sorted(schema.metadata.tables)


def test_the_sizes_on_the_page_are_those_that_were_measured() -> None:
    root = Path(__file__).parent.parent.parent
    page = (root / "docs" / "scale.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+) \| ([\d.]+) MB \| ([\d.]+) TB \|$", page, flags=re.MULTILINE)
    kept = json.loads((root / "bench" / "results" / "sizes.quick.json").read_text(encoding="utf-8"))[
        "tables"
    ][0]
    events = int(re.search(r"\d+", kept["title"]).group())  # type: ignore[union-attr]
    measured = {figure["name"]: figure["runs"][0] * 1_000_000 / events for figure in kept["figures"]}
    assert {name for name, *_ in rows} == {*measured}
    for name, each, campaign, million in rows:
        said = int(each.replace(",", ""))
        assert said == pytest.approx(measured[name], rel=0.1 if said > 100 else 0.5), name
        # Bytes an event, 10,000 events a campaign, a million campaigns.
        assert float(campaign) == float(million) == pytest.approx(said / 100, abs=0.06), name


@pytest.mark.postgres
def test_what_the_page_says_to_do_before_distributing_can_be_done(postgres_at_head: str) -> None:
    engine = database.engine_for(postgres_at_head, make=False)
    before = citus_statements().partition("SELECT create_distributed_table")[0]
    with database.writing(engine) as connection:
        connection.exec_driver_sql(before.replace("%", "%%"))
    assert set(schema_faults(engine)) == {
        f"trigger events_no_truncate on {name}: is missing" for name in ("events", *schema.POSTGRES_PARTS)
    }
    engine.dispose()


def test_there_is_no_sequence_that_campaigns_share(postgres_at_head: str) -> None:
    engine = database.open_database(postgres_at_head, migrate=False)
    with database.reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM pg_sequences")).scalar() == 0
    engine.dispose()


def test_on_postgresql_a_campaign_lies_in_one_part(postgres_at_head: str) -> None:
    engine = database.open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    for number in range(24):
        for _ in range(2):
            write_entry(store, f"00000000-0000-7000-8000-{number:012d}")
    with database.reading(engine) as connection:
        lying = connection.execute(
            text(
                "SELECT campaign_id, count(DISTINCT tableoid), min(tableoid::regclass::text) FROM events GROUP BY 1"
            )
        ).all()
    assert [row[1] for row in lying] == [1] * 24
    assert len({row[2] for row in lying}) > 4, "and campaigns are spread over the parts"
    engine.dispose()


def test_on_postgresql_a_campaign_is_read_from_its_own_part_alone(postgres_at_head: str) -> None:
    engine = database.open_database(postgres_at_head, migrate=False)
    with database.reading(engine) as connection:
        plan = connection.execute(
            text("EXPLAIN SELECT body FROM events WHERE campaign_id = 'ash' AND seq >= 5 ORDER BY seq")
        ).scalars()
        named = {part for line in plan for part in schema.POSTGRES_PARTS if part in line}
    assert len(named) == 1
    engine.dispose()
