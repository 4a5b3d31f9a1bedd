"""Logs as Parquet: a row group a campaign, ten campaigns a file, nobody's name unless it is asked for."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from cli_arbitrator import Arbitrator
from cli_reports import GANGS

from tracker.analytics import event_files
from tracker.campaign import evolve
from tracker.campaign.state import CampaignState
from tracker.log.codec import Codec
from tracker.log.store import StoredEvent
from tracker.records import replace
from tracker.service.application import Tracker

PLAYER, ARBITER, DISPUTER = "Zebulon Quux", "Wilhelmina Frost", "Quirinus"


def bodies(file: Path) -> list[bytes]:
    return pyarrow.parquet.read_table(file)["body"].to_pylist()


def state_of(file: Path) -> CampaignState:
    rows = pyarrow.parquet.read_table(file).to_pylist()
    codec = Codec()
    stored = [
        StoredEvent(row["seq"], row["entry"], row["slot"], row["type"], row["body"], b"") for row in rows
    ]
    return evolve.fold(CampaignState(), [codec.read(event, 1).event for event in stored])


def without_players(state: CampaignState) -> CampaignState:
    gangs = {name: replace(gang, player="") for name, gang in state.gangs.items()}
    disputes = {number: replace(dispute, raised_by="") for number, dispute in state.disputes.items()}
    return replace(state, gangs=gangs, disputes=disputes)


@pytest.fixture
def named(empty: Arbitrator) -> Arbitrator:
    """A campaign in which people's names stand wherever they can."""
    empty.done("--as", ARBITER, "campaign", "new", "Ash Wastes")
    sheet = (GANGS / "iron-skulls.yaml").read_text().replace("player: Dana", f"player: {PLAYER}")
    sheet = sheet.replace("gang-sheet/1", "gang-sheet/2").replace(
        "fighters:\n", f"brought_from: the notebook of {PLAYER}\nso_far: {{battles: 2}}\nfighters:\n", 1
    )
    empty.done("--as", ARBITER, "gang", "add", empty.write(sheet))
    retire = ("fighter", "retire", "pip", "--reason", f"{DISPUTER} and {PLAYER.upper()} say so")
    empty.done("--as", ARBITER, *retire)
    empty.done("--as", PLAYER, "dispute", "open", "3", "--by", DISPUTER, "--reason", f"{ARBITER}'s mistake")
    return empty


