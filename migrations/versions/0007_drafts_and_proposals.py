"""Drafts: reports and sheets that are answered question by question; proposals that wait to be agreed on.

Beside the log. Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    table(
        "campaign_drafts",
        *texts("campaign_id draft kind seed text lines said decided made_by made_at changed_by changed_at"),
        number("revision"),
        sa.PrimaryKeyConstraint("campaign_id", "draft"),
    )
    table(
        "campaign_proposals",
        *texts(
            "campaign_id proposal format about gangs document digest made_by made_at state settled_by?"
            " settled_at?"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "proposal"),
    )
    table(
        "campaign_proposal_answers",
        *texts("campaign_id proposal person answer words at"),
        sa.PrimaryKeyConstraint("campaign_id", "proposal", "person"),
    )


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")


def table(name: str, *parts: sa.schema.SchemaItem) -> None:
    op.create_table(name, *parts, sqlite_strict=True)


def texts(names: str) -> list[sa.Column[str]]:
    """Columns of text; those with a `?` may be null."""
    return [sa.Column(name.rstrip("?"), sa.Text(), nullable=name.endswith("?")) for name in names.split()]


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, NUMBER, nullable=False)
