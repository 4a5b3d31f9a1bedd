"""What a database says of itself, which this program looks at before it reads: for `schema`, which has the
tables, and for whoever opens a file without SQLAlchemy.
"""

HEAD_REVISION = "0015"
"""The newest migration. Kept as a word so that opening a database does not need Alembic."""

SQLITE_APPLICATION_ID = 0x41524254  # "ARBT"; stands in the file header, so `file(1)` and we can tell

BOARDS_SHAPE = 6
"""What this program writes on the boards. A campaign whose boards have another gets new ones when named."""
