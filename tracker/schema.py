"""The database on one page: tables, and the guards that the database itself keeps over the log.

Knows names, columns and keys. Knows no engine, no event type and no rule. `campaign_id` leads every key.
`events`, `heads` and `commands` are the truth, and `signed_notes` what was signed of it; `snapshots`,
`segments` and the boards are caches that can be thrown away and made again; who may do what stands beside the
log, so that a person can be forgotten. What is written here is what `migrations/` builds: a test compares the
two.
"""

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy import text as sql

from tracker import schema_versions

HEAD_REVISION = schema_versions.HEAD_REVISION
SQLITE_APPLICATION_ID = schema_versions.SQLITE_APPLICATION_ID
BOARDS_SHAPE = schema_versions.BOARDS_SHAPE

metadata = MetaData()

Number = BigInteger().with_variant(Integer(), "sqlite")


def text(name: str, **options: Any) -> Column[str]:
    """A column of text, never null unless said."""
    return Column(name, Text(), **{"nullable": False} | options)


def number(name: str, **options: Any) -> Column[int]:
    """A column of whole numbers of 64 bits, never null unless said."""
    return Column(name, Number, **{"nullable": False} | options)


def blob(name: str) -> Column[bytes]:
    """A column of bytes, never null."""
    return Column(name, LargeBinary(), nullable=False)


def key(name: str) -> Column[str]:
    """A column of text that is part of the primary key."""
    return text(name, primary_key=True)


def key_number(name: str) -> Column[int]:
    """A column of whole numbers that is part of the primary key."""
    return number(name, primary_key=True, autoincrement=False)


def table(name: str, *parts: Any, **options: Any) -> Table:
    """A table of the database, strict about what its columns hold."""
    return Table(name, metadata, *parts, sqlite_strict=True, **options)  # STRICT: columns hold what they say


# --- the log ---------------------------------------------------------------------------------------------

_REFILLED = sql("entry <> slot")

events = table(
    "events",
    key("campaign_id"),
    key_number("seq"),
    number("entry"),
    number("slot"),
    text("type"),
    text("event_id"),
    blob("body"),
    blob("leaf"),
    CheckConstraint("seq >= 0 AND slot >= 1 AND slot <= entry", name="events_numbers"),
    CheckConstraint("length(leaf) = 32", name="events_leaf"),
    Index("events_event_id", "campaign_id", "event_id", unique=True),
    # An entry is a range of seqs, and so is a slot until a ruling fills it again: only those rows are here.
    Index(
        "events_refilled", "campaign_id", "slot", "seq", sqlite_where=_REFILLED, postgresql_where=_REFILLED
    ),
    # A rowid: SQLite adds to the end of such a table, and splits the pages of one without it in half.
)

POSTGRES_PARTS = tuple(f"events_p{part}" for part in range(8))
"""The tables that hold the log on PostgreSQL, each a share of the campaigns by a hash of their ids.

Readers and writers name `events`. Only the migration says how it is laid out: said here, it would cost every
start the PostgreSQL dialect.
"""

heads = table("heads", key("campaign_id"), number("size"), number("entries"), blob("leaf"), blob("frontier"))

commands = table(
    "commands",
    key("campaign_id"),
    key("key"),
    text("digest"),
    number("first_seq"),
    number("last_seq"),
    number("first_entry"),
    number("last_entry"),
)

signed_notes = table(
    "signed_notes",
    key("campaign_id"),
    key("kind"),
    key("origin"),
    key_number("size"),
    key("signer"),
    text("note"),
    blob("frontier"),
    sqlite_with_rowid=False,
)
"""Beside the log, and not of it: signed heads (`checkpoint`) with their `frontier`, who witnessed them
(`cosignature`), the keys (`key`) and who may witness (`witnesses`), whose `size` is their number."""

snapshots = table(
    "snapshots",
    key("campaign_id"),
    key("fingerprint"),
    key_number("entry"),
    text("parts"),
    blob("body"),
)
"""Folded states; under a fingerprint of its own, what entries touched. `parts` are the names of those that
lie in rows of `snapshots_parts`, one a line.
"""

