"""The writer: boards kept entry by entry are the boards made again, and each append writes little."""

from typing import Any

import pytest
from board_history import (
    CAMPAIGN,
    HAWKS,
    KRUG,
    MAGS,
    RATS,
    VEX,
    History,
    board_rows,
    boards_database,
    enlisted,
    fold,
    gang_enlisted,
    injured,
    out_of_action,
    roll,
    xp,
)
from hypothesis import given
from hypothesis import strategies as st
from random_campaigns import driven_season
from sqlalchemy import create_engine, delete, event, update
from tables import every

from tracker import schema
from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.projections import boards, entries, entry_queries, queries


@pytest.fixture
def season(history: History) -> History:
    """Two gangs, one battle fought and closed: entries 1 to 7; the hit on Mags is entry 5."""
    history.first_battle(winner=HAWKS)
    history.award(VEX)
    return history


def assert_rebuilds_equal(history: History) -> None:
    again = boards_database()
    with again.begin() as connection:
        state = history.rebuild_into(connection)
        assert state == history.state
        assert board_rows(history.connection) == board_rows(connection)
    again.dispose()
    assert history.differences() == []


# --- rebuilt boards are the boards ------------------------------------------------------------------------


def test_boards_kept_entry_by_entry_are_the_boards_made_again(season: History) -> None:
    assert_rebuilds_equal(season)


@every("seed", range(4))
def test_boards_of_a_random_season_with_vehicles_are_the_boards_made_again(seed: int) -> None:
    """Also when an entry of a battle is struck out: what followed from it stays as it was recorded."""
    played = driven_season(seed)
    engine = boards_database()
    with engine.begin() as connection:
        history = History(connection)
        for judged in played.judgements:
            history.judged(*(decided.event for decided in judged.events))
        assert_rebuilds_equal(history)
        of_battle = [slot.slot for slot in played.slots_of_battle(1)]
        history.rule(history.dispute(of_battle[1]), void=[of_battle[1]])
        assert_rebuilds_equal(history)
    engine.dispose()


def test_the_random_seasons_leave_wrecks_on_the_boards() -> None:
    """Else they would say little of the boards of vehicles."""
    wrecked = [
        gang.enemy_vehicles_wrecked for seed in range(4) for gang in driven_season(seed).state.gangs.values()
    ]
    assert sum(wrecked) > 1


def test_a_rebuild_over_the_boards_leaves_them_as_they_were(season: History) -> None:
    dispute = season.dispute(5)
    season.rule(dispute, again={5: (roll(MAGS, 2),)})
    were = board_rows(season.connection)
    season.rebuild_into(season.connection)
    assert board_rows(season.connection) == were


def test_a_rebuild_touches_no_other_campaign(season: History) -> None:
    elsewhere = History(season.connection, campaign="c2")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("board_history.SLUG", "elsewhere")
        elsewhere.open_campaign()
        elsewhere.enlist(RATS, MAGS)
    were = board_rows(season.connection)
    season.rebuild_into(season.connection)
    assert board_rows(season.connection) == were


