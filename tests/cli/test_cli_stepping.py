"""The wizards asked step by step: one answer in, the next question out, and what they write in the end is the same."""

import pytest
from by_hand import ByHand
from cli_arbitrator import ROOT, Arbitrator, begin
from season_files import normalized, read_file

from tracker.cli.session import Session
from tracker.conversations import stepping
from tracker.conversations.prompter import Back, QuestionContext
from tracker.conversations.stepping import ConversationStep, SavedConversation, StepQuestion
from tracker.documents.wizard import writing
from tracker.documents.wizard.beside import SideAnswer
from tracker.documents.wizard.context import Choice
from tracker.drafts.records import Kind
from tracker.errors import Refusal

EVENING = ROOT / "fixtures" / "evening"
MARKET = str(ROOT / "fixtures" / "armoury" / "sump-market.yaml")
SHEETS = [ROOT / "fixtures" / "gangs" / f"{gang}.yaml" for gang in ("iron-skulls", "gilded-cage")]
DOWN = ("out_of_action", "tallow", "sable", "5-5")
HEAD = ("night", "Lamps in the Gutter", "2025-03-07", "yes")


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    """Two gangs and no battle yet."""
    begin(empty, sheets=SHEETS)
    return empty


class Conversation:
    """A conversation of which nothing is kept from one answer to the next but what a step says to keep."""

    def __init__(self, table: Arbitrator, kind: Kind = "battle", *, seed: str = "a seed") -> None:
        self.session = Session(db=str(table.file), campaign=None, actor="robin")
        self.kind, self.seed = kind, seed
        self.now = self._step(SavedConversation())

    def _step(self, stood: SavedConversation, answer: str | None = None) -> ConversationStep:
        answers = () if answer is None else (answer,)
        return stepping.step(self.session, self.kind, stood, seed=self.seed, answers=answers, armoury=MARKET)

    def answer(self, *answers: str) -> ConversationStep:
        """Answers that are taken."""
        for answer in answers:
            self.now = self._step(self.now.stood, answer)
            assert self.now.wrong == (), answer
        return self.now

    def refused(self, answer: str) -> str:
        """An answer that is not, and changes nothing."""
        asked = self._step(self.now.stood, answer)
        assert asked.wrong != ()
        assert (asked.stood, asked.question) == (self.now.stood, self.now.question)
        return " ".join(asked.wrong)

    @property
    def key(self) -> str:
        return self.now.question.key


def as_asked(question: StepQuestion) -> QuestionContext:
    """The question as the terminal would have it."""
    return QuestionContext(
        kind=question.kind,
        key=question.key,
        answers=question.answers,
        choices=tuple(Choice(value=one.value, name=one.name) for one in question.options),
        beside=tuple(SideAnswer(key=one.key, answer=one.answer, words=one.value) for one in question.beside),
        dice=tuple(die.purpose for die in question.dice),
        enter=question.enter,
    )


def test_an_evening_answered_step_by_step_is_the_evening_that_was_written_by_hand(table: Arbitrator) -> None:
    parts: tuple[tuple[Kind, str, str], ...] = (
        ("battle", "night.yaml", "record"),
        ("post-battle", "night.after.yaml", "post"),
    )
    for kind, name, verb in parts:
        stated = normalized(read_file(EVENING / name))
        hand, conversation = ByHand(stated), Conversation(table, kind)
        while not conversation.now.whole:
            question = conversation.now.question
            try:
                answer = hand.ask(f"  {question.words}", asked=as_asked(question))
            except Back:
                answer = "back"
            assert hand.wrong == ""
            conversation.answer(answer)
        document = conversation.now.document
        assert normalized(writing.plain_of(document, file=name)) == stated
        (table.folder / name).write_text(document)
        options = ("--armoury", MARKET) if kind == "post-battle" else ()
        table.done("battle", verb, str(table.folder / name), *options)


