"""${message}.

Written once, run for ever: it imports nothing of `tracker`. On SQLite never use batch mode on `events`:
it makes the table again without its guards.
"""

from alembic import op
import sqlalchemy as sa
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
