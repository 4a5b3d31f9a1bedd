"""What a ruling keeps as it was played, and what later rulings make of that."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club

from tracker.campaign.commands import AwardExperience
from tracker.service import Answer, Plan, Tracker


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Tracker]:
    with club.opened(club.sqlite(tmp_path / "club.db")) as hall:
        yield hall


def ruled(hall: Tracker, campaign: str, answer: Answer) -> int:
    return hall.rule(campaign, None, answer).entries[0][0].entry


def test_taking_a_ruling_back_keeps_nothing_that_was_struck_since(hall: Tracker) -> None:
    campaign = club.begin(hall)
    paid = [
        hall.play(
            campaign, [Plan(command=AwardExperience(fighter="saints-0", amount=1, reason="a good evening"))]
        )
        .entries[0][0]
        .entry
        for _ in range(2)
    ]
    first, second = paid
    kept = ruled(hall, campaign, Answer(verdict="rolled_back", reason="wrong", void=(first,), keep=(second,)))
    assert hall.state(campaign).kept == {second: True}
    released = ruled(hall, campaign, Answer(verdict="reversed", reason="no", reverses=kept))
    assert hall.state(campaign).kept == {}
    ruled(hall, campaign, Answer(verdict="rolled_back", reason="wrong too", void=(second,)))
    ruled(hall, campaign, Answer(verdict="reversed", reason="yes", reverses=released))
    assert hall.state(campaign).kept == {}
    club.everything_holds(hall, campaign)


def test_taking_back_that_a_dispute_was_settled_again_leaves_it_open_where_it_was(hall: Tracker) -> None:
    campaign = club.begin(hall)
    hall.open_dispute(campaign, "2.1", reason="cocked", raised_by="Vic")
    (dispute,) = hall.state(campaign).disputes
    confirmed = hall.rule(campaign, str(dispute), Answer(verdict="confirmed", reason="seen"))
    answered = confirmed.entries[0][0].entry
    opened = ruled(hall, campaign, Answer(verdict="reversed", reason="no", reverses=answered))
    settled = ruled(hall, campaign, Answer(verdict="reversed", reason="yes", reverses=opened))
    ruled(hall, campaign, Answer(verdict="reversed", reason="no", reverses=answered))
    assert {*hall.state(campaign).disputes} == {dispute}
    last = ruled(hall, campaign, Answer(verdict="reversed", reason="never mind", reverses=settled))
    ruled(hall, campaign, Answer(verdict="reversed", reason="do mind", reverses=last))
    assert {*hall.state(campaign).disputes} == {dispute}
    club.everything_holds(hall, campaign)
