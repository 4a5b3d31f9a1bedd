"""Sealed segments: a cache of history that says what the rows say, or is not looked at."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import golden_logs
import msgspec
import pytest
from log_events import as_intruder
from sqlalchemy import Engine, insert, select, text

from bench.season import Season, open_tracker
from tracker.campaign import records
from tracker.campaign.evolve import INFORMING
from tracker.log import deep_verification, sealed_history, segments, worker_processes
from tracker.log.chain import Frontier, leaf_hash
from tracker.log.codec import Codec
from tracker.log.database import open_database, reading, writing
from tracker.log.deep_verification import DeepReport, VerifiedPart, verify_deep
from tracker.log.reader import LogReader
from tracker.log.sealed_history import SealedHistory, seal_history, whole_segments
from tracker.log.sealing import Head
from tracker.log.segments import Segment, SlotPlace, digest_of
from tracker.log.store import EventStore
from tracker.log.verification import ChainWalk, log_end
from tracker.records import packed_decoder_of, replace
from tracker.schema import events, heads
from tracker.schema import segments as segments_table
from tracker.service.application import Tracker

MOVING_EVENTS = 25
"""A segment of these tests holds so many events at least."""


def as_fields(events: Iterable[records.Event]) -> list[tuple[str, dict[str, Any]]]:
    """Events by their names and fields: one from a segment is of a class of its own."""
    return [(type(event).__name__, msgspec.structs.asdict(event)) for event in events]


def from_rows(engine: Engine, campaign: str, **where: Any) -> list[tuple[str, dict[str, Any]]]:
    return as_fields(LogReader(EventStore(engine), Codec()).moving(campaign, **where))


def from_segments(engine: Engine, campaign: str, **where: Any) -> list[tuple[str, dict[str, Any]]]:
    history = SealedHistory(EventStore(engine), Codec())
    return as_fields(history.moving(campaign, worth_asking=0, **where))


@pytest.fixture(scope="module")
def grown() -> Iterator[Season]:
    season = Season(open_tracker("sqlite://"))
    season.grow(1000)
    yield season
    season.tracker.close()


@pytest.fixture
def season(grown: Season) -> Season:
    """A campaign whose history is sealed, whatever a test did to the segments before."""
    with writing(grown.tracker.engine) as connection:
        connection.execute(text("DELETE FROM segments"))
    sealed(grown)
    return grown


def sealed(season: Season) -> int:
    tracker = season.tracker
    return seal_history(
        tracker.engine, season.campaign, tracker.repository.codec, moving_events=MOVING_EVENTS
    )


def whole(season: Season) -> list[Segment]:
    return whole_segments(season.tracker.engine, season.campaign)


@pytest.fixture
def read_from_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The entries behind which rows were read."""
    asked: list[int] = []
    moving = LogReader.moving

    def noted(self: LogReader, campaign: str, **where: Any) -> Iterator[records.Event]:
        asked.append(where["after_slot"])
        return moving(self, campaign, **where)

    monkeypatch.setattr(LogReader, "moving", noted)
    return asked


