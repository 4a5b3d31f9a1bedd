"""Entries asked for: answers, a dry run, missing dice, refusals, and the file kept after every answer.

Knows no rule and decides nothing: what is open is asked of `documents/wizard`, what holds of the service.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tracker.cli.prompter import Back, Explain, Talk, find
from tracker.cli.session import Session
from tracker.cli.wizard_answers import answer_to
from tracker.cli.wizard_file import read_text, write_text
from tracker.dice import D3, D66, TWO_D6, DiceLeftOver, DiceNeeded, Die, ImpossibleFace, read_die
from tracker.documents.armoury import Armoury
from tracker.documents.wizard import writing
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form
from tracker.documents.wizard.legal_entries import choices, open_kinds, why_not
from tracker.documents.wizard.prompts import Prompt, prompts_of
from tracker.errors import Refusal, nearest
from tracker.reports.log import receipt_page
from tracker.reports.names import Names
from tracker.reports.rendering import render
from tracker.rules import loader
from tracker.service.command_handler import RecordResult
from tracker.service.refusals import EntryRefused


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
        self.talk = Talk()
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
        except Back:
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
        """The entries that can be told now."""
        forms = {kind: form for kind, form in self.forms.items() if kinds is None or kind in kinds}
        return open_kinds(self.table(), forms)

    def typed(self, line: str, offered: Sequence[Form]) -> None:
        """What was typed where an entry was asked for: its key, or the whole of it as YAML."""
        line = line.removeprefix("other:").strip()
        named = [Choice(value=form.kind, name=form.kind) for form in offered]
        kind = line if line in self.forms else find(line, named)
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
            told = next((key for key in entry if key in self.forms), "")
            self.try_to(lambda: self.settle_part(DraftEntry.of_draft(told, entry), ()))
        else:
            known = nearest(line, self.forms) or " Type its number or its key, or ? for help."
            self.talk.say(f"  {line[:40]!r} is nothing that can be told.{known}")

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
        """Try an entry, ask for the dice it lacks, and keep it; False when it is refused as it was told.

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
            raise Back
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

    def explain(self, form: Form, one: Prompt, part: DraftEntry) -> Explain:
        """Why something that is known cannot be named here: what the rules have against it."""

        def reason(typed: str) -> str:
            known = candidates(self.table(), form, one.key, part.answers) or ()
            named = find(typed, known)
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
