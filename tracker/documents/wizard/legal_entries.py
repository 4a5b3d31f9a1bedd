"""Legal entries: the entries and answers that the rules allow now.

Knows no rule: each answer is tried on `decide`, and a refused one is not offered. An answer that cannot be
tried yet, because others are missing, counts as legal; the dry run decides in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tracker.campaign import records
from tracker.campaign.command_validation import validate_new_command
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.campaign.steps.dispatch import is_known
from tracker.dice import DiceNeeded, DiceTray
from tracker.documents.armoury import PriceLookup
from tracker.documents.post_battle_entries import MarketEntry
from tracker.documents.validation import StrictModel
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Answers, Choice, Context
from tracker.documents.wizard.forms import Form, Shape
from tracker.documents.wizard.prompts import Prompt, prompts_of
from tracker.errors import Refusal, RulesRefuse
from tracker.rules import loader

TRIALS_MAX: Final = 1_000
"""More than two crews of fifteen make for a fighter and a second; beyond them an entry counts as open."""
REASONS_MAX: Final = 3
NUMBERS_MAX: Final = 6
"""So many more than none are offered as a number; others are typed."""
NOTHING_THERE: Final = "Nobody and nothing is there that it could name."
ENTRIES_KEPT: Final = 10_000
ENTRY_CHARACTERS_KEPT: Final = 1_000  # a longer one was not made up here, and is read each time
_WORDS: Final = frozenset({"why", "reason", "name", "type", "territory"})
"""Free texts on which no rule looks: any word stands for them."""


def open_kinds(table: Context, forms: Mapping[str, Form]) -> list[Form]:
    """The entries that can be written now, in their own order."""
    return [
        form
        for form in forms.values()
        if form.on_one_line and in_book(table, form) and is_open(table, form, {})
    ]


def in_book(table: Context, form: Form) -> bool:
    """Whether the campaign's book knows such entries, whatever is answered."""
    model: Any = form.model
    commands = getattr(model, "makes_one_of", None) or (model.makes,)
    return any(is_known(table.book, records.DECLARATIONS[command]) for command in commands)


def is_open(table: Context, form: Form, answers: Answers) -> bool:
    """Whether an entry with these answers can be completed so that the rules allow it."""
    return not _lacks_armoury(table, form) and refusals_of(table, form, answers) is None


def choices(table: Context, form: Form, asked: Prompt, answers: Answers) -> tuple[Choice, ...] | None:
    """What this key may name now; None where the answer is free, nothing where it need not be asked."""
    offered = candidates(table, form, asked.key, answers)
    shape = form.question(asked.key).shape
    if offered is None and asked.key in _TRIED:
        return None if is_open(table, form, {**answers, asked.key: True}) else ()
    if not offered or _LEAST.get(asked.key, 1) > 1:
        return offered
    answered = [
        (choice, {**answers, asked.key: _answer(shape, offered, place)})
        for place, choice in enumerate(offered)
    ]
    if shape == "groups":  # asked for last: whatever a trial has against it is meant
        return tuple(choice for choice, said in answered if _objection(table, form, said) is None)
    open_now = tuple(choice for choice, said in answered if is_open(table, form, said))
    if open_now or asked.key in _EACH_ALONE:
        return open_now
    # Of a list none may do alone what all may do together; the dry run has the last word.
    together = {**answers, asked.key: [each.written for each in offered]}
    return offered if shape == "counts" or (shape == "several" and is_open(table, form, together)) else ()


def open_numbers(table: Context, form: Form, key: str, answers: Answers) -> tuple[int, ...]:
    """The first numbers that this key may have now."""
    return tuple(
        number for number in range(NUMBERS_MAX + 1) if is_open(table, form, {**answers, key: number})
    )


def open_ways(table: Context, form: Form, key: str, answers: Answers) -> tuple[bool, ...]:
    """Yes and no, or the one of them that is open; both where neither is, for the dry run to say why."""
    both = (True, False)
    return tuple(way for way in both if is_open(table, form, {**answers, key: way})) or both


