"""People and their rights: who they are, which campaigns they are members of, what they sign in with.

Beside the log, which only knows a person's id: so a person can be forgotten, and every proof still holds.
Frozen: it imports nothing of `tracker`, so that what it makes stays what it made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    table(
        "campaign_members",
        *texts("campaign_id person role gangs since invited_by?"),
        sa.PrimaryKeyConstraint("campaign_id", "person"),
    )
    op.create_index("campaign_members_person", "campaign_members", ["person"])
    table(
        "campaign_invites",
        *texts(
            "campaign_id invite secret_hash person? role? gangs note made_by? made_at expires_at revoked_at?"
        ),
        number("uses_left"),
        sa.PrimaryKeyConstraint("campaign_id", "invite"),
    )
    op.create_index("campaign_invites_secret", "campaign_invites", ["secret_hash"], unique=True)
    table(
        "campaign_settings",
        *texts("campaign_id setting value"),
        sa.PrimaryKeyConstraint("campaign_id", "setting"),
    )
    table("people", *texts("person name made_at forgotten_at?"), sa.PrimaryKeyConstraint("person"))
    table(
        "people_names",
        *texts("person name since"),
        number("number"),
        sa.PrimaryKeyConstraint("person", "number"),
    )
    table(
        "people_tokens",
        *texts(
            "person token secret_hash campaign_id? scope label made_at expires_at? last_used_at? revoked_at?"
        ),
        sa.PrimaryKeyConstraint("person", "token"),
    )
    op.create_index("people_tokens_secret", "people_tokens", ["secret_hash"], unique=True)
    table(
        "people_sessions",
        *texts("person session secret_hash label made_at expires_at last_seen_at revoked_at?"),
        sa.PrimaryKeyConstraint("person", "session"),
    )
    op.create_index("people_sessions_secret", "people_sessions", ["secret_hash"], unique=True)
    table(
        "people_passkeys",
        *texts("credential person transports label made_at last_used_at?"),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        number("sign_count"),
        sa.PrimaryKeyConstraint("credential"),
    )
    op.create_index("people_passkeys_person", "people_passkeys", ["person"])
    table("people_identities", *texts("identity person made_at"), sa.PrimaryKeyConstraint("identity"))
    op.create_index("people_identities_person", "people_identities", ["person"])
    table(
        "people_challenges",
        *texts("secret_hash purpose row expires_at"),
        sa.PrimaryKeyConstraint("secret_hash"),
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
