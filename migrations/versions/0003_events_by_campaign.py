"""Boards know which shape they have; and on PostgreSQL the log lies in parts, by a hash of the campaign.

Each part is a table of its own, small enough to vacuum, copy and move. SQLite has one file and keeps its log
as it is. Frozen: it imports nothing of `tracker`, so that what it makes stays what it made. The rows are
copied as they are, in one transaction; an older database needs room for its log twice while this runs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

PARTS = 8


NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("board_campaigns", sa.Column("shape", NUMBER, server_default=sa.text("1"), nullable=False))
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("ALTER TABLE events RENAME TO events_in_one")
    for index in ("events_pkey", "events_event_id", "events_slot", "events_entry"):
        op.execute(f"ALTER INDEX {index} RENAME TO {index}_in_one")
    op.create_table(
        "events",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("slot", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("leaf", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "seq", name="events_pkey"),
        sa.CheckConstraint("seq >= 0 AND slot >= 1 AND slot <= entry", name="events_numbers"),
        sa.CheckConstraint("length(leaf) = 32", name="events_leaf"),
        postgresql_partition_by="HASH (campaign_id)",
    )
    op.create_index("events_event_id", "events", ["campaign_id", "event_id"], unique=True)
    op.create_index("events_slot", "events", ["campaign_id", "slot", "seq"])
    op.create_index("events_entry", "events", ["campaign_id", "entry"])
    for part in range(PARTS):
        op.execute(
            f"CREATE TABLE events_p{part} PARTITION OF events"
            f" FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})"
        )
    op.execute("INSERT INTO events SELECT * FROM events_in_one ORDER BY campaign_id, seq")
    op.execute("DROP TABLE events_in_one")
    guard()


def guard() -> None:
    """The guards of 0001 again. A TRUNCATE of a part passes the trigger of the whole: each has its own."""
    parts = [f"events_p{part}" for part in range(PARTS)]
    op.execute(
        "CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE ON events"
        " FOR EACH ROW EXECUTE FUNCTION events_refuse_change()"
    )
    op.execute(
        "CREATE TRIGGER events_only_next BEFORE INSERT ON events"
        " FOR EACH ROW EXECUTE FUNCTION events_refuse_gap()"
    )
    for table in ("events", *parts):
        op.execute(
            f"CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()"
        )
        for trigger in ("events_no_change", "events_no_truncate", "events_only_next"):
            op.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
