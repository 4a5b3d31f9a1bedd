"""A wizard for remote clients: takes answers and returns the next question; answers sent twice count once.

It stores the file after the last finished entry, and the lines answered since. Each request replays those
lines, so the wizards themselves ask, try and print everything. Nothing waits between requests. Knows no
database row and no page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final, Literal, TypeAlias

from tracker.campaign.state import CampaignState
from tracker.conversations.battle_wizard import BattleWizard
from tracker.conversations.chosen_campaign import ChosenCampaign
from tracker.conversations.dice_of_drafts import drawn
from tracker.conversations.gang_wizard import GangWizard
from tracker.conversations.post_battle_wizard import PostBattleWizard
from tracker.conversations.prompter import PLAIN, Draws, Explain, Prompter, QuestionContext
from tracker.conversations.wizard_file import KeptText
from tracker.dice import D66, TWO_D6, Roller, sides_of
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Choice
from tracker.documents.wizard.prompts import prompts_of
from tracker.drafts.records import Kind
from tracker.errors import BadInput, Refusal
from tracker.records import Record, replace
from tracker.reports.log import happened
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.reports.rendering import render
from tracker.rules.rulebook import Book
from tracker.service.refusals import DieNotDrawn

Shape: TypeAlias = Literal["menu", "one", "several", "yes_no", "text", "dice", "record"]

Wizard: TypeAlias = BattleWizard | PostBattleWizard | GangWizard

RECORD: Final = "record"
BACK: Final = "back"
_ACTS: Final = "attacker"
"""Who begins an attack, even of a kind that may come from nobody."""
_OF_TERMINALS: Final = frozenset({"quit", "?"})


class NoAnswer(BadInput):
    """{line!r} is a word for the terminal. Leave the page, or close it: what is answered so far is kept."""

    line: str


class Option(Record):
    """One answer: what is sent, what it is called, what it costs, of a fighter the gang, of what only one can
    be ticked, and whether it is ticked alone.
    """

    value: str
    name: str
    note: str = ""
    group: str = ""
    one_of: str = ""
    alone: bool = False


class EntryOpening(Record):
    """Who a kind of entry can begin with: `shoot krug` answers both questions."""

    kind: str
    options: tuple[Option, ...]


class SideOption(Record):
    """What else can be said with an answer: the key, the answer that it is, the words to send, of which only
    one can be, and what goes with it nevertheless.
    """

    key: str
    answer: Any
    value: str
    one_of: str
    goes_with: tuple[str, ...]


class DieWanted(Record):
    """One of the dice that are asked for together, and every face that it has."""

    purpose: str
    die: str
    about: str
    faces: tuple[Option, ...]


class StepQuestion(Record):
    """What is asked now.

    `enter` is what an empty answer takes, in words; where it is empty, an answer is needed. `words` are what
    may be sent besides the options. `numbers` are the first that are open, `ways` which of yes and no, and
    `least` and `most` how many a list names. `answers` is what is said of the entry so far, `answered` that
    in words.
    """

    shape: Shape
    words: str
    kind: str = ""
    key: str = ""
    free: str = ""
    options: tuple[Option, ...] = ()
    openings: tuple[EntryOpening, ...] = ()
    beside: tuple[SideOption, ...] = ()
    dice: tuple[DieWanted, ...] = ()
    numbers: tuple[int, ...] = ()
    ways: tuple[bool, ...] = (True, False)
    least: int = 1
    most: int | None = None
    also: tuple[str, ...] = ()
    enter: str = ""
    help: str = ""
    answers: Mapping[str, Any] = {}
    answered: tuple[tuple[str, str], ...] = ()


class SavedConversation(Record):
    """What is kept of a conversation: the text as an entry was settled last, the lines since, and the numbers
    of entries that were taken out.
    """

    text: str = ""
    lines: tuple[str, ...] = ()
    taken_out: tuple[int, ...] = ()


class ConversationStep(Record):
    """A conversation as far as it goes.

    `document` is the file as it stands, `said` what the last answer was met with, `decided` what it decided,
    `wrong` why it was no answer; `so_far` is what stands in the file, in sentences.
    """

    stood: SavedConversation
    question: StepQuestion
    document: str
    said: tuple[str, ...] = ()
    decided: str = ""
    wrong: tuple[str, ...] = ()
    so_far: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing more is asked."""
        return self.question.shape == RECORD


