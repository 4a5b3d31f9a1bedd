"""The wizard for a battle: who fights, what happens, who wins."""

from __future__ import annotations

import shlex
from datetime import date
from functools import partial
from typing import Any, Final

from tracker.cli.prompter import Quit
from tracker.cli.session import Session
from tracker.cli.wizard import Conversation
from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.text import is_slug
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import battle_forms
from tracker.errors import Refusal
from tracker.service.command_handler import RecordResult, available_fighters

HEAD: Final = "head"
END: Final = "end"
_DRAW: Final = Choice(value="draw", name="nobody won")


class BattleWizard(Conversation):
    """A battle report from the first shot on."""

    def __init__(self, session: Session, file: str | None, *, roll: bool) -> None:
        state = session.tracker.boards.state_at(session.campaign)
        file = file if file is not None else f"{session.slug}-battle-{state.battle_number}.yaml"
        super().__init__(session, file, forms=battle_forms(), roll=roll)
        self.resume = shlex.join(["arbitrator", "battle", "play", file])

    def plan(self, text: str) -> BattlePlan:
        """The report as it is read; of one that has no result yet, a draw stands in for it."""
        document = writing.document_of(text, file=self.file)
        whole = "result" in writing.plain_of(text, file=self.file) or not isinstance(
            document.root.content, dict
        )
        document = document if whole else writing.drawn(document)
        return battle_plan(document, purposes=self.book.purposes)

    def tried(self, text: str) -> RecordResult:
        decisions = self.plan(text).decisions
        whole = "result" in writing.plain_of(text, file=self.file)
        return self.tracker.commands.play(self.campaign, decisions if whole else decisions[:-1], dry_run=True)

    def open(self) -> None:
        if self.whole:  # settled at once; it may even be recorded already
            self.played = self.record(dry_run=True)
            return
        super().open()
        if self.text.strip():
            count = len(writing.plain_of(self.text, file=self.file).get("entries") or ())
            self.talk.say(
                f"Going on with {self.file}, {count} {'entry' if count == 1 else 'entries'} so far."
            )

    @property
    def whole(self) -> bool:
        return "result" in writing.plain_of(self.text, file=self.file)

    def record(self, *, dry_run: bool) -> RecordResult:
        return self.tracker.commands.record_battle(self.campaign, self.plan(self.text), dry_run=dry_run)

    def table(self) -> Context:
        state = self.played.state if self.played is not None else self.before
        gangs = tuple(state.under_way.crews) if state.under_way is not None else tuple(state.gangs)
        return Context(state=state, book=self.book, gangs=gangs)

    # --- the head ----------------------------------------------------------------------------------------

    def begin(self) -> None:
        part = DraftEntry.of_draft(HEAD, self.draft)
        if part.answers:
            self.talk.say(f"Going on with {self.file}.")
        else:
            self.talk.say(f"A battle, kept in {self.file} as you go. At any question: quit stops, ? helps.")
        while self.played is None:
            self.try_to(partial(self._ask_head, part))
            part = DraftEntry(HEAD, {})

    def _ask_head(self, part: DraftEntry) -> None:
        answers = part.answers
        for key, ask in (
            ("battle", self._battle),
            ("scenario", lambda: self._text("Which scenario")),
            ("date", self._date),
            ("gangs", self._gangs),
        ):
            if key not in answers:
                answers[key] = ask()
                self.keep(part.draft())
        crews: dict[str, Any] = answers.setdefault("crews", {})
        for gang in answers["gangs"]:
            if gang not in crews:
                crews[gang] = self._crew(gang)
                self.keep(part.draft())
        self.settle_part(part, written=_head)

    def _battle(self) -> str:
        while True:
            usual = f"battle-{self.before.battle_number}"
            typed = self.talk.ask("The battle's id", default="" if usual in self.before.battles else usual)
            if not is_slug(typed):
                self.talk.say("  An id: small letters, digits and dashes, such as sump-raid.")
            elif typed in self.before.battles:
                self.talk.say(f"  {typed} is recorded already. Type another id.")
            else:
                return typed

    def _text(self, prompt: str) -> str:
        while True:
            typed = self.talk.ask(prompt)
            if typed:
                return typed
            self.talk.say("  Type an answer.")

    def _date(self) -> str:
        while True:
            typed = self.talk.ask("The day, year-month-day (Enter for today)")
            try:
                return (date.fromisoformat(typed) if typed else date.today()).isoformat()  # noqa: DTZ011 -- theirs
            except ValueError:
                self.talk.say("  A day of the calendar, such as 2025-03-14.")

    def _gangs(self) -> list[str]:
        known = [Choice(value=gang.gang, name=gang.name) for gang in self.before.gangs.values()]
        while True:
            chosen = self.talk.several("Which gangs fight", known, default="all" if len(known) == 2 else "")
            if chosen:
                return chosen

    def _crew(self, gang: str) -> Any:
        able = available_fighters(self.before, gang)
        offered = [Choice(value=fighter.fighter, name=fighter.name) for fighter in able]
        if not offered:
            return "all"
        name = self.before.gangs[gang].name
        chosen = self.talk.several(f"Who fights for {name}", offered, default="all")
        return "all" if chosen is None or len(chosen) == len(offered) else chosen

    # --- entries and the end -----------------------------------------------------------------------------

    def menu(self) -> bool:
        return self.offer("What happened", self.open_forms(), {"end": lambda: False})

    def end(self) -> None:
        assert self.played is not None, "a battle ends after its head"
        part = DraftEntry.of_draft(END, self.draft) if END in self.draft else DraftEntry(END, {END: {}})
        self.keep(part.draft())
        under_way = self.played.state.under_way
        assert under_way is not None, "a battle without a result is under way"
        gangs = [Choice(value=gang, name=self.before.gangs[gang].name) for gang in under_way.crews]
        while True:
            if "won" not in part.answers:
                part.answers["won"] = self.talk.choose("Who won", [*gangs, _DRAW])
                self.keep(part.draft())
            if self.settle_part(part, written=self._end_written):
                return
            part = DraftEntry(END, {})

    def _end_written(self, part: DraftEntry) -> str:
        won = part.answers["won"]
        keys: dict[str, Any] = {"result": {"draw": True} if won == "draw" else {"winner": won}}
        return writing.with_keys(self.text, {**keys, "wrap_up": {"dice": part.dice}} if part.dice else keys)

    def take_up_draft(self) -> None:
        if END in self.draft:
            self.try_to(self.end)
        else:
            super().take_up_draft()

    def reopen(self) -> None:
        try:
            text = writing.without_keys(self.text, "result", "wrap_up", file=self.file)
            self.accept(text, self.tried(text))
        except Refusal as refusal:
            self.talk.say(f"  {refusal.message()}")
            raise Quit from refusal


def _head(part: DraftEntry) -> str:
    answers = part.answers
    crews = answers["crews"]
    everybody = all(crew == "all" for crew in crews.values())
    head = {
        "format": "battle-report/1",
        "battle": answers["battle"],
        "scenario": answers["scenario"],
        "date": answers["date"],
        "gangs": answers["gangs"] if everybody else crews,
    }
    text = writing.with_keys(writing.block({"format": head.pop("format")}), head)
    return writing.with_keys(text, {"opening": {"dice": part.dice}}) if part.dice else text
