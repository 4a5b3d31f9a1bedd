"""Reads the answer to one question, and asks again until it is valid.

Knows the shapes of answers. Knows no report and no rule: the caller provides the choices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from tracker.conversations import prompter
from tracker.conversations.prompter import Back, Explain, Prompter, QuestionContext, list_of
from tracker.documents.wizard.beside import SideAnswer
from tracker.documents.wizard.context import Answers, Choice, Context, word_choices
from tracker.documents.wizard.forms import Form, Shape
from tracker.documents.wizard.legal_entries import NUMBERS_MAX
from tracker.documents.wizard.numbers import ListNumbers
from tracker.documents.wizard.prompts import Prompt
from tracker.documents.wizard.questions import question_for
from tracker.records import replace
from tracker.reports.names import Names

_WHAT: Final = {"number": "Type a number.", "numbers": "Type numbers, with commas between them."}


class Questioner:
    """The questions of one entry: their words, their choices and their help."""

    def __init__(
        self, talk: Prompter, table: Context, form: Form, answers: Answers, numbers: ListNumbers
    ) -> None:
        self.talk = talk
        self.table = table
        self.form = form
        self.answers = answers
        self.numbers = numbers
        self.names = Names.of_state(table.state)

    def asked(self, key: str, enter: str = "") -> QuestionContext:
        """The context of the question: for its help, and for a page or a relay that shows it."""
        game = self.names.game
        about = f"  {self.form.about_in(game)}\n  {self.form.meaning(key, game)}"
        about += f" In a file: `{key}` of `{self.form.kind}`."
        shape = self.form.question(key).shape
        return QuestionContext(
            kind=self.form.kind, key=key, answers=self.answers, enter=enter, help=about, shape=shape
        )

    def answer_to(
        self,
        prompt: Prompt,
        open_now: tuple[Choice, ...] | None,
        usual: Any,
        explain: Explain,
        *,
        facts: Mapping[str, str],
        everybody: Sequence[Choice] = (),
        numbers: Sequence[int] = (),
        ways: Sequence[bool] = (),
        may_be: Callable[[Any], bool] = lambda _: True,
        earlier: Sequence[str] = (),
    ) -> Any:
        """The answer to one question; None if it was passed over. `usual` is the answer given before.

        `everybody` are the models that lists under a model may hold, for an answer with such lists; `numbers`
        are the first that are open, for a number, and `ways` yes or no; `may_be` says whether an answer is
        open, of one that counts; `earlier` are answers given to such questions before, which may be repeated
        by their numbers.
        """
        talk, key = self.talk, prompt.key
        question = self.form.question(key)
        words = f"  {question_for(self.form, key, self.answers, self.names, facts)}"
        default = as_typed(usual)
        enter = default or (self._without(key) if prompt.may_pass else "")
        if question.shape == "parts" and question.parts is not None:
            return self._parts(words, question.parts, may_pass=prompt.may_pass)
        if question.shape == "yes_no":
            passing = prompt.may_pass and not default
            usually = (question.usual or "yes") == "yes" if passing else None
            asked = replace(self.asked(key, default), ways=tuple(ways))
            said = talk.yes_or_no(words, asked=asked, usual=usually)
            return (None if passing else usual) if said is None else said
        if open_now is not None:
            listed = self.numbers.numbered(self.table, self.form, key, self.answers, open_now)
            enter = next((choice.name for choice in listed if choice.value == enter), enter)
            asked = self.asked(key, enter)
            match question.shape:
                case "several":
                    asked = self._counted(asked, key)
                    return talk.several(words, listed, asked=asked, default=default, may_pass=prompt.may_pass)
                case "counts":
                    return self._counts(words, key, listed, usual, may_be, may_pass=prompt.may_pass)
                case "groups":
                    return self._groups(words, key, listed, everybody)
            chosen = talk.choose(
                words, listed, asked=asked, default=default, may_pass=prompt.may_pass, explain=explain
            )
            return int(chosen) if chosen is not None and question.shape == "number" else chosen
        return self._free(
            words,
            key,
            question.shape,
            enter,
            usual,
            may_pass=prompt.may_pass,
            numbers=numbers,
            earlier=earlier,
        )

    def answers_to(
        self,
        prompt: Prompt,
        open_now: Sequence[Choice],
        beside: Sequence[SideAnswer],
        usual: Any,
        explain: Explain,
        *,
        facts: Mapping[str, str],
    ) -> dict[str, Any]:
        """The answers to a question and to those that are asked beside it, by their keys."""
        key, shape = prompt.key, self.form.question(prompt.key).shape
        words = f"  {question_for(self.form, key, self.answers, self.names, facts)}"
        listed = self.numbers.numbered(self.table, self.form, key, self.answers, open_now)
        begin = self.numbers.highest(listed) + 1
        more = [replace(option.choice, number=number) for number, option in enumerate(beside, start=begin)]
        default = as_typed(usual)
        if not default and len(listed) == 1 and not prompt.may_pass and shape != "several":
            default = listed[0].value
        enter = default or (self._without(key) if prompt.may_pass else "")
        enter = next((choice.name for choice in listed if choice.value == enter), enter)
        asked = self._counted(replace(self.asked(key, enter), beside=tuple(beside)), key)
        while True:
            chosen, said = self.talk.choose_and_say(
                words,
                listed,
                more,
                asked=asked,
                default=default,
                several=shape == "several",
                may_pass=prompt.may_pass,
                explain=explain,
            )
            answered = [option for option in beside if option.words in said]
            named = [choice for choice in listed if choice.value in (chosen or ())]
            twice = [
                choice.name
                for choice in named
                if choice.one_of and [other.one_of for other in named].count(choice.one_of) > 1
            ]
            twice += [
                option.words
                for option in answered
                for other in answered
                if other is not option and other.one_of == option.one_of
                if other.words not in option.goes_with
            ]
            if not twice:
                break
            self.talk.wrong(f"{' and '.join(dict.fromkeys(twice))} cannot both be: type one of them.")
        answer: dict[str, Any] = {key: chosen if shape == "several" else chosen[0]} if chosen else {}
        return {**answer, **{option.key: option.answer for option in answered}}

    def _counted(self, asked: QuestionContext, key: str) -> QuestionContext:
        """With how many a list may name."""
        least, most = self.form.counted(key)
        return replace(asked, least=least, most=most)

    def _without(self, key: str) -> str:
        """The words in brackets if Enter leaves the key out."""
        usual = self.form.question(key).usual
        return usual or _WITHOUT.get(f"{self.form.kind}.{key}") or _WITHOUT.get(key, "none")

    def _free(
        self,
        words: str,
        key: str,
        shape: Shape,
        enter: str,
        usual: Any,
        *,
        may_pass: bool,
        numbers: Sequence[int] = (),
        earlier: Sequence[str] = (),
    ) -> Any:
        """A text or number."""
        again = tuple(Choice(value=said, name=said) for said in earlier)
        if again:
            self.talk.show_choices(list_of(again))
        fits = None if shape == "text" else lambda word: read_answer(word, shape) is not None
        while True:
            asked = replace(self.asked(key, enter), choices=again, numbers=tuple(numbers))
            typed = self.talk.ask(words, asked=asked, fits=fits)
            if not typed:
                return usual
            said_before = prompter.choice_numbered(typed, again)
            if said_before is not None:
                return said_before
            if typed == "none" and may_pass:
                return None
            read = read_answer(typed, shape)
            if read is not None:
                return read
            self.talk.wrong(_WHAT.get(shape, "Type an answer."))

    def _counts(
        self,
        words: str,
        key: str,
        choices: Sequence[Choice],
        usual: Any,
        may_be: Callable[[Any], bool],
        *,
        may_pass: bool,
    ) -> dict[str, int] | None:
        """A number for each named model; Enter repeats the number before."""
        before = usual if isinstance(usual, dict) else {}
        listed = [choice.value for choice in choices]
        most = next(
            (many for many in range(len(listed), 0, -1) if may_be(dict.fromkeys(listed[:many], 1))), 1
        )
        asked = replace(self.asked(key), most=most)
        while True:
            named = self.talk.several(
                words, choices, asked=asked, default=", ".join(before), may_pass=may_pass
            )
            if named is None:
                return None
            names = {choice.value: choice.name for choice in choices}
            counted: dict[str, int] = {}
            try:
                for who in named:
                    last = before.get(who, next(reversed(counted.values()), None))
                    enter = "" if last is None else str(last)
                    many = f"  How many for {names[who]}?"
                    once = {**dict.fromkeys(named, 1), **counted}
                    numbers = [one for one in range(1, NUMBERS_MAX + 1) if may_be({**once, who: one})]
                    counted[who] = self._free(
                        many, key, "number", enter, last, may_pass=False, numbers=numbers
                    )
                return counted
            except Back:
                continue

    def _groups(
        self, words: str, key: str, choices: Sequence[Choice], everybody: Sequence[Choice]
    ) -> dict[str, list[str]] | None:
        """Some of the others for each model; None if all were passed over."""
        self.talk.say(words)
        grouped: dict[str, list[str]] = {}
        for choice in choices:
            others = [other for other in everybody if other.value != choice.value]
            listed = self.numbers.numbered(self.table, self.form, "fighters", self.answers, others)
            some = self.talk.several(
                f"  Near {choice.name}?", listed, asked=self.asked(key, "nobody"), may_pass=True
            )
            if some:
                grouped[choice.value] = some
        return grouped or None

    def _parts(self, words: str, form: Form, *, may_pass: bool) -> dict[str, Any] | None:
        """An answer of several keys, asked one after another; None if the first was passed over."""
        self.talk.say(words)
        answers: dict[str, Any] = {}
        part = Questioner(self.talk, self.table, form, answers, self.numbers)
        for key, needed, _ in form.shapes():
            prompt = Prompt(key=key, may_pass=not needed or (may_pass and not answers))
            open_now = word_choices(form.question(key).words) or None
            said = part.answer_to(prompt, open_now, None, lambda _: "", facts={})
            if said is None and not answers:
                return None
            if said is not None:
                answers[key] = said
        return answers


_WITHOUT: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "assists",
            "interference",
            "at_risk",
            "by",
            "without",
            "under_marker",
            "under_template",
            "assisted_by",
            "deeds",
            "engaged",
            "inspired_by",
            "munitioneer",
            "next_in_line",
        ),
        "nobody",
    ),
    "advance.fighter": "nobody",
    "amount": "nothing more",
    "capture.captive": "the dice say",
    "crew.fighter": "nobody, into the stash",
    "buy.vehicle": "no vehicle",
    "territory.kind": "one of your own, or known here",
    "ganger_roll.choose": "no preference",
    "income.dice": "the book's",
    "promotions.deeds": "one for each who did any",
    "buy.for": "nobody, into the stash",
    "hand_over.from": "the stash",
    "hand_over.to": "the stash",
    "income.amount": "as the dice say",
    **dict.fromkeys(("from_vehicle", "on_vehicle"), "none, a weapon of their own"),
    "reputation.by": "no change",
    "took_part.amount": "the book's",
    "weapons": "unarmed",
}
"""The words in brackets if Enter leaves a key out."""


def read_answer(typed: str, shape: Shape) -> Any:
    """The value of a typed free answer; None if it is not valid."""
    whole = int(typed) if re.fullmatch(r"[-+]?[0-9]{1,6}", typed) else None
    if shape == "number":
        return Decimal(typed) if re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,2}", typed) else whole
    if shape == "several":
        return whole if whole is not None else prompter.comma_separated(typed) or None
    if shape == "numbers":
        words = [word.strip() for word in typed.split(",")]
        return (
            [int(word) for word in words] if all(re.fullmatch("[0-9]{1,3}", word) for word in words) else None
        )
    return typed or None


def as_typed(said: Any) -> str:
    """An earlier answer as somebody would type it; empty if it takes more than one line."""
    if said is None or isinstance(said, dict):
        return ""
    if isinstance(said, bool):
        return "yes" if said else "no"
    return ", ".join(str(part) for part in said) if isinstance(said, list) else str(said)
