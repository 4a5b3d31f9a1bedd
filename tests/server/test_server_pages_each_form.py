"""Each form that is derived from its command, sent: as it should be, and with something wrong in it."""

import html
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator, begun
from cli_reports import SEASON, report
from forms_seen import Form, Visitor, forms
from served import ORIGIN, Club
from starlette.testclient import TestClient

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.pages.operations import path_of
from tracker.server.pages.routes import DERIVED
from tracker.service.application import Tracker

PLACE = "/campaigns/ash-wastes"
LOOK, AGAIN = "See what it does", "Look again"
MARKET = ROOT / "fixtures" / "armoury" / "sump-market.yaml"
WORDS = "seven rusty buckets of grease"
OFFERED = "the last that is offered"
"""A value that only the page knows."""
REST = "format: battle-continued/1\nbattle: b2\nentries: []\nresult: {draw: true}\n"
CAPTURED = report(
    "b3", "out_of_action: {fighter: vex, by: sable, lasting_injury: 5-5}", result="winner: gilded-cage"
)
HELD = """\
format: post-battle/1
battle: b3
entries:
  - escape: {fighter: vex}
    dice: {escape: [2]}
"""

WHY = ("--reason", "because")
SO = {"reason": "because"}
SKULLS = {"gang": "iron-skulls", **SO}
AWARD = ("fighter", "award", "pip", "tallow", "krug", "--xp", "9", *WHY)
GIVEN = ("gang", "buy", "iron-skulls", "goggles", "--given", "--beyond-rules", *WHY)
MIDWAY = ("rollback", "rule", "--to-entry", "9", "--force", "nobody minds", *WHY)
"""Battle 2 is under way again after it."""
OPEN = ("dice", "open")
COMMITTED = (OPEN, ("dice", "contribute", "--by", "Mara", "--words", WORDS))
WEAK = (
    ("policy", "adopt", "house-patronage@1", *WHY),
    ("fighter", "retire", "krug", *WHY),
    ("fighter", "retire", "vex", *WHY),
)
CAPTIVE = (("battle", "record", "{folder}/captured.yaml"), ("battle", "post", "{folder}/held.yaml"))
SIGNED = (("audit", "key", "new", "--no-passphrase"),)
HOOK = ("webhook", "add", "https://chat.example/hook", "--kind", "json")


@dataclass(frozen=True)
class Sent:
    """A form: what is said rightly and what comes of it; what is said wrongly and where the fault stands."""

    operation: str
    right: Mapping[str, str]
    comes: str
    wrong: Mapping[str, str]
    beside: str
    """The field; empty where it is about all of it."""
    first: tuple[tuple[str, ...], ...] = ()
    dice: Mapping[str, str] = field(default_factory=dict)
    player: bool = False
    """Whether the gang's player may send it too."""