snapshots_parts = table("snapshots_parts", key("campaign_id"), key("fingerprint"), key("name"), blob("body"))

segments = table(
    "segments",
    key("campaign_id"),
    key("fingerprint"),
    key_number("first_seq"),
    number("size"),
    number("entries"),
    number("refills"),
    blob("leaf"),
    blob("frontier"),
    blob("body_digest"),
    blob("digest"),
    blob("body"),
)
"""The events that move state as blocks of whole entries, sealed from verified rows: `log/segments.py`."""

# --- the boards ------------------------------------------------------------------------------------------
# One row, one thing shown; `row` is JSON and belongs to whoever projects it. An index ends in the column that
# its readers sort by: else SQLite walks the whole campaign by its primary key, to get the order for nothing.

board_campaigns = table(
    "board_campaigns",
    key("campaign_id"),
    text("slug"),
    text("name"),
    text("ruleset"),
    text("created_at"),
    number("shape", server_default=sql("1")),  # rows from before there was this column have the first
    Index("board_campaigns_slug", "slug", unique=True),
)

board_gangs = table("board_gangs", key("campaign_id"), key("gang_id"), number("position"), text("row"))

board_fighters = table(
    "board_fighters",
    key("campaign_id"),
    key("fighter_id"),
    text("gang_id"),
    number("position"),
    text("status"),
    number("xp"),
    number("gone"),
    text("row"),
    Index("board_fighters_gang", "campaign_id", "gone", "gang_id", "position"),
)
"""`gone` is 1 for the dead, retired and sold: who asks for the others reads no row of theirs."""

board_battles = table(
    "board_battles",
    key("campaign_id"),
    key("battle_id"),
    number("number"),
    number("slot"),
    text("row"),
    Index("board_battles_slot", "campaign_id", "slot"),
)

board_disputes = table("board_disputes", key("campaign_id"), key_number("dispute"), text("row"))

board_entries = table(
    "board_entries",
    key("campaign_id"),
    key_number("entry"),
    key_number("slot"),
    number("struck_by", nullable=True),
    text("command", nullable=True),
    text("events"),
    text("fighters"),
    text("gangs", nullable=True),
    # An entry fills the slot of its own number; only a ruling's rows are looked for by another.
    Index(
        "board_entries_slot",
        "campaign_id",
        "slot",
        sqlite_where=sql("slot <> entry"),
        postgresql_where=sql("slot <> entry"),
    ),
    sqlite_with_rowid=False,
)
"""Where the log tells of whom and of what: all else is read from the log itself. `events` are types, each
once, parted by blanks; `fighters` and `gangs` (whose credits or things moved) are ids, as a list in JSON.
"""

# --- people and their rights: beside the log, which only knows a person's id -------------------------------
# Times are in UTC, to the second, as text that sorts. Of a secret only its SHA-256 is kept, in hex.

campaign_members = table(
    "campaign_members",
    key("campaign_id"),
    key("person"),
    text("role"),
    text("gangs"),
    text("since"),
    text("invited_by", nullable=True),
    Index("campaign_members_person", "person"),
)

campaign_invites = table(
    "campaign_invites",
    key("campaign_id"),
    key("invite"),
    text("secret_hash"),
    text("person", nullable=True),
    text("role", nullable=True),
    text("gangs"),
    text("note"),
    number("uses_left"),
    text("made_by", nullable=True),
    text("made_at"),
    text("expires_at"),
    text("revoked_at", nullable=True),
    Index("campaign_invites_secret", "secret_hash", unique=True),
)

campaign_settings = table("campaign_settings", key("campaign_id"), key("setting"), text("value"))

campaign_drafts = table(
    "campaign_drafts",
    key("campaign_id"),
    key("draft"),
    text("kind"),
    text("seed"),
    text("text"),
    text("lines"),
    text("taken_out", server_default=sql("'[]'")),  # drafts from before there was this column have lost none
    text("said"),
    text("decided"),
    text("made_by"),
    text("made_at"),
    text("changed_by"),
    text("changed_at"),
    number("revision"),
)

