"""The log's rows lie one behind the other, and two of its indexes go: an entry is a range of seqs.

On SQLite a table without a rowid splits its pages in half, however it is filled: half of the log was empty.
With a rowid INSERT OR REPLACE has one more key to aim at; the guard of the insertion refuses that too. What a
ruling filled again has an index of its own, which no other append touches. Frozen: it imports nothing of
`tracker`, so that what it makes stays what it made. The rows are copied as they are, in one transaction; an
older file needs room for its log twice while this runs, and fills what was freed with what comes next.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        lay_out_anew()
    else:
        op.drop_index("events_slot", "events")
        op.drop_index("events_entry", "events")
        add_refilled()


def lay_out_anew() -> None:
    for guard in ("events_no_update", "events_no_delete", "events_only_next"):
        op.execute(f"DROP TRIGGER IF EXISTS {guard}")
    for index in ("events_event_id", "events_slot", "events_entry"):
        op.execute(f"DROP INDEX IF EXISTS {index}")
    op.execute("PRAGMA legacy_alter_table = ON")  # what somebody else made for `events` goes on naming it
    op.execute("ALTER TABLE events RENAME TO events_by_key")
    op.execute("PRAGMA legacy_alter_table = OFF")
    op.create_table(
        "events",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "seq"),
        sa.CheckConstraint("seq >= 0 AND slot >= 1 AND slot <= entry", name="events_numbers"),
        sa.CheckConstraint("length(leaf) = 32", name="events_leaf"),
        sqlite_strict=True,
    )
    op.execute("INSERT INTO events SELECT * FROM events_by_key ORDER BY campaign_id, seq")
    op.execute("DROP TABLE events_by_key")
    op.create_index("events_event_id", "events", ["campaign_id", "event_id"], unique=True)
    add_refilled()
    op.execute(
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN"
        " SELECT RAISE(ABORT, 'events are never changed'); END"
    )
    op.execute(
        "CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN"
        " SELECT RAISE(ABORT, 'events are never removed'); END"
    )
    op.execute(
        "CREATE TRIGGER events_only_next BEFORE INSERT ON events"
        " WHEN NEW.seq IS NOT"
        " (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE campaign_id = NEW.campaign_id)"
        " OR EXISTS (SELECT 1 FROM events WHERE campaign_id = NEW.campaign_id AND event_id = NEW.event_id)"
        " OR EXISTS (SELECT 1 FROM events WHERE rowid = NEW.rowid)"
        " BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END"
    )


def add_refilled() -> None:
    where = sa.text("entry <> slot")
    op.create_index(
        "events_refilled",
        "events",
        ["campaign_id", "slot", "seq"],
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