class StuckConversation(Record):
    """A conversation that cannot go on: the campaign has moved on, or dice were given up. `holds_without`: it
    goes on without the lines.
    """

    refusal: Refusal
    holds_without: bool

    @property
    def entry(self) -> int | None:
        """The first entry that no longer follows, counted from 1; None where it is none of them."""
        first = next(iter(self.refusal.each()), self.refusal)
        return first.in_file.entry

    @property
    def dice_given_up(self) -> bool:
        """Whether a die was asked for, and given up since."""
        return isinstance(self.refusal, DieNotDrawn)


def step(
    chosen: ChosenCampaign,
    kind: Kind,
    stood: SavedConversation,
    *,
    seed: str,
    answers: Sequence[str] = (),
    armoury: str | None = None,
) -> ConversationStep:
    """The question that follows, after more answers where there are any. Raises what the file refuses.

    An answer that is none changes nothing: the question that it was given to is asked, and `wrong` says why.
    """
    for answer in answers:
        if answer.strip() in _OF_TERMINALS:
            raise NoAnswer(line=answer.strip())
    at = _step_or_stuck(chosen, kind, stood, answers, seed=seed, armoury=armoury)
    if isinstance(at, StuckConversation):
        raise at.refusal
    return at


def resumed(
    chosen: ChosenCampaign, kind: Kind, stood: SavedConversation, *, seed: str, armoury: str | None = None
) -> ConversationStep | StuckConversation:
    """The question that a conversation stands at, or what keeps it from going on."""
    return _step_or_stuck(chosen, kind, stood, (), seed=seed, armoury=armoury)


def _step_or_stuck(
    chosen: ChosenCampaign,
    kind: Kind,
    stood: SavedConversation,
    answers: Sequence[str],
    *,
    seed: str,
    armoury: str | None,
) -> ConversationStep | StuckConversation:
    lines = (*stood.lines, *answers)
    draws = partial(drawn, chosen, seed, asks=bool(answers))
    talk = _Scripted(lines, KeptText(stood.text, stood.taken_out), seed, draws)
    try:
        wizard = _conversed(chosen, kind, armoury, talk)
        if talk.wrong_at is None:
            return _step(talk, wizard, wrong=(), repeats=not answers)
        why = talk.wrongs
        talk = _Scripted(lines[: talk.wrong_at], KeptText(stood.text, stood.taken_out), seed, draws)
        wizard = _conversed(chosen, kind, armoury, talk)
        return _step(talk, wizard, wrong=why, repeats=bool(answers))
    except Refusal as refusal:
        return StuckConversation(refusal=refusal, holds_without=talk.has_begun)


class _Unanswered(Exception):
    """There is no further line."""


class _NotRight(Exception):
    """A line was no answer."""


