"""A player who taps whatever a board offers: battles of all three games, die by die, and what comes after them.

What a page offers must be taken. What is refused all the same stands in `REASONED`, with its reason.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Form, forms
from starlette.testclient import TestClient

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker
from tracker.service.drafts import Drafts

from . import club, mustering
from .runner import Run

SLUG = "ash-wastes"
HERE = f"/campaigns/{SLUG}"
BATTLES_MAX = 2
TAPS_USUAL = 40
"""So many taps later somebody ends the battle."""
TAPS_MAX = 400
"""A battle that is not at its end by then does not get there."""
TAKES_BACK = 0.03
ENDS = 0.03
STEPS_LEFT = 0.25
REASONED: tuple[tuple[str, str], ...] = (
    ("Nothing goes below zero", "what it costs is known once a die lies there"),
    ("does not hold without number", "later entries rest on the one that is taken out"),
)
"""What may be refused although it was offered, and why the page offers it."""


class Broken(AssertionError):
    """The board did what it must not."""


class Player:
    """The Arbitrator's thumb, and what it has tapped since the campaign began."""

    def __init__(self, client: TestClient, token: str, dice: Random, counted: Counter[str]) -> None:
        self.client, self.dice, self.counted = client, dice, counted
        self.headers = {"Accept": "text/html", "Authorization": f"Bearer {token}"}
        self.at, self.page, self.status = "", "", 0
        self.did: list[str] = []

    def go(self, path: str) -> None:
        self.did.append(f"GET {path}")
        self._came(self.client.get(path, headers=self.headers))

    def send(self, path: str, fields: list[tuple[str, str]], *, typed: bool = False) -> bool:
        """Whether it was taken."""
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        told = {name: values for name, values in data.items() if name not in ("revision", "key", "head")}
        self.did.append(f"POST {path.removeprefix(HERE)} {json.dumps(told)}")
        before = (self.at, self.page)
        self._came(self.client.post(path, data=data, headers=self.headers))
        if self.status < 400:
            return True
        self.was_refused(self.refused or self.page[:2_000], typed=typed)
        self.at, self.page = before
        self.go(self.at.removesuffix("/entry").removesuffix("/undo"))
        if self.dice.random() < 0.5 and "entry" in (gives_up := self._take_back()).names | {
            *_named(gives_up)
        }:
            self.send(gives_up.action, [*gives_up.fields.items(), ("entry", "1")])
        return False

    def _take_back(self) -> Form:
        return next((form for form in forms(self.page) if form.action.endswith("/undo")), Form("post", ""))

    def was_refused(self, why: str, *, typed: bool) -> None:
        """Raises Broken where nothing was typed and no reason is known."""
        if typed or any(re.search(pattern, why) for pattern, _ in REASONED):
            self.counted["refused as it was typed" if typed else "refused with a reason"] += 1
            return
        raise Broken(f"refused although it was offered: {why}\n{self.story}")

    def _came(self, answer: Any) -> None:
        self.at, self.page, self.status = answer.url.path, answer.text, answer.status_code
        if self.status >= 500 or "Traceback" in self.page:
            raise Broken(f"{self.status}: {self.page[:2_000]}\n{self.story}")

    @property
    def refused(self) -> str:
        found = re.search(r'<div class="refused" role="alert">(.*?)</div>', self.page, re.DOTALL)
        return " ".join(unescape(re.sub("<[^>]*>", "", found[1])).split()) if found is not None else ""

    @property
    def story(self) -> str:
        return "\n".join(self.did[-60:])

    @property
    def asks(self) -> str:
        found = re.search(r'data-asks="(\w*)"', self.page)
        return found[1] if found is not None else ""

    def tap(self, form: Form, *, whole: bool = False) -> bool:
        """One of its buttons, at random, with whatever it lets be filled in. Each field of a `whole` entry is filled in
        by itself, so that the rules may refuse them together.
        """
        button = self.dice.choice(form.every_button)
        fields = [*_filled(form, self.dice, button)]
        if button.get("name"):
            fields.append((str(button["name"]), button.get("value") or ""))
        typed = whole or any(form.kinds.get(name) in _TYPED for name, _ in fields)
        return self.send(button.get("formaction") or form.action, fields, typed=typed)


