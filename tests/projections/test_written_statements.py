"""Statements written as text: each names tables and columns that `tracker.schema` has, in both drivers' words."""

import re
import sqlite3

from sqlalchemy import create_engine
from tables import every

from tracker import schema
from tracker.log import campaigns, raw_sql
from tracker.projections import queries
from tracker.service import fences

WRITTEN = [*campaigns.statements(), *queries.statements(), *fences.statements()]


@every("words", WRITTEN)
def test_a_written_statement_names_what_the_schema_has(words: str) -> None:
    engine = create_engine("sqlite://")
    schema.metadata.create_all(engine)
    with engine.connect() as connection:
        given = (None,) * words.count("?")
        assert raw_sql.rows(connection, f"EXPLAIN {words}", *given)
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        assert list(raw_sql.rows(driver, words, *given)) == list(raw_sql.rows(connection, words, *given))
    # SQLite takes what it does not know in quotes for a text, and a percent sign is a driver's own.
    assert not re.search('["%]', words)
    assert raw_sql.in_dialect("postgresql", words).count("%s") == words.count("?")