def why_not(table: Context, form: Form, answers: Answers) -> str:
    """Why an entry with these answers is closed, in a few sentences; nothing where it is open."""
    if _lacks_armoury(table, form):
        return (
            "It is looked up in an armoury: stop, and go on with --armoury FILE; or type the entry as YAML."
        )
    refusals = refusals_of(table, form, answers)
    if refusals is None:
        return ""
    reasons = [refusal.message() for refusal in refusals[:REASONS_MAX]]
    return " ".join(reasons) or NOTHING_THERE


def _lacks_armoury(table: Context, form: Form) -> bool:
    return table.armoury is None and form.kind in _FROM_ARMOURY


def is_needed(table: Context, form: Form, asked: Prompt, answers: Answers) -> bool:
    """Whether a key that may be left out has to be answered here."""
    if is_needed_where_asked(form, asked.key):
        return bool(candidates(table, form, asked.key, answers))
    at_least = _AT_LEAST_ONE.get(form.kind, ())
    return (asked.key,) in at_least and refusals_of(table, form, answers, at_least=()) is not None


def is_needed_where_asked(form: Form, key: str) -> bool:
    """Whether a key may be left out only where there is nothing to choose."""
    return bool({key, f"{form.kind}.{key}"} & _NEEDED_WHERE_ASKED)


def refusals_of(
    table: Context, form: Form, answers: Answers, *, at_least: Sequence[tuple[str, ...]] | None = None
) -> list[Refusal] | None:
    """What the rules have against every entry with these answers, the first of each kind; None where one of
    them is open. `at_least` are keys that may be left out and are tried too; left out, those of the form.
    """
    at_least = _AT_LEAST_ONE.get(form.kind, ()) if at_least is None else at_least
    prompts = prompts_of(form)
    refusals: dict[type[Refusal], Refusal] = {}
    tried = 0
    try:
        for more in ((), *at_least):
            if _passed_over(prompts, answers, more):
                continue
            keys = [
                prompt.key
                for prompt in prompts
                if not prompt.may_pass or prompt.key in more or is_needed_where_asked(form, prompt.key)
            ]
            for entry in _completed(table, form, keys, dict(answers)):
                refusal = _refusal(table, form, entry)
                tried += 1
                if refusal is None or tried >= TRIALS_MAX:
                    return None
                refusals.setdefault(type(refusal), refusal)
    except _Undecided:
        return None
    return [*refusals.values()]


def _passed_over(prompts: Sequence[Prompt], answers: Answers, keys: Sequence[str]) -> bool:
    """Whether one of these keys was left out: what is asked after it is answered."""
    asked = [prompt.key for prompt in prompts]
    return any(
        set(asked[asked.index(key) + 1 :]) & set(answers) - {key} for key in keys if key not in answers
    )


class _Undecided(Exception):
    """More has to be said before this can be decided."""


