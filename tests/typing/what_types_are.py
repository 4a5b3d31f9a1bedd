"""What a type checker knows of the public names: `make lint` checks this file and nothing runs it."""

from collections.abc import Sequence
from typing import Any, assert_type

from tracker import api


def whoever_calls(tracker: api.Tracker, campaign: str, answer: api.RulingRequest) -> None:
    recorded = assert_type(api.record_battle(tracker, campaign, "report.yaml", roll=True), api.RecordResult)
    assert_type(api.add_gang(tracker, campaign, "gang.yaml"), api.RecordResult)
    assert_type(api.record_post_battle(tracker, campaign, "after.yaml"), api.RecordResult)
    assert_type(api.new_campaign(tracker, "Ash Wastes", slug="ash-wastes"), str)
    assert_type(recorded.repeated, bool)
    assert_type(recorded.entries[0][0].event, api.records.Event)

    assert_type(tracker.rulings.preview(campaign, "7.6", answer).head_size, int)
    assert_type(tracker.rulings.rule(campaign, "7.6", answer, expected_head=78), api.RecordResult)
    assert_type(
        tracker.boards.roster(campaign, api.read_as_of("battle:2")).fighters, Sequence[dict[str, Any]]
    )
    assert_type(tracker.audit.verify(campaign).ok, bool)


def whoever_is_refused(refusal: api.Refusal) -> None:
    assert_type(refusal.code, str)
    assert_type(refusal.exit_code, int)
    assert_type(refusal.facts(), dict[str, Any])
