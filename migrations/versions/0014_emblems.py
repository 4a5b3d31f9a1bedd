"""Pictures of gangs that people upload, made anew in two sizes.

Beside the log. Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "campaign_emblems",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("gang", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("large", sa.LargeBinary(), nullable=False),
        sa.Column("small", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "gang"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
