"""The wizard for a battle: who fights, what happens, who wins."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import Any, Final, TypeVar

from tracker.campaign import records
from tracker.campaign.command_validation import nobody_comes
from tracker.campaign.fighters import Fighter
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import rulebook_in_force
from tracker.campaign.steps.recovery_and_convalescence import why_not_available
from tracker.conversations.chosen_campaign import ChosenCampaign
from tracker.conversations.conversation import Conversation
from tracker.conversations.prompter import Back, Prompter, QuestionContext, Quit, introduction
from tracker.conversations.wizard_file import KeptFile
from tracker.documents.battle_report import BattlePlan, Entry
from tracker.documents.planned_decisions import asking_in_last
from tracker.documents.text import is_slug, slug_of
from tracker.documents.wizard import unfinished, writing
from tracker.documents.wizard.context import Choice, Context, as_choices
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form, battle_forms
from tracker.documents.wizard.legal_entries import choices, refusal_of
from tracker.documents.wizard.prompts import Prompt
from tracker.errors import Asks, Refusal, RulesRefuse
from tracker.reports.cards import counted
from tracker.rules import loader
from tracker.service.command_handler import RecordResult

HEAD: Final = "head"
END: Final = "end"
_Answer = TypeVar("_Answer")
_DRAW: Final = Choice(value="draw", name="nobody won")
GANGS_MIN: Final = 2


class TwoGangsNeeded(RulesRefuse):
    """A battle needs two {game.gangs}, and this campaign has {there}. Add {lacking}: arbitrator gang add
    FILE.
    """

    there: str
    lacking: str


class BattleWizard(Conversation):
    """A battle report from the first shot on."""

    def __init__(
        self,
        chosen: ChosenCampaign,
        file: str | None,
        *,
        roll: bool,
        talk: Prompter,
        kept: KeptFile | None = None,
    ) -> None:
        self.began_at = chosen.tracker.repository.store.head(chosen.campaign).size
        """How long the log was before its state was read."""
        state = chosen.tracker.boards.state_at(chosen.campaign)
        file = file if file is not None else f"{chosen.slug}-battle-{state.battle_number}.yaml"
        super().__init__(
            chosen, file, forms=battle_forms(), roll=roll, meant=Entry.meant, talk=talk, kept=kept
        )
        self.resume = shlex.join(["arbitrator", "battle", "play", file])

    def plan(self, text: str) -> BattlePlan:
        """The plan of the report; a report without a result counts as a draw."""
        return unfinished.plan(text, file=self.file, purposes=self.book.purposes)

    def tried(self, text: str, *, asks: Asks | None = None, explained: bool = True) -> RecordResult:
        decisions = unfinished.decisions(text, file=self.file, purposes=self.book.purposes)
        return self.tracker.commands.play(
            self.campaign, asking_in_last(decisions, asks), dry_run=True, explained=explained
        )

    def open(self) -> None:
        if self.whole:  # settled at once; it may even be recorded already
            self.played = self.record(dry_run=True)
            return
        super().open()
        there = len(self.before.gangs)
        if there < GANGS_MIN:
            lacking = "one more" if there else "two"
            raise TwoGangsNeeded(there="one" if there else "none", lacking=lacking)
        self._refuse_gangs_of_nobody()
        if self.text.strip():
            count = len(writing.plain_of(self.text, file=self.file).get("entries") or ())
            self.talk.introduce(f"Going on with {self.file}, {counted(count, 'entry', 'entries')} so far.")

    def _refuse_gangs_of_nobody(self) -> None:
        """Before a battle begins: fewer than two gangs with somebody who can take part fight none."""
        rulebook = rulebook_in_force(self.before, loader.rulebook)
        gangs = self.before.gangs.values()
        refused = {gang.gang: why for gang in gangs if (why := nobody_comes(gang, rulebook)) is not None}
        self.fighting = [gang for gang in gangs if gang.gang not in refused]
        if len(self.fighting) < GANGS_MIN and not self.text.strip():
            raise next(iter(refused.values()))

    @property
    def whole(self) -> bool:
        return "result" in writing.plain_of(self.text, file=self.file)

    def record(self, *, dry_run: bool) -> RecordResult:
        return self.tracker.commands.record_battle(self.campaign, self.plan(self.text), dry_run=dry_run)

    def table(self) -> Context:
        state = self.played.state if self.played is not None else self.before
        fights = state.under_way.crews if state.under_way is not None else state.gangs
        gangs = tuple(gang for gang in state.gangs if gang in fights)
        played = self.played.entries if self.played is not None else ()
        return Context(state=state, book=self.book, gangs=gangs, fought=frozenset(_fought(played)))

    def open_forms(self, kinds: Sequence[str] | None = None) -> list[Form]:
        tried = super().open_forms  # `super` means nothing within the lambda
        offered = self._once_per_state(
            ("open kinds", *(kinds or ())), lambda: tuple(form.kind for form in tried(kinds))
        )
        return [self.forms[kind] for kind in offered]

    def named_first(self, form: Form, prompt: Prompt) -> tuple[Choice, ...]:
        """The choices that such an entry may begin with now."""
        return self._once_per_state(
            ("named first", form.kind), lambda: choices(self.table(), form, prompt, {}) or ()
        )

    def _once_per_state(self, what: tuple[str, ...], compute: Callable[[], _Answer]) -> _Answer:
        """An answer that takes thousands of trials, kept for this text on this log: a tap asks for it three
        times.
        """
        told = hashlib.sha256(self.text.encode()).digest()
        return self.tracker.repository.cached(self.campaign, (*what, told, self.began_at), compute)

    # --- the head ----------------------------------------------------------------------------------------

    def begin(self) -> None:
        part = DraftEntry.of_draft(HEAD, self.draft)
        part.name_ids(self.id_meant, but=("battle", "scenario", "date"))
        if part.answers:
            self.talk.introduce(f"Going on with {self.file}.")
        else:
            self.talk.introduce(introduction("A battle", self.file))
        while self.played is None:
            self.try_to(partial(self._ask_head, part))
            part = DraftEntry(HEAD, {})

    def _ask_head(self, part: DraftEntry) -> None:
        while (asked := next(self._left(part), None)) is not None:
            key, ask = asked
            try:
                part.answer(key, ask(), by_itself=key == "gangs" and len(self.fighting) == GANGS_MIN)
            except Back:
                if not part.step_back():
                    raise
            self.keep(part.draft())
        self.settle_part(part, written=_head)

    def _left(self, part: DraftEntry) -> Iterator[tuple[str, Callable[[], Any]]]:
        """The questions of the head that are still open."""
        asks: list[tuple[str, Callable[[], Any]]] = [
            ("battle", self._battle),
            ("scenario", self._scenario),
            ("date", self._date),
            ("gangs", self._gangs),
            ("crews", partial(self._crews, part)),
        ]
        return ((key, ask) for key, ask in asks if key not in part.answers)

    def _battle(self) -> str:
        usual = f"battle-{self.before.battle_number}"
        usual = "" if usual in self.before.battles else usual
        help_ = "  Its name, such as Sump Raid; its report and commands call it sump-raid."
        while True:
            typed = (
                self.talk.ask(
                    "What is the battle called?", asked=QuestionContext(key="battle", enter=usual, help=help_)
                )
                or usual
            )
            battle = typed if is_slug(typed) else slug_of(typed)
            if not battle:
                self.talk.wrong("A name with letters or digits in it, such as Sump Raid.")
            elif battle in self.before.battles:
                self.talk.wrong(f"{typed} is recorded already. Type another name.")
            else:
                return battle

    def _scenario(self) -> str:
        played, _ = self.tracker.boards.battles(self.campaign)
        asked = QuestionContext(
            key="scenario",
            choices=as_choices(row["scenario"] for row in reversed(played)),
            help="  Its name, in your own words.",
        )
        return self.talk.ask("Which scenario?", asked=asked)

    def _date(self) -> str:
        asked = QuestionContext(key="date", enter="today", help="  Year-month-day, such as 2025-03-14.")
        while True:
            typed = self.talk.ask("When was it played?", asked=asked)
            try:
                return (date.fromisoformat(typed) if typed else date.today()).isoformat()  # noqa: DTZ011 -- theirs
            except ValueError:
                self.talk.wrong("A day of the calendar, year-month-day, such as 2025-03-14.")

    def _gangs(self) -> list[str]:
        known = [Choice(value=gang.gang, name=gang.name) for gang in self.fighting]
        if len(known) == GANGS_MIN:
            self.talk.say(f"{known[0].name} against {known[1].name}")
            return [gang.value for gang in known]
        said = self.book.words.said
        help_ = said("  Two {game.gangs} or more, with commas between them.")
        while True:
            chosen = self.talk.several(
                said("Which {game.gangs} fight?"),
                self.numbers.of_gangs(self.table(), known),
                asked=QuestionContext(key="gangs", help=help_),
            )
            if chosen is not None and len(chosen) >= GANGS_MIN:
                return chosen
            self.talk.wrong(said("A battle needs two {game.gangs}: type both, with a comma between them."))

    def _crews(self, part: DraftEntry) -> dict[str, Any]:
        """Who fights for each gang: everybody with one key, else gang by gang."""
        gangs: list[str] = part.answers["gangs"]
        able = {gang: [*_able(self.before, gang)] for gang in gangs}
        out = [f"  {self.before.gangs[gang].name}: {_names(able[gang])}" for gang in gangs]
        self.talk.say("\n".join(out))
        help_ = self.book.words.said("  n asks for the crew of each {game.gang}.")
        asked = QuestionContext(key="crews", answers=part.answers, help=help_)
        if (
            self.talk.yes_or_no("Does everybody who can fight take part?", asked=asked, usual=True)
            is not False
        ):
            return dict.fromkeys(gangs, "all")
        crews: dict[str, Any] = {}
        while len(crews) < len(gangs):
            gang = gangs[len(crews)]
            try:
                crews[gang] = self._crew(gang, able[gang])
            except Back:
                if not crews:
                    raise
                crews.popitem()
        return crews

    def _crew(self, gang: str, able: list[Fighter]) -> Any:
        offered = [Choice(value=fighter.fighter, name=fighter.name) for fighter in able]
        if not offered:
            return "all"
        asked = QuestionContext(key=f"crew.{gang}", help="  With commas between them, or a for all.")
        name = self.before.gangs[gang].name
        chosen = self.talk.several(
            f"Who fights for {name}?", self.numbers.of_people(self.table(), offered), asked=asked
        )
        return "all" if chosen is None or len(chosen) == len(offered) else chosen

    # --- entries and the end -----------------------------------------------------------------------------

    def menu(self) -> bool:
        return self.offer("What happened? (end ends the battle)", self.open_forms(), {"end": lambda: False})

    def end(self) -> None:
        assert self.played is not None, "a battle ends after its head"
        part = DraftEntry.of_draft(END, self.draft) if END in self.draft else DraftEntry(END, {END: {}})
        part.name_ids(self.id_meant)
        self.keep(part.draft())
        under_way = self.played.state.under_way
        assert under_way is not None, "a battle without a result is under way"
        names = {gang: self.before.gangs[gang].name for gang in under_way.crews}
        won = [(Choice(value=gang, name=names[gang]), records.CloseBattle(winner=gang)) for gang in names]
        ends = [*won, (_DRAW, records.CloseBattle(drawn=True))]
        open_now = [choice for choice, closes in ends if refusal_of(self.played.state, closes) is None]
        open_now = open_now or [choice for choice, _ in ends]
        help_ = "  The winner is who the scenario says won; with draw nobody did."
        while True:
            try:
                if "won" not in part.answers:
                    asked = QuestionContext(key="won", help=help_)
                    part.answer(
                        "won",
                        self.talk.choose(
                            "Who won?", self.numbers.of_gangs(self.table(), open_now), asked=asked
                        ),
                    )
                    self.keep(part.draft())
                if self.settle_part(part, written=self._end_written):
                    return
            except Back:
                if not part.step_back():
                    raise
                continue
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


def _fought(entries: Sequence[Sequence[RecordedEvent]]) -> Iterator[frozenset[str]]:
    """The pairs of models that fought each other."""
    for header, *_ in entries:
        said = header.event
        if isinstance(said, records.DecisionTaken) and isinstance(said.command, records.Fight):
            for target in said.command.targets:
                yield frozenset((said.command.attacker, target.model))


def _names(fighters: Sequence[Fighter]) -> str:
    return ", ".join(fighter.name for fighter in fighters) or "nobody"


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


def _able(state: CampaignState, gang: str) -> Iterator[Fighter]:
    """The fighters of a gang who can be in the crew of the next battle."""
    rulebook = rulebook_in_force(state, loader.rulebook)
    for fighter in state.gangs[gang].enlisted.values():
        if why_not_available(fighter, rulebook) is None:
            yield fighter
