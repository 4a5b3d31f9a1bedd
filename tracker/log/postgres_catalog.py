"""The schema of our tables as a PostgreSQL database describes it, and as the migrations make it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, Connection, LargeBinary, Table, Text

from tracker import schema
from tracker.log import append_function
from tracker.log.schema_parts import SchemaPart, our_tables

# `ours`: the tables of these names and the tables that inherit from them, each with its name.
_OURS = """
WITH RECURSIVE named(oid) AS (
    SELECT to_regclass(name)::oid FROM unnest({names}) AS name
    UNION
    SELECT inhrelid FROM pg_inherits JOIN named ON inhparent = named.oid
), ours AS (SELECT oid, relname AS called FROM named JOIN pg_class USING (oid))
"""
_TABLES = """
SELECT called, 'table ' || called, concat_ws(' ',
    CASE relpersistence WHEN 'u' THEN 'unlogged' WHEN 't' THEN 'temporary' END,
    CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view'
        WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE relkind::text END,
    pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
    CASE WHEN relrowsecurity THEN 'row security' END, CASE WHEN relforcerowsecurity THEN 'forced' END)
FROM pg_class JOIN ours USING (oid)
"""
_COLUMNS = """
SELECT called, 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(adbin, adrelid),
    CASE WHEN attgenerated <> '' THEN 'generated' END, CASE WHEN attidentity <> '' THEN 'identity' END,
    CASE WHEN attcollation <> typcollation THEN 'COLLATE ' || attcollation::regcollation END)
FROM ours JOIN pg_attribute ON attrelid = ours.oid AND attnum > 0 AND NOT attisdropped
    JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
"""
_CONSTRAINTS = """
SELECT called, 'constraint ' || conname, pg_get_constraintdef(pg_constraint.oid, true)
FROM ours JOIN pg_constraint ON conrelid = ours.oid AND contype NOT IN ('n', 't')
UNION ALL
SELECT called, 'foreign key ' || conname || ' of ' || conrelid::regclass,
    pg_get_constraintdef(pg_constraint.oid, true)
FROM ours JOIN pg_constraint ON confrelid = ours.oid AND contype = 'f'
"""
# An index by its definition, not its name: PostgreSQL itself names the indexes of partitions.
_INDEXES = """
SELECT called, concat_ws(' ', CASE WHEN indisunique THEN 'unique' END, 'index',
    substring(pg_get_indexdef(indexrelid, 0, true) FROM ' USING (.*)')),
    CASE WHEN indisvalid AND indisready AND indislive THEN 'in use' ELSE 'not in use' END
FROM ours JOIN pg_index ON indrelid = ours.oid
"""
_TRIGGERS = """
SELECT called, 'trigger ' || tgname, tgenabled::text || ' ' || pg_get_triggerdef(pg_trigger.oid, true)
FROM ours JOIN pg_trigger ON tgrelid = ours.oid AND NOT tgisinternal
"""
_FUNCTIONS = """
SELECT DISTINCT 'events', 'function ' || proname || '()', concat_ws(' ', lanname,
    CASE WHEN prosecdef THEN 'SECURITY DEFINER' END, array_to_string(proconfig, ' '), prosrc)
FROM ours JOIN pg_trigger ON tgrelid = ours.oid AND NOT tgisinternal JOIN pg_proc ON pg_proc.oid = tgfoid
    JOIN pg_language ON pg_language.oid = prolang
UNION ALL
SELECT 'heads', 'function ' || proname || '(' || pronargs || ' arguments)', concat_ws(' ', lanname,
    CASE WHEN prosecdef THEN 'SECURITY DEFINER' END, array_to_string(proconfig, ' '),
    pg_get_function_arguments(pg_proc.oid), prosrc)
FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
WHERE proname = '{function}' AND pronamespace = current_schema()::regnamespace
"""
_RULES = """
SELECT called, 'rule ' || rulename, pg_get_ruledef(pg_rewrite.oid, true)
FROM ours JOIN pg_rewrite ON ev_class = ours.oid AND rulename <> '_RETURN'
UNION ALL
SELECT DISTINCT called, 'view ' || ev_class::regclass, 'reads it'
FROM ours JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = ours.oid
    JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND pg_rewrite.oid = objid AND rulename = '_RETURN'
