"""Questions that a refusal asks for: which die counts, how Attack dice are shared out, who is attacked.

Knows no file: the wizard keeps the answers and tries again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tracker.campaign import records
from tracker.conversations.prompter import Prompter, QuestionContext
from tracker.documents.wizard.attack_shares import shares_of_next
from tracker.documents.wizard.context import Choice, listed
from tracker.documents.wizard.draft import DraftEntry
from tracker.errors import Refusal
from tracker.reports.names import Names

_SHARES: Final = "shares"
_TARGETS: Final = "targets"
_KEPT_DIE: Final[Mapping[str, str]] = {"fight": "keep_location", "vehicle_hit": "keep_location"}
"""The key of an entry that says which of several dice is kept."""


def choose_die(talk: Prompter, part: DraftEntry, why: Refusal, names: Names) -> bool:
    """Ask which of several dice counts, or what a roll is for; False if there is nothing to choose."""
    key: str | None
    if isinstance(why, records.ChoiceNeeded):
        key, options = "choose", why.options
        words = f"  {why.fighter} rolled {why.rolled}: which characteristic gets better?"
    elif isinstance(why, records.DieNotChosen):
        key, options = _KEPT_DIE.get(part.kind), why.rolled
        words = f"  Which Location die counts? The {why.chooser} chooses."
    else:
        return False
    if key is None:
        return False
    place = _in_the_list(part, why, names) if isinstance(why, records.DieNotChosen) else None
    said = part.answers[_TARGETS][place] if place is not None else part.answers
    before = said.get(key) or []
    chosen = talk.choose(
        words,
        [Choice(value=option, name=option.replace("_", " ")) for option in options],
        asked=QuestionContext(kind=part.kind, key=key, answers=part.answers),
    )
    if place is None:
        part.answer(key, [*before, chosen])
        return True
    targets = [*part.answers[_TARGETS]]
    targets[place] = {**said, key: [*before, chosen]}
    part.answer(_TARGETS, targets)
    return True


def _in_the_list(part: DraftEntry, why: records.DieNotChosen, names: Names) -> int | None:
    """Where the vehicle stands among the targets with its side; None where it does not."""
    targets = part.answers.get(_TARGETS)
    places = (
        place
        for place, target in enumerate(targets if isinstance(targets, list) else ())
        if isinstance(target, dict) and names.anyone(str(target.get("vehicle"))) == why.vehicle
    )
    return next(places, None)


def share_dice(talk: Prompter, part: DraftEntry, why: Refusal, names: Names) -> bool:
    """Ask how many Attack dice the next target takes; False if that is not what is lacking."""
    targets = listed(part.answers, _TARGETS)
    if not isinstance(why, records.DiceShareMissing) or not targets:
        return False
    if why.dice < why.targets:
        _name_fewer(talk, part, why, names)
        return True
    before = part.answers.get(_SHARES) or []
    ways = shares_of_next(why, before)
    if not ways or len(before) >= len(targets):
        return False
    chosen: str | None = ways[0].value
    if len(ways) > 1:
        of = "for which weapon" if len(targets) == 1 else f"at {names.anyone(targets[len(before)])}"
        chosen = talk.choose(
            f"  How many of the {why.dice} Attack dice {of}?",
            ways,
            asked=QuestionContext(kind=part.kind, key=_SHARES, answers=part.answers),
        )
    share = next(way.written for way in ways if way.value == chosen)
    part.answer(_SHARES, [*before, share], by_itself=len(ways) == 1)
    return True


def _name_fewer(talk: Prompter, part: DraftEntry, why: records.DiceShareMissing, names: Names) -> None:
    """Ask who of those named is attacked, where there are fewer Attack dice than targets."""
    targets = listed(part.answers, _TARGETS)
    named = [Choice(value=target, name=names.anyone(target)) for target in targets]
    asked = QuestionContext(kind=part.kind, key=_TARGETS, answers=part.answers, most=why.dice)
    while True:
        chosen = talk.several(f"  {why.message()} Whom?", named, asked=asked) or []
        if len(chosen) <= why.dice:
            break
        talk.wrong(f"That are {len(chosen)}, for {why.dice} Attack dice.")
    written = dict(zip(targets, part.answers[_TARGETS], strict=True))
    part.answer(_TARGETS, [written[target] for target in chosen])