campaign_proposals = table(
    "campaign_proposals",
    key("campaign_id"),
    key("proposal"),
    text("format"),
    text("about"),
    text("gangs"),
    text("document"),
    text("digest"),
    text("made_by"),
    text("made_at"),
    text("state"),
    text("settled_by", nullable=True),
    text("settled_at", nullable=True),
)

campaign_proposal_answers = table(
    "campaign_proposal_answers",
    key("campaign_id"),
    key("proposal"),
    key("person"),
    text("answer"),
    text("words"),
    text("at"),
)

campaign_emblems = table(
    "campaign_emblems", key("campaign_id"), key("gang"), text("digest"), blob("large"), blob("small")
)
"""Pictures of gangs, as `service/gang_emblems.py` made them anew; `digest` is of what was uploaded."""

people = table("people", key("person"), text("name"), text("made_at"), text("forgotten_at", nullable=True))

people_names = table("people_names", key("person"), key_number("number"), text("name"), text("since"))

people_tokens = table(
    "people_tokens",
    key("person"),
    key("token"),
    text("secret_hash"),
    text("campaign_id", nullable=True),
    text("scope"),
    text("label"),
    text("made_at"),
    text("expires_at", nullable=True),
    text("last_used_at", nullable=True),
    text("revoked_at", nullable=True),
    Index("people_tokens_secret", "secret_hash", unique=True),
)

people_sessions = table(
    "people_sessions",
    key("person"),
    key("session"),
    text("secret_hash"),
    text("label"),
    text("made_at"),
    text("expires_at"),
    text("last_seen_at"),
    text("revoked_at", nullable=True),
    Index("people_sessions_secret", "secret_hash", unique=True),
)

people_passkeys = table(
    "people_passkeys",
    key("credential"),
    text("person"),
    blob("public_key"),
    number("sign_count"),
    text("transports"),
    text("label"),
    text("made_at"),
    text("last_used_at", nullable=True),
    Index("people_passkeys_person", "person"),
)

people_identities = table(
    "people_identities",
    key("identity"),
    text("person"),
    text("made_at"),
    Index("people_identities_person", "person"),
)

people_challenges = table(
    "people_challenges", key("secret_hash"), text("purpose"), text("row"), text("expires_at")
)

# --- webhooks: addresses of others that are posted to, beside the log --------------------------------------
# The address and the key are secrets of whoever made the webhook, and are needed whole: nothing shows them.

campaign_webhooks = table(
    "campaign_webhooks",
    key("campaign_id"),
    key("webhook"),
    text("kind"),
    text("url"),
    text("secret"),
    text("about"),
    text("made_at"),
    text("made_by", nullable=True),
    number("sent"),
    text("last_sent_at", nullable=True),
    text("last_failed_at", nullable=True),
    text("failure", nullable=True),
    text("gone_at", nullable=True),
)

webhook_outbox = table(
    "webhook_outbox",
    key("campaign_id"),
    key("webhook"),
    key_number("entry"),
    text("about"),
    text("made_at"),
    number("tries"),
    number("parts_sent"),
    text("next_try_at", nullable=True),
    text("failure", nullable=True),
    text("given_up_at", nullable=True),
)
"""What is still to be posted, written in the transaction of the entry that it is about."""

# --- cells: which database keeps a campaign -------------------------------------------------------------

host_cells = table("host_cells", key("cell"), text("url"), text("standby", nullable=True), text("made_at"))

host_directory = table("host_directory", key("campaign_id"), text("cell"), text("since"))
"""A hint: `campaign_fences` in the cells themselves decide."""

campaign_fences = table(
    "campaign_fences",
    key("campaign_id"),
    text("kind"),
    text("cell"),
    text("token"),
    text("until", nullable=True),
)

CACHES = tuple(
    found for name, found in metadata.tables.items() if name.startswith(("board_", "snapshots", "segments"))
)
"""What is made from the log, and can be made again."""

