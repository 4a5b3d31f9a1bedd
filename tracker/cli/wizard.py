"""The wizard: a report written question by question, from the head of its file to the record.

Knows the course of a conversation. Entries are asked for in `wizard_entries`; what a battle and what its
aftermath need beside them is said by `wizard_battle` and `wizard_post`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

import click

from tracker.cli.options import show
from tracker.cli.prompter import Back, Quit, in_rows
from tracker.cli.wizard_entries import Entries
from tracker.documents.wizard import writing
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form
from tracker.errors import Refusal
from tracker.service.command_handler import RecordResult

STOPPED = 130


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
        """Ask for what stands at the end of the file and keep it."""

    @abstractmethod
    def reopen(self) -> None:
        """Take what stands at the end out again."""

    @property
    @abstractmethod
    def whole(self) -> bool:
        """Whether the file needs nothing more."""

    @abstractmethod
    def record(self, *, dry_run: bool) -> RecordResult:
        """Record the file, as the command that reads it does."""

    def converse(self) -> int:
        """From where the file stands to the record, or until somebody stops; gives the exit code."""
        self.open()
        try:
            while not self.settle():
                self.take_up_draft()
                while not self.whole and self.menu():
                    pass
                if not self.whole:
                    self.try_to(self.end)
        except Quit:
            self.say_how_to_go_on()
        except (click.Abort, KeyboardInterrupt):
            if self.tracker.saved:
                raise
            self.talk.say()
            self.say_how_to_go_on()
            return STOPPED
        return 0

    def open(self) -> None:
        """Read what stands in the file, or nothing. Raises what refuses it."""
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
        show(self.receipt(played))
        if played.repeated:
            return True
        self.talk.say(f"{self.file} is whole. yes records it, no leaves it as it is, back goes on with it.")
        while True:
            try:
                answer = self.talk.ask("Record it").casefold()
            except Back:
                self.reopen()
                return False
            if answer in ("y", "yes"):
                recorded = self.record(dry_run=False).entries
                first, last = recorded[0][0].entry, recorded[-1][0].entry
                self.talk.say(f"Recorded: entries {first} to {last}.")
                return True
            if answer in ("n", "no"):
                raise Quit

    def say_how_to_go_on(self) -> None:
        """What is kept, and how to go on with it."""
        kept = bool(self.text.strip() or self.draft)
        self.talk.say(f"Nothing is recorded. Go on with: {self.resume}" if kept else "Nothing was begun.")

    def offer(self, ask: str, offered: Sequence[Form], more: dict[str, Callable[[], bool]]) -> bool:
        """List entries and ask for one, or for a word of `more`, which says whether there is more to come."""
        self.talk.say(in_rows([f"{number} {form.kind}" for number, form in enumerate(offered, start=1)]))
        about = "\n".join(f"  {form.kind:<20}{form.about}" for form in offered)
        words = {"undo": self._undo, **more}
        try:
            line = self.talk.ask(f"{ask} ({', '.join(words)}, quit, ?, or YAML)", more=about)
            if line in words:
                return words[line]()
            if not line and "next" in more:
                return more["next"]()
            self.typed(line, offered)
        except Back:
            self.talk.say("  There is nothing to go back from; undo takes the last entry out.")
        except Refusal as refusal:
            self.talk.say(f"  {refusal.message()}")
        return True

    def _undo(self) -> bool:
        said = writing.plain_of(self.text, file=self.file).get("entries")
        if not said:
            self.talk.say("  There is no entry to take out.")
            return True
        text = writing.without_last_entry(self.text, file=self.file)
        self.accept(text, self.tried(text))
        self.talk.say(f"  Taken out: {writing.flow(said[-1])}")
        return True

    def take_up_draft(self) -> None:
        """Go on with an entry that was left in the middle."""
        kind = next((key for key in self.draft if key in self.forms), None)
        if kind is None:
            return
        self.talk.say(f"Going on with the {kind} that was not whole yet.")
        part = DraftEntry.of_draft(kind, self.draft)
        self.try_to(lambda: self.tell(self.forms[kind], part))
