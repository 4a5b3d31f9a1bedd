"""PostgreSQL takes a whole append as one call: a function that locks the head, compares, and writes or not.

It has no more rights than who calls it, and the guards stand on the tables. SQLite needs none. Frozen: it
imports nothing of `tracker`, so that what it makes stays what it made.
"""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

WORDING = """\
CREATE OR REPLACE FUNCTION append_entry(
    about json,
    events_new json,
    board_entries_new json DEFAULT NULL::json,
    board_gangs_new json DEFAULT NULL::json,
    board_fighters_new json DEFAULT NULL::json,
    board_battles_new json DEFAULT NULL::json,
    board_disputes_new json DEFAULT NULL::json,
    board_gangs_changed json DEFAULT NULL::json,
    board_gangs_moved json DEFAULT NULL::json,
    board_fighters_changed json DEFAULT NULL::json,
    board_fighters_moved json DEFAULT NULL::json,
    board_battles_changed json DEFAULT NULL::json,
    board_battles_moved json DEFAULT NULL::json,
    board_disputes_changed json DEFAULT NULL::json
) RETURNS boolean LANGUAGE plpgsql AS $function$
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

    IF board_entries_new IS NOT NULL THEN
        INSERT INTO board_entries
            SELECT * FROM json_populate_recordset(NULL::board_entries, board_entries_new);
        GET DIAGNOSTICS arrived = ROW_COUNT;
        IF arrived <> json_array_length(board_entries_new) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_entries', DETAIL = arrived;
        END IF;
    END IF;

    IF board_gangs_new IS NOT NULL THEN
        INSERT INTO board_gangs
            SELECT * FROM json_populate_recordset(NULL::board_gangs, board_gangs_new);
        GET DIAGNOSTICS arrived = ROW_COUNT;
        IF arrived <> json_array_length(board_gangs_new) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_gangs', DETAIL = arrived;
        END IF;
    END IF;

    IF board_fighters_new IS NOT NULL THEN
        INSERT INTO board_fighters
            SELECT * FROM json_populate_recordset(NULL::board_fighters, board_fighters_new);
        GET DIAGNOSTICS arrived = ROW_COUNT;
        IF arrived <> json_array_length(board_fighters_new) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_fighters', DETAIL = arrived;
        END IF;
    END IF;

    IF board_battles_new IS NOT NULL THEN
        INSERT INTO board_battles
            SELECT * FROM json_populate_recordset(NULL::board_battles, board_battles_new);
        GET DIAGNOSTICS arrived = ROW_COUNT;
        IF arrived <> json_array_length(board_battles_new) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_battles', DETAIL = arrived;
        END IF;
    END IF;

    IF board_disputes_new IS NOT NULL THEN
        INSERT INTO board_disputes
            SELECT * FROM json_populate_recordset(NULL::board_disputes, board_disputes_new);
        GET DIAGNOSTICS arrived = ROW_COUNT;
        IF arrived <> json_array_length(board_disputes_new) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_disputes', DETAIL = arrived;
        END IF;
    END IF;

    IF board_gangs_changed IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_gangs, board_gangs_changed) LOOP
            UPDATE board_gangs
                SET "row" = new."row"
                WHERE campaign_id = new.campaign_id AND gang_id = new.gang_id;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_gangs_changed) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_gangs', DETAIL = arrived;
        END IF;
    END IF;

    IF board_gangs_moved IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_gangs, board_gangs_moved) LOOP
            UPDATE board_gangs
                SET "position" = new."position",
                    "row" = new."row"
                WHERE campaign_id = new.campaign_id AND gang_id = new.gang_id;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_gangs_moved) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_gangs', DETAIL = arrived;
        END IF;
    END IF;

    IF board_fighters_changed IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_fighters, board_fighters_changed) LOOP
            UPDATE board_fighters
                SET "status" = new."status",
                    "xp" = new."xp",
                    "row" = new."row"
                WHERE campaign_id = new.campaign_id AND fighter_id = new.fighter_id;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_fighters_changed) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_fighters', DETAIL = arrived;
        END IF;
    END IF;

    IF board_fighters_moved IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_fighters, board_fighters_moved) LOOP
            UPDATE board_fighters
                SET "gang_id" = new."gang_id",
                    "position" = new."position",
                    "status" = new."status",
                    "xp" = new."xp",
                    "gone" = new."gone",
                    "row" = new."row"
                WHERE campaign_id = new.campaign_id AND fighter_id = new.fighter_id;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_fighters_moved) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_fighters', DETAIL = arrived;
        END IF;
    END IF;

    IF board_battles_changed IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_battles, board_battles_changed) LOOP
            UPDATE board_battles
                SET "row" = new."row"
                WHERE campaign_id = new.campaign_id AND battle_id = new.battle_id;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_battles_changed) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_battles', DETAIL = arrived;
        END IF;
    END IF;

    IF board_battles_moved IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_battles, board_battles_moved) LOOP
            UPDATE board_battles
                SET "number" = new."number",
                    "slot" = new."slot",
                    "row" = new."row"
                WHERE campaign_id = new.campaign_id AND battle_id = new.battle_id;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_battles_moved) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_battles', DETAIL = arrived;
        END IF;
    END IF;

    IF board_disputes_changed IS NOT NULL THEN
        arrived := 0;
        FOR new IN SELECT *
            FROM json_populate_recordset(NULL::board_disputes, board_disputes_changed) LOOP
            UPDATE board_disputes
                SET "row" = new."row"
                WHERE campaign_id = new.campaign_id AND dispute = new.dispute;
            IF FOUND THEN arrived := arrived + 1; END IF;
        END LOOP;
        IF arrived <> json_array_length(board_disputes_changed) THEN
            RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'board_disputes', DETAIL = arrived;
        END IF;
    END IF;

    IF NOT EXISTS (SELECT FROM heads WHERE campaign_id = its.campaign AND size = its.size
        AND heads.entries = its.entries AND heads.leaf = its.leaf AND heads.frontier = its.frontier) THEN
        RAISE EXCEPTION 'not written' USING ERRCODE = 'AR002', TABLE = 'heads', DETAIL = 0;
    END IF;
    RETURN true;
END
$function$"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(WORDING)


def downgrade() -> None:
    raise NotImplementedError("A log is never taken back; restore a backup instead.")