def _completed(
    table: Context, form: Form, keys: list[str], answers: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Every way of answering the keys that are still open."""
    left = [key for key in keys if key not in answers]
    if not left:
        yield answers
        return
    key = left[0]
    question = form.question(key)
    offered = candidates(table, form, key, answers)
    if offered is None:
        if question.shape == "text" and key not in _WORDS:
            raise _Undecided
        for sample in _samples(key, question.shape):
            yield from _completed(table, form, left, {**answers, key: sample})
    elif (
        not offered
        and not question.needed
        and (form.kind in _MAY_LACK.get(key, ()) or is_needed_where_asked(form, key))
    ):
        yield from _completed(table, form, left[1:], answers)
    least = _LEAST.get(key, 1)
    for place in range(len(offered or ()) - least + 1):
        answer = _answer(question.shape, offered or (), place, least=least)
        yield from _completed(table, form, left, {**answers, key: answer})


def _answer(shape: Shape, offered: Sequence[Choice], place: int, *, least: int = 1) -> Any:
    """The answer that names one of these, by the shape that the answer has."""
    named = offered[place].value
    match shape:
        case "several":
            return [each.written for each in offered[place : place + least]]
        case "number":
            return int(named)
        case "counts":
            return {named: 1}
        case "groups":
            return {named: [each.value for each in offered if each.value != named][:1]}
        case _:
            return named


_FROM_ARMOURY: Final = frozenset({"hire", "buy", "equipment"})
"""What names a type or a thing that only an armoury knows."""
_AT_LEAST_ONE: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "condition": (("ends",),),
    "drive": (("heavy_foot",),),
    "hand_over": (("to",), ("from",)),
    "new_leader": (("fighter",),),
    "reload": (("on_vehicle",),),
    "shoot": (("from_vehicle",),),
    "territory": (("staked",),),
}
"""Keys that may be left out, but not always: each is tried where nothing else is open."""
_NEEDED_WHERE_ASKED: Final = frozenset({"profile", "advance.set", "advance.skill"})
"""Keys, of any kind or of one, that may be left out only where there is nothing to choose."""
_TRIED: Final = frozenset({"bloodbath", "ends", "heavy_foot"})
"""Keys that are asked for only where yes is an answer."""
_LEAST: Final[Mapping[str, int]] = {"tables": 2}
"""How many a list must name, where one is not enough."""
_MAY_LACK: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("target", "range"), ("shoot",)),
    "facing": ("shoot", "fight"),
    "mobile": ("shoot", "fight", "flight"),
    **dict.fromkeys(("set", "skill"), ("advance",)),
}
"""Keys that are asked for, but not of every weapon."""


_MEANT: Final = (
    RulesRefuse,
    records.CarriesOnlyOne,
    records.ContradictoryStatement,
    records.TargetsSelf,
    records.FleeingListWrong,
    records.NotForShooting,
    records.NothingShotAt,
)
"""Refusals that no further answer mends."""
_EACH_ALONE: Final = frozenset({"weapons"})
"""Lists of which each has to be allowed by itself."""


def _samples(key: str, shape: str) -> tuple[Any, ...]:
    """What stands for a free answer in a trial: a loss too where there may be one, a fall that hurts."""
    if key in _SAMPLES:
        return _SAMPLES[key]
    return ({"number": 1, "yes_no": False, "several": ["any"]}.get(shape, "any"),)


_SAMPLES: Final[Mapping[str, tuple[int, ...]]] = {
    "by": (1, -1), "ends": (True,), "friends_near": (0,), "heavy_foot": (True,), "inches": (10,),
}  # fmt: skip


def _refusal(table: Context, form: Form, answers: Answers) -> Refusal | None:
    """What the rules have against an entry. Missing dice, and whatever is only not said yet, are nothing."""
    objection = _objection(table, form, answers)
    is_meant = isinstance(objection, _MEANT) or (objection is not None and objection.rules_out)
    return objection if is_meant else None


def _objection(table: Context, form: Form, answers: Answers) -> Refusal | None:
    """What a trial of an entry has against it, but for missing dice."""
    try:
        asked = _asked_for(form.model, answers)
        if isinstance(asked, MarketEntry):
            asked = asked.command_at(PriceLookup(state=table.state, armoury=table.armoury))
    except ValueError:
        return None
    except Refusal as refusal:
        return refusal
    return refusal_of(table.state, asked) if asked is not None else None


def refusal_of(state: CampaignState, command: records.Command) -> Refusal | None:
    """What a trial of a command has against it, but for missing dice."""
    try:
        validate_new_command(state, command, loader.rulebook)
        decide_keeping_spare_dice(state, command, DiceTray(), loader.rulebook, entry=1)
    except (DiceNeeded, ValueError):
        return None
    except Refusal as refusal:
        return refusal
    return None


_Asked: TypeAlias = "records.Command | MarketEntry | None"
_ASKED: dict[tuple[type[StrictModel], str], tuple[_Asked]] = {}
"""What was tried before: a turn tries nearly the same entries as the one before it."""


def _asked_for(model: type[StrictModel], answers: Answers) -> _Asked:
    """What an entry asks for, by itself or once prices are looked up; None where more has to be said."""
    key = (model, repr(answers))
    if len(key[1]) > ENTRY_CHARACTERS_KEPT:
        return _read(model, answers)
    known = _ASKED.get(key)
    if known is None:
        if len(_ASKED) >= ENTRIES_KEPT:
            _ASKED.clear()
        known = _ASKED[key] = (_read(model, answers),)
    return known[0]


def _read(model: type[StrictModel], answers: Answers) -> _Asked:
    try:
        entry = model.model_validate(dict(answers))
        return entry if isinstance(entry, MarketEntry) else entry.command(None)  # type: ignore[attr-defined]  # every entry has it
    except ValueError:
        return None
