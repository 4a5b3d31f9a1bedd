"""Signed heads of the log, who witnessed them, and the keys: a table beside the log, only ever added to.

Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "signed_notes",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("size", NUMBER, nullable=False),
        sa.Column("signer", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("frontier", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "kind", "origin", "size", "signer"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "sqlite":
        guard_sqlite()
    else:
        guard_postgres()


def guard_sqlite() -> None:
    op.execute(
        "CREATE TRIGGER signed_notes_no_update BEFORE UPDATE ON signed_notes BEGIN"
        " SELECT RAISE(ABORT, 'signed notes are never changed'); END"
    )
    op.execute(
        "CREATE TRIGGER signed_notes_no_delete BEFORE DELETE ON signed_notes BEGIN"
        " SELECT RAISE(ABORT, 'signed notes are never removed'); END"
    )
    op.execute(
        "CREATE TRIGGER signed_notes_only_new BEFORE INSERT ON signed_notes"
        " WHEN EXISTS (SELECT 1 FROM signed_notes WHERE campaign_id = NEW.campaign_id AND kind = NEW.kind"
        " AND origin = NEW.origin AND size = NEW.size AND signer = NEW.signer)"
        " BEGIN SELECT RAISE(ABORT, 'signed notes are never written over'); END"
    )


def guard_postgres() -> None:
    op.execute(
        "CREATE FUNCTION signed_notes_refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'signed notes are never changed or removed'"
        " USING ERRCODE = 'restrict_violation'; END $$"
    )
    op.execute(
        "CREATE TRIGGER signed_notes_no_change BEFORE UPDATE OR DELETE ON signed_notes"
        " FOR EACH ROW EXECUTE FUNCTION signed_notes_refuse_change()"
    )
    op.execute(
        "CREATE TRIGGER signed_notes_no_truncate BEFORE TRUNCATE ON signed_notes"
        " FOR EACH STATEMENT EXECUTE FUNCTION signed_notes_refuse_change()"
    )
    for trigger in ("signed_notes_no_change", "signed_notes_no_truncate"):
        op.execute(f"ALTER TABLE signed_notes ENABLE ALWAYS TRIGGER {trigger}")


def downgrade() -> None:
    raise NotImplementedError("What was signed is never taken back; restore a backup instead.")