_TYPED = ("text", "number", "textarea")


def _named(form: Form) -> Iterator[str]:
    """What its buttons are called."""
    return (str(button.get("name")) for button in form.every_button)


def _filled(form: Form, dice: Random, button: dict[str, str | None]) -> Iterator[tuple[str, str]]:
    """Its fields, at random. What a button of its own answers needs no ticks."""
    for name, kind in form.kinds.items():
        if kind == "hidden":
            yield name, form.fields[name]
        elif name == "choice":
            if not button.get("name"):
                yield from ((name, one) for one in _ticked(form, dice, name))
        elif kind == "checkbox" and name in form.counted:
            if dice.random() < 0.7 or form.counted[name][0]:
                yield from ((name, one) for one in _ticked(form, dice, name))
        elif kind == "checkbox":
            yield from ((name, one) for one in form.choices[name] if dice.random() < 0.3)
        elif kind in ("select", "radio"):
            yield name, dice.choice(form.choices.get(name) or [""])
        elif kind == "number":
            yield name, dice.choice(["1", "1", "2", "3", "6"])
        elif kind in _TYPED:
            yield name, f"words {dice.randrange(1_000)}"


def _ticked(form: Form, dice: Random, name: str) -> list[str]:
    """Some of its boxes, as many as the page lets pass; of a list to choose from, one at most."""
    lists, boxes = form.lists.get(name, []), form.boxes.get(name, [])
    picks = [[box] for box in boxes] + lists
    least, most = form.counted.get(name, (1, None))
    most = min(len(picks), most if most is not None else 3, max(least, 3))
    if most < least:
        return []
    return [dice.choice(pick) for pick in dice.sample(picks, k=dice.randint(max(least, 1), max(most, 1)))]


def play_battle(player: Player, name: str) -> None:
    """From its first page to its record."""
    player.go(f"{HERE}/record/battle")
    crews: dict[str, list[str]] = {}
    for gang, fighter in re.findall(r'name="crew\.([\w-]+)" value="([^"]*)"(?! disabled)', player.page):
        crews.setdefault(gang, []).append(fighter)
    if len(crews) < 2:
        player.counted["too few to fight"] += 1
        return
    if player.dice.random() < 0.3:
        crews = {
            gang: player.dice.sample(crew, k=player.dice.randint(1, len(crew)))
            for gang, crew in crews.items()
        }
    head = [
        ("name", name),
        ("scenario", "Crossing"),
        ("date", "2026-03-01"),
        *(("gang", gang) for gang in crews),
    ]
    player.send(
        f"{HERE}/record/battle",
        head + [(f"crew.{gang}", one) for gang, crew in crews.items() for one in crew],
    )
    board = player.at
    for taps in range(TAPS_MAX + 1):
        if player.asks == "record":
            break
        if taps == TAPS_MAX:
            raise Broken(f"a battle that does not end\n{player.story}")
        if player.at not in (board, f"{board}/undo"):
            raise Broken(f"left the board for {player.at}\n{player.story}")
        _tap_once(player, board, ends=taps > TAPS_USUAL)
    _record(player, board, "Record the battle")
    player.counted["battles"] += 1


def _tap_once(player: Player, board: str, *, ends: bool = False) -> None:
    shown = {form.action: form for form in forms(player.page)}
    undo = shown.get(f"{board}/undo")
    if player.dice.random() < TAKES_BACK and undo is not None and undo.every_button:
        player.counted["taken back"] += 1
        player.tap(undo)
        return
    boards = [form for form in forms(player.page) if form.action == board and form.every_button]
    if not boards:
        raise Broken(f"the board cannot go on: {player.refused}\n{player.story}")
    if player.asks == "menu":
        offered = _by_kind(boards)
        may_end = any(button.get("value") == "end" for form in boards for button in form.every_button)
        if may_end and (ends or not offered or player.dice.random() < ENDS):
            lines = "end"
        else:
            lines = player.dice.choice(offered[player.dice.choice([*offered])])
        player.counted["taps"] += 1
        revision = boards[0].fields["revision"]
        player.send(board, [("revision", revision), ("lines", lines)])
        return
    player.counted["taps"] += 1
    player.tap(player.dice.choice(boards))


