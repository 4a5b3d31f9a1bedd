"""Who answers the wizard out of a file that was written by hand, and who types that in the fewest keys."""

import re
from collections.abc import Callable
from typing import Any

from tracker.conversations import prompter
from tracker.conversations.prompter import QuestionContext, Quit
from tracker.documents.wizard import writing
from tracker.documents.wizard.forms import battle_forms, post_battle_forms
from tracker.documents.wizard.prompts import prompts_of

REFUSED = re.compile(
    r"is none of these|not open now|Answer again|^  Type |Dropped|type it as YAML|Not rolled"
)
FORMS = {"battle-report/1": battle_forms(), "post-battle/1": post_battle_forms()}


class ByHand:
    """Answers every question of the wizard out of a file that was written by hand."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.forms = FORMS[said["format"]]
        self.left = list(said.get("entries", []))
        self.kind = ""
        self.stated: dict[str, Any] = {}
        self.counts: list[int] = []
        self.dice: dict[str, list[Any]] = listed(said.get("opening", {}).get("dice", {}))
        self.as_yaml: set[str] = set()
        self.wrong = ""
        self.said_last = ""
        self.declined = False

    def say(self, text: str = "") -> None:
        before, self.said_last = self.said_last, text
        if REFUSED.search(text) and not self.wrong and not self.declined:
            self.wrong = f"{before}\n{text}\nwhere this was stated: {self.stated}, dice left: {self.dice}"

    def ask(self, prompt: str, *, asked: QuestionContext, fits: Callable[[str], bool] | None = None) -> str:
        try:
            if not self.wrong:
                answer = self.answer(prompt, asked)
                assert answer or asked.enter, f"Enter skips nothing at {prompt!r}"
                assert fits is None or not answer or answer == "back" or fits(answer), answer
                if answer == "back":
                    raise prompter.Back
                return answer
        except (KeyError, IndexError, StopIteration, AssertionError) as error:
            self.wrong = f"{prompt}: {error!r}\nwhere this was stated: {self.stated}, dice left: {self.dice}"
        raise Quit

    def answer(self, prompt: str, asked: QuestionContext) -> str:
        self.declined = False
        if asked.key == "menu":
            return self.menu(asked)
        if asked.key == "every_gang":
            return "yes" if self.is_for_every_gang(asked) else "no"
        if asked.kind in self.forms and not asked.answers and asked.enter == "nobody":
            self.kind = ""
        if asked.kind in self.forms and not self.is_known(asked) and not self.is_due(asked):
            self.declined = True
            return "" if asked.enter in ("nobody", "no change") else "back"
        if asked.key.startswith("dice."):
            return str(self.dice[asked.key.removeprefix("dice.")].pop(0))
        if prompt.startswith("  How many for"):
            return str(self.counts.pop(0))
        if asked.kind:
            part = self.stated.get(asked.kind) if asked.kind not in self.forms else None
            listed_here = (part or self.stated).get(asked.key)
            self.counts = [*listed_here.values()] if isinstance(listed_here, dict) else []
            stated = [one.words for one in asked.beside if self.stated.get(one.key) == one.answer]
            return ", ".join(filter(None, [as_typed(listed_here), *stated]))
        return self.head(asked)

    def is_known(self, asked: QuestionContext) -> bool:
        """Whether the question is about the entry that was begun last."""
        same = (self.stated.get(key) == said for key, said in asked.answers.items() if key in self.stated)
        return self.kind == asked.kind and all(same)

    def is_due(self, asked: QuestionContext) -> bool:
        """Whether what the wizard asks for by itself is what comes next in the file; it is begun then."""
        entry = self.left[0].get(asked.kind) if self.left else None
        if entry is None or any(entry.get(key) != said for key, said in asked.answers.items()):
            return False
        self.begin(asked.kind)
        return True

    def is_for_every_gang(self, asked: QuestionContext) -> bool:
        """Whether every gang does this next, and says no more of it; all of it is done then."""
        gangs = asked.answers["gangs"]
        following = [entry.get(asked.kind) for entry in self.left[: len(gangs)]]
        if following != [{"gang": gang} for gang in gangs]:
            return False
        del self.left[: len(gangs)]
        return True

    def begin(self, kind: str) -> None:
        entry = self.left.pop(0)
        self.kind, self.stated, self.dice = kind, entry[kind], listed(entry.get("dice", {}))

    def menu(self, asked: QuestionContext) -> str:
        self.kind = ""
        if not self.left:
            self.dice = listed(self.said.get("wrap_up", {}).get("dice", {}))
            return "end"
        entry = self.left[0]
        kind = next(key for key in entry if key in self.forms)
        known = {one.key for one in prompts_of(self.forms[kind])}
        lines = entry[kind]
        unasked = {*lines} - known | {key for key in entry if key not in (kind, "dice")}
        unasked |= {key for key, value in lines.items() if isinstance(value, dict) and key == "weapon"}
        if unasked:
            self.as_yaml |= {f"{kind}.{key}" for key in unasked}
            del self.left[0]
            return f"other: {writing.flow(entry)}"
        if (
            kind != "clean_house"
            and kind not in [choice.value for choice in asked.choices]
            and asked.enter.startswith("on to")
        ):
            return "next"
        acting = asked.answers.get("gang", lines.get("gang"))
        if prompts_of(self.forms[kind])[0].key == "gang" and lines["gang"] != acting:
            return "gang"
        self.begin(kind)
        return kind

    def head(self, asked: QuestionContext) -> str:
        gangs = self.said.get("gangs")
        crews = gangs if isinstance(gangs, dict) else dict.fromkeys(gangs or (), "all")
        result = self.said.get("result", {})
        if asked.key.startswith("crew."):
            return as_typed(crews[asked.key.removeprefix("crew.")])
        answers: dict[str, Callable[[], str]] = {
            "battle": lambda: self.said["battle"],
            "scenario": lambda: self.said["scenario"],
            "date": lambda: self.said["date"],
            "gangs": lambda: ", ".join(crews),
            "crews": lambda: "yes" if {*map(str, crews.values())} == {"all"} else "no",
            "gang": lambda: self.said.get("gang", "every-gang"),
            "won": lambda: result.get("winner", "draw"),
            "go_on": lambda: "yes",
            "acting": lambda: next(said["gang"] for said in self.left[0].values() if "gang" in said),
            "record": lambda: "yes",
        }
        return answers[asked.key]()


def listed(dice: dict[str, Any]) -> dict[str, list[Any]]:
    """Dice by purpose, each purpose a list of its own."""
    return {name: [*faces] if isinstance(faces, list) else [faces] for name, faces in dice.items()}


def as_typed(entries: Any) -> str:
    if entries is None:
        return ""
    if isinstance(entries, bool):
        return "yes" if entries else "no"
    return ", ".join(str(one) for one in entries) if isinstance(entries, list | dict) else str(entries)


SECONDS_A_KEY, SECONDS_A_QUESTION = 0.3, 1.6
"""How fast somebody types who does not type for a living, and how long they look before they begin a line."""


class Typist(ByHand):
    """The same in the fewest keys: numbers or beginnings of names, dice as digits, Enter for what is usual."""

    def __init__(self, said: dict[str, Any]) -> None:
        super().__init__(said)
        self.lines: list[str] = []
        """Question by question."""
        self.strung: list[str] = []
        """An entry's answers on one line, as far as they go: a free text is the last of its line."""
        self._goes_on = False

    def ask(self, prompt: str, *, asked: QuestionContext, fits: Callable[[str], bool] | None = None) -> str:
        begun = self.kind
        answer = super().ask(prompt, asked=asked, fits=fits)
        typed = self.shortest(answer, asked)
        self.lines.append(typed)
        anew = not asked.answers and asked.enter == "nobody"
        in_entry = asked.kind in self.forms and not anew and asked.key != "every_gang" and begun == asked.kind
        if in_entry and self._goes_on:
            self.strung[-1] = f"{self.strung[-1] or prompter.STAY} {typed or prompter.STAY}"
        else:
            self.strung.append(typed)
        free_text = asked.kind in self.forms and fits is None
        self._goes_on = not free_text and asked.key != "every_gang"
        return answer

    def answer(self, prompt: str, asked: QuestionContext) -> str:
        row = re.search(r"\(all (\d+) in a row", prompt)
        if asked.key.startswith("dice.") and self.is_known(asked):
            rolled = asked.dice if len({*asked.dice}) > 1 or row is None else asked.dice[:1] * int(row[1])
            return ", ".join(str(self.dice[purpose].pop(0)) for purpose in rolled)
        return super().answer(prompt, asked)

    def shortest(self, answer: str, asked: QuestionContext) -> str:
        if asked.key.startswith("dice."):
            return re.sub("[-+, ]", "", answer)
        if answer in ("yes", "no"):
            return "" if answer == asked.taken else answer[0]
        if answer in (asked.enter, "next", "every-gang") or (answer, asked.enter) == ("end", "that is all"):
            return ""
        if asked.key in ("why", "reason"):
            said = [choice.value for choice in asked.choices]
            return str(said.index(answer) + 1) if answer in said else answer
        if asked.choices:
            return ",".join(self.short_name(word, asked) for word in answer.split(", "))
        return answer

    def short_name(self, word: str, asked: QuestionContext) -> str:
        named = [one for one in asked.choices if one.value == word]
        ways = [str(one.number or asked.choices.index(one) + 1) for one in named]
        ways += [name[:end] for one in named for name in (one.value, one.name) for end in range(1, len(name))]
        meant = [way for way in ways if prompter.find(way, asked.choices) == word]
        return min(meant, key=len, default=word)


def keys(lines: list[str]) -> int:
    """Every key, Enter included."""
    return sum(len(line) + 1 for line in lines)


def seconds(lines: list[str]) -> float:
    """How long it takes to type these lines."""
    return keys(lines) * SECONDS_A_KEY + len(lines) * SECONDS_A_QUESTION
