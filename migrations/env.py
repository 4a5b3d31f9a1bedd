"""How Alembic reaches the database: on the connection that `tracker.log.database` hands it, in its
transaction; or, for developers, on `alembic -x url=sqlite:///some.db ...`.
"""

from alembic import context
from sqlalchemy import Connection

from tracker.log.database import engine_for, writing
from tracker.schema import POSTGRES_PARTS, metadata


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        # Autogenerate would drop the parts of the log: they are tables, and not in the metadata.
        include_name=lambda name, *_: name not in POSTGRES_PARTS,
    )
    with context.begin_transaction():
        context.run_migrations()


handed_over = context.config.attributes.get("connection")
if handed_over is not None:
    migrate(handed_over)
else:
    url = context.get_x_argument(as_dictionary=True).get("url")
    if url is None:
        raise SystemExit("Say which database: alembic -x url=sqlite:///some.db ...")
    with writing(engine_for(url, make=True)) as own:
        migrate(own)