# --- what they hold --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", golden_logs.names())
def test_every_golden_log_reads_the_same_from_segments(name: str) -> None:
    tracker = Tracker("sqlite://", actor="test")
    campaign = golden_logs.put_into(tracker.engine, name, list(map(leaf_hash, golden_logs.bodies(name))))
    made = seal_history(tracker.engine, campaign, tracker.repository.codec, moving_events=5)

    entries = tracker.repository.store.head(campaign).entries
    assert made or entries < 9
    for after, through in ((0, None), (0, entries - 1), (entries // 3, None), (entries // 3, entries // 2)):
        where = {"after_slot": after, "as_of_entry": through}
        expected = from_rows(tracker.engine, campaign, **where) if through != 0 else []
        assert from_segments(tracker.engine, campaign, **where) == expected
    tracker.close()


def test_what_fills_a_slot_anew_does_not_come_behind_that_slot() -> None:
    """Whoever stands behind it has what fills it already."""
    tracker = Tracker("sqlite://", actor="test")
    campaign = golden_logs.put_into(
        tracker.engine, "quarrels", list(map(leaf_hash, golden_logs.bodies("quarrels")))
    )
    seal_history(tracker.engine, campaign, tracker.repository.codec, moving_events=5)
    refilled = {
        stored.slot for stored in EventStore(tracker.engine).read(campaign) if stored.slot < stored.entry
    }
    assert refilled
    for slot in sorted(refilled):
        expected = from_rows(tracker.engine, campaign, after_slot=slot)
        assert from_segments(tracker.engine, campaign, after_slot=slot) == expected, slot
    tracker.close()


def test_an_event_from_a_segment_is_what_was_recorded() -> None:
    moving = [kind for kind in records.EVENTS.values() if kind not in INFORMING]
    kind = next(kind for kind in moving if "amount" in kind.__struct_fields__)
    assert len(moving) > 100
    xp = records.ExperienceGained(fighter="krug", amount=2, reason="survived")
    assert kind is not None

    places, events = segments.unpacked(segments.packed([SlotPlace(4, 4, 1)], [xp]))

    assert places == [(4, 4, 1)]
    assert as_fields(events) == as_fields([xp])
    assert isinstance(events[0], records.ExperienceGained)


def test_segments_follow_each_other_and_end_with_an_entry(season: Season) -> None:
    kept, store = whole(season), season.tracker.repository.store
    assert len(kept) > 5
    assert [segment.first_seq for segment in kept] == [0, *(segment.size for segment in kept[:-1])]
    for segment in kept:
        last, after = store.read(season.campaign, first_seq=segment.size - 1, last_seq=segment.size)
        assert (last.entry, after.entry) == (segment.entries, segment.entries + 1)
        assert (segment.leaf, segment.refills) == (last.leaf, 0)
        head = segment.head(season.campaign)
        assert head.frontier.size == segment.size
    rest = store.head(season.campaign).size - kept[-1].size
    assert 0 <= rest < 10 * MOVING_EVENTS


def test_history_is_read_from_segments_and_only_the_tail_from_rows(
    season: Season, read_from_rows: list[int]
) -> None:
    from_segments(season.tracker.engine, season.campaign)

    assert read_from_rows == [whole(season)[-1].entries]


def test_a_short_way_asks_for_no_segments(season: Season, read_from_rows: list[int]) -> None:
    entries = season.tracker.repository.store.head(season.campaign).entries
    history = SealedHistory(EventStore(season.tracker.engine), Codec())

    list(history.moving(season.campaign, after_slot=entries - 10))

    assert read_from_rows == [entries - 10]


def test_what_is_appended_is_sealed_behind_what_there_is(season: Season) -> None:
    before = whole(season)
    season.grow(season.events + 400)

    assert sealed(season) > 0

    assert whole(season)[: len(before)] == before
    assert from_segments(season.tracker.engine, season.campaign) == from_rows(
        season.tracker.engine, season.campaign
    )
    assert sealed(season) == 0


def test_a_state_is_the_same_from_segments(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    tracker, campaign = season.tracker, season.campaign
    entries = tracker.repository.store.head(campaign).entries
    expected = [tracker.repository.state(campaign, as_of_entry=entry) for entry in (entries // 2, entries)]
    with writing(tracker.engine) as connection:
        connection.execute(text("DELETE FROM snapshots"))
    monkeypatch.setattr(sealed_history, "WORTH_ASKING", 1)
    read: list[bytes] = []
    unpacked = segments.unpacked
    monkeypatch.setattr(segments, "unpacked", lambda body: (read.append(body), unpacked(body))[1])
    tracker.repository.forget(campaign)

    states = [tracker.repository.state(campaign, as_of_entry=entry) for entry in (entries // 2, entries)]

    assert read, "the states come from segments"
    assert states == expected
    assert tracker.repository.load(campaign)[1] == expected[1]


# --- what is damaged or foreign --------------------------------------------------------------------------


def changed(engine: Engine, *statements: str, **values: Any) -> None:
    with writing(engine) as connection:
        for statement in statements:
            assert connection.execute(text(statement), values).rowcount


DAMAGE = {
    "a body of nothing": "UPDATE segments SET body = zeroblob(length(body)) WHERE first_seq = :third",
    "the first a body of nothing": "UPDATE segments SET body = zeroblob(length(body)) WHERE first_seq = 0",
    "a body cut off": "UPDATE segments SET body = substr(body, 1, 100) WHERE first_seq = :third",
    "a segment gone": "DELETE FROM segments WHERE first_seq = :third",
    "the first gone": "DELETE FROM segments WHERE first_seq = 0",
    "another number of events": "UPDATE segments SET size = size + 1 WHERE first_seq = :third",
    "another last entry": "UPDATE segments SET entries = entries + 1 WHERE first_seq = :third",
    "refills that there are none": "UPDATE segments SET refills = 1 WHERE first_seq = :third",
    "another leaf": "UPDATE segments SET leaf = frontier WHERE first_seq = :third",
    "no frontier": "UPDATE segments SET frontier = x'00' WHERE first_seq = :third",
    "the body of another": "UPDATE segments SET body = (SELECT body FROM segments WHERE first_seq = :fourth)"
    " WHERE first_seq = :third",
    "all of another": "UPDATE segments SET (size, entries, refills, leaf, frontier, body_digest, digest, body)"
    " = (SELECT size, entries, refills, leaf, frontier, body_digest, digest, body FROM segments"
    " WHERE first_seq = :fourth) WHERE first_seq = :third",
    "of another campaign": "UPDATE segments SET campaign_id = 'another'",
    "of another program": "UPDATE segments SET fingerprint = 'another'",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_is_damaged_or_foreign_is_not_read_and_made_again(damage: str, season: Season) -> None:
    engine, campaign = season.tracker.engine, season.campaign
    before, expected = whole(season), from_rows(engine, campaign)
    places = {"third": before[2].first_seq, "fourth": before[3].first_seq}
    changed(engine, damage, **{name: at for name, at in places.items() if f":{name}" in damage})

    assert len(whole(season)) < len(before)
    assert from_segments(engine, campaign) == expected

    assert sealed(season) > 0
    assert whole(season) == before
    assert from_segments(engine, campaign) == expected
    with reading(engine) as connection:
        count = text("SELECT count(*) FROM segments WHERE campaign_id = :campaign")
        assert connection.execute(count, {"campaign": campaign}).scalar() == len(before)


@pytest.mark.parametrize("column", ["body", "leaf", "frontier", "body_digest", "digest"])
def test_a_flipped_bit_is_not_read(column: str, season: Season) -> None:
    engine, third = season.tracker.engine, whole(season)[2].first_seq
    expected, where = from_rows(engine, season.campaign), {"third": third}
    with reading(engine) as connection:
        query = text(f"SELECT {column} FROM segments WHERE first_seq = :third")
        kept: bytes = connection.execute(query, where).scalar_one()
    for place in {0, len(kept) // 2, len(kept) - 1}:
        flipped = kept[:place] + bytes([kept[place] ^ 4]) + kept[place + 1 :]
        changed(engine, f"UPDATE segments SET {column} = :it WHERE first_seq = :third", it=flipped, **where)
        assert len(whole(season)) == 2
        assert from_segments(engine, season.campaign) == expected


def test_two_that_changed_places_are_not_read(season: Season) -> None:
    engine, expected = season.tracker.engine, from_rows(season.tracker.engine, season.campaign)
    third, fourth = (segment.first_seq for segment in whole(season)[2:4])
    move = "UPDATE segments SET first_seq = :new WHERE first_seq = :old"
    for old, new in ((third, -1), (fourth, third), (-1, fourth)):
        changed(engine, move, old=old, new=new)

    assert len(whole(season)) == 2
    assert from_segments(engine, season.campaign) == expected


def test_a_segment_that_was_made_behind_another_is_not_read(season: Season) -> None:
    first, second, *_ = whole(season)
    elsewhere = digest_of(season.campaign, second, before=second.digest)
    move = "UPDATE segments SET digest = :digest WHERE first_seq = :second"
    changed(season.tracker.engine, move, digest=elsewhere, second=second.first_seq)

    assert whole(season) == [first]


def test_segments_of_another_log_are_not_read(season: Season) -> None:
    """The same campaign, played otherwise: its head is as far on, and its events are others."""
    other = Season(open_tracker("sqlite://", ids_from=500))
    other.grow(season.events)
    with reading(season.tracker.engine) as connection:
        rows = connection.execute(text("SELECT * FROM segments ORDER BY first_seq")).mappings().all()
    names = list(rows[0])
    with writing(other.tracker.engine) as connection:
        for row in rows:
            of_the_other = {**row, "campaign_id": other.campaign}
            made = text(f"INSERT INTO segments ({', '.join(names)}) VALUES (:{', :'.join(names)})")
            connection.execute(made, of_the_other)
    expected = from_rows(other.tracker.engine, other.campaign)

    assert from_segments(other.tracker.engine, other.campaign) == expected

    assert sealed(other) > 0
    assert from_segments(other.tracker.engine, other.campaign) == expected
    other.tracker.close()


def test_only_what_was_verified_is_sealed(season: Season) -> None:
    """Behind the first event that is not what was written nothing is sealed."""
    tracker, kept = season.tracker, whole(season)
    with writing(tracker.engine) as connection:
        connection.execute(
            text("DELETE FROM segments WHERE first_seq >= :place"), {"place": kept[2].first_seq}
        )
        guard = connection.execute(
            text("SELECT sql FROM sqlite_master WHERE name = 'events_no_update'")
        ).scalar()
        connection.execute(text("DROP TRIGGER events_no_update"))
        where = {"seq": kept[4].first_seq + 3}
        body = connection.execute(text("SELECT body FROM events WHERE seq = :seq"), where).scalar()
        connection.execute(text("UPDATE events SET body = zeroblob(9) WHERE seq = :seq"), where)

    assert sealed(season) == 2
    assert whole(season) == kept[:4]

    with writing(tracker.engine) as connection:
        connection.execute(text("UPDATE events SET body = :body WHERE seq = :seq"), {**where, "body": body})
        connection.exec_driver_sql(str(guard))
    assert sealed(season) == len(kept) - 4


def test_as_many_are_made_as_are_asked_for(season: Season) -> None:
    tracker, kept = season.tracker, whole(season)
    with writing(tracker.engine) as connection:
        connection.execute(text("DELETE FROM segments"))

    def seal_one() -> int:
        codec = tracker.repository.codec
        return seal_history(tracker.engine, season.campaign, codec, moving_events=MOVING_EVENTS, most=1)

    assert [seal_one() for _ in range(3)] == [1, 1, 1]
    assert whole(season) == kept[:3]


def test_a_segment_is_refused_by_a_program_with_other_event_shapes() -> None:
    kinds = [kind for kind in records.EVENTS.values() if kind not in INFORMING]
    twins = [segments._slim_twin(kind, number) for number, kind in enumerate(kinds[:3])]

    class Other(kinds[0]):  # type: ignore[name-defined, misc, valid-type]
        new: int

    other = segments._slim_twin(Other, 0)

    assert segments._fingerprint(twins) == segments._fingerprint(list(twins))
    assert len({segments._fingerprint(of) for of in (twins, twins[::-1], [other, *twins[1:]])}) == 3


# --- made again ------------------------------------------------------------------------------------------


def remade(season: Season) -> tuple[int, tuple[str, ...]]:
    engine, codec = season.tracker.engine, season.tracker.repository.codec
    with reading(engine) as connection:
        end = log_end(connection, season.campaign)
    report = verify_deep(engine, season.campaign, codec, end, whole(season))
    assert report.log == season.tracker.repository.store.verify(season.campaign)
    return report.equal, report.wrong


def test_each_segment_made_again_from_the_rows_is_equal(season: Season) -> None:
    assert remade(season) == (len(whole(season)), ())


def test_a_segment_that_says_otherwise_is_named_though_its_digests_fit(season: Season) -> None:
    """Whoever can write the file can write the digests: those prove nothing against them."""
    engine, kept = season.tracker.engine, whole(season)
    third = kept[2]
    with reading(engine) as connection:
        body = segments.body_of(connection, season.campaign, third)
    assert body is not None
    places, events = segments.unpacked(body)
    forged = segments.packed(places, [*map(as_declared, events[:-1]), gained(100)])
    reforge(season, 2, forged)

    assert len(whole(season)) == len(kept)
    assert from_segments(engine, season.campaign) != from_rows(engine, season.campaign)
    assert remade(season) == (
        len(kept) - 1,
        (f"the segment of events {third.first_seq} to {third.size - 1} differs from the rows",),
    )


def test_a_segment_that_ends_within_an_entry_is_named(season: Season) -> None:
    kept, repository = whole(season), season.tracker.repository
    rows = list(repository.store.read(season.campaign, last_seq=kept[0].size - 2))
    assert rows[-1].entry == kept[0].entries
    walk = ChainWalk(Head(campaign=season.campaign))
    sealer = segments.Sealer(season.campaign, repository.codec)
    with reading(season.tracker.engine) as connection:
        query = text(
            "SELECT seq, entry, slot, type, event_id, body, leaf FROM events WHERE seq < :end ORDER BY seq"
        )
        assert walk.through(connection.execute(query, {"end": kept[0].size - 1}).all()) is None
    for row in rows:
        sealer.take(row)
    cut, body = sealer.seal(walk.head)
    with writing(season.tracker.engine) as connection:
        segments.drop_segments(connection, season.campaign)
        segments.keep_segment(connection, season.campaign, cut, body)

    assert whole(season) == [cut]
    assert remade(season) == (0, (f"the segment of events 0 to {cut.size - 1} differs from the rows",))


@pytest.fixture
def on_a_file(season: Season, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """The same in a file, which another process can open, and worth one."""
    file = tmp_path / "a file.db"
    engine = open_database(f"sqlite:///{file}", migrate=True)
    copied(season.tracker.engine, engine)
    monkeypatch.setattr(deep_verification, "WORTH_A_PROCESS", 100)
    yield engine
    engine.dispose()


def copied(source: Engine, target: Engine) -> None:
    """Every row of the log and its segments."""
    for table in (events, heads, segments_table):
        with reading(source) as connection:
            rows = [dict(row) for row in connection.execute(select(table)).mappings()]
        with writing(target) as connection:
            connection.execute(insert(table), rows)


def deeply(engine: Engine, campaign: str) -> DeepReport:
    with reading(engine) as connection:
        end = log_end(connection, campaign)
    return verify_deep(engine, campaign, Codec(), end, whole_segments(engine, campaign))


def test_two_processes_find_what_one_finds(
    season: Season, on_a_file: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[VerifiedPart | None] = []
    answer = deep_verification._received

    def heard(process: Any) -> VerifiedPart | None:
        answers.append(answer(process))
        return answers[-1]

    monkeypatch.setattr(deep_verification, "_received", heard)

    report = deeply(on_a_file, season.campaign)

    assert report == deeply(season.tracker.engine, season.campaign)
    assert report.log.ok
    assert report.equal == len(whole(season))
    (came,) = answers
    assert came is not None
    assert 0 < came.equal < report.equal


def test_a_second_process_that_says_nothing_is_done_without(
    season: Season, on_a_file: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep_verification, "__name__", "tracker.log.no_such_module")

    assert deeply(on_a_file, season.campaign) == deeply(season.tracker.engine, season.campaign)


def in_this_process(monkeypatch: pytest.MonkeyPatch, engine: Engine, codec: Codec) -> None:
    """The second part is verified here, with what the other process would be sent."""
    sent: list[deep_verification.VerifyTask] = []

    def begun(_module: str, asked: bytes) -> Any:
        sent.append(packed_decoder_of(deep_verification.VerifyTask).decode(asked))

    def answer(_process: Any) -> VerifiedPart:
        part = sent.pop()
        behind = part.behind
        return deep_verification.verify_part(
            engine, behind.head(part.campaign), codec, part.kept, behind=behind, size=part.size
        )

    monkeypatch.setattr(worker_processes, "start_worker", begun)
    monkeypatch.setattr(worker_processes, "stop_worker", lambda _process: None)
    monkeypatch.setattr(deep_verification, "_received", answer)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_fault_is_named_in_every_part_of_the_log(
    share: float, season: Season, on_a_file: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch, on_a_file, Codec())
    seq = round(season.events * share)
    as_intruder(on_a_file, "UPDATE events SET body = zeroblob(9) WHERE seq = :seq", seq=seq)

    report = deeply(on_a_file, season.campaign)

    assert report.log == EventStore(on_a_file).verify(season.campaign)
    assert report.log.fault is not None
    assert report.log.fault.seq == seq


@pytest.mark.parametrize("field", ["frontier", "leaf", "entries"])
def test_a_segment_that_says_falsely_where_the_log_ended_misleads_nobody(
    field: str, season: Season, on_a_file: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process begins where that segment says: what it found counts only if that is so."""
    in_this_process(monkeypatch, on_a_file, Codec())
    kept = whole(season)
    middle = min(kept, key=lambda segment: abs(2 * segment.size - season.events))
    frontier = Frontier(middle.size, (bytes(32),) * middle.size.bit_count()).to_bytes()
    false: dict[str, Any] = {"frontier": frontier, "leaf": kept[0].leaf, "entries": middle.entries + 1}
    forged, before = [], segments.NOTHING_BEFORE
    for segment in kept:
        said = replace(segment, **{field: false[field]}) if segment == middle else segment
        forged.append(replace(said, digest=segments.digest_of(season.campaign, said, before)))
        before = forged[-1].digest
    with reading(on_a_file) as connection:
        end = log_end(connection, season.campaign)

    report = verify_deep(on_a_file, season.campaign, Codec(), end, forged)

    assert report.log == EventStore(on_a_file).verify(season.campaign)
    assert report.log.ok
    assert (
        f"the segment of events {middle.first_seq} to {middle.size - 1} differs from the rows" in report.wrong
    )


def as_declared(event: records.Event) -> records.Event:
    """An event of its own class again."""
    kind = next(kind for kind in type(event).__mro__ if kind in records.NAMES)
    again: records.Event = kind(**{name: getattr(event, name) for name in event.__struct_fields__})
    return again


def gained(amount: int) -> records.Event:
    return records.ExperienceGained(fighter="skulls-1", amount=amount, reason="forged")


def reforge(season: Season, place: int, body: bytes) -> None:
    """Put another body into a segment, and every digest behind it right."""
    kept = whole(season)
    before = kept[place - 1].digest
    with writing(season.tracker.engine) as connection:
        bodies = [segments.body_of(connection, season.campaign, segment) for segment in kept[place:]]
        segments.drop_segments(connection, season.campaign, from_seq=kept[place].first_seq)
        for segment, its_body in zip(kept[place:], [body, *bodies[1:]], strict=True):
            assert its_body is not None
            forged = replace(segment, body_digest=sha256(its_body).digest())
            forged = replace(forged, digest=segments.digest_of(season.campaign, forged, before))
            segments.keep_segment(connection, season.campaign, forged, its_body)
            before = forged.digest
