"""Exports from afar: the files that the machine of the campaign would write, written here, byte for byte."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from afar import Afar
from cli_arbitrator import Arbitrator, Ran
from served import Club, Served


def both(
    afar: Afar, table: Arbitrator, monkeypatch: pytest.MonkeyPatch, *words: str, made: tuple[str, ...]
) -> tuple[Ran, Ran]:
    """What was printed there and here, the files being the same."""
    monkeypatch.chdir(afar.folder)
    there = afar(*words)
    assert there.code == 0, there.err
    contents = [Path(name).read_bytes() for name in made]
    for name in made:
        Path(name).unlink()
    monkeypatch.delenv("TRACKER_SERVICE")
    here = table(*words)
    assert [Path(name).read_bytes() for name in made] == contents
    return there, here


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (("campaign", "export", "ash.zip"), ("ash.zip",)),
        (("gang", "export", "iron-skulls", "--to", "skulls.yaml"), ("skulls.yaml",)),
        (("gang", "export", "iron-skulls", "--to", "skulls.csv", "--format", "csv"), ("skulls.csv",)),
        (("gang", "export", "iron-skulls"), ()),
    ],
    ids=" ".join,
)
def test_an_export_over_http_is_the_same_as_a_local_export(
    afar: Afar,
    table: Arbitrator,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    made: tuple[str, ...],
) -> None:
    there, here = both(afar, table, monkeypatch, *words, made=made)
    assert there == here


def test_a_workbook_comes_from_afar(afar: Afar) -> None:
    file = afar.folder / "skulls.xlsx"
    assert afar("gang", "export", "iron-skulls", "--format", "xlsx", "--to", str(file)).code == 0
    assert file.read_bytes().startswith(b"PK")


def test_a_file_that_is_there_is_left_alone(afar: Afar) -> None:
    file = afar.folder / "ash.zip"
    file.write_text("mine")
    ran = afar("campaign", "export", str(file))
    assert ran.code == 2
    assert file.read_text() == "mine"


def test_what_was_exported_from_afar_is_read_back(afar: Afar, table: Arbitrator, tmp_path: Path) -> None:
    file = afar.folder / "ash.zip"
    assert afar("campaign", "export", str(file)).code == 0
    elsewhere = tmp_path / "elsewhere.db"
    assert table("campaign", "import", str(file), db=str(elsewhere)).code == 0
    assert table("roster", "show", db=str(elsewhere)).out == table("roster", "show").out


def test_a_proof_comes_from_afar(
    afar: Afar, table: Arbitrator, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.done("audit", "key", "new", "--no-passphrase")
    table.done("audit", "checkpoint")
    there, here = both(
        afar, table, monkeypatch, "audit", "prove", "6.4", made=("6.4.tlog-proof", "6.4.tlog-proof.json")
    )
    assert there == here
    answer = served.get("/audit/proofs/6.4").json()
    assert answer["proof"] == Path("6.4.tlog-proof").read_text()
    assert json.loads(answer["body"])["entry"] == 6
    assert served.get("/audit/consistency?from=3").json()["old"] == 3
    assert served.get("/audit/proofs/6.4?out=x").status_code == 422


def test_no_service_writes_a_file_that_nobody_asked_for(afar: Afar, monkeypatch: pytest.MonkeyPatch) -> None:
    def malicious(*_given: Any, **_more: Any) -> tuple[int, Any]:
        held = base64.b64encode(b"x").decode()
        return 200, {"exit_code": 0, "out": "done\n", "files": {str(afar.folder / "profile"): held}}

    monkeypatch.setattr("tracker.cli.remote.connected", malicious)
    monkeypatch.chdir(afar.folder)
    for words in (("campaign", "export", "ash.zip"), ("roster", "show"), ("audit", "prove", "6.4")):
        ran = afar("-c", "ash-wastes", *words)
        assert ran.code == 2
        assert "nobody asked for" in ran.err
    assert not (afar.folder / "profile").exists()


def test_no_file_is_written_where_the_campaign_is_kept(
    afar: Afar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    assert afar("campaign", "export", str(afar.folder / "ash.zip")).code == 0
    assert list(there.iterdir()) == []


def test_a_table_of_events_is_for_the_machine(afar: Afar) -> None:
    ran = afar("campaign", "export", "ash.parquet", "--parquet")
    assert ran.code == 2
    assert "--parquet" in ran.err


def test_the_archive_is_a_request_too(served: Served, table: Arbitrator) -> None:
    answer = served.get("/archive")
    assert answer.headers["content-type"] == "application/zip"
    assert 'filename="ash-wastes.zip"' in answer.headers["content-disposition"]
    assert answer.headers["ETag"] == served.head()
    file = table.folder / "here.zip"
    table.done("campaign", "export", str(file))
    assert answer.content == file.read_bytes()


def test_members_alone_have_the_archive(club: Club) -> None:
    for name, status in (("Mara", 200), ("Dana", 200), ("Sol", 200), ("Nobody", 404)):
        assert club.ask(name, "GET", "/archive").status_code == status
    club.tracker.people.set_visibility(club.campaign, "public")
    assert club.ask("Nobody", "GET", "/archive").status_code == 403


def test_a_gang_is_exported_in_the_formats_of_others(served: Served) -> None:
    sheet = served.get("/gangs/iron-skulls/export").json()
    assert sheet["gang"] == "iron-skulls"
    other = served.get("/gangs/iron-skulls/export?format=yaktribe")
    assert other.status_code == 200, other.text
    table = served.get("/gangs/iron-skulls/export?format=csv", headers={"Accept": "text/plain"})
    assert "Krug the Anvil" in table.text
    assert served.get("/gangs/iron-skulls/export?to=x").status_code == 422