WHERE ev_class <> ours.oid
UNION ALL
SELECT called, 'policy ' || polname, 'for some rows' FROM ours JOIN pg_policy ON polrelid = ours.oid
"""


def actual_parts(connection: Connection) -> Mapping[SchemaPart, str]:
    """The parts found: of our tables, of their partitions, and of everything that reads or refers to them."""
    names = "ARRAY[" + ", ".join(f"'{name}'" for name in our_tables()) + "]"
    ours = _OURS.format(names=names)
    functions = _FUNCTIONS.format(function=append_function.NAME)
    queries = (_TABLES, _COLUMNS, _CONSTRAINTS, _INDEXES, _TRIGGERS, functions, _RULES)
    return {
        SchemaPart(str(table), str(name).replace('"', "")): str(wording).replace('"', "")
        for query in queries
        for table, name, wording in connection.exec_driver_sql(ours + query)
    }


@cache
def expected_parts() -> Mapping[SchemaPart, str]:
    """The parts of a database that the migrations made: a test compares the two."""
    parts: dict[SchemaPart, str] = {}
    for table in schema.metadata.sorted_tables:
        if table is not schema.events:
            parts |= _table(table, table.name, "table")
    revision = schema.REVISION_TABLE
    parts |= {
        SchemaPart(revision, f"table {revision}"): "table",
        SchemaPart(revision, "column version_num"): "character varying(32) NOT NULL",
        SchemaPart(revision, f"constraint {revision}_pkc"): "PRIMARY KEY (version_num)",
        SchemaPart(revision, "unique index btree (version_num)"): "in use",
    }
    parts |= _table(schema.events, "events", "partitioned table HASH (campaign_id)")
    for number, name in enumerate(schema.POSTGRES_PARTS):
        modulus = len(schema.POSTGRES_PARTS)
        parts |= _table(schema.events, name, f"table FOR VALUES WITH (modulus {modulus}, remainder {number})")
    # 'A': fires always, also for a replication role.
    for name, wording in schema.POSTGRES_GUARD_TRIGGERS.items():
        trigger, _, table_name = name.partition(" on ")
        parts[SchemaPart(table_name, f"trigger {trigger}")] = f"A {wording}"
    for name, source in schema.POSTGRES_GUARD_FUNCTIONS.items():
        parts[SchemaPart("events", f"function {name}()")] = f"plpgsql {source}"
    arguments, source = append_function.ARGUMENTS, append_function.source()
    appends = SchemaPart("heads", f"function {append_function.NAME}({len(arguments)} arguments)")
    parts[appends] = f"plpgsql {', '.join(arguments)} {source}".replace('"', "")
    return parts


def _table(table: Table, name: str, kind: str) -> dict[SchemaPart, str]:
    key = _columns(table.primary_key.columns)
    parts = {
        SchemaPart(name, f"table {name}"): kind,
        SchemaPart(name, f"constraint {name}_pkey"): f"PRIMARY KEY {key}",
        SchemaPart(name, f"unique index btree {key}"): "in use",
    }
    for column in table.columns:
        parts[SchemaPart(name, f"column {column.name}")] = _column(column)
    for index in table.indexes:
        unique = "unique index" if index.unique else "index"
        where = index.dialect_kwargs.get("postgresql_where")
        of_some = "" if where is None else f" WHERE {where}"
        parts[SchemaPart(name, f"{unique} btree {_columns(index.columns)}{of_some}")] = "in use"
    for check in table.constraints:
        if isinstance(check, CheckConstraint):
            parts[SchemaPart(name, f"constraint {check.name}")] = f"CHECK ({check.sqltext})"
    return parts


def _columns(columns: Any) -> str:
    return f"({', '.join(column.name for column in columns)})"


def _column(column: Column[Any]) -> str:
    names = {Text: "text", BigInteger: "bigint", LargeBinary: "bytea"}
    default: Any = column.server_default
    words = [names[type(column.type)]]
    words += [] if column.nullable else ["NOT NULL"]
    if default is not None:
        words.append(f"DEFAULT {default.arg}" + ("::text" if isinstance(column.type, Text) else ""))
    return " ".join(words)
