"""The wizard for what gangs do after a battle: step by step through the book's sequence."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.post_battle_reminders import Reminder, due_after_battle
from tracker.campaign.steps import rulebook_in_force
from tracker.conversations.chosen_campaign import ChosenCampaign, armoury_of
from tracker.conversations.conversation import Conversation
from tracker.conversations.prompter import Back, Prompter, QuestionContext, find, introduction
from tracker.conversations.wizard import REASONS
from tracker.conversations.wizard_file import KeptFile
from tracker.documents.armoury import PriceLookup
from tracker.documents.planned_decisions import asking_in_last
from tracker.documents.post_battle import PostBattlePlan, post_battle_plan
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form, post_battle_forms
from tracker.documents.wizard.legal_entries import choices
from tracker.documents.wizard.prompts import Prompt, prompts_of, step_of
from tracker.errors import Asks, BadInput, RulesRefuse
from tracker.records import Record
from tracker.reports.cards import counted
from tracker.rules import loader
from tracker.service.command_handler import RecordResult

HEAD: Final = "head"
AT, DECLINED, ACTING = "at", "declined", "acting"
"""The keys that the file keeps beside an unfinished entry: the step, what was declined, whose turn it is."""
_BOTH: Final = "every-gang"
"""One file for all."""


class AllRecorded(BadInput):
    """Every file after battle {battle} is recorded already: each {game.gang}'s own and one for all. Give a
    further file a `part:` of its own, such as `part: later`, and record it with 'arbitrator battle post
    FILE'.
    """

    battle: str


class NoBattleBehind(RulesRefuse):
    """No {game.gang}'s post-battle sequence is open: each opens when a battle of the {game.gang} is recorded
    and ends when its next one opens. Record the battle first.
    """


class PostBattleWizard(Conversation):
    """A post-battle file, one step after the other."""

    def __init__(
        self,
        chosen: ChosenCampaign,
        file: str | None,
        *,
        armoury: str | None,
        roll: bool,
        talk: Prompter,
        kept: KeptFile | None = None,
    ) -> None:
        state = chosen.tracker.boards.state_at(chosen.campaign)
        last = max((after.number for after in state.after_battle.values()), default=0)
        file = file if file is not None else f"{chosen.slug}-battle-{last}-after.yaml"
        listed = armoury_of(chosen, armoury)
        super().__init__(
            chosen, file, forms=post_battle_forms(), armoury=listed, roll=roll, talk=talk, kept=kept
        )
        with_armoury = ["--armoury", armoury] if armoury else []
        self.resume = shlex.join(["arbitrator", "battle", "post", "--wizard", file, *with_armoury])
        self.place = self._place_of(self.draft.pop(AT, None))
        self.shown = -1
        self.ended = False
        acting = self.draft.pop(ACTING, None)
        self.acting = acting if acting in self.before.gangs else None
        """The gang that acted last: the next entry is also its own, until another gang is named."""
        declined = self.draft.pop(DECLINED, None)
        self.declined = {str(due) for due in declined} if isinstance(declined, list) else set()

    def _place_of(self, step: object) -> int:
        """The place of the step that was left; 0 if the book has no such step."""
        steps = [step.step for step in self.book.post_battle.steps]
        return steps.index(step) if step in steps else 0

    def keep(self, draft: Mapping[str, Any]) -> None:
        """Also keeps what was declined, and the step that was reached without an entry."""
        far: dict[str, Any] = {DECLINED: sorted(self.declined)} if self.declined else {}
        if self.acting is not None:
            far[ACTING] = self.acting
        if self.place:
            far[AT] = self.book.post_battle.steps[self.place].step
        super().keep(draft if self.ended else {**draft, **far})

    def plan(self, text: str) -> PostBattlePlan:
        """The file as it is read."""
        lookup = PriceLookup(state=self.before, armoury=self.armoury)
        document = writing.document_of(text, file=self.file)
        return post_battle_plan(document, purposes=self.book.purposes, lookup=lookup)

    def tried(self, text: str, *, asks: Asks | None = None, explained: bool = True) -> RecordResult:
        if not writing.plain_of(text, file=self.file).get("entries"):
            return RecordResult(campaign=self.campaign, entries=(), state=self.before, dry_run=True)
        decisions = asking_in_last(self.plan(text).decisions, asks)
        return self.tracker.commands.play(self.campaign, decisions, dry_run=True, explained=explained)

    def open(self) -> None:
        said = writing.plain_of(self.text, file=self.file)
        if said.get("entries"):
            played = self.record(dry_run=True)  # refuses another battle's file too
            self.ended = played.repeated
            self.played = played
        elif said:
            super().open()
            if {"format", "battle"} - set(said) or said["format"] != "post-battle/1":
                self.plan(self.text)
        elif not self.before.after_battle:
            raise NoBattleBehind
        if self.played is not None and not self.ended:
            count = len(said.get("entries") or ())
            self.talk.introduce(f"Going on with {self.file}, {counted(count, 'entry', 'entries')} so far.")

    @property
    def whole(self) -> bool:
        return self.ended

    def record(self, *, dry_run: bool) -> RecordResult:
        return self.tracker.commands.play_post_battle(self.campaign, self.plan(self.text), dry_run=dry_run)

    @property
    def sequences(self) -> dict[str, AfterBattle]:
        """How far each gang that the file is about has come."""
        said = writing.plain_of(self.text, file=self.file)
        state = self.played.state if self.played is not None else self.before
        return {
            gang: after
            for gang, after in state.after_battle.items()
            if after.battle == said.get("battle") and said.get("gang") in (None, gang)
        }

    def table(self) -> Context:
        state, sequences = self.played.state if self.played is not None else self.before, self.sequences
        return Context(
            state=state,
            book=self.book,
            gangs=tuple(gang for gang in state.gangs if gang in sequences),
            armoury=self.armoury,
        )

    def begin(self) -> None:
        part = DraftEntry.of_draft(HEAD, self.draft)
        part.name_ids(self.id_meant, but=("battle",))
        self.talk.introduce(introduction("After a battle", self.file))
        for battle in dict.fromkeys(after.battle for after in self.before.after_battle.values()):
            self._say_what_is_recorded(battle)
        while self.played is None:
            self.try_to(partial(self._ask_head, part))
            part = DraftEntry(HEAD, {})

    def _say_what_is_recorded(self, battle: str) -> None:
        """Say this before the first question: a recorded file cannot be recorded again with changes."""
        gangs = self._gangs_behind(battle)
        recorded = [self.before.gangs[gang].name for gang in gangs if self._is_recorded(battle, gang)]
        recorded += [f"every {self.book.words.gang} in one"] if self._is_recorded(battle, None) else []
        if recorded:
            self.talk.say(f"Recorded already after battle {battle}: the file of {', of '.join(recorded)}.")
            self.talk.say("  Put right what is wrong there with 'arbitrator entry amend', add what was")
            self.talk.say(
                "  forgotten with 'arbitrator entry add'. A further file needs a `part:` of its own."
            )
        if len(recorded) == len(gangs) + 1:
            raise AllRecorded(battle=battle)

    def _gangs_behind(self, battle: str) -> list[str]:
        after = self.before.after_battle
        return [gang for gang in self.before.gangs if gang in after and after[gang].battle == battle]

    def _is_recorded(self, battle: str, gang: str | None) -> bool:
        heading = PostBattlePlan(
            battle=battle, gang=gang, part=None, campaign=None, recorded_by=None, decisions=(), digest=""
        )
        return self.tracker.commands.is_recorded(self.campaign, heading)

    def _ask_head(self, part: DraftEntry) -> None:
        answers = part.answers
        while "gang" not in answers:
            try:
                if "battle" not in answers:
                    behind = {after.battle: after.number for after in self.before.after_battle.values()}
                    battles = [
                        Choice(value=battle, name=f"battle {number}") for battle, number in behind.items()
                    ]
                    only = len(battles) == 1
                    battle = battles[0].value if only else self._battle(battles)
                    part.answer("battle", battle, by_itself=only)
                else:
                    part.answer("gang", self._gang(answers["battle"]))
            except Back:
                if not part.step_back():
                    raise
            self.keep(part.draft())
        self.settle_part(part, written=_head)

    def _battle(self, battles: list[Choice]) -> str | None:
        help_ = self.book.words.said("  Each {game.gang}'s sequence follows the last battle that it fought.")
        asked = QuestionContext(key="battle", help=help_)
        return self.talk.choose("After which battle?", battles, asked=asked)

    def _gang(self, battle: str) -> str | None:
        gangs = [gang for gang in self._gangs_behind(battle) if not self._is_recorded(battle, gang)]
        offered = [Choice(value=gang, name=self.before.gangs[gang].name) for gang in gangs]
        one_for_all = not self._is_recorded(battle, None)
        said = self.book.words.said
        both = Choice(value=_BOTH, name=said("one file for every {game.gang} of it"))
        listed = self.numbers.of_gangs(self.table(), [*offered, *([both] if one_for_all else [])])
        asked = QuestionContext(
            key="gang",
            enter=said("every {game.gang}") if one_for_all else "",
            help=said("  One file can hold what every {game.gang} does, or one."),
        )
        default = _BOTH if one_for_all else ""
        return self.talk.choose(said("For which {game.gang}?"), listed, asked=asked, default=default)

    # --- the steps ---------------------------------------------------------------------------------------

    def menu(self) -> bool:
        rules = self.book.post_battle
        reached = [
            rules.place_of(sequence.step) for sequence in self.sequences.values() if sequence.step is not None
        ]
        self.place = max([self.place, *reached])
        here = rules.steps[self.place]
        last = self.place == len(rules.steps) - 1
        offered = self.open_forms([kind for kind in self.forms if self._belongs(kind, here.step)])
        if self.place != self.shown:
            self.shown = self.place
            self.talk.say(here.name)
            for reminder in self._reminders():
                if not reminder.must and reminder.entry not in _DUE:
                    self.talk.say(f"  {reminder.words}")
        if self._ask_due({form.kind for form in offered}, here.step):
            return True
        of_step = [form for form in offered if step_of(form, rules.at) is not None and not self._idle(form)]
        of_step = [form for form in of_step if form.kind not in _WHILE_ANYBODY]
        if not of_step and not last:
            if self.talk.tells_of_empty_steps:
                self.talk.say("  Nothing more to do in this step.")
            return self._next()
        for line in self._to_do():
            self.talk.say(f"  {line}")
        about = {"gang": self.acting} if self.acting is not None else {}
        ask = "What is done?"
        more: dict[str, Callable[[], bool]] = {"end": self._end}
        if self.acting is not None and len(self.table().gangs) > 1:
            ask = f"What is done by {self.before.gangs[self.acting].name}? (gang names another)"
            more["gang"] = self._name_acting
        if last:
            return self.offer(ask, offered, more, about=about, enter=("that is all", self._end))
        following = rules.steps[self.place + 1].name
        more["next"] = self._next
        return self.offer(ask, offered, more, about=about, enter=(f"on to {following}", self._next))

    def _name_acting(self) -> bool:
        """Ask which gang acts from now on."""
        table = self.table()
        gangs = [Choice(value=gang, name=table.state.gangs[gang].name) for gang in table.gangs]
        said = self.book.words.said
        help_ = said("  What is done next is this {game.gang}'s, until another is named.")
        asked = QuestionContext(key="acting", help=help_)
        self.acting = self.talk.choose(
            said("Which {game.gang}?"), self.numbers.of_gangs(table, gangs), asked=asked
        )
        self.keep({})
        return True

    def typed(self, line: str, offered: Sequence[Form]) -> None:
        before, state = self.text, self.table().state
        gangs = [Choice(value=gang, name=state.gangs[gang].name) for gang in self.table().gangs]
        named = find(line, gangs) if self.acting is not None and self.meant(line, offered) is None else None
        if named is not None:
            self.acting = named
        else:
            super().typed(line, offered)
            if self.text != before:
                self.acting = self._gang_of_last() or self.acting
        self.keep({})

    def take_up_draft(self) -> None:
        before, due = self.text, any(kind in self.draft for kind in _DUE)
        super().take_up_draft()
        if self.text != before and not due:
            self.acting = self._gang_of_last() or self.acting
            self.keep({})

    def _gang_of_last(self) -> str | None:
        """The gang that the last entry is about."""
        entry: dict[str, Any] = (writing.plain_of(self.text, file=self.file).get("entries") or [{}])[-1]
        state = self.table().state
        for said in (entry[kind] for kind in entry if kind in self.forms):
            for named in (said.get("gang"), said.get("by"), said.get("fighter")):
                gang = str(named) if str(named) in state.gangs else state.gang_of.get(str(named))
                if gang is not None:
                    return gang
        return None

    def begun(self, form: Form) -> DraftEntry:
        part = super().begun(form)
        first = prompts_of(form)[0] if prompts_of(form) else None
        if self.acting is not None and first == Prompt(key="gang"):
            open_now = choices(self.table(), form, first, {}) or ()
            named = self.talk.names_next(open_now)
            if self.acting in [choice.value for choice in open_now] and not named:
                part.answer("gang", self.acting, by_itself=True)
        return part

    def reasons(self) -> list[str]:
        """The reasons in the recorded battle too."""
        return list(dict.fromkeys([*super().reasons(), *self._reasons_of_battle]))

    @cached_property
    def _reasons_of_battle(self) -> list[str]:
        battle = writing.plain_of(self.text, file=self.file).get("battle")
        entries = self.tracker.boards.battle(self.campaign, battle).counting if battle is not None else ()
        given = (entry[0].event for entry in entries)
        commands = (event.command for event in given if isinstance(event, records.DecisionTaken))
        return [
            said
            for command in commands
            for key in REASONS
            if isinstance(said := getattr(command, key, None), str)
        ]

    def _idle(self, form: Form) -> bool:
        """Whether an entry is allowed but would change nothing: no dead to clear away, all ratings known."""
        table = self.table()
        if form.kind == "rating":
            return {*table.gangs} <= self._rated()
        gone = (
            fighter
            for gang in table.gangs
            for fighter in table.state.gangs[gang].fighters.values()
            if fighter.standing == "dead" or fighter.critical
        )
        return form.kind == "clean_house" and not any(gone)

    def _rated(self) -> set[str]:
        entries = writing.plain_of(self.text, file=self.file).get("entries") or ()
        return {entry["rating"].get("gang") for entry in entries if "rating" in entry}

    def _belongs(self, kind: str, step: str) -> bool:
        own = step_of(self.forms[kind], self.book.post_battle.at)
        return own in (None, step)

    def _next(self) -> bool:
        if self._to_do() and not self.talk.yes_or_no(
            "  Go on all the same?", asked=QuestionContext(key="go_on")
        ):
            return True
        self.place += 1
        self.keep({})
        return True

    def _end(self) -> bool:
        return False

    def _to_do(self) -> list[str]:
        """The reminders of what must be done before the step is left."""
        return [reminder.words for reminder in self._reminders() if reminder.must]

    def _reminders(self) -> Iterator[Reminder]:
        """The reminders of this step, for every gang that the file is about."""
        here, table = self.book.post_battle.steps[self.place].step, self.table()
        rulebook = rulebook_in_force(table.state, loader.rulebook)
        for gang in table.gangs:
            due = due_after_battle(table.state, gang, rulebook)
            yield from (reminder for reminder in due if reminder.step == here)

    # --- what is due: asked for without being named ------------------------------------------------------

    def _ask_due(self, kinds: set[str], step: str) -> bool:
        """Ask for the next thing that is due in this step; False if nothing is left to ask for."""
        for kind, due in _DUE.items():
            form, open_now = self.forms[kind], choices(self.table(), self.forms[kind], Prompt(key=due.of), {})
            for choice in (open_now or ()) if kind in kinds else ():
                if f"{kind} {choice.value}" not in self.declined:
                    self.declined.add(f"{kind} {choice.value}")
                    self.talk.say(f"  {self._words_of(kind, due, choice)}")
                    part = DraftEntry(kind, {kind: {}})
                    part.answer(due.of, choice.value, by_itself=True)
                    self.try_to(partial(self._tell_due, form, part, due.first))
                    return True
        at = self.book.post_battle.at
        for kind, who in _WHILE_ANYBODY.items():
            if kind in kinds and kind not in self.declined and step_of(self.forms[kind], at) == step:
                form = self.forms[kind]
                if self.try_to(partial(self._tell_due, form, DraftEntry(kind, {kind: {}}), who)):
                    return True
                self.declined.add(kind)
                self.keep({})
                return True
        for kind, (activity, _) in _FOR_EVERY_GANG.items():
            due_here = at.get(activity) == step if activity in at else self.place == 0
            if due_here and kind in kinds and kind not in self.declined:
                self._ask_for_every_gang(kind)
                return True
        return False

    def _words_of(self, kind: str, due: _Due, choice: Choice) -> str:
        """The words for something due: those of its reminder, or else the name."""
        of = (said.words for said in self._reminders() if said.entry == kind and said.whose == choice.value)
        return due.words.format(next(of, choice.name))

    def _tell_due(self, form: Form, part: DraftEntry, first: str | None) -> None:
        """Ask for something due; if the answer to `first` is nobody or nothing, there is no entry."""
        if first is not None:
            self.answer(form, Prompt(key=first, may_pass=True), part, {})
            if not part.answers.get(first):
                if form.kind in _WHILE_ANYBODY:
                    self.declined.add(form.kind)
                self.keep({})
                return
        self.tell(form, part)

    def _ask_for_every_gang(self, kind: str) -> None:
        """Ask once for an entry that every gang makes alike."""
        self.declined.add(kind)
        form = self.forms[kind]
        entries = writing.plain_of(self.text, file=self.file).get("entries") or ()
        done = [entry[kind].get("gang") for entry in entries if kind in entry]
        able = choices(self.table(), form, Prompt(key="gang"), {}) or ()
        open_now = [choice for choice in able if choice.value not in done]
        if not open_now:
            return
        names = " and ".join(choice.name for choice in open_now)
        words = _FOR_EVERY_GANG[kind][1].format(names)
        asked = QuestionContext(
            kind=kind,
            key="every_gang",
            answers={"gangs": [choice.value for choice in open_now]},
            help=f"  {form.about_in(self.book.words)} n leaves it; it can be named later.",
        )
        try:
            yes = self.talk.yes_or_no(f"  {words}", asked=asked, usual=True)
        except Back:
            yes = False
        if yes is False:
            self.keep({})
            return
        for choice in open_now:
            self.try_to(partial(self.tell, form, _whole(kind, choice.value, form)))

    def end(self) -> None:
        if not writing.plain_of(self.text, file=self.file).get("entries"):
            self.talk.wrong("No entry was made yet. quit stops; the sequence may stay without any entry.")
            return
        self.ended = True
        self.keep({})

    def reopen(self) -> None:
        self.ended = False

    def open_forms(self, kinds: Any = None) -> list[Form]:
        """The entries that can be made now: those of the step first."""
        found = super().open_forms(kinds)
        at = self.book.post_battle.at
        return sorted(found, key=lambda form: step_of(form, at) is None)


_FOR_EVERY_GANG: Final[Mapping[str, tuple[str, str]]] = {
    "took_part": ("took_part", "Did everybody of {} take part? That is the book's XP for each."),
    "rating": ("gang_rating", "Work out the rating of {}?"),
}
"""The entries that every gang makes alike: the activity of their step, and the question for all of them."""


_WHILE_ANYBODY: Final[Mapping[str, str]] = {"advance": "fighter"}
"""The entries that are asked for again and again in their step until nobody is named: the key that names."""


class _Due(Record):
    """An entry that is asked for without being named.

    `of` is the key that says for whom, `words` are said around its reminder or name. If the answer to `first`
    is nobody or nothing, there is no entry.
    """

    of: str
    words: str
    first: str | None = None


_DUE: Final[Mapping[str, _Due]] = {
    "escape": _Due(of="fighter", words="{} (back leaves it for later)"),
    "reputation": _Due(of="gang", words="The Reputation of {}.", first="by"),
    "fixer": _Due(of="by", words="{} (back leaves it for later)"),
    "income": _Due(of="territory", words="The income of {}. (back leaves it for later)"),
    "medical_escort": _Due(of="patient", words="{}", first="by"),
}


def _whole(kind: str, gang: str, form: Form) -> DraftEntry:
    """An entry that names a gang and leaves out every optional answer."""
    part = DraftEntry(kind, {kind: {}})
    part.answer("gang", gang, by_itself=True)
    for prompt in prompts_of(form):
        if prompt.may_pass:
            part.answer(prompt.key, None, by_itself=True)
    return part


def _head(part: DraftEntry) -> str:
    answers = part.answers
    text = writing.block({"format": "post-battle/1", "battle": answers["battle"]})
    return text if answers["gang"] == _BOTH else writing.with_keys(text, {"gang": answers["gang"]})
