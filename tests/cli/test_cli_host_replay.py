"""All campaigns played again: from files of events, and under other house rules."""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest
from cli_arbitrator import Arbitrator

from tracker.analytics.exported_log import ExportedLog
from tracker.campaign.members import as_dict
from tracker.log.codec import HEADER
from tracker.log.reader import INFORMATIONAL
from tracker.log.store import StoredEvent
from tracker.service.application import Tracker


@pytest.fixture
def host(season: Arbitrator) -> Arbitrator:
    """Ash Wastes after two battles, and a campaign in which nothing was played yet."""
    season.done("campaign", "new", "Quiet Coast")
    season.done("campaign", "use", "ash-wastes")
    return season


def replayed(table: Arbitrator, folder: Path, *options: str) -> dict[str, dict[str, Any]]:
    table.done("host", "export", "--parquet", str(folder), *options)
    return {row["name"]: row for row in table.read("host", "replay", str(folder))["campaigns"]}


def digest_here(table: Arbitrator) -> str:
    tracker = Tracker(f"sqlite:///{table.file}", actor="reader")
    state = tracker.boards.state_at(tracker.directory.campaign_id("ash-wastes"))
    tracker.close()
    return hashlib.sha256(msgspec.json.encode(state, enc_hook=as_dict, order="sorted")).hexdigest()


def test_events_with_names_add_up_to_the_campaigns_own_state(host: Arbitrator, tmp_path: Path) -> None:
    found = replayed(host, tmp_path / "all", "--names")
    ash = found["Ash Wastes"]
    assert ash["state"] == digest_here(host)
    rows = host.roster().values()
    assert (ash["battles"], ash["fighters"]) == (2, len(rows))
    assert ash["dead"] == sum(row["standing"] == "dead" for row in rows)
    assert (ash["events"], ash["entries"]) == (host.head["events"], host.head["entries"])
    assert found["Quiet Coast"]["battles"] == 0


def test_so_do_those_of_a_campaign_with_rulings(host: Arbitrator, tmp_path: Path) -> None:
    host.done("rollback", "rule", "--battle", "b2", "--reason", "wrong rules", *host.seen())
    assert replayed(host, tmp_path / "all", "--names")["Ash Wastes"]["state"] == digest_here(host)


def test_the_same_events_give_the_same_state_wherever_they_lie(host: Arbitrator, tmp_path: Path) -> None:
    assert replayed(host, tmp_path / "one") == replayed(host, tmp_path / "two")
    first = tmp_path / "one" / "campaigns-00001.parquet"
    assert pyarrow.parquet.ParquetFile(first).metadata.num_row_groups == 2


def test_all_seasons_are_decided_again_as_each_is_alone_and_nothing_is_written(host: Arbitrator) -> None:
    before = host.contents()
    one = host.read("policy", "what-if", "one-lasting-injury-roll")
    found = {
        row["campaign"]: row for row in host.read("host", "what-if", "one-lasting-injury-roll")["campaigns"]
    }
    assert found["ash-wastes"]["changed"] == sum(slot["result"] == "changed" for slot in one["slots"])
    assert found["ash-wastes"]["refused"] == ""
    assert found["ash-wastes"]["before"]["dead"] == sum(
        row["standing"] == "dead" for row in host.roster().values()
    )
    assert "no battle" in found["quiet-coast"]["refused"]
    shown = host.done("host", "what-if", "one-lasting-injury-roll").out
    assert "Nothing is written" in shown
    assert "quiet-coast: There is no battle" in shown
    assert host.contents() == before


@pytest.mark.parametrize("names", [(), ("--names",)], ids=["pseudonyms", "names"])
def test_files_are_decided_again_as_the_database_is(
    host: Arbitrator, names: tuple[str, ...], tmp_path: Path
) -> None:
    host.done("rollback", "rule", "--battle", "b2", "--reason", "wrong rules", *host.seen())
    host.done("policy", "adopt", "templates-spill", "--from-battle", "2", "--reason", "vote")
    host.done("host", "export", "--parquet", str(tmp_path / "all"), *names)
    for asked in (["one-lasting-injury-roll"], ["--without", "templates-spill", "--from-battle", "2"]):
        here = host.read("host", "what-if", *asked)
        assert host.read("host", "what-if", *asked, "--in", str(tmp_path / "all")) == here
        assert any(row["before"] for row in here["campaigns"]) or "without" in str(asked)


def test_what_no_file_can_answer_is_refused(host: Arbitrator, tmp_path: Path) -> None:
    assert "--in DIR" in host("host", "what-if", "one-lasting-injury-roll", "--spark").err
    rule = ("host", "what-if", "one-lasting-injury-roll", "--in", str(tmp_path))
    assert "holds no files of events" in host.refused(2, *rule)


def test_an_exported_log_reads_as_the_database_does(host: Arbitrator, tmp_path: Path) -> None:
    host.done("rollback", "rule", "--battle", "b2", "--reason", "wrong rules", *host.seen())
    file = tmp_path / "sealed.parquet"
    host.done("campaign", "export", str(file), "--parquet", "--names")
    rows = pyarrow.parquet.read_table(file).drop_columns(["campaign"]).to_pylist()
    exported = ExportedLog([StoredEvent(**row, leaf=b"") for row in rows])
    tracker = Tracker(f"sqlite:///{host.file}", actor="reader")
    store, campaign = tracker.repository.store, tracker.directory.campaign_id("ash-wastes")
    entries = exported.entries
    refilled = exported.refilled_slots(campaign)
    assert refilled
    assert entries == store.head(campaign).entries
    for read in (
        lambda log: log.read(campaign, first_seq=3, last_seq=30),
        lambda log: log.read_slots(campaign),
        lambda log: log.read_slots(campaign, after_slot=4, through_entry=entries - 1),
        lambda log: log.read_slots(campaign, unread=INFORMATIONAL),
        *(lambda log, slot=slot: log.read_slot(campaign, slot) for slot in range(entries + 2)),
        lambda log: log.read_slot(campaign, refilled[0], through_entry=entries - 1),
        *(lambda log, entry=entry: log.read_entry(campaign, entry) for entry in range(entries + 2)),
    ):
        assert [event._replace(leaf=b"") for event in read(store)] == [*read(exported)]
    for read in (
        lambda log: log.headers_backwards(campaign, HEADER),
        lambda log: log.refilled_slots(campaign),
        lambda log: log.refilled_slots(campaign, through_entry=entries - 1),
    ):
        assert [*read(store)] == [*read(exported)]
    tracker.close()


def test_a_house_rule_must_be_named(host: Arbitrator) -> None:
    assert "Name a house rule" in host("host", "what-if").err
    host.refused(2, "host", "what-if", "no-such-rule")
