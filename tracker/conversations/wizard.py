"""The wizard asks for the entries of a report, one by one.

`conversation` handles everything around them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from tracker.campaign import records
from tracker.campaign.missing_dice import rolled_next
from tracker.conversations import prompter
from tracker.conversations.chosen_campaign import ChosenCampaign
from tracker.conversations.dice_of_drafts import drawn, requests_of
from tracker.conversations.wizard_answers import Questioner
from tracker.conversations.wizard_dice import WANTED, Roll, rolled
from tracker.conversations.wizard_file import KeptFile
from tracker.conversations.wizard_refusals import name_fewer
from tracker.dice import DiceLeftOver, DiceNeeded, Die, Roller
from tracker.documents.armoury import Armoury
from tracker.documents.refusals import PROBLEMS_SHOWN, DocumentRefused
from tracker.documents.wizard import fight_candidates, legal_entries, writing
from tracker.documents.wizard.beside import asked_beside, said_beside
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.choices_left import as_choice, as_named, place_of, written_at
from tracker.documents.wizard.context import Choice, Context, chosen_values, still_offered, written_answer
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form
from tracker.documents.wizard.legal_entries import choices, is_needed, is_open, open_kinds, why_not
from tracker.documents.wizard.numbers import ListNumbers
from tracker.documents.wizard.prompts import FAILED, MISSED, Prompt, prompts_of
from tracker.documents.wizard.questions import facts_of, question_for
from tracker.documents.wizard.suggestions import id_beside, suggested
from tracker.errors import Asks, ChoiceLeft, Refusal, nearest
from tracker.records import replace
from tracker.reports.log import receipt_page
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.rules import loader
from tracker.rules.provable_dice import PROTOCOL
from tracker.service.command_handler import RecordResult
from tracker.service.refusals import EntryRefused


class Entries(ABC):
    """An unfinished file whose entries are asked for one by one."""

    def __init__(
        self,
        chosen: ChosenCampaign,
        file: str,
        *,
        forms: Mapping[str, Form],
        armoury: Armoury | None = None,
        roll: bool = False,
        meant: Mapping[str, str] | None = None,
        talk: prompter.Prompter,
        kept: KeptFile | None = None,
    ) -> None:
        self.chosen = chosen
        self.tracker = chosen.tracker
        self.campaign = chosen.campaign
        self.before = self.tracker.repository.state(self.campaign)
        self.book = loader.book(self.before.book)
        self.armoury = armoury
        self.file = file
        self.forms = forms
        self.meant_words = meant or {}
        self.roll = roll
        self.talk = talk
        self.kept = kept or KeptFile(file)
        self.numbers = ListNumbers()
        self.said_last: str | None = None
        self.text, self.draft = writing.draft_of(self.kept.read(), file=file)
        self.played: RecordResult | None = None

    @abstractmethod
    def tried(self, text: str, *, asks: Asks | None = None, explained: bool = True) -> RecordResult:
        """The dry run of a text, complete or not. Raises what refuses it; `asks` is of its last entry,
        `explained` as in `CommandHandler.play`.
        """

    @abstractmethod
    def table(self) -> Context:
        """The context that answers are looked up in, after the last entry."""

    def try_to(self, ask: Callable[[], object]) -> bool:
        """Ask for something that may be dropped; False if it was."""
        try:
            ask()
        except prompter.Back:
            self.keep({})
            self.talk.say("  Dropped.")
            return False
        finally:
            self.talk.forget()
        return True

    def keep(self, draft: Mapping[str, Any]) -> None:
        """Save the file as far as it goes, with the unfinished entry."""
        self.draft = dict(draft)
        self.kept.write(writing.with_draft(self.text, draft) if draft else self.text)

    def accept(self, text: str, played: RecordResult) -> None:
        """Make a tried text the file's text from now on."""
        self.text, self.played = text, played
        self.keep({})

    def receipt(self, played: RecordResult, *, last: bool = False) -> Page:
        """The receipt of all entries, or of the last one."""
        entries = played.entries[-1:] if last else played.entries
        return receipt_page(
            entries,
            Names.of_state(played.state),
            repeated=played.repeated,
            dry_run=played.dry_run and not last,
            notes=() if last else played.notes,
        )

    # --- one entry ---------------------------------------------------------------------------------------

    def open_forms(self, kinds: Sequence[str] | None = None) -> list[Form]:
        """The entries that can be made now."""
        forms = {kind: form for kind, form in self.forms.items() if kinds is None or kind in kinds}
        return open_kinds(self.table(), forms)

    def menu_of(self, forms: Sequence[Form]) -> tuple[Choice, ...]:
        """Kinds of entries as choices: each always has the same number."""
        numbers = {kind: number for number, kind in enumerate(self.forms, start=1)}
        return tuple(
            Choice(value=form.kind, name=form.kind.replace("_", " "), number=numbers[form.kind])
            for form in forms
        )

    def meant(self, line: str, offered: Sequence[Form]) -> str | None:
        """The kind of entry that a line names: an offered one, or any by its key or number."""
        found = prompter.find(line, self.menu_of(offered))
        if found is not None:
            return found
        whole = {name: kind for kind in self.forms for name in (kind, kind.replace("_", " "))}
        if line in whole:
            return whole[line]
        return prompter.find(line, self.menu_of([*self.forms.values()])) if line.isdecimal() else None

    def typed(self, line: str, offered: Sequence[Form]) -> None:
        """Handle a line typed at the menu: an entry's key, or the whole entry as YAML."""
        line = line.removeprefix("other:").strip()
        kind = self.meant(line, offered)
        if kind is not None:
            form = self.forms[kind]
            reason = why_not(self.table(), form, {})
            if not form.on_one_line:
                self.talk.wrong(f"{kind} takes more than a line for each answer: type it as YAML.")
            elif reason:
                self.talk.wrong(f"{kind} is not open now. {reason}")
            else:
                self.try_to(lambda: self.tell(form, self.begun(form)))
        elif ":" in line:
            entry = writing.entry_typed(line)
            first = next((key for key in entry if key in self.forms), "")
            part = DraftEntry.of_draft(first, entry)
            if first and _PASSED in entry:  # a form's: what it neither says nor passes over is asked for
                self.try_to(lambda: self.tell(self.forms[first], part))
            else:
                self.try_to(lambda: self.tell_yaml(part))
        else:
            hint = self.meant_words.get(line.casefold())
            known = (
                f" {hint}"
                if hint
                else nearest(line, self.forms) or " Type its number or its name, or ? for help."
            )
            self.talk.wrong(f"{line[:40]!r} is no entry that can be made.{known}")

    def begun(self, form: Form) -> DraftEntry:
        """A new entry, with the answers that need no question."""
        return DraftEntry(form.kind, {form.kind: {}})

    def tell_yaml(self, part: DraftEntry) -> None:
        """Settle an entry that was typed whole. Raises Back when it is dropped."""
        while True:
            try:
                self.settle_part(part)
            except prompter.Back:
                if not part.dice or not part.step_back():
                    raise
            else:
                return

    def tell(self, form: Form, part: DraftEntry) -> None:
        """Ask for an entry until it is accepted. Raises Back when it is dropped."""
        asked = prompts_of(form)
        usual: Mapping[str, Any] = {}
        part.entry.setdefault(form.kind, {})
        self.keep(part.draft())
        while True:
            try:
                for prompt in asked:
                    if (
                        prompt.after is None
                        and prompt.key not in part.answers
                        and prompt.key not in part.passed
                    ):
                        self.answer(form, prompt, part, usual)
                if self.settle_part(part, asked):
                    return
            except prompter.Back:
                if not part.step_back():
                    raise
                self.keep(part.draft())
                continue
            self.talk.say(
                "  Answer again (Enter keeps an answer, none takes it back), or type back to drop it."
            )
            usual = as_named(part.answers)
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

        `written` makes the text for a part that is no entry but another place of the file.
        """
        added: list[tuple[str, int]] | None = None
        while True:
            try:
                text = (written or self.entry_written)(part)
                played = self.tried(text, asks=partial(self.asks, part) if asked else None, explained=False)
            except DiceNeeded as needed:
                if not self.answer_after(part, asked, needed.purpose):
                    added = self.ask_die(part, needed)
                self.keep(part.draft())
            except Refusal as refusal:
                if isinstance(refusal, DiceLeftOver) and asked and added is None:
                    self.put_away(part, refusal.left)
                    continue
                if self.choose(part, refusal.itself()) or self.ask_missing(part, refusal, asked):
                    added = None
                    continue
                self.talk.wrong(plainly(refusal))
                if self.answer_after(part, asked, ""):
                    added = None
                    continue
                if added is None:
                    self.keep({})
                    return False
                for purpose, count in reversed(added):
                    part.take_back(purpose, count)
                self.keep(part.draft())
                added = None
                self.talk.say("  Type that die again, or back to drop the entry.")
            else:
                if self.answer_after(part, asked, "", played):
                    added = None
                    continue
                self.accept(text, played)
                if written is None:
                    self.talk.decided(self.receipt(played, last=True))
                return True

    def asks(self, part: DraftEntry, choice: ChoiceLeft) -> bool:
        """Whether to ask for a choice that may be left out: once of each model, where it can be said."""
        place = place_of(self.forms[part.kind], part.answers, choice)
        return place is not None and _asked_once(choice) not in part.passed

    def choose(self, part: DraftEntry, choice: Refusal) -> bool:
        """Ask for what the rules leave to a player; False where that is not what a refusal is about."""
        form = self.forms.get(part.kind)
        if not isinstance(choice, ChoiceLeft) or form is None or not (options := choice.offered()):
            return False
        if place_of(form, part.answers, choice) is None:
            return False
        ways = [as_choice(option) for option in options]
        usual = next((way for way in ways if way.answer == choice.usual()), None)
        only = ways[0] if len(ways) == 1 else None
        chosen = (
            only.value
            if only is not None
            else self.talk.choose(
                f"  {choice.question()}",
                ways,
                asked=prompter.QuestionContext(
                    kind=part.kind,
                    key=choice.key,
                    answers=part.answers,
                    enter=usual.name if usual is not None else "",
                ),
                default=usual.value if usual is not None else "",
            )
        )
        way = next(way for way in ways if way.value == chosen)
        if way is not usual:
            key, said = written_at(form, part.answers, choice, way.answer)
            part.answer(key, said, by_itself=only is not None)
        if usual is not None:
            part.answer(_asked_once(choice), None, by_itself=way is not usual)
        self.keep(part.draft())
        return True

    def ask_missing(self, part: DraftEntry, refusal: Refusal, asked: Sequence[Prompt]) -> bool:
        """Ask for what a refusal says is still to be said; False if it is something else."""
        why = refusal.itself()
        if name_fewer(self.talk, part, why, Names.of_state(self.table().state)):
            self.keep(part.draft())
            return True
        form = self.forms.get(part.kind) if asked else None
        if form is None or why.lacks in part.answers or why.lacks not in {key for key, _, _ in form.shapes()}:
            return False
        self.talk.say(f"  {plainly(refusal)}")
        self.answer(form, Prompt(key=why.lacks), part, {})
        return why.lacks in part.answers

    def put_away(self, part: DraftEntry, left: Sequence[Die]) -> None:
        """Remove dice that belonged to an earlier, different answer."""
        for die in reversed(left):
            part.take_back(die.purpose, 1)
        shown = ", ".join(f"{die.purpose} {die.shown()}" for die in left)
        self.talk.say(f"  Not rolled after all: {shown}.")
        self.keep(part.draft())

    def answer_after(
        self, part: DraftEntry, asked: Sequence[Prompt], purpose: str, played: RecordResult | None = None
    ) -> bool:
        """Ask a question that needs a die's result first; False if there is none.

        `played` is the result of all dice, once none is missing.
        """
        for prompt in asked:
            if prompt.after is None or prompt.key in part.answers or prompt.key in part.passed:
                continue
            come = (played is not None and _has_brought(played, prompt.after)) or prompt.after in part.dice
            if come and purpose != prompt.after:
                self.answer(self.forms[part.kind], prompt, part, {})
                return True
        return False

    def answer(self, form: Form, prompt: Prompt, part: DraftEntry, usual: Mapping[str, Any]) -> None:
        """Ask for one key and store the answer."""
        question, table = form.question(prompt.key), self.table()
        open_now = choices(table, form, prompt, part.answers)
        optional = prompt.may_pass
        if open_now and prompt.may_pass and is_needed(table, form, prompt, part.answers):
            prompt = replace(prompt, may_pass=False)
        default = usual.get(prompt.key)
        if default is None or default == []:  # 0 and no are answers
            default = suggested(table, form, prompt.key, part.answers)
        if default is None and (form.kind, prompt.key) in _ONE_REASON:
            default = self.said_last
        default = still_offered(open_now, chosen_values(open_now or (), default))
        lists = question.shape in ("several", "counts", "groups")
        first = open_now[0] if open_now else None
        beside = said_beside(table, form, prompt.key, part.answers, first) if open_now is not None else ()
        if open_now is not None and not open_now and not (prompt.may_pass and beside):
            if prompt.may_pass or not question.needed:
                if prompt.after is not None:
                    part.answer(prompt.key, None, by_itself=True)
                return
            self.talk.wrong(why_not(table, form, part.answers) or "Nobody can be named here.")
            raise prompter.Back
        asks = Questioner(self.talk, table, form, part.answers, self.numbers)
        if open_now is not None and len(open_now) == 1 and not (optional or default or lists or beside):
            names = question_for(form, prompt.key, part.answers, asks.names, {})
            self.talk.say(f"  {names} {open_now[0].name}, the only choice")
            self.talk.not_needed(open_now)
            only = open_now[0].value
            part.answer(prompt.key, int(only) if question.shape == "number" else only, by_itself=True)
        else:
            facts = facts_of(table, form, part.answers, part.dice)
            explain = self.explain(form, prompt, part)
            if open_now is not None and beside:
                before = default if isinstance(default, list) else [default] if default else []
                before = [*before, *(side.words for side in beside if usual.get(side.key) == side.answer)]
                answered = asks.answers_to(prompt, open_now, beside, before, explain, facts=facts)
                part.answer(prompt.key, written_answer(open_now, answered.get(prompt.key)))
                for other in asked_beside(form, prompt.key):
                    if other.key not in part.answers:
                        part.answer(other.key, answered.get(other.key), by_itself=True)
                self.keep(part.draft())
                return
            everybody = candidates(table, form, prompt.key, part.answers) or ()
            is_yes_no = question.shape == "yes_no"
            ways = legal_entries.open_ways(table, form, prompt.key, part.answers) if is_yes_no else ()
            is_number = open_now is None and question.shape == "number"
            numbers = legal_entries.open_numbers(table, form, prompt.key, part.answers) if is_number else ()
            while True:
                said = asks.answer_to(
                    prompt,
                    open_now,
                    default,
                    explain,
                    facts=facts,
                    everybody=everybody,
                    numbers=numbers,
                    ways=ways,
                    may_be=lambda said: is_open(table, form, {**part.answers, prompt.key: said}),
                    earlier=self.reasons() if prompt.key in REASONS else (),
                )
                said = written_answer(open_now or (), said)
                wanted = form.expected(prompt.key, said) if said is not None else ""
                if wanted and prompt.may_pass and said == 0:  # where 0 is no number, it is nothing
                    said, wanted = None, ""
                if not wanted:
                    break
                self.talk.wrong(f"That cannot be: type {wanted}.")
            part.answer(prompt.key, said)
            made = id_beside(table, form, prompt.key, part.answers)
            if made is not None:
                part.answer("id", made, by_itself=True)
            if (form.kind, prompt.key) in _ONE_REASON:
                self.said_last = said
        self.keep(part.draft())

    def reasons(self) -> list[str]:
        """The reasons given in earlier entries: each is offered by its number."""
        entries = writing.plain_of(self.text, file=self.file).get("entries") or ()
        said = (
            entry[kind].get(key)
            for entry in entries
            for kind in entry
            if kind in self.forms
            for key in REASONS
        )
        return list(dict.fromkeys(reason for reason in said if isinstance(reason, str)))

    def explain(self, form: Form, prompt: Prompt, part: DraftEntry) -> prompter.Explain:
        """A function that gives the reason in the rules why a known thing cannot be named here."""

        def reason(typed: str) -> str:
            known = candidates(self.table(), form, prompt.key, part.answers) or ()
            named = prompter.find(typed, known)
            return why_not(self.table(), form, {**part.answers, prompt.key: named}) if named else ""

        return reason

    # --- dice --------------------------------------------------------------------------------------------

    def _about(self, part: DraftEntry, needed: DiceNeeded) -> str:
        """The name of a die within the whole file; removed entries do not change it."""
        entries = writing.plain_of(self.text, file=self.file).get("entries") or ()
        number = self.kept.number_of(len(entries) + 1)
        lying = len(part.dice.get(needed.purpose, ()))
        return f"{number - 1} {part.kind} {needed.fighter} {needed.purpose} {lying}"

    def _roller(self, part: DraftEntry, needed: DiceNeeded) -> tuple[int | None, Roller]:
        """The roller of a die, and the request that draws it if the campaign's dice are provable."""
        commands = self.tracker.commands
        draws = self.talk.draws
        if draws is None and self.talk.draws_for_good:
            draws = partial(drawn, self.chosen, f"file {self.file}", asks=True)
        if draws is None or self.before.tool_dice.protocol != PROTOCOL:
            return None, self.talk.roller(commands.roller, self._about(part, needed))
        report = writing.plain_of(self.text, file=self.file)
        entries, battle = report.get("entries") or (), report.get("battle", "")
        who = next((said for said in part.answers.values() if isinstance(said, str)), "")
        number = self.kept.number_of(len(entries) + 1)
        request, roller = draws(
            f"entry {number} of {battle}: {part.kind} {who}".rstrip(),
            frozenset(requests_of(entries)),
        )
        for die in needed.rolled:
            if die.request == request:
                rolled(die.die, roller)
        return request, roller

    def _by_which_request(self, request: int | None) -> str:
        """What a die that was rolled here is worth, where the campaign's dice can be checked."""
        if self.before.tool_dice.protocol != PROTOCOL:
            return ""
        return f", by request {request}" if request is not None else ", as reported: nobody can check it"

    def _declines(self, part: DraftEntry, needed: DiceNeeded) -> str:
        """The answer that declines what this die is for; empty if that is no choice of the target's."""
        if part.kind != "fight":
            return ""
        named = fight_candidates.may_be_declined(self.table(), part.answers, needed.purpose)
        return f"{_WITHOUT} {named}" if named else ""

    def ask_die(self, part: DraftEntry, needed: DiceNeeded) -> list[tuple[str, int]]:
        """Ask for a die, with its owner and reason, and for those that are rolled with it: `r` rolls the
        first of them here, and so does Enter with --roll.

        Returns the purposes, and how many dice of each were added.
        """
        roll = Roll(needed, rolled_next(needed, loader.rulebook), self.book.purposes)
        names = Names.of_state(self.played.state if self.played is not None else self.before)
        whose = f"{names.anyone(needed.fighter)}: " if needed.fighter else ""
        declines = self._declines(part, needed)
        asked = prompter.QuestionContext(
            kind=part.kind,
            key=f"dice.{needed.purpose}",
            words=(declines,) if declines else (),
            answers=part.answers,
            dice=roll.purposes,
            enter="rolls it here" if self.roll else "",
            help=f"  {self.book.purposes[needed.purpose].about}\n  {WANTED}"
            f" In a file: `{needed.purpose}` under `dice`.",
        )
        prompt = f"  {whose}{roll.in_words(begins=not whose)}?"
        while True:
            typed = self.talk.ask(
                prompt, asked=asked, fits=lambda line: line in ("r", declines) or not roll.wrong(line)
            )
            if declines and typed == declines:
                named = [*part.answers.get(_WITHOUT, ()), declines.removeprefix(f"{_WITHOUT} ")]
                part.answer(_WITHOUT, named)
                return []
            if typed == "r" or not typed:
                try:
                    request, roller = self._roller(part, needed)
                except Refusal as refusal:  # no session, or somebody still owes it something
                    if self.talk.draws is not None:
                        raise
                    self.talk.wrong(refusal.message())
                    continue
                face = rolled(needed.die, roller)
                self.talk.say(f"  rolled: {face}{self._by_which_request(request)}")
                part.add(needed.purpose, [face], rolled=True, request=request)
                return [(needed.purpose, 1)]
            if why := roll.wrong(typed):
                self.talk.wrong(why)
                continue
            added = roll.faces(typed)
            for purpose, faces in added.items():
                part.add(purpose, faces)
            return [(purpose, len(faces)) for purpose, faces in added.items()]


