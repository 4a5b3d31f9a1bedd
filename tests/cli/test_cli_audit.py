"""Audit through the command line: every kind of tampering is named where it was done, and leaves with code 4."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import resealing
from cli_arbitrator import Arbitrator
from tables import every

from tracker.log import segments
from tracker.log.sealing import Head, seal
from tracker.records import replace

SEQ = 44
"""An event in the middle: what became of Quill in entry 10."""


@pytest.fixture(scope="module")
def _ruled(_played: dict[int, Path], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    season = Arbitrator(tmp_path_factory.mktemp("ruled"))
    season.file.write_bytes(_played[2].read_bytes())
    season.done("dispute", "open", "10.8", "--by", "Robin", "--reason", "cocked die", "--rule", "Core · Dice")
    season.done("dispute", "rule", "13", "--faces", "4-1", "--reason", "it was a 4-1", *season.seen())
    season.done("policy", "adopt", "one-lasting-injury-roll@1", "--reason", "voted")
    assert season.read("audit", "verify")["ok"] is True
    return season.contents()


@pytest.fixture
def ruled(empty: Arbitrator, _ruled: bytes) -> Arbitrator:
    """After a ruling (entry 14) that decided entry 10 again, and a house rule from battle 3 on (entry 15)."""
    empty.file.write_bytes(_ruled)
    return empty


def intrude(table: Arbitrator, *statements: str, **values: Any) -> None:
    """Run SQL as somebody who owns the file, takes the guards off first and puts them back after."""
    with closing(sqlite3.connect(table.file)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement, values)
        for _, sql in guards:
            connection.execute(sql)
        connection.commit()


def found(table: Arbitrator) -> dict[str, Any]:
    """What the audit says of a file that somebody changed."""
    before = table.contents()
    ran = table("audit", "verify", "--json")
    assert (ran.code, ran.err) == (4, "")
    assert table.contents() == before
    words = table("audit", "verify")
    assert words.code == 4
    assert "DAMAGED" in words.out or "WRONG" in words.out or "UNREADABLE" in words.out
    return ran.json


# --- what the bytes and the chain show -------------------------------------------------------------------

SWAP = (
    "UPDATE events SET body = (SELECT body FROM events AS other WHERE other.seq = 45),"
    " leaf = (SELECT leaf FROM events AS other WHERE other.seq = 45) WHERE seq = 44"
)


@pytest.mark.parametrize(
    ("statements", "seq", "kind"),
    [
        (["UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '\"wounds_left\":0', '\"wounds_left\":1') AS BLOB) WHERE seq = 44"], 44, "leaf"),
        (["UPDATE events SET leaf = zeroblob(32) WHERE seq = 44"], 44, "leaf"),
        (["UPDATE events SET type = 'RollMade' WHERE seq = 44"], 44, "column"),
        (["UPDATE events SET event_id = 'x' WHERE seq = 44"], 44, "column"),
        (["UPDATE events SET slot = 9 WHERE seq = 44"], 44, "column"),
        (["UPDATE events SET entry = 11 WHERE seq = 44"], 44, "column"),
        (["DELETE FROM events WHERE seq = 44"], 44, "gap"),
        (["DELETE FROM events WHERE seq = 0"], 0, "gap"),
        ([SWAP], 44, "chain"),
        (
            [
                "UPDATE events SET seq = seq + 1000 WHERE seq >= 44",
                "UPDATE events SET seq = seq - 999 WHERE seq >= 1000",
                "INSERT INTO events SELECT campaign_id, 44, entry, slot, type, 'new', body, leaf FROM events WHERE seq = 43",
            ],
            44,
            "chain",
        ),
        (["DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)"], "last", "tail"),
        (["UPDATE heads SET size = size - 1"], "head", "head"),
        (["UPDATE heads SET entries = entries + 1"], None, "head"),
        (["UPDATE heads SET leaf = zeroblob(32)"], None, "head"),
        (["DELETE FROM heads"], None, "head"),
    ],
    ids=[
        "a changed byte", "a changed hash", "another type", "another id", "another slot", "another entry",
        "a deleted row", "the first row deleted", "two rows swapped", "an inserted row", "a cut tail",
        "a shorter head", "a head with other entries", "a head with another leaf", "no head",
    ],
)  # fmt: skip
def test_tampering_with_the_log_is_found_at_the_exact_event(
    ruled: Arbitrator, statements: list[str], seq: Any, kind: str
) -> None:
    last = ruled.head["events"] - 1
    intrude(ruled, *statements)
    ran = ruled("audit", "verify", "--json")
    if seq == "head":  # its frontier counts otherwise than itself: nothing that begins at the head can go on
        assert ran.code == 4
        return
    fault = found(ruled)["fault"]
    assert (fault["seq"], fault["kind"]) == (last if seq == "last" else seq, kind)


# --- what only deciding again shows: every hash was made anew --------------------------------------------


def forge(table: Arbitrator, change: Callable[[dict[str, Any]], None]) -> None:
    """Change events and make every hash after them anew, the head's as well."""
    with closing(sqlite3.connect(table.file)) as connection:
        rows = connection.execute("SELECT campaign_id, body FROM events ORDER BY seq").fetchall()
    campaign = rows[0][0]
    drafts = []
    for _, body in rows:
        envelope = json.loads(body)
        change(envelope)
        drafts.append(resealing.unsealed(envelope, causation=envelope["causation"]))
    sealed, head = seal(Head(campaign=campaign), drafts)
    with closing(sqlite3.connect(table.file)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM events")
        resealing.insert(connection, sealed)
        connection.execute(
            "UPDATE heads SET leaf = ?, frontier = ?", (sealed[-1].leaf, head.frontier.to_bytes())
        )
        for _, sql in guards:
            connection.execute(sql)
        connection.commit()


def at(address: str, change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    """A change of one event, by its address."""
    seen: dict[int, int] = {}

    def changed(envelope: dict[str, Any]) -> None:
        entry = envelope["entry"]
        seen[entry] = seen.get(entry, 0) + 1
        if f"{entry}.{seen[entry]}" == address:
            change(envelope)

    return changed


def put(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """A change of an event's data."""
    return lambda envelope: envelope["data"].update(fields)


@pytest.mark.parametrize(
    ("address", "change", "entry"),
    [
        ("7.2", put(amount=20), 7),  # XP that nobody awarded
        ("6.3", put(amount=5), 6),
        ("10.2", put(passed=False), 10),  # of an entry that a ruling struck out since
        ("10.9", put(injury="out_cold", name="Out Cold"), 10),
        ("14.10", put(outcome="Out Cold"), 14),  # of what a ruling decided again
        ("12.2", put(winner="rust-saints"), 12),
        ("8.2", put(winner=None, drawn=True), 8),
        ("15.2", put(from_battle=1), 15),
    ],
)
def test_a_result_that_its_dice_do_not_give_is_named_though_every_hash_fits(
    ruled: Arbitrator, address: str, change: Callable[[dict[str, Any]], None], entry: int
) -> None:
    forge(ruled, at(address, change))
    audit = found(ruled)
    assert audit["fault"] is None
    assert (audit["drifted"][0]["entry"], audit["drifted"][0]["event"]) == (entry, address)


def test_an_entry_stamped_with_a_house_rule_that_did_not_hold_is_named(ruled: Arbitrator) -> None:
    def stamp(envelope: dict[str, Any]) -> None:
        if envelope["entry"] == 7:
            envelope["policy"]["version"] += " + templates-spill@1"

    forge(ruled, stamp)
    audit = found(ruled)["drifted"]
    assert [(row["entry"], row["event"]) for row in audit] == [(7, "7.1")]
    assert "in force was necromunda_2023@1" in audit[0]["why"]


def test_another_die_in_a_header_is_named_with_what_it_would_have_given(ruled: Arbitrator) -> None:
    def other_die(envelope: dict[str, Any]) -> None:
        envelope["data"]["dice"][0]["faces"] = [1]

    forge(ruled, at("11.1", other_die))
    (first, *_) = found(ruled)["drifted"]
    assert first["entry"] == 11


def test_an_event_nobody_knows_stops_the_audit_with_its_name(ruled: Arbitrator) -> None:
    forge(ruled, at("7.2", lambda envelope: envelope.update(type="ManaGained")))
    said = ruled("audit", "verify")
    assert said.code == 4
    assert "UNREADABLE" in said.out
    assert "ManaGained" in said.out


def test_a_log_that_nobody_touched_is_not_accused(ruled: Arbitrator) -> None:
    forge(ruled, lambda _: None)
    assert ruled.read("audit", "verify")["ok"] is True


# --- what rests on the log -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("UPDATE board_fighters SET row = replace(row, '\"experience\":2', '\"experience\":9') WHERE fighter_id = 'hob'", "fighters hob"),
        ("UPDATE board_fighters SET status = 'dead' WHERE fighter_id = 'hob'", "fighters hob"),
        ("DELETE FROM board_entries WHERE entry = 10", "entries 10"),
        ("UPDATE board_disputes SET row = replace(row, 'Robin', 'Nobody')", "disputes 13"),
        ("UPDATE board_battles SET number = 7 WHERE battle_id = 'b1'", "battles b1"),
        ("UPDATE board_entries SET fighters = '[]' WHERE entry = 9", "entries 9 9: column fighters is '[]'"),
        ("UPDATE board_entries SET struck_by = 12 WHERE entry = 8", "entries 8 8: column struck_by is 12"),
        ("UPDATE board_fighters SET gone = 1 WHERE fighter_id = 'hob'", "fighters hob: column gone is 1"),
        ("INSERT INTO board_gangs SELECT campaign_id, 'ghosts', 9, row FROM board_gangs WHERE gang_id = 'rust-saints'", "gangs ghosts"),
    ],
)  # fmt: skip
def test_a_changed_board_is_named_by_its_row_and_made_again(
    ruled: Arbitrator, statement: str, names: str
) -> None:
    before = ruled.roster()
    intrude(ruled, statement)
    audit = found(ruled)
    assert any(difference.startswith(names) for difference in audit["boards"])
    assert (audit["fault"], audit["drifted"], audit["commands"]) == (None, [], [])
    ruled.done("boards", "rebuild")
    assert ruled.read("audit", "verify")["ok"] is True
    assert ruled.roster() == before


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE snapshots SET body = CAST(replace(CAST(body AS TEXT), '\"enlisted\"', '\"dead\"') AS BLOB)", "the snapshot after entry 14"),
        ("UPDATE snapshots SET entry = 12", "the snapshot after entry 12"),
        ("UPDATE snapshots SET entry = 900", "the snapshot after entry 900"),
    ],
)  # fmt: skip
def test_a_changed_snapshot_is_named(ruled: Arbitrator, statement: str, says: str) -> None:
    intrude(ruled, statement)
    audit = found(ruled)
    assert audit["snapshots"][0].startswith(says)
    ruled.done("boards", "rebuild")
    assert ruled.read("audit", "verify")["ok"] is True


