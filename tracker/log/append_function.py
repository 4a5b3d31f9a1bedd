"""The PostgreSQL function that takes a whole append as JSON, exactly as migration 0013 made it.

It locks the head, compares it with the one that was decided on, and writes events, command, boards and head,
or nothing. The triggers of the tables guard it as they guard every writer; it has only the rights of its
caller.
"""

from tracker import schema

NAME = "append_entry"
STALE, NOT_WRITTEN = "AR001", "AR002"
"""The SQLSTATEs of its own errors: a fence or the command's key exists already; rows of a table were not
written. The second names the table and the number of rows that were written.
"""

# Inserted whole; updated except for the columns that hardly ever change; updated wherever they differ.
_NEW = ("board_entries", "board_gangs", "board_fighters", "board_battles", "board_disputes")
_CHANGED = {
    "board_gangs_changed": ("row",),
    "board_gangs_moved": ("position", "row"),
    "board_fighters_changed": ("status", "xp", "row"),
    "board_fighters_moved": ("gang_id", "position", "status", "xp", "gone", "row"),
    "board_battles_changed": ("row",),
    "board_battles_moved": ("number", "slot", "row"),
    "board_disputes_changed": ("row",),
}

PIECES = (*(f"{table}_new" for table in _NEW), *_CHANGED)
"""Its other arguments: whole rows, by column."""

ARGUMENTS = ("about json", "events_new json", *(f"{piece} json DEFAULT NULL::json" for piece in PIECES))

_HEAD = """
#variable_conflict use_column
DECLARE
    its record;
    given events[];
    new record;
    arrived bigint;
BEGIN
    SELECT * INTO its FROM json_to_record(about) AS its(
        campaign text, key text, digest text, is_undecided boolean,
        seen_size bigint, seen_entries bigint, seen_leaf bytea, seen_frontier bytea,
        size bigint, entries bigint, leaf bytea, frontier bytea);
    UPDATE heads SET size = its.size, entries = its.entries, leaf = its.leaf, frontier = its.frontier
        WHERE campaign_id = its.campaign AND heads.size = its.seen_size AND heads.entries = its.seen_entries
        AND heads.leaf = its.seen_leaf AND heads.frontier = its.seen_frontier;
    IF NOT FOUND THEN RETURN false; END IF;
    IF its.is_undecided AND EXISTS (SELECT FROM campaign_fences WHERE campaign_id = its.campaign) THEN
        RAISE EXCEPTION 'a fence stands before the campaign' USING ERRCODE = 'AR001';
    END IF;

    SELECT array_agg(event) INTO given FROM json_populate_recordset(NULL::events, events_new) AS event;
    INSERT INTO events SELECT * FROM unnest(given);
    GET DIAGNOSTICS arrived = ROW_COUNT;
    IF arrived <> cardinality(given) OR given IS DISTINCT FROM (SELECT array_agg(event ORDER BY event.seq)
        FROM events AS event WHERE event.campaign_id = its.campaign AND event.seq >= its.seen_size) THEN
        SELECT count(*) INTO arrived FROM events AS event JOIN unnest(given) AS wanted
            ON event.campaign_id = wanted.campaign_id AND event.seq = wanted.seq WHERE event = wanted;
        RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'events', DETAIL = arrived;
    END IF;

    INSERT INTO commands (campaign_id, key, digest, first_seq, last_seq, first_entry, last_entry)
        VALUES (its.campaign, its.key, its.digest,
            its.seen_size, its.size - 1, its.seen_entries + 1, its.entries) ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS arrived = ROW_COUNT;
    IF NOT EXISTS (SELECT FROM commands WHERE campaign_id = its.campaign AND key = its.key
        AND digest = its.digest AND first_seq = its.seen_size AND last_seq = its.size - 1
        AND first_entry = its.seen_entries + 1 AND last_entry = its.entries) THEN
        IF its.is_undecided AND arrived = 0 AND EXISTS (
            SELECT FROM commands WHERE campaign_id = its.campaign AND key = its.key) THEN
            RAISE EXCEPTION 'the command is there' USING ERRCODE = 'AR001';
        END IF;
        RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'commands', DETAIL = 0;
    END IF;
"""
_INSERTED = """
    IF {piece} IS NOT NULL THEN
        INSERT INTO {table}
            SELECT * FROM json_populate_recordset(NULL::{table}, {piece});
        GET DIAGNOSTICS arrived = ROW_COUNT;
        IF arrived <> json_array_length({piece}) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = '{table}', DETAIL = arrived;
        END IF;
    END IF;
"""
# Row by row, each by its key: a join might read the whole board.
_UPDATED = """
    IF {piece} IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::{table}, {piece}) LOOP
            UPDATE {table}
                SET {changed}
                WHERE {key};
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length({piece}) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = '{table}', DETAIL = arrived;
        END IF;
    END IF;
"""
_END = """
    IF NOT EXISTS (SELECT FROM heads WHERE campaign_id = its.campaign AND size = its.size
        AND heads.entries = its.entries AND heads.leaf = its.leaf AND heads.frontier = its.frontier) THEN
        RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'heads', DETAIL = 0;
    END IF;
    RETURN true;
END
"""


def _updated(piece: str, columns: tuple[str, ...]) -> str:
    table = piece.rpartition("_")[0]
    key = [column.name for column in schema.metadata.tables[table].primary_key]
    return _UPDATED.format(
        piece=piece,
        table=table,
        changed=",\n                    ".join(f'"{name}" = new."{name}"' for name in columns),
        key=" AND ".join(f"{name} = new.{name}" for name in key),
    )


def source() -> str:
    """The body of the function, in PL/pgSQL."""
    inserted = (_INSERTED.format(piece=f"{table}_new", table=table) for table in _NEW)
    return "".join((_HEAD, *inserted, *(_updated(*each) for each in _CHANGED.items()), _END))


def wording() -> str:
    """The CREATE statement of the function."""
    arguments = ",\n    ".join(ARGUMENTS)
    return (
        f"CREATE OR REPLACE FUNCTION {NAME}(\n    {arguments}\n) RETURNS boolean"
        f" LANGUAGE plpgsql AS $function${source()}$function$"
    )
