"""Cells: further databases for the campaigns of a host, which keeps which, and fences of those that moved.

Beside the log. Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    table("host_cells", *texts("cell url standby? made_at"), sa.PrimaryKeyConstraint("cell"))
    table("host_directory", *texts("campaign_id cell since"), sa.PrimaryKeyConstraint("campaign_id"))
    table(
        "campaign_fences",
        *texts("campaign_id kind cell token until?"),
        sa.PrimaryKeyConstraint("campaign_id"),
    )


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")


def table(name: str, *parts: sa.schema.SchemaItem) -> None:
    op.create_table(name, *parts, sqlite_strict=True)


def texts(names: str) -> list[sa.Column[str]]:
    """Columns of text; those with a `?` may be null."""
    return [sa.Column(name.rstrip("?"), sa.Text(), nullable=name.endswith("?")) for name in names.split()]
