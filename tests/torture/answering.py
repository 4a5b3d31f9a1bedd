"""A person who answers every question of the terminal's wizards at random: battles, and what comes after them.

What can be answered so leads to the record of the whole file. A refusal of an answer that was listed stands in `REASONED`
here or on the board (`tapping`), with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import pytest

from tracker.campaign.command_validation import nobody_comes
from tracker.campaign.steps import rulebook_in_force
from tracker.conversations.battle_wizard import GANGS_MIN, BattleWizard
from tracker.conversations.conversation import Conversation
from tracker.conversations.post_battle_wizard import PostBattleWizard
from tracker.conversations.prompter import PLAIN, Prompter, QuestionContext
from tracker.conversations.stepping import falling_alike
from tracker.dice import D66, TWO_D6, Roller, sides_of
from tracker.documents.post_battle import PostBattlePlan
from tracker.documents.wizard.context import Choice
from tracker.rules import loader
from tracker.rules.rulebook import Book
from tracker.service.application import Tracker

from . import club, mustering, tapping
from .runner import Run

BATTLES_MAX = 2
ENTRIES_USUAL = 20
"""So many entries later somebody ends the battle."""
LINES_MAX = 1_000
"""A file that is not recorded by then never is."""
TAKES_BACK, EXPLAINS, QUITS, ENDS = 0.03, 0.01, 0.01, 0.03
STUCK_MAX = 4
"""So often a die is typed again before an answer is."""
REASONED: tuple[tuple[str, str], ...] = (
    *tapping.REASONED,
    ("There is no answer to go back to", "back was typed before anything was answered"),
    (
        "is said to be (not )?Mobile, but",
        "the table says whether a vehicle is, and the battle may know better",
    ),
    ("is named twice as a target", "a vehicle is listed with each of its sides"),
    ("gains XP: leave the entry out", "everybody may be ticked as having sat it out"),
    ("ride_by and .* do not go together", "boxes, of which each may be ticked"),
    ("that is a skill of the Patron", "it is asked for once the dice lie there, and may be passed over"),
    ("nothing at all is not a reward", "dice and credits may both be passed over"),
    (
        "'s card has one .*, not two",
        "two profiles of one weapon are listed, of which each fighter may carry two",
    ),
    ("There is no entry to remove", "undo was typed before there was one"),
)


class Broken(AssertionError):
    """The wizard did what it must not."""


class Talk(Prompter):
    """Whoever sits at the terminal, with all that was said there."""

    def __init__(self, book: Book, dice: Random, counted: Counter[str]) -> None:
        super().__init__()
        self.book, self.dice, self.counted = book, dice, counted
        self.said: list[str] = []
        self.lines = self.entries = 0
        self.typed_freely, self._stuck = False, 0
        self._shape: Literal["one", "several", "say", "say several", "yes_no", ""] = ""

    @property
    def story(self) -> str:
        return "\n".join(self.said[-60:])

    def say(self, text: str = "") -> None:
        self.said.append(text)

    def roller(self, usual: Roller, about: str) -> Roller:  # noqa: ARG002  # the same in each run of a round
        return falling_alike(str(self.dice.random()), about)

    def wrong(self, why: str) -> None:
        super().wrong(why)
        self._stuck += 1
        if self.typed_freely or any(re.search(pattern, why) for pattern, _ in REASONED):
            self.counted["refused as it was typed" if self.typed_freely else "refused with a reason"] += 1
        else:
            raise Broken(f"refused although it was offered: {why}\n{self.story}")

    def line(self, shown: str, asked: QuestionContext) -> str:
        self.lines += 1
        if self.lines > LINES_MAX:
            raise Broken(f"a file that does not end\n{self.story}")
        self.counted["lines"] += 1
        typed = self._typed(asked)
        self.say(f"{shown}> {typed}")
        return typed

    def _typed(self, asked: QuestionContext) -> str:
        self._stuck = self._stuck if asked.dice else 0
        if self._stuck >= STUCK_MAX:
            return "back"  # it may be an answer before the dice that does not go with them
        chance = self.dice.random()
        for often, word in ((TAKES_BACK, "back"), (EXPLAINS, "?"), (QUITS, "quit")):
            if chance < often:
                return word
            chance -= often
        if asked.key == "menu":
            return self._of_menu(asked)
        if asked.dice:
            return self._of_dice(asked)
        if asked.enter and (asked.key == "date" or self.dice.random() < 0.3):
            return ""
        return self._answer(asked)

    def _of_menu(self, asked: QuestionContext) -> str:
        """An entry, by its name or number, or a word."""
        self.entries += 1
        self.typed_freely = False
        if self.entries > ENTRIES_USUAL or not asked.choices or self.dice.random() < ENDS:
            return "" if asked.enter else "end"
        if self.dice.random() < TAKES_BACK:
            return "undo"
        if asked.enter and self.dice.random() < 0.3:
            return ""
        entry = self.dice.choice(asked.choices)
        self.counted["entries"] += 1
        return self.dice.choice([entry.value, entry.name, str(entry.number)])

    def _of_dice(self, asked: QuestionContext) -> str:
        if asked.words and self.dice.random() < 0.2:
            return self.dice.choice(asked.words)
        if self.dice.random() < 0.3:
            return "r"
        purpose = self.book.purposes[asked.dice[0]]
        if purpose.special is not None:
            return self.dice.choice(purpose.special.symbols)
        between = {D66: "-", TWO_D6: "+"}.get(purpose.die, "")
        return between.join(str(self.dice.randint(1, sides)) for sides in sides_of(purpose.die))

    def _answer(self, asked: QuestionContext) -> str:
        """One that the question lists; where it lists none, a number or a few words."""
        beside = {option.words for option in asked.beside}
        listed = [choice for choice in asked.choices if choice.value not in beside]
        if self._shape == "yes_no":
            return self.dice.choice(["y", "n"])
        if self._shape and listed:
            many = 1
            if "several" in self._shape:
                least = min(asked.least or 1, len(listed))
                many = self.dice.randint(least, max(least, min(asked.most or 3, 3, len(listed))))
            chosen = self.dice.sample(listed, k=many)
            # Of those that share `one_of` an answer names one.
            apart = {choice.one_of or choice.value: choice for choice in chosen}
            words = [self._named(choice) for choice in apart.values()]
            return ", ".join([*words, *self._beside(asked)])
        self.typed_freely = True
        if asked.shape in ("number", "counts"):
            return str(self.dice.choice([0, 1, 1, 2, 3, 6]))
        if asked.shape == "numbers":
            return "1, 2"
        return f"words {self.dice.randrange(1_000)}"

    def _named(self, choice: Choice) -> str:
        return self.dice.choice([choice.value, str(choice.number)]) if choice.number else choice.value

    def _beside(self, asked: QuestionContext) -> list[str]:
        said = {option.key: option.words for option in asked.beside if self.dice.random() < 0.3}
        return [*said.values()]

    # --- what is asked, by its shape ---------------------------------------------------------------------

    def choose(self, prompt: str, choices: Sequence[Choice], **how: Any) -> str | None:
        return self._shaped("one", lambda: super(Talk, self).choose(prompt, choices, **how))

    def several(self, prompt: str, choices: Sequence[Choice], **how: Any) -> list[str] | None:
        return self._shaped("several", lambda: super(Talk, self).several(prompt, choices, **how))

    def choose_and_say(
        self, prompt: str, choices: Sequence[Choice], more: Sequence[Choice], **how: Any
    ) -> tuple[list[str], list[str]]:
        several = "say several" if how.get("several") else "say"
        return self._shaped(several, lambda: super(Talk, self).choose_and_say(prompt, choices, more, **how))

    def yes_or_no(
        self, prompt: str, *, asked: QuestionContext = PLAIN, usual: bool | None = None
    ) -> bool | None:
        if asked.key == "record":
            return True
        return self._shaped("yes_no", lambda: super(Talk, self).yes_or_no(prompt, asked=asked, usual=usual))

    def _shaped(self, shape: Any, ask: Callable[[], Any]) -> Any:
        self._shape = shape
        try:
            return ask()
        finally:
            self._shape = ""


# --- a file from its first question to its record --------------------------------------------------------


class Sitting(NamedTuple):
    """A campaign that somebody sits down with: what a wizard is told of it."""

    tracker: Tracker
    campaign: str
    slug: str
    book: Book
    dice: Random
    counted: Counter[str]


def converse(sitting: Sitting, wizard_of: Callable[[Prompter], Conversation]) -> None:
    """Until the file is recorded. Who quits goes on with the same file."""
    size = sitting.tracker.repository.store.head(sitting.campaign).size
    talk = Talk(sitting.book, sitting.dice, sitting.counted)
    while sitting.tracker.repository.store.head(sitting.campaign).size == size:
        try:
            ended = wizard_of(talk).converse()
        except Broken:
            raise
        except Exception as failure:
            failure.add_note(talk.story)
            raise
        if ended:
            raise Broken(f"ended with {ended}\n{talk.story}")
    sitting.counted["files"] += 1


def play_battle(sitting: Sitting, folder: Path, name: str) -> bool:
    """A battle, if two gangs have somebody to fight; whether there was one."""
    rulebook = rulebook_in_force(state := sitting.tracker.boards.state_at(sitting.campaign), loader.rulebook)
    if sum(nobody_comes(gang, rulebook) is None for gang in state.gangs.values()) < GANGS_MIN:
        sitting.counted["too few to fight"] += 1
        return False
    file, roll = str(folder / f"{name}.yaml"), sitting.dice.random() < 0.3
    converse(sitting, lambda talk: BattleWizard(sitting, file, roll=roll, talk=talk))
    return True


def play_aftermath(sitting: Sitting, folder: Path, battle: str) -> None:
    """What each gang does after its battle, in a file for all of them or for one."""
    number = 0
    while left := _unrecorded(sitting, battle):
        number += 1
        file, roll = str(folder / f"after-{battle}-{number}.yaml"), sitting.dice.random() < 0.3
        converse(sitting, partial(_after, sitting, file, roll))
        if left == _unrecorded(sitting, battle):
            return  # it held nothing to record


def _after(sitting: Sitting, file: str, roll: bool, talk: Prompter) -> PostBattleWizard:
    return PostBattleWizard(sitting, file, armoury=None, roll=roll, talk=talk)


def _after(sitting: Sitting, file: str, roll: bool, talk: Prompter) -> PostBattleWizard:
    return PostBattleWizard(sitting, file, armoury=None, roll=roll, talk=talk)


def _unrecorded(sitting: Sitting, battle: str) -> list[str]:
    def is_recorded(gang: str | None) -> bool:
        heading = PostBattlePlan(
            battle=battle, gang=gang, part=None, campaign=None, recorded_by=None, decisions=(), digest=""
        )
        return sitting.tracker.commands.is_recorded(sitting.campaign, heading)

    behind = sitting.tracker.boards.state_at(sitting.campaign).after_battle
    return [gang for gang in behind if not is_recorded(gang) and not is_recorded(None)]


def wizard(run: Run) -> None:
    """A campaign a round: a battle or two, each with what comes after it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(run.folder / "data"))
        patch.setenv("HOME", str(run.folder / "home"))
        for dice in run.each_round():
            book = mustering.BOOKS[run.at % len(mustering.BOOKS)]
            with run.empty_folder() as folder, tapping.mustered(folder, book, dice) as (tracker, campaign):
                sitting = Sitting(tracker, campaign, tapping.SLUG, loader.book(book), dice, run.counted)
                for number in range(1, dice.randint(1, BATTLES_MAX) + 1):
                    if play_battle(sitting, folder, f"battle-{number}"):
                        play_aftermath(sitting, folder, f"battle-{number}")
                club.everything_holds(tracker, campaign)