def test_a_question_says_what_can_be_answered(table: Arbitrator) -> None:
    conversation = Conversation(table)
    assert (conversation.now.question.shape, conversation.key) == ("text", "battle")
    conversation.answer(*HEAD)
    menu = conversation.now.question
    assert (menu.shape, menu.also) == ("menu", ("undo", "end"))
    assert "shoot" in [one.value for one in menu.options]
    profile = conversation.answer("shoot", "vex").question
    assert profile.shape == "one"
    assert profile.answered == (("attacker", "Vex"), ("weapon", "bore cannon"))
    assert {one.value for one in profile.options} == {"solid shot", "frag shell"}
    conversation.answer("solid shot", "wren")
    assert {(one.key, one.answer) for one in conversation.now.question.beside} == {
        ("cover", "partial"),
        ("cover", "full"),
        ("closest", False),
        ("cannot_be_moved", True),  # its solid shot has Knockback
    }
    conversation.answer("back", "back", "back", "krug", "wren")
    die = conversation.answer("short, partial cover").question
    assert die.shape == "dice"
    assert [(one.purpose, one.die, [face.value for face in one.faces]) for one in die.dice] == [
        ("hit", "D6", ["1", "2", "3", "4", "5", "6"]),
        ("firepower", "firepower", ["one_hole", "ammo", "two_holes", "three_holes"]),
    ]


def test_an_answer_that_is_none_changes_nothing_and_is_told_why(table: Arbitrator) -> None:
    conversation = Conversation(table)
    conversation.answer(*HEAD, "shoot", "krug")
    assert "is none of these" in conversation.refused("pip")
    conversation.answer("wren", "short")
    assert "is no result of a D6" in conversation.refused("7")
    with pytest.raises(Refusal, match="a word for the terminal"):
        conversation.answer("quit")


def test_a_question_after_one_that_was_typed_ahead_has_its_own_shape(table: Arbitrator) -> None:
    conversation = Conversation(table)
    asked = conversation.answer(*HEAD, "experience mags").question
    assert (asked.key, asked.shape, asked.free) == ("amount", "text", "number")


def test_an_exchange_is_decided_before_the_next_one_is_asked_for(table: Arbitrator) -> None:
    conversation = Conversation(table)
    decided = conversation.answer(*HEAD, *DOWN)
    assert decided.question.shape == "menu"
    assert "Captured (5-5)" in decided.decided
    assert decided.stood.lines == (), "what is settled stands in the text"
    assert len(decided.so_far) == 2
    table_before = table.read("log", "show")
    assert conversation.answer("end", "draw").whole
    assert table.read("log", "show") == table_before, "nothing is recorded by answering"


@pytest.mark.parametrize("typed", ["yes", "y", "no", "anything"])
def test_a_whole_report_is_recorded_by_nobody_who_answers(table: Arbitrator, typed: str) -> None:
    conversation = Conversation(table)
    conversation.answer(*HEAD, *DOWN, "end", "draw")
    before = table.read("log", "show")
    assert "record what stands here" in conversation.refused(typed)
    assert conversation.answer("back").question.key == "menu"
    assert conversation.answer("end", f"draw {typed}").whole
    assert table.read("log", "show") == before


def test_dice_of_the_tool_fall_once_however_often_they_are_taken_back(table: Arbitrator) -> None:
    reports = set()
    for _ in range(2):
        conversation = Conversation(table)
        reports.add(conversation.answer(*HEAD, *DOWN[:-1], "r").document)
        assert "rolled:" in conversation.now.document
        reports.add(conversation.answer("undo", *DOWN[:-1], "r").document)
    assert len(reports) == 1
    seeds = {Conversation(table, seed=str(n)).answer(*HEAD, *DOWN[:-1], "r").document for n in range(5)}
    assert len(seeds) > 1


def test_a_gang_as_it_is_today_is_asked_for_step_by_step(table: Arbitrator) -> None:
    conversation = Conversation(table, "gang")
    conversation.answer("Rust Dogs", "Iron Clan", "Robin", "100", "", "y", "y")
    assert conversation.key == "territories"
    conversation.answer("old ruins")
    assert conversation.key == "fighters"
    conversation.answer("Krug", "card", "leader", "Boss", "120")
    assert conversation.key == "characteristics"
    assert "numbers are asked for" in conversation.refused("4 3+")
    conversation.answer("4 4+ 4+ 4 3 2 4+ 2 5+ 6+ 7+ 8+", "", "Iron Will", "", "4", "9", "2", "1", "", "3")
    conversation.answer("eye_injury")
    assert conversation.now.so_far == ("Krug: Boss",)
    assert conversation.answer("").whole
    (table.folder / "dogs.yaml").write_text(conversation.now.document)
    table.done("gang", "add", str(table.folder / "dogs.yaml"))
    assert "Eye Injury" in table.done("fighter", "show", "krug-2").out
