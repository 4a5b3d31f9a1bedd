"""The course of a conversation: a report written question by question, from its head to the record.

The parts for a battle and for its aftermath are in `battle_wizard` and `post_battle_wizard`.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

from tracker.conversations import prompter
from tracker.conversations.wizard import Entries
from tracker.documents.ids import id_meant
from tracker.documents.known_names import KnownNames
from tracker.documents.wizard import writing
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form
from tracker.documents.wizard.prompts import prompts_of
from tracker.errors import Refusal
from tracker.service.command_handler import RecordResult

_YAML: Final = re.compile(r"[a-z_]+:|\{")
"""How an entry typed as YAML begins."""
STOPPED: Final = 130


class Conversation(Entries):
    """One file from its first question to the record."""

    resume: str
    """The command that goes on with the file."""

    @abstractmethod
    def begin(self) -> None:
        """Ask for the head of the file and keep it."""

    @abstractmethod
    def menu(self) -> bool:
        """One turn of what comes next; False when there are no more entries."""

    @abstractmethod
    def end(self) -> None:
        """Ask for the end of the file and keep it."""

    @abstractmethod
    def reopen(self) -> None:
        """Remove the end of the file again."""

    @property
    @abstractmethod
    def whole(self) -> bool:
        """Whether the file needs nothing more."""

    @abstractmethod
    def record(self, *, dry_run: bool) -> RecordResult:
        """Record the file, as the command that reads it does."""

    def converse(self) -> int:
        """Go on from the state of the file until it is recorded or somebody stops; returns the exit code."""
        self.open()
        try:
            while not self.settle():
                self.take_up_draft()
                while not self.whole and self._turn():
                    pass
                if not self.whole:
                    self.try_to(self.end)
        except prompter.Quit:
            self.say_how_to_go_on()
        except (click.Abort, KeyboardInterrupt):
            if self.tracker.saved:
                raise
            self.talk.say()
            self.say_how_to_go_on()
            return STOPPED
        return 0

    def _turn(self) -> bool:
        self.talk.settled()
        return self.menu()

    def open(self) -> None:
        """Read the file, which may be empty. Raises what refuses it."""
        if self.text.strip():
            self.played = self.tried(self.text)

    def settle(self) -> bool:
        """Show what would be recorded, ask once, and record it; False while entries are still to come."""
        if self.played is None:
            self.begin()
            return False
        if not self.whole:
            return False
        played = self.record(dry_run=True)
        self.talk.whole(self.receipt(played))
        if played.repeated:
            return True
        self.talk.forget()  # what was typed before all was shown records nothing
        try:
            yes = self.talk.yes_or_no(
                "Record it?", asked=prompter.QuestionContext(key="record", help=self._about_recording)
            )
        except prompter.Back:
            self.reopen()
            return False
        if not yes:
            raise prompter.Quit
        self.record_and_say()
        return True

    def record_and_say(self) -> None:
        """Record the file as it stands, and say where."""
        recorded = self.record(dry_run=False).entries
        first, last = recorded[0][0].entry, recorded[-1][0].entry
        self.talk.say(f"Recorded: entries {first} to {last}.")

    @property
    def _about_recording(self) -> str:
        return f"  {self.file} is whole. y records it, n leaves it as it is, back goes on with it."

    def say_how_to_go_on(self) -> None:
        """Say what is kept and how to go on with it."""
        kept = bool(self.text.strip() or self.draft)
        self.talk.say(f"Nothing is recorded. Go on with: {self.resume}" if kept else "Nothing was begun.")

    def offer(
        self,
        ask: str,
        offered: Sequence[Form],
        more: Mapping[str, Callable[[], bool]],
        *,
        about: Mapping[str, Any] | None = None,
        enter: tuple[str, Callable[[], bool]] | None = None,
    ) -> bool:
        """List entries and ask for one, or for a word of `more`, which returns whether more is to come.

        `about` are answers that need no question; `enter` is what Enter does, with its words.
        """
        self.talk.show_choices(prompter.list_of(self.menu_of(offered)))
        kinds = "\n".join(f"  {form.kind:<20}{form.about_in(self.book.words)}" for form in offered)
        words: dict[str, Callable[[], bool]] = {"undo": self._undo, **more}
        asked = prompter.QuestionContext(
            key="menu",
            answers=about or {},
            choices=self.menu_of(offered),
            enter=enter[0] if enter is not None else "",
            words=tuple(words),
            help=f"{kinds}\n  Type its number or name, or an entry as YAML. undo removes the last entry."
            f"\n  Also: {', '.join(words)}.",
        )
        try:
            line = self.talk.ask(
                ask,
                asked=asked,
                fits=lambda line: bool(_YAML.match(line)) or line in words or bool(self.meant(line, offered)),
            )
            if not line and enter is not None:
                return enter[1]()
            if line in words:
                return words[line]()
            self.typed(line, offered)
        except prompter.Back:
            self._back()
        except Refusal as refusal:
            self.talk.wrong(refusal.message())
        return True

    def _back(self) -> None:
        """Open the last entry again, at its last answer."""
        entries = writing.plain_of(self.text, file=self.file).get("entries")
        kind = next((key for key in entries[-1] if key in self.forms), None) if entries else None
        if entries is None or kind is None or not self.forms[kind].on_one_line:
            self.talk.wrong("There is no answer to go back to; undo removes the last entry.")
            return
        text = writing.without_last_entry(self.text, file=self.file)
        self.accept(text, self.tried(text))
        part = DraftEntry.of_draft(kind, entries[-1])
        passed = [prompt.key for prompt in prompts_of(self.forms[kind]) if prompt.key not in part.answers]
        part = DraftEntry.of_draft(kind, {**part.draft(), "passed": passed})
        part.step_back()
        self.talk.say(f"  Open again: {writing.flow(entries[-1])}")
        self.try_to(lambda: self.tell(self.forms[kind], part))

    def _undo(self) -> bool:
        entries = writing.plain_of(self.text, file=self.file).get("entries")
        if not entries:
            self.talk.wrong("There is no entry to remove.")
            return True
        text = writing.without_last_entry(self.text, file=self.file)
        self.accept(text, self.tried(text))
        self.talk.say(f"  Removed: {writing.flow(entries[-1])}")
        return True

    def take_up_draft(self) -> None:
        """Go on with an entry that was left in the middle."""
        kind = next((key for key in self.draft if key in self.forms), None)
        if kind is None:
            return
        self.talk.say(f"Going on with the unfinished {kind}.")
        part = DraftEntry.of_draft(kind, self.draft)
        form, table = self.forms[kind], self.table()
        asked = {key for key, _, _ in form.shapes()}
        free = [
            key
            for key in part.answers
            if key not in asked or candidates(table, form, key, part.answers) is None
        ]
        part.name_ids(self.id_meant, but=free)
        self.try_to(lambda: self.tell(form, part))

    def id_meant(self, word: str) -> str:
        """The id of a name; the word itself if nobody or several people have that name."""
        known = KnownNames(self.before)
        if known.is_id(word):
            return word
        ids = known.ids_called(word, id_meant(word))
        return ids[0] if len(ids) == 1 and known.is_id(ids[0]) else word