_PASSED = "passed"
_WITHOUT = "without"
_ONE_REASON = {("experience", "reason"), ("awards", "reason")} | {
    (kind, "why") for kind in ("reward", "reputation", "glory")
}
"""The answers that are often the same in the next entry: Enter takes the last one."""

REASONS = ("reason", "why")
"""The keys whose answers are the players' own words, and often the same again."""
_IN_ENTRY = re.compile(r"^entries\[[0-9]+\]\.?")


def _asked_once(choice: ChoiceLeft) -> str:
    """What is passed over once somebody was asked for it."""
    return f"{choice.key} {choice.model}" if choice.model is not None else choice.key


def _has_brought(played: RecordResult, what: str) -> bool:
    """Whether the last entry is a shot that missed, or holds a test that failed."""
    events = [recorded.event for recorded in played.entries[-1]]
    if what == MISSED:
        shots = (event for event in events if isinstance(event, records.ShotFired))
        return any(shot.result in ("missed", "beyond_range") for shot in shots)
    rolls = (event for event in events if isinstance(event, records.RollMade))
    return any(roll.passed is False and what == f"{FAILED}{roll.purpose}" for roll in rolls)


def plainly(refusal: Refusal) -> str:
    """A refusal without the words about a whole file."""
    if isinstance(refusal, DocumentRefused):
        faults = (f"{_IN_ENTRY.sub('', problem.path)}: {problem.fault}" for problem in refusal.problems)
        return "\n  ".join(fault.removeprefix(": ") for fault in islice(faults, PROBLEMS_SHOWN))
    return refusal.refusal.message() if isinstance(refusal, EntryRefused) else refusal.message()
