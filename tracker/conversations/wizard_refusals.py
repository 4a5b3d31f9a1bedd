"""Questions that a refusal leads to besides choices: which of too many targets are attacked.

Knows no file: the wizard keeps the answers and tries again.
"""

from __future__ import annotations

from typing import Final

from tracker.campaign import records
from tracker.conversations.prompter import Prompter, QuestionContext
from tracker.documents.wizard.context import Choice, listed
from tracker.documents.wizard.draft import DraftEntry
from tracker.errors import Refusal
from tracker.reports.names import Names

_TARGETS: Final = "targets"


def name_fewer(talk: Prompter, part: DraftEntry, why: Refusal, names: Names) -> bool:
    """Ask which targets are attacked, if the Attack dice are too few. Returns whether it asked."""
    targets = listed(part.answers, _TARGETS)
    if not isinstance(why, records.DiceShareMissing) or not 0 < why.dice < min(why.targets, len(targets) + 1):
        return False
    named = [Choice(value=target, name=names.anyone(target)) for target in targets]
    asked = QuestionContext(kind=part.kind, key=_TARGETS, answers=part.answers, most=why.dice)
    while True:
        chosen = talk.several(f"  {why.message()} Whom?", named, asked=asked) or []
        if len(chosen) <= why.dice:
            break
        talk.wrong(f"You named {len(chosen)}, and there are {why.dice} Attack dice: name {why.dice} at most.")
    written = dict(zip(targets, part.answers[_TARGETS], strict=True))
    part.answer(_TARGETS, [written[target] for target in chosen])
    return True
