"""`campaign export` and `campaign import`, as they are typed."""

import json
import shlex
import zipfile
from pathlib import Path

import forked
import pytest
from cli_arbitrator import ROOT, Arbitrator, Command, begin

SHIPPED = ROOT / "fixtures" / "archives" / "rust-row.zip"
"""An archive as the first version wrote it; never written over."""


@pytest.fixture
def archive(season: Arbitrator) -> str:
    """The season in a file."""
    file = str(season.folder / "ash.zip")
    season.done("campaign", "export", file)
    return file


@pytest.fixture
def other(tmp_path: Path) -> Arbitrator:
    """Another machine, where there is no database yet."""
    folder = tmp_path / "other"
    folder.mkdir()
    return Arbitrator(folder)


def test_a_season_goes_to_another_machine_and_every_page_is_the_same(
    season: Arbitrator, other: Arbitrator, archive: str
) -> None:
    taken = other.read("campaign", "import", archive)
    assert (taken["schema"], taken["was"], taken["called"]) == (
        "arbitrator/campaign-import/1",
        "new",
        "ash-wastes",
    )
    assert taken["taken"] == {"events": season.head["events"], "entries": season.head["entries"]}
    for words in (
        ("roster", "show"),
        ("standings", "show"),
        ("log", "show", "--all"),
        ("campaign", "show"),
        ("battle", "list"),
    ):
        assert other.done(*words).out == season.done(*words).out
    other.done("audit", "verify")
    again = str(other.folder / "again.zip")
    shown = other.read("campaign", "export", again)
    assert (shown["head"], shown["root"]) == (taken["head"], taken["root"])
    assert Path(again).read_bytes() == Path(archive).read_bytes()


@pytest.mark.usefixtures("wide")
def test_what_was_done_is_said_with_head_and_root(
    season: Arbitrator, other: Arbitrator, archive: str
) -> None:
    head = season.head
    said = other.done("campaign", "import", archive).out
    assert f"Imported Ash Wastes, {head['entries']} entries with {head['events']} events." in said
    assert head["head"] in said
    again = shlex.join(["arbitrator", "--db", str(other.file), "--campaign", "ash-wastes", "audit", "verify"])
    assert again in said
    assert "There was nothing to do" in other.done("campaign", "import", archive).out
    before = other.contents()
    assert other.read("campaign", "import", archive)["was"] == "same"
    assert other.contents() == before


def test_the_evenings_after_follow_and_a_copy_that_went_another_way_is_refused(
    season: Arbitrator, other: Arbitrator, archive: str
) -> None:
    award = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")
    other.done("campaign", "import", archive)
    season.done(*award)
    later = str(season.folder / "later.zip")
    season.done("campaign", "export", later)
    assert "it now has 1 entry with " in other.done("campaign", "import", later).out
    assert "is here already, with more than this archive" in other.done("campaign", "import", archive).out
    assert other.head == season.head
    other.done(*award)
    season.done("fighter", "rename", "krug", "--name", "Krugg")
    apart = str(season.folder / "apart.zip")
    season.done("campaign", "export", apart)
    refused = other.refused(2, "campaign", "import", apart)
    assert season.head["head"] in refused
    assert other.head["head"] in refused


def test_the_first_archive_is_read_for_ever(other: Arbitrator, tmp_path: Path) -> None:
    other.done("campaign", "import", str(SHIPPED))
    other.done("audit", "verify")
    other.done("campaign", "export", str(tmp_path / "again.zip"))
    assert (tmp_path / "again.zip").read_bytes() == SHIPPED.read_bytes()
    shown = other.read("campaign", "show")
    with zipfile.ZipFile(SHIPPED) as members:
        manifest = json.loads(members.read("manifest.json"))
    assert (shown["head"], shown["events"]) == (manifest["head"], manifest["events"])


def test_a_file_that_is_refused_makes_no_database(other: Arbitrator, archive: str) -> None:
    content = Path(archive).read_bytes()
    for bad in (content[:-30], content.replace(b"Krug", b"Grug"), b"", b"format: gang-sheet/2\n"):
        refused = other.refused(2, "campaign", "import", other.write(bad, name="bad.zip"))
        assert "is not a readable campaign archive" in refused
        assert not other.file.exists()
    assert "is not a readable campaign archive" in other.refused(
        2, "campaign", "import", str(other.folder / "nothing.zip")
    )


def test_an_export_overwrites_nothing_and_a_name_that_is_taken_is_said(
    season: Arbitrator, other: Arbitrator, archive: str
) -> None:
    assert "never overwrites" in season.refused(2, "campaign", "export", archive)
    begin(other)
    assert "Another campaign here is called 'ash-wastes'" in other.refused(2, "campaign", "import", archive)


def test_an_import_that_could_not_be_shown_says_what_was_recorded(archive: str, tmp_path: Path) -> None:
    there = Command(tmp_path / "there.db")
    words = ("campaign", "import", archive)
    ran = forked.command(words, there.environment(), redirected=">&-").ended()
    entries = Arbitrator(tmp_path).read("--db", str(there.file), "campaign", "show")["entries"]
    said = ran.stderr.decode()
    assert ran.returncode == 5
    assert f"Recorded as entries 1 to {entries}; could not be shown: it is closed." in said
    assert len(said.splitlines()) == 1
