"""A whole campaign to a file and back: the same everywhere, all of it or nothing, and no harm from a hostile file."""

import json
import os
import random
import stat
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from sqlalchemy import select, text

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "log"))

import golden_logs
from torture import club

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.log import database
from tracker.log.archive_file import ArchiveExists, ArchiveNotWritten, ArchiveUnreadable
from tracker.log.chain import Frontier, leaf_hash
from tracker.projections import sql
from tracker.service import archive_reader, archives
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

ENGINES = ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)]
SEASONS = 2
STEPS = 40
ROUNDS = 90
Rows = dict[str, list[tuple[object, ...]]]


def opened(file: Path, *, seed: int = 0) -> Tracker:
    return club.open_tracker(club.sqlite(file), seed=seed)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Tracker]:
    """Where the campaign was played."""
    tracker = opened(tmp_path / "here.db")
    yield tracker
    tracker.close()


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tracker]:
    """Where it goes: an empty database."""
    is_file = request.param == "sqlite"
    url = club.sqlite(tmp_path / "there.db") if is_file else request.getfixturevalue("postgres_at_head")
    tracker = club.open_tracker(url)
    yield tracker
    tracker.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "club.zip"


def season(tracker: Tracker, seed: int, *, steps: int = STEPS) -> str:
    campaign = club.begin(tracker)
    play(tracker, campaign, random.Random(seed), steps=steps)
    return campaign


def play(tracker: Tracker, campaign: str, dice: random.Random, *, steps: int) -> None:
    for step in range(steps):
        club.something(tracker, campaign, dice, key=f"step-{step}-{dice.randrange(10**9)}")


def taken(tracker: Tracker, file: Path) -> archives.ArchiveImport:
    with archive_reader.checked(file) as archive:
        return tracker.archives.import_(archive)


def boards_of(tracker: Tracker, campaign: str) -> Rows:
    with database.reading(tracker.engine) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(
                    select(table)
                    .where(table.c.campaign_id == campaign)
                    .order_by(*(column for column in table.primary_key.columns))
                )
            ]
            for table in sql.BOARDS
        }