class _Scripted(Prompter):
    """Answers with the lines it was given, and stops at the first question that has none."""

    needs_an_answer = "This question needs an answer."
    tells_of_empty_steps = False

    def __init__(self, lines: Sequence[str], kept: KeptText, seed: str, draws: Draws) -> None:
        super().__init__()
        self.draws = draws
        self.lines, self.kept, self._seed = lines, kept, seed
        self._at = 0
        self._shape: Shape = "text"
        self._words = ""
        self._asking = False
        self.settled_text, self.settled_at = kept.text, 0
        self.said: list[str] = []
        self.decisions: list[str] = []
        self.wrongs: tuple[str, ...] = ()
        self.wrong_at: int | None = None
        self.asked: tuple[Shape, str, QuestionContext] | None = None

    @property
    def has_begun(self) -> bool:
        """Whether the first line was asked for: all that stands in the file follows."""
        return self._at > 0

    def say(self, text: str = "") -> None:
        if not self._asking:  # what a terminal echoes
            self.said += [line.strip() for line in text.split("\n") if line.strip()]

    def introduce(self, text: str) -> None:
        """Who answers from afar sees where they are."""

    def show_choices(self, listed: str) -> None:
        """They stand with the question."""

    def decided(self, page: Page) -> None:
        self.decisions.append(render(page))

    def whole(self, page: Page) -> None:
        self.decisions = [render(page)]

    def settled(self) -> None:
        if not self._ahead:
            self.settled_text, self.settled_at = self.kept.text, self._at

    def roller(self, usual: Roller, about: str) -> Roller:  # noqa: ARG002  # they must fall alike each time
        """Dice that fall the same whenever the lines are answered again, whatever is taken back before."""
        return falling_alike(self._seed, about)

    def wrong(self, why: str) -> None:
        if self._at:
            self.wrong_at, self.wrongs = self._at - 1, (*self.said, why)
            raise _NotRight
        self.said.append(why)

    def ask(
        self, prompt: str, *, asked: QuestionContext = PLAIN, fits: Callable[[str], bool] | None = None
    ) -> str:
        self._words = prompt.strip()
        if asked.key == RECORD:
            self._ahead = ""
            fits = lambda _: True  # noqa: E731  # one line, one answer
        self._asking = True
        typed = super().ask(prompt, asked=asked, fits=fits)
        self._asking, self._shape = False, "text"  # the next may be typed ahead
        if asked.key == RECORD:
            self.wrong("Nothing more is asked: record what stands here, or go back.")
        return typed

    def line(self, shown: str, asked: QuestionContext) -> str:  # noqa: ARG002  # nothing is shown
        if self._at == len(self.lines):
            self.asked = (self._shape, self._words, asked)
            raise _Unanswered
        self._shape = "text"
        self.said, self.decisions = [], []
        self._at += 1
        return " ".join(self.lines[self._at - 1].split())

    def choose(
        self,
        prompt: str,
        choices: Sequence[Choice],
        *,
        asked: QuestionContext = PLAIN,
        default: str = "",
        may_pass: bool = False,
        explain: Explain | None = None,
    ) -> str | None:
        self._shape = "one"
        return super().choose(
            prompt, choices, asked=asked, default=default, may_pass=may_pass, explain=explain
        )

    def several(
        self,
        prompt: str,
        choices: Sequence[Choice],
        *,
        asked: QuestionContext = PLAIN,
        default: str = "",
        may_pass: bool = False,
    ) -> list[str] | None:
        self._shape = "several"
        return super().several(prompt, choices, asked=asked, default=default, may_pass=may_pass)

    def choose_and_say(
        self,
        prompt: str,
        choices: Sequence[Choice],
        more: Sequence[Choice],
        *,
        asked: QuestionContext = PLAIN,
        default: str = "",
        several: bool = False,
        may_pass: bool = False,
        explain: Explain | None = None,
    ) -> tuple[list[str], list[str]]:
        self._shape = "several" if several else "one"
        return super().choose_and_say(
            prompt,
            choices,
            more,
            asked=asked,
            default=default,
            several=several,
            may_pass=may_pass,
            explain=explain,
        )

    def yes_or_no(
        self, prompt: str, *, asked: QuestionContext = PLAIN, usual: bool | None = None
    ) -> bool | None:
        self._shape = "yes_no"
        return super().yes_or_no(prompt, asked=asked, usual=usual)