@pytest.fixture
def sealed(ruled: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """The same with its history in segments of five events and more."""
    monkeypatch.setattr(segments, "MOVING_EVENTS", 5)
    ruled.done("boards", "rebuild")
    return ruled


def test_a_deep_audit_makes_the_sealed_history_again(sealed: Arbitrator) -> None:
    assert "segments" not in sealed.read("audit", "verify")

    deep = sealed.read("audit", "verify", "--deep")

    assert deep["ok"] is True
    assert deep["segments"]["equal"] >= 3
    assert deep["segments"]["wrong"] == []
    made = f"segments   {deep['segments']['equal']} made again from the rows are equal"
    assert made in sealed.done("audit", "verify", "--deep").out.splitlines()


def test_sealed_history_that_says_otherwise_is_named_by_a_deep_audit_only(sealed: Arbitrator) -> None:
    with closing(sqlite3.connect(sealed.file)) as connection:
        campaign, body = connection.execute(
            "SELECT campaign_id, body FROM segments WHERE first_seq = 0"
        ).fetchone()
        forged = body.replace(b"Skulls", b"Saints")
        assert forged != body
        (about,) = connection.execute(
            f"SELECT {', '.join(segments.Segment.__struct_fields__)} FROM segments WHERE first_seq = 0"
        ).fetchall()
        segment = segments.Segment(**dict(zip(segments.Segment.__struct_fields__, about, strict=True)))
        segment = replace(segment, body_digest=sha256(forged).digest())
        digest = segments.digest_of(campaign, segment, segments.NOTHING_BEFORE)
        connection.execute("DELETE FROM segments WHERE first_seq > 0")
        connection.execute(
            "UPDATE segments SET body = ?, body_digest = ?, digest = ?", (forged, segment.body_digest, digest)
        )
        connection.commit()
    assert sealed.read("audit", "verify")["ok"] is True

    ran = sealed("audit", "verify", "--deep", "--json")

    assert ran.code == 4
    wrong = [f"the segment of events 0 to {segment.size - 1} differs from the rows"]
    assert json.loads(ran.out)["segments"] == {"equal": 0, "wrong": wrong}
    assert "'arbitrator boards rebuild' makes the segments anew" in sealed("audit", "verify", "--deep").out
    hashed = sealed("audit", "verify", "--bytes")
    assert hashed.code == 4
    assert "a replay of sealed history differs from the newest snapshot" in " ".join(hashed.out.split())
    sealed.done("boards", "rebuild")
    assert sealed.read("audit", "verify", "--deep")["ok"] is True
    assert sealed.read("audit", "verify", "--bytes")["ok"] is True


def test_bytes_alone_are_hashed_against_the_root(sealed: Arbitrator) -> None:
    whole = sealed.read("audit", "verify")

    hashed = sealed.read("audit", "verify", "--bytes")

    same = ("ok", "events", "entries", "root", "fault", "signed")
    assert {name: hashed[name] for name in same} == {name: whole[name] for name in same}
    assert hashed["state_as_in_snapshot"] is True
    words = sealed.done("audit", "verify", "--bytes").out
    assert "hash to their leaves, and the leaves to this root" in words
    assert "Nothing else was checked" in words


def test_a_byte_that_changed_is_found_by_hashing_alone(sealed: Arbitrator) -> None:
    intrude(sealed, f"UPDATE events SET body = zeroblob(9) WHERE seq = {SEQ}")

    ran = sealed("audit", "verify", "--bytes", "--json")

    assert ran.code == 4
    assert json.loads(ran.out)["fault"] == {
        "seq": SEQ, "kind": "leaf", "reason": "its bytes do not hash to its leaf",
    }  # fmt: skip
    assert f"DAMAGED at event {SEQ}" in sealed("audit", "verify", "--bytes").out


@pytest.mark.parametrize(
    "given",
    [
        ("--bytes", "--deep"),
        ("--bytes", "--noted", f"44:{'ab' * 32}"),
        ("--deep", "a.zip"),
        ("--bytes", "a.zip"),
    ],
)
def test_what_does_not_go_together_is_refused(given: tuple[str, ...], ruled: Arbitrator) -> None:
    assert ruled("audit", "verify", *given).code == 2


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM commands WHERE key = 'battle:b2'", "entry 9 has no command"),
        ("UPDATE commands SET last_entry = 11 WHERE key = 'battle:b2'", "command 'battle:b2' ends with"),
        ("UPDATE commands SET first_seq = first_seq + 1 WHERE key = 'battle:b2'", "command 'battle:b2' begins with"),
        ("UPDATE commands SET last_seq = last_seq - 1 WHERE key = 'battle:b1'", "command 'battle:b1' ends with"),
        ("UPDATE commands SET digest = 'whatever' WHERE key = 'battle:b1'", "command 'battle:b1' has no SHA-256"),
        (
            "UPDATE commands SET digest = replace(digest, substr(digest, 1, 1), char(97 + unicode(substr(digest, 1, 1)) % 6)) WHERE key = 'battle:b2'",
            "command 'battle:b2' has another digest than entry 9",
        ),
        ("UPDATE commands SET key = 'battle:b9' WHERE key = 'battle:b2'", "command 'battle:b9' stands for entry 9, which was sent under the key 'battle:b2'"),
        ("UPDATE commands SET key = 'ruling:13:1' WHERE key LIKE 'ruling:13:%'", "command 'ruling:13:1' stands for entry 14, which was sent under the key 'ruling:13:"),
        ("UPDATE commands SET key = 'confirm:2:robin' WHERE key = (SELECT key FROM commands WHERE first_entry = 13)", "command 'confirm:2:robin' stands for entry 13"),
        (
            "INSERT INTO commands SELECT campaign_id, 'battle:b9', digest, first_seq, last_seq, first_entry, last_entry FROM commands WHERE key = 'battle:b2'",
            "command 'battle:b9' stands for entry 9",
        ),
        (
            "INSERT INTO commands SELECT campaign_id, 'battle:b9', digest, 900, 901, 90, 90 FROM commands WHERE key = 'battle:b2'",
            "command 'battle:b9' stands for entry 90",
        ),
        (
            "INSERT INTO commands SELECT campaign_id, 'battle:b9', digest, -9, -8, -2, -2 FROM commands WHERE key = 'battle:b2'",
            "command 'battle:b9' stands for entry -2",
        ),
    ],
)  # fmt: skip
def test_a_changed_command_row_is_named_by_its_key(ruled: Arbitrator, statement: str, says: str) -> None:
    intrude(ruled, statement)
    audit = found(ruled)
    assert any(command.startswith(says) for command in audit["commands"]), audit["commands"]
    assert (audit["fault"], audit["drifted"], audit["boards"]) == (None, [], [])


