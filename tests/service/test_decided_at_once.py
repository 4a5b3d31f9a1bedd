"""PostgreSQL: a decision on the state that is kept goes as one message, and under the lock where that cannot be."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from sqlalchemy import event
from torture import club

from tracker.campaign import records
from tracker.log import append_call, database, refusals
from tracker.projections import queries
from tracker.rules.provable_dice import PROTOCOL
from tracker.service import fence_store, fences
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice, RecordResult, digest_of
from tracker.service.fences import CampaignMoved, Fence
from tracker.service.roll_source import RollSource

pytestmark = pytest.mark.postgres


@pytest.fixture
def tracker(postgres_at_head: str) -> Iterator[Tracker]:
    with club.opened(postgres_at_head) as opened:
        yield opened


@pytest.fixture
def campaign(tracker: Tracker) -> str:
    """A campaign with two gangs."""
    begun = club.begin(tracker)
    rename(tracker, begun, "Nobody else writes")
    return begun


@pytest.fixture
def rival(tracker: Tracker, campaign: str, postgres_at_head: str) -> Iterator[Tracker]:
    """Somebody else at the same campaign."""
    with club.opened(postgres_at_head) as opened:
        opened.repository.state(campaign)
        yield opened


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number more for each time that this process waited for the server."""
    counted: list[int] = []
    wait = psycopg.Connection.wait

    def count(connection: Any, steps: Any, *given: Any, **more: Any) -> Any:
        is_over = connection.pgconn.transaction_status == TransactionStatus.IDLE
        if not (
            is_over and steps.__name__ in ("_commit_gen", "_rollback_gen")
        ):  # then there is nothing to say
            counted.append(len(counted))
        return wait(connection, steps, *given, **more)

    monkeypatch.setattr(psycopg.Connection, "wait", count)
    return counted


def rename(tracker: Tracker, campaign: str, name: str, *, key: str | None = None) -> RecordResult:
    command = records.RenameFighter(fighter="skulls-0", name=name)
    return tracker.commands.play(campaign, [CommandWithDice(command=command)], key=key)


def name(tracker: Tracker, campaign: str) -> str:
    fighter = tracker.repository.state(campaign).fighter("skulls-0")
    assert fighter is not None
    return fighter.name


def holds(tracker: Tracker, campaign: str, *, entries: int) -> None:
    """The log has so many entries, whole, and the boards say what it says."""
    assert tracker.repository.store.head(campaign).entries == entries
    audit = tracker.audit.verify(campaign)
    assert audit.ok, audit


def test_a_decision_waits_for_the_server_once(tracker: Tracker, campaign: str, waits: list[int]) -> None:
    for key in (None, "rename"):
        waits.clear()
        rename(tracker, campaign, f"Vex {key}", key=key)
        assert len(waits) == 1
    holds(tracker, campaign, entries=6)
    assert name(tracker, campaign) == "Vex rename"


def test_provable_dice_are_asked_for_in_the_log_before_they_fall_and_what_rolls_nothing_waits_once(
    tracker: Tracker,
    campaign: str,
    waits: list[int],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("seeds")))
    tracker.dice.use(campaign, PROTOCOL, reason="club vote")
    tracker.dice.open(campaign)
    waits.clear()
    rename(tracker, campaign, "Vex")
    assert len(waits) == 1
    battle = records.OpenBattle(
        battle="first", scenario="Ambush", date="2026-11-21", crews=dict.fromkeys(club.GANGS, ())
    )
    hit = records.ResolveHit(target="skulls-2", attacker="saints-2", weapon="autogun")
    tracker.commands.play(campaign, [CommandWithDice(command=battle)])
    rolled = tracker.commands.play(campaign, [CommandWithDice(command=hit)], roll=True).entries[-1]
    assert any(isinstance(one.event, records.RollMade) for one in rolled)
    before = (tracker.repository.log.entry(campaign, number) for number in range(1, rolled[0].entry))
    assert any(isinstance(one.event, records.RollsRequested) for entry in before for one in entry)
    assert tracker.audit.verify(campaign).ok