def everything(tracker: Tracker) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the database, whatever campaign it is of."""
    with database.reading(tracker.engine) as connection:
        return {
            name: [tuple(row) for row in connection.execute(text(f"SELECT * FROM {name} ORDER BY 1, 2"))]
            for name in (
                "events",
                "heads",
                "commands",
                "snapshots",
                "snapshots_parts",
                *(table.name for table in sql.BOARDS),
            )
        }


# --- there and back ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(SEASONS))
def test_a_campaign_read_back_is_the_same_to_the_last_row_and_is_exported_as_the_same_bytes(
    seed: int, here: Tracker, there: Tracker, file: Path
) -> None:
    campaign = season(here, seed)
    exported = here.archives.export(campaign, file)

    came = taken(there, file)

    assert (came.was, came.slug, came.events) == ("new", "club", exported.manifest.events)
    assert there.repository.store.head(campaign) == here.repository.store.head(campaign)
    assert there.repository.store.verify(campaign).root_hex == exported.manifest.root
    assert boards_of(there, campaign) == boards_of(here, campaign)
    assert there.repository.state(campaign) == here.repository.state(campaign)
    club.everything_holds(there, campaign)
    there.archives.export(campaign, file.with_name("again.zip"))
    assert file.with_name("again.zip").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", golden_logs.names())
def test_a_log_of_an_earlier_version_goes_there_and_back(
    name: str, here: Tracker, tmp_path: Path, file: Path
) -> None:
    leaves = [leaf_hash(body) for body in golden_logs.bodies(name)]
    campaign = golden_logs.put_into(here.engine, name, leaves)
    here.audit.rebuild_boards(campaign)
    here.archives.export(campaign, file)
    other = opened(tmp_path / "other.db")
    taken(other, file)
    assert boards_of(other, campaign) == boards_of(here, campaign)
    club.everything_holds(other, campaign)
    other.archives.export(campaign, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == file.read_bytes()
    other.close()


def test_the_events_are_the_logs_own_bytes_and_the_manifest_says_what_they_come_to(
    here: Tracker, file: Path
) -> None:
    campaign = season(here, 1)
    here.archives.export(campaign, file)
    members = unpacked(file)
    bodies = [event.body for event in here.repository.store.read(campaign)]
    assert [*members] == ["events.jsonl", "commands.jsonl", "manifest.json", "README.txt"]
    assert members["events.jsonl"] == b"".join(body + b"\n" for body in bodies)
    manifest = json.loads(members["manifest.json"])
    head = here.repository.store.head(campaign)
    assert (manifest["events"], manifest["entries"], manifest["head"]) == (
        head.size,
        head.entries,
        head.leaf_hex,
    )
    assert manifest["root"] == Frontier().append(*map(leaf_hash, bodies)).root().hex()
    assert {name: sha256(members[name]).hexdigest() for name in manifest["files"]} == {
        name: said["sha256"] for name, said in manifest["files"].items()
    }
    assert len(members["commands.jsonl"].splitlines()) == manifest["commands"]
    assert manifest["root"] in members["README.txt"].decode()


def test_house_rules_and_their_rulebooks_are_named_by_digest(here: Tracker, file: Path) -> None:
    campaign = club.begin(here)
    here.commands.adopt_policy(campaign, "one-lasting-injury-roll", from_battle=None, reason="voted")
    here.commands.play(
        campaign,
        [CommandWithDice(command=records.AwardExperience(fighter="skulls-1", amount=1, reason="held on"))],
    )
    found = here.archives.export(campaign, file).manifest.rulebooks
    stamps = [(event.policy_version, event.policy_digest) for event in here.repository.log.written(campaign)]
    assert [(stamp.version, stamp.digest) for stamp in found] == list(dict.fromkeys(stamps))


def test_a_command_sent_again_after_the_move_is_still_one_entry(
    here: Tracker, there: Tracker, file: Path
) -> None:
    campaign = club.begin(here)
    award = [CommandWithDice(command=records.AwardExperience(fighter="skulls-1", amount=1, reason="once"))]
    here.commands.play(campaign, award, key="award")
    here.archives.export(campaign, file)
    taken(there, file)
    assert there.commands.play(campaign, award, key="award").repeated


# --- what is here already ------------------------------------------------------------------------------------


def test_a_campaign_that_is_here_with_the_same_head_is_left_alone(
    here: Tracker, there: Tracker, file: Path
) -> None:
    here.archives.export(season(here, 1), file)
    taken(there, file)
    before = everything(there)
    assert (taken(there, file).was, taken(there, file).events) == ("same", 0)
    assert everything(there) == before


def test_one_that_is_behind_takes_the_rest_and_an_older_archive_takes_nothing_away(
    here: Tracker, there: Tracker, file: Path
) -> None:
    campaign = season(here, 1, steps=10)
    older = here.archives.export(campaign, file).manifest
    taken(there, file)
    assert there.repository.state(campaign) == here.repository.state(campaign)
    play(here, campaign, random.Random(7), steps=30)
    newer = here.archives.export(campaign, file.with_name("newer.zip")).manifest

    came = taken(there, file.with_name("newer.zip"))

    assert (came.was, came.events) == ("behind", newer.events - older.events)
    assert boards_of(there, campaign) == boards_of(here, campaign)
    assert there.repository.state(campaign) == here.repository.state(campaign)
    club.everything_holds(there, campaign)
    before = everything(there)
    assert taken(there, file).was == "ahead"
    assert everything(there) == before


def test_a_copy_that_went_another_way_is_refused_with_both_heads(
    here: Tracker, there: Tracker, file: Path
) -> None:
    campaign = season(here, 1, steps=10)
    common = here.archives.export(campaign, file).manifest.events
    taken(there, file)
    play(there, campaign, random.Random(3), steps=5)
    play(here, campaign, random.Random(4), steps=9)
    here.archives.export(campaign, file.with_name("other.zip"))
    before = everything(there)
    with pytest.raises(archives.CampaignDiverged) as refused:
        taken(there, file.with_name("other.zip"))
    assert everything(there) == before
    assert refused.value.same == common
    for tracker in (here, there):
        assert tracker.repository.store.head(campaign).leaf_hex in refused.value.message()


def test_a_name_that_is_taken_here_stays_whose_it_is(here: Tracker, there: Tracker, file: Path) -> None:
    here.archives.export(season(here, 1, steps=5), file)
    club.begin(there)
    before = everything(there)
    with pytest.raises(archives.NameTakenHere, match="'club'"):
        taken(there, file)
    assert everything(there) == before


def test_what_is_recorded_while_an_archive_is_read_is_not_overtaken(
    here: Tracker, there: Tracker, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = season(here, 1, steps=5)
    here.archives.export(campaign, file)
    taken(there, file)
    play(here, campaign, random.Random(4), steps=9)
    here.archives.export(campaign, file.with_name("newer.zip"))
    usual = archives.Archives._refuse_diverged

    def and_then_somebody_plays(self: Any, *given: Any) -> None:
        usual(self, *given)
        play(there, campaign, random.Random(5), steps=4)

    monkeypatch.setattr(archives.Archives, "_refuse_diverged", and_then_somebody_plays)
    with pytest.raises(archives.RecordedMeanwhile):
        taken(there, file.with_name("newer.zip"))
    club.everything_holds(there, campaign)


@pytest.mark.parametrize("at", [1, 4, 9])
def test_an_import_that_is_stopped_leaves_nothing(
    at: int, here: Tracker, there: Tracker, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = season(here, 1)
    here.archives.export(campaign, file)
    before, usual, appended = everything(there), archives.EventStore.append, []

    def stopped(*given: Any, **more: Any) -> Any:
        appended.append(given)
        if len(appended) == at:
            raise KeyboardInterrupt
        return usual(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(archives.EventStore, "append", stopped)
        with pytest.raises(KeyboardInterrupt):
            taken(there, file)
    assert everything(there) == before
    with monkeypatch.context() as patched:
        patched.setattr("tracker.service.audit.boards.rebuild", stopped)
        appended[:] = [()] * (at - 1)
        with pytest.raises(KeyboardInterrupt):
            taken(there, file)
    assert everything(there) == before
    assert taken(there, file).was == "new"


# --- what is not exported ------------------------------------------------------------------------------------


def test_an_export_never_overwrites_and_leaves_nothing_unfinished(here: Tracker, file: Path) -> None:
    campaign = season(here, 1, steps=3)
    here.archives.export(campaign, file)
    before = file.read_bytes()
    with pytest.raises(ArchiveExists):
        here.archives.export(campaign, file)
    with pytest.raises(ArchiveNotWritten, match="No such file"):
        here.archives.export(campaign, file.parent / "nowhere" / "club.zip")
    assert file.read_bytes() == before
    assert [found.name for found in file.parent.iterdir() if "unfinished" in found.name] == []


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET body = CAST(replace(body, 'skulls', 'skullz') AS BLOB) WHERE seq = 3",
        "UPDATE heads SET size = size - 1",
        "DELETE FROM commands WHERE key = 'gang:skulls'",
        "UPDATE commands SET last_seq = last_seq + 1 WHERE key = 'gang:skulls'",
    ],
)
def test_a_damaged_log_is_not_exported(damage: str, here: Tracker, file: Path) -> None:
    campaign = season(here, 1, steps=3)
    with database.writing(here.engine) as connection:
        connection.execute(text("DROP TRIGGER events_no_update"))
        connection.execute(text(damage))
    with pytest.raises((archives.NotExported, Refusal)) as refused:
        here.archives.export(campaign, file)
    assert refused.value.exit_code == 4
    assert [
        found.name for found in file.parent.iterdir() if found.suffix == ".zip" or "unfin" in found.name
    ] == []


# --- files that somebody meddled with --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good archive."""
    folder = tmp_path_factory.mktemp("good")
    tracker = opened(folder / "here.db")
    tracker.archives.export(season(tracker, 5, steps=8), folder / "club.zip")
    tracker.close()
    return folder / "club.zip"