# --- what only a root noted elsewhere shows --------------------------------------------------------------


def noted(table: Arbitrator) -> str:
    """What somebody writes down: how many events there are, and their root."""
    audit = table.read("audit", "verify")
    return f"{audit['events']}:{audit['root']}"


def test_a_log_that_grew_since_begins_with_what_was_noted(ruled: Arbitrator) -> None:
    before = noted(ruled)
    ruled.done("fighter", "rename", "krug", "--name", "Krugg")
    output = ruled.done("audit", "verify", "--noted", before, "--noted", noted(ruled)).out
    assert "noted      this log begins with what was noted" in output
    assert ruled.read("audit", "verify", "--noted", before)["noted"] == {"roots": 1, "wrong": []}


def test_a_log_written_anew_after_a_root_was_noted_is_found_in_that_window(ruled: Arbitrator) -> None:
    early = noted(ruled)
    ruled.done("fighter", "rename", "krug", "--name", "Krugg")
    late = noted(ruled)
    last = ruled.head["entries"]
    another = "0190a000-0000-7000-8000-000000000001"
    forge(ruled, at(f"{last}.1", lambda envelope: envelope.update(id=another)))
    assert ruled.read("audit", "verify", "--noted", early)["ok"] is True
    ran = ruled("audit", "verify", "--noted", early, "--noted", late)
    assert ran.code == 4
    assert f"WRONG: the first {late.partition(':')[0]} events are not those" in ran.out