def test_who_was_overtaken_decides_under_the_lock_for_as_long_as_others_write(
    tracker: Tracker, rival: Tracker, campaign: str
) -> None:
    sent: list[str] = []

    def hear(_connection: object, _cursor: object, words: str, *_: object) -> None:
        sent.append("locked" if "FOR UPDATE" in words else "call" if "append_entry" in words else "")

    def asked() -> list[str]:
        heard = [word for word in sent if word]
        sent.clear()
        return heard

    event.listen(tracker.engine, "before_cursor_execute", hear)
    rename(rival, campaign, "theirs")
    rename(tracker, campaign, "ours")
    assert asked() == ["call", "locked", "call"]
    rename(rival, campaign, "theirs again")
    rename(tracker, campaign, "ours again")
    assert asked() == ["locked", "call"]
    rename(tracker, campaign, "nobody came between")
    assert asked() == ["locked", "call"]
    rename(tracker, campaign, "alone")
    assert asked() == ["call"]
    holds(tracker, campaign, entries=10)
    assert name(rival, campaign) == "alone"


def test_what_is_refused_on_an_old_state_is_decided_on_the_new(
    tracker: Tracker, rival: Tracker, campaign: str
) -> None:
    battle = records.OpenBattle(
        battle="first", scenario="Ambush", date="2026-11-21", crews=dict.fromkeys(club.GANGS, ())
    )
    rival.commands.play(campaign, [CommandWithDice(command=battle)])
    close = [CommandWithDice(command=records.CloseBattle(winner="skulls"))]
    assert not tracker.commands.play(campaign, close, key="close", roll=True).repeated
    with pytest.raises(records.NoBattleUnderWay):
        rival.commands.play(campaign, close)
    assert tracker.commands.play(campaign, close, key="close", roll=True).repeated


def test_a_key_that_stands_is_found_whoever_used_it(tracker: Tracker, rival: Tracker, campaign: str) -> None:
    first = rename(rival, campaign, "Krug", key="once")
    again = rename(tracker, campaign, "Krug", key="once")
    assert (again.repeated, again.entries) == (True, first.entries)
    for who in (tracker, rival):  # one is alone by then, and one knows of others
        with pytest.raises(refusals.CommandKeyReused):
            rename(who, campaign, "Vex", key="once")
    holds(tracker, campaign, entries=5)


@pytest.mark.parametrize("until", [None, "2020-01-01T00:00:00Z"])
def test_no_entry_passes_a_fence_but_one_that_is_over(
    until: str | None, tracker: Tracker, campaign: str
) -> None:
    kind: fences.Kind = "moved" if until is None else "held"
    fence = Fence(campaign=campaign, kind=kind, cell="elsewhere", token="t", until=until)  # noqa: S106
    with database.writing(tracker.engine) as connection:
        fence_store.put(connection, fence)
    if until is None:
        with pytest.raises(CampaignMoved):
            rename(tracker, campaign, "Krug")
        holds(tracker, campaign, entries=4)
        return
    rename(tracker, campaign, "Krug")
    holds(tracker, campaign, entries=5)
    with database.reading(tracker.engine) as connection:
        assert fences.fence_of(connection, campaign) is None


def lose(monkeypatch: pytest.MonkeyPatch, *, is_committed: bool) -> None:
    """The connection of the next call ends before the server has it, or after the server has committed."""
    call, answer = append_call.AppendCall._call, append_call._returned

    def before(self: Any, *given: Any) -> None:
        monkeypatch.undo()
        self._connection.connection.driver_connection.close()
        call(self, *given)

    def after(cursor: Any, **given: Any) -> bool:
        monkeypatch.undo()
        answer(cursor, **given)
        cursor.connection.close()
        raise psycopg.OperationalError("the connection is lost")

    if is_committed:
        monkeypatch.setattr(append_call, "_returned", after)
    else:
        monkeypatch.setattr(append_call.AppendCall, "_call", before)


