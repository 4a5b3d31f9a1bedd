"""Explanations rest on the entries about one fighter or gang, and come out at the number on the board."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.season import Season, open_tracker
from tracker.campaign import records
from tracker.projections.number_lineage import BATTLE_COUNTS, Kind, numbers_of
from tracker.service.application import Tracker
from tracker.service.as_of import AsOf
from tracker.service.explanations import Explanation, Explanations, NobodyCalled
from tracker.service.ruling_request import RulingRequest


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    """Some battles, and a few rulings that struck out what was played."""
    grown = Season(open_tracker(tmp_path_factory.mktemp("explained") / "season.db"))
    grown.grow(700)
    for entry in reversed(entries_that_took_somebody_out(grown)[1:20:6]):
        void(grown.tracker, grown.campaign, entry)
    yield grown
    grown.tracker.close()


def entries_that_took_somebody_out(season: Season) -> list[int]:
    return [
        recorded.entry
        for recorded in season.tracker.repository.log.live(season.campaign)
        if isinstance(recorded.event, records.FighterWentOutOfAction)
    ]


def void(tracker: Tracker, campaign: str, entry: int) -> None:
    address = next(
        recorded.address
        for recorded in tracker.repository.log.entry(campaign, entry)
        if isinstance(recorded.event, records.RollMade)
    )
    dispute = tracker.disputes.open(campaign, address, reason="cocked", raised_by="Dana").entries[0][0].entry
    tracker.rulings.rule(
        campaign, str(dispute), RulingRequest(verdict="voided", reason="so it was", strategy="keep-later")
    )


def everybody(season: Season) -> list[tuple[Kind, str]]:
    state = season.tracker.repository.state(season.campaign)
    return [*(("gang", gang) for gang in state.gangs), *(("fighter", fighter) for fighter in state.gang_of)]


@pytest.fixture(scope="module")
def explained(season: Season) -> dict[tuple[Kind, str], Explanation]:
    """All numbers of everybody as they stand at the end."""
    explain = season.tracker.audit.explain
    return {(kind, known): explain(season.campaign, kind, known) for kind, known in everybody(season)}


def test_every_number_of_everybody_is_where_its_last_move_left_it(
    season: Season, explained: dict[tuple[Kind, str], Explanation]
) -> None:
    state = season.tracker.repository.state(season.campaign)
    for (kind, known), explanation in explained.items():
        assert not explanation.whole_log, f"{kind} {known} is explained by the entries about them alone"
        last = {
            number: moves[-1].after
            for contribution in explanation.contributions
            if contribution.filling.struck_by is None
            for number, moves in contribution.moves.items()
        }
        numbers = numbers_of(state, kind, known)
        assert {number: last.get(number) for number in numbers} == numbers


def test_each_move_begins_where_the_one_before_it_ended(
    explained: dict[tuple[Kind, str], Explanation],
) -> None:
    for (_, known), explanation in explained.items():
        stands: dict[str, object] = {}
        for contribution in explanation.contributions:
            for number, moves in contribution.moves.items():
                assert moves[0].before == stands.get(number), (known, number)
                if contribution.filling.struck_by is None:
                    stands[number] = moves[-1].after


def test_what_was_struck_out_is_shown_with_the_ruling_that_did_it(
    season: Season, explained: dict[tuple[Kind, str], Explanation]
) -> None:
    struck = [
        contribution
        for explanation in explained.values()
        for contribution in explanation.contributions
        if contribution.filling.struck_by is not None
    ]
    assert {contribution.filling.slot for contribution in struck} >= {
        slot
        for slot in season.tracker.repository.store.refilled_slots(season.campaign)
        if moved_somebody(season, slot)
    }


def moved_somebody(season: Season, slot: int) -> bool:
    first = season.tracker.repository.log.fillings(season.campaign, slot)[0]
    return any(isinstance(recorded.event, records.FighterWentOutOfAction) for recorded in first)


def test_an_explanation_reads_the_entries_about_a_fighter_and_not_the_log(season: Season) -> None:
    tracker, campaign = season.tracker, season.campaign
    read: list[tuple[int, int]] = []
    contents = tracker.repository.contents
    try:
        tracker.repository.contents = lambda campaign, places: (
            read.extend(places) or contents(campaign, places)
        )  # type: ignore[method-assign, func-returns-value]
        tracker.audit.explain(campaign, "fighter", "fighter-1", ["experience"])
        about_one = set(read)
        read.clear()
        tracker.audit.explain(campaign, "fighter", "fighter-1", [*BATTLE_COUNTS])
        with_battles = set(read)
    finally:
        del tracker.repository.contents
    entries = tracker.repository.store.head(campaign).entries
    assert 1 < len(about_one) < entries / 4
    assert about_one < with_battles


def test_nobody_of_that_name_is_refused(season: Season) -> None:
    with pytest.raises(NobodyCalled):
        season.tracker.audit.explain(season.campaign, "gang", "fighter-1")


def test_where_the_entries_about_a_fighter_are_not_enough_the_whole_log_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = Season(open_tracker(tmp_path / "season.db"))
    grown.grow(200)
    tracker, campaign = grown.tracker, grown.campaign
    monkeypatch.setattr(Explanations, "_rows_about", lambda *_, **__: [])
    found = tracker.audit.explain(campaign, "fighter", "fighter-1", ["experience"])
    assert found.whole_log
    assert found.contributions[-1].moves["experience"][-1].after == found.numbers["experience"]
    tracker.close()


def test_at_any_point_every_number_is_where_its_last_move_left_it(season: Season) -> None:
    tracker, campaign = season.tracker, season.campaign
    entries, battles = (
        tracker.repository.store.head(campaign).entries,
        list(tracker.repository.state(campaign).battles),
    )
    points = [
        *(AsOf(clock="entry", value=str(entry)) for entry in range(entries // 4, entries, entries // 4)),
        *(AsOf(clock="battle", value=battle) for battle in battles[:: max(1, len(battles) // 3)]),
    ]
    for at, point in enumerate(points):
        state = tracker.boards.state_at(campaign, point)
        # Every second fighter at each point, and the others at the next.
        for known in [*state.gang_of][at % 2 :: 2]:
            found = tracker.audit.explain(campaign, "fighter", known, as_of=point)
            assert not found.whole_log, f"{known}, {point.words()}"
            assert found.numbers == numbers_of(state, "fighter", known)
            last = {
                number: moves[-1].after
                for contribution in found.contributions
                if contribution.filling.struck_by is None
                for number, moves in contribution.moves.items()
            }
            assert {number: last.get(number) for number in found.numbers} == found.numbers


def test_what_was_struck_out_later_counted_then_and_what_was_ruled_later_was_not_there(
    season: Season, explained: dict[tuple[Kind, str], Explanation]
) -> None:
    tracker, campaign = season.tracker, season.campaign
    struck = max(
        contribution.filling.struck_by or 0
        for (kind, _), explanation in explained.items()
        if kind == "fighter"
        for contribution in explanation.contributions
    )
    for fighter in tracker.repository.state(campaign).gang_of:
        before = tracker.audit.explain(
            campaign, "fighter", fighter, as_of=AsOf(clock="entry", value=str(struck - 1))
        )
        assert all((contribution.filling.struck_by or 0) < struck for contribution in before.contributions)
        assert all(contribution.filling.entry < struck for contribution in before.contributions)