def test_a_rebuild_larger_than_a_page_is_the_same(season: History, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(6):
        season.hit(MAGS, roll(MAGS, 5), roll(MAGS, 6, number=1), xp(KRUG))
    season.rule(season.dispute(5), again={5: (roll(MAGS, 1),), 9: (roll(MAGS, 2),)}, void=[4, 6, 10, 11])
    monkeypatch.setattr(boards, "PAGE", 3)
    assert_rebuilds_equal(season)


def test_a_rebuild_tells_how_far_it_is(season: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "PAGE", 5)
    listed: list[int] = []
    boards.rebuild(
        season.connection,
        CAMPAIGN,
        live=season.live(),
        struck=season.struck(),
        fold=lambda state, _: state,
        slug="s",
        created_at="",
        progress=listed.append,
    )
    *on_the_way, last = listed
    pages = [count // 5 for count in on_the_way]
    assert pages == sorted({*pages} - {0}), "once for each page at most"
    assert len(pages) > 1
    assert last == season.seq + 1


# --- what a ruling does to the boards ---------------------------------------------------------------------


@pytest.mark.parametrize("words_on_their_slots", [True, False])
def test_a_ruling_takes_injuries_and_experience_of_the_slot_away_and_marks_its_entry(
    season: History, words_on_their_slots: bool
) -> None:
    dispute = season.dispute(5)
    ruling = season.rule(dispute, void=[5], words_on_their_slots=words_on_their_slots)
    roster = queries.roster(season.connection, CAMPAIGN)
    assert [row["injuries"] for row in roster] == [[], [], []]
    assert [row["fighter"] for row in roster if row["experience"]] == [VEX]
    about_5 = [row for row in entry_queries.entries(season.connection, CAMPAIGN) if row["slot"] == 5]
    assert [(row["entry"], row["kind"], row["struck_by"]) for row in about_5] == [
        (5, "played", ruling),
        (ruling, "slot_voided", None),
    ]
    assert_rebuilds_equal(season)


def test_a_slot_decided_again_keeps_its_battle(season: History) -> None:
    ruling = season.rule(season.dispute(5), again={5: (roll(MAGS, 2), injured(MAGS))})
    rolls = entry_queries.entries(season.connection, CAMPAIGN, events={"RollMade"})
    assert [(row["entry"], row["slot"], row["battle"], row["struck_by"]) for row in rolls] == [
        (5, 5, "b1", ruling),
        (ruling, 5, "b1", None),
    ]
    assert_rebuilds_equal(season)


def test_each_ruling_on_a_slot_strikes_only_what_stood_there(season: History) -> None:
    first = season.rule(season.dispute(5), again={5: (roll(MAGS, 2),)})
    second = season.rule(season.dispute(5), again={5: (roll(MAGS, 3),)})
    filled = entry_queries.entries(season.connection, CAMPAIGN, slot=5)
    assert [(row["entry"], row["struck_by"]) for row in filled] == [
        (5, first),
        (first, second),
        (second, None),
    ]
    assert_rebuilds_equal(season)


def test_a_kept_slot_keeps_its_rows_and_says_so(season: History) -> None:
    ruling = season.rule(season.dispute(4), keep=[5])
    about_5 = entry_queries.entries(season.connection, CAMPAIGN, slot=5)
    assert [(row["entry"], row["struck_by"]) for row in about_5] == [(5, None), (ruling, None)]
    said = entry_queries.entries(season.connection, CAMPAIGN, entry=ruling)
    assert [(row["slot"], row["kind"]) for row in said] == [(5, "slot_kept"), (ruling, "ruling")]
    words = [entries.ruling_on_slot(group) for group in entries.groups(season.slots[ruling])]
    assert [(word["slot"], word["kind"], word["reason"]) for word in words] == [
        (ruling, "ruling", "seen by all"),
        (5, "slot_kept", "as played"),
    ]
    assert_rebuilds_equal(season)


def test_a_fighter_whose_enlistment_is_void_is_on_no_roster(season: History) -> None:
    season.rule(season.dispute(2), again={2: (gang_enlisted(HAWKS), enlisted(VEX, HAWKS))}, void=[5])
    assert [row["fighter"] for row in queries.roster(season.connection, CAMPAIGN)] == [VEX, MAGS]
    assert_rebuilds_equal(season)


def test_a_gang_whose_enlistment_is_void_is_in_no_standings(season: History) -> None:
    season.rule(season.dispute(3), void=[3, 4, 5, 6])
    assert [row["gang"] for row in queries.standings(season.connection, CAMPAIGN)] == [HAWKS]
    assert queries.battles(season.connection, CAMPAIGN) == []
    assert_rebuilds_equal(season)


def test_a_fighter_enlisted_again_by_another_gang_stands_there(season: History) -> None:
    season.rule(
        season.dispute(2),
        again={
            2: (gang_enlisted(HAWKS), enlisted(VEX, HAWKS)),
            3: (gang_enlisted(RATS), enlisted(KRUG, RATS)),
        },
        void=[5],
    )
    found = queries.fighter(season.connection, CAMPAIGN, KRUG)
    assert found is not None
    assert found["gang"] == RATS
    assert_rebuilds_equal(season)


def test_a_battle_whose_closing_is_void_is_under_way_and_holds_what_follows(season: History) -> None:
    season.rule(season.dispute(6), void=[6])
    battle = queries.battle(season.connection, CAMPAIGN, "b1")
    assert battle is not None
    assert (battle["status"], battle["closed"]) == ("under_way", None)
    (award,) = entry_queries.entries(season.connection, CAMPAIGN, fighter=VEX, command="AwardExperience")
    assert award["battle"] == "b1"
    assert_rebuilds_equal(season)


def test_a_battle_opened_again_keeps_the_closing_that_stands(season: History) -> None:
    opened = season.slots[4][1].event
    season.rule(season.dispute(4), again={4: (opened,)})
    battle = queries.battle(season.connection, CAMPAIGN, "b1")
    assert battle is not None
    assert (battle["entry"], battle["status"], battle["winner"]) == (9, "closed", HAWKS)
    assert_rebuilds_equal(season)


def test_a_ruling_answers_its_dispute(season: History) -> None:
    dispute = season.dispute(5)
    (row,) = queries.disputes(season.connection, CAMPAIGN, is_open=True)
    assert (row["dispute"], row["target"], row["status"], row["ruling"]) == (dispute, "5.5", "open", None)
    ruling = season.rule(dispute)
    (row,) = queries.disputes(season.connection, CAMPAIGN)
    assert (row["status"], row["ruling"]["entry"]) == ("corrected", ruling)
    assert queries.disputes(season.connection, CAMPAIGN, is_open=True) == []
    assert_rebuilds_equal(season)


def test_a_dispute_shows_all_that_was_said_and_whether_its_ruling_stands(season: History) -> None:
    dispute = season.dispute(5)
    for says in ("it was cocked", "it lay flat"):
        season.hit(KRUG, records.DisputeCommentedOn(dispute=dispute, said_by="Vic", says=says))
    ruling = season.rule(dispute)
    where = {"target_seq": 1, "target_entry": 5, "target_position": 5, "target_slot": 5}
    again = records.DisputeReopened(dispute=dispute, raised_by="Vic", reason="taken back", **where)
    reopened = season.hit(KRUG, again)
    row = queries.dispute(season.connection, CAMPAIGN, dispute)
    assert row is not None
    assert [said["says"] for said in row["statements"]] == ["it was cocked", "it lay flat"]
    assert (row["status"], row["taken_back_by"]) == ("open", reopened)
    season.hit(KRUG, records.DisputeSettledAgain(dispute=dispute, ruling=ruling))
    row = queries.dispute(season.connection, CAMPAIGN, dispute)
    assert row is not None
    assert (row["status"], row["taken_back_by"]) == ("corrected", None)
    assert_rebuilds_equal(season)


def test_entries_appended_together_are_each_in_their_battle(history: History) -> None:
    history.open_campaign()
    history.enlist(HAWKS, KRUG)
    together = History(history.connection)
    together.slots, together.entry, together.seq = history.slots, history.entry, history.seq
    together.state = history.state
    recorded: list[Any] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(boards, "update", lambda *_, **given: recorded.extend(given["recorded"]))
        together.open_battle("b1", {HAWKS: (KRUG,)})
        together.award(KRUG)
        together.close_battle("b1")
        together.award(KRUG)
    boards.update(history.connection, CAMPAIGN, before=history.state, after=together.state, recorded=recorded)
    awards = entry_queries.entries(history.connection, CAMPAIGN, events={"ExperienceGained"})
    assert [row["battle"] for row in awards] == ["b1", None]
    assert_rebuilds_equal(together)


# --- any history ------------------------------------------------------------------------------------------


def _again(events: list[records.Event], variant: int) -> tuple[records.Event, ...]:
    """What a slot might hold when decided again: fewer, other or more events of the kind it held."""
    kept: list[records.Event] = []
    for number, held in enumerate(events):
        match held:
            case records.BattleOpened() | records.BattleClosed():
                kept.append(held)
            case _ if (variant >> number) & 1:
                kept.append(held)
    fighter = f"f{variant % 4}"
    return (
        *kept,
        roll(fighter, variant % 6 + 1),
        *([injured(fighter)] if variant % 3 else [xp(fighter, variant)]),
    )


def _play(history: History, kind: int, variant: int) -> None:
    fighter = f"f{variant % 5}"
    under_way = history.state.under_way
    number = history.entry + 1
    match kind:
        case 0:
            history.enlist(f"g{number}", f"new{number}", f"newer{number}")
        case 1 if under_way is None:
            crews = {gang.gang: tuple(gang.fighters)[:2] for gang in history.state.gangs.values()}
            history.open_battle(f"b{number}", crews)
        case 1 | 2 if under_way is not None:
            winner = next(iter(history.state.gangs), None) if variant % 2 else None
            history.close_battle(under_way.battle, winner=winner)
        case 3:
            history.award(fighter, variant)
        case 4:
            history.retire(fighter, records.FighterRetired(fighter=fighter, reason="moved away"))
        case 5:
            history.retire(
                fighter, records.FighterRenamed(fighter=fighter, before=fighter, after=f"N{variant}")
            )
        case 6:
            history.dispute(max(history.slots))
        case _:
            changed = records.CharacteristicChanged(
                fighter=fighter, characteristic="movement", before=5, after=4, why="hobbled"
            )
            history.hit(
                fighter,
                roll(fighter, variant % 6 + 1),
                roll(fighter, 4, 6, purpose="lasting injury", number=1),
                out_of_action(fighter, by=f"f{variant % 3}"),
                injured(fighter),
                changed,
                xp(f"f{variant % 3}"),
            )


def _rule(history: History, variant: int, picks: list[int]) -> None:
    # What is void stays void, and disputes and rulings are never decided again: so rulings have it.
    decided = [
        slot
        for slot, held in history.slots.items()
        if len(held) > 1 and not isinstance(held[1].event, (records.RollDisputed, records.RulingMade))
    ]
    if not decided:
        return
    again: dict[int, tuple[records.Event, ...]] = {}
    void: set[int] = set()
    for pick in picks:
        slot = decided[pick % len(decided)]
        if pick % 3 == 0:
            void.add(slot)
        else:
            again[slot] = _again([recorded.event for recorded in history.slots[slot][1:]], pick)
    # A battle that never opened was never closed.
    opened = {
        recorded.event.battle
        for slot in void
        for recorded in history.slots[slot]
        if isinstance(recorded.event, records.BattleOpened)
    }
    void |= {
        slot
        for slot, held in history.slots.items()
        for recorded in held
        if isinstance(recorded.event, records.BattleClosed) and recorded.event.battle in opened
    }
    again = {slot: events for slot, events in again.items() if slot not in void}
    open_disputes = [*history.state.disputes] or [history.dispute(max(history.slots))]
    keep = [slot for slot in decided[:1] if slot not in void and slot not in again]
    history.rule(
        open_disputes[0], again=again, void=sorted(void), keep=keep, words_on_their_slots=variant % 2 == 0
    )


STEPS = st.lists(
    st.tuples(st.integers(0, 11), st.integers(1, 63), st.lists(st.integers(0, 63), min_size=1, max_size=5)),
    max_size=25,
)


@given(STEPS)
def test_whatever_was_played_and_ruled_the_boards_are_the_boards_made_again(
    steps: list[tuple[int, int, list[int]]],
) -> None:
    engine = boards_database()
    with engine.begin() as connection:
        history = History(connection)
        history.open_campaign()
        history.enlist("g0", "f0", "f1", "f2")
        history.enlist("g1", "f3", "f4")
        for kind, variant, picks in steps:
            if kind > 8:
                _rule(history, variant, picks)
            else:
                _play(history, kind, variant)
        assert_rebuilds_equal(history)
    engine.dispose()


# --- what an append costs ---------------------------------------------------------------------------------


def _statements(history: History) -> list[str]:
    said: list[str] = []
    event.listen(history.connection, "before_cursor_execute", lambda *given: said.append(given[2]))
    return said


def test_an_append_makes_as_many_statements_late_as_early(season: History) -> None:
    said = _statements(season)
    season.hit(MAGS, roll(MAGS, 5), out_of_action(MAGS, by=KRUG), injured(MAGS), xp(KRUG))
    early = len(said)
    for _ in range(30):
        season.hit(MAGS, roll(MAGS, 5), injured(MAGS), xp(KRUG))
    said.clear()
    season.hit(MAGS, roll(MAGS, 5), out_of_action(MAGS, by=KRUG), injured(MAGS), xp(KRUG))
    assert len(said) == early == 3


def test_an_append_writes_only_fighters_whose_record_changed(season: History) -> None:
    written: list[Any] = []

    def listen(_c: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if "board_fighters" in statement:
            written.append(parameters)

    event.listen(season.connection, "before_cursor_execute", listen)
    season.award(VEX)
    (parameters,) = written
    assert VEX in str(parameters)
    assert KRUG not in str(parameters)


def test_a_state_folded_anew_to_the_same_writes_no_fighter(season: History) -> None:
    same = CampaignState()
    for recorded in season.live():
        same = fold(same, recorded.event)
    said = _statements(season)
    boards.update(season.connection, CAMPAIGN, before=season.state, after=same, recorded=[])
    assert said == []


# --- differences ------------------------------------------------------------------------------------------


def test_differences_name_each_row_that_is_not_as_it_should_be(season: History) -> None:
    fighters = schema.board_fighters
    season.connection.execute(update(fighters).where(fighters.c.fighter_id == KRUG).values(xp=99))
    season.connection.execute(
        update(schema.board_gangs).where(schema.board_gangs.c.gang_id == RATS).values(row='{"gang":"rats"}')
    )
    entries_table = schema.board_entries
    season.connection.execute(delete(entries_table).where(entries_table.c.entry == 5))
    season.connection.execute(
        schema.board_disputes.insert().values(campaign_id=CAMPAIGN, dispute=3, row="{}")
    )
    were = board_rows(season.connection)
    differences_found = season.differences()
    assert "fighters krug: column xp is 99, should be 2" in differences_found
    assert any(line.startswith("gangs rats: alignment is absent, should be ") for line in differences_found)
    assert "entries 5 5: is missing" in differences_found
    assert "disputes 3: is there and should not be" in differences_found
    assert len(differences_found) == 4
    assert board_rows(season.connection) == were


def test_differences_name_a_row_that_is_no_json(season: History) -> None:
    season.connection.execute(update(schema.board_battles).values(row="{"))
    assert season.differences() == ["battles b1: its row is not JSON"]


def test_boards_of_a_campaign_that_were_lost_are_all_missing(season: History) -> None:
    stood = sum(len(rows) for rows in board_rows(season.connection).values())
    for table in boards.BOARDS:
        season.connection.execute(delete(table))
    differences_found = season.differences()
    assert len(differences_found) == stood
    assert differences_found[0] == "campaigns itself: is missing"


# --- the other engine -------------------------------------------------------------------------------------


def test_postgres_boards_are_the_same_rows(postgres_database: str, season: History) -> None:
    engine = create_engine(postgres_database)
    schema.metadata.create_all(engine, tables=boards.BOARDS)
    with engine.begin() as connection:
        history = History(connection)
        history.open_campaign()
        history.enlist(HAWKS, KRUG, VEX, "Ümit", "zeb", "Anna")
        history.enlist(RATS, MAGS)
        history.open_battle("b1", {HAWKS: (KRUG, VEX), RATS: (MAGS,)})
        history.hit(MAGS, roll(MAGS, 5), out_of_action(MAGS, by=KRUG), injured(MAGS), xp(KRUG, 2))
        history.close_battle("b1", winner=HAWKS)
        history.rule(history.dispute(5), again={5: (roll(MAGS, 2), xp(VEX))}, void=[6], keep=[4])
        assert_rebuilds_equal(history)
        assert entry_queries.entries(connection, CAMPAIGN, gang=RATS, battle="b1", struck=False)
        assert [row["entry"] for row in entry_queries.entries(connection, CAMPAIGN, slot=5)] == [5, 8]
        assert [row["fighter"] for row in queries.roster(connection, CAMPAIGN, RATS, gone=False)] == [MAGS]
        assert len(entry_queries.entries(connection, CAMPAIGN, limit=3)) == 3
    engine.dispose()
