"""The answer to one question: whatever shape it has, asked for until it is one.

Knows shapes of answers. Knows no report and no rule: what is open is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from tracker.cli.prompter import NOTHING, Explain, Prompter
from tracker.documents.wizard.context import Choice
from tracker.documents.wizard.forms import Form, Shape
from tracker.documents.wizard.prompts import Prompt

_WHAT: Final = {"number": "  Type a number.", "numbers": "  Type numbers, with commas between them."}


def answer_to(
    talk: Prompter,
    form: Form,
    one: Prompt,
    open_now: tuple[Choice, ...] | None,
    usual: Any,
    explain: Explain,
    *,
    everybody: Sequence[Choice] = (),
) -> Any:
    """The answer to one question; None when it was passed over. `usual` is what was answered before.

    `everybody` is who can stand in a list under somebody, where the answer has such lists.
    """
    question = form.question(one.key)
    passing = (
        "Enter for none" if question.shape != "yes_no" else f"Enter for {question.usual or 'as recorded'}"
    )
    key = f"{question.key}, {passing}" if one.may_pass else question.key
    prompt = f"  {form.meaning(one.key).rstrip('.')} ({key})"
    default = as_typed(usual)
    if question.shape == "parts" and question.parts is not None:
        return _parts(talk, prompt, question.parts, may_pass=one.may_pass)
    if question.shape == "yes_no":
        return talk.yes_or_no(prompt, may_pass=one.may_pass, default=default)
    if open_now is not None:
        match question.shape:
            case "several":
                return talk.several(prompt, open_now, default=default, may_pass=one.may_pass)
            case "counts":
                return _counts(talk, prompt, open_now, usual, may_pass=one.may_pass)
            case "groups":
                return _groups(talk, prompt, open_now, everybody)
        if len(open_now) == 1 and not one.may_pass and not default:
            talk.say(f"{prompt}: {open_now[0].value}")
            return open_now[0].value
        return talk.choose(prompt, open_now, default=default, may_pass=one.may_pass, explain=explain)
    while True:
        typed = talk.ask(prompt, default=default)
        if typed in ("", NOTHING) and one.may_pass:
            return None
        read = read_answer(typed, question.shape)
        if read is not None:
            return read
        talk.say(_WHAT.get(question.shape, "  Type an answer."))


def _counts(
    talk: Prompter, prompt: str, choices: Sequence[Choice], usual: Any, *, may_pass: bool
) -> dict[str, int] | None:
    """A number for each of those who are named; Enter gives the next one as many as the one before."""
    before = usual if isinstance(usual, dict) else {}
    named = talk.several(prompt, choices, default=", ".join(before), may_pass=may_pass)
    if named is None:
        return None
    names = {choice.value: choice.name for choice in choices}
    counted: dict[str, int] = {}
    for one in named:
        last = next(reversed(counted.values()), None)
        counted[one] = _count(talk, f"  How many for {names[one]}", before.get(one, last))
    return counted


def _count(talk: Prompter, prompt: str, usual: int | None) -> int:
    while True:
        typed = talk.ask(prompt, default="" if usual is None else str(usual))
        read = read_answer(typed, "number")
        if isinstance(read, int):
            return read
        talk.say("  Type a number.")


def _groups(
    talk: Prompter, prompt: str, choices: Sequence[Choice], everybody: Sequence[Choice]
) -> dict[str, list[str]] | None:
    """Some of the others for each who can have any; nobody where it was passed over."""
    talk.say(prompt)
    grouped: dict[str, list[str]] = {}
    for one in choices:
        others = [other for other in everybody if other.value != one.value]
        some = talk.several(f"  {one.name}, Enter for none", others, may_pass=True)
        if some:
            grouped[one.value] = some
    return grouped or None


def _parts(talk: Prompter, prompt: str, form: Form, *, may_pass: bool) -> dict[str, Any] | None:
    """A few keys of their own, one after the other; None where the first of them was passed over."""
    talk.say(prompt)
    answers: dict[str, Any] = {}
    for key, needed, _ in form.shapes():
        one = Prompt(key=key, may_pass=not needed or (may_pass and not answers))
        words = form.question(key).words
        open_now = tuple(Choice(value=word, name=word) for word in words) or None
        said = answer_to(talk, form, one, open_now, None, lambda _: "")
        if said is None and not answers:
            return None
        if said is not None:
            answers[key] = said
    return answers


def read_answer(typed: str, shape: Shape) -> Any:
    """What was typed where the answer is free; None where it is none."""
    whole = int(typed) if re.fullmatch(r"[-+]?[0-9]{1,6}", typed) else None
    if shape == "number":
        return Decimal(typed) if re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,2}", typed) else whole
    if shape == "several":
        listed = [word.strip() for word in typed.split(",") if word.strip()] or None
        return whole if whole is not None else listed
    if shape == "numbers":
        words = [word.strip() for word in typed.split(",")]
        return (
            [int(word) for word in words] if all(re.fullmatch("[0-9]{1,3}", one) for one in words) else None
        )
    return typed or None


def as_typed(said: Any) -> str:
    """An answer given before, as somebody would type it; nothing of one that takes more than a line."""
    if said is None or isinstance(said, dict):
        return ""
    if isinstance(said, bool):
        return "yes" if said else "no"
    return ", ".join(str(one) for one in said) if isinstance(said, list) else str(said)
