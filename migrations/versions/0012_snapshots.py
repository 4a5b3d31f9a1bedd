"""Snapshots in parts: those there are were whole, and are made again.

Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.drop_table("snapshots")
    op.create_table(
        "snapshots",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("entry", NUMBER, nullable=False, autoincrement=False),
        sa.Column("parts", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "fingerprint", "entry"),
        sqlite_strict=True,
    )
    op.create_table(
        "snapshots_parts",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "fingerprint", "name"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
