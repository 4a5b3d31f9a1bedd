"""Webhooks: addresses that a campaign's battles, standings, disputes and rulings are posted to; the outbox.

Beside the log. Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    table(
        "campaign_webhooks",
        *texts(
            "campaign_id webhook kind url secret about made_at made_by? last_sent_at? last_failed_at?"
            " failure? gone_at?"
        ),
        number("sent"),
        sa.PrimaryKeyConstraint("campaign_id", "webhook"),
    )
    table(
        "webhook_outbox",
        *texts("campaign_id webhook about made_at next_try_at? failure? given_up_at?"),
        number("entry"),
        number("tries"),
        number("parts_sent"),
        sa.PrimaryKeyConstraint("campaign_id", "webhook", "entry"),
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
