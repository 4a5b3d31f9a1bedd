"""Sealed segments: the events that move state as blocks, a cache.

Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "segments",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        *(
            sa.Column(name, NUMBER, nullable=False, autoincrement=False)
            for name in ("first_seq", "size", "entries", "refills")
        ),
        *(
            sa.Column(name, sa.LargeBinary(), nullable=False)
            for name in ("leaf", "frontier", "body_digest", "digest", "body")
        ),
        sa.PrimaryKeyConstraint("campaign_id", "fingerprint", "first_seq"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
