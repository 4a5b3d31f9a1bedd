"""Conditions in a battle report: the page's example, played from the first dice to verify."""

from document_examples import plan_of, play, section_example

from tracker.campaign import records
from tracker.service.application import Tracker

BOOK = "necromunda_2023"


def test_the_example_of_conditions_plays_as_its_comments_say(tracker: Tracker) -> None:
    campaign, events = play(tracker, plan_of(section_example("## Conditions")), book=BOOK)
    ended = [
        (event.fighter, event.condition) for event in events if isinstance(event, records.ConditionEnded)
    ]
    assert ended == [("quill", "blaze"), ("ivo", "insane"), ("ivo", "concussed")]
    assert tracker.audit.verify(campaign).ok