def were_given_before(
    chosen: ChosenCampaign,
    kind: Kind,
    stored: SavedConversation,
    answers: Sequence[str],
    *,
    number: int,
    seed: str,
    armoury: str | None = None,
) -> bool:
    """Whether these answers were given before: they make the entry that has this number already, or the one
    that is being answered. A board that was without a network may send its entries twice.
    """
    text = stored.text
    entries = _entries(text)
    if len(entries) < number - 1:
        return False
    if len(entries) == number - 1:
        return bool(answers) and stored.lines[: len(answers)] == (*answers,)
    if "result" in writing.plain_of(text, file=""):
        text = writing.without_keys(text, "result", "wrap_up", file="")
    for _ in entries[number - 1 :]:
        text = writing.without_last_entry(text, file="")
    before = replace(stored, text=text, lines=())
    again = step(chosen, kind, before, seed=seed, answers=answers, armoury=armoury)
    if again.wrong:
        return False
    whole, begun = writing.draft_of(again.document, file="")
    there, made = entries[number - 1], _entries(whole)
    return made[-1] == there if len(made) == number else bool(begun) and _goes_on(begun, there)


def _entries(text: str) -> list[dict[str, Any]]:
    return list(writing.plain_of(text, file="").get("entries") or ())


def _goes_on(begun: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
    """Whether an entry is one that was begun so, with more dice on the table."""
    dice = there.get("dice", {})
    same = all(there.get(key) == said for key, said in begun.items() if key not in ("dice", "passed"))
    return same and all(
        dice.get(name, [])[: len(faces)] == faces for name, faces in begun.get("dice", {}).items()
    )


def falling_alike(seed: str, about: str) -> Roller:
    """Dice that fall the same whenever the same lines are answered again."""
    chance = Random(hashlib.sha256(f"{seed} {about}".encode()).digest())  # noqa: S311  # whoever reports them could type them, too
    return lambda sides: chance.randint(1, sides)


def _conversed(chosen: ChosenCampaign, kind: Kind, armoury: str | None, talk: _Scripted) -> Wizard:
    """A wizard, as far as the lines lead it."""
    wizard = wizard_of(chosen, kind, kind, armoury=armoury, talk=talk, kept=talk.kept)
    try:
        wizard.converse()
    except (_Unanswered, _NotRight):
        pass
    else:
        talk.asked = talk.asked or ("record", "", PLAIN)
    return wizard


def wizard_of(
    chosen: ChosenCampaign,
    kind: Kind,
    file: str | None,
    *,
    armoury: str | None = None,
    roll: bool = False,
    talk: Prompter,
    kept: KeptText,
) -> Wizard:
    """A wizard whose file is kept elsewhere."""
    match kind:
        case "battle":
            return BattleWizard(chosen, file, roll=roll, talk=talk, kept=kept)
        case "post-battle":
            return PostBattleWizard(chosen, file, armoury=armoury, roll=roll, talk=talk, kept=kept)
        case "gang":
            return GangWizard(chosen, file, armoury=armoury, talk=talk, kept=kept)


def _step(talk: _Scripted, wizard: Wizard, *, wrong: tuple[str, ...], repeats: bool) -> ConversationStep:
    assert talk.asked is not None, "a conversation that is not at its end asks something"
    shape, words, asked = talk.asked
    return ConversationStep(
        stood=SavedConversation(
            text=talk.settled_text,
            lines=tuple(talk.lines[talk.settled_at :]),
            taken_out=talk.kept.taken_out,
        ),
        question=_question(shape, words, asked, wizard),
        document=talk.kept.text,
        said=() if repeats else tuple(talk.said),
        decided="" if repeats else "\n".join(talk.decisions),
        wrong=wrong,
        so_far=_so_far(wizard),
    )


def _question(shape: Shape, words: str, asked: QuestionContext, wizard: Wizard) -> StepQuestion:
    shape = "record" if asked.key == RECORD else "menu" if asked.key == "menu" else shape
    if asked.dice:
        shape = "dice"
    return StepQuestion(
        shape=shape,
        words=words,
        kind=asked.kind,
        key=asked.key,
        free=asked.shape if shape == "text" else "",
        options=_options(asked.choices, wizard),
        openings=tuple(_openings(asked.choices, wizard)) if shape == "menu" else (),
        beside=tuple(
            SideOption(
                key=option.key,
                answer=option.answer,
                value=option.words,
                one_of=option.one_of,
                goes_with=option.goes_with,
            )
            for option in asked.beside
        ),
        dice=tuple(_die(purpose, wizard.book) for purpose in asked.dice),
        numbers=asked.numbers,
        ways=asked.ways,
        least=asked.least,
        most=asked.most,
        also=asked.words,
        enter=asked.taken or asked.enter,
        help=asked.help.strip(),
        answers=dict(asked.answers),
        answered=_answered(asked.answers, wizard),
    )


def _options(listed: Sequence[Choice], wizard: Wizard) -> tuple[Option, ...]:
    state = _state(wizard)
    gangs = {
        choice.value: state.gang_of.get(choice.value) or state.vehicle_of.get(choice.value)
        for choice in listed
    }
    return tuple(
        Option(
            value=choice.value,
            name=choice.name,
            note=choice.note,
            group=state.gangs[gang].name if (gang := gangs[choice.value]) is not None else "",
            one_of=choice.one_of,
            alone=choice.alone,
        )
        for choice in listed
    )


def _openings(listed: Sequence[Choice], wizard: Wizard) -> Iterator[EntryOpening]:
    """Of the entries that can be made, those that somebody has to be named for first."""
    if not isinstance(wizard, BattleWizard):
        return
    table = wizard.table()
    for form in (wizard.forms[choice.value] for choice in listed):
        first = next(iter(prompts_of(form)), None)
        if first is None or first.after is not None or not form.on_one_line:
            continue
        if first.may_pass and first.key != _ACTS:
            continue
        open_now = wizard.named_first(form, first)
        known = (table.state.gang_of, table.state.vehicle_of)
        if open_now and all(any(choice.value in ids for ids in known) for choice in open_now):
            yield EntryOpening(kind=form.kind, options=_options(open_now, wizard))


def _state(wizard: Wizard) -> CampaignState:
    return wizard.table.state if isinstance(wizard, GangWizard) else wizard.table().state


def _die(purpose: str, book: Book) -> DieWanted:
    about = book.purposes[purpose]
    if about.special is not None:
        faces = tuple(dict.fromkeys(about.special.symbols))
        listed = tuple(Option(value=face, name=face.replace("_", " ")) for face in faces)
    else:
        between = {D66: "-", TWO_D6: "+"}.get(about.die, "")
        sides = sides_of(about.die)
        rows = [[str(face) for face in range(1, count + 1)] for count in sides]
        written = rows[0] if len(rows) == 1 else [f"{a}{between}{b}" for a in rows[0] for b in rows[1]]
        listed = tuple(Option(value=face, name=face) for face in written)
    return DieWanted(purpose=purpose, die=about.die, about=about.about, faces=listed)


def _answered(answers: Mapping[str, Any], wizard: Wizard) -> tuple[tuple[str, str], ...]:
    """What was answered to the questions of one entry, with names for ids."""
    names = Names.of_state(_state(wizard))

    def in_words(said: Any) -> str:
        if isinstance(said, bool):
            return "yes" if said else "no"
        if isinstance(said, Mapping):
            return ", ".join(f"{in_words(key)}: {in_words(value)}" for key, value in said.items())
        if isinstance(said, Sequence) and not isinstance(said, str):
            return ", ".join(map(in_words, said))
        return names.anyone(said) if isinstance(said, str) else str(said)

    return tuple((key.replace("_", " "), in_words(said)) for key, said in answers.items())


def _so_far(wizard: Wizard) -> tuple[str, ...]:
    """What stands in the file: one sentence for each entry, one line for each fighter."""
    if isinstance(wizard, GangWizard):
        return wizard.so_far()
    if wizard.played is None:
        return ()
    names = Names.of_state(wizard.played.state)
    return tuple(happened(entry, names) for entry in wizard.played.entries)
