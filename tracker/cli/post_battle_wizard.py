"""The wizard for what gangs do after a battle: step by step through the book's sequence."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Any, Final

from tracker.campaign.after_battle import AfterBattle
from tracker.cli.corrections import armoury_of
from tracker.cli.session import Session
from tracker.cli.wizard import Conversation
from tracker.documents.armoury import PriceLookup
from tracker.documents.post_battle import PostBattlePlan, post_battle_plan
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form, post_battle_forms
from tracker.documents.wizard.prompts import step_of
from tracker.errors import RulesRefuse
from tracker.service.command_handler import RecordResult

HEAD: Final = "head"
_BOTH: Final = Choice(value="every-gang", name="one file for every gang of it")


class NoBattleBehind(RulesRefuse):
    """No gang's post-battle sequence is open: each opens when a battle of the gang is recorded and ends when
    its next one opens. Record the battle first.
    """


class PostBattleWizard(Conversation):
    """A post-battle file, one step after the other."""

    def __init__(self, session: Session, file: str | None, *, armoury: str | None, roll: bool) -> None:
        state = session.tracker.boards.state_at(session.campaign)
        last = max((after.number for after in state.after_battle.values()), default=0)
        file = file if file is not None else f"{session.slug}-battle-{last}-after.yaml"
        listed = armoury_of(session, armoury)
        super().__init__(session, file, forms=post_battle_forms(), armoury=listed, roll=roll)
        with_armoury = ["--armoury", armoury] if armoury else []
        self.resume = shlex.join(["arbitrator", "battle", "post", "--wizard", file, *with_armoury])
        self.place = 0
        self.ended = False

    def plan(self, text: str) -> PostBattlePlan:
        """The file as it is read."""
        lookup = PriceLookup(state=self.before, armoury=self.armoury)
        document = writing.document_of(text, file=self.file)
        return post_battle_plan(document, purposes=self.book.purposes, lookup=lookup)

    def tried(self, text: str) -> RecordResult:
        if not writing.plain_of(text, file=self.file).get("entries"):
            return RecordResult(campaign=self.campaign, entries=(), state=self.before, dry_run=True)
        return self.tracker.commands.play(self.campaign, self.plan(text).decisions, dry_run=True)

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
            self.talk.say(
                f"Going on with {self.file}, {count} {'entry' if count == 1 else 'entries'} so far."
            )

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
        state = self.played.state if self.played is not None else self.before
        return Context(state=state, book=self.book, gangs=tuple(self.sequences), armoury=self.armoury)

    def begin(self) -> None:
        part = DraftEntry.of_draft(HEAD, self.draft)
        self.talk.say(f"After a battle, kept in {self.file} as you go. At any question: quit stops, ? helps.")
        while self.played is None:
            self.try_to(partial(self._ask_head, part))
            part = DraftEntry(HEAD, {})

    def _ask_head(self, part: DraftEntry) -> None:
        answers = part.answers
        if "battle" not in answers:
            behind = {after.battle: after.number for after in self.before.after_battle.values()}
            battles = [Choice(value=gang, name=f"battle {number}") for gang, number in behind.items()]
            answers["battle"] = (
                battles[0].value if len(battles) == 1 else self.talk.choose("After which battle", battles)
            )
            self.keep(part.draft())
        if "gang" not in answers:
            after = self.before.after_battle.items()
            gangs = [gang for gang, part in after if part.battle == answers["battle"]]
            offered = [Choice(value=gang, name=self.before.gangs[gang].name) for gang in gangs]
            answers["gang"] = self.talk.choose("For which gang", [_BOTH, *offered], default=_BOTH.value)
        self.settle_part(part, written=_head)

    # --- the steps ---------------------------------------------------------------------------------------

    def menu(self) -> bool:
        rules = self.book.post_battle
        reached = [
            rules.place_of(sequence.step) for sequence in self.sequences.values() if sequence.step is not None
        ]
        self.place = max([self.place, *reached])
        here = rules.steps[self.place]
        offered = self.open_forms([kind for kind in self.forms if self._belongs(kind, here.step)])
        more = {"next": self._next, "end": self._end}
        if self.place == len(rules.steps) - 1:
            del more["next"]
        if not any(step_of(form, rules.at) for form in offered) and "next" in more:
            self.talk.say(f"{here.name}: nothing to do.")
            return self._next()
        self.talk.say(f"{here.name}")
        for line in self._to_do():
            self.talk.say(f"  {line}")
        return self.offer("What is done", offered, more)

    def _belongs(self, kind: str, step: str) -> bool:
        own = step_of(self.forms[kind], self.book.post_battle.at)
        return own in (None, step)

    def _next(self) -> bool:
        self.place += 1
        return True

    def _end(self) -> bool:
        return False

    def _to_do(self) -> list[str]:
        """What somebody may not forget before the step is left."""
        table = self.table()
        at = self.book.post_battle.at
        here = self.book.post_battle.steps[self.place].step
        lines = []
        for fighter in table.fighters():
            if fighter.capture_pending and here == at.get("escape"):
                lines.append(f"{fighter.name} is Captured: an escape roll is due.")
            if fighter.critical and here == at.get("actions"):
                lines.append(f"{fighter.name} is Critically Injured, and dies unless somebody escorts them.")
        return lines

    def end(self) -> None:
        if not writing.plain_of(self.text, file=self.file).get("entries"):
            self.talk.say("No entry was made yet. quit stops; the sequence may stay without any entry.")
            return
        self.ended = True

    def reopen(self) -> None:
        self.ended = False

    def open_forms(self, kinds: Any = None) -> list[Form]:
        """The entries that can be made now: those of the step first."""
        forms = super().open_forms(kinds)
        at = self.book.post_battle.at
        return sorted(forms, key=lambda form: step_of(form, at) is None)


def _head(part: DraftEntry) -> str:
    answers = part.answers
    text = writing.block({"format": "post-battle/1", "battle": answers["battle"]})
    return text if answers["gang"] == _BOTH.value else writing.with_keys(text, {"gang": answers["gang"]})