def _by_kind(boards: list[Form]) -> dict[str, list[str]]:
    """What may be entered, by its kind."""
    kinds: dict[str, list[str]] = {}
    for form in boards:
        for button in form.every_button:
            lines = button.get("value") or ""
            if button.get("name") == "lines" and lines != "end":
                kinds.setdefault(re.split(r"[\s:]", lines.lstrip('{"'))[0].strip('"'), []).append(lines)
    return kinds


def _record(player: Player, board: str, words: str) -> None:
    form = next((form for form in forms(player.page) if words in form.buttons), None)
    if form is None:
        raise Broken(f"nothing records it\n{player.story}")
    player.send(form.action, [*form.fields.items()])


def play_aftermath(player: Player) -> None:
    """What each gang does after its battle, to the end of its list."""
    while True:
        player.go(f"{HERE}/record")
        form = next((form for form in forms(player.page) if form.action.endswith("/record/after")), None)
        if form is None:
            return
        player.tap(form)
        board = player.at
        _steps(player, board)
        _record(player, board, "Record it")
        player.counted["sequences"] += 1


def _steps(player: Player, board: str) -> None:
    for taps in range(TAPS_MAX + 1):
        if player.asks == "record":
            return
        if taps == TAPS_MAX:
            raise Broken(f"a sequence that does not end\n{player.story}")
        player.counted["taps"] += 1
        steps = [form for form in forms(player.page) if form.action == f"{board}/entry"]
        if steps and player.dice.random() < 0.4:
            player.tap(player.dice.choice(steps), whole=True)
            continue
        offers_end = 'name="lines" value="end"' in player.page
        if player.asks == "menu" and offers_end and player.dice.random() < STEPS_LEFT:
            revision = next(
                form.fields["revision"] for form in forms(player.page) if "revision" in form.fields
            )
            player.send(board, [("revision", revision), ("lines", "end")])
            continue
        _tap_once(player, board)


@contextmanager
def mustered(folder: Path, book: str, dice: Random) -> Iterator[tuple[Tracker, str]]:
    """A new campaign of that game, with gangs and an armoury at random."""
    table = Arbitrator(folder)
    table.done("campaign", "new", "Ash Wastes", "--ruleset", book)
    for at, sheet in enumerate(mustering.sheets(book, dice)):
        table("gang", "add", table.write(sheet, name=f"gang-{at}.yaml"))
    table.done("campaign", "armoury", table.write(mustering.armoury(book, dice), name="armoury.yaml"))
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    try:
        yield tracker, tracker.directory.campaign_id(SLUG)
    finally:
        tracker.close()


@contextmanager
def at_a_table(folder: Path, book: str, dice: Random, counted: Counter[str]) -> Iterator[Player]:
    """The Arbitrator of a new campaign of that game; its log and boards hold at the end."""
    with mustered(folder, book, dice) as (tracker, campaign):
        mara = tracker.people.add("Mara").person
        tracker.people.join(campaign, mara, role="arbitrator")
        token = tracker.people.tokens.new(mara, label="tests", scope="write").secret
        with TestClient(application(tracker, MemberAccess(tracker))) as client:
            yield Player(client, token, dice, counted)
        club.everything_holds(tracker, campaign)


def _seed(dice: Random) -> str:
    """What a draft's own dice fall by, the same in each run of a round."""
    return f"{dice.getrandbits(128):032x}"


def player(run: Run) -> None:
    """A campaign a round: a battle or two, each with what comes after it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(run.folder / "data"))
        patch.setenv("HOME", str(run.folder / "home"))
        for dice in run.each_round():
            patch.setattr(Drafts, "new_seed", staticmethod(partial(_seed, Random(dice.getrandbits(64)))))
            book = mustering.BOOKS[run.at % len(mustering.BOOKS)]
            with run.empty_folder() as folder, at_a_table(folder, book, dice, run.counted) as thumb:
                for battle in range(1, dice.randint(1, BATTLES_MAX) + 1):
                    play_battle(thumb, f"Battle {battle}")
                    play_aftermath(thumb)
