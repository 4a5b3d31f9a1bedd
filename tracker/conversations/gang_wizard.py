"""The wizard for a gang: its name, its fighters and their equipment; it writes the sheet and enlists the
gang.

The questions are the gang sheet's keys, in the order of `SHEET` and the lists beside it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from tracker.campaign import records
from tracker.conversations import prompter
from tracker.conversations.chosen_campaign import ChosenCampaign, armoury_of
from tracker.conversations.conversation import STOPPED
from tracker.conversations.wizard import plainly
from tracker.conversations.wizard_answers import Questioner
from tracker.conversations.wizard_file import KeptFile
from tracker.documents.armoury import FighterType
from tracker.documents.gang_sheet import FORMAT_WITH_PAST, FighterOnGangSheet, GangSheet, gang_sheet_command
from tracker.documents.ids import id_meant
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Choice, Context, money, word_choices
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form, part_form
from tracker.documents.wizard.numbers import ListNumbers
from tracker.documents.wizard.prompts import Prompt, prompts_from
from tracker.documents.written_cards import type_written
from tracker.errors import BadInput, Refusal
from tracker.reports.log import receipt_page
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.service.command_handler import CommandWithDice, RecordResult

SHEET: Final = prompts_from("name house player credits? reputation?")
CARD: Final = prompts_from("category type cost")
CARRIED: Final = prompts_from("weapons? skills? wargear?")
PAST: Final = prompts_from("xp_spent? advances? kills? out_of_action? battles? injuries?")
TERRITORIES: Final = "territories"
HEAD, FIGHTER = "head", "fighter"
OWN_CARD: Final = Choice(value="card", name="a card of their own")
_LIKE: Final = re.compile(r"(.+?)\s+like:?\s+(.+)")
_PATH: Final = re.compile(r"fighters\[[0-9]+\]\.?")
_WRITTEN: Final = re.compile(r"\{.*\}")


class NoSheetOfTheWizard(BadInput):
    """{file} exists and is not a {game.gang} sheet that this command can continue. Name another file."""

    file: str


class GangWizard:
    """A gang sheet from the gang's name to its last fighter."""

    def __init__(
        self,
        chosen: ChosenCampaign,
        file: str | None,
        *,
        armoury: str | None,
        talk: prompter.Prompter,
        kept: KeptFile | None = None,
    ) -> None:
        self.tracker, self.campaign = chosen.tracker, chosen.campaign
        self.before = self.tracker.repository.state(self.campaign)
        self.book = loader.book(self.before.book)
        self.armoury = armoury_of(chosen, armoury)
        self.file = file if file is not None else f"{chosen.slug}-gang-{len(self.before.gangs) + 1}.yaml"
        with_armoury = ["--armoury", armoury] if armoury else []
        self.resume = shlex.join(["arbitrator", "gang", "new", self.file, *with_armoury])
        self.later = shlex.join(["arbitrator", "gang", "add", self.file, *with_armoury])
        self.talk = talk
        self.kept = kept or KeptFile(self.file)
        self.numbers = ListNumbers()
        self.table = Context(state=self.before, book=self.book, gangs=(), armoury=self.armoury)
        text, self.draft = writing.draft_of(self.kept.read(), file=self.file)
        self.sheet = writing.plain_of(text, file=self.file)
        if text.strip() and self.sheet.get("format") != FORMAT_WITH_PAST:
            raise NoSheetOfTheWizard(file=self.file)
        self.today = bool(self.draft.pop("today", "injuries_counted" in self.sheet))

    def converse(self) -> int:
        """Ask until the gang is enlisted or somebody stops; returns the exit code."""
        self.talk.introduce(prompter.introduction(self.book.words.said("A {game.gang}"), self.file))
        try:
            while True:
                if not self.sheet:
                    self._ask_head()
                if self._ask_fighters() and self._enlist():
                    return 0
        except prompter.Quit:
            self._say_how_to_go_on()
            return 0
        except (click.Abort, KeyboardInterrupt):
            if self.tracker.saved:
                raise
            self.talk.say()
            self._say_how_to_go_on()
            return STOPPED

    def so_far(self) -> tuple[str, ...]:
        """The fighters on the sheet, each with their type."""
        return tuple(_called(card) for card in self.sheet.get("fighters") or ())

    # --- the head ----------------------------------------------------------------------------------------

    def _ask_head(self) -> None:
        part = DraftEntry.of_draft(HEAD, self.draft if HEAD in self.draft else {HEAD: {}})
        form = Form(kind="gang", model=GangSheet)
        while True:
            try:
                for prompt in SHEET:
                    if prompt.key not in part.answers and prompt.key not in part.passed:
                        part.answer(prompt.key, self._answer(form, prompt, part))
                        self._keep(part)
                if "today" not in part.answers:
                    asked = prompter.QuestionContext(
                        key="today",
                        help="  y asks for XP spent, kills, injuries and the like.",
                    )
                    words = self.book.words.said(
                        "Has the {game.gang} fought before, and joins as it is today?"
                    )
                    yes = self.talk.yes_or_no(words, asked=asked, usual=False)
                    part.answer("today", bool(yes))
                if part.answers["today"] and "injuries_counted" not in part.answers:
                    counted = self._answer(form, Prompt(key="injuries_counted"), part)
                    part.answer("injuries_counted", counted)
                if part.answers["today"] and self.book.territories and TERRITORIES not in part.answers:
                    part.answer(TERRITORIES, self._held())
                break
            except prompter.Back:
                if not part.step_back():
                    self.talk.wrong("This is the first question.")
                self._keep(part)
        self.today = part.answers.pop("today")
        held = part.answers.pop(TERRITORIES, ())
        self.sheet = {"format": FORMAT_WITH_PAST, **part.answers}
        if held:
            whose = id_meant(self.sheet["name"])
            territories = [{"territory": f"{whose}-{id_meant(kind)}", "kind": kind} for kind in held]
            self.sheet["so_far"] = {TERRITORIES: territories}
        self._keep()

    def _held(self) -> list[str]:
        """The kinds of the book's territories that the gang holds."""
        kinds = [Choice(value=kind, name=rules.name) for kind, rules in self.book.territories.items()]
        asked = prompter.QuestionContext(
            key=TERRITORIES,
            help="  The book's, with commas between. Those of your own: 'arbitrator gang territory', later.",
        )
        return self.talk.several("Which territories do they hold?", kinds, asked=asked, may_pass=True) or []

    def _reopen_head(self) -> None:
        """The head as it was before its last question."""
        kept = ("format", "fighters", "so_far")
        said = {key: value for key, value in self.sheet.items() if key not in kept}
        passed = [prompt.key for prompt in SHEET if prompt.key not in said]
        counted = said.pop("injuries_counted", None)
        if counted is not None:
            said["today"] = True
            if self.book.territories:  # which of them they hold is asked last
                said["injuries_counted"] = counted
        self.draft, self.sheet, self.today = {HEAD: said, "passed": passed}, {}, False

    # --- fighters ----------------------------------------------------------------------------------------

    def _ask_fighters(self) -> bool:
        """Ask for one fighter after another; False if somebody went back before the first."""
        part = DraftEntry.of_draft(FIGHTER, self.draft) if FIGHTER in self.draft else None
        while True:
            if part is None:
                self.talk.settled()
            try:
                part = part or self._begun()
            except prompter.Back:
                fighters = self.sheet.get("fighters")
                if not fighters:
                    self._reopen_head()
                    return False
                self.talk.say(f"  Removed: {_called(fighters.pop())}")
                self._keep()
                continue
            if part is None:
                return True
            if self._is_known(part):
                self._keep()
            part = None

    def _begun(self) -> DraftEntry | None:
        """The names of the next fighters; None if that was all."""
        fighters = self.sheet.get("fighters") or []
        asked = prompter.QuestionContext(
            key="fighters",
            enter="that is all" if fighters else "",
            help="  One name, or several of a kind with commas. `Bo like: Krug` has Krug's card.",
        )
        while True:
            typed = self.talk.ask("Who joins? (with commas, several of a kind)", asked=asked)
            if not typed or (fighters and typed == "end"):
                return None
            like = _LIKE.fullmatch(typed)
            names = prompter.comma_separated(like[1] if like else typed)
            if not names:
                self.talk.wrong("Type a name.")
                continue
            part = DraftEntry(FIGHTER, {FIGHTER: {}})
            part.answer("names", names)
            if like:
                part.answer("is", f"like {like[2]}")
            self._keep(part)
            return part

    def _is_known(self, part: DraftEntry) -> bool:
        """Ask about the fighters of a part until they fit the sheet; False if they are dropped."""
        while True:
            try:
                for key, said in self._left(part):
                    part.answer(key, said)
                    self._keep(part)
                    if said is not None and self._is_whole(part):
                        self._tried(_written(self._with(part)))
            except prompter.Back:
                pass
            except Refusal as refusal:
                self.talk.wrong(_PATH.sub("", plainly(refusal)))
            else:
                self.sheet = self._with(part)
                self.talk.say(f"  {_called(self.sheet['fighters'][-1])}")
                return True
            if not part.step_back() or not part.answers:
                self.talk.say("  Dropped.")
                self._keep()
                return False
            self._keep(part)

    def _is_whole(self, part: DraftEntry) -> bool:
        """Whether the card has all that it needs, so that a refusal is about the last answer."""
        return part.answers.get("is", OWN_CARD.value) != OWN_CARD.value or "characteristics" in part.answers

    def _with(self, part: DraftEntry) -> dict[str, Any]:
        return {**self.sheet, "fighters": [*(self.sheet.get("fighters") or []), self._card(part)]}

    def _left(self, part: DraftEntry) -> Iterator[tuple[str, Any]]:
        """Ask the open questions, key by key; yields each key with its answer."""
        form = Form(kind=FIGHTER, model=FighterOnGangSheet)

        def open_keys(prompts: tuple[Prompt, ...]) -> Iterator[Prompt]:
            return (
                prompt
                for prompt in prompts
                if prompt.key not in part.answers and prompt.key not in part.passed
            )

        if "is" not in part.answers:
            yield "is", self._what_they_are()
        what = part.answers["is"]
        if what.startswith("like "):
            own: tuple[Prompt, ...] = ()
        elif what == OWN_CARD.value:
            for prompt in open_keys(CARD):
                yield prompt.key, self._answer(form, prompt, part)
            if "characteristics" not in part.answers:
                yield "characteristics", self._numbers()
            own = CARRIED
        else:
            own = CARRIED
        for prompt in open_keys(own):
            yield prompt.key, _listed(self._answer(form, prompt, part))
        if self.today:
            for prompt in open_keys((Prompt(key="xp", may_pass=True),)):
                yield prompt.key, self._answer(form, prompt, part)
            past = part_form("so_far", FighterOnGangSheet)
            for prompt in open_keys(PAST):
                said = self._answer(past, prompt, part)
                if prompt.key == "injuries" and said is not None:
                    said = [{"injury": name} if isinstance(name, str) else name for name in _listed(said)]
                yield prompt.key, said

    def _what_they_are(self) -> str:
        """The word for a type of the armoury, a card like another fighter's, or a card of their own."""
        fighters = self.sheet.get("fighters") or []
        listed = [
            Choice(
                value=fighter_type.card.kind,
                name=fighter_type.card.kind,
                note=money(self.table, fighter_type.card.cost_credits),
            )
            for fighter_type in self._types()
        ]
        named = [name for card in fighters for name in _names(card)]
        listed += [Choice(value=f"like {name}", name=f"like {name}") for name in named]
        if not listed:
            return OWN_CARD.value
        asked = prompter.QuestionContext(
            key="is", help="  A type has its card from the armoury; like takes over a card."
        )
        said = self.talk.choose("  Of what type?", [*listed, OWN_CARD], asked=asked)
        assert said is not None, "nothing was to be passed over"
        return said

    def _types(self) -> list[FighterType]:
        house = str(self.sheet["house"])
        return (
            [fighter_type for fighter_type in self.armoury.types if fighter_type.is_of(house)]
            if self.armoury is not None
            else []
        )

    def _numbers(self) -> dict[str, int | str]:
        """A card's numbers, in the order in which the book prints them."""
        shorts = [limits.short for limits in self.book.characteristics.values()]
        asked = prompter.QuestionContext(
            key="characteristics", help="  As the card prints them, with spaces between them."
        )
        while True:
            typed = self.talk.ask(f"  {' '.join(shorts)}?", asked=asked, fits=lambda _: True)
            numbers = typed.replace(",", " ").split()
            if len(numbers) == len(shorts):
                read = [
                    int(number) if re.fullmatch("[-+]?[0-9]{1,3}", number) else number for number in numbers
                ]
                return dict(zip(shorts, read, strict=True))
            self.talk.wrong(f"{len(shorts)} numbers are asked for, and these are {len(numbers)}.")

    def _card(self, part: DraftEntry) -> dict[str, Any]:
        """The fighters of a part, as the sheet writes them."""
        said = dict(part.answers)
        names, what = said.pop("names"), said.pop("is")
        card: dict[str, Any] = {"name": names[0]} if len(names) == 1 else {"names": names}
        past = {prompt.key: said.pop(prompt.key) for prompt in PAST if prompt.key in said}
        if what.startswith("like "):
            card["like"] = what.removeprefix("like ")
        elif what != OWN_CARD.value:
            card |= self._of_type(what)
        for key in ("skills", "wargear"):
            if key in said and key in card:
                said[key] = [*card[key], *said[key]]
        return {**card, **said, **({"so_far": past} if past else {})}

    def _of_type(self, kind: str) -> dict[str, Any]:
        """The card of a type in the armoury, as a sheet writes it."""
        assert self.armoury is not None, "types are the armoury's"
        card = self.armoury.fighter_type(kind, str(self.sheet["house"])).card
        return type_written(card, self.book.characteristics)

    # --- one question, the file, the end -----------------------------------------------------------------

    def _answer(self, form: Form, prompt: Prompt, part: DraftEntry) -> Any:
        asks = Questioner(self.talk, self.table, form, part.answers, self.numbers)
        open_now = word_choices(form.question(prompt.key).words) or None
        houses = (
            dict.fromkeys(fighter_type.house for fighter_type in self.armoury.types if fighter_type.house)
            if self.armoury
            else {}
        )
        earlier = [*houses] if prompt.key == "house" else []
        return asks.answer_to(prompt, open_now, None, lambda _: "", facts={}, earlier=earlier)

    def _keep(self, part: DraftEntry | None = None) -> None:
        draft = {**(part.draft() if part is not None else {}), **({"today": True} if self.today else {})}
        self.draft = draft if part is not None else {}
        text = _written(self.sheet) if self.sheet else ""
        self.kept.write(writing.with_draft(text, draft) if draft else text)

    def _tried(self, text: str, *, dry_run: bool = True) -> tuple[records.EnlistGang, RecordResult]:
        enlist = gang_sheet_command(
            writing.document_of(text, file=self.file),
            state=self.before,
            characteristics=self.book.characteristics,
            weapons=self.armoury.weapon if self.armoury is not None else None,
        )
        commands = [CommandWithDice(command=enlist)]
        key = self.tracker.commands.key_of(self.campaign, "gang", enlist.gang)
        return enlist, self.tracker.commands.play(self.campaign, commands, key=key, dry_run=dry_run)

    def _enlist(self) -> bool:
        """Show the sheet and what it enlists, ask once, and record it; False if somebody goes back."""
        text = _written(self.sheet)
        self.today, self.draft = False, {}
        self._keep()
        try:
            _, played = self._tried(text)
        except Refusal as refusal:
            self.talk.wrong(plainly(refusal))
            return False
        self.talk.say(text)
        names = Names.of_state(played.state)
        page = receipt_page(played.entries, names, repeated=played.repeated, dry_run=True, notes=played.notes)
        self.talk.decided(page)
        if played.repeated:
            return True
        self.talk.forget()  # what was typed before all was shown records nothing
        asked = prompter.QuestionContext(
            key="record",
            help=self.book.words.said(
                "  y enlists the {game.gang}, n leaves the sheet, back goes on with it."
            ),
        )
        try:
            yes = self.talk.yes_or_no("Enlist them?", asked=asked)
        except prompter.Back:
            return False
        if not yes:
            raise prompter.Quit
        self.record_and_say()
        return True

    def record_and_say(self) -> None:
        """Enlist the gang of the sheet, and say in which entry and which ids reports use."""
        enlist, recorded = self._tried(_written(self.sheet), dry_run=False)
        called = ", ".join(card.fighter for card in enlist.fighters)
        self.talk.say(
            f"Recorded: entry {recorded.entries[0][0].entry}."
            f" Use these ids in reports: {self.book.words.gang} {enlist.gang}; {called}."
        )

    def _say_how_to_go_on(self) -> None:
        if not self.sheet and not self.draft:
            self.talk.say("Nothing was begun.")
            return
        add = f" Or enlist it as it is: {self.later}" if self.sheet.get("fighters") and not self.draft else ""
        self.talk.say(f"Nothing is recorded. Go on with: {self.resume}{add}")


def _written(sheet: Mapping[str, Any]) -> str:
    """A sheet as YAML, each key of a fighter on a line of its own."""
    text = writing.block({key: said for key, said in sheet.items() if key != "fighters"})
    fighters = sheet.get("fighters") or []
    if not fighters:
        return text
    text += "fighters:\n"
    for card in fighters:
        first, *more = writing.block(card).splitlines()
        text += f"  - {first}\n" + "".join(f"    {line}\n" for line in more)
    return text


def _names(card: Mapping[str, Any]) -> list[str]:
    return [str(name) for name in card.get("names") or [card.get("name")]]


def _called(card: Mapping[str, Any]) -> str:
    what = f"like {card['like']}" if "like" in card else str(card.get("type", ""))
    return f"{', '.join(_names(card))}: {what}"


def _listed(said: Any) -> Any:
    """The typed answer as a list: names separated by commas, or one thing written out in braces."""
    words = [said] if isinstance(said, str) else said
    if not isinstance(words, list):
        return said
    joined = ", ".join(map(str, words))
    if _WRITTEN.fullmatch(joined):
        return [writing.entry_typed(joined)]
    return prompter.comma_separated(joined)