@pytest.mark.parametrize("is_committed", [True, False])
@pytest.mark.parametrize("key", [None, "mine"])
def test_an_answer_that_was_lost_is_asked_for_and_the_entry_recorded_once(
    is_committed: bool, key: str | None, tracker: Tracker, campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch, is_committed=is_committed)
    assert not rename(tracker, campaign, "Krug", key=key).repeated
    holds(tracker, campaign, entries=5)
    assert name(tracker, campaign) == "Krug"
    if key is not None:
        assert rename(tracker, campaign, "Krug", key=key).repeated


@pytest.mark.parametrize("key", [None, "mine"])
def test_what_was_committed_after_it_was_looked_for_is_found_under_the_lock(
    key: str | None, tracker: Tracker, campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may still be about to commit what nobody waits for any more."""
    lose(monkeypatch, is_committed=True)
    with pytest.MonkeyPatch.context() as too_early:
        too_early.setattr(type(tracker.repository.store), "look_again", lambda *_: None)
        rename(tracker, campaign, "Krug", key=key)
    holds(tracker, campaign, entries=5)
    assert name(tracker, campaign) == "Krug"


@pytest.mark.parametrize("is_committed", [True, False])
def test_an_answer_that_was_lost_under_the_lock_is_asked_for_too(
    is_committed: bool, tracker: Tracker, rival: Tracker, campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in (rival, tracker):
        rename(who, campaign, "others write")
    lose(monkeypatch, is_committed=is_committed)
    if is_committed:
        assert not rename(tracker, campaign, "Krug", key="mine").repeated
    else:
        with pytest.raises(refusals.ConnectionLost):
            rename(tracker, campaign, "Krug", key="mine")
    assert rename(tracker, campaign, "Krug", key="mine").repeated == is_committed
    holds(tracker, campaign, entries=7)


def test_a_server_that_stays_away_leaves_it_unknown_whether_it_was_recorded(
    tracker: Tracker, campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as within:
        lose(within, is_committed=True)

        def refuse(**_: Any) -> None:
            raise psycopg.OperationalError("connection refused")

        monkeypatch.setattr(tracker.engine.dialect, "connect", refuse)
        with pytest.raises(refusals.CommitUnknown):
            rename(tracker, campaign, "Krug", key="mine")
    monkeypatch.undo()
    assert rename(tracker, campaign, "Krug", key="mine").repeated


def test_what_stands_in_a_name_is_a_name(tracker: Tracker, campaign: str) -> None:
    for odd in ("$$); DELETE FROM heads; --", "$function$", 'it\'s \\ "%s" %% {0}', "Жанна 漢字 🎲"):
        rename(tracker, campaign, odd)
        with club.opened(tracker.engine.url.render_as_string(hide_password=False)) as other:
            assert name(other, campaign) == odd
    holds(tracker, campaign, entries=8)


SWALLOWED = "CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"


@pytest.mark.parametrize(
    ("table", "moment"), [("board_fighters", "UPDATE"), ("board_entries", "INSERT"), ("commands", "INSERT")]
)
def test_rows_that_do_not_arrive_refuse_the_entry(
    table: str, moment: str, tracker: Tracker, campaign: str
) -> None:
    with database.writing(tracker.engine) as connection:
        connection.exec_driver_sql(SWALLOWED)
        connection.exec_driver_sql(
            f"CREATE TRIGGER stranger BEFORE {moment} ON {table} FOR EACH ROW EXECUTE FUNCTION stranger()"
        )
    with pytest.raises(refusals.RowsNotWritten) as refused:
        rename(tracker, campaign, "Krug")
    assert (refused.value.table, refused.value.wanted, refused.value.found) == (table, 1, 0)
    assert tracker.repository.store.head(campaign).entries == 4
    assert name(tracker, campaign) == "Nobody else writes"


@pytest.fixture
def as_role(tracker: Tracker, campaign: str) -> Iterator[Callable[[], Tracker]]:
    """The campaign, opened by a role with rights on the tables and on no function."""
    url = tracker.engine.url.render_as_string(hide_password=False)
    role = f"clerk_{campaign.replace('-', '_')}"
    with closing(psycopg.connect(url.replace("+psycopg", ""), autocommit=True)) as owner:
        for statement in (
            "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC",
            f"CREATE ROLE {role} LOGIN",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        ):
            owner.execute(statement)
        opened: list[Tracker] = []

        def open_it() -> Tracker:
            opened.append(club.open_tracker(url.replace("postgres@", f"{role}@")))
            return opened[-1]

        yield open_it
        for each in opened:
            each.close()
        owner.execute(f"DROP OWNED BY {role}")
        owner.execute(f"DROP ROLE {role}")


def test_a_role_that_may_call_no_function_writes_statement_by_statement(
    as_role: Callable[[], Tracker], campaign: str
) -> None:
    clerk = as_role()
    rename(clerk, campaign, "Krug")
    rename(clerk, campaign, "Vex", key="again")
    assert rename(clerk, campaign, "Vex", key="again").repeated
    holds(clerk, campaign, entries=6)


def test_the_call_has_no_more_rights_than_who_calls(
    as_role: Callable[[], Tracker], tracker: Tracker, campaign: str
) -> None:
    clerk = as_role()
    role = clerk.engine.url.username
    with database.writing(tracker.engine) as connection:
        connection.exec_driver_sql(f"GRANT EXECUTE ON FUNCTION append_entry TO {role}")
        connection.exec_driver_sql(f"REVOKE INSERT ON events FROM {role}")
    with pytest.raises(refusals.RoleMayNot, match="events"):
        rename(clerk, campaign, "Krug")
    holds(tracker, campaign, entries=4)


def test_who_asks_within_the_transaction_sees_what_was_appended(tracker: Tracker, campaign: str) -> None:
    repository = tracker.repository
    command = CommandWithDice(command=records.RenameFighter(fighter="skulls-0", name="Krug"))
    sent = records.IdempotencyKey(key="k", digest=digest_of([command]))
    with repository.exclusively(campaign) as store:
        decided = tracker.commands._decided(store, campaign, [command], sent, rolls=RollSource(), actor=None)
        repository.append_within(store, *decided[:3], sent)
        counted = "SELECT count(*) FROM events WHERE campaign_id = %s AND seq >= %s"
        given = (campaign, decided[0].head.size)
        assert store.connection.exec_driver_sql(counted, given).scalar() == len(decided[0].drafts)
        row = queries.fighter(store.connection, campaign, "skulls-0")
        assert row is not None
        assert row["name"] == "Krug"
    holds(tracker, campaign, entries=5)


def test_who_writes_among_others_waits_for_the_lock_for_their_entries_and_for_the_commit(
    tracker: Tracker, rival: Tracker, campaign: str, waits: list[int]
) -> None:
    for who in (rival, tracker, rival):
        rename(who, campaign, "others write")
    waits.clear()
    rename(tracker, campaign, "ours")
    assert len(waits) == 3
    waits.clear()
    rename(tracker, campaign, "nobody came between")
    assert len(waits) == 2


def test_where_a_log_ends_and_what_a_key_stands_for_are_one_wait_each(
    tracker: Tracker, campaign: str, waits: list[int]
) -> None:
    store = tracker.repository.store
    for ask, found in (
        (lambda: store.head(campaign).entries, 4),
        (lambda: store.find_command(campaign, "gang:skulls") is not None, True),
        (lambda: store.find_command(campaign, "gang:nobody"), None),
    ):
        waits.clear()
        assert ask() == found
        assert len(waits) == 1
    with tracker.engine.connect() as connection:
        session: Any = connection.connection.driver_connection
        assert session.info.transaction_status == TransactionStatus.IDLE
