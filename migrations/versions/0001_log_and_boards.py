"""The log, its guards, and the first boards.

Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    table(
        "events",
        text("campaign_id"),
        number("seq"),
        number("entry"),
        number("slot"),
        text("type"),
        text("event_id"),
        blob("body"),
        blob("leaf"),
        sa.PrimaryKeyConstraint("campaign_id", "seq"),
        sa.CheckConstraint("seq >= 0 AND slot >= 1 AND slot <= entry", name="events_numbers"),
        sa.CheckConstraint("length(leaf) = 32", name="events_leaf"),
        rowid=False,  # one more key that INSERT OR REPLACE could aim at, past every trigger
    )
    op.create_index("events_event_id", "events", ["campaign_id", "event_id"], unique=True)
    op.create_index("events_slot", "events", ["campaign_id", "slot", "seq"])
    op.create_index("events_entry", "events", ["campaign_id", "entry"])

    table(
        "heads",
        text("campaign_id"),
        number("size"),
        number("entries"),
        blob("leaf"),
        blob("frontier"),
        sa.PrimaryKeyConstraint("campaign_id"),
    )
    table(
        "commands",
        text("campaign_id"),
        text("key"),
        text("digest"),
        number("first_seq"),
        number("last_seq"),
        number("first_entry"),
        number("last_entry"),
        sa.PrimaryKeyConstraint("campaign_id", "key"),
    )
    table(
        "snapshots",
        text("campaign_id"),
        text("fingerprint"),
        number("entry"),
        blob("body"),
        sa.PrimaryKeyConstraint("campaign_id", "fingerprint", "entry"),
    )
    boards()
    if op.get_bind().dialect.name == "sqlite":
        guard_sqlite()
    else:
        guard_postgres()


def boards() -> None:
    table(
        "board_campaigns",
        text("campaign_id"),
        text("slug"),
        text("name"),
        text("ruleset"),
        text("created_at"),
        sa.PrimaryKeyConstraint("campaign_id"),
    )
    op.create_index("board_campaigns_slug", "board_campaigns", ["slug"], unique=True)

    table(
        "board_gangs",
        text("campaign_id"),
        text("gang_id"),
        number("position"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "gang_id"),
    )
    table(
        "board_fighters",
        text("campaign_id"),
        text("fighter_id"),
        text("gang_id"),
        number("position"),
        text("status"),
        number("xp"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "fighter_id"),
    )
    op.create_index("board_fighters_gang", "board_fighters", ["campaign_id", "gang_id", "position"])

    table(
        "board_injuries",
        text("campaign_id"),
        text("fighter_id"),
        number("position"),
        number("slot"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "fighter_id", "position"),
    )
    op.create_index("board_injuries_slot", "board_injuries", ["campaign_id", "slot"])
    table(
        "board_experience",
        text("campaign_id"),
        number("seq"),
        number("slot"),
        text("fighter_id"),
        number("amount"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "seq"),
    )
    op.create_index("board_experience_slot", "board_experience", ["campaign_id", "slot", "seq"])
    op.create_index("board_experience_fighter", "board_experience", ["campaign_id", "fighter_id", "seq"])

    table(
        "board_rolls",
        text("campaign_id"),
        number("seq"),
        number("slot"),
        number("entry"),
        text("fighter_id", nullable=True),
        text("purpose"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "seq"),
    )
    op.create_index("board_rolls_slot", "board_rolls", ["campaign_id", "slot", "seq"])
    op.create_index("board_rolls_fighter", "board_rolls", ["campaign_id", "fighter_id", "seq"])

    table(
        "board_battles",
        text("campaign_id"),
        text("battle_id"),
        number("number"),
        number("slot"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "battle_id"),
    )
    table(
        "board_disputes",
        text("campaign_id"),
        number("dispute"),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "dispute"),
    )
    table(
        "board_entries",
        text("campaign_id"),
        number("entry"),
        number("slot"),
        text("battle", nullable=True),
        text("row"),
        sa.PrimaryKeyConstraint("campaign_id", "entry", "slot"),
    )
    op.create_index("board_entries_slot", "board_entries", ["campaign_id", "slot"])
    op.create_index("board_entries_battle", "board_entries", ["campaign_id", "battle", "entry"])


def guard_sqlite() -> None:
    op.execute("PRAGMA application_id = 1095909972")  # "ARBT", in the file header
    op.execute(
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN"
        " SELECT RAISE(ABORT, 'events are never changed'); END"
    )
    op.execute(
        "CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN"
        " SELECT RAISE(ABORT, 'events are never removed'); END"
    )
    op.execute(
        "CREATE TRIGGER events_only_next BEFORE INSERT ON events"
        " WHEN NEW.seq IS NOT"
        " (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE campaign_id = NEW.campaign_id)"
        " OR EXISTS (SELECT 1 FROM events WHERE campaign_id = NEW.campaign_id AND event_id = NEW.event_id)"
        " BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END"
    )


def guard_postgres() -> None:
    op.execute(
        "CREATE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'events are never changed or removed'"
        " USING ERRCODE = 'restrict_violation'; END $$"
    )
    op.execute(
        "CREATE FUNCTION events_refuse_gap() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN IF NEW.seq IS DISTINCT FROM"
        " (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE campaign_id = NEW.campaign_id) THEN"
        " RAISE EXCEPTION 'events are only added at the end' USING ERRCODE = 'restrict_violation';"
        " END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE ON events"
        " FOR EACH ROW EXECUTE FUNCTION events_refuse_change()"
    )
    op.execute(
        "CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events"
        " FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()"
    )
    op.execute(
        "CREATE TRIGGER events_only_next BEFORE INSERT ON events"
        " FOR EACH ROW EXECUTE FUNCTION events_refuse_gap()"
    )
    for trigger in ("events_no_change", "events_no_truncate", "events_only_next"):
        op.execute(f"ALTER TABLE events ENABLE ALWAYS TRIGGER {trigger}")


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")


def table(name: str, *parts: sa.schema.SchemaItem, rowid: bool = True) -> None:
    op.create_table(name, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, NUMBER, nullable=False)


def blob(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)
