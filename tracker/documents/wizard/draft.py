"""An unfinished part of a report: its answers so far, its dice, and their storage.

Knows no question. Dice rolled by the tool are marked: `{rolled: 4}`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

_BESIDE: Final = ("dice", "passed")


class DraftEntry:
    """An entry on its way: `entry` as it will stand in the file, but for its dice."""

    def __init__(self, kind: str, entry: Mapping[str, Any], given: Mapping[str, Any] | None = None) -> None:
        given = given or {}
        self.kind = kind
        self.entry = dict(entry)
        self.dice = _lists(given.get("dice"))
        passed = given.get("passed")
        self.passed = [str(key) for key in passed] if isinstance(passed, list) else []
        self.by_itself: set[str] = set()
        self._former: dict[str, list[Any]] = {}
        under = self.entry.get(kind)
        self._order: list[tuple[str, int]] = [(key, 0) for key in [*(under or {}), *self.passed]]
        self._order += [(purpose, len(faces)) for purpose, faces in self.dice.items()]

    @classmethod
    def of_draft(cls, kind: str, draft: Mapping[str, Any]) -> DraftEntry:
        """A part as it was left."""
        return cls(kind, {key: value for key, value in draft.items() if key not in _BESIDE}, draft)

    def name_ids(self, meant: Callable[[str], str], *, but: Collection[str] = ()) -> None:
        """Put ids where a person typed names in the file; not under the keys `but` these."""
        for key, said in self.answers.items():
            self.answers[key] = said if key in but else _each(said, meant)

    @property
    def answers(self) -> dict[str, Any]:
        """What stands under the entry's key."""
        answers = self.entry.get(self.kind)
        if not isinstance(answers, dict):
            answers = {}
            self.entry[self.kind] = answers
        return answers

    def answer(self, key: str, said: Any, *, by_itself: bool = False) -> None:
        """Put an answer down; None passes the key over. `by_itself`: there was nothing else to choose.

        Where it says more than an answer that is there, that one stands again once it is taken back.
        """
        if said is None:
            self.passed.append(key)
        else:
            if key in self.answers:
                self._former.setdefault(key, []).append(self.answers[key])
            self.answers[key] = said
        if by_itself:
            self.by_itself.add(key)
        self._order.append((key, 0))

    def step_back(self) -> bool:
        """Take the last answer back, or the dice typed last; False where there is none that was asked for."""
        while self._order:
            last, count = self._order[-1]
            if count:
                self.take_back(last, count)
                return True
            del self._order[-1]
            if self._former.get(last):
                self.answers[last] = self._former[last].pop()
            else:
                self.answers.pop(last, None)
            self.passed = [key for key in self.passed if key != last]
            if last not in self.by_itself:
                return True
            self.by_itself.discard(last)
        return False

    def draft(self) -> dict[str, Any]:
        """The part as it is kept while it is not whole."""
        beside = {"dice": self.dice, "passed": self.passed}
        return {**self.entry, **{key: value for key, value in beside.items() if value}}

    def whole(self) -> dict[str, Any]:
        """The part as it stands in the file: with its dice, the note last."""
        whole = {key: value for key, value in self.entry.items() if key != "note"}
        if self.dice:
            whole["dice"] = self.dice
        return {**whole, "note": self.entry["note"]} if "note" in self.entry else whole

    def add(
        self, purpose: str, faces: list[Any], *, rolled: bool = False, request: int | None = None
    ) -> None:
        """Dice that lie on the table now. Those that were rolled here say so in the file, and which request
        of provable dice drew them."""
        drawn = {} if request is None else {"request": request}
        written = [{"rolled": face, **drawn} for face in faces] if rolled else faces
        self.dice.setdefault(purpose, []).extend(written)
        self._order.append((purpose, len(written)))

    def take_back(self, purpose: str, count: int) -> None:
        """Take the last dice of a purpose off again."""
        del self.dice[purpose][-count:]
        if not self.dice[purpose]:
            del self.dice[purpose]
        for place in reversed(range(len(self._order))):
            named, typed = self._order[place]
            if named == purpose and typed:
                taken = min(typed, count)
                self._order[place : place + 1] = [(purpose, typed - taken)] if typed > taken else []
                count -= taken
            if not count:
                return


def _each(said: Any, meant: Callable[[str], str]) -> Any:
    """An answer with each of its words, and keys, as they are meant."""
    if isinstance(said, str):
        return meant(said)
    if isinstance(said, list):
        return [_each(part, meant) for part in said]
    return {meant(key): _each(part, meant) for key, part in said.items()} if isinstance(said, dict) else said


def _lists(given: Any) -> dict[str, list[Any]]:
    if not isinstance(given, dict):
        return {}
    return {str(name): [*faces] if isinstance(faces, list) else [faces] for name, faces in given.items()}