SENT = (
    Sent("gang buy", {"item": "nail gun", **SKULLS}, "nail gun bought", {"item": "moon"}, "item", player=True),
    Sent(
        "gang sell", {"item": "goggles", **SKULLS}, "sold for 10 credits", {"item": "moon"}, "item",
        first=(GIVEN,), dice={"die.sale.0/0": "1"}, player=True,
    ),
    Sent(
        "gang hand-over", {"item": "goggles", "to": "krug", **SKULLS}, "→ Krug the Anvil", {"item": "moon"}, "item",
        first=(GIVEN,), player=True,
    ),
    Sent(
        "gang leader", SKULLS, "Champion (Forge Warden) → Leader", {"fighter": "wren"}, "fighter",
        first=(("fighter", "retire", "krug", *WHY),), player=True,
    ),
    Sent("gang took-part", SKULLS, "Krug the Anvil gains 1 XP", {"without": "wren"}, "without", player=True),
    Sent(
        "gang patronage", {"against": "gilded-cage", **SKULLS}, "patronage, 525 behind", {"against": "iron-skulls"},
        "against", first=WEAK, player=True,
    ),
    Sent(
        "gang credits", {"from": "@rewards", "to": "iron-skulls", "amount": "40", **SO}, "40 credits, rewards",
        {"amount": "lots"}, "amount",
    ),
    Sent(
        "gang territory", {"territory": "ruins", "kind": "old_ruins", **SKULLS}, "take Old Ruins",
        {"kind": "moon"}, "kind",
    ),
    Sent("gang reputation", {"by": "1", **SKULLS}, "Reputation 2 → 3", {"by": "much"}, "by"),
    Sent("gang release", {"captive": "vex", **SO}, "Vex", {"captive": "krug"}, "captive", first=CAPTIVE),
    Sent(
        "fighter hire", {"type": "Forge Hand", "name": "Nib", "price": "0", **SKULLS}, "Nib (Ganger, Forge Hand) joins",
        {"type": "Moon Hand"}, "type", player=True,
    ),
    Sent(
        "fighter advance", {"fighter": "krug", "take": "cool", **SO}, "Cool 5+ → 4+", {"take": "moon"}, "take",
        first=(AWARD,), player=True,
    ),
    Sent(
        "fighter roll", {"fighter": "tallow", "choose": "willpower", **SO}, "Willpower", {"fighter": "krug"}, "fighter",
        first=(AWARD,), dice={"die.ganger_advancement.0/0": "4", "die.ganger_advancement.0/1": "4"}, player=True,
    ),
    Sent(
        "fighter promote", {"fighter": "pip", "to": "ganger", "type": "Forge Hand", "beyond_rules": "1", **SO},
        "Juve (Forge Rat) → Ganger", {"to": "king"}, "to",
    ),
    Sent("fighter award", {"fighters": "krug", "amount": "2", **SO}, "gains 2 XP", {"amount": "some"}, "amount"),
    Sent("fighter rename", {"fighter": "krug", "name": "Krugg"}, "is called Krugg", {"fighter": "moon"}, "fighter", player=True),
    Sent("fighter retire", {"fighter": "vex", **SO}, "Vex retires", {"fighter": "moon"}, "fighter", player=True),
    Sent("battle close", {"draw": "1"}, "closes: a draw", {"draw": ""}, "", first=(MIDWAY,)),
    Sent("battle continue", {"file": REST}, "closes: a draw", {"file": "nonsense"}, "file", first=(MIDWAY,)),
    Sent("campaign cycle", SO, "ycle 1 begins: Occupation", {"number": "many"}, "number"),
    Sent(
        "webhook add", {"url": "https://chat.example/hook", "kind": "json"}, "posts to https://chat.example/",
        {"url": "nowhere"}, "",
    ),
    Sent("webhook remove", {"webhook": OFFERED}, "hook-", {"webhook": "moon"}, "webhook", first=(HOOK,)),
    Sent("dice use", {"how": "provable", **SO}, "everybody can check", {"how": "moon"}, "how"),
    Sent("dice contribute", {"who": "Mara", "words": WORDS}, "commits to a contribution", {"words": "short"}, "", first=(OPEN,)),
    Sent("dice reveal", {"who": "Mara", "words": WORDS}, "reveals the contribution", {"words": "eleven other buckets of oil"}, "who", first=COMMITTED),
    Sent("dice withheld", {"who": "Mara", **SO}, "WITHHOLDS", {"who": "Sol"}, "who", first=COMMITTED),
    Sent("audit witnesses", {"want": "0"}, "0", {"want": "many"}, "want", first=SIGNED),
)  # fmt: skip

ELSEWHERE = {
    "audit cosigned": "what a witness sends is signed: test_what_a_witness_sent_is_kept",
    "dice open": "it has no field: test_dice_that_everybody_can_check_are_rolled_in_two_browsers",
    "dice close": "it has no field: test_dice_that_everybody_can_check_are_rolled_in_two_browsers",
    "dice abandon": "a request is open after a crash alone: tests/cli/test_cli_provable_dice.py",
}
TERMINAL = re.compile(r"arbitrator [a-z]+ |(?<![\w-])--[a-z]|\bYAML\b|(?<!\w)-:\d")


@pytest.fixture(scope="session")
def each_season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with begun(tmp_path_factory.mktemp("each")) as table:
        for played in SEASON[:2]:
            table.record(played)
        table.done("campaign", "armoury", str(MARKET))
    return table.file


