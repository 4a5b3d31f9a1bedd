"""Drafts on the command line: a battle answered in single commands, and recorded in the end."""

from typing import Any

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin

from tracker.conversations import stepping

SHEETS = [ROOT / "fixtures" / "gangs" / f"{gang}.yaml" for gang in ("iron-skulls", "gilded-cage")]
HEAD = ("night", "Lamps in the Gutter", "2025-03-07", "yes")
DOWN = ("out_of_action", "tallow", "sable", "5-5")


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    """Two gangs and no battle yet."""
    begin(empty, sheets=SHEETS)
    return empty


class OnTheWay:
    """A draft, and who answers it."""

    def __init__(self, table: Arbitrator, kind: str = "battle") -> None:
        self.table = table
        self.now = table.read("draft", "begin", kind)
        self.id = self.now["draft"]["draft"]

    @property
    def revision(self) -> str:
        return str(self.now["draft"]["revision"])

    @property
    def key(self) -> Any:
        return self.now["question"]["key"]

    def answer(self, *answers: str) -> None:
        for answer in answers:
            words = ("draft", "answer", self.id, answer, "--revision", self.revision)
            self.now = self.table.read(*words)

    def undo(self, *options: str) -> None:
        self.now = self.table.read("draft", "undo", self.id, "--revision", self.revision, *options)


def test_a_battle_is_answered_in_single_commands_and_recorded_from_its_document(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    before = table.head
    draft.answer(*HEAD, *DOWN)
    assert draft.key == "menu"
    assert "Captured (5-5)" in draft.now["decided"]
    assert len(draft.now["so_far"]) == 2
    draft.answer("end", "gilded-cage")
    assert draft.now["whole"] is True
    assert table.head == before, "answering records nothing"
    document = table.done("draft", "show", draft.id, "--document").out
    assert document == draft.now["document"]
    table.done("battle", "record", "-", stdin=document)
    assert table.roster()["tallow"]["status"] == "capture_pending"


def test_a_draft_shows_what_it_asks_and_how_to_answer(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    draft.answer(*HEAD, "shoot")
    shown = table.done("draft", "show", draft.id).out
    assert "Who shoots?" in shown
    assert "krug" in shown
    assert f"arbitrator draft answer {draft.id} ANSWER --revision {draft.revision}" in shown
    listed = table.done("draft", "list").out
    assert draft.id in listed
    assert "Battle" in listed


def test_an_answer_to_a_question_that_is_answered_already_changes_nothing(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    draft.answer("night")
    refused = table.refused(3, "draft", "answer", draft.id, "day", "--revision", "1")
    assert "is at revision 2 by now, and this was meant for 1" in refused
    assert table.read("draft", "show", draft.id)["question"] == draft.now["question"]


def test_an_answer_that_is_none_is_refused_with_the_question(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    draft.answer(*HEAD, "shoot")
    words = ("draft", "answer", draft.id, "nobody-of-that-name", "--revision", draft.revision)
    assert "is none of these" in table.refused(2, *words)
    assert "Who shoots?" in table.refused(2, *words)
    assert table.read("draft", "show", draft.id)["draft"]["revision"] == int(draft.revision)


def test_answers_are_taken_back_one_by_one_and_an_entry_at_once(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    draft.answer(*HEAD, *DOWN, "shoot", "krug", "wren")
    draft.undo()
    assert draft.key == "target"
    draft.undo("--entry")
    assert draft.key == "menu"
    assert len(draft.now["so_far"]) == 2
    draft.undo()
    assert draft.key == "dice.lasting_injury", "the entry is taken up again at its last answer"
    draft.answer("4-6")
    assert "4-6" in draft.now["document"]
    draft.undo("--entry")
    assert (draft.key, len(draft.now["so_far"])) == ("menu", 1)


def test_at_the_first_question_there_is_nothing_to_take_back(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    table.refused(2, "draft", "undo", draft.id, "--revision", "1")


def test_a_draft_that_the_campaign_moved_away_from_is_shown_and_can_be_discarded(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    draft.answer(*HEAD, *DOWN)
    report = draft.now["document"] + "result: {draw: true}\n"
    table.done("battle", "record", "-", stdin=report)
    stuck = table.read("draft", "show", draft.id)
    assert "night" in stuck["document"]
    assert stuck["refused"] or stuck["question"]
    table.done("draft", "discard", draft.id, "--revision", draft.revision)
    assert table.read("draft", "list")["drafts"] == []
    assert "has no draft" in table.refused(2, "draft", "show", draft.id)


CAPTURED = """\
format: battle-report/1
battle: before
scenario: Sump Raid
date: 2025-03-01
gangs: [iron-skulls, gilded-cage]
entries:
  - out_of_action: {fighter: tallow, by: sable}
    dice: {lasting_injury: [5-5]}
result: {winner: gilded-cage}
"""


def test_a_draft_says_which_entry_no_longer_follows_and_goes_on_without_it(
    table: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = OnTheWay(table)
    draft.answer(*HEAD, "experience", "krug", "1", "held the pump", *DOWN, "shoot", "krug")
    table.done("battle", "record", "-", stdin=CAPTURED)
    replays = []
    of_kind = stepping.wizard_of
    monkeypatch.setattr(
        stepping, "wizard_of", lambda *given, **more: replays.append(given) or of_kind(*given, **more)
    )
    stuck = table.read("draft", "show", draft.id)
    assert len(replays) == 1
    assert (stuck["entry"], stuck["dice_given_up"], stuck["holds_without"]) == (2, False, False)
    draft.undo("--number", "2")
    assert len(draft.now["so_far"]) == 2
    assert "tallow" not in draft.now["document"]
    assert draft.key == "target", "what was answered of the entry on its way still fits"


LATE = """\
format: battle-report/1
battle: late
scenario: Sump Raid
date: 2025-04-01
gangs: [iron-skulls, gilded-cage]
entries:
  - experience: {fighter: pip, amount: 1, reason: held the bridge}
result: {draw: true}
"""


def test_answers_that_fit_no_more_are_taken_off_and_it_is_said(table: Arbitrator) -> None:
    draft = OnTheWay(table)
    draft.answer("late")
    table.done("battle", "record", "-", stdin=LATE)
    refused = table.refused(2, "draft", "answer", draft.id, "Raid", "--revision", "2")
    assert "late is recorded already" in refused
    assert "answers no longer fit (the last 1)" in refused
    there = table.read("draft", "show", draft.id)
    assert "recorded already" in " ".join(there["wrong"])
    draft.undo()
    assert (draft.key, draft.revision) == ("battle", "3")
    draft.answer("later")


def test_what_gangs_do_after_a_battle_and_a_gang_are_drafts_too(table: Arbitrator) -> None:
    table.refused(1, "draft", "begin", "post-battle")
    assert table.read("draft", "list")["drafts"] == []
    assert OnTheWay(table, "gang").key == "name"
    table.done("battle", "record", str(ROOT / "fixtures" / "aftermath" / "01-toll.yaml"))
    assert OnTheWay(table, "post-battle").key == "gang"
