"""Which entries were taken out of a draft: a column, where the first line of its text said so in a comment.

Beside the log. Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

SAID = re.compile("# taken out: ([0-9]{1,6}(?:, [0-9]{1,6})*)\n")


def upgrade() -> None:
    op.add_column(
        "campaign_drafts", sa.Column("taken_out", sa.Text(), server_default=sa.text("'[]'"), nullable=False)
    )
    drafts = sa.table("campaign_drafts", *map(sa.column, ("campaign_id", "draft", "text", "taken_out")))
    connection = op.get_bind()
    for row in connection.execute(sa.select(drafts).where(drafts.c.text.like("# taken out: %"))).all():
        if said := SAID.match(row.text):
            moved = sa.update(drafts).where(
                drafts.c.campaign_id == row.campaign_id, drafts.c.draft == row.draft
            )
            numbers = json.dumps([int(number) for number in said[1].split(", ")])
            connection.execute(moved.values(text=row.text[said.end() :], taken_out=numbers))


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