def test_an_end_cut_off_with_its_head_is_found_by_who_noted_it(ruled: Arbitrator) -> None:
    backup = ruled.contents()
    ruled.done("fighter", "rename", "krug", "--name", "Krugg")
    after = noted(ruled)
    ruled.file.write_bytes(backup)
    assert ruled.read("audit", "verify")["ok"] is True
    listed = ruled("audit", "verify", "--noted", after, "--json")
    assert listed.code == 4
    assert listed.json["noted"]["wrong"][0].startswith(
        f"{after.partition(':')[0]} events were noted, and there are fewer"
    )


@every("given", ["", "44", "44:", "44:5e", f"x:{'5e' * 32}", f"44:{'5E' * 32}", f"-1:{'5e' * 32}"])
def test_what_is_no_noted_root_is_refused(ruled: Arbitrator, given: str) -> None:
    assert "EVENTS:ROOT" in ruled.refused(2, "audit", "verify", "--noted", given)


def test_guards_taken_off_are_named(ruled: Arbitrator) -> None:
    with closing(sqlite3.connect(ruled.file)) as connection:
        connection.execute("DROP TRIGGER events_no_delete")
        connection.commit()
    assert "events_no_delete" in str(found(ruled)["guards"])


# --- the report ------------------------------------------------------------------------------------------


