"""The boards that repeated events are gone: one index says where the log tells of whom, and the log is read.

The boards of injuries, experience, rolls and the ledger go; that of entries becomes the index. That of
fighters says who is gone, and that of battles is found by slot. All are caches: the index is made empty, and
filled from the log when a campaign is named next, since the shape of boards has another number now. Frozen:
it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

BY_EVENT = ("board_injuries", "board_experience", "board_ledger", "board_rolls", "board_entries")
FIGHTERS = "campaign_id, fighter_id, gang_id, position, status, xp"
GONE = "CASE WHEN status IN ('dead', 'retired', 'sold') THEN 1 ELSE 0 END"


def upgrade() -> None:
    for table in BY_EVENT:
        op.execute(f"DROP TABLE IF EXISTS {table}")
    op.create_table(
        "board_entries",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("entry", NUMBER, nullable=False),
        sa.Column("slot", NUMBER, nullable=False),
        sa.Column("struck_by", NUMBER, nullable=True),
        sa.Column("command", sa.Text(), nullable=True),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("fighters", sa.Text(), nullable=False),
        sa.Column("gangs", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("campaign_id", "entry", "slot"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index(
        "board_entries_slot",
        "board_entries",
        ["campaign_id", "slot"],
        sqlite_where=sa.text("slot <> entry"),
        postgresql_where=sa.text("slot <> entry"),
    )
    has_fighters = sa.inspect(op.get_bind()).has_table("board_fighters")  # a cache may have been lost
    if has_fighters:
        op.execute("CREATE TEMPORARY TABLE fighters_before AS SELECT * FROM board_fighters")
        op.execute("DROP TABLE board_fighters")
    op.create_table(
        "board_fighters",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("fighter_id", sa.Text(), nullable=False),
        sa.Column("gang_id", sa.Text(), nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("xp", NUMBER, nullable=False),
        sa.Column("gone", NUMBER, nullable=False),
        sa.Column("row", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "fighter_id"),
        sqlite_strict=True,
    )
    op.create_index("board_fighters_gang", "board_fighters", ["campaign_id", "gone", "gang_id", "position"])
    if has_fighters:
        columns = f"{FIGHTERS}, {GONE}, row"
        op.execute(f"INSERT INTO board_fighters SELECT {columns} FROM fighters_before")  # noqa: S608  # our own names
        op.execute("DROP TABLE fighters_before")
    op.create_index("board_battles_slot", "board_battles", ["campaign_id", "slot"])


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
