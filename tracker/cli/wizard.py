"""The wizard: a report written question by question, from the head of its file to the record.

Knows the course of a conversation, its file on disk, and how entries are asked for. What a battle and what
its aftermath need beside them stands in `battle_wizard` and `post_battle_wizard`.
"""

from __future__ import annotations

import os
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tracker.cli import prompter
from tracker.cli.options import show
from tracker.cli.session import Session
from tracker.cli.wizard_answers import answer_to
from tracker.dice import D3, D66, TWO_D6, DiceLeftOver, DiceNeeded, Die, ImpossibleFace, read_die
from tracker.documents.armoury import Armoury
from tracker.documents.nodes import shown
from tracker.documents.refusals import FileIsFolder, FileMissing, FileNotReadable, FileTooLarge
from tracker.documents.wizard import writing
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form
from tracker.documents.wizard.legal_entries import choices, open_kinds, why_not
from tracker.documents.wizard.prompts import Prompt, prompts_of
from tracker.documents.yaml_reader import BYTES_MAX
from tracker.errors import BadInput, Refusal, nearest
from tracker.reports.log import receipt_page
from tracker.reports.names import Names
from tracker.reports.rendering import render
from tracker.rules import loader
from tracker.service.command_handler import RecordResult
from tracker.service.refusals import EntryRefused


class FileNotWritable(BadInput):
    """{file} cannot be written: {why}. Name another file, in a folder of your own."""

    file: str
    why: str


def one_file(file: str | None, resume: str | None) -> str | None:
    """The wizard's file: to begin or go on with, or only to go on with. Raises FileMissing."""
    if file is not None and resume is not None:
        raise click.UsageError("FILE and --resume name the same thing: give one of them.")
    if resume is not None and not read_text(resume):
        raise FileMissing(file=shown(resume, characters_max=200))
    return resume if resume is not None else file


def read_text(file: str) -> str:
    """The text of the file; nothing of one that is not there yet."""
    path = Path(file)
    name = shown(file, characters_max=200)
    try:
        if file in ("", "-"):
            raise FileNotReadable(file="the file", why="the wizard keeps a file of its own, with a name")
        if path.is_dir():
            raise FileIsFolder(file=name)
        if not path.exists():
            return ""
        if not path.is_file():
            raise FileNotReadable(file=name, why="it is no plain file")
        given = path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "the name cannot be used"
        raise FileNotReadable(file=name, why=why) from error
    if len(given) > BYTES_MAX:
        raise FileTooLarge(file=name, bytes_max=BYTES_MAX)
    try:
        return given.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FileNotReadable(file=name, why="it is not UTF-8 text") from error


def write_text(file: str, text: str) -> None:
    """Write the file whole: whatever happens, it is what it was or what it shall be."""
    path = Path(os.path.realpath(file))
    name = shown(file, characters_max=200)
    written = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=path.parent, prefix=".wizard-", delete=False
        ) as stream:
            written = Path(stream.name)
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        written.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        written.replace(path)
    except OSError as error:
        if written is not None:
            written.unlink(missing_ok=True)
        raise FileNotWritable(file=name, why=error.strerror or "no reason given") from error