def test_the_report_tells_every_dispute_and_ruling_of_the_season(ruled: Arbitrator) -> None:
    ruled.done("dispute", "open", "6.4", "--by", "Dana", "--reason", "nobody saw it")
    said = ruled.done("audit", "report").out
    assert said.startswith("ash-wastes: disputes and rulings\n")
    assert "2 disputes, 1 open" in said
    assert "Robin disputes 10.8: cocked die" in said
    assert "Rule cited: Core · Dice" in said
    assert "ruling on dispute 13: corrected, Lasting Injury roll 4-6 -> 4-1: it was a 4-1" in said
    assert "decided again: 1 entry (10)" in said
    assert "Dana disputes 6.4: nobody saw it" in said
    markdown = ruled.done("audit", "report", "--format", "md").out
    assert "## Rulings" in markdown
    assert "- Robin disputes 10.8: cocked die" in markdown
    audit = ruled.read("audit", "report")
    assert [(dispute["dispute"], dispute["status"]) for dispute in audit["disputes"]] == [
        (13, "corrected"),
        (16, "open"),
    ]
    (ruling,) = audit["rulings"]
    assert (ruling["entry"], ruling["slots"], ruling["taken_back"]) == (
        14,
        [{"slot": 10, "what": "decided_again", "reason": None}],
        False,
    )


def test_a_season_without_disputes_says_so(season: Arbitrator) -> None:
    said = season.done("audit", "report").out
    assert "0 disputes, 0 open" in said
    assert "0 rulings" in said


def test_a_ruling_that_was_taken_back_keeps_its_place(ruled: Arbitrator) -> None:
    ruled.done("rollback", "rule", "--ruling", "14", "--reason", "it was a 4-6 after all", *ruled.seen())
    audit = ruled.read("audit", "report")["rulings"]
    assert [(row["entry"], row["taken_back"]) for row in audit] == [(14, True), (16, False)]
    assert "(taken back)" in ruled.done("audit", "report").out
    assert ruled.read("audit", "verify")["ok"] is True