def test_of_those_who_play_nothing_is_in_the_file(named: Arbitrator, tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    named.done("campaign", "export", str(file), "--parquet")
    everything = b"\n".join(bodies(file)).decode().casefold()
    for name in (PLAYER, ARBITER, DISPUTER):
        assert name.casefold() not in everything
    assert "krug the anvil" in everything
    events = [json.loads(body) for body in bodies(file)]
    assert {event["actor"] for event in events} == {"player-1", "player-2"}
    assert {event["prev"] for event in events} == {"0" * 64}
    assert all("sent" not in event["data"] for event in events)
    (reason,) = [event["data"]["reason"] for event in events if event["type"] == "FighterRetired"]
    assert reason == "player-3 and player-2 say so"


def test_but_for_those_names_it_is_the_same_campaign(named: Arbitrator, tmp_path: Path) -> None:
    for name, options in (("with", ("--names",)), ("without", ())):
        named.done("campaign", "export", str(tmp_path / name), "--parquet", *options)
    with_names, without = state_of(tmp_path / "with"), state_of(tmp_path / "without")
    assert with_names.gangs["iron-skulls"].player == PLAYER
    assert without.gangs["iron-skulls"].player.startswith("player-")
    (left,), (kept,) = without.gangs.values(), with_names.gangs.values()
    assert (left.brought.source, kept.brought.source) == (
        f"the notebook of {left.player}",
        f"the notebook of {PLAYER}",
    )
    assert replace(left, player=PLAYER, brought=kept.brought) == kept


def test_with_names_the_bodies_are_those_that_were_sealed(season: Arbitrator, tmp_path: Path) -> None:
    file = tmp_path / "sealed.parquet"
    season.done("campaign", "export", str(file), "--parquet", "--names")
    prev = sha256(b"").hexdigest()
    for body in bodies(file):
        assert json.loads(body)["prev"] == prev
        prev = sha256(b"\x00" + body).hexdigest()
    assert prev == season.head["head"]


def test_the_state_is_that_of_the_campaign(season: Arbitrator, tmp_path: Path) -> None:
    file = tmp_path / "season.parquet"
    season.done("campaign", "export", str(file), "--parquet")
    tracker = Tracker(f"sqlite:///{season.file}", actor="reader")
    state = tracker.boards.state_at(tracker.directory.campaign_id("ash-wastes"))
    tracker.close()
    assert without_players(state_of(file)) == without_players(state)


@pytest.fixture
def host(season: Arbitrator) -> Arbitrator:
    for number in range(11):
        season.done("campaign", "new", f"Campaign {number}")
    return season


def export(host: Arbitrator, folder: Path) -> dict[str, Any]:
    return host.read("host", "export", "--parquet", str(folder))


def test_ten_campaigns_are_a_file_and_each_is_a_row_group(host: Arbitrator, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    said = export(host, folder)
    assert said["written"] == ["campaigns-00001.parquet", "campaigns-00002.parquet"]
    assert (said["campaigns"], said["names"]) == (12, False)
    found = []
    for file, groups in zip(sorted(folder.iterdir()), (10, 2), strict=True):
        parquet = pyarrow.parquet.ParquetFile(file)
        assert parquet.metadata.num_row_groups == groups
        for group in range(groups):
            assert parquet.metadata.row_group(group).column(5).compression == "ZSTD"
            rows = parquet.read_row_group(group).to_pylist()
            assert [row["seq"] for row in rows] == [*range(len(rows))]
            found += [{row["campaign"] for row in rows}]
        assert pyarrow.types.is_dictionary(parquet.schema_arrow.field("type").type)
        assert parquet.schema_arrow.field("body").type == pyarrow.binary()
    assert all(len(campaigns) == 1 for campaigns in found)
    assert len(set.union(*found)) == 12
    assert pyarrow.parquet.read_table(folder).num_rows == said["events"]


def test_an_export_goes_on_where_it_stopped_and_writes_what_changed(host: Arbitrator, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    export(host, folder)
    first, second = sorted(folder.iterdir())
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in (first, second)}
    assert export(host, folder)["kept"] == 2
    # Stopped in the middle: half a file under a name of its own, the second not there yet.
    (folder / ".campaigns-00002.parquet.1.unfinished").write_bytes(second.read_bytes()[:200])
    second.unlink()
    said = export(host, folder)
    assert (said["written"], said["kept"]) == ([second.name], 1)
    assert second.read_bytes() == before[second][0]
    assert first.stat().st_mtime_ns == before[first][1]
    assert sorted(folder.iterdir()) == [first, second]
    # Somebody cut a file off, and one campaign goes on.
    first.write_bytes(before[first][0][:-50])
    host.done("campaign", "new", "One More")
    assert export(host, folder)["written"] == [first.name, second.name]
    assert first.read_bytes() == before[first][0]


def test_files_of_somebody_else_in_the_folder_stay(host: Arbitrator, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "campaigns-00009.parquet").write_text("mine")
    export(host, folder)
    assert (folder / "campaigns-00009.parquet").read_text() == "mine"


def test_a_damaged_log_is_not_written_and_leaves_no_file(season: Arbitrator, tmp_path: Path) -> None:
    with closing(sqlite3.connect(season.file)) as connection, connection:
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute("UPDATE events SET body = CAST(body || ' ' AS BLOB) WHERE seq = 5")
    folder = tmp_path / "all"
    assert season("host", "export", "--parquet", str(folder)).code == 4
    assert [*folder.iterdir()] == []


def test_a_file_that_is_there_is_never_written_over(season: Arbitrator, tmp_path: Path) -> None:
    file = tmp_path / "mine.parquet"
    file.write_text("mine")
    season.refused(2, "campaign", "export", str(file), "--parquet")
    assert file.read_text() == "mine"
    assert "--parquet" in season("campaign", "export", str(tmp_path / "a.zip"), "--names").err


def test_without_the_packages_it_says_what_to_install(
    season: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(event_files, "import_module", missing)
    said = season.refused(2, "campaign", "export", str(tmp_path / "a.parquet"), "--parquet")
    assert "campaign-tracker[analytics]" in said