class Entries(ABC):
    """One file on its way, its entries asked for one by one."""

    def __init__(
        self,
        session: Session,
        file: str,
        *,
        forms: Mapping[str, Form],
        armoury: Armoury | None = None,
        roll: bool = False,
    ) -> None:
        self.tracker = session.tracker
        self.campaign = session.campaign
        self.before = self.tracker.repository.state(self.campaign)
        self.book = loader.book(self.before.book)
        self.armoury = armoury
        self.file = file
        self.forms = forms
        self.roll = roll
        self.talk = prompter.Prompter()
        self.text, self.draft = writing.draft_of(read_text(file), file=file)
        self.played: RecordResult | None = None

    @abstractmethod
    def tried(self, text: str) -> RecordResult:
        """The dry run of a text, whether it is whole or not. Raises what refuses it."""

    @abstractmethod
    def table(self) -> Context:
        """What answers are looked for in, as things stand after the last entry."""

    def try_to(self, ask: Callable[[], object]) -> None:
        """Ask for something that may be dropped."""
        try:
            ask()
        except prompter.Back:
            self.keep({})
            self.talk.say("Dropped.")

    def keep(self, draft: Mapping[str, Any]) -> None:
        """The file as far as it goes, with what is not whole yet."""
        self.draft = dict(draft)
        write_text(self.file, writing.with_draft(self.text, draft) if draft else self.text)

    def accept(self, text: str, played: RecordResult) -> None:
        """A text that was tried is the file from now on."""
        self.text, self.played = text, played
        self.keep({})

    def receipt(self, played: RecordResult, *, last: bool = False) -> str:
        """What the entries do, or the last of them."""
        entries = played.entries[-1:] if last else played.entries
        page = receipt_page(
            entries,
            Names.of_state(played.state),
            repeated=played.repeated,
            dry_run=played.dry_run and not last,
            notes=() if last else played.notes,
        )
        return render(page)

    # --- one entry ---------------------------------------------------------------------------------------

    def open_forms(self, kinds: Sequence[str] | None = None) -> list[Form]:
        """The entries that can be made now."""
        forms = {kind: form for kind, form in self.forms.items() if kinds is None or kind in kinds}
        return open_kinds(self.table(), forms)

    def typed(self, line: str, offered: Sequence[Form]) -> None:
        """What was typed where an entry was asked for: its key, or the whole of it as YAML."""
        line = line.removeprefix("other:").strip()
        named = [Choice(value=form.kind, name=form.kind) for form in offered]
        kind = line if line in self.forms else prompter.find(line, named)
        if kind is not None:
            form = self.forms[kind]
            reason = why_not(self.table(), form, {})
            if not form.on_one_line:
                self.talk.say(f"  {kind} takes more than a line for each answer: type it as YAML.")
            elif reason:
                self.talk.say(f"  {kind} is not open now. {reason}")
            else:
                self.try_to(lambda: self.tell(form, DraftEntry(kind, {})))
        elif ":" in line:
            entry = writing.entry_typed(line)
            first = next((key for key in entry if key in self.forms), "")
            self.try_to(lambda: self.settle_part(DraftEntry.of_draft(first, entry), ()))
        else:
            known = nearest(line, self.forms) or " Type its number or its key, or ? for help."
            self.talk.say(f"  {line[:40]!r} is no entry that can be made.{known}")

    def tell(self, form: Form, part: DraftEntry) -> None:
        """Ask for an entry until it holds. Raises Back when it is dropped."""
        asked = prompts_of(form)
        usual: Mapping[str, Any] = {}
        part.entry.setdefault(form.kind, {})
        self.keep(part.draft())
        while True:
            for one in asked:
                if one.after is None and one.key not in part.answers and one.key not in part.passed:
                    self.answer(form, one, part, usual)
            if self.settle_part(part, asked):
                return
            self.talk.say(
                "  Answer again (Enter keeps an answer, none takes it back), or type back to drop it."
            )
            usual = part.answers
            part = DraftEntry(form.kind, {**part.entry, form.kind: {}}, {"dice": part.dice})

    def entry_written(self, part: DraftEntry) -> str:
        """The text with this entry at its end."""
        text = writing.with_entry(self.text, part.whole())
        writing.check_added(self.text, text, file=self.file)
        return text

    def settle_part(
        self,
        part: DraftEntry,
        asked: Sequence[Prompt] = (),
        *,
        written: Callable[[DraftEntry], str] | None = None,
    ) -> bool:
        """Try an entry, ask for the dice it lacks, and keep it; False when it is refused.

        `written` makes the text where the part is no entry but stands elsewhere in the file.
        """
        added: tuple[str, int] | None = None
        while True:
            try:
                text = (written or self.entry_written)(part)
                played = self.tried(text)
            except DiceNeeded as needed:
                if not self.answer_after(part, asked, needed.purpose):
                    added = self.ask_die(part, needed)
                self.keep(part.draft())
            except Refusal as refusal:
                if isinstance(refusal, DiceLeftOver) and asked and added is None:
                    self.put_away(part, refusal.left)
                    continue
                self.talk.say(f"  {plainly(refusal)}")
                if self.answer_after(part, asked, ""):
                    added = None
                    continue
                if added is None:
                    self.keep({})
                    return False
                part.take_back(*added)
                self.keep(part.draft())
                added = None
                self.talk.say("  Type that die again, or back to drop the entry.")
            else:
                if self.answer_after(part, asked, ""):
                    added = None
                    continue
                self.accept(text, played)
                if written is None:
                    self.talk.say(self.receipt(played, last=True))
                return True

    def put_away(self, part: DraftEntry, left: Sequence[Die]) -> None:
        """Take dice off that lay there for an answer that was given otherwise before."""
        for die in reversed(left):
            part.take_back(die.purpose, 1)
        shown = ", ".join(f"{die.purpose} {die.shown()}" for die in left)
        self.talk.say(f"  Not rolled after all: {shown}.")
        self.keep(part.draft())

    def answer_after(self, part: DraftEntry, asked: Sequence[Prompt], purpose: str) -> bool:
        """Ask what can only be said once a die lies there; False when there is nothing of the kind."""
        for one in asked:
            open_yet = one.key not in part.answers and one.key not in part.passed
            if one.after in part.dice and purpose != one.after and open_yet:
                self.answer(self.forms[part.kind], one, part, {})
                return True
        return False

    def answer(self, form: Form, one: Prompt, part: DraftEntry, usual: Mapping[str, Any]) -> None:
        """Ask for one key, and put the answer down unless it was passed over."""
        question, table = form.question(one.key), self.table()
        open_now = choices(table, form, one, part.answers)
        if open_now is not None and not open_now:
            if one.may_pass or not question.needed:
                if one.after is not None:
                    part.passed.append(one.key)
                return
            self.talk.say(f"  {why_not(table, form, part.answers) or 'Nobody can be named here.'}")
            raise prompter.Back
        said = answer_to(
            self.talk,
            form,
            one,
            open_now,
            usual.get(one.key),
            self.explain(form, one, part),
            everybody=candidates(table, form, one.key, part.answers) or (),
        )
        if said is None:
            part.passed.append(one.key)
        else:
            part.answers[one.key] = said
        self.keep(part.draft())

    def explain(self, form: Form, one: Prompt, part: DraftEntry) -> prompter.Explain:
        """Why something that is known cannot be named here: what the rules have against it."""

        def reason(typed: str) -> str:
            known = candidates(self.table(), form, one.key, part.answers) or ()
            named = prompter.find(typed, known)
            return why_not(self.table(), form, {**part.answers, one.key: named}) if named else ""

        return reason

    # --- dice --------------------------------------------------------------------------------------------

    def ask_die(self, part: DraftEntry, needed: DiceNeeded) -> tuple[str, int]:
        """Ask for a die by its name, whose it is and why: `r` rolls it here, and Enter does with --roll.

        Gives what it was for, and how many more lie there now.
        """
        purpose = self.book.purposes[needed.purpose]
        names = Names.of_state(self.played.state if self.played is not None else self.before)
        whose = f" for {names.anyone(needed.fighter)}" if needed.fighter else ""
        how = "Enter rolls it here" if self.roll else "r rolls it here"
        prompt = f"  {needed.die} ({needed.purpose}){whose}, {needed.why}; {how}"
        while True:
            typed = self.talk.ask(prompt, more=f"  {purpose.about}")
            if typed == "r" or (self.roll and not typed):
                face = self.rolled_face(needed.die)
                self.talk.say(f"  rolled: {face}")
                part.add(needed.purpose, [face], rolled=True)
                return needed.purpose, 1
            faces = words_of(typed)
            try:
                for face in faces:
                    read_die(needed.purpose, purpose.die, face, special=purpose.special)
            except ImpossibleFace as impossible:
                self.talk.say(f"  {impossible.message()}")
                continue
            if faces:
                part.add(needed.purpose, faces)
                return needed.purpose, len(faces)
            self.talk.say("  Type what lies on the table, or r to roll it here.")

    def rolled_face(self, die: str) -> int | str:
        """A die rolled here, as people would write it."""
        if die in (D66, TWO_D6):
            first, second = self.tracker.commands.roller(6), self.tracker.commands.roller(6)
            return f"{first}{'-' if die == D66 else '+'}{second}"
        return self.tracker.commands.roller(3 if die == D3 else 6)