@contextmanager
def prepared(season: Path, folder: Path, sent: Sent) -> Iterator[tuple[Visitor, Visitor, Arbitrator]]:
    """The Arbitrator and the player of the Iron Skulls, where the form has something to do."""
    folder.mkdir()
    table = Arbitrator(folder)
    shutil.copy(season, table.file)
    table.write(CAPTURED, name="captured.yaml")
    table.write(HELD, name="held.yaml")
    for words in sent.first:
        table.done(*(word.format(folder=folder) for word in words))
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    with TestClient(application(tracker, MemberAccess(tracker), address=ORIGIN)) as client:
        club = Club(client, tracker)
        yield Visitor(client, club.tokens["Mara"]), Visitor(client, club.tokens["Dana"]), table
    tracker.close()


def its_form(visitor: Visitor, operation: str) -> Form | None:
    """The operation's own form, where the page still shows it."""
    return next((form for form in forms(visitor.html) if form.action == f"{PLACE}{path_of(operation)}"), None)


def said(visitor: Visitor) -> str:
    """What somebody reads on the page."""
    page = re.sub(
        r"<textarea\b.*?</textarea>", " ", visitor.html[visitor.html.index("<main") :], flags=re.DOTALL
    )
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def filled(visitor: Visitor, sent: Sent, more: Mapping[str, str]) -> dict[str, str]:
    """The fields as they are sent from the page that is open."""
    form = its_form(visitor, sent.operation)
    assert form is not None
    given = {
        name: form.choices[name][-1] if value == OFFERED else value
        for name, value in {**sent.right, **more}.items()
    }
    return {name: value for name, value in given.items() if value}


def press(visitor: Visitor, operation: str, button: str, given: Mapping[str, str]) -> None:
    """Send it, whatever the answer's number is: a page that refuses has one, too."""
    form = its_form(visitor, operation)
    assert form is not None
    for status in (200, 404, 409, 422):
        try:
            visitor.send(form, button, dict(given), status=status)
        except AssertionError:
            if visitor.status == status:
                raise
        else:
            return
        if visitor.status in (200, 404, 409, 422):
            return
    raise AssertionError((visitor.status, visitor.html))


def refused(visitor: Visitor, sent: Sent) -> None:
    """With something wrong in it: what is wrong stands beside its field, in words of a page."""
    visitor.go(f"{PLACE}{path_of(sent.operation)}")
    form = its_form(visitor, sent.operation)
    assert form is not None
    press(visitor, sent.operation, next(iter(form.buttons)), filled(visitor, sent, sent.wrong))
    beside = re.findall(r'id="field-([a-z_]+)-fault"', visitor.html)
    assert beside == ([sent.beside] if sent.beside else []), said(visitor)
    assert ("Not possible so." in said(visitor)) == (not sent.beside), said(visitor)
    assert TERMINAL.search(said(visitor)) is None, said(visitor)


def done(visitor: Visitor, sent: Sent) -> None:
    """As it should be: looked at where that can be, then done, and the page says what came of it."""
    visitor.go(f"{PLACE}{path_of(sent.operation)}")
    form = its_form(visitor, sent.operation)
    assert form is not None
    looks = LOOK in form.buttons
    given = {**filled(visitor, sent, {}), **(sent.dice if looks else {})}
    if looks:
        press(visitor, sent.operation, LOOK, filled(visitor, sent, {}))
        if sent.dice:
            press(visitor, sent.operation, LOOK, given)
        form = its_form(visitor, sent.operation)
        assert form is not None
        assert "This is what happens:" in said(visitor), said(visitor)
        assert sent.comes in said(visitor)
    (button,) = {*form.buttons} - {LOOK, AGAIN}
    press(visitor, sent.operation, button, {} if looks else given)
    assert its_form(visitor, sent.operation) is None, said(visitor)
    assert sent.comes in said(visitor), said(visitor)
    assert TERMINAL.search(said(visitor)) is None, said(visitor)


def test_each_derived_form_is_sent_here() -> None:
    assert {sent.operation for sent in SENT} | {*ELSEWHERE} == {*DERIVED}


