"""Refusals: how this program says no.

Knows the five families and their exit codes. Knows no rule, no file and no database: each floor
derives its own refusals from these, and each refusal writes its own message from its facts, so a
place that refuses stays one line long.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

DONE_NOT_SHOWN = 5
"""The exit code of what is done and kept, and could not be shown: who sends it again may do it twice."""


class Refusal(Exception):
    """Something was asked that is not done. Nothing was written. Subclasses are dataclasses of facts."""

    exit_code = 1

    def message(self) -> str:
        """One paragraph for a person: what, where, why, what next."""
        return " ".join(str(part) for part in self.args) or type(self).__name__

    def facts(self) -> dict[str, Any]:
        """The facts behind the message, for programs."""
        names = getattr(self, "__dataclass_fields__", {})
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        return self.message()


class RulesRefuse(Refusal):
    """The rules or the state of the campaign forbid it."""

    exit_code = 1


class BadInput(Refusal):
    """What was typed or written cannot be read, or dice are missing."""

    exit_code = 2


class Stale(Refusal):
    """Somebody else was faster, or the database is busy: trying again may work."""

    exit_code = 3


class LogDamaged(Refusal):
    """The log, or something that should follow from it, is not what it must be."""

    exit_code = 4


_WORDS = re.compile(r"[-_ ]+")


def nearest(word: str, known: Iterable[str]) -> str:
    """A tail for messages: ' Did you mean X?', or nothing when nothing comes close or has that word in it."""
    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    close = close or [one for one in names if word.lower() in _WORDS.split(one)]
    return f" Did you mean {names[close[0]]!r}?" if len(close) == 1 else ""