def words_of(typed: str) -> list[int | str]:
    """The faces in a line, with commas between them; a bare number is a face."""
    words = [word.strip() for word in typed.split(",") if word.strip()]
    return [int(word) if re.fullmatch("[0-9]{1,3}", word) else word for word in words]


def plainly(refusal: Refusal) -> str:
    """A refusal without the words around it that speak of a whole file."""
    return refusal.refusal.message() if isinstance(refusal, EntryRefused) else refusal.message()


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
        except prompter.Quit:
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
            except prompter.Back:
                self.reopen()
                return False
            if answer in ("y", "yes"):
                recorded = self.record(dry_run=False).entries
                first, last = recorded[0][0].entry, recorded[-1][0].entry
                self.talk.say(f"Recorded: entries {first} to {last}.")
                return True
            if answer in ("n", "no"):
                raise prompter.Quit

    def say_how_to_go_on(self) -> None:
        """What is kept, and how to go on with it."""
        kept = bool(self.text.strip() or self.draft)
        self.talk.say(f"Nothing is recorded. Go on with: {self.resume}" if kept else "Nothing was begun.")

    def offer(self, ask: str, offered: Sequence[Form], more: dict[str, Callable[[], bool]]) -> bool:
        """List entries and ask for one, or for a word of `more`, which says whether there is more to come."""
        self.talk.say(
            prompter.in_rows([f"{number} {form.kind}" for number, form in enumerate(offered, start=1)])
        )
        about = "\n".join(f"  {form.kind:<20}{form.about}" for form in offered)
        words = {"undo": self._undo, **more}
        try:
            line = self.talk.ask(f"{ask} ({', '.join(words)}, quit, ?, or YAML)", more=about)
            if line in words:
                return words[line]()
            if not line and "next" in more:
                return more["next"]()
            self.typed(line, offered)
        except prompter.Back:
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