@pytest.mark.slow
@pytest.mark.parametrize("sent", SENT, ids=lambda sent: sent.operation)
def test_a_form_records_what_it_says_and_a_fault_stands_beside_its_field(
    sent: Sent, tmp_path: Path, each_season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with prepared(each_season, tmp_path / "arbitrator", sent) as (mara, _, table):
        before = table.head
        refused(mara, sent)
        assert table.head == before, "nothing is recorded by a form with a fault in it"
        done(mara, sent)
        is_beside_the_log = sent.operation.split()[0] in ("webhook", "audit")
        assert table.head["entries"] - before["entries"] == (0 if is_beside_the_log else 1)


@pytest.mark.slow
@pytest.mark.parametrize("sent", SENT, ids=lambda sent: sent.operation)
def test_a_player_sends_what_is_theirs_and_is_shown_nothing_else(
    sent: Sent, tmp_path: Path, each_season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with prepared(each_season, tmp_path / "player", sent) as (_, dana, table):
        before = table.head
        if sent.player:
            refused(dana, sent)
            done(dana, sent)
            assert table.head["entries"] == before["entries"] + 1
        elif sent.operation in ("dice contribute", "dice reveal"):  # a player's too, in their own name
            dana.go(f"{PLACE}{path_of(sent.operation)}")
            assert "Dana" in dana.html
        elif sent.operation == "fighter promote":  # a player's where the rules allow it
            assert 'name="beyond_rules"' not in dana.go(f"{PLACE}{path_of(sent.operation)}")
        else:
            dana.go(f"{PLACE}{path_of(sent.operation)}", status=403)
            assert table.head == before


@pytest.mark.slow
def test_what_a_witness_sent_is_kept(
    tmp_path: Path, each_season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    sent = Sent("audit cosigned", {}, "sam", {"file": "nonsense"}, "file", first=SIGNED)
    with prepared(each_season, tmp_path / "witness", sent) as (mara, dana, table):
        sam = table.read("audit", "key", "new", "--witness", "sam", "--no-passphrase")["key"]
        table.done("audit", "witnesses", "--want", "1", sam)
        table.done("audit", "checkpoint")
        head, key = (
            table.read("audit", "heads")["heads"][0],
            table.read("audit", "key", "show")["keys"][-1]["key"],
        )
        signed = table.done("audit", "cosign", table.write(head["note"]), "--vkey", key).out
        refused(mara, sent)
        done(dana, replace(sent, right={"file": signed}))
        assert table.read("audit", "heads")["heads"][0]["witnesses"] == ["sam"]


@pytest.mark.slow
def test_dice_that_everybody_can_check_are_rolled_in_two_browsers(
    tmp_path: Path, each_season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    use = Sent("dice use", {"how": "provable", **SO}, "everybody can check", {}, "", first=(GIVEN,))
    with prepared(each_season, tmp_path / "dice", use) as (mara, dana, table):
        mara.go(f"{PLACE}/do/dice-close")
        mara.press("Show the seed", status=409)
        assert "No dice session is open" in said(mara)
        done(mara, use)
        done(mara, Sent("dice open", {}, "Dice session 1", {}, ""))
        sealed = (next((tmp_path / "data").rglob("*.seed"))).read_text().strip()
        for operation, comes in (("dice contribute", "commits"), ("dice reveal", "reveals")):
            done(dana, Sent(operation, {"who": "Dana", "words": WORDS}, comes, {}, ""))
        mara.go(f"{PLACE}/do/dice-open")
        mara.press("Draw the seed", status=409)
        assert sealed not in mara.html + dana.html + mara.go(f"{PLACE}/log?everything=all")
        dana.go(f"{PLACE}/do/gang-sell?gang=iron-skulls&item=goggles")
        dana.press(LOOK, reason="market")
        dana.press(LOOK, roll="1")
        dana.press("Sell it")
        assert re.search(r"sold for \d+ credits", said(dana))
        done(mara, Sent("dice close", {}, sealed, {}, ""))
        assert table.read("audit", "verify")["dice"]["faces"] == {"recomputed": 1}


@pytest.mark.slow
def test_who_may_not_record_leaves_no_request_for_dice_behind(
    tmp_path: Path, each_season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    sent = Sent("gang sell", {}, "", {}, "", first=(GIVEN, ("dice", "use", "provable", *WHY), OPEN))
    with prepared(each_season, tmp_path / "others", sent) as (_, dana, table):
        table.done("gang", "buy", "gilded-cage", "goggles", "--given", "--beyond-rules", *WHY)
        before = table.head
        dana.go(f"{PLACE}/do/gang-sell?gang=gilded-cage&item=goggles")
        form = its_form(dana, "gang sell")
        assert form is not None
        press(dana, "gang sell", LOOK, {"reason": "market", "roll": "1"})
        press(dana, "gang sell", "Sell it", {})
        assert "is not yours" in said(dana)
        assert table.head == before