REVISION_TABLE = "alembic_version"
REVISION_TABLE_WORDING = (
    f"CREATE TABLE {REVISION_TABLE} (version_num VARCHAR(32) NOT NULL,"
    f" CONSTRAINT {REVISION_TABLE}_pkc PRIMARY KEY (version_num))"
)
"""Alembic makes this one itself."""

# --- the guards: a seat belt, not a proof (the chain is the proof); compared by `schema_faults` -------------

SQLITE_GUARDS = {
    "events_no_update": (
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN"
        " SELECT RAISE(ABORT, 'events are never changed'); END"
    ),
    "events_no_delete": (
        "CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN"
        " SELECT RAISE(ABORT, 'events are never removed'); END"
    ),
    # INSERT OR REPLACE walks past the two above: it may aim at no key that is taken, and at no row's number.
    "events_only_next": (
        "CREATE TRIGGER events_only_next BEFORE INSERT ON events"
        " WHEN NEW.seq IS NOT"
        " (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE campaign_id = NEW.campaign_id)"
        " OR EXISTS (SELECT 1 FROM events WHERE campaign_id = NEW.campaign_id AND event_id = NEW.event_id)"
        " OR EXISTS (SELECT 1 FROM events WHERE rowid = NEW.rowid)"
        " BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END"
    ),
    "signed_notes_no_update": (
        "CREATE TRIGGER signed_notes_no_update BEFORE UPDATE ON signed_notes BEGIN"
        " SELECT RAISE(ABORT, 'signed notes are never changed'); END"
    ),
    "signed_notes_no_delete": (
        "CREATE TRIGGER signed_notes_no_delete BEFORE DELETE ON signed_notes BEGIN"
        " SELECT RAISE(ABORT, 'signed notes are never removed'); END"
    ),
    "signed_notes_only_new": (
        "CREATE TRIGGER signed_notes_only_new BEFORE INSERT ON signed_notes"
        " WHEN EXISTS (SELECT 1 FROM signed_notes WHERE campaign_id = NEW.campaign_id AND kind = NEW.kind"
        " AND origin = NEW.origin AND size = NEW.size AND signer = NEW.signer)"
        " BEGIN SELECT RAISE(ABORT, 'signed notes are never written over'); END"
    ),
}

POSTGRES_GUARD_FUNCTIONS = {
    "events_refuse_change": (
        " BEGIN RAISE EXCEPTION 'events are never changed or removed'"
        " USING ERRCODE = 'restrict_violation'; END "
    ),
    "events_refuse_gap": (
        " BEGIN IF NEW.seq IS DISTINCT FROM"
        " (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE campaign_id = NEW.campaign_id) THEN"
        " RAISE EXCEPTION 'events are only added at the end' USING ERRCODE = 'restrict_violation';"
        " END IF; RETURN NEW; END "
    ),
    "signed_notes_refuse_change": (
        " BEGIN RAISE EXCEPTION 'signed notes are never changed or removed'"
        " USING ERRCODE = 'restrict_violation'; END "
    ),
}

POSTGRES_GUARD_TRIGGERS = {
    f"{name} on {table}": (
        f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {function}()"
    )
    # A TRUNCATE of a part walks past the trigger of the whole, so every part has all of them.
    for table in ("events", *POSTGRES_PARTS)
    for name, when, each, function in (
        ("events_no_change", "BEFORE DELETE OR UPDATE", "ROW", "events_refuse_change"),
        ("events_no_truncate", "BEFORE TRUNCATE", "STATEMENT", "events_refuse_change"),
        ("events_only_next", "BEFORE INSERT", "ROW", "events_refuse_gap"),
    )
} | {
    f"{name} on signed_notes": (
        f"CREATE TRIGGER {name} {when} ON signed_notes FOR EACH {each}"
        " EXECUTE FUNCTION signed_notes_refuse_change()"
    )
    for name, when, each in (
        ("signed_notes_no_change", "BEFORE DELETE OR UPDATE", "ROW"),
        ("signed_notes_no_truncate", "BEFORE TRUNCATE", "STATEMENT"),
    )
}