def unpacked(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as members:
        return {name: members.read(name) for name in members.namelist()}


def packed(file: Path, members: list[tuple[str | zipfile.ZipInfo, bytes]], **options: Any) -> Path:
    with zipfile.ZipFile(file, "w", **options) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file


def said_anew(members: dict[str, bytes], **said: Any) -> dict[str, bytes]:
    """With a manifest that names these members, so that it is what is in them that is looked at."""
    manifest = json.loads(members["manifest.json"])
    for name in ("events.jsonl", "commands.jsonl"):
        content = members[name]
        manifest["files"][name] = {"bytes": len(content), "sha256": sha256(content).hexdigest()}
    return {**members, "manifest.json": json.dumps(manifest | said).encode()}


def sealed_anew(
    members: dict[str, bytes], change: Callable[[list[dict[str, Any]]], None]
) -> dict[str, bytes]:
    """Other events in a chain that holds, under a manifest that says so."""
    envelopes = [json.loads(line) for line in members["events.jsonl"].splitlines()]
    change(envelopes)
    bodies, prev = [], sha256(b"").hexdigest()
    for envelope in envelopes:
        bodies.append(rfc8785.dumps(envelope | {"prev": prev}))
        prev = leaf_hash(bodies[-1]).hex()
    root = Frontier().append(*map(leaf_hash, bodies)).root().hex()
    content = b"".join(body + b"\n" for body in bodies)
    return said_anew({**members, "events.jsonl": content}, head=prev, root=root, events=len(bodies))


def refusal_of(file: Path, tmp_path: Path) -> Refusal:
    """What is said of a hostile file, in little memory; nothing is written, and the reading of a good one is left."""
    tracker = opened(tmp_path / "untouched.db")
    before = everything(tracker)
    tracemalloc.start()
    try:
        with pytest.raises(Refusal) as refused:
            taken(tracker, file)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert everything(tracker) == before
    tracker.close()
    return refused.value


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def nested(members: dict[str, bytes]) -> bytes:
    inner = BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return inner.getvalue()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../evil.jsonl", "not a member"),
        ("/etc/passwd", "not a member"),
        ("events.jsonl/../x", "not a member"),
        ("proofs/../../x", "not a member"),
        ("proofs/", "not a member"),
        ("EVENTS.JSONL", "not a member"),
        ("inner.zip", "not a member"),
    ],
)
def test_a_member_that_belongs_elsewhere_is_refused(name: str, why: str, good: Path, tmp_path: Path) -> None:
    members = unpacked(good)
    file = packed(tmp_path / "bad.zip", [*members.items(), (name, nested(members))])
    assert why in refusal_of(file, tmp_path).message()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_missing_or_a_link_is_refused(good: Path, tmp_path: Path) -> None:
    members = unpacked(good)
    twice = packed(tmp_path / "twice.zip", [*members.items(), ("events.jsonl", b"")])
    assert "more than once" in refusal_of(twice, tmp_path).message()
    for missing in ("events.jsonl", "commands.jsonl", "manifest.json"):
        rest = [(name, content) for name, content in members.items() if name != missing]
        file = packed(tmp_path / f"{missing}.zip", rest)
        assert f"it lacks {missing}" in refusal_of(file, tmp_path).message()
    rest = [(link(name) if name == "events.jsonl" else name, content) for name, content in members.items()]
    linked = packed(tmp_path / "link.zip", rest)
    assert "not a plain file" in refusal_of(linked, tmp_path).message()


