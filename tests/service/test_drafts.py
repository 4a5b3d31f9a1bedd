"""Drafts beside the log: they grow revision by revision, and nothing is written over what nobody saw."""

import threading

import pytest
from clock_by_hand import Clock

from tracker.drafts import refusals
from tracker.drafts.records import Draft
from tracker.records import replace
from tracker.service import drafts as service
from tracker.service.application import Tracker

ASH, SUMP = "0190b000-0000-7000-8000-00000000000a", "0190b000-0000-7000-8000-00000000000b"


def changed(tracker: Tracker, draft: Draft, *lines: str, by: str = "zoe") -> Draft:
    return tracker.drafts.change(replace(draft, lines=(*draft.lines, *lines)), by=by)


def test_a_draft_grows_and_is_there_for_who_opens_the_database_anew(
    tracker: Tracker, url: str, clock: Clock
) -> None:
    draft = tracker.drafts.begin(ASH, "battle", by="zoe")
    grown = changed(tracker, draft, "night", "Sümpfe", by="sam")
    again = Tracker(url, actor="somebody", clock=clock)
    kept = again.drafts.draft(ASH, draft.draft)
    again.close()
    assert kept == grown
    assert (kept.revision, kept.lines, kept.made_by, kept.changed_by) == (
        2,
        ("night", "Sümpfe"),
        "zoe",
        "sam",
    )


def test_drafts_are_their_campaigns_own(tracker: Tracker) -> None:
    draft = tracker.drafts.begin(ASH, "gang", by="zoe")
    assert tracker.drafts.of(SUMP) == ()
    with pytest.raises(refusals.UnknownDraft):
        tracker.drafts.draft(SUMP, draft.draft)


def test_what_nobody_saw_is_not_written_over(tracker: Tracker) -> None:
    draft = tracker.drafts.begin(ASH, "battle", by="zoe")
    first = changed(tracker, draft, "night")
    with pytest.raises(refusals.DraftMovedOn) as refused:
        changed(tracker, draft, "day", by="sam")
    assert (refused.value.seen, refused.value.now, refused.value.by) == (1, 2, "zoe")
    with pytest.raises(refusals.DraftMovedOn):
        tracker.drafts.discard(ASH, draft.draft, seen=1)
    assert tracker.drafts.draft(ASH, draft.draft) == first
    tracker.drafts.discard(ASH, draft.draft, seen=2)
    with pytest.raises(refusals.UnknownDraft):
        changed(tracker, first, "late")


def test_of_answers_at_the_same_time_a_single_answer_is_taken(tracker: Tracker) -> None:
    draft = tracker.drafts.begin(ASH, "battle", by="zoe")
    gate, came = threading.Barrier(4), list[str]()

    def answer(who: str) -> None:
        gate.wait()
        try:
            changed(tracker, draft, who, by=who)
        except refusals.DraftMovedOn:
            came.append("refused")
        else:
            came.append(who)

    threads = [threading.Thread(target=answer, args=(f"phone {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came)[1:] == ["refused"] * 3
    assert tracker.drafts.draft(ASH, draft.draft).lines == (min(came),)


def test_a_campaign_keeps_a_limited_number_of_drafts_and_the_oldest_go(
    tracker: Tracker, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "DRAFTS_MOST", 2)
    for _ in range(2):
        tracker.drafts.begin(ASH, "battle", by="zoe")
    with pytest.raises(refusals.TooManyDrafts):
        tracker.drafts.begin(ASH, "battle", by="zoe")
    tracker.drafts.begin(SUMP, "battle", by="zoe")
    clock.pass_by(days=service.DAYS_KEPT, seconds=1)
    assert tracker.drafts.of(ASH) == ()
    assert [tracker.drafts.begin(ASH, "battle", by="zoe")] == [*tracker.drafts.of(ASH)]


def test_a_draft_that_grows_too_long_is_refused_and_stays(tracker: Tracker) -> None:
    draft = tracker.drafts.begin(ASH, "battle", by="zoe")
    with pytest.raises(refusals.DraftTooLong):
        changed(tracker, draft, *["x"] * (service.LINES_MAX + 1))
    with pytest.raises(refusals.DraftTooLong):
        changed(tracker, draft, "x" * (service.CHARACTERS_MAX + 1))
    assert tracker.drafts.draft(ASH, draft.draft) == draft
