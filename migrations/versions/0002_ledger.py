"""The board of the ledger: credits and things, each movement with both sides.

Frozen: it imports nothing of `tracker`, so that what it makes stays what it made. `arbitrator boards rebuild`
fills it for campaigns that are older than it; no movement is in such a log but the founding.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "board_ledger",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("slot", NUMBER, nullable=False),
        sa.Column("source_gang", sa.Text(), nullable=True),
        sa.Column("target_gang", sa.Text(), nullable=True),
        sa.Column("row", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "seq"),
        sqlite_strict=True,
    )
    op.create_index("board_ledger_slot", "board_ledger", ["campaign_id", "slot", "seq"])
    op.create_index("board_ledger_source", "board_ledger", ["campaign_id", "source_gang", "slot", "seq"])
    op.create_index("board_ledger_target", "board_ledger", ["campaign_id", "target_gang", "slot", "seq"])


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