def test_what_unpacks_to_very_much_is_read_no_further_than_its_first_line(good: Path, tmp_path: Path) -> None:
    huge = BytesIO()
    with zipfile.ZipFile(huge, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in unpacked(good).items():
            with archive.open(name, "w") as member:
                if name == "events.jsonl":
                    for _ in range(100):
                        member.write(b" " * 2**20)
                else:
                    member.write(content)
    bomb = tmp_path / "bomb.zip"
    bomb.write_bytes(huge.getvalue())
    assert "too long" in refusal_of(bomb, tmp_path).message()
    members = {**unpacked(good), "manifest.json": b" " * 2**24}
    long = packed(tmp_path / "long.zip", [*members.items()], compression=zipfile.ZIP_DEFLATED)
    assert "manifest.json takes more" in refusal_of(long, tmp_path).message()


def test_a_directory_of_very_many_members_is_not_read(good: Path, tmp_path: Path) -> None:
    many = packed(
        tmp_path / "many.zip", [*unpacked(good).items(), *((f"proofs/{n}", b"") for n in range(9_000))]
    )
    assert "more than 100 members" in refusal_of(many, tmp_path).message()


def test_files_that_are_no_archive_are_refused(good: Path, tmp_path: Path) -> None:
    content = good.read_bytes()
    for name, bad in {
        "empty": b"",
        "text": b"format: gang-sheet/2\n",
        "cut off": content[: len(content) // 2],
        "cut at its end": content[:-1],
        "longer": content + b"x",
        "of another kind": content[:-2] + b"\1\0x",
    }.items():
        (tmp_path / name).write_bytes(bad)
        assert isinstance(refusal_of(tmp_path / name, tmp_path), ArchiveUnreadable)
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "nothing", "."):
        assert isinstance(refusal_of(tmp_path / name, tmp_path), ArchiveUnreadable)


def test_another_tools_compression_is_read_as_well(good: Path, there: Tracker, tmp_path: Path) -> None:
    file = packed(tmp_path / "small.zip", [*unpacked(good).items()], compression=zipfile.ZIP_DEFLATED)
    assert file.stat().st_size < good.stat().st_size / 3
    (campaign,) = {json.loads(unpacked(good)["manifest.json"])["campaign"]}
    taken(there, file)
    there.archives.export(campaign, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == good.read_bytes()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"root": "0" * 64}, "manifest says root"),
        ({"head": "0" * 64}, "event 35 is not the last one that its manifest names"),
        ({"events": 9}, "manifest says events"),
        ({"entries": 10**12}, "manifest says entries"),
        ({"commands": 1}, "manifest says commands"),
        ({"name": "Another"}, "manifest says name"),
        ({"rulebooks": []}, "manifest says rulebooks"),
        ({"campaign": "another"}, "its column campaign_id is 'another'"),
        ({"campaign": "\0"}, "manifest cannot be read"),
        ({"format": "campaign-archive/2"}, "says the format 'campaign-archive/2'"),
        ({"files": {}}, "names other files"),
        ({"more": 1}, "unknown field"),
        ({"events": -1}, "manifest cannot be read"),
    ],
)
def test_a_manifest_that_says_otherwise_is_refused(
    said: dict[str, Any], why: str, good: Path, tmp_path: Path
) -> None:
    file = packed(tmp_path / "bad.zip", [*said_anew(unpacked(good), **said).items()])
    assert why in refusal_of(file, tmp_path).message()


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{", b"[" * 100_000, b'"\xff"', b"{}"])
def test_a_manifest_that_is_none_is_refused(manifest: bytes, good: Path, tmp_path: Path) -> None:
    file = packed(tmp_path / "bad.zip", [*(unpacked(good) | {"manifest.json": manifest}).items()])
    assert isinstance(refusal_of(file, tmp_path), ArchiveUnreadable)


def without(number: int) -> Callable[[list[bytes]], None]:
    return lambda lines: lines.__delitem__(number)


def exchanged(lines: list[bytes]) -> None:
    lines[4], lines[5] = lines[5], lines[4]


def doubled(lines: list[bytes]) -> None:
    lines.append(lines[-1])


@pytest.mark.parametrize("member", ["events.jsonl", "commands.jsonl"])
@pytest.mark.parametrize("change", [without(0), without(4), without(-1), exchanged, doubled])
def test_lines_that_are_gone_moved_or_doubled_are_noticed(
    change: Callable[[list[bytes]], None], member: str, good: Path, tmp_path: Path
) -> None:
    members = unpacked(good)
    lines = members[member].splitlines(keepends=True)
    change(lines)
    changed = {**members, member: b"".join(lines)}
    file = packed(tmp_path / "bad.zip", [*changed.items()])
    assert isinstance(refusal_of(file, tmp_path), ArchiveUnreadable)
    file = packed(tmp_path / "said.zip", [*said_anew(changed).items()])
    assert isinstance(refusal_of(file, tmp_path), ArchiveUnreadable)


def test_events_of_a_later_version_are_refused_by_name(good: Path, tmp_path: Path) -> None:
    def newer(envelopes: list[dict[str, Any]]) -> None:
        envelopes[6]["type"] = "MoonsAligned"

    file = packed(tmp_path / "newer.zip", [*sealed_anew(unpacked(good), newer).items()])
    refused = refusal_of(file, tmp_path)
    assert isinstance(refused, archive_reader.ArchiveTooNew)
    assert (refused.seq, refused.type, refused.exit_code) == (6, "MoonsAligned", 2)

    def newer_shape(envelopes: list[dict[str, Any]]) -> None:
        envelopes[6]["shape"] = 99

    file = packed(tmp_path / "shape.zip", [*sealed_anew(unpacked(good), newer_shape).items()])
    assert isinstance(refusal_of(file, tmp_path), archive_reader.ArchiveTooNew)


def test_events_that_are_sealed_and_follow_from_nothing_are_refused(good: Path, tmp_path: Path) -> None:
    def of_nobody(envelopes: list[dict[str, Any]]) -> None:
        for envelope in envelopes:
            if envelope["type"] == "GangEnlisted":
                envelope["type"], envelope["data"] = "FighterRetired", {"fighter": "nobody", "reason": "gone"}

    def twice(envelopes: list[dict[str, Any]]) -> None:
        envelopes[5]["id"] = envelopes[4]["id"]

    def never_opened(envelopes: list[dict[str, Any]]) -> None:
        envelopes[1] |= {"type": "FighterRetired", "data": {"fighter": "nobody", "reason": "gone"}}

    for change in (of_nobody, twice, never_opened):
        file = packed(tmp_path / f"{change.__name__}.zip", [*sealed_anew(unpacked(good), change).items()])
        assert isinstance(refusal_of(file, tmp_path), ArchiveUnreadable)


def test_proofs_and_signatures_of_a_later_version_are_left_alone_and_named(
    good: Path, there: Tracker, tmp_path: Path
) -> None:
    members = said_anew(unpacked(good), proofs=[{"size": 9}], signatures=["who"])
    file = packed(
        tmp_path / "later.zip", [*members.items(), ("proofs/9.json", b"{"), ("signatures/dana", b"")]
    )
    assert taken(there, file).unread == ("proofs/9.json", "signatures/dana")


def test_whatever_is_done_to_the_file_it_is_the_same_campaign_or_refused(good: Path, tmp_path: Path) -> None:
    """Bytes changed, taken out and put in, on the file and on its members."""
    dice = random.Random(20261122)
    whole, members = good.read_bytes(), unpacked(good)
    (head,) = {json.loads(members["manifest.json"])["head"]}
    file = tmp_path / "fuzzed.zip"
    for number in range(ROUNDS):
        file.unlink(missing_ok=True)
        if number % 3 == 0:
            file.write_bytes(meddled(whole, dice))
        else:
            name = dice.choice(["events.jsonl", "commands.jsonl", "manifest.json"])
            changed = {**members, name: meddled(members[name], dice)}
            packed(file, [*(said_anew(changed) if name != "manifest.json" else changed).items()])
        said = ""
        try:
            with archive_reader.checked(file) as archive:
                said = archive.manifest.head
        except (ArchiveUnreadable, archive_reader.ArchiveTooNew) as refused:
            said = head if len(refused.message()) < 1_000 else refused.message()
        assert said == head


def meddled(content: bytes, dice: random.Random) -> bytes:
    at, length = dice.randrange(len(content)), dice.choice([1, 1, 1, 4, 40, 4_000])
    put_in = dice.choice([b"", dice.randbytes(length), content[at : at + length] * 2, b"\xff" * length])
    return content[:at] + put_in + content[at + dice.choice([0, length]) :]
